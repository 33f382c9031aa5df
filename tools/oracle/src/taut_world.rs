//! A world with taut costs, and all that is asked of it.

use glam::Vec3;
use portolan_core::{
    Endpoints, Engine, GraphOptions, NavMesh, Path, Profile, Query, Samples, Scratch, Status, Tier,
    World,
};

use crate::{CaseRng, with_tier};

/// The one place that knows how taut worlds are made and asked.
#[derive(Debug)]
pub struct TautWorld {
    pub world: World,
    tier: Tier,
    scratch: Scratch,
}

impl TautWorld {
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

    pub fn mesh(&self) -> &NavMesh {
        self.world.mesh()
    }

    /// The path between two places and its ends on the mesh; `None` where there is none.
    pub fn ask(&mut self, from: Vec3, to: Vec3, tolerance: f32) -> Option<(Endpoints, Path)> {
        let query = self.query(from, to, tolerance);
        let ends = self.world.locate(&query).ok()?.endpoints().ok()?;
        let mut path = Path::default();
        let status = self
            .world
            .find_path(&query, &mut self.scratch, &mut path)
            .expect("an engine of this world");
        (status == Status::Found).then_some((ends, path))
    }

    pub fn query(&self, from: Vec3, to: Vec3, tolerance: f32) -> Query<'static> {
        Query {
            engine: Engine::Contraction(self.tier),
            ground_tolerance: tolerance,
            ..Query::new(from, to)
        }
    }
}
