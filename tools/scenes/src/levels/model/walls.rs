//! Walls along a line, with doors and windows.

use glam::{Vec2, vec3};

use super::{Frame, Model, at};

/// An opening in a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Where its middle is, along the wall. [Units: m]
    pub at: f32,
    /// [Units: m] An agent of radius 0.6 needs 1.6 to get through a bake with cells of 0.3.
    pub width: f32,
    /// Where it begins above the foot of the wall: 0 for a door.
    pub sill: f32,
    /// Where it ends above the foot of the wall; the rest of the wall bridges it.
    pub head: f32,
}

impl Gap {
    /// A door 2.4 m high.
    pub fn door(at: f32, width: f32) -> Self {
        Self {
            at,
            width,
            sill: 0.0,
            head: 2.4,
        }
    }

    /// An opening from the foot of the wall to its top.
    pub fn open(at: f32, width: f32) -> Self {
        Self {
            at,
            width,
            sill: 0.0,
            head: f32::INFINITY,
        }
    }

    /// A window from 1 m to 2.2 m.
    pub fn window(at: f32, width: f32) -> Self {
        Self {
            at,
            width,
            sill: 1.0,
            head: 2.2,
        }
    }
}

impl Model {
    /// A straight wall from place to place, centred on that line, with gaps, which must not
    /// overlap each other.
    pub fn wall(
        &mut self,
        from: Vec2,
        to: Vec2,
        bottom: f32,
        top: f32,
        thickness: f32,
        gaps: &[Gap],
    ) {
        let length = from.distance(to);
        let half = 0.5 * thickness;
        let mut gaps = gaps.to_vec();
        gaps.sort_by(|a, b| a.at.total_cmp(&b.at));
        self.within(Frame::new(at(from, bottom), to - from), |model| {
            let mut piece = |start: f32, end: f32, low: f32, high: f32| {
                if end - start > 0.01 && high - low > 0.01 {
                    model.block(vec3(start, low, -half), vec3(end, high, half));
                }
            };
            let height = top - bottom;
            let mut start = 0.0;
            for gap in &gaps {
                let (left, right) = (gap.at - 0.5 * gap.width, gap.at + 0.5 * gap.width);
                piece(start, left, 0.0, height);
                piece(left, right, 0.0, gap.sill);
                piece(left, right, gap.head.min(height), height);
                start = right;
            }
            piece(start, length, 0.0, height);
        });
    }

    /// Walls along a polyline, without gaps; corners are filled. `closed` joins its ends.
    pub fn wall_along(
        &mut self,
        line: &[Vec2],
        closed: bool,
        bottom: f32,
        top: f32,
        thickness: f32,
    ) {
        let half = 0.5 * thickness;
        let next = line.iter().skip(1).chain(closed.then(|| &line[0]));
        for (&from, &to) in line.iter().zip(next) {
            let lengthen = (to - from).normalize_or_zero() * half;
            self.wall(from - lengthen, to + lengthen, bottom, top, thickness, &[]);
        }
    }
}
