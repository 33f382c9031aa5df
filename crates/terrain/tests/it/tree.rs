//! The tree of meshes: merging, compression, and the records between siblings.

use std::collections::BTreeSet;

use portolan_oracle::ground::{grid, hilly, plans};
use portolan_terrain::{
    Compression, EntryPrice, LowGraph, MergeOptions, MeshTree, Meshes, NO_MESH, NO_TRIANGLE,
    Terrain, TerrainEngine, TerrainOptions, TerrainPath, TerrainScratch, TriangleWeb,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::common::{entry_prices, find, merge, random_pairs};

/// Returns the number of islands, which are the connected components of the graph.
fn islands(graph: &LowGraph) -> usize {
    let mut is_seen = vec![false; graph.len()];
    let mut count = 0;
    for seed in 0..graph.len() as u32 {
        if std::mem::replace(&mut is_seen[seed as usize], true) {
            continue;
        }
        count += 1;
        let mut open = vec![seed];
        while let Some(at) = open.pop() {
            for to in graph
                .crossings(at)
                .0
                .into_iter()
                .filter(|&to| to != NO_TRIANGLE)
            {
                if !std::mem::replace(&mut is_seen[to as usize], true) {
                    open.push(to);
                }
            }
        }
    }
    count
}

/// Checks the invariants of a structure of meshes.
fn check_structure(graph: &LowGraph, meshes: &Meshes) {
    // All ancestors of a Low Mesh up to the root contain it.
    for triangle in 0..graph.len() as u32 {
        let low = meshes.low(triangle);
        assert_eq!(meshes.triangle(low), triangle);
        let mut at = low;
        while at != meshes.root() {
            assert!(meshes.contains(at, low));
            let parent = meshes.parent(at);
            assert!(parent > at && meshes.children(parent).contains(&at));
            at = parent;
        }
        assert_eq!(meshes.parent(at), NO_MESH);
    }
    // The ranges of children are consecutive, and the box of a mesh is the box around its children.
    for high in meshes.low_count() as u32..meshes.len() as u32 {
        let mut next = meshes.low_range(high).start;
        let mut extent = meshes.extent(meshes.children(high)[0]);
        for &child in meshes.children(high) {
            assert_eq!(meshes.low_range(child).start, next);
            next = meshes.low_range(child).end;
            extent = extent.union(meshes.extent(child));
        }
        assert_eq!(
            (next, extent),
            (meshes.low_range(high).end, meshes.extent(high))
        );
    }
    // Each crossing is a joint of exactly one record between two siblings, and there is a record back.
    let mut joints = BTreeSet::new();
    for mesh in 0..meshes.len() as u32 {
        for (sibling, distance, own) in meshes.neighbours(mesh) {
            assert_eq!(meshes.parent(mesh), meshes.parent(sibling));
            assert!(!own.is_empty() && own.is_sorted());
            assert!(distance.weighted > 0.0 && distance.weighted < f32::INFINITY);
            assert!(distance.unweighted > 0.0 && distance.unweighted < f32::INFINITY);
            for joint in own {
                assert!(meshes.contains(mesh, joint.from) && meshes.contains(sibling, joint.to));
                assert!(joints.insert([joint.from, joint.to]));
            }
            let mut back = meshes
                .neighbours(sibling)
                .filter(|(back, ..)| *back == mesh);
            let (.., back) = back.next().expect("records are mutual");
            assert_eq!(back.len(), own.len());
        }
    }
    let mut crossings = BTreeSet::new();
    for from in 0..graph.len() as u32 {
        for to in graph
            .crossings(from)
            .0
            .into_iter()
            .filter(|&to| to != NO_TRIANGLE)
        {
            crossings.insert([from, to].map(|triangle| meshes.low(triangle)));
        }
    }
    assert_eq!(joints, crossings);
}

/// Tries all subsets of High Meshes to keep, and returns the minimum, over those with few enough layers, of the
/// maximum number of children. Returns `None` if there are too many subsets.
fn min_max_children(parents: &[u32], low_count: usize, layers: usize) -> Option<usize> {
    let inner: Vec<usize> = (low_count..parents.len())
        .filter(|&mesh| parents[mesh] != NO_MESH)
        .collect();
    if inner.len() > 12 {
        return None;
    }
    let choices = (0u32..1 << inner.len()).filter_map(|choice| {
        let is_gone = |mesh: u32| {
            let bit = inner.iter().position(|&inner| inner == mesh as usize);
            bit.is_some_and(|bit| choice >> bit & 1 == 1)
        };
        let above = |mesh: usize| {
            let mut parent = parents[mesh];
            while parent != NO_MESH && is_gone(parent) {
                parent = parents[parent as usize];
            }
            parent
        };
        let mut children = vec![0; parents.len()];
        let mut height = vec![1; parents.len()];
        for mesh in (0..parents.len()).filter(|&mesh| !is_gone(mesh as u32)) {
            if let Some(parent) = Some(above(mesh)).filter(|&parent| parent != NO_MESH) {
                children[parent as usize] += 1;
                height[parent as usize] = height[parent as usize].max(height[mesh] + 1);
            }
        }
        let fits = height.iter().all(|&height| height <= layers);
        fits.then(|| children.into_iter().max().unwrap_or(0))
    });
    choices.min()
}

proptest! {
    #![proptest_config(portolan_oracle::cases(128))]

    #[test]
    fn merging_leaves_one_top_mesh_per_island(
        plan in plans(), entry in entry_prices(), max_children in 2usize..20, tie in prop_oneof![Just(1e-5f32), 0f32..=1.0],
    ) {
        let graph = plan.graph();
        let options = MergeOptions { entry, max_children, tie, ..MergeOptions::default() };
        let tree = MeshTree::new(&graph, &options);
        let meshes = Meshes::new(&graph, &tree, entry);
        prop_assert_eq!(meshes.tops().len(), islands(&graph));
        check_structure(&graph, &meshes);
        for top in meshes.tops() {
            prop_assert!(meshes.children(top).len() <= max_children);
        }
        // Iterations merge meshes, and never split them.
        let mut before: Vec<u32> = tree.tops_after(0);
        prop_assert_eq!(&before, &(0..graph.len() as u32).collect::<Vec<_>>());
        for iteration in 1..=tree.iterations() {
            let after = tree.tops_after(iteration);
            let pairs: BTreeSet<_> = before.iter().zip(&after).collect();
            let [old, new] = [&before, &after].map(|tops| tops.iter().collect::<BTreeSet<_>>().len());
            prop_assert_eq!(pairs.len(), old, "a mesh was split");
            prop_assert!(new < old, "nothing was merged");
            before = after;
        }
    }

    #[test]
    fn compression_minimizes_the_maximum_number_of_children(
        plan in plans(), entry in entry_prices(), max_children in 2usize..5, layers in 2usize..8,
    ) {
        let graph = plan.graph();
        let tree = merge(&graph, entry, max_children);
        let compressed = tree.compressed(layers, Compression::Balanced);
        prop_assert!(compressed.layers() <= layers.max(2));
        let meshes = Meshes::new(&graph, &compressed, entry);
        check_structure(&graph, &meshes);
        prop_assert_eq!(meshes.layers(), compressed.layers());
        if tree.layers() <= layers {
            prop_assert_eq!(&compressed, &tree);
        } else if let Some(expected) = min_max_children(tree.parents(), graph.len(), layers) {
            let highs = meshes.low_count() as u32..meshes.len() as u32 - u32::from(meshes.has_global());
            let max_children = highs.map(|high| meshes.children(high).len()).max().unwrap();
            prop_assert_eq!(max_children, expected);
        }
    }

    /// The reference evaluates all meshes again in every step.
    #[test]
    fn compression_of_the_thesis_removes_the_least_useful_meshes(
        plan in plans(), entry in entry_prices(), max_children in 2usize..5, layers in 2usize..8, max_iterations in 0usize..12,
    ) {
        let graph = plan.graph();
        let options = MergeOptions { entry, max_children, max_iterations, ..MergeOptions::default() };
        for tree in [merge(&graph, entry, max_children), MeshTree::new(&graph, &options)] {
            let compressed = tree.compressed(layers, Compression::Thesis);
            prop_assert!(compressed.layers() <= layers.max(2));
            check_structure(&graph, &Meshes::new(&graph, &compressed, entry));
            let expected = portolan_oracle::thesis::compress(tree.parents(), graph.len(), layers);
            let parents = compressed.parents();
            let mut found: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); parents.len()];
            for low in 0..graph.len() as u32 {
                let mut at = low;
                while at != NO_MESH {
                    found[at as usize].insert(low);
                    at = parents[at as usize];
                }
            }
            prop_assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }
}

proptest! {
    // The reference implementations compute in f64. If two distances differ only by the rounding of f32, they may
    // choose the other one, which happens about once in some thousand terrains. A fixed seed avoids that.
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(9),
        ..portolan_oracle::cases(200)
    })]

    /// The reference lets all Top Meshes pick candidates in every iteration.
    #[test]
    fn iterations_merge_the_same_meshes_as_in_the_thesis(plan in plans(), entry in entry_prices()) {
        prop_assume!(!plan.has_ties() && entry != EntryPrice::WorstUnweighted);
        let graph = plan.graph();
        let tree = merge(&graph, entry, 1024);
        let truth = portolan_oracle::thesis::merge_all(&graph, entry);
        prop_assert_eq!(tree.iterations(), truth.len());
        for (iteration, truth) in (1..).zip(&truth) {
            prop_assert_eq!(normalized(&tree.tops_after(iteration)), normalized(truth));
        }
    }

    /// The reference stores records on every layer and updates them after each merge, as in the thesis.
    #[test]
    fn sibling_records_are_the_same_as_in_the_thesis(
        plan in plans(), entry in entry_prices(), max_children in 2usize..20, layers in 2usize..8, compress: bool,
    ) {
        // With ties, the reference may choose another path. Unweighted distances on a grid are often equal.
        prop_assume!(!plan.has_ties() && entry != EntryPrice::WorstUnweighted);
        let graph = plan.graph();
        let mut tree = merge(&graph, entry, max_children);
        if compress {
            tree = tree.compressed(layers, Compression::Balanced);
        }
        let truth = portolan_oracle::thesis::records(&graph, tree.parents(), entry);
        let meshes = Meshes::new(&graph, &tree, entry);
        let old = |mesh: u32| match (mesh as usize) < meshes.low_count() {
            true => meshes.triangle(mesh),
            false => mesh,
        };
        for mesh in 0..tree.parents().len() as u32 {
            let truth = &truth[old(mesh) as usize];
            let siblings = truth.keys().filter(|&&to| tree.parents()[to as usize] == tree.parents()[old(mesh) as usize]);
            prop_assert_eq!(siblings.count(), meshes.neighbours(mesh).count());
            for (sibling, distance, _) in meshes.neighbours(mesh) {
                let [price, plain] = truth[&old(sibling)];
                prop_assert!(near(distance.weighted, price), "{} not {price}", distance.weighted);
                prop_assert!(near(distance.unweighted, plain), "{} not {plain}", distance.unweighted);
            }
        }
    }
}

/// Replaces each Top Mesh by the first triangle in it, so that the result does not depend on mesh ids.
fn normalized(tops: &[u32]) -> Vec<usize> {
    let first = |top| tops.iter().position(|other| other == top);
    let first = |top| first(top).expect("the list contains itself");
    tops.iter().map(first).collect()
}

fn near(found: f32, truth: f64) -> bool {
    (f64::from(found) - truth).abs() <= 1e-4 * truth
}

/// In the thesis, joints take quadratic memory if triangles join a mesh one by one.
#[test]
fn memory_is_linear_in_the_number_of_triangles() {
    let bytes = [17, 33, 65].map(|side| {
        let (web, _) = hilly(side);
        let terrain = Terrain::build(web, &TerrainOptions::default()).unwrap();
        assert!(terrain.bytes() < 1024 * terrain.web().len());
        terrain.meshes().bytes() as f64 / terrain.web().len() as f64
    });
    assert!(bytes[2] < bytes[0] * 1.15, "{bytes:?} bytes per triangle");
}

/// On flat ground all distances are equal. The rule of the thesis would merge everything into one mesh.
#[test]
fn flat_ground_is_merged_up_to_the_maximum_number_of_children() {
    let (points, triangles) = grid([65, 65], true, |_, _| 0.0);
    let web = TriangleWeb::new(points, triangles, Vec::new()).unwrap();
    let terrain = Terrain::build(web, &TerrainOptions::default()).unwrap();
    let meshes = terrain.meshes();
    assert!(!meshes.has_global());
    let highs = meshes.low_count() as u32..meshes.len() as u32;
    let max_children = highs.map(|high| meshes.children(high).len()).max();
    assert_eq!(max_children, Some(MergeOptions::default().max_children));
    assert!(meshes.layers() <= 10, "{} layers", meshes.layers());
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    for ends in random_pairs(terrain.graph(), 50, 6) {
        let [found, truth] = [TerrainEngine::Mesh, TerrainEngine::AStar]
            .map(|engine| find(&terrain, engine, ends, &mut scratch, &mut path).unwrap());
        assert!(found <= 4.0 * truth + 1e-6, "{found} for {truth}");
    }
}
