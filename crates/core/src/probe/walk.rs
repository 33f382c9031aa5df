//! Walks along a straight line, from polygon to polygon.
//!
//! In the common case the line crosses a portal properly: it passes both ends of the portal by more than
//! rounding may amount to. All connected ground near the line is then in two polygons, one before and one
//! after the portal, so the walk cannot go wrong. Everything else is left to a [sweep](super::sweep).

use glam::Vec3;

use super::Probe;
use super::line::{Line, distance_squared, in_plan};
use super::short_list::ShortList;
use crate::ids::PolygonId;

/// By how much the borders of two polygons that a portal connects may differ. [Units: m] It exceeds the
/// default gap between tiles.
const OVERLAP: f64 = 0.02;

/// How a walk ends.
pub(super) struct WalkEnd {
    pub(super) polygon: PolygonId,
    /// The polygon before, if the line has left it properly.
    pub(super) before: Option<PolygonId>,
    pub(super) fraction: f64,
    pub(super) has_reached: bool,
}

impl Probe<'_> {
    /// Walks along a line from a polygon until it ends or crosses a wall. Adds the polygons that it enters to
    /// `crossed`. With a goal, the walk has reached its end only if it ends on this polygon.
    pub(super) fn walk(
        &self,
        from: PolygonId,
        line: Line,
        goal: Option<PolygonId>,
        mut crossed: Option<&mut Vec<PolygonId>>,
    ) -> WalkEnd {
        let mut here = WalkEnd {
            polygon: from,
            before: None,
            fraction: 0.0,
            has_reached: false,
        };
        if line.length == 0.0 {
            here.has_reached = self.is_goal(from, line, goal);
            return here;
        }
        // A start that rounding has put outside its polygon must not leave the polygon far behind itself.
        let mut min_fraction = -self.slack / line.length;
        // Where polygons overlap, a walk could go around in circles.
        for _ in 0..64 + 4 * self.mesh.polygon_slots() {
            match self.crossing(here.polygon, line, min_fraction) {
                Some((_, fraction)) if fraction >= 1.0 => {
                    here.has_reached = self.is_goal(here.polygon, line, goal);
                    break;
                }
                Some((beyond, fraction)) => {
                    here.before = Some(here.polygon);
                    here.polygon = beyond;
                    here.fraction = here.fraction.max(fraction);
                    min_fraction = here.fraction - OVERLAP / line.length;
                    if let Some(crossed) = &mut crossed {
                        crossed.push(beyond);
                    }
                }
                None => {
                    if self.sweep(&mut here, line, goal, crossed.as_deref_mut()) {
                        break;
                    }
                    min_fraction = self.ahead(here.fraction, line);
                }
            }
        }
        here
    }

    /// Returns a fraction after another, so far ahead that a portal there is not the one that was just crossed.
    pub(super) fn ahead(&self, fraction: f64, line: Line) -> f64 {
        fraction + self.touch() / line.length
    }

    /// Returns whether a polygon on which a line ends is the goal, or meets it there.
    pub(super) fn is_goal(&self, polygon: PolygonId, line: Line, goal: Option<PolygonId>) -> bool {
        let Some(goal) = goal.filter(|&goal| goal != polygon) else {
            return true;
        };
        let mut around = ShortList::new(polygon);
        self.around(polygon, line.at(1.0), self.touch(), &mut around);
        around.as_slice().contains(&goal)
    }

    /// Returns the polygon beyond the portal by which a line properly leaves a polygon, and the fraction of the
    /// line at which it crosses the portal. Returns `None` if there is no such portal, or if there are two because
    /// their ends overlap by rounding.
    #[inline]
    pub(super) fn crossing(
        &self,
        polygon: PolygonId,
        line: Line,
        min_fraction: f64,
    ) -> Option<(PolygonId, f64)> {
        // A line that passes an end of a portal this closely may pass on the other side of it but for rounding.
        let margin = self.slack * line.length;
        let mut found = None;
        for &portal in self.mesh.portals_of(polygon) {
            let portal = self.mesh.portal(portal);
            let [right, left] = portal.ends_from(polygon).map(in_plan);
            if line.side(right) >= -margin || line.side(left) <= margin {
                continue;
            }
            let fraction = line.fraction_at(right, left);
            let beyond = portal.beyond(polygon);
            if fraction < min_fraction {
                continue;
            }
            if fraction >= 1.0 {
                return Some((beyond, fraction));
            }
            if self.is_open(beyond) && found.replace((beyond, fraction)).is_some() {
                return None;
            }
        }
        found
    }

    /// Returns the fraction of a line at which it leaves a polygon that it is in at a fraction. If it only
    /// passes beside the polygon, the fraction `from` itself is returned.
    pub(super) fn exit(&self, polygon: PolygonId, line: Line, from: f64) -> f64 {
        let min_fraction = from - OVERLAP / line.length;
        let mut exit = f64::INFINITY;
        for [a, b] in self.mesh.borders(polygon) {
            let [a, b] = [a, b].map(in_plan);
            let (at_a, at_b) = (line.side(a), line.side(b));
            if at_a > 0.0 || at_b < 0.0 || at_a == at_b {
                continue;
            }
            let fraction = line.fraction_at(a, b);
            if fraction >= min_fraction {
                exit = exit.min(fraction);
            }
        }
        if exit < f64::INFINITY { exit } else { from }
    }

    /// Returns whether a point is in a polygon or at most a distance away, in plan.
    pub(super) fn is_close(&self, polygon: PolygonId, point: Vec3, distance: f64) -> bool {
        let mut borders = self.mesh.borders(polygon);
        self.mesh.contains_xz(polygon, point)
            || borders.any(|border| distance_squared(border, point) <= distance * distance)
    }

    /// Sets `around` to the polygons that portals within a distance of a point connect with a polygon. The first is the
    /// polygon itself.
    pub(super) fn around(
        &self,
        polygon: PolygonId,
        point: Vec3,
        distance: f64,
        around: &mut ShortList<PolygonId>,
    ) {
        around.clear();
        around.push(polygon);
        let mut next = 0;
        while let Some(&polygon) = around.as_slice().get(next) {
            for &portal in self.mesh.portals_of(polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(polygon);
                if distance_squared([portal.right, portal.left], point) <= distance * distance
                    && !around.as_slice().contains(&beyond)
                    && self.is_open(beyond)
                {
                    around.push(beyond);
                }
            }
            next += 1;
        }
    }

    /// Returns the distance within which a point touches a segment: both may have been rounded. [Units: m]
    pub(super) fn touch(&self) -> f64 {
        2.0 * self.slack
    }
}
