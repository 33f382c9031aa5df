//! The lengths of shortest paths that may use off-mesh links.

use portolan_core::{Location, NavMesh, Prices};

use crate::interval::IntervalSearch;
use crate::oracle::relax;

/// The costs of the cheapest paths over ground that costs 1 per metre in plan, and over off-mesh links.
///
/// It computes the shortest path over ground between every pair of link ends, so it suits only small meshes.
#[derive(Debug)]
pub struct LinksOptimum {
    ground: IntervalSearch,
    /// The two ends of each usable link.
    ends: Vec<Location>,
    /// Tail, head and cost of each arc between link ends.
    arcs: Vec<(usize, usize, f64)>,
}

impl LinksOptimum {
    /// Computes the shortest paths between all ends of links. `prices` determine which polygons and links are open and what
    /// a link costs. Their factors of the ground are ignored.
    pub fn new(mesh: &NavMesh, prices: &Prices) -> Self {
        let mut ground = IntervalSearch::new(mesh, |polygon| prices.allows(mesh, polygon));
        let (mut ends, mut arcs) = (Vec::new(), Vec::new());
        for link in mesh.links() {
            let Some(cost) = prices.link_cost(mesh, link) else {
                continue;
            };
            let [entry, exit] = [ends.len(), ends.len() + 1];
            arcs.push((entry, exit, f64::from(cost)));
            if link.both_ways {
                arcs.push((exit, entry, f64::from(cost)));
            }
            let locations = link.polygons.into_iter().zip(link.ends);
            ends.extend(locations.map(|(polygon, point)| Location { polygon, point }));
        }
        for (i, &from) in ends.iter().enumerate() {
            for (j, &to) in ends.iter().enumerate().skip(i + 1) {
                let length = ground.length(from, to);
                arcs.extend([(i, j, length), (j, i, length)]);
            }
        }
        Self { ground, ends, arcs }
    }

    /// Returns the cost of the cheapest path, or infinity if there is none.
    pub fn cost(&mut self, start: Location, goal: Location) -> f64 {
        let Self { ground, ends, arcs } = self;
        let from_start = ends.iter().map(|&end| ground.length(start, end));
        let from_start: Vec<f64> = from_start.collect();
        let first = from_start.into_iter().enumerate();
        let costs = relax(first, arcs.iter().copied(), ends.len());
        let over_links = ends.iter().zip(costs);
        let over_links = over_links.map(|(&end, cost)| cost + ground.length(end, goal));
        let cost = over_links.fold(f64::INFINITY, f64::min);
        cost.min(ground.length(start, goal))
    }
}
