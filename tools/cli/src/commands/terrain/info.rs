//! `portolan terrain info`: describes a `.pter` file.

use std::path::Path;

use portolan_terrain::{NO_TRIANGLE, Price, Terrain, TriangleWeb};
use serde_json::{Value, json};

use super::coordinates::FileCoordinates;
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(file: &Path, is_json: bool) -> Result<ExitKind, Failure> {
    let terrain = portolan_files::open_terrain(file)?;
    if is_json {
        say!("{:#}", figures(file, &terrain));
        return Ok(ExitKind::Success);
    }
    let version = portolan_files::pter::VERSION;
    say!("{}: terrain, version {version}", file.display());
    say!("  {}", summary(&terrain));
    describe(file, &terrain);
    let layers = layers(&terrain).into_iter();
    let layers: Vec<String> = layers.map(|[meshes, _]| meshes.to_string()).collect();
    say!("  meshes per layer, from the lowest: {}", layers.join(", "));
    let entry = terrain.meshes().entry_price().name();
    say!("  entry: {entry}; {}", shown(terrain.graph().price()));
    Ok(ExitKind::Success)
}

/// Describes the size of a terrain in one line.
pub(super) fn summary(terrain: &Terrain) -> String {
    let meshes = terrain.meshes();
    [
        count(terrain.web().len(), "triangle"),
        count(mesh_count(terrain), "mesh").replace("meshs", "meshes"),
        count(meshes.layers(), "layer"),
        count(meshes.tops().len(), "Top Mesh").replace("Meshs", "Meshes"),
        count(islands(terrain.web()), "island"),
    ]
    .join(", ")
}

/// Prints the extent of a terrain and its size in the file and in memory.
pub(super) fn describe(file: &Path, terrain: &Terrain) {
    let extent = terrain.web().extent();
    let [min, max] = FileCoordinates::new(terrain.web()).bounds();
    let crs = terrain.web().georeference().crs();
    let crs = crs.map_or(String::new(), |crs| format!(" ({crs})"));
    say!(
        "  ground from {},{} to {},{}{crs}, heights {} to {}",
        min[0],
        min[1],
        max[0],
        max[1],
        extent.min.z,
        extent.max.z
    );
    let per_triangle = |bytes: usize| bytes as f64 / terrain.web().len() as f64;
    let (stored, bytes) = (file_bytes(file), terrain.bytes());
    say!(
        "  file: {stored} bytes ({:.1} per triangle); in memory: {bytes} bytes ({:.1} per triangle)",
        per_triangle(stored as usize),
        per_triangle(bytes)
    );
}

fn file_bytes(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |file| file.len())
}

/// Returns the number of Low, High and Top Meshes. The Global Mesh above several islands is not counted,
/// because it is no piece of ground.
fn mesh_count(terrain: &Terrain) -> usize {
    terrain.meshes().len() - usize::from(terrain.meshes().has_global())
}

fn figures(file: &Path, terrain: &Terrain) -> Value {
    let (web, meshes) = (terrain.web(), terrain.meshes());
    let extent = web.extent();
    let georeference = web.georeference();
    let edges = web.neighbours().as_flattened().iter();
    let edges = edges.filter(|&&beyond| beyond != NO_TRIANGLE).count() / 2;
    let islands = islands(web);
    let layers = layers(terrain);
    let levels = layers.iter().enumerate().map(|(level, [nodes, records])| {
        json!({ "level": level, "nodes": nodes, "inter_edges": records })
    });
    let mean = web.difficulty().iter().copied().map(f64::from).sum::<f64>() / web.len() as f64;
    json!({
        "kind": "terrain",
        "version": portolan_files::pter::VERSION,
        "triangles": web.len(),
        "points": web.points().len(),
        "layers": meshes.layers(),
        "meshes": mesh_count(terrain),
        "tops": meshes.tops().len(),
        "islands": islands,
        "bytes": file_bytes(file),
        "memory_bytes": terrain.bytes(),
        "joint_bytes": meshes.joint_bytes(),
        "extent": FileCoordinates::new(web).bounds(),
        "height_range": [extent.min.z, extent.max.z],
        "crs": georeference.crs().map(|crs| crs.to_string()),
        "origin": georeference.origin(),
        "mean_difficulty": mean,
        "entry": meshes.entry_price().name(),
        "price": price(terrain.graph().price()),
        // The keys that the descriptions of all file formats have.
        "polygons": web.len(),
        "portals": edges,
        "components": islands,
        "levels": levels.collect::<Vec<_>>(),
    })
}

/// Returns, per layer, the number of meshes and of records between siblings. A mesh is one layer above its
/// highest child.
fn layers(terrain: &Terrain) -> Vec<[usize; 2]> {
    let meshes = terrain.meshes();
    let mut layers = vec![[0, 0]; meshes.layers()];
    let mut layer_of = vec![0usize; mesh_count(terrain)];
    for mesh in 0..layer_of.len() as u32 {
        // Children come before their parents.
        let below = meshes.children(mesh).iter();
        let layer = below.map(|&child| layer_of[child as usize] + 1).max();
        let layer = layer.unwrap_or(0);
        layer_of[mesh as usize] = layer;
        layers[layer][0] += 1;
        layers[layer][1] += meshes.neighbours(mesh).count();
    }
    layers
}

/// Returns the number of islands: pieces of ground that no edge connects.
fn islands(web: &TriangleWeb) -> usize {
    let mut is_known = vec![false; web.len()];
    let mut islands = 0;
    let mut stack = Vec::new();
    for first in 0..web.len() as u32 {
        if is_known[first as usize] {
            continue;
        }
        islands += 1;
        is_known[first as usize] = true;
        stack.push(first);
        while let Some(triangle) = stack.pop() {
            for next in web.neighbours()[triangle as usize] {
                if next != NO_TRIANGLE && !std::mem::replace(&mut is_known[next as usize], true) {
                    stack.push(next);
                }
            }
        }
    }
    islands
}

fn price(price: &Price) -> Value {
    let mut all = json!({ "distances": price.distances.name() });
    for parameter in &Price::PARAMETERS {
        all[parameter.name] = json!(parameter.get(price));
    }
    all
}

fn shown(price: &Price) -> String {
    let numbers = Price::PARAMETERS.map(|parameter| {
        let value = parameter.get(price);
        format!("{} {value}", parameter.name)
    });
    let distances = price.distances.name();
    format!("price: {distances}, {}", numbers.join(", "))
}
