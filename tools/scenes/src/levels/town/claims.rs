//! Records which ground is occupied, so that parts of a scene do not overlap.

use std::collections::HashMap;

use glam::Vec2;

use super::outline::{bounds, distance, sides};

/// Side of the squares of the spatial index, in metres.
const SQUARE: f32 = 16.0;

/// The claimed outlines of a scene, indexed by squares of the ground. The hash map is only accessed by key,
/// so its order does not affect scenes.
#[derive(Default)]
pub(crate) struct ClaimMap {
    squares: HashMap<(i32, i32), Vec<u32>>,
    outlines: Vec<Vec<Vec2>>,
}

impl ClaimMap {
    /// Claims an outline or a single point.
    pub(crate) fn claim(&mut self, outline: &[Vec2]) {
        let number = self.outlines.len() as u32;
        for square in squares(outline, 0.0) {
            self.squares.entry(square).or_default().push(number);
        }
        self.outlines.push(outline.to_vec());
    }

    /// Returns whether no claim is within `clear` metres of the outline. Only the distances of corners and
    /// of midpoints of sides are checked, which is sufficient for outlines that are not very thin.
    pub(crate) fn is_free(&self, outline: &[Vec2], clear: f32) -> bool {
        squares(outline, clear).all(|square| {
            self.squares.get(&square).is_none_or(|near| {
                near.iter().all(|&other| {
                    outline_distance(outline, &self.outlines[other as usize]) >= clear
                })
            })
        })
    }

    /// Claims the outline if no other claim is within `clear` metres of it. Returns whether it did.
    pub(crate) fn try_claim(&mut self, outline: &[Vec2], clear: f32) -> bool {
        let is_free = self.is_free(outline, clear);
        if is_free {
            self.claim(outline);
        }
        is_free
    }
}

/// Returns the approximate distance of two outlines: the minimum distance from a corner or from the midpoint of a
/// side of one outline to the other outline.
fn outline_distance(a: &[Vec2], b: &[Vec2]) -> f32 {
    let probe = |from: &[Vec2], to: &[Vec2]| {
        sides(from)
            .flat_map(|(start, end)| [start, 0.5 * (start + end)])
            .map(|position| distance(to, position))
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
    use crate::levels::town::outline::oriented_rectangle;

    #[test]
    fn claimed_ground_cannot_be_claimed_again() {
        let mut claims = ClaimMap::default();
        assert!(claims.try_claim(
            &oriented_rectangle(vec2(20.0, 20.0), Vec2::X, 30.0, 10.0),
            2.0
        ));
        assert!(!claims.try_claim(&[vec2(20.0, 26.0)], 2.0));
        assert!(claims.try_claim(&[vec2(20.0, 28.0)], 2.0));
    }
}
