//! Costs from one to many, from many to one, and from many to many.

use glam::Vec4;
use rayon::prelude::*;

use super::ends::EndChain;
use super::{Ends, Many, ManyScratch, in_order, other_end};
use crate::contraction::{Contraction, min_sum};
use crate::ids::Terminal;
use crate::navmesh::Location;

/// The number of rows of a matrix that are computed together. Each chain of a goal is read once for all of
/// them, and the chains of that many starts stay in the L1 cache.
const ROWS: usize = 8;

impl Many<'_> {
    /// Sets `costs` to the cost between one location and each of the prepared ends, in their order: from the
    /// location to each end if they are goals, and from each end to the location if they are starts. The
    /// cost is infinite where there is no path.
    ///
    /// Allocates nothing once `scratch` and `costs` have grown.
    ///
    /// # Panics
    /// Panics if the ends were prepared for another world, or if the mesh has no such polygon.
    pub fn costs(
        &self,
        location: Location,
        ends: &Ends,
        scratch: &mut ManyScratch,
        costs: &mut Vec<f32>,
    ) {
        self.check_world(ends.world_id);
        costs.clear();
        costs.resize(ends.len(), f32::INFINITY);
        let location = self.cost_location(location);
        let ManyScratch { chain, shared, .. } = scratch;
        if let Some((contraction, shortcuts)) = self.contraction {
            let (end, legs) = (other_end(ends.end), self.legs(location));
            let lowest = shortcuts.climb_chain(contraction, end, legs, chain, |_, _| true);
            if let Some(lowest) = lowest {
                shared_with(contraction, lowest, &ends.chains, shared);
                for (other, &shared) in ends.chains.iter().zip(&*shared) {
                    costs[other.index as usize] = min_sum(chain, ends.costs_of(other), shared);
                }
            }
            self.lower_to_straight(location, ends, costs);
        } else {
            self.search_costs(location, ends, scratch, costs);
        }
    }

    /// Sets `costs` to the costs from each start to each goal: one row per start, and in each row one cost
    /// per goal. The cost is infinite where there is no path. Rows are computed in parallel, by the threads
    /// of the current rayon pool, and do not depend on their number.
    ///
    /// # Panics
    /// Panics if `starts` are not starts, if `goals` are not goals, or if they were prepared for another world.
    pub fn matrix(&self, starts: &Ends, goals: &Ends, costs: &mut Vec<f32>) {
        assert_eq!(starts.end, Terminal::Start, "the rows are starts");
        assert_eq!(goals.end, Terminal::Goal, "the columns are goals");
        self.check_world(starts.world_id);
        self.check_world(goals.world_id);
        costs.clear();
        costs.resize(starts.len() * goals.len(), f32::INFINITY);
        if costs.is_empty() {
            return;
        }
        let rows = costs.chunks_exact_mut(goals.len());
        let Some((contraction, _)) = self.contraction else {
            let rows: Vec<_> = starts.cost_locations.iter().zip(rows).collect();
            rows.into_par_iter()
                .for_each_init(ManyScratch::default, |scratch, (start, row)| {
                    if let Ok(start) = *start {
                        self.search_costs(start, goals, scratch, row);
                    }
                });
            return;
        };
        // Starts with close ranks share most of their chains.
        let mut rows: Vec<_> = rows.map(Some).collect();
        let sorted = starts.chains.iter().map(|chain| {
            let row = rows[chain.index as usize].take();
            (chain, row.expect("one chain per start"))
        });
        let mut sorted: Vec<(&EndChain, &mut [f32])> = sorted.collect();
        let rows = |rows: &mut [(&EndChain, &mut [f32])], shared: &mut [Vec<u32>; ROWS]| {
            let sources: [&[Vec4]; ROWS] = std::array::from_fn(|row| {
                let start = rows.get(row).map(|(start, _)| *start);
                start.map_or(&[][..], |start| starts.costs_of(start))
            });
            for ((start, _), shared) in rows.iter().zip(&mut *shared) {
                shared_with(contraction, start.lowest, &goals.chains, shared);
            }
            for (column, goal) in goals.chains.iter().enumerate() {
                let target = goals.costs_of(goal);
                for (((_, row), source), shared) in rows.iter_mut().zip(sources).zip(&*shared) {
                    row[goal.index as usize] = min_sum(source, target, shared[column]);
                }
            }
        };
        let buffers = || -> [Vec<u32>; ROWS] { Default::default() };
        sorted
            .par_chunks_mut(ROWS)
            .for_each_init(buffers, |shared, chunk| rows(chunk, shared));
        let rows = costs.par_chunks_exact_mut(goals.len());
        let rows = rows.zip(&starts.cost_locations);
        rows.for_each(|(row, start)| {
            if let Ok(start) = *start {
                self.lower_to_straight(start, goals, row);
            }
        });
    }

    /// Lowers costs to those of straight lines within the polygon of a location.
    fn lower_to_straight(&self, location: Location, ends: &Ends, costs: &mut [f32]) {
        for (other, cost) in ends.cost_locations.iter().zip(costs) {
            if let Ok(other) = other
                && other.polygon == location.polygon
            {
                let points = in_order(ends.end, other.point, location.point);
                *cost = cost.min(self.straight(location.polygon, points));
            }
        }
    }

    /// Computes costs as [`costs`](Self::costs) does, with Dijkstra's algorithm.
    fn search_costs(
        &self,
        location: Location,
        ends: &Ends,
        ManyScratch { search, .. }: &mut ManyScratch,
        costs: &mut [f32],
    ) {
        self.start_at(search, location, f32::INFINITY);
        while search.settle(self, other_end(ends.end)).is_some() {}
        for (other, cost) in ends.cost_locations.iter().zip(&mut *costs) {
            let legs = other.iter().flat_map(|&other| self.legs(other));
            let totals = legs.map(|(vertex, leg)| search.cost(vertex) + leg);
            *cost = totals.fold(f32::INFINITY, f32::min);
        }
        self.lower_to_straight(location, ends, costs);
    }
}

/// Sets `shared` to the number of depths that the chain of a rank shares with each of `chains`.
///
/// Chains are sorted by rank, and ranks are a post-order of the tree. So of three chains in order, the first and
/// the last share as much as the pair with the smaller common part, and the loop walks away from the rank
/// with a running minimum.
fn shared_with(contraction: &Contraction, rank: u32, chains: &[EndChain], shared: &mut Vec<u32>) {
    shared.clear();
    shared.resize(chains.len(), 0);
    let split = chains.partition_point(|chain| chain.lowest < rank);
    let (below, above) = chains.split_at(split);
    let (shared_below, shared_above) = shared.split_at_mut(split);
    if let Some(first) = above.first() {
        let mut min = contraction.shared_depths(rank, first.lowest);
        shared_above[0] = min;
        for (chain, shared) in above.iter().zip(shared_above).skip(1) {
            min = min.min(chain.shared);
            *shared = min;
        }
    }
    if let Some(last) = below.last() {
        let mut min = contraction.shared_depths(last.lowest, rank);
        for (chain, shared) in below.iter().zip(shared_below).rev() {
            *shared = min;
            min = min.min(chain.shared);
        }
    }
}
