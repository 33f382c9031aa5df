//! Questions with more than one start or goal equal single queries, to the bit.

use glam::Vec3;
use portolan_core::{
    CostModel, Costs, DEFAULT_SNAP, Ends, Engine, EngineError, GraphOptions, Location, ManyScratch,
    NavMesh, NavMeshOptions, Path, PolygonId, Profile, Query, ReachedPolygon, Samples, Scratch,
    Status, Terminal, Tier, World,
};
use portolan_oracle::{CaseRng, agents, close, densities, fixed_plan, plans, random_order};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Builds a world, with a contraction if asked for.
pub(crate) fn build(mesh: NavMesh, graph: &GraphOptions, order: Option<&mut CaseRng>) -> World {
    let world = World::new(mesh, graph, &Profile::default()).expect("a valid graph");
    let Some(rng) = order else {
        return world;
    };
    let order = random_order(rng, world.graph().sample_count());
    world.with_contraction(order).expect("a valid order")
}

/// Draws the options of a graph.
pub(crate) fn graphs() -> impl Strategy<Value = GraphOptions> {
    let models = prop_oneof![
        4 => Just(CostModel::Portals),
        1 => Just(CostModel::Plan),
        1 => Just(CostModel::Published),
    ];
    (densities(), models).prop_map(|(samples, cost_model)| {
        let samples = match cost_model {
            CostModel::Published => Samples::Each(1),
            _ => samples,
        };
        GraphOptions {
            samples,
            cost_model,
        }
    })
}

/// Returns the status and the cost of a single query; infinity if there is no path.
fn single(world: &World, costs: &Costs, engine: Engine, [from, to]: [Vec3; 2]) -> (Status, f32) {
    let query = Query {
        engine,
        costs: Some(costs),
        ..Query::new(from, to)
    };
    let mut path = Path::default();
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("the world has this engine");
    match status {
        Status::Found => (status, path.cost),
        _ => (status, f32::INFINITY),
    }
}

/// Draws positions: near the mesh, off the mesh, not finite, and twice the same.
fn positions(rng: &mut CaseRng, mesh: &NavMesh) -> Vec<Vec3> {
    let mut positions: Vec<Vec3> = (0..rng.below(9)).map(|_| rng.point_near(mesh)).collect();
    if let Some(&first) = positions.first().filter(|_| rng.chance(0.3)) {
        positions.push(first);
    }
    if rng.chance(0.2) {
        positions.push(Vec3::NAN);
    }
    positions
}

/// Checks costs, matrix and nearest ends of random positions.
fn check(world: &World, costs: &Costs, rng: &mut CaseRng) {
    let many = world.many_with(costs).expect("costs of this world");
    let engine = match world.contraction() {
        Some(_) => Engine::Contraction(Tier::Fast),
        None => Engine::Dijkstra,
    };
    let [from, to] = [0, 1].map(|_| positions(rng, world.mesh()));
    let starts = many.ends(Terminal::Start, &from, DEFAULT_SNAP);
    let goals = many.ends(Terminal::Goal, &to, DEFAULT_SNAP);
    let mut matrix = vec![7.0; 3];
    many.matrix(&starts, &goals, &mut matrix);
    assert_eq!(matrix.len(), from.len() * to.len());
    let expected =
        |start: usize, goal: usize| single(world, costs, engine, [from[start], to[goal]]).1;
    for start in 0..from.len() {
        for goal in 0..to.len() {
            let cost = matrix[start * to.len() + goal];
            assert_eq!(cost.to_bits(), expected(start, goal).to_bits());
        }
    }
    let (mut scratch, mut row) = (ManyScratch::default(), vec![7.0; 50]);
    let nearest = many.nearest_ends(goals.clone());
    for start in 0..from.len() {
        let Ok(location) = starts.location(start) else {
            let status = single(world, costs, engine, [from[start], from[start]]).0;
            assert_eq!(starts.location(start), Err(status));
            continue;
        };
        many.costs(location, &goals, &mut scratch, &mut row);
        let bits =
            |costs: &[f32]| -> Vec<u32> { costs.iter().map(|cost| cost.to_bits()).collect() };
        assert_eq!(bits(&row), bits(&matrix[start * to.len()..][..to.len()]));
        let best = row.iter().copied().enumerate();
        let best = best.filter(|(_, cost)| cost.is_finite());
        let best = best.min_by(|a, b| a.1.total_cmp(&b.1));
        let found = nearest.find(many, location, &mut scratch);
        assert_eq!(found.map(|found| (found.index, found.cost)), best);
    }
    let nearest = many.nearest_ends(starts.clone());
    for goal in 0..to.len() {
        let Ok(location) = goals.location(goal) else {
            continue;
        };
        many.costs(location, &starts, &mut scratch, &mut row);
        let column = (0..from.len()).map(|start| matrix[start * to.len() + goal]);
        for (cost, expected) in row.iter().zip(column) {
            match world.contraction() {
                Some(_) => assert_eq!(cost.to_bits(), expected.to_bits()),
                None => assert!(*cost == expected || close((*cost).into(), expected.into())),
            }
        }
        let best = row.iter().copied().enumerate();
        let best = best.filter(|(_, cost)| cost.is_finite());
        let best = best.min_by(|a, b| a.1.total_cmp(&b.1));
        let found = nearest.find(many, location, &mut scratch);
        assert_eq!(found.map(|found| (found.index, found.cost)), best);
    }
    check_paths(world, costs, [&starts, &goals], &matrix);
}

/// Checks that paths have the costs of the matrix.
fn check_paths(world: &World, costs: &Costs, [starts, goals]: [&Ends; 2], matrix: &[f32]) {
    let many = world.many_with(costs).expect("costs of this world");
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for (index, &cost) in matrix.iter().enumerate() {
        let start = starts.location(index / goals.len());
        let (Ok(start), Ok(goal)) = (start, goals.location(index % goals.len())) else {
            assert_eq!(cost, f32::INFINITY);
            continue;
        };
        match many.path(start, goal, &mut scratch, &mut path) {
            Status::Found => {
                assert_eq!(path.cost.to_bits(), cost.to_bits());
                assert!(path.length() >= 0.0);
            }
            status => assert_eq!((status, cost), (Status::NoPath, f32::INFINITY)),
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn costs_have_the_bits_of_single_queries(
        plan in plans(), agent in agents(), graph in graphs(), is_contracted: bool, seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let world = build(plan.mesh(), &graph, is_contracted.then_some(&mut rng));
        let costs = world.costs(&agent.profile());
        check(&world, &costs, &mut rng);
    }

    /// Within a limit there are exactly the polygons that Dijkstra's algorithm reaches, at the same costs.
    #[test]
    fn polygons_within_a_limit_are_those_of_single_queries(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let graph = GraphOptions { samples, ..GraphOptions::default() };
        let world = build(plan.mesh(), &graph, None);
        let (mesh, costs) = (world.mesh(), world.costs(&agent.profile()));
        let many = world.many_with(&costs).expect("costs of this world");
        let Some(from) = many.locate(rng.point_near(mesh), DEFAULT_SNAP) else {
            return Ok(());
        };
        let limit = rng.between(0.0, 30.0);
        let end = [Terminal::Start, Terminal::Goal][rng.below(2)];
        let mut reached = vec![ReachedPolygon { polygon: PolygonId(0), cost: 1.0 }];
        many.within(end, from, limit, &mut ManyScratch::default(), &mut reached);
        prop_assert!(reached.is_sorted_by(|a, b| a.cost <= b.cost));
        let mut scratch = Scratch::new();
        for polygon in mesh.polygons() {
            let found = reached.iter().filter(|reached| reached.polygon == polygon);
            let found: Vec<f32> = found.map(|reached| reached.cost).collect();
            let mut path = Path::default();
            let mut cost_of = |point| {
                let other = Location { polygon, point };
                let [start, goal] = match end {
                    Terminal::Start => [from, other],
                    Terminal::Goal => [other, from],
                };
                match many.path(start, goal, &mut scratch, &mut path) {
                    Status::Found => path.cost,
                    _ => f32::INFINITY,
                }
            };
            let samples = world.graph().samples_of(polygon);
            let costs = samples.map(|sample| cost_of(world.graph().position(sample)));
            let min = costs.fold(f32::INFINITY, f32::min);
            let expected = if polygon == from.polygon { 0.0 } else { min };
            match (&found[..], end) {
                ([], Terminal::Start) => prop_assert!(expected > limit),
                ([cost], Terminal::Start) => prop_assert_eq!(cost.to_bits(), expected.to_bits()),
                // A search backwards adds the same arcs in another order.
                ([], Terminal::Goal) => prop_assert!(expected > limit * 0.9999),
                ([cost], Terminal::Goal) => prop_assert!(close((*cost).into(), expected.into())),
                _ => prop_assert!(false, "{:?} is listed twice", polygon),
            }
        }
    }
}

/// A matrix is the same on any number of threads.
#[test]
fn matrices_do_not_depend_on_threads() {
    let mut rng = CaseRng::new(5);
    let options = WorldOptions {
        polygons: 900,
        links: true,
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(
        WorldScene::Rooms.build(&options),
        &NavMeshOptions::default(),
    );
    let world = build(
        mesh.expect("a valid scene"),
        &GraphOptions::default(),
        Some(&mut rng),
    );
    let positions: Vec<Vec3> = (0..50).map(|_| rng.point_on(world.mesh())).collect();
    let many = world.many();
    let [starts, goals] =
        [Terminal::Start, Terminal::Goal].map(|end| many.ends(end, &positions, DEFAULT_SNAP));
    let matrix = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let mut costs = Vec::new();
        pool.expect("threads")
            .install(|| many.matrix(&starts, &goals, &mut costs));
        costs
    };
    assert_eq!(matrix(1), matrix(3));
}

/// Locations with a point that is not finite or a closed polygon are out of reach, and empty lists have empty answers.
#[test]
fn unusable_locations_are_out_of_reach() {
    for is_contracted in [true, false] {
        let mut rng = CaseRng::new(1);
        let order = is_contracted.then_some(&mut rng);
        let world = build(
            fixed_plan(0, 3, 0.0).mesh(),
            &GraphOptions::default(),
            order,
        );
        let many = world.many();
        let mut scratch = ManyScratch::default();
        let (mut costs, mut reached) = (vec![1.0], Vec::new());
        let centre = world.mesh().centre(PolygonId(0));
        let nowhere = Location {
            polygon: PolygonId(0),
            point: Vec3::NAN,
        };
        let here = Location {
            polygon: PolygonId(0),
            point: centre,
        };
        for end in [Terminal::Start, Terminal::Goal] {
            let none = many.ends(end, &[], DEFAULT_SNAP);
            many.costs(here, &none, &mut scratch, &mut costs);
            assert!(costs.is_empty() && none.is_empty());
            assert_eq!(many.nearest_ends(none).find(many, here, &mut scratch), None);
            let mut ends = Ends::default();
            many.prepare_locations(end, &[nowhere, here], &mut scratch, &mut ends);
            many.costs(here, &ends, &mut scratch, &mut costs);
            assert_eq!(costs, [f32::INFINITY, 0.0]);
            many.costs(nowhere, &ends, &mut scratch, &mut costs);
            assert_eq!(costs, [f32::INFINITY; 2]);
            assert_eq!(
                many.nearest_ends(ends).find(many, nowhere, &mut scratch),
                None
            );
            many.within(end, nowhere, 10.0, &mut scratch, &mut reached);
            assert!(reached.is_empty());
            for limit in [-1.0, f32::NAN] {
                many.within(end, here, limit, &mut scratch, &mut reached);
                assert!(reached.is_empty());
            }
            many.within(end, here, 0.0, &mut scratch, &mut reached);
            assert_eq!(reached[0].polygon, here.polygon);
        }
        let mut path = Path::default();
        let status = many.path(nowhere, here, &mut Scratch::new(), &mut path);
        assert_eq!(status, Status::NoPath);
    }
}

#[test]
fn foreign_costs_and_costs_for_other_engines_are_errors() {
    let mut rng = CaseRng::new(2);
    let graph = GraphOptions::default();
    let [world, other] =
        [0, 1].map(|_| build(fixed_plan(0, 3, 0.0).mesh(), &graph, Some(&mut rng)));
    let costs = other.costs(&Profile::default());
    assert_eq!(
        world.many_with(&costs).err(),
        Some(EngineError::ForeignCosts)
    );
    let costs = world.costs_for(&Profile::default(), &[Engine::AStar]);
    let engine = Engine::Contraction(Tier::Fast);
    assert_eq!(
        world.many_with(&costs).err(),
        Some(EngineError::CostsLack(engine))
    );
}

#[test]
#[should_panic(expected = "prepared for another world")]
fn ends_of_another_world_panic() {
    let [world, other] = [0, 1].map(|_| World::from_mesh(fixed_plan(0, 3, 0.0).mesh()));
    let goals = other
        .many()
        .ends(Terminal::Goal, &[Vec3::ZERO], DEFAULT_SNAP);
    let here = Location {
        polygon: PolygonId(0),
        point: Vec3::ZERO,
    };
    let many = world.many();
    many.costs(here, &goals, &mut ManyScratch::default(), &mut Vec::new());
}
