//! The polygons of a path and the crossings between them.

use glam::Vec3;

use crate::graph::{DirectedSample, Origin, PortalGraph, SampleSide};
use crate::ids::{LinkId, PolygonId, PortalId, SampleId};
use crate::navmesh::NavMesh;

/// The sequence of polygons that a path passes. `crossings[i]` leads from `polygons[i]` to `polygons[i +
/// 1]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Corridor {
    /// The polygons, from that of the start to that of the goal. A polygon may appear more than once.
    pub polygons: Vec<PolygonId>,
    /// The crossings between consecutive polygons: one fewer than there are polygons.
    pub crossings: Vec<Crossing>,
}

/// The portal or link by which a corridor leads from one polygon to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossing {
    /// A portal: a common border of the two polygons.
    Portal(PortalId),
    /// An off-mesh link, and the end (0 or 1) at which it is entered.
    Link(LinkId, u8),
}

impl Corridor {
    /// Removes all contents and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.polygons.clear();
        self.crossings.clear();
    }

    /// Returns the polygons by the ids that the caller gave them in [`RawNavMesh::ids`](crate::RawNavMesh).
    pub fn user_ids(&self, mesh: &NavMesh) -> impl ExactSizeIterator<Item = u64> {
        self.polygons.iter().map(|&polygon| mesh.user_id(polygon))
    }

    /// Returns the right and the left end of a crossing.
    ///
    /// # Panics
    /// Panics if the crossing is a link.
    #[inline]
    pub(super) fn ends(&self, mesh: &NavMesh, crossing: usize) -> [Vec3; 2] {
        let Crossing::Portal(portal) = self.crossings[crossing] else {
            panic!("a link has no right and left end");
        };
        mesh.portal(portal).ends_from(self.polygons[crossing])
    }

    /// Sets the corridor to that of a trail from the polygon `start` to the polygon `goal`.
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

    /// Sets the corridor to that of a trail of a taut tier, without backtracking. Taut shortcuts can be
    /// joined so that the trail crosses a portal and returns at once; both crossings are removed. They are
    /// kept if the ground beyond the portal is cheaper, because a cheapest path may walk along the portal
    /// there.
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

    /// Returns the crossings of a trail that ends in `goal`, each with the polygon that it enters.
    pub(crate) fn crossings_of(
        graph: &PortalGraph,
        trail: &[DirectedSample],
        goal: PolygonId,
    ) -> impl Iterator<Item = (Crossing, PolygonId)> {
        let mut before = trail.first().and_then(|&step| graph.polygon_before(step));
        trail.iter().enumerate().filter_map(move |(i, step)| {
            let after = match trail.get(i + 1) {
                Some(&next) => graph.polygon_before(next),
                None => Some(goal),
            };
            let before = std::mem::replace(&mut before, after);
            Crossing::between(graph, step.sample(), [before, after])
        })
    }
}

impl Crossing {
    /// Returns whether `other`, directly after this crossing, leads back.
    fn is_undone_by(self, other: Self) -> bool {
        match (self, other) {
            (Self::Portal(a), Self::Portal(b)) => a == b,
            (Self::Link(a, from), Self::Link(b, to)) => a == b && from != to,
            _ => false,
        }
    }

    /// Returns the crossing at a step of a trail that continues through `leaves_through`, and the polygon
    /// that it enters.
    pub(crate) fn at(
        graph: &PortalGraph,
        step: DirectedSample,
        leaves_through: SampleSide,
    ) -> Option<(Self, PolygonId)> {
        let after = match leaves_through {
            SampleSide::Polygon(polygon) => Some(polygon),
            SampleSide::Link(..) => None,
        };
        Self::between(graph, step.sample(), [graph.polygon_before(step), after])
    }

    /// Returns the crossing at a sample between the polygons before and after it, and the polygon that it
    /// enters. `None` instead of a polygon means a link.
    ///
    /// A sample that the trail touches without passing to the other side is not a crossing. Rounding can
    /// make such a detour look free.
    #[inline]
    fn between(
        graph: &PortalGraph,
        sample: SampleId,
        [before, after]: [Option<PolygonId>; 2],
    ) -> Option<(Self, PolygonId)> {
        // At the first end of a link the trail only leaves the ground; the crossing is at the second end.
        let polygon = after.filter(|_| before != after)?;
        let crossing = match graph.origin(sample) {
            Origin::Portal(portal) => Self::Portal(portal),
            Origin::LinkEnd(link, end) => Self::Link(link, 1 - end as u8),
        };
        Some((crossing, polygon))
    }
}
