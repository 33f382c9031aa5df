//! Places a convex obstacle in a convex cell and cuts the ring around it into convex pieces.

use glam::{Vec2, vec2};

use super::mesh_builder::twice_area;
use crate::random::Random;

/// Maximum number of pieces of a ring: a triangle for each side of the cell and of the obstacle.
const MAX_PIECES: usize = 4 + Obstacle::MAX_SIDES;
/// Three points count as collinear if twice the area of their triangle is below this. [Units: m²]
const COLLINEAR: f64 = 0.01;
/// Minimum width of a piece, in metres. On a hillside, a narrower piece would be too steep.
const MIN_WIDTH: f64 = 0.25;

/// A convex polygon that is strictly inside its cell, with counterclockwise corners.
#[derive(Clone, Copy)]
pub(super) struct Obstacle {
    corners: [Vec2; Obstacle::MAX_SIDES],
    sides: usize,
}

impl Obstacle {
    pub(super) const MAX_SIDES: usize = 6;

    /// Creates an obstacle of about half the `size` of the cell, and the ring around it. Returns `None` if six
    /// attempts gave a ring with a narrow piece, which is rare.
    pub(super) fn fitting_into(
        cell: [Vec2; 4],
        size: f32,
        random: &mut Random,
    ) -> Option<(Self, Ring)> {
        (0..6)
            .map(|_| {
                let obstacle = Self::new(cell, size, random);
                (obstacle, obstacle.cut_ring(cell))
            })
            .find(|(obstacle, ring)| !obstacle.has_narrow_piece(cell, ring))
    }

    /// Creates an obstacle of four to six points on an ellipse whose radii are 0.14 to 0.33 of `size`.
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
            let fraction = (index as f32 + random.between(0.0, 0.6)) / sides as f32;
            *corner = centre + radius * direction(turn + 4.0 * fraction);
        }
        Self { corners, sides }
    }

    pub(super) fn corners(&self) -> &[Vec2] {
        &self.corners[..self.sides]
    }

    /// Returns whether `point` is clearly outside side `index`, so that they form a triangle.
    fn sees(&self, point: Vec2, index: usize) -> bool {
        let [a, b] = [index, index + 1].map(|corner| self.corners[corner % self.sides]);
        twice_area(a, b, point) < -COLLINEAR
    }

    /// Cuts the ring between the cell and the obstacle into triangles and merges neighbours that form a
    /// convex quad.
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
            let doubled_area = twice_area(o, o_next, p_next) + twice_area(o, p_next, p);
            let longest = [(o, o_next), (o_next, p_next), (p_next, p), (p, o)]
                .map(|(a, b)| f64::from(a.distance_squared(b)))
                .into_iter()
                .fold(0.0, f64::max);
            doubled_area * doubled_area < MIN_WIDTH * MIN_WIDTH * longest
        })
    }

    /// Cuts the ring into triangles. A bridge from corner `outer` of the cell to corner `inner` of the
    /// obstacle moves once around the ring, counterclockwise, one of its ends at a time.
    ///
    /// The inner end may advance while `outer` sees the next side of the obstacle. If it does not, the bridge
    /// is a tangent: the obstacle is on its left and the next corner of the cell on its right, so the outer
    /// end may advance. The outer end may also advance if both its current and its next corner see the next
    /// side, because the triangle is then outside that side. In all cases, the obstacle does not overlap
    /// the triangle and `inner` stays visible. The tangents from successive corners touch the obstacle in the
    /// same order, so both ends complete the circle together.
    fn cut_triangles(&self, cell: [Vec2; 4]) -> Ring {
        // The tangent from corner 0 touches `first`: the corner sees the side before it, not the one after.
        let first = (0..self.sides)
            .find(|&side| self.sees(cell[0], side + self.sides - 1) && !self.sees(cell[0], side))
            .unwrap_or(0);
        let last = first + self.sides;
        let (mut outer, mut inner) = (0, first);
        let mut ring = Ring::new([0, first as u8]);
        while outer < 4 || inner < last {
            let (here, next) = (cell[outer % 4], cell[(outer + 1) % 4]);
            let [touched, after] =
                [inner, inner + 1].map(|corner| self.corners[corner % self.sides]);
            let can_advance_inner = inner < last && self.sees(here, inner);
            let can_advance_outer = outer < 4 && (!can_advance_inner || self.sees(next, inner));
            let outer_is_shorter = next.distance_squared(touched) <= here.distance_squared(after);
            if can_advance_outer && (!can_advance_inner || outer_is_shorter) {
                outer += 1;
            } else {
                inner += 1;
            }
            ring.push([(outer % 4) as u8, (inner % self.sides) as u8]);
        }
        ring
    }
}

/// Returns a point of the unit circle, counterclockwise for `turn` from 0 to 4. It is the projection of a
/// point on the square around the circle, which needs no trigonometry. Equal steps of `turn` are therefore
/// slightly different angles.
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

/// A cut through the ring, from a corner of the cell to a visible corner of the obstacle.
type Bridge = [u8; 2];

/// The bridges in order around the ring, with the first one repeated at the end. There is a piece between
/// each bridge and the next.
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

    /// Returns the number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces
    }

    /// Calls `visit` with the corners of each piece, counterclockwise. `cell` and `obstacle` are the vertices of
    /// the two outlines.
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
        twice_area(a, b, c) > COLLINEAR
    })
}
