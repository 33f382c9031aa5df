//! Exact search on a graph whose places and costs are ours to change, and the corridor of what it finds.

use std::borrow::Cow;

use glam::Vec3;
use portolan::contraction::{Bounds, Contraction, ContractionScratch, Shortcuts, Straight};
use portolan::graph::{Origin, Side};
use portolan::{
    Corridor, Crossing, Ends, Location, NavMesh, Path, PolygonId, PortalGraph, PortalId, Query,
    SampleId, Scratch, Tier, World,
};

/// Buffers of searches.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(crate) chains: ContractionScratch,
    pub(crate) vertices: Vec<u32>,
    pub(crate) scratch: Scratch,
}

pub(crate) struct Ways<'a> {
    pub(crate) world: &'a World,
    pub(crate) graph: &'a PortalGraph,
    pub(crate) contraction: Cow<'a, Contraction>,
    pub(crate) shortcuts: Shortcuts,
    /// Of the vertices; not the graph's where they were moved.
    pub(crate) places: Vec<Vec3>,
    /// What a metre costs from the start to the first vertex, and from the last to the goal.
    leg_factor: f32,
    /// What a metre costs at least.
    metre: f32,
    /// Whether the contraction has two vertices for each of the graph's: passing it to side 0 and to
    /// side 1.
    is_directed: bool,
}

impl<'a> Ways<'a> {
    /// Over the midpoints of a world's fast tier, moved to `places`; arcs cost their length times `factor`.
    pub(crate) fn new(
        world: &'a World,
        places: Vec<Vec3>,
        mut factor: impl FnMut([u32; 2]) -> f32,
    ) -> Self {
        let (graph, contraction) = world.tier(Tier::Fast).expect("the fast tier");
        let mut least_factor = 1.0_f32;
        let edges = graph.edges(world.mesh(), world.default_costs());
        let edges = edges.map(|(pair, _)| {
            let [a, b] = pair.map(|vertex| places[vertex as usize]);
            let factor = factor(pair);
            least_factor = least_factor.min(factor);
            (pair, [a.distance(b) * factor; 2])
        });
        let mut shortcuts = Shortcuts::of_edges(contraction, edges);
        let contraction = contraction.clone();
        let contraction = contraction.placed(|vertex| places[vertex as usize]);
        let metre = metre(least_factor);
        shortcuts.learn_likely(&contraction, metre);
        Self {
            world,
            graph,
            contraction: Cow::Owned(contraction),
            shortcuts,
            places,
            leg_factor: 1.0,
            metre,
            is_directed: false,
        }
    }

    /// Over midpoints, each of which has to be passed to its other side. Where costs are no distances, a way
    /// that only touches one can be cheaper than the straight line, and says nothing.
    pub(crate) fn directed(
        world: &'a World,
        leg_factor: f32,
        factor: impl Fn([u32; 2]) -> f32,
    ) -> Self {
        let (graph, contraction) = world.tier(Tier::Fast).expect("the fast tier");
        let places = places(graph);
        let order = contraction.order().iter();
        let order = order.flat_map(|&vertex| [0, 1].map(|side| 2 * vertex + side));
        // Also what has no arc between: the ways out of a polygon have to be on one chain, and so have
        // those into it.
        let adjacent = graph.adjacent().flat_map(|[a, b]| {
            let sides = [[0, 0], [0, 1], [1, 0], [1, 1]];
            sides.map(|[c, d]| [2 * a + c, 2 * b + d])
        });
        let twins = (0..places.len() as u32).map(|vertex| [2 * vertex, 2 * vertex + 1]);
        let contraction = Contraction::new(order.collect(), adjacent.chain(twins));
        let contraction = contraction.placed(|vertex| places[vertex as usize / 2]);
        let mut least_factor = leg_factor;
        let mut arcs = Vec::new();
        for polygon in world.mesh().polygons() {
            let pairs = graph.samples_of(polygon).flat_map(|from| {
                let others = graph.samples_of(polygon).filter(move |&to| to != from);
                others.map(move |to| [from.0, to.0])
            });
            for [from, to] in pairs {
                let factor = factor([from, to]);
                least_factor = least_factor.min(factor);
                let length = places[from as usize].distance(places[to as usize]);
                let vertices = [
                    passing(graph, from, polygon),
                    passing(graph, to, polygon) ^ 1,
                ];
                arcs.push((vertices[0], vertices[1], length * factor));
            }
        }
        let mut shortcuts = Shortcuts::new(&contraction, arcs.into_iter());
        let metre = metre(least_factor);
        shortcuts.learn_likely(&contraction, metre);
        Self {
            world,
            graph,
            shortcuts,
            contraction: Cow::Owned(contraction),
            places,
            leg_factor,
            metre,
            is_directed: true,
        }
    }

    /// Over a tier as it is, without flips after the search.
    pub(crate) fn of_tier(world: &'a World, tier: Tier) -> Self {
        let (graph, contraction) = world.tier(tier).expect("the tier");
        let shortcuts = world.default_costs().shortcuts(tier);
        Self {
            world,
            graph,
            contraction: Cow::Borrowed(contraction),
            shortcuts: shortcuts.expect("costs of the tier").clone(),
            places: places(graph),
            leg_factor: 1.0,
            metre: metre(1.0),
            is_directed: false,
        }
    }

    /// The cheapest way pulled taut. The cost of the path is the way's.
    pub(crate) fn find(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        buffers: &mut Buffers,
        path: &mut Path,
    ) {
        self.find_corridor(ends, buffers, path);
        self.world.pull(query, ends, &mut buffers.scratch, path);
    }

    /// The cheapest way, its corridor only.
    pub(crate) fn find_corridor(&self, ends: &Ends, buffers: &mut Buffers, path: &mut Path) {
        path.clear();
        buffers.vertices.clear();
        path.cost = match ends.start.polygon == ends.goal.polygon {
            true => ends.start.point.distance(ends.goal.point),
            false => {
                let (starts, goals) = (self.legs(ends.start, true), self.legs(ends.goal, false));
                self.search(ends, starts, goals, buffers)
            }
        };
        follow(self.graph, &buffers.vertices, ends, &mut path.corridor);
    }

    /// The vertices of a place's polygon by which to leave it, or else to come, and what it costs between
    /// them and the place.
    pub(crate) fn legs(
        &self,
        place: Location,
        is_start: bool,
    ) -> impl Iterator<Item = (u32, f32)> + Clone {
        self.graph.samples_of(place.polygon).map(move |sample| {
            let length = place.point.distance(self.places[sample.index()]);
            let vertex = match self.is_directed {
                true => passing(self.graph, sample.0, place.polygon) ^ u32::from(is_start),
                false => sample.0,
            };
            (vertex, length * self.leg_factor)
        })
    }

    /// Appends the vertices of the cheapest way; its cost.
    pub(crate) fn search(
        &self,
        ends: &Ends,
        starts: impl Iterator<Item = (u32, f32)> + Clone,
        goals: impl Iterator<Item = (u32, f32)> + Clone,
        buffers: &mut Buffers,
    ) -> f32 {
        let of_graph = |vertex: u32| vertex >> u32::from(self.is_directed);
        let straight = Straight::new(ends.start.point, ends.goal.point, self.metre);
        let bounds = Bounds {
            most: f32::INFINITY,
            straight: Some(straight),
        };
        let Buffers {
            chains, vertices, ..
        } = buffers;
        let tell = |vertex| vertices.push(of_graph(vertex));
        let found = self
            .shortcuts
            .search(&self.contraction, starts, goals, bounds, chains, tell);
        found.expect("a way")
    }
}

/// What a metre costs at least, for what is compared with sums: these may be rounded to a little below the
/// straight line.
fn metre(least_factor: f32) -> f32 {
    least_factor * (1.0 - 1e-4)
}

pub(crate) fn places(graph: &PortalGraph) -> Vec<Vec3> {
    let samples = (0..graph.sample_count()).map(SampleId::new);
    samples.map(|sample| graph.position(sample)).collect()
}

/// The polygons beside a vertex.
pub(crate) fn sides(graph: &PortalGraph, vertex: u32) -> [PolygonId; 2] {
    [0, 1].map(|side| match graph.side(SampleId(vertex), side) {
        Side::Polygon(polygon) => polygon,
        Side::Link(..) => panic!("these maps have no links"),
    })
}

/// The directed vertex for passing a vertex into one of the polygons beside it.
fn passing(graph: &PortalGraph, vertex: u32, into: PolygonId) -> u32 {
    2 * vertex + u32::from(sides(graph, vertex)[1] == into)
}

/// The portal of a vertex.
fn portal(graph: &PortalGraph, vertex: u32) -> PortalId {
    match graph.origin(SampleId(vertex)) {
        Origin::Portal(portal) => portal,
        Origin::LinkEnd(..) => panic!("these maps have no links"),
    }
}

/// The corridor of a way over vertices, without portals that it only touches, or crosses there and back.
pub(crate) fn follow(graph: &PortalGraph, vertices: &[u32], ends: &Ends, corridor: &mut Corridor) {
    corridor.clear();
    let mut here = ends.start.polygon;
    corridor.polygons.push(here);
    for (i, &vertex) in vertices.iter().enumerate() {
        let stays = match vertices.get(i + 1) {
            Some(&next) => sides(graph, next).contains(&here),
            None => ends.goal.polygon == here,
        };
        if stays {
            continue;
        }
        let [a, b] = sides(graph, vertex);
        here = if a == here { b } else { a };
        let crossing = Crossing::Portal(portal(graph, vertex));
        if corridor.crossings.last() == Some(&crossing) {
            corridor.crossings.pop();
            corridor.polygons.pop();
        } else {
            corridor.crossings.push(crossing);
            corridor.polygons.push(here);
        }
    }
}

/// The portal of a crossing.
pub(crate) fn portal_of(crossing: Crossing) -> PortalId {
    match crossing {
        Crossing::Portal(portal) => portal,
        Crossing::Link(..) => panic!("these maps have no links"),
    }
}

/// Checks that a corridor leads from start to goal, over portals between its polygons.
pub(crate) fn check_corridor(mesh: &NavMesh, ends: &Ends, corridor: &Corridor) {
    let Corridor {
        polygons,
        crossings,
    } = corridor;
    assert_eq!(polygons.first(), Some(&ends.start.polygon));
    assert_eq!(polygons.last(), Some(&ends.goal.polygon));
    for (pair, crossing) in polygons.windows(2).zip(crossings) {
        let sides = mesh.portal(portal_of(*crossing)).polygons;
        assert!(pair.iter().all(|polygon| sides.contains(polygon)) && pair[0] != pair[1]);
    }
}
