//! A city of the future on three levels: avenues around blocks with towers, decks above the street that
//! are connected by bridges, and elevated roads above both. Ramps connect the levels. Terraces and roofs
//! become islands of the navmesh.

mod decks;
mod open_blocks;
mod roads;
mod towers;

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::oriented_rectangle;
use crate::levels::town::props::Prop;
use crate::model::{Material, Model, at};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a city of the future on three levels: avenues, decks with bridges, elevated roads and towers";

/// Approximate number of polygons per block after a bake.
const POLYGONS_PER_BLOCK: f32 = 610.0;
/// Distance between the centres of neighbouring blocks.
const PITCH: f32 = 100.0;
/// Side of a block.
const BLOCK: f32 = 84.0;
/// Width of the open ground around the city, where elevated roads come down.
const MARGIN: f32 = 36.0;
/// Height of decks.
const DECK: f32 = 5.0;
/// Height of kerbs.
const KERB: f32 = 0.15;

/// The kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BlockKind {
    /// A deck above the street, with towers on it.
    Deck,
    Plaza,
    Park,
    Towers,
    /// Low modules with lanes between them.
    Habitat,
    /// A stepped hill of terraces.
    Ziggurat,
    /// Landing pads on stalks.
    Port,
}

/// Blocks in rows and columns.
struct City {
    columns: i32,
    rows: i32,
    kinds: Vec<BlockKind>,
}

impl City {
    fn new(plan: &ScenePlan) -> Self {
        let count = (plan.polygons / POLYGONS_PER_BLOCK).max(4.0);
        let rows = count.sqrt().floor();
        let columns = (count / rows).round() as i32;
        let rows = rows as i32;
        let mut random = plan.random(1);
        let other_kinds = [
            BlockKind::Plaza,
            BlockKind::Park,
            BlockKind::Towers,
            BlockKind::Habitat,
            BlockKind::Ziggurat,
            BlockKind::Port,
        ];
        // Kinds are drawn without replacement until none is left, so that small cities have all of them.
        let mut remaining_kinds = Vec::new();
        let kinds = (0..columns * rows)
            .map(|_| {
                if remaining_kinds.is_empty() {
                    remaining_kinds.extend(other_kinds);
                    remaining_kinds.extend([BlockKind::Deck; 5]);
                    random.shuffle(&mut remaining_kinds);
                }
                remaining_kinds.pop().unwrap_or(BlockKind::Deck)
            })
            .collect();
        Self {
            columns,
            rows,
            kinds,
        }
    }

    /// Returns the kind of a block, or `None` outside the city.
    fn kind(&self, column: i32, row: i32) -> Option<BlockKind> {
        let is_inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        is_inside.then(|| self.kinds[(row * self.columns + column) as usize])
    }

    /// Returns whether there is an elevated road above the avenue before this column or row.
    fn has_road(&self, line: i32, lines: i32) -> bool {
        line > 0 && line < lines && line % 3 == 1
    }

    /// Returns the corners of the ground with the smallest and the largest coordinates.
    fn bounds(&self) -> [Vec2; 2] {
        let size = vec2(self.columns as f32, self.rows as f32) * PITCH;
        [
            Vec2::splat(-0.5 * PITCH - MARGIN),
            size + Vec2::splat(MARGIN - 0.5 * PITCH),
        ]
    }
}

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut model = Model::new();
    let mut claims = ClaimMap::default();
    let city = City::new(plan);
    let [low, high] = city.bounds();
    model.paint(Material::Grass);
    model.terrain(low, high, PITCH, |_| -0.05);
    model.paint(Material::Road);
    let edge = Vec2::splat(MARGIN);
    model.terrain(low + edge, high - edge, PITCH, |_| 0.0);
    roads::build(&mut model, &mut claims, &city);
    for row in 0..city.rows {
        for column in 0..city.columns {
            let mut random = plan.random(100 + (row * city.columns + column) as u64);
            block(&mut model, &mut claims, &city, [column, row], &mut random);
            avenues(&mut model, &mut claims, &city, [column, row], &mut random);
        }
    }
    model
}

fn block(
    model: &mut Model,
    claims: &mut ClaimMap,
    city: &City,
    slot: [i32; 2],
    random: &mut Random,
) {
    let centre = vec2(slot[0] as f32, slot[1] as f32) * PITCH;
    let outline = oriented_rectangle(centre, Vec2::X, BLOCK, BLOCK);
    let kind = city.kind(slot[0], slot[1]).unwrap_or(BlockKind::Plaza);
    model.paint(if kind == BlockKind::Park {
        Material::Grass
    } else {
        Material::Concrete
    });
    model.prism(&outline, -0.2, KERB);
    match kind {
        BlockKind::Deck => decks::build(model, claims, city, slot, centre, random),
        BlockKind::Plaza => open_blocks::plaza(model, claims, centre, random),
        BlockKind::Park => open_blocks::park(model, claims, centre, random),
        BlockKind::Towers => towers::cluster(model, claims, &outline, KERB, random),
        BlockKind::Habitat => open_blocks::habitat(model, claims, &outline, random),
        BlockKind::Ziggurat => open_blocks::ziggurat(model, claims, &outline, random),
        BlockKind::Port => open_blocks::port(model, claims, centre, random),
    }
    open_blocks::furnish(model, claims, &outline, KERB, 155, random);
}

/// Adds pylons along the kerbs and cars between them, at two sides of a block.
fn avenues(
    model: &mut Model,
    claims: &mut ClaimMap,
    city: &City,
    slot: [i32; 2],
    random: &mut Random,
) {
    let centre = vec2(slot[0] as f32, slot[1] as f32) * PITCH;
    let is_last = [slot[0] + 1 == city.columns, slot[1] + 1 == city.rows];
    for (side, (out, along)) in [(Vec2::X, Vec2::Y), (Vec2::Y, Vec2::X)]
        .into_iter()
        .enumerate()
    {
        for step in 0..14 {
            let along_metres = (step as f32 - 6.5) * 6.5;
            for lane in [-6.6f32, -2.4, 2.4, 6.6] {
                let position = centre + out * (0.5 * PITCH + lane) + along * along_metres;
                let is_kerb = lane.abs() > 5.0;
                let prop = if is_kerb { Prop::Pylon } else { Prop::Car };
                let is_chosen = if is_kerb {
                    step % 2 == 0
                } else {
                    random.chance(0.3)
                };
                // At the edge of the city, the outer half of the avenue is a meadow.
                if is_chosen && (lane < 0.0 || !is_last[side]) {
                    prop.try_place(model, claims, at(position, 0.0), along, 1.8, random);
                }
            }
        }
    }
}
