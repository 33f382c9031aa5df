//! A walled town: dense streets at odd angles, wards on terraces with steps up to them, a market,
//! churches and a castle hill; around it a wall with a walk on top, stairs up to that, gates and
//! a moat. Nearly all roofs are too steep to stand on.

mod castle;
mod walls;
mod wards;

use glam::{Vec2, vec2};

use crate::levels::plan::Plan;
use crate::levels::town::furniture::{Thing, scatter};
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{
    area, contains, inset, left_of, left_part, mitred, oblong, sides, subdivide,
};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a walled town: dense irregular streets, terraces, stairs, a castle hill, a wall to walk on";

/// How many polygons a town bakes into, about: so many times its radius squared, for the streets,
/// and so many times its radius, for the wall and the farms along it.
const POLYGONS_OF_STREETS: f32 = 0.171;
const POLYGONS_OF_WALLS: f32 = 17.2;
/// A smaller town has no room for a castle, in metres.
const LEAST_RADIUS: f32 = 80.0;
/// From the outer face of the town wall to the first houses: the wall, and a lane behind it.
const LANE: f32 = 12.5;
/// Area of a quarter of the town, in square metres.
const QUARTER: f32 = 6500.0;

pub(crate) fn build(plan: &Plan) -> Model {
    let mut model = Model::new();
    let mut site = Site::default();
    let mut random = plan.random(1);
    let town = town_outline(radius(plan.polygons), &mut random);
    model.paint(Material::Ground);
    model.prism(&town, -4.0, 0.0);
    let gates = walls::build(&mut model, &mut site, &town, &mut random);
    surroundings(&mut model, &mut site, &town, &gates, &mut random);

    let mut quarters = Vec::new();
    let streets = |depth: u32| if depth < 3 { 7.0 } else { 6.0 };
    let within = inset(&town, LANE);
    subdivide(
        within,
        QUARTER,
        0.25,
        &streets,
        &mut random,
        &mut |quarter, _| quarters.push(quarter),
    );
    // A castle for every thirty quarters, where there is most room for its terraces.
    quarters.sort_by(|a, b| {
        let room = |quarter: &[Vec2]| area(&inset(quarter, 22.0));
        room(b).total_cmp(&room(a))
    });
    let castles = quarters.len().div_ceil(30);
    for (number, quarter) in quarters.into_iter().enumerate() {
        let mut random = plan.random(100 + number as u64);
        if number < castles {
            castle::build(&mut model, &mut site, &quarter, &mut random);
        } else {
            wards::build(&mut model, &mut site, quarter, &mut random);
        }
    }
    let things = [
        Thing::Barrel,
        Thing::Crates,
        Thing::Cart,
        Thing::Well,
        Thing::Tree,
    ];
    let tries = (area(&town) / 9.0) as u32;
    let ground = inset(&town, 5.5);
    scatter(
        &mut model,
        &mut site,
        &ground,
        |_| 0.0,
        tries,
        &things,
        &mut random,
    );
    model
}

/// The radius of a town with so many polygons.
fn radius(polygons: f32) -> f32 {
    let (a, b) = (POLYGONS_OF_STREETS, POLYGONS_OF_WALLS);
    let radius = ((b * b + 4.0 * a * polygons).sqrt() - b) / (2.0 * a);
    radius.max(LEAST_RADIUS)
}

/// Sixteen sides on an ellipse, some of its corners cut off.
fn town_outline(radius: f32, random: &mut Random) -> Vec<Vec2> {
    let mut outline: Vec<Vec2> = ngon(Vec2::ZERO, radius, 16)
        .iter()
        .map(|&corner| corner * vec2(1.06, 0.96))
        .collect();
    for _ in 0..2 {
        let out = random.direction();
        outline = left_part(&outline, out * (0.92 * radius), left_of(out));
    }
    // A side shorter than the wall is thick would fold it.
    for corner in (0..outline.len()).rev() {
        let next = outline[(corner + 1) % outline.len()];
        if outline[corner].distance(next) < 12.0 {
            outline.remove(corner);
        }
    }
    outline
}

/// Moat, meadows, roads to the gates and farms.
fn surroundings(
    model: &mut Model,
    site: &mut Site,
    town: &[Vec2],
    gates: &[(Vec2, Vec2)],
    random: &mut Random,
) {
    let rings = [-1.0, -2.5, -13.0, -14.0, -62.0].map(|by| mitred(town, by));
    let mut ring = |inner: usize, outer: usize, heights: [f32; 2], material| {
        model.paint(material);
        for ((a, b), (c, d)) in sides(&rings[inner]).zip(sides(&rings[outer])) {
            let [low, high] = heights;
            model.quad(at(a, low), at(b, low), at(d, high), at(c, high));
        }
    };
    ring(0, 1, [0.0, -3.5], Material::Rock);
    ring(1, 2, [-3.0, -3.0], Material::Water);
    ring(2, 3, [-3.5, 0.0], Material::Rock);
    ring(3, 4, [0.0, 0.0], Material::Grass);
    let [base, berm] = [town.to_vec(), rings[0].clone()];
    model.paint(Material::Ground);
    for ((a, b), (c, d)) in sides(&base).zip(sides(&berm)) {
        model.quad(at(a, 0.0), at(b, 0.0), at(d, 0.0), at(c, 0.0));
    }
    for &(place, out) in gates {
        model.paint(Material::Wood);
        model.slab(at(place, 0.05), at(place + out * 15.5, 0.05), 6.0, 0.5);
        for side in [-2.8, 2.8] {
            let side = left_of(out) * side;
            model.railing(
                at(place + out * 1.5 + side, 0.05),
                at(place + out * 14.0 + side, 0.05),
                1.1,
            );
        }
        model.paint(Material::Road);
        model.slab(
            at(place + out * 15.0, 0.06),
            at(place + out * 58.0, 0.06),
            5.0,
            0.3,
        );
        site.claim(&oblong(place + out * 30.0, out, 60.0, 5.0));
    }
    for (a, b) in sides(&mitred(town, -38.0)) {
        let along = (b - a).normalize();
        let farms = (a.distance(b) / 40.0) as u32;
        for farm in 0..farms {
            let place = a.lerp(b, (farm as f32 + random.between(0.3, 0.7)) / farms as f32);
            farmstead(model, site, place, along, random);
        }
    }
    let meadow = mitred(town, -60.0);
    let moat = mitred(town, -14.0);
    let tries = ((area(&meadow) - area(&moat)) / 60.0) as u32;
    for _ in 0..tries {
        let (a, b) = random.pick(&sides(&meadow).collect::<Vec<_>>());
        let inwards = left_of((b - a).normalize_or(Vec2::X));
        let place = a.lerp(b, random.between(0.0, 1.0)) + inwards * random.between(2.0, 42.0);
        if !contains(&moat, place, -2.0) {
            let thing = random.pick(&[Thing::Tree, Thing::Tree, Thing::Conifer, Thing::Boulder]);
            thing.put(model, site, at(place, 0.0), Vec2::X, 2.0, random);
        }
    }
}

/// A barn, a house and a fenced field.
fn farmstead(model: &mut Model, site: &mut Site, place: Vec2, along: Vec2, random: &mut Random) {
    let style = Style {
        walls: Material::Wood,
        flat: 0.0,
    };
    for (offset, length, width) in [(0.0, 11.0, 7.0), (14.0, 8.0, 6.0)] {
        let outline = oblong(place + along * offset, along, length, width);
        if site.try_claim(&outline, 2.5) {
            house::house(model, &outline, [0.0, 0.0], 1, style, random);
        }
    }
    let field = oblong(place + left_of(along) * -14.0, along, 20.0, 12.0);
    if site.try_claim(&field, 2.5) {
        model.paint(Material::Ground);
        model.prism(&inset(&field, 0.5), -0.2, 0.15);
        model.paint(Material::Wood);
        for (number, (a, b)) in sides(&field).enumerate() {
            // One side has a way in.
            let end = if number == 0 { a.lerp(b, 0.7) } else { b };
            model.railing(at(a, 0.0), at(end, 0.0), 1.1);
        }
    }
}
