use glam::{Vec3, vec3};
use proptest::prelude::*;

use crate::geometry::intersection_fractions;
use crate::{NavMesh, NavMeshOptions, PolygonId, RawNavMesh};

/// A square of 8 m with a surface of any triangles.
fn scribbled(points: Vec<Vec3>, numbers: &[[u16; 3]]) -> NavMesh {
    let corners = [(0., 0.), (8., 0.), (8., 8.), (0., 8.)];
    let mut raw = RawNavMesh {
        vertices: corners.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push(0..4);
    let known = 4 + points.len() as u16;
    let triangles = numbers.iter().map(|numbers| numbers.map(|i| i % known));
    raw.heights.triangles.push(triangles);
    raw.heights.vertices.push(points);
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a square")
}

/// Whole numbers, so that points lie on lines, and others.
fn places() -> impl Strategy<Value = Vec3> {
    let number = || {
        prop_oneof![
            4 => (0u8..9).prop_map(f32::from),
            4 => 0f32..8.0,
            1 => -1e-3f32..1e-3,
            1 => -1e8f32..1e8,
        ]
    };
    (number(), -2f32..2.0, number()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn no_edge_that_a_line_meets_is_passed_over(
        points in prop::collection::vec(places(), 0..700),
        triangles in prop::collection::vec(any::<[u16; 3]>(), 1..200),
        lines in prop::collection::vec([places(), places()], 20),
    ) {
        let mesh = scribbled(points, &triangles);
        for [from, to] in lines {
            let is_met = |&[start, end]: &[Vec3; 2]| {
                let shares = intersection_fractions(from, to, start, end);
                shares.is_some_and(|(_, share)| (0.0..=1.0).contains(&share))
            };
            let triangles = mesh.surface(PolygonId(0));
            let all = triangles.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
            let slow: Vec<_> = all.filter(is_met).collect();
            let across = mesh.edges_across(PolygonId(0), from, to);
            prop_assert_eq!(across.filter(is_met).collect::<Vec<_>>(), slow);
        }
    }
}
