//! Reads an index that is damaged but has a correct checksum. An index that can be read must answer queries,
//! whatever its costs and paths are.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pidx::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::with_valid_checksum(bytes) else {
        return;
    };
    if let Ok(world) = portolan_files::pidx::from_bytes(&sealed) {
        portolan_fuzz::query_all_engines(&world);
        let written = portolan_files::pidx::to_bytes(&world);
        assert!(portolan_files::pidx::from_bytes(&written).is_ok());
    }
});
