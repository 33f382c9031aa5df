//! A walled town with dense irregular streets, wards on terraces with steps, a market, churches and a
//! castle hill. Around it are a moat and a wall with gates and a walk on top, which stairs lead to. Nearly
//! all roofs are too steep to stand on.

mod castle;
mod walls;
mod wards;

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{
    area, clip_left, contains, inset, left_of, offset_sides, oriented_rectangle, sides, subdivide,
};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a walled town: dense irregular streets, terraces, stairs, a castle hill, a walkable wall";

/// Approximate number of polygons of the streets after a bake, divided by the square of the town's radius in
/// metres.
const POLYGONS_OF_STREETS: f32 = 0.171;
/// Approximate number of polygons of the wall and the farms along it after a bake, divided by the town's
/// radius in metres.
const POLYGONS_OF_WALLS: f32 = 17.2;
/// Minimum radius of a town in metres. A smaller town has no room for a castle.
const MIN_RADIUS: f32 = 80.0;
/// Distance from the outer face of the town wall to the first houses, in metres: the wall and a lane.
const LANE: f32 = 12.5;
/// Area of a quarter of the town, in square metres.
const QUARTER: f32 = 6500.0;

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut model = Model::new();
    let mut claims = ClaimMap::default();
    let mut random = plan.random(1);
    let town = town_outline(radius(plan.polygons), &mut random);
    model.paint(Material::Ground);
    model.prism(&town, -4.0, 0.0);
    let gates = walls::build(&mut model, &mut claims, &town, &mut random);
    surroundings(&mut model, &mut claims, &town, &gates, &mut random);

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
    // One castle per thirty quarters, in those with the most room for its terraces.
    quarters.sort_by(|a, b| {
        let room = |quarter: &[Vec2]| area(&inset(quarter, 22.0));
        room(b).total_cmp(&room(a))
    });
    let castles = quarters.len().div_ceil(30);
    for (number, quarter) in quarters.into_iter().enumerate() {
        let mut random = plan.random(100 + number as u64);
        if number < castles {
            castle::build(&mut model, &mut claims, &quarter, &mut random);
        } else {
            wards::build(&mut model, &mut claims, quarter, &mut random);
        }
    }
    let props = [
        Prop::Barrel,
        Prop::Crates,
        Prop::Cart,
        Prop::Well,
        Prop::Tree,
    ];
    let tries = (area(&town) / 9.0) as u32;
    let ground = inset(&town, 5.5);
    scatter(
        &mut model,
        &mut claims,
        &ground,
        |_| 0.0,
        tries,
        &props,
        &mut random,
    );
    model
}

/// Returns the radius of a town with this number of polygons.
fn radius(polygons: f32) -> f32 {
    let (a, b) = (POLYGONS_OF_STREETS, POLYGONS_OF_WALLS);
    let radius = ((b * b + 4.0 * a * polygons).sqrt() - b) / (2.0 * a);
    radius.max(MIN_RADIUS)
}

/// Creates the outline of a town: an ellipse of sixteen sides with some corners cut off.
fn town_outline(radius: f32, random: &mut Random) -> Vec<Vec2> {
    let mut outline: Vec<Vec2> = ngon(Vec2::ZERO, radius, 16)
        .iter()
        .map(|&corner| corner * vec2(1.06, 0.96))
        .collect();
    for _ in 0..2 {
        let out = random.direction();
        outline = clip_left(&outline, out * (0.92 * radius), left_of(out));
    }
    // A side shorter than the thickness of the wall would make the wall overlap itself.
    for corner in (0..outline.len()).rev() {
        let next = outline[(corner + 1) % outline.len()];
        if outline[corner].distance(next) < 12.0 {
            outline.remove(corner);
        }
    }
    outline
}

/// Adds the moat, meadows, roads to the gates, and farms.
fn surroundings(
    model: &mut Model,
    claims: &mut ClaimMap,
    town: &[Vec2],
    gates: &[(Vec2, Vec2)],
    random: &mut Random,
) {
    let rings = [-1.0, -2.5, -13.0, -14.0, -62.0].map(|by| offset_sides(town, by));
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
    for &(position, out) in gates {
        model.paint(Material::Wood);
        model.slab(
            at(position, 0.05),
            at(position + out * 15.5, 0.05),
            6.0,
            0.5,
        );
        for side in [-2.8, 2.8] {
            let side = left_of(out) * side;
            model.railing(
                at(position + out * 1.5 + side, 0.05),
                at(position + out * 14.0 + side, 0.05),
                1.1,
            );
        }
        model.paint(Material::Road);
        model.slab(
            at(position + out * 15.0, 0.06),
            at(position + out * 58.0, 0.06),
            5.0,
            0.3,
        );
        claims.claim(&oriented_rectangle(position + out * 30.0, out, 60.0, 5.0));
    }
    for (a, b) in sides(&offset_sides(town, -38.0)) {
        let along = (b - a).normalize();
        let farms = (a.distance(b) / 40.0) as u32;
        for farm in 0..farms {
            let position = a.lerp(b, (farm as f32 + random.between(0.3, 0.7)) / farms as f32);
            farmstead(model, claims, position, along, random);
        }
    }
    let meadow = offset_sides(town, -60.0);
    let moat = offset_sides(town, -14.0);
    let tries = ((area(&meadow) - area(&moat)) / 60.0) as u32;
    for _ in 0..tries {
        let (a, b) = random.pick(&sides(&meadow).collect::<Vec<_>>());
        let inwards = left_of((b - a).normalize_or(Vec2::X));
        let position = a.lerp(b, random.between(0.0, 1.0)) + inwards * random.between(2.0, 42.0);
        if !contains(&moat, position, -2.0) {
            let prop = random.pick(&[Prop::Tree, Prop::Tree, Prop::Conifer, Prop::Boulder]);
            prop.try_place(model, claims, at(position, 0.0), Vec2::X, 2.0, random);
        }
    }
}

/// Adds a barn, a house and a fenced field.
fn farmstead(
    model: &mut Model,
    claims: &mut ClaimMap,
    position: Vec2,
    along: Vec2,
    random: &mut Random,
) {
    let style = Style {
        walls: Material::Wood,
        flat: 0.0,
    };
    for (offset, length, width) in [(0.0, 11.0, 7.0), (14.0, 8.0, 6.0)] {
        let outline = oriented_rectangle(position + along * offset, along, length, width);
        if claims.try_claim(&outline, 2.5) {
            house::house(model, &outline, [0.0, 0.0], 1, style, random);
        }
    }
    let field = oriented_rectangle(position + left_of(along) * -14.0, along, 20.0, 12.0);
    if claims.try_claim(&field, 2.5) {
        model.paint(Material::Ground);
        model.prism(&inset(&field, 0.5), -0.2, 0.15);
        model.paint(Material::Wood);
        for (number, (a, b)) in sides(&field).enumerate() {
            // The fence has an opening at one side.
            let end = if number == 0 { a.lerp(b, 0.7) } else { b };
            model.railing(at(a, 0.0), at(end, 0.0), 1.1);
        }
    }
}
