//! Tests of partitions of random worlds, checked by a plain search and by counting.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ops::ControlFlow;

use glam::vec3;
use portolan_core::{Level, NavMesh, NavMeshOptions, Partition, RawLink, RawNavMesh};
use portolan_index::{IndexError, PartitionOptions, Weights, partition, partition_with_progress};
use portolan_oracle::{MeshPlan, plans, scenes};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

const MERGE_FACTORS: [u32; 7] = [2, 4, 6, 8, 10, 15, 20];
const WEIGHTS: [Weights; 3] = [
    Weights::Balanced,
    Weights::RandomNodes,
    Weights::RandomEdges,
];

fn options(merge_factor: u32, max_levels: u32) -> PartitionOptions {
    PartitionOptions {
        merge_factor,
        max_levels,
        ..PartitionOptions::default()
    }
}

fn scene(scene: WorldScene, polygons: usize, floors: u32) -> NavMesh {
    let options = WorldOptions {
        polygons,
        floors,
        links: true,
        ..WorldOptions::default()
    };
    MeshPlan::Scene(scene, options).mesh()
}

/// Returns the neighbours of each polygon.
fn neighbours(mesh: &NavMesh) -> Vec<Vec<usize>> {
    let mut adjacent = vec![Vec::new(); mesh.polygon_count()];
    let portals = mesh.portals().iter().map(|portal| portal.polygons);
    let links = mesh.links().iter().map(|link| link.polygons);
    for [a, b] in portals.chain(links) {
        adjacent[a.index()].push(b.index());
        adjacent[b.index()].push(a.index());
    }
    adjacent
}

/// Returns the number of connected pieces, where only polygons with the same label are connected.
fn pieces(adjacent: &[Vec<usize>], label: impl Fn(usize) -> u32) -> usize {
    let mut visited = vec![false; adjacent.len()];
    let mut count = 0;
    for first in 0..adjacent.len() {
        if std::mem::replace(&mut visited[first], true) {
            continue;
        }
        count += 1;
        let mut queue = VecDeque::from([first]);
        while let Some(polygon) = queue.pop_front() {
            for &next in &adjacent[polygon] {
                if label(next) == label(polygon) && !std::mem::replace(&mut visited[next], true) {
                    queue.push_back(next);
                }
            }
        }
    }
    count
}

/// Checks all invariants of a partition.
fn assert_valid(mesh: &NavMesh, partition: &Partition, options: &PartitionOptions) {
    assert_eq!(partition.cell_count(), mesh.polygon_count());
    assert!(u32::from(partition.top().0) <= options.max_levels);
    let adjacent = neighbours(mesh);
    let components = mesh.components();
    let statistics = partition.statistics(mesh);
    for (level, statistics) in partition.levels().zip(&statistics) {
        let (below, count) = (Level(level.0 - 1), partition.node_count(level));
        let node_of = |polygon: usize| partition.node_of(level, polygon);
        // There are as many pieces as nodes, so every node is connected.
        assert_eq!(pieces(&adjacent, |p| node_of(p).0), count, "level {level}");
        let between = components.count() + 1..partition.node_count(below);
        assert!(between.contains(&count), "level {level}: {count}");
        // Polygons that share a node below also share a node here.
        let mut above = vec![None; partition.node_count(below)];
        for polygon in 0..mesh.polygon_count() {
            let above = &mut above[partition.node_of(below, polygon).index()];
            assert_eq!(*above.get_or_insert(node_of(polygon)), node_of(polygon));
        }
        // No node has more portals than its bound.
        for node in partition.node_statistics(mesh, level) {
            let bound = node.bound(statistics.max_portals);
            assert!(node.inter_edges as i64 <= bound, "{node:?}: {bound}");
            assert!(bound <= statistics.bound);
        }
        assert_eq!(statistics.nodes, count);
    }
    // If there are fewer levels than allowed, nothing is left to merge.
    if u32::from(partition.top().0) < options.max_levels {
        let mut nodes = vec![vec![]; components.count()];
        for polygon in mesh.polygons() {
            let node = partition.node_of(partition.top(), polygon.index());
            nodes[components.of(polygon) as usize].push(node);
        }
        for nodes in &mut nodes {
            nodes.sort();
            nodes.dedup();
            let parts = nodes.len() / options.merge_factor as usize;
            assert!(parts < 2, "{} nodes could be merged", nodes.len());
        }
    }
}

fn any_options() -> impl Strategy<Value = PartitionOptions> {
    let merge_factor = prop::sample::select(&MERGE_FACTORS[..]);
    let weights = prop::sample::select(&WEIGHTS[..]);
    (merge_factor, 0u32..6, any::<u64>(), weights).prop_map(
        |(merge_factor, max_levels, seed, weights)| PartitionOptions {
            merge_factor,
            max_levels,
            seed,
            weights,
        },
    )
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn partitions_of_small_worlds_are_valid(plan in plans(), options in any_options()) {
        let mesh = plan.mesh();
        let partition = partition(&mesh, &options).unwrap();
        assert_valid(&mesh, &partition, &options);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(40))]

    #[test]
    fn partitions_of_larger_scenes_are_valid(plan in scenes(2500), options in any_options()) {
        let mesh = plan.mesh();
        let partition = partition(&mesh, &options).unwrap();
        assert_valid(&mesh, &partition, &options);
        let order = partition.order();
        let (mesh, sorted) = (mesh.in_order(&order), partition.in_order(&order));
        assert_valid(&mesh, &sorted, &options);
        for level in sorted.levels() {
            prop_assert!(sorted.nodes(level).is_sorted());
        }
    }
}

#[test]
fn the_number_of_nodes_matches_the_merge_factor() {
    for kind in WorldScene::ALL {
        let mesh = scene(kind, 5000, 2);
        for merge_factor in MERGE_FACTORS {
            let options = options(merge_factor, 3);
            let partition = partition(&mesh, &options).unwrap();
            assert_valid(&mesh, &partition, &options);
            let nodes = partition.node_count(Level(1)) as f64;
            let ratio = nodes * f64::from(merge_factor) / mesh.polygon_count() as f64;
            let polygons = partition.statistics(&mesh)[0].polygons;
            println!("{kind}, mu {merge_factor}: {ratio:.2} of n / mu, {polygons:?}");
            assert!((0.9..1.2).contains(&ratio), "{ratio}");
            assert!(polygons.max <= 3 * merge_factor as usize);
        }
    }
}

#[test]
fn a_partition_with_many_parts_takes_several_calls_of_metis() {
    let mesh = scene(WorldScene::Rooms, 20_000, 1);
    for merge_factor in [2, 15] {
        let options = options(merge_factor, 4);
        let partition = partition(&mesh, &options).unwrap();
        assert_valid(&mesh, &partition, &options);
        let nodes = partition.node_count(Level(1)) as f64;
        let ratio = nodes * f64::from(merge_factor) / mesh.polygon_count() as f64;
        assert!((0.9..1.2).contains(&ratio), "mu {merge_factor}: {ratio}");
    }
}

#[test]
fn partitions_are_deterministic_on_any_thread() {
    let meshes = [
        scene(WorldScene::Rooms, 3000, 2),
        scene(WorldScene::Open, 2000, 1),
    ];
    let all = || -> Vec<Partition> {
        let one = |mesh: &NavMesh| partition(mesh, &options(6, 4)).unwrap();
        meshes.iter().map(one).collect()
    };
    let expected = all();
    assert_eq!(all(), expected);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(all)).collect();
        for worker in workers {
            assert_eq!(worker.join().unwrap(), expected);
        }
    });
}

/// Creates squares of 1 m with separate vertices, from the corners with the smallest coordinates.
fn squares(corners: &[(f32, f32, f32)]) -> RawNavMesh {
    let mut raw = RawNavMesh::default();
    for &(x, y, z) in corners {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (1., 0.), (1., 1.), (0., 1.)];
        let corners = corners.map(|(dx, dz)| vec3(x + dx, y, z + dz));
        raw.vertices.extend(corners);
        raw.polygons.push(first..first + 4);
    }
    raw
}

fn block(x: f32, y: f32, side: usize) -> impl Iterator<Item = (f32, f32, f32)> {
    (0..side * side).map(move |i| (x + (i % side) as f32, y, (i / side) as f32))
}

fn build(raw: RawNavMesh) -> NavMesh {
    NavMesh::build(raw, &NavMeshOptions::default()).expect("valid squares")
}

#[test]
fn worlds_that_cannot_be_merged_have_no_levels() {
    let one = build(squares(&[(0., 0., 0.)]));
    let separate: Vec<_> = (0..40).map(|i| (3.0 * i as f32, 0., 0.)).collect();
    let separate = build(squares(&separate));
    assert!(separate.portals().is_empty());
    let few: Vec<_> = block(0., 0., 3).collect();
    let few = build(squares(&few));
    for mesh in [one, separate, few] {
        let partition = partition(&mesh, &options(5, 3)).unwrap();
        assert_eq!(partition.top(), Level(0));
        assert!(partition.statistics(&mesh).is_empty());
    }
    let all: Vec<_> = block(0., 0., 8).collect();
    let none = partition(&build(squares(&all)), &options(5, 0)).unwrap();
    assert_eq!(none.top(), Level(0));
}

#[test]
fn islands_stay_apart_at_every_level() {
    let islands = block(50., 0., 2).chain(block(70., 0., 1));
    let corners: Vec<_> = block(0., 0., 20).chain(islands).collect();
    let mesh = build(squares(&corners));
    let options = options(4, 8);
    let partition = partition(&mesh, &options).unwrap();
    assert_valid(&mesh, &partition, &options);
    // About 100, 25 and 6 nodes. One more level would leave a single node per component.
    assert_eq!(partition.top(), Level(3));
    for statistics in partition.statistics(&mesh) {
        assert_eq!(statistics.without_edges, 2, "{statistics:?}");
        assert_eq!(statistics.polygons.min, 1);
    }
}

#[test]
fn links_connect_nodes_without_portals() {
    let count = 64;
    let separate: Vec<_> = (0..count).map(|i| (3.0 * i as f32, 0., 0.)).collect();
    let mut raw = squares(&separate);
    let centre = |i: usize| vec3(3.0 * i as f32 + 0.5, 0., 0.5);
    raw.links = (1..count)
        .map(|i| RawLink {
            start: centre(i - 1),
            end: centre(i),
            ..RawLink::default()
        })
        .collect();
    let mesh = build(raw);
    assert_eq!((mesh.portals().len(), mesh.links().len()), (0, count - 1));
    let options = options(4, 3);
    let partition = partition(&mesh, &options).unwrap();
    assert_valid(&mesh, &partition, &options);
    let statistics = &partition.statistics(&mesh)[0];
    assert!((12..=20).contains(&statistics.nodes), "{statistics:?}");
    assert_eq!(statistics.links_between, statistics.nodes - 1);
    assert_eq!((statistics.edge_cut, statistics.without_edges), (0, 0));
}

#[test]
fn stacked_floors_share_a_node_only_over_links() {
    let corners: Vec<_> = block(0., 0., 12).chain(block(0., 4., 12)).collect();
    let separate = build(squares(&corners));
    let options = options(6, 1);
    let floors = partition(&separate, &options).unwrap();
    assert_valid(&separate, &floors, &options);
    let is_upper = |polygon| separate.centre(polygon).y > 2.0;
    let mut upper = vec![None; floors.node_count(Level(1))];
    for polygon in separate.polygons() {
        let node = floors.node_of(Level(1), polygon.index());
        let upper = upper[node.index()].get_or_insert(is_upper(polygon));
        assert_eq!(*upper, is_upper(polygon));
    }
    let mut raw = squares(&corners);
    raw.links.push(RawLink {
        start: vec3(0.5, 0., 0.5),
        end: vec3(0.5, 4., 0.5),
        ..RawLink::default()
    });
    let joined = build(raw);
    assert_eq!(joined.components().count(), 1);
    let partition = partition(&joined, &options).unwrap();
    assert_valid(&joined, &partition, &options);
}

#[test]
fn random_weights_give_worse_but_valid_partitions() {
    let mesh = scene(WorldScene::Open, 4000, 1);
    // Returns the variance of the number of polygons per node, and the number of portals between nodes.
    let measure = |weights| {
        let options = PartitionOptions {
            weights,
            ..options(6, 2)
        };
        let partition = partition(&mesh, &options).unwrap();
        assert_valid(&mesh, &partition, &options);
        let nodes = partition.node_statistics(&mesh, Level(1));
        let level = partition.statistics(&mesh).swap_remove(0);
        let squares = nodes.iter().map(|node| {
            let deviation = node.polygons as f64 - level.polygons.mean;
            deviation * deviation
        });
        let variance = squares.sum::<f64>() / nodes.len() as f64;
        println!("{weights:?}: variance {variance:.2}, {level:?}");
        (variance, level.edge_cut as f64)
    };
    let [balanced, nodes, edges] = WEIGHTS.map(measure);
    assert!(nodes.0 > 1.2 * balanced.0);
    assert!(edges.1 > 1.1 * balanced.1);
}

#[test]
fn options_outside_their_limits_are_rejected() {
    let mesh = scene(WorldScene::Rooms, 200, 1);
    for (options, message) in [
        (options(1, 3), "merge_factor = 1: it must be from 2 to 1000"),
        (
            options(1001, 3),
            "merge_factor = 1001: it must be from 2 to 1000",
        ),
        (options(4, 17), "max_levels = 17: it must be from 0 to 16"),
    ] {
        assert_eq!(partition(&mesh, &options).unwrap_err().to_string(), message);
    }
    assert!(partition(&mesh, &options(1000, 16)).is_ok());
}

#[test]
fn progress_increases_and_can_stop_the_partition() {
    let mesh = scene(WorldScene::Rooms, 3000, 1);
    let (visited, calls) = (Cell::new(0), Cell::new(0usize));
    let progress = |done, total| {
        assert_eq!(total, 3 * mesh.polygon_count());
        assert!(visited.get() <= done && done <= total);
        visited.set(done);
        calls.set(calls.get() + 1);
        ControlFlow::Continue(())
    };
    partition_with_progress(&mesh, &options(4, 3), &progress).unwrap();
    assert_eq!(visited.get(), 3 * mesh.polygon_count());
    for stop_at in 0..calls.get() {
        let remaining = Cell::new(stop_at);
        let progress = |_, _| match remaining.replace(remaining.get().saturating_sub(1)) {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let stopped = partition_with_progress(&mesh, &options(4, 3), &progress);
        assert_eq!(stopped, Err(IndexError::Stopped), "call {stop_at}");
    }
}
