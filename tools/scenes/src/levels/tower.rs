//! A tower on a podium, with any number of storeys around one staircase.
//!
//! A storey is either a ring of rooms around a corridor around the stairwell, or an open hall with pillars.
//! Some storeys have a balcony. The staircase ends on the roof of the tower. The roofs of the podium, of the
//! canopy and of the staircase cannot be reached. The large size has ten towers.

mod storey;

use glam::{Vec2, Vec3, vec2, vec3};

use crate::levels::plan::ScenePlan;
use crate::model::{Frame, Material, Model, rectangle};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a tower on a podium with any number of storeys, whose rooms surround one staircase";

/// Height from floor to floor.
const STOREY: f32 = 3.6;
/// Thickness of the slabs between storeys.
const SLAB: f32 = 0.3;
/// Half of the size of the tower, to the outer face of its walls.
const TOWER: Vec2 = vec2(13.0, 10.0);
/// Half of the size of the podium.
const PODIUM: Vec2 = vec2(19.0, 15.0);
/// Half of the size of the square around the podium.
const SQUARE: Vec2 = vec2(34.0, 28.0);
/// Half of the size of the stairwell, to the inner face of its walls.
const WELL: Vec2 = vec2(4.4, 2.4);
/// Flights of stairs are between -x and x of this value. The floor starts at x, the landing ends at -x.
const FLIGHT: f32 = 2.0;

pub(crate) fn build(plan: &ScenePlan) -> Model {
    const TOWERS_PER_ROW: u32 = 5;
    let mut model = Model::new();
    for index in 0..plan.towers {
        let position = vec2(
            (index % TOWERS_PER_ROW) as f32,
            (index / TOWERS_PER_ROW) as f32,
        ) * 2.0
            * SQUARE;
        let random = |stream| plan.random((u64::from(index) << 32) | stream);
        model.within(Frame::at(vec3(position.x, 0.0, position.y)), |model| {
            tower(model, plan.floors, random);
        });
    }
    model
}

/// Adds one tower on its square. `random` returns a random stream by its number.
fn tower(model: &mut Model, floors: u32, random: impl Fn(u64) -> Random) {
    square(model, &mut random(2));
    for floor in 0..floors {
        let half = if floor == 0 { PODIUM } else { TOWER };
        let base = floor as f32 * STOREY;
        let mut random = random(100 + u64::from(floor));
        storey::furnish(model, &mut random, half, base, floor == 0);
        stairs(model, base);
        slab(model, half, base + STOREY);
    }
    roof(model, &mut random(1), floors);
}

/// Adds a floor with an opening for the stairwell. The strip where flights end is part of the floor.
fn slab(model: &mut Model, half: Vec2, top: f32) {
    model.paint(Material::Concrete);
    let bottom = top - SLAB;
    let mut piece = |min: Vec2, max: Vec2| {
        model.block(vec3(min.x, bottom, min.y), vec3(max.x, top, max.y));
    };
    piece(vec2(-half.x, -half.y), vec2(half.x, -WELL.y));
    piece(vec2(-half.x, WELL.y), vec2(half.x, half.y));
    piece(vec2(-half.x, -WELL.y), vec2(-WELL.x, WELL.y));
    piece(vec2(FLIGHT, -WELL.y), vec2(half.x, WELL.y));
}

/// Adds two flights of stairs with a landing and a wall between them, and the walls of the stairwell except
/// in the east.
fn stairs(model: &mut Model, base: f32) {
    const STEP: f32 = 0.2;
    const SPINE: f32 = 0.2;
    let width = WELL.y - SPINE;
    let (landing_height, centre) = (base + 0.5 * STOREY, 0.5 * (WELL.y + SPINE));
    model.paint(Material::Stone);
    model.open_stairs(
        vec3(FLIGHT, base, -centre),
        vec3(-FLIGHT, landing_height, -centre),
        width,
        STEP,
        0.4,
    );
    model.open_stairs(
        vec3(-FLIGHT, landing_height, centre),
        vec3(FLIGHT, base + STOREY, centre),
        width,
        STEP,
        0.4,
    );
    model.block(
        vec3(-WELL.x, landing_height - SLAB, -WELL.y),
        vec3(-FLIGHT, landing_height, WELL.y),
    );
    let top = base + STOREY;
    model.paint(Material::Concrete);
    model.block(vec3(-FLIGHT, base, -SPINE), vec3(FLIGHT, top, SPINE));
    well_walls(model, base, top - SLAB);
}

fn well_walls(model: &mut Model, bottom: f32, top: f32) {
    const WALL: f32 = 0.3;
    let outer = WELL + WALL;
    model.paint(Material::Concrete);
    model.block(vec3(-outer.x, bottom, -outer.y), vec3(WELL.x, top, -WELL.y));
    model.block(vec3(-outer.x, bottom, WELL.y), vec3(WELL.x, top, outer.y));
    model.block(vec3(-outer.x, bottom, -WELL.y), vec3(-WELL.x, top, WELL.y));
}

/// Adds the parapet, the roof over the stairs, machines and a mast.
fn roof(model: &mut Model, random: &mut Random, floors: u32) {
    let half = if floors == 1 { PODIUM } else { TOWER };
    let base = floors as f32 * STOREY;
    model.paint(Material::Concrete);
    let edge = half - 0.15;
    model.wall_along(&rectangle(-edge, edge), true, base, base + 1.2, 0.3);

    let top = base + 3.0;
    well_walls(model, base, top);
    model.block(
        vec3(-WELL.x - 0.6, top, -WELL.y - 0.6),
        vec3(WELL.x + 0.6, top + SLAB, WELL.y + 0.6),
    );
    // A barrier at the flight that leads no further up.
    model.block(
        vec3(FLIGHT - 0.2, base, -WELL.y),
        vec3(FLIGHT, base + 1.2, 0.0),
    );

    model.paint(Material::Metal);
    for corner in rectangle(-Vec2::ONE, Vec2::ONE) {
        let size = vec2(random.between(1.5, 3.0), random.between(1.2, 2.0));
        let position = corner * (half - vec2(3.5, 3.0)) + random.direction() * 0.6;
        let (min, max) = (position - 0.5 * size, position + 0.5 * size);
        model.block(vec3(min.x, base, min.y), vec3(max.x, base + 1.6, max.y));
    }
    let mast = vec2(-WELL.x + 1.0, 0.0);
    model.column(mast, 0.5, 6, top + SLAB, top + 4.0);
    model.column(mast, 0.2, 6, top + 4.0, top + 10.0);
}

/// Adds paving with planters and trees around the podium, and a canopy over the main door.
fn square(model: &mut Model, random: &mut Random) {
    model.paint(Material::Road);
    model.terrain(-SQUARE, SQUARE, 8.0, |_| 0.0);

    let front = vec2(0.5 * (PODIUM.x + SQUARE.x), 0.5 * (PODIUM.y + SQUARE.y));
    for (along, across) in [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
        let position = vec2(along * random.between(10.0, 16.0), across * front.y);
        planter(model, position, vec2(random.between(2.0, 4.0), 1.2));
        let position = vec2(along * front.x, across * random.between(6.0, 12.0));
        planter(model, position, vec2(1.2, random.between(2.0, 4.0)));
    }

    // The canopy is above the door in the south, on posts, and too high to climb.
    model.paint(Material::Glass);
    let (near, far) = (PODIUM.y + 0.2, PODIUM.y + 6.0);
    model.block(vec3(-5.0, 3.0, near), vec3(5.0, 3.2, far));
    model.paint(Material::Metal);
    for x in [-4.5, 4.5] {
        model.column(vec2(x, far - 0.5), 0.2, 8, 0.0, 3.0);
    }
}

/// Adds a raised bed with a tree.
fn planter(model: &mut Model, position: Vec2, half: Vec2) {
    let corner =
        |x: f32, y: f32, z: f32| Vec3::new(position.x + x * half.x, y, position.y + z * half.y);
    model.paint(Material::Stone);
    model.block(corner(-1.0, 0.0, -1.0), corner(1.0, 1.0, 1.0));
    model.paint(Material::Wood);
    model.column(position, 0.2, 6, 1.0, 3.2);
    model.paint(Material::Leaves);
    model.cone(position, 1.6, 8, 2.6, 6.0);
}
