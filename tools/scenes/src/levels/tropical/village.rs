//! The buildings of the islands: huts on stilts around a well, and temples.

use glam::Vec2;

use super::land::{Land, TropicalIsland};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house;
use crate::levels::town::outline::{inset, left_of, oriented_rectangle, sides};
use crate::levels::town::props::Prop;
use crate::model::{Material, Model, at, turn};
use crate::random::Random;

/// Height of a hut's floor above the ground, in metres. It is too low to stand under.
const FLOOR: f32 = 1.5;

/// Adds a village: a ring of huts that face its centre.
pub(super) fn huts(
    model: &mut Model,
    claims: &mut ClaimMap,
    land: &Land,
    island: &TropicalIsland,
    random: &mut Random,
) {
    let huts = 6 + random.below(3);
    for hut in 0..huts {
        let out = turn(hut * 48 / huts + random.below(3));
        let position = island.clearing + out * random.between(13.5, 16.5);
        self::hut(
            model,
            claims,
            at(position, land.height(position)),
            -out,
            random,
        );
    }
    let centre = at(island.clearing, land.height(island.clearing));
    Prop::Well.try_place(model, claims, centre, Vec2::X, 2.0, random);
    for _ in 0..14 {
        let position = island.clearing + random.direction() * random.between(3.0, 11.0);
        let prop = random.pick(&[Prop::Crates, Prop::Barrel, Prop::Bench, Prop::Palm]);
        prop.try_place(
            model,
            claims,
            at(position, land.height(position)),
            random.direction(),
            2.0,
            random,
        );
    }
}

/// Adds a platform on posts with steps, and a hut with a thatched roof on the rear of the platform.
fn hut(
    model: &mut Model,
    claims: &mut ClaimMap,
    ground: glam::Vec3,
    front: Vec2,
    random: &mut Random,
) {
    let position = Vec2::new(ground.x, ground.z);
    let deck = oriented_rectangle(position, front, 8.6, 6.4);
    let steps = oriented_rectangle(position + front * 5.6, front, 3.0, 2.6);
    if !claims.try_claim(&deck, 1.5) {
        return;
    }
    claims.claim(&steps);
    let floor = ground.y + FLOOR;
    model.paint(Material::Wood);
    model.prism(&deck, floor - 0.3, floor);
    for &corner in &inset(&deck, 0.3) {
        model.column(corner, 0.2, 6, ground.y - 1.5, floor - 0.2);
    }
    model.stairs(
        at(position + front * 6.9, ground.y),
        at(position + front * 4.2, floor),
        2.4,
        0.3,
    );
    let walls = oriented_rectangle(position - front * 1.8, front, 4.4, 5.0);
    model.paint(random.pick(&[Material::Wood, Material::Plaster]));
    model.prism(&walls, floor, floor + 2.6);
    house::windows(model, &walls, floor, floor + 2.9);
    model.paint(Material::Sand);
    let thatch = oriented_rectangle(position - front * 1.8, front, 6.2, 6.8);
    model.taper(&thatch, floor + 2.4, floor + 6.6, 0.12);
}

/// Adds a stepped pyramid with stairs on two sides and a shrine on top.
pub(super) fn temple(model: &mut Model, claims: &mut ClaimMap, island: &TropicalIsland) {
    const RISE: f32 = 2.8;
    let mut terrace = oriented_rectangle(island.clearing, turn(5), 32.0, 32.0);
    let mut ground = island.level;
    claims.claim(&inset(&terrace, -8.0));
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
