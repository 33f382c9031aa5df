//! Carries a corridor over to ground of another shape: see [`LiveWorld::replace`](crate::LiveWorld::replace).

use super::Follower;
use super::merge::crossing_between;
use crate::DEFAULT_SNAP;
use crate::ids::PolygonId;
use crate::navmesh::{Location, NavMesh};
use crate::path::Crossing;
use crate::probe::Probe;

impl Follower {
    /// Finds the crossings of the corridor again if polygons of the mesh were replaced since. Where that is impossible, the
    /// corridor ends and the agent [needs a path](Self::needs_path). An agent whose own polygon is gone is put on the nearest
    /// open ground.
    #[inline]
    pub(super) fn carry_over(&mut self, probe: &Probe<'_>) {
        if self.topology != probe.mesh().topology() {
            self.find_crossings(probe);
        }
    }

    #[cold]
    fn find_crossings(&mut self, probe: &Probe<'_>) {
        let mesh = probe.mesh();
        self.topology = mesh.topology();
        let Some([here, goal]) = self.ends else {
            return;
        };
        if !is_present(mesh, here.polygon) {
            let nearest = mesh.locate(here.point, DEFAULT_SNAP, |polygon| probe.is_open(polygon));
            self.cut_at(0);
            self.ends = nearest.map(|nearest| [nearest, goal]);
            match nearest {
                Some(Location { polygon, .. }) => self.polygons[0] = polygon,
                None => self.polygons.clear(),
            }
            return;
        }
        for index in 0..self.crossings.len() {
            let [from, to] = [self.polygons[index], self.polygons[index + 1]];
            let found = match self.crossings[index] {
                Crossing::Link(link, side) => {
                    let exists = link.index() < mesh.links().len() && !mesh.is_link_gone(link);
                    exists.then_some(Crossing::Link(link, side))
                }
                Crossing::Portal(_) => {
                    let are_present = is_present(mesh, from) && is_present(mesh, to);
                    let are_joined = are_present && is_joined(mesh, [from, to]);
                    are_joined.then(|| crossing_between(mesh, [from, to], here.point))
                }
            };
            match found {
                Some(crossing) => self.crossings[index] = crossing,
                None => return self.cut_at(index),
            }
        }
    }

    /// Ends the corridor at a polygon.
    fn cut_at(&mut self, index: usize) {
        self.polygons.truncate(index + 1);
        self.crossings.truncate(index);
        self.astray = self.astray.min(index);
        self.is_lost = true;
    }
}

/// Returns whether a polygon is certainly the one that it was before the mesh got its present shape. The id of a piece
/// of a polygon around an obstacle may be that of a new polygon now, and new polygons have changed since.
fn is_present(mesh: &NavMesh, polygon: PolygonId) -> bool {
    polygon.index() < mesh.polygon_count()
        && !mesh.is_gone(polygon)
        && mesh.changed_in(polygon) < mesh.topology()
}

fn is_joined(mesh: &NavMesh, [from, to]: [PolygonId; 2]) -> bool {
    let portals = mesh.portals_of(from).iter();
    portals
        .map(|&portal| mesh.portal(portal).beyond(from))
        .any(|beyond| beyond == to)
}
