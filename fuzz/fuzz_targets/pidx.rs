//! Damage behind a checksum that fits, in an index: what loads has to answer, whatever its costs and
//! ways say.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_files::pidx::from_bytes(bytes);
    let Some(sealed) = portolan_fuzz::sealed(bytes) else {
        return;
    };
    if let Ok(world) = portolan_files::pidx::from_bytes(&sealed) {
        portolan_fuzz::ask_all_engines(&world);
        let written = portolan_files::pidx::to_bytes(&world);
        assert!(portolan_files::pidx::from_bytes(&written).is_ok());
    }
});
