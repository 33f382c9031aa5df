//! Runners.

use portolan_oracle::ground::{close, hilly, plans, slow_costs};
use portolan_terrain::{
    NO_MESH, NO_TRIANGLE, RunnerArrival, RunnerKind, RunnerMovement, RunnerOptions, RunnerPause,
    RunnerStatus, Runners, Terrain, TerrainEdit, TerrainError, TerrainOptions, TerrainScratch,
    TriangleWeb,
};
use proptest::prelude::*;

fn terrain(side: usize) -> Terrain {
    let options = TerrainOptions {
        layers: Some(6),
        ..TerrainOptions::default()
    };
    Terrain::build(hilly(side).0, &options).unwrap()
}

/// Lets runners walk, and returns them and the triangle of each after each tick.
fn run(
    terrain: &Terrain,
    count: usize,
    ticks: usize,
    options: RunnerOptions,
) -> (Runners, Vec<Vec<u32>>) {
    let mut runners = Runners::new(terrain, count, options).unwrap();
    let mut scratch = TerrainScratch::new();
    let triangles = |runners: &Runners| runners.runners().iter().map(|r| r.triangle()).collect();
    let mut all = vec![triangles(&runners)];
    for _ in 0..ticks {
        runners.tick(terrain, &mut scratch);
        all.push(triangles(&runners));
    }
    (runners, all)
}

fn options(strategy: [prop::sample::Index; 4]) -> RunnerOptions {
    let [kind, movement, arrival, pause] = strategy;
    RunnerOptions {
        kind: *kind.get(RunnerKind::ALL),
        movement: *movement.get(RunnerMovement::ALL),
        arrival: *arrival.get(RunnerArrival::ALL),
        pause: *pause.get(RunnerPause::ALL),
        ..RunnerOptions::default()
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(128))]

    /// Holes make islands, so some goals cannot be reached.
    #[test]
    fn runners_walk_from_neighbour_to_neighbour(
        plan in plans(), chosen: [prop::sample::Index; 4], layers in 2usize..12, layer in 0usize..5, seed: u64, crowd in 0f32..2.0,
    ) {
        let terrain_options = TerrainOptions { price: plan.price, layers: Some(layers), ..TerrainOptions::default() };
        let terrain = Terrain::build(plan.web(), &terrain_options).unwrap();
        let last = terrain.web().len() as u32 - 1;
        let options = RunnerOptions { main: Some([0, last]), layer, seed, crowd, ..options(chosen) };
        let (runners, all) = run(&terrain, 4, 30, options);
        prop_assert_eq!(&run(&terrain, 4, 30, options).1, &all);
        let meshes = terrain.meshes();
        for ticks in all.windows(2) {
            for (&before, &after) in ticks[0].iter().zip(&ticks[1]) {
                let is_beside = terrain.graph().crossings(before).0.contains(&after);
                prop_assert!(before == after || is_beside || options.kind == RunnerKind::Mesh);
            }
        }
        for runner in runners.runners() {
            let shown = runners.shown(meshes, runner);
            prop_assert!(meshes.contains(runner.mesh(), meshes.low(runner.triangle())));
            prop_assert_eq!(shown[0], runner.mesh());
            prop_assert!(shown.windows(2).all(|pair| meshes.parent(pair[0]) == pair[1]));
            prop_assert_eq!(runner.goal().is_none(), options.movement == RunnerMovement::Random);
        }
        if options.movement == RunnerMovement::AStar && options.arrival != RunnerArrival::Reverse {
            for trip in runners.trips() {
                let optimum = slow_costs(terrain.graph(), trip.from)[trip.to as usize];
                prop_assert!(close(trip.cost, optimum), "{} instead of {optimum}", trip.cost);
            }
        }
    }
}

#[test]
fn another_runner_changes_nothing_without_a_crowd() {
    let terrain = terrain(9);
    let [few, many] = [3, 5].map(|count| run(&terrain, count, 50, RunnerOptions::default()).1);
    for (few, many) in few.iter().zip(&many) {
        assert_eq!(few[..], many[..3]);
    }
    let other = RunnerOptions {
        seed: 2,
        ..RunnerOptions::default()
    };
    assert_ne!(run(&terrain, 3, 50, other).1, few);
}

#[test]
fn arrivals_follow_the_main_path_or_reverse_the_old_one() {
    let terrain = terrain(9);
    for movement in [
        RunnerMovement::AStar,
        RunnerMovement::Full,
        RunnerMovement::Progressive,
    ] {
        let follow = RunnerOptions {
            movement,
            arrival: RunnerArrival::Follow,
            main: Some([3, 200]),
            ..RunnerOptions::default()
        };
        let (runners, _) = run(&terrain, 1, 300, follow);
        let trips = runners.trips();
        assert!(trips.len() > 3, "{}", trips.len());
        assert_eq!(trips[0].to, 200);
        for pair in trips.windows(2) {
            assert_eq!([pair[1].from, pair[1].to], [pair[0].to, 203 - pair[0].to]);
        }
        let reverse = RunnerOptions {
            arrival: RunnerArrival::Reverse,
            ..follow
        };
        let (runners, _) = run(&terrain, 1, 300, reverse);
        let trips = runners.trips();
        assert!(trips.len() > 3);
        for pair in trips.windows(2) {
            assert_eq!([pair[1].from, pair[1].to], [pair[0].to, pair[0].from]);
            assert_eq!(pair[0].triangles, pair[1].triangles);
        }
    }
}

#[test]
fn pauses_take_their_number_of_ticks() {
    let terrain = terrain(9);
    for (pause, expected) in [
        (RunnerPause::Never, 0..=0),
        (RunnerPause::AtGoal, 1..=40),
        (RunnerPause::EveryStep, 80..=80),
        (RunnerPause::Both, 80..=90),
    ] {
        let options = RunnerOptions {
            pause,
            pause_steps: 2,
            ..RunnerOptions::default()
        };
        let (_, all) = run(&terrain, 1, 120, options);
        let paused = all.windows(2).filter(|pair| pair[0] == pair[1]).count();
        assert!(expected.contains(&paused), "{pause:?}: {paused}");
    }
}

#[test]
fn a_mesh_runner_moves_through_neighbouring_meshes_of_its_layer() {
    let terrain = terrain(17);
    let meshes = terrain.meshes();
    for movement in [RunnerMovement::Random, RunnerMovement::Progressive] {
        let options = RunnerOptions {
            kind: RunnerKind::Mesh,
            movement,
            layer: 2,
            ..RunnerOptions::default()
        };
        let mut runners = Runners::new(&terrain, 1, options).unwrap();
        let mut scratch = TerrainScratch::new();
        let mut moves = 0;
        for _ in 0..100 {
            let before = runners.runners()[0].mesh();
            runners.tick(&terrain, &mut scratch);
            let runner = &runners.runners()[0];
            let after = runner.mesh();
            assert_eq!(after, meshes.in_layer(meshes.low(runner.triangle()), 2));
            if before == after {
                // A goal in the same mesh.
                assert_eq!(runner.status(), RunnerStatus::Arrived);
                continue;
            }
            moves += 1;
            let is_beside = meshes.low_range(before).any(|low| {
                let (neighbours, _) = terrain.graph().crossings(meshes.triangle(low));
                let mut beyond = neighbours.into_iter().filter(|&next| next != NO_TRIANGLE);
                beyond.any(|next| meshes.contains(after, meshes.low(next)))
            });
            assert!(is_beside);
        }
        assert!(moves > 50);
    }
}

/// Counts the layers from the top.
#[test]
fn layers_are_counted_downwards() {
    let terrain = terrain(9);
    let meshes = terrain.meshes();
    for low in 0..meshes.low_count() as u32 {
        let up = |&mesh: &u32| Some(meshes.parent(mesh)).filter(|&parent| parent != NO_MESH);
        let mut chain: Vec<u32> = std::iter::successors(Some(low), up).collect();
        chain.reverse();
        for layer in 0..10 {
            let expected = chain.get(layer).unwrap_or(&low);
            assert_eq!(meshes.in_layer(low, layer), *expected);
        }
    }
}

#[test]
fn runners_go_on_while_the_ground_changes() {
    let mut terrain = terrain(17);
    for movement in RunnerMovement::ALL {
        let options = RunnerOptions {
            movement: *movement,
            ..RunnerOptions::default()
        };
        let mut runners = Runners::new(&terrain, 5, options).unwrap();
        let mut scratch = TerrainScratch::new();
        for tick in 0..200u32 {
            runners.tick(&terrain, &mut scratch);
            let edit = TerrainEdit {
                heights: &[(tick % 100, (tick % 7) as f32)],
                difficulties: &[(tick % 50, (tick % 3) as f32 / 2.0)],
                price: None,
            };
            terrain.edit(&edit).unwrap();
        }
        let is_stuck = |runner: &portolan_terrain::Runner| runner.status() == RunnerStatus::Stuck;
        assert!(!runners.runners().iter().any(is_stuck), "{movement:?}");
        let expected = !matches!(
            movement,
            RunnerMovement::Random | RunnerMovement::FullFromHere
        );
        assert!(!expected || runners.trips().len() > 5, "{movement:?}");
    }
}

#[test]
fn invalid_options_are_rejected_and_islands_leave_runners_stuck() {
    let terrain = terrain(5);
    let create = |options| Runners::new(&terrain, 1, options).err();
    let follow = RunnerOptions {
        arrival: RunnerArrival::Follow,
        ..RunnerOptions::default()
    };
    assert_eq!(create(follow), Some(TerrainError::NoMainPath));
    let far = RunnerOptions {
        main: Some([0, 9999]),
        ..follow
    };
    assert!(matches!(
        create(far),
        Some(TerrainError::NoTriangle { triangle: 9999, .. })
    ));
    for wrong in [
        RunnerOptions {
            crowd: -1.0,
            ..RunnerOptions::default()
        },
        RunnerOptions {
            pause_steps: 0,
            ..RunnerOptions::default()
        },
        RunnerOptions {
            chain: 0,
            ..RunnerOptions::default()
        },
    ] {
        assert!(create(wrong).is_some(), "{wrong:?}");
    }
    let points = [0.0, 9.0].map(|x| [(x, 0.0), (x + 1.0, 0.0), (x, 1.0)]);
    let points = points
        .as_flattened()
        .iter()
        .map(|&(x, y)| glam::vec3(x, y, 0.0));
    let web = TriangleWeb::new(points.collect(), vec![[0, 1, 2], [3, 4, 5]], Vec::new()).unwrap();
    let islands = Terrain::build(web, &TerrainOptions::default()).unwrap();
    for movement in RunnerMovement::ALL {
        let options = RunnerOptions {
            movement: *movement,
            ..RunnerOptions::default()
        };
        let (runners, all) = run(&islands, 2, 5, options);
        assert!(all.iter().all(|ticks| ticks == &all[0]), "{movement:?}");
        let mut all = runners.runners().iter();
        assert!(all.all(|runner| runner.status() == RunnerStatus::Stuck));
    }
}
