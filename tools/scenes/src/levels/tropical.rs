//! Tropical islands with hills, beaches, jungle and rocks on open ground, villages of huts on stilts, some
//! stepped temples, and boardwalks between islands.

mod land;
mod village;

use glam::{Vec2, vec2};

use crate::levels::plan::ScenePlan;
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{left_of, oriented_rectangle};
use crate::levels::town::props::Prop;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;
use land::{Land, TropicalIsland};

pub(crate) const DESCRIPTION: &str =
    "tropical islands: open hilly ground with palms, rocks and huts, connected by boardwalks";

/// Approximate number of polygons per island after a bake.
const POLYGONS_PER_ISLAND: f32 = 1400.0;
/// Height of boardwalks above the sea, in metres.
const BOARDWALK: f32 = 1.3;

pub(crate) fn build(plan: &ScenePlan) -> Model {
    let mut model = Model::new();
    let mut claims = ClaimMap::default();
    let land = Land::new(plan, (plan.polygons / POLYGONS_PER_ISLAND).max(2.0));
    land.build(&mut model);
    boardwalks(&mut model, &mut claims, &land);
    for (number, island) in land.islands().iter().enumerate() {
        let mut random = plan.random(1000 + number as u64);
        if island.has_temple {
            village::temple(&mut model, &mut claims, island);
        } else {
            village::huts(&mut model, &mut claims, &land, island, &mut random);
        }
        rocks(&mut model, &mut claims, &land, island, &mut random);
        jungle(&mut model, &mut claims, &land, island, plan, &mut random);
    }
    model
}

/// Adds boardwalks on posts between neighbouring islands.
fn boardwalks(model: &mut Model, claims: &mut ClaimMap, land: &Land) {
    for [from, to] in land.neighbours() {
        let (start, end) = (land.islands()[from].centre, land.islands()[to].centre);
        let along = (end - start).normalize();
        let steps = start.distance(end) as u32;
        let height = |step: u32| land.height(start + along * step as f32);
        let is_dry = |step: &u32| height(*step) > BOARDWALK;
        // The boardwalk connects the last dry ground of one island with the first of the other.
        let Some(wet) = (steps / 5..steps).find(|step| height(*step) < 0.0) else {
            continue;
        };
        let Some(near) = (0..wet).rev().find(is_dry) else {
            continue;
        };
        let Some(shore) = (0..steps).rev().find(|step| height(*step) < 0.0) else {
            continue;
        };
        let Some(far) = (shore..steps).find(is_dry) else {
            continue;
        };
        let (near, far) = (near as f32 - 1.5, far as f32 + 1.5);
        let position = |metres: f32| start + along * metres;
        claims.claim(&oriented_rectangle(
            position(0.5 * (near + far)),
            along,
            far - near + 4.0,
            3.4,
        ));
        model.paint(Material::Wood);
        model.slab(
            at(position(near), BOARDWALK),
            at(position(far), BOARDWALK),
            3.4,
            0.3,
        );
        let posts = ((far - near) / 5.0).ceil() as u32;
        for post in 0..=posts {
            for side in [-1.6, 1.6] {
                let foot = position(near + (far - near) * post as f32 / posts as f32)
                    + left_of(along) * side;
                model.column(foot, 0.15, 6, land.height(foot).min(-1.0), BOARDWALK + 1.2);
            }
        }
    }
}

/// Adds rocks. Their tops are walkable but cannot be reached.
fn rocks(
    model: &mut Model,
    claims: &mut ClaimMap,
    land: &Land,
    island: &TropicalIsland,
    random: &mut Random,
) {
    for _ in 0..26 {
        let position =
            island.centre + random.direction() * (island.radius * random.between(0.1, 1.0));
        let radius = random.between(2.5, 6.0);
        let stretch = vec2(random.between(0.8, 1.2), random.between(0.8, 1.2));
        let foot: Vec<Vec2> = ngon(Vec2::ZERO, radius, 8)
            .iter()
            .map(|&corner| position + corner * stretch * random.between(0.85, 1.1))
            .collect();
        let heights = foot.iter().map(|&corner| land.height(corner));
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), height| {
            (low.min(height), high.max(height))
        });
        if high < 0.3 || !claims.try_claim(&foot, 2.5) {
            continue;
        }
        model.paint(Material::Rock);
        let top = high + random.between(2.5, 0.9 * radius + 2.6);
        model.taper(&foot, low - 1.5, top, random.between(0.5, 0.75));
    }
}

/// Adds palms, trees and boulders, whose density follows a noise.
fn jungle(
    model: &mut Model,
    claims: &mut ClaimMap,
    land: &Land,
    island: &TropicalIsland,
    plan: &ScenePlan,
    random: &mut Random,
) {
    let thicket = plan.noise(20, 28.0);
    for _ in 0..2450 {
        let reach = 1.25 * island.radius;
        let position =
            island.centre + vec2(random.between(-reach, reach), random.between(-reach, reach));
        let height = land.height(position);
        let density = thicket.at(position);
        // None in the water or in clearings, and few on beaches.
        let probability = if height < 0.6 {
            0.12
        } else {
            1.6 * density - 0.3
        };
        if height < 0.0 || !random.chance(probability) {
            continue;
        }
        let prop = if height < 3.0 {
            random.pick(&[Prop::Palm, Prop::Palm, Prop::Palm, Prop::Boulder])
        } else {
            random.pick(&[Prop::Palm, Prop::Tree, Prop::Tree, Prop::Boulder])
        };
        prop.try_place(
            model,
            claims,
            at(position, height - 0.3),
            random.direction(),
            1.9,
            random,
        );
    }
}
