//! Tests on a floor, and on levels with known numbers of polygons if their files exist.

use std::path::PathBuf;

use glam::vec3;
use portolan_bake::{BakeOptions, Tiling};
use portolan_core::Triangles;
use portolan_formats::LevelOptions;

use super::bake;

/// A square floor with a side of 24 m.
fn floor() -> Triangles {
    Triangles {
        vertices: vec![
            vec3(0.0, 0.0, 0.0),
            vec3(0.0, 0.0, 24.0),
            vec3(24.0, 0.0, 24.0),
            vec3(24.0, 0.0, 0.0),
        ],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
        ..Triangles::default()
    }
}

#[test]
fn a_floor_is_one_polygon_per_tile() {
    let options = BakeOptions {
        max_edge: 0.0,
        ..BakeOptions::default()
    };
    assert_eq!(bake(&floor(), &options).unwrap().polygons, 1);
    // The floor has 80 x 80 cells.
    let options = BakeOptions {
        tiles: Tiling::Side(32),
        ..options
    };
    assert_eq!(bake(&floor(), &options).unwrap().polygons, 9);
}

#[test]
fn a_ceiling_has_no_polygons_and_invalid_input_is_rejected() {
    let options = BakeOptions::default();
    let mut ceiling = floor();
    for triangle in &mut ceiling.triangles {
        triangle.swap(0, 1);
    }
    assert_eq!(bake(&ceiling, &options).unwrap().polygons, 0);
    assert!(bake(&Triangles::default(), &options).is_err());
    let mut broken = floor();
    broken.triangles.push([0, 1, 4]);
    assert!(bake(&broken, &options).is_err());
    let mut high = floor();
    high.vertices[0].y = 2000.0;
    assert!(bake(&high, &options).is_err());
}

#[test]
fn levels_have_the_known_numbers_of_polygons() {
    let quake = BakeOptions {
        cell_size: 0.15,
        cell_height: 0.1,
        agent_height: 1.75,
        agent_radius: 0.5,
        agent_climb: 0.5625,
        tiles: Tiling::SingleTile,
        ..BakeOptions::default()
    };
    let city = BakeOptions {
        cell_size: 0.5,
        cell_height: 0.5,
        agent_radius: 0.5,
        tiles: Tiling::Side(256),
        ..BakeOptions::default()
    };
    for (name, options, expected) in [
        ("dungeon", BakeOptions::default(), 118),
        ("nav_test", BakeOptions::default(), 155),
        ("lq_e1m1", quake, 1702),
        ("vaduz", city, 13_550),
    ] {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
        let Ok(level) = portolan_formats::open_geometry(
            &folder.join(format!("{name}.obj")),
            &LevelOptions::default(),
        ) else {
            eprintln!("skipped: no {name} in shared/maps");
            continue;
        };
        let baked = bake(&level, &options).unwrap();
        eprintln!("{name}: {} polygons in {:.0} ms", baked.polygons, baked.ms);
        assert_eq!(baked.polygons, expected, "{name}");
    }
}
