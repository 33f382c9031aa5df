//! Names beside points, where they are in nobody's way.

use std::fmt::Write;

use super::LETTER;
use crate::xml::escape;

/// Left, top, right, bottom.
type Area = [f64; 4];

/// What is taken of a panel. Names are written one after the other: the first have the best places.
pub(super) struct Labels {
    frame: Area,
    taken: Vec<Area>,
}

/// The height of a letter.
const HEIGHT: f64 = 12.0;
/// How far from its point a name begins: beside the marker, or farther off with a line to it.
const AWAY: [f64; 7] = [9.0, 15.0, 24.0, 36.0, 50.0, 66.0, 84.0];
/// In which directions, the best first.
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
    pub(super) fn new(frame: Area) -> Self {
        let taken = Vec::new();
        Self { frame, taken }
    }

    /// Keeps names off a marker.
    pub(super) fn keep_off(&mut self, [x, y]: [f64; 2], r: f64) {
        self.taken.push([x - r, y - r, x + r, y + r]);
    }

    /// Keeps names off a line.
    pub(super) fn keep_off_line(&mut self, points: &[[f64; 2]]) {
        for ends in points.windows(2) {
            let along = [ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]];
            let steps = (along[0].hypot(along[1]) / 4.0).ceil().max(1.0);
            for i in 0..=steps as usize {
                let share = i as f64 / steps;
                self.keep_off(
                    [ends[0][0] + share * along[0], ends[0][1] + share * along[1]],
                    1.5,
                );
            }
        }
    }

    /// Writes a name at the nearest free place; where none is free, at the one that hides the least.
    pub(super) fn write(&mut self, out: &mut String, at: [f64; 2], name: &str) {
        let width = LETTER * name.chars().count() as f64;
        let places = AWAY
            .iter()
            .flat_map(|&away| DIRECTIONS.iter().map(move |&direction| (away, direction)));
        let best = places
            .map(|(away, direction)| {
                let area = beside(at, width, away, direction);
                (self.hidden(area), area, away, direction)
            })
            // The first of those that hide as little.
            .reduce(|best, next| if next.0 < best.0 { next } else { best });
        let Some((_, area, away, [dx, _])) = best else {
            return;
        };
        let [left, top, right, bottom] = area;
        if away > AWAY[0] {
            let to = [at[0].clamp(left, right), at[1].clamp(top, bottom)];
            let _ = write!(
                out,
                "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#888\" stroke-width=\"0.8\"/>",
                at[0], at[1], to[0], to[1]
            );
            self.keep_off_line(&[at, to]);
        }
        // The width is a guess: the side towards the point is to be right.
        let (x, anchor) = match dx {
            0.0 => (f64::midpoint(left, right), "middle"),
            dx if dx > 0.0 => (left, "start"),
            _ => (right, "end"),
        };
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" fill=\"#222\">{}</text>",
            bottom - 2.0,
            escape(name)
        );
        self.taken.push(area);
    }

    /// How much of what is there an area would cover, and of the area that is out of the frame.
    fn hidden(&self, area: Area) -> f64 {
        let size = |[left, top, right, bottom]: Area| (right - left) * (bottom - top);
        let covered: f64 = self.taken.iter().map(|&taken| common(taken, area)).sum();
        // Whatever is outside is lost.
        covered + 10.0 * (size(area) - common(self.frame, area))
    }
}

/// The place of a name of that width in a direction from a point.
fn beside([x, y]: [f64; 2], width: f64, away: f64, [dx, dy]: [f64; 2]) -> Area {
    let from = |middle: f64, direction: f64, size: f64| match direction {
        0.0 => middle - size / 2.0,
        d if d > 0.0 => middle + away * d,
        d => middle + away * d - size,
    };
    let (left, top) = (from(x, dx, width), from(y, dy, HEIGHT));
    [left, top, left + width, top + HEIGHT]
}

/// The size of what two areas have in common.
fn common(a: Area, b: Area) -> f64 {
    let width = a[2].min(b[2]) - a[0].max(b[0]);
    let height = a[3].min(b[3]) - a[1].max(b[1]);
    width.max(0.0) * height.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points_in_one_place_do_not_hide_one_another() {
        let frame = [0.0, 0.0, 300.0, 200.0];
        let mut labels = Labels::new(frame);
        let places = [[150.0, 100.0], [150.0, 102.0], [151.0, 99.0], [296.0, 4.0]];
        places.iter().for_each(|&at| labels.keep_off(at, 4.0));
        let markers = labels.taken.len();
        let mut out = String::new();
        for at in places {
            labels.write(&mut out, at, "a name & more");
        }
        assert_eq!(out.matches("a name &amp; more").count(), 4);
        let names: Vec<Area> = labels.taken[markers..]
            .iter()
            .copied()
            .filter(|area| area[3] - area[1] == HEIGHT)
            .collect();
        assert_eq!(names.len(), 4);
        for (i, &name) in names.iter().enumerate() {
            let size = (name[2] - name[0]) * HEIGHT;
            assert!((common(name, frame) - size).abs() < 1e-9, "{name:?}");
            for &other in &names[..i] {
                assert_eq!(common(name, other), 0.0);
            }
        }
    }
}
