//! Finer surfaces keep their heights when polygons are repaired or rebuilt.

use super::*;

/// Builds a square with a tent over it. The top of the tent is 3 m high at (1, 1).
fn tent(corners: &[u32], triangles: &[[u16; 3]]) -> NavMesh {
    let mut raw = square();
    raw.polygons = Csr::new();
    raw.polygons.push(corners.iter().copied());
    raw.heights.vertices.push([vec3(1., 3., 1.)]);
    raw.heights.triangles.push(triangles.iter().copied());
    build(raw).expect("a tent")
}

fn assert_tent(mesh: &NavMesh) {
    let height = |x, z| mesh.height_at(PolygonId(0), vec3(x, 0., z));
    assert_eq!(height(1., 1.), 3.0);
    assert!((height(0.5, 0.5) - 1.5).abs() < 1e-6);
    assert!((height(2.5, 1.) - 1.5).abs() < 1e-6);
    assert!((height(1., 2.5) - 1.5).abs() < 1e-6);
    assert_eq!((height(0., 2.), height(4., 4.)), (0.0, 0.0));
    assert_eq!(mesh.bounds().max.y, 3.0);
    let above = vec3(1., 4.9, 1.);
    let location = mesh.locate(above, DEFAULT_SNAP, |_| true);
    assert_eq!(
        location.map(|location| location.point),
        Some(vec3(1., 3., 1.))
    );
}

#[test]
fn heights_come_from_the_finer_surface() {
    assert_tent(&tent(
        &[0, 1, 2, 3],
        &[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
    ));
}

#[test]
fn heights_survive_a_reversal_of_the_corners() {
    // Corner i of this polygon is vertex 3 - i.
    assert_tent(&tent(
        &[3, 2, 1, 0],
        &[[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4]],
    ));
}

#[test]
fn a_diagonal_survives_a_reversal_of_the_corners() {
    // The finer surface has a ridge from corner (4, 0) to corner (0, 4), where the fan has a valley.
    for (corners, triangles) in [
        ([0, 1, 2, 3], [[1, 2, 3], [3, 0, 1]]),
        ([3, 2, 1, 0], [[2, 1, 0], [0, 3, 2]]),
        ([2, 1, 0, 3], [[1, 0, 3], [3, 2, 1]]),
    ] {
        let mut raw = square();
        raw.vertices[1].y = 2.0;
        raw.vertices[3].y = 2.0;
        raw.polygons = Csr::new();
        raw.polygons.push(corners);
        raw.heights.vertices.push([]);
        raw.heights.triangles.push(triangles);
        let mesh = build(raw).expect("a ridge");
        assert_eq!(
            mesh.height_at(PolygonId(0), vec3(2., 0., 2.)),
            2.0,
            "{corners:?}"
        );
    }
}

#[test]
fn heights_survive_repeated_corners() {
    let triangles = [[0, 2, 6], [2, 3, 6], [3, 4, 6], [5, 1, 6]];
    assert_tent(&tent(&[0, 0, 1, 2, 3, 3], &triangles));
    // The last corner repeats the first, and the order is clockwise.
    let triangles = [[4, 3, 5], [3, 2, 5], [2, 1, 5], [1, 0, 5]];
    assert_tent(&tent(&[0, 3, 2, 1, 0], &triangles));
}

#[test]
fn heights_survive_when_another_polygon_is_dropped() {
    let mut raw = square();
    raw.polygons = Csr::new();
    raw.polygons.push([0, 1, 1]);
    raw.polygons.push([0, 1, 2, 3]);
    raw.heights.vertices.push([Vec3::ONE, Vec3::ONE]);
    raw.heights.vertices.push([vec3(1., 3., 1.)]);
    raw.heights.triangles.push([[0, 1, 3]]);
    raw.heights
        .triangles
        .push([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]);
    let mesh = build(raw).expect("a tent");
    assert_eq!(mesh.repairs().without_area, 1);
    assert_tent(&mesh);
}

#[test]
fn heights_survive_the_round_trip_through_raw() {
    let mesh = tent(&[3, 2, 1, 0], &[[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4]]);
    let raw = mesh.to_raw(|_| true);
    assert_ne!(raw.heights, RawHeights::default());
    assert_tent(&build(raw).expect("the tent again"));
}

#[test]
fn heights_without_a_finer_surface_come_from_the_corners() {
    let mut raw = square();
    raw.vertices[1].y = 2.0;
    raw.vertices[2].y = 2.0;
    let mesh = build(raw).expect("a ramp");
    assert_eq!(mesh.height_at(PolygonId(0), vec3(1., 9., 3.)), 0.5);
    assert_eq!(
        mesh.nearest_on(PolygonId(0), vec3(-3., 9., 3.)),
        vec3(0., 0., 3.)
    );
}
