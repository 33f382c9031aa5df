//! The lots of a colony other than modules, and the connections between lots.

use glam::{Vec2, vec2, vec3};

use super::{APOTHEM, ROOF, ROW};
use crate::model::{Frame, Material, Model, at, ngon, turn};
use crate::random::Random;

/// Adds a plate below a lot, low enough to step on.
pub(super) fn plate(model: &mut Model, radius: f32) {
    model.paint(Material::Concrete);
    model.prism(&ngon(Vec2::ZERO, radius, 6), -0.2, 0.1);
}

/// Adds a glass dome on a ring, with an air lock.
pub(super) fn dome(model: &mut Model, random: &mut Random) {
    let radius = random.between(6.5, 8.0);
    plate(model, 11.0);
    model.paint(Material::Metal);
    model.column(Vec2::ZERO, radius + 0.4, 24, 0.0, 1.4);
    model.paint(Material::Glass);
    model.dome(Vec2::ZERO, radius, radius * 0.8, 24, 6, 1.4);
    let east = turn(8 * random.below(6) + 4);
    model.within(Frame::new(vec3(0.0, 0.0, 0.0), east), |model| {
        model.paint(Material::Plaster);
        model.block(vec3(radius - 1.0, 0.0, -1.4), vec3(radius + 2.4, 2.8, 1.4));
        model.paint(Material::Signal);
        model.block(vec3(radius + 2.4, 0.0, -0.7), vec3(radius + 2.5, 2.2, 0.7));
    });
}

/// Adds a landing pad: a raised octagon with two ramps, lamps and often a ship.
pub(super) fn pad(model: &mut Model, random: &mut Random) {
    const TOP: f32 = 1.6;
    model.paint(Material::Concrete);
    model.column(Vec2::ZERO, 9.0, 8, 0.0, TOP);
    model.paint(Material::Signal);
    for corner in ngon(Vec2::ZERO, 8.2, 8) {
        model.column(corner, 0.2, 6, TOP, TOP + 1.2);
    }
    // The midpoints of the octagon's sides are 22.5 degrees off its corners.
    let quarter = random.below(4) * 12 + 3;
    for quarter in [quarter, quarter + 24] {
        model.within(Frame::new(vec3(0.0, 0.0, 0.0), turn(quarter)), |model| {
            model.paint(Material::Metal);
            model.ramp(vec3(12.2, 0.0, 0.0), vec3(8.2, TOP, 0.0), 3.6);
        });
    }
    if random.chance(0.7) {
        let east = random.direction();
        model.within(Frame::new(vec3(0.0, TOP, 0.0), east), ship);
    }
}

fn ship(model: &mut Model) {
    model.paint(Material::Plaster);
    model.pipe(vec3(-3.5, 1.5, 0.0), vec3(2.5, 1.5, 0.0), 1.2);
    model.paint(Material::Glass);
    model.within(Frame::at(vec3(2.5, 0.0, 0.0)), |model| {
        model.taper(&ngon(Vec2::ZERO, 1.2, 6), 0.6, 2.4, 0.5);
    });
    model.paint(Material::Metal);
    let wing = [
        vec2(-3.2, 0.0),
        vec2(-3.2, 3.6),
        vec2(-1.8, 3.6),
        vec2(0.6, 0.0),
    ];
    for side in [1.0, -1.0] {
        model.prism(
            &wing.map(|corner| vec2(corner.x, side * corner.y)),
            0.9,
            1.2,
        );
    }
    for position in [vec2(-2.5, 2.5), vec2(-2.5, -2.5), vec2(1.5, 0.0)] {
        model.column(position, 0.2, 6, 0.0, 1.0);
    }
}

/// Adds greenhouses: rows of glass roofs over beds.
pub(super) fn greenhouse(model: &mut Model, random: &mut Random) {
    plate(model, 11.5);
    let east = turn(8 * random.below(3));
    model.within(Frame::new(vec3(0.0, 0.0, 0.0), east), |model| {
        for row in [-1.0, 0.0, 1.0] {
            let z = row * 6.4;
            let half = 7.5 - 1.5 * f32::abs(row) + random.between(-0.6, 0.6);
            model.paint(Material::Leaves);
            model.block(vec3(-half, 0.0, z - 1.8), vec3(half, 1.2, z + 1.8));
            model.paint(Material::Glass);
            model.block(vec3(-half, 1.2, z - 1.8), vec3(half, 2.2, z + 1.8));
            model.gable(vec2(-half, z - 1.9), vec2(half, z + 1.9), 2.2, 4.4);
        }
    });
}

/// Adds round tanks with pipes between them.
pub(super) fn tanks(model: &mut Model, random: &mut Random) {
    plate(model, 11.5);
    let positions = [vec2(-5.5, -3.6), vec2(5.5, -3.6), vec2(0.0, 5.6)];
    let east = turn(8 * random.below(6));
    model.within(Frame::new(vec3(0.0, 0.0, 0.0), east), |model| {
        for (index, &position) in positions.iter().enumerate() {
            let height = random.between(4.0, 6.5);
            let radius = random.between(2.6, 3.4);
            model.paint(Material::Plaster);
            model.column(position, radius, 16, 0.0, height);
            model.paint(Material::Metal);
            model.taper(&ngon(position, radius, 16), height, height + 0.5, 0.6);
            let next = positions[(index + 1) % 3];
            model.pipe(at(position, 3.2), at(next, 3.2), 0.35);
        }
        model.paint(Material::Metal);
        model.block(vec3(-1.2, 0.0, -1.6), vec3(1.2, 1.8, 0.4));
    });
}

/// Adds rows of solar panels that are too steep to stand on.
pub(super) fn panels(model: &mut Model, random: &mut Random) {
    let east = turn(8 * random.below(3));
    model.within(Frame::new(vec3(0.0, 0.0, 0.0), east), |model| {
        for row in [-1.5, -0.5, 0.5, 1.5] {
            let z = row * 5.2;
            let half = 9.0 - 1.8 * f32::abs(row);
            for side in [-1.0, 1.0] {
                let (near, far) = (1.0, half - random.between(0.0, 0.8));
                let (min, max) = if side < 0.0 {
                    (-far, -near)
                } else {
                    (near, far)
                };
                model.paint(Material::Metal);
                model.block(vec3(min, 0.0, z - 0.2), vec3(max, 1.0, z + 0.2));
                panel(model, min, max, z);
            }
        }
    });
}

/// Adds a sheet of glass that faces south.
fn panel(model: &mut Model, west: f32, east: f32, z: f32) {
    let centre = 0.5 * (west + east);
    let [low, high] = [(0.8, 0.7), (2.6, -0.7)].map(|(y, off)| vec3(centre, y, z + off));
    model.paint(Material::Glass);
    model.slab(low, high, east - west, 0.2);
}

/// Adds a paved square with benches and a column in its centre.
pub(super) fn square(model: &mut Model, random: &mut Random) {
    plate(model, 12.0);
    model.paint(Material::Stone);
    model.column(Vec2::ZERO, 2.0, 12, 0.1, 1.2);
    model.column(Vec2::ZERO, 0.6, 6, 1.2, 7.0);
    model.paint(Material::Signal);
    model.dome(Vec2::ZERO, 1.0, 1.0, 12, 3, 7.0);
    model.paint(Material::Wood);
    for (index, position) in ngon(Vec2::ZERO, 7.0, 6).into_iter().enumerate() {
        if random.chance(0.7) {
            let frame = Frame::new(at(position, 0.1), turn(8 * index as u32));
            model.within(frame, |model| {
                model.block(vec3(-0.5, 0.0, -1.6), vec3(0.5, 1.1, 1.6))
            });
        }
    }
}

/// Adds a walkway with railings between two roofs.
pub(super) fn walkway(model: &mut Model, from: Vec2, to: Vec2) {
    let (distance, across) = (from.distance(to), 1.4);
    model.within(Frame::new(at(from, ROOF), to - from), |model| {
        let [near, far] = [APOTHEM, distance - APOTHEM];
        model.paint(Material::Metal);
        model.slab(vec3(near, 0.0, 0.0), vec3(far, 0.0, 0.0), 2.0 * across, 0.3);
        for z in [-across, across] {
            model.railing(vec3(near + 0.4, 0.0, z), vec3(far - 0.4, 0.0, z), 1.0);
        }
        model.column(vec2(0.5 * distance, 0.0), 0.3, 6, -ROOF, -0.3);
    });
}

/// Adds a tube between two domes, high enough to walk under.
pub(super) fn tube(model: &mut Model, from: Vec2, to: Vec2) {
    let distance = from.distance(to);
    model.within(Frame::new(at(from, 0.0), to - from), |model| {
        model.paint(Material::Plaster);
        model.pipe(vec3(6.0, 3.8, 0.0), vec3(distance - 6.0, 3.8, 0.0), 1.2);
        model.paint(Material::Metal);
        for part in [0.42, 0.58] {
            model.column(vec2(part * distance, 0.0), 0.4, 6, 0.0, 3.8 - 1.2 * ROW);
        }
    });
}
