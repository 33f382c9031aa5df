//! The portals around a polygon, in the order of its borders.

use glam::Vec3;

use super::NavMesh;
use crate::geometry::{distance_squared_xz, lerp, nearest_fraction};
use crate::ids::{PolygonId, PortalId};

/// A portal on the outline of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PortalOnBorder {
    /// The border that the portal lies on, as an index into [`NavMesh::borders`].
    pub(crate) border: usize,
    /// The position of the portal's midpoint as a fraction of that border.
    fraction: f64,
    /// The portal.
    pub(crate) portal: PortalId,
}

impl NavMesh {
    /// Sets `around` to the portals of a polygon in counter-clockwise order.
    pub(crate) fn portals_around(&self, polygon: PolygonId, around: &mut Vec<PortalOnBorder>) {
        around.clear();
        around.extend(self.portals_of(polygon).iter().map(|&portal| {
            let midpoint = self.portal(portal).midpoint();
            let (border, fraction) = self.border_position(polygon, midpoint);
            PortalOnBorder {
                border,
                fraction,
                portal,
            }
        }));
        around.sort_by(|a, b| {
            let by_fraction = || a.fraction.total_cmp(&b.fraction);
            let by_border = a.border.cmp(&b.border).then_with(by_fraction);
            by_border.then(a.portal.cmp(&b.portal))
        });
    }

    /// Returns the border of a polygon that a point lies on, and its position as a fraction of that border.
    pub(crate) fn border_position(&self, polygon: PolygonId, point: Vec3) -> (usize, f64) {
        let borders = self.borders(polygon).enumerate().map(|(i, [start, end])| {
            let fraction = nearest_fraction(start, end, point);
            let distance = distance_squared_xz(lerp(start, end, fraction), point);
            (distance, i, fraction)
        });
        let nearest = borders.min_by(|a, b| a.0.total_cmp(&b.0));
        let (_, border, fraction) = nearest.expect("a polygon has borders");
        (border, fraction)
    }
}
