//! From a picture to a priced graph: 513 x 513 pixels, four triangles a square, which is a million.
//! `cargo bench -p portolan-formats --features terrain --bench heightmap`

use divan::Bencher;
use portolan_formats::heightmap::{self, Coding};
use portolan_scenes::HeightFunction;
use portolan_terrain::{LowGraph, Price, TriangleWeb, WebOptions};

fn main() {
    divan::main();
}

const OPTIONS: WebOptions = WebOptions {
    hidef: true,
    extent: None,
    height_range: [0.0, 1.0],
};

/// Natural ground; or the file that the variable HEIGHTMAP names.
fn picture() -> Vec<u8> {
    if let Some(file) = std::env::var_os("HEIGHTMAP") {
        return std::fs::read(file).unwrap();
    }
    let map = HeightFunction::Hills.map(513, 513, 1).unwrap();
    let mut bytes = Vec::new();
    heightmap::write(&map, Coding::Grey16, &mut bytes).unwrap();
    bytes
}

fn web(picture: &[u8]) -> TriangleWeb {
    let map = heightmap::read(picture).unwrap();
    map.triangulate(&OPTIONS, None).unwrap()
}

#[divan::bench(sample_count = 20)]
fn read(bencher: Bencher<'_, '_>) {
    let picture = picture();
    bencher.bench(|| heightmap::read(&picture).unwrap());
}

#[divan::bench(sample_count = 20)]
fn read_and_triangulate(bencher: Bencher<'_, '_>) {
    let picture = picture();
    bencher.bench(|| web(&picture));
}

#[divan::bench(sample_count = 20)]
fn read_triangulate_and_price(bencher: Bencher<'_, '_>) {
    let picture = picture();
    bencher.bench(|| {
        let web = web(&picture);
        let graph = LowGraph::new(&web, &Price::default()).unwrap();
        assert_eq!(graph.len(), web.len());
        (web, graph)
    });
}
