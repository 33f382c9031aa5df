//! Invalid navmeshes are rejected, and the error names the invalid element.

use super::*;

#[test]
fn a_mesh_without_polygons_is_rejected() {
    assert_eq!(
        build(RawNavMesh::default()),
        Err(NavMeshError::Empty { without_area: 0 })
    );
    let flat = level([(0., 0.), (1., 0.), (2., 0.)], &[&[0, 1, 2], &[0, 2, 1]]);
    assert_eq!(build(flat), Err(NavMeshError::Empty { without_area: 2 }));
}

#[test]
fn a_mesh_of_vertical_polygons_is_rejected() {
    let mut raw = square();
    raw.vertices
        .iter_mut()
        .for_each(|p| *p = vec3(p.x, p.z, 0.0));
    let error = build(raw).expect_err("the polygon is vertical");
    assert_eq!(error, NavMeshError::Empty { without_area: 1 });
    assert!(error.to_string().contains("check that y points up"));
}

#[test]
fn polygons_with_fewer_than_three_corners_are_rejected() {
    let mut raw = square();
    raw.polygons.push([0, 1]);
    let error = NavMeshError::TooFewVertices {
        polygon: 1,
        count: 2,
    };
    assert_eq!(build(raw), Err(error));
    let mut raw = square();
    raw.polygons.push([]);
    let error = NavMeshError::TooFewVertices {
        polygon: 1,
        count: 0,
    };
    assert_eq!(build(raw), Err(error));
}

#[test]
fn corners_that_do_not_exist_are_rejected() {
    let mut raw = square();
    raw.polygons.push([0, 1, 4]);
    let error = NavMeshError::VertexOutOfRange {
        polygon: 1,
        index: 4,
        vertices: 4,
    };
    assert_eq!(build(raw), Err(error));
}

#[test]
fn vertices_with_invalid_coordinates_are_rejected() {
    for bad in [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        1e30,
        -1e30,
        1.1e8,
    ] {
        for axis in 0..3 {
            let mut raw = square();
            raw.vertices[2][axis] = bad;
            let error = build(raw);
            assert!(
                matches!(error, Err(NavMeshError::BadVertex { vertex: 2, .. })),
                "{bad}: {error:?}"
            );
        }
    }
    let mut unused = square();
    unused.vertices.push(Vec3::NAN);
    assert!(matches!(
        build(unused),
        Err(NavMeshError::BadVertex { vertex: 4, .. })
    ));
}

/// Creates a square with a dent of `depth` in the middle of its southern border.
fn dented(depth: f32) -> RawNavMesh {
    let corners = [(0., 0.), (2., depth), (4., 0.), (4., 4.), (0., 4.)];
    level(corners, &[&[0, 1, 2, 3, 4]])
}

#[test]
fn dents_deeper_than_the_tolerance_are_rejected() {
    let Err(NavMeshError::NotConvex {
        polygon: 0,
        corner: 1,
        depth,
        tolerance,
    }) = build(dented(0.5))
    else {
        panic!("the dent was accepted");
    };
    assert!((depth - 0.5).abs() < 1e-6);
    assert_eq!(tolerance, 0.01);
    assert!(build(dented(0.011)).is_err());
    assert!(build(dented(0.009)).is_ok());
    assert!(build(dented(0.0)).is_ok());
    let tolerant = NavMeshOptions {
        convexity_tolerance: 0.6,
        ..NavMeshOptions::default()
    };
    assert!(NavMesh::build(dented(0.5), &tolerant).is_ok());
}

#[test]
fn the_error_names_the_raw_corner_of_a_clockwise_polygon() {
    let mut raw = dented(0.5);
    raw.polygons = Csr::new();
    raw.polygons.push([4, 3, 2, 1, 0]);
    assert!(matches!(
        build(raw),
        Err(NavMeshError::NotConvex {
            polygon: 0,
            corner: 3,
            ..
        })
    ));
}

#[test]
fn polygons_with_a_spike_are_rejected() {
    // The spike runs from (4, 0) to (8, 0) and back.
    let corners = [(0., 0.), (8., 0.), (4., 0.), (4., 4.), (0., 4.)];
    let error = build(level(corners, &[&[0, 1, 2, 3, 4]]));
    assert!(
        matches!(error, Err(NavMeshError::NotConvex { polygon: 0, .. })),
        "{error:?}"
    );
}

#[test]
fn stars_are_rejected() {
    let corners = [(0., 3.), (1.8, -2.4), (-2.9, 0.9), (2.9, 0.9), (-1.8, -2.4)];
    for around in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]] {
        let star = level(corners, &[&around]);
        assert_eq!(build(star), Err(NavMeshError::SelfCrossing { polygon: 0 }));
    }
}

#[test]
fn polygons_that_turn_around_twice_are_rejected() {
    let mut raw = square();
    raw.polygons.push([0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(build(raw), Err(NavMeshError::SelfCrossing { polygon: 1 }));
    let mut raw = square();
    raw.polygons.push([0, 1, 2, 0, 1, 2]);
    assert_eq!(build(raw), Err(NavMeshError::SelfCrossing { polygon: 1 }));
}

#[test]
fn bow_ties_are_rejected() {
    for right in [4., 6.] {
        let corners = [(0., 0.), (4., 4.), (4., 0.), (0., right)];
        let error = build(level(corners, &[&[0, 1, 2, 3]]));
        assert!(
            matches!(error, Err(NavMeshError::NotConvex { polygon: 0, .. })),
            "{error:?}"
        );
    }
}

#[test]
fn a_border_of_three_polygons_is_rejected() {
    let error = build(crowded(0)).expect_err("three polygons share a border");
    let NavMeshError::CrowdedBorder { mut polygons, .. } = error else {
        panic!("{error:?}");
    };
    polygons.sort_unstable();
    assert_eq!(polygons, [0, 1, 2]);
}

#[test]
fn the_error_names_the_raw_vertices_of_a_crowded_border() {
    let error = build(crowded(5)).expect_err("three polygons share a border");
    let NavMeshError::CrowdedBorder { vertices, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!(vertices, [5, 6]);
}

/// Creates three triangles that share the border between vertices `unused` and `unused + 1`. The first
/// `unused` vertices belong to no polygon.
fn crowded(unused: u32) -> RawNavMesh {
    let mut raw = RawNavMesh {
        vertices: vec![vec3(50., 0., 50.); unused as usize],
        ..RawNavMesh::default()
    };
    let corners = [(0., 0.), (4., 0.), (2., 3.), (2., -3.), (3., 3.)];
    raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0., z)));
    for tip in 2..5 {
        raw.polygons.push([unused, unused + 1, unused + tip]);
    }
    raw
}

#[test]
fn lists_of_the_wrong_length_are_rejected() {
    let wrong = |what, change: fn(&mut RawNavMesh)| {
        let mut raw = square();
        change(&mut raw);
        let found = 2;
        assert_eq!(
            build(raw),
            Err(NavMeshError::WrongLength {
                what,
                expected: 1,
                found
            })
        );
    };
    wrong("areas", |raw| raw.areas = vec![0; 2]);
    wrong("flags", |raw| raw.flags = vec![0; 2]);
    wrong("ids", |raw| raw.ids = vec![0; 2]);
    wrong("height points", |raw| {
        raw.heights.vertices.push([]);
        raw.heights.vertices.push([]);
        raw.heights.triangles.push([]);
    });
    wrong("height triangles", |raw| {
        raw.heights.vertices.push([]);
        raw.heights.triangles.push([]);
        raw.heights.triangles.push([]);
    });
    let mut without_triangles = square();
    without_triangles.heights.vertices.push([Vec3::ONE]);
    let error = NavMeshError::WrongLength {
        what: "height triangles",
        expected: 1,
        found: 0,
    };
    assert_eq!(build(without_triangles), Err(error));
}

#[test]
fn invalid_heights_are_rejected() {
    let with = |points: &[Vec3], triangle: [u16; 3]| {
        let mut raw = square();
        raw.heights.vertices.push(points.iter().copied());
        raw.heights.triangles.push([triangle]);
        build(raw)
    };
    let bad = |what| Err(NavMeshError::BadHeights { polygon: 0, what });
    assert!(with(&[Vec3::ONE], [0, 1, 4]).is_ok());
    let no_such_point = bad("a triangle refers to a point that does not exist");
    assert_eq!(with(&[Vec3::ONE], [0, 1, 5]), no_such_point);
    assert_eq!(with(&[], [0, 1, 4]), no_such_point);
    for point in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30)] {
        assert_eq!(
            with(&[point], [0, 1, 4]),
            bad("a point is not finite or more than 1e8 m from the origin")
        );
    }
    let many = vec![Vec3::ONE; 65_532];
    assert_eq!(
        with(&many, [0, 1, 2]),
        bad("more than 65535 corners and points")
    );
    assert!(with(&many[1..], [0, 1, 65_534]).is_ok());
}

#[test]
fn invalid_links_are_rejected() {
    let with = |change: fn(&mut RawLink)| {
        let mut raw = square();
        let mut link = RawLink {
            start: Vec3::ONE,
            end: Vec3::ONE * 2.0,
            ..RawLink::default()
        };
        raw.links.push(link.clone());
        change(&mut link);
        raw.links.push(link);
        build(raw)
    };
    assert!(with(|_| ()).is_ok());
    let assert_rejected = |result: Result<NavMesh, NavMeshError>, why: &str| match result {
        Err(NavMeshError::BadLink { link: 1, what }) => assert!(what.contains(why), "{what}"),
        other => panic!("{other:?}"),
    };
    assert_rejected(with(|link| link.start.x = f32::NAN), "end");
    assert_rejected(with(|link| link.end.y = f32::INFINITY), "end");
    assert_rejected(with(|link| link.end.z = 1e30), "end");
    assert_rejected(with(|link| link.cost = Some(-1.0)), "cost");
    assert_rejected(with(|link| link.cost = Some(f32::NAN)), "cost");
    assert_rejected(with(|link| link.cost = Some(1e30)), "cost");
    assert_rejected(with(|link| link.snap.y = f32::NAN), "snap");
    assert_rejected(with(|link| link.polygons[1] = Some(1)), "polygon");
}

#[test]
fn options_outside_their_limits_are_rejected() {
    for bad in [-0.1, f32::NAN, f32::INFINITY] {
        let rejected_option = |options: NavMeshOptions| match NavMesh::build(square(), &options) {
            Err(NavMeshError::BadOption { what, value }) => {
                assert_eq!(value.to_bits(), bad.to_bits());
                what
            }
            other => panic!("{other:?}"),
        };
        let borders = BorderMatching::default();
        let tolerance = NavMeshOptions {
            convexity_tolerance: bad,
            borders: None,
        };
        assert!(rejected_option(tolerance).contains("convexity"));
        let gap = Some(BorderMatching {
            gap: bad,
            ..borders
        });
        assert!(
            rejected_option(NavMeshOptions {
                borders: gap,
                ..Default::default()
            })
            .contains("gap")
        );
        let step = Some(BorderMatching {
            step: bad,
            ..borders
        });
        assert!(
            rejected_option(NavMeshOptions {
                borders: step,
                ..Default::default()
            })
            .contains("step")
        );
    }
}

#[test]
fn polygons_with_too_many_corners_are_rejected() {
    let mut raw = square();
    raw.polygons.push((0..70_000).map(|i| i % 4));
    let limit = usize::from(u16::MAX);
    let error = NavMeshError::TooMany {
        what: "corners of one polygon",
        count: 70_000,
        limit,
    };
    assert_eq!(build(raw), Err(error));
    assert_eq!(MAX_ELEMENTS, (1 << 30) - 1);
}

#[test]
fn rings_of_many_shallow_dents_are_rejected() {
    // Half a ring, 1 m wide. Its steps are so fine that no corner lies more than a centimetre inside
    // the line through its two neighbours.
    let steps = 400;
    let arc = |radius: f32, i: usize| {
        let angle = std::f32::consts::PI * i as f32 / steps as f32;
        vec3(radius * angle.cos(), 0., radius * angle.sin())
    };
    let mut raw = RawNavMesh::default();
    raw.vertices.extend((0..=steps).map(|i| arc(10., i)));
    raw.vertices.extend((0..=steps).rev().map(|i| arc(9., i)));
    raw.polygons.push(0..raw.vertices.len() as u32);
    let error = build(raw);
    let Err(NavMeshError::NotConvex {
        polygon: 0, depth, ..
    }) = error
    else {
        panic!("{error:?}");
    };
    assert!((depth - 9.0).abs() < 0.1, "{depth}");
}
