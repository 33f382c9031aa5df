//! Cutting a convex polygon into convex pieces around convex outlines, in plan.

use glam::DVec2;

/// Points within this distance of a line are on it. A piece may reach that far into an outline, and what is left of a
/// piece that is narrower counts as closed. [Units: m]
pub(crate) const CUT_TOLERANCE: f64 = 1e-3;

/// The line that an edge of a piece lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    /// A border of the polygon that was cut, by its index.
    Border(usize),
    /// A side of an outline, by the index of the outline and of the corner where the side begins. Pieces lie on both
    /// sides of it.
    Side(usize, usize),
}

/// A convex piece, in counter-clockwise order.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub(super) corners: Vec<DVec2>,
    /// Per corner, the line of the edge that begins there.
    pub(super) lines: Vec<Line>,
}

/// A directed line, with the unit vector along it.
#[derive(Clone, Copy)]
struct Direction {
    origin: DVec2,
    along: DVec2,
}

impl Direction {
    fn through([from, to]: [DVec2; 2]) -> Self {
        Self {
            origin: from,
            along: (to - from).normalize(),
        }
    }

    /// Returns how far to the left of the line a point lies; 0 if it is on the line.
    fn side(self, point: DVec2) -> f64 {
        let distance = self.along.perp_dot(point - self.origin);
        if distance.abs() <= CUT_TOLERANCE {
            0.0
        } else {
            distance
        }
    }
}

impl Piece {
    pub(super) fn whole(corners: Vec<DVec2>) -> Self {
        Self {
            lines: (0..corners.len()).map(Line::Border).collect(),
            corners,
        }
    }

    /// Splits the piece along a directed line into the part on the right of it and the part on the left. A piece that
    /// has no point on one side goes to the other side as it is.
    fn split(self, direction: Direction, line: Line) -> [Option<Self>; 2] {
        let sides: Vec<f64> = self.corners.iter().map(|&p| direction.side(p)).collect();
        if sides.iter().all(|&side| side <= 0.0) {
            return [Some(self), None];
        }
        if sides.iter().all(|&side| side >= 0.0) {
            return [None, Some(self)];
        }
        let mut parts = [Self::default(), Self::default()];
        let count = self.corners.len();
        for i in 0..count {
            let next = (i + 1) % count;
            let (corner, side, beyond) = (self.corners[i], sides[i], sides[next]);
            // The right part leaves the line where the left part enters it.
            for (part, sign) in parts.iter_mut().zip([-1.0, 1.0]) {
                let (side, beyond) = (side * sign, beyond * sign);
                if side < 0.0 {
                    if beyond > 0.0 {
                        part.push(self.crossing(i, sides[i], sides[next]), self.lines[i]);
                    }
                    continue;
                }
                let follows_line = beyond < 0.0 && side == 0.0;
                part.push(corner, if follows_line { line } else { self.lines[i] });
                if side > 0.0 && beyond < 0.0 {
                    part.push(self.crossing(i, sides[i], sides[next]), line);
                }
            }
        }
        parts.map(|part| (part.corners.len() >= 3).then_some(part))
    }

    fn push(&mut self, corner: DVec2, line: Line) {
        self.corners.push(corner);
        self.lines.push(line);
    }

    /// Returns where edge `i` crosses a line from whose sides its ends lie at these distances.
    fn crossing(&self, i: usize, side: f64, beyond: f64) -> DVec2 {
        let next = self.corners[(i + 1) % self.corners.len()];
        self.corners[i].lerp(next, side / (side - beyond))
    }

    /// Iterates over the edges: both ends and the line.
    pub(super) fn edges(&self) -> impl Iterator<Item = ([DVec2; 2], Line)> {
        let next = self.corners.iter().cycle().skip(1);
        let ends = self.corners.iter().zip(next).map(|(&a, &b)| [a, b]);
        ends.zip(self.lines.iter().copied())
    }
}

/// Returns the part of a convex polygon inside a convex outline; `None` if they have no area in common.
pub(super) fn inside(corners: &[DVec2], outline: &[DVec2]) -> Option<Vec<DVec2>> {
    let mut rest = Piece::whole(corners.to_vec());
    for i in 0..outline.len() {
        let side = [outline[i], outline[(i + 1) % outline.len()]];
        let [_, left] = rest.split(Direction::through(side), Line::Border(0));
        rest = left?;
    }
    Some(rest.corners)
}

/// Returns what is left of a polygon around outlines. All are convex and in counter-clockwise order.
///
/// Around each outline the pieces lie like the blades of a pinwheel: each is bounded by one side of the outline, prolonged
/// at one end.
pub(super) fn pieces_around<'a>(
    corners: Vec<DVec2>,
    outlines: impl Iterator<Item = &'a [DVec2]>,
) -> Vec<Piece> {
    let mut pieces = vec![Piece::whole(corners)];
    for (number, outline) in outlines.enumerate() {
        let mut left = Vec::with_capacity(pieces.len() + outline.len());
        for piece in pieces {
            if inside(&piece.corners, outline).is_none() {
                left.push(piece);
                continue;
            }
            let mut rest = Some(piece);
            for i in 0..outline.len() {
                let side = [outline[i], outline[(i + 1) % outline.len()]];
                let Some(piece) = rest else { break };
                let [outside, inside] =
                    piece.split(Direction::through(side), Line::Side(number, i));
                left.extend(outside);
                rest = inside;
            }
        }
        pieces = left;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trigonometry::direction;

    fn area(corners: &[DVec2]) -> f64 {
        let next = corners.iter().cycle().skip(1);
        let terms = corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b));
        terms.sum::<f64>() / 2.0
    }

    fn contains(corners: &[DVec2], p: DVec2, margin: f64) -> bool {
        let next = corners.iter().cycle().skip(1);
        let mut sides = corners.iter().zip(next);
        sides.all(|(&a, &b)| (b - a).normalize().perp_dot(p - a) >= margin)
    }

    fn around(centre: DVec2, radius: f64, count: usize, turn: f64) -> Vec<DVec2> {
        let angle = |i: usize| turn + i as f64 * std::f64::consts::TAU / count as f64;
        (0..count)
            .map(|i| centre + direction(angle(i)) * radius)
            .collect()
    }

    fn outlines() -> impl Strategy<Value = Vec<Vec<DVec2>>> {
        let outline = (-6.0..6.0, -6.0..6.0, 0.01..5.0, 3usize..13, 0.0..6.3);
        let outline = outline
            .prop_map(|(x, z, radius, count, turn)| around(DVec2::new(x, z), radius, count, turn));
        prop::collection::vec(outline, 1..5)
    }

    proptest! {
        #[test]
        fn pieces_tile_what_is_outside_all_outlines(
            outlines in outlines(),
            corners in 3usize..9,
            points in prop::collection::vec((-5.0..5.0, -5.0..5.0), 50),
        ) {
            let whole = around(DVec2::ZERO, 5.0, corners, 0.3);
            let pieces = pieces_around(whole.clone(), outlines.iter().map(Vec::as_slice));
            for piece in &pieces {
                prop_assert!(area(&piece.corners) > 0.0);
                prop_assert_eq!(piece.corners.len(), piece.lines.len());
                // Convex, up to the tolerance.
                for ([a, b], _) in piece.edges() {
                    let along = (b - a).normalize_or_zero();
                    let sides = piece.corners.iter().map(|&p| along.perp_dot(p - a));
                    prop_assert!(sides.fold(f64::INFINITY, f64::min) > -3.0 * CUT_TOLERANCE);
                }
            }
            for (x, z) in points {
                let p = DVec2::new(x, z);
                let margin = 3.0 * CUT_TOLERANCE;
                let holders = pieces.iter().filter(|piece| contains(&piece.corners, p, margin)).count();
                prop_assert!(holders <= 1);
                let is_free = outlines.iter().all(|outline| !contains(outline, p, -margin));
                if contains(&whole, p, margin) && is_free {
                    let near = pieces.iter().any(|piece| contains(&piece.corners, p, -margin));
                    prop_assert!(near, "{p} is free, and no piece has it");
                }
                if outlines.iter().any(|outline| contains(outline, p, margin)) {
                    prop_assert_eq!(holders, 0);
                }
            }
        }
    }
}
