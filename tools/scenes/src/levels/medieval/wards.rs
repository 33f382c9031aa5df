//! The town itself: wards of blocks, some of them on a terrace, blocks of houses wall to wall.

use glam::Vec2;

use crate::levels::town::furniture::{Thing, scatter};
use crate::levels::town::house::{self, STOREY, Style};
use crate::levels::town::outline::{
    area, inset, left_of, longest_side, middle, oblong, shrunk, sides, subdivide,
};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at};
use crate::random::Random;

/// Height of a terrace that a ward stands on, in metres.
const TERRACE: f32 = 1.6;

/// A quarter, cut into wards.
pub(super) fn build(model: &mut Model, site: &mut Site, quarter: Vec<Vec2>, random: &mut Random) {
    let mut wards = Vec::new();
    subdivide(quarter, 1700.0, 0.3, &|_| 5.4, random, &mut |ward, _| {
        wards.push(ward)
    });
    for (number, ward) in wards.into_iter().enumerate() {
        match random.below(12) {
            0 if number == 0 => market(model, site, &ward, random),
            1 | 2 if number == 0 => church(model, site, &ward, random),
            3..6 if area(&ward) > 900.0 => raised(model, site, &ward, random),
            _ => blocks(model, site, ward, 0.0, random),
        }
    }
}

/// A ward on a terrace, with steps up to it on some sides.
fn raised(model: &mut Model, site: &mut Site, ward: &[Vec2], random: &mut Random) {
    let terrace = inset(ward, 1.2);
    model.paint(Material::Rock);
    model.prism(&terrace, 0.0, TERRACE);
    for (number, (a, b)) in sides(&terrace).enumerate() {
        if number > 0 && (a.distance(b) < 9.0 || random.chance(0.3)) {
            continue;
        }
        let along = (b - a).normalize();
        let (edge, run) = (0.5 * (a + b), 2.4);
        let foot = edge - left_of(along) * run;
        site.claim(&oblong(
            edge - left_of(along) * (0.5 * run),
            along,
            3.0,
            run,
        ));
        model.paint(Material::Stone);
        model.stairs(at(foot, 0.0), at(edge, TERRACE), 3.0, 0.25);
    }
    // A way along the edge, so that the steps lead somewhere.
    let mut upper = Site::default();
    blocks(model, &mut upper, inset(&terrace, 2.6), TERRACE, random);
    let things = [Thing::Barrel, Thing::Crates, Thing::Tree];
    scatter(
        model,
        &mut upper,
        &terrace,
        |_| TERRACE,
        20,
        &things,
        random,
    );
    site.claim(&terrace);
}

/// Blocks of houses with lanes between them.
fn blocks(model: &mut Model, site: &mut Site, ward: Vec<Vec2>, ground: f32, random: &mut Random) {
    let mut lots = Vec::new();
    subdivide(ward, 480.0, 0.35, &|_| 3.8, random, &mut |block, random| {
        subdivide(block, 56.0, 0.18, &|_| 0.0, random, &mut |lot, _| {
            lots.push(lot)
        });
    });
    for lot in lots {
        // Fronts do not stand in line.
        let lot = inset(&lot, random.between(0.0, 0.35));
        if area(&lot) < 14.0 {
            continue;
        }
        if random.chance(0.08) {
            let things = [Thing::Well, Thing::Barrel, Thing::Tree, Thing::Crates];
            scatter(model, site, &lot, |_| ground, 3, &things, random);
            continue;
        }
        site.claim(&lot);
        dwelling(model, &lot, ground, random);
        for (a, b) in sides(&lot) {
            lean(model, site, a, b, ground, random);
        }
    }
}

/// A house whose upper storeys stand out over the street.
fn dwelling(model: &mut Model, lot: &[Vec2], ground: f32, random: &mut Random) {
    let walls = random.pick(&[
        Material::Plaster,
        Material::Plaster,
        Material::Wood,
        Material::Stone,
    ]);
    let style = Style { walls, flat: 0.14 };
    let storeys = 1 + random.below(3);
    if storeys == 1 || random.chance(0.4) {
        house::house(model, lot, [ground, ground], storeys, style, random);
        return;
    }
    model.paint(Material::Stone);
    model.prism(lot, ground, ground + STOREY);
    let upper = shrunk(lot, 1.05);
    let eaves = ground + storeys as f32 * STOREY;
    model.paint(walls);
    model.prism(&upper, ground + STOREY - 0.2, eaves);
    house::windows(model, &upper, ground + STOREY - 0.3, eaves);
    model.paint(Material::Roof);
    if upper.len() == 4 {
        house::gable_roof(model, &upper, eaves);
    } else {
        house::hip_roof(model, &upper, eaves);
    }
}

/// Something that leans against a front, where the street stays wide enough.
fn lean(model: &mut Model, site: &mut Site, a: Vec2, b: Vec2, ground: f32, random: &mut Random) {
    if a.distance(b) < 4.0 || random.chance(0.2) {
        return;
    }
    let along = (b - a).normalize();
    let place = a.lerp(b, random.between(0.2, 0.8)) - left_of(along) * 0.75;
    let street = oblong(place - left_of(along) * 1.7, along, 2.4, 1.8);
    if site.is_free(&street, 0.1) {
        let thing = random.pick(&[Thing::Barrel, Thing::Crates, Thing::Bench, Thing::Barrel]);
        thing.put(model, site, at(place, ground), along, 0.0, random);
    }
}

/// An open place with stalls and a well.
fn market(model: &mut Model, site: &mut Site, ward: &[Vec2], random: &mut Random) {
    model.paint(Material::Road);
    model.prism(ward, -0.2, 0.1);
    let (a, b) = longest_side(ward);
    let along = (b - a).normalize();
    Thing::Fountain.put(model, site, at(middle(ward), 0.1), along, 2.0, random);
    let things = [
        Thing::Stall,
        Thing::Stall,
        Thing::Cart,
        Thing::Crates,
        Thing::Barrel,
    ];
    let tries = (area(ward) / 6.0) as u32;
    scatter(model, site, ward, |_| 0.1, tries, &things, random);
}

/// A church in its yard.
fn church(model: &mut Model, site: &mut Site, ward: &[Vec2], random: &mut Random) {
    model.paint(Material::Grass);
    model.prism(ward, -0.2, 0.1);
    let (a, b) = longest_side(ward);
    let along = (b - a).normalize();
    let place = middle(ward);
    let nave = oblong(place + along * 4.0, along, 22.0, 9.0);
    let aisle = oblong(place + along * 6.0, left_of(along), 18.0, 6.0);
    let tower = oblong(place - along * 9.0, along, 6.0, 6.0);
    for (outline, eaves) in [(&nave, 10.0), (&aisle, 8.5), (&tower, 22.0)] {
        site.claim(outline);
        model.paint(Material::Stone);
        model.prism(outline, 0.0, eaves);
        house::windows(model, outline, 3.0, eaves);
    }
    model.paint(Material::Roof);
    house::gable_roof(model, &nave, 10.0);
    house::gable_roof(model, &aisle, 8.5);
    model.taper(&tower, 22.0, 36.0, 0.02);
    let things = [Thing::Tree, Thing::Conifer, Thing::Bench, Thing::Statue];
    scatter(model, site, ward, |_| 0.1, 50, &things, random);
}
