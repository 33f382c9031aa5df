//! Level geometry: the triangles that a bake turns into polygons, and the rules for their areas.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use crate::RawLink;

/// A list of triangles in no particular order, in metres with y up. Seen from its upper side, the
/// corners of a triangle are in counter-clockwise order.
///
/// ```
/// use glam::vec3;
/// use portolan_core::Triangles;
///
/// let mut floor = Triangles::default();
/// floor.vertices = vec![vec3(0., 0., 0.), vec3(0., 0., 9.), vec3(9., 0., 9.), vec3(9., 0., 0.)];
/// floor.triangles = vec![[0, 1, 2], [0, 2, 3]];
/// assert!(floor.normal(0).y > 0.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triangles {
    /// The points that triangles refer to by index. [Units: m]
    pub vertices: Vec<Vec3>,
    /// Per triangle, the indices of its corners.
    pub triangles: Vec<[u32; 3]>,
    /// Per triangle, the index of its material in `material_names`. If empty, no triangle has a
    /// material.
    pub materials: Vec<u32>,
    /// The names of the materials.
    pub material_names: Vec<String>,
}

impl Triangles {
    /// Returns the corners of a triangle.
    ///
    /// # Panics
    /// Panics if the triangle or one of its vertices does not exist.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// Returns the normal of a triangle, which points to its upper side. Its length is twice the area
    /// of the triangle.
    ///
    /// # Panics
    /// Panics if the triangle or one of its vertices does not exist.
    pub fn normal(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// Reverses the winding of every triangle, which swaps its upper and its lower side.
    pub fn flip(&mut self) {
        for [_, b, c] in &mut self.triangles {
            std::mem::swap(b, c);
        }
    }
}

/// The axis that points up in a file of level geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// The y axis points up, as everywhere in Portolan.
    #[default]
    Y,
    /// The z axis points up, as in Blender, Unreal and CAD. (x, y, z) becomes (x, z, -y). This is a
    /// rotation, so the upper sides of triangles stay the upper sides.
    Z,
}

impl Up {
    /// Rotates a point so that y is up.
    pub fn to_y_up(self, point: Vec3) -> Vec3 {
        match self {
            Self::Y => point,
            Self::Z => Vec3::new(point.x, point.z, -point.y),
        }
    }
}

/// The conversion of the geometry in a file to metres with y up.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{LevelOptions, Triangles, Up};
///
/// // A floor of 9 x 9 m in centimetres, z up, its faces wound clockwise.
/// let mut floor = Triangles::default();
/// floor.vertices = vec![vec3(0., 0., 0.), vec3(0., 900., 0.), vec3(900., 900., 0.)];
/// floor.triangles = vec![[0, 1, 2]];
/// LevelOptions { up: Up::Z, flip: true, scale: 0.01 }.apply(&mut floor);
/// assert_eq!(floor.vertices[2], vec3(9., 0., -9.));
/// assert!(floor.normal(0).y > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelOptions {
    /// The axis that points up in the file. [Default: y]
    pub up: Up,
    /// Whether to reverse the winding of every triangle, for a file whose faces are wound clockwise or
    /// that was mirrored. [Default: false]
    pub flip: bool,
    /// The number of metres per unit of the file, for example 0.01 for centimetres.
    /// [Limit: finite, above 0] [Default: 1]
    pub scale: f32,
}

impl Default for LevelOptions {
    fn default() -> Self {
        Self {
            up: Up::Y,
            flip: false,
            scale: 1.0,
        }
    }
}

impl LevelOptions {
    /// Converts the triangles of a file to metres with y up, in place.
    pub fn apply(&self, triangles: &mut Triangles) {
        for vertex in &mut triangles.vertices {
            *vertex = self.up.to_y_up(*vertex) * self.scale;
        }
        if self.flip {
            triangles.flip();
        }
    }
}

/// The meaning of a surface for agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Ground of this area, where it is not too steep. [Limit: at most [`AreaRules::MAX_AREA`]]
    Area(u8),
    /// A surface that agents cannot walk on.
    Hole,
}

/// The rules from which a bake assigns areas and flags, and the off-mesh links to add.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaRules {
    /// The ground of each material. A material that is not listed is ground of area 0.
    pub materials: BTreeMap<String, Ground>,
    /// Vertical prisms that set the ground inside them. A later volume overrides an earlier one.
    pub volumes: Vec<Volume>,
    /// The flags of polygons, by area. Polygons of an area that is not listed get
    /// [`AreaRules::DEFAULT_FLAGS`].
    pub flags: BTreeMap<u8, u16>,
    /// Off-mesh links: ladders, jumps, teleporters.
    pub links: Vec<RawLink>,
}

impl AreaRules {
    /// The largest area that a bake can assign.
    pub const MAX_AREA: u8 = 62;
    /// The flags of polygons whose area is not in [`AreaRules::flags`].
    pub const DEFAULT_FLAGS: u16 = 1;

    /// Returns the flags of polygons of `area`.
    pub fn flags_of(&self, area: u8) -> u16 {
        self.flags
            .get(&area)
            .copied()
            .unwrap_or(Self::DEFAULT_FLAGS)
    }
}

/// A vertical prism over a convex outline, which sets the ground inside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// The corners in (x, z), at least three, convex, clockwise or counter-clockwise. [Units: m]
    pub outline: Vec<Vec2>,
    /// The lowest height inside the volume. [Units: m]
    pub bottom: f32,
    /// The highest height inside the volume. [Units: m]
    pub top: f32,
    /// The ground inside the volume.
    pub ground: Ground,
}

impl Volume {
    /// Creates an axis-aligned box.
    pub fn cuboid(min: Vec3, max: Vec3, ground: Ground) -> Self {
        Self {
            outline: vec![
                Vec2::new(min.x, min.z),
                Vec2::new(min.x, max.z),
                Vec2::new(max.x, max.z),
                Vec2::new(max.x, min.z),
            ],
            bottom: min.y,
            top: max.y,
            ground,
        }
    }
}
