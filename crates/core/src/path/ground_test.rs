//! Tests that the breaks of a surface are where a line meets its edges.

use glam::{Vec3, vec3};
use proptest::prelude::*;

use super::{Breaks, GroundLine, ON_LINE};
use crate::geometry::{distance_xz, intersection_fractions, lerp, orientation};
use crate::{NavMesh, NavMeshOptions, PolygonId, RawNavMesh};

/// Builds a square of 8 m with a finer surface of arbitrary triangles.
fn arbitrary_surface(points: Vec<Vec3>, indices: &[[u16; 3]]) -> NavMesh {
    let corners = [(0., 0.), (8., 0.), (8., 8.), (0., 8.)];
    let mut raw = RawNavMesh {
        vertices: corners.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push(0..4);
    let point_count = 4 + points.len() as u16;
    let triangles = indices
        .iter()
        .map(|triangle| triangle.map(|i| i % point_count));
    raw.heights.triangles.push(triangles);
    raw.heights.vertices.push(points);
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a square")
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
        for [from, to] in lines {
            let length = distance_xz(from, to);
            if length < 0.1 {
                continue;
            }
            breaks.polygon = None;
            breaks.find(&GroundLine::new([from, to]), &mesh, PolygonId(0));
            prop_assert!(breaks.list.is_sorted_by_key(|&(at, _)| at));
            let distance = |point: Vec3| orientation(from, to, point) / length;
            let edges = mesh.surface(PolygonId(0)).flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
            let is_cut = |[a, b]: &[Vec3; 2]| {
                distance(*a).abs().min(distance(*b).abs()) > ON_LINE && distance(*a) * distance(*b) < 0.0
            };
            let mut expected = Vec::new();
            for [a, b] in edges.filter(is_cut) {
                let (at, fraction) = intersection_fractions(from, to, a, b).expect("not parallel");
                expected.push((at, f64::from(lerp(a, b, fraction).y)));
            }
            let near = |&(at, height): &(f64, f64), &(other, y): &(f64, f64)| {
                (at - other).abs() < 1e-6 && (height - y).abs() < 1e-5
            };
            for cut in &expected {
                prop_assert!(breaks.list.iter().any(|found| near(found, cut)), "{:?} is missing", cut);
            }
            // All other breaks are points on the line.
            for found in &breaks.list {
                let is_point = |point: Vec3| distance(point).abs() <= 1.01 * ON_LINE && f64::from(point.y) == found.1;
                let mut points = mesh.surface(PolygonId(0)).flatten().chain(mesh.corner_points(PolygonId(0)));
                let (finer, _) = mesh.finer_surface(PolygonId(0));
                let is_on_line = points.any(is_point) || finer.iter().copied().any(is_point);
                prop_assert!(is_on_line || expected.iter().any(|cut| near(found, cut)), "{:?}", found);
            }
        }
    }
}
