//! Ramps between floors, outside the floors along their western border.
//!
//! A stairwell in the (x, z) plane, with x to the right and z up; the floors are on the right:
//!
//! ```text
//!  +----+
//!  |    |\   door: a quad from the upper landing to one border edge of the upper floor
//!  +----+ \
//!  |    |
//!  |ramp|
//!  |    |
//!  +----+ /
//!  |    |/   door from one border edge of the lower floor to the lower landing
//!  +----+
//! ```
//!
//! All ramps of a stairwell are above one another. The two doors of a floor to one stairwell start at
//! different edges, because the landings are farther apart than the length of an edge.

use glam::{Vec2, vec2};

use super::mesh_builder::MeshBuilder;

/// Number of polygons per ramp: door, landing, ramp, landing, door.
pub(super) const POLYGONS_PER_RAMP: usize = 5;

/// Length of a stairwell along the wall, in metres. It is less than 13.3, the depth of two rooms, and less
/// than 12, the depth of three cells of the open plane.
const LENGTH: f32 = LANDING + RAMP + LANDING;

/// Length of a landing, in metres.
const LANDING: f32 = 1.6;
/// Length of a ramp, in metres: twice its rise.
const RAMP: f32 = 8.0;
/// Width of a ramp, in metres.
const WIDTH: f32 = 2.0;
/// Distance between the wall and the stairwell, so that a ramp does not touch the floors.
const GAP: f32 = 0.5;

/// A border edge of a floor at x = 0: its southern vertex (with the smaller z) and its northern vertex.
pub(super) type WestEdge = [u32; 2];

/// Returns the number of ramps between floors along a wall of `depth` metres.
pub(super) fn ramps(floors: u32, depth: f32) -> usize {
    (floors as usize - 1) * stairwells(depth)
}

/// Returns the number of stairwells, one per 60 m.
fn stairwells(depth: f32) -> usize {
    ((depth / 60.0) as usize).max(1)
}

/// Connects each floor with the next. `west[floor]` are the border edges of that floor along the wall of
/// `depth` metres, which must be long enough for a stairwell if there are several floors.
pub(super) fn connect_floors(builder: &mut MeshBuilder, west: &[Vec<WestEdge>], depth: f32) {
    let wells = stairwells(depth);
    let spacing = depth / wells as f32;
    for (floor, pair) in west.windows(2).enumerate() {
        for well in 0..wells {
            let centre = (well as f32 + 0.5) * spacing;
            let lower = Landing::new(builder, floor as u32, centre - LENGTH / 2.0);
            let upper = Landing::new(builder, floor as u32 + 1, centre + RAMP / 2.0);
            lower.add_door(builder, &pair[0]);
            lower.add_quad(builder);
            let [_, _, lower_right, lower_left] = lower.corners;
            let [upper_left, upper_right, ..] = upper.corners;
            builder.add_polygon([lower_left, lower_right, upper_right, upper_left], 0);
            upper.add_quad(builder);
            upper.add_door(builder, &pair[1]);
        }
    }
}

/// The landing at an end of a ramp. Its corners are counterclockwise from the south-western one.
struct Landing {
    corners: [u32; 4],
    south: f32,
    north: f32,
}

impl Landing {
    fn new(builder: &mut MeshBuilder, floor: u32, south: f32) -> Self {
        let north = south + LANDING;
        let corners: [Vec2; 4] = [
            vec2(-GAP - WIDTH, south),
            vec2(-GAP, south),
            vec2(-GAP, north),
            vec2(-GAP - WIDTH, north),
        ];
        Self {
            corners: corners.map(|position| builder.add_vertex(position, floor)),
            south,
            north,
        }
    }

    fn add_quad(&self, builder: &mut MeshBuilder) {
        builder.add_polygon(self.corners, 0);
    }

    /// Adds a quad between the landing and the border edge with the largest overlap.
    fn add_door(&self, builder: &mut MeshBuilder, edges: &[WestEdge]) {
        let overlap = |edge: &WestEdge| {
            let [south, north] = edge.map(|vertex| builder.position(vertex).y);
            north.min(self.north) - south.max(self.south)
        };
        let best = edges
            .iter()
            .max_by(|a, b| overlap(a).total_cmp(&overlap(b)));
        if let Some(&[south, north]) = best {
            let [_, landing_south, landing_north, _] = self.corners;
            builder.add_polygon([landing_south, south, north, landing_north], 0);
        }
    }
}
