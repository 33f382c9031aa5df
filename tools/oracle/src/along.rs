//! What given ways cost on the oracle's graph.

use glam::{DVec3, Vec3};
use portolan_core::{Crossing, Endpoints, NavMesh, Path, Profile};

use crate::Oracle;

impl Oracle {
    /// The least cost of a way from `start` to `goal` over samples of the path's corridor.
    ///
    /// # Panics
    /// When the corridor leads over closed ground.
    pub fn cost_along(
        &self,
        mesh: &NavMesh,
        profile: &Profile,
        path: &Path,
        start: Vec3,
        goal: Vec3,
    ) -> f64 {
        let mut ways = vec![(start.as_dvec3(), 0.0)];
        let pairs = path.corridor.polygons.iter().zip(&path.corridor.crossings);
        let step = |ways: &[(DVec3, f64)], polygon: usize, to: DVec3| {
            let factor = self.factors[polygon].expect("an open polygon");
            let costs = ways
                .iter()
                .map(|(from, cost)| cost + from.distance(to) * factor);
            costs.fold(f64::INFINITY, f64::min)
        };
        for (&polygon, &crossing) in pairs {
            ways = match crossing {
                Crossing::Portal(portal) => {
                    let samples = &self.points[self.samples_of(portal)];
                    let onward = samples
                        .iter()
                        .map(|&to| (to, step(&ways, polygon.index(), to)));
                    onward.collect()
                }
                Crossing::Link(link, entry) => {
                    let link = mesh.link(link);
                    let [entry, exit] = [usize::from(entry), 1 - usize::from(entry)];
                    let walk = step(&ways, polygon.index(), link.ends[entry].as_dvec3());
                    let factor = profile.factor(link.area).expect("an open link");
                    let whole = walk + f64::from(link.cost) * f64::from(factor);
                    vec![(link.ends[exit].as_dvec3(), whole)]
                }
            };
        }
        let last = path.corridor.polygons.last().expect("a corridor");
        step(&ways, last.index(), goal.as_dvec3())
    }

    /// The least cost of a way that leaves its first polygon by this crossing, or by none.
    ///
    /// # Panics
    /// When the crossing does not lead out of that polygon.
    pub fn cost_over(&self, mesh: &NavMesh, ends: &Endpoints, first: Option<Crossing>) -> f64 {
        let start = ends.start.polygon;
        let to_goal = self.costs_to(ends.goal);
        let factor = self.factors[start.index()].expect("an open polygon");
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

    /// How far from the goal the start lies, or the nearest sample that can be reached and stood on.
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
