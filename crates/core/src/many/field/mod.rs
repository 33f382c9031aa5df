//! Fields: the cost and the next portal from everywhere to the nearest of some goals.
//!
//! # Method
//! PHAST (Delling, Goldberg, Nowatzyk and Werneck 2013) computes the cost of every vertex of the graph: the chains of
//! the goals are climbed, and one sweep over all arcs of the contraction, from the highest rank down, does the
//! rest. These costs are sums over shortcuts, which hide the next vertex. So all vertices are
//! then settled in the order of these costs, as Dijkstra's algorithm would do with its heap. This gives costs and
//! next vertices that are consistent with each other, and the same bits as a search without a contraction.
//! See `settle.rs`.

mod corner;
mod settle;

pub use corner::{FieldCorner, FieldCornerKind, FieldScratch};

use glam::Vec4;

use self::settle::{Next, NextHop};
use super::Many;
use crate::geometry::distance;
use crate::graph::{Origin, SampleSide};
use crate::ids::{PolygonId, SampleId};
use crate::navmesh::Location;
use crate::path::Crossing;
use crate::search::Heap;

/// For every location, the cost of the cheapest path to the nearest of some goals, and the next step on it. Compute it
/// once; any number of agents then follow it, each with [`next_corner`](Self::next_corner).
///
/// The cost is the minimum on the world's own graph, as that of the engine `contraction:fast`. It is
/// summed from the goal to the location, so it may differ from the engine's by rounding.
///
/// ```
/// use portolan_core::{
///     DEFAULT_SNAP, Field, FieldScratch, FieldStep, NavMeshOptions, PolygonId, World,
/// };
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let many = world.many();
/// let locate = |polygon| {
///     let centre = world.mesh().centre(PolygonId(polygon));
///     many.locate(centre, DEFAULT_SNAP).expect("on the mesh")
/// };
///
/// let mut field = Field::default();
/// field.compute(many, &[locate(3), locate(90)]);
/// let agent = locate(40);
/// assert!(field.distance(many, agent) < f32::INFINITY);
/// assert!(matches!(field.next(many, agent), Some(FieldStep::Cross(_))));
/// let corner = field.next_corner(many, agent, &mut FieldScratch::default()).expect("a path");
/// assert!(corner.point.distance(agent.point) > 0.0);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Field {
    world_id: u64,
    version: u64,
    goals: Vec<Location>,
    /// The goals that an agent may be at, with their index in `goals`, as cost locations, sorted by polygon.
    open_goals: Vec<(Location, u32)>,
    /// Per vertex of the graph, the cost to the nearest goal.
    costs: Vec<f32>,
    /// Per vertex of the graph, what comes next. Following it never returns to the same vertex.
    next: Vec<Next>,
    // Buffers of `compute`.
    chain: Vec<Vec4>,
    rank_costs: Vec<f32>,
    order: [Vec<u64>; 2],
    is_settled: Vec<bool>,
    heap: Heap,
}

/// The next step on the way to the nearest goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldStep {
    /// The goal with this index is in the same polygon, and the straight line to it is the cheapest path.
    Goal(usize),
    /// The polygon is left by this portal or link.
    Cross(Crossing),
}

impl Field {
    /// Computes the field of a set of goals. An agent goes to the goal with the cheapest path. Goals on closed
    /// ground, and goals that are not finite, are left out. Allocates nothing if the same memory was used for
    /// a world of this size and as many goals before.
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    pub fn compute(&mut self, many: Many<'_>, goals: &[Location]) {
        (self.world_id, self.version) = (many.world_id, many.world.version());
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.open_goals.clear();
        let open = (0..).zip(goals).filter(|(_, goal)| many.is_open(**goal));
        let open = open.map(|(index, &goal)| (many.graph.cost_location(goal), index));
        self.open_goals.extend(open);
        self.open_goals
            .sort_unstable_by_key(|&(goal, index)| (goal.polygon, index));
        self.settle(many);
    }

    /// Returns the goals, in the order in which they were passed to [`compute`](Self::compute).
    pub fn goals(&self) -> &[Location] {
        &self.goals
    }

    /// Returns whether the field was computed for this world, and so can be asked. In a world that
    /// [changes](crate::live), an older field can still be asked with the snapshot for which it was computed.
    pub fn is_current(&self, many: Many<'_>) -> bool {
        self.world_id == many.world_id
    }

    /// Returns the [version](crate::World::version) of the world for which the field was computed.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns the cost of the cheapest path from a location to a goal; infinite if there is none.
    ///
    /// # Panics
    /// Panics if the field was computed for another world, or if the mesh has no such polygon.
    pub fn distance(&self, many: Many<'_>, location: Location) -> f32 {
        self.cheapest(many, location).0
    }

    /// Returns the next step of the cheapest path from a location to a goal; `None` if there is none.
    ///
    /// # Panics
    /// Panics if the field was computed for another world, or if the mesh has no such polygon.
    pub fn next(&self, many: Many<'_>, location: Location) -> Option<FieldStep> {
        let hop = self.cheapest(many, location).1?;
        Some(match self.leave_by(many, location.polygon, hop) {
            NextHop::Goal(goal) => FieldStep::Goal(goal as usize),
            NextHop::Vertex(vertex) => FieldStep::Cross(match many.graph.origin(vertex) {
                Origin::Portal(portal) => Crossing::Portal(portal),
                Origin::LinkEnd(link, end) => Crossing::Link(link, end as u8),
            }),
        })
    }

    /// Returns the index of the goal to which the cheapest path from a location leads; `None` if there is no
    /// path. Takes time in proportion to the number of polygons on the path.
    ///
    /// # Panics
    /// Panics if the field was computed for another world, or if the mesh has no such polygon.
    pub fn goal(&self, many: Many<'_>, location: Location) -> Option<usize> {
        let mut hop = self.cheapest(many, location).1?;
        loop {
            match hop {
                NextHop::Goal(goal) => return Some(goal as usize),
                NextHop::Vertex(vertex) => hop = self.hop(vertex),
            }
        }
    }

    /// Returns the cost from a location, and the vertex of its polygon or the goal in it where the cheapest
    /// path starts. Among equal costs a goal wins, then the first vertex of the polygon.
    fn cheapest(&self, many: Many<'_>, location: Location) -> (f32, Option<NextHop>) {
        many.check_world(self.world_id);
        let location = many.cost_location(location);
        let mut best = (f32::INFINITY, None);
        let mut consider = |cost: f32, hop| {
            if cost < best.0 {
                best = (cost, Some(hop));
            }
        };
        for (goal, index) in self.goals_in(location.polygon) {
            let cost = many.straight(location.polygon, [location.point, goal.point]);
            consider(cost, NextHop::Goal(index));
        }
        for (vertex, leg) in many.legs(location) {
            let cost = leg + self.costs[vertex as usize];
            consider(cost, NextHop::Vertex(SampleId(vertex)));
        }
        best
    }

    /// Returns the goals in a polygon.
    fn goals_in(&self, polygon: PolygonId) -> impl Iterator<Item = (Location, u32)> {
        let before = |(goal, _): &(Location, u32)| goal.polygon < polygon;
        let first = self.open_goals.partition_point(before);
        let goals = self.open_goals[first..].iter().copied();
        goals.take_while(move |(goal, _)| goal.polygon == polygon)
    }

    /// Returns what comes after a vertex that has a finite cost.
    fn hop(&self, vertex: SampleId) -> NextHop {
        self.next[vertex.index()].hop(self.next.len())
    }

    /// Returns the side, 0 or 1, by which the path from a vertex with a finite cost continues.
    fn side(&self, vertex: SampleId) -> usize {
        self.next[vertex.index()].side()
    }

    /// Returns whether the path from a vertex stays in a polygon.
    fn stays(&self, many: Many<'_>, polygon: PolygonId, vertex: SampleId) -> bool {
        let side = many.graph.side(vertex, self.side(vertex));
        side == SampleSide::Polygon(polygon)
    }

    /// Returns the last vertex of a path before it leaves a polygon, or the goal if it ends there. The path goes on
    /// at `hop`, in that polygon. The straight line to the last vertex is no more expensive than the path over the
    /// vertices between.
    fn leave_by(&self, many: Many<'_>, polygon: PolygonId, mut hop: NextHop) -> NextHop {
        while let NextHop::Vertex(vertex) = hop
            && self.stays(many, polygon, vertex)
        {
            hop = self.hop(vertex);
        }
        hop
    }

    /// Returns the costs of the legs from the vertices of a goal's polygon to the goal.
    fn goal_legs(many: &Many<'_>, goal: Location) -> impl Iterator<Item = (SampleId, f32, usize)> {
        let factor = many.prices.factor(many.mesh, goal.polygon);
        many.graph.exits(goal.polygon).map(move |exit| {
            let cost = distance(exit.position, goal.point) * factor;
            (exit.step.sample(), cost, 1 - exit.step.far_side())
        })
    }
}
