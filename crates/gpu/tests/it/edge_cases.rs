//! Meshes without portals, one-way links, batches of no, one and many agents.

use glam::Vec3;
use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{
    Connect, CostModel, Engine, Level, NavMesh, NavMeshOptions, RawLink, RawNavMesh, Status, Tier,
    World,
};
use portolan_gpu::{GpuReport, SliceLimits};
use portolan_index::{HierarchyOptions, IndexOptions, build};
use portolan_scenes::{WorldOptions, WorldScene};

use crate::worlds::{gpu, indexed, queries};

/// The engines with what they are asked for.
const KERNELS: [(Engine, Want); 6] = [
    (Engine::AStar, Want::Distance),
    (
        Engine::Hna {
            level: Some(Level(1)),
            connect: Some(Connect::Parallel),
        },
        Want::Distance,
    ),
    (
        Engine::Pccp {
            level: Some(Level(1)),
        },
        Want::Distance,
    ),
    (Engine::Contraction(Tier::Fast), Want::Distance),
    (Engine::Labels, Want::Portal),
    (Engine::Labels, Want::Next),
];

/// Returns the centre of island `i` of [`islands`].
fn centre(i: u32) -> Vec3 {
    Vec3::new(10.0 * i as f32 + 1.0, 0.0, 1.0)
}

/// Builds triangles that do not touch. `links` go one way, from the centre of one triangle to that of another.
fn islands(count: u32, links: &[[u32; 2]]) -> World {
    let corner = |i: u32| Vec3::new(10.0 * i as f32, 0.0, 0.0);
    let mut raw = RawNavMesh::default();
    for i in 0..count {
        raw.vertices.extend([
            corner(i),
            corner(i) + Vec3::new(0.0, 0.0, 4.0),
            corner(i) + Vec3::new(4.0, 0.0, 0.0),
        ]);
        raw.polygons.push([3 * i, 3 * i + 1, 3 * i + 2]);
    }
    let link = |&[from, to]: &[u32; 2]| RawLink {
        start: centre(from),
        end: centre(to),
        ..RawLink::default()
    };
    raw.links = links.iter().map(link).collect();
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a mesh");
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        hierarchy: Some(HierarchyOptions::default()),
        ..IndexOptions::default()
    };
    build(mesh, &options, &portolan_core::no_progress).expect("an index")
}

#[test]
fn islands_have_the_answers_of_the_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    // The number of islands, the links, and the number of pairs of islands with a path.
    for (count, links, pairs) in [
        (1, &[][..], 1),
        (3, &[], 3),
        (3, &[[0, 1]], 4),
        (4, &[[0, 1], [1, 2], [2, 0]], 10),
    ] {
        let world = islands(count, links);
        let device = gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device");
        let shift = Vec3::new(0.5, 0.0, 0.25);
        let mut points = vec![[Vec3::NAN; 2], [centre(0), Vec3::splat(1e30)]];
        for from in 0..count {
            points.extend((0..count).map(|to| [centre(from), centre(to) + shift]));
        }
        for (engine, want) in KERNELS {
            // A single polygon has no hierarchy.
            if world.check_engine(engine).is_err() && engine != Engine::Labels {
                continue;
            }
            let options = BatchOptions {
                engine,
                ..BatchOptions::new(want)
            };
            let name = format!("{count} islands, links {links:?}, {engine} {want:?}");
            // A batch of every size, from no agent to all of them.
            for end in 0..=points.len() {
                let queries = BatchQueries::Points(&points[..end]);
                let [mut cpu, mut device_answers] = [(); 2].map(|()| BatchAnswers::default());
                world
                    .find_paths(queries, &options, &mut cpu)
                    .expect("an answer of the CPU");
                device
                    .find_paths(queries, &options, &mut device_answers)
                    .expect("an answer of the device");
                assert_eq!(device_answers.statuses, cpu.statuses, "{name}");
                let found = cpu.statuses.iter().filter(|&&of| of == Status::Found);
                assert!(end < points.len() || found.count() == pairs, "{name}");
                let costs = cpu.costs.iter().zip(&device_answers.costs);
                for (query, (cpu, found)) in costs.enumerate() {
                    let is_close = cpu == found || (cpu - found).abs() <= 1e-4 * cpu;
                    assert!(is_close, "{name}, query {query}: {found} instead of {cpu}");
                }
            }
            let mut answers = BatchAnswers::default();
            let nobody = device.find_paths(BatchQueries::Points(&[]), &options, &mut answers);
            assert_eq!(nobody, Ok(GpuReport::default()), "{name}");
        }
    }
}

/// Builds a corridor of squares. It has one sample between two squares.
fn corridor(squares: u32) -> World {
    let mut raw = RawNavMesh::default();
    for z in [0.0, 1.0] {
        raw.vertices
            .extend((0..=squares).map(|x| Vec3::new(x as f32, 0.0, z)));
    }
    let above = squares + 1;
    for x in 0..squares {
        raw.polygons.push([x, x + 1, above + x + 1, above + x]);
    }
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a mesh");
    World::from_mesh(mesh)
}

/// Builds a hall of 6 by 1 m with six rooms of 1 by 1 m along one side. The portals of the rooms are on one line.
fn hall() -> World {
    let mut raw = RawNavMesh::default();
    let mut rectangle = |x: [f32; 2], z: [f32; 2]| {
        let first = raw.vertices.len() as u32;
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)];
        let corner = |(i, j): (usize, usize)| Vec3::new(x[i], 0.0, z[j]);
        raw.vertices.extend(corners.map(corner));
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    };
    rectangle([0.0, 6.0], [0.0, 1.0]);
    for room in 0..6u8 {
        let x = f32::from(room);
        rectangle([x, x + 1.0], [1.0, 2.0]);
    }
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a mesh");
    let options = IndexOptions {
        tiers: vec![Tier::Fast],
        ..IndexOptions::default()
    };
    build(mesh, &options, &portolan_core::no_progress).expect("an index")
}

#[test]
fn a_path_that_touches_exits_on_its_way_is_no_tie() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = hall();
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    assert_eq!(world.mesh().portals().len(), 6 + 5);
    // Each path begins next to the line of the portals, and costs the same over every portal before that of its room.
    let room = |x: f32| [Vec3::new(0.01, 0.0, 0.9999), Vec3::new(x + 0.5, 0.0, 1.5)];
    let points: Vec<_> = (2..6u8).map(|x| room(f32::from(x))).collect();
    for want in [Want::Portal, Want::Next] {
        let options = BatchOptions {
            engine: Engine::Labels,
            ..BatchOptions::new(want)
        };
        let [mut cpu, mut answers] = [(); 2].map(|()| BatchAnswers::default());
        let queries = BatchQueries::Points(&points);
        world
            .find_paths(queries, &options, &mut cpu)
            .expect("an answer of the CPU");
        let report = device.find_paths(queries, &options, &mut answers);
        assert_eq!(report.expect("an answer").fallbacks, 0, "{want:?}");
        assert_eq!(answers.polygons, cpu.polygons, "{want:?}");
        assert_eq!(answers.next, cpu.next);
        assert_eq!(answers.portals, cpu.portals);
    }
}

#[test]
fn a_table_with_a_slot_for_every_vertex_never_overflows() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    for samples in [63, 64, 65] {
        let world = corridor(samples + 1);
        assert_eq!(world.graph().sample_count() as u32, samples);
        let device = gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device");
        let ends = [0.5, samples as f32 + 0.5].map(|x| Vec3::new(x, 0.0, 0.5));
        let options = BatchOptions {
            engine: Engine::AStar,
            ..BatchOptions::new(Want::Distance)
        };
        let mut answers = BatchAnswers::default();
        let report = device.find_paths(BatchQueries::Points(&[ends]), &options, &mut answers);
        assert_eq!(report.expect("an answer").fallbacks, 0, "{samples} samples");
        assert_eq!(answers.costs, [samples as f32]);
    }
}

#[test]
fn many_agents_are_answered_in_slices_that_the_device_binds() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let options = WorldOptions {
        polygons: 60,
        ..WorldOptions::default()
    };
    let world = indexed(WorldScene::Rooms, &options, CostModel::Portals);
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let points = queries(world.mesh(), 70_000, 1);
    let points = BatchQueries::Points(&points);
    let limits = SliceLimits {
        agents: usize::MAX,
        scratch_bytes: u64::MAX,
        labels: usize::MAX,
    };
    let unlimited = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device")
        .with_limits(limits);
    for (engine, want) in [
        (Engine::Contraction(Tier::Fast), Want::Distance),
        (Engine::Labels, Want::Portal),
    ] {
        let options = BatchOptions {
            engine,
            ..BatchOptions::new(want)
        };
        let mut cpu = BatchAnswers::default();
        world
            .find_paths(points, &options, &mut cpu)
            .expect("an answer of the CPU");
        for (device, slices) in [(&device, 2), (&unlimited, 1)] {
            let mut answers = BatchAnswers::default();
            let report = device
                .find_paths(points, &options, &mut answers)
                .expect("an answer of the device");
            assert_eq!(report.slices, slices, "{engine}");
            assert_eq!(answers.statuses, cpu.statuses, "{engine}");
            let is_close = |(a, b): (&f32, &f32)| a == b || (a - b).abs() <= 1e-4 * a;
            assert!(
                cpu.costs.iter().zip(&answers.costs).all(is_close),
                "{engine}"
            );
        }
    }
    let options = BatchOptions {
        engine: Engine::AStar,
        ..BatchOptions::new(Want::Distance)
    };
    let points = queries(world.mesh(), 100, 1);
    let mut answers = BatchAnswers::default();
    let report = unlimited.find_paths(BatchQueries::Points(&points), &options, &mut answers);
    assert_eq!(report.expect("an answer of the device").fallbacks, 0);
}

#[test]
fn a_crowd_of_nobody_and_a_step_of_no_length_are_no_errors() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = islands(2, &[]);
    let device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let mut nobody = device.crowd(&[], 1 << 20).expect("labels");
    assert_eq!(nobody.step(&device, 1.0), Ok(GpuReport::default()));
    assert!(nobody.is_empty() && nobody.next().is_empty());

    let query = portolan_core::Query::new(centre(0), centre(0) + Vec3::X);
    let ends = world
        .locate(&query)
        .expect("the default engine")
        .endpoints();
    let ends = ends.expect("both are on the mesh");
    let mut crowd = device.crowd(&[ends], 1 << 20).expect("labels");
    for metres in [0.0, f32::NAN, -1.0] {
        crowd.step(&device, metres).expect("a step");
        let positions = crowd.positions().expect("positions");
        assert_eq!(positions, [ends.start], "{metres} m");
    }
    crowd.step(&device, f32::INFINITY).expect("a step");
    let positions = crowd.positions().expect("positions");
    assert_eq!(positions[0].point, ends.goal.point);
}
