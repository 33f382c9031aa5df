//! Decks a storey above the street: ramps up from it, bridges to the next deck, towers on top.

use glam::Vec2;

use super::{City, DECK, KERB, Kind, PITCH, places, roads, towers};
use crate::levels::town::outline::{left_of, oblong};
use crate::levels::town::site::Site;
use crate::model::{Gap, Material, Model, at};
use crate::random::Random;

/// Side of a deck, in metres.
const SIDE: f32 = 62.0;
/// Width of bridges and ramps.
const WAY: f32 = 5.0;

pub(super) fn build(
    model: &mut Model,
    site: &mut Site,
    city: &City,
    slot: [i32; 2],
    centre: Vec2,
    random: &mut Random,
) {
    let outline = oblong(centre, Vec2::X, SIDE, SIDE);
    site.claim(&outline);
    model.paint(Material::Concrete);
    model.prism(&outline, KERB, DECK);
    towers::bands(model, &outline, KERB + 0.6, DECK - 0.6);
    // What stands on the deck is nobody's concern below.
    let mut upper = Site::default();
    for (step, out) in
        [[1, 0], [0, 1], [-1, 0], [0, -1]]
            .into_iter()
            .zip([Vec2::X, Vec2::Y, -Vec2::X, -Vec2::Y])
    {
        let along = left_of(out);
        let edge = centre + out * (0.5 * SIDE);
        let mut gaps = Vec::new();
        if joins(model, city, slot, step, edge, out) {
            gaps.push(Gap::open(0.5 * SIDE, WAY - 0.4));
            upper.claim(&oblong(edge - out * 2.0, out, 5.0, WAY));
        }
        if random.chance(0.6) {
            ramp(model, site, edge, along, out);
            gaps.push(Gap::open(0.5 * SIDE - 13.0, 4.0));
            upper.claim(&oblong(edge - along * 13.0 - out * 1.5, out, 4.0, 4.0));
        }
        model.paint(Material::Glass);
        let (from, to) = (
            edge - along * (0.5 * SIDE) - out * 0.3,
            edge + along * (0.5 * SIDE) - out * 0.3,
        );
        model.wall(from, to, DECK, DECK + 1.1, 0.3, &gaps);
    }
    let inner = oblong(centre, Vec2::X, SIDE - 8.0, SIDE - 8.0);
    towers::cluster(model, &mut upper, &inner, DECK, random);
    places::furnish(
        model,
        &mut upper,
        &oblong(centre, Vec2::X, SIDE - 3.0, SIDE - 3.0),
        DECK,
        170,
        random,
    );
}

/// A bridge to the deck across the avenue, or a ramp up to the road above it. Gives whether there
/// is either.
fn joins(
    model: &mut Model,
    city: &City,
    slot: [i32; 2],
    step: [i32; 2],
    edge: Vec2,
    out: Vec2,
) -> bool {
    let [column, row] = [slot[0] + step[0], slot[1] + step[1]];
    let road = if step[0] != 0 {
        city.has_road(slot[0].max(column), city.columns)
    } else {
        city.has_road(slot[1].max(row), city.rows)
    };
    let gap = PITCH - SIDE;
    let (far, height) = if road {
        (
            edge + out * (0.5 * (gap - roads::WIDTH) + 0.3),
            roads::HEIGHT,
        )
    } else if city.kind(column, row) == Some(Kind::Deck) {
        // Each deck builds half of the bridge.
        (edge + out * (0.5 * gap), DECK)
    } else {
        return false;
    };
    model.paint(Material::Metal);
    let near = at(edge - out * 0.3, DECK + 0.02);
    let far = at(far, height + 0.02);
    model.slab(near, far, WAY, 0.5);
    let half = left_of(out) * (0.5 * WAY - 0.15);
    model.paint(Material::Glass);
    for half in [half, -half] {
        let rail = at(half, 1.1);
        model.slab(near + rail, far + rail, 0.2, 1.3);
    }
    true
}

/// A ramp along the side of the deck, and a landing that leads onto it.
fn ramp(model: &mut Model, site: &mut Site, edge: Vec2, along: Vec2, out: Vec2) {
    let middle = edge + out * 2.2;
    let (foot, top) = (middle - along * 28.0, middle - along * 15.0);
    let landing = oblong(middle - along * 13.0, along, 4.4, 4.4);
    site.claim(&oblong(middle - along * 20.0, along, 20.0, 4.4));
    model.paint(Material::Concrete);
    model.slab(at(foot, KERB), at(top, DECK), 4.4, 0.5);
    model.prism(&landing, KERB, DECK);
}
