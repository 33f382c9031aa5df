//! A follower in a world that changes.

use super::{Follower, MAX_ASTRAY};
use crate::path::Path;
use crate::query::{EngineError, Scratch};
use crate::world::{Query, RepairMethod, Repaired, World};

impl Follower {
    /// Returns whether no change of the ground has touched what lies ahead since the path was found or
    /// [repaired](Self::repair): see [`Path::is_current`]. Without a path nothing lies ahead.
    pub fn is_current(&self, world: &World) -> bool {
        let (mesh, version) = (world.mesh(), self.version);
        let mut ahead = self.polygons.iter();
        ahead.all(|&polygon| mesh.changed_in(polygon) <= version)
    }

    /// Makes the corridor right after a change of the ground: see [`Path::repair`]. `query` has the costs and the engine; its
    /// start is the present position of the agent, and its goal that of the path. An agent that is too far
    /// beside its corridor gets a new path. If there is none, the follower has no path afterwards.
    ///
    /// ```
    /// use portolan_core::{Change, Follower, LiveWorld, NavMeshOptions, PolygonId, Query, RepairMethod, Scratch, World};
    ///
    /// # let raw = portolan_scenes::WorldScene::Rooms.build(&Default::default());
    /// let live = LiveWorld::new(World::build(raw, &NavMeshOptions::default())?);
    /// let world = live.snapshot();
    /// let [from, to] = [0, 40].map(|i| world.mesh().centre(PolygonId(i)));
    /// let mut follower = Follower::new();
    /// follower.set_path(&world.find(from, to).expect("rooms are connected"));
    ///
    /// // Mud far away.
    /// let ahead: Vec<_> = follower.polygons().collect();
    /// let elsewhere = world.mesh().polygons().find(|polygon| !ahead.contains(polygon)).expect("a large world");
    /// live.update(&[Change::Factor(elsewhere, 3.0)])?;
    /// let world = live.snapshot();
    /// assert!(follower.is_current(&world));
    /// let repaired = follower.repair(&world, &Query::new(from, to), &mut Scratch::new())?;
    /// assert_eq!(repaired.method, RepairMethod::Kept);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`World::find_path`] does. The follower does not change then.
    pub fn repair(
        &mut self,
        world: &World,
        query: &Query<'_>,
        scratch: &mut Scratch,
    ) -> Result<Repaired, EngineError> {
        let mut path = Path::default();
        self.write_corridor(&mut path);
        let repaired = Self::repair_corridor(&mut path, world, query, scratch)?;
        self.set_repaired(&path, repaired);
        Ok(repaired)
    }

    /// Repairs the path of [`write_corridor`](Self::write_corridor).
    pub(crate) fn repair_corridor(
        path: &mut Path,
        world: &World,
        query: &Query<'_>,
        scratch: &mut Scratch,
    ) -> Result<Repaired, EngineError> {
        let is_current = path.is_current(world);
        let repaired = path.repair(world, query, scratch)?;
        if repaired.method != RepairMethod::Kept || is_current {
            return Ok(repaired);
        }
        // The ground on which the agent stands has changed, so that its path now begins on a later polygon.
        let status = world.find_path(query, scratch, path)?;
        let method = RepairMethod::Searched;
        Ok(Repaired { status, method })
    }

    /// Writes the remaining corridor to a path that is to be repaired. The path has no corridor if it cannot be repaired.
    pub(crate) fn write_corridor(&self, path: &mut Path) {
        path.clear();
        path.version = self.version;
        if self.ends.is_some() && self.astray <= MAX_ASTRAY {
            path.corridor.polygons.extend(&self.polygons);
            path.corridor.crossings.extend(&self.crossings);
        }
    }

    /// Takes over the path that [`repair_corridor`](Self::repair_corridor) has repaired.
    pub(crate) fn set_repaired(&mut self, path: &Path, repaired: Repaired) {
        match repaired.method {
            RepairMethod::Kept => (self.version, self.is_lost) = (path.version, false),
            RepairMethod::Mended | RepairMethod::Searched => self.set_path(path),
        }
    }
}
