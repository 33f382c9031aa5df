//! Reads a height map, triangulates it, writes it and reads it again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::heightmap::{self, Coding};
use portolan_terrain::WebOptions;

fuzz_target!(|bytes: &[u8]| {
    let Ok(map) = heightmap::read(bytes) else {
        return;
    };
    // Larger maps only take more time.
    if map.values().len() > 4096 {
        return;
    }
    for hidef in [false, true] {
        let options = WebOptions {
            hidef,
            ..WebOptions::default()
        };
        let web = map.triangulate(&options, Some(&map));
        assert!(web.is_ok(), "{web:?}");
    }
    // The values of a picture have at most 24 bits, which `Coding::Colours` can store.
    let mut written = Vec::new();
    heightmap::write(&map, Coding::Colours, &mut written).expect("the map can be written");
    let reread = heightmap::read(&written).expect("the written file can be read");
    let pairs = map.values().iter().zip(reread.values());
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() <= 1e-7));
});
