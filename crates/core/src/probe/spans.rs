//! The walls of a polygon: the parts of its borders that no open portal covers.

use glam::Vec3;

use super::Probe;
use super::short_list::ShortList;
use crate::geometry::{distance_xz, lerp, nearest_fraction};
use crate::ids::PolygonId;

/// A point of a wall: of the edge of the mesh, or of the edge of ground that is closed to the agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wall {
    /// The point of the wall, at the height of the border. [Units: m]
    pub point: Vec3,
    /// The direction away from the wall, into the open ground: horizontal and of length 1.
    pub normal: Vec3,
    /// The distance of the point in plan from the position that was asked for. [Units: m]
    pub distance: f32,
    /// The polygon whose border the wall is.
    pub polygon: PolygonId,
    /// The ends of the straight part of the wall that the point lies on. The open ground is to the left when
    /// walking from the first to the second. [Units: m]
    pub ends: [Vec3; 2],
}

/// The part of a border that a portal covers, as fractions of the border.
#[derive(Clone, Copy)]
struct Opening {
    border: u32,
    low: f64,
    high: f64,
}

impl Probe<'_> {
    /// Calls `visit` with the walls of a polygon, in the order of its borders. The ground is to the left of each
    /// of them. Gaps between portals that may be due to rounding are left out.
    #[inline]
    pub(super) fn for_each_wall(&self, polygon: PolygonId, mut visit: impl FnMut([Vec3; 2])) {
        let corners = self.mesh.corners(polygon);
        let border = |i: usize| {
            let next = if i + 1 == corners.len() { 0 } else { i + 1 };
            [
                self.mesh.vertex(corners[i]),
                self.mesh.vertex(corners[next]),
            ]
        };
        // Nearly every portal is a whole border. Only polygons at the edges of tiles have others.
        let mut is_open = 0u64;
        let mut openings: Option<ShortList<Opening>> = None;
        for &portal in self.mesh.portals_of(polygon) {
            let portal = self.mesh.portal(portal);
            if !self.is_open(portal.beyond(polygon)) {
                continue;
            }
            let [right, left] = portal.ends_from(polygon);
            let is_whole = |i: &usize| border(*i) == [right, left];
            if let Some(i) = (0..corners.len().min(64)).find(is_whole) {
                is_open |= 1 << i;
                continue;
            }
            let (i, _) = self.mesh.border_position(polygon, portal.midpoint());
            let [a, b] = border(i);
            let opening = Opening {
                border: i as u32,
                low: nearest_fraction(a, b, right),
                high: nearest_fraction(a, b, left),
            };
            openings
                .get_or_insert_with(|| ShortList::new(opening))
                .push(opening);
        }
        let openings = openings
            .as_mut()
            .map_or(&mut [][..], ShortList::as_mut_slice);
        openings.sort_unstable_by(|a, b| {
            let by_border = a.border.cmp(&b.border);
            by_border.then_with(|| a.low.total_cmp(&b.low))
        });
        let mut openings = openings.iter().peekable();
        for i in 0..corners.len() {
            if i < 64 && is_open >> i & 1 == 1 {
                while openings
                    .next_if(|opening| opening.border as usize == i)
                    .is_some()
                {}
                continue;
            }
            let [a, b] = border(i);
            let mut covered = 0.0f64;
            let mut length = None;
            let mut wall = |low: f64, high: f64| {
                let length = *length.get_or_insert_with(|| distance_xz(a, b));
                if (high - low) * length > self.slack {
                    let end = |fraction: f64| match fraction {
                        0.0 => a,
                        1.0 => b,
                        _ => lerp(a, b, fraction),
                    };
                    visit([end(low), end(high)]);
                }
            };
            while let Some(opening) = openings.next_if(|opening| opening.border as usize == i) {
                if opening.low > covered {
                    wall(covered, opening.low);
                }
                covered = covered.max(opening.high);
            }
            if covered < 1.0 {
                wall(covered, 1.0);
            }
        }
    }
}

impl Wall {
    /// Returns the point of a wall nearest to a position in plan, or `None` for a wall without length.
    #[inline]
    pub(super) fn nearest(ends: [Vec3; 2], polygon: PolygonId, position: Vec3) -> Option<Self> {
        let [a, b] = ends;
        let point = lerp(a, b, nearest_fraction(a, b, position));
        Some(Self {
            point,
            normal: inward(ends)?,
            distance: distance_xz(point, position) as f32,
            polygon,
            ends,
        })
    }
}

/// Returns the direction to the left of a wall, horizontal and of length 1.
#[inline]
fn inward([a, b]: [Vec3; 2]) -> Option<Vec3> {
    let along = b.as_dvec3() - a.as_dvec3();
    let length = (along.x * along.x + along.z * along.z).sqrt();
    // Subtracting from 0 gives no -0.
    let normal = Vec3::new(
        ((0.0 - along.z) / length) as f32,
        0.0,
        (along.x / length + 0.0) as f32,
    );
    (length > 0.0).then_some(normal)
}
