//! Small worlds of every kind, as plans that are short enough to read in a failure.

use glam::{Vec3, vec3};
use portolan_core::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use crate::CaseRng;

/// A recipe for a raw navmesh.
#[derive(Clone, Debug)]
pub enum Plan {
    Patchwork(Patchwork),
    Scene(WorldScene, WorldOptions),
}

/// Stacked grids with holes, in quads or triangles, with random areas, flags and links.
#[derive(Clone, Debug)]
pub struct Patchwork {
    pub columns: usize,
    pub rows: usize,
    pub floors: usize,
    pub seed: u64,
    /// How far a corner strays, as a share of a cell. 0 gives exact collinearities. Up to 0.2
    /// quads stay convex.
    pub jitter: f32,
    /// The share of cells left out.
    pub holes: f32,
    pub triangles: bool,
    pub relief: f32,
    pub links: usize,
    /// Every cell has corners of its own and lies up to so much higher than the others, as tiles
    /// do. `None`: cells share their corners.
    pub steps: Option<f32>,
    /// How far a finer surface rises in the middle of each polygon. 0: there is none.
    pub bumps: f32,
}

const CELL: f32 = 2.0;
const FLOOR: f32 = 4.0;

impl Plan {
    pub fn raw(&self) -> RawNavMesh {
        match self {
            Self::Patchwork(patchwork) => patchwork.raw(),
            Self::Scene(scene, options) => {
                let mut raw = scene.build(options);
                let mut rng = CaseRng::new(options.seed ^ 0x5eed);
                let count = raw.polygons.len();
                raw.flags = (0..count).map(|_| flags(&mut rng)).collect();
                if options.links {
                    add_links(&mut raw, 4, &mut rng);
                }
                raw
            }
        }
    }

    pub fn mesh(&self) -> NavMesh {
        NavMesh::build(self.raw(), &NavMeshOptions::default()).expect("a sound plan")
    }
}

impl Patchwork {
    fn raw(&self) -> RawNavMesh {
        let mut rng = CaseRng::new(self.seed);
        let mut raw = RawNavMesh::default();
        for floor in 0..self.floors {
            let first = raw.vertices.len();
            for row in 0..=self.rows {
                for column in 0..=self.columns {
                    let mut stray =
                        |at: usize| (at as f32 + rng.between(-self.jitter, self.jitter)) * CELL;
                    let (x, z) = (stray(column), stray(row));
                    let y = floor as f32 * FLOOR + rng.between(0.0, self.relief);
                    raw.vertices.push(vec3(x, y, z));
                }
            }
            for row in 0..self.rows {
                for column in 0..self.columns {
                    if rng.chance(self.holes) && !raw.polygons.is_empty() {
                        continue;
                    }
                    let a = (first + row * (self.columns + 1) + column) as u32;
                    let mut corners = [a, a + 1, a + self.columns as u32 + 2, 0];
                    corners[3] = corners[2] - 1;
                    if let Some(most) = self.steps {
                        let step = Vec3::Y * rng.between(0.0, most);
                        corners = corners.map(|corner| {
                            let raised = raw.vertices[corner as usize] + step;
                            raw.vertices.push(raised);
                            raw.vertices.len() as u32 - 1
                        });
                    }
                    let [a, b, c, d] = corners;
                    if !self.triangles {
                        raw.polygons.push([a, b, c, d]);
                    } else if rng.chance(0.5) {
                        raw.polygons.push([a, b, c]);
                        raw.polygons.push([a, c, d]);
                    } else {
                        raw.polygons.push([a, b, d]);
                        raw.polygons.push([b, c, d]);
                    }
                }
            }
        }
        let count = raw.polygons.len();
        raw.areas = (0..count).map(|_| rng.below(4) as u8).collect();
        raw.flags = (0..count).map(|_| flags(&mut rng)).collect();
        add_links(&mut raw, self.links, &mut rng);
        if self.bumps > 0.0 {
            add_bumps(&mut raw, self.bumps, &mut rng);
        }
        raw
    }
}

/// Gives every polygon a finer surface: a tent whose pole stands in the middle.
fn add_bumps(raw: &mut RawNavMesh, most: f32, rng: &mut CaseRng) {
    for polygon in 0..raw.polygons.len() {
        let corners = raw.polygons.get(polygon);
        let points = corners.iter().map(|&v| raw.vertices[v as usize]);
        let middle = points.sum::<Vec3>() / corners.len() as f32;
        let top = middle + Vec3::Y * rng.between(0.0, most);
        raw.heights.vertices.push([top]);
        let count = corners.len() as u16;
        let sides = (0..count).map(|i| [i, (i + 1) % count, count]);
        raw.heights.triangles.push(sides);
    }
}

/// Bit 1 nearly always, bits 2 and 4 rarely.
fn flags(rng: &mut CaseRng) -> u16 {
    let mut bit = |bit, share| if rng.chance(share) { bit } else { 0 };
    bit(1, 0.95) | bit(2, 0.2) | bit(4, 0.2)
}

/// Links between random corners, some free, some cheaper and some dearer than long.
fn add_links(raw: &mut RawNavMesh, count: usize, rng: &mut CaseRng) {
    for id in 0..count {
        let mut end = || {
            let polygon = rng.below(raw.polygons.len());
            let corners = raw.polygons.get(polygon);
            let points = corners.iter().map(|&v| raw.vertices[v as usize]);
            let middle = points.sum::<Vec3>() / corners.len() as f32;
            (polygon as u32, middle)
        };
        let ((from, start), (to, end)) = (end(), end());
        let share = [rng.between(0.1, 1.0), rng.between(1.0, 3.0), 0.0][rng.below(3)];
        raw.links.push(RawLink {
            start,
            end,
            polygons: [Some(from), Some(to)],
            cost: rng.chance(0.7).then_some(start.distance(end) * share),
            both_ways: rng.chance(0.5),
            area: rng.below(4) as u8,
            flags: flags(rng),
            id: 1000 + id as u64,
            ..RawLink::default()
        });
    }
}

fn patchworks() -> impl Strategy<Value = Plan> {
    let shape = (1usize..8, 1usize..8, 1usize..3, any::<u64>());
    let jitter = prop_oneof![1 => Just(0f32), 2 => 0f32..0.2];
    let relief = prop_oneof![1 => Just(0f32), 1 => 0f32..2.0];
    let rest = (jitter, 0f32..0.5, any::<bool>(), relief, 0usize..5);
    let steps =
        prop_oneof![3 => Just(None), 1 => Just(Some(0f32)), 1 => (0f32..1.2).prop_map(Some)];
    let bumps = prop_oneof![2 => Just(0f32), 1 => 0f32..1.5];
    (shape, rest, steps, bumps).prop_map(
        |(
            (columns, rows, floors, seed),
            (jitter, holes, triangles, relief, links),
            steps,
            bumps,
        )| {
            Plan::Patchwork(Patchwork {
                columns,
                rows,
                floors,
                seed,
                jitter,
                holes,
                triangles,
                relief,
                links,
                steps,
                bumps,
            })
        },
    )
}

/// Generated rooms and open ground of up to `most` polygons.
pub fn scenes(most: usize) -> impl Strategy<Value = Plan> {
    let scene = prop_oneof![Just(WorldScene::Rooms), Just(WorldScene::Open)];
    let relief = prop_oneof![1 => Just(0f32), 1 => 0f32..6.0];
    let size = (20..most, any::<u64>(), 1u32..3);
    (scene, size, any::<bool>(), any::<bool>(), relief).prop_map(
        |(scene, (polygons, seed, floors), areas, links, relief)| {
            let options = WorldOptions {
                polygons,
                seed,
                areas,
                links,
                floors,
                relief,
            };
            Plan::Scene(scene, options)
        },
    )
}

/// All kinds of small worlds.
pub fn plans() -> impl Strategy<Value = Plan> {
    prop_oneof![2 => patchworks(), 1 => scenes(120)]
}

/// The kinds of world that figures are measured on.
pub const KINDS: [&str; 3] = ["rooms", "open", "patchwork"];

/// A world of one floor and one of the [`KINDS`], with areas and without links: the same each time.
pub fn fixed_plan(kind: usize, seed: u64, relief: f32) -> Plan {
    let mut rng = CaseRng::new(seed);
    let options = WorldOptions {
        polygons: 40 + rng.below(100),
        seed,
        areas: true,
        relief,
        ..WorldOptions::default()
    };
    match KINDS[kind] {
        "rooms" => Plan::Scene(WorldScene::Rooms, options),
        "open" => Plan::Scene(WorldScene::Open, options),
        _ => Plan::Patchwork(Patchwork {
            columns: 4 + rng.below(4),
            rows: 4 + rng.below(4),
            floors: 1,
            seed,
            jitter: [0.0, 0.2][rng.below(2)],
            holes: rng.between(0.05, 0.4),
            triangles: rng.chance(0.5),
            relief,
            links: 0,
            steps: None,
            bumps: 0.0,
        }),
    }
}
