//! A city on islands. Each island has quays, streets, blocks of houses and a square, and bridges connect
//! all of them. Flat roofs become small islands of the navmesh; steep roofs are not walkable.

mod blocks;
mod bridges;

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{bounds, clip_left, inset, left_of, oriented_rectangle, sides};
use crate::levels::town::props::Prop;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

pub(crate) const DESCRIPTION: &str =
    "a city on islands with quays, streets, blocks and squares, connected by bridges";

/// Approximate number of polygons per island after a bake, including its bridges.
const POLYGONS_PER_ISLAND: f32 = 610.0;
/// Distance between the centres of neighbouring islands, in metres.
const PITCH: f32 = 126.0;
/// Distance from the shore of an island to its houses.
const QUAY: f32 = 7.0;
/// Reference height of the sea, above which islands rise.
const SEA: f32 = 0.0;

/// An island with a level top.
struct CityIsland {
    centre: Vec2,
    outline: Vec<Vec2>,
    height: f32,
}

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut model = Model::new();
    let mut claims = ClaimMap::default();
    // At least two islands, so that there is a bridge.
    let count = (plan.polygons / POLYGONS_PER_ISLAND).max(2.0);
    let rows = count.sqrt().floor();
    let columns = (count / rows).round() as u32;
    let count = columns * rows as u32;
    let islands: Vec<CityIsland> = (0..count)
        .map(|number| {
            let slot = vec2((number % columns) as f32, (number / columns) as f32);
            island(slot * PITCH, &mut plan.random(100 + u64::from(number)))
        })
        .collect();
    sea(&mut model, &islands);
    bridges::build(
        &mut model,
        &mut claims,
        &islands,
        columns as usize,
        &mut plan.random(1),
    );
    for (number, island) in islands.iter().enumerate() {
        let mut random = plan.random(1_000_000 + number as u64);
        ground(&mut model, island);
        piers(&mut model, &mut claims, island, &mut random);
        if number % 3 == 0 {
            lighthouse(&mut model, &mut claims, island, &mut random);
        }
        blocks::build(&mut model, &mut claims, island, &mut random);
        quay(&mut model, &mut claims, island, &mut random);
    }
    model
}

/// Creates an island: a stretched regular polygon with twelve sides and a few corners cut off.
fn island(slot: Vec2, random: &mut Random) -> CityIsland {
    let centre = slot + vec2(random.between(-9.0, 9.0), random.between(-9.0, 9.0));
    let along = random.direction();
    let stretch = vec2(random.between(46.0, 60.0), random.between(40.0, 50.0));
    let mut outline: Vec<Vec2> = ngon(Vec2::ZERO, 1.0, 12)
        .iter()
        .map(|&corner| {
            let corner = corner * stretch;
            centre + along * corner.x + left_of(along) * corner.y
        })
        .collect();
    for _ in 0..random.below(5) {
        let out = random.direction();
        let at = centre + out * random.between(39.0, 48.0);
        outline = clip_left(&outline, at, left_of(out));
    }
    let height = SEA + random.pick(&[1.6, 2.4, 3.6]);
    CityIsland {
        centre,
        outline,
        height,
    }
}

/// Adds the sea around the islands, in squares, to avoid triangles as large as the level.
fn sea(model: &mut Model, islands: &[CityIsland]) {
    let corners: Vec<Vec2> = islands
        .iter()
        .flat_map(|island| island.outline.clone())
        .collect();
    let [low, high] = bounds(&corners);
    model.paint(Material::Water);
    model.terrain(low - 25.0, high + 25.0, 60.0, |_| SEA - 2.0);
}

/// Adds the ground of an island, paved on top, with walls down to the bottom of the sea.
fn ground(model: &mut Model, island: &CityIsland) {
    model.paint(Material::Stone);
    model.prism(&island.outline, SEA - 4.0, island.height - 0.02);
    // The paving leaves the stone edge of the quay visible.
    model.paint(Material::Road);
    model.prism(
        &inset(&island.outline, 1.0),
        island.height - 0.3,
        island.height,
    );
}

/// Adds piers: stairs from the quay down to planks above the water.
fn piers(model: &mut Model, claims: &mut ClaimMap, island: &CityIsland, random: &mut Random) {
    let longest: Vec<(Vec2, Vec2)> = sides(&island.outline)
        .filter(|(a, b)| a.distance(*b) > 14.0)
        .collect();
    for _ in 0..2 {
        if longest.is_empty() {
            return;
        }
        let (a, b) = random.pick(&longest);
        let along = (b - a).normalize();
        let out = -left_of(along);
        let edge = a.lerp(b, random.between(0.35, 0.65));
        let deck = SEA - 0.9;
        let run = 1.6 * (island.height - deck);
        let foot = edge + out * run;
        let end = foot + out * random.between(8.0, 13.0);
        // The pier and the ground in front of its stairs must be free.
        let footprint = oriented_rectangle(0.5 * (edge + end), out, edge.distance(end) + 8.0, 5.0);
        if !claims.try_claim(&footprint, 2.0) {
            continue;
        }
        model.paint(Material::Stone);
        model.stairs(
            at(edge - out * 0.1, island.height),
            at(foot, deck),
            3.6,
            0.3,
        );
        model.paint(Material::Wood);
        model.slab(at(foot - out * 0.3, deck), at(end, deck), 5.0, 0.3);
        for post in [0.1, 0.5, 0.9] {
            for side in [-2.5, 2.5] {
                let position = foot.lerp(end, post) + along * side;
                model.column(position, 0.2, 6, SEA - 3.0, deck + 1.1);
            }
        }
        boat(model, foot.lerp(end, 0.6) + along * 5.0, out, SEA - 2.0);
    }
}

/// Adds a lighthouse at a corner of the island without a bridge or a pier.
fn lighthouse(model: &mut Model, claims: &mut ClaimMap, island: &CityIsland, random: &mut Random) {
    let corners = inset(&island.outline, 3.2);
    let first = random.below(corners.len() as u32) as usize;
    let free_corner = (0..corners.len())
        .map(|step| corners[(first + step) % corners.len()])
        .find(|&corner| claims.try_claim(&ngon(corner, 2.6, 8), 2.0));
    let Some(position) = free_corner else {
        return;
    };
    let ground = island.height;
    model.paint(Material::Stone);
    model.column(position, 2.4, 12, ground, ground + 2.0);
    for (tier, material) in [
        Material::Plaster,
        Material::Roof,
        Material::Plaster,
        Material::Roof,
    ]
    .into_iter()
    .enumerate()
    {
        let low = ground + 2.0 + 4.5 * tier as f32;
        let [wide, narrow] = [tier, tier + 1].map(|joint| 2.1 - 0.2 * joint as f32);
        model.paint(material);
        model.frustum(
            &ngon(position, wide, 12),
            low,
            &ngon(position, narrow, 12),
            low + 4.5,
        );
    }
    model.paint(Material::Metal);
    model.column(position, 1.9, 12, ground + 20.0, ground + 20.4);
    model.paint(Material::Glass);
    model.column(position, 1.0, 12, ground + 20.4, ground + 22.4);
    model.paint(Material::Signal);
    model.cone(position, 1.5, 12, ground + 22.4, ground + 24.4);
}

/// Adds a boat with a mast and a sail.
fn boat(model: &mut Model, position: Vec2, along: Vec2, sea: f32) {
    let hull = |size: f32| {
        [
            vec2(-3.2, -1.0),
            vec2(1.6, -1.1),
            vec2(3.8, 0.0),
            vec2(1.6, 1.1),
            vec2(-3.2, 1.0),
        ]
        .map(|corner| position + along * (corner.x * size) + left_of(along) * (corner.y * size))
    };
    model.paint(Material::Wood);
    model.frustum(&hull(0.7), sea - 0.5, &hull(1.0), sea + 0.9);
    model.column(position, 0.12, 6, sea + 0.9, sea + 7.0);
    model.paint(Material::Plaster);
    let sail = oriented_rectangle(position - along * 1.6, along, 2.6, 0.1);
    model.taper(&sail, sea + 2.0, sea + 6.6, 0.05);
}

/// Adds lamps, benches, trees and goods along the quay.
fn quay(model: &mut Model, claims: &mut ClaimMap, island: &CityIsland, random: &mut Random) {
    for (a, b) in sides(&inset(&island.outline, 3.4)) {
        let along = (b - a).normalize_or(Vec2::X);
        let steps = (a.distance(b) / 4.1).floor() as u32;
        for step in 0..steps {
            let position = a.lerp(b, (step as f32 + 0.5) / steps as f32);
            let position = position + left_of(along) * random.between(-0.5, 1.2);
            let prop = random.pick(&[
                Prop::Lamp,
                Prop::Crates,
                Prop::Crates,
                Prop::Barrel,
                Prop::Bench,
                Prop::Tree,
                Prop::Planter,
            ]);
            prop.try_place(
                model,
                claims,
                at(position, island.height),
                along,
                2.0,
                random,
            );
        }
    }
}
