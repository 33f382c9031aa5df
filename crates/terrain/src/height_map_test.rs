use glam::vec2;
use proptest::prelude::*;

use super::*;
use crate::NO_TRIANGLE;

fn map(width: usize, height: usize, values: &[f32]) -> HeightMap {
    HeightMap::new(width, height, values.to_vec()).unwrap()
}

fn hidef() -> WebOptions {
    WebOptions {
        hidef: true,
        ..WebOptions::default()
    }
}

/// Returns the area of a triangle in plan.
fn area(web: &TriangleWeb, triangle: u32) -> f64 {
    let [a, b, c] = web.corners(triangle).map(|corner| corner.as_dvec3());
    (b - a).truncate().perp_dot((c - a).truncate()) / 2.0
}

fn maps() -> impl Strategy<Value = HeightMap> {
    (2..9usize, 2..9usize).prop_flat_map(|(width, height)| {
        prop::collection::vec(0.0..=1.0f32, width * height)
            .prop_map(move |values| map(width, height, &values))
    })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn triangles_fill_the_box_and_neighbours_are_mutual(
        map in maps(),
        hidef: bool,
        corner in (-50.0..50.0f32, -50.0..50.0f32),
        size in (0.5..50.0f32, 0.5..50.0f32),
        low in -10.0..10.0f32,
        rise in 0.1..10.0f32,
    ) {
        let min = vec2(corner.0, corner.1);
        let max = min + vec2(size.0, size.1);
        let options = WebOptions {
            hidef,
            extent: Some([min, max]),
            height_range: [low, low + rise],
        };
        let web = map.triangulate(&options, None).unwrap();
        let squares = (map.width() - 1) * (map.height() - 1);
        prop_assert_eq!(web.len(), squares * if hidef { 4 } else { 2 });
        let extent = web.extent();
        prop_assert_eq!(extent.min.truncate(), min);
        prop_assert_eq!(extent.max.truncate(), max);
        prop_assert_eq!([extent.min.z, extent.max.z], options.height_range);

        let areas: Vec<f64> = (0..web.len() as u32).map(|triangle| area(&web, triangle)).collect();
        prop_assert!(areas.iter().all(|&area| area > 0.0));
        let total = f64::from(max.x - min.x) * f64::from(max.y - min.y);
        prop_assert!((areas.iter().sum::<f64>() / total - 1.0).abs() < 1e-4);

        // An edge without a neighbour lies on the rim of the box.
        let mut rim = 0;
        for (triangle, neighbours) in web.neighbours().iter().enumerate() {
            let corners = web.corners(triangle as u32);
            for edge in 0..3 {
                if neighbours[edge] != NO_TRIANGLE {
                    let back = web.neighbours()[neighbours[edge] as usize];
                    prop_assert!(back.contains(&(triangle as u32)));
                    continue;
                }
                let [a, b] = [corners[edge], corners[(edge + 1) % 3]];
                let on_x = a.x == b.x && (a.x == min.x || a.x == max.x);
                let on_y = a.y == b.y && (a.y == min.y || a.y == max.y);
                prop_assert!(on_x || on_y);
                rim += 1;
            }
        }
        prop_assert_eq!(rim, 2 * (map.width() + map.height() - 2));
    }

    #[test]
    fn the_centre_of_a_square_is_the_mean_of_its_corners(map in maps(), difficulty: bool) {
        let web = map.triangulate(&hidef(), difficulty.then_some(&map)).unwrap();
        for (square, triangles) in web.triangles().chunks(4).enumerate() {
            let centre = web.points()[triangles[0][2] as usize];
            let corners = [0, 1, 2, 3].map(|side| web.points()[triangles[side][0] as usize]);
            let mean = corners.iter().sum::<Vec3>() / 4.0;
            prop_assert!(mean.distance(centre) < 1e-5, "square {}: {} {}", square, mean, centre);
        }
    }

    #[test]
    fn stretched_heights_span_0_to_1(heights in prop::collection::vec(-1e300..1e300f64, 6)) {
        let map = HeightMap::stretched(3, 2, &heights).unwrap();
        let (low, high) = map.values().iter().fold((1f32, 0f32), |(low, high), &value| (low.min(value), high.max(value)));
        let is_flat = heights.iter().all(|&height| height == heights[0]);
        prop_assert_eq!((low, high), (0.0, if is_flat { 0.0 } else { 1.0 }));
    }
}

#[test]
fn a_square_is_two_triangles_along_its_diagonal() {
    let web = map(2, 2, &[0.0, 0.5, 0.25, 1.0])
        .triangulate(&WebOptions::default(), None)
        .unwrap();
    // The points are top left, top right, bottom left, bottom right.
    let expected = [
        vec3(-1.0, 1.0, 0.0),
        vec3(1.0, 1.0, 0.5),
        vec3(-1.0, -1.0, 0.25),
        vec3(1.0, -1.0, 1.0),
    ];
    assert_eq!(web.points(), expected);
    assert_eq!(web.triangles(), [[0, 2, 3], [0, 3, 1]]);
    assert_eq!(
        web.neighbours(),
        [[NO_TRIANGLE, NO_TRIANGLE, 1], [0, NO_TRIANGLE, NO_TRIANGLE]]
    );
}

#[test]
fn by_default_the_longer_side_has_length_2_and_pixels_are_square() {
    let web = map(5, 2, &[0.0; 10])
        .triangulate(&WebOptions::default(), None)
        .unwrap();
    assert_eq!(web.extent().min, vec3(-1.0, -0.25, 0.0));
    assert_eq!(web.extent().max, vec3(1.0, 0.25, 0.0));
}

#[test]
fn flat_maps_lie_at_the_lower_height() {
    let options = WebOptions {
        height_range: [3.0, 7.0],
        ..hidef()
    };
    let web = map(2, 2, &[0.75; 4]).triangulate(&options, None).unwrap();
    assert!(web.points().iter().all(|point| point.z == 3.0));
}

#[test]
fn the_difficulty_of_a_triangle_is_the_mean_of_its_corners() {
    let heights = map(2, 2, &[0.0; 4]);
    let difficulty = map(2, 2, &[0.0, 0.3, 0.6, 0.9]);
    let web = heights
        .triangulate(&WebOptions::default(), Some(&difficulty))
        .unwrap();
    assert!((web.difficulty()[0] - 0.5).abs() < 1e-6);
    assert!((web.difficulty()[1] - 0.4).abs() < 1e-6);
    let web = heights.triangulate(&hidef(), Some(&difficulty)).unwrap();
    // The first triangle is the western one: top left, bottom left, and the centre with 0.45.
    assert!((web.difficulty()[0] - 0.35).abs() < 1e-6);
}

#[test]
fn invalid_maps_and_options_are_rejected() {
    let message = |map: Result<HeightMap, TerrainError>| map.unwrap_err().to_string();
    assert!(message(HeightMap::new(1, 5, vec![0.0; 5])).contains("1 x 5"));
    assert!(message(HeightMap::new(2, 2, vec![0.0; 5])).contains("5 values"));
    assert!(message(HeightMap::new(usize::MAX, 3, Vec::new())).contains("0 values"));
    assert!(
        message(HeightMap::new(3, 2, vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0]))
            .contains("column 1, row 1")
    );
    assert!(message(HeightMap::new(2, 2, vec![f32::NAN; 4])).contains("NaN"));
    assert!(
        message(HeightMap::stretched(2, 2, &[0.0, f64::INFINITY, 0.0, 0.0]))
            .contains("column 1, row 0")
    );

    let heights = map(3, 2, &[0.0; 6]);
    let message = |options: WebOptions, difficulty: Option<&HeightMap>| {
        let web = heights.triangulate(&options, difficulty);
        web.unwrap_err().to_string()
    };
    let other = message(WebOptions::default(), Some(&map(2, 3, &[0.0; 6])));
    assert!(
        other.contains("3 x 2") && other.contains("2 x 3"),
        "{other}"
    );
    let in_box = |min, max| WebOptions {
        extent: Some([min, max]),
        ..WebOptions::default()
    };
    for (min, max) in [
        (vec2(0.0, 0.0), vec2(0.0, 1.0)),
        (vec2(1.0, 0.0), vec2(0.0, 1.0)),
        (vec2(f32::NAN, 0.0), vec2(0.0, 1.0)),
        (vec2(0.0, 0.0), vec2(f32::INFINITY, 1.0)),
        // An f32 with a 24-bit significand has no room for a midpoint.
        (vec2(16_777_214.0, 0.0), vec2(16_777_216.0, 1.0)),
    ] {
        let error = message(in_box(min, max), None);
        assert!(error.starts_with("x from"), "{error}");
    }
    assert!(message(in_box(vec2(0.0, 1.0), vec2(1.0, 0.0)), None).starts_with("y from 1 to 0"));
    for height_range in [[1.0, 0.0], [0.0, f32::NAN]] {
        let options = WebOptions {
            height_range,
            ..WebOptions::default()
        };
        assert!(message(options, None).starts_with("heights from"));
    }
    let too_far = WebOptions {
        height_range: [0.0, 1e30],
        ..WebOptions::default()
    };
    let map = map(2, 2, &[0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        map.triangulate(&too_far, None).unwrap_err(),
        TerrainError::NotFinite(3)
    );
}
