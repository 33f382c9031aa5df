//! Answers of the device are those of the CPU.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{
    Connect, Endpoints, Engine, Level, Limits, Link, NavMesh, PolygonId, PortalId, Profile, Query,
    Status, Tier, World,
};
use portolan_gpu::{Gpu, GpuError, GpuReport, GpuWorld, SliceLimits, Tables};

use crate::worlds::{gpu, queries, stated_world, worlds};

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

/// The largest distance between two points that count as equal. [Units: m]
const SAME_POINT: f32 = 1e-4;

/// Fails if a corridor does not lead from the polygon of the start to that of the goal, every polygon bordering on the next or
/// linked to it.
fn assert_valid(name: &str, mesh: &NavMesh, ends: Endpoints, corridor: &[PolygonId]) {
    assert_eq!(corridor.first(), Some(&ends.start.polygon), "{name}");
    assert_eq!(corridor.last(), Some(&ends.goal.polygon), "{name}");
    for pair in corridor.windows(2) {
        let borders = |&portal: &PortalId| {
            let [a, b] = mesh.portal(portal).polygons;
            [a, b] == [pair[0], pair[1]] || [b, a] == [pair[0], pair[1]]
        };
        let is_linked = |link: &Link| {
            let [from, to] = link.polygons;
            [from, to] == [pair[0], pair[1]] || [to, from] == [pair[0], pair[1]]
        };
        let is_next = mesh.portals_of(pair[0]).iter().any(borders);
        assert!(
            is_next || mesh.links().iter().any(is_linked),
            "{name}: {pair:?} do not touch"
        );
    }
}

/// Compares the answers of the device with those of the CPU, except for ties.
fn compare(
    name: &str,
    world: &World,
    device: &GpuWorld<'_>,
    options: &BatchOptions<'_>,
    count: usize,
) -> GpuReport {
    let points = queries(world.mesh(), count, 11);
    let queries = BatchQueries::Points(&points);
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
    for (query, &[from, to]) in points.iter().enumerate() {
        if by_cpu.statuses[query] != Status::Found {
            continue;
        }
        found += 1;
        let [cpu, gpu] = [&by_cpu, &by_gpu].map(|answers| f64::from(answers.costs[query]));
        assert!(
            (cpu - gpu).abs() <= 1e-4 * cpu.max(1e-3),
            "{name}: query {query} costs {cpu} on the CPU and {gpu} on the device"
        );
        if matches!(options.want, Want::Corridor | Want::Waypoints) {
            let single = Query {
                costs: options.costs,
                ..Query::new(from, to)
            };
            let located = world.locate(&single).expect("the default engine");
            let ends = located.endpoints().expect("both are on the mesh");
            assert_valid(&name, world.mesh(), ends, by_gpu.corridors.get(query));
        }
        // The CPU and the device read the same labels, so they find the same exits and bends.
        if options.engine == Engine::Labels {
            assert_eq!(
                by_gpu.polygons[query], by_cpu.polygons[query],
                "{name}: query {query}"
            );
        }
        if options.engine == Engine::Labels && options.want == Want::Next {
            let [cpu, gpu] = [by_cpu.next[query], by_gpu.next[query]];
            assert!(
                cpu.distance(gpu) <= SAME_POINT,
                "{name}: query {query} walks to {cpu} on the CPU and to {gpu} on the device"
            );
        }
    }
    assert!(found > count / 5, "{name}: only {found} paths");
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
    if !portolan_oracle::is_long_run() {
        return;
    }
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

/// Returns everything that a batch has answered, as bits.
fn bits(answers: &BatchAnswers) -> Vec<u32> {
    let mut bits: Vec<u32> = answers
        .statuses
        .iter()
        .map(|&status| status as u32)
        .collect();
    bits.extend(answers.costs.iter().map(|cost| cost.to_bits()));
    bits.extend(answers.distances.iter().map(|distance| distance.to_bits()));
    bits.extend(answers.polygons.iter().map(|polygon| polygon.0));
    let points = answers.next.iter().chain(answers.portals.iter().flatten());
    bits.extend(points.flat_map(|point| point.to_array()).map(f32::to_bits));
    bits.extend(answers.corridors.values.iter().map(|polygon| polygon.0));
    bits
}

fn answer(
    device: &GpuWorld<'_>,
    options: &BatchOptions<'_>,
    count: usize,
) -> (Vec<u32>, GpuReport) {
    let queries = queries(device.world().mesh(), count, 17);
    let mut answers = BatchAnswers::default();
    let report = device.find_paths(BatchQueries::Points(&queries), options, &mut answers);
    (bits(&answers), report.expect("an answer of the device"))
}

/// The engines with what they are asked for.
const KERNELS: [(Engine, Want); 6] = [
    (Engine::AStar, Want::Corridor),
    (HNA_2, Want::Corridor),
    (PCCP_2, Want::Corridor),
    (FAST, Want::Corridor),
    (Engine::Labels, Want::Portal),
    (Engine::Labels, Want::Next),
];

fn options(engine: Engine, want: Want) -> BatchOptions<'static> {
    BatchOptions {
        engine,
        ..BatchOptions::new(want)
    }
}

#[test]
fn slices_of_any_size_have_the_same_answers() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = stated_world();
    let upload = || {
        gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device")
    };
    for (engine, want) in KERNELS {
        let options = options(engine, want);
        let (expected, report) = answer(&upload(), &options, 300);
        let limits = upload().limits();
        let small = SliceLimits {
            agents: 37,
            ..limits
        };
        let tight = SliceLimits {
            scratch_bytes: 8 << 20,
            ..limits
        };
        for limits in [small, tight] {
            let device = upload().with_limits(limits);
            for _ in 0..2 {
                let (found, sliced) = answer(&device, &options, 300);
                assert_eq!(found, expected, "{engine} in slices of {limits:?}");
                assert_eq!(sliced.fallbacks, report.fallbacks, "{engine}");
                assert!(sliced.slices > 1 || limits == tight, "{engine}: {sliced:?}");
            }
        }
    }
}

#[test]
fn the_stated_world_needs_no_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = stated_world();
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    for (engine, want) in KERNELS {
        let report = compare("rooms 1500", &world, &device, &options(engine, want), 1000);
        assert_eq!(report.fallbacks, 0, "{engine} {want:?}");
    }
}

#[test]
fn textures_have_the_answers_of_buffers() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = stated_world();
    let textures = Gpu::with_tables(Tables::Texture).expect("an adapter");
    assert_eq!(textures.tables(), Tables::Texture);
    let by_texture = textures
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let by_buffer = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    for (engine, want) in KERNELS {
        let options = options(engine, want);
        assert_eq!(
            answer(&by_texture, &options, 200),
            answer(&by_buffer, &options, 200),
            "{engine}"
        );
    }
}

#[test]
fn agents_that_need_more_memory_are_answered_by_the_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = stated_world();
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let limits = SliceLimits {
        labels: 64,
        ..device.limits()
    };
    let device = device.with_limits(limits);
    let report = compare(
        "rooms 1500",
        &world,
        &device,
        &options(Engine::AStar, Want::Waypoints),
        200,
    );
    assert!(report.fallbacks > 100, "{report:?}");
    let nothing = SliceLimits {
        scratch_bytes: 4,
        ..device.limits()
    };
    let device = device.with_limits(nothing);
    for engine in [Engine::AStar, FAST, HNA_2, PCCP_2] {
        let report = compare(
            "rooms 1500",
            &world,
            &device,
            &options(engine, Want::Waypoints),
            50,
        );
        assert_eq!(report.fallbacks, 50, "{engine}");
    }
}

#[test]
fn profiles_are_on_the_device_side_by_side() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let (name, world) = worlds().swap_remove(0);
    let mut profile = Profile::default();
    profile.set_factor(1, 7.5).expect("a factor");
    profile.forbid(2);
    let costs = world.costs(&profile);
    let walker = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let other = gpu().upload(&world, &costs).expect("room on the device");
    for (engine, want) in KERNELS {
        let default = options(engine, want);
        let with_costs = BatchOptions {
            costs: Some(&costs),
            ..default
        };
        for _ in 0..2 {
            compare(&name, &world, &walker, &default, 100);
            compare(&name, &world, &other, &with_costs, 100);
        }
        let mut answers = BatchAnswers::default();
        let queries = BatchQueries::Points(&[]);
        let mixed = walker.find_paths(queries, &with_costs, &mut answers);
        assert_eq!(mixed, Err(GpuError::ForeignWorld));
    }
}

#[test]
fn what_a_device_cannot_answer_is_an_error() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let (_, world) = worlds().swap_remove(0);
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let mut answers = BatchAnswers::default();
    let mut find = |engine| {
        device.find_paths(
            BatchQueries::Points(&[]),
            &options(engine, Want::Corridor),
            &mut answers,
        )
    };
    for engine in [
        Engine::Dijkstra,
        Engine::default(),
        Engine::Closest,
        Engine::Contraction(Tier::Default),
    ] {
        assert_eq!(find(engine), Err(GpuError::NoKernel(engine)));
    }
    let missing = Engine::Hna {
        level: Some(Level(9)),
        connect: None,
    };
    assert!(matches!(find(missing), Err(GpuError::Engine(_))));
    assert_eq!(find(Engine::AStar), Ok(GpuReport::default()));
}

#[test]
fn points_off_the_mesh_and_limits_are_those_of_the_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let (name, world) = worlds().swap_remove(0);
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let mut points = queries(world.mesh(), 60, 23);
    for (i, query) in points.iter_mut().enumerate() {
        match i % 5 {
            0 => query[0].y += 1000.0,
            1 => query[1].x = f32::NAN,
            _ => {}
        }
    }
    let queries = BatchQueries::Points(&points);
    for partial in [false, true] {
        for (engine, want) in KERNELS {
            let options = BatchOptions {
                limits: Limits {
                    max_cost: 40.0,
                    partial,
                },
                ..options(engine, want)
            };
            let (mut by_cpu, mut by_gpu) = (BatchAnswers::default(), BatchAnswers::default());
            world
                .find_paths(queries, &options, &mut by_cpu)
                .expect("an answer of the CPU");
            let report = device
                .find_paths(queries, &options, &mut by_gpu)
                .expect("an answer of the device");
            assert_eq!(
                by_cpu.statuses, by_gpu.statuses,
                "{name} {engine} {want:?}, partial: {partial}"
            );
            let off_mesh =
                |&&status: &&Status| matches!(status, Status::StartOffMesh | Status::GoalOffMesh);
            let off_mesh = by_cpu.statuses.iter().filter(off_mesh).count();
            assert!(off_mesh > 10);
            match (partial, engine) {
                // Partial paths are found by the CPU.
                (true, _) => assert!(report.fallbacks <= points.len() - off_mesh, "{report:?}"),
                // The device knows that a path is too long.
                (false, Engine::AStar | FAST | HNA_2) => {
                    assert_eq!(report.fallbacks, 0, "{engine}")
                }
                _ => {}
            }
        }
    }
}
