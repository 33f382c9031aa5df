//! One court: its ground, its roof, and what stands in its four corners and its middle.

use glam::{Vec2, vec2, vec3};

use super::{Court, HALF, HEIGHT};
use crate::model::{Frame, Gap, Material, Model, rectangle, turn};
use crate::random::Random;

/// From the middle of a court to the middle of what stands in a corner.
const CORNER: f32 = 6.6;

impl Court {
    /// Takes what stands in its corners from `kinds`.
    pub(super) fn build(&self, model: &mut Model, random: &mut Random, kinds: &mut Vec<usize>) {
        let (min, max) = (self.middle - HALF, self.middle + HALF);
        model.paint(if self.is_hall {
            Material::Stone
        } else {
            Material::Sand
        });
        model.block(vec3(min.x, -1.0, min.y), vec3(max.x, self.ground, max.y));
        let frame = Frame::at(vec3(self.middle.x, self.ground, self.middle.y));
        model.within(frame, |model| {
            if self.is_hall {
                hall(model, random);
            } else {
                for quarter in 0..4 {
                    // Local x and z run from the middle into this corner.
                    let frame = Frame::new(vec3(0.0, 0.0, 0.0), turn(12 * quarter));
                    let kind = kinds.pop().unwrap_or_default();
                    model.within(frame, |model| corner(model, random, kind));
                }
                middle(model, random);
            }
        });
    }
}

/// Pillars, a roof, and chests along the walls.
fn hall(model: &mut Model, random: &mut Random) {
    // High enough above the ramps that lead up from a hall.
    const TOP: f32 = HEIGHT - 0.2;
    model.paint(Material::Plaster);
    for place in rectangle(Vec2::splat(-4.4), Vec2::splat(4.4)) {
        model.column(place, 0.6, 8, 0.0, TOP);
    }
    model.paint(Material::Roof);
    let edge = HALF - 0.8;
    model.block(vec3(-edge, TOP, -edge), vec3(edge, TOP + 0.4, edge));
    model.paint(Material::Wood);
    for quarter in 0..4 {
        model.within(
            Frame::new(vec3(0.0, 0.0, 0.0), turn(12 * quarter)),
            |model| {
                let at = random.between(5.0, 7.5);
                model.block(
                    vec3(at - 1.3, 0.0, HALF - 1.5),
                    vec3(at + 1.3, 1.2, HALF - 0.3),
                );
            },
        );
    }
}

/// A fountain or a stack of crates, or nothing.
fn middle(model: &mut Model, random: &mut Random) {
    match random.below(5) {
        0 => {
            model.paint(Material::Stone);
            model.column(Vec2::ZERO, 1.4, 8, 0.0, 1.1);
            model.paint(Material::Water);
            model.column(Vec2::ZERO, 1.0, 8, 1.1, 1.2);
        }
        1 => stack(model, random, Vec2::ZERO),
        _ => {}
    }
}

fn corner(model: &mut Model, random: &mut Random, kind: usize) {
    let place = Vec2::splat(CORNER);
    match kind % 6 {
        0 => hut(model, random),
        1 => stall(model, random),
        2 => platform(model, random),
        3 => stack(model, random, place),
        4 => low_walls(model, random),
        _ => palm(model, place + random.direction()),
    }
}

/// A room with a door towards the middle and a flat roof.
fn hut(model: &mut Model, random: &mut Random) {
    const TOP: f32 = 3.0;
    let (min, max) = (
        Vec2::splat(random.between(3.6, 4.2)),
        Vec2::splat(HALF - 0.3),
    );
    let length = max.x - min.x;
    let [nw, sw, _, ne] = rectangle(min, max);
    model.paint(Material::Plaster);
    let door = Gap::door(random.between(1.6, length - 1.6), 2.0);
    let window = Gap::window(0.5 * length, 2.0);
    let (first, second) = if random.chance(0.5) {
        (door, window)
    } else {
        (window, door)
    };
    model.wall(nw, ne, 0.0, TOP, 0.3, &[first]);
    model.wall(nw, sw, 0.0, TOP, 0.3, &[second]);
    model.paint(Material::Roof);
    let (min, max) = (min - 0.5, max - 0.1);
    model.block(vec3(min.x, TOP, min.y), vec3(max.x, TOP + 0.3, max.y));
}

/// A roof on posts over a counter.
fn stall(model: &mut Model, random: &mut Random) {
    let half = vec2(random.between(2.0, 2.6), 1.8);
    model.within(Frame::at(vec3(CORNER, 0.0, CORNER)), |model| {
        model.paint(Material::Wood);
        for post in rectangle(-half, half) {
            model.column(post, 0.15, 6, 0.0, 2.8);
        }
        model.block(vec3(0.8 - half.x, 0.0, 0.2), vec3(half.x - 0.8, 1.1, 1.0));
        model.paint(Material::Signal);
        let (min, max) = (-half - 0.4, half + 0.4);
        model.block(vec3(min.x, 2.8, min.y), vec3(max.x, 3.0, max.y));
    });
}

/// A terrace in the corner with stairs.
fn platform(model: &mut Model, random: &mut Random) {
    let near = random.between(5.2, 6.0);
    let far = HALF - 0.3;
    let top = random.between(1.4, 1.8);
    model.paint(Material::Concrete);
    model.block(vec3(near, 0.0, near), vec3(far, top, far));
    let z = random.between(near + 1.2, far - 1.2);
    model.paint(Material::Stone);
    model.stairs(vec3(near - 3.0, 0.0, z), vec3(near, top, z), 2.2, 0.2);
}

/// Crates on and beside each other, turned as they were left.
fn stack(model: &mut Model, random: &mut Random, place: Vec2) {
    let frame = Frame::new(vec3(place.x, 0.0, place.y), random.direction());
    let size = random.between(1.3, 1.8);
    model.paint(Material::Wood);
    model.within(frame, |model| {
        let half = 0.5 * size;
        model.block(vec3(-half, 0.0, -half), vec3(half, size, half));
        if random.chance(0.5) {
            model.block(vec3(-0.5, size, -0.5), vec3(0.5, size + 1.0, 0.5));
        }
    });
}

/// Cover to hide behind.
fn low_walls(model: &mut Model, random: &mut Random) {
    let (near, far) = (random.between(4.0, 4.8), random.between(8.0, 9.0));
    model.paint(Material::Stone);
    model.block(vec3(near, 0.0, near), vec3(far, 1.3, near + 0.6));
    model.block(vec3(near, 0.0, near + 2.2), vec3(near + 0.6, 1.3, far));
}

fn palm(model: &mut Model, place: Vec2) {
    model.paint(Material::Wood);
    model.column(place, 0.3, 6, 0.0, 5.0);
    model.paint(Material::Leaves);
    model.cone(place, 2.2, 6, 4.6, 5.6);
}
