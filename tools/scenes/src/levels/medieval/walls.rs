//! The town wall with a walk on top, battlements, towers, gates, and stairs from the lane.

use glam::Vec2;

use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{left_of, offset_sides, oriented_rectangle, sides};
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

/// Thickness of the wall, in metres.
const THICK: f32 = 4.2;
/// Height of the wall, in metres.
const TOP: f32 = 7.0;
/// Height of the opening of a gate, in metres.
const ARCH: f32 = 4.6;
/// Width of a gate, in metres.
const GATE: f32 = 6.0;

/// Builds the wall and returns its gates: the position on the outer face and the direction outwards.
pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    town: &[Vec2],
    random: &mut Random,
) -> Vec<(Vec2, Vec2)> {
    let inner = offset_sides(town, THICK);
    let count = town.len();
    let mut gates = Vec::new();
    for (side, ((a, b), (c, d))) in sides(town).zip(sides(&inner)).enumerate() {
        let along = (b - a).normalize();
        let midpoint = 0.5 * (a + b);
        let (inside, half) = (left_of(along) * THICK, along * (0.5 * GATE));
        // Four gates, or one per 150 m in a larger town.
        let interval = (count / 4).clamp(1, (150.0 / a.distance(b)).ceil() as usize);
        let has_gate = side % interval == 0 && a.distance(b) > 24.0;
        model.paint(Material::Stone);
        if has_gate {
            let (left, right) = (midpoint - half, midpoint + half);
            wall_section(model, claims, &[a, left, left + inside, c]);
            wall_section(model, claims, &[right, b, d, right + inside]);
            model.prism(&[left, right, right + inside, left + inside], ARCH, TOP);
            gates.push((midpoint, -left_of(along)));
            claims.claim(&oriented_rectangle(
                midpoint + left_of(along) * 8.0,
                along,
                GATE,
                12.0,
            ));
            for position in [left - along * 2.6, right + along * 2.6] {
                tower(
                    model,
                    claims,
                    position - left_of(along) * 1.5,
                    3.0,
                    TOP + 5.0,
                );
            }
        } else {
            wall_section(model, claims, &[a, b, d, c]);
        }
        battlements(model, a, b);
        let tries = if has_gate { [0.22, 0.8] } else { [0.3, 0.75] };
        for fraction in tries {
            if a.distance(b) > 40.0 && random.chance(0.6) || fraction == 0.3 {
                stairs(model, claims, c.lerp(d, fraction), along);
            }
        }
        tower(model, claims, a, 3.4, TOP + 3.0);
    }
    gates
}

fn wall_section(model: &mut Model, claims: &mut ClaimMap, outline: &[Vec2]) {
    model.prism(outline, 0.0, TOP);
    claims.claim(outline);
}

/// Adds a parapet with merlons along the outer edge.
fn battlements(model: &mut Model, a: Vec2, b: Vec2) {
    let along = (b - a).normalize();
    let inwards = left_of(along) * 0.3;
    model.wall(a + inwards, b + inwards, TOP, TOP + 1.0, 0.6, &[]);
    for merlon in 0..(a.distance(b) / 2.4) as u32 {
        let position = a + inwards + along * (2.4 * merlon as f32 + 0.6);
        model.wall(
            position,
            position + along * 1.2,
            TOP + 1.0,
            TOP + 1.9,
            0.6,
            &[],
        );
    }
}

/// Adds a round tower. The walk on the wall continues behind it.
fn tower(model: &mut Model, claims: &mut ClaimMap, position: Vec2, radius: f32, top: f32) {
    let outline = ngon(position, radius, 12);
    claims.claim(&outline);
    model.paint(Material::Stone);
    model.prism(&outline, 0.0, TOP - 0.5);
    // Above the wall, the tower is narrower to leave room for the walk.
    let upper = ngon(position, 0.6 * radius, 12);
    model.prism(&upper, TOP - 0.5, top);
    model.paint(Material::Roof);
    model.cone(position, 0.75 * radius, 12, top, top + 5.0);
    model.paint(Material::Stone);
}

/// Adds a flight of stairs along the inner face, with a landing at the height of the walk.
fn stairs(model: &mut Model, claims: &mut ClaimMap, foot: Vec2, along: Vec2) {
    const WIDTH: f32 = 2.6;
    const RUN: f32 = 10.0;
    let beside = foot + left_of(along) * (0.5 * WIDTH);
    let top = beside + along * RUN;
    let landing = oriented_rectangle(top + along * 1.4, along, 2.8, WIDTH);
    let footprint = oriented_rectangle(beside + along * (0.5 * RUN + 1.4), along, RUN + 2.8, WIDTH);
    let room = oriented_rectangle(
        beside + along * 6.0 + left_of(along) * 0.6,
        along,
        RUN + 4.0,
        WIDTH - 1.0,
    );
    if !claims.is_free(&room, 0.0) {
        return;
    }
    claims.claim(&footprint);
    // The foot of the stairs stays free.
    claims.claim(&[beside - along * 1.5]);
    model.paint(Material::Stone);
    model.stairs(at(beside, 0.0), at(top, TOP), WIDTH, 0.25);
    model.prism(&landing, 0.0, TOP);
}
