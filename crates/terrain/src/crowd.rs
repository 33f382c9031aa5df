//! Marks of who is where: the thesis's idea for crowds, from its last chapter.

use super::price::check_parameter;
use super::{Meshes, NONE, TerrainError};

/// How many agents each mesh holds. An agent is in its Low Mesh, and in everything above that.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    agents: Vec<u32>,
    /// By how much a Low Mesh is dearer for one agent on it.
    strength: f32,
}

impl Crowd {
    /// Nobody yet. An agent on a Low Mesh makes it dearer by `strength` times its price; a High Mesh by as much
    /// for one agent on each of its Low Meshes. 0 to 1e6.
    pub fn new(meshes: &Meshes, strength: f32) -> Result<Self, TerrainError> {
        check_parameter("strength", strength, [0.0, 1e6])?;
        Ok(Self {
            agents: vec![0; meshes.len()],
            strength,
        })
    }

    /// An agent appears on a triangle.
    pub fn enter(&mut self, meshes: &Meshes, triangle: u32) {
        let mut at = meshes.low(triangle);
        while at != NONE {
            self.agents[at as usize] += 1;
            at = meshes.parent(at);
        }
    }

    /// An agent that was on a triangle is gone.
    pub fn leave(&mut self, meshes: &Meshes, triangle: u32) {
        let mut at = meshes.low(triangle);
        while at != NONE {
            self.agents[at as usize] -= 1;
            at = meshes.parent(at);
        }
    }

    /// An agent walks from one triangle to another: no mesh is touched that holds both.
    pub fn step(&mut self, meshes: &Meshes, from: u32, to: u32) {
        let [from, to] = [from, to].map(|triangle| meshes.low(triangle));
        let mut at = from;
        while !meshes.holds(at, to) {
            self.agents[at as usize] -= 1;
            at = meshes.parent(at);
        }
        let mut at = to;
        while !meshes.holds(at, from) {
            self.agents[at as usize] += 1;
            at = meshes.parent(at);
        }
    }

    /// How many meshes there are to be in.
    pub(super) fn mesh_count(&self) -> usize {
        self.agents.len()
    }

    /// How many agents a mesh holds.
    pub fn agents(&self, mesh: u32) -> u32 {
        self.agents[mesh as usize]
    }

    /// What the price of getting into a mesh is multiplied by.
    #[inline]
    pub(super) fn factor(&self, meshes: &Meshes, mesh: u32) -> f32 {
        let agents = self.agents[mesh as usize];
        if agents == 0 {
            return 1.0;
        }
        1.0 + self.strength * agents as f32 / meshes.run(mesh).len() as f32
    }
}
