//! Batches equal single queries, whatever the number of threads and the order of the queries.

use glam::Vec3;
use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, Costs, Crossing, Endpoints, Engine, EngineError,
    Limits, NavMesh, NavMeshOptions, Path, PolygonId, Query, Scratch, Status, Tier, Want, World,
};
use portolan_oracle::{
    CaseRng, LevelsOptions, MeshPlan, Oracle, agents, close, densities, plans, random_partition,
    with_levels, with_tiers,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

use crate::many::build;

const FAST: Engine = Engine::Contraction(Tier::Fast);

/// Draws queries: near the mesh, off the mesh, not finite, and with goals that several of them share.
fn queries(rng: &mut CaseRng, mesh: &NavMesh, count: usize) -> Vec<[Vec3; 2]> {
    let shared = rng.point_near(mesh);
    let query = |rng: &mut CaseRng| {
        let goal = match rng.below(10) {
            0 => Vec3::NAN,
            1..=4 => shared,
            _ => rng.point_near(mesh),
        };
        [rng.point_near(mesh), goal]
    };
    (0..count).map(|_| query(rng)).collect()
}

fn answer(world: &World, queries: BatchQueries<'_>, options: &BatchOptions<'_>) -> BatchAnswers {
    let mut answers = BatchAnswers::default();
    let result = world.find_paths(queries, options, &mut answers);
    assert_eq!(result, Ok(()));
    assert_eq!(answers.len(), queries.len());
    answers
}

/// Returns everything that a batch has answered, as bits, so that NaN equals NaN.
fn bits(answers: &BatchAnswers, query: usize) -> Vec<u32> {
    let mut bits = vec![
        answers.statuses[query] as u32,
        answers.costs[query].to_bits(),
    ];
    let points = |points: &[Vec3]| -> Vec<u32> {
        let coordinates = points.iter().flat_map(|point| point.to_array());
        coordinates.map(f32::to_bits).collect()
    };
    bits.extend(
        answers
            .distances
            .get(query)
            .map(|distance| distance.to_bits()),
    );
    bits.extend(answers.polygons.get(query).map(|polygon| polygon.0));
    bits.extend(
        answers
            .portals
            .get(query)
            .into_iter()
            .flat_map(|ends| points(ends)),
    );
    bits.extend(
        answers
            .next
            .get(query)
            .into_iter()
            .flat_map(|&next| points(&[next])),
    );
    if !answers.corridors.is_empty() {
        bits.extend(answers.corridors.get(query).iter().map(|polygon| polygon.0));
    }
    if !answers.waypoints.is_empty() {
        bits.extend(points(answers.waypoints.get(query)));
    }
    bits
}

/// Checks the answer to one query against the path of a single one.
fn check_path(answers: &BatchAnswers, index: usize, want: Want, (status, path): (Status, &Path)) {
    assert_eq!(answers.statuses[index], status);
    if !status.has_path() {
        assert_eq!(answers.costs[index], f32::INFINITY);
        assert!(want != Want::Next || answers.next[index].is_nan());
        return;
    }
    assert_eq!(answers.costs[index], path.cost);
    match want {
        Want::Portal => unreachable!("checked elsewhere"),
        Want::Next => assert_eq!(answers.next[index], path.waypoints[1]),
        _ => assert_eq!(answers.distances[index], path.length() as f32),
    }
    if matches!(want, Want::Corridor | Want::Waypoints) {
        assert_eq!(answers.corridors.get(index), &path.corridor.polygons[..]);
    }
    if want == Want::Waypoints {
        assert_eq!(answers.waypoints.get(index), &path.waypoints[..]);
    }
}

/// Checks all answers of an engine against single queries.
fn check_engine(
    world: &World,
    costs: &Costs,
    engine: Engine,
    queries: &[[Vec3; 2]],
    limits: Limits,
) {
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for want in Want::ALL {
        let options = BatchOptions {
            engine,
            costs: Some(costs),
            limits,
            ..BatchOptions::new(want)
        };
        if want == Want::Portal || engine == Engine::Labels && want == Want::Next {
            continue;
        }
        let answers = answer(world, BatchQueries::Points(queries), &options);
        for (index, &[from, to]) in queries.iter().enumerate() {
            let query = Query {
                engine,
                costs: Some(costs),
                limits,
                ..Query::new(from, to)
            };
            let status = world.find_path(&query, &mut scratch, &mut path);
            let status = status.expect("the world has this engine");
            check_path(&answers, index, want, (status, &path));
        }
    }
}

/// Checks first portals against the costs of the oracle.
fn check_portals(
    world: &World,
    costs: &Costs,
    oracle: &Oracle,
    engine: Engine,
    queries: &[[Vec3; 2]],
) {
    let options = BatchOptions {
        engine,
        costs: Some(costs),
        ..BatchOptions::new(Want::Portal)
    };
    let answers = answer(world, BatchQueries::Points(queries), &options);
    let mesh = world.mesh();
    for (index, &[from, to]) in queries.iter().enumerate() {
        let query = Query {
            engine: FAST,
            costs: Some(costs),
            ..Query::new(from, to)
        };
        let located = world.locate(&query).expect("the world has a fast tier");
        let ends = match located.endpoints() {
            Ok(ends) => ends,
            Err(status) => {
                assert_eq!(answers.statuses[index], status);
                continue;
            }
        };
        let Some(single) = located.distance(&mut Scratch::new()) else {
            assert_eq!(answers.statuses[index], Status::NoPath);
            assert_eq!(answers.polygons[index], BatchAnswers::NO_POLYGON);
            continue;
        };
        assert_eq!(answers.statuses[index], Status::Found);
        let cost = f64::from(answers.costs[index]);
        assert!(close(cost, single.cost.into()), "{cost}, {}", single.cost);
        let first = crossing(mesh, ends, answers.polygons[index], answers.portals[index]);
        let via = oracle.cost_via(mesh, &ends, first);
        assert!(close(cost, via), "{cost}, but {via} over {first:?}");
    }
}

/// Returns the crossing that an answer means.
fn crossing(
    mesh: &NavMesh,
    ends: Endpoints,
    beyond: PolygonId,
    points: [Vec3; 2],
) -> Option<Crossing> {
    let start = ends.start.polygon;
    let mut portals = mesh.portals_of(start).iter();
    let portal = portals.find(|&&portal| {
        let portal = mesh.portal(portal);
        portal.polygons.contains(&beyond) && portal.ends_from(start) == points
    });
    if let Some(&portal) = portal {
        return Some(Crossing::Portal(portal));
    }
    let links = (0..).map(portolan_core::LinkId).zip(mesh.links());
    let mut sides = links.flat_map(|(id, link)| [(id, link, 0), (id, link, 1)]);
    let link = sides.find(|&(_, link, side)| {
        link.polygons[side] == start
            && link.polygons[1 - side] == beyond
            && [link.ends[side], link.ends[1 - side]] == points
            && (side == 0 || link.both_ways)
    });
    if let Some((id, _, side)) = link {
        return Some(Crossing::Link(id, side as u8));
    }
    assert_eq!((beyond, points), (start, [ends.goal.point; 2]));
    None
}

/// Builds a world with everything that engines can use.
fn indexed(plan: &MeshPlan, seed: u64) -> World {
    let mesh = plan.mesh();
    let partition = random_partition(&mesh, 8, seed);
    let world = with_levels(mesh, partition, &LevelsOptions::default());
    let order = (0..world.graph().sample_count() as u32).collect();
    let world = world.with_contraction(order).expect("a valid order");
    with_tiers(world.with_labels(usize::MAX).expect("no limit"))
}

/// Returns the plan of a scene with areas, links, two floors and hills.
fn scene(scene: WorldScene, polygons: usize) -> MeshPlan {
    let options = WorldOptions {
        polygons,
        seed: 11,
        areas: true,
        links: true,
        floors: 2,
        relief: 3.0,
    };
    MeshPlan::Scene(scene, options)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    #[test]
    fn answers_equal_those_of_single_queries(plan in plans(), agent in agents(), seed: u64) {
        let world = indexed(&plan, seed);
        let costs = world.costs(&agent.profile());
        let mut rng = CaseRng::new(seed);
        let queries = queries(&mut rng, world.mesh(), 20);
        for engine in world.engines() {
            let limits = Limits {
                partial: rng.chance(0.3),
                max_cost: if rng.chance(0.3) { rng.between(0.0, 50.0) } else { f32::INFINITY },
            };
            check_engine(&world, &costs, engine, &queries, limits);
        }
        for engine in [Engine::Labels, FAST, Engine::AStar] {
            let oracle = Oracle::new(world.mesh(), &agent.profile(), world.graph().options().samples);
            check_portals(&world, &costs, &oracle, engine, &queries);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(1000))]

    #[test]
    fn first_portals_by_labels_are_on_cheapest_paths(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let graph = portolan_core::GraphOptions { samples, ..Default::default() };
        let world = build(plan.mesh(), &graph, Some(&mut rng));
        let costs = world.costs(&agent.profile());
        let oracle = Oracle::new(world.mesh(), &agent.profile(), samples);
        let queries = queries(&mut rng, world.mesh(), 40);
        check_portals(&world, &costs, &oracle, Engine::Labels, &queries);
    }

    /// Costs that have no ties in practice: random triangles, and one cost per metre.
    #[test]
    fn first_waypoints_by_labels_are_those_of_single_queries(polygons in 20usize..200, seed: u64) {
        let options = WorldOptions { polygons, seed, relief: 3.0, links: true, ..WorldOptions::default() };
        let mesh = MeshPlan::Scene(WorldScene::Open, options).mesh();
        let mut rng = CaseRng::new(seed);
        let world = build(mesh, &Default::default(), Some(&mut rng));
        let queries = queries(&mut rng, world.mesh(), 40);
        let answers = answer(&world, BatchQueries::Points(&queries), &BatchOptions::new(Want::Next));
        let by_query = BatchOptions { engine: FAST, ..BatchOptions::new(Want::Next) };
        let expected = answer(&world, BatchQueries::Points(&queries), &by_query);
        for index in 0..queries.len() {
            prop_assert_eq!(answers.statuses[index], expected.statuses[index]);
            let costs = [answers.costs[index], expected.costs[index]];
            prop_assert!(costs[0] == costs[1] || close(costs[0].into(), costs[1].into()));
            if answers.statuses[index] == Status::Found {
                let next = answers.next[index];
                prop_assert_eq!(next, expected.next[index]);
                // Several portals may end at a corner, so a path may enter several polygons there.
                let polygons = [&answers, &expected].map(|answers| answers.polygons[index]);
                let is_at_corner = |polygon: PolygonId| {
                    let mut portals = world.mesh().portals_of(polygon).iter();
                    portals.any(|&portal| world.mesh().portal(portal).ends_from(polygon).contains(&next))
                };
                prop_assert!(polygons[0] == polygons[1] || polygons.into_iter().all(is_at_corner));
            }
        }
    }
}

#[test]
fn answers_depend_neither_on_threads_nor_on_the_order() {
    for kind in WorldScene::ALL {
        let world = indexed(&scene(kind, 300), 5);
        let mut rng = CaseRng::new(7);
        let queries = queries(&mut rng, world.mesh(), 5000);
        let mut order: Vec<usize> = (0..queries.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let shuffled: Vec<_> = order.iter().map(|&index| queries[index]).collect();
        for (want, engine) in Want::ALL.into_iter().flat_map(|want| {
            [want.default_engine(), FAST, Engine::AStar].map(|engine| (want, engine))
        }) {
            let options = BatchOptions {
                engine,
                ..BatchOptions::new(want)
            };
            let expected = answer(&world, BatchQueries::Points(&queries), &options);
            for threads in [1, 2, 4] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("a pool of threads");
                let answers =
                    pool.install(|| answer(&world, BatchQueries::Points(&shuffled), &options));
                for (index, &query) in order.iter().enumerate() {
                    assert_eq!(bits(&answers, index), bits(&expected, query));
                }
            }
        }
    }
}

#[test]
fn goals_that_many_agents_share_change_no_answer() {
    let world = indexed(&scene(WorldScene::Rooms, 200), 5);
    let mut rng = CaseRng::new(3);
    let goals = [0, 1].map(|_| rng.location(world.mesh()));
    let endpoints: Vec<Endpoints> = (0..2000)
        .map(|index| Endpoints {
            start: rng.location(world.mesh()),
            goal: goals[index % 2],
        })
        .collect();
    for want in [Want::Portal, Want::Next] {
        let options = BatchOptions::new(want);
        let shared = answer(&world, BatchQueries::Located(&endpoints), &options);
        for (index, ends) in endpoints.iter().enumerate() {
            let single = answer(&world, BatchQueries::Located(&[*ends]), &options);
            assert_eq!(bits(&shared, index), bits(&single, 0));
        }
    }
}

#[test]
fn what_a_world_lacks_is_an_error() {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    let world = World::build(raw, &NavMeshOptions::default()).expect("a valid mesh");
    let mut answers = BatchAnswers::default();
    let mut find = |world: &World, options: &BatchOptions<'_>| {
        world.find_paths(BatchQueries::Points(&[]), options, &mut answers)
    };
    let portal = BatchOptions::new(Want::Portal);
    assert_eq!(
        find(&world, &portal),
        Err(EngineError::NoContraction(Engine::Labels))
    );
    let options = BatchOptions {
        engine: FAST,
        ..portal
    };
    assert_eq!(
        find(&world, &options),
        Err(EngineError::NoContraction(FAST))
    );
    let order = (0..world.graph().sample_count() as u32).collect();
    let contracted = world.clone().with_contraction(order).expect("an order");
    assert_eq!(find(&contracted, &portal), Ok(()));
    let options = BatchOptions {
        max_label_bytes: 100,
        ..portal
    };
    let error = find(&contracted, &options).expect_err("labels are larger");
    assert!(matches!(
        error,
        EngineError::LabelsTooLarge { limit: 100, .. }
    ));
    assert!(error.to_string().contains("contraction:fast"), "{error}");
    let options = BatchOptions {
        costs: Some(world.default_costs()),
        ..portal
    };
    assert_eq!(find(&contracted, &options), Err(EngineError::ForeignCosts));
}
