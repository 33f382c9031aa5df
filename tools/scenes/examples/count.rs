//! Bakes scenes and counts polygons.
//!
//! ```text
//! cargo run --release -p portolan-scenes --example count -- simple paper 1 2 3
//! ```
//!
//! What follows the size are seeds; `all` stands for every scene, and `tower:30` for a tower of 30 storeys.

use std::error::Error;
use std::time::Instant;

use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, PolygonId};
use portolan_scenes::{LevelScene, SceneOptions, Size};

/// Builds, bakes and prints a line.
fn count(scene: LevelScene, options: &SceneOptions) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let triangles = scene.build(options);
    let built = start.elapsed();

    let start = Instant::now();
    let baked = bake(&triangles, &AreaRules::default(), &BakeOptions::default())?;
    let mesh = baked.build_navmesh()?;
    let time = start.elapsed();

    let polygons = mesh.polygon_count();
    let proportion = match scene.paper_polygons() {
        Some(paper) => format!("{:.3} of the paper's", polygons as f64 / f64::from(paper)),
        None => "no paper's".to_owned(),
    };
    let components = mesh.components();
    let ground = |of: &dyn Fn(PolygonId) -> bool| -> f64 {
        let all = mesh.polygons();
        all.filter(|&id| of(id))
            .map(|id| mesh.polygon_area(id))
            .sum()
    };
    let whole = ground(&|_| true);
    let largest = ground(&|id| components.of(id) == components.largest());
    println!(
        "{scene:12} {:5} seed {:2}: {:7} triangles {built:9.2?}, {polygons:6} polygons {time:8.2?}, \
         {proportion}; {:3} components, the largest with {:.1}% of {whole:.0} m2",
        options.size,
        options.seed,
        triangles.triangles.len(),
        components.count(),
        100.0 * largest / whole,
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, seeds @ ..] = arguments.as_slice() else {
        return Err("usage: count SCENE|all SIZE [SEED]...".into());
    };
    let (name, floors) = match name.split_once(':') {
        Some((name, floors)) => (name, Some(floors.parse()?)),
        None => (name.as_str(), None),
    };
    let scenes = if name == "all" {
        LevelScene::ALL.to_vec()
    } else {
        vec![name.parse()?]
    };
    let size: Size = size.parse()?;
    let seeds = if seeds.is_empty() {
        vec![1]
    } else {
        seeds
            .iter()
            .map(|seed| seed.parse())
            .collect::<Result<_, _>>()?
    };
    for scene in scenes {
        for &seed in &seeds {
            let options = SceneOptions { size, seed, floors };
            count(scene, &options)?;
        }
    }
    Ok(())
}
