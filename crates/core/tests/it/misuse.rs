//! Using costs of another world, or an engine that a world lacks, is an error and never gives a wrong path.

use glam::{Vec3, vec3};
use portolan_core::{
    Engine, EngineError, NavMeshOptions, Path, Profile, Query, RawNavMesh, Scratch, Status, Tier,
    World,
};
use portolan_scenes::{WorldOptions, WorldScene};

fn world(raw: RawNavMesh) -> World {
    World::build(raw, &NavMeshOptions::default()).expect("a valid world")
}

fn two_worlds() -> [World; 2] {
    [
        world(WorldScene::Rooms.build(&WorldOptions::default())),
        world(WorldScene::Open.build(&WorldOptions::default())),
    ]
}

fn query() -> Query<'static> {
    Query {
        snap: Vec3::splat(100.0),
        ..Query::new(vec3(1., 0., 1.), vec3(20., 0., 20.))
    }
}

fn find_path(world: &World, query: &Query<'_>) -> Result<Status, EngineError> {
    world.find_path(query, &mut Scratch::new(), &mut Path::default())
}

#[test]
fn costs_of_another_world_are_rejected() {
    let [one, other] = two_worlds();
    let costs = other.costs(&Profile::default());
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(find_path(&one, &query), Err(EngineError::ForeignCosts));
    assert_eq!(one.locate(&query).err(), Some(EngineError::ForeignCosts));
}

#[test]
fn costs_without_the_engine_are_rejected() {
    let [one, _] = two_worlds();
    let count = one.graph().sample_count() as u32;
    let world = one
        .with_contraction((0..count).collect())
        .expect("a valid order");
    let costs = world.costs_for(&Profile::default(), &[Engine::AStar]);
    let query_of = |engine| Query {
        engine,
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(
        find_path(&world, &query_of(Engine::AStar)),
        Ok(Status::Found)
    );
    let missing = Engine::Contraction(Tier::Fast);
    let error = find_path(&world, &query_of(missing)).unwrap_err();
    assert_eq!(error, EngineError::CostsLack(missing));
    assert!(error.to_string().contains("contraction:fast"), "{error}");
}

/// The error for an engine that a world lacks names the engine and the command that adds it.
#[test]
fn engines_that_a_world_lacks_are_rejected() {
    let [world, _] = two_worlds();
    for name in [
        "contraction",
        "contraction:fast",
        "auto:best",
        "labels",
        "hna",
        "pccp:2",
    ] {
        let engine: Engine = name.parse().expect("an engine");
        let query = Query { engine, ..query() };
        let error = find_path(&world, &query).unwrap_err();
        assert_eq!(Err(error.clone()), world.check_engine(engine));
        let message = error.to_string();
        assert!(
            message.starts_with(name) && message.contains("`portolan index"),
            "{message}"
        );
    }
}

#[test]
fn costs_of_a_world_are_valid_for_its_clone() {
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
                .expect("the world has this engine")
                .has_path()
        );
        path
    };
    assert_eq!(path(&one), path(&one.clone()));
}

/// Costs depend on the contraction, so a new contraction makes them invalid.
#[test]
fn costs_from_before_a_new_contraction_are_rejected() {
    let [world, _] = two_worlds();
    let count = world.graph().sample_count() as u32;
    let world = world
        .with_contraction((0..count).collect())
        .expect("a valid order");
    let costs = world.costs(&Profile::default());
    let world = world
        .with_contraction((0..count).rev().collect())
        .expect("a valid order");
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(find_path(&world, &query), Err(EngineError::ForeignCosts));
}
