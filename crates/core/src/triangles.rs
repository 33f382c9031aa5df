//! Level geometry: what a bake turns into polygons, and where its areas come from.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};

use crate::RawLink;

/// A heap of triangles, exactly as it came. Metres, y up. Seen from its upper side, the corners of a
/// triangle go around counter-clockwise.
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
    /// Points that triangles refer to by index.
    pub vertices: Vec<Vec3>,
    /// Per triangle, the indices of its corners.
    pub triangles: Vec<[u32; 3]>,
    /// Per triangle, the index of its material in `material_names`. Empty: none has one.
    pub materials: Vec<u32>,
    /// What materials are called.
    pub material_names: Vec<String>,
}

impl Triangles {
    /// The corners of a triangle.
    ///
    /// # Panics
    /// Where the triangle or one of its vertices does not exist.
    pub fn corners(&self, triangle: usize) -> [Vec3; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }

    /// A normal of a triangle, as long as twice its area.
    ///
    /// # Panics
    /// As [`Triangles::corners`].
    pub fn normal(&self, triangle: usize) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// Turns every triangle over: its upper side becomes its lower side.
    pub fn flip(&mut self) {
        for [_, b, c] in &mut self.triangles {
            std::mem::swap(b, c);
        }
    }
}

/// The axis that points up in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Up {
    /// y points up, as everywhere in Portolan.
    #[default]
    Y,
    /// z points up, as in Blender, Unreal and CAD. (x, y, z) becomes (x, z, -y). This is a rotation,
    /// so the upper sides of triangles stay the upper sides.
    Z,
}

impl Up {
    /// The point with y up.
    pub fn turn(self, point: Vec3) -> Vec3 {
        match self {
            Self::Y => point,
            Self::Z => Vec3::new(point.x, point.z, -point.y),
        }
    }
}

/// How the geometry in a file becomes metres with y up.
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
    /// Turns every face over, for a file whose faces are wound clockwise or that was mirrored.
    /// [Default: false]
    pub flip: bool,
    /// Metres in a unit of the file: 0.01 for centimetres. [Limit: finite, above 0] [Default: 1]
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
    /// Changes triangles as they are in a file into metres with y up.
    pub fn apply(&self, triangles: &mut Triangles) {
        for vertex in &mut triangles.vertices {
            *vertex = self.up.turn(*vertex) * self.scale;
        }
        if self.flip {
            triangles.flip();
        }
    }
}

/// What a kind of surface is to an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Ground of this area, if it is level enough.
    Area(u8),
    /// Nothing to walk on.
    Hole,
}

/// Where the areas of a bake come from, and links that no geometry shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AreaRules {
    /// By material; one that is not listed is ground of area 0.
    pub materials: BTreeMap<String, Ground>,
    /// Upright volumes that mark the ground in them; a later one overrides an earlier one.
    pub volumes: Vec<Volume>,
    /// The flags that polygons of an area get, by area. Polygons of an area that is not listed get
    /// [`AreaRules::DEFAULT_FLAGS`].
    pub flags: BTreeMap<u8, u16>,
    /// Ladders, jumps, teleporters.
    pub links: Vec<RawLink>,
}

impl AreaRules {
    /// The largest area that a bake can make.
    pub const MAX_AREA: u8 = 62;
    /// The flags of polygons whose area has none of its own.
    pub const DEFAULT_FLAGS: u16 = 1;

    /// The flags that polygons of `area` get.
    pub fn flags_of(&self, area: u8) -> u16 {
        self.flags
            .get(&area)
            .copied()
            .unwrap_or(Self::DEFAULT_FLAGS)
    }
}

/// An upright prism over a convex outline.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Corners in (x, z), at least three, convex, either way round.
    pub outline: Vec<Vec2>,
    /// Lowest height that it marks.
    pub bottom: f32,
    /// Highest height that it marks.
    pub top: f32,
    /// What it makes of the ground in it.
    pub ground: Ground,
}

impl Volume {
    /// A box along the axes.
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
