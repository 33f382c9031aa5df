//! Ramps between the floors, outside along the western wall.
//!
//! Seen from above, x to the right and z up; the floors lie to the right:
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
//! All ramps of a stairwell lie above one another at the distance of the floors. A floor's two
//! doors to one stairwell start from different edges, because the landings are farther apart
//! than an edge is long.

use glam::{Vec2, vec2};

use super::ground::Ground;

/// Door, landing, ramp, landing, door.
pub(super) const POLYGONS_PER_RAMP: usize = 5;

/// How much of the wall one stairwell takes, in metres: less than 13.3, the depth of two rooms, and
/// less than 12, the depth of three open cells.
const LENGTH: f32 = LANDING + RAMP + LANDING;

const LANDING: f32 = 1.6;
/// Twice the height that it climbs.
const RAMP: f32 = 8.0;
const WIDTH: f32 = 2.0;
/// Between the wall and the stairwell, so that a ramp touches no floor on its way.
const GAP: f32 = 0.5;

/// One border edge of a floor at x = 0, by its southern (smaller z) and northern vertex.
pub(super) type WestEdge = [u32; 2];

/// How many ramps join that many floors along a wall of `depth` metres.
pub(super) fn ramps(floors: u32, depth: f32) -> usize {
    (floors as usize - 1) * stairwells(depth)
}

/// One in 60 m.
fn stairwells(depth: f32) -> usize {
    ((depth / 60.0) as usize).max(1)
}

/// Joins each floor with the next. `west[floor]` are the border edges of that floor along the
/// wall of `depth` metres, which has to hold a stairwell if there is more than one floor.
pub(super) fn join_floors(ground: &mut Ground, west: &[Vec<WestEdge>], depth: f32) {
    let wells = stairwells(depth);
    let spacing = depth / wells as f32;
    for (floor, pair) in west.windows(2).enumerate() {
        for well in 0..wells {
            let middle = (well as f32 + 0.5) * spacing;
            let lower = Landing::new(ground, floor as u32, middle - LENGTH / 2.0);
            let upper = Landing::new(ground, floor as u32 + 1, middle + RAMP / 2.0);
            lower.door(ground, &pair[0]);
            lower.quad(ground);
            let [_, _, lower_right, lower_left] = lower.corners;
            let [upper_left, upper_right, ..] = upper.corners;
            ground.polygon([lower_left, lower_right, upper_right, upper_left], 0);
            upper.quad(ground);
            upper.door(ground, &pair[1]);
        }
    }
}

/// Where a ramp begins or ends; counter-clockwise from the south-western corner.
struct Landing {
    corners: [u32; 4],
    south: f32,
    north: f32,
}

impl Landing {
    fn new(ground: &mut Ground, floor: u32, south: f32) -> Self {
        let north = south + LANDING;
        let corners: [Vec2; 4] = [
            vec2(-GAP - WIDTH, south),
            vec2(-GAP, south),
            vec2(-GAP, north),
            vec2(-GAP - WIDTH, north),
        ];
        Self {
            corners: corners.map(|place| ground.vertex(place, floor)),
            south,
            north,
        }
    }

    fn quad(&self, ground: &mut Ground) {
        ground.polygon(self.corners, 0);
    }

    /// Joins the landing with the border edge that faces it best.
    fn door(&self, ground: &mut Ground, edges: &[WestEdge]) {
        let overlap = |edge: &WestEdge| {
            let [south, north] = edge.map(|vertex| ground.place(vertex).y);
            north.min(self.north) - south.max(self.south)
        };
        let best = edges
            .iter()
            .max_by(|a, b| overlap(a).total_cmp(&overlap(b)));
        if let Some(&[south, north]) = best {
            let [_, landing_south, landing_north, _] = self.corners;
            ground.polygon([landing_south, south, north, landing_north], 0);
        }
    }
}
