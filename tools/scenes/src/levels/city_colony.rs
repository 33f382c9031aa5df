//! A colony on another world: hexagonal lots on a plain inside a crater.
//!
//! Lots hold modules of three rooms, domes, landing pads, greenhouses, tanks, panels or a square.
//! Some modules have stairs to their roofs and walkways from roof to roof; the other roofs, the
//! domes, tanks and tubes are out of reach. Larger sizes have more lots.

mod lots;
mod module;

use glam::{Vec2, vec2, vec3};

use crate::levels::plan::Plan;
use crate::model::{Frame, Material, Model, turn};

pub(crate) const DESCRIPTION: &str =
    "a colony of hexagonal modules, domes, landing pads and walkways in a crater";

/// From the middle of a lot to the middle of the next.
const PITCH: f32 = 24.0;
/// The height of a regular triangle of side 1: from row to row.
const ROW: f32 = 0.866_025_4;
/// Plain around the lots.
const MARGIN: f32 = 6.0;
/// From the plain to the top of the crater's rim.
const RIM: f32 = 14.0;
/// How many polygons a lot bakes into, about.
const POLYGONS: f32 = 42.0;
/// How high the roofs of modules and the walkways between them are.
const ROOF: f32 = 3.6;
/// From the middle of a module to the middle of a side.
const APOTHEM: f32 = 7.4;

/// What stands on a lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Module,
    /// A module with a way to its roof.
    Terrace,
    Dome,
    Pad,
    Greenhouse,
    Tanks,
    Panels,
    Square,
}

/// What a street of lots is made of; more of it in any order.
const MIX: [Kind; 16] = [
    Kind::Module,
    Kind::Terrace,
    Kind::Dome,
    Kind::Terrace,
    Kind::Panels,
    Kind::Module,
    Kind::Tanks,
    Kind::Dome,
    Kind::Terrace,
    Kind::Greenhouse,
    Kind::Terrace,
    Kind::Pad,
    Kind::Module,
    Kind::Dome,
    Kind::Square,
    Kind::Terrace,
];

/// Lots in rows, every other one shifted by half a lot.
struct Lots {
    columns: usize,
    kinds: Vec<Kind>,
}

pub(crate) fn build(plan: &Plan) -> Model {
    let lots = Lots::new(plan);
    let mut model = Model::new();
    lots.plain(&mut model, plan);
    for (index, &kind) in lots.kinds.iter().enumerate() {
        let middle = lots.middle(index);
        let mut random = plan.random(1000 + index as u64);
        model.within(
            Frame::at(vec3(middle.x, 0.0, middle.y)),
            |model| match kind {
                Kind::Module => module::module(model, &mut random, random_side(index)),
                Kind::Terrace => {
                    let side = lots.stairs_side(index);
                    module::module(model, &mut random, side);
                    module::stairs(model, side);
                }
                Kind::Dome => lots::dome(model, &mut random),
                Kind::Pad => lots::pad(model, &mut random),
                Kind::Greenhouse => lots::greenhouse(model, &mut random),
                Kind::Tanks => lots::tanks(model, &mut random),
                Kind::Panels => lots::panels(model, &mut random),
                Kind::Square => lots::square(model, &mut random),
            },
        );
    }
    lots.join(&mut model);
    model
}

/// Which side of a module has no neighbour to look at: any will do.
fn random_side(index: usize) -> u32 {
    (index * 5 % 6) as u32
}

/// The direction of a side, 0 to 5, towards the neighbour there.
fn side_direction(side: u32) -> Vec2 {
    turn(8 * side)
}

impl Lots {
    fn new(plan: &Plan) -> Self {
        let count = (plan.polygons / POLYGONS).round().max(7.0);
        let columns = (count * ROW).sqrt().round().max(2.0);
        let rows = (count / columns).round();
        let mut kinds: Vec<Kind> = MIX
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

    fn middle(&self, lot: usize) -> Vec2 {
        let (column, row) = (lot % self.columns, lot / self.columns);
        let shift = if row % 2 == 1 { 0.5 } else { 0.0 };
        PITCH * vec2(column as f32 + shift, row as f32 * ROW)
    }

    /// The lot beyond a side.
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

    fn kind_beyond(&self, lot: usize, side: u32) -> Option<Kind> {
        self.neighbour(lot, side).map(|lot| self.kinds[lot])
    }

    /// A side of a terrace where no walkway is.
    fn stairs_side(&self, lot: usize) -> u32 {
        (0..6)
            .map(|turn| (turn + random_side(lot)) % 6)
            .find(|&side| self.kind_beyond(lot, side) != Some(Kind::Terrace))
            .unwrap_or(0)
    }

    /// Walkways from terrace to terrace, tubes from dome to dome.
    fn join(&self, model: &mut Model) {
        for lot in 0..self.kinds.len() {
            for side in 0..3 {
                let Some(other) = self.neighbour(lot, side) else {
                    continue;
                };
                let (from, to) = (self.middle(lot), self.middle(other));
                match (self.kinds[lot], self.kinds[other]) {
                    (Kind::Terrace, Kind::Terrace) => lots::walkway(model, from, to),
                    (Kind::Dome, Kind::Dome) => lots::tube(model, from, to),
                    _ => {}
                }
            }
        }
    }

    /// The ground: level where lots are, then up to the rim of the crater, steeper and steeper.
    fn plain(&self, model: &mut Model, plan: &Plan) {
        let noise = plan.noise(2, 18.0);
        let min = Vec2::splat(-0.5 * PITCH);
        let rows = self.kinds.len() / self.columns;
        let max = PITCH * vec2(self.columns as f32, rows as f32 * ROW) + vec2(0.0, -0.1 * PITCH);
        let beyond = |place: Vec2| (min - place).max(place - max).max(Vec2::ZERO).length();
        let height = |place: Vec2| {
            let up = ((beyond(place) - MARGIN) / RIM).max(0.0);
            // Beyond the top it falls off to below the plain.
            let slope = if up <= 1.0 {
                up * up
            } else {
                1.0 - 3.5 * (up - 1.0)
            };
            14.0 * slope.max(-0.1) * (0.8 + 0.5 * noise.at(place))
        };
        let edge = MARGIN + 1.4 * RIM;
        model.landscape(min - edge, max + edge, 4.0, height, |place| {
            let beyond = beyond(place);
            let is_ground = beyond < edge - 2.0;
            let is_rock = beyond > MARGIN + 4.0;
            let material = if is_rock {
                Material::Rock
            } else {
                Material::Ground
            };
            is_ground.then_some(material)
        });
    }
}
