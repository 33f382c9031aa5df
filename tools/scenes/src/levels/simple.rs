//! A small level: a walled yard with a house of two rooms, two platforms with a bridge between them, a
//! ramp, stairs and crates.
//!
//! The roof of the house cannot be reached. The large size is a grid of yards with gates between them.

use glam::{Vec2, vec2, vec3};

use crate::levels::plan::ScenePlan;
use crate::model::{Frame, Gap, Material, Model, rectangle, turn};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a walled yard with a house, two platforms and a bridge, a ramp, stairs and crates";

/// Half of the side of a yard.
const HALF: f32 = 15.0;
/// Approximate number of polygons per yard after a bake.
const POLYGONS: f32 = 76.0;
/// Height of platforms. Agents can walk below the bridge.
const DECK: f32 = 2.6;

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let yards = (plan.polygons / POLYGONS).round().max(1.0) as u32;
    let columns = (yards as f32).sqrt().ceil() as u32;
    let mut model = Model::new();
    for yard in 0..yards {
        let mut random = plan.random(u64::from(yard));
        let (column, row) = (yard % columns, yard / columns);
        let corner = vec2(column as f32, row as f32) * 2.0 * HALF;
        let centre = vec3(corner.x + HALF, 0.0, corner.y + HALF);
        // Each yard has the gates to its western and northern neighbours.
        model.within(Frame::at(centre), |model| {
            walls(
                model,
                [column > 0, row > 0],
                column + 1 == columns || yard + 1 == yards,
                yard + columns >= yards,
            );
        });
        let east = turn(12 * random.below(4));
        model.within(Frame::new(centre, east), |model| {
            furnish(model, &mut random)
        });
    }
    model
}

/// Adds the ground and the walls in the west and north. Walls in the east and south are added only for
/// yards without a neighbour there.
fn walls(model: &mut Model, gates: [bool; 2], is_east: bool, is_south: bool) {
    // Too high to be climbed from a platform.
    const HEIGHT: f32 = DECK + 1.4;
    model.paint(Material::Grass);
    model.terrain(Vec2::splat(-HALF), Vec2::splat(HALF), 7.5, |_| 0.0);
    model.paint(Material::Stone);
    let [nw, sw, se, ne] = rectangle(Vec2::splat(-HALF), Vec2::splat(HALF));
    let gate = [Gap {
        head: 2.5,
        ..Gap::open(HALF, 3.0)
    }];
    let gaps = gates.map(|gate_here| &gate[..usize::from(gate_here)]);
    model.wall(nw, sw, 0.0, HEIGHT, 0.5, gaps[0]);
    model.wall(nw, ne, 0.0, HEIGHT, 0.5, gaps[1]);
    if is_east {
        model.wall(ne, se, 0.0, HEIGHT, 0.5, &[]);
    }
    if is_south {
        model.wall(sw, se, 0.0, HEIGHT, 0.5, &[]);
    }
}

fn furnish(model: &mut Model, random: &mut Random) {
    house(model, random);
    platforms(model, random);
    crates(model, random);
    // A visible path that does not affect the navmesh.
    model.paint(Material::Road);
    model.block(vec3(-1.5, -0.1, -HALF + 0.3), vec3(1.5, 0.02, HALF - 0.3));
}

/// Adds a house with two rooms and a flat roof in the north-west.
fn house(model: &mut Model, random: &mut Random) {
    const TOP: f32 = 3.0;
    let (min, max) = (
        vec2(-13.2, -13.2),
        vec2(-3.4 + random.between(-0.4, 0.4), -5.0),
    );
    let split = random.between(-9.0, -8.0);
    let (length, depth) = (max.x - min.x, max.y - min.y);
    model.paint(Material::Plaster);
    let [nw, sw, se, ne] = rectangle(min, max);
    model.wall(
        nw,
        ne,
        0.0,
        TOP,
        0.3,
        &[Gap::window(2.5, 1.5), Gap::window(length - 2.5, 1.5)],
    );
    model.wall(nw, sw, 0.0, TOP, 0.3, &[Gap::window(0.5 * depth, 2.0)]);
    model.wall(
        ne,
        se,
        0.0,
        TOP,
        0.3,
        &[Gap::door(random.between(2.5, depth - 2.5), 2.0)],
    );
    model.wall(
        sw,
        se,
        0.0,
        TOP,
        0.3,
        &[
            Gap::door(random.between(1.8, 3.0), 2.0),
            Gap::window(length - 2.0, 1.5),
        ],
    );
    let (from, to) = (vec2(split, min.y), vec2(split, max.y));
    model.wall(
        from,
        to,
        0.0,
        TOP,
        0.2,
        &[Gap::door(random.between(2.0, depth - 2.0), 2.0)],
    );
    model.paint(Material::Roof);
    model.block(
        vec3(min.x - 0.4, TOP, min.y - 0.4),
        vec3(max.x + 0.4, TOP + 0.3, max.y + 0.4),
    );
    model.paint(Material::Wood);
    let table = vec2(0.5 * (split + max.x), min.y + 1.4);
    model.block(
        vec3(table.x - 0.9, 0.0, table.y - 0.5),
        vec3(table.x + 0.9, 1.1, table.y + 0.5),
    );
}

/// Adds a platform in the north-east with a ramp, one in the south-east with stairs, and a bridge between
/// them.
fn platforms(model: &mut Model, random: &mut Random) {
    let (near, far) = (random.between(5.0, 5.6), HALF - 0.25);
    let north = random.between(-6.4, -5.6);
    let south = random.between(5.6, 6.4);
    model.paint(Material::Concrete);
    model.block(vec3(near, 0.0, -far), vec3(far, DECK, north));
    model.block(vec3(near, 0.0, south), vec3(far, DECK, far));
    let centre = random.between(9.0, 11.0);
    model.paint(Material::Wood);
    model.slab(
        vec3(centre, DECK, north),
        vec3(centre, DECK, south),
        2.6,
        0.3,
    );
    for side in [-1.25, 1.25] {
        let [from, to] = [north, south].map(|z| vec3(centre + side, DECK, z));
        model.railing(from, to, 1.0);
    }
    model.paint(Material::Concrete);
    let ramp = random.between(-12.5, -11.0);
    model.ramp(vec3(near - 6.0, 0.0, ramp), vec3(near, DECK, ramp), 3.0);
    model.paint(Material::Stone);
    let stairs = random.between(9.5, 12.0);
    model.stairs(
        vec3(near - 4.8, 0.0, stairs),
        vec3(near, DECK, stairs),
        2.6,
        0.2,
    );
    // A pillar on each platform.
    model.paint(Material::Stone);
    model.column(vec2(centre + 1.5, north - 4.5), 0.5, 8, DECK, DECK + 3.0);
    model.column(vec2(centre - 1.5, south + 4.5), 0.5, 8, DECK, DECK + 3.0);
}

/// Adds crates in the south-west and on the platforms, trees, and a well in the centre.
fn crates(model: &mut Model, random: &mut Random) {
    model.paint(Material::Wood);
    for (x, z) in [(-11.0, 0.5), (-5.5, 3.5), (-10.5, 7.0), (-5.0, 10.5)] {
        let position = vec2(x + random.between(-0.8, 0.8), z + random.between(-0.8, 0.8));
        let size = random.between(0.7, 1.1);
        model.within(
            Frame::new(vec3(position.x, 0.0, position.y), random.direction()),
            |model| {
                model.block(vec3(-size, 0.0, -size), vec3(size, 1.6 * size, size));
            },
        );
    }
    model.within(Frame::at(vec3(0.0, DECK, 0.0)), |model| {
        model.block(vec3(7.2, 0.0, -12.4), vec3(8.6, 1.3, -11.0));
        model.block(vec3(7.4, 0.0, 11.6), vec3(8.6, 1.3, 12.8));
    });
    for (x, z) in [(2.4, 5.6), (-7.6, 13.2)] {
        tree(model, vec2(x, z + random.between(-0.5, 0.5)));
    }
    model.paint(Material::Stone);
    model.column(vec2(2.8, random.between(-1.5, 0.0)), 1.0, 12, 0.0, 1.2);
    // The stump of a tower, whose top cannot be reached.
    model.column(vec2(-12.0, 12.0), 2.9, 8, 0.0, random.between(3.0, 4.0));
}

fn tree(model: &mut Model, position: Vec2) {
    model.paint(Material::Wood);
    model.column(position, 0.25, 6, 0.0, 2.6);
    model.paint(Material::Leaves);
    model.cone(position, 1.6, 8, 2.4, 6.0);
}
