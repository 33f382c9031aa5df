//! A crate is dropped into a corridor: the tile under it is baked again, and the path goes around.
//!
//! `cargo run --release --example obstacle`

use glam::{Vec3, vec3};
use portolan_bake::{BakeOptions, Tiles, bake, rebake_tile};
use portolan_core::{AreaRules, NavMesh, Path, Query, Scratch, Status, Triangles, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A floor of 60 x 12 m, in tiles of 64 cells.
    let mut level = Triangles::default();
    add_floor(&mut level, vec3(0.0, 0.0, 0.0), vec3(60.0, 0.0, 12.0));
    let rules = AreaRules::default();
    let options = BakeOptions {
        tiles: Tiles::Side(64),
        ..BakeOptions::default()
    };
    let mut baked = bake(&level, &rules, &options)?;
    let before = length(baked.build_navmesh()?)?;

    // A crate, or at least its lid: too high to climb and too low to walk under. It lies within one
    // tile, farther from the others than the agent's radius and three cells; every tile that is
    // nearer would have to be baked again, too.
    let place = vec3(29.0, 1.5, 6.0);
    let half = vec3(2.0, 0.0, 4.0);
    add_floor(&mut level, place - half, place + half);
    let tile = baked.grid().tile_at(place).ok_or("outside the level")?;
    rebake_tile(&mut baked, tile, &level, &rules)?;
    let after = length(baked.build_navmesh()?)?;

    println!("{before:.1} m straight on, {after:.1} m around the crate");
    assert!(after > before + 0.1);
    Ok(())
}

/// A level rectangle between two corners.
fn add_floor(level: &mut Triangles, min: Vec3, max: Vec3) {
    let first = level.vertices.len() as u32;
    let corner = |x: f32, z: f32| vec3(x, max.y, z);
    level.vertices.extend([
        corner(min.x, min.z),
        corner(min.x, max.z),
        corner(max.x, max.z),
        corner(max.x, min.z),
    ]);
    level.triangles.push([first, first + 1, first + 2]);
    level.triangles.push([first, first + 2, first + 3]);
}

/// The length of the way from one end to the other.
fn length(mesh: NavMesh) -> Result<f64, String> {
    let world = World::from_mesh(mesh);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let query = Query::new(vec3(2.0, 0.0, 6.0), vec3(58.0, 0.0, 6.0));
    match world
        .find_path(&query, &mut scratch, &mut path)
        .expect("an engine of this world")
    {
        Status::Found => Ok(path.length()),
        other => Err(format!("{other:?}")),
    }
}
