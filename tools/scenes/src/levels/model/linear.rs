//! Parts along a line: ramps, stairs, slabs, pipes and railings.

use glam::{Vec2, Vec3, vec2, vec3};

use super::solids::HOLLOW_HEIGHT;
use super::{Frame, Model, at};

impl Model {
    /// Adds a solid ramp between the midpoints of its lower and its upper edge, in either order.
    pub fn ramp(&mut self, from: Vec3, to: Vec3, width: f32) {
        let (low, high) = if from.y <= to.y {
            (from, to)
        } else {
            (to, from)
        };
        let (frame, length) = along(low, high);
        let (half, rise) = (0.5 * width, high.y - low.y);
        self.within(frame, |model| {
            let [sw, nw] = [-half, half].map(|z| vec3(0.0, 0.0, z));
            let [se, ne] = [-half, half].map(|z| vec3(length, 0.0, z));
            let [top_se, top_ne] = [-half, half].map(|z| vec3(length, rise, z));
            model.quad(sw, nw, top_ne, top_se);
            model.quad(se, top_se, top_ne, ne);
            model.triangle(sw, top_se, se);
            model.triangle(nw, ne, top_ne);
            model.quad(sw, se, ne, nw);
            // Low ceilings keep agents out, as in other solids.
            let mut height = HOLLOW_HEIGHT;
            while height + 0.2 < rise {
                let x = height / rise * length;
                let [near_s, near_n] = [-half, half].map(|z| vec3(x, height, z));
                let [far_s, far_n] = [-half, half].map(|z| vec3(length, height, z));
                model.quad(near_s, far_s, far_n, near_n);
                height += HOLLOW_HEIGHT;
            }
        });
    }

    /// Adds a level or sloping slab, such as a deck, a bridge or a walkway. `from` and `to` are the midpoints of
    /// two edges of its upper face.
    pub fn slab(&mut self, from: Vec3, to: Vec3, width: f32, thickness: f32) {
        let (frame, length) = along(from, to);
        let (half, rise) = (0.5 * width, to.y - from.y);
        let corner = |x: f32, z: f32, down: f32| vec3(x * length, x * rise - down, z * half);
        self.within(frame, |model| {
            let top = [(0.0, -1.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
            for (index, &(x, z)) in top.iter().enumerate() {
                let (next_x, next_z) = top[(index + 1) % 4];
                model.quad(
                    corner(x, z, thickness),
                    corner(next_x, next_z, thickness),
                    corner(next_x, next_z, 0.0),
                    corner(x, z, 0.0),
                );
            }
            model.face(&top.map(|(x, z)| corner(x, z, 0.0)));
            let mut underside = top.map(|(x, z)| corner(x, z, thickness));
            underside.reverse();
            model.face(&underside);
        });
    }

    /// Adds a straight flight of stairs that is solid down to its lower end. `from` and `to` are the midpoints
    /// of its ends on the two floors. No step is higher than `step`.
    pub fn stairs(&mut self, from: Vec3, to: Vec3, width: f32, step: f32) {
        let base = from.y.min(to.y);
        self.flight(from, to, width, step, |_| base);
    }

    /// Adds a flight of stairs with room below it. Each step has a thickness of `thickness`; see
    /// [`Model::stairs`] for the other parameters.
    pub fn open_stairs(&mut self, from: Vec3, to: Vec3, width: f32, step: f32, thickness: f32) {
        self.flight(from, to, width, step, |top| top - thickness);
    }

    fn flight(&mut self, from: Vec3, to: Vec3, width: f32, step: f32, bottom: impl Fn(f32) -> f32) {
        let (low, high) = if from.y <= to.y {
            (from, to)
        } else {
            (to, from)
        };
        let (frame, length) = along(low, high);
        let rise = high.y - low.y;
        let steps = (rise / step).ceil().max(1.0) as u32;
        let part = |index: u32| index as f32 / steps as f32;
        self.within(frame, |model| {
            for index in 0..steps {
                let top = part(index + 1) * rise;
                model.block(
                    vec3(
                        part(index) * length,
                        bottom(low.y + top) - low.y,
                        -0.5 * width,
                    ),
                    vec3(part(index + 1) * length, top, 0.5 * width),
                );
            }
        });
    }

    /// Adds a pipe, beam or cable with a hexagonal cross-section.
    pub fn pipe(&mut self, from: Vec3, to: Vec3, radius: f32) {
        let (frame, length) = along(from, to);
        let rise = to.y - from.y;
        let section = super::ngon(Vec2::ZERO, radius, 6);
        let ring = |x: f32, y: f32| -> Vec<Vec3> {
            section.iter().map(|c| vec3(x, y + c.x, c.y)).collect()
        };
        self.within(frame, |model| {
            let (near, far) = (ring(0.0, 0.0), ring(length, rise));
            for index in 0..section.len() {
                let next = (index + 1) % section.len();
                model.quad(near[index], near[next], far[next], far[index]);
            }
            let mut cap = near;
            cap.reverse();
            model.face(&cap);
            model.face(&far);
        });
    }

    /// Adds a railing of posts along a line, with a rail `height` above it.
    pub fn railing(&mut self, from: Vec3, to: Vec3, height: f32) {
        const POST: f32 = 0.1;
        let (frame, length) = along(from, to);
        let rise = to.y - from.y;
        let posts = (length / 2.0).ceil().max(1.0) as u32;
        self.within(frame, |model| {
            for post in 0..=posts {
                let part = post as f32 / posts as f32;
                let (x, y) = (part * (length - POST), part * rise);
                model.block(
                    vec3(x, y, -0.5 * POST),
                    vec3(x + POST, y + height, 0.5 * POST),
                );
            }
            let (near, far) = (vec3(0.0, height, 0.0), vec3(length, rise + height, 0.0));
            model.slab(near, far, POST, POST);
        });
    }
}

/// Returns the frame at `from` whose x axis points to `to`, and their distance in the (x, z) plane.
fn along(from: Vec3, to: Vec3) -> (Frame, f32) {
    let direction = vec2(to.x - from.x, to.z - from.z);
    (
        Frame::new(at(vec2(from.x, from.z), from.y), direction),
        direction.length(),
    )
}
