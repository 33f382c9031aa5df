//! Costs as seen from above: on hills they are what they would be on the same ground without heights.

use portolan_core::{
    CostModel, Engine, GraphOptions, Limits, NavMesh, NavMeshOptions, Path, PortalGraph, Query,
    RawNavMesh, SampleId, Samples, Scratch, Status, Tier, World,
};
use portolan_oracle::{CaseRng, LevelsOptions, random_partition, with_levels};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Polygons have other numbers on other ground. Seen from above, samples lie where they did.
fn by_place(graph: &PortalGraph) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.sample_count() as u32).collect();
    let place = |vertex: u32| graph.position(SampleId(vertex));
    order.sort_by(|&a, &b| {
        let (a, b) = (place(a), place(b));
        a.x.total_cmp(&b.x).then(a.z.total_cmp(&b.z))
    });
    order
}

/// With all that engines can use.
fn world(raw: RawNavMesh, cost_model: CostModel, has_hierarchy: bool) -> World {
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a sound scene");
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
        false => World::new(mesh, &options.graph, &options.profile).expect("a graph"),
    };
    let order = by_place(world.graph());
    let world = world.with_contraction(order).expect("an order");
    let world = world.with_labels(usize::MAX).expect("no limit");
    Tier::TAUT.into_iter().fold(world, |world, tier| {
        // Not by length, which heights change.
        let samples = Samples::Each(1 + tier as u32);
        let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
        let order = by_place(&graph);
        world.with_tier(tier, graph, order).expect("a tier")
    })
}

fn answer(world: &World, query: &Query<'_>) -> (Status, Path) {
    let mut path = Path::default();
    let status = world
        .find_path(query, &mut Scratch::new(), &mut path)
        .expect("an engine of this world");
    (status, path)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(24))]

    #[test]
    fn hills_cost_what_level_ground_does(
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
            // One engine goes by centres, which are others on hills, and one by lengths in space.
            let is_like = |engine: &Engine| match hills.resolve_engine(*engine) {
                Engine::Closest => false,
                engine => engine.is_exact() || engine.tier().is_taut(),
            };
            for engine in hills.engines().into_iter().filter(is_like) {
                let query = Query {
                    engine,
                    ground_tolerance: f32::INFINITY,
                    ..Query::new(ends[0], ends[1])
                };
                let (status, path) = answer(&hills, &query);
                let [from, to] = ends.map(|end| end.with_y(0.0));
                let (right_status, right) = answer(&level, &Query { from, to, ..query });
                prop_assert_eq!(status, right_status, "{}", engine);
                if status != Status::Found {
                    continue;
                }
                let is_close = |a: f64, b: f64| (a - b).abs() <= 1e-4 * b.max(1.0);
                let costs = [path.cost, right.cost].map(f64::from);
                prop_assert!(is_close(costs[0], costs[1]), "{}: {:?}", engine, costs);
                let lengths = [path.length_xz(), right.length_xz()];
                prop_assert!(is_close(lengths[0], lengths[1]), "{}: {:?}", engine, lengths);
                // Waypoints are on the ground all the same.
                for end in [0, path.waypoints.len() - 1] {
                    let away = path.waypoints[end].distance(ends[usize::from(end > 0)]);
                    prop_assert!(away < 0.01, "{} m off", away);
                }
            }
        }
    }
}

/// Half of what a path costs leads about half as far, and to a place on the ground.
#[test]
fn a_path_that_costs_too_much_ends_on_the_ground() {
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
        let (status, whole) = answer(&world, &query);
        assert_eq!(status, Status::Found);
        let limits = Limits {
            max_cost: whole.cost / 2.0,
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
        assert!(ground.distance(end) < 0.01, "{end} and not {ground}");
    }
    assert!(partial > 10, "{partial}");
}
