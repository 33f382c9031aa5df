//! How high a polygon's ground reaches.

use glam::Vec3;

use super::{Heights, NavMesh};
use crate::csr::Csr;
use crate::ids::PolygonId;

/// The lowest and the highest point of a polygon's ground. They say of most ground that it needs no
/// closer look, from one place in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Relief {
    pub(crate) lowest: f32,
    pub(crate) highest: f32,
}

impl Relief {
    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let nothing = Self {
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
        };
        points.fold(nothing, |relief, point| Self {
            lowest: relief.lowest.min(point.y),
            highest: relief.highest.max(point.y),
        })
    }
}

/// Per polygon, with the points of its finer surface.
pub(super) fn reliefs(vertices: &[Vec3], polygons: &Csr<u32>, heights: &Heights) -> Vec<Relief> {
    let of_polygon = |(i, corners): (usize, &[u32])| {
        let corners = corners.iter().map(|&v| vertices[v as usize]);
        Relief::of(corners.chain(heights.points(i).iter().copied()))
    };
    polygons.iter().enumerate().map(of_polygon).collect()
}

impl NavMesh {
    #[inline]
    pub(crate) fn relief(&self, polygon: PolygonId) -> Relief {
        self.reliefs[polygon.index()]
    }
}
