//! Tables in a storage buffer or in a texture (Rahmani and Pelechano 2020, section 6: a texture was 1.2 times as fast).
//!
//! `cargo bench -p portolan-gpu --bench tables` prints the median time of a batch with each, and asserts equal answers. Both
//! take turns. On a device that is emulated on the CPU, the ratio says nothing about graphics cards.

use std::time::Instant;

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{Engine, Level, NavMesh, NavMeshOptions, Tier, no_progress};
use portolan_gpu::{Gpu, Tables};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

const ROUNDS: usize = 7;
const AGENTS: usize = 4096;

fn main() {
    let options = WorldOptions {
        polygons: 12_000,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(
        WorldScene::Rooms.build(&options),
        &NavMeshOptions::default(),
    );
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    };
    let world = build(mesh.expect("a mesh"), &options, &no_progress).expect("an index");
    let points: Vec<_> = RandomPoints::new(world.mesh(), 7)
        .take(2 * AGENTS)
        .collect();
    let queries: Vec<_> = points.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
    let gpus = [Tables::Buffer, Tables::Texture].map(Gpu::with_tables);
    let gpus = gpus.map(|gpu| gpu.expect("an adapter: install mesa-vulkan-drivers"));
    let devices = gpus.each_ref().map(|gpu| {
        let device = gpu.upload(&world, world.default_costs());
        device.expect("room on the device")
    });
    let emulated = match gpus[0].is_emulated() {
        true => " (emulated on the CPU)",
        false => "",
    };
    println!(
        "{AGENTS} agents on rooms, 12 000 polygons, on {}{emulated}; median of {ROUNDS}, ms",
        gpus[0].name()
    );
    println!(
        "{:10} {:>10} {:>10} {:>20}",
        "engine", "buffer", "texture", "buffer / texture"
    );
    let pccp = Engine::Pccp {
        level: Some(Level(2)),
    };
    for (engine, want) in [(pccp, Want::Distance), (Engine::Labels, Want::Portal)] {
        let options = BatchOptions {
            engine,
            ..BatchOptions::new(want)
        };
        let mut times = [Vec::new(), Vec::new()];
        let mut costs: [Vec<f32>; 2] = Default::default();
        for _ in 0..ROUNDS {
            for (which, device) in devices.iter().enumerate() {
                let mut answers = BatchAnswers::default();
                let start = Instant::now();
                let queries = BatchQueries::Points(&queries);
                let report = device.find_paths(queries, &options, &mut answers);
                times[which].push(start.elapsed().as_secs_f64() * 1e3);
                assert!(report.expect("an answer").fallbacks < AGENTS / 100);
                costs[which] = answers.costs;
            }
        }
        assert_eq!(costs[0], costs[1], "answers by buffer and by texture");
        let [buffer, texture] = times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[ROUNDS / 2]
        });
        let name = engine.to_string();
        println!(
            "{name:10} {buffer:10.1} {texture:10.1} {:20.2}",
            buffer / texture
        );
    }
}
