//! A*, Dijkstra's algorithm and waves in comparison with a slow reference search, and the contract of queries.

use allocation_counter::measure;
use glam::{Vec2, vec2, vec3};
use oorandom::Rand32;
use portolan_core::{Level, NodeId, Partition};
use portolan_oracle::ground::{check, close, hilly, plans, plans_with_limits, slow_costs};
use portolan_terrain::{
    Crowd, Distances, LowGraph, MeshTree, NO_TRIANGLE, Terrain, TerrainEngine, TerrainEngineError,
    TerrainError, TerrainLine, TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch,
    TerrainStatus, TriangleWeb,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn searches_and_waves_find_the_costs_of_the_reference(plan in plans(), ends: [prop::sample::Index; 2]) {
        let options = TerrainOptions { price: plan.price, ..TerrainOptions::default() };
        let terrain = Terrain::build(plan.web(), &options).unwrap();
        let graph = terrain.graph();
        let [from, to] = ends.map(|end| end.index(graph.len()) as u32);
        let truth = slow_costs(graph, from);
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        path.triangles.push(7);
        for to in [to, from] {
            for engine in [TerrainEngine::AStar, TerrainEngine::Dijkstra] {
                let line = TerrainLine::Midpoints;
                let query = TerrainQuery { engine, line, ..TerrainQuery::new(from, to) };
                let status = terrain.find_path(&query, &mut scratch, &mut path).unwrap();
                let found = (status == TerrainStatus::Found).then_some(path.cost as f32);
                check(graph, [from, to], truth[to as usize], found, &path.triangles)?;
            }
        }
        let mut costs = vec![7.0];
        prop_assert_eq!(terrain.wave(from, &mut scratch, &mut costs), TerrainStatus::Found);
        prop_assert_eq!(costs.len(), graph.len());
        for (&cost, &truth) in costs.iter().zip(&truth) {
            prop_assert!(close(cost.into(), truth), "{cost}, not {truth}");
        }
    }

    /// With enlargement, the heuristic is also consistent. With centroids it may not be: the box of a large triangle
    /// can be much closer to the goal than the box of a neighbour, even if the two centroids are close.
    #[test]
    fn the_heuristic_is_admissible(plan in plans_with_limits(), goal: prop::sample::Index) {
        let graph = plan.graph();
        let goal = goal.index(graph.len()) as u32;
        let lower_bound = |triangle| {
            f64::from(graph.price().lower_bound(graph.extent(triangle), graph.extent(goal)))
        };
        let rounding = 1.0 + 1e-5;
        for from in 0..graph.len() as u32 {
            let truth = slow_costs(&graph, from)[goal as usize];
            let bound = lower_bound(from);
            prop_assert!(bound <= truth * rounding, "{from}: {bound} > {truth}");
            let by_boxes = [Distances::Enlargement, Distances::SimpleEnlargement];
            if !by_boxes.contains(&plan.price.distances) {
                continue;
            }
            let (neighbours, costs) = graph.crossings(from);
            for (to, cost) in neighbours.into_iter().zip(costs).filter(|&(to, _)| to != NO_TRIANGLE) {
                let beyond = f64::from(cost) + lower_bound(to);
                prop_assert!(bound <= beyond * rounding, "{from} to {to}");
            }
        }
        prop_assert_eq!(lower_bound(goal), 0.0);
    }

    /// The line of a path goes from start to goal on the ground.
    #[test]
    fn the_points_of_a_path_are_on_its_triangles(plan in plans(), ends in prop::array::uniform2((0f32..1.0, 0f32..1.0))) {
        let options = TerrainOptions { price: plan.price, ..TerrainOptions::default() };
        let terrain = Terrain::build(plan.web(), &options).unwrap();
        let extent = terrain.web().extent();
        let within = |(x, y)| (extent.min + extent.size() * vec3(x, y, 0.0)).truncate();
        let [from, to] = ends.map(within);
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for engine in TerrainEngine::PLAIN {
            let query = TerrainQuery { engine, ..TerrainQuery::new(from, to) };
            let status = terrain.find_path(&query, &mut scratch, &mut path).unwrap();
            let located = [from, to].map(|end| terrain.web().locate(end.x, end.y));
            match located {
                [None, _] => prop_assert_eq!(status, TerrainStatus::StartOffMap),
                [_, None] => prop_assert_eq!(status, TerrainStatus::GoalOffMap),
                [Some(start), Some(goal)] => {
                    let truth = slow_costs(terrain.graph(), start)[goal as usize];
                    prop_assert_eq!(status == TerrainStatus::Found, truth.is_finite());
                }
            }
            if status != TerrainStatus::Found {
                prop_assert_eq!(&path, &TerrainPath::default());
                continue;
            }
            prop_assert_eq!(path.points.len(), path.line_triangles.len() + 1);
            let plan_of = |index: usize| path.points[index].truncate();
            prop_assert_eq!([plan_of(0), plan_of(path.points.len() - 1)], [from, to]);
            for (&triangle, leg) in path.line_triangles.iter().zip(path.points.windows(2)) {
                for &point in leg {
                    prop_assert!(is_on(terrain.web(), triangle, point), "{point} off {triangle}");
                }
            }
            let rise = path.points[path.points.len() - 1].z - path.points[0].z;
            prop_assert!((path.ascent() - path.descent() - f64::from(rise)).abs() < 1e-3);
            prop_assert!(path.length() >= from.as_dvec2().distance(to.as_dvec2()) * (1.0 - 1e-5));
            prop_assert!(path.length() >= path.ascent().max(path.descent()));
        }
    }
}

/// Returns whether a point lies on a triangle, except for rounding.
fn is_on(web: &TriangleWeb, triangle: u32, point: glam::Vec3) -> bool {
    let [a, b, c] = web.corners(triangle).map(glam::Vec3::as_dvec3);
    let point = point.as_dvec3();
    let area = |a: glam::DVec3, b: glam::DVec3| (a - point).cross(b - point).length();
    let total = (b - a).cross(c - a).length();
    // The point and the edges form three triangles. The sum of their areas is the area of the triangle only if the
    // point lies on it, and larger otherwise.
    area(a, b) + area(b, c) + area(c, a) <= total * (1.0 + 1e-3) + 1e-4
}

/// Partitions a terrain of 32 x 32 squares into nodes of 4 x 4 and of 16 x 16 squares.
fn squares() -> Partition {
    let level = |side: usize| {
        let node = |triangle: usize| {
            let (x, y) = (triangle / 4 % 32, triangle / 4 / 32);
            NodeId::new(y / side * (32 / side) + x / side)
        };
        (0..32 * 32 * 4).map(node).collect()
    };
    Partition::new(32 * 32 * 4, vec![level(4), level(16)]).expect("nested squares")
}

#[test]
fn repeated_queries_allocate_nothing() {
    let options = TerrainOptions {
        layers: Some(8),
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(hilly(33).0, &options).unwrap();
    let terrain = terrain.with_contraction(squares().order()).unwrap();
    let terrain = terrain.with_hierarchy(squares()).unwrap();
    let engines = terrain.engines();
    assert_eq!(engines.len(), 3 + 3 + 1);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut costs = Vec::new();
    let mut run = || {
        let mut rng = Rand32::new(3);
        let mut draw = || rng.rand_range(0..terrain.web().len() as u32);
        for _ in 0..50 {
            let (from, to) = (draw(), draw());
            terrain.wave(from, &mut scratch, &mut costs);
            let truth = f64::from(costs[to as usize]);
            for &engine in &engines {
                let query = TerrainQuery {
                    engine,
                    line: TerrainLine::Midpoints,
                    ..TerrainQuery::new(from, to)
                };
                let status = terrain.find_path(&query, &mut scratch, &mut path);
                assert!(status == Ok(TerrainStatus::Found) && !path.points.is_empty());
                assert!(close(path.cost, truth) || !engine.is_exact(), "{engine}");
            }
            let ends = terrain.locate(&TerrainQuery::new(from, to)).unwrap();
            let walk = terrain.navigate(&ends, None, &mut scratch).unwrap();
            assert_eq!(walk.unwrap().last(), Some(to));
        }
    };
    assert!(measure(&mut run).count_total > 0);
    let warm = measure(&mut run);
    assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
}

#[test]
fn the_error_for_a_missing_engine_names_its_option() {
    let terrain = Terrain::build(
        hilly(33).0,
        &TerrainOptions {
            contraction: false,
            ..TerrainOptions::default()
        },
    )
    .unwrap();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut refused = |terrain: &Terrain, engine| {
        let query = TerrainQuery {
            engine,
            ..TerrainQuery::new(0, 1)
        };
        let error = terrain.find_path(&query, &mut scratch, &mut path);
        let error = error.unwrap_err();
        assert_eq!(terrain.check_engine(engine), Err(error.clone()));
        let ends = terrain.locate(&query).unwrap();
        let searched = terrain.search(&query, &ends, &mut scratch, &mut path);
        assert_eq!(searched, Err(error.clone()));
        error.to_string()
    };
    let hna = TerrainEngine::Hna { level: None };
    assert!(refused(&terrain, hna).contains("`TerrainOptions::hierarchy`"));
    let error = refused(&terrain, TerrainEngine::Contraction);
    assert!(error.contains("`TerrainOptions::contraction`"), "{error}");
    assert_eq!(terrain.engines(), TerrainEngine::PLAIN);
    let terrain = terrain.with_hierarchy(squares()).unwrap();
    let level = Some(Level(3));
    let error = refused(&terrain, TerrainEngine::Hna { level });
    assert_eq!(error, "hna:3: there is no level 3; the highest is 2");
}

#[test]
fn crowds_need_the_mesh_engine_and_their_own_terrain() {
    let [small, large] =
        [9, 17].map(|side| Terrain::build(hilly(side).0, &TerrainOptions::default()).unwrap());
    let crowd = Crowd::new(large.meshes(), 1.0).unwrap();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let mut query = TerrainQuery::new(0, 5);
    query.crowd = Some(&crowd);
    query.engine = TerrainEngine::Mesh;
    let status = large.find_path(&query, &mut scratch, &mut path);
    assert_eq!(status, Ok(TerrainStatus::Found));
    let error = small.find_path(&query, &mut scratch, &mut path);
    assert!(matches!(error, Err(TerrainEngineError::OtherCrowd { .. })));
    let ends = small.locate(&query).unwrap();
    let error = small.navigate(&ends, query.crowd, &mut scratch).err();
    assert!(matches!(error, Some(TerrainEngineError::OtherCrowd { .. })));
    query.engine = TerrainEngine::AStar;
    let error = large.find_path(&query, &mut scratch, &mut path);
    assert_eq!(error, Err(TerrainEngineError::NoCrowds(query.engine)));
}

#[test]
fn endpoints_off_the_map_have_a_status() {
    let [small, large] =
        [9, 17].map(|side| Terrain::build(hilly(side).0, &TerrainOptions::default()).unwrap());
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let (on, off) = (vec2(3.2, 3.1), vec2(-1.0, 3.0));
    let mut status = |query: TerrainQuery<'_>| {
        let status = small.find_path(&query, &mut scratch, &mut path).unwrap();
        (status, status.name())
    };
    let start_off = (TerrainStatus::StartOffMap, "start_off_mesh");
    let goal_off = (TerrainStatus::GoalOffMap, "goal_off_mesh");
    assert_eq!(
        status(TerrainQuery::new(on, on)),
        (TerrainStatus::Found, "found")
    );
    assert_eq!(status(TerrainQuery::new(off, on)), start_off);
    assert_eq!(status(TerrainQuery::new(on, off)), goal_off);
    assert_eq!(status(TerrainQuery::new(Vec2::NAN, on)), start_off);
    assert_eq!(
        status(TerrainQuery::new(on, small.web().len() as u32)),
        goal_off
    );
    assert_eq!(status(TerrainQuery::new(NO_TRIANGLE, on)), start_off);
    // Endpoints that were located on another terrain may not exist on this one.
    let far = TerrainQuery::new(0, large.web().len() as u32 - 1);
    let ends = large.locate(&far).unwrap();
    let searched = small.search(&far, &ends, &mut scratch, &mut path);
    assert_eq!(searched, Ok(TerrainStatus::GoalOffMap));
    assert!(small.navigate(&ends, None, &mut scratch).unwrap().is_none());
    let mut costs = vec![1.0];
    let wave = small.wave(off, &mut scratch, &mut costs);
    assert_eq!((wave, costs.len()), (TerrainStatus::StartOffMap, 0));
}

#[test]
fn stages_of_different_terrains_are_rejected() {
    let [(web, _), (_, graph)] = [5, 9].map(hilly);
    let merged = |graph: &LowGraph| MeshTree::new(graph, &TerrainOptions::default().merge);
    let tree = merged(&graph);
    let refused = Terrain::from_merged(web, graph, &tree, &TerrainOptions::default());
    assert!(matches!(refused.err(), Some(TerrainError::Stages { .. })));
}
