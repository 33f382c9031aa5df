//! Levels for the tests of surfaces, and the height of their ground.
#![allow(dead_code)]

use std::path::PathBuf;

use glam::{Vec3, vec3};
use portolan::{NavMesh, PolygonId, Triangles};

/// Ground over a square of `side` metres with a point every `spacing` metres.
pub(crate) struct Terrain {
    pub(crate) side: u32,
    pub(crate) spacing: f32,
    height: fn(f32, f32) -> f32,
}

/// A smooth wave with a period of 2, between -1 and 1, from products alone.
fn wave(t: f32) -> f32 {
    let part = t - t.floor();
    let hump = 4.0 * part * (1.0 - part);
    if (t.floor() as i64).rem_euclid(2) == 0 {
        hump
    } else {
        -hump
    }
}

pub(crate) fn hills(x: f32, z: f32) -> f32 {
    2.0 * wave(x / 13.0) * wave(z / 11.0) + 0.8 * wave((x + z) / 7.0) + 0.05 * x
}

pub(crate) fn flat(_: f32, _: f32) -> f32 {
    0.0
}

impl Terrain {
    pub(crate) fn new(side: u32, height: fn(f32, f32) -> f32) -> Self {
        Self {
            side,
            spacing: 1.0,
            height,
        }
    }

    pub(crate) fn triangles(&self) -> Triangles {
        let points = self.side + 1;
        let mut triangles = Triangles::default();
        for z in 0..points {
            for x in 0..points {
                let (x, z) = (x as f32 * self.spacing, z as f32 * self.spacing);
                triangles.vertices.push(vec3(x, (self.height)(x, z), z));
            }
        }
        for z in 0..self.side {
            for x in 0..self.side {
                let a = z * points + x;
                let (b, c, d) = (a + 1, a + points, a + points + 1);
                triangles.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
        triangles
    }

    /// The height of the triangles, not of the function that they are made of.
    pub(crate) fn ground(&self, x: f32, z: f32) -> f32 {
        let last = (self.side - 1) as f32;
        let (u, v) = (x / self.spacing, z / self.spacing);
        let (i, j) = (u.floor().clamp(0.0, last), v.floor().clamp(0.0, last));
        let at = |i: f32, j: f32| (self.height)(i * self.spacing, j * self.spacing);
        let (s, t) = (u - i, v - j);
        let (b, c) = (at(i + 1.0, j), at(i, j + 1.0));
        if s + t <= 1.0 {
            let a = at(i, j);
            a + (b - a) * s + (c - a) * t
        } else {
            let d = at(i + 1.0, j + 1.0);
            d + (c - d) * (1.0 - s) + (b - d) * (1.0 - t)
        }
    }

    /// The lowest and the highest ground within `reach` of a place along x and z.
    pub(crate) fn ground_around(&self, x: f32, z: f32, reach: f32) -> [f32; 2] {
        let steps = [-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0];
        let heights = steps
            .iter()
            .flat_map(|dx| steps.map(|dz| self.ground(x + dx * reach, z + dz * reach)));
        heights.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], h| {
            [low.min(h), high.max(h)]
        })
    }
}

/// Random places in polygons, each polygon about as often as it is large.
pub(crate) fn random_places(mesh: &NavMesh, count: usize, seed: u64) -> Vec<(PolygonId, Vec3)> {
    let mut random = oorandom::Rand32::new(seed);
    let areas: Vec<f64> = mesh.polygons().map(|p| mesh.polygon_area(p)).collect();
    let whole: f64 = areas.iter().sum();
    let mut places = Vec::new();
    for polygon in mesh.polygons() {
        let share = areas[polygon.index()] / whole;
        for _ in 0..1 + (share * count as f64) as usize {
            let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
            let weights: Vec<f32> = corners.iter().map(|_| random.rand_float() + 0.01).collect();
            let sum: f32 = weights.iter().sum();
            let place = corners
                .iter()
                .zip(&weights)
                .map(|(&c, w)| c * (w / sum))
                .sum();
            places.push((polygon, place));
        }
    }
    places
}

/// An upright box.
pub(crate) fn add_box(level: &mut Triangles, min: Vec3, max: Vec3) {
    let first = level.vertices.len() as u32;
    for i in 0..8 {
        let pick = |bit: u32, low: f32, high: f32| if i & bit == 0 { low } else { high };
        level.vertices.push(vec3(
            pick(1, min.x, max.x),
            pick(2, min.y, max.y),
            pick(4, min.z, max.z),
        ));
    }
    let sides = [
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    for [a, b, c, d] in sides {
        let [a, b, c, d] = [a, b, c, d].map(|i| first + i);
        level.triangles.extend([[a, b, c], [a, c, d]]);
    }
}

/// A slanting quad, seen from above a rectangle, from one height at low x to another at high x.
pub(crate) fn add_ramp(level: &mut Triangles, from: Vec3, to: Vec3) {
    let first = level.vertices.len() as u32;
    level.vertices.extend([
        from,
        vec3(from.x, from.y, to.z),
        to,
        vec3(to.x, to.y, from.z),
    ]);
    level
        .triangles
        .extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
}

/// A map that stands beside a checkout and is not part of it; `None`, with a message, where it is
/// absent.
pub(crate) fn map(name: &str) -> Option<Triangles> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        println!("skipped: {name} is not there");
        return None;
    };
    let mut level = Triangles::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let n: Vec<f32> = words.map(|word| word.parse().unwrap()).collect();
                level.vertices.push(vec3(n[0], n[1], n[2]));
            }
            Some("f") => {
                let corner = |word: &str| word.split('/').next().unwrap().parse::<u32>().unwrap();
                let n: Vec<u32> = words.map(|word| corner(word) - 1).collect();
                let fan = (2..n.len()).map(|i| [n[0], n[i - 1], n[i]]);
                level.triangles.extend(fan);
            }
            _ => {}
        }
    }
    Some(level)
}

/// Hills that can be walked everywhere: no slope is steeper than 42 degrees.
pub(crate) fn downs(x: f32, z: f32) -> f32 {
    1.6 * wave(x / 13.0) * wave(z / 11.0) + 0.4 * wave((x + z) / 9.0) + 0.05 * x
}
