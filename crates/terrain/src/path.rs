//! What a query finds.

use glam::Vec3;

use super::{LowGraph, TerrainEndpoints, TriangleWeb};

/// A path over the ground. A query overwrites it; its memory is used again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainPath {
    /// What it costs, crossing by crossing.
    pub cost: f64,
    /// The triangles from start to goal.
    pub triangles: Vec<u32>,
    /// The line along them: the start, the middle of each edge that is crossed, the goal. It lies on the
    /// ground. Costs do not depend on it.
    pub points: Vec<Vec3>,
}

impl TerrainPath {
    /// Removes everything.
    pub fn clear(&mut self) {
        self.cost = 0.0;
        self.triangles.clear();
        self.points.clear();
    }

    /// The length of the line in space.
    pub fn length(&self) -> f64 {
        self.legs().map(|[a, b]| a.distance(b)).sum()
    }

    /// How far the line climbs, all climbs together.
    pub fn ascent(&self) -> f64 {
        self.legs().map(|[a, b]| (b.z - a.z).max(0.0)).sum()
    }

    /// How far the line descends, all descents together.
    pub fn descent(&self) -> f64 {
        self.legs().map(|[a, b]| (a.z - b.z).max(0.0)).sum()
    }

    fn legs(&self) -> impl Iterator<Item = [glam::DVec3; 2]> {
        self.points
            .windows(2)
            .map(|pair| [pair[0].as_dvec3(), pair[1].as_dvec3()])
    }

    /// Lays the line along the triangles.
    pub(super) fn lay(&mut self, web: &TriangleWeb, graph: &LowGraph, ends: &TerrainEndpoints) {
        self.points.clear();
        self.points.push(ends.start.point);
        let crossings = self.triangles.windows(2);
        self.points.extend(crossings.filter_map(|pair| {
            let edge = graph.edge(pair[0], pair[1])?;
            let corners = web.corners(pair[0]);
            Some(corners[edge].midpoint(corners[(edge + 1) % 3]))
        }));
        self.points.push(ends.goal.point);
    }
}
