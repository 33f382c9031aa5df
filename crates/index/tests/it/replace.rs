//! Worlds whose polygons are replaced at run time get the same index again.

use portolan_core::{
    Engine, LiveOptions, LiveWorld, NavMesh, NavMeshOptions, Path, PolygonId, Query, ReplaceError,
    Replacement, Scratch, Snapshot, Status, Tier, World, no_progress,
};
use portolan_index::{IndexOptions, build, indexer};
use portolan_oracle::{CaseRng, ReplacedGround, close};
use portolan_scenes::{WorldOptions, WorldScene};

fn options() -> IndexOptions {
    IndexOptions {
        tiers: Tier::ALL.to_vec(),
        #[cfg(feature = "metis")]
        hierarchy: Some(portolan_index::HierarchyOptions::default()),
        ..IndexOptions::default()
    }
}

fn world(scene: WorldScene, polygons: usize) -> World {
    let raw = scene.build(&WorldOptions {
        polygons,
        ..WorldOptions::default()
    });
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid scene");
    build(mesh, &options(), &no_progress).expect("valid options")
}

fn live(scene: WorldScene, polygons: usize, background: bool) -> LiveWorld {
    let options = LiveOptions {
        indexer: indexer(),
        background,
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world(scene, polygons), options)
}

/// Compares all engines with those of a world from scratch, between random points.
fn compare(snapshot: &Snapshot, scratch: &World, rng: &mut CaseRng) {
    let mut names = vec!["astar", "contraction:fast", "auto:fast", "auto:exact"];
    let taut = ["contraction", "auto:best"];
    if cfg!(feature = "metis") {
        names.extend(["hna:1", "hna:1:table", "pccp:1"]);
    }
    let (mut scratch_memory, mut path) = (Scratch::new(), Path::default());
    let mut find = |world: &World, engine: Engine, ends: [glam::Vec3; 2]| {
        let query = Query {
            engine,
            ..Query::new(ends[0], ends[1])
        };
        let status = world.find_path(&query, &mut scratch_memory, &mut path);
        (
            status.expect("the engine"),
            f64::from(path.cost),
            path.length_xz(),
        )
    };
    for _ in 0..40 {
        let ends = [(); 2].map(|()| rng.point_inside(&scratch.mesh().clone()));
        let dijkstra = find(scratch, Engine::Dijkstra, ends);
        for &name in names.iter().chain(&taut) {
            let engine: Engine = name.parse().expect("an engine");
            let found = find(snapshot, engine, ends);
            assert_eq!(found.0, dijkstra.0, "{name}");
            if found.0 != Status::Found {
                continue;
            }
            if name == "auto:exact" {
                let expected = find(scratch, engine, ends);
                assert!(
                    close(found.2, expected.2),
                    "{name}: {found:?} for {expected:?}"
                );
            } else if name == "pccp:1" {
                // Measured by the centres of polygons, so it may be longer.
                assert!(found.1 >= dijkstra.1 * 0.999);
            } else if names.contains(&name) {
                assert!(
                    close(found.1, dijkstra.1),
                    "{name}: {found:?} for {dijkstra:?}"
                );
            } else {
                // Another order joins other shortcuts, so lengths are nearly the same.
                let expected = find(scratch, engine, ends);
                assert!(
                    found.2 <= expected.2 * 1.1,
                    "{name}: {found:?} for {expected:?}"
                );
            }
        }
    }
}

#[test]
fn every_engine_of_the_index_is_made_again() {
    for (scene, seed) in [(WorldScene::Rooms, 1), (WorldScene::Open, 2)] {
        let live = live(scene, 400, false);
        let first = live.snapshot();
        let mut ground = ReplacedGround::new(first.mesh());
        let mut rng = CaseRng::new(seed);
        for _ in 0..3 {
            let replacement = ground.random(&mut rng);
            // Areas with factors of their own have no exact paths, and links change nothing here.
            let mut replacement = replacement;
            replacement.add.areas.clear();
            replacement.add.links.clear();
            let replacing = live.replace(&replacement).expect("valid");
            let replaced = replacing.wait().expect("an index");
            ground.replace(&replacement, &replaced);
            let snapshot = live.snapshot();
            assert!(snapshot.tiers().eq(first.tiers()), "the tiers stay");
            assert_eq!(snapshot.hierarchy().is_some(), first.hierarchy().is_some());
            for tier in Tier::TAUT {
                let samples = |world: &World| world.tier(tier).map(|(graph, _)| graph.options());
                assert_eq!(samples(&snapshot), samples(&first));
            }
            let scratch = build(ground.from_scratch().mesh, &options(), &no_progress);
            compare(&snapshot, &scratch.expect("valid options"), &mut rng);
        }
    }
}

#[test]
fn making_the_index_can_be_stopped() {
    let live = live(WorldScene::Open, 3000, true);
    let hole = Replacement {
        remove: vec![PolygonId(3)],
        ..Replacement::default()
    };
    let replacing = live.replace(&hole).expect("valid");
    replacing.cancel();
    assert_eq!(replacing.wait(), Err(ReplaceError::Cancelled));
    assert_eq!(live.snapshot().version(), 0);
    let replaced = live
        .replace(&hole)
        .expect("valid")
        .wait()
        .expect("an index");
    assert_eq!(live.snapshot().version(), replaced.version);
}
