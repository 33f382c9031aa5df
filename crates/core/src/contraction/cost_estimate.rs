//! Estimates the cost of a path as a multiple of its straight-line bound, so that searches can skip
//! vertices.
//!
//! If a search knew the cost of the cheapest path in advance, it could skip every vertex whose
//! straight-line distance rules it out. An estimate that is high enough does the same: a search within the
//! estimate finds the cheapest path, or else it is repeated with a higher bound. A low estimate skips more
//! vertices and fails more often. So several estimates are tried on paths between random vertices, and the
//! one with the least work is kept. In a maze, the best choice may be no estimate.

use oorandom::Rand32;

use super::search::ClimbStep;
use super::{Bounds, Contraction, ContractionScratch, Shortcuts, StraightLineBound};

/// The number of paths to learn from.
const PATHS: usize = 32;
/// The estimates that are tried: each is high enough for about this many of the [`PATHS`].
const TRIED_COUNTS: [usize; 4] = [8, 16, 24, 29];
/// The work for a vertex that is not skipped, in blocks of four arcs. This is an assumption, not a
/// measurement.
const VERTEX_WORK: usize = 2;
/// An estimate is kept only if it needs less than this fraction of the work without an estimate.
const MAX_WORK_RATIO: f64 = 0.9;

impl Shortcuts {
    /// Learns an estimate of path costs for a contraction with [positions](Contraction::with_positions).
    /// Paths must cost at least `cost_per_metre` per metre of straight-line distance. The estimate makes
    /// searches faster and does not change their results.
    ///
    /// # Panics
    /// Panics if the contraction has no positions.
    pub fn learn_cost_estimate(&mut self, contraction: &Contraction, cost_per_metre: f32) {
        self.cost_estimate = f32::INFINITY;
        let count = contraction.vertex_count() as u32;
        if cost_per_metre <= 0.0 || count < 2 {
            return;
        }
        let mut random = Rand32::new(0);
        let pairs = [[(); 2]; PATHS].map(|pair| pair.map(|()| random.rand_range(0..count)));
        let mut scratch = ContractionScratch::default();
        // Returns the work of all searches, and the cost of each path as a multiple of its straight-line
        // bound.
        let mut measure = |shortcuts: &Self| {
            let (mut work, mut costs) = (0, Vec::new());
            for pair in pairs {
                let [start, goal] = pair.map(|vertex| contraction.position_of(vertex));
                let straight_line = StraightLineBound::new(start, goal, cost_per_metre);
                let bounds = Bounds {
                    max_cost: f32::INFINITY,
                    straight_line: Some(straight_line),
                };
                let [starts, goals] = pair.map(|vertex| [(vertex, 0.0)].into_iter());
                let chains = &mut scratch.chains;
                let observe = |step: ClimbStep| {
                    work += step.arc_blocks.map_or(0, |blocks| VERTEX_WORK + blocks)
                };
                let found = shortcuts.meet_within_estimate(
                    contraction,
                    starts,
                    goals,
                    bounds,
                    chains,
                    observe,
                );
                costs.extend(found.map(|(cost, _)| cost / straight_line.cost()));
            }
            (work, costs)
        };
        let (work, mut costs) = measure(self);
        // Two vertices at the same position have no finite ratio.
        costs.retain(|cost| cost.is_finite());
        costs.sort_by(f32::total_cmp);
        let (mut min_work, mut best) = ((work as f64 * MAX_WORK_RATIO) as usize, f32::INFINITY);
        for count in TRIED_COUNTS {
            let Some(&cost) = costs.get(count * costs.len() / PATHS) else {
                break;
            };
            self.cost_estimate = cost;
            let (work, _) = measure(self);
            if work < min_work {
                (min_work, best) = (work, cost);
            }
        }
        self.cost_estimate = best;
    }
}

#[cfg(test)]
#[path = "cost_estimate_test.rs"]
mod tests;
