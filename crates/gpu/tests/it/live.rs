//! A device that follows the versions of a world answers as one to which the version was uploaded as a whole.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::live::{Change, LiveOptions, LiveWorld, Obstacle, ObstacleId, Snapshot};
use portolan_core::{
    Connect, CostModel, Costs, Engine, Level, PolygonId, Profile, Query, Status, Tier, World,
};
use portolan_gpu::{Gpu, GpuError, GpuUpdate, GpuWorld, Tables};
use portolan_oracle::{CaseRng, random_changes};
use portolan_scenes::{WorldOptions, WorldScene};

use crate::worlds::{gpu, indexed, queries, stated_world, worlds};

const FAST: Engine = Engine::Contraction(Tier::Fast);
const HNA: Engine = Engine::Hna {
    level: Some(Level(1)),
    connect: Some(Connect::Parallel),
};
const PCCP: Engine = Engine::Pccp {
    level: Some(Level(1)),
};
/// The engines that every version has, and then those that only settled versions have.
const ALWAYS: [(Engine, Want); 4] = [
    (Engine::AStar, Want::Corridor),
    (FAST, Want::Corridor),
    (Engine::Labels, Want::Portal),
    (Engine::Labels, Want::Next),
];
const SETTLED: [(Engine, Want); 2] = [(HNA, Want::Corridor), (PCCP, Want::Corridor)];

/// Nothing happens by the clock.
fn live(world: World, profiles: Vec<Profile>) -> LiveWorld {
    let options = LiveOptions {
        profiles,
        background: false,
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world, options)
}

/// Compares a device that has followed changes with one to which the same version has just been uploaded, and both with Dijkstra's
/// algorithm on the CPU.
fn compare(name: &str, followed: &GpuWorld<'_>, version: &Snapshot, costs: &Costs, seed: u64) {
    let fresh = followed.gpu().upload(version, costs).expect("room");
    let queries = queries(version.mesh(), 40, seed);
    let queries = BatchQueries::Points(&queries);
    let settled = version.is_settled();
    let engines = ALWAYS.iter().chain(SETTLED.iter().filter(|_| settled));
    for &(engine, want) in engines {
        let options = BatchOptions {
            engine,
            costs: Some(costs),
            ..BatchOptions::new(want)
        };
        let name = format!("{name}, version {}, {engine} {want:?}", version.version());
        let [mut own, mut expected, mut by_cpu] = [(); 3].map(|()| BatchAnswers::default());
        let report = followed.find_paths(queries, &options, &mut own);
        let expected_report = fresh.find_paths(queries, &options, &mut expected);
        let [report, expected_report] = [report, expected_report]
            .map(|report| report.unwrap_or_else(|e| panic!("{name}: {e}")));
        if want != Want::Next {
            assert_eq!(report.fallbacks, expected_report.fallbacks, "{name}");
        }
        let dijkstra = BatchOptions {
            engine: Engine::Dijkstra,
            ..BatchOptions {
                want: Want::Distance,
                ..options
            }
        };
        version
            .find_paths(queries, &dijkstra, &mut by_cpu)
            .expect("Dijkstra");
        assert_eq!(own.statuses, expected.statuses, "{name}");
        assert_eq!(own.statuses, by_cpu.statuses, "{name}");
        for query in 0..own.costs.len() {
            let [own, expected, by_cpu] = [&own, &expected, &by_cpu].map(|a| a.costs[query]);
            let is_close =
                |other: f32| own == other || (own - other).abs() <= 1e-4 * other.max(1e-3);
            assert!(is_close(expected), "{name}: {own} instead of {expected}");
            // PCCP measures from centres.
            if !matches!(engine, Engine::Pccp { .. }) {
                assert!(is_close(by_cpu), "{name}: {own} instead of {by_cpu}");
            }
        }
    }
}

#[test]
fn a_device_that_follows_changes_answers_as_after_a_whole_upload() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let mut profile = Profile::default();
    profile.set_factor(1, 2.5).expect("a factor");
    for (number, (name, world)) in worlds().into_iter().enumerate() {
        let live = live(world, vec![profile.clone()]);
        let first = live.snapshot();
        let upload = |costs| gpu().upload(&first, costs).expect("room on the device");
        let mut devices = [upload(first.default_costs()), upload(first.costs(0))];
        let mut rng = CaseRng::new(number as u64);
        let mut kept = live.snapshot();
        for step in 0..10u64 {
            live.update(&random_changes(first.mesh(), &mut rng))
                .expect("valid changes");
            match step {
                // The device misses a version.
                2 => continue,
                3 | 6 | 9 => live.settle(),
                4 => kept = live.snapshot(),
                7 => {
                    live.restore(&kept).expect("a version of this world");
                }
                _ => {}
            }
            let version = live.snapshot();
            let both = [version.default_costs(), version.costs(0)];
            for (device, costs) in devices.iter_mut().zip(both) {
                let update = device.update(&version, costs).expect("room on the device");
                assert_eq!(update.version, version.version());
                assert!(!update.is_whole, "{name}: {update:?}");
                compare(&name, device, &version, costs, step);
            }
        }
        // An older version.
        let update = devices[0].update(&kept, kept.default_costs());
        update.expect("room on the device");
        compare(&name, &devices[0], &kept, kept.default_costs(), 77);
        // Another profile of the same version.
        let update = devices[0].update(&kept, kept.costs(0));
        update.expect("room on the device");
        compare(&name, &devices[0], &kept, kept.costs(0), 78);
    }
}

/// Returns a polygon whose closing changes many paths: the one on the most paths of some random agents.
fn door(world: &World) -> PolygonId {
    let points = queries(world.mesh(), 200, 5);
    let mut answers = BatchAnswers::default();
    let options = BatchOptions {
        engine: FAST,
        ..BatchOptions::new(Want::Corridor)
    };
    world
        .find_paths(BatchQueries::Points(&points), &options, &mut answers)
        .expect("the engine");
    let mut counts = vec![0; world.mesh().polygon_count()];
    for query in 0..points.len() {
        for polygon in answers.corridors.get(query) {
            counts[polygon.index()] += 1;
        }
    }
    let most = (0..counts.len()).max_by_key(|&polygon| counts[polygon]);
    PolygonId::new(most.expect("a polygon"))
}

#[test]
fn a_door_writes_a_small_part_of_what_the_world_takes() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let options = WorldOptions {
        polygons: 6000,
        ..WorldOptions::default()
    };
    let world = indexed(WorldScene::Rooms, &options, CostModel::Portals);
    let door = door(&world);
    let live = live(world, Vec::new());
    let first = live.snapshot();
    let mut device = gpu()
        .upload(&first, first.default_costs())
        .expect("room on the device");
    let options = BatchOptions {
        engine: FAST,
        ..BatchOptions::new(Want::Distance)
    };
    device.prepare(&options).expect("room on the device");
    let whole = device.uploaded_bytes();
    for round in 0..20 {
        let change = match round % 2 {
            0 => Change::Block(door),
            _ => Change::Unblock(door),
        };
        live.update(&[change]).expect("a polygon of this world");
        let version = live.snapshot();
        let update = device.update(&version, version.default_costs());
        let update = update.expect("room on the device");
        println!("{whole} bytes, {update:?}");
        assert_eq!(update.changed, 1);
        assert!(update.bytes > 0, "{update:?}");
        assert!(40 * update.bytes < whole, "{update:?} of {whole} bytes");
        // A settled world costs the same.
        live.settle();
        let settled = live.snapshot();
        let update = device.update(&settled, settled.default_costs());
        let update = update.expect("room on the device");
        assert_eq!(update.changed, 0);
        // Only levels of the hierarchy, which were not ready before it was settled.
        assert!(
            round == 0 && update.bytes == 0 || 40 * update.bytes < whole,
            "{update:?}"
        );
        compare("a door", &device, &settled, settled.default_costs(), round);
    }
}

#[test]
fn a_world_that_is_no_version_is_uploaded_as_a_whole() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let (world, equal) = (stated_world(), stated_world());
    let mut device = gpu()
        .upload(&world, world.default_costs())
        .expect("room on the device");
    let options = BatchOptions {
        engine: FAST,
        ..BatchOptions::new(Want::Distance)
    };
    device.prepare(&options).expect("room on the device");
    let mut answers = BatchAnswers::default();
    let nobody = BatchQueries::Points(&[]);
    let before = device.uploaded_bytes();
    let same = device.update(&world, world.default_costs());
    let nothing = same.expect("the same world");
    assert_eq!((nothing.bytes, nothing.is_whole), (0, false));
    // Equal worlds are not versions of one.
    let update = device.update(&equal, equal.default_costs());
    let update: GpuUpdate = update.expect("room on the device");
    assert!(update.is_whole && update.bytes > 0, "{update:?}");
    device.prepare(&options).expect("room on the device");
    assert_eq!(device.uploaded_bytes(), 2 * before);
    assert!(device.find_paths(nobody, &options, &mut answers).is_ok());
    // Costs of one and a world of the other.
    let wrong = device.update(&equal, world.default_costs());
    assert!(matches!(wrong, Err(GpuError::Engine(_))), "{wrong:?}");
    let foreign = BatchOptions {
        costs: Some(world.default_costs()),
        ..options
    };
    let answer = device.find_paths(nobody, &foreign, &mut answers);
    assert_eq!(answer, Err(GpuError::ForeignWorld));
    assert_eq!(device.prepare(&foreign), Err(GpuError::ForeignWorld));
}

#[test]
fn batches_and_crowds_ask_the_version_on_the_device() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let world = stated_world();
    let door = door(&world);
    let live = live(world, Vec::new());
    let first = live.snapshot();
    let mut device = gpu()
        .upload(&first, first.default_costs())
        .expect("room on the device");
    let points = queries(first.mesh(), 60, 9);
    let ends: Vec<_> = points
        .iter()
        .filter_map(|&[from, to]| {
            let located = first.locate(&Query::new(from, to)).expect("an engine");
            located.endpoints().ok()
        })
        .collect();
    let mut crowd = device.crowd(&ends, 1 << 28).expect("labels");
    crowd.step(&device, 1.0).expect("a step");
    live.update(&[Change::Block(door)]).expect("a polygon");
    let closed = live.snapshot();
    let options = BatchOptions {
        engine: FAST,
        costs: Some(closed.default_costs()),
        ..BatchOptions::new(Want::Distance)
    };
    let mut answers = BatchAnswers::default();
    let queries = BatchQueries::Points(&points);
    let early = device.find_paths(queries, &options, &mut answers);
    assert_eq!(early, Err(GpuError::ForeignWorld));
    device
        .update(&closed, closed.default_costs())
        .expect("room on the device");
    assert!(device.find_paths(queries, &options, &mut answers).is_ok());
    for engine in [HNA, PCCP] {
        let options = BatchOptions { engine, ..options };
        let unsettled = device.find_paths(queries, &options, &mut answers);
        assert!(
            matches!(unsettled, Err(GpuError::Unsettled(_))),
            "{unsettled:?}"
        );
    }
    // The crowd walks on, and around the door.
    for _ in 0..300 {
        crowd.step(&device, 1.0).expect("a step");
        let positions = crowd.positions().expect("positions");
        let inside = positions.iter().zip(&ends);
        let entered = inside.filter(|(at, ends)| at.polygon == door && ends.start.polygon != door);
        // Who was in the door when it closed stays there.
        assert!(entered.count() <= 1);
    }
    let now: Vec<_> = crowd
        .positions()
        .expect("positions")
        .into_iter()
        .zip(&ends)
        .map(|(start, ends)| portolan_core::Endpoints { start, ..*ends })
        .collect();
    let options = BatchOptions::new(Want::Next);
    closed
        .find_paths(BatchQueries::Located(&now), &options, &mut answers)
        .expect("labels");
    crowd.step(&device, 0.0).expect("a step");
    let found = |statuses: &[Status]| -> Vec<bool> {
        statuses
            .iter()
            .map(|&status| status == Status::Found)
            .collect()
    };
    assert_eq!(found(crowd.statuses()), found(&answers.statuses));
    let other = stated_world();
    let other = gpu().upload(&other, other.default_costs()).expect("room");
    assert_eq!(crowd.step(&other, 1.0), Err(GpuError::ForeignWorld));
}

#[test]
fn an_array_with_many_changed_rows_is_uploaded_as_a_whole() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let live = live(stated_world(), Vec::new());
    let first = live.snapshot();
    let mut device = gpu()
        .upload(&first, first.default_costs())
        .expect("room on the device");
    let options = BatchOptions {
        engine: FAST,
        ..BatchOptions::new(Want::Distance)
    };
    let graph = device.uploaded_bytes();
    device.prepare(&options).expect("room on the device");
    let contraction = device.uploaded_bytes() - graph;
    let mut rng = CaseRng::new(8);
    let mut whole = 0;
    for step in 0..200 {
        live.update(&random_changes(first.mesh(), &mut rng))
            .expect("valid changes");
        let version = live.snapshot();
        let update = device.update(&version, version.default_costs());
        let update = update.expect("room on the device");
        assert!(!update.is_whole);
        if 2 * update.bytes > contraction {
            whole += 1;
            compare(
                "many rows",
                &device,
                &version,
                version.default_costs(),
                step,
            );
        }
    }
    println!("{whole} whole uploads of a contraction of {contraction} bytes");
    assert!((1..100).contains(&whole), "{whole}");
    let version = live.snapshot();
    compare("many rows", &device, &version, version.default_costs(), 200);
}

#[test]
fn obstacles_are_left_to_the_cpu() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let live = live(stated_world(), Vec::new());
    let first = live.snapshot();
    let mut device = gpu()
        .upload(&first, first.default_costs())
        .expect("room on the device");
    compare(
        "before obstacles",
        &device,
        &first,
        first.default_costs(),
        1,
    );
    let centre = first.mesh().centre(door(&first));
    let disc = Obstacle::disc(centre, 0.5, 2.0);
    live.update(&[Change::Place(ObstacleId(1), disc)])
        .expect("an obstacle");
    let version = live.snapshot();
    let update = device.update(&version, version.default_costs());
    assert_eq!(update.expect("an update").bytes, 0);
    let options = BatchOptions {
        engine: Engine::AStar,
        ..BatchOptions::new(Want::Distance)
    };
    let mut answers = BatchAnswers::default();
    let nobody = BatchQueries::Points(&[]);
    let answer = device.find_paths(nobody, &options, &mut answers);
    assert_eq!(answer, Err(GpuError::Obstacles));
    let upload = gpu().upload(&version, version.default_costs());
    assert!(matches!(upload, Err(GpuError::Obstacles)));
    live.update(&[Change::Remove(ObstacleId(1))])
        .expect("the obstacle");
    live.settle();
    let version = live.snapshot();
    device
        .update(&version, version.default_costs())
        .expect("room on the device");
    compare(
        "after obstacles",
        &device,
        &version,
        version.default_costs(),
        2,
    );
}

#[test]
fn textures_follow_changes() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let textures = Gpu::with_tables(Tables::Texture).expect("an adapter");
    let live = live(stated_world(), Vec::new());
    let first = live.snapshot();
    let mut device = textures
        .upload(&first, first.default_costs())
        .expect("room on the device");
    let mut rng = CaseRng::new(3);
    for step in 0..6 {
        // Uploads the levels and the labels.
        let version = live.snapshot();
        compare("textures", &device, &version, version.default_costs(), step);
        live.update(&random_changes(first.mesh(), &mut rng))
            .expect("valid changes");
        live.settle();
        let version = live.snapshot();
        let update = device.update(&version, version.default_costs());
        assert!(!update.expect("room on the device").is_whole);
        compare("textures", &device, &version, version.default_costs(), step);
    }
}
