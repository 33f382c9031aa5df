//! A convex obstacle in the middle of a convex cell, and the ring around it in convex pieces.

use glam::{Vec2, vec2};

use super::ground::cross;
use crate::random::Random;

/// One triangle for each side of the cell and each side of the obstacle.
const MAX_PIECES: usize = 4 + Obstacle::MAX_SIDES;
/// Twice the area, in square metres, below which three points count as lying on a line.
const FLAT: f64 = 0.01;
/// A piece narrower than this, in metres, spoils the ring: on a hillside it would stand too steep.
const NARROW: f64 = 0.25;

/// A convex polygon, counter-clockwise, strictly inside its cell.
#[derive(Clone, Copy)]
pub(super) struct Obstacle {
    corners: [Vec2; Obstacle::MAX_SIDES],
    sides: usize,
}

impl Obstacle {
    pub(super) const MAX_SIDES: usize = 6;

    /// An obstacle of about half the `size` of the cell and the ring around it, or `None` where
    /// six tries made no good ring, which is rare.
    pub(super) fn fitting(cell: [Vec2; 4], size: f32, random: &mut Random) -> Option<(Self, Ring)> {
        (0..6)
            .map(|_| {
                let obstacle = Self::new(cell, size, random);
                (obstacle, obstacle.cut_ring(cell))
            })
            .find(|(obstacle, ring)| !obstacle.has_narrow_piece(cell, ring))
    }

    /// Four to six points in order on an ellipse, of 0.14 to 0.33 of `size` in either direction.
    fn new(cell: [Vec2; 4], size: f32, random: &mut Random) -> Self {
        let centre = (cell[0] + cell[1] + cell[2] + cell[3]) * 0.25;
        let radius = vec2(
            random.between(0.14, 0.33) * size,
            random.between(0.14, 0.33) * size,
        );
        let sides = 4 + random.below(Obstacle::MAX_SIDES as u32 - 3) as usize;
        let turn = random.between(0.0, 4.0);
        let mut corners = [centre; Obstacle::MAX_SIDES];
        for (index, corner) in corners.iter_mut().enumerate().take(sides) {
            let share = (index as f32 + random.between(0.0, 0.6)) / sides as f32;
            *corner = centre + radius * direction(turn + 4.0 * share);
        }
        Self { corners, sides }
    }

    pub(super) fn corners(&self) -> &[Vec2] {
        &self.corners[..self.sides]
    }

    /// Whether `point` lies clearly outside side `index`, so that the two make a triangle.
    fn sees(&self, point: Vec2, index: usize) -> bool {
        let [a, b] = [index, index + 1].map(|corner| self.corners[corner % self.sides]);
        cross(a, b, point) < -FLAT
    }

    /// Cuts the ring between the cell and the obstacle into triangles, and joins neighbours where
    /// the two make a convex quad.
    fn cut_ring(&self, cell: [Vec2; 4]) -> Ring {
        let triangles = self.cut_triangles(cell);
        let mut ring = Ring::new(triangles.bridges[0]);
        let mut rest = &triangles.bridges[1..=triangles.pieces];
        while let [next, after @ ..] = rest {
            let [o, p] = ring.last();
            let joined = after.first().filter(|&&[o_after, p_after]| {
                let outer = [o, o_after].map(|corner| cell[usize::from(corner)]);
                let inner = [p_after, p].map(|corner| self.corners[usize::from(corner)]);
                is_convex([outer[0], outer[1], inner[0], inner[1]])
            });
            ring.push(*joined.unwrap_or(next));
            rest = if joined.is_some() { &after[1..] } else { after };
        }
        ring
    }

    fn has_narrow_piece(&self, cell: [Vec2; 4], ring: &Ring) -> bool {
        ring.bridges[..=ring.pieces].windows(2).any(|pair| {
            let [[o, p], [o_next, p_next]] = [pair[0], pair[1]]
                .map(|[outer, inner]| [cell[usize::from(outer)], self.corners[usize::from(inner)]]);
            let doubled_area = cross(o, o_next, p_next) + cross(o, p_next, p);
            let longest = [(o, o_next), (o_next, p_next), (p_next, p), (p, o)]
                .map(|(a, b)| f64::from(a.distance_squared(b)))
                .into_iter()
                .fold(0.0, f64::max);
            doubled_area * doubled_area < NARROW * NARROW * longest
        })
    }

    /// Goes once around the ring with a bridge from corner `outer` of the cell to corner `inner`
    /// of the obstacle, moving one of its ends on at a time, counter-clockwise.
    ///
    /// The inner end may move on while `outer` sees the side ahead. Where it does not, the bridge
    /// is tangent: the obstacle lies left of it and the next corner of the cell right of it, so
    /// that the outer end may move on. It may also where both its old and its new corner see the
    /// side ahead, because then the triangle lies outside that side. Either way the obstacle stays
    /// clear of the triangle, and `inner` stays in sight. The tangents from successive corners
    /// touch the obstacle in the same order, so that both ends come around together.
    fn cut_triangles(&self, cell: [Vec2; 4]) -> Ring {
        // The tangent from corner 0: it sees the side before `first`, but not the one after it.
        let first = (0..self.sides)
            .find(|&side| self.sees(cell[0], side + self.sides - 1) && !self.sees(cell[0], side))
            .unwrap_or(0);
        let last = first + self.sides;
        let (mut outer, mut inner) = (0, first);
        let mut ring = Ring::new([0, first as u8]);
        while outer < 4 || inner < last {
            let (here, next) = (cell[outer % 4], cell[(outer + 1) % 4]);
            let [ahead, after] = [inner, inner + 1].map(|corner| self.corners[corner % self.sides]);
            let inner_may = inner < last && self.sees(here, inner);
            let outer_may = outer < 4 && (!inner_may || self.sees(next, inner));
            let outer_is_shorter = next.distance_squared(ahead) <= here.distance_squared(after);
            if outer_may && (!inner_may || outer_is_shorter) {
                outer += 1;
            } else {
                inner += 1;
            }
            ring.push([(outer % 4) as u8, (inner % self.sides) as u8]);
        }
        ring
    }
}

/// A point of the unit circle, counter-clockwise as `turn` goes from 0 to 4. It moves along the
/// square around the circle, which takes no trigonometry, so that the speed varies a little.
fn direction(turn: f32) -> Vec2 {
    let quarter = turn.floor();
    let along = 2.0 * (turn - quarter) - 1.0;
    let on_square = match quarter as i32 % 4 {
        0 => vec2(1.0, along),
        1 => vec2(-along, 1.0),
        2 => vec2(-1.0, -along),
        _ => vec2(along, -1.0),
    };
    on_square / on_square.length()
}

/// A cut through the ring: a corner of the cell and a corner of the obstacle that see each other.
type Bridge = [u8; 2];

/// The bridges in order around the ring, the first one repeated at the end; a piece lies between
/// each and the next.
pub(super) struct Ring {
    bridges: [Bridge; MAX_PIECES + 1],
    pieces: usize,
}

impl Ring {
    fn new(first: Bridge) -> Self {
        Self {
            bridges: [first; MAX_PIECES + 1],
            pieces: 0,
        }
    }

    fn push(&mut self, bridge: Bridge) {
        self.pieces += 1;
        self.bridges[self.pieces] = bridge;
    }

    fn last(&self) -> Bridge {
        self.bridges[self.pieces]
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces
    }

    /// The corners of each piece, counter-clockwise, out of the vertices of the cell and those of
    /// the obstacle.
    pub(super) fn for_each_piece(
        &self,
        cell: [u32; 4],
        obstacle: &[u32],
        mut visit: impl FnMut(&[u32]),
    ) {
        for pair in self.bridges[..=self.pieces].windows(2) {
            let [from, to] = [pair[0], pair[1]]
                .map(|[outer, inner]| (cell[usize::from(outer)], obstacle[usize::from(inner)]));
            let ((o, p), (o_next, p_next)) = (from, to);
            if o == o_next {
                visit(&[o, p_next, p]);
            } else if p == p_next {
                visit(&[o, o_next, p]);
            } else {
                visit(&[o, o_next, p_next, p]);
            }
        }
    }
}

fn is_convex(quad: [Vec2; 4]) -> bool {
    (0..4).all(|corner| {
        let [a, b, c] = [corner, corner + 1, corner + 2].map(|index| quad[index % 4]);
        cross(a, b, c) > FLAT
    })
}
