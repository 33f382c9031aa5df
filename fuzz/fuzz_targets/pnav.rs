//! Damage behind a checksum that fits: without it no input would get past the envelope.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pnav::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::sealed(bytes) else {
        return;
    };
    if let Ok(mesh) = portolan_files::pnav::from_bytes(&sealed) {
        portolan_fuzz::walk(mesh);
    }
});
