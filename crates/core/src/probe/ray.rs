//! Rays along the ground, and lines of sight.

use glam::Vec3;

use super::Probe;
use super::line::{Line, distance_squared, in_plan};
use super::short_list::ShortList;
use super::spans::Wall;
use crate::geometry::distance_squared_xz;
use crate::ids::PolygonId;
use crate::navmesh::Location;

/// The result of a [ray](Probe::ray) along the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where the ray ends: at its target, or at a wall.
    pub end: Location,
    /// The part of the way to the target that is free, from 0 to 1.
    pub fraction: f32,
    /// The wall that the ray has hit; `None` if it has reached its target. Its distance is measured from the
    /// start of the ray.
    pub hit: Option<Wall>,
}

impl Probe<'_> {
    /// Casts a ray along the ground, from a location straight towards a target in plan, up to the first wall.
    /// `crossed` is set to the polygons that it passes, from the polygon of `from` to that of the end; portals
    /// connect each with the next. The height of the target does not matter: the ray follows the ground, and
    /// on stacked floors it stays on the floor where it starts.
    ///
    /// Walls are closed and ground includes its borders, so a ray may touch a wall: it may run along a wall or
    /// pass over the corner of one. It hits a wall that it would have to cross. Points that differ by no more
    /// than the rounding of `f32` count as the same. Of several walls that meet where the ray ends, the hit is
    /// the one that faces it most directly.
    ///
    /// The polygon of `from` is passed even if it is closed. A ray without length reaches its target. If the
    /// target is not finite, the ray ends where it starts, at fraction 0 and without a hit.
    ///
    /// ```
    /// # use glam::vec3;
    /// # use portolan_core::{DEFAULT_SNAP, NavMeshOptions, RawNavMesh, World};
    /// // One room of 4 m x 4 m.
    /// let mut raw = RawNavMesh::default();
    /// raw.vertices = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    ///     .map(|[x, z]| vec3(x, 0.0, z))
    ///     .to_vec();
    /// raw.polygons.push([0, 1, 2, 3]);
    /// let world = World::build(raw, &NavMeshOptions::default())?;
    /// let start = world.probe().nearest(vec3(1.0, 0.0, 1.0), DEFAULT_SNAP).expect("on the mesh");
    /// let ray = world.probe().ray(start, vec3(7.0, 0.0, 1.0), &mut Vec::new());
    /// assert_eq!((ray.fraction, ray.end.point), (0.5, vec3(4.0, 0.0, 1.0)));
    /// assert_eq!(ray.hit.map(|wall| wall.normal), Some(vec3(-1.0, 0.0, 0.0)));
    /// # Ok::<(), portolan_core::NavMeshError>(())
    /// ```
    pub fn ray(&self, from: Location, to: Vec3, crossed: &mut Vec<PolygonId>) -> Ray {
        crossed.clear();
        crossed.push(from.polygon);
        let Some(line) = Line::new(from.point, to) else {
            return Ray {
                end: from,
                fraction: 0.0,
                hit: None,
            };
        };
        let end = self.walk(from.polygon, line, None, Some(crossed));
        if end.has_reached {
            return Ray {
                end: self.nearest_on(end.polygon, to),
                fraction: 1.0,
                hit: None,
            };
        }
        let stop = line.at(end.fraction);
        let hit = self.wall_at(end.polygon, stop, line);
        let point = hit.map_or(stop, |wall| wall.point);
        let distance = distance_squared_xz(point, from.point).sqrt() as f32;
        let fraction = line.nearest_fraction(point).min(end.fraction);
        Ray {
            end: self.nearest_on(end.polygon, point),
            fraction: fraction as f32,
            hit: hit.map(|wall| Wall { distance, ..wall }),
        }
    }

    /// Returns whether the straight line along the ground from one location leads to the other without
    /// crossing a wall. [`ray`](Self::ray) has the rules.
    pub fn sees(&self, from: Location, to: Location) -> bool {
        let Some(line) = Line::new(from.point, to.point) else {
            return false;
        };
        let end = self.walk(from.polygon, line, Some(to.polygon), None);
        end.has_reached
    }

    /// Returns the wall that a line runs into at a point of a polygon: of the walls that meet there, the one that
    /// faces the line most directly.
    fn wall_at(&self, polygon: PolygonId, point: Vec3, line: Line) -> Option<Wall> {
        let direction = (line.to - line.from) / line.length;
        let mut around = ShortList::new(polygon);
        let mut best: Option<(f64, Wall)> = None;
        // Where a line ends between borders that differ by rounding, the wall may be a little farther away.
        for distance in [1.0, 2.0, 4.0].map(|factor| factor * self.touch()) {
            self.around(polygon, point, distance, &mut around);
            for &polygon in around.as_slice() {
                self.for_each_wall(polygon, |ends| {
                    if distance_squared(ends, point) > distance * distance {
                        return;
                    }
                    let wall = Wall::nearest(ends, polygon, point).map(|wall| {
                        let against = -direction.dot(in_plan(wall.normal));
                        (against, wall)
                    });
                    let is_better =
                        |&(against, _): &(f64, Wall)| best.is_none_or(|(most, _)| against > most);
                    best = wall.filter(is_better).or(best);
                });
            }
            if best.is_some_and(|(against, _)| against > 0.0) {
                break;
            }
        }
        let nearest_border = || {
            let (border, _) = self.mesh.border_position(polygon, point);
            let ends = self.mesh.borders(polygon).nth(border)?;
            Wall::nearest(ends, polygon, point)
        };
        best.map(|(_, wall)| wall).or_else(nearest_border)
    }
}
