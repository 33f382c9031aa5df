//! Walls with doors and windows.

use glam::{Vec2, vec3};

use super::{Frame, Model, at};

/// An opening in a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance of the centre of the opening from the start of the wall. [Units: m]
    pub at: f32,
    /// Width of the opening. [Units: m] An agent with a radius of 0.6 m needs 1.6 m if cells are 0.3 m wide.
    pub width: f32,
    /// Height of the lower edge above the foot of the wall, 0 for a door. [Units: m]
    pub sill: f32,
    /// Height of the upper edge above the foot of the wall. The wall continues above it. [Units: m]
    pub head: f32,
}

impl Gap {
    /// Creates a door with a height of 2.4 m.
    pub fn door(at: f32, width: f32) -> Self {
        Self {
            at,
            width,
            sill: 0.0,
            head: 2.4,
        }
    }

    /// Creates an opening from the foot of the wall to its top.
    pub fn open(at: f32, width: f32) -> Self {
        Self {
            at,
            width,
            sill: 0.0,
            head: f32::INFINITY,
        }
    }

    /// Creates a window between heights of 1 m and 2.2 m.
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
    /// Adds a straight wall with its centre line between two points of (x, z). Gaps must not overlap.
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

    /// Adds walls without gaps along a polyline and fills the corners. With `closed`, the last point is
    /// connected to the first.
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
