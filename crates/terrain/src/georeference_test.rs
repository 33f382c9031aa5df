use super::*;

/// The lengths of a tenth of a degree north and of a thousandth of a degree east at 42° north, as geodesics. The
/// library GeographicLib computed them. [Units: m]
const GEODESICS: [f64; 2] = [11_107.425_462, 82.850_762];

#[test]
fn local_metres_are_metres_on_the_ground() {
    for origin in [[1.0, 42.0], [1.5, 42.5], [0.5, 41.5]] {
        let reference = Georeference::new(origin, Some(Crs::Wgs84));
        let at = |degrees| reference.to_local(degrees);
        let distance = |a: [f64; 2], b: [f64; 2]| {
            let [x, y] = [a[0] - b[0], a[1] - b[1]];
            (x * x + y * y).sqrt()
        };
        let north = distance(at([1.0, 42.0]), at([1.0, 42.1])) / GEODESICS[0];
        let east = distance(at([1.0, 42.0]), at([1.001, 42.0])) / GEODESICS[1];
        for ratio in [north, east] {
            assert!((ratio - 1.0).abs() < 4e-5, "{origin:?}: {ratio}");
        }
    }
}

#[test]
fn web_maps_have_the_metres_of_the_ground() {
    let degrees = [1.5, 42.5];
    let origin = Crs::WebMercator.from_degrees(degrees);
    let reference = Georeference::new(origin, Some(Crs::WebMercator));
    let [x, y] = reference.to_local(Crs::WebMercator.from_degrees([1.5, 42.6]));
    assert!(x.abs() < 1e-6 && (y - 11_108.4).abs() < 0.2, "{y}");
    let back = reference.to_degrees([x, y]).unwrap();
    assert!((back[1] - 42.6).abs() < 1e-11, "{back:?}");
}

#[test]
fn metric_systems_are_only_moved() {
    let origin = [384_000.0, 5_200_000.0];
    for crs in [
        None,
        Some(Crs::Utm {
            zone: 31,
            is_south: false,
        }),
    ] {
        let reference = Georeference::new(origin, crs);
        assert_eq!(reference.to_local([384_000.5, 5_199_998.25]), [0.5, -1.75]);
        assert_eq!(reference.to_file([0.5, -1.75]), [384_000.5, 5_199_998.25]);
        assert_eq!(reference.to_degrees([0.0, 0.0]).is_some(), crs.is_some());
        assert!(reference.covers([1e9, 0.0]) && !reference.covers([f64::NAN, 0.0]));
    }
    let default = Georeference::default();
    assert_eq!(default.to_local([0.3, 0.7]), [0.3, 0.7]);
}

#[test]
fn far_points_are_not_covered() {
    let reference = Georeference::new([10.0, 50.0], Some(Crs::Wgs84));
    assert!(reference.covers([19.9, 50.0]) && reference.covers([10.0, 40.1]));
    assert!(!reference.covers([20.1, 50.0]) && !reference.covers([10.0, 60.1]));
    assert!(!Georeference::new([0.0, 89.5], Some(Crs::Wgs84)).covers([0.0, 89.5]));
}
