//! Reads the profile of an agent.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_formats::read_profile(bytes);
});
