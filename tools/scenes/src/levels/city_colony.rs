//! A colony on another planet: hexagonal lots on a plain inside a crater.
//!
//! A lot has a module of three rooms, a dome, a landing pad, greenhouses, tanks, solar panels or a square.
//! Some modules have stairs to their roofs and walkways to neighbouring roofs. The other roofs, the domes,
//! tanks and tubes cannot be reached. Larger sizes have more lots.

mod lots;
mod module;

use glam::{Vec2, vec2, vec3};

use crate::levels::plan::ScenePlan;
use crate::model::{Frame, Material, Model, turn};

pub(crate) const DESCRIPTION: &str =
    "a colony of hexagonal modules, domes, landing pads and walkways in a crater";

/// Distance between the centres of neighbouring lots.
const PITCH: f32 = 24.0;
/// Distance between rows of lots, relative to `PITCH`: the height of an equilateral triangle of side 1.
const ROW: f32 = 0.866_025_4;
/// Width of the plain around the lots.
const MARGIN: f32 = 6.0;
/// Horizontal distance from the plain to the top of the crater's rim.
const RIM: f32 = 14.0;
/// Approximate number of polygons per lot after a bake.
const POLYGONS: f32 = 42.0;
/// Height of the roofs of modules and of the walkways between them.
const ROOF: f32 = 3.6;
/// Distance from the centre of a module to the midpoint of a side.
const APOTHEM: f32 = 7.4;

/// The use of a lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LotKind {
    Module,
    /// A module with stairs to its roof.
    Terrace,
    Dome,
    Pad,
    Greenhouse,
    Tanks,
    Panels,
    Square,
}

/// The kinds of lots, in the proportions in which a colony has them. Their order is shuffled.
const MIX: [LotKind; 16] = [
    LotKind::Module,
    LotKind::Terrace,
    LotKind::Dome,
    LotKind::Terrace,
    LotKind::Panels,
    LotKind::Module,
    LotKind::Tanks,
    LotKind::Dome,
    LotKind::Terrace,
    LotKind::Greenhouse,
    LotKind::Terrace,
    LotKind::Pad,
    LotKind::Module,
    LotKind::Dome,
    LotKind::Square,
    LotKind::Terrace,
];

/// Lots in rows. Every second row is shifted by half a lot.
struct Lots {
    columns: usize,
    kinds: Vec<LotKind>,
}

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let lots = Lots::new(plan);
    let mut model = Model::new();
    lots.ground(&mut model, plan);
    for (index, &kind) in lots.kinds.iter().enumerate() {
        let centre = lots.centre(index);
        let mut random = plan.random(1000 + index as u64);
        model.within(
            Frame::at(vec3(centre.x, 0.0, centre.y)),
            |model| match kind {
                LotKind::Module => module::module(model, &mut random, arbitrary_side(index)),
                LotKind::Terrace => {
                    let side = lots.stairs_side(index);
                    module::module(model, &mut random, side);
                    module::stairs(model, side);
                }
                LotKind::Dome => lots::dome(model, &mut random),
                LotKind::Pad => lots::pad(model, &mut random),
                LotKind::Greenhouse => lots::greenhouse(model, &mut random),
                LotKind::Tanks => lots::tanks(model, &mut random),
                LotKind::Panels => lots::panels(model, &mut random),
                LotKind::Square => lots::square(model, &mut random),
            },
        );
    }
    lots.connect(&mut model);
    model
}

/// Returns an arbitrary side for a lot.
fn arbitrary_side(index: usize) -> u32 {
    (index * 5 % 6) as u32
}

/// Returns the direction of a side, 0 to 5, towards the neighbouring lot.
fn side_direction(side: u32) -> Vec2 {
    turn(8 * side)
}

impl Lots {
    fn new(plan: &ScenePlan) -> Self {
        let count = (plan.polygons / POLYGONS).round().max(7.0);
        let columns = (count * ROW).sqrt().round().max(2.0);
        let rows = (count / columns).round();
        let mut kinds: Vec<LotKind> = MIX
            .iter()
            .copied()
            .cycle()
            .take((columns * rows) as usize)
            .collect();
        plan.random(1).shuffle(&mut kinds);
        Self {
            columns: columns as usize,
            kinds,
        }
    }

    fn centre(&self, lot: usize) -> Vec2 {
        let (column, row) = (lot % self.columns, lot / self.columns);
        let shift = if row % 2 == 1 { 0.5 } else { 0.0 };
        PITCH * vec2(column as f32 + shift, row as f32 * ROW)
    }

    /// Returns the neighbouring lot at a side.
    fn neighbour(&self, lot: usize, side: u32) -> Option<usize> {
        let (column, row) = (lot % self.columns, lot / self.columns);
        let odd = (row % 2) as isize;
        let (right, down) = match side {
            0 => (1, 0),
            1 => (odd, 1),
            2 => (odd - 1, 1),
            3 => (-1, 0),
            4 => (odd - 1, -1),
            _ => (odd, -1),
        };
        let column = column
            .checked_add_signed(right)
            .filter(|&c| c < self.columns)?;
        let lot = row.checked_add_signed(down)? * self.columns + column;
        (lot < self.kinds.len()).then_some(lot)
    }

    fn neighbour_kind(&self, lot: usize, side: u32) -> Option<LotKind> {
        self.neighbour(lot, side).map(|lot| self.kinds[lot])
    }

    /// Returns a side of a terrace without a walkway.
    fn stairs_side(&self, lot: usize) -> u32 {
        (0..6)
            .map(|turn| (turn + arbitrary_side(lot)) % 6)
            .find(|&side| self.neighbour_kind(lot, side) != Some(LotKind::Terrace))
            .unwrap_or(0)
    }

    /// Adds walkways between terraces and tubes between domes.
    fn connect(&self, model: &mut Model) {
        for lot in 0..self.kinds.len() {
            for side in 0..3 {
                let Some(other) = self.neighbour(lot, side) else {
                    continue;
                };
                let (from, to) = (self.centre(lot), self.centre(other));
                match (self.kinds[lot], self.kinds[other]) {
                    (LotKind::Terrace, LotKind::Terrace) => lots::walkway(model, from, to),
                    (LotKind::Dome, LotKind::Dome) => lots::tube(model, from, to),
                    _ => {}
                }
            }
        }
    }

    /// Adds the ground. It is level below the lots and then rises to the rim of the crater, ever steeper.
    fn ground(&self, model: &mut Model, plan: &ScenePlan) {
        let noise = plan.noise(2, 18.0);
        let min = Vec2::splat(-0.5 * PITCH);
        let rows = self.kinds.len() / self.columns;
        let max = PITCH * vec2(self.columns as f32, rows as f32 * ROW) + vec2(0.0, -0.1 * PITCH);
        let distance_outside = |position: Vec2| {
            (min - position)
                .max(position - max)
                .max(Vec2::ZERO)
                .length()
        };
        let height = |position: Vec2| {
            let up = ((distance_outside(position) - MARGIN) / RIM).max(0.0);
            // Outside the rim, the ground falls to below the plain.
            let slope = if up <= 1.0 {
                up * up
            } else {
                1.0 - 3.5 * (up - 1.0)
            };
            14.0 * slope.max(-0.1) * (0.8 + 0.5 * noise.at(position))
        };
        let edge = MARGIN + 1.4 * RIM;
        model.landscape(min - edge, max + edge, 4.0, height, |position| {
            let distance = distance_outside(position);
            let is_ground = distance < edge - 2.0;
            let is_rock = distance > MARGIN + 4.0;
            let material = if is_rock {
                Material::Rock
            } else {
                Material::Ground
            };
            is_ground.then_some(material)
        });
    }
}
