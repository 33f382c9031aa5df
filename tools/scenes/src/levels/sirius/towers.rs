//! Towers of several tiers with glass bands. Each tier is narrower than the one below, which leaves a
//! terrace.

use glam::Vec2;

use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house;
use crate::levels::town::outline::{
    bounds, centre_of, contains, inset, left_of, oriented_rectangle, sides,
};
use crate::model::{Material, Model, at, ngon};
use crate::random::Random;

/// Adds towers at random positions in an outline where they fit, then smaller buildings.
pub(super) fn cluster(
    model: &mut Model,
    claims: &mut ClaimMap,
    outline: &[Vec2],
    ground: f32,
    random: &mut Random,
) {
    let [low, high] = bounds(outline);
    for attempt in 0..60 {
        let position = Vec2::new(random.between(low.x, high.x), random.between(low.y, high.y));
        let size = if attempt < 24 {
            random.between(8.5, 13.0)
        } else {
            random.between(4.0, 6.5)
        };
        let foot = match random.below(3) {
            0 => ngon(position, size, 8),
            1 => ngon(position, size, 12),
            _ => oriented_rectangle(
                position,
                random.pick(&[Vec2::X, Vec2::Y]),
                2.0 * size,
                1.4 * size,
            ),
        };
        let fits = foot.iter().all(|&corner| contains(outline, corner, 3.0));
        if fits && claims.try_claim(&foot, 3.5) {
            tower(
                model,
                &foot,
                ground,
                if attempt < 24 { 4 } else { 2 },
                random,
            );
        }
    }
}

/// Adds a tower with up to `tiers` tiers.
fn tower(model: &mut Model, foot: &[Vec2], ground: f32, tiers: u32, random: &mut Random) {
    let skin = random.pick(&[Material::Metal, Material::Concrete, Material::Plaster]);
    let mut outline = foot.to_vec();
    let mut base = ground;
    for tier in 0..tiers {
        let top = base + random.between(5.0, if tier == 0 { 12.0 } else { 24.0 });
        model.paint(skin);
        model.prism(&outline, base, top);
        bands(model, &outline, base + 0.8, top - 0.8);
        model.paint(skin);
        let next = inset(&outline, random.between(2.2, 3.0));
        if next.len() != outline.len() || tier + 1 == tiers {
            house::parapet(model, &outline, top, 0.8);
            crown(model, &outline, top, random);
            return;
        }
        house::parapet(model, &outline, top, 0.5);
        (outline, base) = (next, top);
    }
}

/// Adds a mast, a glass pyramid or nothing to a roof.
fn crown(model: &mut Model, roof: &[Vec2], height: f32, random: &mut Random) {
    let position = centre_of(roof);
    match random.below(3) {
        0 => {
            model.paint(Material::Metal);
            model.column(position, 0.5, 8, height, height + 5.0);
            model.paint(Material::Signal);
            model.cone(position, 0.3, 8, height + 5.0, height + 11.0);
        }
        1 => {
            model.paint(Material::Glass);
            let lantern = inset(roof, 1.2);
            if lantern.len() > 2 {
                model.taper(&lantern, height, height + 6.0, 0.15);
            }
        }
        _ => {}
    }
}

/// Adds bands of glass around a building, one per storey.
pub(super) fn bands(model: &mut Model, outline: &[Vec2], from: f32, to: f32) {
    model.paint(Material::Glass);
    let mut sill = from;
    while sill + 1.4 < to {
        for (a, b) in sides(outline) {
            let out = left_of((b - a).normalize_or(Vec2::X)) * -0.04;
            let (a, b) = (a.lerp(b, 0.04) + out, b.lerp(a, 0.04) + out);
            model.quad(
                at(b, sill),
                at(a, sill),
                at(a, sill + 1.4),
                at(b, sill + 1.4),
            );
        }
        sill += 2.8;
    }
}
