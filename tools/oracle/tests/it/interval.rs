//! The interval search against the visibility graph, on small worlds.

use glam::{DVec2, Vec3, vec3};
use portolan_core::{Location, NavMesh, NavMeshOptions, Prices, RawNavMesh};
use portolan_oracle::{
    Agent, CaseRng, IntervalSearch, LinksOptimum, MeshPlan, Optimum, Oracle, Sight, in_plan, plans,
};
use proptest::prelude::*;

/// The largest difference to the visibility graph, whose lines may cut corners by 2e-5 m. [Units: m] The largest measured
/// difference is 1.1e-6 m, over 800 000 pairs of points on 20 000 worlds.
const CUT_CORNERS: f64 = 1e-5;

/// The largest difference of a length on [tiles](MeshPlan::Tiles), whose coordinates are rounded to 8e-6 m. [Units: m] Where a point is at
/// a corner of its polygon and the end of a portal there is rounded differently, the path has to walk to the portal end,
/// but the visibility graph starts from both polygons.
const ROUNDED_TILES: f64 = 5e-5;

/// Returns whether two lengths are equal within a tolerance or both infinite.
fn agree(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance
}

/// Asserts that the lines between the corners of a path stay on the mesh and are as long as the path.
fn assert_walkable(
    sight: &Sight<'_>,
    corners: &[DVec2],
    [start, goal]: [Location; 2],
    length: f64,
) {
    let legs = || corners.windows(2).map(|leg| [leg[0], leg[1]]);
    let sum: f64 = legs().map(|[from, to]| from.distance(to)).sum();
    assert!(
        agree(sum, length, 1e-9),
        "{sum} m instead of {length} m: {corners:?}"
    );
    assert_eq!(corners[0], in_plan(start.point));
    assert_eq!(corners[corners.len() - 1], in_plan(goal.point));
    let mut polygons = sight.mesh_point(start.polygon, corners[0]).polygons;
    for leg in legs() {
        polygons = sight.walk(&polygons, leg);
        assert!(!polygons.is_empty(), "{leg:?} leaves the mesh: {corners:?}");
    }
    assert!(polygons.contains(&goal.polygon), "{corners:?}");
}

/// Compares lengths between random points with the visibility graph within the first tolerance, and lengths there and back
/// within the second. Returns the number of paths that bend.
fn check_lengths(mesh: &NavMesh, seed: u64, [to_graph, to_back]: [f64; 2]) -> usize {
    let optimum = Optimum::new(mesh);
    let mut search = IntervalSearch::new(mesh, |_| true);
    let mut rng = CaseRng::new(seed);
    let mut bends = 0;
    for _ in 0..40 {
        let ends @ [start, goal] = [rng.location(mesh), rng.location(mesh)];
        let (length, expected) = (search.length(start, goal), optimum.length(start, goal));
        assert!(
            agree(length, expected, to_graph),
            "{length} m instead of {expected} m: {start:?} to {goal:?}"
        );
        let back = search.length(goal, start);
        assert!(
            agree(length, back, to_back),
            "{length} m, but {back} m back: {start:?} to {goal:?}"
        );
        let corners = search.corners(start, goal);
        assert_eq!(corners.is_some(), length < f64::INFINITY);
        if let Some(corners) = corners {
            assert_walkable(&optimum.sight, &corners, ends, length);
            let straight = corners[0].distance(corners[corners.len() - 1]);
            bends += usize::from(length > straight + 1e-3);
        }
    }
    bends
}

/// Compares lengths on a part of the polygons with those on a mesh of only these polygons.
fn check_forbidden(plan: &MeshPlan, seed: u64) {
    let mut rng = CaseRng::new(seed);
    let mut raw = plan.raw();
    raw.links.clear();
    raw.heights = Default::default();
    raw.ids = (0..raw.polygons.len() as u64).collect();
    let mut part = RawNavMesh {
        vertices: raw.vertices.clone(),
        ..RawNavMesh::default()
    };
    for polygon in 0..raw.polygons.len() {
        if rng.chance(0.7) || part.polygons.is_empty() {
            part.polygons
                .push(raw.polygons.get(polygon).iter().copied());
            part.ids.push(polygon as u64);
        }
    }
    let options = NavMeshOptions::default();
    let whole = NavMesh::build(raw, &options).expect("a valid plan");
    let part = NavMesh::build(part, &options).expect("a part of a valid plan");
    let mut in_whole = IntervalSearch::new(&whole, |polygon| {
        part.polygon_of(whole.user_id(polygon)).is_some()
    });
    let mut in_part = IntervalSearch::new(&part, |_| true);
    let optimum = Optimum::new(&part);
    for _ in 0..40 {
        let ends = [rng.location(&part), rng.location(&part)];
        let [start, goal] = ends;
        let [whole_start, whole_goal] = ends.map(|end| Location {
            polygon: whole
                .polygon_of(part.user_id(end.polygon))
                .expect("a polygon of the part"),
            ..end
        });
        let length = in_whole.length(whole_start, whole_goal);
        for expected in [in_part.length(start, goal), optimum.length(start, goal)] {
            assert!(
                agree(length, expected, CUT_CORNERS),
                "{length} m instead of {expected} m: {start:?} to {goal:?}"
            );
        }
    }
}

/// Compares costs over links with those on a graph with many samples on each portal.
fn check_links(plan: &MeshPlan, seed: u64) {
    let mut raw = plan.raw();
    raw.heights = Default::default();
    // The graph measures in space, so the ground must be level. Floors stay apart. Scenes with ramps are left out.
    for vertex in &mut raw.vertices {
        vertex.y = (vertex.y / 4.0).floor() * 4.0;
    }
    for link in &mut raw.links {
        [link.start.y, link.end.y] = [link.start.y, link.end.y].map(|y| (y / 4.0).floor() * 4.0);
    }
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid plan");
    let is_level = |polygon| mesh.borders(polygon).all(|[a, b]| a.y == b.y);
    if !mesh.polygons().all(is_level) {
        return;
    }
    let profile = Agent::walker().profile();
    let dense = Oracle::dense(&mesh, &profile, 8);
    let mut optimum = LinksOptimum::new(&mesh, &Prices::new(&mesh, &profile));
    let mut rng = CaseRng::new(seed);
    for _ in 0..10 {
        let (start, goal) = (rng.location(&mesh), rng.location(&mesh));
        let (cost, bound) = (optimum.cost(start, goal), dense.cost(start, goal));
        assert_eq!(cost == f64::INFINITY, bound == f64::INFINITY);
        assert!(
            cost == bound || cost <= bound + 1e-4 && bound <= 1.05 * cost + 0.3,
            "{cost} m instead of about {bound} m: {start:?} to {goal:?}"
        );
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]

    #[test]
    fn lengths_equal_those_of_the_visibility_graph(plan in plans(), seed: u64) {
        check_lengths(&plan.mesh(), seed, [CUT_CORNERS, 1e-9]);
    }

    #[test]
    fn lengths_on_tiles_equal_those_of_the_visibility_graph(seed: u64) {
        check_lengths(&MeshPlan::Tiles(seed).mesh(), seed, [ROUNDED_TILES; 2]);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]

    #[test]
    fn forbidden_polygons_are_as_if_absent(plan in plans(), seed: u64) {
        check_forbidden(&plan, seed);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]

    #[test]
    fn costs_over_links_are_near_those_on_dense_samples(plan in plans(), seed: u64) {
        check_links(&plan, seed);
    }
}

#[test]
fn many_of_the_compared_paths_bend() {
    let bends: usize = (0..20)
        .map(|seed| check_lengths(&MeshPlan::Tiles(seed).mesh(), seed, [ROUNDED_TILES; 2]))
        .sum();
    assert!(bends > 100, "{bends} of 800 paths bend");
}

#[test]
fn a_goal_beside_the_end_of_a_portal_is_reached_through_the_portal() {
    // A goal at the corner of its polygon, 0.9 mm before the portal by which the path has to enter. The border of a tile
    // leads through the last bend, the goal and the portal.
    let seed = 15920924312251994750;
    check_lengths(&MeshPlan::Tiles(seed).mesh(), seed, [ROUNDED_TILES; 2]);
}

/// Builds a rectangle per pair of opposite corners.
fn slabs(corners: &[[Vec3; 2]]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for &[low, high] in corners {
        let first = raw.vertices.len() as u32;
        let (east, west) = (vec3(high.x, high.y, low.z), vec3(low.x, low.y, high.z));
        raw.vertices.extend([low, east, high, west]);
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("slabs")
}

/// Returns the point in the polygon with a user id.
fn on(mesh: &NavMesh, user_id: u64, x: f32, z: f32) -> Location {
    Location {
        polygon: mesh.polygon_of(user_id).expect("a polygon"),
        point: vec3(x, 0.0, z),
    }
}

#[test]
fn polygons_that_touch_at_a_point_are_not_connected() {
    let unit = vec3(1.0, 0.0, 1.0);
    let mesh = slabs(&[[Vec3::ZERO, unit], [unit, 2.0 * unit]]);
    let mut search = IntervalSearch::new(&mesh, |_| true);
    let ends = [on(&mesh, 0, 1.0, 1.0), on(&mesh, 1, 1.0, 1.0)];
    assert_eq!(search.length(ends[0], ends[1]), f64::INFINITY);
    assert_eq!(search.corners(ends[0], ends[1]), None);
    assert_eq!(search.length(ends[0], ends[0]), 0.0);
}

#[test]
fn a_path_between_fans_that_touch_goes_around() {
    // Four squares around the point (1, 1), of which the last is forbidden and the second is replaced by a detour.
    let square = |x: f32, z: f32| [vec3(x, 0.0, z), vec3(x + 1.0, 0.0, z + 1.0)];
    let mesh = slabs(&[
        square(0.0, 0.0),
        square(1.0, 1.0),
        square(0.0, -1.0),
        square(1.0, -1.0),
        [vec3(2.0, 0.0, -1.0), vec3(3.0, 0.0, 2.0)],
        square(0.0, 1.0),
    ]);
    let forbidden = mesh.polygon_of(5);
    let mut search = IntervalSearch::new(&mesh, |polygon| Some(polygon) != forbidden);
    let length = search.length(on(&mesh, 0, 1.0, 1.0), on(&mesh, 1, 1.0, 1.0));
    // Down to (1, 0), right to (2, 0), up to (2, 1) and left to (1, 1).
    assert!(agree(length, 4.0, 1e-12), "{length} m");
    let mut search = IntervalSearch::new(&mesh, |_| true);
    assert_eq!(
        search.length(on(&mesh, 0, 1.0, 1.0), on(&mesh, 1, 1.0, 1.0)),
        0.0
    );
    assert_eq!(
        search.length(on(&mesh, 5, 0.5, 1.5), on(&mesh, 5, 0.5, 1.5)),
        0.0
    );
}

#[test]
fn a_point_outside_its_polygon_by_rounding_is_on_the_border() {
    let mesh = slabs(&[
        [Vec3::ZERO, vec3(1.0, 0.0, 1.0)],
        [vec3(1.0, 0.0, 0.0), vec3(2.0, 0.0, 1.0)],
        [vec3(2.0, 0.0, 0.0), vec3(3.0, 0.0, 1.0)],
    ]);
    let mut search = IntervalSearch::new(&mesh, |_| true);
    for beyond in [1.0f32.next_down(), 1.0, 1.0f32.next_up()] {
        let goal = on(&mesh, 2, 2.5, 0.5);
        let length = search.length(on(&mesh, 0, beyond, 0.5), goal);
        assert!(agree(length, 2.5 - f64::from(beyond), 1e-12), "{length} m");
        let back = search.length(goal, on(&mesh, 0, beyond, 0.5));
        assert!(agree(length, back, 1e-12), "{back} m");
    }
}
