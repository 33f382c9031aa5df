//! A second, simple implementation of the portal graph and its cheapest paths, in `f64`.

use glam::DVec3;
use portolan_core::{Location, NavMesh, Portal, PortalId, Profile, Samples};
use proptest::prelude::*;

/// The portal graph of a mesh and a profile. It shares no code with the library except the mesh: it stores every
/// arc and computes costs by the Bellman-Ford algorithm.
#[derive(Debug)]
pub struct Oracle {
    /// The position of each vertex: the samples of every portal, then the two ends of every link.
    pub points: Vec<DVec3>,
    /// Per portal, the index of its first sample, followed by the number of samples.
    pub offsets: Vec<usize>,
    /// Per polygon, its vertices.
    pub vertices_of: Vec<Vec<usize>>,
    /// Per polygon, its cost per metre. `None` if the profile forbids it.
    pub factors: Vec<Option<f64>>,
    /// Tail, head and cost of each arc.
    pub arcs: Vec<(usize, usize, f64)>,
}

/// Returns the cost per metre on ground with this area and these flags, or `None` if the profile forbids it.
pub(crate) fn factor(profile: &Profile, area: u8, flags: u16) -> Option<f64> {
    let included = profile.include_flags == 0 || profile.include_flags & flags != 0;
    let excluded = profile.exclude_flags & flags != 0;
    let factor = profile.factor(area).map(f64::from);
    factor.filter(|_| included && !excluded)
}

/// Draws sample options: one to three samples on each portal, or any density by length.
pub fn densities() -> impl Strategy<Value = Samples> {
    prop_oneof![
        (1u32..4).prop_map(Samples::Each),
        (40u8..=100).prop_map(|percentile| Samples::ByLength { percentile }),
    ]
}

/// Returns the fractions from a portal's right end to its left end at which its samples lie.
fn sample_fractions(mesh: &NavMesh, portal: &Portal, samples: Samples) -> Vec<f64> {
    let evenly = |count: u32| {
        let fraction = |i| (f64::from(i) + 0.5) / f64::from(count);
        (0..count).map(fraction).collect()
    };
    let percentile = match samples {
        Samples::Each(count) => return evenly(count),
        Samples::ByLength { percentile } => usize::from(percentile),
    };
    let length = |portal: &Portal| portal.right.distance(portal.left);
    let mut lengths: Vec<f32> = mesh.portals().iter().map(length).collect();
    lengths.sort_by(f32::total_cmp);
    let is_unit = |rank: &usize| (rank + 1) * 100 >= percentile * lengths.len();
    let unit = (0..lengths.len()).find(is_unit).expect("a portal");
    match (length(portal) / lengths[unit]).ceil() {
        count if count > 1.0 => {
            let count = f64::from(count.min(8.0));
            let margin = 0.4 / count;
            let fraction = |i| margin + (1.0 - 2.0 * margin) * f64::from(i) / (count - 1.0);
            (0..count as u32).map(fraction).collect()
        }
        _ => evenly(1),
    }
}

impl Oracle {
    /// Builds the graph with the same samples as the library.
    pub fn new(mesh: &NavMesh, profile: &Profile, samples: Samples) -> Self {
        Self::with_fractions(mesh, profile, |portal| {
            sample_fractions(mesh, portal, samples)
        })
    }

    /// Builds the graph with `gaps + 1` evenly spaced samples on each portal, including its ends. With many
    /// samples, the cheapest path costs little more than the any-angle optimum, and never less. The optimum
    /// crosses each portal within half a gap of a sample, so the excess per portal is at most half a gap times
    /// the factors on both sides. Where the optimum is straight or bends at the end of a portal, the excess is
    /// proportional to the square of the gap.
    pub fn dense(mesh: &NavMesh, profile: &Profile, gaps: u32) -> Self {
        let fraction = |i| f64::from(i) / f64::from(gaps);
        Self::with_fractions(mesh, profile, |_| (0..=gaps).map(fraction).collect())
    }

    /// Builds the graph with samples at the given fractions from a portal's right end to its left end.
    fn with_fractions(
        mesh: &NavMesh,
        profile: &Profile,
        fractions: impl Fn(&Portal) -> Vec<f64>,
    ) -> Self {
        let (mut points, mut offsets) = (Vec::new(), vec![0]);
        let mut vertices_of = vec![Vec::new(); mesh.polygon_count()];
        for portal in mesh.portals() {
            for fraction in fractions(portal) {
                for polygon in portal.polygons {
                    vertices_of[polygon.index()].push(points.len());
                }
                let [right, left] = [portal.right, portal.left].map(|end| end.as_dvec3());
                // Positions are `f32` by definition, but everything computed from them is `f64`.
                points.push(right.lerp(left, fraction).as_vec3().as_dvec3());
            }
            offsets.push(points.len());
        }
        let first_link_end = points.len();
        for link in mesh.links() {
            for (end, polygon) in link.ends.into_iter().zip(link.polygons) {
                vertices_of[polygon.index()].push(points.len());
                points.push(end.as_dvec3());
            }
        }
        let factors: Vec<Option<f64>> = mesh
            .polygons()
            .map(|polygon| factor(profile, mesh.area(polygon), mesh.flags(polygon)))
            .collect();

        let mut arcs = Vec::new();
        for (vertices, factor) in vertices_of.iter().zip(&factors) {
            let Some(factor) = factor else { continue };
            for &from in vertices {
                for &to in vertices.iter().filter(|&&to| to != from) {
                    arcs.push((from, to, points[from].distance(points[to]) * factor));
                }
            }
        }
        for (index, link) in mesh.links().iter().enumerate() {
            let Some(factor) = factor(profile, link.area, link.flags).filter(|_| profile.links)
            else {
                continue;
            };
            // A link from or to a forbidden polygon cannot be used.
            if link
                .polygons
                .iter()
                .any(|polygon| factors[polygon.index()].is_none())
            {
                continue;
            }
            let (start, end) = (first_link_end + 2 * index, first_link_end + 2 * index + 1);
            arcs.push((start, end, f64::from(link.cost) * factor));
            if link.both_ways {
                arcs.push((end, start, f64::from(link.cost) * factor));
            }
        }
        Self {
            points,
            offsets,
            vertices_of,
            factors,
            arcs,
        }
    }

    /// Returns the vertices that are samples of a portal.
    pub fn samples_of(&self, portal: PortalId) -> std::ops::Range<usize> {
        self.offsets[portal.index()]..self.offsets[portal.index() + 1]
    }

    /// Returns the cost from the start to each vertex, or infinity if it is unreachable.
    pub fn costs_from(&self, start: Location) -> Vec<f64> {
        relax(
            self.ends_of(start),
            self.arcs.iter().copied(),
            self.points.len(),
        )
    }

    /// Returns the cost from each vertex to the goal, or infinity if the goal is unreachable.
    pub fn costs_to(&self, goal: Location) -> Vec<f64> {
        let reversed = self.arcs.iter().map(|&(from, to, cost)| (to, from, cost));
        relax(self.ends_of(goal), reversed, self.points.len())
    }

    /// Returns the cost of the cheapest path, or infinity if there is none.
    pub fn cost(&self, start: Location, goal: Location) -> f64 {
        self.cost_after(&self.costs_from(start), start, goal)
    }

    /// Returns the [cost](Self::cost) of the cheapest path, given the [costs from](Self::costs_from) the start.
    pub fn cost_after(&self, costs: &[f64], start: Location, goal: Location) -> f64 {
        let over_vertices = self
            .ends_of(goal)
            .map(|(vertex, last)| costs[vertex] + last)
            .fold(f64::INFINITY, f64::min);
        let factor = self.factors[goal.polygon.index()];
        match factor.filter(|_| start.polygon == goal.polygon) {
            Some(factor) => {
                let straight = start.point.as_dvec3().distance(goal.point.as_dvec3());
                over_vertices.min(straight * factor)
            }
            None => over_vertices,
        }
    }

    /// Iterates over the vertices of the polygon that a location lies in, with the cost of the line to each.
    fn ends_of(&self, location: Location) -> impl Iterator<Item = (usize, f64)> {
        let polygon = location.polygon.index();
        let vertices = self.vertices_of[polygon].iter();
        let point = location.point.as_dvec3();
        vertices.filter_map(move |&vertex| {
            let factor = self.factors[polygon]?;
            Some((vertex, self.points[vertex].distance(point) * factor))
        })
    }
}

/// Returns the lowest cost of each vertex by the Bellman-Ford algorithm. `first` contains the initial costs.
pub(crate) fn relax(
    first: impl Iterator<Item = (usize, f64)>,
    arcs: impl Iterator<Item = (usize, usize, f64)> + Clone,
    vertices: usize,
) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; vertices];
    for (vertex, cost) in first {
        costs[vertex] = costs[vertex].min(cost);
    }
    for round in 0.. {
        assert!(round <= vertices, "the graph has a cycle of negative cost");
        let mut changed = false;
        for (from, to, cost) in arcs.clone() {
            if costs[from] + cost < costs[to] {
                costs[to] = costs[from] + cost;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    costs
}
