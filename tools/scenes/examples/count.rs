//! Bakes scenes and prints their numbers of polygons.
//!
//! ```text
//! cargo run --release -p portolan-scenes --example count -- simple paper 1 2 3
//! ```
//!
//! The arguments are a scene, a size and any number of seeds. `all` means every scene, and `tower:30` a tower of
//! 30 storeys.

use std::error::Error;
use std::time::Instant;

use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, PolygonId};
use portolan_scenes::{LevelScene, SceneOptions, Size};

/// Builds and bakes a scene and prints one line about it.
fn count(scene: LevelScene, options: &SceneOptions) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let triangles = scene.build(options);
    let built = start.elapsed();

    let start = Instant::now();
    let baked = bake(&triangles, &AreaRules::default(), &BakeOptions::default())?;
    let mesh = baked.build_navmesh()?;
    let time = start.elapsed();

    let polygons = mesh.polygon_count();
    let ratio = match scene.paper_polygons() {
        Some(paper) => format!("{:.3} x the paper", polygons as f64 / f64::from(paper)),
        None => "not in the papers".to_owned(),
    };
    let components = mesh.components();
    let ground = |include: &dyn Fn(PolygonId) -> bool| -> f64 {
        let all = mesh.polygons();
        all.filter(|&id| include(id))
            .map(|id| mesh.polygon_area(id))
            .sum()
    };
    let total = ground(&|_| true);
    let largest = ground(&|id| components.of(id) == components.largest());
    println!(
        "{scene:12} {:5} seed {:2}: {:7} triangles {built:9.2?}, {polygons:6} polygons {time:8.2?}, \
         {ratio}; {:3} components, the largest with {:.1}% of {total:.0} m2",
        options.size,
        options.seed,
        triangles.triangles.len(),
        components.count(),
        100.0 * largest / total,
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
