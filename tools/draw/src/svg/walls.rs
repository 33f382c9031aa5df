//! Walls: the parts of polygon borders without a portal.

use glam::Vec3;
use portolan_core::geometry::{distance_squared_xz, lerp, nearest_fraction};
use portolan_core::{Csr, NavMesh, PolygonId, PortalId};

/// The minimum length of a wall. Shorter ones are rounding errors of borders that do not match exactly.
/// [Units: m]
const MIN_LENGTH: f32 = 0.02;

/// Finds the walls of the polygons of a navmesh.
pub(super) struct Walls<'a> {
    mesh: &'a NavMesh,
    portals_of: Csr<u32>,
}

impl<'a> Walls<'a> {
    pub(super) fn new(mesh: &'a NavMesh) -> Self {
        let pairs = mesh.portals().iter().zip(0..).flat_map(|(portal, id)| {
            let [a, b] = portal.polygons;
            [(a.0, id), (b.0, id)]
        });
        let portals_of = Csr::group(mesh.polygon_count(), &pairs.collect::<Vec<_>>());
        Self { mesh, portals_of }
    }

    /// Returns the parts of a polygon's borders that are closed.
    pub(super) fn of(&self, polygon: PolygonId) -> Vec<[Vec3; 2]> {
        let borders: Vec<[Vec3; 2]> = self.mesh.borders(polygon).collect();
        let mut open: Vec<Vec<[f64; 2]>> = vec![Vec::new(); borders.len()];
        for &portal in self.portals_of.get(polygon.index()) {
            let portal = self.mesh.portal(PortalId(portal));
            let midpoint = portal.midpoint();
            let distance = |[a, b]: [Vec3; 2]| {
                distance_squared_xz(midpoint, lerp(a, b, nearest_fraction(a, b, midpoint)))
            };
            let nearest = (0..borders.len())
                .min_by(|&i, &j| distance(borders[i]).total_cmp(&distance(borders[j])));
            let Some(border) = nearest else { continue };
            let [a, b] = borders[border];
            let [s, t] = [portal.left, portal.right].map(|end| nearest_fraction(a, b, end));
            open[border].push([s.min(t), s.max(t)]);
        }
        let mut walls = Vec::new();
        for ([a, b], mut open) in borders.into_iter().zip(open) {
            open.sort_by(|s, t| s[0].total_cmp(&t[0]));
            open.push([1.0, 1.0]);
            let mut from = 0.0;
            for [start, end] in open {
                let wall = [lerp(a, b, from), lerp(a, b, f64::max(start, from))];
                if wall[0].distance(wall[1]) >= MIN_LENGTH {
                    walls.push(wall);
                }
                from = f64::max(from, end);
            }
        }
        walls
    }
}
