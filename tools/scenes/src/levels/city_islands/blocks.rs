//! Streets and what lies between them: rows of houses, squares, parks, halls and churches.

use glam::Vec2;

use super::{Island, QUAY};
use crate::levels::town::furniture::{Thing, scatter};
use crate::levels::town::house::{self, Style};
use crate::levels::town::outline::{
    area, bounds, contains, cut, inset, left_of, longest_side, middle, oblong, sides, subdivide,
};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

/// Height of the kerb around a block, in metres: a step that anyone takes.
const KERB: f32 = 0.2;

pub(super) fn build(model: &mut Model, site: &mut Site, island: &Island, random: &mut Random) {
    let (a, b) = longest_side(&island.outline);
    let mut blocks = streets(inset(&island.outline, QUAY), (b - a).normalize(), random);
    // The square is the block nearest to the middle.
    blocks.sort_by(|a, b| {
        let far = |block: &[Vec2]| middle(block).distance_squared(island.middle);
        far(a).total_cmp(&far(b))
    });
    for (number, block) in blocks.iter().enumerate() {
        let kind = random.below(10);
        match number {
            0 => square(model, site, block, island.height, random),
            1 if kind < 4 => church(model, site, block, island.height, random),
            _ if kind == 0 || area(block) < 70.0 => {
                park(model, site, block, island.height, random);
            }
            _ if kind == 1 => hall(model, site, block, island.height, random),
            _ => houses(model, site, block, island.height, random),
        }
    }
    trees(model, site, island, random);
}

/// Cuts the ground into blocks by streets along and across.
fn streets(ground: Vec<Vec2>, along: Vec2, random: &mut Random) -> Vec<Vec<Vec2>> {
    let [low, high] = bounds(&ground);
    let (centre, reach) = (0.5 * (low + high), 0.5 * low.distance(high));
    let mut blocks = vec![ground];
    for (along, least) in [(along, 19.0), (left_of(along), 23.0)] {
        let mut offset = -reach + random.between(4.0, least);
        while offset < reach {
            let at = centre + left_of(along) * offset;
            let width = random.pick(&[5.0, 5.5, 7.0]);
            blocks = blocks
                .iter()
                .flat_map(|block| cut(block, at, along, width))
                .filter(|part| !part.is_empty())
                .collect();
            offset += random.between(least, least + 9.0);
        }
    }
    // What is too small for a house is left to the streets.
    blocks.retain(|block| area(block) > 45.0);
    blocks
}

fn kerb(model: &mut Model, block: &[Vec2], ground: f32, material: Material) {
    model.paint(material);
    model.prism(block, ground - 0.1, ground + KERB);
}

fn houses(model: &mut Model, site: &mut Site, block: &[Vec2], ground: f32, random: &mut Random) {
    kerb(model, block, ground, Material::Concrete);
    let lots = inset(block, 1.3);
    // An alley through the larger blocks, wide enough to walk.
    let alley = if area(&lots) > 380.0 { 2.8 } else { 0.0 };
    let wall = random.pick(&[Material::Plaster, Material::Brick, Material::Stone]);
    let gap = |depth: u32| if depth == 0 { alley } else { 0.0 };
    subdivide(lots, 105.0, 0.08, &gap, random, &mut |lot, random| {
        if area(&lot) < 18.0 {
            return;
        }
        if random.chance(0.1) {
            yard(model, site, &lot, ground + KERB, random);
            return;
        }
        site.claim(&lot);
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

/// A lot without a house: a tree, or things that stand in yards.
fn yard(model: &mut Model, site: &mut Site, lot: &[Vec2], ground: f32, random: &mut Random) {
    let things = [
        Thing::Tree,
        Thing::Crates,
        Thing::Barrel,
        Thing::Planter,
        Thing::Well,
    ];
    scatter(model, site, lot, |_| ground, 3, &things, random);
}

/// A square: a fountain in its middle, stalls, trees and benches around.
fn square(model: &mut Model, site: &mut Site, block: &[Vec2], ground: f32, random: &mut Random) {
    kerb(model, block, ground, Material::Stone);
    let (a, b) = longest_side(block);
    let along = (b - a).normalize();
    let centre = random.pick(&[Thing::Fountain, Thing::Fountain, Thing::Statue]);
    centre.put(
        model,
        site,
        at(middle(block), ground + KERB),
        along,
        2.0,
        random,
    );
    for (a, b) in sides(&inset(block, 2.0)) {
        let along = (b - a).normalize_or(Vec2::X);
        let steps = (a.distance(b) / 5.0).floor() as u32;
        for step in 0..steps {
            let place = a.lerp(b, (step as f32 + 0.5) / steps as f32);
            let thing = if step % 2 == 0 {
                Thing::Tree
            } else {
                Thing::Bench
            };
            thing.put(model, site, at(place, ground + KERB), along, 1.6, random);
        }
    }
    scatter(
        model,
        site,
        block,
        |_| ground + KERB,
        8,
        &[Thing::Stall, Thing::Lamp],
        random,
    );
}

/// Grass, trees, benches and sometimes a pond.
fn park(model: &mut Model, site: &mut Site, block: &[Vec2], ground: f32, random: &mut Random) {
    kerb(model, block, ground, Material::Grass);
    if area(block) > 250.0 {
        let pond = ngon(middle(block), random.between(3.0, 4.5), 12);
        site.claim(&pond);
        model.paint(Material::Stone);
        model.prism(&pond, ground, ground + KERB + 0.15);
        house::parapet(model, &pond, ground + KERB + 0.15, 1.0);
        model.paint(Material::Water);
        model.prism(&inset(&pond, 0.3), ground, ground + KERB + 0.4);
    }
    let count = (area(block) / 22.0) as u32;
    let things = [
        Thing::Tree,
        Thing::Tree,
        Thing::Conifer,
        Thing::Bench,
        Thing::Planter,
    ];
    scatter(
        model,
        site,
        block,
        |_| ground + KERB,
        count,
        &things,
        random,
    );
}

/// One large building on a plinth, with a roof to stand on and a smaller storey upon it.
fn hall(model: &mut Model, site: &mut Site, block: &[Vec2], ground: f32, random: &mut Random) {
    kerb(model, block, ground, Material::Concrete);
    let outline = inset(block, 3.0);
    if outline.len() < 3 {
        return;
    }
    site.claim(&outline);
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

/// A nave with a steep roof, a tower with a spire, trees around.
fn church(model: &mut Model, site: &mut Site, block: &[Vec2], ground: f32, random: &mut Random) {
    kerb(model, block, ground, Material::Grass);
    let (a, b) = longest_side(block);
    let along = (b - a).normalize();
    let length = 0.55 * a.distance(b);
    let nave = oblong(middle(block) + along * 2.0, along, length, 8.0);
    let tower = oblong(middle(block) - along * (0.5 * length), along, 5.0, 5.0);
    let fits = |outline: &[Vec2]| outline.iter().all(|&corner| contains(block, corner, 0.5));
    if !fits(&nave) || !fits(&tower) {
        park(model, site, block, ground, random);
        return;
    }
    for outline in [&nave, &tower] {
        site.claim(outline);
    }
    model.paint(Material::Stone);
    model.prism(&nave, ground, ground + 8.0);
    model.prism(&tower, ground, ground + 19.0);
    house::windows(model, &nave, ground + 2.0, ground + 8.0);
    model.paint(Material::Roof);
    house::gable_roof(model, &nave, ground + 8.0);
    model.paint(Material::Metal);
    model.taper(&tower, ground + 19.0, ground + 32.0, 0.02);
    let things = [Thing::Tree, Thing::Conifer, Thing::Bench];
    scatter(model, site, block, |_| ground + KERB, 10, &things, random);
}

/// Trees and lamps in the streets, where there is room for them and for walkers.
fn trees(model: &mut Model, site: &mut Site, island: &Island, random: &mut Random) {
    let ground = inset(&island.outline, QUAY - 1.0);
    let count = (area(&ground) / 14.0) as u32;
    let things = [Thing::Tree, Thing::Lamp, Thing::Cart, Thing::Barrel];
    scatter(
        model,
        site,
        &ground,
        |_| island.height,
        count,
        &things,
        random,
    );
}
