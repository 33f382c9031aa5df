//! What ways likely cost: learned from some, so that searches can leave out what is far off the way.
//!
//! Who knew beforehand what the cheapest way costs could leave out every vertex that it cannot lead over, as
//! the crow flies. A guess does as well, as long as it is not too low: a search within it finds the cheapest
//! way, or else begins again. Low guesses leave out more, and fail more often. So some are tried on ways
//! between random vertices, and the one with the least to look at stays; in a maze it may be none.

use oorandom::Rand32;

use super::search::ClimbStep;
use super::{Bounds, Contraction, ContractionScratch, Shortcuts, StraightLineBound};

/// Ways that are learned from.
const WAYS: usize = 32;
/// The guesses that are tried: enough for so many of them.
const TRIED: [usize; 4] = [8, 16, 24, 29];
/// A vertex that a way may lead over counts as so many fours of arcs: a guess, not measured.
const VERTEX: usize = 2;
/// With a guess there has to be less to look at than this share of what there is without.
const WORTH: f64 = 0.9;

impl Shortcuts {
    /// Learns what ways likely cost in a contraction with [places](Contraction::placed), where a metre costs at
    /// least so much. What searches find stays the same.
    ///
    /// # Panics
    /// When it has no places.
    pub fn learn_cost_estimate(&mut self, contraction: &Contraction, cost_per_metre: f32) {
        self.cost_estimate = f32::INFINITY;
        let count = contraction.vertex_count() as u32;
        if cost_per_metre <= 0.0 || count < 2 {
            return;
        }
        let mut random = Rand32::new(0);
        let pairs = [[(); 2]; WAYS].map(|pair| pair.map(|()| random.rand_range(0..count)));
        let mut scratch = ContractionScratch::default();
        // What there is to look at, and what ways cost.
        let mut try_out = |shortcuts: &Self| {
            let (mut work, mut costs) = (0, Vec::new());
            for pair in pairs {
                let [start, goal] = pair.map(|vertex| contraction.place_of(vertex));
                let straight = StraightLineBound::new(start, goal, cost_per_metre);
                let bounds = Bounds {
                    max_cost: f32::INFINITY,
                    straight_line: Some(straight),
                };
                let [starts, goals] = pair.map(|vertex| [(vertex, 0.0)].into_iter());
                let chains = &mut scratch.chains;
                let look =
                    |step: ClimbStep| work += step.arc_blocks.map_or(0, |arcs| VERTEX + arcs);
                let found = shortcuts.meet_within_estimate(
                    contraction,
                    starts,
                    goals,
                    bounds,
                    chains,
                    look,
                );
                costs.extend(found.map(|(cost, _)| cost / straight.cost()));
            }
            (work, costs)
        };
        let (work, mut costs) = try_out(self);
        // Between two vertices at one place.
        costs.retain(|cost| cost.is_finite());
        costs.sort_by(f32::total_cmp);
        let (mut least, mut likely) = ((work as f64 * WORTH) as usize, f32::INFINITY);
        for share in TRIED {
            let Some(&cost) = costs.get(share * costs.len() / WAYS) else {
                break;
            };
            self.cost_estimate = cost;
            let (work, _) = try_out(self);
            if work < least {
                (least, likely) = (work, cost);
            }
        }
        self.cost_estimate = likely;
    }
}

#[cfg(test)]
#[path = "cost_estimate_test.rs"]
mod tests;
