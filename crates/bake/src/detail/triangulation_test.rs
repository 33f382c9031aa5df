use glam::DVec3;

use super::*;

/// Whether every triangle is the right way round, they have the area of the polygon together, and
/// know one another.
fn check(surface: &Triangulation, whole: f64) {
    let mut sum = 0.0;
    for (index, triangle) in surface.triangles.iter().enumerate() {
        let [a, b, c] = triangle.corners.map(|corner| surface.point(corner));
        assert!(turn(a, b, c) > 0.0, "{triangle:?}");
        sum += turn(a, b, c);
        for edge in 0..3 {
            if triangle.beyond[edge] == OUTSIDE {
                let ends = surface.edge(index as u32, edge);
                let all = 0..surface.len() as u32;
                assert_eq!(surface.with_edge([ends[1], ends[0]], all), None);
            } else {
                let (other, back) = surface.across(index as u32, edge).unwrap();
                assert_eq!(surface.triangles[other as usize].beyond[back], index as u32);
            }
        }
    }
    assert!((sum - whole).abs() < 1e-6 * whole, "{sum} and not {whole}");
}

fn is_delaunay(surface: &Triangulation) -> bool {
    let edges = (0..surface.len() as u32).flat_map(|t| (0..3).map(move |edge| (t, edge)));
    !edges
        .into_iter()
        .any(|(t, edge)| surface.should_flip(t, edge))
}

fn ring(places: &[[f64; 2]]) -> Vec<DVec3> {
    places.iter().map(|&[x, z]| DVec3::new(x, 0.0, z)).collect()
}

/// A hexagon's worth of corners, three of which do not bend.
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
fn corners_that_do_not_bend_are_no_slivers() {
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
    let mut other_way = triangle_with_straight_corners();
    other_way.reverse();
    assert!(surface.start(&other_way).is_none());
}

#[test]
fn points_are_added_anywhere() {
    let mut random = oorandom::Rand64::new(4);
    let mut surface = Triangulation::default();
    for round in 0..40 {
        let corners = triangle_with_straight_corners();
        surface.start(&corners).unwrap();
        // Points on borders, also on slanting ones whose line they cannot lie on exactly.
        for side in 0..corners.len() {
            let end = (side + 1) % corners.len();
            let (from, to) = (corners[side], corners[end]);
            let mut last = side as u32;
            for step in 1..round % 8 {
                let point = from.lerp(to, f64::from(step) / 7.3);
                last = surface.add_to_border([last, end as u32], point).unwrap();
            }
        }
        check(&surface, 900.0);
        // Whole places often lie on edges or on points that are there already.
        for _ in 0..60 {
            let x = random.rand_range(1..28) as f64;
            let z = random.rand_range(1..(29 - x as u64)) as f64;
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
fn a_place_has_the_height_of_its_triangle() {
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
