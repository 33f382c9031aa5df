//! The walls around a location.

use super::line::distance_squared;
use super::{Probe, ProbeScratch, Wall};
use crate::navmesh::Location;
use crate::search::{entry, unpack};

impl Probe<'_> {
    /// Sets `walls` to the walls that come within a circle around a location, in plan, nearest first. [Units: m]
    /// They are the walls of the [polygons within the circle](Self::polygons_within), so a wall on another floor
    /// or behind another wall is left out, unless the ground before it is connected inside the circle. Equally
    /// near walls are sorted by polygon.
    ///
    /// The list is empty if the location is not finite or the radius is negative or not a number. Time is in
    /// proportion to the polygons within the circle.
    ///
    /// ```
    /// # use glam::vec3;
    /// # use portolan_core::{DEFAULT_SNAP, NavMeshOptions, ProbeScratch, RawNavMesh, World};
    /// // One room of 4 m x 4 m.
    /// let mut raw = RawNavMesh::default();
    /// raw.vertices = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]]
    ///     .map(|[x, z]| vec3(x, 0.0, z))
    ///     .to_vec();
    /// raw.polygons.push([0, 1, 2, 3]);
    /// let world = World::build(raw, &NavMeshOptions::default())?;
    /// let at = world.probe().nearest(vec3(1.0, 0.0, 0.5), DEFAULT_SNAP).expect("on the mesh");
    /// let (mut scratch, mut walls) = (ProbeScratch::new(), Vec::new());
    /// world.probe().walls_within(at, 1.5, &mut scratch, &mut walls);
    /// let distances: Vec<f32> = walls.iter().map(|wall| wall.distance).collect();
    /// assert_eq!(distances, [0.5, 1.0]);
    /// assert_eq!(walls[0].normal, vec3(0.0, 0.0, 1.0));
    /// # Ok::<(), portolan_core::NavMeshError>(())
    /// ```
    pub fn walls_within(
        &self,
        at: Location,
        radius: f32,
        scratch: &mut ProbeScratch,
        walls: &mut Vec<Wall>,
    ) {
        walls.clear();
        if !self.flood(at, radius, scratch) {
            return;
        }
        for &(polygon, _) in &scratch.queue {
            self.for_each_wall(polygon, |ends| {
                let wall = Wall::nearest(ends, polygon, at.point);
                walls.extend(wall.filter(|wall| wall.distance <= radius));
            });
        }
        // Of the walls of one polygon, the one with the lower end in x, then in z is first.
        walls.sort_unstable_by(|a, b| {
            let by_distance = a.distance.total_cmp(&b.distance);
            let by_polygon = || a.polygon.cmp(&b.polygon);
            let by_x = || a.ends[0].x.total_cmp(&b.ends[0].x);
            let by_z = || a.ends[0].z.total_cmp(&b.ends[0].z);
            by_distance
                .then_with(by_polygon)
                .then_with(by_x)
                .then_with(by_z)
        });
    }

    /// Finds the wall nearest to a location in plan, at most `radius` away. [Units: m] An infinite radius searches
    /// as far as necessary.
    ///
    /// It is the first wall that a growing circle around the location meets: the first of
    /// [`walls_within`](Self::walls_within) for the smallest radius for which there are any. Returns `None` if
    /// there is none, if the location is not finite, or if the radius is negative or not a number.
    pub fn nearest_wall(
        &self,
        at: Location,
        radius: f32,
        scratch: &mut ProbeScratch,
    ) -> Option<Wall> {
        if !at.point.is_finite() || radius.is_nan() || radius < 0.0 {
            return None;
        }
        // Polygons in the order in which the growing circle reaches them.
        let ProbeScratch { reached, heap, .. } = scratch;
        reached.reset(self.mesh.polygon_slots());
        heap.clear();
        heap.push(entry(0.0, at.polygon.0));
        // The radius at which the circle meets the wall, and the wall.
        let mut best: Option<(f32, Wall)> = None;
        while let Some(top) = heap.pop() {
            let (within, polygon) = unpack(top);
            let polygon = crate::PolygonId(polygon);
            let limit = best.map_or(radius, |(limit, _)| limit);
            if within > limit {
                break;
            }
            if reached.get(polygon.index()).is_some() {
                continue;
            }
            reached.set(polygon.index(), ());
            self.for_each_wall(polygon, |ends| {
                let limit = best.map_or(radius, |(limit, _)| limit);
                let met_at = (distance_squared(ends, at.point).sqrt() as f32).max(within);
                if met_at > limit {
                    return;
                }
                let Some(wall) = Wall::nearest(ends, polygon, at.point) else {
                    return;
                };
                let is_better = best.is_none_or(|(limit, best)| {
                    let by_distance = wall.distance.total_cmp(&best.distance);
                    let by_polygon = || wall.polygon.cmp(&best.polygon);
                    let order = met_at.total_cmp(&limit).then(by_distance);
                    order.then_with(by_polygon).is_lt()
                });
                if is_better {
                    best = Some((met_at, wall));
                }
            });
            let limit = best.map_or(radius, |(limit, _)| limit);
            for &portal in self.mesh.portals_of(polygon) {
                let portal = self.mesh.portal(portal);
                let beyond = portal.beyond(polygon);
                if reached.get(beyond.index()).is_some() || !self.is_open(beyond) {
                    continue;
                }
                let distance = distance_squared([portal.right, portal.left], at.point);
                let within = (distance.sqrt() as f32).max(within);
                if within <= limit {
                    heap.push(entry(within, beyond.0));
                }
            }
        }
        best.map(|(_, wall)| wall)
    }
}
