use proptest::prelude::*;

use super::*;
use crate::{AreaEffect, GroundArea, HeightMap, NO_TRIANGLE, WebOptions};

const METRES: Lattice = Lattice {
    first: [384_000.25, 5_200_000.75],
    step: [0.5, 0.5],
};

fn ground(width: usize, heights: Vec<f32>) -> Elevation {
    let height = heights.len() / width;
    Elevation::new(width, height, heights, METRES, None).unwrap()
}

fn triangulate(ground: &Elevation, hidef: bool, areas: &[GroundArea]) -> TriangleWeb {
    let options = ElevationOptions {
        hidef,
        areas,
        ..ElevationOptions::default()
    };
    ground.triangulate(&options).unwrap()
}

/// A rectangle from its lowest to its highest corner.
fn rectangle([x0, y0, x1, y1]: [f64; 4], effect: AreaEffect) -> GroundArea {
    GroundArea {
        rings: vec![vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]],
        effect,
    }
}

#[test]
fn half_metre_samples_far_from_the_origin_stay_half_a_metre_apart() {
    let width = 2001;
    let web = triangulate(&ground(width, vec![1234.5; 2 * width]), false, &[]);
    let reference = web.georeference();
    for (index, point) in web.points().iter().enumerate() {
        let [x, y] = reference.to_file([f64::from(point.x), f64::from(point.y)]);
        let (column, row) = (index % width, index / width);
        assert_eq!([x, y], METRES.position(column, row));
        assert_eq!(point.z, 1234.5);
    }
}

#[test]
fn holes_have_no_triangles_and_no_points() {
    let mut heights = vec![1.0; 16];
    heights[5] = f32::NAN;
    let plain = triangulate(&ground(4, heights.clone()), false, &[]);
    // Six of the eight triangles around an inner sample touch it: all but those across the diagonals. The sample in
    // the corner has no triangle left.
    assert_eq!((plain.len(), plain.points().len()), (18 - 6, 14));
    let hidef = triangulate(&ground(4, heights.clone()), true, &[]);
    // Four of the nine squares are gone, and three more samples with them.
    assert_eq!((hidef.len(), hidef.points().len()), (4 * 5, 12 + 5));
    let at = |column, row| {
        let position = METRES.position(column, row);
        plain.georeference().to_local(position).map(|c| c as f32)
    };
    let [x, y] = at(1, 1);
    assert_eq!(plain.locate(x, y), None);
    let [x, y] = at(3, 3);
    assert!(plain.locate(x, y).is_some());
    let all = ground(4, vec![f32::NAN; 16]);
    let error = all.triangulate(&ElevationOptions::default()).unwrap_err();
    assert_eq!(error, TerrainError::Empty);
    let mut closed = ground(4, vec![1.0; 16]);
    let is_closed: Vec<bool> = (0..16).map(|sample| sample == 5).collect();
    closed.close(&is_closed).unwrap();
    assert_eq!(triangulate(&closed, false, &[]).points(), plain.points());
    assert!(closed.close(&[true]).is_err());
}

proptest! {
    #![proptest_config(portolan_oracle::cases(64))]

    #[test]
    fn without_holes_it_is_the_web_of_a_height_map(
        (width, height, heights) in (2..12usize, 2..12usize).prop_flat_map(|(width, height)| {
            (Just(width), Just(height), prop::collection::vec(0.0..=1.0f32, width * height))
        }),
        hidef in any::<bool>(),
    ) {
        let lattice = Lattice { first: [0.0, 0.0], step: [0.25, 0.25] };
        let ground = Elevation::new(width, height, heights.clone(), lattice, None).unwrap();
        let options = ElevationOptions { hidef, difficulty: Some(&heights), ..ElevationOptions::default() };
        let web = ground.triangulate(&options).unwrap();
        let map = HeightMap::new(width, height, heights).unwrap();
        let same = map.triangulate(&WebOptions { hidef, ..WebOptions::default() }, Some(&map)).unwrap();
        prop_assert_eq!(web.triangles(), same.triangles());
        prop_assert_eq!(web.neighbours(), same.neighbours());
        for (a, b) in web.difficulty().iter().zip(same.difficulty()) {
            prop_assert!((a - b).abs() < 1e-6);
        }
        for triangle in 0..web.len() as u32 {
            let [a, b, c] = web.corners(triangle);
            prop_assert!((b - a).cross(c - a).z > 0.0);
        }
    }

    #[test]
    fn areas_contain_what_a_slow_test_says(
        ring in prop::collection::vec([0.0..5.0f64, 0.0..5.0], 3..9),
        hole in prop::collection::vec([0.0..5.0f64, 0.0..5.0], 3..5),
    ) {
        let lattice = Lattice { first: [0.0, 5.0], step: [0.5, 0.5] };
        let ground = Elevation::new(11, 11, vec![0.0; 121], lattice, None).unwrap();
        let area = GroundArea { rings: vec![ring, hole], effect: AreaEffect::Difficulty(0.5) };
        let web = triangulate(&ground, false, std::slice::from_ref(&area));
        let reference = web.georeference();
        for triangle in 0..web.len() as u32 {
            let corners = web.corners(triangle).map(|p| reference.to_file([f64::from(p.x), f64::from(p.y)]));
            let centroid = [0, 1].map(|axis| corners.iter().map(|c| c[axis]).sum::<f64>() / 3.0);
            // The winding of angles: a sum of turns, one ring at a time.
            let is_inside = area.rings.iter().filter(|ring| winding(ring, centroid) % 2 != 0).count() % 2 == 1;
            let expected = if is_inside { 0.5 } else { 0.0 };
            prop_assert_eq!(web.difficulty()[triangle as usize], expected, "{:?}", centroid);
        }
    }
}

/// Returns how often a ring winds around a point, by the sum of its angles.
#[allow(clippy::disallowed_methods)]
fn winding(ring: &[[f64; 2]], [x, y]: [f64; 2]) -> i32 {
    let next = ring.iter().cycle().skip(1);
    let turns = ring.iter().zip(next).map(|(a, b)| {
        let (a, b) = ([a[0] - x, a[1] - y], [b[0] - x, b[1] - y]);
        (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])
    });
    (turns.sum::<f64>() / std::f64::consts::TAU).round() as i32
}

#[test]
fn the_last_area_decides_and_closed_ground_is_left_out() {
    let lattice = Lattice {
        first: [0.0, 4.0],
        step: [1.0, 1.0],
    };
    let ground = Elevation::new(5, 5, vec![0.0; 25], lattice, None).unwrap();
    let closed = rectangle([-1.0, -1.0, 2.0, 9.0], AreaEffect::Closed);
    let mud = rectangle([1.0, 1.0, 3.0, 3.0], AreaEffect::Difficulty(0.75));
    let count = |areas: &[GroundArea]| {
        let web = triangulate(&ground, false, areas);
        let muddy = web.difficulty().iter().filter(|&&d| d == 0.75).count();
        (web.len(), muddy)
    };
    assert_eq!(count(&[closed.clone(), mud.clone()]), (16 + 4, 8));
    assert_eq!(count(&[mud, closed.clone()]), (16, 4));
    let web = triangulate(&ground, false, &[closed]);
    assert!(web.neighbours()[0].contains(&NO_TRIANGLE));
}

#[test]
fn ground_in_degrees_has_metres() {
    let lattice = Lattice {
        first: [1.0, 43.0],
        step: [1.0 / 1200.0, 1.0 / 1200.0],
    };
    let ground = Elevation::new(3, 3, vec![2000.0; 9], lattice, Some(Crs::Wgs84)).unwrap();
    let web = triangulate(&ground, false, &[]);
    let size = web.extent().size();
    // Two steps of 3": 135.9 m east and 185.1 m north at 43°.
    assert!(
        (size.x - 135.9).abs() < 0.1 && (size.y - 185.1).abs() < 0.1,
        "{size}"
    );
    let wide = Lattice {
        first: [-180.0, 80.0],
        step: [1.0, 1.0],
    };
    let world = Elevation::new(360, 160, vec![0.0; 57_600], wide, Some(Crs::Wgs84)).unwrap();
    let error = world.triangulate(&ElevationOptions::default()).unwrap_err();
    assert!(error.to_string().contains("10°"), "{error}");
}

#[test]
fn bad_lattices_and_heights_are_errors() {
    let new = |first, step, heights| {
        let lattice = Lattice { first, step };
        Elevation::new(2, 2, heights, lattice, None).map(|_| ())
    };
    let flat = || vec![0.0; 4];
    for (first, step) in [
        ([0.0, f64::NAN], [1.0, 1.0]),
        ([0.0, 0.0], [0.0, 1.0]),
        ([0.0, 0.0], [1.0, -1.0]),
        ([1e15, 0.0], [0.1, 1.0]),
        ([0.0, 0.0], [1.0, 1e300]),
    ] {
        let error = new(first, step, flat()).unwrap_err();
        assert!(matches!(error, TerrainError::Lattice { .. }), "{error}");
    }
    assert!(new([0.0; 2], [1.0; 2], vec![0.0, 0.0, f32::INFINITY, 0.0]).is_err());
    assert!(new([0.0; 2], [1.0; 2], vec![0.0; 3]).is_err());
    assert!(new([0.0; 2], [1.0; 2], flat()).is_ok());
}
