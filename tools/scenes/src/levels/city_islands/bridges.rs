//! Arched bridges that connect all islands.

use glam::Vec2;
use portolan_core::union_find::UnionFind;

use super::{CityIsland, SEA};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{left_of, oriented_rectangle, sides};
use crate::model::{Material, Model, at};
use crate::random::Random;

/// Length of the end of a bridge that is on land, in metres. A bridge may meet the shore at an angle.
const LANDING: f32 = 3.0;

/// Connects neighbouring islands in rows and columns: a spanning tree of bridges, and each of the other
/// possible bridges with a probability of 0.6.
pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    islands: &[CityIsland],
    columns: usize,
    random: &mut Random,
) {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for island in 0..islands.len() {
        if (island + 1) % columns != 0 && island + 1 < islands.len() {
            pairs.push((island, island + 1));
        }
        if island + columns < islands.len() {
            pairs.push((island, island + columns));
        }
    }
    random.shuffle(&mut pairs);
    let mut connected = UnionFind::new(islands.len());
    for (from, to) in pairs {
        let is_separate = connected.root(from as u32) != connected.root(to as u32);
        connected.join(from as u32, to as u32);
        if is_separate || random.chance(0.6) {
            bridge(model, claims, &islands[from], &islands[to], random);
        }
    }
}

fn bridge(
    model: &mut Model,
    claims: &mut ClaimMap,
    from: &CityIsland,
    to: &CityIsland,
    random: &mut Random,
) {
    let along = (to.centre - from.centre).normalize();
    let start = shore(from, along);
    let end = shore(to, -along);
    let span = start.distance(end);
    let width = random.pick(&[5.0, 6.0, 8.0]);
    let arch = random.pick(&[0.02, 0.07, 0.1]) * span;
    let position = |metres: f32| start + along * metres;
    // The bridge is level on the land and a little beyond, because it may meet the shore at an angle.
    let level = LANDING.min(0.2 * span);
    let height = |metres: f32| {
        let fraction = ((metres - level) / (span - 2.0 * level)).clamp(0.0, 1.0);
        let chord = from.height + (to.height - from.height) * fraction;
        chord + 0.04 + 4.0 * arch * fraction * (1.0 - fraction)
    };
    let mut stops = vec![-LANDING, level];
    stops.extend((1..8).map(|step| level + (span - 2.0 * level) * step as f32 / 8.0));
    stops.extend([span - level, span + LANDING]);
    let side = left_of(along) * (0.5 * width - 0.2);
    for pair in stops.windows(2) {
        let [near, far] = [pair[0], pair[1]].map(|metres| at(position(metres), height(metres)));
        model.paint(Material::Road);
        model.slab(near, far, width, 0.6);
        model.paint(Material::Stone);
        for side in [side, -side] {
            let rail = at(side, 1.1);
            model.slab(near + rail, far + rail, 0.4, 1.9);
        }
    }
    let piers = (span / 9.0).ceil().max(2.0) as u32;
    for pier in 1..piers {
        let metres = span * pier as f32 / piers as f32;
        let foot = oriented_rectangle(position(metres), along, 1.6, width - 0.6);
        model.prism(&foot, SEA - 4.0, height(metres) - 0.5);
    }
    for (metres, ground) in [(-LANDING, from.height), (span + LANDING, to.height)] {
        for side in [side, -side] {
            let post = oriented_rectangle(position(metres) + side, along, 0.9, 0.9);
            model.prism(&post, ground, ground + 2.2);
            model.taper(&post, ground + 2.2, ground + 3.0, 0.1);
        }
    }
    for (metres, out) in [(-LANDING, -1.0), (span + LANDING, 1.0)] {
        // The landing and some metres in front of it stay free.
        claims.claim(&oriented_rectangle(
            position(metres + out * 1.0),
            along,
            8.0,
            width,
        ));
    }
    claims.claim(&oriented_rectangle(
        position(0.5 * span),
        along,
        span,
        width,
    ));
}

/// Returns the point where a ray from the centre of an island in direction `along` leaves the island.
fn shore(island: &CityIsland, along: Vec2) -> Vec2 {
    let across = left_of(along);
    for (a, b) in sides(&island.outline) {
        let (from, to) = (
            (a - island.centre).dot(across),
            (b - island.centre).dot(across),
        );
        let crossing = a + (b - a) * (from / (from - to));
        if from < 0.0 && to >= 0.0 && (crossing - island.centre).dot(along) > 0.0 {
            return crossing;
        }
    }
    island.centre
}
