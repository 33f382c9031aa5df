//! Damage behind a checksum that fits, in ground: what loads has to answer, whatever its prices say.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pter::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::sealed(bytes) else {
        return;
    };
    if let Ok(terrain) = portolan_files::pter::from_bytes(&sealed) {
        portolan_fuzz::navigate(&terrain);
        let written = portolan_files::pter::to_bytes(&terrain);
        assert!(portolan_files::pter::from_bytes(&written).is_ok());
    }
});
