//! Agents per mesh, so that paths can avoid crowds. The idea is from the last chapter of the terrain thesis.

use super::price::check_parameter;
use super::{Meshes, NO_MESH, TerrainError};

/// The number of agents in each mesh. An agent counts in its Low Mesh and in all ancestors of its Low Mesh.
///
/// The caller reports every movement with [`enter`](Self::enter), [`step`](Self::step) and [`leave`](Self::leave).
/// A query or a navigation with a crowd then prefers meshes with few agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    agents: Vec<u32>,
    /// The relative increase in price per agent on a Low Mesh.
    strength: f32,
}

impl Crowd {
    /// Creates a crowd without agents. The price of entering a mesh is multiplied by 1 plus `strength` times the
    /// mean number of agents per Low Mesh in it. `strength` is from 0, which ignores agents, to 1e6.
    pub fn new(meshes: &Meshes, strength: f32) -> Result<Self, TerrainError> {
        check_parameter("the strength of a crowd", strength, [0.0, 1e6])?;
        Ok(Self {
            agents: vec![0; meshes.len()],
            strength,
        })
    }

    /// Adds an agent on a triangle.
    pub fn enter(&mut self, meshes: &Meshes, triangle: u32) {
        let mut at = meshes.low(triangle);
        while at != NO_MESH {
            self.agents[at as usize] += 1;
            at = meshes.parent(at);
        }
    }

    /// Removes an agent from a triangle.
    pub fn leave(&mut self, meshes: &Meshes, triangle: u32) {
        let mut at = meshes.low(triangle);
        while at != NO_MESH {
            self.agents[at as usize] -= 1;
            at = meshes.parent(at);
        }
    }

    /// Moves an agent from one triangle to another. Meshes that contain both triangles are not visited.
    pub fn step(&mut self, meshes: &Meshes, from: u32, to: u32) {
        let [from, to] = [from, to].map(|triangle| meshes.low(triangle));
        let mut at = from;
        while !meshes.contains(at, to) {
            self.agents[at as usize] -= 1;
            at = meshes.parent(at);
        }
        let mut at = to;
        while !meshes.contains(at, from) {
            self.agents[at as usize] += 1;
            at = meshes.parent(at);
        }
    }

    /// Returns the number of meshes of the terrain that this crowd was created for.
    pub(super) fn mesh_count(&self) -> usize {
        self.agents.len()
    }

    /// Returns the number of agents in a mesh.
    pub fn agents(&self, mesh: u32) -> u32 {
        self.agents[mesh as usize]
    }

    /// Returns the factor by which the price of entering a mesh is multiplied.
    #[inline]
    pub(super) fn factor(&self, meshes: &Meshes, mesh: u32) -> f32 {
        let agents = self.agents[mesh as usize];
        if agents == 0 {
            return 1.0;
        }
        1.0 + self.strength * agents as f32 / meshes.low_range(mesh).len() as f32
    }
}
