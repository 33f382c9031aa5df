//! Baking one tile again gives the same tile as baking the entire level, and changes no other tile.

use crate::common::{LevelBuilder, baked, rolling, scattered_blocks};
use glam::vec3;
use portolan_bake::{BakeError, Baked, TileId, Tiling, rebake_tile};
use portolan_core::{AreaRules, Triangles};

/// Returns the polygons of a tile as ids, corners and areas.
fn polygons_of(baked: &Baked, tile: TileId) -> Vec<(u64, Vec<[f32; 3]>, u8)> {
    let raw = baked.to_raw();
    let ids = raw.ids.iter().zip(raw.polygons.iter()).zip(&raw.areas);
    ids.filter(|((id, _), _)| (**id >> 20) as u32 == tile.0)
        .map(|((id, corners), area)| {
            let corners = corners.iter().map(|&v| raw.vertices[v as usize].to_array());
            (*id, corners.collect(), *area)
        })
        .collect()
}

fn tiles(baked: &Baked) -> impl Iterator<Item = TileId> {
    (0..baked.grid().tiles() as u32).map(TileId)
}

#[test]
fn a_new_obstacle_changes_only_its_tile() {
    let before = scattered_blocks(60.0, 40, 5, rolling);
    let old = baked(&before, Tiling::Side(64));
    let centre = vec3(48.0, rolling(48.0, 10.0), 10.0);
    let tile = old.grid().tile_at(centre).unwrap();
    let mut after = before.clone();
    after.block(centre - vec3(1.0, 3.0, 1.0), centre + vec3(1.0, 3.0, 1.0));

    let mut new = old.clone();
    rebake_tile(&mut new, tile, &after.0, &AreaRules::default()).unwrap();
    assert_ne!(polygons_of(&new, tile), polygons_of(&old, tile));
    for other in tiles(&old).filter(|&other| other != tile) {
        assert_eq!(polygons_of(&new, other), polygons_of(&old, other));
    }
    let all = baked(&after, Tiling::Side(64));
    assert_eq!(all.grid(), new.grid(), "the obstacle is within the grid");
    assert_eq!(all.to_raw(), new.to_raw());
    // The ground is blocked by the obstacle.
    let mesh = new.build_navmesh().unwrap();
    assert!(mesh.locate(centre, vec3(0.3, 1.0, 0.3), |_| true).is_none());

    rebake_tile(&mut new, tile, &before.0, &AreaRules::default()).unwrap();
    assert_eq!(
        new.to_raw(),
        old.to_raw(),
        "removing the obstacle restores the tile"
    );
}

#[test]
fn a_tile_can_become_empty() {
    let level = scattered_blocks(60.0, 10, 5, |_, _| 0.0);
    let mut baked = baked(&level, Tiling::Side(64));
    let tile = TileId(0);
    rebake_tile(
        &mut baked,
        tile,
        &Triangles::default(),
        &AreaRules::default(),
    )
    .unwrap();
    assert_eq!(baked.polygons_of(tile), 0);
    assert!(baked.polygons_of(TileId(1)) > 0);
    assert!(baked.build_navmesh().is_ok());
}

#[test]
fn geometry_outside_of_the_grid_is_ignored_or_refused() {
    let level = scattered_blocks(60.0, 10, 5, |_, _| 0.0);
    let old = baked(&level, Tiling::Side(64));
    let rebaked = |change: &dyn Fn(&mut LevelBuilder)| {
        let (mut new, mut changed) = (old.clone(), level.clone());
        change(&mut changed);
        rebake_tile(&mut new, TileId(5), &changed.0, &AreaRules::default()).map(|()| new)
    };
    for reach in [1e3, 1e5, 1e7, 1e9, 1e20, f32::MAX] {
        // A floor under the ground, too large for 32-bit floats to clip exactly.
        let new = rebaked(&|level| level.floor([-reach, -reach], [reach, reach], -5.0));
        assert_eq!(new.unwrap().to_raw(), old.to_raw(), "{reach}");
    }
    let floor_at =
        |y: f32| move |level: &mut LevelBuilder| level.floor([22.0, 22.0], [30.0, 30.0], y);
    let high = rebaked(&floor_at(12_990.0)).unwrap();
    assert!(high.polygons_of(TileId(5)) > old.polygons_of(TileId(5)));
    for y in [13_080.0, 13_110.0, 1e30] {
        let error = rebaked(&floor_at(y)).unwrap_err();
        assert!(matches!(error, BakeError::TooHigh { .. }), "{y}: {error}");
    }
}

#[test]
fn a_tile_that_does_not_exist_is_refused() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [9.0, 9.0], 0.0);
    let mut baked = baked(&level, Tiling::SingleTile);
    let tile = TileId(7);
    let error = rebake_tile(&mut baked, tile, &level.0, &AreaRules::default()).unwrap_err();
    assert_eq!(error, BakeError::NoSuchTile { tile, tiles: 1 });
}

#[test]
fn rebaking_replaces_all_links() {
    let level = scattered_blocks(60.0, 10, 5, |_, _| 0.0);
    let mut baked = baked(&level, Tiling::Side(64));
    let rules = AreaRules {
        links: vec![portolan_core::RawLink::default()],
        ..AreaRules::default()
    };
    rebake_tile(&mut baked, TileId(0), &level.0, &rules).unwrap();
    assert_eq!(baked.to_raw().links, rules.links);
}
