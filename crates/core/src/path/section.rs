//! A section of a corridor between two links, and the taut line through it.

use std::ops::Range;

use glam::Vec3;

use super::directed::DirectedPortal;
use super::funnel::{Funnel, PathCorner};
use super::line::find_bends;
use super::{Corridor, Crossing};
use crate::geometry::{orientation, same_point};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// A section of a corridor without links, whose crossings can be replaced.
pub(super) struct CorridorSection<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) corridor: &'a mut Corridor,
    /// The range `first..end` of its crossings in the corridor.
    pub(super) first: usize,
    pub(super) end: usize,
    /// The points where its line starts and ends.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// The bends of the line. Their crossings are counted from `first`.
    pub(super) corners: &'a mut Vec<PathCorner>,
    pub(super) funnel: &'a mut Funnel,
    /// A buffer for newly pulled bends.
    pub(super) pulled: &'a mut Vec<PathCorner>,
}

/// A part of the line between two bends. Replacing crossings inside a window leaves the line outside
/// unchanged.
#[derive(Clone, Copy)]
pub(super) struct SectionWindow {
    /// The bends at which the window starts and ends; `None` is the start or the end of the line.
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
}

impl SectionWindow {
    const FULL: Self = Self {
        before: None,
        after: None,
    };
}

impl CorridorSection<'_> {
    /// Returns the number of crossings.
    pub(super) fn len(&self) -> usize {
        self.end - self.first
    }

    /// Returns a crossing of the section by index.
    #[inline]
    pub(super) fn crossing(&self, i: usize) -> DirectedPortal {
        let Corridor {
            polygons,
            crossings,
        } = &*self.corridor;
        match crossings[self.first + i] {
            Crossing::Portal(portal) => {
                DirectedPortal::new(self.mesh, portal, polygons[self.first + i])
            }
            Crossing::Link(..) => unreachable!("a section has no links"),
        }
    }

    /// Returns whether a bend is at the left end of its portal.
    #[inline]
    pub(super) fn is_left(&self, corner: &PathCorner) -> bool {
        let crossing = self.crossing(corner.portal as usize);
        same_point(corner.point, crossing.left(self.mesh))
    }

    /// Returns the window between two bends. An `after` beyond the last bend means the end of the line.
    pub(super) fn window(&self, before: Option<usize>, after: usize) -> SectionWindow {
        SectionWindow {
            before,
            after: Some(after).filter(|&after| after < self.corners.len()),
        }
    }

    /// Returns the indices of the bends inside a window.
    pub(super) fn inner(&self, window: SectionWindow) -> Range<usize> {
        window.before.map_or(0, |at| at + 1)..window.after.unwrap_or(self.corners.len())
    }

    /// Returns the points where the line of a window starts and ends.
    pub(super) fn endpoints_of(&self, window: SectionWindow) -> [Vec3; 2] {
        let point = |at: usize| self.corners[at].point;
        [
            window.before.map_or(self.from, point),
            window.after.map_or(self.to, point),
        ]
    }

    /// Returns the crossings of a window. The crossings at its two outer bends do not belong to it, except
    /// if the line runs along a portal and therefore bends at both ends of it.
    pub(super) fn crossings_in(&self, window: SectionWindow) -> Range<usize> {
        let Range { start, end } = self.crossings_between(window);
        let inner = &self.corners[self.inner(window)];
        let first = inner.first().map_or(start, |bend| bend.portal as usize);
        let last = inner.last().map_or(end, |bend| bend.portal as usize + 1);
        start.min(first)..end.max(last)
    }

    /// Returns the crossings strictly between the two outer bends of a window.
    fn crossings_between(&self, window: SectionWindow) -> Range<usize> {
        let portal = |at: usize| self.corners[at].portal as usize;
        window.before.map_or(0, |at| portal(at) + 1)..window.after.map_or(self.len(), portal)
    }

    /// Replaces the crossings inside a window. `corners` are the bends of the new line, counted from the
    /// window's first crossing. If the corridor now crosses a portal and returns at once at an end of the
    /// window, both crossings are removed as in [`Corridor::follow_taut`]. Returns the window in which the
    /// line has changed.
    pub(super) fn replace(
        &mut self,
        window: SectionWindow,
        new_crossings: &[DirectedPortal],
        corners: &[PathCorner],
        prices: &Prices,
    ) -> SectionWindow {
        let (mesh, crossings) = (self.mesh, self.crossings_in(window));
        // If a crossing of an outer bend is replaced as well, the line may change beyond the window.
        let is_strictly_inside = crossings == self.crossings_between(window);
        let start = self.first + crossings.start;
        let range = start..self.first + crossings.end;
        let to = new_crossings.iter().map(|crossing| crossing.to(mesh));
        let polygons = &mut self.corridor.polygons;
        polygons.splice(range.start + 1..range.end + 1, to);
        let portals = new_crossings.iter().map(|crossing| crossing.portal());
        let all = &mut self.corridor.crossings;
        all.splice(range, portals.map(Crossing::Portal));
        self.end = self.end + new_crossings.len() - crossings.len();
        let backtracked = self.remove_backtracking(start + new_crossings.len(), prices)
            | self.remove_backtracking(start, prices);
        if backtracked || !is_strictly_inside {
            return self.pull(SectionWindow::FULL);
        }
        let inner = self.inner(window);
        let after = inner.start + corners.len();
        let corners = corners.iter().map(|corner| corner.shifted(crossings.start));
        self.corners.splice(inner, corners);
        for corner in &mut self.corners[after..] {
            corner.portal = corner.portal + new_crossings.len() as u32 - crossings.len() as u32;
        }
        self.tighten(self.window(window.before, after))
    }

    /// Removes pairs of crossings directly before crossing `at` that enter a polygon and leave it by the
    /// same portal. Returns whether there were any.
    fn remove_backtracking(&mut self, mut at: usize, prices: &Prices) -> bool {
        let Corridor {
            polygons,
            crossings,
        } = &mut *self.corridor;
        let (mesh, before) = (self.mesh, self.end);
        let is_no_cheaper = |[beyond, here]: [PolygonId; 2]| {
            prices.factor(mesh, beyond) >= prices.factor(mesh, here)
        };
        while at > self.first
            && at < self.end
            && crossings[at - 1] == crossings[at]
            && is_no_cheaper([polygons[at], polygons[at + 1]])
        {
            crossings.drain(at - 1..=at);
            polygons.drain(at..at + 2);
            self.end -= 2;
            at -= 1;
        }
        before != self.end
    }

    /// Pulls the line in wider and wider windows until it is taut at both ends of the window, and therefore
    /// everywhere. Returns the widest window.
    fn tighten(&mut self, mut window: SectionWindow) -> SectionWindow {
        loop {
            let is_loose = |at: Option<usize>| at.is_some_and(|at| !self.is_taut_at(at));
            let (before, after) = (is_loose(window.before), is_loose(window.after));
            if !before && !after {
                return window;
            }
            if before {
                window.before = window.before.and_then(|at| at.checked_sub(2));
            }
            if after {
                let wider = window.after.map(|at| at + 2);
                window.after = wider.filter(|&at| at < self.corners.len());
            }
            if self.crossings_in(window) != self.crossings_between(window) {
                window = SectionWindow::FULL;
            }
            window = self.pull(window);
        }
    }

    /// Returns whether the line turns around the end of the portal at a bend, as a taut line must.
    pub(super) fn is_taut_at(&self, at: usize) -> bool {
        let around = self.window(at.checked_sub(1), at + 1);
        let ([before, after], corner) = (self.endpoints_of(around), &self.corners[at]);
        let side = orientation(before, corner.point, after);
        if self.is_left(corner) {
            side > 0.0
        } else {
            side < 0.0
        }
    }

    /// Pulls the line in a window again. Returns the window, whose end index depends on the new number of
    /// bends.
    fn pull(&mut self, window: SectionWindow) -> SectionWindow {
        if window.before.is_none() && window.after.is_none() {
            self.corners.clear();
        }
        let (crossings, points) = (self.crossings_in(window), self.endpoints_of(window));
        let (mesh, corridor) = (self.mesh, &*self.corridor);
        let first = self.first + crossings.start;
        let ends = |i: usize| corridor.ends(mesh, first + i);
        find_bends(points, crossings.len(), ends, self.funnel, self.pulled);
        let inner = self.inner(window);
        let after = inner.start + self.pulled.len();
        let shifted = self
            .pulled
            .iter()
            .map(|corner| corner.shifted(crossings.start));
        self.corners.splice(inner, shifted);
        self.window(window.before, after)
    }
}
