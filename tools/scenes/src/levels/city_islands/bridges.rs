//! Bridges between islands: a net that leaves none out, with arches over the water.

use glam::Vec2;
use portolan_core::union_find::UnionFind;

use super::{Island, SEA};
use crate::levels::town::outline::{left_of, oblong, sides};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at};
use crate::random::Random;

/// How far a bridge reaches onto the land, in metres: it may meet a shore at an angle.
const LANDING: f32 = 3.0;

/// Joins neighbours in the rows and columns of islands: as many as it takes to reach all, then
/// half of the others.
pub(super) fn build(
    model: &mut Model,
    site: &mut Site,
    islands: &[Island],
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
    let mut joined = UnionFind::new(islands.len());
    for (from, to) in pairs {
        let apart = joined.root(from as u32) != joined.root(to as u32);
        joined.join(from as u32, to as u32);
        if apart || random.chance(0.6) {
            bridge(model, site, &islands[from], &islands[to], random);
        }
    }
}

fn bridge(model: &mut Model, site: &mut Site, from: &Island, to: &Island, random: &mut Random) {
    let along = (to.middle - from.middle).normalize();
    let start = shore(from, along);
    let end = shore(to, -along);
    let span = start.distance(end);
    let width = random.pick(&[5.0, 6.0, 8.0]);
    let arch = random.pick(&[0.02, 0.07, 0.1]) * span;
    let place = |metres: f32| start + along * metres;
    // Level on the land and a little beyond, for shores that it meets at an angle.
    let level = LANDING.min(0.2 * span);
    let height = |metres: f32| {
        let share = ((metres - level) / (span - 2.0 * level)).clamp(0.0, 1.0);
        let chord = from.height + (to.height - from.height) * share;
        chord + 0.04 + 4.0 * arch * share * (1.0 - share)
    };
    let mut stops = vec![-LANDING, level];
    stops.extend((1..8).map(|step| level + (span - 2.0 * level) * step as f32 / 8.0));
    stops.extend([span - level, span + LANDING]);
    let side = left_of(along) * (0.5 * width - 0.2);
    for pair in stops.windows(2) {
        let [near, far] = [pair[0], pair[1]].map(|metres| at(place(metres), height(metres)));
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
        let foot = oblong(place(metres), along, 1.6, width - 0.6);
        model.prism(&foot, SEA - 4.0, height(metres) - 0.5);
    }
    for (metres, ground) in [(-LANDING, from.height), (span + LANDING, to.height)] {
        for side in [side, -side] {
            let post = oblong(place(metres) + side, along, 0.9, 0.9);
            model.prism(&post, ground, ground + 2.2);
            model.taper(&post, ground + 2.2, ground + 3.0, 0.1);
        }
    }
    for (metres, out) in [(-LANDING, -1.0), (span + LANDING, 1.0)] {
        // The landing, and some metres in front of it.
        site.claim(&oblong(place(metres + out * 1.0), along, 8.0, width));
    }
    site.claim(&oblong(place(0.5 * span), along, span, width));
}

/// Where the line from the middle of an island along `along` leaves it.
fn shore(island: &Island, along: Vec2) -> Vec2 {
    let across = left_of(along);
    for (a, b) in sides(&island.outline) {
        let (from, to) = (
            (a - island.middle).dot(across),
            (b - island.middle).dot(across),
        );
        let crossing = a + (b - a) * (from / (from - to));
        if from < 0.0 && to >= 0.0 && (crossing - island.middle).dot(along) > 0.0 {
            return crossing;
        }
    }
    island.middle
}
