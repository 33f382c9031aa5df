//! Borders form portals by common vertices and by position.

use super::*;

/// Returns the number of portals between two squares with a step and a gap between them.
fn portals_between(rise: f32, gap: f32) -> usize {
    let mut raw = RawNavMesh::default();
    add_square(&mut raw, 0., 0., 0.);
    add_square(&mut raw, 4. + gap, rise, 0.);
    build(raw).expect("two squares").portals().len()
}

#[test]
fn borders_within_a_step_form_a_portal() {
    assert_eq!(portals_between(0.0, 0.0), 1);
    assert_eq!(portals_between(0.89, 0.0), 1);
    assert_eq!(portals_between(-0.89, 0.0), 1);
    assert_eq!(portals_between(0.91, 0.0), 0);
    assert_eq!(portals_between(-0.91, 0.0), 0);
}

#[test]
fn borders_within_the_gap_form_a_portal() {
    assert_eq!(portals_between(0.0, 0.009), 1);
    assert_eq!(portals_between(0.0, -0.009), 1);
    assert_eq!(portals_between(0.0, 0.011), 0);
}

#[test]
fn the_gap_is_measured_perpendicular_to_the_border() {
    let portals = |gap: f32| {
        let mut raw = level([(0., 0.), (4., 4.), (0., 4.)], &[&[0, 1, 2]]);
        let aside = vec3(gap, 0., -gap) * std::f32::consts::FRAC_1_SQRT_2;
        let other = [(0., 0.), (4., 0.), (4., 4.)];
        raw.vertices
            .extend(other.map(|(x, z)| vec3(x, 0., z) + aside));
        raw.polygons.push([3, 4, 5]);
        build(raw).expect("two triangles").portals().len()
    };
    assert_eq!([0.0, 0.009, -0.009].map(portals), [1; 3]);
    assert_eq!([0.011, 0.019, -0.011].map(portals), [0; 3]);
}

#[test]
fn without_matching_only_common_vertices_form_a_portal() {
    let options = NavMeshOptions {
        borders: None,
        ..NavMeshOptions::default()
    };
    let mut raw = RawNavMesh::default();
    add_square(&mut raw, 0., 0., 0.);
    add_square(&mut raw, 4., 0., 0.);
    let mesh = NavMesh::build(raw, &options).expect("two squares");
    assert_eq!((mesh.portals().len(), mesh.components().count()), (0, 2));
}

/// Builds a square of 4 m in the west, and one rectangle in the east per pair of first z and height.
fn tiles(east: &[(f32, f32)]) -> NavMesh {
    let mut raw = square();
    for (i, &(z, y)) in east.iter().enumerate() {
        let end = east.get(i + 1).map_or(5.0, |next| next.0);
        let first = raw.vertices.len() as u32;
        let corners = [(4., z), (9., z), (9., end), (4., end)];
        raw.vertices.extend(corners.map(|(x, z)| vec3(x, y, z)));
        raw.polygons.push(first..first + 4);
    }
    build(raw).expect("tiles")
}

/// Returns, per eastern rectangle with a portal to the west, its user id and the first and last z of
/// the portal.
fn western_portals(mesh: &NavMesh) -> Vec<(u64, f32, f32)> {
    let mut found = Vec::new();
    for portal in mesh.portals() {
        let ids = portal.polygons.map(|polygon| mesh.user_id(polygon));
        if ids.contains(&0) {
            let (a, b) = (portal.right.z, portal.left.z);
            found.push((ids[0].max(ids[1]), a.min(b), a.max(b)));
        }
    }
    found.sort_by_key(|portal| portal.0);
    found
}

#[test]
fn one_border_has_portals_to_two_neighbours() {
    let mesh = tiles(&[(-1., 0.), (2.5, 0.)]);
    assert_eq!(western_portals(&mesh), [(1, 0., 2.5), (2, 2.5, 4.)]);
}

#[test]
fn one_border_has_portals_to_the_neighbours_within_a_step() {
    let mesh = tiles(&[(-1., 0.5), (1., -0.89), (2.5, 0.91)]);
    assert_eq!(western_portals(&mesh), [(1, 0., 1.), (2, 1., 2.5)]);
    let heights: Vec<f32> = mesh
        .portals()
        .iter()
        .map(|portal| portal.midpoint().y)
        .collect();
    assert!(
        heights.contains(&0.25),
        "no portal is halfway up the step of 0.5 m: {heights:?}"
    );
}

#[test]
fn the_right_end_of_a_portal_is_on_the_right() {
    let mesh = tiles(&[(-1., 0.), (2.5, 0.)]);
    for portal in mesh.portals() {
        let [from, to] = portal.polygons;
        assert!(from < to);
        let ahead = mesh.centre(to) - mesh.centre(from);
        let across = portal.left - portal.right;
        assert!(ahead.x * across.z - ahead.z * across.x > 0.0, "{portal:?}");
        assert_eq!(portal.ends_from(from), [portal.right, portal.left]);
        assert_eq!(portal.ends_from(to), [portal.left, portal.right]);
    }
}

#[test]
fn only_stacked_borders_within_a_step_form_portals() {
    let mut raw = RawNavMesh::default();
    for y in [0., 2., 4.] {
        add_square(&mut raw, 0., y, 0.);
    }
    for y in [0.5, 2.5, 7.] {
        add_square(&mut raw, 4., y, 0.);
    }
    let mesh = build(raw).expect("six squares");
    let mut pairs: Vec<[u64; 2]> = mesh
        .portals()
        .iter()
        .map(|portal| {
            let mut ids = portal.polygons.map(|polygon| mesh.user_id(polygon));
            ids.sort_unstable();
            ids
        })
        .collect();
    pairs.sort_unstable();
    assert_eq!(pairs, [[0, 3], [1, 4]]);
}

#[test]
fn the_portal_to_a_sloping_border_ends_where_the_step_is_too_high() {
    let mut raw = square();
    // The ramp rises from the height of the floor at z = 0 to 3 m at z = 4.
    let ramp = [(4., 0., 0.), (8., 0., 0.), (8., 3., 4.), (4., 3., 4.)];
    raw.vertices.extend(ramp.map(Vec3::from));
    raw.polygons.push(4..8);
    let mesh = build(raw).expect("a floor and a ramp");
    let [portal] = mesh.portals() else {
        panic!("{:?}", mesh.portals());
    };
    // The portal ends where the ramp is 0.9 m high, and lies halfway up the step.
    let ends = [portal.right, portal.left];
    let end = ends
        .into_iter()
        .max_by(|a, b| a.z.total_cmp(&b.z))
        .expect("two ends");
    assert!(end.distance(vec3(4., 0.45, 1.2)) < 1e-4, "{end}");
    assert!(ends.contains(&vec3(4., 0., 0.)), "{ends:?}");
}

#[test]
fn thousands_of_overlapping_borders_are_rejected() {
    let mut raw = RawNavMesh::default();
    for i in 0..3000 {
        let y = i as f32 * 1e-4;
        add_square(&mut raw, 0., y, 0.);
        add_square(&mut raw, 4., y, 0.);
    }
    assert!(matches!(
        build(raw),
        Err(NavMeshError::OverlappingBorders { .. })
    ));
}

#[test]
fn borders_in_the_same_direction_form_no_portal() {
    let mut raw = square();
    add_square(&mut raw, 0., 0.5, 0.);
    assert_eq!(build(raw).expect("two squares").portals().len(), 0);
}

#[test]
fn matching_by_position_finds_the_portals_of_common_vertices() {
    for triangles in [false, true] {
        let patchwork = portolan_oracle::Patchwork {
            columns: 6,
            rows: 5,
            floors: 1,
            seed: 3,
            jitter: 0.15,
            holes: 0.2,
            triangles,
            relief: 1.0,
            links: 0,
            steps: None,
            bumps: 0.0,
        };
        let raw = MeshPlan::Patchwork(patchwork).raw();
        let common_vertices = build(raw.clone()).expect("a patchwork");
        let mut own_vertices = RawNavMesh::default();
        for corners in raw.polygons.iter() {
            let first = own_vertices.vertices.len() as u32;
            own_vertices
                .vertices
                .extend(corners.iter().map(|&v| raw.vertices[v as usize]));
            own_vertices
                .polygons
                .push(first..own_vertices.vertices.len() as u32);
        }
        let by_position = build(own_vertices).expect("the same patchwork");
        let portals = [common_vertices.portals(), by_position.portals()];
        assert_eq!(portals[0].len(), portals[1].len());
        for (a, b) in portals[0].iter().zip(portals[1]) {
            assert_eq!(a.polygons, b.polygons);
            assert!(a.right.distance(b.right) < 1e-5 && a.left.distance(b.left) < 1e-5);
        }
    }
}
