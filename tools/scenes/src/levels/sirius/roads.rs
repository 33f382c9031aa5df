//! Elevated roads above some of the avenues, from one end of the city to the other.

use glam::{Vec2, vec2};

use super::{City, MARGIN, PITCH};
use crate::levels::town::claims::ClaimMap;
use crate::levels::town::outline::{left_of, oriented_rectangle};
use crate::model::{Gap, Material, Model, at, ngon};

/// Height of the road, in metres: a little more than twice that of decks.
pub(super) const HEIGHT: f32 = 11.0;
pub(super) const WIDTH: f32 = 9.0;
/// Length of the ramp at each end.
const RAMP: f32 = 32.0;

pub(super) fn build(model: &mut Model, claims: &mut ClaimMap, city: &City) {
    for column in 1..city.columns {
        if city.has_road(column, city.columns) {
            let x = (column as f32 - 0.5) * PITCH;
            road(
                model,
                claims,
                city,
                vec2(x, -0.5 * PITCH),
                Vec2::Y,
                city.rows,
                column,
            );
        }
    }
    for row in 1..city.rows {
        if city.has_road(row, city.rows) {
            let z = (row as f32 - 0.5) * PITCH;
            road(
                model,
                claims,
                city,
                vec2(-0.5 * PITCH, z),
                Vec2::X,
                city.columns,
                row,
            );
        }
    }
}

/// Adds one road, in one piece per block.
fn road(
    model: &mut Model,
    claims: &mut ClaimMap,
    city: &City,
    start: Vec2,
    along: Vec2,
    blocks: i32,
    line: i32,
) {
    let lines = if along == Vec2::Y {
        city.columns
    } else {
        city.rows
    };
    debug_assert!(city.has_road(line, lines), "there is a road at this line");
    let position = |metres: f32| start + along * metres;
    let length = blocks as f32 * PITCH;
    let half = left_of(along) * (0.5 * WIDTH - 0.2);
    for (foot, top) in [(-RAMP, 0.0), (length + RAMP, length)] {
        model.paint(Material::Metal);
        let [foot, top] = [at(position(foot), 0.0), at(position(top), HEIGHT)];
        model.slab(foot, top, WIDTH, 0.6);
        for half in [half, -half] {
            let rail = at(half, 1.1);
            model.slab(foot + rail, top + rail, 0.3, 1.5);
        }
        // The ground below the ramp stays free of props.
        let centre = vec2(0.5 * (foot.x + top.x), 0.5 * (foot.z + top.z));
        claims.claim(&oriented_rectangle(
            centre,
            along,
            RAMP + 0.3 * MARGIN,
            WIDTH,
        ));
    }
    for block in 0..blocks {
        let from = block as f32 * PITCH;
        model.paint(Material::Metal);
        model.slab(
            at(position(from), HEIGHT),
            at(position(from + PITCH), HEIGHT),
            WIDTH,
            0.6,
        );
        for (side, half) in [(1.0, half), (-1.0, -half)] {
            let mut gaps = Vec::new();
            if leads_to_deck(city, start, along, block, side) {
                gaps.push(Gap::open(0.5 * PITCH - 0.5 * WIDTH, 4.6));
            }
            // Crossings stay open, also at the ends, where another road may cross.
            model.wall(
                position(from + 0.5 * WIDTH) + half,
                position(from + PITCH - 0.5 * WIDTH) + half,
                HEIGHT,
                HEIGHT + 1.1,
                0.3,
                &gaps,
            );
        }
        for fraction in [0.125, 0.375, 0.625, 0.875] {
            let foot = position(from + fraction * PITCH);
            claims.claim(&ngon(foot, 0.9, 8));
            model.paint(Material::Concrete);
            model.column(foot, 0.8, 8, 0.0, HEIGHT - 0.5);
        }
    }
}

/// Returns whether the block on that side of the road has a deck, to which a ramp leads.
fn leads_to_deck(city: &City, start: Vec2, along: Vec2, block: i32, side: f32) -> bool {
    let beside =
        start + along * ((block as f32 + 0.5) * PITCH) + left_of(along) * (side * 0.5 * PITCH);
    let slot = (beside / PITCH).round();
    city.kind(slot.x as i32, slot.y as i32) == Some(super::BlockKind::Deck)
}
