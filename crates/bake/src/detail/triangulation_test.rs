use glam::DVec3;

use super::*;

/// Asserts that all triangles have a positive orientation, cover twice the area `total` together and
/// store their neighbours consistently.
fn check(surface: &Triangulation, total: f64) {
    let mut sum = 0.0;
    for (index, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = triangle.corners.map(|corner| surface.point(corner));
        assert!(orientation(a, b, c) > 0.0, "{triangle:?}");
        sum += orientation(a, b, c);
        for edge in 0..3 {
            if triangle.neighbours[edge] == OUTSIDE {
                let endpoints = surface.edge(index as u32, edge);
                let all = 0..surface.len() as u32;
                assert_eq!(surface.find_edge([endpoints[1], endpoints[0]], all), None);
            } else {
                let (other, back) = surface.across(index as u32, edge).unwrap();
                assert_eq!(
                    surface.triangles[other as usize].neighbours[back],
                    index as u32
                );
            }
        }
    }
    assert!((sum - total).abs() < 1e-6 * total, "{sum} and not {total}");
}

fn is_delaunay(surface: &Triangulation) -> bool {
    let edges = (0..surface.len() as u32).flat_map(|t| (0..3).map(move |edge| (t, edge)));
    !edges
        .into_iter()
        .any(|(t, edge)| surface.should_flip(t, edge))
}

fn ring(points: &[[f64; 2]]) -> Vec<DVec3> {
    points.iter().map(|&[x, z]| DVec3::new(x, 0.0, z)).collect()
}

/// A triangle with six corners, three of which are collinear with their neighbours.
fn triangle_with_straight_corners() -> Vec<DVec3> {
    ring(&[
        [0.0, 0.0],
        [0.0, 10.0],
        [0.0, 30.0],
        [15.0, 15.0],
        [30.0, 0.0],
        [12.0, 0.0],
    ])
}

#[test]
fn collinear_corners_give_no_slivers() {
    let mut surface = Triangulation::default();
    let corners = triangle_with_straight_corners();
    for first in 0..corners.len() {
        let mut turned = corners.clone();
        turned.rotate_left(first);
        surface.start(&turned).unwrap();
        assert_eq!(surface.len(), 4);
        check(&surface, 900.0);
        assert!(is_delaunay(&surface));
    }
}

#[test]
fn polygons_without_area_are_refused() {
    let mut surface = Triangulation::default();
    let line = ring(&[[0.0, 0.0], [4.0, 4.0], [9.0, 9.0], [2.0, 2.0]]);
    assert!(surface.start(&line).is_none());
    assert!(surface.start(&line[..2]).is_none());
    assert!(surface.start(&[]).is_none());
    let mut reversed = triangle_with_straight_corners();
    reversed.reverse();
    assert!(surface.start(&reversed).is_none());
}

#[test]
fn points_can_be_added_anywhere() {
    let mut rng = oorandom::Rand64::new(4);
    let mut surface = Triangulation::default();
    for round in 0..40 {
        let corners = triangle_with_straight_corners();
        surface.start(&corners).unwrap();
        // Points on the outline, also on slanting edges, where rounding moves them off the line.
        for side in 0..corners.len() {
            let end = (side + 1) % corners.len();
            let (from, to) = (corners[side], corners[end]);
            let mut last = side as u32;
            for step in 1..round % 8 {
                let point = from.lerp(to, f64::from(step) / 7.3);
                last = surface.add_to_outline([last, end as u32], point).unwrap();
            }
        }
        check(&surface, 900.0);
        // Integer positions are often on edges or on existing points.
        for _ in 0..60 {
            let x = rng.rand_range(1..28) as f64;
            let z = rng.rand_range(1..(29 - x as u64)) as f64;
            let (home, _) = surface.find(x, z, 0..surface.len() as u32).unwrap();
            let before = surface.len();
            let added = surface.add(home, DVec3::new(x, 1.0, z));
            assert_eq!(surface.len(), before + if added { 2 } else { 0 });
            if added {
                let new = surface.points().len() as u32 - 1;
                let around = surface.triangles().enumerate();
                let with_new = around.filter(|(_, corners)| corners.contains(&new));
                let mut expected: Vec<u32> = with_new.map(|(index, _)| index as u32).collect();
                let mut changed = surface.changed().to_vec();
                expected.sort_unstable();
                changed.sort_unstable();
                changed.dedup();
                assert_eq!(changed, expected);
            }
        }
        check(&surface, 900.0);
        assert!(is_delaunay(&surface));
    }
}

#[test]
fn a_point_has_the_height_of_its_triangle() {
    let mut surface = Triangulation::default();
    let mut corners = ring(&[[0.0, 0.0], [0.0, 8.0], [8.0, 8.0], [8.0, 0.0]]);
    corners.iter_mut().for_each(|corner| corner.y = corner.x);
    surface.start(&corners).unwrap();
    surface.add(0, DVec3::new(4.0, 8.0, 4.0));
    let height = |x, z| surface.find(x, z, 0..surface.len() as u32).unwrap().1;
    assert_eq!(height(4.0, 4.0), 8.0);
    assert_eq!(height(8.0, 3.0), 8.0);
    assert_eq!(height(2.0, 4.0), 4.0);
}
