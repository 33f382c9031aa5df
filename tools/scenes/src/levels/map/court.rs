//! The courts of the arena: ground, roof, and contents of the corners and the centre.

use glam::{Vec2, vec2, vec3};

use super::{Court, HALF, HEIGHT};
use crate::model::{Frame, Gap, Material, Model, rectangle, turn};
use crate::random::Random;

/// Distance from the centre of a court to the centre of a corner's contents, along x and z.
const CORNER: f32 = 6.6;

impl Court {
    /// Adds the court. The contents of its corners are taken from the end of `kinds`.
    pub(super) fn build(&self, model: &mut Model, random: &mut Random, kinds: &mut Vec<usize>) {
        let (min, max) = (self.centre - HALF, self.centre + HALF);
        model.paint(if self.is_hall {
            Material::Stone
        } else {
            Material::Sand
        });
        model.block(vec3(min.x, -1.0, min.y), vec3(max.x, self.ground, max.y));
        let frame = Frame::at(vec3(self.centre.x, self.ground, self.centre.y));
        model.within(frame, |model| {
            if self.is_hall {
                hall(model, random);
            } else {
                for quarter in 0..4 {
                    // Local x and z point from the centre into this corner.
                    let frame = Frame::new(vec3(0.0, 0.0, 0.0), turn(12 * quarter));
                    let kind = kinds.pop().unwrap_or_default();
                    model.within(frame, |model| corner(model, random, kind));
                }
                centre_piece(model, random);
            }
        });
    }
}

/// Adds pillars, a roof, and chests along the walls.
fn hall(model: &mut Model, random: &mut Random) {
    // High enough above the ramps that lead out of a hall.
    const TOP: f32 = HEIGHT - 0.2;
    model.paint(Material::Plaster);
    for position in rectangle(Vec2::splat(-4.4), Vec2::splat(4.4)) {
        model.column(position, 0.6, 8, 0.0, TOP);
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

/// Adds a fountain, a stack of crates or nothing.
fn centre_piece(model: &mut Model, random: &mut Random) {
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
    let position = Vec2::splat(CORNER);
    match kind % 6 {
        0 => hut(model, random),
        1 => stall(model, random),
        2 => platform(model, random),
        3 => stack(model, random, position),
        4 => low_walls(model, random),
        _ => palm(model, position + random.direction()),
    }
}

/// Adds a hut with a flat roof and a door towards the centre.
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

/// Adds a stall: a roof on posts over a counter.
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

/// Adds a raised platform with stairs in the corner.
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

/// Adds one or two stacked crates with a random rotation.
fn stack(model: &mut Model, random: &mut Random, position: Vec2) {
    let frame = Frame::new(vec3(position.x, 0.0, position.y), random.direction());
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

/// Adds two low walls.
fn low_walls(model: &mut Model, random: &mut Random) {
    let (near, far) = (random.between(4.0, 4.8), random.between(8.0, 9.0));
    model.paint(Material::Stone);
    model.block(vec3(near, 0.0, near), vec3(far, 1.3, near + 0.6));
    model.block(vec3(near, 0.0, near + 2.2), vec3(near + 0.6, 1.3, far));
}

fn palm(model: &mut Model, position: Vec2) {
    model.paint(Material::Wood);
    model.column(position, 0.3, 6, 0.0, 5.0);
    model.paint(Material::Leaves);
    model.cone(position, 2.2, 6, 4.6, 5.6);
}
