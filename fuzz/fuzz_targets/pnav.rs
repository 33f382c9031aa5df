#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mesh) = portolan_io::pnav::from_bytes(bytes) {
        portolan_fuzz::walk(mesh);
    }
});
