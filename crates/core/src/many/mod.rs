//! Questions with more than one start or goal: costs from one to many, a matrix of costs, the nearest of
//! several goals, everything within a path distance, and fields that any number of agents follow.
//!
//! [`World::many`] returns a [`Many`], which asks on behalf of agents with one profile:
//!
//! | question | answer |
//! |---|---|
//! | What does it cost from here to each of these goals? From each of these starts to here? | [`Many::costs`] |
//! | What does it cost from each of these to each of those? | [`Many::matrix`] |
//! | Which of these exits is the nearest by path? | [`NearestEnds`] |
//! | Which polygons are within a path distance? | [`Many::within`] |
//! | Which portal is next, from anywhere, on the way to the goals? Which corner? | [`Field`] |
//! | How long is the path of one of these costs? | [`Many::path`] |
//!
//! # Costs
//! All costs are those of the fast tier, the world's own graph. On a world with a contraction, every cost of
//! `costs`, `matrix` and `NearestEnds` has the same bits as the cost that the engine `contraction:fast`
//! finds for that pair. On a world without one, Dijkstra's algorithm answers. Then every cost has the same bits
//! as that of the engine `dijkstra`, except that many starts and one goal are searched backwards and so may
//! differ by rounding. An end that is off the mesh, on closed ground or out of reach costs infinity.
//!
//! # Method
//! In a contraction, a path climbs from its start and descends to its goal, and both parts lie on the chains of
//! the two ends (see [`contraction`](crate::contraction)). [`Ends`] keep the costs of the whole chain of each
//! end. The cost of a pair is the smallest sum of two chains over the depths that they share, which is a short
//! loop over two arrays. For costs to many ends this replaces the sweep of RPHAST, which adds the same arcs in
//! another order and so rounds differently. A field has an answer for every vertex, so there a sweep is best:
//! see [`Field`].
//!
//! ```
//! use portolan_core::{DEFAULT_SNAP, ManyScratch, NavMeshOptions, Terminal, World};
//! use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
//!
//! let raw = WorldScene::Rooms.build(&WorldOptions::default());
//! let world = World::build(raw, &NavMeshOptions::default())?;
//! let points: Vec<_> = RandomPoints::new(world.mesh(), 7).take(5).collect();
//!
//! let many = world.many();
//! let goals = many.ends(Terminal::Goal, &points[1..], DEFAULT_SNAP);
//! let start = many.locate(points[0], DEFAULT_SNAP).expect("on the mesh");
//! let (mut scratch, mut costs) = (ManyScratch::default(), Vec::new());
//! many.costs(start, &goals, &mut scratch, &mut costs);
//! assert!(costs.len() == 4 && costs.iter().all(|cost| cost.is_finite()));
//! # Ok::<(), portolan_core::NavMeshError>(())
//! ```

mod costs;
mod dijkstra;
mod ends;
mod field;
mod nearest;
mod within;

use glam::{Vec3, Vec4};

pub use ends::Ends;
pub use field::{Field, FieldCorner, FieldCornerKind, FieldScratch, FieldStep};
pub use nearest::{NearestEnd, NearestEnds};
pub use within::ReachedPolygon;

use self::dijkstra::GraphSearch;
use crate::contraction::{Contraction, Shortcuts};
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::ids::{PolygonId, Terminal};
use crate::navmesh::{Location, NavMesh};
use crate::path::Path;
use crate::profile::Prices;
use crate::query::{Engine, Scratch, Tier};
use crate::search::EpochArray;
use crate::world::{Costs, Endpoints, Query, Status, World};

/// A view of a world for questions with more than one start or goal, for agents with one profile. Create it with
/// [`World::many`] or [`World::many_with`] whenever it is needed; it is a few pointers.
///
/// Locations must belong to this world; polygons that do not exist make the methods panic. A location whose
/// point is not finite, or whose polygon is closed to the agent, is out of reach of everything.
///
/// ```
/// use portolan_core::{DEFAULT_SNAP, NavMeshOptions, Profile, Status, World};
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mut nobody = Profile::default();
/// (0..=255).for_each(|area| nobody.forbid(area));
/// let costs = world.costs(&nobody);
///
/// let centre = world.mesh().centre(portolan_core::PolygonId(0));
/// assert!(world.many().locate(centre, DEFAULT_SNAP).is_some());
/// let nobody = world.many_with(&costs).expect("costs of this world");
/// assert!(nobody.locate(centre, DEFAULT_SNAP).is_none());
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Many<'a> {
    world: &'a World,
    costs: &'a Costs,
    world_id: u64,
    mesh: &'a NavMesh,
    graph: &'a PortalGraph,
    prices: &'a Prices,
    /// The contraction of the fast tier with the costs of its arcs, if the world has one.
    contraction: Option<(&'a Contraction, &'a Shortcuts)>,
}

/// The memory of questions with more than one start or goal. Keep one per thread and reuse it; it works with
/// any world.
#[derive(Clone, Debug, Default)]
pub struct ManyScratch {
    /// The costs of the chain of one end, by depth.
    chain: Vec<Vec4>,
    /// Per prepared end, the number of depths that its chain shares with that chain.
    shared: Vec<u32>,
    /// The vertices over which the nearest end is reached, as their rank and cost.
    meetings: Vec<(u32, f32)>,
    search: GraphSearch,
    /// The polygons that a search has reached.
    polygons: EpochArray<()>,
}

impl<'a> Many<'a> {
    pub(crate) fn new(world: &'a World, costs: &'a Costs, world_id: u64) -> Self {
        Self {
            world,
            costs,
            world_id,
            mesh: world.mesh(),
            graph: world.graph(),
            prices: costs.prices(),
            contraction: match world.mesh().has_obstacles() {
                // The contraction knows only whole polygons.
                true => None,
                false => world.contraction().zip(costs.shortcuts(Tier::Fast)),
            },
        }
    }

    /// Returns the ground nearest to a position that is open to the agent: see [`NavMesh::locate`].
    pub fn locate(&self, position: Vec3, snap: Vec3) -> Option<Location> {
        let allowed = |polygon| self.prices.allows(self.mesh, polygon);
        self.mesh.locate(position, snap, allowed)
    }

    /// Finds the path of one pair, with waypoints, and so its length. Its cost is the one that the other
    /// methods return for this pair. `path` is overwritten; it is empty unless the status is
    /// [`Status::Found`].
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    pub fn path(
        &self,
        start: Location,
        goal: Location,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Status {
        path.clear();
        if !self.is_open(start) || !self.is_open(goal) {
            return Status::NoPath;
        }
        let engine = match self.contraction {
            Some(_) => Engine::Contraction(Tier::Fast),
            None => Engine::Dijkstra,
        };
        let query = Query {
            engine,
            costs: Some(self.costs),
            ..Query::new(start.point, goal.point)
        };
        let located = self.world.located(&query, Endpoints { start, goal });
        let located = located.expect("the costs were checked when the view was created");
        located.search(scratch).waypoints(path)
    }

    /// Returns whether the agent may be at a location.
    fn is_open(&self, location: Location) -> bool {
        location.point.is_finite() && self.prices.allows(self.mesh, location.polygon)
    }

    /// Returns the location from which costs are measured. One whose point is not finite stays as it is.
    fn cost_location(&self, location: Location) -> Location {
        match location.point.is_finite() {
            true => self.graph.cost_location(location),
            false => location,
        }
    }

    /// Returns the vertices of a location's polygon, with the cost of the leg between them and the location.
    /// The location must be a [cost location](PortalGraph::cost_location).
    fn legs(&self, location: Location) -> impl Iterator<Item = (u32, f32)> + Clone + use<'a> {
        let factor = self.prices.factor(self.mesh, location.polygon);
        let is_open = self.is_open(location);
        let exits = self.graph.exits(location.polygon);
        exits.filter(move |_| is_open).map(move |exit| {
            let cost = distance(location.point, exit.position) * factor;
            (exit.step.sample().0, cost)
        })
    }

    /// Returns the cost of the straight line between two cost locations in a polygon; infinite if it is closed.
    fn straight(&self, polygon: PolygonId, [start, goal]: [Vec3; 2]) -> f32 {
        let factor = self.prices.factor(self.mesh, polygon);
        let is_open = factor < f32::INFINITY && start.is_finite() && goal.is_finite();
        match is_open {
            true => distance(start, goal) * factor,
            false => f32::INFINITY,
        }
    }

    /// Checks that something was prepared for the same world.
    ///
    /// # Panics
    /// Panics if it was prepared for another world.
    fn check_world(&self, id: u64) {
        assert_eq!(id, self.world_id, "prepared for another world");
    }
}

/// Returns start and goal in this order, given one end of a path and the other.
fn in_order<T>(end: Terminal, location: T, other: T) -> [T; 2] {
    match end {
        Terminal::Start => [location, other],
        Terminal::Goal => [other, location],
    }
}

/// Returns the other end of a path.
fn other_end(end: Terminal) -> Terminal {
    match end {
        Terminal::Start => Terminal::Goal,
        Terminal::Goal => Terminal::Start,
    }
}
