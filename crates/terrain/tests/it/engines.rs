//! Comparisons of the engines with a simple and slow reference search.

use oorandom::Rand32;
use portolan_core::Level;
use portolan_index::{OrderMethod, OrderOptions, PartitionOptions};
use portolan_oracle::ground::{
    GroundPlan, check, close, hilly, plans, plans_with_limits, slow_costs,
};
use portolan_terrain::{
    Terrain, TerrainEngine, TerrainError, TerrainLine, TerrainOptions, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus, order_terrain, partition_terrain,
};
use proptest::prelude::*;

fn with_levels(merge_factor: u32) -> TerrainOptions {
    TerrainOptions {
        hierarchy: Some(PartitionOptions {
            merge_factor,
            ..PartitionOptions::default()
        }),
        ..TerrainOptions::default()
    }
}

fn terrain(plan: &GroundPlan, options: TerrainOptions) -> Terrain {
    let price = plan.price;
    Terrain::build(plan.web(), &TerrainOptions { price, ..options }).expect("a valid web")
}

/// Compares an engine with the reference, from at most eight triangles to all triangles.
fn compare(terrain: &Terrain, engine: TerrainEngine) -> Result<(), TestCaseError> {
    let graph = terrain.graph();
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let count = graph.len() as u32;
    for from in (0..count).step_by(1 + graph.len() / 8) {
        let truth = slow_costs(graph, from);
        for to in 0..count {
            let query = TerrainQuery {
                engine,
                line: TerrainLine::Midpoints,
                ..TerrainQuery::new(from, to)
            };
            let status = terrain.find_path(&query, &mut scratch, &mut path);
            let status = status.expect("the terrain has this engine");
            let found = (status == TerrainStatus::Found).then_some(path.cost as f32);
            check(
                graph,
                [from, to],
                truth[to as usize],
                found,
                &path.triangles,
            )?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn the_contraction_is_exact(plan in plans_with_limits()) {
        let terrain = terrain(&plan, TerrainOptions::default());
        compare(&terrain, TerrainEngine::default())?;
        compare(&terrain, TerrainEngine::AStar)?;
    }

    #[test]
    fn contractions_with_other_orders_are_exact(plan in plans(), by_flow: bool) {
        let terrain = terrain(&plan, TerrainOptions::default());
        let method = if by_flow { OrderMethod::Flow } else { OrderMethod::Metis };
        let options = OrderOptions { method, ..OrderOptions::default() };
        let order = order_terrain(terrain.graph(), &options).expect("an order");
        let terrain = terrain.with_contraction(order).expect("an order of its triangles");
        compare(&terrain, TerrainEngine::Contraction)?;
    }

    #[test]
    fn hna_is_exact_at_every_level(plan in plans_with_limits(), merge_factor in 2u32..9) {
        let terrain = terrain(&plan, with_levels(merge_factor));
        let engines = terrain.engines();
        prop_assert!(engines.len() > TerrainEngine::PLAIN.len());
        for engine in engines.into_iter().chain([TerrainEngine::Hna { level: Some(Level(0)) }]) {
            if engine.is_exact() {
                compare(&terrain, engine)?;
            }
        }
    }

    /// Queries with a profile give the answers of a terrain that is built with its price.
    #[test]
    fn profiles_are_exact(plan in plans_with_limits(), other in plans_with_limits()) {
        let own = GroundPlan { price: plan.price, ..other.clone() };
        let options = TerrainOptions { contraction: other.four, ..TerrainOptions::default() };
        let shared = terrain(&other, options);
        let built = terrain(&own, TerrainOptions::default());
        let profile = shared.profile(&plan.price, true).expect("a valid price");
        let (mut scratch, mut path, mut same) =
            (TerrainScratch::new(), TerrainPath::default(), TerrainPath::default());
        let count = built.graph().len() as u32;
        for engine in [TerrainEngine::Contraction, TerrainEngine::AStar] {
            for to in 0..count {
                let query = TerrainQuery { engine, ..TerrainQuery::new(count / 2, to) };
                let expected = built.find_path(&query, &mut scratch, &mut path);
                let query = TerrainQuery { profile: Some(&profile), ..query };
                prop_assert_eq!(shared.find_path(&query, &mut scratch, &mut same), expected);
                prop_assert_eq!(same.cost, path.cost);
                prop_assert_eq!(same.line_cost, path.line_cost);
            }
        }
        let query = TerrainQuery { engine: TerrainEngine::Mesh, profile: Some(&profile), ..TerrainQuery::new(0, 0) };
        prop_assert!(shared.find_path(&query, &mut scratch, &mut path).is_err());
    }

    /// After a change of difficulties, engines must use the new prices.
    #[test]
    fn engines_are_exact_after_a_change(
        plan in plans(), changes in prop::collection::vec((any::<prop::sample::Index>(), 0f32..=1.0), 1..6),
    ) {
        let options = TerrainOptions { contraction: true, ..with_levels(4) };
        let mut terrain = terrain(&plan, options);
        let count = terrain.web().len();
        let changes: Vec<(u32, f32)> =
            changes.into_iter().map(|(at, to)| (at.index(count) as u32, to)).collect();
        terrain.change(&changes).expect("triangles of this terrain");
        for engine in [TerrainEngine::Hna { level: None }, TerrainEngine::Contraction] {
            compare(&terrain, engine)?;
        }
        // Contraction and hierarchy equal those that are built from the changed terrain.
        let contraction = terrain.contraction().expect("the options require it");
        let order = contraction.contraction().order().to_vec();
        let hna = terrain.hna().expect("the options require it");
        let partition = hna.hierarchy().partition().clone();
        let again = terrain.clone().with_contraction(order).expect("the same order");
        let again = again.with_hierarchy(partition).expect("the same nodes");
        prop_assert_eq!(again.contraction(), Some(contraction));
        prop_assert_eq!(again.hna(), Some(hna));
    }

    #[test]
    fn paths_above_the_maximum_cost_are_not_found(plan in plans(), ends: [prop::sample::Index; 2]) {
        let terrain = terrain(&plan, TerrainOptions { contraction: true, ..with_levels(4) });
        let [from, to] = ends.map(|end| end.index(terrain.web().len()) as u32);
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for engine in terrain.engines() {
            let mut query = TerrainQuery { engine, ..TerrainQuery::new(from, to) };
            if terrain.find_path(&query, &mut scratch, &mut path) != Ok(TerrainStatus::Found) {
                continue;
            }
            let cost = path.cost;
            query.max_cost = cost;
            prop_assert_eq!(terrain.find_path(&query, &mut scratch, &mut path), Ok(TerrainStatus::Found));
            prop_assert_eq!(path.cost, cost);
            for less in [cost * 0.999 - 1e-6, -1.0, f64::NAN] {
                query.max_cost = less;
                prop_assert_eq!(terrain.find_path(&query, &mut scratch, &mut path), Ok(TerrainStatus::NoPath));
                prop_assert_eq!(&path, &TerrainPath::default());
            }
        }
    }
}

#[test]
fn all_exact_engines_find_the_same_costs_on_hills() {
    let (web, _) = hilly(40);
    let options = TerrainOptions {
        contraction: true,
        ..with_levels(10)
    };
    let terrain = Terrain::build(web, &options).expect("hills");
    let graph = terrain.graph();
    let hna = terrain.hna().expect("the options require it");
    assert_eq!(hna.hierarchy().top(), Level(3));
    let mut rng = Rand32::new(9);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let engines = terrain.engines();
    assert_eq!(engines.len(), 3 + 4 + 1);
    for _ in 0..100 {
        let [from, to] = [0; 2].map(|_: u32| rng.rand_range(0..graph.len() as u32));
        let mut find = |engine| {
            let query = TerrainQuery {
                engine,
                line: TerrainLine::Midpoints,
                ..TerrainQuery::new(from, to)
            };
            let status = terrain.find_path(&query, &mut scratch, &mut path);
            assert_eq!(status, Ok(TerrainStatus::Found));
            assert!(close(
                graph.cost(&path.triangles).expect("a path"),
                path.cost
            ));
            path.cost
        };
        let astar = find(TerrainEngine::AStar);
        for &engine in engines.iter().filter(|engine| engine.is_exact()) {
            assert!(close(find(engine), astar), "{engine}");
        }
    }
}

#[test]
fn partitions_and_orders_of_another_terrain_are_rejected() {
    let [small, large] = [5, 9]
        .map(|side| Terrain::build(hilly(side).0, &TerrainOptions::default()).expect("hills"));
    let partition = partition_terrain(large.graph(), &PartitionOptions::default());
    let refused = small
        .clone()
        .with_hierarchy(partition.expect("a partition"));
    assert!(matches!(refused, Err(TerrainError::Hierarchy(_))));
    let order = order_terrain(large.graph(), &OrderOptions::default()).expect("an order");
    let twice = vec![0; small.web().len()];
    let too_few = vec![0, 1];
    for order in [order, twice, too_few] {
        let refused = small.clone().with_contraction(order);
        assert!(matches!(refused, Err(TerrainError::NotAnOrder { .. })));
    }
}
