// Drops a crate into a corridor, bakes the tile below it again, and finds the path around it.
//
// `cargo run --release --example obstacle`

use glam::{Vec3, vec3};
use portolan::parts::bake::{Tiling, rebake_tile};
use portolan::parts::{AreaRules, Triangles, bake_level};
use portolan::{BakeOptions, NavMesh, Status, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A floor of 60 x 12 m, in tiles of 64 cells.
    let mut level = Triangles::default();
    add_floor(&mut level, vec3(0.0, 0.0, 0.0), vec3(60.0, 0.0, 12.0));
    let rules = AreaRules::default();
    let options = BakeOptions {
        tiles: Tiling::Side(64),
        ..BakeOptions::default()
    };
    let mut baked = bake_level(&level, &rules, &options)?;
    let before = length(baked.build_navmesh()?)?;

    // The lid of a crate, too high to climb and too low to walk under. Only one tile has to be baked
    // again, because the crate is farther from all other tiles than the agent's radius plus three cells.
    let centre = vec3(29.0, 1.5, 6.0);
    let half = vec3(2.0, 0.0, 4.0);
    add_floor(&mut level, centre - half, centre + half);
    let tile = baked.grid().tile_at(centre).ok_or("outside the level")?;
    rebake_tile(&mut baked, tile, &level, &rules)?;
    let after = length(baked.build_navmesh()?)?;

    println!("{before:.1} m straight ahead, {after:.1} m around the crate");
    assert!(after > before + 0.1);
    Ok(())
}

/// Adds a horizontal rectangle between two corners, at the height of `max`.
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

/// Returns the length of the path from one end of the corridor to the other.
fn length(mesh: NavMesh) -> Result<f64, Status> {
    // A world without an index: A* is fast enough for a corridor.
    let world = World::from_mesh(mesh);
    let path = world.find([2.0, 0.0, 6.0], [58.0, 0.0, 6.0])?;
    Ok(path.length())
}
