//! Measures opening and serializing a `.pnav` file of a million polygons: `cargo bench -p portolan-files`.

use divan::Bencher;
use portolan_core::{NavMesh, NavMeshOptions};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

const SCENES: [WorldScene; 2] = WorldScene::ALL;

/// Builds a navmesh of about a million polygons.
fn million(scene: WorldScene) -> NavMesh {
    let options = WorldOptions {
        polygons: 1_000_000,
        ..WorldOptions::default()
    };
    NavMesh::build(scene.build(&options), &NavMeshOptions::default())
        .expect("the scene is a valid navmesh")
}

#[divan::bench(args = SCENES, sample_count = 10, sample_size = 1)]
fn open(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let file = folder.path().join("million.pnav");
    let mesh = million(scene);
    portolan_files::save_navmesh(&file, &mesh).expect("the file can be written");
    assert_eq!(
        portolan_files::open_navmesh(&file).expect("the file can be read"),
        mesh
    );
    bencher.bench(|| portolan_files::open_navmesh(&file));
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = 1)]
fn to_bytes(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let mesh = million(scene);
    bencher.bench(|| portolan_files::pnav::to_bytes(&mesh));
}
