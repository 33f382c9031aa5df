//! Tests that the breaks of a surface are where a line meets its edges.

use glam::{Vec3, vec3};
use proptest::prelude::*;

use super::{Breaks, GroundLine, ON_LINE};
use crate::geometry::{distance_xz, intersection_fractions, lerp, orientation};
use crate::navmesh::PointsByLine;
use crate::{NavMesh, NavMeshOptions, PolygonId, RawNavMesh};

const CORNERS: [(f32, f32); 4] = [(0., 0.), (8., 0.), (8., 8.), (0., 8.)];

/// Builds a square of 8 m with a finer surface.
fn square(points: Vec<Vec3>, triangles: Vec<[u16; 3]>) -> NavMesh {
    let mut raw = RawNavMesh {
        vertices: CORNERS.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push(0..4);
    raw.heights.triangles.push(triangles);
    raw.heights.vertices.push(points);
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a square")
}

/// Builds a square with arbitrary triangles.
fn arbitrary_surface(points: Vec<Vec3>, indices: &[[u16; 3]]) -> NavMesh {
    let point_count = 4 + points.len() as u16;
    let triangles = indices
        .iter()
        .map(|triangle| triangle.map(|i| i % point_count));
    let triangles = triangles.collect();
    square(points, triangles)
}

/// Builds a square covered by triangles. Each point splits a triangle that contains it; on an edge, one part is empty.
fn triangulated_surface(new_points: &[Vec3]) -> NavMesh {
    let mut points = CORNERS.map(|(x, z)| vec3(x, 0., z)).to_vec();
    let mut triangles = vec![[0, 1, 2], [2, 3, 0]];
    for &new in new_points {
        let is_on_border = |a: Vec3, b: Vec3| {
            let is_border = |values: [f32; 3]| values == [0.0; 3] || values == [8.0; 3];
            is_border([a.x, b.x, new.x]) || is_border([a.z, b.z, new.z])
        };
        let is_point = points.iter().any(|&point| distance_xz(point, new) == 0.0);
        let can_split = |&[a, b, c]: &[u16; 3]| {
            let [a, b, c] = [a, b, c].map(|i| points[usize::from(i)]);
            let is_inside = |a: Vec3, b: Vec3| orientation(a, b, new) >= 0.0;
            let contains = is_inside(a, b) && is_inside(b, c) && is_inside(c, a);
            contains && orientation(a, b, c) > 0.0 && !is_point
        };
        let Some(found) = triangles.iter().position(can_split) else {
            continue;
        };
        let [a, b, c] = triangles.swap_remove(found);
        let p = points.len() as u16;
        for [a, b] in [[a, b], [b, c], [c, a]] {
            let ends = [a, b].map(|i| points[usize::from(i)]);
            // A point on a border of the square becomes a point of the rim.
            if !is_on_border(ends[0], ends[1]) {
                triangles.push([a, b, p]);
            }
        }
        points.push(new);
    }
    square(points.split_off(4), triangles)
}

/// Draws points. Many coordinates are integers, so that points often lie exactly on lines.
fn positions() -> impl Strategy<Value = Vec3> {
    let coordinate = || {
        prop_oneof![
            4 => (0u8..9).prop_map(f32::from),
            4 => 0f32..8.0,
            1 => -1e-3f32..1e-3,
        ]
    };
    (coordinate(), -2f32..2.0, coordinate()).prop_map(Vec3::from)
}

/// Compares the breaks of a surface along a line with all of its edges.
fn check(mesh: &NavMesh, breaks: &mut Breaks, [from, to]: [Vec3; 2]) -> Result<(), TestCaseError> {
    let length = distance_xz(from, to);
    if length < 0.1 {
        return Ok(());
    }
    breaks.polygon = None;
    let line = GroundLine::new([from, to]);
    breaks.find(&line, mesh, PolygonId(0), &mut PointsByLine::default());
    let is_ascending = |pair: &[(f64, f64)]| pair[0].0 <= pair[1].0 + 1e-9;
    prop_assert!(
        breaks.list.windows(2).all(is_ascending),
        "{:?}",
        breaks.list
    );
    let distance = |point: Vec3| orientation(from, to, point) / length;
    let is_near = |point: Vec3| distance(point).abs() <= 1.01 * ON_LINE;
    let edges = || {
        mesh.surface(PolygonId(0))
            .flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]])
    };
    let is_cut = |[a, b]: &[Vec3; 2]| {
        distance(*a).abs().min(distance(*b).abs()) > ON_LINE && distance(*a) * distance(*b) < 0.0
    };
    let mut expected = Vec::new();
    for [a, b] in edges().filter(is_cut) {
        let (at, fraction) = intersection_fractions(from, to, a, b).expect("not parallel");
        expected.push((at, f64::from(lerp(a, b, fraction).y)));
    }
    let same = |&(at, height): &(f64, f64), &(other, y): &(f64, f64)| {
        (at - other).abs() < 1e-6 && (height - y).abs() < 1e-5
    };
    // Breaks beyond the end of the line are not needed.
    for cut in expected.iter().filter(|cut| cut.0 <= 1.0) {
        prop_assert!(
            breaks.list.iter().any(|found| same(found, cut)),
            "{:?} is missing in {:?} from {from} to {to}",
            cut,
            breaks.list
        );
    }
    // All other breaks are points on the line, or on edges that end there.
    let fraction = |point: Vec3| {
        let (along, offset) = (to - from, point - from);
        f64::from(along.x * offset.x + along.z * offset.z) / (length * length)
    };
    let within = |value: f64, [a, b]: [f64; 2], margin: f64| {
        value >= a.min(b) - margin && value <= a.max(b) + margin
    };
    let is_on = |&[a, b]: &[Vec3; 2], found: &(f64, f64)| {
        (is_near(a) || is_near(b))
            && within(found.0, [fraction(a), fraction(b)], 1e-5)
            && within(found.1, [a.y, b.y].map(f64::from), 1e-5)
    };
    let (finer, _) = mesh.finer_surface(PolygonId(0));
    for found in &breaks.list {
        let is_point = |point: Vec3| is_near(point) && f64::from(point.y) == found.1;
        let is_expected = expected.iter().any(|cut| same(found, cut))
            || edges().any(|edge| is_on(&edge, found))
            || mesh.corner_points(PolygonId(0)).any(is_point)
            || finer.iter().copied().any(is_point);
        prop_assert!(is_expected, "{:?}", found);
    }
    // Points of the rim on the line are breaks, also where the line runs along it.
    let is_on_rim = |point: Vec3| {
        [point.x, point.z]
            .iter()
            .any(|&value| value == 0.0 || value == 8.0)
    };
    for &point in finer
        .iter()
        .filter(|&&point| mesh.has_web(PolygonId(0)) && is_on_rim(point))
    {
        let at = fraction(point);
        if distance(point) == 0.0 && (0.0..=1.0).contains(&at) {
            let is_point = |found: &(f64, f64)| {
                (found.0 - at).abs() < 1e-5 && (found.1 - f64::from(point.y)).abs() < 1e-4
            };
            prop_assert!(
                breaks.list.iter().any(is_point),
                "{} is missing in {:?}",
                point,
                breaks.list
            );
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn breaks_are_where_the_line_meets_edges(
        points in prop::collection::vec(positions(), 0..40),
        triangles in prop::collection::vec(any::<[u16; 3]>(), 1..60),
        lines in prop::collection::vec([positions(), positions()], 20),
    ) {
        let mesh = arbitrary_surface(points, &triangles);
        let mut breaks = Breaks::default();
        for line in lines {
            check(&mesh, &mut breaks, line)?;
        }
    }

    #[test]
    fn a_line_is_followed_from_triangle_to_triangle(
        points in prop::collection::vec(positions(), 0..60),
        lines in prop::collection::vec([positions(), positions()], 20),
    ) {
        let mesh = triangulated_surface(&points);
        prop_assert!(mesh.has_web(PolygonId(0)));
        let mut breaks = Breaks::default();
        for line in lines {
            check(&mesh, &mut breaks, line)?;
        }
    }

    #[test]
    fn the_ground_is_within_its_relief_of_a_straight_line(
        points in prop::collection::vec(positions(), 0..20),
        lines in prop::collection::vec([positions(), positions()], 20),
    ) {
        let mesh = triangulated_surface(&points);
        let relief = f64::from(mesh.height_range(PolygonId(0)).relief);
        let mut breaks = Breaks::default();
        for line in lines {
            let [from, to] = line.map(|end| mesh.nearest_on(PolygonId(0), end));
            if distance_xz(from, to) < 0.1 {
                continue;
            }
            breaks.polygon = None;
            let line = GroundLine::new([from, to]);
            breaks.find(&line, &mesh, PolygonId(0), &mut PointsByLine::default());
            for &(at, height) in breaks.list.iter().filter(|found| (0.0..=1.0).contains(&found.0)) {
                let straight = f64::from(lerp(from, to, at).y);
                prop_assert!((height - straight).abs() <= relief + 1e-4, "{} and {}", height, straight);
            }
        }
    }
}
