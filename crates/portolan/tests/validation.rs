//! Raw navmeshes: what is refused and named, what is put right and counted, what survives.

mod common;

use common::{Dice, Plan, parts_of, plans};
use glam::{Vec3, vec3};
use portolan::worlds::{Scene, WorldOptions};
use portolan::{
    BorderMatching, Csr, DEFAULT_SNAP, KeepComponents, Limits, LinkId, MAX_ELEMENTS, NavMesh,
    NavMeshError, NavMeshOptions, Path, PolygonId, Query, RawHeights, RawLink, RawNavMesh, Repairs,
    Scratch, Status, World,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn build(raw: RawNavMesh) -> Result<NavMesh, NavMeshError> {
    NavMesh::build(raw, &NavMeshOptions::default())
}

/// Polygons on level ground, from (x, z) of the corners.
fn level<const N: usize>(places: [(f32, f32); N], polygons: &[&[u32]]) -> RawNavMesh {
    let mut raw = RawNavMesh {
        vertices: places.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    for corners in polygons {
        raw.polygons.push(corners.iter().copied());
    }
    raw
}

/// A square of 4 m.
fn square() -> RawNavMesh {
    level([(0., 0.), (4., 0.), (4., 4.), (0., 4.)], &[&[0, 1, 2, 3]])
}

/// A square of 4 m with its south-western corner at (x, z) and at height y, with corners of its
/// own.
fn add_square(raw: &mut RawNavMesh, x: f32, y: f32, z: f32) {
    let first = raw.vertices.len() as u32;
    let corners = [(0., 0.), (4., 0.), (4., 4.), (0., 4.)];
    raw.vertices
        .extend(corners.map(|(dx, dz)| vec3(x + dx, y, z + dz)));
    raw.polygons.push(first..first + 4);
}

mod refused {
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
}

mod repaired {
    use super::*;

    #[test]
    fn nothing_on_a_sound_mesh() {
        let mesh = build(square()).expect("a square");
        assert_eq!(mesh.repairs(), Repairs::default());
        assert_eq!((mesh.area(PolygonId(0)), mesh.flags(PolygonId(0))), (0, 1));
        assert_eq!(mesh.user_id(PolygonId(0)), 0);
        assert_eq!(mesh.polygon_area(PolygonId(0)), 16.0);
    }

    #[test]
    fn clockwise_polygons() {
        let mut raw = square();
        raw.polygons = Csr::new();
        raw.polygons.push([3, 2, 1, 0]);
        let mesh = build(raw).expect("a square");
        assert_eq!(
            mesh.repairs(),
            Repairs {
                rewound: 1,
                ..Repairs::default()
            }
        );
        assert_eq!(mesh.polygon_area(PolygonId(0)), 16.0);
    }

    #[test]
    fn repeated_corners() {
        let mut raw = square();
        raw.vertices.push(raw.vertices[1]);
        raw.polygons = Csr::new();
        raw.polygons.push([0, 0, 1, 4, 2, 3, 3, 0, 0]);
        let mesh = build(raw).expect("a square");
        assert_eq!(
            mesh.repairs(),
            Repairs {
                repeated_corners: 5,
                ..Repairs::default()
            }
        );
        assert_eq!(mesh.corners(PolygonId(0)).len(), 4);
    }

    #[test]
    fn slivers_whose_neighbours_still_meet() {
        // A long border in the south against two short ones in the north, with a triangle
        // without area between them.
        let places = [
            (0., 0.),
            (8., 0.),
            (8., 4.),
            (0., 4.),
            (3., 4.),
            (8., 8.),
            (3., 8.),
            (0., 8.),
        ];
        let polygons: [&[u32]; 4] = [&[0, 1, 2, 3], &[3, 2, 4], &[4, 2, 5, 6], &[3, 4, 6, 7]];
        let mesh = build(level(places, &polygons)).expect("three polygons");
        assert_eq!(
            mesh.repairs(),
            Repairs {
                without_area: 1,
                ..Repairs::default()
            }
        );
        assert_eq!(mesh.polygon_count(), 3);
        assert_eq!(mesh.portals().len(), 3);
        assert_eq!(mesh.components().count(), 1);
        let mut ids = mesh.user_ids().to_vec();
        ids.sort_unstable();
        assert_eq!(ids, [0, 2, 3]);
        let mut widths: Vec<f32> = mesh
            .portals()
            .iter()
            .map(|p| p.right.distance(p.left))
            .collect();
        widths.sort_by(f32::total_cmp);
        assert_eq!(widths, [3.0, 4.0, 5.0]);
    }

    #[test]
    fn folds() {
        let places = [(0., 0.), (4., 0.), (2., 3.), (3., 5.)];
        let mesh = build(level(places, &[&[0, 1, 2], &[0, 1, 3]])).expect("two triangles");
        assert_eq!(
            mesh.repairs(),
            Repairs {
                folds: 1,
                ..Repairs::default()
            }
        );
        assert_eq!(mesh.components().count(), 2);
    }

    #[test]
    fn links_off_the_mesh() {
        let mut raw = square();
        let mut link = RawLink {
            start: vec3(1., 0., 1.),
            end: vec3(9., 0., 1.),
            ..RawLink::default()
        };
        raw.links.push(link.clone());
        link.end = vec3(3., 0., 1.);
        raw.links.push(link.clone());
        // To a polygon that is left out.
        raw.polygons.push([0, 1, 1]);
        link.polygons[1] = Some(1);
        raw.links.push(link);
        let mesh = build(raw).expect("a square");
        assert_eq!((mesh.repairs().links_off_mesh, mesh.links().len()), (2, 1));
    }
}

mod portals {
    use super::*;

    fn neighbours(rise: f32, gap: f32) -> usize {
        let mut raw = RawNavMesh::default();
        add_square(&mut raw, 0., 0., 0.);
        add_square(&mut raw, 4. + gap, rise, 0.);
        build(raw).expect("two squares").portals().len()
    }

    #[test]
    fn a_step_up_to_the_climb_is_climbed() {
        assert_eq!(neighbours(0.0, 0.0), 1);
        assert_eq!(neighbours(0.89, 0.0), 1);
        assert_eq!(neighbours(-0.89, 0.0), 1);
        assert_eq!(neighbours(0.91, 0.0), 0);
        assert_eq!(neighbours(-0.91, 0.0), 0);
    }

    #[test]
    fn a_gap_up_to_the_tolerance_is_closed() {
        assert_eq!(neighbours(0.0, 0.009), 1);
        assert_eq!(neighbours(0.0, -0.009), 1);
        assert_eq!(neighbours(0.0, 0.011), 0);
    }

    #[test]
    fn a_gap_is_measured_across_the_border() {
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
    fn without_matching_only_common_corners_meet() {
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

    /// One square of 4 m in the west; in the east, rectangles that start at these z and heights.
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

    /// Per eastern rectangle, the z at which its portal to the west begins and ends.
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
    fn one_border_against_two() {
        let mesh = tiles(&[(-1., 0.), (2.5, 0.)]);
        assert_eq!(western_portals(&mesh), [(1, 0., 2.5), (2, 2.5, 4.)]);
    }

    #[test]
    fn one_border_against_three_with_steps() {
        let mesh = tiles(&[(-1., 0.5), (1., -0.89), (2.5, 0.91)]);
        assert_eq!(western_portals(&mesh), [(1, 0., 1.), (2, 1., 2.5)]);
        let heights: Vec<f32> = mesh
            .portals()
            .iter()
            .map(|portal| portal.middle().y)
            .collect();
        assert!(heights.contains(&0.25), "half a step up: {heights:?}");
    }

    #[test]
    fn the_right_end_is_on_the_right() {
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
    fn of_stacked_borders_those_in_reach_meet() {
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
    fn a_ramp_that_meets_a_floor_aslant_is_entered_where_it_is_low() {
        let mut raw = square();
        // From the floor's height at z = 0 to 3 m at z = 4.
        let ramp = [(4., 0., 0.), (8., 0., 0.), (8., 3., 4.), (4., 3., 4.)];
        raw.vertices.extend(ramp.map(Vec3::from));
        raw.polygons.push(4..8);
        assert_eq!(build(raw).expect("a floor and a ramp").portals().len(), 1);
    }

    #[test]
    fn borders_that_run_the_same_way_do_not_meet() {
        let mut raw = square();
        add_square(&mut raw, 0., 0.5, 0.);
        assert_eq!(build(raw).expect("two squares").portals().len(), 0);
    }

    #[test]
    fn of_tiles_and_of_common_corners_come_the_same_portals() {
        for triangles in [false, true] {
            let shared = common::Patchwork {
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
            let raw = Plan::Patchwork(shared).raw();
            let joined = build(raw.clone()).expect("a patchwork");
            let mut own = RawNavMesh::default();
            for corners in raw.polygons.iter() {
                let first = own.vertices.len() as u32;
                own.vertices
                    .extend(corners.iter().map(|&v| raw.vertices[v as usize]));
                own.polygons.push(first..own.vertices.len() as u32);
            }
            let apart = build(own).expect("the same patchwork");
            assert_eq!(joined.portals().len(), apart.portals().len());
            for (a, b) in joined.portals().iter().zip(apart.portals()) {
                assert_eq!(a.polygons, b.polygons);
                assert!(a.right.distance(b.right) < 1e-5 && a.left.distance(b.left) < 1e-5);
            }
        }
    }
}

mod links {
    use super::*;

    #[test]
    fn ends_are_put_on_the_ground() {
        let mut raw = RawNavMesh::default();
        add_square(&mut raw, 0., 0., 0.);
        add_square(&mut raw, 10., 5., 0.);
        raw.links.push(RawLink {
            start: vec3(1., 1.5, 1.),
            end: vec3(9.7, 5.5, 2.),
            both_ways: true,
            area: 3,
            flags: 6,
            id: 99,
            ..RawLink::default()
        });
        let mesh = build(raw).expect("two squares");
        let link = mesh.link(LinkId(0));
        assert_eq!(link.ends, [vec3(1., 0., 1.), vec3(10., 5., 2.)]);
        assert_eq!(link.polygons.map(|polygon| mesh.user_id(polygon)), [0, 1]);
        assert_eq!(link.cost, link.ends[0].distance(link.ends[1]));
        assert_eq!(
            (link.both_ways, link.area, link.flags, link.user_id),
            (true, 3, 6, 99)
        );
        assert_eq!(mesh.components().count(), 1);
    }

    #[test]
    fn a_known_polygon_needs_no_snapping() {
        let mut raw = square();
        raw.links.push(RawLink {
            start: vec3(-9., 7., 2.),
            end: vec3(2., 50., 2.),
            polygons: [Some(0); 2],
            cost: Some(1.5),
            ..RawLink::default()
        });
        let mesh = build(raw).expect("a square");
        let link = mesh.link(LinkId(0));
        assert_eq!(link.ends, [vec3(0., 0., 2.), vec3(2., 0., 2.)]);
        assert_eq!((link.cost, link.polygons[0]), (1.5, link.polygons[1]));
    }

    #[test]
    fn within_one_polygon_a_cheap_link_is_taken() {
        let mut raw = square();
        raw.links.push(RawLink {
            start: vec3(0.5, 0., 2.),
            end: vec3(3.5, 0., 2.),
            cost: Some(0.25),
            ..RawLink::default()
        });
        let world = World::build(raw, &NavMeshOptions::default()).expect("a square");
        let (west, east) = (vec3(0.25, 0., 2.), vec3(3.75, 0., 2.));
        let there = world.find(west, east, &mut Scratch::new()).expect("a way");
        assert_eq!(
            (there.cost, there.links.len(), there.waypoints.len()),
            (0.75, 1, 4)
        );
        assert_eq!(there.corridor.polygons, [PolygonId(0); 2]);
        let back = world.find(east, west, &mut Scratch::new()).expect("a way");
        assert_eq!((back.cost, back.links.len()), (3.5, 0));
    }

    #[test]
    fn of_any_length_survive_to_raw() {
        let mut raw = RawNavMesh::default();
        for x in [-9e7, 9e7] {
            let first = raw.vertices.len() as u32;
            let corners = [(0., 0.), (1e3, 0.), (1e3, 1e3), (0., 1e3)];
            raw.vertices
                .extend(corners.map(|(dx, z)| vec3(x + dx, 0., z)));
            raw.polygons.push(first..first + 4);
        }
        let middles = [vec3(-9e7 + 500., 0., 500.), vec3(9e7 + 500., 0., 500.)];
        raw.links.push(RawLink {
            start: middles[0],
            end: middles[1],
            ..RawLink::default()
        });
        let mesh = build(raw).expect("two squares far apart");
        assert_eq!(mesh.links().len(), 1);
        let again = build(mesh.to_raw(&[true; 2])).expect("the same again");
        assert_eq!(again.links(), mesh.links());
    }
}

mod heights {
    use super::*;

    /// A square with a tent of 3 m over it, its pole at (1, 1).
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
    fn come_from_the_finer_surface() {
        assert_tent(&tent(
            &[0, 1, 2, 3],
            &[[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]],
        ));
    }

    #[test]
    fn survive_rewinding() {
        // Corner i of this polygon is vertex 3 - i.
        assert_tent(&tent(
            &[3, 2, 1, 0],
            &[[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4]],
        ));
    }

    #[test]
    fn survive_rewinding_with_their_diagonal() {
        // A ridge from corner (4, 0) to corner (0, 4), where the corners' own fan has a valley.
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
    fn survive_repeated_corners() {
        let triangles = [[0, 2, 6], [2, 3, 6], [3, 4, 6], [5, 1, 6]];
        assert_tent(&tent(&[0, 0, 1, 2, 3, 3], &triangles));
        // Repeated over the end, and clockwise.
        let triangles = [[4, 3, 5], [3, 2, 5], [2, 1, 5], [1, 0, 5]];
        assert_tent(&tent(&[0, 3, 2, 1, 0], &triangles));
    }

    #[test]
    fn of_other_polygons_survive_a_dropped_one() {
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
    fn survive_to_raw() {
        let mesh = tent(&[3, 2, 1, 0], &[[3, 2, 4], [2, 1, 4], [1, 0, 4], [0, 3, 4]]);
        let raw = mesh.to_raw(&[true]);
        assert_ne!(raw.heights, RawHeights::default());
        assert_tent(&build(raw).expect("the tent again"));
    }

    #[test]
    fn without_a_finer_surface_come_from_the_corners() {
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
}

mod survives {
    use super::*;

    fn scene() -> NavMesh {
        let options = WorldOptions {
            polygons: 400,
            links: true,
            areas: true,
            relief: 2.0,
            ..WorldOptions::default()
        };
        let mut raw = Plan::Scene(Scene::Rooms, options).raw();
        raw.ids = (0..raw.polygons.len() as u64)
            .map(|i| i * 7 + 1_000_000_000_000)
            .collect();
        build(raw).expect("rooms")
    }

    /// What a polygon is, apart from its number.
    fn features(mesh: &NavMesh) -> Vec<(u64, u8, u16, Vec<[u32; 3]>)> {
        let mut features: Vec<_> = mesh
            .polygons()
            .map(|polygon| {
                let mut corners: Vec<[u32; 3]> = mesh
                    .corner_points(polygon)
                    .map(|p| p.to_array().map(f32::to_bits))
                    .collect();
                corners.sort_unstable();
                (
                    mesh.user_id(polygon),
                    mesh.area(polygon),
                    mesh.flags(polygon),
                    corners,
                )
            })
            .collect();
        features.sort_unstable();
        features
    }

    #[test]
    fn everything_to_raw_and_back() {
        let mesh = scene();
        let again = build(mesh.to_raw(&vec![true; mesh.polygon_count()])).expect("rooms again");
        assert_eq!(features(&mesh), features(&again));
        assert_eq!(mesh.portals().len(), again.portals().len());
        assert_eq!(mesh.components().count(), again.components().count());
        let of_links = |mesh: &NavMesh| -> Vec<_> {
            let ids = |polygons: [PolygonId; 2]| polygons.map(|p| mesh.user_id(p));
            let links = mesh.links().iter();
            links
                .map(|l| (l.ends, ids(l.polygons), l.cost, l.both_ways, l.user_id))
                .collect()
        };
        assert!(!mesh.links().is_empty());
        assert_eq!(of_links(&mesh), of_links(&again));
    }

    #[test]
    fn user_ids_when_polygons_are_numbered_anew() {
        let mut raw = RawNavMesh::default();
        for i in [5, 2, 8, 1, 9, 0] {
            add_square(&mut raw, 6. * i as f32, 0., 0.);
            raw.ids.push(100 + i);
        }
        let mesh = build(raw).expect("six squares");
        for polygon in mesh.polygons() {
            let x = mesh
                .corner_points(polygon)
                .fold(f32::INFINITY, |x, p| x.min(p.x));
            assert_eq!(mesh.user_id(polygon), 100 + (x / 6.).round() as u64);
        }
    }

    /// Islands of 1, 2 and 3 squares, 8 m apart in z; ids count them through.
    fn islands() -> NavMesh {
        let mut raw = RawNavMesh::default();
        for island in 0..3 {
            for i in 0..=island {
                add_square(&mut raw, 4. * i as f32, 0., 8. * island as f32);
                raw.ids.push(10 * island + i);
            }
        }
        build(raw).expect("three islands")
    }

    fn ids_kept(mesh: &NavMesh, keep: &KeepComponents) -> Vec<u64> {
        let smaller = build(mesh.to_raw(&mesh.polygons_kept(keep))).expect("some islands");
        let mut ids = smaller.user_ids().to_vec();
        ids.sort_unstable();
        ids
    }

    #[test]
    fn what_is_kept_by_size() {
        let mesh = islands();
        let sizes = |min_polygons| KeepComponents {
            min_polygons,
            ..Default::default()
        };
        assert_eq!(ids_kept(&mesh, &sizes(0)), [0, 10, 11, 20, 21, 22]);
        assert_eq!(ids_kept(&mesh, &sizes(2)), [10, 11, 20, 21, 22]);
        assert_eq!(ids_kept(&mesh, &sizes(3)), [20, 21, 22]);
        assert!(!mesh.polygons_kept(&sizes(4)).contains(&true));
        let largest = mesh.components().largest();
        assert_eq!(mesh.components().size(largest), 3);
    }

    #[test]
    fn what_is_kept_by_points() {
        let mesh = islands();
        let holding = |points: &[Vec3]| KeepComponents {
            min_polygons: 0,
            holding: points.to_vec(),
        };
        assert_eq!(ids_kept(&mesh, &holding(&[vec3(1., 0., 9.)])), [10, 11]);
        let two = [vec3(1., 0., 1.), vec3(11., 1., 19.)];
        assert_eq!(ids_kept(&mesh, &holding(&two)), [0, 20, 21, 22]);
        assert!(
            !mesh
                .polygons_kept(&holding(&[vec3(99., 0., 0.)]))
                .contains(&true)
        );
        let both = KeepComponents {
            min_polygons: 2,
            holding: two.to_vec(),
        };
        assert_eq!(ids_kept(&mesh, &both), [20, 21, 22]);
    }
}

/// Numbers that are mostly small and whole, so that things meet, and now and then absurd.
fn numbers() -> impl Strategy<Value = f32> {
    prop_oneof![
        400 => (-3i8..4).prop_map(f32::from),
        100 => -4f32..4.0,
        1 => prop_oneof![
            Just(f32::NAN), Just(f32::INFINITY), Just(1e30f32), Just(1e8f32), Just(-1e8f32),
            Just(1e-30f32), Just(f32::MIN_POSITIVE), Just(-0.0f32),
        ],
    ]
}

fn points() -> impl Strategy<Value = Vec3> {
    (
        numbers(),
        prop_oneof![3 => Just(0f32), 1 => numbers()],
        numbers(),
    )
        .prop_map(Vec3::from)
}

fn raw_links() -> impl Strategy<Value = RawLink> {
    let polygon = prop::option::weighted(0.3, 0u32..4);
    let cost = prop::option::of(numbers());
    (points(), points(), polygon, points(), cost, any::<bool>()).prop_map(
        |(start, end, polygon, snap, cost, both_ways)| RawLink {
            start,
            end,
            polygons: [polygon, None],
            snap,
            cost: cost.map(f32::abs),
            both_ways,
            ..RawLink::default()
        },
    )
}

/// Anything at all that has the type of a raw navmesh.
fn any_raw() -> impl Strategy<Value = RawNavMesh> {
    let corner = prop_oneof![200 => 0u32..12, 1 => Just(12)];
    let corners = prop::collection::vec(corner, 3..6);
    let polygons = prop::collection::vec(prop_oneof![19 => corners, 1 => Just(vec![0, 99])], 0..6);
    let vertices = prop::collection::vec(points(), 12);
    let links = prop::collection::vec(raw_links(), 0..3);
    let triangle = prop::array::uniform3(0u16..6);
    let heights = prop::collection::vec(
        (
            prop::collection::vec(points(), 0..3),
            prop::collection::vec(triangle, 0..4),
        ),
        6,
    );
    (vertices, polygons, links, heights, 0usize..20).prop_map(
        |(vertices, polygons, links, heights, kind)| {
            let mut raw = RawNavMesh {
                vertices,
                links,
                ..RawNavMesh::default()
            };
            if kind < 5 {
                for (points, triangles) in heights.into_iter().take(polygons.len()) {
                    raw.heights.vertices.push(points);
                    raw.heights.triangles.push(triangles);
                }
            }
            polygons
                .into_iter()
                .for_each(|corners| raw.polygons.push(corners));
            if kind == 6 {
                raw.areas = vec![1, 2];
            }
            raw
        },
    )
}

/// Triangles and quads between whole places: nearly always sound, but touching, overlapping and
/// stacked in every way.
fn heaps() -> impl Strategy<Value = RawNavMesh> {
    let triangle = (prop::array::uniform3((0i8..5, 0i8..5)), 0i8..3);
    (
        prop::collection::vec(triangle, 1..12),
        prop::collection::vec(raw_links(), 0..3),
    )
        .prop_map(|(triangles, links)| {
            let mut raw = RawNavMesh {
                links,
                ..RawNavMesh::default()
            };
            for (corners, y) in triangles {
                let first = raw.vertices.len() as u32;
                let place = |(x, z): (i8, i8)| vec3(x.into(), f32::from(y) * 0.6, z.into());
                raw.vertices.extend(corners.map(place));
                raw.polygons.push(first..first + 3);
            }
            raw
        })
}

/// Builds it, and if that goes well asks it things. Says whether it went well.
fn ask_everything(raw: RawNavMesh, options: &NavMeshOptions, seed: u64) -> bool {
    let polygons = raw.polygons.len();
    let mesh = match NavMesh::build(raw, options) {
        Ok(mesh) => mesh,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    assert_eq!(
        mesh.polygon_count() + mesh.repairs().without_area as usize,
        polygons
    );
    let again = NavMesh::from_parts(parts_of(&mesh)).expect("its own parts");
    assert_eq!(again, mesh);
    for portal in mesh.portals() {
        for polygon in portal.polygons {
            for end in [portal.right, portal.left] {
                let nearest = mesh.nearest_on(polygon, end);
                let aside = portolan::geometry::distance_xz(nearest, end);
                assert!(
                    aside <= 0.05 + 1e-6 * f64::from(end.length()),
                    "{portal:?}, {polygon:?}"
                );
            }
        }
    }
    let world = World::from_mesh(mesh);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut dice = Dice::new(seed);
    for _ in 0..5 {
        let query = Query {
            limits: Limits {
                partial: dice.chance(0.5),
                ..Limits::default()
            },
            ground_tolerance: [0.0, 0.2, f32::INFINITY, f32::NAN, -1.0][dice.below(5)],
            ..Query::new(dice.place_near(world.mesh()), dice.place_near(world.mesh()))
        };
        let status = world.find_path(&query, &mut scratch, &mut path);
        assert_eq!(status.has_path(), !path.waypoints.is_empty());
        assert!(path.waypoints.iter().all(|p| p.is_finite()), "{path:?}");
        assert!(status != Status::Partial || query.limits.partial);
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn nothing_panics(raw in any_raw(), seed: u64, matches: bool, tolerance in 0f32..2.0) {
        let borders = matches.then(BorderMatching::default);
        let options = NavMeshOptions { convexity_tolerance: tolerance, borders };
        ask_everything(raw, &options, seed);
    }

    #[test]
    fn heaps_of_triangles_are_walked_on(raw in heaps(), seed: u64) {
        ask_everything(raw, &NavMeshOptions::default(), seed);
    }

    #[test]
    fn parts_come_back(plan in plans(), seed: u64) {
        prop_assert!(ask_everything(plan.raw(), &NavMeshOptions::default(), seed));
    }
}

#[test]
fn many_of_the_random_meshes_build() {
    let mut runner = TestRunner::deterministic();
    let mut built = |strategy: BoxedStrategy<RawNavMesh>| {
        let mut draw = || strategy.new_tree(&mut runner).expect("a mesh").current();
        let sloppy = NavMeshOptions {
            convexity_tolerance: 1.0,
            ..NavMeshOptions::default()
        };
        (0..1000)
            .filter(|&seed| ask_everything(draw(), &sloppy, seed))
            .count()
    };
    let (of_any, of_heaps) = (built(any_raw().boxed()), built(heaps().boxed()));
    assert!(of_any > 100 && of_heaps > 800, "{of_any}, {of_heaps}");
}

#[test]
fn broken_parts_are_refused_and_named() {
    let options = WorldOptions {
        polygons: 60,
        links: true,
        ..WorldOptions::default()
    };
    let mesh = Plan::Scene(Scene::Rooms, options).mesh();
    type Change = fn(&mut portolan::navmesh::NavMeshParts);
    let cases: [(&str, Change); 13] = [
        ("vertices", |parts| parts.vertices[3].y = f32::NAN),
        ("polygons", |parts| parts.vertices.truncate(3)),
        ("polygons", |parts| parts.polygons = Csr::new()),
        ("areas", |parts| parts.areas.truncate(1)),
        ("flags", |parts| parts.flags.push(1)),
        ("user ids", |parts| parts.user_ids.clear()),
        ("heights", |parts| parts.heights.vertices.push([Vec3::ONE])),
        ("components", |parts| parts.components[0] = u32::MAX),
        ("portals", |parts| parts.portals[0].polygons.swap(0, 1)),
        ("links", |parts| parts.links[0].cost = -1.0),
        ("links", |parts| {
            parts.links[0].polygons[1] = PolygonId(u32::MAX)
        }),
        ("location boxes", |parts| parts.tree[0].children.swap(0, 1)),
        ("location boxes", |parts| {
            parts.tree[0].boxes[1].max.x = f32::NAN
        }),
    ];
    for (what, change) in cases {
        let mut parts = parts_of(&mesh);
        change(&mut parts);
        let refused = NavMesh::from_parts(parts).expect_err(what);
        assert_eq!(refused.0, what);
    }
}
