//! A tile that was baked again is handed to a world that changes, which then answers like a world from a full bake.

use crate::common::{baked, rolling, scattered_blocks};
use glam::{Vec3, vec3};
use portolan_bake::{BakeError, TileId, Tiling, rebake_tile};
use portolan_core::{
    AreaRules, DEFAULT_SNAP, Engine, LiveOptions, LiveWorld, NavMesh, Path, Query, Scratch, World,
};

/// Returns the user ids of all polygons that are present, with their corners, in ascending order.
fn outlines(mesh: &NavMesh) -> Vec<(u64, Vec<[f32; 3]>)> {
    let present = mesh.polygons().filter(|&polygon| !mesh.is_gone(polygon));
    let outline = |polygon| mesh.corner_points(polygon).map(Into::into).collect();
    let mut outlines: Vec<_> = present
        .map(|polygon| (mesh.user_id(polygon), outline(polygon)))
        .collect();
    outlines.sort_by_key(|(id, _)| *id);
    outlines
}

#[test]
fn a_tile_that_was_baked_again_replaces_its_polygons() {
    let before = scattered_blocks(60.0, 40, 5, rolling);
    let old = baked(&before, Tiling::Side(64));
    let centre = vec3(48.0, rolling(48.0, 10.0), 10.0);
    let tile = old.grid().tile_at(centre).unwrap();
    let mut after = before.clone();
    after.block(centre - vec3(1.0, 3.0, 1.0), centre + vec3(1.0, 3.0, 1.0));

    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(World::from_mesh(old.build_navmesh().unwrap()), options);
    let first = live.snapshot();
    let mut new = old.clone();
    // The obstacle appears, disappears and appears again.
    for level in [&after, &before, &after] {
        rebake_tile(&mut new, tile, &level.0, &AreaRules::default()).unwrap();
        let replacement = new.replacement(live.snapshot().mesh(), &[tile]).unwrap();
        assert!(!replacement.remove.is_empty());
        let replaced = live.replace(&replacement).unwrap().wait().unwrap();
        assert!(replaced.polygons.iter().all(Option::is_some));

        let full = World::from_mesh(baked(level, Tiling::Side(64)).build_navmesh().unwrap());
        let snapshot = live.snapshot();
        let mesh = snapshot.mesh();
        assert_eq!(outlines(mesh), outlines(full.mesh()));
        assert_eq!(mesh.portals().len(), full.mesh().portals().len());
        assert_eq!(mesh.components().count(), full.mesh().components().count());
        assert_eq!(mesh.links().len(), full.mesh().links().len());
        // Polygons of other tiles have kept their ids.
        let untouched = first
            .mesh()
            .polygons()
            .filter(|&polygon| first.mesh().user_id(polygon) >> 20 != u64::from(tile.0));
        for polygon in untouched {
            assert!(!mesh.is_gone(polygon));
            assert_eq!(mesh.user_id(polygon), first.mesh().user_id(polygon));
        }
        let mut random = oorandom::Rand32::new(3);
        let mut point = || {
            let [x, z] = [(); 2].map(|()| random.rand_float() * 60.0);
            let around = Vec3::new(x, rolling(x, z), z);
            full.mesh()
                .locate(around, DEFAULT_SNAP, |_| true)
                .map(|found| found.point)
        };
        let mut found = 0;
        for _ in 0..100 {
            let (Some(from), Some(to)) = (point(), point()) else {
                continue;
            };
            let find = |world: &World| {
                let mut path = Path::default();
                let query = Query {
                    engine: Engine::AStar,
                    ..Query::new(from, to)
                };
                let status = world.find_path(&query, &mut Scratch::new(), &mut path);
                (status.unwrap(), f64::from(path.cost))
            };
            let (ours, theirs) = (find(&snapshot), find(&full));
            assert_eq!(ours.0, theirs.0);
            assert!(
                (ours.1 - theirs.1).abs() <= 1e-4 * theirs.1.max(1.0),
                "{ours:?} {theirs:?}"
            );
            found += usize::from(theirs.0.has_path());
        }
        assert!(found > 30, "{found} paths");
    }
    assert!(matches!(
        new.replacement(live.snapshot().mesh(), &[TileId(999)]),
        Err(BakeError::NoSuchTile { .. })
    ));
}
