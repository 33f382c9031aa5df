//! The range of heights of each polygon's ground.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::{Heights, NavMesh};
use crate::array::Array;
use crate::csr::Lists;
use crate::ids::PolygonId;

/// The lowest and the highest height of a polygon's ground. [Units: m] For most polygons, this range
/// alone shows that the surface need not be examined.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HeightRange {
    pub(crate) lowest: f32,
    pub(crate) highest: f32,
}

impl HeightRange {
    fn of(points: impl Iterator<Item = Vec3>) -> Self {
        let empty = Self {
            lowest: f32::INFINITY,
            highest: f32::NEG_INFINITY,
        };
        points.fold(empty, |range, point| Self {
            lowest: range.lowest.min(point.y),
            highest: range.highest.max(point.y),
        })
    }
}

/// Computes the range of heights of each polygon, including the points of its finer surface.
pub(super) fn height_ranges(
    vertices: &[Vec3],
    polygons: &Lists<u32>,
    heights: &Heights,
) -> Array<HeightRange> {
    let polygons = polygons.iter().enumerate();
    polygons
        .map(|(i, corners)| height_range_of(vertices, corners, heights, i))
        .collect()
}

/// Computes the range of heights of one polygon with these corners.
#[inline]
pub(super) fn height_range_of(
    vertices: &[Vec3],
    corners: &[u32],
    heights: &Heights,
    polygon: usize,
) -> HeightRange {
    let corners = corners.iter().map(|&v| vertices[v as usize]);
    HeightRange::of(corners.chain(heights.points(polygon).iter().copied()))
}

impl NavMesh {
    /// Returns the range of heights of a polygon.
    #[inline]
    pub(crate) fn height_range(&self, polygon: PolygonId) -> HeightRange {
        self.height_ranges[polygon.index()]
    }
}
