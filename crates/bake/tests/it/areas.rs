//! Areas, holes and links from materials, volumes and rules.

use crate::common::{LevelBuilder, area};
use glam::{Vec2, Vec3, vec2, vec3};
use portolan_bake::{BakeOptions, Tiling, bake};
use portolan_core::{AreaRules, Ground, NavMesh, RawLink, Volume};

fn bake_with(level: &LevelBuilder, rules: &AreaRules, tiles: Tiling) -> NavMesh {
    let options = BakeOptions {
        tiles,
        ..BakeOptions::default()
    };
    let baked = bake(&level.0, rules, &options).unwrap();
    baked.build_navmesh().unwrap()
}

fn area_at(mesh: &NavMesh, x: f32, z: f32) -> Option<u8> {
    let snap = vec3(0.05, 1.0, 0.05);
    let location = mesh.locate(vec3(x, 0.1, z), snap, |_| true)?;
    Some(mesh.area(location.polygon))
}

/// A floor of 30 x 30 m in three strips with the materials "plain", "grass" and "water".
fn strips() -> LevelBuilder {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [10.0, 30.0], 0.0);
    level.floor([10.0, 0.0], [20.0, 30.0], 0.0);
    level.floor([20.0, 0.0], [30.0, 30.0], 0.0);
    level.0.material_names = ["plain", "grass", "water"].map(String::from).into();
    level.0.materials = vec![0, 0, 1, 1, 2, 2];
    level
}

const TILINGS: [Tiling; 2] = [Tiling::SingleTile, Tiling::Side(32)];

#[test]
fn materials_become_areas_or_holes() {
    let rules = AreaRules {
        materials: [
            ("grass".to_owned(), Ground::Area(5)),
            ("water".to_owned(), Ground::Hole),
        ]
        .into(),
        ..AreaRules::default()
    };
    for tiles in TILINGS {
        let mesh = bake_with(&strips(), &rules, tiles);
        assert_eq!(area_at(&mesh, 5.0, 15.0), Some(0));
        assert_eq!(area_at(&mesh, 15.0, 15.0), Some(5));
        assert_eq!(area_at(&mesh, 25.0, 15.0), None);
        // Agents keep their radius from a hole.
        assert_eq!(area_at(&mesh, 19.8, 15.0), None);
        // The two areas are connected.
        assert_eq!(mesh.components().count(), 1);
    }
}

#[test]
fn a_hole_just_above_the_ground_removes_it() {
    let mut level = strips();
    level.floor([2.0, 10.0], [8.0, 20.0], 0.4);
    level.0.materials.extend([2, 2]);
    let rules = AreaRules {
        materials: [("water".to_owned(), Ground::Hole)].into(),
        ..AreaRules::default()
    };
    let mesh = bake_with(&level, &rules, Tiling::SingleTile);
    assert_eq!(area_at(&mesh, 5.0, 15.0), None);
    assert_eq!(area_at(&mesh, 5.0, 5.0), Some(0));
}

#[test]
fn volumes_mark_the_ground_inside_them() {
    let rules = AreaRules {
        volumes: vec![
            Volume::cuboid(vec3(2.0, -1.0, 2.0), vec3(8.0, 1.0, 8.0), Ground::Area(7)),
            // This volume is above the ground and marks nothing.
            Volume::cuboid(vec3(2.0, 3.0, 20.0), vec3(8.0, 5.0, 28.0), Ground::Area(9)),
            Volume {
                outline: [[12.0, 12.0], [18.0, 12.0], [15.0, 18.0]]
                    .map(Vec2::from_array)
                    .into(),
                bottom: -1.0,
                top: 1.0,
                ground: Ground::Hole,
            },
            // Later volumes override earlier ones.
            Volume::cuboid(vec3(4.0, -1.0, 4.0), vec3(6.0, 1.0, 6.0), Ground::Area(3)),
        ],
        ..AreaRules::default()
    };
    for tiles in TILINGS {
        let mesh = bake_with(&strips(), &rules, tiles);
        assert_eq!(area_at(&mesh, 3.0, 3.0), Some(7));
        assert_eq!(area_at(&mesh, 5.0, 5.0), Some(3));
        assert_eq!(area_at(&mesh, 5.0, 24.0), Some(0));
        assert_eq!(area_at(&mesh, 15.0, 13.5), None);
        assert_eq!(area_at(&mesh, 15.0, 25.0), Some(0));
        // The marked area is that of the volume, up to a cell.
        let marked = mesh.polygons().filter(|&p| mesh.area(p) == 3);
        let size: f64 = marked.map(|p| mesh.polygon_area(p)).sum();
        assert!((size - 4.0).abs() < 1.3, "{size} m2");
    }
}

#[test]
fn volumes_of_any_size_mark_the_ground() {
    for reach in [1e3, 1e20, f32::MAX] {
        let corner = Vec3::splat(reach);
        let rules = AreaRules {
            volumes: vec![Volume::cuboid(-corner, corner, Ground::Area(7))],
            ..AreaRules::default()
        };
        let mesh = bake_with(&strips(), &rules, Tiling::Auto);
        assert_eq!(area_at(&mesh, 15.0, 15.0), Some(7), "{reach}");
    }
}

/// The largest radius is wider than the 127 cells that `rerecast` can erode in one step.
#[test]
fn agents_keep_their_radius_from_ledges() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [150.0, 150.0], 0.0);
    for cells in [2, 100, 127, 128, 200, 250] {
        let radius = cells as f32 * 0.25;
        let options = BakeOptions {
            cell_size: 0.25,
            agent_radius: radius,
            ..BakeOptions::default()
        };
        let baked = bake(&level.0, &AreaRules::default(), &options).unwrap();
        let size = area(&baked.build_navmesh().unwrap());
        // The outermost cells of the floor count as a ledge.
        let side = f64::from(150.0 - 2.0 * radius - 0.5);
        assert!((size - side * side).abs() < 1.0, "{cells} cells: {size} m2");
    }
}

#[test]
fn links_connect_separate_floors() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [9.0, 9.0], 0.0);
    level.floor([20.0, 0.0], [29.0, 9.0], 3.0);
    let rules = AreaRules {
        links: vec![RawLink {
            start: vec3(5.0, 0.0, 5.0),
            end: vec3(25.0, 3.0, 5.0),
            both_ways: true,
            area: 4,
            ..RawLink::default()
        }],
        ..AreaRules::default()
    };
    let mesh = bake_with(&level, &rules, Tiling::Auto);
    assert_eq!(mesh.links().len(), 1);
    assert_eq!(mesh.components().count(), 1);
    let without = bake_with(&level, &AreaRules::default(), Tiling::Auto);
    assert_eq!(without.components().count(), 2);
}

#[test]
fn links_off_the_mesh_are_counted_when_islands_are_dropped() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [20.1, 20.1], 0.0);
    // An island across the border of two tiles that is too small to be kept.
    level.floor([8.0, 2.0], [11.0, 5.0], 5.0);
    let rules = AreaRules {
        links: vec![RawLink {
            start: vec3(5.0, 0.0, 5.0),
            end: vec3(500.0, 0.0, 5.0),
            ..RawLink::default()
        }],
        ..AreaRules::default()
    };
    let options = BakeOptions {
        tiles: Tiling::Side(32),
        ..BakeOptions::default()
    };
    let baked = bake(&level.0, &rules, &options).unwrap();
    let mesh = baked.build_navmesh().unwrap();
    assert!(mesh.polygon_count() < baked.to_raw().polygons.len());
    assert_eq!(mesh.repairs().links_off_mesh, 1);
}

#[test]
fn areas_carry_flags() {
    let mut rules = AreaRules {
        materials: [
            ("grass".to_owned(), Ground::Area(5)),
            ("water".to_owned(), Ground::Area(6)),
        ]
        .into(),
        flags: [(5, 0x12), (6, 0)].into(),
        ..AreaRules::default()
    };
    for tiles in TILINGS {
        let mesh = bake_with(&strips(), &rules, tiles);
        let expected = |area: u8| match area {
            5 => 0x12,
            6 => 0,
            _ => 1,
        };
        for polygon in mesh.polygons() {
            assert_eq!(mesh.flags(polygon), expected(mesh.area(polygon)));
        }
        for x in [5.0, 15.0, 25.0] {
            assert!(area_at(&mesh, x, 15.0).is_some());
        }
    }
    rules.flags.insert(63, 1);
    let error = bake(&strips().0, &rules, &BakeOptions::default()).unwrap_err();
    assert!(error.to_string().contains("area 63"), "{error}");
    rules.flags.clear();
    let baked = bake(&strips().0, &rules, &BakeOptions::default()).unwrap();
    assert!(baked.to_raw().flags.is_empty());
}

#[test]
fn rules_for_unknown_materials_are_reported() {
    let rules = AreaRules {
        materials: [("gras".to_owned(), Ground::Area(5))].into(),
        ..AreaRules::default()
    };
    let baked = bake(&strips().0, &rules, &BakeOptions::default()).unwrap();
    assert_eq!(baked.statistics().unused_rules, ["gras"]);
}

#[test]
fn invalid_rules_are_refused() {
    let level = strips();
    let error = |rules: AreaRules| {
        let error = bake(&level.0, &rules, &BakeOptions::default()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        error(AreaRules {
            materials: [("grass".to_owned(), Ground::Area(63))].into(),
            ..AreaRules::default()
        }),
        "material \"grass\" has area 63, but a bake supports areas 0 to 62 only"
    );
    let volume = |outline: Vec<Vec2>, top: f32| AreaRules {
        volumes: vec![Volume {
            outline,
            bottom: 0.0,
            top,
            ground: Ground::Hole,
        }],
        ..AreaRules::default()
    };
    assert_eq!(
        error(volume(vec![vec2(0.0, 0.0), vec2(1.0, 0.0)], 1.0)),
        "volume 0: the outline has fewer than three corners"
    );
    let triangle = vec![Vec2::ZERO, Vec2::X, Vec2::Y];
    assert_eq!(
        error(volume(triangle, f32::NAN)),
        "volume 0: a coordinate is not finite"
    );
}
