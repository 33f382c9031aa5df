//! The price of a straight leg over the ground, which does not depend on the centres of triangles.
//!
//! A leg within one triangle costs the base of its vector times the final multiplier of the crossing by which the path
//! has entered the triangle. These are the two factors of the price of a crossing (see [`Price`]): only the
//! distance between two boxes is replaced by the vector of the leg, and the midpoint of the common edge by the point where
//! the path crosses it. In the triangle of the start, both sides of the multiplier are that triangle.

use glam::DVec3;

use super::low::surface_of;
use super::{LowGraph, NO_TRIANGLE, Price, TriangleWeb};

/// The ground, and what it costs to walk on it.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) web: &'a TriangleWeb,
    pub(super) graph: &'a LowGraph,
}

impl Price {
    /// Returns the base of a leg with this vector. It is infinite if the leg is too steep.
    #[inline]
    pub(super) fn leg(&self, vector: DVec3) -> f64 {
        let (run, rise) = (vector.truncate().length(), vector.z);
        if !self.allows(run, rise) {
            return f64::INFINITY;
        }
        match self.distances.walking() {
            Some(walking) => walking.cost(run, rise),
            None => {
                let sideways = f64::from(self.sideways);
                let height = if rise > 0.0 { self.up } else { self.down };
                let scale = DVec3::new(
                    sideways,
                    sideways * f64::from(self.y_factor),
                    f64::from(height),
                );
                (vector * scale).length()
            }
        }
    }
}

impl Ground<'_> {
    /// Returns the price of a straight leg within a triangle with this final multiplier.
    #[inline]
    pub(super) fn leg(&self, multiplier: f64, from: DVec3, to: DVec3) -> f64 {
        self.graph.price.leg(to - from) * multiplier
    }

    /// Returns the final multiplier of legs in a triangle that is entered from the triangle `before`, or in which the path
    /// starts if that is [`NO_TRIANGLE`].
    pub(super) fn multiplier(&self, before: u32, triangle: u32) -> f64 {
        let price = &self.graph.price;
        if price.distances.walking().is_some() {
            let difficulty = self.web.difficulty()[triangle as usize];
            return f64::from(1.0 + price.difficulty * difficulty);
        }
        let to = surface_of(self.web, triangle);
        let from = match before {
            NO_TRIANGLE => to,
            before => surface_of(self.web, before),
        };
        f64::from(price.multiplier(&from, &to))
    }

    pub(super) fn point(&self, id: u32) -> DVec3 {
        self.web.points()[id as usize].as_dvec3()
    }

    pub(super) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.web.triangles()[triangle as usize].map(|id| self.point(id))
    }

    /// Returns the two points at the ends of an edge.
    #[inline]
    pub(super) fn edge_ends(&self, triangle: u32, edge: usize) -> [u32; 2] {
        let corners = self.web.triangles()[triangle as usize];
        [corners[edge], corners[(edge + 1) % 3]]
    }

    /// Returns the neighbour beyond an edge, and which of its edges that is. Returns `None` at the rim.
    #[inline]
    pub(super) fn beyond(&self, triangle: u32, edge: usize) -> Option<(u32, usize)> {
        let next = self.web.neighbours()[triangle as usize][edge];
        if next == NO_TRIANGLE {
            return None;
        }
        let [a, b] = self.edge_ends(triangle, edge);
        let is_same = |&other: &usize| {
            let ends = self.edge_ends(next, other);
            ends == [a, b] || ends == [b, a]
        };
        Some((next, (0..3).find(is_same)?))
    }
}
