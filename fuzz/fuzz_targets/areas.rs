//! Reads area rules. Their volumes must be valid.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(rules) = portolan_formats::read_areas(bytes) else {
        return;
    };
    for volume in &rules.volumes {
        assert!(volume.outline.len() >= 3 && volume.bottom <= volume.top);
        assert!(volume.outline.iter().all(|corner| corner.is_finite()));
    }
});
