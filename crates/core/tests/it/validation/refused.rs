//! What is no navmesh, and which element is to blame.

use super::*;

#[test]
fn nothing() {
    assert_eq!(
        build(RawNavMesh::default()),
        Err(NavMeshError::Empty { without_area: 0 })
    );
    let flat = level([(0., 0.), (1., 0.), (2., 0.)], &[&[0, 1, 2], &[0, 2, 1]]);
    assert_eq!(build(flat), Err(NavMeshError::Empty { without_area: 2 }));
}

#[test]
fn walls_instead_of_floors() {
    let mut raw = square();
    raw.vertices
        .iter_mut()
        .for_each(|p| *p = vec3(p.x, p.z, 0.0));
    let refused = build(raw).expect_err("a wall");
    assert_eq!(refused, NavMeshError::Empty { without_area: 1 });
    assert!(refused.to_string().contains("is y up?"));
}

#[test]
fn polygons_of_two_corners() {
    let mut raw = square();
    raw.polygons.push([0, 1]);
    let refused = NavMeshError::TooFewVertices {
        polygon: 1,
        count: 2,
    };
    assert_eq!(build(raw), Err(refused));
    let mut raw = square();
    raw.polygons.push([]);
    let refused = NavMeshError::TooFewVertices {
        polygon: 1,
        count: 0,
    };
    assert_eq!(build(raw), Err(refused));
}

#[test]
fn corners_that_do_not_exist() {
    let mut raw = square();
    raw.polygons.push([0, 1, 4]);
    let refused = NavMeshError::VertexOutOfRange {
        polygon: 1,
        index: 4,
        vertices: 4,
    };
    assert_eq!(build(raw), Err(refused));
}

#[test]
fn vertices_that_are_no_places() {
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
            let refused = build(raw);
            assert!(
                matches!(refused, Err(NavMeshError::BadVertex { vertex: 2, .. })),
                "{bad}: {refused:?}"
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

/// A square whose southern border is pushed in by `depth` in its middle.
fn dented(depth: f32) -> RawNavMesh {
    let places = [(0., 0.), (2., depth), (4., 0.), (4., 4.), (0., 4.)];
    level(places, &[&[0, 1, 2, 3, 4]])
}

#[test]
fn dents_deeper_than_the_tolerance() {
    let Err(NavMeshError::NotConvex {
        polygon: 0,
        corner: 1,
        depth,
        tolerance,
    }) = build(dented(0.5))
    else {
        panic!("a dent was accepted");
    };
    assert!((depth - 0.5).abs() < 1e-6);
    assert_eq!(tolerance, 0.01);
    assert!(build(dented(0.011)).is_err());
    assert!(build(dented(0.009)).is_ok());
    assert!(build(dented(0.0)).is_ok());
    let sloppy = NavMeshOptions {
        convexity_tolerance: 0.6,
        ..NavMeshOptions::default()
    };
    assert!(NavMesh::build(dented(0.5), &sloppy).is_ok());
}

#[test]
fn dents_by_their_raw_corner_even_when_rewound() {
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
fn spikes() {
    // From (4, 0) out to (8, 0) and back.
    let places = [(0., 0.), (8., 0.), (4., 0.), (4., 4.), (0., 4.)];
    let refused = build(level(places, &[&[0, 1, 2, 3, 4]]));
    assert!(
        matches!(refused, Err(NavMeshError::NotConvex { polygon: 0, .. })),
        "{refused:?}"
    );
}

#[test]
fn stars() {
    let places = [(0., 3.), (1.8, -2.4), (-2.9, 0.9), (2.9, 0.9), (-1.8, -2.4)];
    for around in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]] {
        let star = level(places, &[&around]);
        assert_eq!(build(star), Err(NavMeshError::SelfCrossing { polygon: 0 }));
    }
}

#[test]
fn polygons_that_go_around_twice() {
    let mut raw = square();
    raw.polygons.push([0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(build(raw), Err(NavMeshError::SelfCrossing { polygon: 1 }));
    let mut raw = square();
    raw.polygons.push([0, 1, 2, 0, 1, 2]);
    assert_eq!(build(raw), Err(NavMeshError::SelfCrossing { polygon: 1 }));
}

#[test]
fn bow_ties() {
    for right in [4., 6.] {
        let places = [(0., 0.), (4., 4.), (4., 0.), (0., right)];
        let refused = build(level(places, &[&[0, 1, 2, 3]]));
        assert!(
            matches!(refused, Err(NavMeshError::NotConvex { polygon: 0, .. })),
            "{refused:?}"
        );
    }
}

#[test]
fn three_polygons_on_one_border() {
    let refused = build(crowded(0)).expect_err("a crowd");
    let NavMeshError::CrowdedBorder { mut polygons, .. } = refused else {
        panic!("{refused:?}");
    };
    polygons.sort_unstable();
    assert_eq!(polygons, [0, 1, 2]);
}

#[test]
fn three_polygons_on_one_border_by_raw_vertices() {
    let refused = build(crowded(5)).expect_err("a crowd");
    let NavMeshError::CrowdedBorder { vertices, .. } = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(vertices, [5, 6]);
}

/// Three triangles on the border of the first two used of its vertices; the `unused` come first.
fn crowded(unused: u32) -> RawNavMesh {
    let mut raw = RawNavMesh {
        vertices: vec![vec3(50., 0., 50.); unused as usize],
        ..RawNavMesh::default()
    };
    let places = [(0., 0.), (4., 0.), (2., 3.), (2., -3.), (3., 3.)];
    raw.vertices.extend(places.map(|(x, z)| vec3(x, 0., z)));
    for tip in 2..5 {
        raw.polygons.push([unused, unused + 1, unused + tip]);
    }
    raw
}

#[test]
fn lists_of_the_wrong_length() {
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
    let mut half = square();
    half.heights.vertices.push([Vec3::ONE]);
    let refused = NavMeshError::WrongLength {
        what: "height triangles",
        expected: 1,
        found: 0,
    };
    assert_eq!(build(half), Err(refused));
}

#[test]
fn heights_that_make_no_sense() {
    let with = |points: &[Vec3], triangle: [u16; 3]| {
        let mut raw = square();
        raw.heights.vertices.push(points.iter().copied());
        raw.heights.triangles.push([triangle]);
        build(raw)
    };
    let bad = |what| Err(NavMeshError::BadHeights { polygon: 0, what });
    assert!(with(&[Vec3::ONE], [0, 1, 4]).is_ok());
    let unknown = bad("a triangle with a point that does not exist");
    assert_eq!(with(&[Vec3::ONE], [0, 1, 5]), unknown);
    assert_eq!(with(&[], [0, 1, 4]), unknown);
    for point in [Vec3::NAN, Vec3::INFINITY, Vec3::splat(1e30)] {
        assert_eq!(with(&[point], [0, 1, 4]), bad("a point that is not finite"));
    }
    let many = vec![Vec3::ONE; 65_532];
    assert_eq!(
        with(&many, [0, 1, 2]),
        bad("more points than 16 bits count")
    );
    assert!(with(&many[1..], [0, 1, 65_534]).is_ok());
}

#[test]
fn links_that_make_no_sense() {
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
    let refused = |result: Result<NavMesh, NavMeshError>, why: &str| match result {
        Err(NavMeshError::BadLink { link: 1, what }) => assert!(what.contains(why), "{what}"),
        other => panic!("{other:?}"),
    };
    refused(with(|link| link.start.x = f32::NAN), "end");
    refused(with(|link| link.end.y = f32::INFINITY), "end");
    refused(with(|link| link.end.z = 1e30), "end");
    refused(with(|link| link.cost = Some(-1.0)), "cost");
    refused(with(|link| link.cost = Some(f32::NAN)), "cost");
    refused(with(|link| link.cost = Some(1e30)), "cost");
    refused(with(|link| link.snap.y = f32::NAN), "snap");
    refused(with(|link| link.polygons[1] = Some(1)), "polygon");
}

#[test]
fn options_out_of_their_limits() {
    for bad in [-0.1, f32::NAN, f32::INFINITY] {
        let refused = |options: NavMeshOptions| match NavMesh::build(square(), &options) {
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
        assert!(refused(tolerance).contains("convexity"));
        let gap = Some(BorderMatching {
            gap: bad,
            ..borders
        });
        assert!(
            refused(NavMeshOptions {
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
            refused(NavMeshOptions {
                borders: step,
                ..Default::default()
            })
            .contains("step")
        );
    }
}

#[test]
fn polygons_with_too_many_corners() {
    let mut raw = square();
    raw.polygons.push((0..70_000).map(|i| i % 4));
    let limit = usize::from(u16::MAX);
    let refused = NavMeshError::TooMany {
        what: "corners of one polygon",
        count: 70_000,
        limit,
    };
    assert_eq!(build(raw), Err(refused));
    assert_eq!(MAX_ELEMENTS, (1 << 30) - 1);
}

#[test]
fn rings_of_many_shallow_dents() {
    // Half a ring, 1 m wide, in steps so fine that no corner lies a centimetre inside the line
    // through its neighbours.
    let steps = 400;
    let arc = |radius: f32, i: usize| {
        let angle = std::f32::consts::PI * i as f32 / steps as f32;
        vec3(radius * angle.cos(), 0., radius * angle.sin())
    };
    let mut raw = RawNavMesh::default();
    raw.vertices.extend((0..=steps).map(|i| arc(10., i)));
    raw.vertices.extend((0..=steps).rev().map(|i| arc(9., i)));
    raw.polygons.push(0..raw.vertices.len() as u32);
    let refused = build(raw);
    let Err(NavMeshError::NotConvex {
        polygon: 0, depth, ..
    }) = refused
    else {
        panic!("{refused:?}");
    };
    assert!((depth - 9.0).abs() < 0.1, "{depth}");
}
