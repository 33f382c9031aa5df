//! Collects the vertices and polygons of a world.

use glam::{Vec2, vec3};

use super::WorldOptions;
use super::relief::WorldRelief;
use portolan_core::RawNavMesh;

/// Distance between floors, in metres.
pub(super) const FLOOR_HEIGHT: f32 = 4.0;

/// A navmesh under construction. It sets the heights of vertices and the areas of polygons.
pub(super) struct MeshBuilder {
    mesh: RawNavMesh,
    relief: WorldRelief,
    with_areas: bool,
}

impl MeshBuilder {
    pub(super) fn new(options: &WorldOptions) -> Self {
        Self {
            mesh: RawNavMesh::default(),
            relief: WorldRelief::new(options.seed, options.relief),
            with_areas: options.areas,
        }
    }

    /// Adds the point of a floor at (x, z) and returns its index.
    pub(super) fn add_vertex(&mut self, position: Vec2, floor: u32) -> u32 {
        let base = floor as f32 * FLOOR_HEIGHT;
        let height = base + self.relief.height(position);
        self.mesh
            .vertices
            .push(vec3(position.x, height, position.y));
        self.mesh.vertices.len() as u32 - 1
    }

    /// Returns the (x, z) of a vertex.
    pub(super) fn position(&self, vertex: u32) -> Vec2 {
        let position = self.mesh.vertices[vertex as usize];
        Vec2::new(position.x, position.z)
    }

    /// Adds a polygon. Its corners are counterclockwise in (x, z).
    pub(super) fn add_polygon(&mut self, corners: impl IntoIterator<Item = u32>, area: u8) {
        self.mesh.polygons.push(corners);
        if self.with_areas {
            self.mesh.areas.push(area);
        }
    }

    /// Returns the number of polygons so far.
    pub(super) fn polygons(&self) -> usize {
        self.mesh.polygons.len()
    }

    pub(super) fn into_mesh(self) -> RawNavMesh {
        self.mesh
    }
}

/// Returns twice the area of a triangle, positive if it is counterclockwise in (x, z). It is computed with
/// `f64` from `f32` coordinates, so the sign is correct except for slivers.
pub(super) fn twice_area(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (a, b, c) = (a.as_dvec2(), b.as_dvec2(), c.as_dvec2());
    (b - a).perp_dot(c - a)
}
