//! Elevation models that NASA and GDAL wrote. The files are in a folder beside the checkout and not part of it.
//! Without them the tests print that they are skipped, and pass.

use std::path::PathBuf;

use portolan_formats::elevation::{GroundCrs, GroundFiles, GroundOptions};
use portolan_terrain::{Crs, Elevation};

fn open(name: &str) -> Option<Elevation> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps/dem");
    let path = folder.join(name);
    if !path.is_file() {
        println!("skipped: there is no {name}");
        return None;
    }
    let utm = Crs::from_epsg(32631).map(GroundCrs::Known);
    let options = GroundOptions {
        crs: utm.filter(|_| name.contains("utm31")),
        ..GroundOptions::default()
    };
    Some(
        GroundFiles::open(&[path], &options)
            .unwrap()
            .read()
            .unwrap(),
    )
}

/// Returns the height and the position of the highest sample within some degrees of a point.
fn peak(ground: &Elevation, near: [f64; 2], degrees: f64) -> (f32, [f64; 2]) {
    let mut best = (f32::NEG_INFINITY, near);
    for row in 0..ground.height() {
        for column in 0..ground.width() {
            let height = ground.heights()[row * ground.width() + column];
            let [x, y] = ground
                .crs()
                .unwrap()
                .to_degrees(ground.lattice().position(column, row));
            let is_near = (x - near[0]).abs() < degrees && (y - near[1]).abs() < degrees;
            if is_near && height > best.0 {
                best = (height, [x, y]);
            }
        }
    }
    best
}

/// Name, surveyed height, longitude and latitude of summits in Andorra (as maps show them). Samples of SRTM are 90 m apart
/// and miss the tips.
const SUMMITS: [(&str, f32, [f64; 2]); 2] = [
    ("Coma Pedrosa", 2942.0, [1.4443, 42.5919]),
    ("Pic de Casamanya", 2740.0, [1.5664, 42.5839]),
];

#[test]
fn summits_are_where_they_are() {
    for file in [
        "N42E001.hgt.zip",
        "andorra_256_wgs84_i16_deflate.tif",
        "andorra_utm31_60m_f32_lzw.tif",
        "andorra_utm31_60m.asc",
    ] {
        let Some(ground) = open(file) else { continue };
        let known = ground
            .heights()
            .iter()
            .filter(|height| !height.is_nan())
            .count();
        assert!(
            known as f64 > 0.95 * ground.heights().len() as f64,
            "{file}: {known}"
        );
        for (name, height, point) in SUMMITS {
            let (found, [x, y]) = peak(&ground, point, 0.004);
            if found == f32::NEG_INFINITY {
                continue;
            }
            println!("{file}: {name} is {found} m high at {x:.4},{y:.4}");
            assert!(
                (height - found).abs() < 70.0,
                "{file}: {name} is {found} m high, not {height} m"
            );
            assert!(
                (x - point[0]).abs() < 0.0025 && (y - point[1]).abs() < 0.002,
                "{file}: {name} at {x},{y}"
            );
        }
    }
}

#[test]
fn a_geotiff_and_a_grid_agree() {
    let (Some(tif), Some(asc)) = (
        open("andorra_utm31_60m_f32_lzw.tif"),
        open("andorra_utm31_60m.asc"),
    ) else {
        return;
    };
    assert_eq!((tif.width(), tif.height()), (299, 401));
    for (a, b) in tif.heights().iter().zip(asc.heights()) {
        assert!(a == b || a.is_nan() && b.is_nan(), "{a} {b}");
    }
    let [holes, other] =
        [&tif, &asc].map(|ground| ground.heights().iter().filter(|h| h.is_nan()).count());
    assert_eq!((holes, other), (4571, 4571));
    let known = tif
        .heights()
        .iter()
        .copied()
        .filter(|height| !height.is_nan());
    let [low, high] = known.fold([f32::MAX, f32::MIN], |[low, high], h| {
        [low.min(h), high.max(h)]
    });
    println!("heights from {low} to {high} m");
    for axis in 0..2 {
        let first = [tif.lattice().first, asc.lattice().first].map(|first| first[axis]);
        assert!((first[0] - first[1]).abs() < 1e-5, "{first:?}");
    }
}
