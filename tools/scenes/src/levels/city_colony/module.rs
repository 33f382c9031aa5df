//! The modules of a colony: three rooms in a hexagon.

use glam::{Vec2, vec2, vec3};

use super::{APOTHEM, ROOF, ROW, side_direction};
use crate::model::{Frame, Gap, Material, Model, ngon};
use crate::random::Random;

/// Distance from the centre of a module to a corner.
const RADIUS: f32 = APOTHEM / ROW;
/// Thickness of the roof.
const SLAB: f32 = 0.4;

/// Adds the walls, the roof and the rooms of a module. The side `blind` and every second side from it have
/// no door.
pub(super) fn module(model: &mut Model, random: &mut Random, blind: u32) {
    let top = ROOF - SLAB;
    super::lots::plate(model, 11.5);
    // Local x points to the blind side, so that sides are at multiples of 60 degrees.
    model.within(
        Frame::new(vec3(0.0, 0.0, 0.0), side_direction(blind)),
        |model| {
            for side in 0..6 {
                model.within(
                    Frame::new(vec3(0.0, 0.0, 0.0), side_direction(side)),
                    |model| {
                        outer_wall(model, top, side % 2 == 1);
                        if side % 2 == 0 {
                            inner_wall(model, random, top);
                        } else {
                            console(model, random);
                        }
                    },
                );
            }
            model.paint(Material::Metal);
            model.column(Vec2::ZERO, 0.7, 6, 0.0, top);
            model.paint(Material::Concrete);
            model.within(
                Frame::new(vec3(0.0, 0.0, 0.0), crate::model::turn(4)),
                |model| {
                    model.prism(&ngon(Vec2::ZERO, RADIUS + 0.3, 6), top, ROOF);
                    model.paint(Material::Metal);
                    model.prism(
                        &ngon(vec2(0.0, random.between(-2.5, 2.5)), 1.2, 6),
                        ROOF,
                        ROOF + 1.2,
                    );
                },
            );
        },
    );
}

/// Adds an outer wall across local x.
fn outer_wall(model: &mut Model, top: f32, has_door: bool) {
    let half = 0.5 * RADIUS;
    let gap = if has_door {
        Gap::door(half, 2.4)
    } else {
        Gap {
            at: half,
            width: 4.0,
            sill: 1.2,
            head: 2.2,
        }
    };
    model.paint(Material::Plaster);
    let x = APOTHEM - 0.2;
    model.wall(vec2(x, -half), vec2(x, half), 0.0, top, 0.4, &[gap]);
}

/// Adds a wall with a door, from the centre to a side.
fn inner_wall(model: &mut Model, random: &mut Random, top: f32) {
    let at = random.between(2.4, APOTHEM - 2.6);
    model.paint(Material::Plaster);
    let (from, to) = (Vec2::ZERO, vec2(APOTHEM - 0.2, 0.0));
    model.wall(from, to, 0.0, top, 0.2, &[Gap::door(at, 2.0)]);
}

/// Adds a console next to the door.
fn console(model: &mut Model, random: &mut Random) {
    let side = if random.chance(0.5) { 1.0 } else { -1.0 };
    let x = APOTHEM - 2.6;
    let z = side * random.between(2.2, 2.6);
    model.paint(Material::Signal);
    model.block(vec3(x - 0.5, 0.0, z - 0.5), vec3(x + 0.5, 1.2, z + 0.5));
}

/// Adds stairs to the roof, on the outside of a side without a door.
pub(super) fn stairs(model: &mut Model, side: u32) {
    model.within(
        Frame::new(vec3(0.0, 0.0, 0.0), side_direction(side)),
        |model| {
            model.paint(Material::Metal);
            let (foot, head) = (vec3(APOTHEM + 5.6, 0.0, 0.0), vec3(APOTHEM, ROOF, 0.0));
            model.stairs(foot, head, 2.6, 0.24);
        },
    );
}
