//! Off-mesh links snap to their polygons.

use super::*;

#[test]
fn start_and_end_snap_to_the_ground() {
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
fn a_given_polygon_is_used_even_if_another_is_nearer() {
    let mut raw = square();
    add_square(&mut raw, 0., 1.75, 0.);
    raw.links.push(RawLink {
        start: vec3(-0.25, 1.5, 2.),
        end: vec3(2., 1.75, 2.),
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
fn a_cheap_link_within_one_polygon_is_used() {
    let mut raw = square();
    raw.links.push(RawLink {
        start: vec3(0.5, 0., 2.),
        end: vec3(3.5, 0., 2.),
        cost: Some(0.25),
        ..RawLink::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).expect("a square");
    let (west, east) = (vec3(0.25, 0., 2.), vec3(3.75, 0., 2.));
    let there = world.find(west, east).expect("a path east");
    assert_eq!(
        (there.cost, there.links.len(), there.waypoints.len()),
        (0.75, 1, 4)
    );
    assert_eq!(there.corridor.polygons, [PolygonId(0); 2]);
    let back = world.find(east, west).expect("a path west");
    assert_eq!((back.cost, back.links.len()), (3.5, 0));
}

#[test]
fn links_of_any_length_survive_the_round_trip_through_raw() {
    let mut raw = RawNavMesh::default();
    for x in [-9e7, 9e7] {
        let first = raw.vertices.len() as u32;
        let corners = [(0., 0.), (1e3, 0.), (1e3, 1e3), (0., 1e3)];
        raw.vertices
            .extend(corners.map(|(dx, z)| vec3(x + dx, 0., z)));
        raw.polygons.push(first..first + 4);
    }
    let centres = [vec3(-9e7 + 500., 0., 500.), vec3(9e7 + 500., 0., 500.)];
    raw.links.push(RawLink {
        start: centres[0],
        end: centres[1],
        ..RawLink::default()
    });
    let mesh = build(raw).expect("two squares far apart");
    assert_eq!(mesh.links().len(), 1);
    let again = build(mesh.to_raw(|_| true)).expect("two squares far apart");
    assert_eq!(again.links(), mesh.links());
}

#[test]
fn links_with_an_end_far_from_its_polygon_are_dropped_and_counted() {
    let mut raw = square();
    raw.links.push(RawLink {
        start: vec3(9000., 500., 0.),
        end: vec3(1., 0., 1.),
        polygons: [Some(0), Some(0)],
        ..RawLink::default()
    });
    let mesh = build(raw).expect("a square");
    assert_eq!((mesh.links().len(), mesh.repairs().links_off_mesh), (0, 1));
}
