//! `fast_paths`, a contraction hierarchy by Easbar, on Portolan's portal graph and with Portolan's string pulling.
//!
//! Its vertices are the samples of the portal graph, and its arcs are those of the portal graph. Start and goal are
//! represented by all samples of their polygons, each with the cost of the leg to it. Weights are integers, in
//! micrometres.

use fast_paths::{FastGraph, InputGraph, PathCalculator};
use glam::Vec3;
use portolan_core::graph::{Origin, SampleSide};
use portolan_core::{
    Corridor, Costs, Crossing, Location, PolygonId, Profile, Query, SampleId, Scratch, World,
};
use portolan_measure::Stopwatch;

use crate::peer::{Peer, PeerAnswer, PeerStatus};
use crate::portolan::world_bytes;

/// The weight of a metre at factor 1.
const WEIGHT_PER_METRE: f64 = 1e6;

/// The size of an edge, which is five words. The type itself is not public.
const BYTES_PER_EDGE: usize = 5 * size_of::<usize>();
/// The size of a node: its rank, and the offsets of its outgoing and incoming edges.
const BYTES_PER_NODE: usize = 3 * size_of::<usize>();

/// The library `fast_paths` on a world.
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
    /// Builds the hierarchy. `world_ms` is the time to build the world.
    pub(crate) fn new(world: &World, world_ms: f64) -> Self {
        let costs = world.costs(&Profile::default());
        let mut watch = Stopwatch::start();
        let mut arcs = InputGraph::new();
        // The library derives the number of nodes from arcs, and the last samples may have none. An arc to an
        // additional node, from which no arc leads on, sets the correct number.
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

    /// Returns the samples of a location's polygon, each with the weight of the leg between both.
    fn adjacent_samples(&self, location: &Location) -> Vec<(usize, usize)> {
        let (mesh, graph) = (self.world.mesh(), self.world.graph());
        let factor = f64::from(self.costs.prices().factor(mesh, location.polygon));
        graph
            .samples_of(location.polygon)
            .map(|sample| {
                let metres = distance(graph.position(sample), location.point);
                (sample.index(), weight(metres * factor))
            })
            .collect()
    }

    /// Finds the cheapest path and returns its weight and its samples. Within one polygon, that may be the straight
    /// line, which has no samples.
    fn search(&mut self, start: &Location, goal: &Location) -> Option<(usize, Vec<usize>)> {
        let (sources, targets) = (self.adjacent_samples(start), self.adjacent_samples(goal));
        let over_samples = if sources.is_empty() || targets.is_empty() {
            None
        } else {
            self.calculator
                .calc_path_multiple_sources_and_targets(&self.graph, sources, targets)
                .map(|path| (path.get_weight(), path.get_nodes().clone()))
        };
        if start.polygon != goal.polygon {
            return over_samples;
        }
        let factor = f64::from(self.costs.prices().factor(self.world.mesh(), start.polygon));
        let straight = weight(distance(start.point, goal.point) * factor);
        over_samples
            .filter(|(weight, _)| *weight < straight)
            .or_else(|| Some((straight, Vec::new())))
    }

    /// Writes the polygons and crossings along a sequence of samples.
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
            // The first end of a link only leaves the ground. The crossing is recorded at the other end.
            if let SampleSide::Polygon(polygon) = onward {
                into.crossings.push(crossing);
                into.polygons.push(polygon);
            }
            here = onward;
        }
    }

    /// Returns the link or polygon that connects two consecutive samples. If both share two polygons, it is the cheaper
    /// one, and among equal ones the polygon that the path is in.
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
    (cost * WEIGHT_PER_METRE).round() as usize
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

    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        let query = Query {
            ground_tolerance: f32::INFINITY,
            ..Query::new(from, to)
        };
        let mut watch = Stopwatch::start();
        let located = self.world.locate(&query);
        let located = located.expect("`auto` runs on every world");
        answer.times.locate = watch.lap_ns();
        let ends = located.endpoints();
        let Ok(ends) = ends else {
            answer.status = PeerStatus::OffMesh;
            return;
        };
        let components = self.world.mesh().components();
        let apart = components.of(ends.start.polygon) != components.of(ends.goal.polygon);
        let found = if apart {
            None
        } else {
            self.search(&ends.start, &ends.goal)
        };
        answer.times.corridor = watch.lap_ns();
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
        answer.times.waypoints = watch.lap_ns();

        answer.status = PeerStatus::Found;
        answer.cost = Some(weight as f64 / WEIGHT_PER_METRE);
        let ids = path.corridor.user_ids(self.world.mesh());
        answer.polygons.extend(ids);
        self.path = path;
    }
}
