//! What people built on the islands: huts on stilts around a fire, and temples of old.

use glam::Vec2;

use super::land::{Island, Land};
use crate::levels::town::furniture::Thing;
use crate::levels::town::house;
use crate::levels::town::outline::{inset, left_of, oblong, sides};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, turn};
use crate::random::Random;

/// Height of a hut's floor above the ground, in metres: too low to stand under.
const FLOOR: f32 = 1.5;

/// A ring of huts that look at the middle.
pub(super) fn huts(
    model: &mut Model,
    site: &mut Site,
    land: &Land,
    island: &Island,
    random: &mut Random,
) {
    let huts = 6 + random.below(3);
    for hut in 0..huts {
        let out = turn(hut * 48 / huts + random.below(3));
        let place = island.clearing + out * random.between(13.5, 16.5);
        self::hut(model, site, at(place, land.height(place)), -out, random);
    }
    let middle = at(island.clearing, land.height(island.clearing));
    Thing::Well.put(model, site, middle, Vec2::X, 2.0, random);
    for _ in 0..14 {
        let place = island.clearing + random.direction() * random.between(3.0, 11.0);
        let thing = random.pick(&[Thing::Crates, Thing::Barrel, Thing::Bench, Thing::Palm]);
        thing.put(
            model,
            site,
            at(place, land.height(place)),
            random.direction(),
            2.0,
            random,
        );
    }
}

/// A platform on posts with steps up to it, and a hut with a thatched roof on its rear part.
fn hut(model: &mut Model, site: &mut Site, ground: glam::Vec3, front: Vec2, random: &mut Random) {
    let place = Vec2::new(ground.x, ground.z);
    let deck = oblong(place, front, 8.6, 6.4);
    let steps = oblong(place + front * 5.6, front, 3.0, 2.6);
    if !site.try_claim(&deck, 1.5) {
        return;
    }
    site.claim(&steps);
    let floor = ground.y + FLOOR;
    model.paint(Material::Wood);
    model.prism(&deck, floor - 0.3, floor);
    for &corner in &inset(&deck, 0.3) {
        model.column(corner, 0.2, 6, ground.y - 1.5, floor - 0.2);
    }
    model.stairs(
        at(place + front * 6.9, ground.y),
        at(place + front * 4.2, floor),
        2.4,
        0.3,
    );
    let walls = oblong(place - front * 1.8, front, 4.4, 5.0);
    model.paint(random.pick(&[Material::Wood, Material::Plaster]));
    model.prism(&walls, floor, floor + 2.6);
    house::windows(model, &walls, floor, floor + 2.9);
    model.paint(Material::Sand);
    let thatch = oblong(place - front * 1.8, front, 6.2, 6.8);
    model.taper(&thatch, floor + 2.4, floor + 6.6, 0.12);
}

/// A stepped pyramid with a flight of stairs up each of two sides and a shrine on top.
pub(super) fn temple(model: &mut Model, site: &mut Site, island: &Island) {
    const RISE: f32 = 2.8;
    let mut terrace = oblong(island.clearing, turn(5), 32.0, 32.0);
    let mut ground = island.level;
    site.claim(&inset(&terrace, -8.0));
    for level in 0..4 {
        model.paint(Material::Stone);
        model.prism(&terrace, ground - 0.5, ground + RISE);
        for (side, (a, b)) in sides(&terrace).enumerate() {
            if side % 2 == 1 {
                continue;
            }
            let out = -left_of((b - a).normalize());
            let edge = 0.5 * (a + b);
            model.paint(Material::Concrete);
            model.stairs(
                at(edge + out * 3.4, ground),
                at(edge, ground + RISE),
                4.0,
                0.3,
            );
        }
        ground += RISE;
        if level < 3 {
            terrace = inset(&terrace, 4.2);
        }
    }
    let shrine = inset(&terrace, 1.6);
    model.paint(Material::Stone);
    model.prism(&shrine, ground, ground + 3.0);
    model.taper(&shrine, ground + 3.0, ground + 5.5, 0.4);
}
