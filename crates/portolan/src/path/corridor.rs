//! The polygons of a path and how one leads to the next.

use crate::graph::{Origin, PortalGraph, Side, Step};
use crate::ids::{LinkId, PolygonId, PortalId};
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

    /// Follows a trail of samples from `start` to `goal`.
    ///
    /// A sample that the trail touches without passing to its other side (sums of rounded lengths
    /// can make such a detour look free) is no crossing.
    pub(crate) fn follow(
        &mut self,
        graph: &PortalGraph,
        trail: &[Step],
        start: PolygonId,
        goal: PolygonId,
    ) {
        self.clear();
        self.polygons.push(start);
        for (i, step) in trail.iter().enumerate() {
            let came_through = |step: Step| graph.side(step.sample(), 1 - step.onward());
            let leaves_through = match trail.get(i + 1) {
                Some(&next) => came_through(next),
                None => Side::Polygon(goal),
            };
            if leaves_through == came_through(*step) {
                continue;
            }
            let crossing = match graph.origin(step.sample()) {
                Origin::Portal(portal) => Crossing::Portal(portal),
                // Where a link begins, the trail only leaves the ground; its other end crosses.
                Origin::LinkEnd(..) if matches!(leaves_through, Side::Link(..)) => continue,
                Origin::LinkEnd(link, end) => Crossing::Link(link, 1 - end as u8),
            };
            if let Side::Polygon(polygon) = leaves_through {
                self.crossings.push(crossing);
                self.polygons.push(polygon);
            }
        }
    }
}
