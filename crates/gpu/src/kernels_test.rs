//! The kernels are valid WGSL, also where there is no device.

use crate::kernels::{Family, Kernel, Params, Tables, source};

const FAMILIES: [Family; 4] = [
    Family::AStar,
    Family::Hierarchy,
    Family::Contraction,
    Family::Labels,
];

fn parse(family: Family, tables: Tables) -> naga::Module {
    let source = source(family, tables);
    naga::front::wgsl::parse_str(&source)
        .unwrap_or_else(|error| panic!("{family:?} {tables:?}: {}", error.emit_to_string(&source)))
}

#[test]
fn all_kernels_are_valid() {
    for family in FAMILIES {
        for tables in [Tables::Buffer, Tables::Texture] {
            let module = parse(family, tables);
            let flags = naga::valid::ValidationFlags::all();
            let capabilities = naga::valid::Capabilities::empty();
            let valid = naga::valid::Validator::new(flags, capabilities).validate(&module);
            assert!(valid.is_ok(), "{family:?} {tables:?}: {valid:?}");
        }
    }
}

#[test]
fn every_kernel_has_an_entry_point() {
    for kernel in Kernel::ALL {
        let module = parse(kernel.family(), Tables::Buffer);
        let name = kernel.entry_point();
        let entry = module.entry_points.iter().find(|entry| entry.name == name);
        assert_eq!(
            entry.map(|entry| entry.workgroup_size),
            Some([64, 1, 1]),
            "{name}"
        );
    }
}

#[test]
fn parameters_have_the_size_of_the_kernels() {
    let module = parse(Family::AStar, Tables::Buffer);
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("a layout");
    let (params, _) = module
        .types
        .iter()
        .find(|(_, ty)| ty.name.as_deref() == Some("Params"))
        .expect("the parameters");
    assert_eq!(layouter[params].size as usize, size_of::<Params>());
}
