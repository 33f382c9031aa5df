//! `fast_paths`, a contraction hierarchy by Easbar, on our portal graph and with our funnel.
//!
//! Its vertices are the graph's samples, its arcs those of the graph. Start and goal are all samples
//! of their polygons, each with what it costs to get there. Weights are whole micrometres.

use fast_paths::{FastGraph, InputGraph, PathCalculator};
use glam::Vec3;
use portolan_core::graph::{Origin, SampleSide};
use portolan_core::{
    Corridor, Costs, Crossing, Location, PolygonId, Profile, Query, SampleId, Scratch, World,
};
use portolan_measure::Stopwatch;

use crate::ours::world_bytes;
use crate::peer::{Answer, Peer, Status};

/// Weight of a metre at factor 1.
const METRE: f64 = 1e6;

/// What its edge takes: five words. The type itself is not public.
const BYTES_PER_EDGE: usize = 5 * size_of::<usize>();
/// Rank and the begins of the edges out of and into it.
const BYTES_PER_NODE: usize = 3 * size_of::<usize>();

pub(crate) struct FastPaths {
    world: World,
    costs: Costs,
    graph: FastGraph,
    calculator: PathCalculator,
    build_ms: f64,
    scratch: Scratch,
    path: portolan_core::Path,
}

impl FastPaths {
    /// `world_ms` is what the world that it stands on took.
    pub(crate) fn new(world: &World, world_ms: f64) -> Self {
        let costs = world.costs(&Profile::default());
        let mut watch = Stopwatch::start();
        let mut arcs = InputGraph::new();
        // It counts nodes by their arcs, and the last samples may have none: one that leads to a node
        // from which nothing leads on makes it know them all.
        let count = world.graph().sample_count();
        if count > 0 {
            arcs.add_edge(count - 1, count, weight(1.0));
        }
        for from in (0..count).map(SampleId::new) {
            world
                .graph()
                .for_each_arc(world.mesh(), costs.prices(), from, |to, cost, _| {
                    arcs.add_edge(from.index(), to.index(), weight(cost.into()));
                });
        }
        arcs.freeze();
        let graph = fast_paths::prepare(&arcs);
        let build_ms = world_ms + watch.lap_ms();
        let calculator = fast_paths::create_calculator(&graph);
        Self {
            world: world.clone(),
            costs,
            graph,
            calculator,
            build_ms,
            scratch: Scratch::new(),
            path: portolan_core::Path::default(),
        }
    }

    /// The samples of a place's polygon, and what lies between.
    fn near(&self, place: &Location) -> Vec<(usize, usize)> {
        let (mesh, graph) = (self.world.mesh(), self.world.graph());
        let factor = f64::from(self.costs.prices().factor(mesh, place.polygon));
        graph
            .samples_of(place.polygon)
            .map(|sample| {
                let metres = distance(graph.position(sample), place.point);
                (sample.index(), weight(metres * factor))
            })
            .collect()
    }

    /// The cheapest way: its weight and its samples. Within one polygon that may be the straight
    /// line, without any.
    fn search(&mut self, start: &Location, goal: &Location) -> Option<(usize, Vec<usize>)> {
        let (sources, targets) = (self.near(start), self.near(goal));
        let around = if sources.is_empty() || targets.is_empty() {
            None
        } else {
            self.calculator
                .calc_path_multiple_sources_and_targets(&self.graph, sources, targets)
                .map(|path| (path.get_weight(), path.get_nodes().clone()))
        };
        if start.polygon != goal.polygon {
            return around;
        }
        let factor = f64::from(self.costs.prices().factor(self.world.mesh(), start.polygon));
        let straight = weight(distance(start.point, goal.point) * factor);
        around
            .filter(|(weight, _)| *weight < straight)
            .or_else(|| Some((straight, Vec::new())))
    }

    /// The polygons and crossings of a row of samples.
    fn follow(&self, samples: &[usize], start: PolygonId, goal: PolygonId, into: &mut Corridor) {
        let graph = self.world.graph();
        into.clear();
        into.polygons.push(start);
        let mut here = SampleSide::Polygon(start);
        for (i, &sample) in samples.iter().enumerate() {
            let sample = SampleId::new(sample);
            let onward = match samples.get(i + 1) {
                Some(&next) => self.common_side(sample, SampleId::new(next), here),
                None => SampleSide::Polygon(goal),
            };
            if onward == here {
                continue;
            }
            let crossing = match graph.origin(sample) {
                Origin::Portal(portal) => Crossing::Portal(portal),
                Origin::LinkEnd(link, end) => Crossing::Link(link, 1 - end as u8),
            };
            // Where a link begins, the ground is only left; its other end crosses.
            if let SampleSide::Polygon(polygon) = onward {
                into.crossings.push(crossing);
                into.polygons.push(polygon);
            }
            here = onward;
        }
    }

    /// Through what two successive samples are joined: a link, or the cheaper of the polygons that
    /// both lie on, the one that the way is in if they are alike.
    fn common_side(&self, from: SampleId, to: SampleId, here: SampleSide) -> SampleSide {
        let (mesh, graph) = (self.world.mesh(), self.world.graph());
        let sides = |sample| [graph.side(sample, 0), graph.side(sample, 1)];
        let cost = |side: &SampleSide| match *side {
            SampleSide::Polygon(polygon) => self.costs.prices().factor(mesh, polygon),
            SampleSide::Link(..) => 0.0,
        };
        let is_common = |side: &SampleSide| match *side {
            SampleSide::Polygon(_) => sides(to).contains(side),
            SampleSide::Link(link, end) => graph.link_end(link, 1 - end) == to,
        };
        sides(from)
            .into_iter()
            .filter(is_common)
            .min_by(|a, b| {
                let moved = |side: &SampleSide| *side != here;
                cost(a).total_cmp(&cost(b)).then(moved(a).cmp(&moved(b)))
            })
            .unwrap_or(here)
    }
}

fn weight(cost: f64) -> usize {
    (cost * METRE).round() as usize
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    a.as_dvec3().distance(b.as_dvec3())
}

impl Peer for FastPaths {
    fn name(&self) -> &str {
        "fast_paths"
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        let edges = self.graph.get_num_out_edges() + self.graph.get_num_in_edges();
        let nodes = self.graph.get_num_nodes();
        Some(world_bytes(&self.world) + edges * BYTES_PER_EDGE + nodes * BYTES_PER_NODE)
    }

    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        let query = Query {
            ground_tolerance: f32::INFINITY,
            ..Query::new(from, to)
        };
        let mut watch = Stopwatch::start();
        let located = self.world.locate(&query);
        let located = located.expect("`auto` runs on every world");
        answer.parts.locate = watch.lap_ns();
        let ends = located.endpoints();
        let Ok(ends) = ends else {
            answer.status = Status::OffMesh;
            return;
        };
        let components = self.world.mesh().components();
        let apart = components.of(ends.start.polygon) != components.of(ends.goal.polygon);
        let found = if apart {
            None
        } else {
            self.search(&ends.start, &ends.goal)
        };
        answer.parts.corridor = watch.lap_ns();
        let Some((weight, samples)) = found else {
            return;
        };
        let mut path = std::mem::take(&mut self.path);
        self.follow(
            &samples,
            ends.start.polygon,
            ends.goal.polygon,
            &mut path.corridor,
        );
        let located = self.world.located(&query, ends);
        let located = located.expect("`auto` runs on every world");
        located.pull(&mut self.scratch, &mut path);
        answer.waypoints.extend_from_slice(&path.waypoints);
        answer.parts.waypoints = watch.lap_ns();

        answer.status = Status::Found;
        answer.cost = Some(weight as f64 / METRE);
        let ids = path.corridor.user_ids(self.world.mesh());
        answer.polygons.extend(ids);
        self.path = path;
    }
}
