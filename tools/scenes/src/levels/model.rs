//! A modelling kit for level geometry: solids, walls, stairs, ramps and terrain.
//!
//! A [`Model`] adds every part with the current material and in the current [`Frame`]. The code of a part uses
//! coordinates along the axes; the frame sets its position and rotation.
//!
//! ```
//! use glam::{vec2, vec3};
//! use portolan_scenes::model::{Frame, Material, Model};
//!
//! let mut model = Model::new();
//! model.paint(Material::Stone);
//! // A cube of 1 m whose corner is 1 m east of the origin, rotated by 90 degrees.
//! model.within(Frame::new(vec3(1.0, 0.0, 0.0), vec2(0.0, 1.0)), |model| {
//!     model.block(vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
//! });
//! let cube = model.finish();
//! assert_eq!((cube.vertices.len(), cube.triangles.len()), (8, 12));
//! ```

mod frame;
mod linear;
mod material;
mod solids;
mod terrain;
mod walls;

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use portolan_core::Triangles;

pub use frame::{Frame, TURNS, ngon, turn};
pub use material::Material;
pub(crate) use solids::rectangle;
pub use walls::Gap;

/// Level geometry under construction.
#[derive(Clone, Debug)]
pub struct Model {
    vertices: Vec<Vec3>,
    /// Per position, as bits, its vertex: equal positions share a vertex.
    vertex_of: HashMap<[u32; 3], u32>,
    triangles: Vec<[u32; 3]>,
    materials: Vec<Material>,
    material: Material,
    frame: Frame,
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}

impl Model {
    /// Creates an empty model with the material [`Material::Ground`].
    pub fn new() -> Self {
        Self {
            vertices: Vec::new(),
            vertex_of: HashMap::new(),
            triangles: Vec::new(),
            materials: Vec::new(),
            material: Material::Ground,
            frame: Frame::IDENTITY,
        }
    }

    /// Sets the material of everything that is added from now on.
    pub fn paint(&mut self, material: Material) -> &mut Self {
        self.material = material;
        self
    }

    /// Calls `part` with `frame`, relative to the current frame, as the current frame.
    pub fn within(&mut self, frame: Frame, part: impl FnOnce(&mut Self)) -> &mut Self {
        let outer = self.frame;
        self.frame = outer.then(&frame);
        part(self);
        self.frame = outer;
        self
    }

    /// Adds a triangle whose corners are counterclockwise seen from its front side. Skips triangles with an
    /// area below 0.0005 m².
    pub fn triangle(&mut self, a: Vec3, b: Vec3, c: Vec3) {
        let corners = [a, b, c].map(|corner| self.vertex(corner));
        let [a, b, c] = corners.map(|corner| self.vertices[corner as usize]);
        // The square of twice the area; the limit for twice the area is 0.001 m².
        if (b - a).cross(c - a).length_squared() < 1e-6 {
            return;
        }
        self.triangles.push(match self.material {
            // Water faces down, so that a bake does not make it walkable.
            Material::Water if (b - a).cross(c - a).y > 0.0 => [corners[0], corners[2], corners[1]],
            _ => corners,
        });
        self.materials.push(self.material);
    }

    /// Adds a flat convex face of four corners, counterclockwise seen from outside.
    pub fn quad(&mut self, a: Vec3, b: Vec3, c: Vec3, d: Vec3) {
        self.triangle(a, b, c);
        self.triangle(a, c, d);
    }

    /// Adds a flat convex face, counterclockwise seen from outside.
    pub fn face(&mut self, corners: &[Vec3]) {
        for pair in corners.windows(2).skip(1) {
            self.triangle(corners[0], pair[0], pair[1]);
        }
    }

    /// Returns the number of triangles so far.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns whether the model has no triangles.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns the geometry. Its material names are those of [`Material::ALL`], in that order.
    pub fn finish(self) -> Triangles {
        Triangles {
            vertices: self.vertices,
            triangles: self.triangles,
            materials: self.materials.iter().map(|&m| m as u32).collect(),
            material_names: Material::ALL.map(|m| m.name().to_owned()).to_vec(),
        }
    }

    fn vertex(&mut self, local: Vec3) -> u32 {
        // Adding zero turns -0 into 0, so that equal positions have equal bits.
        let position = self.frame.apply(local) + Vec3::ZERO;
        let next = self.vertices.len() as u32;
        let vertices = &mut self.vertices;
        *self
            .vertex_of
            .entry(position.to_array().map(f32::to_bits))
            .or_insert_with(|| {
                vertices.push(position);
                next
            })
    }
}

/// Returns the point at height `y` above (x, z).
pub(crate) fn at(plane: Vec2, y: f32) -> Vec3 {
    Vec3::new(plane.x, y, plane.y)
}
