//! Reads a tile of a web map and triangulates it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::elevation::tile::{self, TileCoding};

fuzz_target!(|bytes: &[u8]| {
    for coding in [TileCoding::Terrarium, TileCoding::Mapbox] {
        if let Ok(ground) = tile::read("12/2064/1512.png", bytes, coding) {
            portolan_fuzz::triangulate(&ground);
        }
    }
});
