//! A world with one taut tier, and queries at that tier.

use glam::Vec3;
use portolan_core::{
    Endpoints, Engine, GraphOptions, NavMesh, Path, Profile, Query, Samples, Scratch, Status, Tier,
    World,
};

use crate::{CaseRng, with_tier};

/// A world with one taut tier: a contraction whose shortcut costs are those of taut lines instead of sums over
/// samples.
#[derive(Debug)]
pub struct TautWorld {
    /// The world.
    pub world: World,
    tier: Tier,
    scratch: Scratch,
}

impl TautWorld {
    /// Builds a world with a taut tier. The seed determines the contraction order.
    pub fn new(
        mesh: NavMesh,
        (tier, samples): (Tier, Samples),
        profile: &Profile,
        seed: u64,
    ) -> Self {
        let world = World::new(mesh, &GraphOptions::default(), profile).expect("a graph");
        Self {
            world: with_tier(world, tier, samples, &mut CaseRng::new(seed)),
            tier,
            scratch: Scratch::new(),
        }
    }

    /// Returns the mesh of the world.
    pub fn mesh(&self) -> &NavMesh {
        self.world.mesh()
    }

    /// Finds the path between two points and returns it with its endpoints on the mesh, or `None` if there is none.
    pub fn find(&mut self, from: Vec3, to: Vec3, tolerance: f32) -> Option<(Endpoints, Path)> {
        let query = self.query(from, to, tolerance);
        let ends = self.world.locate(&query).ok()?.endpoints().ok()?;
        let mut path = Path::default();
        let status = self
            .world
            .find_path(&query, &mut self.scratch, &mut path)
            .expect("the world has this engine");
        (status == Status::Found).then_some((ends, path))
    }

    /// Returns a query at the taut tier with the given tolerance to the ground.
    pub fn query(&self, from: Vec3, to: Vec3, tolerance: f32) -> Query<'static> {
        Query {
            engine: Engine::Contraction(self.tier),
            ground_tolerance: tolerance,
            ..Query::new(from, to)
        }
    }
}
