//! Reads an SRTM tile, alone or in an archive.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::elevation::hgt;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(ground) = hgt::read("N42E001.hgt", bytes) {
        assert!([1201, 3601].contains(&ground.width()));
    }
});
