//! Random points, evenly distributed over the ground.

use glam::{DVec2, Vec3};
use oorandom::Rand64;

use super::line::in_plan;
use super::{Probe, ProbeScratch};
use crate::geometry::distance_squared_xz;
use crate::ids::PolygonId;
use crate::navmesh::Location;

/// How often [`RandomPoints::within`] tries to hit the circle. It hits at least with every other try, unless the
/// ground in the circle is a sliver and most of the ground around it is just outside.
const MAX_TRIES: usize = 1000;

/// Random locations on the ground that is open to an agent. Each part of the ground is as likely as any other of
/// the same size in plan, whatever the sizes of polygons. Equal seeds give equal locations on every platform.
///
/// Building this takes one pass over the mesh. A location takes a bisection.
///
/// ```
/// use portolan_core::{NavMeshOptions, RandomPoints, World};
///
/// let raw = portolan_scenes::WorldScene::Rooms.build(&Default::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mut random = RandomPoints::new(world.probe(), 7);
/// let start = random.anywhere().expect("some ground is open");
/// let goal = random.reachable(start).expect("the start is open");
/// assert!(world.probe().is_reachable(start, goal));
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandomPoints<'a> {
    probe: Probe<'a>,
    /// The open polygons, sorted by the group of polygons that are reachable from one another.
    polygons: Vec<PolygonId>,
    /// Per open polygon, the sum of the areas before it; then the sum of all. [Units: m²]
    areas: Vec<f64>,
    /// Per group, the index of its first polygon; then the number of polygons.
    groups: Vec<u32>,
    /// A generator with 53 random bits per number: 24 bits would leave gaps on a large mesh.
    random: Rand64,
}

/// Parts of polygons inside a square.
#[derive(Clone, Debug, Default)]
pub(super) struct ClippedPolygons {
    /// Per polygon, the sum of the areas of the parts up to and including its own. [Units: m²]
    areas: Vec<f64>,
    outline: Vec<DVec2>,
    /// The outline before the last cut.
    uncut: Vec<DVec2>,
}

impl<'a> RandomPoints<'a> {
    /// Creates a generator.
    pub fn new(probe: Probe<'a>, seed: u64) -> Self {
        let (mesh, islands) = (probe.mesh(), probe.islands());
        let group = |polygon| Some((islands.group(mesh, polygon)?, polygon));
        let mut polygons: Vec<(u32, PolygonId)> = mesh.walkable().filter_map(group).collect();
        polygons.sort_unstable();
        let mut groups = vec![0; islands.group_count() + 1];
        let mut areas = Vec::with_capacity(polygons.len() + 1);
        let mut sum = 0.0;
        areas.push(sum);
        for &(group, polygon) in &polygons {
            groups[group as usize + 1] += 1;
            sum += mesh.polygon_area(polygon);
            areas.push(sum);
        }
        for group in 1..groups.len() {
            groups[group] += groups[group - 1];
        }
        Self {
            probe,
            polygons: polygons.into_iter().map(|(_, polygon)| polygon).collect(),
            areas,
            groups,
            random: Rand64::new(u128::from(seed)),
        }
    }

    /// Draws a location from all open ground; `None` if there is none.
    pub fn anywhere(&mut self) -> Option<Location> {
        let all = 0..self.polygons.len();
        let target = self.random.rand_float() * self.areas.last()?;
        self.location(all, target)
    }

    /// Draws a location from the ground that is reachable from a location; `None` if the polygon of that location is
    /// closed.
    pub fn reachable(&mut self, from: Location) -> Option<Location> {
        let islands = self.probe.islands();
        let group = islands.group(self.probe.mesh(), from.polygon)?;
        let range = |group: u32| {
            let [first, end] = [0, 1].map(|next| self.groups[group as usize + next] as usize);
            (first..end, self.areas[end] - self.areas[first])
        };
        let mut total = 0.0;
        islands.for_each_reached(group, |group, _| total += range(group).1);
        let mut target = self.random.rand_float() * total;
        let mut chosen = None;
        islands.for_each_reached(group, |group, _| {
            let (polygons, area) = range(group);
            if target >= 0.0 {
                chosen = Some((polygons.clone(), self.areas[polygons.start] + target));
            }
            target -= area;
        });
        let (polygons, target) = chosen?;
        self.location(polygons, target)
    }

    /// Draws a location from the ground inside a circle in plan: from those parts of the
    /// [polygons within the circle](Probe::polygons_within) that are in it. [Units: m] Returns `None` if `at` is not
    /// finite or the radius is negative or not a number. Time is in proportion to these polygons.
    ///
    /// The polygons are clipped by the square around the circle, and a point outside the circle is drawn again. If
    /// that does not succeed within 1000 tries, because hardly any of the ground in the square is in the circle,
    /// `at` is returned.
    pub fn within(
        &mut self,
        at: Location,
        radius: f32,
        scratch: &mut ProbeScratch,
    ) -> Option<Location> {
        if !self.probe.flood(at, radius, scratch) {
            return None;
        }
        let mesh = self.probe.mesh();
        let ProbeScratch { queue, clipped, .. } = scratch;
        let centre = in_plan(at.point);
        let square = f64::from(radius);
        clipped.areas.clear();
        let mut sum = 0.0;
        for &(polygon, _) in queue.iter() {
            clipped.clip(mesh.corner_points(polygon), centre, square);
            sum += area(&clipped.outline);
            clipped.areas.push(sum);
        }
        for _ in 0..MAX_TRIES {
            let target = self.random.rand_float() * sum;
            let index = clipped.areas.partition_point(|&sum| sum <= target);
            let Some(&(polygon, _)) = queue.get(index) else {
                break;
            };
            clipped.clip(mesh.corner_points(polygon), centre, square);
            let before = if index == 0 {
                0.0
            } else {
                clipped.areas[index - 1]
            };
            let corners = clipped.outline.iter().copied();
            let Some(point) = self.point_in(corners, target - before) else {
                break;
            };
            let point = mesh.nearest_on(polygon, point);
            if distance_squared_xz(point, at.point) <= square * square {
                return Some(Location { polygon, point });
            }
        }
        Some(at)
    }

    /// Returns a location on the polygon in which the sum of areas exceeds `target`.
    fn location(&mut self, polygons: std::ops::Range<usize>, target: f64) -> Option<Location> {
        if polygons.is_empty() {
            return None;
        }
        let ends = &self.areas[polygons.start + 1..=polygons.end];
        // Rounding may make the target as large as the last sum.
        let index = ends.partition_point(|&sum| sum <= target);
        let index = (polygons.start + index).min(polygons.end - 1);
        let (mesh, polygon) = (self.probe.mesh(), self.polygons[index]);
        let corners = mesh.corner_points(polygon).map(in_plan);
        let point = self.point_in(corners, target - self.areas[index])?;
        let point = mesh.nearest_on(polygon, point);
        Some(Location { polygon, point })
    }

    /// Returns a random point of the triangle of a polygon's fan in which the sum of areas exceeds `target`; `None`
    /// if the polygon has fewer than three corners.
    fn point_in(
        &mut self,
        mut corners: impl Iterator<Item = DVec2>,
        mut target: f64,
    ) -> Option<Vec3> {
        let (a, mut b, mut c) = (corners.next()?, corners.next()?, corners.next()?);
        loop {
            let size = (b - a).perp_dot(c - a) / 2.0;
            match corners.next() {
                Some(next) if target >= size => {
                    target -= size;
                    (b, c) = (c, next);
                }
                _ => break,
            }
        }
        let (u, v) = (self.random.rand_float(), self.random.rand_float());
        let (u, v) = match u + v > 1.0 {
            true => (1.0 - u, 1.0 - v),
            false => (u, v),
        };
        let point = a + (b - a) * u + (c - a) * v;
        Some(Vec3::new(point.x as f32, 0.0, point.y as f32))
    }
}

/// Returns the area of a convex polygon. [Units: m²]
fn area(outline: &[DVec2]) -> f64 {
    let Some((&a, others)) = outline.split_first() else {
        return 0.0;
    };
    let pairs = others.windows(2);
    pairs
        .map(|pair| (pair[0] - a).perp_dot(pair[1] - a) / 2.0)
        .sum()
}

impl ClippedPolygons {
    /// Sets the outline to the part of a polygon that is inside a square: the clipping of Sutherland and Hodgman,
    /// 1974.
    fn clip(&mut self, corners: impl Iterator<Item = Vec3>, centre: DVec2, half_side: f64) {
        self.outline.clear();
        self.outline.extend(corners.map(in_plan));
        for outward in [DVec2::X, DVec2::NEG_X, DVec2::Y, DVec2::NEG_Y] {
            let depth = |point: DVec2| half_side - outward.dot(point - centre);
            std::mem::swap(&mut self.outline, &mut self.uncut);
            self.outline.clear();
            for (i, &corner) in self.uncut.iter().enumerate() {
                let next = self.uncut[if i + 1 == self.uncut.len() { 0 } else { i + 1 }];
                let (here, there) = (depth(corner), depth(next));
                if here >= 0.0 {
                    self.outline.push(corner);
                }
                if (here >= 0.0) != (there >= 0.0) {
                    self.outline
                        .push(corner + (next - corner) * (here / (here - there)));
                }
            }
        }
    }
}
