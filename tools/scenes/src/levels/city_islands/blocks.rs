//! The blocks between streets: rows of houses, squares, parks, halls and churches.

use glam::Vec2;

use super::{CityIsland, QUAY};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{
    area, bounds, centre_of, contains, inset, left_of, longest_side, oriented_rectangle, sides,
    split, subdivide,
};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

/// Height of the kerb around a block, in metres, low enough for any agent.
const KERB: f32 = 0.2;

pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    island: &CityIsland,
    random: &mut Random,
) {
    let (a, b) = longest_side(&island.outline);
    let mut blocks = streets(inset(&island.outline, QUAY), (b - a).normalize(), random);
    // The block nearest to the centre of the island becomes the square.
    blocks.sort_by(|a, b| {
        let squared_distance = |block: &[Vec2]| centre_of(block).distance_squared(island.centre);
        squared_distance(a).total_cmp(&squared_distance(b))
    });
    for (number, block) in blocks.iter().enumerate() {
        let kind = random.below(10);
        match number {
            0 => square(model, claims, block, island.height, random),
            1 if kind < 4 => church(model, claims, block, island.height, random),
            _ if kind == 0 || area(block) < 70.0 => {
                park(model, claims, block, island.height, random);
            }
            _ if kind == 1 => hall(model, claims, block, island.height, random),
            _ => houses(model, claims, block, island.height, random),
        }
    }
    street_props(model, claims, island, random);
}

/// Cuts the ground into blocks by streets in two directions.
fn streets(ground: Vec<Vec2>, along: Vec2, random: &mut Random) -> Vec<Vec<Vec2>> {
    let [low, high] = bounds(&ground);
    let (centre, reach) = (0.5 * (low + high), 0.5 * low.distance(high));
    let mut blocks = vec![ground];
    for (along, min_spacing) in [(along, 19.0), (left_of(along), 23.0)] {
        let mut offset = -reach + random.between(4.0, min_spacing);
        while offset < reach {
            let at = centre + left_of(along) * offset;
            let width = random.pick(&[5.0, 5.5, 7.0]);
            blocks = blocks
                .iter()
                .flat_map(|block| split(block, at, along, width))
                .filter(|part| !part.is_empty())
                .collect();
            offset += random.between(min_spacing, min_spacing + 9.0);
        }
    }
    // Blocks that are too small for a house become part of the streets.
    blocks.retain(|block| area(block) > 45.0);
    blocks
}

fn kerb(model: &mut Model, block: &[Vec2], ground: f32, material: Material) {
    model.paint(material);
    model.prism(block, ground - 0.1, ground + KERB);
}

fn houses(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    kerb(model, block, ground, Material::Concrete);
    let lots = inset(block, 1.3);
    // Larger blocks have an alley that is wide enough to walk through.
    let alley = if area(&lots) > 380.0 { 2.8 } else { 0.0 };
    let wall = random.pick(&[Material::Plaster, Material::Brick, Material::Stone]);
    let gap = |depth: u32| if depth == 0 { alley } else { 0.0 };
    subdivide(lots, 105.0, 0.08, &gap, random, &mut |lot, random| {
        if area(&lot) < 18.0 {
            return;
        }
        if random.chance(0.1) {
            yard(model, claims, &lot, ground + KERB, random);
            return;
        }
        claims.claim(&lot);
        let walls = if random.chance(0.7) {
            wall
        } else {
            Material::Plaster
        };
        let style = Style { walls, flat: 0.45 };
        let storeys = 2 + random.below(3);
        house::house(model, &lot, [ground, ground], storeys, style, random);
    });
}

/// Adds a yard with trees and other props on a lot without a house.
fn yard(model: &mut Model, claims: &mut ClaimMap, lot: &[Vec2], ground: f32, random: &mut Random) {
    let props = [
        Prop::Tree,
        Prop::Crates,
        Prop::Barrel,
        Prop::Planter,
        Prop::Well,
    ];
    scatter(model, claims, lot, |_| ground, 3, &props, random);
}

/// Adds a square with a fountain or a statue in its centre, stalls, lamps, trees and benches.
fn square(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    kerb(model, block, ground, Material::Stone);
    let (a, b) = longest_side(block);
    let along = (b - a).normalize();
    let centre = random.pick(&[Prop::Fountain, Prop::Fountain, Prop::Statue]);
    centre.try_place(
        model,
        claims,
        at(centre_of(block), ground + KERB),
        along,
        2.0,
        random,
    );
    for (a, b) in sides(&inset(block, 2.0)) {
        let along = (b - a).normalize_or(Vec2::X);
        let steps = (a.distance(b) / 5.0).floor() as u32;
        for step in 0..steps {
            let position = a.lerp(b, (step as f32 + 0.5) / steps as f32);
            let prop = if step % 2 == 0 {
                Prop::Tree
            } else {
                Prop::Bench
            };
            prop.try_place(
                model,
                claims,
                at(position, ground + KERB),
                along,
                1.6,
                random,
            );
        }
    }
    scatter(
        model,
        claims,
        block,
        |_| ground + KERB,
        8,
        &[Prop::Stall, Prop::Lamp],
        random,
    );
}

/// Adds a park with trees and benches and, if it is large, a pond.
fn park(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    kerb(model, block, ground, Material::Grass);
    if area(block) > 250.0 {
        let pond = ngon(centre_of(block), random.between(3.0, 4.5), 12);
        claims.claim(&pond);
        model.paint(Material::Stone);
        model.prism(&pond, ground, ground + KERB + 0.15);
        house::parapet(model, &pond, ground + KERB + 0.15, 1.0);
        model.paint(Material::Water);
        model.prism(&inset(&pond, 0.3), ground, ground + KERB + 0.4);
    }
    let count = (area(block) / 22.0) as u32;
    let props = [
        Prop::Tree,
        Prop::Tree,
        Prop::Conifer,
        Prop::Bench,
        Prop::Planter,
    ];
    scatter(
        model,
        claims,
        block,
        |_| ground + KERB,
        count,
        &props,
        random,
    );
}

/// Adds one large building with a flat roof and a smaller upper part on it.
fn hall(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    kerb(model, block, ground, Material::Concrete);
    let outline = inset(block, 3.0);
    if outline.len() < 3 {
        return;
    }
    claims.claim(&outline);
    let terrace = ground + random.between(6.0, 10.0);
    model.paint(Material::Brick);
    model.prism(&outline, ground, terrace);
    house::windows(model, &outline, ground, terrace);
    model.paint(Material::Stone);
    house::parapet(model, &outline, terrace, 0.8);
    let upper = inset(&outline, 3.6);
    if area(&upper) > 20.0 {
        model.paint(Material::Plaster);
        model.prism(&upper, terrace, terrace + 6.5);
        house::windows(model, &upper, terrace, terrace + 6.5);
        model.paint(Material::Concrete);
        house::flat_roof(model, &upper, terrace + 6.5, random);
    }
}

/// Adds a church: a nave with a steep roof, a tower with a spire, and trees around them.
fn church(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    kerb(model, block, ground, Material::Grass);
    let (a, b) = longest_side(block);
    let along = (b - a).normalize();
    let length = 0.55 * a.distance(b);
    let nave = oriented_rectangle(centre_of(block) + along * 2.0, along, length, 8.0);
    let tower = oriented_rectangle(centre_of(block) - along * (0.5 * length), along, 5.0, 5.0);
    let fits = |outline: &[Vec2]| outline.iter().all(|&corner| contains(block, corner, 0.5));
    if !fits(&nave) || !fits(&tower) {
        park(model, claims, block, ground, random);
        return;
    }
    for outline in [&nave, &tower] {
        claims.claim(outline);
    }
    model.paint(Material::Stone);
    model.prism(&nave, ground, ground + 8.0);
    model.prism(&tower, ground, ground + 19.0);
    house::windows(model, &nave, ground + 2.0, ground + 8.0);
    model.paint(Material::Roof);
    house::gable_roof(model, &nave, ground + 8.0);
    model.paint(Material::Metal);
    model.taper(&tower, ground + 19.0, ground + 32.0, 0.02);
    let props = [Prop::Tree, Prop::Conifer, Prop::Bench];
    scatter(model, claims, block, |_| ground + KERB, 10, &props, random);
}

/// Adds trees, lamps, carts and barrels to the streets where agents can still pass them.
fn street_props(
    model: &mut Model,
    claims: &mut ClaimMap,
    island: &CityIsland,
    random: &mut Random,
) {
    let ground = inset(&island.outline, QUAY - 1.0);
    let count = (area(&ground) / 14.0) as u32;
    let props = [Prop::Tree, Prop::Lamp, Prop::Cart, Prop::Barrel];
    scatter(
        model,
        claims,
        &ground,
        |_| island.height,
        count,
        &props,
        random,
    );
}
