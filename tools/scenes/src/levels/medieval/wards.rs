//! The wards of the town. A ward has blocks of adjoining houses; some wards are on a terrace.

use glam::Vec2;

use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house::{self, STOREY, Style};
use crate::levels::town::outline::{
    area, centre_of, inset, left_of, longest_side, oriented_rectangle, scaled, sides, subdivide,
};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Material, Model, at};
use crate::random::Random;

/// Height of the terrace below a raised ward, in metres.
const TERRACE: f32 = 1.6;

/// Adds a quarter, which is cut into wards.
pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    quarter: Vec<Vec2>,
    random: &mut Random,
) {
    let mut wards = Vec::new();
    subdivide(quarter, 1700.0, 0.3, &|_| 5.4, random, &mut |ward, _| {
        wards.push(ward)
    });
    for (number, ward) in wards.into_iter().enumerate() {
        match random.below(12) {
            0 if number == 0 => market(model, claims, &ward, random),
            1 | 2 if number == 0 => church(model, claims, &ward, random),
            3..6 if area(&ward) > 900.0 => raised_ward(model, claims, &ward, random),
            _ => blocks(model, claims, ward, 0.0, random),
        }
    }
}

/// Adds a ward on a terrace, with steps at some of its sides.
fn raised_ward(model: &mut Model, claims: &mut ClaimMap, ward: &[Vec2], random: &mut Random) {
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
        claims.claim(&oriented_rectangle(
            edge - left_of(along) * (0.5 * run),
            along,
            3.0,
            run,
        ));
        model.paint(Material::Stone);
        model.stairs(at(foot, 0.0), at(edge, TERRACE), 3.0, 0.25);
    }
    // A path along the edge connects the steps.
    let mut upper = ClaimMap::default();
    blocks(model, &mut upper, inset(&terrace, 2.6), TERRACE, random);
    let props = [Prop::Barrel, Prop::Crates, Prop::Tree];
    scatter(model, &mut upper, &terrace, |_| TERRACE, 20, &props, random);
    claims.claim(&terrace);
}

/// Adds blocks of houses with lanes between them.
fn blocks(
    model: &mut Model,
    claims: &mut ClaimMap,
    ward: Vec<Vec2>,
    ground: f32,
    random: &mut Random,
) {
    let mut lots = Vec::new();
    subdivide(ward, 480.0, 0.35, &|_| 3.8, random, &mut |block, random| {
        subdivide(block, 56.0, 0.18, &|_| 0.0, random, &mut |lot, _| {
            lots.push(lot)
        });
    });
    for lot in lots {
        // The fronts of houses are not aligned.
        let lot = inset(&lot, random.between(0.0, 0.35));
        if area(&lot) < 14.0 {
            continue;
        }
        if random.chance(0.08) {
            let props = [Prop::Well, Prop::Barrel, Prop::Tree, Prop::Crates];
            scatter(model, claims, &lot, |_| ground, 3, &props, random);
            continue;
        }
        claims.claim(&lot);
        dwelling(model, &lot, ground, random);
        for (a, b) in sides(&lot) {
            place_in_front(model, claims, a, b, ground, random);
        }
    }
}

/// Adds a house. The upper storeys of some houses project over the street.
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
    let upper = scaled(lot, 1.05);
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

/// Adds a prop in front of a house if the street stays wide enough.
fn place_in_front(
    model: &mut Model,
    claims: &mut ClaimMap,
    a: Vec2,
    b: Vec2,
    ground: f32,
    random: &mut Random,
) {
    if a.distance(b) < 4.0 || random.chance(0.2) {
        return;
    }
    let along = (b - a).normalize();
    let position = a.lerp(b, random.between(0.2, 0.8)) - left_of(along) * 0.75;
    let street = oriented_rectangle(position - left_of(along) * 1.7, along, 2.4, 1.8);
    if claims.is_free(&street, 0.1) {
        let prop = random.pick(&[Prop::Barrel, Prop::Crates, Prop::Bench, Prop::Barrel]);
        prop.try_place(model, claims, at(position, ground), along, 0.0, random);
    }
}

/// Adds a market square with a fountain and stalls.
fn market(model: &mut Model, claims: &mut ClaimMap, ward: &[Vec2], random: &mut Random) {
    model.paint(Material::Road);
    model.prism(ward, -0.2, 0.1);
    let (a, b) = longest_side(ward);
    let along = (b - a).normalize();
    Prop::Fountain.try_place(model, claims, at(centre_of(ward), 0.1), along, 2.0, random);
    let props = [
        Prop::Stall,
        Prop::Stall,
        Prop::Cart,
        Prop::Crates,
        Prop::Barrel,
    ];
    let tries = (area(ward) / 6.0) as u32;
    scatter(model, claims, ward, |_| 0.1, tries, &props, random);
}

/// Adds a church in a churchyard.
fn church(model: &mut Model, claims: &mut ClaimMap, ward: &[Vec2], random: &mut Random) {
    model.paint(Material::Grass);
    model.prism(ward, -0.2, 0.1);
    let (a, b) = longest_side(ward);
    let along = (b - a).normalize();
    let position = centre_of(ward);
    let nave = oriented_rectangle(position + along * 4.0, along, 22.0, 9.0);
    let aisle = oriented_rectangle(position + along * 6.0, left_of(along), 18.0, 6.0);
    let tower = oriented_rectangle(position - along * 9.0, along, 6.0, 6.0);
    for (outline, eaves) in [(&nave, 10.0), (&aisle, 8.5), (&tower, 22.0)] {
        claims.claim(outline);
        model.paint(Material::Stone);
        model.prism(outline, 0.0, eaves);
        house::windows(model, outline, 3.0, eaves);
    }
    model.paint(Material::Roof);
    house::gable_roof(model, &nave, 10.0);
    house::gable_roof(model, &aisle, 8.5);
    model.taper(&tower, 22.0, 36.0, 0.02);
    let props = [Prop::Tree, Prop::Conifer, Prop::Bench, Prop::Statue];
    scatter(model, claims, ward, |_| 0.1, 50, &props, random);
}
