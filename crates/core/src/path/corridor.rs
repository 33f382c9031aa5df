//! The polygons of a path and how one leads to the next.

use glam::Vec3;

use crate::graph::{DirectedSample, Origin, PortalGraph, SampleSide};
use crate::ids::{LinkId, PolygonId, PortalId, SampleId};
use crate::navmesh::NavMesh;

/// The sequence of polygons of a path. `crossings[i]` leads from `polygons[i]` to
/// `polygons[i + 1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corridor {
    /// From the start's polygon to the goal's.
    pub polygons: Vec<PolygonId>,
    /// One fewer than polygons.
    pub crossings: Vec<Crossing>,
}

/// How one polygon of a corridor leads to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// Over their common border.
    Portal(PortalId),
    /// By a link, entered at its end 0 or 1.
    Link(LinkId, u8),
}

impl Corridor {
    /// Empties it, keeping its memory.
    pub fn clear(&mut self) {
        self.polygons.clear();
        self.crossings.clear();
    }

    /// The polygons under the names that the caller gave them.
    pub fn user_ids(&self, mesh: &NavMesh) -> impl ExactSizeIterator<Item = u64> {
        self.polygons.iter().map(|&polygon| mesh.user_id(polygon))
    }

    /// Right and left end of a crossing.
    ///
    /// # Panics
    /// When it is a link.
    #[inline]
    pub(super) fn ends(&self, mesh: &NavMesh, crossing: usize) -> [Vec3; 2] {
        let Crossing::Portal(portal) = self.crossings[crossing] else {
            panic!("a link has no right and left");
        };
        mesh.portal(portal).ends_from(self.polygons[crossing])
    }

    /// Follows a trail of samples from `start` to `goal`.
    pub(crate) fn follow(
        &mut self,
        graph: &PortalGraph,
        trail: &[DirectedSample],
        [start, goal]: [PolygonId; 2],
    ) {
        self.clear();
        self.polygons.push(start);
        for (crossing, polygon) in Self::crossings_of(graph, trail, goal) {
            self.crossings.push(crossing);
            self.polygons.push(polygon);
        }
    }

    /// The same without what goes through a portal and straight back: shortcuts that were pulled taut can
    /// meet so. Not where the ground beyond is cheaper: a cheapest way may walk along the portal there.
    pub(crate) fn follow_taut(
        &mut self,
        graph: &PortalGraph,
        trail: &[DirectedSample],
        [start, goal]: [PolygonId; 2],
        factor: impl Fn(PolygonId) -> f32,
    ) {
        self.clear();
        let mut here = start;
        for (crossing, to) in Self::crossings_of(graph, trail, goal) {
            let last = self.crossings.last();
            if last.is_some_and(|last| last.is_undone_by(crossing)) && factor(here) >= factor(to) {
                self.crossings.pop();
                self.polygons.pop();
            } else {
                self.crossings.push(crossing);
                self.polygons.push(here);
            }
            here = to;
        }
        self.polygons.push(here);
    }

    /// The crossings of a trail of samples that ends in `goal`, and the polygons that they lead to.
    pub(crate) fn crossings_of(
        graph: &PortalGraph,
        trail: &[DirectedSample],
        goal: PolygonId,
    ) -> impl Iterator<Item = (Crossing, PolygonId)> {
        let mut before = trail.first().and_then(|&step| graph.came_over(step));
        trail.iter().enumerate().filter_map(move |(i, step)| {
            let after = match trail.get(i + 1) {
                Some(&next) => graph.came_over(next),
                None => Some(goal),
            };
            let before = std::mem::replace(&mut before, after);
            Crossing::between(graph, step.sample(), [before, after])
        })
    }
}

impl Crossing {
    /// Whether the other, right after this one, leads back.
    fn is_undone_by(self, other: Self) -> bool {
        match (self, other) {
            (Self::Portal(a), Self::Portal(b)) => a == b,
            (Self::Link(a, from), Self::Link(b, to)) => a == b && from != to,
            _ => false,
        }
    }

    /// The crossing at a sample from which a trail leaves through this side, and the polygon that it
    /// leads to.
    pub(crate) fn at(
        graph: &PortalGraph,
        step: DirectedSample,
        leaves_through: SampleSide,
    ) -> Option<(Self, PolygonId)> {
        let after = match leaves_through {
            SampleSide::Polygon(polygon) => Some(polygon),
            SampleSide::Link(..) => None,
        };
        Self::between(graph, step.sample(), [graph.came_over(step), after])
    }

    /// The crossing at a sample between the polygons before and after it; instead of one there can be a link.
    ///
    /// A sample that the trail touches without passing to its other side (sums of rounded lengths
    /// can make such a detour look free) is no crossing.
    #[inline]
    fn between(
        graph: &PortalGraph,
        sample: SampleId,
        [before, after]: [Option<PolygonId>; 2],
    ) -> Option<(Self, PolygonId)> {
        // Where a link begins, the trail only leaves the ground; its other end crosses.
        let polygon = after.filter(|_| before != after)?;
        let crossing = match graph.origin(sample) {
            Origin::Portal(portal) => Self::Portal(portal),
            Origin::LinkEnd(link, end) => Self::Link(link, 1 - end as u8),
        };
        Some((crossing, polygon))
    }
}
