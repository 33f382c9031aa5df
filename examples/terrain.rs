//! Natural ground: hills, their meshes in 10 layers, and one path found in two ways.
//!
//! `cargo run --release --example terrain`

use portolan_scenes::HeightFunction;
use portolan_terrain::{MeshEngine, Terrain, TerrainOptions, TerrainScratch, WebOptions};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hills = HeightFunction::Hills.map(65, 65, 1)?;
    let four_a_square = WebOptions {
        hidef: true,
        ..WebOptions::default()
    };
    let web = hills.triangulate(&four_a_square, None)?;
    let ends = [web.locate(-0.9, -0.8), web.locate(0.9, 0.7)];
    let [Some(from), Some(to)] = ends else {
        return Err("off the ground".into());
    };
    let ten_layers = TerrainOptions {
        layers: Some(10),
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(web, &ten_layers)?;
    let mut scratch = TerrainScratch::default(); // one a thread
    let mut path = Vec::new();
    for engine in [MeshEngine::Mesh, MeshEngine::Astar] {
        let price = terrain.find(engine, [from, to], &mut scratch, &mut path);
        let price = price.ok_or("no path")?;
        println!("{engine:?}: {price:.3} over {} triangles", path.len());
    }
    Ok(())
}
