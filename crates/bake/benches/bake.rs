//! What a bake takes: `cargo bench -p portolan-bake`. A level of 500 x 500 cells with obstacles, flat
//! or hilly, whole and in tiles, and one tile of it again.

#[path = "../tests/it/common/mod.rs"]
mod common;

use std::fmt;
use std::sync::OnceLock;

use common::{Level, area, rolling, strewn};
use divan::Bencher;
use portolan_bake::{BakeOptions, Baked, TileId, Tiles, bake, rebake_tile};
use portolan_core::AreaRules;

fn main() {
    for ground in GROUNDS {
        ground.check();
    }
    divan::main();
}

#[derive(Clone, Copy)]
enum Ground {
    Flat,
    Hilly,
}

const GROUNDS: [Ground; 2] = [Ground::Flat, Ground::Hilly];

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flat => "flat",
            Self::Hilly => "hilly",
        })
    }
}

impl Ground {
    fn level(self) -> &'static Level {
        static LEVELS: [OnceLock<Level>; 2] = [const { OnceLock::new() }; 2];
        LEVELS[self as usize].get_or_init(|| match self {
            Self::Flat => strewn(150.0, 400, 1, |_, _| 0.0),
            Self::Hilly => strewn(150.0, 400, 1, rolling),
        })
    }

    fn bake(self, tiles: Tiles, detail_sample: f32) -> Baked {
        let options = BakeOptions {
            tiles,
            detail_sample,
            ..BakeOptions::default()
        };
        bake(&self.level().0, &AreaRules::default(), &options).expect("it bakes")
    }

    /// However it is cut, it is the same ground.
    fn check(self) {
        let ground = |tiles| area(&self.bake(tiles, 6.0).build_navmesh().expect("it is sound"));
        let whole = ground(Tiles::Whole);
        for tiles in SIDES {
            assert!((ground(Tiles::Side(tiles)) / whole - 1.0).abs() < 0.01);
        }
    }
}

const SIDES: [u16; 3] = [64, 128, 256];

#[divan::bench(args = GROUNDS, sample_count = 10)]
fn whole(ground: Ground) -> Baked {
    ground.bake(Tiles::Whole, 6.0)
}

#[divan::bench(args = GROUNDS, sample_count = 10)]
fn whole_without_finer_surfaces(ground: Ground) -> Baked {
    ground.bake(Tiles::Whole, 0.0)
}

#[divan::bench(args = GROUNDS, consts = SIDES, sample_count = 10)]
fn tiles<const SIDE: u16>(ground: Ground) -> Baked {
    ground.bake(Tiles::Side(SIDE), 6.0)
}

/// What an obstacle that appears costs, per tile that it touches; mostly the tile's cells.
#[divan::bench(args = GROUNDS, consts = SIDES, sample_count = 10)]
fn one_tile_again<const SIDE: u16>(bencher: Bencher<'_, '_>, ground: Ground) {
    let mut baked = ground.bake(Tiles::Side(SIDE), 6.0);
    let (level, rules) = (ground.level(), AreaRules::default());
    let before = baked.to_raw();
    bencher.bench_local(|| rebake_tile(&mut baked, TileId(1), &level.0, &rules));
    assert_eq!(baked.to_raw(), before);
}
