//! Reads a list of difficulties. They must be in their range.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(difficulties) = portolan_formats::read_difficulty(bytes) {
        assert!(difficulties.iter().all(|value| (0.0..=1.0).contains(value)));
    }
});
