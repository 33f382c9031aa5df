//! A level that is baked in tiles has the same ground and the same connections as in a single tile.

use crate::common::{LevelBuilder, PolygonPoints, area, baked, rolling, scattered_blocks};
use glam::{Vec3, vec3};
use portolan_bake::{BakeOptions, Baked, Tiling, bake};
use portolan_core::{AreaRules, NavMesh};
use proptest::prelude::*;

/// Compares the reachability of 1 000 random pairs of points, and the walkable area. The points are on the
/// ground of the single tile. A few of them may be off the tiled mesh, where outlines differ by a cell.
fn compare(single: &NavMesh, tiled: &NavMesh, tolerance: f64) -> Result<(), TestCaseError> {
    let snap = vec3(0.6, 1.5, 0.6);
    let mut points = PolygonPoints::new(single, 7);
    let mut off = 0;
    for _ in 0..1000 {
        let mut located = || {
            let (polygon, point) = points.next()?;
            let other = tiled.locate(point, snap, |_| true)?;
            Some((polygon, other.polygon, point))
        };
        let (Some(from), Some(to)) = (located(), located()) else {
            off += 1;
            continue;
        };
        let [in_single, in_tiled] = [single, tiled].map(NavMesh::components);
        let expected = in_single.of(from.0) == in_single.of(to.0);
        let got = in_tiled.of(from.1) == in_tiled.of(to.1);
        prop_assert_eq!(expected, got, "from {} to {}", from.2, to.2);
    }
    prop_assert!(off <= 20, "{off} of 1000 pairs are not on the tiled mesh");
    let (single_area, tiled_area) = (area(single), area(tiled));
    prop_assert!(
        (tiled_area / single_area - 1.0).abs() < tolerance,
        "{single_area} m2 with one tile, {tiled_area} m2 with many"
    );
    Ok(())
}

fn check(level: &LevelBuilder, side: u16, tolerance: f64) -> Result<(), TestCaseError> {
    let single = baked(level, Tiling::SingleTile);
    let tiled = baked(level, Tiling::Side(side));
    prop_assert!(tiled.grid().tiles() > 3);
    compare(
        &single.build_navmesh().unwrap(),
        &tiled.build_navmesh().unwrap(),
        tolerance,
    )
}

#[test]
fn tiles_match_a_single_tile_on_flat_ground() {
    for seed in 1..=3 {
        check(&scattered_blocks(60.0, 60, seed, |_, _| 0.0), 64, 0.01).unwrap();
    }
}

#[test]
fn tiles_match_a_single_tile_on_hills() {
    for seed in 1..=3 {
        check(&scattered_blocks(60.0, 30, seed, rolling), 48, 0.01).unwrap();
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(12))]

    #[test]
    fn tiles_of_any_size_match_a_single_tile(seed: u64, blocks in 0usize..80, side in 32u16..120, hilly: bool) {
        let height = move |x, z| if hilly { rolling(x, z) } else { 0.0 };
        // Small tiles have more borders, along which more of the outlines is simplified.
        check(&scattered_blocks(45.0, blocks, seed, height), side, 0.02)?;
    }
}

/// The passage is two cells wide, one on either side of the border between two tiles.
#[test]
fn a_narrow_passage_along_a_tile_border_stays_open() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [38.4, 38.4], 0.0);
    // Walls on both sides of the border at z = 19.2; minus the agent's radius, two cells are left.
    level.block(vec3(9.0, 0.0, 9.0), vec3(30.0, 3.0, 18.3));
    level.block(vec3(9.0, 0.0, 20.1), vec3(30.0, 3.0, 30.0));
    level.block(vec3(18.0, 0.0, -1.0), vec3(20.0, 3.0, 10.0));
    level.block(vec3(18.0, 0.0, 29.0), vec3(20.0, 3.0, 39.4));
    let [single, tiled] = [Tiling::SingleTile, Tiling::Side(64)].map(|tiles| baked(&level, tiles));
    for baked in [&single, &tiled] {
        let mesh = baked.build_navmesh().unwrap();
        let at = |x: f32| {
            mesh.locate(vec3(x, 0.0, 19.0), Vec3::ONE, |_| true)
                .unwrap()
        };
        let components = mesh.components();
        assert_eq!(
            components.of(at(4.0).polygon),
            components.of(at(35.0).polygon)
        );
    }
    compare(
        &single.build_navmesh().unwrap(),
        &tiled.build_navmesh().unwrap(),
        0.01,
    )
    .unwrap();
}

/// The passage consists of single cells along the diagonal. One tile has only one of the cells.
#[test]
fn a_diagonal_passage_across_the_corner_of_a_tile_stays_open() {
    for shift in 0..4 {
        let mut level = LevelBuilder::default();
        level.floor([0.0, 0.0], [19.2, 19.2], 0.0);
        let is_open = |x: i32, z: i32| {
            (x < 30 && z > 40)
                || (x > 40 && z < 30)
                || (x.min(z) >= 10 && (62 + shift..64 + shift).contains(&(x + z)))
        };
        for (x, z) in (0..64).flat_map(|x| (0..64).map(move |z| (x, z))) {
            if !is_open(x, z) {
                let corner = vec3(x as f32, 0.0, z as f32) * 0.3;
                // The block is too low to pass under and stays within its cell.
                level.block(
                    corner + vec3(0.01, 1.0, 0.01),
                    corner + vec3(0.29, 5.0, 0.29),
                );
            }
        }
        let options = BakeOptions {
            agent_radius: 0.0,
            tiles: Tiling::Side(32),
            ..BakeOptions::default()
        };
        let baked = bake(&level.0, &AreaRules::default(), &options).unwrap();
        let mesh = baked.build_navmesh().unwrap();
        let component = |x: f32, z: f32| {
            let room = mesh.locate(vec3(x, 0.2, z), Vec3::splat(0.5), |_| true);
            mesh.components().of(room.unwrap().polygon)
        };
        assert_eq!(component(2.0, 16.0), component(16.0, 2.0), "{shift}");
    }
}

/// Recast counts the corners of a piece with 16 bits.
#[test]
fn a_single_tile_may_have_more_corners_than_recast_can_count() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let mut level = LevelBuilder::default();
    let (rows, pitch) = (130, 2.1);
    let side = rows as f32 * pitch;
    level.floor([0.0, 0.0], [side, side], 0.0);
    for z in 0..rows {
        for x in 0..rows {
            let (x, z) = (x as f32 * pitch, z as f32 * pitch);
            level.block(vec3(x + 0.9, -1.0, z + 0.9), vec3(x + 1.2, 3.0, z + 1.2));
        }
    }
    let single = baked(&level, Tiling::SingleTile);
    assert!(
        single.statistics().splits > 0,
        "the level must be too large for one piece"
    );
    let mesh = single.build_navmesh().unwrap();
    assert!(mesh.polygon_count() > 20_000);
    assert_eq!(mesh.components().count(), 1);
    compare(
        &mesh,
        &baked(&level, Tiling::Side(256)).build_navmesh().unwrap(),
        0.01,
    )
    .unwrap();
}

/// Recast stops tracing a contour after 40 000 steps, which covers less than one side of this strip.
#[test]
fn a_single_tile_may_have_a_longer_contour_than_recast_can_trace() {
    let mut level = LevelBuilder::default();
    // The floor is as wide as two radii, the cells of the ledges on both sides and one more cell.
    level.floor([0.0, 0.0], [7500.0, 2.1], 0.0);
    let options = BakeOptions {
        max_edge: 0.0,
        tiles: Tiling::SingleTile,
        ..BakeOptions::default()
    };
    let single = bake(&level.0, &AreaRules::default(), &options).unwrap();
    assert!(
        single.statistics().splits > 0,
        "the contour must be too long for one piece"
    );
    let mesh = single.build_navmesh().unwrap();
    assert_eq!(mesh.components().count(), 1);
    for x in [3.0, 2000.0, 4000.0, 6000.0, 7497.0] {
        let point = vec3(x, 0.0, 1.05);
        assert!(mesh.locate(point, Vec3::ONE, |_| true).is_some(), "{point}");
    }
}

/// Recast turns a spiral ramp into a single region, whose contour crosses itself.
#[test]
fn a_spiral_ramp_above_itself_is_baked() {
    let mut level = LevelBuilder::default();
    level.floor([-20.0, -20.0], [20.0, 20.0], 0.0);
    let ring = [[8.0, 8.0], [-8.0, 8.0], [-8.0, -8.0], [8.0, -8.0]];
    for turn in 0..12 {
        let [from, to] = [ring[turn % 4], ring[(turn + 1) % 4]];
        let [low, high] = [turn as f32 * 1.0, (turn + 1) as f32 * 1.0];
        let inner = |at: [f32; 2], y: f32| vec3(at[0] * 0.6, y, at[1] * 0.6);
        let outer = |at: [f32; 2], y: f32| vec3(at[0], y, at[1]);
        level.quad([
            inner(from, low),
            inner(to, high),
            outer(to, high),
            outer(from, low),
        ]);
    }
    for tiles in [Tiling::SingleTile, Tiling::Side(64)] {
        let mesh = baked(&level, tiles).build_navmesh().unwrap();
        let at = |point| {
            mesh.locate(point, vec3(1.0, 0.8, 1.0), |_| true)
                .unwrap()
                .polygon
        };
        let components = mesh.components();
        assert_eq!(
            components.of(at(vec3(15.0, 0.0, 0.0))),
            components.of(at(vec3(6.4, 11.5, 0.0))),
            "{tiles:?}"
        );
    }
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let level = scattered_blocks(60.0, 50, 3, rolling);
    for tiles in [Tiling::Side(32), Tiling::SingleTile] {
        let with = |threads: usize| -> Baked {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap().install(|| baked(&level, tiles))
        };
        let one = with(1).to_raw();
        assert_eq!(one, with(2).to_raw());
        assert_eq!(one, with(4).to_raw());
    }
}
