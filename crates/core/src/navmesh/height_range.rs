//! The range of heights of each polygon's ground, and how far the ground is from a plane.

use bytemuck::{Pod, Zeroable};
use glam::{DVec2, Vec3};

use super::{Heights, NavMesh, Portal};
use crate::array::Array;
use crate::csr::Lists;
use crate::ids::PolygonId;

/// Bounds on the heights of a polygon's ground. [Units: m] For most polygons, these bounds alone show
/// that the surface need not be examined.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct HeightRange {
    /// The lowest height of the ground.
    pub(crate) lowest: f32,
    /// The highest height of the ground.
    pub(crate) highest: f32,
    /// The vertical thickness of a sloped slab that contains the ground and the ends of the polygon's
    /// portals. So a straight line between two points of the ground, or of portals, is at most this far
    /// above or below the ground between them.
    pub(crate) relief: f32,
}

/// Computes the heights of each polygon, including the points of its finer surface.
pub(super) fn height_ranges(
    vertices: &[Vec3],
    polygons: &Lists<u32>,
    heights: &Heights,
    portals: &[Portal],
) -> Array<HeightRange> {
    let mut slabs = Vec::with_capacity(polygons.len());
    let mut ranges = Vec::with_capacity(polygons.len());
    for (i, corners) in polygons.iter().enumerate() {
        let points = surface_points(vertices, corners, heights, i);
        let (lowest, highest) = extent(points.clone());
        slabs.push(if lowest == highest {
            Slab::level(lowest)
        } else {
            Slab::around(points)
        });
        ranges.push(HeightRange {
            lowest,
            highest,
            relief: 0.0,
        });
    }
    // At a step, the ends of a portal are above or below the ground.
    for portal in portals {
        for polygon in portal.polygons {
            slabs[polygon.index()].add(portal.right);
            slabs[polygon.index()].add(portal.left);
        }
    }
    for (range, slab) in ranges.iter_mut().zip(slabs) {
        range.relief = slab.thickness();
    }
    ranges.into()
}

/// Returns the corners of a polygon and the points of its finer surface.
#[inline]
fn surface_points(
    vertices: &[Vec3],
    corners: &[u32],
    heights: &Heights,
    polygon: usize,
) -> impl Iterator<Item = Vec3> + Clone {
    let corners = corners.iter().map(|&v| vertices[v as usize]);
    corners.chain(heights.points(polygon).iter().copied())
}

/// Returns the lowest and the highest height of some points.
#[inline]
fn extent(points: impl Iterator<Item = Vec3> + Clone) -> (f32, f32) {
    let heights = points.map(|point| point.y);
    let lowest = heights.clone().fold(f32::INFINITY, f32::min);
    (lowest, heights.fold(f32::NEG_INFINITY, f32::max))
}

impl HeightRange {
    /// Returns whether this range, from a file, fits a polygon with these corners. A wrong relief makes waypoints
    /// leave the ground but nothing fail, so it only has to be a number.
    #[inline]
    pub(super) fn fits(
        self,
        vertices: &[Vec3],
        corners: &[u32],
        heights: &Heights,
        polygon: usize,
    ) -> bool {
        extent(surface_points(vertices, corners, heights, polygon)) == (self.lowest, self.highest)
            && self.relief >= 0.0
    }
}

/// The largest slope of a slab. Nothing steeper can be walked.
const MAX_SLOPE: f64 = 100.0;

/// The space between two parallel planes that are not vertical.
#[derive(Clone, Copy)]
struct Slab {
    /// A point on the reference plane, and the plane's slope.
    origin: Vec3,
    slope: DVec2,
    /// The smallest and the largest height of the contained points above the reference plane.
    min: f64,
    max: f64,
}

impl Slab {
    fn level(height: f32) -> Self {
        Self {
            origin: Vec3::Y * height,
            slope: DVec2::ZERO,
            min: 0.0,
            max: 0.0,
        }
    }

    /// Returns the slab of these points that is parallel to their regression plane. The thinnest slab
    /// would be a little thinner and takes longer to find.
    fn around(points: impl Iterator<Item = Vec3> + Clone) -> Self {
        let Some(origin) = points.clone().next() else {
            return Self::level(0.0);
        };
        let (mut count, mut sum, mut sum_y) = (0.0, DVec2::ZERO, 0.0);
        let (mut xx, mut xz, mut zz) = (0.0, 0.0, 0.0);
        let (mut xy, mut zy) = (0.0, 0.0);
        for point in points.clone() {
            let (p, y) = offset(origin, point);
            count += 1.0;
            sum += p;
            sum_y += y;
            xx += p.x * p.x;
            xz += p.x * p.y;
            zz += p.y * p.y;
            xy += p.x * y;
            zy += p.y * y;
        }
        let (mean, mean_y) = (sum / count, sum_y / count);
        xx -= sum.x * mean.x;
        xz -= sum.x * mean.y;
        zz -= sum.y * mean.y;
        xy -= sum.x * mean_y;
        zy -= sum.y * mean_y;
        let determinant = xx * zz - xz * xz;
        let slope = DVec2::new(xy * zz - zy * xz, zy * xx - xy * xz) / determinant;
        let mut slab = Self {
            origin,
            // The points of a sliver determine no plane; then the slab is level.
            slope: if slope.length_squared() <= MAX_SLOPE * MAX_SLOPE {
                slope
            } else {
                DVec2::ZERO
            },
            min: 0.0,
            max: 0.0,
        };
        points.for_each(|point| slab.add(point));
        slab
    }

    /// Extends the slab to a point.
    fn add(&mut self, point: Vec3) {
        let (p, y) = offset(self.origin, point);
        let height = y - self.slope.dot(p);
        self.min = self.min.min(height);
        self.max = self.max.max(height);
    }

    /// Returns the thickness, rounded up.
    fn thickness(&self) -> f32 {
        let thickness = self.max - self.min;
        if thickness == 0.0 {
            0.0
        } else {
            (thickness as f32).next_up()
        }
    }
}

/// Returns a point relative to an origin: its (x, z) and its height.
fn offset(origin: Vec3, point: Vec3) -> (DVec2, f64) {
    let offset = point.as_dvec3() - origin.as_dvec3();
    (DVec2::new(offset.x, offset.z), offset.y)
}

impl NavMesh {
    /// Returns the range of heights of a polygon.
    #[inline]
    pub(crate) fn height_range(&self, polygon: PolygonId) -> HeightRange {
        self.height_ranges[self.whole(polygon).index()]
    }
}
