//! Paths do not depend on the number of threads, the order of the queries or the state of the scratch.

use std::hash::{DefaultHasher, Hash, Hasher};

use glam::Vec3;
use portolan_core::{Crossing, Engine, Limits, Path, Query, Scratch, Status, Tier, World};
use portolan_oracle::{CaseRng, MeshPlan, with_tiers};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 240;

const ENGINES: [Engine; 7] = [
    Engine::AStar,
    Engine::Contraction(Tier::Fast),
    Engine::Contraction(Tier::Default),
    Engine::Dijkstra,
    Engine::Labels,
    Engine::Auto(Tier::Fast),
    Engine::Auto(Tier::Best),
];

fn world(scene: WorldScene, polygons: usize) -> World {
    let options = WorldOptions {
        polygons,
        seed: 21,
        areas: true,
        links: true,
        floors: 2,
        relief: 2.0,
    };
    let world = World::from_mesh(MeshPlan::Scene(scene, options).mesh());
    let order = (0..world.graph().sample_count() as u32).collect();
    let labelled = world
        .with_contraction(order)
        .expect("a valid order")
        .with_labels(usize::MAX);
    with_tiers(labelled.expect("labels within the limit"))
}

fn queries(world: &World, engine: Engine) -> Vec<Query<'static>> {
    let mut rng = CaseRng::new(9);
    let query = |rng: &mut CaseRng| Query {
        engine,
        limits: Limits {
            partial: rng.chance(0.3),
            ..Limits::default()
        },
        ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
    };
    (0..QUERIES).map(|_| query(&mut rng)).collect()
}

/// Hashes every bit of an answer.
fn hash_of(status: Status, path: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    status.hash(&mut hasher);
    path.cost.to_bits().hash(&mut hasher);
    path.corridor.polygons.hash(&mut hasher);
    for crossing in &path.corridor.crossings {
        match *crossing {
            Crossing::Portal(portal) => (0, portal.0, 0).hash(&mut hasher),
            Crossing::Link(link, end) => (1, link.0, end).hash(&mut hasher),
        }
    }
    let bits = |p: &Vec3| p.to_array().map(f32::to_bits);
    path.waypoints
        .iter()
        .map(bits)
        .collect::<Vec<_>>()
        .hash(&mut hasher);
    for leg in &path.links {
        (leg.waypoint, leg.link).hash(&mut hasher);
    }
    hasher.finish()
}

fn answers(world: &World, queries: &[Query<'_>], scratch: &mut Scratch) -> Vec<u64> {
    let mut path = Path::default();
    let answer = |query| {
        let status = world
            .find_path(query, scratch, &mut path)
            .expect("the world has this engine");
        hash_of(status, &path)
    };
    queries.iter().map(answer).collect()
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    for scene in WorldScene::ALL {
        let world = world(scene, 600);
        for engine in ENGINES {
            let queries = queries(&world, engine);
            let sequential = answers(&world, &queries, &mut Scratch::new());
            for threads in [1, 2, 4] {
                let chunks = queries.chunks(QUERIES.div_ceil(threads));
                let parallel: Vec<u64> = std::thread::scope(|scope| {
                    let workers: Vec<_> = chunks
                        .map(|chunk| scope.spawn(|| answers(&world, chunk, &mut Scratch::new())))
                        .collect();
                    let joined = workers.into_iter().map(|worker| worker.join());
                    joined
                        .flat_map(|answers| answers.expect("the worker did not panic"))
                        .collect()
                });
                assert_eq!(parallel, sequential, "{scene}, {engine}, {threads} threads");
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_order_of_queries() {
    let world = world(WorldScene::Rooms, 600);
    for engine in ENGINES {
        let mut queries = queries(&world, engine);
        let forward = answers(&world, &queries, &mut Scratch::new());
        queries.reverse();
        let mut backward = answers(&world, &queries, &mut Scratch::new());
        backward.reverse();
        assert_eq!(forward, backward, "{engine}");
    }
}

#[test]
fn answers_do_not_depend_on_earlier_use_of_the_scratch() {
    let worlds = [
        world(WorldScene::Rooms, 700),
        world(WorldScene::Open, 60),
        world(WorldScene::Open, 600),
        world(WorldScene::Rooms, 200),
    ];
    let mut scratch = Scratch::new();
    for (engine, world) in ENGINES
        .into_iter()
        .cycle()
        .zip(worlds.iter().cycle())
        .take(28)
    {
        let queries = queries(world, engine);
        let fresh = answers(world, &queries, &mut Scratch::new());
        assert_eq!(answers(world, &queries, &mut scratch), fresh, "{engine}");
    }
}

#[test]
fn equal_raw_meshes_build_equal_meshes() {
    let plan = MeshPlan::Scene(WorldScene::Open, WorldOptions::default());
    assert_eq!(plan.mesh(), plan.mesh());
}

#[test]
fn different_answers_have_different_hashes() {
    let world = world(WorldScene::Rooms, 1200);
    let mut hashes = answers(&world, &queries(&world, Engine::AStar), &mut Scratch::new());
    hashes.sort_unstable();
    hashes.dedup();
    assert!(hashes.len() > QUERIES / 2, "{}", hashes.len());
}
