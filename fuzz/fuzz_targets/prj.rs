//! Reads a coordinate system (WKT) and a world file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::elevation::prj;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(Some(crs)) = prj::read_wkt(bytes) {
        assert_eq!(portolan_terrain::Crs::from_epsg(crs.epsg()), Some(crs));
    }
    let _ = prj::read_world_file(bytes);
});
