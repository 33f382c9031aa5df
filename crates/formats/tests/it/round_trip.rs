//! What is exported and imported again is the same world.

use glam::vec3;
use portolan_core::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};
use portolan_formats::polyanya::LeftOut;
use portolan_formats::{Imported, import_bytes, obj, polyanya};
use proptest::prelude::*;

fn build(imported: Imported) -> NavMesh {
    NavMesh::build(imported.raw, &imported.options).unwrap()
}

/// Polygons, portals, components.
fn shape(mesh: &NavMesh) -> [usize; 3] {
    [
        mesh.polygon_count(),
        mesh.portals().len(),
        mesh.components().count(),
    ]
}

fn through_obj(mesh: &NavMesh) -> NavMesh {
    let mut bytes = Vec::new();
    obj::write(mesh, &mut bytes).unwrap();
    build(obj::read(&bytes).unwrap())
}

fn through_polyanya(mesh: &NavMesh) -> (NavMesh, LeftOut) {
    let mut bytes = Vec::new();
    let left_out = polyanya::write(mesh, &mut bytes).unwrap();
    (build(polyanya::read(&bytes).unwrap()), left_out)
}

fn assert_survives(mesh: &NavMesh) {
    assert_eq!(shape(&through_obj(mesh)), shape(mesh), "as .obj");
    let (again, left_out) = through_polyanya(mesh);
    assert_eq!(left_out, LeftOut::default());
    assert_eq!(shape(&again), shape(mesh), "as .mesh");
}

/// A rectangle with corners of its own.
fn add_rectangle(raw: &mut RawNavMesh, x: [f32; 2], z: [f32; 2], y: f32) {
    let first = raw.vertices.len() as u32;
    raw.vertices.extend([
        vec3(x[0], y, z[0]),
        vec3(x[1], y, z[0]),
        vec3(x[1], y, z[1]),
        vec3(x[0], y, z[1]),
    ]);
    raw.polygons.push(first..first + 4);
}

fn rectangles(list: &[([f32; 2], [f32; 2], f32)]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for &(x, z, y) in list {
        add_rectangle(&mut raw, x, z, y);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

#[test]
fn one_border_that_meets_several() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 9.], 0.),
        ([4., 8.], [0., 3.], 0.1),
        ([4., 8.], [3., 6.], 0.2),
        // A wall from 6 to 7.
        ([4., 8.], [7., 9.], 0.),
    ]);
    assert_eq!(shape(&mesh), [4, 4, 1]);
    assert_survives(&mesh);
}

#[test]
fn borders_that_meet_in_part_and_almost() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 5.], 0.),
        ([4.004, 8.], [2., 7.], 0.),
        ([4., 8.], [7.003, 9.], 0.),
    ]);
    assert_eq!(shape(&mesh), [3, 2, 1]);
    assert_survives(&mesh);
}

#[test]
fn floors_above_each_other_stay_apart() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 4.], 0.),
        ([4., 8.], [0., 4.], 0.),
        ([0., 4.], [0., 4.], 5.),
        ([4., 8.], [0., 4.], 5.),
    ]);
    assert_eq!(shape(&mesh), [4, 2, 2]);
    assert_survives(&mesh);
}

#[test]
fn of_two_portals_at_one_place_one_is_left_out() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 4.], 0.5),
        ([4., 8.], [0., 4.], 0.),
        ([4., 8.], [0., 4.], 1.),
    ]);
    assert_eq!(shape(&mesh), [3, 2, 1]);
    let (again, left_out) = through_polyanya(&mesh);
    assert_eq!(left_out.portals, 1);
    assert_eq!(shape(&again), [3, 1, 2]);
}

#[test]
fn links_are_left_out_and_counted() {
    let mut raw = RawNavMesh::default();
    add_rectangle(&mut raw, [0., 4.], [0., 4.], 0.);
    add_rectangle(&mut raw, [6., 9.], [0., 4.], 0.);
    raw.links.push(RawLink {
        start: vec3(3., 0., 2.),
        end: vec3(7., 0., 2.),
        ..RawLink::default()
    });
    let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
    let (again, left_out) = through_polyanya(&mesh);
    assert_eq!(left_out.links, 1);
    assert_eq!(shape(&again), [2, 0, 2]);
}

#[test]
fn a_wall_without_thickness_survives_in_a_polyanya_mesh() {
    let text = b"mesh 2 4 2 0 0 0 1 0 0 1 1 0 0 1 0  3 0 1 3 -1 -1 -1  3 1 2 3 -1 -1 -1";
    let mesh = build(polyanya::read(text).unwrap());
    assert_eq!(shape(&mesh), [2, 0, 2]);
    assert_eq!(shape(&through_polyanya(&mesh).0), [2, 0, 2]);
}

#[test]
fn a_polyanya_mesh_lists_the_polygons_around_a_vertex_in_turn() {
    let mesh = rectangles(&[
        ([0., 1.], [0., 1.], 0.),
        ([1., 2.], [0., 1.], 0.),
        ([0., 1.], [1., 2.], 0.),
        ([1., 2.], [1., 2.], 0.),
    ]);
    let mut bytes = Vec::new();
    polyanya::write(&mesh, &mut bytes).unwrap();
    let expected = "mesh\n2\n9 4\n\
        0 0 2 0 -1\n1 0 3 1 0 -1\n1 1 4 0 1 3 2\n0 1 3 0 2 -1\n\
        2 0 2 1 -1\n2 1 3 3 1 -1\n1 2 3 2 3 -1\n0 2 2 2 -1\n2 2 2 3 -1\n\
        4 0 1 2 3 -1 -1 1 2\n4 1 4 5 2 0 -1 -1 3\n4 3 2 6 7 -1 0 3 -1\n4 2 5 8 6 2 1 -1 -1\n";
    assert_eq!(String::from_utf8(bytes).unwrap(), expected);
}

#[test]
fn areas_and_order_survive_in_an_obj() {
    let mut raw = RawNavMesh::default();
    for i in 0..5u8 {
        let x = f32::from(i % 3);
        add_rectangle(
            &mut raw,
            [x, x + 1.],
            [f32::from(i), f32::from(i) + 1.],
            0.1,
        );
        raw.areas.push([7, 7, 0, 255, 0][usize::from(i)]);
    }
    let mesh = NavMesh::build(raw.clone(), &NavMeshOptions::default()).unwrap();
    let mut bytes = Vec::new();
    obj::write(&mesh, &mut bytes).unwrap();
    let again = obj::read(&bytes).unwrap().raw;
    assert_eq!(again.areas, raw.areas);
    let points = |raw: &RawNavMesh| {
        let corners = raw.polygons.iter();
        corners
            .map(|corners| corners.iter().map(|&v| raw.vertices[v as usize]).collect())
            .collect::<Vec<Vec<_>>>()
    };
    assert_eq!(points(&again), points(&raw));
}

#[test]
fn real_maps() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");
    for name in [
        "nav_test.navmesh.obj",
        "dungeon.navmesh.obj",
        "undulating.navmesh.obj",
        "lqdm5.navmesh.obj",
        "lq_e1m1.navmesh.obj",
        "vaduz.navmesh.obj",
        "dungeon_all_tiles_navmesh.bin",
    ] {
        let Ok(bytes) = std::fs::read(format!("{folder}/{name}")) else {
            println!("skipped: {name} is not here");
            continue;
        };
        let mesh = build(import_bytes(name, &bytes).unwrap());
        println!("{name}");
        assert_survives(&mesh);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    /// Strips of rectangles side by side, each cut at its own places.
    #[test]
    fn strips(cuts in proptest::collection::vec(proptest::collection::vec(1u8..40, 1..8), 1..6)) {
        let mut list = Vec::new();
        for (i, mut strip) in cuts.into_iter().enumerate() {
            let x = i as f32 * 3.0;
            strip.sort_unstable();
            strip.dedup();
            for pair in strip.windows(2) {
                // Every fifth place is a hole.
                if pair[0] % 5 != 0 {
                    let z = [f32::from(pair[0]) * 0.3, f32::from(pair[1]) * 0.3];
                    list.push(([x, x + 3.0], z, 0.0));
                }
            }
        }
        prop_assume!(!list.is_empty());
        assert_survives(&rectangles(&list));
    }
}
