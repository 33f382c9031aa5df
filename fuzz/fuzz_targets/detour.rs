//! Imports a navmesh of Detour and searches it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| portolan_fuzz::import_and_search("x.bin", bytes));
