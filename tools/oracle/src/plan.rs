//! Parameters of small random meshes, short enough to read in the message of a failed test.

use glam::{Vec3, vec3};
use portolan_core::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use crate::CaseRng;
use crate::tiles::tiles;

/// The parameters of a random mesh. Equal plans give equal meshes.
#[derive(Clone, Debug)]
pub enum MeshPlan {
    /// Stacked grids of quads or triangles.
    Patchwork(Patchwork),
    /// A generated scene, with random flags and, if its options have links, four more links.
    Scene(WorldScene, WorldOptions),
    /// Tiles of a rectangle that is split at random and rotated, with some tiles left out. They share no vertices.
    Tiles(u64),
}

/// Stacked grids of quads or triangles with holes, random areas, flags and links.
#[derive(Clone, Debug)]
pub struct Patchwork {
    /// The number of cells along x.
    pub columns: usize,
    /// The number of cells along z.
    pub rows: usize,
    /// The number of grids above one another.
    pub floors: usize,
    /// The seed for everything random.
    pub seed: u64,
    /// The largest offset of a corner, as a fraction of a cell. With 0, many corners are exactly
    /// collinear. Up to 0.2, quads stay convex.
    pub jitter: f32,
    /// The fraction of cells that are missing.
    pub holes: f32,
    /// Whether cells are split into triangles.
    pub triangles: bool,
    /// The largest random height of a corner. [Units: m]
    pub relief: f32,
    /// The number of off-mesh links.
    pub links: usize,
    /// The largest step between cells. [Units: m] With `Some`, every cell has vertices of its own, like a
    /// tile, and is raised by a random height. With `None`, cells share their vertices.
    pub steps: Option<f32>,
    /// The largest height of a tent that each polygon has as a finer surface. [Units: m] With 0, there
    /// are no finer surfaces.
    pub bumps: f32,
}

/// The side of a cell. [Units: m]
const CELL: f32 = 2.0;
/// The height of a floor above the one below. [Units: m]
const FLOOR: f32 = 4.0;

impl MeshPlan {
    /// Creates the raw mesh.
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
            Self::Tiles(seed) => tiles(*seed),
        }
    }

    /// Builds the mesh.
    pub fn mesh(&self) -> NavMesh {
        NavMesh::build(self.raw(), &NavMeshOptions::default()).expect("a valid plan")
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
                    let mut jittered =
                        |at: usize| (at as f32 + rng.between(-self.jitter, self.jitter)) * CELL;
                    let (x, z) = (jittered(column), jittered(row));
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
                    if let Some(max_step) = self.steps {
                        let step = Vec3::Y * rng.between(0.0, max_step);
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

/// Gives every polygon a finer surface: a tent with its top above the mean of the corners.
fn add_bumps(raw: &mut RawNavMesh, max_height: f32, rng: &mut CaseRng) {
    for polygon in 0..raw.polygons.len() {
        let corners = raw.polygons.get(polygon);
        let points = corners.iter().map(|&v| raw.vertices[v as usize]);
        let centre = points.sum::<Vec3>() / corners.len() as f32;
        let top = centre + Vec3::Y * rng.between(0.0, max_height);
        raw.heights.vertices.push([top]);
        let count = corners.len() as u16;
        let triangles = (0..count).map(|i| [i, (i + 1) % count, count]);
        raw.heights.triangles.push(triangles);
    }
}

/// Draws flags: nearly always flag 1, rarely flags 2 and 4.
fn flags(rng: &mut CaseRng) -> u16 {
    let mut bit = |bit, probability| if rng.chance(probability) { bit } else { 0 };
    bit(1, 0.95) | bit(2, 0.2) | bit(4, 0.2)
}

/// Adds links between the centres of random polygons. Some are free, some cost less and some more than their
/// length.
fn add_links(raw: &mut RawNavMesh, count: usize, rng: &mut CaseRng) {
    for id in 0..count {
        let mut end = || {
            let polygon = rng.below(raw.polygons.len());
            let corners = raw.polygons.get(polygon);
            let points = corners.iter().map(|&v| raw.vertices[v as usize]);
            let centre = points.sum::<Vec3>() / corners.len() as f32;
            (polygon as u32, centre)
        };
        let ((from, start), (to, end)) = (end(), end());
        let cost_per_metre = [rng.between(0.1, 1.0), rng.between(1.0, 3.0), 0.0][rng.below(3)];
        raw.links.push(RawLink {
            start,
            end,
            polygons: [Some(from), Some(to)],
            cost: rng
                .chance(0.7)
                .then_some(start.distance(end) * cost_per_metre),
            both_ways: rng.chance(0.5),
            area: rng.below(4) as u8,
            flags: flags(rng),
            id: 1000 + id as u64,
            ..RawLink::default()
        });
    }
}

fn patchworks() -> impl Strategy<Value = MeshPlan> {
    let shape = (1usize..8, 1usize..8, 1usize..3, any::<u64>());
    let jitter = prop_oneof![1 => Just(0f32), 2 => 0f32..0.2];
    let relief = prop_oneof![1 => Just(0f32), 1 => 0f32..2.0];
    let details = (jitter, 0f32..0.5, any::<bool>(), relief, 0usize..5);
    let steps =
        prop_oneof![3 => Just(None), 1 => Just(Some(0f32)), 1 => (0f32..1.2).prop_map(Some)];
    let bumps = prop_oneof![2 => Just(0f32), 1 => 0f32..1.5];
    (shape, details, steps, bumps).prop_map(
        |(
            (columns, rows, floors, seed),
            (jitter, holes, triangles, relief, links),
            steps,
            bumps,
        )| {
            MeshPlan::Patchwork(Patchwork {
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

/// Draws generated rooms and open ground with 20 to `max_polygons` polygons.
pub fn scenes(max_polygons: usize) -> impl Strategy<Value = MeshPlan> {
    let scene = prop_oneof![Just(WorldScene::Rooms), Just(WorldScene::Open)];
    let relief = prop_oneof![1 => Just(0f32), 1 => 0f32..6.0];
    let size = (20..max_polygons, any::<u64>(), 1u32..3);
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
            MeshPlan::Scene(scene, options)
        },
    )
}

/// Draws small meshes of all kinds.
pub fn plans() -> impl Strategy<Value = MeshPlan> {
    prop_oneof![2 => patchworks(), 1 => scenes(120)]
}

/// Draws small meshes of all kinds, and [tiles](MeshPlan::Tiles).
pub fn plans_and_tiles() -> impl Strategy<Value = MeshPlan> {
    prop_oneof![3 => plans(), 1 => any::<u64>().prop_map(MeshPlan::Tiles)]
}

/// The kinds of mesh of [`fixed_plan`].
pub const KINDS: [&str; 3] = ["rooms", "open", "patchwork"];

/// Returns a plan for measurements: a mesh of one of the [`KINDS`] with one floor, with areas and without links.
/// Equal arguments give equal plans.
pub fn fixed_plan(kind: usize, seed: u64, relief: f32) -> MeshPlan {
    let mut rng = CaseRng::new(seed);
    let options = WorldOptions {
        polygons: 40 + rng.below(100),
        seed,
        areas: true,
        relief,
        ..WorldOptions::default()
    };
    match KINDS[kind] {
        "rooms" => MeshPlan::Scene(WorldScene::Rooms, options),
        "open" => MeshPlan::Scene(WorldScene::Open, options),
        _ => MeshPlan::Patchwork(Patchwork {
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
