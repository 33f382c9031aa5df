//! Additional waypoints that keep a path on the ground between its corners.
//!
//! A straight line between two corners cuts through hills and floats above dips. The ground along the line
//! is a polyline with breaks where the line crosses a portal or an edge of a polygon's surface. A subset of
//! these breaks is enough to stay within a tolerance of all of them. The "swinging door" algorithm selects
//! it: it tracks the range of slopes that are still within the tolerance and adds a waypoint when the range
//! becomes empty.

use glam::Vec3;

use crate::geometry::{intersection_fractions, lerp};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// A straight line between two corners that is being fitted to the ground.
pub(super) struct GroundLine<'a> {
    from: Vec3,
    to: Vec3,
    tolerance: f64,
    /// The last waypoint: its position as a fraction of the line, and its height.
    anchor: (f64, f64),
    /// The last break, as fraction and height. A straight line from the anchor can end here.
    candidate: Option<(f64, f64)>,
    /// The range of slopes from the anchor that stay within the tolerance of all breaks since. [Units: m
    /// per full line]
    slopes: (f64, f64),
    waypoints: &'a mut Vec<Vec3>,
}

impl<'a> GroundLine<'a> {
    pub(super) fn new(from: Vec3, to: Vec3, tolerance: f32, waypoints: &'a mut Vec<Vec3>) -> Self {
        Self {
            from,
            to,
            tolerance: f64::from(tolerance),
            anchor: (0.0, f64::from(from.y)),
            candidate: None,
            slopes: (f64::NEG_INFINITY, f64::INFINITY),
            waypoints,
        }
    }

    /// Returns where the line crosses a portal, as a fraction of the line, and the height there. The height
    /// is that of the portal, which at a step is halfway up. If either side has a finer surface, it is the
    /// mean of the heights of the two sides.
    pub(super) fn crossing(
        &self,
        mesh: &NavMesh,
        portal: [Vec3; 2],
        sides: [PolygonId; 2],
    ) -> Option<(f64, f64)> {
        let (at, fraction) = intersection_fractions(self.from, self.to, portal[0], portal[1])?;
        let point = lerp(portal[0], portal[1], fraction.clamp(0.0, 1.0));
        let is_plain = |side: &PolygonId| mesh.finer_surface(*side).1.is_empty();
        let height = if sides.iter().all(is_plain) {
            f64::from(point.y)
        } else {
            let [a, b] = sides.map(|side| f64::from(mesh.height_at(side, point)));
            (a + b) / 2.0
        };
        Some((at, height))
    }

    /// Adds the breaks within a polygon, up to the fraction `until` of the line. `breaks` is a buffer.
    pub(super) fn pass_over(
        &mut self,
        mesh: &NavMesh,
        polygon: PolygonId,
        until: f64,
        breaks: &mut Vec<(f64, f64)>,
    ) {
        if is_flat(mesh, polygon) && mesh.finer_surface(polygon).1.is_empty() {
            return;
        }
        // The breaks at the portals themselves are added by the caller, with the portals' heights.
        let margin = 1e-6;
        let from = self.reached() + margin;
        breaks.clear();
        for [start, end] in mesh.edges_across(polygon, self.from, self.to) {
            if let Some((at, fraction)) = intersection_fractions(self.from, self.to, start, end)
                && (0.0..=1.0).contains(&fraction)
                && at > from
                && at < until - margin
            {
                breaks.push((at, f64::from(lerp(start, end, fraction).y)));
            }
        }
        breaks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        breaks
            .iter()
            .for_each(|&(at, height)| self.pass(at, height));
    }

    /// Ends the line and adds its last waypoint.
    pub(super) fn finish(mut self) {
        self.pass(1.0, f64::from(self.to.y));
        self.waypoints.push(self.to);
    }

    /// Returns the fraction of the line up to which breaks have been added.
    fn reached(&self) -> f64 {
        self.candidate
            .map_or(self.anchor.0, |candidate| candidate.0)
    }

    /// Adds a break of the ground at fraction `at` of the line.
    pub(super) fn pass(&mut self, at: f64, height: f64) {
        // This also rejects breaks that are behind, beyond the end, or NaN.
        if !(at > self.reached() && at <= 1.0) {
            return;
        }
        let slope = |anchor: (f64, f64), height: f64| (height - anchor.1) / (at - anchor.0);
        let direct = slope(self.anchor, height);
        if let Some(candidate) = self.candidate
            && !(self.slopes.0..=self.slopes.1).contains(&direct)
        {
            let point = lerp(self.from, self.to, candidate.0);
            self.waypoints.push(point.with_y(candidate.1 as f32));
            self.anchor = candidate;
            self.slopes = (f64::NEG_INFINITY, f64::INFINITY);
        }
        self.candidate = Some((at, height));
        self.slopes.0 = self
            .slopes
            .0
            .max(slope(self.anchor, height - self.tolerance));
        self.slopes.1 = self
            .slopes
            .1
            .min(slope(self.anchor, height + self.tolerance));
    }
}

/// Returns whether the ground of these polygons stays within the tolerance of every point of the line. If
/// it does, no breaks need to be computed.
pub(super) fn stays_within(
    mesh: &NavMesh,
    polygons: &[PolygonId],
    [from, to]: [Vec3; 2],
    tolerance: f32,
) -> bool {
    let (low, high) = (from.y.max(to.y) - tolerance, from.y.min(to.y) + tolerance);
    polygons.iter().all(|&polygon| {
        let heights = mesh.height_range(polygon);
        heights.lowest >= low && heights.highest <= high
    })
}

/// Returns whether a polygon without a finer surface is flat: it is a triangle, or level to within a
/// millimetre. The ground then has no breaks inside it.
fn is_flat(mesh: &NavMesh, polygon: PolygonId) -> bool {
    let heights = mesh.height_range(polygon);
    heights.highest - heights.lowest <= 1e-3 || mesh.corners(polygon).len() == 3
}
