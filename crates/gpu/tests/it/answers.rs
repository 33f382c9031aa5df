//! Answers of the device are those of the CPU.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{Connect, Engine, Level, Status, Tier, World};
use portolan_gpu::{GpuError, GpuReport, GpuWorld, SliceLimits};

use crate::worlds::{gpu, queries, worlds};

const HNA: Engine = Engine::Hna {
    level: None,
    connect: None,
};
const HNA_2: Engine = Engine::Hna {
    level: Some(Level(2)),
    connect: Some(Connect::Parallel),
};
const PCCP_2: Engine = Engine::Pccp {
    level: Some(Level(2)),
};
const FAST: Engine = Engine::Contraction(Tier::Fast);

/// Compares the answers of the device with those of the CPU, except for ties.
fn compare(
    name: &str,
    world: &World,
    device: &GpuWorld<'_>,
    options: &BatchOptions<'_>,
    count: usize,
) -> GpuReport {
    let queries = queries(world.mesh(), count, 11);
    let queries = BatchQueries::Points(&queries);
    let (mut by_cpu, mut by_gpu) = (BatchAnswers::default(), BatchAnswers::default());
    world
        .find_paths(queries, options, &mut by_cpu)
        .expect("an answer of the CPU");
    let report = device
        .find_paths(queries, options, &mut by_gpu)
        .expect("an answer of the device");
    let name = format!("{name} {} {:?}", options.engine, options.want);
    assert_eq!(by_cpu.statuses, by_gpu.statuses, "{name}");
    let mut found = 0;
    for query in 0..count {
        if by_cpu.statuses[query] != Status::Found {
            continue;
        }
        found += 1;
        let [cpu, gpu] = [&by_cpu, &by_gpu].map(|answers| f64::from(answers.costs[query]));
        assert!(
            (cpu - gpu).abs() <= 1e-4 * cpu.max(1e-3),
            "{name}: query {query} costs {cpu} on the CPU and {gpu} on the device"
        );
        if options.want == Want::Waypoints {
            let corridor = by_gpu.corridors.get(query);
            assert!(!corridor.is_empty(), "{name}: query {query}");
        }
    }
    assert!(found > count / 2, "{name}: only {found} paths");
    if matches!(options.want, Want::Portal | Want::Next) {
        let same = (0..count)
            .filter(|&query| by_cpu.polygons[query] == by_gpu.polygons[query])
            .count();
        assert!(
            same * 100 >= count * 98,
            "{name}: {same} of {count} lead into the same polygon"
        );
    }
    report
}

#[test]
fn every_kernel_finds_the_costs_of_the_cpu() {
    for (name, world) in worlds() {
        let device = gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device");
        for engine in [Engine::AStar, FAST, HNA, HNA_2, PCCP_2, Engine::Labels] {
            for want in [Want::Waypoints, Want::Portal, Want::Next] {
                let options = BatchOptions {
                    engine,
                    ..BatchOptions::new(want)
                };
                let is_pccp = matches!(engine, Engine::Pccp { .. });
                // PCCP measures from the centres of polygons, so the first leg depends on how ties are broken.
                if is_pccp && want != Want::Waypoints
                    || engine == Engine::Labels && want == Want::Waypoints
                {
                    continue;
                }
                let report = compare(&name, &world, &device, &options, 150);
                println!("{name} {engine} {want:?}: {report:?}");
            }
        }
    }
}
