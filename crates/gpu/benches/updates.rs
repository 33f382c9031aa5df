//! What a world that changes writes to a device.
//!
//! `cargo bench -p portolan-gpu --bench updates [POLYGONS]` blocks random polygons and opens them again, one at a time, and prints
//! the bytes and the time of `GpuWorld::update`, next to a whole upload. It asserts that the costs of some agents are those of
//! the CPU.

use std::time::{Duration, Instant};

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::live::{Change, LiveOptions, LiveWorld};
use portolan_core::{Engine, NavMesh, NavMeshOptions, PolygonId, Tier, no_progress};
use portolan_gpu::Gpu;
use portolan_index::{IndexOptions, build};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

/// Polygons that are blocked and opened again, without and with settling the world in between.
const DOORS: usize = 50;
const SETTLED_DOORS: usize = 5;
const FAST: Engine = Engine::Contraction(Tier::Fast);

/// The updates of one kind.
#[derive(Default)]
struct Updates {
    bytes: Vec<u64>,
    time: Duration,
}

impl Updates {
    fn row(&self, world: &str, kind: &str, whole: u64) {
        let count = self.bytes.len().max(1);
        let sum: u64 = self.bytes.iter().sum();
        let max = self.bytes.iter().max().copied().unwrap_or(0);
        println!(
            "{world:6} {kind:22} {:12} {:12} {:12} {:12.0}",
            whole,
            sum / count as u64,
            max,
            self.time.as_secs_f64() * 1e6 / count as f64
        );
    }
}

fn main() {
    let polygons = std::env::args().find_map(|argument| argument.parse().ok());
    let gpu = Gpu::new().expect("an adapter: install mesa-vulkan-drivers");
    println!("portal graph and contraction on {}", gpu.name());
    println!(
        "{:6} {:22} {:>12} {:>12} {:>12} {:>12}",
        "world", "updates", "whole", "mean bytes", "max bytes", "mean µs"
    );
    for scene in [WorldScene::Rooms, WorldScene::Open] {
        measure(&gpu, scene, polygons.unwrap_or(12_000));
    }
}

fn measure(gpu: &Gpu, scene: WorldScene, polygons: usize) {
    let options = WorldOptions {
        polygons,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        ..IndexOptions::default()
    };
    let world = build(mesh.expect("a mesh"), &options, &no_progress).expect("an index");
    let doors: Vec<PolygonId> = RandomPoints::new(world.mesh(), 3)
        .take(DOORS)
        .filter_map(|point| {
            world
                .mesh()
                .locate(point, glam::Vec3::new(0.1, 1.0, 0.1), |_| true)
        })
        .map(|location| location.polygon)
        .collect();
    let live = LiveWorld::with_options(
        world,
        LiveOptions {
            background: false,
            ..LiveOptions::default()
        },
    );
    let first = live.snapshot();
    let mut device = gpu
        .upload(&first, first.default_costs())
        .expect("room on the device");
    let options = BatchOptions {
        engine: FAST,
        ..BatchOptions::new(Want::Distance)
    };
    device.prepare(&options).expect("room on the device");
    let whole = device.uploaded_bytes();
    let points: Vec<_> = RandomPoints::new(first.mesh(), 7).take(400).collect();
    let points: Vec<_> = points.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
    let points = BatchQueries::Points(&points);
    let name = format!("{scene:?}").to_lowercase();
    let kinds = [
        ("one after the other", doors.len()),
        ("settled in between", SETTLED_DOORS),
    ];
    for (kind, count) in kinds {
        let mut updates = Updates::default();
        for &door in doors.iter().take(count) {
            for change in [Change::Block(door), Change::Unblock(door)] {
                if kind == kinds[1].0 {
                    live.settle();
                    let settled = live.snapshot();
                    let update = device.update(&settled, settled.default_costs());
                    assert_eq!(update.expect("room on the device").bytes, 0);
                }
                live.update(&[change]).expect("a polygon of this world");
                let version = live.snapshot();
                let start = Instant::now();
                let update = device.update(&version, version.default_costs());
                updates.time += start.elapsed();
                updates
                    .bytes
                    .push(update.expect("room on the device").bytes);
            }
        }
        updates.row(&name, kind, whole);
        let version = live.snapshot();
        let [mut cpu, mut answers] = [(); 2].map(|()| BatchAnswers::default());
        version
            .find_paths(points, &options, &mut cpu)
            .expect("an answer of the CPU");
        device
            .find_paths(points, &options, &mut answers)
            .expect("an answer of the device");
        let is_close = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= 1e-4 * a;
        assert!(cpu.costs.iter().zip(&answers.costs).all(is_close));
    }
}
