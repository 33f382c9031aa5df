//! Queries on real maps with known optimal lengths. The maps are in a folder beside the checkout and not part
//! of it. Without them the tests print that they are skipped, and pass.

use std::path::PathBuf;

use glam::{Vec3, vec3};
use portolan_core::{Engine, Path, Query, Scratch, Status, World};

const MAPS: [&str; 6] = [
    "nav_test",
    "dungeon",
    "undulating",
    "lqdm5",
    "lq_e1m1",
    "vaduz",
];

fn map_file(name: &str) -> Option<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let bytes = std::fs::read(folder.join(name)).ok();
    if bytes.is_none() {
        println!("skipped: there is no {name}");
    }
    bytes
}

struct ReferenceQuery {
    from: Vec3,
    to: Vec3,
    optimum_xz: f64,
}

fn references(text: &str) -> Vec<ReferenceQuery> {
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let n: Vec<f64> = line
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        let point = |i: usize| vec3(n[i] as f32, n[i + 1] as f32, n[i + 2] as f32);
        ReferenceQuery {
            from: point(1),
            to: point(5),
            optimum_xz: n[10],
        }
    })
    .collect()
}

fn open_map(name: &str) -> Option<(World, Vec<ReferenceQuery>)> {
    let mesh = map_file(&format!("{name}.navmesh.obj"))?;
    let queries = map_file(&format!("{name}.queries.txt"))?;
    let imported = portolan_formats::import_bytes("map.obj", &mesh).unwrap();
    let world = World::build(imported.raw, &imported.options).unwrap();
    Some((world, references(&String::from_utf8(queries).unwrap())))
}

#[test]
fn paths_of_reference_queries_are_near_the_optimum() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    for map in MAPS {
        let Some((world, references)) = open_map(map) else {
            continue;
        };
        let (mut scratch, mut path, mut exact) = (Scratch::new(), Path::default(), Path::default());
        let mut ratios = Vec::new();
        for (i, reference) in references.iter().enumerate() {
            let mut query = Query::new(reference.from, reference.to);
            let status = world
                .find_path(&query, &mut scratch, &mut path)
                .expect("the world has this engine");
            assert_eq!(status, Status::Found, "{map}, query {i}");
            query.engine = Engine::Dijkstra;
            assert_eq!(
                world
                    .find_path(&query, &mut scratch, &mut exact)
                    .expect("the world has this engine"),
                Status::Found
            );
            let mismatch = (path.cost - exact.cost).abs() / exact.cost.max(1e-3);
            assert!(
                mismatch < 1e-5,
                "{map}, query {i}: {}, expected {}",
                path.cost,
                exact.cost
            );
            ratios.push(path.length_xz() / reference.optimum_xz);
        }
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        let min = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let max = ratios.iter().copied().fold(0.0, f64::max);
        println!("{map}: length over optimum: mean {mean:.4}, min {min:.5}, max {max:.3}");
        println!(
            "    {:?}, {} components, {} portals",
            world.mesh().repairs(),
            world.mesh().components().count(),
            world.mesh().portals().len()
        );
        assert!(mean <= 1.02, "{map}: {mean}");
        assert!(min >= 0.999, "{map}: {min}");
    }
}

#[test]
fn the_tiles_of_a_detour_file_are_linked() {
    let Some(bytes) = map_file("dungeon_all_tiles_navmesh.bin") else {
        return;
    };
    let imported = portolan_formats::import_bytes("map.bin", &bytes).unwrap();
    let world = World::build(imported.raw, &imported.options).unwrap();
    let (mesh, components) = (world.mesh(), world.mesh().components());
    let largest = components.largest();
    let fraction = f64::from(components.size(largest)) / mesh.polygon_count() as f64;
    println!(
        "{} polygons, {} components, {fraction:.3} in the largest",
        mesh.polygon_count(),
        components.count()
    );
    // Detour links 115 of 143 polygons. The others are islands, also in the map that is built without tiles.
    assert!(fraction > 0.8, "{fraction}");

    // Any two polygons of the largest component have a path, and the longest crosses many tiles. The bits
    // of a reference above the lowest 20 are the tile.
    let largest: Vec<_> = mesh
        .polygons()
        .filter(|&p| components.of(p) == largest)
        .collect();
    let mut max_tiles = 0;
    for &from in &largest {
        for &to in &largest {
            let path = world.find(mesh.centre(from), mesh.centre(to)).unwrap();
            let polygons = path.corridor.polygons.iter();
            let mut tiles: Vec<u64> = polygons.map(|&p| mesh.user_id(p) >> 20).collect();
            tiles.sort_unstable();
            tiles.dedup();
            max_tiles = max_tiles.max(tiles.len());
        }
    }
    println!("the longest path crosses {max_tiles} tiles");
    assert!(max_tiles >= 10, "{max_tiles}");
}
