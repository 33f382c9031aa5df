//! Starts or goals, prepared once for many questions.

use glam::{Vec3, Vec4};

use super::{Many, ManyScratch};
use crate::ids::Terminal;
use crate::navmesh::Location;
use crate::world::Status;

/// A list of starts or of goals, prepared for one world and the costs of one agent. Preparing takes a few
/// microseconds per end on a world with a contraction, and the memory of one cost per vertex of its chain (about 1 KB).
///
/// ```
/// use portolan_core::{DEFAULT_SNAP, NavMeshOptions, PolygonId, Status, Terminal, World};
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let door = world.mesh().centre(PolygonId(3));
/// let moon = glam::vec3(0.0, 1e6, 0.0);
///
/// let goals = world.many().ends(Terminal::Goal, &[door, moon], DEFAULT_SNAP);
/// assert_eq!(goals.len(), 2);
/// assert!(goals.location(0).is_ok());
/// assert_eq!(goals.location(1), Err(Status::GoalOffMesh));
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ends {
    pub(super) end: Terminal,
    pub(super) world_id: u64,
    locations: Vec<Result<Location, Status>>,
    /// The locations from which costs are measured.
    pub(super) cost_locations: Vec<Result<Location, Status>>,
    /// On a world with a contraction, the ends that are joined to the graph, sorted by the lowest rank of
    /// their chains.
    pub(super) chains: Vec<EndChain>,
    /// The costs of all chains, by depth, one chain after the other.
    pub(super) costs: Vec<Vec4>,
}

/// The chain of one end.
#[derive(Clone, Copy, Debug)]
pub(super) struct EndChain {
    pub(super) lowest: u32,
    /// The index of the end in the list.
    pub(super) index: u32,
    /// The number of depths that this chain shares with the one before it in the list of chains.
    pub(super) shared: u32,
    /// The range of its costs.
    first: u32,
    last: u32,
}

impl Default for Ends {
    /// Returns an empty list, which is not prepared for any world.
    fn default() -> Self {
        Self {
            end: Terminal::Goal,
            world_id: 0,
            locations: Vec::new(),
            cost_locations: Vec::new(),
            chains: Vec::new(),
            costs: Vec::new(),
        }
    }
}

impl Ends {
    /// Returns the number of ends, including those that are off the mesh.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// Returns whether these are starts or goals.
    pub fn terminal(&self) -> Terminal {
        self.end
    }

    /// Returns the location of an end.
    ///
    /// # Errors
    /// Returns the status that a query from or to this end would have if it is off the mesh or on closed
    /// ground.
    ///
    /// # Panics
    /// Panics if there is no such end.
    pub fn location(&self, index: usize) -> Result<Location, Status> {
        self.locations[index]
    }

    /// Returns the costs of a chain, by depth.
    pub(super) fn costs_of(&self, chain: &EndChain) -> &[Vec4] {
        &self.costs[chain.first as usize..chain.last as usize]
    }
}

impl Many<'_> {
    /// Finds the given positions on the mesh, each within a box of `snap` around it, and prepares them as
    /// starts or as goals.
    pub fn ends(&self, end: Terminal, positions: &[Vec3], snap: Vec3) -> Ends {
        let mut ends = Ends::default();
        self.prepare_ends(end, positions, snap, &mut ManyScratch::default(), &mut ends);
        ends
    }

    /// Prepares ends as [`ends`](Self::ends) does, in memory that is reused.
    pub fn prepare_ends(
        &self,
        end: Terminal,
        positions: &[Vec3],
        snap: Vec3,
        scratch: &mut ManyScratch,
        ends: &mut Ends,
    ) {
        let locate = |&position: &Vec3| {
            self.locate(position, snap).ok_or_else(|| {
                match (end, self.mesh.has_ground_near(position, snap)) {
                    (Terminal::Start, false) => Status::StartOffMesh,
                    (Terminal::Start, true) => Status::StartClosed,
                    (Terminal::Goal, false) => Status::GoalOffMesh,
                    (Terminal::Goal, true) => Status::GoalClosed,
                }
            })
        };
        self.set_ends(end, positions.iter().map(locate), scratch, ends);
    }

    /// Prepares ends whose locations are known, in memory that is reused.
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    pub fn prepare_locations(
        &self,
        end: Terminal,
        locations: &[Location],
        scratch: &mut ManyScratch,
        ends: &mut Ends,
    ) {
        let checked = |&location: &Location| match (self.is_open(location), end) {
            (true, _) => Ok(location),
            (false, Terminal::Start) => Err(Status::StartClosed),
            (false, Terminal::Goal) => Err(Status::GoalClosed),
        };
        self.set_ends(end, locations.iter().map(checked), scratch, ends);
    }

    fn set_ends(
        &self,
        end: Terminal,
        locations: impl Iterator<Item = Result<Location, Status>>,
        scratch: &mut ManyScratch,
        ends: &mut Ends,
    ) {
        (ends.end, ends.world_id) = (end, self.world_id);
        ends.locations.clear();
        ends.locations.extend(locations);
        ends.cost_locations.clear();
        let cost_locations = ends.locations.iter();
        ends.cost_locations.extend(
            cost_locations
                .map(|location| location.map(|location| self.graph.cost_location(location))),
        );
        ends.chains.clear();
        ends.costs.clear();
        let Some((contraction, shortcuts)) = self.contraction else {
            return;
        };
        for (index, location) in (0..).zip(&ends.cost_locations) {
            let vertices = location.iter().flat_map(|&location| self.legs(location));
            let lowest = contraction.lowest_rank(vertices.map(|(vertex, _)| vertex));
            ends.chains.extend(lowest.map(|lowest| EndChain {
                lowest,
                index,
                shared: 0,
                first: 0,
                last: 0,
            }));
        }
        ends.chains
            .sort_unstable_by_key(|chain| (chain.lowest, chain.index));
        let mut before = None;
        for chain in &mut ends.chains {
            let location = ends.cost_locations[chain.index as usize];
            let legs = location
                .into_iter()
                .flat_map(|location| self.legs(location));
            let costs = &mut scratch.chain;
            shortcuts.climb_chain(contraction, end, legs, costs, |_, _| true);
            chain.first = ends.costs.len() as u32;
            ends.costs.extend_from_slice(costs);
            chain.last = ends.costs.len() as u32;
            chain.shared =
                before.map_or(0, |before| contraction.shared_depths(before, chain.lowest));
            before = Some(chain.lowest);
        }
    }
}
