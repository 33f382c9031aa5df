//! A city on a strip of land that winds back and forth over the sea: a street along its middle,
//! houses on both sides, squares, and gates in walls across the strip. Whoever goes from one end
//! to the other goes all the way.

mod strip;

use glam::Vec2;

use crate::levels::plan::Plan;
use crate::levels::town::furniture::{Thing, scatter};
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{area, bounds, inset, middle, subdivide};
use crate::levels::town::site::Site;
use crate::model::{Gap, Material, Model, at, ngon};
use crate::random::Random;
use strip::Strip;

pub(crate) const DESCRIPTION: &str =
    "a city on a long winding strip of land, with squares and gates along one street";

/// How many polygons a metre of the strip bakes into, about.
const POLYGONS_PER_METRE: f32 = 1.79;
/// Half of the street along the middle, in metres.
const STREET: f32 = 4.2;
/// Between the houses and the edge of the land: a way behind the houses.
const BACK: f32 = 3.6;

pub(crate) fn build(plan: &Plan) -> Model {
    let mut model = Model::new();
    let mut site = Site::default();
    let strip = Strip::new(plan, plan.polygons / POLYGONS_PER_METRE);
    strip.lay(&mut model);
    let corners: Vec<Vec2> = (0..strip.stations())
        .flat_map(|station| [-1.0, 1.0].map(|side| strip.edge(station, side)))
        .collect();
    let [low, high] = bounds(&corners);
    model.paint(Material::Water);
    model.terrain(low - 15.0, high + 15.0, 60.0, |_| strip::SEA);

    let mut random = plan.random(1);
    let mut station = 1;
    let (mut to_square, mut to_gate) = (6, 12);
    while station + 5 < strip.stations() {
        let length = if to_square == 0 {
            to_square = 18 + random.below(8);
            square(&mut model, &mut site, &strip, station, &mut random)
        } else if to_gate == 0 {
            to_gate = 11 + random.below(6);
            gate(&mut model, &mut site, &strip, station, &mut random)
        } else {
            plots(&mut model, &mut site, &strip, station, &mut random)
        } as u32;
        station += length as usize;
        (to_square, to_gate) = (
            to_square.saturating_sub(length),
            to_gate.saturating_sub(length),
        );
    }
    street(&mut model, &mut site, &strip, &mut random);
    model
}

/// A plot on either side of the street, and how many stations it takes.
fn plots(
    model: &mut Model,
    site: &mut Site,
    strip: &Strip,
    station: usize,
    random: &mut Random,
) -> usize {
    let length = 2 + random.below(2) as usize;
    for side in [-1.0, 1.0] {
        let half = strip.half(station).min(strip.half(station + length));
        let plot = strip.plot(
            [station, station + length],
            [side * STREET, side * (half - BACK)],
        );
        let ground = strip.heights([station, station + length]);
        // A passage beside the plot, between the street and the way behind the houses.
        let plot = inset(&plot, 0.5 * random.pick(&[0.1, 0.1, 2.6]));
        if random.chance(0.15) {
            garden(model, site, strip, &plot, random);
            continue;
        }
        let walls = random.pick(&[
            Material::Plaster,
            Material::Plaster,
            Material::Brick,
            Material::Stone,
        ]);
        subdivide(plot, 85.0, 0.1, &|_| 0.0, random, &mut |lot, random| {
            if area(&lot) < 15.0 {
                return;
            }
            site.claim(&lot);
            let style = Style { walls, flat: 0.4 };
            let storeys = 1 + random.below(3);
            house::house(
                model,
                &lot,
                [ground[0] - 0.2, ground[1]],
                storeys,
                style,
                random,
            );
        });
    }
    length
}

fn garden(model: &mut Model, site: &mut Site, strip: &Strip, plot: &[Vec2], random: &mut Random) {
    let things = [
        Thing::Tree,
        Thing::Tree,
        Thing::Planter,
        Thing::Well,
        Thing::Bench,
    ];
    scatter(
        model,
        site,
        plot,
        |place| strip.height_near(place),
        16,
        &things,
        random,
    );
}

/// Ground without houses from edge to edge: a fountain, stalls and trees.
fn square(
    model: &mut Model,
    site: &mut Site,
    strip: &Strip,
    station: usize,
    random: &mut Random,
) -> usize {
    let length = 4;
    let half = strip.half(station).min(strip.half(station + length)) - 2.0;
    let plot = strip.plot([station, station + length], [-half, half]);
    let place = middle(&plot);
    let along = strip.along(station + 2);
    let height = |place: Vec2| strip.height_near(place);
    Thing::Fountain.put(model, site, at(place, height(place)), along, 2.0, random);
    let things = [
        Thing::Stall,
        Thing::Stall,
        Thing::Tree,
        Thing::Bench,
        Thing::Lamp,
        Thing::Crates,
    ];
    scatter(model, site, &plot, height, 60, &things, random);
    length
}

/// A wall across the strip with a gate in it, on either side or in the middle, and towers at its
/// ends.
fn gate(
    model: &mut Model,
    site: &mut Site,
    strip: &Strip,
    station: usize,
    random: &mut Random,
) -> usize {
    let station = station + 1;
    let (from, to) = (strip.edge(station, -1.0), strip.edge(station, 1.0));
    let ground = strip.height(station);
    let width = from.distance(to);
    // Off the street only where the strip runs straight: in a bend the houses on its inner side
    // come too near.
    let straight = strip.along(station - 1).dot(strip.along(station + 1)) > 0.97;
    let share = random.pick(&[0.22, 0.5, 0.78]);
    let opening = width * if straight { share } else { 0.5 };
    let gap = Gap {
        at: opening,
        width: 5.0,
        sill: 0.0,
        head: 5.2,
    };
    model.paint(Material::Stone);
    model.wall(from, to, ground - 1.0, ground + 6.5, 1.4, &[gap]);
    let inwards = (to - from) / width;
    for merlon in 0..(width / 2.0) as u32 {
        let place = from + inwards * (2.0 * merlon as f32 + 0.5);
        model.wall(place, place + inwards, ground + 6.5, ground + 7.3, 1.4, &[]);
    }
    site.claim(&[from, to]);
    // Nothing may stand in the gate.
    site.claim(&ngon(from + inwards * opening, 4.5, 8));
    for place in [from + inwards * 1.2, to - inwards * 1.2] {
        let tower = ngon(place, 2.4, 12);
        site.claim(&tower);
        model.paint(Material::Stone);
        model.prism(&tower, ground - 1.0, ground + 9.5);
        model.paint(Material::Roof);
        model.cone(place, 2.9, 12, ground + 9.5, ground + 14.5);
    }
    2
}

/// Things along both sides of the street and on the way behind the houses.
fn street(model: &mut Model, site: &mut Site, strip: &Strip, random: &mut Random) {
    let things = [
        Thing::Lamp,
        Thing::Tree,
        Thing::Cart,
        Thing::Barrel,
        Thing::Crates,
        Thing::Planter,
    ];
    for station in 1..strip.stations() - 2 {
        for offset in [-STREET + 1.2, STREET - 1.2] {
            if random.chance(0.9) {
                let place = strip.place(station as f32 + random.between(0.0, 1.0), offset);
                let along = strip.along(station);
                let place = at(place, strip.height_near(place));
                random
                    .pick(&things)
                    .put(model, site, place, along, 1.9, random);
            }
        }
    }
}
