//! Blocks without a deck: plazas, parks, habitats, ziggurats and ports.

use glam::Vec2;

use super::{BLOCK, KERB, towers};
use crate::levels::town::furniture::{Thing, scatter};
use crate::levels::town::house;
use crate::levels::town::outline::{area, inset, left_of, middle, oblong, sides, subdivide};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, ngon, turn};
use crate::random::Random;

/// What stands about on pavements and decks.
pub(super) fn furnish(
    model: &mut Model,
    site: &mut Site,
    outline: &[Vec2],
    ground: f32,
    tries: u32,
    random: &mut Random,
) {
    let things = [
        Thing::Planter,
        Thing::Tree,
        Thing::Bench,
        Thing::Pylon,
        Thing::Kiosk,
        Thing::Planter,
    ];
    scatter(model, site, outline, |_| ground, tries, &things, random);
}

/// Rings of low steps around a basin with a needle in it.
pub(super) fn plaza(model: &mut Model, site: &mut Site, centre: Vec2, random: &mut Random) {
    for (ring, radius) in [30.0, 24.0, 18.0].into_iter().enumerate() {
        let top = KERB + 0.4 * (ring + 1) as f32;
        model.paint(if ring % 2 == 0 {
            Material::Stone
        } else {
            Material::Concrete
        });
        model.column(centre, radius, 24, top - 0.5, top);
        // Seats all around, with ways in between.
        let seats = 12;
        for seat in 0..seats {
            let out = turn(seat * 48 / seats + 2 * (ring as u32 % 2));
            let place = centre + out * (radius - 2.4);
            let thing = random.pick(&[Thing::Planter, Thing::Bench, Thing::Tree]);
            thing.put(model, site, at(place, top), left_of(out), 1.8, random);
        }
    }
    let (basin, top) = (ngon(centre, 8.0, 16), KERB + 1.2);
    site.claim(&ngon(centre, 31.0, 16));
    model.paint(Material::Stone);
    house::parapet(model, &basin, top, 1.1);
    model.paint(Material::Water);
    model.prism(&inset(&basin, 0.3), top - 0.2, top + 0.5);
    model.paint(Material::Metal);
    model.taper(&ngon(centre, 2.0, 8), top, top + 34.0, 0.05);
}

/// Domes of glass among trees.
pub(super) fn park(model: &mut Model, site: &mut Site, centre: Vec2, random: &mut Random) {
    for out in [
        Vec2::new(1.0, 0.4),
        Vec2::new(-0.9, 0.6),
        Vec2::new(0.1, -1.0),
    ] {
        let place = centre + out * random.between(18.0, 23.0);
        let radius = random.between(9.0, 14.0);
        let ring = ngon(place, radius + 0.6, 12);
        if !site.try_claim(&ring, 3.0) {
            continue;
        }
        model.paint(Material::Metal);
        model.prism(&ring, KERB, KERB + 2.4);
        model.paint(Material::Glass);
        model.dome(place, radius, radius * 1.1, 12, 4, KERB + 2.4);
    }
    let lawn = oblong(centre, Vec2::X, BLOCK - 4.0, BLOCK - 4.0);
    let things = [
        Thing::Tree,
        Thing::Tree,
        Thing::Conifer,
        Thing::Bench,
        Thing::Boulder,
    ];
    scatter(model, site, &lawn, |_| KERB, 330, &things, random);
}

/// Modules of one to three storeys, wall to lane.
pub(super) fn habitat(model: &mut Model, site: &mut Site, block: &[Vec2], random: &mut Random) {
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
            site.claim(&lot);
            let roof = KERB + 3.2 * (1 + random.below(3)) as f32;
            model.paint(random.pick(&[Material::Plaster, Material::Concrete, Material::Metal]));
            model.prism(&lot, KERB, roof);
            towers::bands(model, &lot, KERB + 0.8, roof - 0.4);
            model.paint(Material::Concrete);
            house::flat_roof(model, &lot, roof, random);
        },
    );
}

/// Terraces with ramps from each to the next, and a hall of glass on top.
pub(super) fn ziggurat(model: &mut Model, site: &mut Site, block: &[Vec2], random: &mut Random) {
    const RISE: f32 = 3.2;
    let mut terrace = inset(block, 9.0);
    let mut ground = KERB;
    site.claim(&terrace);
    for level in 0..4 {
        model.paint(Material::Stone);
        model.prism(&terrace, ground, ground + RISE);
        for (number, (a, b)) in sides(&terrace).enumerate() {
            // Ramps turn from level to level, but two sides have one at least.
            if number % 2 != level % 2 {
                continue;
            }
            let out = -left_of((b - a).normalize());
            let (edge, foot) = (0.5 * (a + b), 0.5 * (a + b) + out * (2.0 * RISE));
            model.paint(Material::Concrete);
            model.ramp(at(foot, ground), at(edge, ground + RISE), 5.0);
            if level == 0 {
                site.claim(&oblong(foot, out, 14.0, 5.0));
            }
        }
        ground += RISE;
        let next = inset(&terrace, 8.8);
        let mut ledge = Site::default();
        ledge.claim(&next);
        for (a, b) in sides(&next) {
            let out = -left_of((b - a).normalize());
            ledge.claim(&oblong(0.5 * (a + b) + out * 4.0, out, 8.0, 5.0));
        }
        furnish(model, &mut ledge, &terrace, ground, 70, random);
        if next.len() < 4 || area(&next) < 60.0 {
            break;
        }
        terrace = next;
    }
    model.paint(Material::Glass);
    let hall = oblong(middle(&terrace), Vec2::X, 5.0, 5.0);
    model.prism(&hall, ground, ground + 4.0);
    model.taper(&hall, ground + 4.0, ground + 12.0, 0.1);
}

/// Landing pads on stalks, each with a ramp down to the ground.
pub(super) fn port(model: &mut Model, site: &mut Site, centre: Vec2, random: &mut Random) {
    for out in [
        Vec2::new(1.0, 1.0),
        Vec2::new(-1.0, 1.0),
        Vec2::new(-1.0, -1.0),
        Vec2::new(1.0, -1.0),
    ] {
        let place = centre + out * 21.0;
        let height = random.pick(&[4.0, 5.5, 7.0]);
        let radius = random.between(9.0, 12.0);
        model.paint(Material::Metal);
        model.prism(&ngon(place, 2.2, 12), KERB, height - 0.8);
        site.claim(&ngon(place, radius, 12));
        model.taper(
            &ngon(place, 3.0, 12),
            height - 2.4,
            height - 0.8,
            radius / 3.0,
        );
        model.paint(Material::Concrete);
        model.column(place, radius, 12, height - 0.8, height);
        model.paint(Material::Signal);
        model.column(place, 0.35 * radius, 12, height, height + 0.05);
        // The ramp goes towards the middle of the block, along one side.
        let along = Vec2::new(-out.x, 0.0);
        let (top, foot) = (
            place + along * (radius - 0.6),
            place + along * (radius + 2.2 * height),
        );
        model.paint(Material::Metal);
        model.slab(at(foot, KERB), at(top, height), 4.0, 0.5);
        site.claim(&oblong(
            0.5 * (top + foot) + along * 2.0,
            along,
            top.distance(foot) + 4.0,
            4.0,
        ));
        if random.chance(0.6) {
            ship(model, place + along * -2.5, random, height);
        }
    }
}

/// A craft on a pad.
fn ship(model: &mut Model, place: Vec2, random: &mut Random, height: f32) {
    let along = random.direction();
    model.paint(Material::Plaster);
    model.taper(
        &oblong(place, along, 8.0, 3.2),
        height + 0.4,
        height + 2.4,
        0.5,
    );
    model.paint(Material::Glass);
    model.taper(
        &oblong(place + along * 1.2, along, 2.4, 1.4),
        height + 2.4,
        height + 3.3,
        0.6,
    );
    model.paint(Material::Metal);
    for side in [-1.9, 1.9] {
        model.prism(
            &oblong(place - along * 2.0 + left_of(along) * side, along, 3.6, 1.2),
            height + 0.2,
            height + 1.4,
        );
    }
}
