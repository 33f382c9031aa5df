//! A warm query allocates nothing.

use allocation_counter::measure;
use portolan_core::{
    Costs, Engine, Limits, NavMeshOptions, Path, Profile, Query, Scratch, Status, Tier, World,
};
use portolan_oracle::{CaseRng, LevelsOptions, Plan, random_partition, with_levels, with_tiers};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 200;

/// Worlds with all that can make a query use memory.
fn worlds() -> Vec<World> {
    let plan = |scene| {
        let options = WorldOptions {
            polygons: 700,
            seed: 11,
            areas: true,
            links: true,
            floors: 2,
            relief: 3.0,
        };
        Plan::Scene(scene, options)
    };
    let hills = World::build(
        portolan_oracle::hills::hills(100, 10, 11),
        &NavMeshOptions::default(),
    );
    let indexed = |scene| {
        let mesh = plan(scene).mesh();
        let partition = random_partition(&mesh, 8, 3);
        let world = with_levels(mesh, partition, &LevelsOptions::default());
        // Polygons are numbered by node, and so are their portals, more or less.
        let order = (0..world.graph().sample_count() as u32).collect();
        let labelled = world
            .with_contraction(order)
            .expect("an order")
            .with_labels(usize::MAX);
        with_tiers(labelled.expect("labels of any size"))
    };
    WorldScene::ALL
        .into_iter()
        .map(indexed)
        .chain(hills)
        .collect()
}

fn queries<'a>(world: &World, costs: &'a Costs, engine: Engine) -> Vec<Query<'a>> {
    let mut rng = CaseRng::new(4);
    let query = |rng: &mut CaseRng| Query {
        engine,
        costs: rng.chance(0.5).then_some(costs),
        limits: Limits {
            partial: rng.chance(0.3),
            ..Limits::default()
        },
        ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
    };
    (0..QUERIES).map(|_| query(&mut rng)).collect()
}

/// Runs all queries and counts how many had a path.
fn run(world: &World, queries: &[Query<'_>], scratch: &mut Scratch, path: &mut Path) -> usize {
    let statuses = queries.iter().map(|query| {
        world
            .find_path(query, scratch, path)
            .expect("an engine of this world")
    });
    statuses.filter(|status| status.has_path()).count()
}

#[test]
fn the_second_time_nothing_is_allocated() {
    for world in worlds() {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut profile = Profile::default();
        profile.set_factor(1, 0.5).expect("a factor");
        profile.forbid(2);
        let costs = world.costs(&profile);
        // Whoever shares work between threads hands out jobs.
        let hands_out = |engine: &Engine| engine.to_string().ends_with("parallel");
        for engine in world.engines().into_iter().filter(|e| !hands_out(e)) {
            let queries = queries(&world, &costs, engine);
            let found = run(&world, &queries, &mut scratch, &mut path);
            assert!(found > QUERIES / 3, "{engine}: only {found}");
            let mut again = 0;
            let warm = measure(|| again = run(&world, &queries, &mut scratch, &mut path));
            assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{engine}");
            assert_eq!(again, found);
        }
    }
}

#[test]
fn distances_allocate_nothing_the_second_time() {
    for world in worlds() {
        let costs = world.costs(&Profile::default());
        let mut scratch = Scratch::new();
        for engine in [
            Engine::Labels,
            Engine::Contraction(Tier::Default),
            Engine::AStar,
        ] {
            if world.check_engine(engine).is_err() {
                continue;
            }
            let queries = queries(&world, &costs, engine);
            let located = queries.iter().map(|query| {
                Some((
                    query,
                    world
                        .locate(query)
                        .expect("an engine of this world")
                        .endpoints()
                        .ok()?,
                ))
            });
            let located: Vec<_> = located.flatten().collect();
            let mut run = || {
                let distances = located.iter().map(|(query, ends)| {
                    let distance = world
                        .located(query, *ends)
                        .expect("the engine")
                        .distance(&mut scratch);
                    distance.is_some()
                });
                distances.filter(|&found| found).count()
            };
            let found = run();
            assert!(found > QUERIES / 3, "{engine}: only {found}");
            let mut again = 0;
            let warm = measure(|| again = run());
            assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{engine}");
            assert_eq!(again, found);
        }
    }
}

#[test]
fn the_first_time_something_is() {
    let world = &worlds()[0];
    let costs = world.costs(&Profile::default());
    let queries = queries(world, &costs, Engine::AStar);
    let cold = measure(|| {
        run(world, &queries, &mut Scratch::new(), &mut Path::default());
    });
    assert!(cold.count_total > 0 && cold.bytes_total > 1000, "{cold:?}");
}

#[test]
fn locating_allocates_nothing_even_the_first_time() {
    let world = &worlds()[1];
    let costs = world.costs(&Profile::default());
    let queries = queries(world, &costs, Engine::AStar);
    let mut on_mesh = 0;
    let counted = measure(|| {
        on_mesh = queries
            .iter()
            .filter(|q| {
                world
                    .locate(q)
                    .expect("an engine of this world")
                    .endpoints()
                    .is_ok()
            })
            .count()
    });
    assert_eq!(counted.count_total, 0);
    assert!(on_mesh > QUERIES / 2);
    let off = Query::new(glam::Vec3::NAN, glam::Vec3::ZERO);
    assert_eq!(
        world
            .locate(&off)
            .expect("an engine of this world")
            .endpoints(),
        Err(Status::StartOffMesh)
    );
}
