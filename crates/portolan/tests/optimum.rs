//! How far paths of taut worlds are above the true optimum on small worlds.

mod common;

use common::Optimum;
use glam::{Vec3, vec3};
use portolan::{DEFAULT_SNAP, Location, NavMesh, NavMeshOptions, RawNavMesh};

/// Rectangles from one corner to the other, level along z, each with corners of its own.
fn slabs(slabs: &[[Vec3; 2]]) -> NavMesh {
    let mut raw = RawNavMesh::default();
    for &[low, high] in slabs {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend([
            low,
            vec3(high.x, high.y, low.z),
            high,
            vec3(low.x, low.y, high.z),
        ]);
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("slabs")
}

/// Squares of 1 m where there are dots; z goes down the page.
fn squares(rows: &[&str]) -> NavMesh {
    let mut found = Vec::new();
    for (row, z) in rows.iter().zip(0u8..) {
        for (_, x) in row.bytes().zip(0u8..).filter(|(cell, _)| *cell == b'.') {
            let low = vec3(x.into(), 0.0, z.into());
            found.push([low, low + vec3(1., 0., 1.)]);
        }
    }
    slabs(&found)
}

fn locate(mesh: &NavMesh, place: Vec3) -> Location {
    let found = mesh.locate(place, DEFAULT_SNAP, |_| true);
    found.expect("a place on the mesh")
}

/// The shortest way is that long, there and back.
fn assert_shortest(mesh: &NavMesh, from: Vec3, to: Vec3, right: f64) {
    for [from, to] in [[from, to], [to, from]] {
        let (start, goal) = (locate(mesh, from), locate(mesh, to));
        let length = Optimum::new(mesh).length(start, goal);
        assert!((length - right).abs() <= 1e-4, "{length}, not {right}");
    }
}

#[test]
fn straight_on_over_vertices_and_along_borders() {
    let mesh = squares(&["...", "...", "..."]);
    let ways = [
        [vec3(0.5, 0., 0.5), vec3(2.5, 0., 2.5)],
        [vec3(0., 0., 0.), vec3(3., 0., 3.)],
        [vec3(0.2, 0., 1.), vec3(2.9, 0., 1.)],
        [vec3(0., 0., 0.), vec3(3., 0., 0.)],
        [vec3(0.1, 0., 0.7), vec3(2.8, 0., 2.2)],
    ];
    for [from, to] in ways {
        assert_shortest(&mesh, from, to, from.distance(to).into());
    }
}

#[test]
fn around_a_corner() {
    let mesh = squares(&["..", "#."]);
    let right = (0.8f64 * 0.8 + 0.5 * 0.5).sqrt() + (0.5f64 * 0.5 + 0.8 * 0.8).sqrt();
    assert_shortest(&mesh, vec3(0.2, 0., 0.5), vec3(1.5, 0., 1.8), right);
}

#[test]
fn through_a_gap() {
    let mesh = squares(&[".....", "##.##", "....."]);
    // Over both corners on the left.
    let right = 2.0 * (1.5f64 * 1.5 + 0.5 * 0.5).sqrt() + 1.0;
    assert_shortest(&mesh, vec3(0.5, 0., 0.5), vec3(0.5, 0., 2.5), right);
    // From one side to the other: straight.
    let right = (1f64 + 4.0).sqrt();
    assert_shortest(&mesh, vec3(2.0, 0., 0.5), vec3(3.0, 0., 2.5), right);
}

#[test]
fn around_a_hole() {
    let mesh = squares(&["...", ".#.", "..."]);
    let right = 2.0 * 0.5f64.sqrt() + 1.0;
    assert_shortest(&mesh, vec3(0.5, 0., 1.5), vec3(2.5, 0., 1.5), right);
}

#[test]
fn not_between_squares_that_touch_at_a_corner() {
    let mesh = squares(&[".#", "#."]);
    let (start, goal) = (
        locate(&mesh, vec3(0.5, 0., 0.5)),
        locate(&mesh, vec3(1.5, 0., 1.5)),
    );
    assert_eq!(Optimum::new(&mesh).length(start, goal), f64::INFINITY);
    // With a way around, over the corner where they touch.
    let mesh = squares(&["..", "#."]);
    let right = 2f64.sqrt();
    assert_shortest(&mesh, vec3(0.5, 0., 0.5), vec3(1.5, 0., 1.5), right);
}

#[test]
fn over_a_part_of_a_border() {
    let mesh = slabs(&[
        [vec3(0., 0., 0.), vec3(2., 0., 1.)],
        [vec3(1., 0., 1.), vec3(3., 0., 2.)],
    ]);
    let right = (0.8f64 * 0.8 + 0.1 * 0.1).sqrt() + (0.2f64 * 0.2 + 0.9 * 0.9).sqrt();
    assert_shortest(&mesh, vec3(0.2, 0., 0.9), vec3(1.2, 0., 1.9), right);
}

#[test]
fn up_to_the_floor_above() {
    // The floor below, a ramp up, a landing, a ramp back up, the floor above.
    let sheets: [[(f32, f32); 2]; 5] = [
        [(0., 0.), (4., 0.)],
        [(4., 0.), (6., 2.)],
        [(6., 2.), (7., 2.)],
        [(4., 4.), (6., 2.)],
        [(0., 4.), (4., 4.)],
    ];
    let depths = [[0., 1.], [0., 1.], [0., 2.5], [1.5, 2.5], [0., 2.5]];
    let lying = |([(west, low), (east, high)], [south, north]): ([_; 2], [f32; 2])| {
        [vec3(west, low, south), vec3(east, high, north)]
    };
    let sheets = sheets.into_iter().zip(depths).map(lying);
    let mesh = slabs(&sheets.collect::<Vec<_>>());
    let right = 25.25f64.sqrt() + 0.5 + 2.0 + 10f64.sqrt();
    assert_shortest(&mesh, vec3(1., 0., 0.5), vec3(1., 4., 0.5), right);
}
