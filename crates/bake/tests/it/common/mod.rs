//! Levels for tests, and random points on their navmeshes.
#![allow(dead_code, unreachable_pub, reason = "every test file uses some of it")]

pub mod terrain;

use std::path::PathBuf;

use glam::{Vec3, vec3};
use oorandom::Rand64;
use portolan_bake::{BakeOptions, Baked, Tiling, bake};
use portolan_core::{AreaRules, NavMesh, PolygonId, Triangles};

/// A level under construction.
#[derive(Clone, Default)]
pub struct LevelBuilder(pub Triangles);

impl LevelBuilder {
    pub fn quad(&mut self, corners: [Vec3; 4]) {
        let first = self.0.vertices.len() as u32;
        self.0.vertices.extend(corners);
        self.0.triangles.push([first, first + 1, first + 2]);
        self.0.triangles.push([first, first + 2, first + 3]);
    }

    /// Adds a horizontal rectangle.
    pub fn floor(&mut self, min: [f32; 2], max: [f32; 2], y: f32) {
        self.quad([
            vec3(min[0], y, min[1]),
            vec3(min[0], y, max[1]),
            vec3(max[0], y, max[1]),
            vec3(max[0], y, min[1]),
        ]);
    }

    /// Adds an axis-aligned box without an underside.
    pub fn block(&mut self, min: Vec3, max: Vec3) {
        self.floor([min.x, min.z], [max.x, max.z], max.y);
        let corner = |x: bool, y: bool, z: bool| {
            vec3(
                if x { max.x } else { min.x },
                if y { max.y } else { min.y },
                if z { max.z } else { min.z },
            )
        };
        for turn in 0..4 {
            let side = [(false, false), (true, false), (true, true), (false, true)];
            let (a, b) = (side[turn], side[(turn + 1) % 4]);
            self.quad([
                corner(a.0, false, a.1),
                corner(a.0, true, a.1),
                corner(b.0, true, b.1),
                corner(b.0, false, b.1),
            ]);
        }
    }

    /// Adds a slanting rectangle, from the height of `from` at its x to the height of `to` at its x.
    pub fn ramp(&mut self, from: Vec3, to: Vec3) {
        self.quad([from, from.with_z(to.z), to, to.with_z(from.z)]);
    }

    /// Adds a height field over a square with a point every `step` metres.
    pub fn hills(&mut self, side: f32, step: f32, height: impl Fn(f32, f32) -> f32) {
        let cells = (side / step) as u32;
        let first = self.0.vertices.len() as u32;
        for z in 0..=cells {
            for x in 0..=cells {
                let (x, z) = (x as f32 * step, z as f32 * step);
                self.0.vertices.push(vec3(x, height(x, z), z));
            }
        }
        let vertex = |x: u32, z: u32| first + z * (cells + 1) + x;
        for z in 0..cells {
            for x in 0..cells {
                let [a, b] = [vertex(x, z), vertex(x, z + 1)];
                let [c, d] = [vertex(x + 1, z + 1), vertex(x + 1, z)];
                self.0.triangles.push([a, b, c]);
                self.0.triangles.push([a, c, d]);
            }
        }
    }
}

/// Rolling hills of up to about 30 degrees, computed from sums and products only.
pub fn rolling(x: f32, z: f32) -> f32 {
    let wave = |t: f32| {
        let t = (t / 17.0).rem_euclid(2.0) - 1.0;
        (1.0 - t * t) * 4.0
    };
    wave(x) + wave(z * 1.3) + wave(x * 0.4 + z * 0.7)
}

/// Ground with random blocks. Some of them touch, some are low enough to step on, and some are large
/// enough to stand on.
pub fn scattered_blocks(
    side: f32,
    blocks: usize,
    seed: u64,
    height: impl Fn(f32, f32) -> f32,
) -> LevelBuilder {
    let mut level = LevelBuilder::default();
    level.hills(side, 2.0, &height);
    let mut rng = Rand64::new(seed.into());
    let mut between = |low: f32, high: f32| low + rng.rand_float() as f32 * (high - low);
    for _ in 0..blocks {
        let (x, z) = (between(0.0, side - 6.0), between(0.0, side - 6.0));
        let (width, depth) = (between(0.4, 6.0), between(0.4, 6.0));
        let tall = between(0.3, 4.0);
        let ground = height(x + width / 2.0, z + depth / 2.0);
        level.block(
            vec3(x, ground - 4.0, z),
            vec3(x + width, ground + tall, z + depth),
        );
    }
    level
}

pub fn baked(level: &LevelBuilder, tiles: Tiling) -> Baked {
    let options = BakeOptions {
        tiles,
        ..BakeOptions::default()
    };
    bake(&level.0, &AreaRules::default(), &options).expect("the level can be baked")
}

pub fn area(mesh: &NavMesh) -> f64 {
    mesh.polygons()
        .map(|polygon| mesh.polygon_area(polygon))
        .sum()
}

/// Random points on a navmesh. Polygons are chosen with a probability proportional to their area.
pub struct PolygonPoints<'a> {
    mesh: &'a NavMesh,
    sums: Vec<f64>,
    rng: Rand64,
}

impl<'a> PolygonPoints<'a> {
    pub fn new(mesh: &'a NavMesh, seed: u64) -> Self {
        let sums = mesh
            .polygons()
            .scan(0.0, |sum, polygon| {
                *sum += mesh.polygon_area(polygon);
                Some(*sum)
            })
            .collect();
        Self {
            mesh,
            sums,
            rng: Rand64::new(seed.into()),
        }
    }
}

impl Iterator for PolygonPoints<'_> {
    type Item = (PolygonId, Vec3);

    fn next(&mut self) -> Option<Self::Item> {
        let target = self.rng.rand_float() * self.sums.last()?;
        let index = self.sums.partition_point(|&sum| sum < target);
        let polygon = PolygonId(index.min(self.sums.len() - 1) as u32);
        let corners: Vec<Vec3> = self.mesh.corner_points(polygon).collect();
        let weights: Vec<f32> = corners
            .iter()
            .map(|_| self.rng.rand_float() as f32 + 0.05)
            .collect();
        let sum: f32 = weights.iter().sum();
        let mut point: Vec3 = corners
            .iter()
            .zip(&weights)
            .map(|(&corner, weight)| corner * (weight / sum))
            .sum();
        point.y = self.mesh.height_at(polygon, point);
        Some((polygon, point))
    }
}

/// Reads a map from a directory next to the checkout, which is not part of it. Prints a message and
/// returns `None` if the map is missing.
pub fn map(name: &str) -> Option<Triangles> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        println!("skipped: {name} is missing");
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
