//! Heights of finer surfaces equal those of a scan over every triangle, to the bit.

use glam::{Vec3, vec3};
use portolan_core::geometry::orientation;
use portolan_core::{Csr, NavMesh, NavMeshOptions, PolygonId, RawNavMesh};
use portolan_oracle::CaseRng;
use portolan_oracle::hills::hills;
use portolan_oracle::slow_height::slow_height;
use proptest::prelude::*;

fn build(raw: RawNavMesh) -> NavMesh {
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid mesh")
}

/// Draws a convex octagon around (0, 0) inside a square of 16 m.
fn octagon(rng: &mut CaseRng) -> Vec<Vec3> {
    let cut = |rng: &mut CaseRng| [1.0, rng.between(0.5, 7.0)][rng.below(2)];
    let mut corners = Vec::new();
    for (x, z) in [(1., 1.), (-1., 1.), (-1., -1.), (1., -1.)] {
        let (a, b) = (cut(rng), cut(rng));
        let pair = [
            vec3(8. * x, 0., (8. - a) * z),
            vec3((8. - b) * x, 0., 8. * z),
        ];
        // The order is counter-clockwise at every corner of the square.
        corners.extend(if x * z > 0. { pair } else { [pair[1], pair[0]] });
    }
    corners
        .iter_mut()
        .for_each(|corner| corner.y = rng.between(-2., 2.));
    corners
}

/// Draws a point in the square. Some coordinates are integers, so that many points are collinear.
fn point(rng: &mut CaseRng) -> Vec3 {
    let mut coordinate = || match rng.below(3) {
        0 => rng.below(17) as f32 - 8.0,
        1 => rng.between(-8.0, 8.0),
        _ => rng.between(-1.0, 1.0) * 1e-3,
    };
    vec3(coordinate(), coordinate(), coordinate())
}

fn with_surface(corners: &[Vec3], points: Vec<Vec3>, triangles: Vec<[u16; 3]>) -> RawNavMesh {
    let mut raw = RawNavMesh {
        vertices: corners.to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push(0..corners.len() as u32);
    raw.heights.vertices.push(points);
    raw.heights.triangles.push(triangles);
    raw
}

/// Creates a polygon covered by triangles. Points are inserted one by one, and each splits the triangle that contains
/// it. So many triangles are long and thin, and some have no area.
fn triangulated(count: usize, rng: &mut CaseRng) -> RawNavMesh {
    let corners = octagon(rng);
    let sides = corners.len() as u16;
    let mut triangles: Vec<[u16; 3]> = (1..sides - 1).map(|i| [0, i, i + 1]).collect();
    let mut all = corners.clone();
    for _ in 0..count {
        let new = point(rng);
        let contains = |&[a, b, c]: &[u16; 3]| {
            let [a, b, c] = [a, b, c].map(|i| all[usize::from(i)]);
            [
                orientation(a, b, new),
                orientation(b, c, new),
                orientation(c, a, new),
            ]
            .into_iter()
            .all(|side| side >= 0.0)
        };
        if let Some(at) = triangles.iter().position(contains) {
            let [a, b, c] = triangles.swap_remove(at);
            let p = all.len() as u16;
            all.push(new);
            triangles.extend([[a, b, p], [b, c, p], [c, a, p]]);
        }
    }
    with_surface(&corners, all.split_off(corners.len()), triangles)
}

/// Creates a polygon with arbitrary triangles over arbitrary points, also outside the polygon, as an imported mesh may
/// have them.
fn arbitrary_surface(count: usize, rng: &mut CaseRng) -> RawNavMesh {
    let corners = octagon(rng);
    let scale = [1.0, 1.0, 3.0, 1e4][rng.below(4)];
    let points: Vec<Vec3> = (0..count).map(|_| point(rng) * scale).collect();
    let point_count = corners.len() + count;
    let mut index = || rng.below(point_count) as u16;
    let triangles = (0..count).map(|_| [index(), index(), index()]).collect();
    with_surface(&corners, points, triangles)
}

/// Draws a position on, near or far from a polygon, often where triangles meet.
fn position_near(mesh: &NavMesh, polygon: PolygonId, rng: &mut CaseRng) -> Vec3 {
    let triangles: Vec<[Vec3; 3]> = mesh.surface(polygon).collect();
    let [a, b, c] = triangles[rng.below(triangles.len())];
    let (s, t) = (rng.between(0.0, 1.0), rng.between(0.0, 1.0));
    let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
    let i = rng.below(corners.len());
    let position = match rng.below(7) {
        0 => a,
        1 => a.lerp(b, s),
        2 => a.lerp(b, 0.5),
        3 => a.lerp(b, s).lerp(c, t),
        4 => corners[i].lerp(corners[(i + 1) % corners.len()], s),
        5 => corners[i].lerp(mesh.centre(polygon), 2.0 * s - 0.5),
        _ => mesh.nearest_on(polygon, corners[i] + 4.0 * point(rng)),
    };
    let reach = [0.0, 0.0, 1e-6, 1e-3, 10.0, 1e6][rng.below(6)];
    position + reach * vec3(rng.between(-1., 1.), 0.0, rng.between(-1., 1.))
}

fn check(mesh: &NavMesh, rng: &mut CaseRng) {
    for _ in 0..200 {
        let polygon = rng.polygon(mesh);
        let position = position_near(mesh, polygon, rng);
        let (height, expected) = (
            mesh.height_at(polygon, position),
            slow_height(mesh, polygon, position),
        );
        assert_eq!(
            height.to_bits(),
            expected.to_bits(),
            "{height} instead of {expected} at {position} of {polygon:?}"
        );
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn heights_on_hills_equal_those_of_a_scan(polygons in 1usize..10, parts in 1u16..26, far in 0i32..7, seed: u64) {
        let mut raw = hills(polygons, parts, seed);
        // At the largest distance, coordinates are multiples of 6 cm.
        let far = (10f32.powi(far) - 1.0) * Vec3::NEG_X;
        raw.vertices.iter_mut().for_each(|vertex| *vertex += far);
        let points = raw.heights.vertices.values().iter().map(|&point| point + far).collect();
        let offsets = raw.heights.vertices.offsets().to_vec();
        raw.heights.vertices = Csr::from_parts(offsets, points).expect("the same lists");
        check(&build(raw), &mut CaseRng::new(seed));
    }

    #[test]
    fn heights_on_triangulations_equal_those_of_a_scan(count in 0usize..300, seed: u64) {
        let mut rng = CaseRng::new(seed);
        check(&build(triangulated(count, &mut rng)), &mut rng);
    }

    #[test]
    fn heights_on_arbitrary_surfaces_equal_those_of_a_scan(
        count in prop_oneof![8 => 1usize..150, 1 => 500usize..2000],
        seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        check(&build(arbitrary_surface(count, &mut rng)), &mut rng);
    }
}

#[test]
fn heights_at_extreme_positions_equal_those_of_a_scan() {
    let mesh = build(hills(1, 10, 1));
    for position in [
        Vec3::NAN,
        Vec3::INFINITY,
        Vec3::NEG_INFINITY,
        Vec3::MAX,
        Vec3::MIN,
    ] {
        let (height, expected) = (
            mesh.height_at(PolygonId(0), position),
            slow_height(&mesh, PolygonId(0), position),
        );
        assert_eq!(height.to_bits(), expected.to_bits(), "at {position}");
    }
}
