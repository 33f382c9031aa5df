#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::heightmap::{self, Coding};
use portolan_terrain::WebOptions;

fuzz_target!(|bytes: &[u8]| {
    let Ok(map) = heightmap::read(bytes) else {
        return;
    };
    // Large ones only take time.
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
    // All values of a picture are of 24 bits or fewer.
    let mut written = Vec::new();
    heightmap::write(&map, Coding::Colours, &mut written).expect("a picture");
    let again = heightmap::read(&written).expect("our own");
    let off = map.values().iter().zip(again.values());
    assert!(off.into_iter().all(|(a, b)| (a - b).abs() <= 1e-7));
});
