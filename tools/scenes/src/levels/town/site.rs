//! What of the ground is taken, so that nothing is built into anything else.

use std::collections::HashMap;

use glam::Vec2;

use super::outline::{bounds, distance, sides};

/// Side of the squares that the ground is divided into for looking things up, in metres.
const SQUARE: f32 = 16.0;

/// Outlines that were claimed. It is only ever looked up by place, so that the order of a hash
/// map does not show.
#[derive(Default)]
pub(crate) struct Site {
    squares: HashMap<(i32, i32), Vec<u32>>,
    outlines: Vec<Vec<Vec2>>,
}

impl Site {
    /// Takes an outline, or a single point.
    pub(crate) fn claim(&mut self, outline: &[Vec2]) {
        let number = self.outlines.len() as u32;
        for square in squares(outline, 0.0) {
            self.squares.entry(square).or_default().push(number);
        }
        self.outlines.push(outline.to_vec());
    }

    /// Whether everything within `clear` metres of the outline is free. Sides that cross without
    /// a corner or a middle of a side coming near are missed, which is good enough for things
    /// that are not needles.
    pub(crate) fn is_free(&self, outline: &[Vec2], clear: f32) -> bool {
        squares(outline, clear).all(|square| {
            self.squares.get(&square).is_none_or(|near| {
                near.iter()
                    .all(|&other| apart(outline, &self.outlines[other as usize]) >= clear)
            })
        })
    }

    /// Takes the outline if everything within `clear` metres of it is free.
    pub(crate) fn try_claim(&mut self, outline: &[Vec2], clear: f32) -> bool {
        let free = self.is_free(outline, clear);
        if free {
            self.claim(outline);
        }
        free
    }
}

/// How far two outlines lie apart: the least distance from a corner or the middle of a side of
/// one to the other.
fn apart(a: &[Vec2], b: &[Vec2]) -> f32 {
    let probe = |from: &[Vec2], to: &[Vec2]| {
        sides(from)
            .flat_map(|(start, end)| [start, 0.5 * (start + end)])
            .map(|place| distance(to, place))
            .fold(f32::MAX, f32::min)
    };
    probe(a, b).min(probe(b, a))
}

fn squares(outline: &[Vec2], margin: f32) -> impl Iterator<Item = (i32, i32)> + use<> {
    let [low, high] = bounds(outline);
    let low = ((low - margin) / SQUARE).floor().as_ivec2();
    let high = ((high + margin) / SQUARE).floor().as_ivec2();
    (low.x..=high.x).flat_map(move |x| (low.y..=high.y).map(move |z| (x, z)))
}

#[cfg(test)]
mod tests {
    use glam::vec2;

    use super::*;
    use crate::levels::town::outline::oblong;

    #[test]
    fn what_is_taken_is_not_given_twice() {
        let mut site = Site::default();
        assert!(site.try_claim(&oblong(vec2(20.0, 20.0), Vec2::X, 30.0, 10.0), 2.0));
        assert!(!site.try_claim(&[vec2(20.0, 26.0)], 2.0));
        assert!(site.try_claim(&[vec2(20.0, 28.0)], 2.0));
    }
}
