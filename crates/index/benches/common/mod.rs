//! Worlds for benchmarks.

use portolan_core::{NavMesh, NavMeshOptions};
use portolan_scenes::{WorldOptions, WorldScene};

/// The folder of maps, which is next to the checkout.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");

/// Builds a scene with a number of thousand polygons (`rooms-12`), or reads a map from [`FOLDER`] by name.
pub(crate) fn mesh(name: &str) -> Option<NavMesh> {
    let Some((scene, thousands)) = name.split_once('-') else {
        let file = format!("{name}.navmesh.obj");
        let bytes = std::fs::read(format!("{FOLDER}/{file}")).ok()?;
        let imported = portolan_formats::import_bytes(&file, &bytes).expect("a valid map");
        return Some(NavMesh::build(imported.raw, &imported.options).expect("a valid map"));
    };
    let scene: WorldScene = scene.parse().expect("a scene");
    let options = WorldOptions {
        polygons: 1000 * thousands.parse::<usize>().expect("a number"),
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
    Some(mesh.expect("a valid world"))
}
