//! The castle hill: up to three terraces with stairs between them, and a keep on top.

use glam::Vec2;

use crate::levels::town::claims::ClaimMap;
use crate::levels::town::house;
use crate::levels::town::outline::{
    area, centre_of, distance, inset, left_of, longest_side, oriented_rectangle, sides,
};
use crate::levels::town::props::{Prop, scatter};
use crate::model::{Gap, Material, Model, at, ngon};
use crate::random::Random;

/// Height of each terrace above the one below it, in metres.
const RISE: f32 = 3.4;
/// Width of the stairs between terraces.
const STAIRS: f32 = 5.0;

pub(super) fn build(
    model: &mut Model,
    claims: &mut ClaimMap,
    quarter: &[Vec2],
    random: &mut Random,
) {
    claims.claim(quarter);
    let mut terraces = vec![inset(quarter, 6.5)];
    for _ in 0..2 {
        let next = inset(&terraces[terraces.len() - 1], 10.5);
        if area(&next) < 250.0 {
            break;
        }
        terraces.push(next);
    }
    for (level, terrace) in terraces.iter().enumerate() {
        let ground = level as f32 * RISE;
        model.paint(Material::Stone);
        model.prism(terrace, ground, ground + RISE);
        rim(model, terrace, ground, random);
    }
    for (level, terrace) in terraces.iter().enumerate() {
        let Some(next) = terraces.get(level + 1) else {
            keep(model, terrace, (level + 1) as f32 * RISE);
            continue;
        };
        let ground = (level + 1) as f32 * RISE;
        model.paint(Material::Grass);
        lawn(model, terrace, next, ground);
        let props = [
            Prop::Tree,
            Prop::Crates,
            Prop::Barrel,
            Prop::Statue,
            Prop::Bench,
        ];
        // The terrace has claims of its own, independent of the ground below.
        let mut ledge = ClaimMap::default();
        ledge.claim(next);
        for (a, b) in sides(next) {
            // The stairs and the ground in front of them stay free.
            let out = -left_of((b - a).normalize());
            ledge.claim(&oriented_rectangle(
                0.5 * (a + b) + out * 4.0,
                out,
                8.0,
                STAIRS,
            ));
        }
        let within = inset(terrace, 1.2);
        scatter(model, &mut ledge, &within, |_| ground, 120, &props, random);
    }
}

/// Adds strips of grass along the outer edge, low enough to step on.
fn lawn(model: &mut Model, terrace: &[Vec2], next: &[Vec2], ground: f32) {
    let strip = inset(terrace, 1.2);
    for (a, b) in sides(&strip) {
        let along = (b - a).normalize();
        let bed = oriented_rectangle(
            0.5 * (a + b) + left_of(along) * 1.2,
            along,
            0.5 * a.distance(b),
            2.2,
        );
        if bed.iter().all(|&corner| distance(next, corner) > 3.0) {
            model.prism(&bed, ground - 0.1, ground + 0.12);
        }
    }
}

/// Adds a low wall around a terrace, and stairs down through gaps in it.
fn rim(model: &mut Model, terrace: &[Vec2], ground: f32, random: &mut Random) {
    let (longest, _) = longest_side(terrace);
    for (a, b) in sides(terrace) {
        let along = (b - a).normalize();
        let (inwards, length) = (left_of(along) * 0.35, a.distance(b));
        let foot = 0.5 * (a + b) - left_of(along) * (1.5 * RISE);
        let has_stairs = a == longest || (length > 14.0 && random.chance(0.6));
        model.paint(Material::Stone);
        if !has_stairs {
            model.wall(
                a + inwards,
                b + inwards,
                ground + RISE,
                ground + RISE + 1.1,
                0.5,
                &[],
            );
            continue;
        }
        let gap = Gap::open(0.5 * length, STAIRS - 0.6);
        model.wall(
            a + inwards,
            b + inwards,
            ground + RISE,
            ground + RISE + 1.1,
            0.5,
            &[gap],
        );
        model.stairs(
            at(foot, ground),
            at(0.5 * (a + b), ground + RISE),
            STAIRS,
            0.25,
        );
    }
}

/// Adds a keep with turrets on the highest terrace.
fn keep(model: &mut Model, terrace: &[Vec2], ground: f32) {
    let (a, b) = longest_side(terrace);
    let along = (b - a).normalize();
    let size = (0.45 * area(terrace).sqrt()).clamp(7.0, 18.0);
    let position = centre_of(terrace);
    let outline = oriented_rectangle(position, along, size, size);
    let top = ground + 14.0;
    model.paint(Material::Stone);
    model.prism(&outline, ground, top);
    house::windows(model, &outline, ground + 2.0, top);
    model.paint(Material::Stone);
    house::parapet(model, &outline, top, 1.2);
    for &corner in &outline {
        let turret = ngon(corner, 1.8, 12);
        model.paint(Material::Stone);
        model.prism(&turret, ground, top + 3.0);
        model.paint(Material::Roof);
        model.cone(corner, 2.3, 12, top + 3.0, top + 8.0);
    }
}
