//! Decks above the street, with ramps from the street, bridges to neighbouring decks, and towers.

use glam::Vec2;

use super::{BlockKind, City, DECK, KERB, PITCH, open_blocks, roads, towers};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{left_of, oriented_rectangle};
use crate::model::{Gap, Material, Model, at};
use crate::random::Random;

/// Side of a deck, in metres.
const SIDE: f32 = 62.0;
/// Width of bridges and ramps.
const BRIDGE_WIDTH: f32 = 5.0;

pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    city: &City,
    slot: [i32; 2],
    centre: Vec2,
    random: &mut Random,
) {
    let outline = oriented_rectangle(centre, Vec2::X, SIDE, SIDE);
    claims.claim(&outline);
    model.paint(Material::Concrete);
    model.prism(&outline, KERB, DECK);
    towers::bands(model, &outline, KERB + 0.6, DECK - 0.6);
    // The deck has claims of its own, independent of the ground below.
    let mut upper = ClaimMap::default();
    for (step, out) in
        [[1, 0], [0, 1], [-1, 0], [0, -1]]
            .into_iter()
            .zip([Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y])
    {
        let along = left_of(out);
        let edge = centre + out * (0.5 * SIDE);
        let mut gaps = Vec::new();
        if connect(model, city, slot, step, edge, out) {
            gaps.push(Gap::open(0.5 * SIDE, BRIDGE_WIDTH - 0.4));
            upper.claim(&oriented_rectangle(
                edge - out * 2.0,
                out,
                5.0,
                BRIDGE_WIDTH,
            ));
        }
        if random.chance(0.6) {
            ramp(model, claims, edge, along, out);
            gaps.push(Gap::open(0.5 * SIDE - 13.0, 4.0));
            upper.claim(&oriented_rectangle(
                edge - along * 13.0 - out * 1.5,
                out,
                4.0,
                4.0,
            ));
        }
        model.paint(Material::Glass);
        let (from, to) = (
            edge - along * (0.5 * SIDE) - out * 0.3,
            edge + along * (0.5 * SIDE) - out * 0.3,
        );
        model.wall(from, to, DECK, DECK + 1.1, 0.3, &gaps);
    }
    let inner = oriented_rectangle(centre, Vec2::X, SIDE - 8.0, SIDE - 8.0);
    towers::cluster(model, &mut upper, &inner, DECK, random);
    open_blocks::furnish(
        model,
        &mut upper,
        &oriented_rectangle(centre, Vec2::X, SIDE - 3.0, SIDE - 3.0),
        DECK,
        170,
        random,
    );
}

/// Adds a bridge to the deck across the avenue, or a ramp to the elevated road above the avenue. Returns
/// whether it added either.
fn connect(
    model: &mut Model,
    city: &City,
    slot: [i32; 2],
    step: [i32; 2],
    edge: Vec2,
    out: Vec2,
) -> bool {
    let [column, row] = [slot[0] + step[0], slot[1] + step[1]];
    let has_road = if step[0] != 0 {
        city.has_road(slot[0].max(column), city.columns)
    } else {
        city.has_road(slot[1].max(row), city.rows)
    };
    let gap = PITCH - SIDE;
    let (far, height) = if has_road {
        (
            edge + out * (0.5 * (gap - roads::WIDTH) + 0.3),
            roads::HEIGHT,
        )
    } else if city.kind(column, row) == Some(BlockKind::Deck) {
        // Each deck builds half of the bridge.
        (edge + out * (0.5 * gap), DECK)
    } else {
        return false;
    };
    model.paint(Material::Metal);
    let near = at(edge - out * 0.3, DECK + 0.02);
    let far = at(far, height + 0.02);
    model.slab(near, far, BRIDGE_WIDTH, 0.5);
    let half = left_of(out) * (0.5 * BRIDGE_WIDTH - 0.15);
    model.paint(Material::Glass);
    for half in [half, -half] {
        let rail = at(half, 1.1);
        model.slab(near + rail, far + rail, 0.2, 1.3);
    }
    true
}

/// Adds a ramp along the side of the deck, and a landing between the two.
fn ramp(model: &mut Model, claims: &mut ClaimMap, edge: Vec2, along: Vec2, out: Vec2) {
    let centre = edge + out * 2.2;
    let (foot, top) = (centre - along * 28.0, centre - along * 15.0);
    let landing = oriented_rectangle(centre - along * 13.0, along, 4.4, 4.4);
    claims.claim(&oriented_rectangle(centre - along * 20.0, along, 20.0, 4.4));
    model.paint(Material::Concrete);
    model.slab(at(foot, KERB), at(top, DECK), 4.4, 0.5);
    model.prism(&landing, KERB, DECK);
}
