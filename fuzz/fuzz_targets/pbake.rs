//! Reads a kept bake that is damaged but has a correct checksum. A file that can be read can be written
//! again, and its polygons give a navmesh or an error.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pbake::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::with_valid_checksum(bytes) else {
        return;
    };
    if let Ok(kept) = portolan_files::pbake::from_bytes(&sealed) {
        let written = portolan_files::pbake::to_bytes(&kept);
        assert!(portolan_files::pbake::from_bytes(&written).is_ok());
        if let Ok(mesh) = kept.baked.build_navmesh() {
            portolan_fuzz::search_mesh(mesh);
        }
    }
});
