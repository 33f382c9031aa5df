//! Meshes that are built again, in full or without some polygons, keep their user ids and repairs.

use super::*;

fn scene() -> NavMesh {
    let options = WorldOptions {
        polygons: 400,
        links: true,
        areas: true,
        relief: 2.0,
        ..WorldOptions::default()
    };
    let mut raw = MeshPlan::Scene(WorldScene::Rooms, options).raw();
    raw.ids = (0..raw.polygons.len() as u64)
        .map(|i| i * 7 + 1_000_000_000_000)
        .collect();
    build(raw).expect("rooms")
}

/// Returns everything about each polygon except its id, in an order that does not depend on ids.
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
fn a_mesh_survives_the_round_trip_through_raw() {
    let mesh = scene();
    let again = build(mesh.to_raw(|_| true)).expect("rooms again");
    assert_eq!(features(&mesh), features(&again));
    assert_eq!(mesh.portals().len(), again.portals().len());
    assert_eq!(mesh.components().count(), again.components().count());
    let link_features = |mesh: &NavMesh| -> Vec<_> {
        let ids = |polygons: [PolygonId; 2]| polygons.map(|p| mesh.user_id(p));
        let links = mesh.links().iter();
        links
            .map(|l| (l.ends, ids(l.polygons), l.cost, l.both_ways, l.user_id))
            .collect()
    };
    assert!(!mesh.links().is_empty());
    assert_eq!(link_features(&mesh), link_features(&again));
}

#[test]
fn user_ids_stay_with_their_polygons() {
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

/// Builds islands of 1, 2 and 3 squares, 8 m apart in z. The user id is ten times the island plus the
/// index of the square.
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
    let smaller = mesh
        .keep_components(keep, &NavMeshOptions::default())
        .expect("some islands");
    let mut ids: Vec<u64> = smaller.user_ids().collect();
    ids.sort_unstable();
    ids
}

#[test]
fn components_are_kept_by_size() {
    let mesh = islands();
    let sizes = |min_polygons| KeepComponents {
        min_polygons,
        ..Default::default()
    };
    assert_eq!(ids_kept(&mesh, &sizes(0)), [0, 10, 11, 20, 21, 22]);
    assert_eq!(ids_kept(&mesh, &sizes(2)), [10, 11, 20, 21, 22]);
    assert_eq!(ids_kept(&mesh, &sizes(3)), [20, 21, 22]);
    let none = mesh.keep_components(&sizes(4), &NavMeshOptions::default());
    assert_eq!(none, Err(NavMeshError::Empty { without_area: 0 }));
    let largest = mesh.components().largest();
    assert_eq!(mesh.components().size(largest), 3);
}

#[test]
fn components_are_kept_by_points() {
    let mesh = islands();
    let holding = |points: &[Vec3]| KeepComponents {
        min_polygons: 0,
        holding: points.to_vec(),
    };
    assert_eq!(ids_kept(&mesh, &holding(&[vec3(1., 0., 9.)])), [10, 11]);
    let two = [vec3(1., 0., 1.), vec3(11., 1., 19.)];
    assert_eq!(ids_kept(&mesh, &holding(&two)), [0, 20, 21, 22]);
    let nowhere = holding(&[vec3(99., 0., 0.)]);
    let none = mesh.keep_components(&nowhere, &NavMeshOptions::default());
    assert_eq!(none, Err(NavMeshError::Empty { without_area: 0 }));
    let both = KeepComponents {
        min_polygons: 2,
        holding: two.to_vec(),
    };
    assert_eq!(ids_kept(&mesh, &both), [20, 21, 22]);
}

#[test]
fn repairs_are_kept_when_components_are_dropped() {
    let mut raw = RawNavMesh::default();
    add_square(&mut raw, 0., 0., 0.);
    add_square(&mut raw, 4., 0., 0.);
    add_square(&mut raw, 40., 0., 0.);
    raw.polygons.push([0, 1, 1]);
    let mesh = build(raw).expect("three squares and a degenerate polygon");
    let keep = KeepComponents {
        min_polygons: 2,
        ..KeepComponents::default()
    };
    let kept = mesh
        .keep_components(&keep, &NavMeshOptions::default())
        .expect("an island");
    assert_eq!(kept.polygon_count(), 2);
    assert_eq!(kept.repairs(), mesh.repairs());
    assert_eq!(kept.repairs().without_area, 1);
}

#[test]
fn polygons_are_found_by_user_id() {
    let mesh = islands();
    for polygon in mesh.polygons() {
        assert_eq!(mesh.polygon_of(mesh.user_id(polygon)), Some(polygon));
    }
    assert_eq!(mesh.polygon_of(99), None);
}
