#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::geometry::gltf;

fuzz_target!(|bytes: &[u8]| {
    // Every file that it asks for is there, and is the input once more.
    let mut fetch = |path: &str| {
        assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."));
        Ok(bytes.to_vec())
    };
    if let Ok(triangles) = gltf::read(bytes, &mut fetch) {
        portolan_fuzz::check_triangles(&triangles);
    }
});
