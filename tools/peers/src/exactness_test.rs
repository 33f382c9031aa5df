use glam::vec3;
use portolan_core::{Engine, NavMeshOptions, RawNavMesh, Tier};
use portolan_scenes::{WorldOptions, WorldScene};

use super::*;

fn name() -> String {
    "query 7".to_owned()
}

#[test]
fn an_answer_is_wrong_if_it_is_lost_invalid_or_of_another_length() {
    let added = |length, reference, has_path, fault: Option<&str>| {
        let mut comparison = OracleComparison::default();
        comparison.add(length, reference, has_path, fault.map(str::to_owned), name);
        comparison
    };
    let is_exact =
        |length, reference, has_path| added(length, reference, has_path, None).is_exact();
    assert!(is_exact(Some(100.0), 100.0, true));
    assert!(is_exact(Some(100.0009), 100.0, true));
    assert!(is_exact(Some(0.0), 0.0, true));
    assert!(is_exact(None, f64::INFINITY, false));
    // Too long, and too short.
    assert!(!is_exact(Some(100.0011), 100.0, true));
    assert!(!is_exact(Some(99.9989), 100.0, true));
    assert!(!is_exact(Some(f64::NAN), 100.0, true));
    // No path although there is one, and a path although there is none.
    assert!(!is_exact(None, 100.0, true));
    assert!(!is_exact(Some(100.0), f64::INFINITY, false));
    // The reference and the components contradict each other.
    assert!(!is_exact(None, 100.0, false));
    assert!(!is_exact(Some(100.0), f64::INFINITY, true));
    let invalid = added(Some(1.0), 1.0, true, Some("leaves the mesh"));
    assert_eq!((invalid.invalid, invalid.wrong), (1, 1));
    assert!(invalid.examples[0].contains("leaves the mesh"));
}

#[test]
fn merged_comparisons_keep_all_counts_and_the_largest_difference() {
    let mut good = OracleComparison::default();
    good.add(Some(1.0), 1.0, true, None, name);
    let mut bad = OracleComparison::default();
    bad.add(Some(3.0), 2.0, true, None, name);
    bad.add(None, 2.0, true, None, name);
    for merged in [good.clone().merged(bad.clone()), bad.merged(good)] {
        assert_eq!((merged.lost, merged.wrong), (1, 2));
        assert_eq!((merged.max_difference, merged.examples.len()), (0.5, 2));
        assert!(!merged.is_exact());
    }
}

/// Builds a square with a side of 4 m.
fn square() -> NavMesh {
    let mut raw = RawNavMesh::default();
    let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
    raw.vertices.extend(corners.map(|[x, z]| vec3(x, 0.0, z)));
    raw.polygons.push([0, 1, 2, 3]);
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

fn found(waypoints: &[Vec3]) -> Vec<PeerAnswer> {
    vec![PeerAnswer {
        status: PeerStatus::Found,
        waypoints: waypoints.to_vec(),
        ..PeerAnswer::default()
    }]
}

#[test]
fn a_row_with_a_shorter_path_is_named() {
    let mesh = square();
    let [start, corner, goal] = [
        vec3(0.0, 0.0, 2.0),
        vec3(4.0, 0.0, 4.0),
        vec3(4.0, 0.0, 2.0),
    ];
    let polygon = PolygonId::new(0);
    let ends = [start, goal].map(|point| Location { polygon, point });
    let located = [Some(Endpoints {
        start: ends[0],
        goal: ends[1],
    })];
    let longer = |exact: &[Vec3], other: &[Vec3]| {
        let (exact, other) = (found(exact), found(other));
        let rows = [("auto:exact", &exact[..]), ("other", &other[..])];
        let bends = BendPoints::new(&mesh);
        let moved = longest_over_rows(&located, &rows, |path| bends.length(path));
        let as_returned = longest_over_rows(&located, &rows, length_in_plan);
        assert!(as_returned.fraction >= moved.fraction);
        moved
    };
    let over_corner = [start, corner, goal];
    let longest = longer(&over_corner, &[start, goal]);
    assert_eq!((longest.row.as_str(), longest.queries), ("other", 1));
    assert!((longest.metres - (20f64.sqrt() + 2.0 - 4.0)).abs() < 1e-6);
    // The exact path is the shorter one, or both are equal.
    assert_eq!(longer(&[start, goal], &over_corner), LongerPath::default());
    assert_eq!(longer(&over_corner, &over_corner), LongerPath::default());
    // The other path is shorter because it bends beside the corner, or because it ends before the goal.
    let beside = corner - vec3(0.0, 0.0, 0.002);
    assert_eq!(longer(&over_corner, &[start, beside, goal]).queries, 0);
    let rows = [found(&over_corner), found(&[start, beside, goal])];
    let rows = [("auto:exact", &rows[0][..]), ("other", &rows[1][..])];
    assert_eq!(
        longest_over_rows(&located, &rows, length_in_plan).queries,
        1
    );
    let before = goal + vec3(0.0, 0.0, 0.5);
    assert_eq!(longer(&over_corner, &[start, corner, before]).queries, 0);
    // A bend 2 cm from the corner is another path.
    let aside = corner - vec3(0.0, 0.0, 0.02);
    assert_eq!(longer(&over_corner, &[start, aside, goal]).queries, 1);
}

fn open_world() -> IndexedWorlds {
    let raw = WorldScene::Open.build(&WorldOptions {
        polygons: 300,
        ..WorldOptions::default()
    });
    IndexedWorlds::new(NavMesh::build(raw, &NavMeshOptions::default()).unwrap())
}

#[test]
fn exact_rows_agree_with_the_reference_and_the_fast_tier_does_not() {
    let indexed = open_world();
    let pairs = draw_border_pairs(&indexed.world, 100);
    let pairs: Vec<(usize, Endpoints)> = numbered(&pairs).collect();
    assert_eq!(pairs.len(), 100);
    let exact = compare_with_reference(&indexed.world, &exact_rows(&indexed), &pairs);
    assert!(exact.is_exact() && exact.queries == 100, "{exact:?}");
    let polygons = || indexed.world.mesh().polygons();
    let fast = indexed.engine_rows();
    let fast = fast.filter(|row| row.engine == Engine::Auto(Tier::Fast));
    let fast: Vec<ExactRow<'_>> = fast
        .map(|row| ExactRow {
            row,
            polygons: polygons().collect(),
        })
        .collect();
    let fast = compare_with_reference(&indexed.world, &fast, &pairs);
    assert!(!fast.is_exact() && fast.lost == 0, "{fast:?}");
    assert!(fast.max_difference > 0.01, "{fast:?}");
    assert_eq!(fast.examples.len(), MAX_EXAMPLES);
}

#[test]
fn exact_rows_are_those_of_the_exact_tier_and_auto_where_it_is_exact() {
    let indexed = open_world();
    let rows = exact_rows(&indexed);
    let names: Vec<&str> = rows.iter().map(|row| row.row.name.as_str()).collect();
    let expected: &[&str] = match indexed.by_default.auto_is_exact() {
        true => &["auto", "auto:exact", "auto:exact+corridor"],
        false => &["auto:exact", "auto:exact+corridor"],
    };
    assert_eq!(names, expected);
}

#[test]
fn border_points_lie_on_vertices_and_borders() {
    let indexed = open_world();
    let mesh = indexed.world.mesh();
    let mut random = Random::new(1);
    let points: Vec<Location> = (0..600).map(|_| border_point(mesh, &mut random)).collect();
    let is_vertex = |location: &&Location| mesh.vertices().contains(&location.point);
    let is_on_border = |location: &&Location| {
        let distances = mesh.borders(location.polygon).map(|border| {
            let [a, b] = border.map(in_plan);
            let along = b - a;
            let fraction = (in_plan(location.point) - a).dot(along) / along.length_squared();
            in_plan(location.point).distance(a + along * fraction.clamp(0.0, 1.0))
        });
        distances.fold(f64::INFINITY, f64::min) < 1e-4
    };
    let vertices = points.iter().filter(is_vertex).count();
    let on_borders = points.iter().filter(is_on_border).count();
    assert!(vertices > 100, "{vertices}");
    assert!(
        (on_borders..600).len() > 50 && on_borders > 400,
        "{on_borders}"
    );
}

#[test]
fn a_navmesh_with_links_is_not_compared() {
    let raw = WorldScene::Open.build(&WorldOptions {
        polygons: 300,
        links: true,
        ..WorldOptions::default()
    });
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
    assert!(!mesh.links().is_empty());
    let indexed = IndexedWorlds::new(mesh);
    assert_eq!(measure(&indexed, &[], 9, std::iter::empty()), None);
}
