//! Waypoints that stay on the ground between corners.
//!
//! A straight line from corner to corner cuts through hills and floats over dips. Along it the
//! ground is a polyline, which breaks where the line crosses a portal or an edge of a polygon's
//! surface. A few of those breaks are enough to stay within a tolerance of all of them: the
//! "swinging door" keeps the range of slopes that are still within it, and sets a waypoint when
//! the range closes.

use glam::Vec3;

use crate::geometry::{intersection_fractions, lerp};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;

/// One straight line from a corner to the next, on its way over the ground.
pub(super) struct Line<'a> {
    from: Vec3,
    to: Vec3,
    tolerance: f64,
    /// Share of the line and height of the last waypoint set.
    anchor: (f64, f64),
    /// The last break that a straight line from the anchor can end at.
    candidate: Option<(f64, f64)>,
    /// Slopes, in metres of height a share, that stay within the tolerance of all since the anchor.
    slopes: (f64, f64),
    waypoints: &'a mut Vec<Vec3>,
}

impl<'a> Line<'a> {
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

    /// Where the line crosses a portal, and at which height: that of the portal, halfway up a step;
    /// where a side has a finer surface, the mean of what the two sides say.
    pub(super) fn crossing(
        &self,
        mesh: &NavMesh,
        portal: [Vec3; 2],
        sides: [PolygonId; 2],
    ) -> Option<(f64, f64)> {
        let (at, share) = intersection_fractions(self.from, self.to, portal[0], portal[1])?;
        let place = lerp(portal[0], portal[1], share.clamp(0.0, 1.0));
        let is_plain = |side: &PolygonId| mesh.finer_surface(*side).1.is_empty();
        let height = if sides.iter().all(is_plain) {
            f64::from(place.y)
        } else {
            let [a, b] = sides.map(|side| f64::from(mesh.height_at(side, place)));
            (a + b) / 2.0
        };
        Some((at, height))
    }

    /// The line passes over a polygon, up to the share `until` of itself. `breaks` is a buffer.
    pub(super) fn pass_over(
        &mut self,
        mesh: &NavMesh,
        polygon: PolygonId,
        until: f64,
        breaks: &mut Vec<(f64, f64)>,
    ) {
        if is_level(mesh, polygon) && mesh.finer_surface(polygon).1.is_empty() {
            return;
        }
        // At the portals themselves the portals know the height.
        let margin = 1e-6;
        let from = self.reached() + margin;
        breaks.clear();
        for [start, end] in mesh.edges_across(polygon, self.from, self.to) {
            if let Some((at, share)) = intersection_fractions(self.from, self.to, start, end)
                && (0.0..=1.0).contains(&share)
                && at > from
                && at < until - margin
            {
                breaks.push((at, f64::from(lerp(start, end, share).y)));
            }
        }
        breaks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        breaks
            .iter()
            .for_each(|&(at, height)| self.pass(at, height));
    }

    /// The line ends.
    pub(super) fn finish(mut self) {
        self.pass(1.0, f64::from(self.to.y));
        self.waypoints.push(self.to);
    }

    /// The share of the line that is behind us.
    fn reached(&self) -> f64 {
        self.candidate
            .map_or(self.anchor.0, |candidate| candidate.0)
    }

    /// The ground breaks.
    pub(super) fn pass(&mut self, at: f64, height: f64) {
        // Also sorts out what lies behind, beyond the end, or is not a number.
        if !(at > self.reached() && at <= 1.0) {
            return;
        }
        let slope = |anchor: (f64, f64), height: f64| (height - anchor.1) / (at - anchor.0);
        let direct = slope(self.anchor, height);
        if let Some(candidate) = self.candidate
            && !(self.slopes.0..=self.slopes.1).contains(&direct)
        {
            let place = lerp(self.from, self.to, candidate.0);
            self.waypoints.push(place.with_y(candidate.1 as f32));
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

/// Whether the ground of polygons cannot leave the tolerance of any point of a straight line over
/// them, wherever it breaks: then there is no need to know where.
pub(super) fn stays_within(
    mesh: &NavMesh,
    polygons: &[PolygonId],
    [from, to]: [Vec3; 2],
    tolerance: f32,
) -> bool {
    let (low, high) = (from.y.max(to.y) - tolerance, from.y.min(to.y) + tolerance);
    polygons.iter().all(|&polygon| {
        let relief = mesh.relief(polygon);
        relief.lowest >= low && relief.highest <= high
    })
}

/// Whether a polygon's corners give no inner edge that could matter: it is a triangle, or level to
/// a millimetre.
fn is_level(mesh: &NavMesh, polygon: PolygonId) -> bool {
    let relief = mesh.relief(polygon);
    relief.highest - relief.lowest <= 1e-3 || mesh.corners(polygon).len() == 3
}
