//! A city on a strip of land that winds back and forth over the sea. A street follows the centre line of
//! the strip, with houses on both sides, squares, and gates in walls across the strip. Every path from one
//! end to the other follows the entire strip.

mod strip;

use glam::Vec2;

use crate::levels::plan::ScenePlan;
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{area, bounds, centre_of, inset, subdivide};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Gap, Material, Model, at, ngon};
use crate::random::Random;
use strip::LandStrip;

pub(crate) const DESCRIPTION: &str =
    "a city on a long winding strip of land, with squares and gates along one street";

/// Approximate number of polygons per metre of the strip after a bake.
const POLYGONS_PER_METRE: f32 = 1.79;
/// Half of the width of the street, in metres.
const STREET: f32 = 4.2;
/// Width of the path between the houses and the edge of the land, in metres.
const BACK: f32 = 3.6;

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut model = Model::new();
    let mut claims = ClaimMap::default();
    let strip = LandStrip::new(plan, plan.polygons / POLYGONS_PER_METRE);
    strip.build(&mut model);
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
            square(&mut model, &mut claims, &strip, station, &mut random)
        } else if to_gate == 0 {
            to_gate = 11 + random.below(6);
            gate(&mut model, &mut claims, &strip, station, &mut random)
        } else {
            plots(&mut model, &mut claims, &strip, station, &mut random)
        } as u32;
        station += length as usize;
        (to_square, to_gate) = (
            to_square.saturating_sub(length),
            to_gate.saturating_sub(length),
        );
    }
    street(&mut model, &mut claims, &strip, &mut random);
    model
}

/// Adds a plot on either side of the street. Returns the number of stations that they occupy.
fn plots(
    model: &mut Model,
    claims: &mut ClaimMap,
    strip: &LandStrip,
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
        // Some plots leave a passage between the street and the path behind the houses.
        let plot = inset(&plot, 0.5 * random.pick(&[0.1, 0.1, 2.6]));
        if random.chance(0.15) {
            garden(model, claims, strip, &plot, random);
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
            claims.claim(&lot);
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

fn garden(
    model: &mut Model,
    claims: &mut ClaimMap,
    strip: &LandStrip,
    plot: &[Vec2],
    random: &mut Random,
) {
    let props = [
        Prop::Tree,
        Prop::Tree,
        Prop::Planter,
        Prop::Well,
        Prop::Bench,
    ];
    scatter(
        model,
        claims,
        plot,
        |position| strip.height_near(position),
        16,
        &props,
        random,
    );
}

/// Adds a square without houses, with a fountain, stalls and trees. Returns the number of stations that it
/// occupies.
fn square(
    model: &mut Model,
    claims: &mut ClaimMap,
    strip: &LandStrip,
    station: usize,
    random: &mut Random,
) -> usize {
    let length = 4;
    let half = strip.half(station).min(strip.half(station + length)) - 2.0;
    let plot = strip.plot([station, station + length], [-half, half]);
    let position = centre_of(&plot);
    let along = strip.along(station + 2);
    let height = |position: Vec2| strip.height_near(position);
    Prop::Fountain.try_place(
        model,
        claims,
        at(position, height(position)),
        along,
        2.0,
        random,
    );
    let props = [
        Prop::Stall,
        Prop::Stall,
        Prop::Tree,
        Prop::Bench,
        Prop::Lamp,
        Prop::Crates,
    ];
    scatter(model, claims, &plot, height, 60, &props, random);
    length
}

/// Adds a wall across the strip with a tower at each end and a gate, on either side or in the middle.
/// Returns the number of stations that it occupies.
fn gate(
    model: &mut Model,
    claims: &mut ClaimMap,
    strip: &LandStrip,
    station: usize,
    random: &mut Random,
) -> usize {
    let station = station + 1;
    let (from, to) = (strip.edge(station, -1.0), strip.edge(station, 1.0));
    let ground = strip.height(station);
    let width = from.distance(to);
    // The gate may be off the street only where the strip is straight. In a bend, the houses on the inner
    // side come too close.
    let is_straight = strip.along(station - 1).dot(strip.along(station + 1)) > 0.97;
    let fraction = random.pick(&[0.22, 0.5, 0.78]);
    let opening = width * if is_straight { fraction } else { 0.5 };
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
        let position = from + inwards * (2.0 * merlon as f32 + 0.5);
        model.wall(
            position,
            position + inwards,
            ground + 6.5,
            ground + 7.3,
            1.4,
            &[],
        );
    }
    claims.claim(&[from, to]);
    // The gate stays free.
    claims.claim(&ngon(from + inwards * opening, 4.5, 8));
    for position in [from + inwards * 1.2, to - inwards * 1.2] {
        let tower = ngon(position, 2.4, 12);
        claims.claim(&tower);
        model.paint(Material::Stone);
        model.prism(&tower, ground - 1.0, ground + 9.5);
        model.paint(Material::Roof);
        model.cone(position, 2.9, 12, ground + 9.5, ground + 14.5);
    }
    2
}

/// Adds props along both sides of the street.
fn street(model: &mut Model, claims: &mut ClaimMap, strip: &LandStrip, random: &mut Random) {
    let props = [
        Prop::Lamp,
        Prop::Tree,
        Prop::Cart,
        Prop::Barrel,
        Prop::Crates,
        Prop::Planter,
    ];
    for station in 1..strip.stations() - 2 {
        for offset in [-STREET + 1.2, STREET - 1.2] {
            if random.chance(0.9) {
                let position = strip.position_at(station as f32 + random.between(0.0, 1.0), offset);
                let along = strip.along(station);
                let position = at(position, strip.height_near(position));
                random
                    .pick(&props)
                    .try_place(model, claims, position, along, 1.9, random);
            }
        }
    }
}
