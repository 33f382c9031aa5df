//! Changes of a terrain: difficulties, crowds, and invalid input.

use portolan_oracle::ground::{grid, hilly, plans};
use portolan_terrain::{
    Crowd, EntryPrice, LowGraph, MergeOptions, MeshTree, Meshes, NO_MESH, Price, Terrain,
    TerrainEngine, TerrainError, TerrainOptions, TerrainParts, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus, TriangleWeb,
};
use proptest::prelude::*;

use crate::common::{entry_prices, mean_cost, merge, random_pairs};

proptest! {
    #![proptest_config(portolan_oracle::cases(128))]

    #[test]
    fn prices_after_a_change_equal_those_of_the_same_tree_priced_from_scratch(
        plan in plans(), entry in entry_prices(), layers in 2usize..12,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0f32..=1.0), 1..6),
    ) {
        let options = TerrainOptions {
            price: plan.price,
            merge: MergeOptions { entry, ..MergeOptions::default() },
            layers: Some(layers),
            ..TerrainOptions::default()
        };
        let mut terrain = Terrain::build(plan.web(), &options).unwrap();
        let count = terrain.web().len();
        let changes: Vec<(u32, f32)> = changes.into_iter().map(|(at, to)| (at.index(count) as u32, to)).collect();
        terrain.change(&changes).unwrap();
        let (parents, entries, distances) = terrain.arrays();
        let web = TriangleWeb::new(
            terrain.web().points().to_vec(), terrain.web().triangles().to_vec(), terrain.web().difficulty().to_vec(),
        ).unwrap();
        let graph = LowGraph::new(&web, &plan.price).unwrap();
        prop_assert_eq!(terrain.graph(), &graph);
        let parts = TerrainParts {
            web, price: plan.price, entry, parents: parents.to_vec(), entries: entries.to_vec(), distances,
        };
        let again = Terrain::from_parts(parts).unwrap();
        prop_assert_eq!(terrain.meshes(), again.meshes());
        let tree = MeshTree::new(&plan.graph(), &options.merge).compressed(layers);
        prop_assert_eq!(terrain.meshes(), &Meshes::new(&graph, &tree, entry));
    }

    #[test]
    fn a_crowd_counts_the_agents_in_every_mesh(
        plan in plans(), moves in prop::collection::vec((0usize..4, any::<prop::sample::Index>()), 0..30),
    ) {
        let graph = plan.graph();
        let entry = EntryPrice::default();
        let meshes = Meshes::new(&graph, &merge(&graph, entry, 16), entry);
        let mut crowd = Crowd::new(&meshes, 1.0).unwrap();
        let mut positions: Vec<Option<u32>> = vec![None; 4];
        for (agent, to) in moves {
            let to = to.index(graph.len() + 1) as u32;
            let to = Some(to).filter(|&to| to < graph.len() as u32);
            match (positions[agent], to) {
                (None, Some(to)) => crowd.enter(&meshes, to),
                (Some(from), None) => crowd.leave(&meshes, from),
                (Some(from), Some(to)) => crowd.step(&meshes, from, to),
                (None, None) => {}
            }
            positions[agent] = to;
        }
        for mesh in 0..meshes.len() as u32 {
            let agents = positions.iter().flatten();
            let agents = agents.filter(|&&triangle| meshes.contains(mesh, meshes.low(triangle)));
            prop_assert_eq!(crowd.agents(mesh) as usize, agents.count());
        }
    }
}

/// A rebuilt terrain can have another tree, so after a single flood its paths can be cheaper or more expensive by
/// more than 1%. Therefore the mean over several floods is compared.
#[test]
fn paths_after_floods_cost_at_most_one_percent_more_than_after_a_rebuild() {
    let (web, graph) = hilly(49);
    let queries = random_pairs(&graph, 500, 8);
    for layers in [None, Some(10)] {
        let options = TerrainOptions {
            layers,
            ..TerrainOptions::default()
        };
        let dry = Terrain::build(web.clone(), &options).unwrap();
        let mut sums = [0.0; 2];
        for flood in 0..10 {
            let (x, y) = (4.0 * flood as f32, 40.0 - 3.0 * flood as f32);
            let is_flooded = |&triangle: &u32| {
                let centroid = web.centroid(triangle);
                (x..x + 5.0).contains(&centroid.x) && (y..y + 6.0).contains(&centroid.y)
            };
            let triangles = (0..web.len() as u32).filter(is_flooded);
            let flood: Vec<(u32, f32)> = triangles.map(|triangle| (triangle, 1.0)).collect();
            assert!(flood.len() > 80);
            let mut changed = dry.clone();
            changed.change(&flood).unwrap();
            let rebuilt = Terrain::build(changed.web().clone(), &options).unwrap();
            sums[0] += mean_cost(&changed, &queries);
            sums[1] += mean_cost(&rebuilt, &queries);
        }
        assert!(sums[0] < sums[1] * 1.01, "{sums:?}, {layers:?} layers");
    }
}

/// Without a crowd, all agents take the same path.
#[test]
fn agents_avoid_a_crowd() {
    let (points, triangles) = grid([33, 33], true, |_, _| 0.0);
    let web = TriangleWeb::new(points, triangles, Vec::new()).unwrap();
    let terrain = Terrain::build(
        web,
        &TerrainOptions {
            layers: Some(5),
            ..TerrainOptions::default()
        },
    )
    .unwrap();
    let (graph, meshes) = (terrain.graph(), terrain.meshes());
    let ends = [
        terrain.web().locate(2.1, 16.2).unwrap(),
        terrain.web().locate(30.1, 16.2).unwrap(),
    ];
    let busiest = |strength: f32| {
        let mut crowd = Crowd::new(meshes, strength).unwrap();
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for _ in 0..20 {
            let query = TerrainQuery {
                engine: TerrainEngine::Mesh,
                crowd: Some(&crowd),
                ..TerrainQuery::new(ends[0], ends[1])
            };
            let found = terrain.find_path(&query, &mut scratch, &mut path);
            assert_eq!(found, Ok(TerrainStatus::Found));
            path.triangles
                .iter()
                .for_each(|&triangle| crowd.enter(meshes, triangle));
        }
        let inner = (0..graph.len() as u32).filter(|triangle| !ends.contains(triangle));
        inner
            .map(|triangle| crowd.agents(meshes.low(triangle)))
            .max()
            .unwrap()
    };
    let (alone, spread) = (busiest(0.0), busiest(4.0));
    assert_eq!(alone, 20);
    assert!(spread <= 12, "{spread} of 20 agents share a triangle");
}

#[test]
fn invalid_options_and_parts_are_rejected() {
    let (web, graph) = hilly(3);
    let build = |options| Terrain::build(web.clone(), &options).err();
    let options = TerrainOptions {
        layers: Some(1),
        ..TerrainOptions::default()
    };
    assert_eq!(build(options), Some(TerrainError::Layers(1)));
    let merge = MergeOptions {
        max_children: 1,
        ..MergeOptions::default()
    };
    let options = TerrainOptions {
        merge,
        ..TerrainOptions::default()
    };
    assert_eq!(build(options), Some(TerrainError::MaxChildren(1)));
    let merge = MergeOptions {
        tie: -0.1,
        ..MergeOptions::default()
    };
    let options = TerrainOptions {
        merge,
        ..TerrainOptions::default()
    };
    assert_eq!(build(options), Some(TerrainError::Tie(-0.1)));
    let mut terrain = Terrain::build(web.clone(), &TerrainOptions::default()).unwrap();
    assert!(terrain.change(&[(0, 0.5), (0, 2.0)]).is_err());
    assert!(terrain.change(&[(0, 0.5), (99, 0.5)]).is_err());
    // A rejected change has no effect.
    assert_eq!(terrain.graph(), &graph);
    assert!(Crowd::new(terrain.meshes(), f32::NAN).is_err());
    let (parents, entries, distances) = terrain.arrays();
    let valid = TerrainParts {
        web: web.clone(),
        price: Price::default(),
        entry: EntryPrice::default(),
        parents: parents.to_vec(),
        entries: entries.to_vec(),
        distances,
    };
    assert!(Terrain::from_parts(valid.clone()).is_ok());
    let is_rejected = |damage: &dyn Fn(&mut TerrainParts)| {
        let mut parts = valid.clone();
        damage(&mut parts);
        Terrain::from_parts(parts).is_err()
    };
    assert!(is_rejected(&|parts| parts.parents[0] = 1));
    assert!(is_rejected(&|parts| parts.parents[0] = u32::MAX - 1));
    assert!(is_rejected(&|parts| parts.parents.truncate(3)));
    assert!(is_rejected(&|parts| parts.parents.push(NO_MESH)));
    assert!(is_rejected(&|parts| parts.entries[0].weighted = f32::NAN));
    assert!(is_rejected(&|parts| parts.entries[0].unweighted = -1.0));
    assert!(is_rejected(
        &|parts| parts.distances[0].weighted = f32::INFINITY
    ));
    assert!(is_rejected(&|parts| parts.distances.truncate(1)));
    assert!(is_rejected(&|parts| parts.price.floor = 0.0));
}
