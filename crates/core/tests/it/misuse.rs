//! What belongs to one world is refused by another, rather than giving wrong paths.

use glam::{Vec3, vec3};
use portolan_core::{NavMeshOptions, Path, Profile, Query, RawNavMesh, Scratch, World};
use portolan_scenes::worlds::{WorldOptions, open, rooms};

fn world(raw: RawNavMesh) -> World {
    World::build(raw, &NavMeshOptions::default()).expect("a sound world")
}

fn two_worlds() -> [World; 2] {
    [
        world(rooms(&WorldOptions::default())),
        world(open(&WorldOptions::default())),
    ]
}

fn query() -> Query<'static> {
    Query {
        snap: Vec3::splat(100.0),
        ..Query::new(vec3(1., 0., 1.), vec3(20., 0., 20.))
    }
}

#[test]
#[should_panic = "these costs were made for another world"]
fn costs_of_another_world() {
    let [one, other] = two_worlds();
    let costs = other.costs(&Profile::default());
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    one.find_path(&query, &mut Scratch::new(), &mut Path::default());
}

#[test]
#[should_panic = "the last search was of another world"]
fn a_scratch_last_used_by_another_world() {
    let [one, other] = two_worlds();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let ends = one.locate(&query()).expect("both on the mesh");
    let outcome = one.search(&query(), &ends, &mut scratch);
    other.find_path(&query(), &mut scratch, &mut path);
    one.waypoints(&query(), &ends, outcome, &mut scratch, &mut path);
}

#[test]
fn a_clone_is_the_same_world() {
    let [one, _] = two_worlds();
    let costs = one.costs(&Profile::default());
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    let path = |world: &World| {
        let mut path = Path::default();
        assert!(
            world
                .find_path(&query, &mut Scratch::new(), &mut path)
                .has_path()
        );
        path
    };
    assert_eq!(path(&one), path(&one.clone()));
}

/// They know nothing of the contraction, or of another one.
#[test]
#[should_panic = "these costs were made for another world"]
fn costs_from_before_the_contraction() {
    let [world, _] = two_worlds();
    let count = world.graph().sample_count() as u32;
    let world = world
        .with_contraction((0..count).collect())
        .expect("an order");
    let costs = world.costs(&Profile::default());
    let world = world
        .with_contraction((0..count).rev().collect())
        .expect("an order");
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    world.find_path(&query, &mut Scratch::new(), &mut Path::default());
}
