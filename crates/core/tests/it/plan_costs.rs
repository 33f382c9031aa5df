//! The cost model `Plan`: costs on hills equal those on the same ground without heights.

use portolan_core::{
    CostModel, Engine, GraphOptions, Limits, NavMesh, NavMeshOptions, Path, PortalGraph, Query,
    RawNavMesh, SampleId, Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{CaseRng, LevelsOptions, random_partition, with_levels};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Returns the samples in order of their (x, z). Heights change the ids of polygons and samples, but not this order.
fn by_position(graph: &PortalGraph) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.sample_count() as u32).collect();
    let position = |vertex: u32| graph.position(SampleId(vertex));
    order.sort_by(|&a, &b| {
        let (a, b) = (position(a), position(b));
        a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z))
    });
    order
}

/// Builds a world with everything that engines can use.
fn world(raw: RawNavMesh, cost_model: CostModel, has_hierarchy: bool) -> World {
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid scene");
    let options = LevelsOptions {
        graph: GraphOptions {
            cost_model,
            ..GraphOptions::default()
        },
        ..LevelsOptions::default()
    };
    let world = match has_hierarchy {
        true => {
            let partition = random_partition(&mesh, 6, 1);
            with_levels(mesh, partition, &options)
        }
        false => World::new(mesh, &options.graph, &options.profile).expect("a valid graph"),
    };
    let order = by_position(world.graph());
    let world = world.with_contraction(order).expect("a valid order");
    let world = world.with_labels(usize::MAX);
    let world = world.expect("labels within the limit");
    Tier::TAUT.into_iter().fold(world, |world, tier| {
        // Samples by length would depend on heights.
        let samples = Samples::Each(1 + tier as u32);
        let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
        let order = by_position(&graph);
        world.with_tier(tier, graph, order).expect("a valid tier")
    })
}

fn answer(world: &World, query: &Query<'_>) -> (Status, Path) {
    let mut path = Path::default();
    let status = world
        .find_path(query, &mut Scratch::new(), &mut path)
        .expect("the world has this engine");
    (status, path)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(24))]

    #[test]
    fn costs_on_hills_equal_those_on_level_ground(
        scene in prop::sample::select(vec![WorldScene::Rooms, WorldScene::Open]),
        seed: u64,
        areas: bool,
        relief in 1.0f32..10.0,
        has_hierarchy: bool,
    ) {
        let options = WorldOptions { polygons: 200, seed, areas, relief, ..Default::default() };
        let hills = scene.build(&options);
        let mut level = hills.clone();
        level.vertices.iter_mut().for_each(|vertex| vertex.y = 0.0);
        let hills = world(hills, CostModel::Plan, has_hierarchy);
        let level = world(level, CostModel::Portals, has_hierarchy);
        let mut rng = CaseRng::new(seed);
        for _ in 0..10 {
            let ends = [(); 2].map(|()| rng.point_inside(hills.mesh()));
            // The other engines use polygon centres or lengths in space, which depend on heights.
            let is_comparable = |engine: &Engine| match hills.resolve_engine(*engine) {
                Engine::Closest => false,
                engine => engine.is_exact() || engine.tier().is_taut(),
            };
            for engine in hills.engines().into_iter().filter(is_comparable) {
                let query = Query {
                    engine,
                    ground_tolerance: f32::INFINITY,
                    ..Query::new(ends[0], ends[1])
                };
                let (status, path) = answer(&hills, &query);
                let [from, to] = ends.map(|end| end.with_y(0.0));
                let (expected_status, expected) = answer(&level, &Query { from, to, ..query });
                prop_assert_eq!(status, expected_status, "{}", engine);
                if status != Status::Found {
                    continue;
                }
                let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-4 * b.max(1.0);
                let costs = [path.cost, expected.cost].map(f64::from);
                prop_assert!(is_close(costs[0], costs[1]), "{}: {:?}", engine, costs);
                let lengths = [path.length_xz(), expected.length_xz()];
                prop_assert!(is_close(lengths[0], lengths[1]), "{}: {:?}", engine, lengths);
                // The waypoints still follow the ground of the hills.
                for end in [0, path.waypoints.len() - 1] {
                    let away = path.waypoints[end].distance(ends[usize::from(end > 0)]);
                    prop_assert!(away < 0.01, "the path ends {} m away", away);
                }
            }
        }
    }
}

/// A partial path with half the cost of the full path ends within that limit at a point of the ground.
#[test]
fn a_partial_path_ends_on_the_ground() {
    let options = WorldOptions {
        polygons: 300,
        relief: 8.0,
        ..WorldOptions::default()
    };
    let world = world(WorldScene::Open.build(&options), CostModel::Plan, false);
    let mut rng = CaseRng::new(5);
    let mut partial = 0;
    for _ in 0..20 {
        let [from, to] = [(); 2].map(|()| rng.point_inside(world.mesh()));
        let query = Query {
            engine: Engine::AStar,
            ..Query::new(from, to)
        };
        let (status, full) = answer(&world, &query);
        assert_eq!(status, Status::Found);
        let limits = Limits {
            max_cost: full.cost / 2.0,
            partial: true,
        };
        let (status, path) = answer(&world, &Query { limits, ..query });
        if status != Status::Partial {
            continue;
        }
        partial += 1;
        assert!(path.cost <= limits.max_cost, "{}", path.cost);
        let end = path.waypoints[path.waypoints.len() - 1];
        let polygon = path.corridor.polygons[path.corridor.polygons.len() - 1];
        let ground = world.mesh().nearest_on(polygon, end);
        assert!(ground.distance(end) < 0.01, "{end} instead of {ground}");
    }
    assert!(partial > 10, "only {partial} of 20 paths are partial");
}
