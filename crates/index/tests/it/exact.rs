//! When an index has the exact tier, and a million exact paths.

use portolan_core::{
    Endpoints, Engine, ExactLimits, ExactOptions, NavMesh, NavMeshOptions, Path, Profile, Query,
    Scratch, Status, Tier, World, no_progress,
};
use portolan_index::{IndexError, IndexOptions, build};
use portolan_oracle::{CaseRng, IntervalSearch};
use portolan_scenes::{WorldOptions, WorldScene};

fn mesh(scene: WorldScene, options: &WorldOptions) -> NavMesh {
    NavMesh::build(scene.build(options), &NavMeshOptions::default()).expect("a valid scene")
}

fn options(tiers: &[Tier]) -> IndexOptions {
    IndexOptions {
        tiers: tiers.to_vec(),
        exact_where_cheap: true,
        ..IndexOptions::default()
    }
}

#[test]
fn areas_of_different_costs_have_no_exact_tier() {
    let with_areas = WorldOptions {
        polygons: 200,
        areas: true,
        ..WorldOptions::default()
    };
    let mesh = mesh(WorldScene::Rooms, &with_areas);
    let mut profile = Profile::default();
    for area in 1..4 {
        profile.set_factor(area, 4.0).expect("a factor");
    }
    let by_default = IndexOptions {
        profile,
        ..IndexOptions::default()
    };
    let world = build(mesh.clone(), &by_default, &no_progress).expect("an index");
    assert!(!world.has_tier(Tier::Exact) && !world.auto_is_exact());
    let forced = IndexOptions {
        tiers: vec![Tier::Fast, Tier::Exact],
        ..by_default
    };
    let error = build(mesh, &forced, &no_progress).expect_err("different costs");
    assert!(matches!(error, IndexError::World(_)), "{error:?}");
    assert!(error.to_string().contains("different costs"), "{error}");
}

#[test]
fn a_forced_tier_is_used_by_auto_if_there_is_no_other() {
    let small = WorldOptions {
        polygons: 200,
        ..WorldOptions::default()
    };
    let mesh = mesh(WorldScene::Open, &small);
    let alone = build(mesh.clone(), &options(&[Tier::Exact]), &no_progress).expect("an index");
    assert!(alone.tiers().eq([Tier::Exact]) && alone.auto_is_exact());
    let auto = alone.resolve_engine(Engine::default());
    assert_eq!(auto, Engine::Auto(Tier::Exact));
    let never = IndexOptions {
        exact_where_cheap: false,
        ..IndexOptions::default()
    };
    let world = build(mesh, &never, &no_progress).expect("an index");
    assert!(world.tiers().eq([Tier::Fast, Tier::Default]));
}

#[test]
fn the_decision_does_not_depend_on_the_number_of_threads() {
    let small = WorldOptions {
        polygons: 300,
        ..WorldOptions::default()
    };
    for scene in [WorldScene::Rooms, WorldScene::Open] {
        let built = [1, 2].map(|threads| {
            let options = IndexOptions {
                threads: Some(threads),
                ..options(&[Tier::Fast, Tier::Default, Tier::Exact])
            };
            let world = build(mesh(scene, &small), &options, &no_progress).expect("an index");
            (world.auto_is_exact(), world.exact_parts())
        });
        assert_eq!(built[0], built[1]);
    }
}

/// The number of pairs in the long run, over all scenes.
const PAIRS: usize = 1_000_000;
/// Of this many pairs, one is also answered by the interval search, which is slow.
const INTERVAL_SEARCH_EVERY: usize = 200;

/// A third of the ends are inside polygons, a third on vertices and a third on borders.
#[test]
fn both_methods_find_the_same_shortest_paths() {
    let (pairs, scenes) = match portolan_oracle::is_long_run() {
        true => (PAIRS, 20),
        false => (2000, 2),
    };
    let mut compared = 0;
    for index in 0..scenes {
        let scene = [WorldScene::Rooms, WorldScene::Open][index % 2];
        let options = WorldOptions {
            polygons: 150 + 150 * (index / 2),
            seed: index as u64,
            floors: 1 + index as u32 / 4 % 2,
            ..WorldOptions::default()
        };
        let tier = ExactOptions {
            limits: ExactLimits::NONE,
            auto: false,
        };
        let world = World::from_mesh(mesh(scene, &options));
        let labels = world.with_exact(tier, &no_progress).expect("equal costs");
        let lazy = labels.clone().with_lazy_exact();
        let mut oracle = IntervalSearch::new(labels.mesh(), |_| true);
        let mut rng = CaseRng::new(index as u64);
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        for pair in 0..pairs / scenes {
            let [start, goal] = [rng.location(labels.mesh()), rng.location(labels.mesh())];
            let found = [&labels, &lazy].map(|world| {
                let query = Query {
                    engine: Engine::Auto(Tier::Exact),
                    corridor: false,
                    ground_tolerance: f32::INFINITY,
                    ..Query::new(start.point, goal.point)
                };
                let located = world.located(&query, Endpoints { start, goal });
                let searched = located.expect("an exact tier").search(&mut scratch);
                (searched.waypoints(&mut path), path.length_xz())
            });
            let [(status, length), (lazy_status, lazy_length)] = found;
            let tolerance = 1e-9 * length + 1e-4;
            let context = format!("{scene:?} {index}: {start:?} to {goal:?}");
            assert_eq!(status, lazy_status, "{context}");
            assert!(
                (length - lazy_length).abs() <= tolerance,
                "{context}: {found:?}"
            );
            if pair % INTERVAL_SEARCH_EVERY == 0 {
                let shortest = oracle.length(start, goal);
                assert_eq!(
                    status == Status::Found,
                    shortest < f64::INFINITY,
                    "{context}"
                );
                let is_shortest = (length - shortest).abs() <= tolerance;
                assert!(
                    status != Status::Found || is_shortest,
                    "{context}: {shortest} {length}"
                );
                compared += 1;
            }
        }
    }
    println!("{pairs} pairs, {compared} of them compared with the interval search");
}
