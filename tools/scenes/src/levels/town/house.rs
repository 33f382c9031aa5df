//! Houses over convex outlines. They are solid; some have a flat roof to stand on.

use glam::Vec2;

use super::outline::{centre_of, inset, left_of, offset_sides, scaled, sides};
use crate::model::{Material, Model, at};
use crate::random::Random;

/// Height of a storey, in metres.
pub(crate) const STOREY: f32 = 3.0;

/// Adds one row of windows per storey at every side that is long enough.
pub(crate) fn windows(model: &mut Model, outline: &[Vec2], ground: f32, top: f32) {
    const SPACING: f32 = 2.6;
    model.paint(Material::Glass);
    for (a, b) in sides(outline) {
        let length = a.distance(b);
        let along = (b - a) / length;
        let offset = left_of(along) * -0.04;
        let count = ((length - 1.0) / SPACING).floor();
        let mut sill = ground + 1.1;
        while sill + 1.6 < top {
            for pane in 0..count as u32 {
                let centre = a + along * (length * (pane as f32 + 0.5) / count) + offset;
                let (left, right) = (centre - along * 0.5, centre + along * 0.5);
                model.quad(
                    at(right, sill),
                    at(left, sill),
                    at(left, sill + 1.3),
                    at(right, sill + 1.3),
                );
            }
            sill += STOREY;
        }
    }
}

/// Adds a parapet along the edge of a roof, too thin to walk on.
pub(crate) fn parapet(model: &mut Model, outline: &[Vec2], roof: f32, height: f32) {
    let inner = offset_sides(outline, 0.3);
    for ((a, b), (c, d)) in sides(outline).zip(sides(&inner)) {
        model.prism(&[a, b, d, c], roof, roof + height);
    }
}

/// Adds the parapet of a flat roof and often a small structure on the roof.
pub(crate) fn flat_roof(model: &mut Model, outline: &[Vec2], roof: f32, random: &mut Random) {
    parapet(model, outline, roof, 0.7);
    let inner = inset(outline, 2.6);
    if inner.is_empty() || random.chance(0.3) {
        return;
    }
    let along = (outline[1] - outline[0]).normalize_or(Vec2::X);
    let position = centre_of(outline).lerp(inner[random.below(inner.len() as u32) as usize], 0.7);
    model.paint(Material::Metal);
    let size = random.between(1.0, 2.4);
    let hut = super::outline::oriented_rectangle(position, along, size, random.between(1.0, 2.0));
    model.prism(&hut, roof, roof + random.between(1.1, 2.2));
}

/// Adds a gabled roof over an outline of four corners, with its ridge along the longer direction. It is too
/// steep to walk on.
pub(crate) fn gable_roof(model: &mut Model, outline: &[Vec2], eaves: f32) {
    let wide = scaled(outline, 1.06);
    let [mut a, mut b, mut c, mut d] = [wide[0], wide[1], wide[2], wide[3]];
    if (a - b).length() + (c - d).length() < (b - c).length() + (d - a).length() {
        [a, b, c, d] = [b, c, d, a];
    }
    // The ridge connects the midpoints of d-a and b-c, so half of the width is at most half of the longer
    // of these sides.
    let half = 0.5 * (d - a).length().max((b - c).length());
    let ridge = eaves + 1.15 * half;
    let (west, east) = (at(0.5 * (d + a), ridge), at(0.5 * (b + c), ridge));
    let [a, b, c, d] = [a, b, c, d].map(|corner| at(corner, eaves));
    model.quad(b, a, west, east);
    model.quad(d, c, east, west);
    model.triangle(a, d, west);
    model.triangle(c, b, east);
    model.quad(a, b, c, d);
}

/// Adds a hipped roof over any outline. Its sides are too steep to walk on and its top is small.
pub(crate) fn hip_roof(model: &mut Model, outline: &[Vec2], eaves: f32) {
    let wide = scaled(outline, 1.06);
    let centre = centre_of(&wide);
    // The farthest corner bounds the slope of the flattest face from below.
    let reach = wide
        .iter()
        .map(|corner| corner.distance(centre))
        .fold(0.0, f32::max);
    model.taper(&wide, eaves, eaves + 1.05 * reach, 0.04);
}

/// The material of the walls of a house and the frequency of flat roofs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) walls: Material,
    /// Probability of a flat roof. Other roofs are steep.
    pub(crate) flat: f32,
}

/// Adds a house with windows, a door and a roof. `ground` is the lowest and the highest ground below it.
/// Returns the height of its eaves.
pub(crate) fn house(
    model: &mut Model,
    outline: &[Vec2],
    ground: [f32; 2],
    storeys: u32,
    style: Style,
    random: &mut Random,
) -> f32 {
    let high = ground[1];
    let eaves = high + storeys as f32 * STOREY + random.between(0.3, 0.9);
    model.paint(style.walls);
    model.prism(outline, ground[0], eaves);
    windows(model, outline, high, eaves);
    door(model, outline, high);
    if random.chance(style.flat) {
        model.paint(style.walls);
        flat_roof(model, outline, eaves, random);
    } else if outline.len() == 4 {
        model.paint(Material::Roof);
        gable_roof(model, outline, eaves);
    } else {
        model.paint(Material::Roof);
        hip_roof(model, outline, eaves);
    }
    eaves
}

/// Adds the picture of a door to the first side. Agents cannot pass it.
fn door(model: &mut Model, outline: &[Vec2], ground: f32) {
    let (a, b) = (outline[0], outline[1]);
    let along = (b - a).normalize_or(Vec2::X);
    let centre = 0.5 * (a + b) + left_of(along) * -0.06;
    let (left, right) = (centre - along * 0.6, centre + along * 0.6);
    model.paint(Material::Wood);
    model.quad(
        at(right, ground),
        at(left, ground),
        at(left, ground + 2.2),
        at(right, ground + 2.2),
    );
}
