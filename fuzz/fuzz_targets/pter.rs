//! Reads a terrain that is damaged but has a correct checksum. A terrain that can be read must answer
//! queries, whatever its prices are.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pter::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::with_valid_checksum(bytes) else {
        return;
    };
    if let Ok(terrain) = portolan_files::pter::from_bytes(&sealed) {
        portolan_fuzz::search_terrain(&terrain);
        let written = portolan_files::pter::to_bytes(&terrain);
        assert!(portolan_files::pter::from_bytes(&written).is_ok());
    }
});
