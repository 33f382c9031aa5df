//! Reads level geometry from a Wavefront file. Writing it and reading it again must not change it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::geometry::obj;

fuzz_target!(|bytes: &[u8]| {
    let Ok(triangles) = obj::read(bytes) else {
        return;
    };
    portolan_fuzz::check_triangles(&triangles);
    let mut written = Vec::new();
    // Names that are not valid text cannot be written.
    if obj::write(&triangles, &[], &mut written).is_ok() {
        assert_eq!(obj::read(&written).as_ref(), Ok(&triangles));
    }
});
