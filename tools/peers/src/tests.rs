//! Tests of all peers on three rooms.

use glam::{Vec3, vec3};
use portolan_core::{NavMesh, NavMeshOptions, Path, RawNavMesh, World};
use portolan_measure::Order;

use crate::check::{AnswerChecker, is_same_exactly};
use crate::compare::{self, Rounds};
use crate::fast_paths::FastPaths;
use crate::input::Map;
use crate::landmass::Landmass;
use crate::peer::{Peer, PeerAnswer, PeerStatus};
use crate::portolan::IndexedWorlds;
use crate::{detour, polyanya, portolan, processes, walk};

/// Builds three rooms of 4 m side by side, connected by doors 1 m wide and 0.2 m deep, and a fourth room without a
/// door.
pub(crate) fn rooms() -> NavMesh {
    let mut raw = RawNavMesh::default();
    let mut rectangle = |x: [f32; 2], z: [f32; 2], cuts: [Option<[f32; 2]>; 2]| {
        let mut corners = vec![vec3(x[0], 0.0, z[0]), vec3(x[1], 0.0, z[0])];
        if let Some([low, high]) = cuts[1] {
            corners.extend([vec3(x[1], 0.0, low), vec3(x[1], 0.0, high)]);
        }
        corners.extend([vec3(x[1], 0.0, z[1]), vec3(x[0], 0.0, z[1])]);
        if let Some([low, high]) = cuts[0] {
            corners.extend([vec3(x[0], 0.0, high), vec3(x[0], 0.0, low)]);
        }
        let indices: Vec<u32> = corners
            .into_iter()
            .map(|corner| {
                let known = raw.vertices.iter().position(|&vertex| vertex == corner);
                known.unwrap_or_else(|| {
                    raw.vertices.push(corner);
                    raw.vertices.len() - 1
                }) as u32
            })
            .collect();
        raw.polygons.push(indices);
    };
    let (low, high) = ([0.5, 1.5], [2.5, 3.5]);
    rectangle([0.0, 4.0], [0.0, 4.0], [None, Some(low)]);
    rectangle([4.0, 4.2], low, [None, None]);
    rectangle([4.2, 8.2], [0.0, 4.0], [Some(low), Some(high)]);
    rectangle([8.2, 8.4], high, [None, None]);
    rectangle([8.4, 12.4], [0.0, 4.0], [Some(high), None]);
    rectangle([20.0, 24.0], [0.0, 4.0], [None, None]);
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

const START: Vec3 = vec3(1.0, 0.0, 3.0);
const GOAL: Vec3 = vec3(12.0, 0.0, 0.5);
const ISLAND: Vec3 = vec3(22.0, 0.0, 2.0);
const NOWHERE: Vec3 = vec3(100.0, 0.0, 100.0);

fn peers(indexed: &IndexedWorlds) -> Vec<Box<dyn Peer>> {
    let world = &indexed.world;
    let engines = portolan::peers(indexed);
    let mut peers: Vec<Box<dyn Peer>> = vec![Box::new(FastPaths::new(world, 0.0))];
    peers.extend(
        engines
            .into_iter()
            .map(|peer| Box::new(peer) as Box<dyn Peer>),
    );
    peers.push(Box::new(polyanya::build(world.mesh()).unwrap().0));
    peers.extend(detour::peers(world.mesh(), portolan_core::DEFAULT_SNAP).unwrap_or_default());
    match Landmass::start(world.mesh()) {
        Ok(landmass) => peers.push(Box::new(landmass)),
        Err(problem) => println!("without landmass: {problem}"),
    }
    peers
}

#[test]
fn all_peers_find_the_same_paths() {
    for mut peer in peers(&IndexedWorlds::new(rooms())) {
        let mut answer = PeerAnswer::default();
        peer.query(START, GOAL, &mut answer);
        let name = peer.name().to_owned();
        assert_eq!(answer.status, PeerStatus::Found, "{name}");
        // Exact paths need no corridor, and `auto` is exact on these rooms.
        let has_corridor = !["landmass", "auto", "auto:exact"].contains(&name.as_str());
        if has_corridor {
            assert_eq!(answer.polygons, [0, 1, 2, 3, 4], "{name}");
        }
        let corners: Vec<_> = answer.waypoints.iter().map(|p| (p.x, p.z)).collect();
        let taut = [(1.0, 3.0), (4.0, 1.5), (8.2, 2.5), (8.4, 2.5), (12.0, 0.5)];
        let expected = corners.iter().filter(|&&(x, _)| x != 4.2);
        assert!(expected.eq(&taut), "{name}: {corners:?}");

        peer.query(START, ISLAND, &mut answer);
        assert!(
            matches!(answer.status, PeerStatus::NoPath | PeerStatus::Partial),
            "{name}: {:?}",
            answer.status
        );
        peer.query(START, NOWHERE, &mut answer);
        assert_eq!(answer.status, PeerStatus::OffMesh, "{name}");
        peer.query(START, START, &mut answer);
        assert_eq!(
            (answer.status, answer.length_xz()),
            (PeerStatus::Found, 0.0)
        );
    }
}

#[test]
fn the_checker_finds_wrong_waypoints_and_corridors() {
    let indexed = IndexedWorlds::new(rooms());
    let mut checker = AnswerChecker::new(&indexed.world);
    let mut engines = portolan::peers(&indexed);
    for (row, peer) in indexed.engine_rows().zip(&mut engines) {
        let mut checker = AnswerChecker::new(row.world);
        let mut answer = PeerAnswer::default();
        peer.query(START, GOAL, &mut answer);
        let mut fault_of = |answer: &_| checker.fault_of(row.engine, [START, GOAL], answer);
        assert_eq!(fault_of(&answer), None, "{}", row.name);
        answer.waypoints.remove(1);
        let fault = fault_of(&answer).unwrap();
        assert!(fault.contains("waypoints"), "{fault}");
    }
    assert!(checker.is_joined(&[0, 1, 2]));
    assert!(!checker.is_joined(&[0, 2]));
    assert!(!checker.is_joined(&[0, 77]));
    let dijkstra = checker.dijkstra([START, GOAL]).unwrap();
    assert!(dijkstra > f64::from(START.distance(GOAL)));
    assert_eq!(checker.dijkstra([START, ISLAND]), None);
}

#[test]
fn an_exact_path_costs_its_length_in_plan() {
    // Two squares on a slope of 45 degrees, so that lengths in space are not lengths in plan.
    let mut raw = RawNavMesh::default();
    let points = [0.0, 4.0, 8.0].map(|x| [vec3(x, x, 0.0), vec3(x, x, 4.0)]);
    raw.vertices.extend(points.into_iter().flatten());
    raw.polygons.push([0, 2, 3, 1]);
    raw.polygons.push([2, 4, 5, 3]);
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
    let indexed = IndexedWorlds::new(mesh);
    let ends = [vec3(1.0, 1.0, 2.0), vec3(7.0, 7.0, 2.0)];
    let mut answer = PeerAnswer::default();
    for (row, mut peer) in indexed.engine_rows().zip(portolan::peers(&indexed)) {
        peer.query(ends[0], ends[1], &mut answer);
        assert_eq!(answer.length_xz(), 6.0, "{}", row.name);
        let fault = AnswerChecker::new(row.world).fault_of(row.engine, ends, &answer);
        assert_eq!(fault, None, "{}", row.name);
    }
    assert!(is_same_exactly(f64::from(0.1f32), 0.1));
    assert!(!is_same_exactly(f64::from(ends[0].distance(ends[1])), 6.0));
    assert!(!is_same_exactly(5.9999, 6.0));
}

#[test]
fn auto_is_one_row_and_the_default_tier_another() {
    let indexed = IndexedWorlds::new(rooms());
    let names: Vec<String> = indexed.engine_rows().map(|row| row.name).collect();
    let first = [
        "auto",
        "auto:exact",
        "auto:exact+corridor",
        "auto:fast",
        "contraction",
        "auto:best",
    ];
    assert_eq!(names[..first.len()], first);
    let (mut sorted, count) = (names.clone(), names.len());
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), count, "{names:?}");
    assert!(names.contains(&"contraction+plan".to_owned()));
    assert!(!names.contains(&"auto+plan".to_owned()));
}

#[test]
fn waypoints_outside_the_corridor_are_a_fault() {
    let world = World::from_mesh(rooms());
    let find = |from, to| world.find(from, to).unwrap();
    let walk = |path: &Path| walk::fault_of(world.mesh(), path);
    let path = find(START, GOAL);
    assert_eq!(walk(&path), None);
    assert_eq!(walk(&find(START, START)), None);
    // The straight line leads through a wall.
    let mut straight = path.clone();
    straight.waypoints = vec![START, GOAL];
    assert!(walk(&straight).is_some());
    // The waypoints are right, but the corridor has the wrong order.
    let mut reordered = path.clone();
    reordered.corridor.polygons.swap(0, 2);
    assert!(walk(&reordered).is_some());
    // The path ends in the room in the middle.
    let mut short = path.clone();
    short.waypoints.truncate(2);
    assert!(walk(&short).is_some());
    // A waypoint lies a centimetre inside the wall beside the first door.
    let mut aside = path.clone();
    aside.waypoints[1].z += 0.01;
    assert!(walk(&aside).is_some());
}

#[test]
fn the_table_has_a_row_per_peer_and_the_json_all_numbers() {
    let map = Map {
        name: "three rooms".to_owned(),
        mesh: rooms(),
        queries: vec![[START, GOAL], [GOAL, START], [START, ISLAND]],
        query_source: "by hand".to_owned(),
        references: Vec::new(),
        level: None,
    };
    for order in [Order::ByQuery, Order::ByContender { is_warm: true }] {
        let measured = compare::measure_map(&map, Rounds { count: 2, order }, Some(200));
        let figures = processes::merge(&[measured]).unwrap();
        assert!(figures.faults.is_empty(), "{:?}", figures.faults);
        let table = figures.table();
        let exactness = figures.exactness.as_ref().unwrap();
        assert_eq!(exactness.queries.queries, 3);
        assert_eq!(exactness.borders.queries, 200);
        assert!(table.contains("\nauto: exact ("), "{table}");
        let names = [
            "auto",
            "auto:exact",
            "auto:exact+corridor",
            "auto:fast",
            "contraction",
            "auto:best",
            "astar",
            "dijkstra",
            "fast_paths",
            "polyanya",
        ];
        for name in names {
            let row = table
                .lines()
                .find(|line| line.starts_with(&format!("{name} ")));
            let words: Vec<&str> = row.unwrap().split_whitespace().collect();
            assert_eq!((words[1], words.len()), ("1", 13), "{table}");
        }
        assert!(
            table.lines().all(|line| line.chars().count() <= 120),
            "{table}"
        );
        let json = serde_json::to_value(&figures).unwrap();
        let auto = &json["engines"][0];
        assert_eq!((&auto["found"], &auto["failed"]), (&2.into(), &1.into()));
        for key in [
            "mean_us",
            "median_us",
            "p99_us",
            "max_us",
            "cpu_mean_us",
            "lowest_process_mean_us",
            "highest_process_mean_us",
            "build_ms",
            "bytes_per_polygon",
            "detour_ratio",
        ] {
            assert!(auto[key].is_number(), "{key}");
        }
        assert!(auto["excess"]["mean"].as_f64().unwrap().abs() < 1e-3);
    }
}
