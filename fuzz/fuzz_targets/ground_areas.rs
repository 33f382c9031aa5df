//! Reads areas of ground and applies them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_terrain::{Crs, Elevation, ElevationOptions, Lattice};

fuzz_target!(|bytes: &[u8]| {
    let Ok(areas) = portolan_formats::read_ground_areas(bytes, Crs::Wgs84) else {
        return;
    };
    let lattice = Lattice {
        first: [1.0, 43.0],
        step: [0.25, 0.25],
    };
    let ground = Elevation::new(5, 5, vec![0.0; 25], lattice, Some(Crs::Wgs84));
    let ground = ground.expect("the ground is valid");
    let options = ElevationOptions {
        areas: &areas,
        ..ElevationOptions::default()
    };
    if let Ok(web) = ground.triangulate(&options) {
        assert!(web.len() <= 32);
    }
});
