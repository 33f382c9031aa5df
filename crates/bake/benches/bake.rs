//! Measures bakes: `cargo bench -p portolan-bake`. A flat and a hilly level, both of 500 x 500 cells with
//! obstacles, are baked in a single tile and in many tiles. Then one of the tiles is baked again.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::fmt;
use std::sync::OnceLock;

use common::{LevelBuilder, area, rolling, scattered_blocks};
use divan::Bencher;
use portolan_bake::{BakeOptions, Baked, TileId, Tiling, bake, rebake_tile};
use portolan_core::AreaRules;

fn main() {
    for level in BENCH_LEVELS {
        level.check();
    }
    divan::main();
}

#[derive(Clone, Copy)]
enum BenchLevel {
    Flat,
    Hilly,
}

const BENCH_LEVELS: [BenchLevel; 2] = [BenchLevel::Flat, BenchLevel::Hilly];

impl fmt::Display for BenchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flat => "flat",
            Self::Hilly => "hilly",
        })
    }
}

impl BenchLevel {
    fn triangles(self) -> &'static LevelBuilder {
        static LEVELS: [OnceLock<LevelBuilder>; 2] = [const { OnceLock::new() }; 2];
        LEVELS[self as usize].get_or_init(|| match self {
            Self::Flat => scattered_blocks(150.0, 400, 1, |_, _| 0.0),
            Self::Hilly => scattered_blocks(150.0, 400, 1, rolling),
        })
    }

    fn bake(self, tiles: Tiling, detail_sample: f32) -> Baked {
        let options = BakeOptions {
            tiles,
            detail_sample,
            ..BakeOptions::default()
        };
        bake(&self.triangles().0, &AreaRules::default(), &options).expect("the level can be baked")
    }

    /// Asserts that the walkable area does not depend on the tiling.
    fn check(self) {
        let walkable_area = |tiles| {
            area(
                &self
                    .bake(tiles, 6.0)
                    .build_navmesh()
                    .expect("the navmesh is valid"),
            )
        };
        let single = walkable_area(Tiling::SingleTile);
        for side in SIDES {
            assert!((walkable_area(Tiling::Side(side)) / single - 1.0).abs() < 0.01);
        }
    }
}

const SIDES: [u16; 3] = [64, 128, 256];

#[divan::bench(args = BENCH_LEVELS, sample_count = 10)]
fn single_tile(level: BenchLevel) -> Baked {
    level.bake(Tiling::SingleTile, 6.0)
}

#[divan::bench(args = BENCH_LEVELS, sample_count = 10)]
fn single_tile_without_detail(level: BenchLevel) -> Baked {
    level.bake(Tiling::SingleTile, 0.0)
}

#[divan::bench(args = BENCH_LEVELS, consts = SIDES, sample_count = 10)]
fn tiles<const SIDE: u16>(level: BenchLevel) -> Baked {
    level.bake(Tiling::Side(SIDE), 6.0)
}

/// Measures the reaction to a new obstacle, per tile that it touches. The time depends mostly on the
/// number of cells of the tile.
#[divan::bench(args = BENCH_LEVELS, consts = SIDES, sample_count = 10)]
fn rebake_one_tile<const SIDE: u16>(bencher: Bencher<'_, '_>, level: BenchLevel) {
    let mut baked = level.bake(Tiling::Side(SIDE), 6.0);
    let (triangles, rules) = (level.triangles(), AreaRules::default());
    let before = baked.to_raw();
    bencher.bench_local(|| rebake_tile(&mut baked, TileId(1), &triangles.0, &rules));
    assert_eq!(baked.to_raw(), before);
}
