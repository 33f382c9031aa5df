//! Reads an ESRI ASCII grid and triangulates it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::elevation::asc;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(ground) = asc::read(bytes) {
        portolan_fuzz::triangulate(&ground);
    }
});
