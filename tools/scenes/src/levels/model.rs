//! The kit that scenes are built with: solids, ways and ground, out of painted triangles.
//!
//! Whatever is added is painted with the material chosen last and stands in the frame that is in
//! force, so that a part is written once, along the axes, and then put anywhere and turned.
//!
//! ```
//! use glam::{vec2, vec3};
//! use portolan_scenes::model::{Frame, Material, Model};
//!
//! let mut model = Model::new();
//! model.paint(Material::Stone);
//! // A cube a metre wide, its corner a metre east of the origin, turned by a quarter.
//! model.within(Frame::new(vec3(1.0, 0.0, 0.0), vec2(0.0, 1.0)), |model| {
//!     model.block(vec3(0.0, 0.0, 0.0), vec3(1.0, 1.0, 1.0));
//! });
//! let cube = model.finish();
//! assert_eq!((cube.vertices.len(), cube.triangles.len()), (8, 12));
//! ```

mod frame;
mod material;
mod solids;
mod terrain;
mod walls;
mod ways;

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use portolan_core::Triangles;

pub use frame::{Frame, TURNS, ngon, turn};
pub use material::Material;
pub(crate) use solids::rectangle;
pub use walls::Gap;

/// Level geometry in the making.
#[derive(Clone, Debug)]
pub struct Model {
    vertices: Vec<Vec3>,
    /// By the bits of a place, so that equal places are one vertex.
    known: HashMap<[u32; 3], u32>,
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
    /// Nothing yet; what follows is painted as ground.
    pub fn new() -> Self {
        Self {
            vertices: Vec::new(),
            known: HashMap::new(),
            triangles: Vec::new(),
            materials: Vec::new(),
            material: Material::Ground,
            frame: Frame::IDENTITY,
        }
    }

    /// What follows is of this material.
    pub fn paint(&mut self, material: Material) -> &mut Self {
        self.material = material;
        self
    }

    /// Adds what `part` adds, with `frame` inside the frame in force.
    pub fn within(&mut self, frame: Frame, part: impl FnOnce(&mut Self)) -> &mut Self {
        let outer = self.frame;
        self.frame = outer.then(&frame);
        part(self);
        self.frame = outer;
        self
    }

    /// One triangle; who looks at its upper side sees a, b, c go around counter-clockwise. One
    /// that is as thin as a hair is left out.
    pub fn triangle(&mut self, a: Vec3, b: Vec3, c: Vec3) {
        let corners = [a, b, c].map(|corner| self.vertex(corner));
        let [a, b, c] = corners.map(|corner| self.vertices[corner as usize]);
        // Squared, twice the area: a thousandth of a square metre.
        if (b - a).cross(c - a).length_squared() < 1e-6 {
            return;
        }
        self.triangles.push(match self.material {
            // Who looks down on water sees its underside: no bake takes that for ground.
            Material::Water if (b - a).cross(c - a).y > 0.0 => [corners[0], corners[2], corners[1]],
            _ => corners,
        });
        self.materials.push(self.material);
    }

    /// A flat convex face of four corners, counter-clockwise seen from outside.
    pub fn quad(&mut self, a: Vec3, b: Vec3, c: Vec3, d: Vec3) {
        self.triangle(a, b, c);
        self.triangle(a, c, d);
    }

    /// A convex face, counter-clockwise seen from outside.
    pub fn face(&mut self, corners: &[Vec3]) {
        for pair in corners.windows(2).skip(1) {
            self.triangle(corners[0], pair[0], pair[1]);
        }
    }

    /// How many triangles there are so far.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The geometry. Its materials are all of [`Material::ALL`], in that order.
    pub fn finish(self) -> Triangles {
        Triangles {
            vertices: self.vertices,
            triangles: self.triangles,
            materials: self.materials.iter().map(|&m| m as u32).collect(),
            material_names: Material::ALL.map(|m| m.name().to_owned()).to_vec(),
        }
    }

    fn vertex(&mut self, local: Vec3) -> u32 {
        // Adding zero turns -0 into 0: one place, one key.
        let place = self.frame.apply(local) + Vec3::ZERO;
        let next = self.vertices.len() as u32;
        let vertices = &mut self.vertices;
        *self
            .known
            .entry(place.to_array().map(f32::to_bits))
            .or_insert_with(|| {
                vertices.push(place);
                next
            })
    }
}

/// The place at a height above a point of the plane.
pub(crate) fn at(plane: Vec2, y: f32) -> Vec3 {
    Vec3::new(plane.x, y, plane.y)
}
