// Builds hills with High Meshes in 10 layers, and finds the same path with several engines.
//
// `cargo run --release --example terrain`

use portolan::terrain::{
    Terrain, TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch, TerrainStatus, WebOptions,
};
use portolan_scenes::HeightFunction;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hills = HeightFunction::Hills.map(65, 65, 1)?;
    let four_triangles_per_square = WebOptions {
        hidef: true,
        ..WebOptions::default()
    };
    let web = hills.triangulate(&four_triangles_per_square, None)?;
    let options = TerrainOptions {
        layers: Some(10),
        contraction: true,
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(web, &options)?;
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default()); // one pair per thread
    for engine in terrain.engines() {
        let query = TerrainQuery {
            engine,
            ..TerrainQuery::new([-0.9, -0.8], [0.9, 0.7])
        };
        match terrain.find_path(&query, &mut scratch, &mut path)? {
            TerrainStatus::Found => println!(
                "{engine}: cost {:.3} over {} triangles, length {:.3}, ascent {:.3}",
                path.cost,
                path.triangles.len(),
                path.length(),
                path.ascent()
            ),
            status => return Err(status.into()),
        }
    }
    Ok(())
}
