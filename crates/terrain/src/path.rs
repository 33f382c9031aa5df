//! The path that a query finds.

use glam::{DVec3, Vec3};

use super::TerrainEndpoints;
use super::ground::Ground;
use super::strip::Strip;
use super::walking::Walking;

/// A path over a terrain. A query overwrites it and reuses its memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainPath {
    /// The sum of the traversal prices of all crossings, from centre to centre.
    pub cost: f64,
    /// The triangles from start to goal, both included, that the search has found.
    pub triangles: Vec<u32>,
    /// The line that the path walks over: the start, the points where it crosses edges, and the goal. It lies on the
    /// ground. It can leave the [`triangles`](Self::triangles): see [`line_triangles`](Self::line_triangles).
    pub points: Vec<Vec3>,
    /// The triangle of each leg between two points.
    pub line_triangles: Vec<u32>,
    /// The price of the line. It is infinite if the line has a leg that is too steep.
    pub line_cost: f64,
    /// The time to walk along the line. It is that of the price if the price is a time, and otherwise that of Tobler's
    /// model, without regard to difficulty. [Units: s]
    pub time: f64,
}

impl TerrainPath {
    /// Makes the path empty.
    pub fn clear(&mut self) {
        self.cost = 0.0;
        self.triangles.clear();
        self.points.clear();
        self.line_triangles.clear();
        self.line_cost = 0.0;
        self.time = 0.0;
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

    fn legs(&self) -> impl Iterator<Item = [DVec3; 2]> {
        self.points
            .windows(2)
            .map(|pair| [pair[0].as_dvec3(), pair[1].as_dvec3()])
    }

    /// Sets points, triangles, price and time from a line.
    pub(super) fn set_line(&mut self, ground: Ground<'_>, strip: &Strip, ends: &TerrainEndpoints) {
        self.points.clear();
        self.line_triangles.clear();
        self.points.push(ends.start.point);
        // A line that turns around a corner crosses several edges there.
        for (crossing, &triangle) in strip.crossings.iter().zip(&strip.triangles) {
            let point = crossing.point.as_vec3();
            if self.points.last() != Some(&point) {
                self.points.push(point);
                self.line_triangles.push(triangle);
            }
        }
        self.points.push(ends.goal.point);
        self.line_triangles.extend(strip.triangles.last());
        self.line_cost = strip.cost();
        let price = ground.graph.price();
        self.time = match price.distances.walking() {
            Some(Walking::Tobler | Walking::Naismith) => self.line_cost,
            _ => {
                let times = self.legs().map(|[a, b]| {
                    let vector = b - a;
                    Walking::Tobler.cost(vector.truncate().length(), vector.z)
                });
                times.sum()
            }
        };
    }
}
