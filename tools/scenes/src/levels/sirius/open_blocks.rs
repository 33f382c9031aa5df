//! Blocks without a deck: plazas, parks, habitats, ziggurats and ports.

use glam::Vec2;

use super::{BLOCK, KERB, towers};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house;
use crate::levels::town::outline::{
    area, centre_of, inset, left_of, oriented_rectangle, sides, subdivide,
};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Material, Model, at, ngon, turn};
use crate::random::Random;

/// Adds random props to pavements and decks.
pub(super) fn furnish(
    model: &mut Model,
    claims: &mut ClaimMap,
    outline: &[Vec2],
    ground: f32,
    tries: u32,
    random: &mut Random,
) {
    let props = [
        Prop::Planter,
        Prop::Tree,
        Prop::Bench,
        Prop::Pylon,
        Prop::Kiosk,
        Prop::Planter,
    ];
    scatter(model, claims, outline, |_| ground, tries, &props, random);
}

/// Adds a plaza: rings of low steps around a basin with an obelisk.
pub(super) fn plaza(model: &mut Model, claims: &mut ClaimMap, centre: Vec2, random: &mut Random) {
    for (ring, radius) in [30.0, 24.0, 18.0].into_iter().enumerate() {
        let top = KERB + 0.4 * (ring + 1) as f32;
        model.paint(if ring % 2 == 0 {
            Material::Stone
        } else {
            Material::Concrete
        });
        model.column(centre, radius, 24, top - 0.5, top);
        // Seats and plants all around, with passages between them.
        let seats = 12;
        for seat in 0..seats {
            let out = turn(seat * 48 / seats + 2 * (ring as u32 % 2));
            let position = centre + out * (radius - 2.4);
            let prop = random.pick(&[Prop::Planter, Prop::Bench, Prop::Tree]);
            prop.try_place(model, claims, at(position, top), left_of(out), 1.8, random);
        }
    }
    let (basin, top) = (ngon(centre, 8.0, 16), KERB + 1.2);
    claims.claim(&ngon(centre, 31.0, 16));
    model.paint(Material::Stone);
    house::parapet(model, &basin, top, 1.1);
    model.paint(Material::Water);
    model.prism(&inset(&basin, 0.3), top - 0.2, top + 0.5);
    model.paint(Material::Metal);
    model.taper(&ngon(centre, 2.0, 8), top, top + 34.0, 0.05);
}

/// Adds a park with glass domes and trees.
pub(super) fn park(model: &mut Model, claims: &mut ClaimMap, centre: Vec2, random: &mut Random) {
    for out in [
        Vec2::new(1.0, 0.4),
        Vec2::new(-0.9, 0.6),
        Vec2::new(0.1, -1.0),
    ] {
        let position = centre + out * random.between(18.0, 23.0);
        let radius = random.between(9.0, 14.0);
        let ring = ngon(position, radius + 0.6, 12);
        if !claims.try_claim(&ring, 3.0) {
            continue;
        }
        model.paint(Material::Metal);
        model.prism(&ring, KERB, KERB + 2.4);
        model.paint(Material::Glass);
        model.dome(position, radius, radius * 1.1, 12, 4, KERB + 2.4);
    }
    let lawn = oriented_rectangle(centre, Vec2::X, BLOCK - 4.0, BLOCK - 4.0);
    let props = [
        Prop::Tree,
        Prop::Tree,
        Prop::Conifer,
        Prop::Bench,
        Prop::Boulder,
    ];
    scatter(model, claims, &lawn, |_| KERB, 330, &props, random);
}

/// Adds a habitat: modules of one to three storeys with lanes between them.
pub(super) fn habitat(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    random: &mut Random,
) {
    let ground = inset(block, 4.0);
    subdivide(
        ground,
        190.0,
        0.0,
        &|depth| if depth < 2 { 6.0 } else { 4.0 },
        random,
        &mut |lot, random| {
            if area(&lot) < 30.0 {
                return;
            }
            claims.claim(&lot);
            let roof = KERB + 3.2 * (1 + random.below(3)) as f32;
            model.paint(random.pick(&[Material::Plaster, Material::Concrete, Material::Metal]));
            model.prism(&lot, KERB, roof);
            towers::bands(model, &lot, KERB + 0.8, roof - 0.4);
            model.paint(Material::Concrete);
            house::flat_roof(model, &lot, roof, random);
        },
    );
}

/// Adds a ziggurat: terraces with ramps between them and a glass hall on top.
pub(super) fn ziggurat(
    model: &mut Model,
    claims: &mut ClaimMap,
    block: &[Vec2],
    random: &mut Random,
) {
    const RISE: f32 = 3.2;
    let mut terrace = inset(block, 9.0);
    let mut ground = KERB;
    claims.claim(&terrace);
    for level in 0..4 {
        model.paint(Material::Stone);
        model.prism(&terrace, ground, ground + RISE);
        for (number, (a, b)) in sides(&terrace).enumerate() {
            // Ramps are at opposite sides, which alternate from level to level.
            if number % 2 != level % 2 {
                continue;
            }
            let out = -left_of((b - a).normalize());
            let (edge, foot) = (0.5 * (a + b), 0.5 * (a + b) + out * (2.0 * RISE));
            model.paint(Material::Concrete);
            model.ramp(at(foot, ground), at(edge, ground + RISE), 5.0);
            if level == 0 {
                claims.claim(&oriented_rectangle(foot, out, 14.0, 5.0));
            }
        }
        ground += RISE;
        let next = inset(&terrace, 8.8);
        let mut ledge = ClaimMap::default();
        ledge.claim(&next);
        for (a, b) in sides(&next) {
            let out = -left_of((b - a).normalize());
            ledge.claim(&oriented_rectangle(
                0.5 * (a + b) + out * 4.0,
                out,
                8.0,
                5.0,
            ));
        }
        furnish(model, &mut ledge, &terrace, ground, 70, random);
        if next.len() < 4 || area(&next) < 60.0 {
            break;
        }
        terrace = next;
    }
    model.paint(Material::Glass);
    let hall = oriented_rectangle(centre_of(&terrace), Vec2::X, 5.0, 5.0);
    model.prism(&hall, ground, ground + 4.0);
    model.taper(&hall, ground + 4.0, ground + 12.0, 0.1);
}

/// Adds landing pads on columns, each with a ramp to the ground.
pub(super) fn port(model: &mut Model, claims: &mut ClaimMap, centre: Vec2, random: &mut Random) {
    for out in [
        Vec2::new(1.0, 1.0),
        Vec2::new(-1.0, 1.0),
        Vec2::new(-1.0, -1.0),
        Vec2::new(1.0, -1.0),
    ] {
        let position = centre + out * 21.0;
        let height = random.pick(&[4.0, 5.5, 7.0]);
        let radius = random.between(9.0, 12.0);
        model.paint(Material::Metal);
        model.prism(&ngon(position, 2.2, 12), KERB, height - 0.8);
        claims.claim(&ngon(position, radius, 12));
        model.taper(
            &ngon(position, 3.0, 12),
            height - 2.4,
            height - 0.8,
            radius / 3.0,
        );
        model.paint(Material::Concrete);
        model.column(position, radius, 12, height - 0.8, height);
        model.paint(Material::Signal);
        model.column(position, 0.35 * radius, 12, height, height + 0.05);
        // The ramp points along x towards the centre of the block.
        let along = Vec2::new(-out.x, 0.0);
        let (top, foot) = (
            position + along * (radius - 0.6),
            position + along * (radius + 2.2 * height),
        );
        model.paint(Material::Metal);
        model.slab(at(foot, KERB), at(top, height), 4.0, 0.5);
        claims.claim(&oriented_rectangle(
            0.5 * (top + foot) + along * 2.0,
            along,
            top.distance(foot) + 4.0,
            4.0,
        ));
        if random.chance(0.6) {
            ship(model, position + along * -2.5, random, height);
        }
    }
}

/// Adds a ship on a landing pad.
fn ship(model: &mut Model, position: Vec2, random: &mut Random, height: f32) {
    let along = random.direction();
    model.paint(Material::Plaster);
    model.taper(
        &oriented_rectangle(position, along, 8.0, 3.2),
        height + 0.4,
        height + 2.4,
        0.5,
    );
    model.paint(Material::Glass);
    model.taper(
        &oriented_rectangle(position + along * 1.2, along, 2.4, 1.4),
        height + 2.4,
        height + 3.3,
        0.6,
    );
    model.paint(Material::Metal);
    for side in [-1.9, 1.9] {
        model.prism(
            &oriented_rectangle(
                position - along * 2.0 + left_of(along) * side,
                along,
                3.6,
                1.2,
            ),
            height + 0.2,
            height + 1.4,
        );
    }
}
