//! What is read is written and read again: it has to be the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_formats::geometry::obj;

fuzz_target!(|bytes: &[u8]| {
    let Ok(triangles) = obj::read(bytes) else {
        return;
    };
    portolan_fuzz::check_triangles(&triangles);
    let mut written = Vec::new();
    // Bytes that are no text can make names that are none.
    if obj::write(&triangles, &[], &mut written).is_ok() {
        assert_eq!(obj::read(&written).as_ref(), Ok(&triangles));
    }
});
