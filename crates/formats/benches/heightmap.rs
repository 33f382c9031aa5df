//! Measures the steps from a height map to a priced graph: 513 x 513 pixels with four triangles per square,
//! which is a million triangles. `cargo bench -p portolan-formats --features terrain --bench heightmap`

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

/// Returns the bytes of a height map: the file in the environment variable HEIGHTMAP, or generated hills.
fn image() -> Vec<u8> {
    if let Some(file) = std::env::var_os("HEIGHTMAP") {
        return std::fs::read(file).unwrap();
    }
    let map = HeightFunction::Hills.map(513, 513, 1).unwrap();
    let mut bytes = Vec::new();
    heightmap::write(&map, Coding::Grey16, &mut bytes).unwrap();
    bytes
}

fn web(image: &[u8]) -> TriangleWeb {
    let map = heightmap::read(image).unwrap();
    map.triangulate(&OPTIONS, None).unwrap()
}

#[divan::bench(sample_count = 20)]
fn read(bencher: Bencher<'_, '_>) {
    let image = image();
    bencher.bench(|| heightmap::read(&image).unwrap());
}

#[divan::bench(sample_count = 20)]
fn read_and_triangulate(bencher: Bencher<'_, '_>) {
    let image = image();
    bencher.bench(|| web(&image));
}

#[divan::bench(sample_count = 20)]
fn read_triangulate_and_price(bencher: Bencher<'_, '_>) {
    let image = image();
    bencher.bench(|| {
        let web = web(&image);
        let graph = LowGraph::new(&web, &Price::default()).unwrap();
        assert_eq!(graph.len(), web.len());
        (web, graph)
    });
}
