//! Point location equals a scan over every polygon.

use glam::{Vec3, vec3};
use portolan_core::geometry::distance_xz;
use portolan_core::{DEFAULT_SNAP, Location, NavMesh, NavMeshOptions, PolygonId, RawNavMesh};
use portolan_oracle::{CaseRng, MeshPlan, plans, scenes};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Locates a position by the documented rule, with a scan over every polygon.
fn slow_locate(
    mesh: &NavMesh,
    position: Vec3,
    snap: Vec3,
    allowed: impl Fn(PolygonId) -> bool,
) -> Option<Location> {
    let candidates = mesh.polygons().filter(|&polygon| allowed(polygon));
    let candidates = candidates.map(|polygon| Location {
        polygon,
        point: mesh.nearest_on(polygon, position),
    });
    candidates
        .filter(|candidate| (candidate.point - position).abs().cmple(snap).all())
        .min_by(|a, b| {
            let distances = [a, b].map(|candidate| candidate.point.distance_squared(position));
            let by_distance = distances[0].total_cmp(&distances[1]);
            by_distance.then(a.polygon.cmp(&b.polygon))
        })
}

/// Asserts that a located point lies on its polygon.
fn assert_on_ground(mesh: &NavMesh, location: Location) {
    let Location { polygon, point } = location;
    let nearest = mesh.nearest_on(polygon, point);
    assert!(
        distance_xz(nearest, point) < 1e-4,
        "the nearest point to {location:?} is {nearest}"
    );
    assert!(
        (nearest.y - point.y).abs() < 1e-3,
        "the nearest point to {location:?} is {nearest}"
    );
}

fn check(mesh: &NavMesh, seed: u64) {
    let mut rng = CaseRng::new(seed);
    for _ in 0..40 {
        let shift = match rng.below(5) {
            0 => Vec3::ZERO,
            1 => Vec3::Y * rng.between(-3.0, 3.0),
            2 => vec3(rng.between(-1.0, 1.0), 0.0, rng.between(-1.0, 1.0)),
            3 => Vec3::from_array([(); 3].map(|()| rng.between(-3.0, 3.0))),
            _ => Vec3::from_array([(); 3].map(|()| rng.between(-1e-6, 1e-6))),
        };
        let position = rng.point_on(mesh) + shift;
        let snap = match rng.below(5) {
            0 => Vec3::splat(f32::INFINITY),
            1 => Vec3::ZERO,
            2 => vec3(
                rng.between(0.0, 3.0),
                rng.between(0.0, 5.0),
                rng.between(0.0, 3.0),
            ),
            _ => DEFAULT_SNAP,
        };
        let bits = rng.below(4) as u32;
        let allowed = |polygon: PolygonId| bits == 0 || (polygon.0 ^ bits).is_multiple_of(3);
        let located = mesh.locate(position, snap, allowed);
        assert_eq!(
            located,
            slow_locate(mesh, position, snap, allowed),
            "{position} within {snap}"
        );
        if let Some(location) = located {
            assert!(allowed(location.polygon));
            assert_on_ground(mesh, location);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn location_equals_a_scan(plan in plans(), seed: u64) {
        check(&plan.mesh(), seed);
    }

    #[test]
    fn location_on_larger_worlds_equals_a_scan(plan in scenes(1500), seed: u64) {
        check(&plan.mesh(), seed);
    }

    #[test]
    fn location_on_hills_equals_a_scan(polygons in 1usize..60, parts in 1u16..12, seed: u64) {
        let mesh = NavMesh::build(portolan_oracle::hills::hills(polygons, parts, seed), &NavMeshOptions::default());
        check(&mesh.expect("valid hills"), seed);
    }

    #[test]
    fn a_point_of_the_ground_is_its_own_location(plan in plans(), seed: u64) {
        let mesh = plan.mesh();
        let mut rng = CaseRng::new(seed);
        for _ in 0..20 {
            let polygon = rng.polygon(&mesh);
            let corners = mesh.corner_points(polygon).len() as f32;
            let centre = mesh.corner_points(polygon).sum::<Vec3>() / corners;
            let position = mesh.nearest_on(polygon, centre);
            let location = mesh.locate(position, DEFAULT_SNAP, |_| true).expect("it is on the mesh");
            prop_assert_eq!(location, Location { polygon, point: position });
        }
    }
}

#[test]
fn invalid_positions_and_snap_boxes_have_no_location() {
    let options = WorldOptions {
        polygons: 200,
        ..WorldOptions::default()
    };
    let mesh = MeshPlan::Scene(WorldScene::Rooms, options).mesh();
    let position = mesh.centre(PolygonId(7));
    assert!(mesh.locate(position, DEFAULT_SNAP, |_| true).is_some());
    for axis in 0..3 {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut nowhere = position;
            nowhere[axis] = bad;
            assert_eq!(mesh.locate(nowhere, DEFAULT_SNAP, |_| true), None);
            assert_eq!(mesh.locate(nowhere, Vec3::INFINITY, |_| true), None);
        }
        let mut snap = DEFAULT_SNAP;
        snap[axis] = f32::NAN;
        assert_eq!(mesh.locate(position, snap, |_| true), None);
        snap[axis] = -1.0;
        assert_eq!(mesh.locate(position, snap, |_| true), None);
    }
    assert_eq!(mesh.locate(position, DEFAULT_SNAP, |_| false), None);
    assert_eq!(mesh.locate(Vec3::splat(3e38), DEFAULT_SNAP, |_| true), None);
}

/// Builds squares of 4 m above one another.
fn stack(heights: &[f32]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for &y in heights {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (4., 0.), (4., 4.), (0., 4.)];
        raw.vertices.extend(corners.map(|(x, z)| vec3(x, y, z)));
        raw.polygons.push(first..first + 4);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("squares")
}

#[test]
fn the_floor_nearest_in_height_is_chosen() {
    let mesh = stack(&[0.0, 3.0, 6.0]);
    let floor_at = |y: f32| {
        let location = mesh.locate(vec3(1., y, 1.), DEFAULT_SNAP, |_| true);
        location.map(|location| location.point.y)
    };
    assert_eq!(floor_at(1.4), Some(0.0));
    assert_eq!(floor_at(1.6), Some(3.0));
    assert_eq!(floor_at(4.6), Some(6.0));
    assert_eq!(floor_at(8.0), Some(6.0));
    assert_eq!(floor_at(8.01), None);
    assert_eq!(floor_at(-2.01), None);
}

#[test]
fn points_outside_the_snap_box_have_no_location() {
    let mesh = stack(&[0.0]);
    let locate = |x: f32| mesh.locate(vec3(x, 0.5, 1.), DEFAULT_SNAP, |_| true);
    let point = vec3(4., 0., 1.);
    let polygon = PolygonId(0);
    assert_eq!(locate(4.5), Some(Location { polygon, point }));
    assert_eq!(locate(4.501), None);
}

#[test]
fn the_lower_id_wins_a_tie() {
    let mesh = stack(&[0.0, 2.0]);
    let location = mesh.locate(vec3(1., 1., 1.), DEFAULT_SNAP, |_| true);
    assert_eq!(
        location.map(|location| location.polygon),
        Some(PolygonId(0))
    );
}

#[test]
fn the_filter_excludes_nearer_polygons() {
    let mesh = stack(&[0.0, 1.0]);
    let high = |polygon| mesh.centre(polygon).y > 0.5;
    let location = mesh.locate(vec3(1., 0., 1.), DEFAULT_SNAP, high);
    assert_eq!(
        location.map(|location| location.point),
        Some(vec3(1., 1., 1.))
    );
}

#[test]
fn the_ground_contains_a_corner_on_a_straight_border() {
    let corners = [
        (0., 0., 0.),
        (2., 1., 0.),
        (4., 0., 0.),
        (4., 0., 4.),
        (0., 0., 4.),
    ];
    let mut raw = RawNavMesh {
        vertices: corners.map(Vec3::from).to_vec(),
        ..RawNavMesh::default()
    };
    raw.polygons.push(0..5);
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a square with 5 corners");
    assert_eq!(mesh.height_at(PolygonId(0), vec3(2., 0., 0.)), 1.0);
    assert_eq!(mesh.height_at(PolygonId(0), vec3(1., 0., 0.)), 0.5);
}
