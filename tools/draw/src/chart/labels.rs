//! Places the labels of points where they cover as little as possible.

use std::fmt::Write;

use super::LETTER;
use crate::xml::escape;

/// A rectangle: left, top, right, bottom. [Units: px]
type LabelRect = [f64; 4];

/// The occupied parts of a panel. Labels are placed one after the other, so the first get the best positions.
pub(super) struct Labels {
    frame: LabelRect,
    taken: Vec<LabelRect>,
}

/// The height of a label. [Units: px]
const HEIGHT: f64 = 12.0;
/// The distances of a label from its point that are tried: beside the marker, or farther away with a line to it.
/// [Units: px]
const DISTANCES: [f64; 7] = [9.0, 15.0, 24.0, 36.0, 50.0, 66.0, 84.0];
/// The directions of a label from its point that are tried, the best first.
const DIRECTIONS: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [0.7, -0.7],
    [0.7, 0.7],
    [-0.7, -0.7],
    [-0.7, 0.7],
];

impl Labels {
    pub(super) fn new(frame: LabelRect) -> Self {
        let taken = Vec::new();
        Self { frame, taken }
    }

    /// Keeps labels away from a marker of radius `r`.
    pub(super) fn avoid(&mut self, [x, y]: [f64; 2], r: f64) {
        self.taken.push([x - r, y - r, x + r, y + r]);
    }

    /// Keeps labels away from a line.
    pub(super) fn avoid_line(&mut self, points: &[[f64; 2]]) {
        for ends in points.windows(2) {
            let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
            let steps = (along[0].hypot(along[1]) / 4.0).ceil().max(1.0);
            for i in 0..=steps as usize {
                let fraction = i as f64 / steps;
                self.avoid(
                    [
                        ends[0][0] + fraction * along[0],
                        ends[0][1] + fraction * along[1],
                    ],
                    1.5,
                );
            }
        }
    }

    /// Writes a label at the nearest free position, or, if none is free, where it covers the least.
    pub(super) fn write(&mut self, out: &mut String, at: [f64; 2], label: &str) {
        let width = LETTER * label.chars().count() as f64;
        let positions = DISTANCES.iter().flat_map(|&distance| {
            DIRECTIONS
                .iter()
                .map(move |&direction| (distance, direction))
        });
        let best = positions
            .map(|(distance, direction)| {
                let area = beside(at, width, distance, direction);
                (self.penalty(area), area, distance, direction)
            })
            // Of equal penalties, the first one wins.
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        let Some((_, area, distance, [dx, _])) = best else {
            return;
        };
        let [left, top, right, bottom] = area;
        if distance > DISTANCES[0] {
            let to = [at[0].clamp(left, right), at[1].clamp(top, bottom)];
            let _ = write!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888\" stroke-width=\"0.8\"/>",
                at[0], at[1], to[0], to[1]
            );
            self.avoid_line(&[at, to]);
        }
        // The width is an estimate, so the text is anchored at the side towards the point.
        let (x, anchor) = match dx {
            0.0 => (f64::midpoint(left, right), "middle"),
            dx if dx > 0.0 => (left, "start"),
            _ => (right, "end"),
        };
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"#222\">{}</text>",
            bottom - 2.0,
            escape(label)
        );
        self.taken.push(area);
    }

    /// Returns the penalty of a rectangle: how much it covers, plus ten times the part outside of the frame.
    fn penalty(&self, area: LabelRect) -> f64 {
        let size = |[left, top, right, bottom]: LabelRect| (right - left) * (bottom - top);
        let covered: f64 = self.taken.iter().map(|&taken| common(taken, area)).sum();
        // Text outside of the frame is clipped, which is worse than covering something.
        covered + 10.0 * (size(area) - common(self.frame, area))
    }
}

/// Returns the rectangle of a label of that width, at a distance and in a direction from a point.
fn beside([x, y]: [f64; 2], width: f64, distance: f64, [dx, dy]: [f64; 2]) -> LabelRect {
    let from = |middle: f64, direction: f64, size: f64| match direction {
        0.0 => middle - size / 2.0,
        d if d > 0.0 => middle + distance * d,
        d => middle + distance * d - size,
    };
    let (left, top) = (from(x, dx, width), from(y, dy, HEIGHT));
    [left, top, left + width, top + HEIGHT]
}

/// Returns the area of the intersection of two rectangles.
fn common(a: LabelRect, b: LabelRect) -> f64 {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    width.max(0.0) * height.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_nearby_points_do_not_overlap() {
        let frame = [0.0, 0.0, 300.0, 200.0];
        let mut labels = Labels::new(frame);
        let points = [[150.0, 100.0], [150.0, 102.0], [151.0, 99.0], [296.0, 4.0]];
        points.iter().for_each(|&at| labels.avoid(at, 4.0));
        let markers = labels.taken.len();
        let mut out = String::new();
        for at in points {
            labels.write(&mut out, at, "a name & more");
        }
        assert_eq!(out.matches("a name &amp; more").count(), 4);
        let rects: Vec<LabelRect> = labels.taken[markers..]
            .iter()
            .copied()
            .filter(|area| area[3] - area[1] == HEIGHT)
            .collect();
        assert_eq!(rects.len(), 4);
        for (i, &rect) in rects.iter().enumerate() {
            let size = (rect[2] - rect[0]) * HEIGHT;
            assert!((common(rect, frame) - size).abs() < 1e-9, "{rect:?}");
            for &other in &rects[..i] {
                assert_eq!(common(rect, other), 0.0);
            }
        }
    }
}
