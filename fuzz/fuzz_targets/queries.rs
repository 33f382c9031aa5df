//! Reads a file of queries.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = portolan_formats::read_queries(bytes);
});
