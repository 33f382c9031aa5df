//! An arena: walled courts at two heights with ramps between them, some under a roof.
//!
//! Courts are strewn with huts, stalls, crates, low walls and raised platforms; halls have pillars.
//! Roofs of huts, stalls and halls are out of reach. Larger sizes have more courts.

mod court;

use glam::{Vec2, vec2, vec3};
use portolan_core::union_find::UnionFind;

use crate::levels::plan::Plan;
use crate::model::{Frame, Gap, Material, Model};

pub(crate) const DESCRIPTION: &str =
    "an arena: courts at two heights with huts, stalls and crates, and halls with pillars";

/// Half the side of a court.
const HALF: f32 = 11.0;
/// How much higher an upper court lies.
const LEVEL: f32 = 2.0;
/// Between a gate's posts.
const GATE: f32 = 4.0;
/// Of the walls around courts.
const WALL: f32 = 0.6;
/// How high they are above the lower court.
const HEIGHT: f32 = 5.0;
/// How many polygons a court bakes into, about.
const POLYGONS: f32 = 35.0;

/// A court, and which gates it has: east, south, west, north.
#[derive(Clone, Debug)]
struct Court {
    middle: Vec2,
    ground: f32,
    is_hall: bool,
    gates: [bool; 4],
}

/// Two courts side by side.
struct Side {
    from: usize,
    to: usize,
    is_east: bool,
}

pub(crate) fn build(plan: &Plan) -> Model {
    let count = (plan.polygons / POLYGONS).round().max(2.0);
    let columns = count.sqrt().ceil() as usize;
    let rows = (count / columns as f32).round() as usize;
    let count = columns * rows;
    let mut courts = lay_out(plan, count, columns);
    let sides = sides(count, columns);
    open_gates(plan, &mut courts, &sides);

    let mut model = Model::new();
    // As many of each kind of corner, wherever they are.
    let mut corners: Vec<usize> =
        (0..4 * courts.iter().filter(|court| !court.is_hall).count()).collect();
    plan.random(3).shuffle(&mut corners);
    for (index, court) in courts.iter().enumerate() {
        let mut random = plan.random(1000 + index as u64);
        court.build(&mut model, &mut random, &mut corners);
    }
    for side in &sides {
        shared_wall(
            &mut model,
            &courts[side.from],
            &courts[side.to],
            side.is_east,
        );
    }
    outer_walls(&mut model, &courts, columns);
    model
}

fn lay_out(plan: &Plan, count: usize, columns: usize) -> Vec<Court> {
    let mut random = plan.random(1);
    let mut is_upper: Vec<bool> = (0..count).map(|court| court % 3 == 0).collect();
    let mut is_hall: Vec<bool> = (0..count).map(|court| court % 3 == 1).collect();
    random.shuffle(&mut is_upper);
    random.shuffle(&mut is_hall);
    (0..count)
        .map(|index| {
            let cell = vec2((index % columns) as f32, (index / columns) as f32);
            Court {
                middle: (cell + 0.5) * 2.0 * HALF,
                ground: if is_upper[index] { LEVEL } else { 0.0 },
                is_hall: is_hall[index],
                gates: [false; 4],
            }
        })
        .collect()
}

fn sides(count: usize, columns: usize) -> Vec<Side> {
    (0..count)
        .flat_map(|from| {
            let east = (from % columns + 1 < columns).then_some((from + 1, true));
            [east, Some((from + columns, false))]
                .into_iter()
                .flatten()
                .map(move |(to, is_east)| Side { from, to, is_east })
        })
        .filter(|side| side.to < count)
        .collect()
}

/// Gates that join all courts, and half of the others.
fn open_gates(plan: &Plan, courts: &mut [Court], sides: &[Side]) {
    let mut random = plan.random(2);
    let mut order: Vec<&Side> = sides.iter().collect();
    random.shuffle(&mut order);
    let mut joined = UnionFind::new(courts.len());
    let mut spare = 0;
    for side in order {
        let is_needed = joined.join(side.from as u32, side.to as u32);
        spare += usize::from(!is_needed);
        if is_needed || spare.is_multiple_of(2) {
            let gate = usize::from(!side.is_east);
            courts[side.from].gates[gate] = true;
            courts[side.to].gates[gate + 2] = true;
        }
    }
}

/// The wall between two courts, and the ramp to its gate.
fn shared_wall(model: &mut Model, from: &Court, to: &Court, is_east: bool) {
    // Local x from court to court, local z along the wall.
    let east = if is_east { Vec2::X } else { Vec2::Y };
    let middle = 0.5 * (from.middle + to.middle);
    let (low, high) = (from.ground.min(to.ground), from.ground.max(to.ground));
    let has_gate = from.gates[usize::from(!is_east)];
    model.within(Frame::new(vec3(middle.x, 0.0, middle.y), east), |model| {
        let gate = [Gap {
            at: HALF,
            width: GATE,
            sill: high - low,
            head: high - low + 2.8,
        }];
        let gaps = &gate[..usize::from(has_gate)];
        model.paint(Material::Brick);
        model.wall(
            vec2(0.0, -HALF),
            vec2(0.0, HALF),
            low,
            low + HEIGHT,
            WALL,
            gaps,
        );
        if has_gate && low < high {
            let down = if from.ground < to.ground { -1.0 } else { 1.0 };
            let [foot, top] = [6.0, 0.2].map(|x| down * x);
            model.paint(Material::Stone);
            model.ramp(vec3(foot, low, 0.0), vec3(top, high, 0.0), GATE);
        }
    });
}

/// Around everything: the sides that no neighbour shares.
fn outer_walls(model: &mut Model, courts: &[Court], columns: usize) {
    model.paint(Material::Brick);
    for (index, court) in courts.iter().enumerate() {
        let column = index % columns;
        let is_rim = [
            column + 1 == columns,
            index + columns >= courts.len(),
            column == 0,
            index < columns,
        ];
        for (side, east) in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]
            .into_iter()
            .enumerate()
        {
            if is_rim[side] {
                let middle = court.middle + east * HALF;
                let along = east.perp() * (HALF + 0.5 * WALL);
                let (bottom, top) = (court.ground, court.ground + HEIGHT);
                model.wall(middle - along, middle + along, bottom, top, WALL, &[]);
            }
        }
    }
}
