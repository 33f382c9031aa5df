//! Random locations on a mesh.

use glam::Vec3;
use portolan_core::{Location, NavMesh, PolygonId};

use crate::CaseRng;

impl CaseRng {
    /// Draws a location on a polygon: a third each inside it, at a corner or an end of a portal, and on a border. Rounding
    /// may move it outside the polygon.
    pub fn location_on(&mut self, mesh: &NavMesh, polygon: PolygonId) -> Location {
        let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
        let i = self.below(corners.len());
        let portals = mesh.portals_of(polygon);
        let point = match self.below(9) {
            0 if !portals.is_empty() => {
                let portal = mesh.portal(portals[self.below(portals.len())]);
                [portal.right, portal.left][self.below(2)]
            }
            0..=2 => corners[i],
            3..=5 => corners[i].lerp(corners[(i + 1) % corners.len()], self.between(0.0, 1.0)),
            _ => {
                let weights: Vec<f32> = corners.iter().map(|_| self.between(0.01, 1.0)).collect();
                let sum: f32 = weights.iter().sum();
                let points = corners.iter().zip(&weights);
                points.map(|(point, weight)| point * (weight / sum)).sum()
            }
        };
        Location { polygon, point }
    }

    /// Draws a location on any polygon, as [`location_on`](Self::location_on) does.
    pub fn location(&mut self, mesh: &NavMesh) -> Location {
        let polygon = self.polygon(mesh);
        self.location_on(mesh, polygon)
    }
}
