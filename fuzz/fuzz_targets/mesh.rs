//! Imports a navmesh of Polyanya and searches it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| portolan_fuzz::import_and_search("x.mesh", bytes));
