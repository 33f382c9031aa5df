//! Paths over High Meshes, and the expansions that find them.

use portolan_oracle::ground::{close, hilly, plans, slow_costs};
use portolan_terrain::{
    EntryPrice, LowGraph, MergeOptions, MeshTree, Terrain, TerrainEngine, TerrainOptions,
    TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus,
};
use proptest::prelude::*;

use crate::common::{entry_prices, find, mean_cost, random_pairs};

/// Compares a path with the truth. It must exist if there is one, be connected, have the cost that the query
/// returned, and not be cheaper than the cheapest path.
fn check_path(
    graph: &LowGraph,
    [from, to]: [u32; 2],
    truth: f64,
    found: Option<f64>,
    path: &[u32],
) -> Result<(), TestCaseError> {
    let Some(cost) = found else {
        prop_assert_eq!(truth, f64::INFINITY);
        return Ok(());
    };
    prop_assert_eq!((path.first(), path.last()), (Some(&from), Some(&to)));
    let walked = graph.cost(path);
    prop_assert!(
        walked.is_some_and(|walked| close(walked, cost)),
        "{cost}, not {walked:?}"
    );
    prop_assert!(cost >= truth * (1.0 - 1e-5), "{cost} is less than {truth}");
    Ok(())
}

proptest! {
    #![proptest_config(portolan_oracle::cases(128))]

    #[test]
    fn paths_are_connected_and_not_cheaper_than_the_cheapest(
        plan in plans(), entry in entry_prices(), layers in 2usize..12, max_iterations in 0usize..12, ends: [prop::sample::Index; 2],
    ) {
        let graph = plan.graph();
        let [from, to] = ends.map(|end| end.index(graph.len()) as u32);
        let truth = slow_costs(&graph, from)[to as usize];
        let options = MergeOptions { entry, ..MergeOptions::default() };
        let full = MeshTree::new(&graph, &options);
        // If merging is stopped early, the Top Meshes are children of a Global Mesh.
        let stopped = MeshTree::new(&graph, &MergeOptions { max_iterations, ..options });
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        let options = TerrainOptions { merge: options, ..TerrainOptions::default() };
        for tree in [&full, &full.compressed(layers), &stopped] {
            let terrain = Terrain::from_merged(plan.web(), graph.clone(), tree, &options).unwrap();
            for ends in [[from, to], [to, to]] {
                let truth = if ends[0] == ends[1] { 0.0 } else { truth };
                let found = find(&terrain, TerrainEngine::Mesh, ends, &mut scratch, &mut path);
                check_path(&graph, ends, truth, found, &path.triangles)?;
            }
            if truth == f64::INFINITY {
                let ends = terrain.locate(&TerrainQuery::new(from, to)).unwrap();
                prop_assert!(terrain.navigate(&ends, None, &mut scratch).unwrap().is_none());
            }
        }
    }
}

/// The first triangle takes a few expansions, and each of the following triangles some more.
#[test]
fn meshes_are_expanded_only_when_the_next_triangle_needs_it() {
    let (web, _) = hilly(33);
    for layers in [6, 1000] {
        let options = TerrainOptions {
            layers: Some(layers),
            ..TerrainOptions::default()
        };
        let terrain = Terrain::build(web.clone(), &options).unwrap();
        let meshes = terrain.meshes();
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        let query = TerrainQuery {
            engine: TerrainEngine::Mesh,
            ..TerrainQuery::new(0, web.len() as u32 - 1)
        };
        let found = terrain.find_path(&query, &mut scratch, &mut path);
        assert_eq!(found, Ok(TerrainStatus::Found));
        let ends = terrain.locate(&query).unwrap();
        let navigation = terrain.navigate(&ends, None, &mut scratch);
        let mut navigation = navigation.unwrap().unwrap();
        assert_eq!(navigation.expansions(), 0);
        let mut before = 0;
        let mut expansions = Vec::new();
        for &triangle in &path.triangles {
            assert_eq!(navigation.next(), Some(triangle));
            expansions.push(navigation.expansions() - before);
            before = navigation.expansions();
        }
        assert_eq!((navigation.next(), navigation.cost()), (None, path.cost));
        // No triangle takes more than one expansion per layer.
        assert!(expansions.iter().all(|&count| count < meshes.layers()));
        let total: usize = expansions.iter().sum();
        assert!(expansions[0] * 4 < total, "{} of {total}", expansions[0]);
    }
}

/// In a mesh with two children, all rules choose the other child. They differ in larger meshes, which result from
/// ties or compression.
#[test]
fn entry_price_rules_find_different_paths() {
    let (web, _) = hilly(33);
    let costs = EntryPrice::ALL.map(|entry| {
        let options = TerrainOptions {
            merge: MergeOptions {
                entry,
                ..MergeOptions::default()
            },
            layers: Some(8),
            ..TerrainOptions::default()
        };
        let terrain = Terrain::build(web.clone(), &options).unwrap();
        mean_cost(&terrain, &random_pairs(terrain.graph(), 200, 5))
    });
    for (index, cost) in costs.iter().enumerate() {
        assert!(!costs[..index].contains(cost), "{costs:?}");
    }
}
