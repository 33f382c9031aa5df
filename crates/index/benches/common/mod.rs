//! Worlds to measure on.

use portolan_core::{NavMesh, NavMeshOptions};
use portolan_scenes::{WorldOptions, WorldScene};

/// The maps that stand beside the checkout.
pub(crate) const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");

/// A scene with so many thousand polygons, or a map that stands beside the checkout.
pub(crate) fn mesh(name: &str) -> Option<NavMesh> {
    let Some((scene, thousands)) = name.split_once('-') else {
        let file = format!("{name}.navmesh.obj");
        let bytes = std::fs::read(format!("{FOLDER}/{file}")).ok()?;
        let imported = portolan_formats::import_bytes(&file, &bytes).expect("a sound map");
        return Some(NavMesh::build(imported.raw, &imported.options).expect("a sound map"));
    };
    let scene: WorldScene = scene.parse().expect("a scene");
    let options = WorldOptions {
        polygons: 1000 * thousands.parse::<usize>().expect("a number"),
        ..WorldOptions::default()
    };
    let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
    Some(mesh.expect("a sound world"))
}
