//! A section of a corridor between two links, and the taut line through it.

use std::ops::Range;

use glam::Vec3;

use super::directed::DirectedPortal;
use super::funnel::{Funnel, PathCorner};
use super::line::find_bends;
use crate::geometry::orientation;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// A section of a corridor without links, whose crossings can be replaced.
pub(super) struct CorridorSection<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) crossings: &'a mut Vec<DirectedPortal>,
    /// Whether crossings have been replaced.
    pub(super) is_changed: bool,
    /// The points where its line starts and ends.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// The bends of the line.
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
        window.before.map_or(0, |at| portal(at) + 1)
            ..window.after.map_or(self.crossings.len(), portal)
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
        let range = self.crossings_in(window);
        // If a crossing of an outer bend is replaced as well, the line may change beyond the window.
        let is_strictly_inside = range == self.crossings_between(window);
        self.is_changed = true;
        self.crossings
            .splice(range.clone(), new_crossings.iter().copied());
        let backtracked = self.remove_backtracking(range.start + new_crossings.len(), prices)
            | self.remove_backtracking(range.start, prices);
        if backtracked || !is_strictly_inside {
            return self.pull(SectionWindow::FULL);
        }
        let inner = self.inner(window);
        let after = inner.start + corners.len();
        let corners = corners.iter().map(|corner| corner.shifted(range.start));
        self.corners.splice(inner, corners);
        for corner in &mut self.corners[after..] {
            corner.portal = corner.portal + new_crossings.len() as u32 - range.len() as u32;
        }
        self.tighten(self.window(window.before, after))
    }

    /// Removes pairs of crossings directly before crossing `at` that enter a polygon and leave it by the
    /// same portal. Returns whether there were any.
    fn remove_backtracking(&mut self, mut at: usize, prices: &Prices) -> bool {
        let (mesh, before) = (self.mesh, self.crossings.len());
        let is_undone = |crossings: &[DirectedPortal], at: usize| {
            let (first, second) = (crossings[at - 1], crossings[at]);
            first.back() == second
                && prices.factor(mesh, second.from(mesh)) >= prices.factor(mesh, second.to(mesh))
        };
        while at > 0 && at < self.crossings.len() && is_undone(self.crossings, at) {
            self.crossings.drain(at - 1..=at);
            at -= 1;
        }
        before != self.crossings.len()
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
        if corner.is_left {
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
        find_bends(
            points,
            self.mesh,
            &self.crossings[crossings.clone()],
            self.funnel,
            self.pulled,
        );
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
