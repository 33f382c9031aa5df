//! A world under construction.

use glam::{Vec2, vec3};

use super::WorldOptions;
use super::relief::Relief;
use portolan_core::RawNavMesh;

/// How far the floors lie above one another, in metres.
pub(super) const FLOOR_HEIGHT: f32 = 4.0;

/// Collects vertices and polygons, and gives them height and area.
pub(super) struct Ground {
    mesh: RawNavMesh,
    relief: Relief,
    with_areas: bool,
}

impl Ground {
    pub(super) fn new(options: &WorldOptions) -> Self {
        Self {
            mesh: RawNavMesh::default(),
            relief: Relief::new(options.seed, options.relief),
            with_areas: options.areas,
        }
    }

    /// Adds the point of a floor above `place`, which is (x, z), and gives its index.
    pub(super) fn vertex(&mut self, place: Vec2, floor: u32) -> u32 {
        let base = floor as f32 * FLOOR_HEIGHT;
        let height = base + self.relief.height(place);
        self.mesh.vertices.push(vec3(place.x, height, place.y));
        self.mesh.vertices.len() as u32 - 1
    }

    /// The (x, z) of a vertex.
    pub(super) fn place(&self, vertex: u32) -> Vec2 {
        let position = self.mesh.vertices[vertex as usize];
        Vec2::new(position.x, position.z)
    }

    /// Adds a polygon, its corners counter-clockwise in (x, z).
    pub(super) fn polygon(&mut self, corners: impl IntoIterator<Item = u32>, area: u8) {
        self.mesh.polygons.push(corners);
        if self.with_areas {
            self.mesh.areas.push(area);
        }
    }

    /// The number of polygons so far.
    pub(super) fn polygons(&self) -> usize {
        self.mesh.polygons.len()
    }

    pub(super) fn into_mesh(self) -> RawNavMesh {
        self.mesh
    }
}

/// Twice the area of the triangle a, b, c: positive when it is counter-clockwise in (x, z). The
/// coordinates are `f32`, so that in `f64` the sign is right for anything but slivers.
pub(super) fn cross(a: Vec2, b: Vec2, c: Vec2) -> f64 {
    let (a, b, c) = (a.as_dvec2(), b.as_dvec2(), c.as_dvec2());
    (b - a).perp_dot(c - a)
}
