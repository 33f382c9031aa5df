//! The polygons of a path and the crossings between them.

use std::ops::Range;

use glam::Vec3;

use super::directed::DirectedPortal;
use crate::graph::{DirectedSample, NO_PORTAL, Origin, PortalGraph, SampleSide};
use crate::ids::{LinkId, PolygonId, PortalId};
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

    /// Sets `portals` to the crossings from index `first` to the next link or to the end. Returns that link and the
    /// end at which it is entered.
    pub(super) fn portals_from(
        &self,
        mesh: &NavMesh,
        first: usize,
        portals: &mut Vec<DirectedPortal>,
    ) -> Option<(LinkId, usize)> {
        portals.clear();
        let mut link = None;
        let steps = self.crossings[first..].iter().zip(&self.polygons[first..]);
        portals.extend(steps.map_while(|(&crossing, &from)| match crossing {
            Crossing::Portal(portal) => Some(DirectedPortal::new(mesh, portal, from)),
            Crossing::Link(id, end) => {
                link = Some((id, usize::from(end)));
                None
            }
        }));
        link
    }

    /// Replaces a range of crossings, none of which is a link.
    pub(super) fn replace_portals(
        &mut self,
        mesh: &NavMesh,
        range: Range<usize>,
        portals: &[DirectedPortal],
    ) {
        let entered = portals.iter().map(|crossing| crossing.to(mesh));
        self.polygons
            .splice(range.start + 1..range.end + 1, entered);
        let crossings = portals.iter().map(|crossing| crossing.portal());
        self.crossings
            .splice(range, crossings.map(Crossing::Portal));
    }

    /// Sets the corridor to that of a trail from the polygon `start` to the polygon `goal`.
    pub(crate) fn follow(
        &mut self,
        graph: &PortalGraph,
        trail: &[DirectedSample],
        ends: [PolygonId; 2],
    ) {
        self.follow_trail(graph, trail, ends, |_| false);
    }

    /// Sets the corridor to that of a trail of a taut tier, without backtracking. Taut shortcuts can be
    /// joined so that the trail crosses a portal and returns at once; both crossings are removed. They are
    /// kept if the ground beyond the portal is cheaper, because a cheapest path may walk along the portal
    /// there.
    pub(crate) fn follow_taut(
        &mut self,
        graph: &PortalGraph,
        trail: &[DirectedSample],
        ends: [PolygonId; 2],
        factor: impl Fn(PolygonId) -> f32,
    ) {
        let is_no_cheaper = |[beyond, here]: [PolygonId; 2]| factor(beyond) >= factor(here);
        self.follow_trail(graph, trail, ends, is_no_cheaper);
    }

    /// Sets the corridor to that of a trail. Where the trail crosses a portal and returns at once,
    /// `is_detour` decides whether both crossings are removed. Its argument is the polygon beyond the portal and the
    /// one that the trail returns to.
    #[inline]
    fn follow_trail(
        &mut self,
        graph: &PortalGraph,
        trail: &[DirectedSample],
        [start, goal]: [PolygonId; 2],
        is_detour: impl Fn([PolygonId; 2]) -> bool,
    ) {
        // Every step of the trail adds at most one polygon and one crossing. Writing by index and truncating is
        // cheaper than pushing.
        self.polygons.resize(trail.len() + 1, start);
        self.crossings
            .resize(trail.len(), Crossing::Portal(PortalId(0)));
        let (mut here, mut count) = (start, 0);
        let mut arrivals = trail.iter().map(|&step| graph.arrival(step));
        let mut next = arrivals.next();
        while let Some(arrival) = next {
            next = arrivals.next();
            let after = next.map_or(goal, |next| next.polygon);
            if !arrival.is_crossed_to(after) {
                continue;
            }
            let crossing = match arrival.portal {
                NO_PORTAL => Crossing::of(graph.origin(arrival.sample)),
                portal => Crossing::Portal(portal),
            };
            let last = self.crossings[..count].last();
            if last.is_some_and(|last| last.is_undone_by(crossing)) && is_detour([here, after]) {
                count -= 1;
            } else {
                self.crossings[count] = crossing;
                self.polygons[count] = here;
                count += 1;
            }
            here = after;
        }
        self.polygons[count] = here;
        self.polygons.truncate(count + 1);
        self.crossings.truncate(count);
    }

    /// Returns the crossings of a trail that ends in `goal`, each with the polygon that it enters.
    pub(crate) fn crossings_of(
        graph: &PortalGraph,
        trail: &[DirectedSample],
        goal: PolygonId,
    ) -> impl Iterator<Item = (Crossing, PolygonId)> {
        let mut arrivals = trail.iter().map(|&step| graph.arrival(step));
        let mut next = arrivals.next();
        std::iter::from_fn(move || {
            loop {
                let arrival = next?;
                next = arrivals.next();
                let after = next.map_or(goal, |next| next.polygon);
                if arrival.is_crossed_to(after) {
                    return Some((Crossing::of(graph.origin(arrival.sample)), after));
                }
            }
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
        let SampleSide::Polygon(after) = leaves_through else {
            return None;
        };
        let is_crossing = graph.arrival(step).is_crossed_to(after);
        is_crossing.then(|| (Self::of(graph.origin(step.sample())), after))
    }

    /// Returns the crossing at a sample of a portal or at the second end of a link.
    fn of(origin: Origin) -> Self {
        match origin {
            Origin::Portal(portal) => Self::Portal(portal),
            Origin::LinkEnd(link, end) => Self::Link(link, 1 - end as u8),
        }
    }
}
