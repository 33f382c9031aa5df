//! Reads a navmesh file that is damaged but has a correct checksum. With a wrong checksum, no input would
//! get past the container.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pnav::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::with_valid_checksum(bytes) else {
        return;
    };
    if let Ok(mesh) = portolan_files::pnav::from_bytes(&sealed) {
        portolan_fuzz::search_mesh(mesh);
    }
});
