//! Tests that the search for edges across a line finds all of them.

use glam::{Vec3, vec3};
use proptest::prelude::*;

use crate::geometry::intersection_fractions;
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
            1 => -1e8f32..1e8,
        ]
    };
    (coordinate(), -2f32..2.0, coordinate()).prop_map(Vec3::from)
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn edges_across_skips_no_edge_that_the_line_meets(
        points in prop::collection::vec(positions(), 0..700),
        triangles in prop::collection::vec(any::<[u16; 3]>(), 1..200),
        lines in prop::collection::vec([positions(), positions()], 20),
    ) {
        let mesh = arbitrary_surface(points, &triangles);
        for [from, to] in lines {
            let is_met = |&[start, end]: &[Vec3; 2]| {
                let fractions = intersection_fractions(from, to, start, end);
                fractions.is_some_and(|(_, fraction)| (0.0..=1.0).contains(&fraction))
            };
            let triangles = mesh.surface(PolygonId(0));
            let all = triangles.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
            let expected: Vec<_> = all.filter(is_met).collect();
            let across = mesh.edges_across(PolygonId(0), from, to);
            prop_assert_eq!(across.filter(is_met).collect::<Vec<_>>(), expected);
        }
    }
}
