//! The town wall: a walk on top behind battlements, towers, gates, and stairs up from the lane.

use glam::Vec2;

use crate::levels::town::outline::{left_of, mitred, oblong, sides};
use crate::levels::town::site::Site;
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

/// How thick and how high the wall is, in metres.
const THICK: f32 = 4.2;
const TOP: f32 = 7.0;
/// Where the arch of a gate begins.
const ARCH: f32 = 4.6;
const GATE: f32 = 6.0;

/// Builds the wall and gives each gate: its place on the outer face, and the way out.
pub(super) fn build(
    model: &mut Model,
    site: &mut Site,
    town: &[Vec2],
    random: &mut Random,
) -> Vec<(Vec2, Vec2)> {
    let inner = mitred(town, THICK);
    let count = town.len();
    let mut gates = Vec::new();
    for (side, ((a, b), (c, d))) in sides(town).zip(sides(&inner)).enumerate() {
        let along = (b - a).normalize();
        let middle = 0.5 * (a + b);
        let (inside, half) = (left_of(along) * THICK, along * (0.5 * GATE));
        // Four gates, or one for every 150 m of a larger town.
        let every = (count / 4).clamp(1, (150.0 / a.distance(b)).ceil() as usize);
        let has_gate = side % every == 0 && a.distance(b) > 24.0;
        model.paint(Material::Stone);
        if has_gate {
            let (left, right) = (middle - half, middle + half);
            stretch(model, site, &[a, left, left + inside, c]);
            stretch(model, site, &[right, b, d, right + inside]);
            model.prism(&[left, right, right + inside, left + inside], ARCH, TOP);
            gates.push((middle, -left_of(along)));
            site.claim(&oblong(middle + left_of(along) * 8.0, along, GATE, 12.0));
            for place in [left - along * 2.6, right + along * 2.6] {
                tower(model, site, place - left_of(along) * 1.5, 3.0, TOP + 5.0);
            }
        } else {
            stretch(model, site, &[a, b, d, c]);
        }
        battlements(model, a, b);
        let tries = if has_gate { [0.22, 0.8] } else { [0.3, 0.75] };
        for share in tries {
            if a.distance(b) > 40.0 && random.chance(0.6) || share == 0.3 {
                stairs(model, site, c.lerp(d, share), along);
            }
        }
        tower(model, site, a, 3.4, TOP + 3.0);
    }
    gates
}

fn stretch(model: &mut Model, site: &mut Site, outline: &[Vec2]) {
    model.prism(outline, 0.0, TOP);
    site.claim(outline);
}

/// A breastwork on the outer edge, with merlons on it.
fn battlements(model: &mut Model, a: Vec2, b: Vec2) {
    let along = (b - a).normalize();
    let inwards = left_of(along) * 0.3;
    model.wall(a + inwards, b + inwards, TOP, TOP + 1.0, 0.6, &[]);
    for merlon in 0..(a.distance(b) / 2.4) as u32 {
        let place = a + inwards + along * (2.4 * merlon as f32 + 0.6);
        model.wall(place, place + along * 1.2, TOP + 1.0, TOP + 1.9, 0.6, &[]);
    }
}

/// A round tower outside of the wall walk, so that the walk goes on behind it.
fn tower(model: &mut Model, site: &mut Site, place: Vec2, radius: f32, top: f32) {
    let outline = ngon(place, radius, 12);
    site.claim(&outline);
    model.paint(Material::Stone);
    model.prism(&outline, 0.0, TOP - 0.5);
    // Above the wall only the outer part is left, for the sake of the walk.
    let upper = ngon(place, 0.6 * radius, 12);
    model.prism(&upper, TOP - 0.5, top);
    model.paint(Material::Roof);
    model.cone(place, 0.75 * radius, 12, top, top + 5.0);
    model.paint(Material::Stone);
}

/// A flight along the inner face, and a landing level with the walk.
fn stairs(model: &mut Model, site: &mut Site, foot: Vec2, along: Vec2) {
    const WIDTH: f32 = 2.6;
    const RUN: f32 = 10.0;
    let beside = foot + left_of(along) * (0.5 * WIDTH);
    let top = beside + along * RUN;
    let landing = oblong(top + along * 1.4, along, 2.8, WIDTH);
    let whole = oblong(beside + along * (0.5 * RUN + 1.4), along, RUN + 2.8, WIDTH);
    let room = oblong(
        beside + along * 6.0 + left_of(along) * 0.6,
        along,
        RUN + 4.0,
        WIDTH - 1.0,
    );
    if !site.is_free(&room, 0.0) {
        return;
    }
    site.claim(&whole);
    // Nobody leaves a barrel at the foot.
    site.claim(&[beside - along * 1.5]);
    model.paint(Material::Stone);
    model.stairs(at(beside, 0.0), at(top, TOP), WIDTH, 0.25);
    model.prism(&landing, 0.0, TOP);
}
