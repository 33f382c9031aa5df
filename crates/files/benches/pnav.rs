//! What it takes to open and to write a world of a million polygons: `cargo bench -p portolan-files`.

use divan::Bencher;
use portolan_core::{NavMesh, NavMeshOptions};
use portolan_scenes::{WorldOptions, WorldScene};

fn main() {
    divan::main();
}

const SCENES: [WorldScene; 2] = WorldScene::ALL;

fn million(scene: WorldScene) -> NavMesh {
    let options = WorldOptions {
        polygons: 1_000_000,
        ..WorldOptions::default()
    };
    NavMesh::build(scene.build(&options), &NavMeshOptions::default()).expect("a sound world")
}

#[divan::bench(args = SCENES, sample_count = 10, sample_size = 1)]
fn open(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("million.pnav");
    let mesh = million(scene);
    portolan_files::save_navmesh(&file, &mesh).expect("room for it");
    assert_eq!(
        portolan_files::open_navmesh(&file).expect("a sound file"),
        mesh
    );
    bencher.bench(|| portolan_files::open_navmesh(&file));
}

#[divan::bench(args = SCENES, sample_count = 5, sample_size = 1)]
fn to_bytes(bencher: Bencher<'_, '_>, scene: WorldScene) {
    let mesh = million(scene);
    bencher.bench(|| portolan_files::pnav::to_bytes(&mesh));
}
