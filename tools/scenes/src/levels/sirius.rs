//! A city of the future: avenues around blocks with towers, decks a storey above the street with
//! bridges from deck to deck, and roads on pillars above it all. Ramps join the three levels;
//! terraces and roofs bake into islands.

mod decks;
mod places;
mod roads;
mod towers;

use glam::{Vec2, vec2};

use crate::levels::plan::Plan;
use crate::levels::town::furniture::Thing;
use crate::levels::town::outline::oblong;
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a city of the future on three levels: avenues, decks with bridges, roads on pillars, towers";

/// How many polygons a block bakes into, about.
const POLYGONS_PER_BLOCK: f32 = 610.0;
/// From the middle of a block to the middle of the next, and how much of that is block.
const PITCH: f32 = 100.0;
const BLOCK: f32 = 84.0;
/// Open ground around the city, where the high roads come down.
const MARGIN: f32 = 36.0;
/// Height of decks.
const DECK: f32 = 5.0;
/// Height of kerbs.
const KERB: f32 = 0.15;

/// What a block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
    kinds: Vec<Kind>,
}

impl City {
    fn new(plan: &Plan) -> Self {
        let count = (plan.polygons / POLYGONS_PER_BLOCK).max(4.0);
        let rows = count.sqrt().floor();
        let columns = (count / rows).round() as i32;
        let rows = rows as i32;
        let mut random = plan.random(1);
        let rest = [
            Kind::Plaza,
            Kind::Park,
            Kind::Towers,
            Kind::Habitat,
            Kind::Ziggurat,
            Kind::Port,
        ];
        // Every kind comes once before any comes again, so that small cities have of everything.
        let mut hand = Vec::new();
        let kinds = (0..columns * rows)
            .map(|_| {
                if hand.is_empty() {
                    hand.extend(rest);
                    hand.extend([Kind::Deck; 5]);
                    random.shuffle(&mut hand);
                }
                hand.pop().unwrap_or(Kind::Deck)
            })
            .collect();
        Self {
            columns,
            rows,
            kinds,
        }
    }

    /// The kind of a block, if there is one.
    fn kind(&self, column: i32, row: i32) -> Option<Kind> {
        let inside = (0..self.columns).contains(&column) && (0..self.rows).contains(&row);
        inside.then(|| self.kinds[(row * self.columns + column) as usize])
    }

    /// Whether a road runs above the avenue before this column or row.
    fn has_road(&self, line: i32, lines: i32) -> bool {
        line > 0 && line < lines && line % 3 == 1
    }

    /// The lowest and the highest place of the ground.
    fn bounds(&self) -> [Vec2; 2] {
        let size = vec2(self.columns as f32, self.rows as f32) * PITCH;
        [
            Vec2::splat(-0.5 * PITCH - MARGIN),
            size + Vec2::splat(MARGIN - 0.5 * PITCH),
        ]
    }
}

pub(crate) fn build(plan: &Plan) -> Model {
    let mut model = Model::new();
    let mut site = Site::default();
    let city = City::new(plan);
    let [low, high] = city.bounds();
    model.paint(Material::Grass);
    model.terrain(low, high, PITCH, |_| -0.05);
    model.paint(Material::Road);
    let edge = Vec2::splat(MARGIN);
    model.terrain(low + edge, high - edge, PITCH, |_| 0.0);
    roads::build(&mut model, &mut site, &city);
    for row in 0..city.rows {
        for column in 0..city.columns {
            let mut random = plan.random(100 + (row * city.columns + column) as u64);
            block(&mut model, &mut site, &city, [column, row], &mut random);
            avenues(&mut model, &mut site, &city, [column, row], &mut random);
        }
    }
    model
}

fn block(model: &mut Model, site: &mut Site, city: &City, slot: [i32; 2], random: &mut Random) {
    let centre = vec2(slot[0] as f32, slot[1] as f32) * PITCH;
    let outline = oblong(centre, Vec2::X, BLOCK, BLOCK);
    let kind = city.kind(slot[0], slot[1]).unwrap_or(Kind::Plaza);
    model.paint(if kind == Kind::Park {
        Material::Grass
    } else {
        Material::Concrete
    });
    model.prism(&outline, -0.2, KERB);
    match kind {
        Kind::Deck => decks::build(model, site, city, slot, centre, random),
        Kind::Plaza => places::plaza(model, site, centre, random),
        Kind::Park => places::park(model, site, centre, random),
        Kind::Towers => towers::cluster(model, site, &outline, KERB, random),
        Kind::Habitat => places::habitat(model, site, &outline, random),
        Kind::Ziggurat => places::ziggurat(model, site, &outline, random),
        Kind::Port => places::port(model, site, centre, random),
    }
    places::furnish(model, site, &outline, KERB, 155, random);
}

/// Pylons along the kerbs and cars between them, on two sides of a block.
fn avenues(model: &mut Model, site: &mut Site, city: &City, slot: [i32; 2], random: &mut Random) {
    let centre = vec2(slot[0] as f32, slot[1] as f32) * PITCH;
    let is_last = [slot[0] + 1 == city.columns, slot[1] + 1 == city.rows];
    for (side, (out, along)) in [(Vec2::X, Vec2::Y), (Vec2::Y, Vec2::X)]
        .into_iter()
        .enumerate()
    {
        for step in 0..14 {
            let along_metres = (step as f32 - 6.5) * 6.5;
            for lane in [-6.6f32, -2.4, 2.4, 6.6] {
                let place = centre + out * (0.5 * PITCH + lane) + along * along_metres;
                let kerb = lane.abs() > 5.0;
                let thing = if kerb { Thing::Pylon } else { Thing::Car };
                let wanted = if kerb {
                    step % 2 == 0
                } else {
                    random.chance(0.3)
                };
                // Half of the avenue at the edge of the city is meadow.
                if wanted && (lane < 0.0 || !is_last[side]) {
                    thing.put(model, site, at(place, 0.0), along, 1.8, random);
                }
            }
        }
    }
}
