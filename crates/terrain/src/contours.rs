//! Triangulation along contour lines, the last idea of the terrain thesis (its chapter 10): edges of triangles that are
//! in conflict with contour lines make meshes ragged, so every contour line becomes a line of edges.
//!
//! A web is cut at evenly spaced heights. The surface stays the same, except that points which are nearly at one of these
//! heights are moved there, because the cut would leave slivers between the point and the line.

use std::collections::HashMap;

use glam::Vec3;

use super::web::MAX_TRIANGLES;
use super::{TerrainError, TriangleWeb};

/// Points within this fraction of the interval from a contour line are moved to it.
const SNAP: f32 = 0.15;

/// The maximum number of contour lines between the lowest and the highest point.
const MAX_LINES: f64 = 10_000.0;

impl TriangleWeb {
    /// Cuts every triangle at the contour lines with a vertical `interval`, counted from the lowest point. Afterwards, no
    /// edge crosses a contour line. Parts of a triangle keep its difficulty. Heights change by at most 15% of the
    /// interval.
    ///
    /// ```
    /// use portolan_terrain::{HeightMap, WebOptions};
    ///
    /// // A slope of three rows.
    /// let heights = vec![1.0, 1.0, 0.5, 0.5, 0.0, 0.0];
    /// let web = HeightMap::new(2, 3, heights)?.triangulate(&WebOptions::default(), None)?;
    /// let contours = web.with_contours(0.25)?;
    /// assert_eq!((web.len(), contours.len()), (4, 12));
    /// # Ok::<(), portolan_terrain::TerrainError>(())
    /// ```
    pub fn with_contours(&self, interval: f32) -> Result<Self, TerrainError> {
        let extent = self.extent();
        let height = f64::from(extent.max.z) - f64::from(extent.min.z);
        let is_valid = interval > 0.0 && height / f64::from(interval) <= MAX_LINES;
        if !is_valid {
            return Err(TerrainError::ContourInterval {
                interval,
                height: height as f32,
            });
        }
        let lines = ContourLines {
            base: extent.min.z.into(),
            interval: interval.into(),
        };
        let mut cut = CutWeb {
            points: lines.snapped(self),
            lines,
            crossings: HashMap::new(),
            triangles: Vec::new(),
            difficulty: Vec::new(),
        };
        for triangle in 0..self.len() {
            cut.add(self.triangles()[triangle], self.difficulty()[triangle]);
            if cut.triangles.len() > MAX_TRIANGLES {
                return Err(TerrainError::TooMany(cut.triangles.len()));
            }
        }
        Self::new(cut.points, cut.triangles, cut.difficulty)
    }
}

/// The heights of contour lines.
#[derive(Clone, Copy, Debug)]
struct ContourLines {
    base: f64,
    interval: f64,
}

impl ContourLines {
    fn height(&self, line: i64) -> f32 {
        (self.base + line as f64 * self.interval) as f32
    }

    /// Returns the heights of the lines strictly between two heights, in ascending order.
    fn between(&self, low: f32, high: f32) -> impl Iterator<Item = f32> {
        let line = |height: f32| ((f64::from(height) - self.base) / self.interval).floor() as i64;
        // One more at both ends, because the division rounds.
        let lines = line(low) - 1..=line(high) + 1;
        let heights = lines.map(|line| self.height(line));
        heights.filter(move |&height| low < height && height < high)
    }

    /// Returns the points of a web, those that are nearly on a line moved to it.
    fn snapped(&self, web: &TriangleWeb) -> Vec<Vec3> {
        let snap = |point: &Vec3| {
            let line = ((f64::from(point.z) - self.base) / self.interval).round() as i64;
            let height = self.height(line);
            let is_near = (point.z - height).abs() < SNAP * self.interval as f32;
            point
                .truncate()
                .extend(if is_near { height } else { point.z })
        };
        let mut points: Vec<Vec3> = web.points().iter().map(snap).collect();
        // Corners of a wall, one above the other, must not fall together.
        for corners in web.triangles() {
            let [a, b, c] = corners.map(|corner| points[corner as usize]);
            if a == b || b == c || c == a {
                for &corner in corners {
                    points[corner as usize] = web.points()[corner as usize];
                }
            }
        }
        points
    }
}

/// A web that is being cut.
struct CutWeb {
    lines: ContourLines,
    points: Vec<Vec3>,
    /// Per edge, the lower point first, its points on contour lines in ascending order.
    crossings: HashMap<[u32; 2], Vec<u32>>,
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
}

impl CutWeb {
    fn z(&self, point: u32) -> f32 {
        self.points[point as usize].z
    }

    /// Adds the parts of a triangle.
    fn add(&mut self, corners: [u32; 3], difficulty: f32) {
        let mut sorted = corners;
        sorted.sort_by(|&a, &b| self.z(a).total_cmp(&self.z(b)).then(a.cmp(&b)));
        let [low, middle, high] = sorted;
        let cuts: Vec<f32> = self.lines.between(self.z(low), self.z(high)).collect();
        if cuts.is_empty() {
            self.triangles.push(corners);
            self.difficulty.push(difficulty);
            return;
        }
        // The two chains of points from the lowest corner to the highest.
        let mut long = vec![low];
        long.extend(self.edge_points(low, high));
        long.push(high);
        let mut bent = vec![low];
        bent.extend(self.edge_points(low, middle));
        bent.push(middle);
        bent.extend(self.edge_points(middle, high));
        bent.push(high);
        let normal = self.normal(corners);
        let mut bottom = self.z(low);
        for top in cuts.into_iter().chain([self.z(high)]) {
            let is_within = |&&point: &&u32| (bottom..=top).contains(&self.z(point));
            let mut strip: Vec<u32> = long.iter().filter(is_within).copied().collect();
            strip.extend(bent.iter().rev().filter(is_within));
            // The chains share their ends.
            strip.dedup();
            if strip.first() == strip.last() {
                strip.pop();
            }
            self.add_strip(&strip, normal, difficulty);
            bottom = top;
        }
    }

    /// Returns the points on contour lines of an edge from `low` to `high`, and creates them when they are needed for the
    /// first time.
    fn edge_points(&mut self, low: u32, high: u32) -> Vec<u32> {
        let [from, to] = [low, high].map(|point| self.points[point as usize]);
        if from.z >= to.z {
            return Vec::new();
        }
        if let Some(known) = self.crossings.get(&[low, high]) {
            return known.clone();
        }
        let created = self.lines.between(from.z, to.z).map(|height| {
            let [from, to] = [from.as_dvec3(), to.as_dvec3()];
            let fraction = (f64::from(height) - from.z) / (to.z - from.z);
            from.lerp(to, fraction).truncate().as_vec2().extend(height)
        });
        let created: Vec<Vec3> = created.collect();
        let first = self.points.len() as u32;
        let ids: Vec<u32> = (first..).take(created.len()).collect();
        self.points.extend(created);
        self.crossings.insert([low, high], ids.clone());
        ids
    }

    fn normal(&self, corners: [u32; 3]) -> glam::DVec3 {
        let [a, b, c] = corners.map(|corner| self.points[corner as usize].as_dvec3());
        (b - a).cross(c - a)
    }

    /// Adds the triangles of a convex polygon: the fan whose smallest triangle is as large as possible.
    fn add_strip(&mut self, strip: &[u32], normal: glam::DVec3, difficulty: f32) {
        let fan = |apex: usize| {
            let at = move |step: usize| strip[(apex + step) % strip.len()];
            (1..strip.len() - 1).map(move |step| [at(0), at(step), at(step + 1)])
        };
        let smallest = |&apex: &usize| {
            let areas = fan(apex).map(|triangle| self.normal(triangle).length());
            areas.fold(f64::INFINITY, f64::min)
        };
        let best = (0..strip.len()).reduce(|best, apex| match smallest(&apex) > smallest(&best) {
            true => apex,
            false => best,
        });
        let fan: Vec<[u32; 3]> = best.map_or(Vec::new(), |apex| fan(apex).collect());
        for [a, b, c] in fan {
            // Parts have the orientation of the whole.
            let is_same = self.normal([a, b, c]).dot(normal) >= 0.0;
            self.triangles
                .push(if is_same { [a, b, c] } else { [a, c, b] });
            self.difficulty.push(difficulty);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NO_TRIANGLE;
    use proptest::prelude::*;

    fn area(web: &TriangleWeb, triangle: u32) -> f64 {
        let [a, b, c] = web
            .corners(triangle)
            .map(|corner| corner.as_dvec3().truncate());
        (b - a).perp_dot(c - a) / 2.0
    }

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        #[test]
        fn edges_do_not_cross_contour_lines_and_the_ground_stays(
            plan in portolan_oracle::ground::plans(), lines in 0.3f32..20.0,
        ) {
            // `plan` uses the types of the library that the tests are linked with, so the web is made again.
            let web = plan.web();
            let web = TriangleWeb::new(web.points().to_vec(), web.triangles().to_vec(), web.difficulty().to_vec()).unwrap();
            let interval = (web.extent().size().z / lines).max(0.01);
            let cut = web.with_contours(interval).unwrap();
            let base = web.extent().min.z;
            for triangle in 0..cut.len() as u32 {
                let heights = cut.corners(triangle).map(|corner| (corner.z - base) / interval);
                let [low, high] = [heights.iter().copied().fold(f32::INFINITY, f32::min), heights.iter().copied().fold(0.0, f32::max)];
                prop_assert!((low + 1e-3).floor() + 1.0 >= high - 1e-3, "{heights:?}");
                prop_assert!(area(&cut, triangle) >= -1e-9);
            }
            let sum = |web: &TriangleWeb| (0..web.len() as u32).map(|triangle| area(web, triangle)).sum::<f64>();
            prop_assert!((sum(&web) - sum(&cut)).abs() < 1e-3 * sum(&web));
            let rim = |web: &TriangleWeb| {
                let edges = (0..web.len() as u32).flat_map(|triangle| (0..3).map(move |edge| (triangle, edge)));
                let rim = edges.filter(|&(triangle, edge)| web.neighbours()[triangle as usize][edge] == NO_TRIANGLE);
                let length = rim.map(|(triangle, edge)| {
                    let corners = web.corners(triangle);
                    f64::from(corners[edge].truncate().distance(corners[(edge + 1) % 3].truncate()))
                });
                length.sum::<f64>()
            };
            // No gaps: the rim is as long as before.
            prop_assert!((rim(&web) - rim(&cut)).abs() < 1e-3 * rim(&web).max(1.0));
            let highest = cut.points().iter().zip(web.points()).map(|(a, b)| (a.z - b.z).abs());
            prop_assert!(highest.fold(0.0, f32::max) <= SNAP * interval * 1.01);
        }
    }

    #[test]
    fn an_invalid_interval_is_an_error() {
        let points = vec![
            Vec3::ZERO,
            glam::vec3(1.0, 0.0, 1.0),
            glam::vec3(0.0, 1.0, 2.0),
        ];
        let web = TriangleWeb::new(points, vec![[0, 1, 2]], vec![0.5]).unwrap();
        for wrong in [0.0, -1.0, f32::NAN, 1e-5] {
            assert!(web.with_contours(wrong).is_err(), "{wrong}");
        }
        assert_eq!(web.with_contours(5.0).unwrap().len(), 1);
        let cut = web.with_contours(1.0).unwrap();
        assert_eq!((cut.len(), cut.difficulty()), (2, &[0.5; 2][..]));
    }
}
