//! Reads level geometry from a glTF file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::geometry::gltf;

fuzz_target!(|bytes: &[u8]| {
    // Every buffer file that the input refers to contains the input itself.
    let mut fetch = |path: &str| {
        assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."));
        Ok(bytes.to_vec())
    };
    if let Ok(triangles) = gltf::read(bytes, &mut fetch) {
        portolan_fuzz::check_triangles(&triangles);
    }
});
