//! Builds navmeshes directly, without a file format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_core::NavMesh;
use portolan_fuzz::raw::RawInput;

fuzz_target!(|input: RawInput| {
    if let Ok(mesh) = NavMesh::build(input.raw, &input.options) {
        portolan_fuzz::search_mesh(mesh);
    }
});
