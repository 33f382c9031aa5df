//! Who finds ways over ground.

use portolan::terrain::{MeshEngine, Terrain, TerrainScratch};

use crate::args::{Common, GroundEngine};
use crate::outcome::Failure;

/// An engine that is ready to be asked. Shared by threads; each has a scratch of its own.
pub(super) struct Finder<'a> {
    terrain: &'a Terrain,
    engine: MeshEngine,
}

impl<'a> Finder<'a> {
    /// Makes what the engine needs and the file does not hold.
    pub(super) fn new(
        terrain: &'a Terrain,
        engine: GroundEngine,
        _common: &Common,
    ) -> Result<Self, Failure> {
        let engine = match engine {
            GroundEngine::Mesh => MeshEngine::Mesh,
            GroundEngine::Astar => MeshEngine::Astar,
            GroundEngine::Dijkstra => MeshEngine::Dijkstra,
        };
        Ok(Self { terrain, engine })
    }

    /// The way from one triangle to another, and its price.
    pub(super) fn find(
        &self,
        ends: [u32; 2],
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f64> {
        self.terrain.find(self.engine, ends, scratch, path)
    }
}
