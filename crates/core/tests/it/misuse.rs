//! What belongs to one world is refused by another, rather than giving wrong paths.

use glam::{Vec3, vec3};
use portolan_core::{
    Engine, EngineError, NavMeshOptions, Path, Profile, Query, RawNavMesh, Scratch, Status, Tier,
    World,
};
use portolan_scenes::{WorldOptions, WorldScene};

fn world(raw: RawNavMesh) -> World {
    World::build(raw, &NavMeshOptions::default()).expect("a sound world")
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

fn ask(world: &World, query: &Query<'_>) -> Result<Status, EngineError> {
    world.find_path(query, &mut Scratch::new(), &mut Path::default())
}

#[test]
fn costs_of_another_world() {
    let [one, other] = two_worlds();
    let costs = other.costs(&Profile::default());
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(ask(&one, &query), Err(EngineError::ForeignCosts));
    assert_eq!(one.locate(&query).err(), Some(EngineError::ForeignCosts));
}

#[test]
fn costs_for_other_engines() {
    let [one, _] = two_worlds();
    let count = one.graph().sample_count() as u32;
    let world = one.with_contraction((0..count).collect());
    let costs = world.costs_for(&Profile::default(), &[Engine::AStar]);
    let asked = |engine| Query {
        engine,
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(ask(&world, &asked(Engine::AStar)), Ok(Status::Found));
    let lacking = Engine::Contraction(Tier::Fast);
    let error = ask(&world, &asked(lacking)).unwrap_err();
    assert_eq!(error, EngineError::CostsLack(lacking));
    assert!(error.to_string().contains("contraction:fast"), "{error}");
}

/// Every engine that a world lacks is an error, in the words that the command line prints.
#[test]
fn engines_that_a_world_lacks() {
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
        let error = ask(&world, &query).unwrap_err();
        assert_eq!(Err(error.clone()), world.check_engine(engine));
        let words = error.to_string();
        assert!(
            words.starts_with(name) && words.contains("`portolan index"),
            "{words}"
        );
    }
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
                .expect("an engine of this world")
                .has_path()
        );
        path
    };
    assert_eq!(path(&one), path(&one.clone()));
}

/// They know nothing of the contraction, or of another one.
#[test]
fn costs_from_before_the_contraction() {
    let [world, _] = two_worlds();
    let count = world.graph().sample_count() as u32;
    let world = world.with_contraction((0..count).collect());
    let costs = world.costs(&Profile::default());
    let world = world.with_contraction((0..count).rev().collect());
    let query = Query {
        costs: Some(&costs),
        ..query()
    };
    assert_eq!(ask(&world, &query), Err(EngineError::ForeignCosts));
}
