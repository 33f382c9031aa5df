//! An arena of walled courts at two heights with ramps between them. Some courts are halls with a roof.
//!
//! Courts have huts, stalls, crates, low walls and platforms; halls have pillars. The roofs of huts, stalls
//! and halls cannot be reached. Larger sizes have more courts.

mod court;

use glam::{Vec2, vec2, vec3};
use portolan_core::union_find::UnionFind;

use crate::levels::plan::ScenePlan;
use crate::model::{Frame, Gap, Material, Model};

pub(crate) const DESCRIPTION: &str =
    "an arena of courts at two heights with huts, stalls and crates, and pillared halls";

/// Half of the side of a court.
const HALF: f32 = 11.0;
/// Height of the upper courts.
const LEVEL: f32 = 2.0;
/// Width of a gate.
const GATE: f32 = 4.0;
/// Thickness of the walls around courts.
const WALL: f32 = 0.6;
/// Height of the walls above the lower court.
const HEIGHT: f32 = 5.0;
/// Approximate number of polygons per court after a bake.
const POLYGONS: f32 = 35.0;

/// A court. `gates` are the sides with a gate: east, south, west, north.
#[derive(Clone, Debug)]
struct Court {
    centre: Vec2,
    ground: f32,
    is_hall: bool,
    gates: [bool; 4],
}

/// Two neighbouring courts. `is_east` says whether `to` is east of `from`; otherwise it is south.
struct CourtPair {
    from: usize,
    to: usize,
    is_east: bool,
}

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let count = (plan.polygons / POLYGONS).round().max(2.0);
    let columns = count.sqrt().ceil() as usize;
    let rows = (count / columns as f32).round() as usize;
    let count = columns * rows;
    let mut courts = lay_out(plan, count, columns);
    let pairs = court_pairs(count, columns);
    open_gates(plan, &mut courts, &pairs);

    let mut model = Model::new();
    // All kinds of corners are equally frequent, in random order.
    let mut corners: Vec<usize> =
        (0..4 * courts.iter().filter(|court| !court.is_hall).count()).collect();
    plan.random(3).shuffle(&mut corners);
    for (index, court) in courts.iter().enumerate() {
        let mut random = plan.random(1000 + index as u64);
        court.build(&mut model, &mut random, &mut corners);
    }
    for pair in &pairs {
        shared_wall(
            &mut model,
            &courts[pair.from],
            &courts[pair.to],
            pair.is_east,
        );
    }
    outer_walls(&mut model, &courts, columns);
    model
}

fn lay_out(plan: &ScenePlan, count: usize, columns: usize) -> Vec<Court> {
    let mut random = plan.random(1);
    let mut is_upper: Vec<bool> = (0..count).map(|court| court % 3 == 0).collect();
    let mut is_hall: Vec<bool> = (0..count).map(|court| court % 3 == 1).collect();
    random.shuffle(&mut is_upper);
    random.shuffle(&mut is_hall);
    (0..count)
        .map(|index| {
            let cell = vec2((index % columns) as f32, (index / columns) as f32);
            Court {
                centre: (cell + 0.5) * 2.0 * HALF,
                ground: if is_upper[index] { LEVEL } else { 0.0 },
                is_hall: is_hall[index],
                gates: [false; 4],
            }
        })
        .collect()
}

fn court_pairs(count: usize, columns: usize) -> Vec<CourtPair> {
    (0..count)
        .flat_map(|from| {
            let east = (from % columns + 1 < columns).then_some((from + 1, true));
            [east, Some((from + columns, false))]
                .into_iter()
                .flatten()
                .map(move |(to, is_east)| CourtPair { from, to, is_east })
        })
        .filter(|pair| pair.to < count)
        .collect()
}

/// Opens gates that connect all courts, and half of the other possible gates.
fn open_gates(plan: &ScenePlan, courts: &mut [Court], pairs: &[CourtPair]) {
    let mut random = plan.random(2);
    let mut order: Vec<&CourtPair> = pairs.iter().collect();
    random.shuffle(&mut order);
    let mut connected = UnionFind::new(courts.len());
    let mut spare = 0;
    for pair in order {
        let is_needed = connected.join(pair.from as u32, pair.to as u32);
        spare += usize::from(!is_needed);
        if is_needed || spare.is_multiple_of(2) {
            let gate = usize::from(!pair.is_east);
            courts[pair.from].gates[gate] = true;
            courts[pair.to].gates[gate + 2] = true;
        }
    }
}

/// Adds the wall between two courts and, if they differ in height, the ramp to its gate.
fn shared_wall(model: &mut Model, from: &Court, to: &Court, is_east: bool) {
    // Local x points from court to court, local z along the wall.
    let east = if is_east { Vec2::X } else { Vec2::Y };
    let centre = 0.5 * (from.centre + to.centre);
    let (low, high) = (from.ground.min(to.ground), from.ground.max(to.ground));
    let has_gate = from.gates[usize::from(!is_east)];
    model.within(Frame::new(vec3(centre.x, 0.0, centre.y), east), |model| {
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

/// Adds the walls around the arena, at the sides of courts without a neighbour.
fn outer_walls(model: &mut Model, courts: &[Court], columns: usize) {
    model.paint(Material::Brick);
    for (index, court) in courts.iter().enumerate() {
        let column = index % columns;
        let is_outer = [
            column + 1 == columns,
            index + columns >= courts.len(),
            column == 0,
            index < columns,
        ];
        for (side, east) in [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y]
            .into_iter()
            .enumerate()
        {
            if is_outer[side] {
                let centre = court.centre + east * HALF;
                let along = east.perp() * (HALF + 0.5 * WALL);
                let (bottom, top) = (court.ground, court.ground + HEIGHT);
                model.wall(centre - along, centre + along, bottom, top, WALL, &[]);
            }
        }
    }
}
