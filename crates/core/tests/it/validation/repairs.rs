//! Harmless defects are repaired and counted.

use super::*;

#[test]
fn a_valid_mesh_needs_no_repairs() {
    let mesh = build(square()).expect("a square");
    assert_eq!(mesh.repairs(), Repairs::default());
    assert_eq!((mesh.area(PolygonId(0)), mesh.flags(PolygonId(0))), (0, 1));
    assert_eq!(mesh.user_id(PolygonId(0)), 0);
    assert_eq!(mesh.polygon_area(PolygonId(0)), 16.0);
}

#[test]
fn clockwise_polygons_are_reversed() {
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
fn repeated_corners_are_dropped() {
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
fn neighbours_of_a_dropped_polygon_get_portals() {
    // A triangle without area lies between a long border in the south and two short ones in the
    // north.
    let corners = [
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
    let mesh = build(level(corners, &polygons)).expect("three polygons");
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
    let mut ids: Vec<u64> = mesh.user_ids().collect();
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
fn polygons_on_the_same_side_of_a_border_are_not_connected() {
    let corners = [(0., 0.), (4., 0.), (2., 3.), (3., 5.)];
    let mesh = build(level(corners, &[&[0, 1, 2], &[0, 1, 3]])).expect("two triangles");
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
fn links_off_the_mesh_are_dropped() {
    let mut raw = square();
    let mut link = RawLink {
        start: vec3(1., 0., 1.),
        end: vec3(9., 0., 1.),
        ..RawLink::default()
    };
    raw.links.push(link.clone());
    link.end = vec3(3., 0., 1.);
    raw.links.push(link.clone());
    // This link leads to a polygon that is dropped.
    raw.polygons.push([0, 1, 1]);
    link.polygons[1] = Some(1);
    raw.links.push(link);
    let mesh = build(raw).expect("a square");
    assert_eq!((mesh.repairs().links_off_mesh, mesh.links().len()), (2, 1));
}
