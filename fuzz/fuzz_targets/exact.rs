//! Exact paths on any navmesh: no input makes a build or a query panic or hang, a path costs what it is long, and both
//! methods find the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portolan_core::NavMesh;
use portolan_fuzz::raw::RawInput;

fuzz_target!(|input: RawInput| {
    if let Ok(mesh) = NavMesh::build(input.raw, &input.options) {
        portolan_fuzz::find_exact_paths(mesh);
    }
});
