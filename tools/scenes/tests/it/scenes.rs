//! Tests of the geometry of level scenes: it is valid and reproducible.

use portolan_core::Triangles;
use portolan_scenes::{HeightFunction, LevelScene, Scene, SceneOptions, Size, WorldScene};

fn small(scene: LevelScene, seed: u64) -> Triangles {
    let size = Size::Small;
    scene.build(&SceneOptions {
        size,
        seed,
        floors: None,
    })
}

/// Returns the FNV-1a hash of all positions, triangles and materials.
fn hash(scene: &Triangles) -> u64 {
    let positions = scene
        .vertices
        .iter()
        .flat_map(|v| v.to_array())
        .map(f32::to_bits);
    let numbers = scene
        .triangles
        .iter()
        .flatten()
        .chain(&scene.materials)
        .copied();
    positions
        .chain(numbers)
        .flat_map(u32::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

#[test]
fn scenes_are_valid() {
    for scene in LevelScene::ALL {
        for seed in [1, 2, 0xffff_ffff_ffff_ffff] {
            let triangles = small(scene, seed);
            let name = format!("{scene}, seed {seed}");
            assert!(triangles.vertices.iter().all(|v| v.is_finite()), "{name}");
            assert_eq!(
                triangles.materials.len(),
                triangles.triangles.len(),
                "{name}"
            );
            let materials = triangles.material_names.len() as u32;
            assert!(
                triangles
                    .materials
                    .iter()
                    .all(|&material| material < materials),
                "{name}"
            );
            let count = triangles.vertices.len() as u32;
            assert!(
                triangles.triangles.iter().flatten().all(|&v| v < count),
                "{name}"
            );
            let smallest = (0..triangles.triangles.len())
                .map(|triangle| triangles.normal(triangle).length())
                .fold(f32::INFINITY, f32::min);
            assert!(
                smallest > 5e-4,
                "{name}: a triangle of {} m2",
                0.5 * smallest
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_scene() {
    for scene in LevelScene::ALL {
        let first = hash(&small(scene, 1));
        assert_eq!(first, hash(&small(scene, 1)), "{scene}");
        assert_ne!(first, hash(&small(scene, 2)), "{scene}");
    }
}

/// Another platform, another compiler or a change to the modelling kit must not move a vertex. An intended
/// change to a scene requires a new value here.
#[test]
fn scenes_have_their_recorded_hashes() {
    let recorded = [
        (LevelScene::Simple, 0x9f61_c107_e919_a70c),
        (LevelScene::Dungeon, 0x4c76_d528_e070_d7cc),
        (LevelScene::Map, 0xab8b_5051_7b0c_794a),
        (LevelScene::CityColony, 0x44f2_afeb_b1b4_1159),
        (LevelScene::Serpentine, 0x662c_3768_4501_3017),
        (LevelScene::CityIslands, 0x9963_c989_a47d_605c),
        (LevelScene::Tropical, 0x507f_cc6e_f789_cf56),
        (LevelScene::Medieval, 0x769e_7023_ca4c_f070),
        (LevelScene::Sirius, 0x50c9_cf71_81f4_e2bc),
        (LevelScene::Tower, 0x5922_8905_9166_934e),
    ];
    for (scene, expected) in recorded {
        let hash = hash(&small(scene, 1));
        assert_eq!(hash, expected, "{scene}: {hash:#018x}");
    }
}

#[test]
fn larger_sizes_and_more_floors_have_more_triangles() {
    for scene in LevelScene::ALL {
        let count = |size| {
            let options = SceneOptions {
                size,
                ..Default::default()
            };
            scene.build(&options).triangles.len()
        };
        let [small, paper] = [Size::Small, Size::Paper].map(count);
        assert!(
            small <= paper,
            "{scene}: {small} triangles at size small, {paper} at size paper"
        );
    }
    let tower = |floors| {
        let options = SceneOptions {
            floors: Some(floors),
            ..Default::default()
        };
        LevelScene::Tower.build(&options).triangles.len()
    };
    assert!(tower(0) == tower(1) && tower(1) < tower(2) && tower(2) < tower(40));
}

#[test]
fn names_can_be_parsed() {
    for scene in LevelScene::ALL {
        assert_eq!(scene.name().parse(), Ok(scene));
        assert_eq!(scene.to_string(), scene.name());
        assert!(!scene.description().is_empty());
    }
    for size in Size::ALL {
        assert_eq!(size.name().parse(), Ok(size));
    }
    let error = "atlantis".parse::<LevelScene>().unwrap_err().to_string();
    assert!(
        error.contains("atlantis") && error.contains("simple, dungeon, map"),
        "{error}"
    );
    let error = "huge".parse::<Size>().unwrap_err().to_string();
    assert!(error.contains("small, paper, large"), "{error}");
}

/// Levels, worlds and height maps share one namespace.
#[test]
fn every_scene_has_a_unique_name() {
    let scenes: Vec<Scene> = Scene::all().collect();
    assert_eq!(
        scenes.len(),
        LevelScene::ALL.len() + WorldScene::ALL.len() + HeightFunction::ALL.len()
    );
    for scene in scenes {
        assert_eq!(scene.name().parse(), Ok(scene));
        assert!(!scene.description().is_empty());
    }
    let error = "atlantis".parse::<Scene>().unwrap_err().to_string();
    assert!(error.contains("tower, rooms, open, cone"), "{error}");
}
