//! Compares the detail surfaces of polygons with the ground that they approximate.

use crate::common::terrain::{TestTerrain, downs, flat, hills};
use crate::common::{LevelBuilder, PolygonPoints, map};
use glam::{Vec3, vec3};
use portolan_bake::{BakeError, BakeOptions, Baked, Tiling, bake};
use portolan_core::geometry::{lerp, orientation};
use portolan_core::{AreaRules, NavMesh, Portal, RawHeights, RawNavMesh, Triangles};
use portolan_oracle::slow_height::slow_height;
use proptest::prelude::*;

fn options(tiles: Tiling) -> BakeOptions {
    BakeOptions {
        tiles,
        ..BakeOptions::default()
    }
}

fn baked(level: &Triangles, options: &BakeOptions) -> Baked {
    bake(level, &AreaRules::default(), options).unwrap()
}

/// Checks that the triangles of each polygon cover it exactly once: they have the same orientation as the
/// polygon, and its area together. The tolerance covers only the rounding of positions to 32 bits.
fn check_cover(raw: &RawNavMesh) -> Result<(), String> {
    for polygon in 0..raw.heights.triangles.len() {
        let corners = raw.polygons.get(polygon);
        let points: Vec<Vec3> = corners
            .iter()
            .map(|&corner| raw.vertices[corner as usize])
            .chain(raw.heights.vertices.get(polygon).iter().copied())
            .collect();
        let triangles = raw.heights.triangles.get(polygon);
        if triangles.is_empty() {
            continue;
        }
        let expected: f64 = (2..corners.len())
            .map(|i| orientation(points[0], points[i - 1], points[i]))
            .sum();
        let around =
            (0..corners.len()).map(|i| points[i].distance(points[(i + 1) % corners.len()]));
        let reach = points[0].abs().max_element();
        let slack = f64::from(1e-4 + around.sum::<f32>() * reach * f32::EPSILON);
        let mut sum = 0.0;
        let mut used = vec![false; points.len()];
        for triangle in triangles {
            let [a, b, c] = triangle.map(|i| points[usize::from(i)]);
            triangle.iter().for_each(|&i| used[usize::from(i)] = true);
            let part = orientation(a, b, c) * expected.signum();
            if part < -slack {
                return Err(format!(
                    "polygon {polygon}: a triangle has the wrong orientation, {part}"
                ));
            }
            sum += part;
        }
        if (sum - expected.abs()).abs() > slack {
            return Err(format!(
                "polygon {polygon}: area {sum} instead of {}",
                expected.abs()
            ));
        }
        if used.contains(&false) {
            return Err(format!("polygon {polygon} has a point without a triangle"));
        }
    }
    Ok(())
}

/// Returns the largest difference in height between the two sides of a portal, at some points along it.
fn gap(mesh: &NavMesh, portal: &Portal) -> f32 {
    let at = |fraction: f64| {
        let point = lerp(portal.right, portal.left, fraction);
        let [one, other] = portal.polygons.map(|p| mesh.height_at(p, point));
        (one - other).abs()
    };
    [0.013, 0.1, 0.27, 0.4, 0.5, 0.61, 0.75, 0.9, 0.987]
        .map(at)
        .into_iter()
        .fold(0.0, f32::max)
}

fn is_between_tiles(mesh: &NavMesh, portal: &Portal) -> bool {
    let [one, other] = portal.polygons.map(|p| mesh.user_id(p) >> 20);
    one != other
}

#[test]
fn surfaces_follow_the_ground() {
    let terrain = TestTerrain::new(120, downs);
    let level = terrain.triangles();
    for tiles in [Tiling::SingleTile, Tiling::Side(64)] {
        let with = options(tiles);
        let without = BakeOptions {
            detail_sample: 0.0,
            ..with.clone()
        };
        let fraction_off = |options: &BakeOptions| {
            let mesh = baked(&level, options).build_navmesh().unwrap();
            let points: Vec<_> = PolygonPoints::new(&mesh, 3).take(20_000).collect();
            let (mut off, mut worst) = (0, 0f32);
            for &(polygon, point) in &points {
                let height = mesh.height_at(polygon, point);
                // A cell corner is as high as the highest ground in the four cells around it.
                let [low, high] = terrain.ground_around(point.x, point.z, options.cell_size);
                let error = options.detail_error * options.cell_height;
                let beyond =
                    (low - error - height).max(height - high - error - options.cell_height);
                off += usize::from(beyond > 0.0);
                worst = worst.max(beyond);
            }
            (off as f32 / points.len() as f32, worst)
        };
        let (fine, coarse) = (fraction_off(&with), fraction_off(&without));
        println!("{tiles:?}: off, worst: {fine:?} with detail surfaces, {coarse:?} without");
        // The error is bounded at the samples only; between them, it is rarely exceeded, and not by much.
        assert!(fine.0 < 0.01, "{fine:?}");
        assert!(fine.1 < 0.2, "{fine:?}");
        assert!(coarse.0 > 0.2 && coarse.1 > 0.8, "{coarse:?}");
    }
}

#[test]
fn surfaces_meet_along_the_edges_of_polygons() {
    for shape in [downs, hills] {
        let level = TestTerrain::new(90, shape).triangles();
        for tiles in [Tiling::SingleTile, Tiling::Side(48)] {
            let baked = baked(&level, &options(tiles));
            assert_eq!(baked.statistics().splits, 0);
            check_cover(&baked.to_raw()).unwrap();
            let mesh = baked.build_navmesh().unwrap();
            let inner = mesh
                .portals()
                .iter()
                .filter(|p| !is_between_tiles(&mesh, p));
            let worst = inner.map(|portal| gap(&mesh, portal)).fold(0.0, f32::max);
            println!("{tiles:?}: {worst}");
            assert!(worst < 1e-3, "{worst}");
        }
    }
}

#[test]
fn surfaces_of_tiles_agree_at_their_borders() {
    let level = TestTerrain::new(90, downs).triangles();
    for detail_error in [0.5, 1.0, 3.0] {
        let options = BakeOptions {
            detail_error,
            ..options(Tiling::Side(40))
        };
        let mesh = baked(&level, &options).build_navmesh().unwrap();
        let outer = mesh.portals().iter().filter(|p| is_between_tiles(&mesh, p));
        let gaps: Vec<f32> = outer.map(|portal| gap(&mesh, portal)).collect();
        let worst = gaps.iter().copied().fold(0.0, f32::max);
        println!("error {detail_error}: {worst} at {} portals", gaps.len());
        assert!(gaps.len() > 100);
        assert!(
            worst <= 2.0 * detail_error * options.cell_height + 1e-3,
            "{worst}"
        );
    }
}

#[test]
fn level_ground_has_no_detail_surface() {
    let mut level = LevelBuilder(TestTerrain::new(60, flat).triangles());
    level.block(vec3(10.0, 0.0, 10.0), vec3(14.0, 5.0, 17.0));
    level.block(vec3(30.0, 0.0, 12.0), vec3(48.0, 3.0, 30.0));
    for tiles in [Tiling::SingleTile, Tiling::Side(32)] {
        assert_eq!(
            baked(&level.0, &options(tiles)).to_raw().heights,
            RawHeights::default()
        );
    }
    let hilly = TestTerrain::new(40, downs).triangles();
    let off = BakeOptions {
        detail_sample: 0.0,
        ..BakeOptions::default()
    };
    assert_eq!(baked(&hilly, &off).to_raw().heights, RawHeights::default());
}

/// An arched bridge over hills.
#[test]
fn floors_above_one_another_have_their_own_heights() {
    let terrain = TestTerrain::new(80, downs);
    let mut level = LevelBuilder(terrain.triangles());
    let deck = |x: f32| 9.0 + 0.012 * (x - 10.0) * (70.0 - x);
    for step in 0..30 {
        let (from, to) = (10.0 + 2.0 * step as f32, 12.0 + 2.0 * step as f32);
        level.ramp(vec3(from, deck(from), 30.0), vec3(to, deck(to), 40.0));
    }
    for tiles in [Tiling::SingleTile, Tiling::Side(48)] {
        let mesh = baked(&level.0, &options(tiles)).build_navmesh().unwrap();
        let (mut above, mut below) = (0, 0);
        for (polygon, point) in PolygonPoints::new(&mesh, 5).take(20_000) {
            let height = mesh.height_at(polygon, point);
            let [low, high] = terrain.ground_around(point.x, point.z, 0.3);
            let on_deck = (30.0..=40.0).contains(&point.z)
                && (deck(point.x) - 0.3..deck(point.x) + 0.8).contains(&height);
            above += usize::from(on_deck);
            let on_ground = (low - 0.4..high + 0.6).contains(&height);
            below += usize::from(on_ground && (30.0..=40.0).contains(&point.z));
            assert!(on_deck || on_ground, "{point} at {height}: {low} to {high}");
        }
        assert!(above > 300 && below > 200, "{above} {below}");
    }
}

#[test]
fn heights_equal_a_search_over_all_triangles() {
    let level = TestTerrain::new(60, hills).triangles();
    for tiles in [Tiling::SingleTile, Tiling::Side(64)] {
        let mesh = baked(&level, &options(tiles)).build_navmesh().unwrap();
        let surfaces = mesh.polygons().map(|p| mesh.finer_surface(p).1.len());
        assert!(
            surfaces.max().unwrap() > 50,
            "{tiles:?} has only small surfaces"
        );
        // Random points, then points where triangles meet: their corners and the midpoints of their edges.
        let points = PolygonPoints::new(&mesh, 2).take(20_000);
        let corners = mesh.polygons().flat_map(|polygon| {
            let triangles = mesh.surface(polygon);
            triangles.flat_map(move |[a, b, _]| [(polygon, a), (polygon, a.midpoint(b))])
        });
        for (polygon, point) in points.chain(corners) {
            let fast = mesh.height_at(polygon, point);
            let slow = slow_height(&mesh, polygon, point);
            assert_eq!(fast.to_bits(), slow.to_bits(), "{polygon:?} at {point}");
        }
    }
}

#[test]
fn detail_does_not_depend_on_threads() {
    let level = TestTerrain::new(60, hills).triangles();
    let bake_on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap()
            .install(|| baked(&level, &options(Tiling::Side(32))).to_raw())
    };
    assert_eq!(bake_on(1), bake_on(3));
}

#[test]
fn a_real_map_has_the_same_ground_with_one_tile_and_with_many() {
    let Some(level) = map("undulating.obj") else {
        return;
    };
    // Slopes rise by two cell heights per cell here. With a sample every six cells, a few points in a
    // thousand are off by more than half a metre. With a sample every three cells, none is.
    for (detail_sample, fraction) in [(6.0, 0.995), (3.0, 1.0)] {
        let [single, tiled] = [Tiling::SingleTile, Tiling::Side(64)].map(|tiles| {
            let options = BakeOptions {
                detail_sample,
                ..options(tiles)
            };
            let baked = baked(&level, &options);
            check_cover(&baked.to_raw()).unwrap();
            baked.build_navmesh().unwrap()
        });
        for [from, to] in [[&single, &tiled], [&tiled, &single]] {
            let mut off: Vec<f32> = Vec::new();
            for (_, point) in PolygonPoints::new(from, 9).take(5_000) {
                // The outlines of the ground differ by `max_edge_error`.
                let found = to.locate(point, Vec3::splat(0.8), |_| true).unwrap();
                if (found.point - point).with_y(0.0).length() < 1e-3 {
                    off.push((found.point.y - point.y).abs());
                }
            }
            off.sort_by(f32::total_cmp);
            let at = |fraction: f32| off[((off.len() - 1) as f32 * fraction) as usize];
            let (median, max) = (at(0.5), at(1.0));
            println!("{} points, median {median}, max {max}", off.len());
            assert!(off.len() > 4_500);
            assert!(median < 0.1 && at(fraction) < 0.5, "{median}, {max}");
        }
    }
}

/// Flat ground with boxes on it and ramps through it, at random positions.
fn random_level() -> impl Strategy<Value = Triangles> {
    let shape = (
        0f32..24.0,
        0f32..24.0,
        1f32..9.0,
        1f32..9.0,
        -1f32..4.0,
        -1f32..4.0,
        0u8..3,
    );
    proptest::collection::vec(shape, 1..14).prop_map(|shapes| {
        let mut level = LevelBuilder(TestTerrain::new(30, flat).triangles());
        for (x, z, width, depth, from, to, kind) in shapes {
            let (low, high) = (vec3(x, from, z), vec3(x + width, to, z + depth));
            match kind {
                0 => level.block(low.with_y(-1.0), high),
                1 => level.block(low, high.with_y(from + 0.4)),
                _ => level.ramp(low, high),
            }
        }
        level.0
    })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(60))]

    #[test]
    fn any_level_gives_a_valid_navmesh(
        level in random_level(),
        side in 16u16..80,
        detail_sample in 0.9f32..9.0,
        detail_error in 0f32..2.0,
        max_edge_error in prop_oneof![Just(1.3f32), 0f32..8.0],
        agent_radius in prop_oneof![Just(0f32), Just(0.6)],
        max_vertices in 3u16..=6,
    ) {
        let options = BakeOptions {
            detail_sample,
            detail_error,
            max_edge_error,
            agent_radius,
            max_vertices,
            ..options(if side < 20 { Tiling::SingleTile } else { Tiling::Side(side) })
        };
        let baked = bake(&level, &AreaRules::default(), &options);
        let baked = baked.map_err(|error| TestCaseError::fail(error.to_string()))?;
        let raw = baked.to_raw();
        prop_assert!(check_cover(&raw).is_ok(), "{:?}", check_cover(&raw));
        match baked.build_navmesh() {
            Ok(_) | Err(BakeError::NoGround { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
        let again = bake(&level, &AreaRules::default(), &options).unwrap();
        prop_assert_eq!(raw, again.to_raw());
    }
}
