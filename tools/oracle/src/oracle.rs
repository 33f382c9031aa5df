//! The portal graph and its shortest paths once more, slow and plain, in `f64`.

use glam::DVec3;
use portolan_core::{Location, NavMesh, Portal, PortalId, Profile, Samples};
use proptest::prelude::*;

/// Shares no code with the library beyond the mesh: every arc is written down, and costs come from
/// Bellman and Ford's algorithm.
#[derive(Debug)]
pub struct Oracle {
    /// Portal by portal its samples, then link by link its two ends.
    pub points: Vec<DVec3>,
    /// Per portal its first sample; one more at the end.
    pub offsets: Vec<usize>,
    /// Per polygon, its vertices.
    pub vertices_of: Vec<Vec<usize>>,
    /// Per polygon, what a metre costs; `None` where it is closed.
    pub factors: Vec<Option<f64>>,
    /// From, to, cost.
    pub arcs: Vec<(usize, usize, f64)>,
}

/// What a metre costs on ground of this area and with these flags; `None` where it is closed.
pub(crate) fn factor(profile: &Profile, area: u8, flags: u16) -> Option<f64> {
    let included = profile.include_flags == 0 || profile.include_flags & flags != 0;
    let excluded = profile.exclude_flags & flags != 0;
    let factor = profile.factor(area).map(f64::from);
    factor.filter(|_| included && !excluded)
}

/// A few on each portal, or any density by their length.
pub fn densities() -> impl Strategy<Value = Samples> {
    prop_oneof![
        (1u32..4).prop_map(Samples::Each),
        (40u8..=100).prop_map(|percentile| Samples::ByLength { percentile }),
    ]
}

/// Where the samples of a portal lie between its ends.
fn shares(mesh: &NavMesh, portal: &Portal, samples: Samples) -> Vec<f64> {
    let evenly = |count: u32| {
        let share = |i| (f64::from(i) + 0.5) / f64::from(count);
        (0..count).map(share).collect()
    };
    let percentile = match samples {
        Samples::Each(count) => return evenly(count),
        Samples::ByLength { percentile } => usize::from(percentile),
    };
    let length = |portal: &Portal| portal.right.distance(portal.left);
    let mut lengths: Vec<f32> = mesh.portals().iter().map(length).collect();
    lengths.sort_by(f32::total_cmp);
    let is_unit = |place: &usize| (place + 1) * 100 >= percentile * lengths.len();
    let unit = (0..lengths.len()).find(is_unit).expect("a portal");
    match (length(portal) / lengths[unit]).ceil() {
        count if count > 1.0 => {
            let count = f64::from(count.min(8.0));
            let margin = 0.4 / count;
            let share = |i| margin + (1.0 - 2.0 * margin) * f64::from(i) / (count - 1.0);
            (0..count as u32).map(share).collect()
        }
        _ => evenly(1),
    }
}

impl Oracle {
    pub fn new(mesh: &NavMesh, profile: &Profile, samples: Samples) -> Self {
        Self::with_shares(mesh, profile, |portal| shares(mesh, portal, samples))
    }

    /// With samples so dense, the ends of portals among them, that the least sum is near the true optimum,
    /// and never below. A way that is best crosses a portal within half a gap of a sample, so it is above by
    /// no more than half a gap a portal, times the factors on both sides; where it bends at ends of portals
    /// or not at all, the gap counts by its square.
    pub fn dense(mesh: &NavMesh, profile: &Profile, gaps: u32) -> Self {
        let share = |i| f64::from(i) / f64::from(gaps);
        Self::with_shares(mesh, profile, |_| (0..=gaps).map(share).collect())
    }

    /// With samples at these shares of the way from a portal's right end to its left.
    fn with_shares(
        mesh: &NavMesh,
        profile: &Profile,
        shares: impl Fn(&Portal) -> Vec<f64>,
    ) -> Self {
        let (mut points, mut offsets) = (Vec::new(), vec![0]);
        let mut vertices_of = vec![Vec::new(); mesh.polygon_count()];
        for portal in mesh.portals() {
            for share in shares(portal) {
                for polygon in portal.polygons {
                    vertices_of[polygon.index()].push(points.len());
                }
                let place = portal.right.as_dvec3().lerp(portal.left.as_dvec3(), share);
                // Positions are `f32` by definition; what is made of them is not.
                points.push(place.as_vec3().as_dvec3());
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
            // A link from or to closed ground is closed.
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

    /// The samples of a portal.
    pub fn samples_of(&self, portal: PortalId) -> std::ops::Range<usize> {
        self.offsets[portal.index()]..self.offsets[portal.index() + 1]
    }

    /// What it costs to get to each vertex; infinite where one cannot.
    pub fn costs_from(&self, start: Location) -> Vec<f64> {
        relax(
            self.ends_of(start),
            self.arcs.iter().copied(),
            self.points.len(),
        )
    }

    /// What it costs to get to the goal from each vertex.
    pub fn costs_to(&self, goal: Location) -> Vec<f64> {
        let reversed = self.arcs.iter().map(|&(from, to, cost)| (to, from, cost));
        relax(self.ends_of(goal), reversed, self.points.len())
    }

    /// The cost of the cheapest way; infinite where there is none.
    pub fn cost(&self, start: Location, goal: Location) -> f64 {
        self.cost_after(&self.costs_from(start), start, goal)
    }

    /// The same, given [`costs_from`](Self::costs_from) the start.
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

    /// The vertices of the polygon that a place lies in, and what the line there costs.
    fn ends_of(&self, place: Location) -> impl Iterator<Item = (usize, f64)> {
        let polygon = place.polygon.index();
        let vertices = self.vertices_of[polygon].iter();
        let point = place.point.as_dvec3();
        vertices.filter_map(move |&vertex| {
            let factor = self.factors[polygon]?;
            Some((vertex, self.points[vertex].distance(point) * factor))
        })
    }
}

/// The least costs to vertices, by Bellman and Ford's algorithm.
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
        assert!(round <= vertices, "a cycle that gets cheaper");
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
