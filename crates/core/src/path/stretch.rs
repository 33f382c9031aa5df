//! A part of a corridor without links, and the taut line through it.

use std::ops::Range;

use glam::Vec3;

use super::directed::Directed;
use super::funnel::{Corner, Funnel};
use super::line::bends;
use super::{Corridor, Crossing};
use crate::geometry::{orientation, same_point};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// A part of a corridor without links, which can be led another way.
pub(super) struct Stretch<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) corridor: &'a mut Corridor,
    /// Its crossings.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Where its line begins and ends.
    pub(super) from: Vec3,
    pub(super) to: Vec3,
    /// The bends between, which count the crossings from the first.
    pub(super) corners: &'a mut Vec<Corner>,
    pub(super) funnel: &'a mut Funnel,
    /// A buffer.
    pub(super) pulled: &'a mut Vec<Corner>,
}

/// A part of the line between two bends, around which all stays as it is.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The bends that it begins and ends with; where there is none, the ends of the line.
    pub(super) before: Option<usize>,
    pub(super) after: Option<usize>,
}

impl Window {
    const WHOLE: Self = Self {
        before: None,
        after: None,
    };
}

impl Stretch<'_> {
    /// The number of crossings.
    pub(super) fn len(&self) -> usize {
        self.end - self.first
    }

    #[inline]
    pub(super) fn crossing(&self, i: usize) -> Directed {
        let Corridor {
            polygons,
            crossings,
        } = &*self.corridor;
        match crossings[self.first + i] {
            Crossing::Portal(portal) => Directed::new(self.mesh, portal, polygons[self.first + i]),
            Crossing::Link(..) => unreachable!("between links"),
        }
    }

    /// Whether the line passes a bend at the left end of its portal.
    #[inline]
    pub(super) fn is_left(&self, corner: &Corner) -> bool {
        let crossing = self.crossing(corner.portal as usize);
        same_point(corner.point, crossing.left(self.mesh))
    }

    /// The window from one bend to another, if there are so many.
    pub(super) fn window(&self, before: Option<usize>, after: usize) -> Window {
        Window {
            before,
            after: Some(after).filter(|&after| after < self.corners.len()),
        }
    }

    /// The bends inside.
    pub(super) fn inner(&self, window: Window) -> Range<usize> {
        window.before.map_or(0, |at| at + 1)..window.after.unwrap_or(self.corners.len())
    }

    /// Where the line of a window begins and ends.
    pub(super) fn ends_of(&self, window: Window) -> [Vec3; 2] {
        let point = |at: usize| self.corners[at].point;
        [
            window.before.map_or(self.from, point),
            window.after.map_or(self.to, point),
        ]
    }

    /// The crossings of a window. Those at its two bends do not belong to it, unless the line runs along a
    /// portal, and so bends at both its ends.
    pub(super) fn crossings_in(&self, window: Window) -> Range<usize> {
        let Range { start, end } = self.crossings_between(window);
        let inner = &self.corners[self.inner(window)];
        let first = inner.first().map_or(start, |bend| bend.portal as usize);
        let last = inner.last().map_or(end, |bend| bend.portal as usize + 1);
        start.min(first)..end.max(last)
    }

    /// The crossings after the bend before a window and before the one after it.
    fn crossings_between(&self, window: Window) -> Range<usize> {
        let portal = |at: usize| self.corners[at].portal as usize;
        window.before.map_or(0, |at| portal(at) + 1)..window.after.map_or(self.len(), portal)
    }

    /// Leads the corridor another way inside a window; `corners` are the bends there, counted from the
    /// window's first crossing. At the window's ends it may go through a portal and straight back, which is
    /// taken out as [`Corridor::follow_taut`] does. Gives the window in which the line is another.
    pub(super) fn replace(
        &mut self,
        window: Window,
        way: &[Directed],
        corners: &[Corner],
        prices: &Prices,
    ) -> Window {
        let (mesh, crossings) = (self.mesh, self.crossings_in(window));
        let is_clean = crossings == self.crossings_between(window);
        let start = self.first + crossings.start;
        let run = start..self.first + crossings.end;
        let to = way.iter().map(|crossing| crossing.to(mesh));
        let polygons = &mut self.corridor.polygons;
        polygons.splice(run.start + 1..run.end + 1, to);
        let portals = way.iter().map(|crossing| crossing.portal());
        let all = &mut self.corridor.crossings;
        all.splice(run, portals.map(Crossing::Portal));
        self.end = self.end + way.len() - crossings.len();
        let went_back = self.cut_back(start + way.len(), prices) | self.cut_back(start, prices);
        if went_back || !is_clean {
            return self.pull(Window::WHOLE);
        }
        let inner = self.inner(window);
        let after = inner.start + corners.len();
        let corners = corners.iter().map(|corner| corner.moved(crossings.start));
        self.corners.splice(inner, corners);
        for corner in &mut self.corners[after..] {
            corner.portal = corner.portal + way.len() as u32 - crossings.len() as u32;
        }
        self.tighten(self.window(window.before, after))
    }

    /// Takes out what goes through a portal and straight back right before a crossing of the corridor;
    /// whether there was such a thing.
    fn cut_back(&mut self, mut at: usize, prices: &Prices) -> bool {
        let Corridor {
            polygons,
            crossings,
        } = &mut *self.corridor;
        let (mesh, before) = (self.mesh, self.end);
        let is_dearer = |[beyond, here]: [PolygonId; 2]| {
            prices.factor(mesh, beyond) >= prices.factor(mesh, here)
        };
        while at > self.first
            && at < self.end
            && crossings[at - 1] == crossings[at]
            && is_dearer([polygons[at], polygons[at + 1]])
        {
            crossings.drain(at - 1..=at);
            polygons.drain(at..at + 2);
            self.end -= 2;
            at -= 1;
        }
        before != self.end
    }

    /// Pulls wider and wider windows, until the line bends at both ends of one as it has to. Then all of
    /// it is taut. Gives the widest.
    fn tighten(&mut self, mut window: Window) -> Window {
        loop {
            let is_loose = |at: Option<usize>| at.is_some_and(|at| !self.bends(at));
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
                window = Window::WHOLE;
            }
            window = self.pull(window);
        }
    }

    /// Whether the line turns at a bend as it has to: around the end of the portal.
    pub(super) fn bends(&self, at: usize) -> bool {
        let around = self.window(at.checked_sub(1), at + 1);
        let ([before, after], corner) = (self.ends_of(around), &self.corners[at]);
        let side = orientation(before, corner.point, after);
        if self.is_left(corner) {
            side > 0.0
        } else {
            side < 0.0
        }
    }

    /// Pulls the line in a window again; the window, whose end moves with the number of bends.
    fn pull(&mut self, window: Window) -> Window {
        if window.before.is_none() && window.after.is_none() {
            self.corners.clear();
        }
        let (crossings, points) = (self.crossings_in(window), self.ends_of(window));
        let (mesh, corridor) = (self.mesh, &*self.corridor);
        let first = self.first + crossings.start;
        let ends = |i: usize| corridor.ends(mesh, first + i);
        bends(points, crossings.len(), ends, self.funnel, self.pulled);
        let inner = self.inner(window);
        let after = inner.start + self.pulled.len();
        let moved = self
            .pulled
            .iter()
            .map(|corner| corner.moved(crossings.start));
        self.corners.splice(inner, moved);
        self.window(window.before, after)
    }
}
