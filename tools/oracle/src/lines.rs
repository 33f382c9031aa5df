//! A slow reference for lines over terrain: Dijkstra's algorithm over many points per edge, with prices that are computed
//! here from the documentation.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{DVec3, Vec3};
use portolan_terrain::{Distances, NO_TRIANGLE, Price, TriangleWeb};

/// Returns the price of a straight leg in a triangle that was entered from the triangle `before`.
pub fn leg_price(web: &TriangleWeb, price: &Price, before: u32, triangle: u32, leg: DVec3) -> f64 {
    let run = leg.truncate().length();
    let rise = leg.z;
    let limit = f64::from(if rise > 0.0 {
        price.max_up
    } else {
        price.max_down
    });
    if limit < 1e6 && rise.abs() > limit * run {
        return f64::INFINITY;
    }
    if run == 0.0 && rise == 0.0 {
        return 0.0;
    }
    let difficulty = |triangle: u32| f64::from(web.difficulty()[triangle as usize]);
    let easy = 1.0 + f64::from(price.difficulty) * difficulty(triangle);
    // Beyond the limits of the models, costs are proportional to the rise.
    let within = |limit: f64, per_run: &dyn Fn(f64) -> f64| match rise.abs() <= limit * run {
        true => run * per_run(rise / run),
        false => rise.abs() * per_run(limit * rise.signum()) / limit,
    };
    match price.distances {
        Distances::Tobler => {
            let speed = |slope: f64| 6.0 * (-3.5 * (slope + 0.05).abs()).exp();
            return within(2.0, &|slope| 3.6 / speed(slope)) * easy;
        }
        Distances::Naismith => {
            let per_run = |slope: f64| match slope.atan().to_degrees() {
                degrees if degrees > 0.0 => 0.72 + 6.0 * slope,
                degrees if degrees > -5.0 => 0.72,
                degrees if degrees >= -12.0 => 0.72 + 2.0 * slope,
                _ => 0.72 - 2.0 * slope,
            };
            return within(2.0, &per_run) * easy;
        }
        Distances::Minetti => {
            let powers = [2.5, 19.6, 51.9, -76.8, -58.7, 280.5];
            let per_metre = |slope: f64| {
                let terms = (0..).zip(powers);
                terms.map(|(n, factor)| factor * slope.powi(n)).sum::<f64>()
            };
            let per_run = |slope: f64| per_metre(slope) * (1.0 + slope * slope).sqrt();
            return within(0.45, &per_run) * easy;
        }
        _ => {}
    }
    let normal = |triangle: u32| {
        let [a, b, c] = web.corners(triangle).map(Vec3::as_dvec3);
        let normal = (b - a).cross(c - a).normalize();
        if normal.z < 0.0 { -normal } else { normal }
    };
    let before = if before == NO_TRIANGLE {
        triangle
    } else {
        before
    };
    let [from, to] = [before, triangle].map(normal);
    let centre = |triangle: u32| web.centroid(triangle).as_dvec3();
    let bends_down = from.dot(centre(triangle) - centre(before)) < 0.0;
    let bend = if bends_down {
        price.concave
    } else {
        price.convex
    };
    let angle = from.dot(to).clamp(-1.0, 1.0).acos() / std::f64::consts::PI;
    let multiplier = easy
        + f64::from(price.steepness) * (1.0 - to.z)
        + f64::from(price.difficulty_change) * (difficulty(triangle) - difficulty(before)).abs()
        + f64::from(price.angle * bend) * angle
        + f64::from(price.steepness_change) * (to.z - from.z).abs();
    let sideways = f64::from(price.sideways);
    let height = f64::from(if rise > 0.0 { price.up } else { price.down });
    let scale = DVec3::new(sideways, sideways * f64::from(price.y_factor), height);
    (leg * scale).length() * multiplier
}

/// Returns the price of the cheapest line between two points, each in a triangle, that turns only at `points` evenly spaced
/// points per edge. It is infinite if there is none.
pub fn dense_line(web: &TriangleWeb, price: &Price, ends: [(u32, Vec3); 2], points: usize) -> f64 {
    let [(start, from), (goal, to)] = ends.map(|(triangle, point)| (triangle, point.as_dvec3()));
    let position = |triangle: u32, edge: usize, index: usize| {
        let corners = web.corners(triangle).map(Vec3::as_dvec3);
        corners[edge].lerp(corners[(edge + 1) % 3], index as f64 / (points - 1) as f64)
    };
    let number =
        |triangle: u32, edge: usize, index: usize| (triangle as usize * 3 + edge) * points + index;
    let mut costs = vec![f64::INFINITY; web.len() * 3 * points];
    let mut queue = BinaryHeap::new();
    let mut best = f64::INFINITY;
    // A triangle, where it was entered (nowhere at the start), and the cost there.
    let mut next = Some((start, None, 0.0));
    while let Some((triangle, entry, cost)) = next {
        let (before, at) = match entry {
            None => (NO_TRIANGLE, from),
            Some((edge, index)) => (
                web.neighbours()[triangle as usize][edge],
                position(triangle, edge, index),
            ),
        };
        let leg = |to: DVec3| leg_price(web, price, before, triangle, to - at);
        if triangle == goal {
            best = best.min(cost + leg(to));
        }
        for edge in 0..3 {
            let beyond = web.neighbours()[triangle as usize][edge];
            if beyond == NO_TRIANGLE || entry.is_some_and(|(entry, _)| entry == edge) {
                continue;
            }
            let corners = |triangle: u32, edge: usize| {
                let corners = web.triangles()[triangle as usize];
                [corners[edge], corners[(edge + 1) % 3]]
            };
            let [a, b] = corners(triangle, edge);
            let back = (0..3).find(|&back| [[a, b], [b, a]].contains(&corners(beyond, back)));
            let back = back.expect("a common edge");
            for index in 0..points {
                let total = cost + leg(position(triangle, edge, index));
                let same = corners(beyond, back) == [a, b];
                let state = number(beyond, back, if same { index } else { points - 1 - index });
                if total < costs[state] {
                    costs[state] = total;
                    queue.push(Reverse((total.to_bits(), state)));
                }
            }
        }
        next = loop {
            let Some(Reverse((bits, state))) = queue.pop() else {
                break None;
            };
            let cost = f64::from_bits(bits);
            if cost >= best {
                break None;
            }
            if cost == costs[state] {
                let entry = (state / points % 3, state % points);
                break Some(((state / points / 3) as u32, Some(entry), cost));
            }
        };
    }
    best
}
