//! Bakes of built-in levels have the recorded polygons. A change of these numbers changes every navmesh
//! of every user, so it needs a reason and an entry in the changelog.

use portolan_bake::{BakeOptions, BakedParts, Tiling, bake};
use portolan_core::AreaRules;
use portolan_scenes::{LevelScene, SceneOptions};

/// The hash of Fowler, Noll and Vo, which is the same on every platform.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, number: u32) {
        for byte in number.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_point(&mut self, point: &glam::Vec3) {
        point.to_array().iter().for_each(|c| self.add(c.to_bits()));
    }
}

fn hash(parts: &BakedParts) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    parts
        .vertices
        .iter()
        .for_each(|point| hash.add_point(point));
    for polygon in parts.polygons.iter() {
        hash.add(polygon.len() as u32);
        polygon.iter().for_each(|&corner| hash.add(corner));
    }
    for numbers in [
        &parts.tile_vertices,
        &parts.tile_polygons,
        &parts.region_cells,
    ] {
        numbers.iter().for_each(|&number| hash.add(number));
    }
    parts.areas.iter().for_each(|&area| hash.add(area.into()));
    for points in parts.heights.vertices.iter() {
        hash.add(points.len() as u32);
        points.iter().for_each(|point| hash.add_point(point));
    }
    for triangles in parts.heights.triangles.iter() {
        hash.add(triangles.len() as u32);
        let corners = triangles.as_flattened().iter();
        corners.for_each(|&corner| hash.add(corner.into()));
    }
    hash.0
}

#[test]
fn built_in_levels_have_the_recorded_polygons() {
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let found = pool.unwrap().install(|| {
            RECORDED.map(|(scene, tiles, ..)| {
                let level = scene.build(&SceneOptions::default());
                let options = BakeOptions {
                    tiles,
                    ..BakeOptions::default()
                };
                let baked = bake(&level, &AreaRules::default(), &options).unwrap();
                let parts = baked.to_parts();
                (scene, tiles, parts.polygons.len(), hash(&parts))
            })
        });
        assert_eq!(found, RECORDED, "{threads} threads");
    }
}

/// The level, its tiles, the number of its polygons and their hash.
const RECORDED: [(LevelScene, Tiling, usize, u64); 7] = [
    (LevelScene::Simple, Tiling::Auto, 80, 0x65bc_1162_b5cd_1580),
    (
        LevelScene::Simple,
        Tiling::Side(32),
        93,
        0x1b53_fbed_f1a5_ff6f,
    ),
    (
        LevelScene::Dungeon,
        Tiling::Auto,
        126,
        0xace5_d792_27eb_a7e6,
    ),
    (LevelScene::Map, Tiling::Auto, 217, 0xd176_50b1_1e75_0719),
    (
        LevelScene::Map,
        Tiling::Side(48),
        233,
        0xcfd1_4ddb_2b0f_660a,
    ),
    (LevelScene::Tower, Tiling::Auto, 630, 0x94fc_c147_7478_9cf0),
    (
        LevelScene::Tower,
        Tiling::Side(64),
        691,
        0x3b2d_3eb7_b9cf_3d86,
    ),
];
