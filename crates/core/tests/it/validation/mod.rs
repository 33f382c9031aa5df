//! Validation of raw navmeshes: some defects are rejected, others are repaired and counted. A valid mesh survives
//! a round trip.

mod heights;
mod links;
mod portals;
mod rebuild;
mod rejected;
mod repairs;

use glam::{Vec3, vec3};
use portolan_core::navmesh::TreeNode;
use portolan_core::{
    BorderMatching, Csr, DEFAULT_SNAP, KeepComponents, Limits, LinkId, MAX_ELEMENTS, NavMesh,
    NavMeshError, NavMeshOptions, Path, PolygonId, Query, RawHeights, RawLink, RawNavMesh, Repairs,
    Scratch, Status, World,
};
use portolan_oracle::{CaseRng, MeshPlan, parts_of, plans};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

fn build(raw: RawNavMesh) -> Result<NavMesh, NavMeshError> {
    NavMesh::build(raw, &NavMeshOptions::default())
}

/// Creates polygons at height 0 from the (x, z) of their corners.
fn level<const N: usize>(corners: [(f32, f32); N], polygons: &[&[u32]]) -> RawNavMesh {
    let mut raw = RawNavMesh {
        vertices: corners.map(|(x, z)| vec3(x, 0., z)).to_vec(),
        ..RawNavMesh::default()
    };
    for corners in polygons {
        raw.polygons.push(corners.iter().copied());
    }
    raw
}

/// Creates one square with sides of 4 m.
fn square() -> RawNavMesh {
    level([(0., 0.), (4., 0.), (4., 4.), (0., 4.)], &[&[0, 1, 2, 3]])
}

/// Adds a square with sides of 4 m, which has vertices of its own. Its corner with the smallest
/// coordinates is (x, y, z).
fn add_square(raw: &mut RawNavMesh, x: f32, y: f32, z: f32) {
    let first = raw.vertices.len() as u32;
    let corners = [(0., 0.), (4., 0.), (4., 4.), (0., 4.)];
    raw.vertices
        .extend(corners.map(|(dx, dz)| vec3(x + dx, y, z + dz)));
    raw.polygons.push(first..first + 4);
}

/// Draws numbers that are mostly small integers, so that borders often meet, and sometimes extreme.
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

/// Draws raw navmeshes with every kind of defect.
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

/// Draws triangles with integer corners. They are nearly always valid, but they touch, overlap and
/// stack in every combination.
fn overlapping_triangles() -> impl Strategy<Value = RawNavMesh> {
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
                let point = |(x, z): (i8, i8)| vec3(x.into(), f32::from(y) * 0.6, z.into());
                raw.vertices.extend(corners.map(point));
                raw.polygons.push(first..first + 3);
            }
            raw
        })
}

/// Builds a mesh and, if it is valid, checks its parts and portals and runs queries on it. Returns
/// whether it is valid.
fn build_and_query(raw: RawNavMesh, options: &NavMeshOptions, seed: u64) -> bool {
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
                let aside = portolan_core::geometry::distance_xz(nearest, end);
                assert!(
                    aside <= 0.05 + 1e-6 * f64::from(end.length()),
                    "{portal:?}, {polygon:?}"
                );
            }
        }
    }
    let world = World::from_mesh(mesh);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut rng = CaseRng::new(seed);
    for _ in 0..5 {
        let query = Query {
            limits: Limits {
                partial: rng.chance(0.5),
                ..Limits::default()
            },
            ground_tolerance: [0.0, 0.2, f32::INFINITY, f32::NAN, -1.0][rng.below(5)],
            ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
        };
        let status = world
            .find_path(&query, &mut scratch, &mut path)
            .expect("the world has this engine");
        assert_eq!(status.has_path(), !path.waypoints.is_empty());
        assert!(path.waypoints.iter().all(|p| p.is_finite()), "{path:?}");
        assert!(status != Status::Partial || query.limits.partial);
    }
    true
}

proptest! {
    #![proptest_config(portolan_oracle::cases(3000))]

    #[test]
    fn no_raw_mesh_causes_a_panic(raw in any_raw(), seed: u64, matching: bool, tolerance in 0f32..2.0) {
        let borders = matching.then(BorderMatching::default);
        let options = NavMeshOptions { convexity_tolerance: tolerance, borders };
        build_and_query(raw, &options, seed);
    }

    #[test]
    fn overlapping_triangles_cause_no_panic(raw in overlapping_triangles(), seed: u64) {
        build_and_query(raw, &NavMeshOptions::default(), seed);
    }

    #[test]
    fn valid_meshes_survive_the_round_trip_through_parts(plan in plans(), seed: u64) {
        prop_assert!(build_and_query(plan.raw(), &NavMeshOptions::default(), seed));
    }
}

#[test]
fn many_random_meshes_are_valid() {
    let mut runner = TestRunner::deterministic();
    let mut built = |strategy: BoxedStrategy<RawNavMesh>| {
        let mut draw = || strategy.new_tree(&mut runner).expect("a mesh").current();
        let tolerant = NavMeshOptions {
            convexity_tolerance: 1.0,
            ..NavMeshOptions::default()
        };
        (0..1000)
            .filter(|&seed| build_and_query(draw(), &tolerant, seed))
            .count()
    };
    let any = built(any_raw().boxed());
    let overlapping = built(overlapping_triangles().boxed());
    assert!(
        any > 100 && overlapping > 800,
        "of 1000 each: {any} with any defects, {overlapping} of overlapping triangles"
    );
}

#[test]
fn invalid_parts_are_rejected_by_name() {
    let options = WorldOptions {
        polygons: 60,
        links: true,
        ..WorldOptions::default()
    };
    let mesh = MeshPlan::Scene(WorldScene::Rooms, options).mesh();
    type Change = fn(&mut portolan_core::navmesh::NavMeshParts);
    let cases: [(&str, Change); 13] = [
        ("vertices", |parts| parts.vertices[3].y = f32::NAN),
        ("polygons", |parts| parts.vertices.truncate(3)),
        ("polygons", |parts| parts.polygons = Csr::new()),
        ("areas", |parts| parts.areas.truncate(1)),
        ("flags", |parts| parts.flags.push(1)),
        ("user ids", |parts| parts.user_ids.clear()),
        ("heights", |parts| {
            let mut vertices = parts.heights.vertices.to_csr();
            vertices.push([Vec3::ONE]);
            parts.heights.vertices = vertices.into();
        }),
        ("components", |parts| parts.components[0] = u32::MAX),
        ("portals", |parts| parts.portals[0].polygons.swap(0, 1)),
        ("links", |parts| parts.links[0].cost = -1.0),
        ("links", |parts| {
            parts.links[0].polygons[1] = PolygonId(u32::MAX)
        }),
        ("location boxes", |parts| parts.tree[0].children.swap(0, 1)),
        ("location boxes", |parts| {
            let node = &mut parts.tree[0];
            let mut boxes = node.boxes();
            boxes[1].max.x = f32::NAN;
            *node = TreeNode::new(boxes, node.children);
        }),
    ];
    for (part, change) in cases {
        let mut parts = parts_of(&mesh);
        change(&mut parts);
        let error = NavMesh::from_parts(parts).expect_err(part);
        assert_eq!(error.0, part);
    }
}
