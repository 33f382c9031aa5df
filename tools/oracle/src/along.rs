//! Costs on the oracle's graph along a given corridor, or over a given first crossing.

use glam::{DVec3, Vec3};
use portolan_core::{Crossing, Endpoints, NavMesh, Path, Profile};

use crate::Oracle;

impl Oracle {
    /// Returns the cost of the cheapest path from `start` to `goal` over the samples of the path's
    /// corridor.
    ///
    /// # Panics
    /// Panics if the corridor contains a forbidden polygon.
    pub fn cost_along(
        &self,
        mesh: &NavMesh,
        profile: &Profile,
        path: &Path,
        start: Vec3,
        goal: Vec3,
    ) -> f64 {
        let mut reached = vec![(start.as_dvec3(), 0.0)];
        let pairs = path.corridor.polygons.iter().zip(&path.corridor.crossings);
        let step = |reached: &[(DVec3, f64)], polygon: usize, to: DVec3| {
            let factor = self.factors[polygon].expect("the polygon is allowed");
            let costs = reached
                .iter()
                .map(|(from, cost)| cost + from.distance(to) * factor);
            costs.fold(f64::INFINITY, f64::min)
        };
        for (&polygon, &crossing) in pairs {
            reached = match crossing {
                Crossing::Portal(portal) => {
                    let samples = &self.points[self.samples_of(portal)];
                    let onward = samples
                        .iter()
                        .map(|&to| (to, step(&reached, polygon.index(), to)));
                    onward.collect()
                }
                Crossing::Link(link, entry) => {
                    let link = mesh.link(link);
                    let [entry, exit] = [usize::from(entry), 1 - usize::from(entry)];
                    let walk = step(&reached, polygon.index(), link.ends[entry].as_dvec3());
                    let factor = profile.factor(link.area).expect("the link is allowed");
                    let total = walk + f64::from(link.cost) * f64::from(factor);
                    vec![(link.ends[exit].as_dvec3(), total)]
                }
            };
        }
        let last = path.corridor.polygons.last();
        let last = last.expect("the corridor has a polygon");
        step(&reached, last.index(), goal.as_dvec3())
    }

    /// Returns the cost of the cheapest path whose first crossing is `first`. With `None`, the path
    /// stays in the start's polygon.
    ///
    /// # Panics
    /// Panics if the crossing does not lead out of the start's polygon, or if `first` is `None` and the
    /// goal is in another polygon.
    pub fn cost_via(&self, mesh: &NavMesh, ends: &Endpoints, first: Option<Crossing>) -> f64 {
        let start = ends.start.polygon;
        let to_goal = self.costs_to(ends.goal);
        let factor = self.factors[start.index()].expect("the polygon is allowed");
        let leg = |to: DVec3| ends.start.point.as_dvec3().distance(to) * factor;
        match first {
            None => {
                assert_eq!(start, ends.goal.polygon);
                leg(ends.goal.point.as_dvec3())
            }
            Some(Crossing::Portal(portal)) => {
                assert!(mesh.portal(portal).polygons.contains(&start));
                let samples = self.samples_of(portal);
                let over = samples.map(|sample| leg(self.points[sample]) + to_goal[sample]);
                over.fold(f64::INFINITY, f64::min)
            }
            Some(Crossing::Link(id, end)) => {
                let (link, end) = (mesh.link(id), usize::from(end));
                assert!(link.polygons[end] == start && (end == 0 || link.both_ways));
                let first_end = self.points.len() - 2 * mesh.links().len();
                let entry = first_end + 2 * id.index() + end;
                leg(self.points[entry]) + to_goal[entry]
            }
        }
    }

    /// Returns the cost of the cheapest path that crosses `crossing` anywhere on its way, in either direction of a portal.
    pub fn cost_over(&self, mesh: &NavMesh, ends: &Endpoints, crossing: Crossing) -> f64 {
        let (from_start, to_goal) = (self.costs_from(ends.start), self.costs_to(ends.goal));
        let vertices = match crossing {
            Crossing::Portal(portal) => self.samples_of(portal),
            Crossing::Link(id, end) => {
                let first_end = self.points.len() - 2 * mesh.links().len();
                let entry = first_end + 2 * id.index() + usize::from(end);
                entry..entry + 1
            }
        };
        let over = vertices.map(|vertex| from_start[vertex] + to_goal[vertex]);
        over.fold(f64::INFINITY, f64::min)
    }

    /// Returns the smallest distance to the goal of the start and of all reachable samples on allowed
    /// polygons. [Units: m]
    pub fn nearest_reachable(&self, ends: &Endpoints) -> f64 {
        let costs = self.costs_from(ends.start);
        let goal = ends.goal.point.as_dvec3();
        let mut nearest = ends.start.point.as_dvec3().distance(goal);
        for (vertices, factor) in self.vertices_of.iter().zip(&self.factors) {
            for &vertex in vertices.iter().filter(|_| factor.is_some()) {
                if costs[vertex] < f64::INFINITY {
                    nearest = nearest.min(self.points[vertex].distance(goal));
                }
            }
        }
        nearest
    }
}
