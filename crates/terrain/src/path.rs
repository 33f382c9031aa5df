//! The path that a query finds.

use glam::Vec3;

use super::{LowGraph, TerrainEndpoints, TriangleWeb};

/// A path over a terrain. A query overwrites it and reuses its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainPath {
    /// The sum of the traversal prices of all crossings.
    pub cost: f64,
    /// The triangles from start to goal, both included.
    pub triangles: Vec<u32>,
    /// The polyline along the triangles: the start, the midpoint of each crossed edge, and the goal. It lies on
    /// the ground. The cost does not depend on it.
    pub points: Vec<Vec3>,
}

impl TerrainPath {
    /// Makes the path empty.
    pub fn clear(&mut self) {
        self.cost = 0.0;
        self.triangles.clear();
        self.points.clear();
    }

    /// Returns the length of the polyline in space.
    pub fn length(&self) -> f64 {
        self.legs().map(|[a, b]| a.distance(b)).sum()
    }

    /// Returns the total ascent of the polyline.
    pub fn ascent(&self) -> f64 {
        self.legs().map(|[a, b]| (b.z - a.z).max(0.0)).sum()
    }

    /// Returns the total descent of the polyline, as a positive number.
    pub fn descent(&self) -> f64 {
        self.legs().map(|[a, b]| (a.z - b.z).max(0.0)).sum()
    }

    fn legs(&self) -> impl Iterator<Item = [glam::DVec3; 2]> {
        self.points
            .windows(2)
            .map(|pair| [pair[0].as_dvec3(), pair[1].as_dvec3()])
    }

    /// Computes the points from the triangles.
    pub(super) fn set_points(
        &mut self,
        web: &TriangleWeb,
        graph: &LowGraph,
        ends: &TerrainEndpoints,
    ) {
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
