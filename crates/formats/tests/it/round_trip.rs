//! A navmesh that is exported and imported again has the same polygons, portals and components.

use glam::vec3;
use portolan_core::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};
use portolan_formats::polyanya::LeftOut;
use portolan_formats::{Imported, import_bytes, obj, polyanya};
use proptest::prelude::*;

fn build(imported: Imported) -> NavMesh {
    NavMesh::build(imported.raw, &imported.options).unwrap()
}

/// Returns the numbers of polygons, portals and components.
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

fn assert_round_trip(mesh: &NavMesh) {
    assert_eq!(shape(&through_obj(mesh)), shape(mesh), "as .obj");
    let (imported, left_out) = through_polyanya(mesh);
    assert_eq!(left_out, LeftOut::default());
    assert_eq!(shape(&imported), shape(mesh), "as .mesh");
}

/// Adds a rectangle that shares no vertices with others.
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
fn a_border_with_several_portals_survives_a_round_trip() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 9.], 0.),
        ([4., 8.], [0., 3.], 0.1),
        ([4., 8.], [3., 6.], 0.2),
        // The border has a wall from z = 6 to 7.
        ([4., 8.], [7., 9.], 0.),
    ]);
    assert_eq!(shape(&mesh), [4, 4, 1]);
    assert_round_trip(&mesh);
}

#[test]
fn borders_that_match_in_part_or_within_the_tolerance_survive_a_round_trip() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 5.], 0.),
        ([4.004, 8.], [2., 7.], 0.),
        ([4., 8.], [7.003, 9.], 0.),
    ]);
    assert_eq!(shape(&mesh), [3, 2, 1]);
    assert_round_trip(&mesh);
}

#[test]
fn floors_above_each_other_stay_separate() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 4.], 0.),
        ([4., 8.], [0., 4.], 0.),
        ([0., 4.], [0., 4.], 5.),
        ([4., 8.], [0., 4.], 5.),
    ]);
    assert_eq!(shape(&mesh), [4, 2, 2]);
    assert_round_trip(&mesh);
}

#[test]
fn one_of_two_overlapping_portals_is_left_out() {
    let mesh = rectangles(&[
        ([0., 4.], [0., 4.], 0.5),
        ([4., 8.], [0., 4.], 0.),
        ([4., 8.], [0., 4.], 1.),
    ]);
    assert_eq!(shape(&mesh), [3, 2, 1]);
    let (imported, left_out) = through_polyanya(&mesh);
    assert_eq!(left_out.portals, 1);
    assert_eq!(shape(&imported), [3, 1, 2]);
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
    let (imported, left_out) = through_polyanya(&mesh);
    assert_eq!(left_out.links, 1);
    assert_eq!(shape(&imported), [2, 0, 2]);
}

#[test]
fn a_thin_wall_survives_in_a_polyanya_mesh() {
    let text = b"mesh 2 4 2 0 0 0 1 0 0 1 1 0 0 1 0  3 0 1 3 -1 -1 -1  3 1 2 3 -1 -1 -1";
    let mesh = build(polyanya::read(text).unwrap());
    assert_eq!(shape(&mesh), [2, 0, 2]);
    assert_eq!(shape(&through_polyanya(&mesh).0), [2, 0, 2]);
}

#[test]
fn a_polyanya_mesh_lists_the_polygons_around_a_vertex_counter_clockwise() {
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
    let imported = obj::read(&bytes).unwrap().raw;
    assert_eq!(imported.areas, raw.areas);
    let points = |raw: &RawNavMesh| {
        let corners = raw.polygons.iter();
        corners
            .map(|corners| corners.iter().map(|&v| raw.vertices[v as usize]).collect())
            .collect::<Vec<Vec<_>>>()
    };
    assert_eq!(points(&imported), points(&raw));
}

#[test]
fn real_maps_survive_a_round_trip() {
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
            println!("skipped: there is no {name}");
            continue;
        };
        let mesh = build(import_bytes(name, &bytes).unwrap());
        println!("{name}");
        assert_round_trip(&mesh);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    /// Adjacent strips of rectangles, each cut at different positions.
    #[test]
    fn strips_of_rectangles_survive_a_round_trip(cuts in proptest::collection::vec(proptest::collection::vec(1u8..40, 1..8), 1..6)) {
        let mut list = Vec::new();
        for (i, mut strip) in cuts.into_iter().enumerate() {
            let x = i as f32 * 3.0;
            strip.sort_unstable();
            strip.dedup();
            for pair in strip.windows(2) {
                // A rectangle that starts at a multiple of five is a hole.
                if pair[0] % 5 != 0 {
                    let z = [f32::from(pair[0]) * 0.3, f32::from(pair[1]) * 0.3];
                    list.push(([x, x + 3.0], z, 0.0));
                }
            }
        }
        prop_assume!(!list.is_empty());
        assert_round_trip(&rectangles(&list));
    }
}
