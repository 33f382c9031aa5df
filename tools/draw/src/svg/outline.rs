//! Compact path data for SVG, with a precision of 0.1 pixels.

use std::collections::HashMap;
use std::fmt::Write;

/// A position in tenths of a pixel.
pub(super) type Tenths = [i64; 2];

/// The limit of coordinates, in tenths of a pixel. It is far outside any picture, and small enough for products
/// of two coordinates not to overflow. A forged file can have portals at any coordinates.
const MAX_TENTHS: f64 = 1e8;

pub(super) fn tenths((x, y): (f32, f32)) -> Tenths {
    [x, y].map(|value| {
        let tenths = (10.0 * f64::from(value)).round();
        tenths.clamp(-MAX_TENTHS, MAX_TENTHS) as i64
    })
}

/// Builds the data of a `path` element. The first point is absolute, and each of the others is relative to the
/// one before it. Differences are those of rounded positions, so that rounding errors do not add up.
#[derive(Default)]
pub(super) struct Outline {
    text: String,
    /// The position after the last line.
    pen: Option<Tenths>,
}

impl Outline {
    /// Adds a line through points. Points that are rounded to the one before them are left out, and so
    /// is a line that is rounded to one point.
    pub(super) fn line(&mut self, points: impl IntoIterator<Item = Tenths>) {
        let mut points = points.into_iter();
        let Some(first) = points.next() else { return };
        let (mut last, mut has_started) = (first, false);
        for point in points {
            if point == last {
                continue;
            }
            if !has_started {
                self.move_to(first);
                has_started = true;
            }
            self.step(last, point);
            last = point;
        }
        if has_started {
            self.pen = Some(last);
        }
    }

    /// Adds a polygon.
    pub(super) fn polygon(&mut self, corners: impl IntoIterator<Item = Tenths>) {
        let mut corners = corners.into_iter();
        let Some(first) = corners.next() else { return };
        self.move_to(first);
        let mut last = first;
        for corner in corners {
            if corner != last {
                self.step(last, corner);
            }
            last = corner;
        }
        self.text.push('z');
        self.pen = Some(first);
    }

    fn move_to(&mut self, to: Tenths) {
        match self.pen {
            None => {
                self.text.push('M');
                self.number(to[0]);
                self.number(to[1]);
                self.text.push('l');
            }
            // Pairs that follow a relative move are relative lines.
            Some(pen) => {
                self.text.push('m');
                self.step(pen, to);
            }
        }
        self.pen = Some(to);
    }

    fn step(&mut self, from: Tenths, to: Tenths) {
        self.number(to[0] - from[0]);
        self.number(to[1] - from[1]);
    }

    /// Writes tenths as a decimal number, with a space before it unless a letter or a minus sign separates it
    /// from the previous number.
    fn number(&mut self, tenths: i64) {
        let is_separated = self
            .text
            .ends_with(|letter: char| letter.is_ascii_alphabetic());
        if !is_separated && tenths >= 0 {
            self.text.push(' ');
        }
        if tenths < 0 {
            self.text.push('-');
        }
        let (integer, tenth) = (tenths.abs() / 10, tenths.abs() % 10);
        // Writing to a string cannot fail.
        let _ = match (integer, tenth) {
            (integer, 0) => write!(self.text, "{integer}"),
            (0, tenth) => write!(self.text, ".{tenth}"),
            _ => write!(self.text, "{integer}.{tenth}"),
        };
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// Joins segments that start at the end of another one into lines, and drops the points in the middle of
/// straight lines.
pub(super) fn joined(segments: &[[Tenths; 2]]) -> Vec<Vec<Tenths>> {
    let mut from: HashMap<Tenths, Vec<usize>> = HashMap::new();
    let mut ends: HashMap<Tenths, usize> = HashMap::new();
    for (i, &[start, end]) in segments.iter().enumerate() {
        from.entry(start).or_default().push(i);
        *ends.entry(end).or_default() += 1;
    }
    let mut is_used = vec![false; segments.len()];
    // Open lines come first, from their first segments. The remaining segments are loops.
    let is_first = |&i: &usize| !ends.contains_key(&segments[i][0]);
    let order: Vec<usize> = (0..segments.len())
        .filter(is_first)
        .chain(0..segments.len())
        .collect();
    let mut lines = Vec::new();
    for first in order {
        if is_used[first] {
            continue;
        }
        let mut line = vec![segments[first][0]];
        let mut next = Some(first);
        while let Some(i) = next {
            is_used[i] = true;
            let end = segments[i][1];
            if let [.., a, b] = line[..] {
                let [u, v] = [[b[0] - a[0], b[1] - a[1]], [end[0] - b[0], end[1] - b[1]]];
                let is_straight = u[0] * v[1] == u[1] * v[0] && u[0] * v[0] + u[1] * v[1] > 0;
                if is_straight {
                    line.pop();
                }
            }
            line.push(end);
            let continuations = from.get(&end).into_iter().flatten();
            next = continuations.copied().find(|&other| !is_used[other]);
        }
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_data_is_compact_and_rounding_errors_do_not_add_up() {
        let mut outline = Outline::default();
        outline.line([(1.0, 2.04), (1.26, -0.5), (1.26, 10.0)].map(tenths));
        assert_eq!(outline.text(), "M1 2l.3-2.5 0 10.5");
        outline.polygon([[13, 105], [13, 95], [23, 95]]);
        assert_eq!(outline.text(), "M1 2l.3-2.5 0 10.5m0 .5 0-1 1 0z");
    }

    #[test]
    fn a_line_of_one_point_is_left_out() {
        let mut outline = Outline::default();
        outline.line([[5, 5], [5, 5]]);
        outline.line([[5, 5]]);
        assert_eq!(outline.text(), "");
        outline.line([[5, 5], [5, 5], [6, 5], [5, 5]]);
        assert_eq!(outline.text(), "M.5 .5l.1 0-.1 0");
    }

    #[test]
    fn positions_far_outside_the_picture_do_not_overflow() {
        let far = [
            (-1e30, 3.0),
            (1e30, f32::INFINITY),
            (f32::NEG_INFINITY, 1e30),
        ]
        .map(tenths);
        assert_eq!(joined(&[[far[0], far[1]], [far[1], far[2]]]).len(), 1);
        assert_eq!(tenths((f32::NAN, 0.0)), [0, 0]);
    }

    #[test]
    fn segments_are_joined_into_lines() {
        let square = [
            [[0, 0], [9, 0]],
            [[9, 0], [9, 9]],
            [[9, 9], [0, 9]],
            [[0, 9], [0, 0]],
        ];
        assert_eq!(joined(&square), [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]]]);
        let straight = [[[4, 4], [6, 6]], [[1, 1], [4, 4]], [[6, 6], [6, 7]]];
        assert_eq!(joined(&straight), [[[1, 1], [6, 6], [6, 7]]]);
        let apart = [[[0, 0], [1, 0]], [[5, 0], [6, 0]]];
        assert_eq!(joined(&apart).len(), 2);
    }
}
