//! The nearest of several ends by path.
//!
//! The chains of all ends are joined into one table: per vertex, the cost between it and the nearest end. A
//! question climbs one chain and looks up every vertex of it, so its time does not depend on the number of
//! ends. The climb does not continue from a vertex that is farther away than the nearest end so far.

use super::{Ends, Many, ManyScratch, in_order, other_end};
use crate::graph::SampleSide;
use crate::ids::{PolygonId, Terminal};
use crate::navmesh::Location;

/// Ends among which the nearest by path is found, prepared once. The memory is one cost per vertex of the graph and
/// that of the [`Ends`] twice.
///
/// ```
/// use portolan_core::{DEFAULT_SNAP, ManyScratch, NavMeshOptions, PolygonId, Terminal, World};
/// use portolan_scenes::{WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let many = world.many();
/// let exits = [3, 40, 90].map(|polygon| world.mesh().centre(PolygonId(polygon)));
/// let exits = many.nearest_ends(many.ends(Terminal::Goal, &exits, DEFAULT_SNAP));
///
/// let agent = many.locate(world.mesh().centre(PolygonId(40)), DEFAULT_SNAP).expect("on the mesh");
/// let nearest = exits.find(many, agent, &mut ManyScratch::default()).expect("a path");
/// assert_eq!((nearest.index, nearest.cost), (1, 0.0));
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct NearestEnds {
    ends: Ends,
    /// Per rank of the contraction, the cost between it and the nearest end, or infinity.
    min_costs: Vec<f32>,
    /// Every rank on the chain of an end, with the bits of the cost between the two and the index of the
    /// end, sorted.
    entries: Vec<(u32, u32, u32)>,
    /// The polygon and the index of every end, sorted.
    by_polygon: Vec<(PolygonId, u32)>,
}

/// The nearest of several ends: see [`NearestEnds::find`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestEnd {
    /// The index of the end in the list.
    pub index: usize,
    /// The cost of the path between the location and that end.
    pub cost: f32,
}

impl Many<'_> {
    /// Prepares ends to find the nearest of them.
    ///
    /// # Panics
    /// Panics if the ends were prepared for another world.
    pub fn nearest_ends(&self, ends: Ends) -> NearestEnds {
        self.check_world(ends.world_id);
        let polygons = (0..).zip(&ends.cost_locations);
        let polygons =
            polygons.filter_map(|(index, end)| Some((end.as_ref().ok()?.polygon, index)));
        let mut by_polygon: Vec<(PolygonId, u32)> = polygons.collect();
        by_polygon.sort_unstable();
        let (mut min_costs, mut entries) = (Vec::new(), Vec::new());
        if let Some((contraction, _)) = self.contraction {
            min_costs.resize(contraction.vertex_count(), f32::INFINITY);
            for chain in &ends.chains {
                let costs = ends.costs_of(chain);
                contraction.for_each_on_chain(chain.lowest, costs, |rank, cost| {
                    let min = &mut min_costs[rank as usize];
                    *min = min.min(cost);
                    entries.push((rank, cost.to_bits(), chain.index));
                });
            }
            entries.sort_unstable();
        }
        NearestEnds {
            ends,
            min_costs,
            entries,
            by_polygon,
        }
    }
}

impl NearestEnds {
    /// Returns the ends.
    pub fn ends(&self) -> &Ends {
        &self.ends
    }

    /// Returns the end with the cheapest path: from the location if the ends are goals, and to the location if they
    /// are starts. Among equal costs, which have the same bits, the lowest index wins. Returns `None` if there is no
    /// path to any of them.
    ///
    /// Allocates nothing once `scratch` has grown.
    ///
    /// # Panics
    /// Panics if the ends were prepared for another world, or if the mesh has no such polygon.
    pub fn find(
        &self,
        many: Many<'_>,
        location: Location,
        scratch: &mut ManyScratch,
    ) -> Option<NearestEnd> {
        many.check_world(self.ends.world_id);
        let location = many.cost_location(location);
        let mut best = (f32::INFINITY, u32::MAX);
        for (index, other) in self.ends_in(location.polygon) {
            let points = in_order(self.ends.end, other.point, location.point);
            consider(&mut best, many.straight(location.polygon, points), index);
        }
        match many.contraction {
            Some(_) => self.climb(many, location, scratch, &mut best),
            None => self.search(many, location, scratch, &mut best),
        }
        let (cost, index) = best;
        (cost < f32::INFINITY).then_some(NearestEnd {
            index: index as usize,
            cost,
        })
    }

    /// Finds the cheapest path over the graph by climbing the chain of the location.
    fn climb(
        &self,
        many: Many<'_>,
        location: Location,
        ManyScratch {
            chain, meetings, ..
        }: &mut ManyScratch,
        best: &mut (f32, u32),
    ) {
        let Some((contraction, shortcuts)) = many.contraction else {
            return;
        };
        meetings.clear();
        let mut min = best.0;
        let visit = |rank: u32, cost: f32| {
            let sum = cost + self.min_costs[rank as usize];
            if sum <= min && sum < f32::INFINITY {
                if sum < min {
                    meetings.clear();
                    min = sum;
                }
                meetings.push((rank, cost));
            }
            cost <= min
        };
        let legs = many.legs(location);
        let end = other_end(self.ends.end);
        shortcuts.climb_chain(contraction, end, legs, chain, visit);
        // Of the ends whose cost is the minimum, after rounding, find the one with the lowest index.
        for &(rank, cost) in &*meetings {
            let first = self.entries.partition_point(|&(other, ..)| other < rank);
            let entries = self.entries[first..].iter();
            let entries = entries.take_while(|&&(other, ..)| other == rank);
            for &(_, bits, index) in entries {
                let sum = cost + f32::from_bits(bits);
                if sum > min {
                    break;
                }
                consider(best, sum, index);
            }
        }
    }

    /// Finds the cheapest path over the graph with Dijkstra's algorithm.
    fn search(
        &self,
        many: Many<'_>,
        location: Location,
        ManyScratch { search, .. }: &mut ManyScratch,
        best: &mut (f32, u32),
    ) {
        let end = other_end(self.ends.end);
        many.start_at(search, location, best.0);
        while let Some((vertex, cost)) = search.settle(&many, end) {
            if cost > best.0 {
                break;
            }
            let position = many.graph.position(vertex);
            for side in [0, 1] {
                let SampleSide::Polygon(polygon) = many.graph.side(vertex, side) else {
                    continue;
                };
                for (index, other) in self.ends_in(polygon) {
                    // Rounded as by the engine: the distance does not depend on the direction.
                    let leg = many.straight(polygon, [position, other.point]);
                    consider(best, cost + leg, index);
                }
            }
        }
    }

    /// Returns the ends in a polygon, with their indices in ascending order.
    fn ends_in(&self, polygon: PolygonId) -> impl Iterator<Item = (u32, Location)> {
        let first = self
            .by_polygon
            .partition_point(|&(other, _)| other < polygon);
        let ends = self.by_polygon[first..].iter();
        let ends = ends.take_while(move |&&(other, _)| other == polygon);
        ends.filter_map(|&(_, index)| {
            let location = self.ends.cost_locations[index as usize].ok()?;
            Some((index, location))
        })
    }

    /// Returns whether these are starts or goals.
    pub fn terminal(&self) -> Terminal {
        self.ends.terminal()
    }
}

/// Keeps the smaller cost, and the lower index among equal costs.
fn consider(best: &mut (f32, u32), cost: f32, index: u32) {
    if cost < best.0 || cost == best.0 && index < best.1 {
        *best = (cost, index);
    }
}
