//! Invalid input is refused with a one-line error that names the element; odd but valid input is baked.

use crate::common::LevelBuilder;
use glam::{Vec3, vec3};
use portolan_bake::{BakeError, BakeOptions, Baked, Tiling, bake, bake_with_progress};
use portolan_core::{AreaRules, Triangles};
use proptest::prelude::*;
use std::ops::ControlFlow;

fn try_bake(triangles: &Triangles, options: &BakeOptions) -> Result<Baked, BakeError> {
    bake(triangles, &AreaRules::default(), options)
}

fn floor() -> Triangles {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [9.0, 9.0], 0.0);
    level.0
}

fn error_message(change: impl FnOnce(&mut Triangles)) -> String {
    let mut triangles = floor();
    change(&mut triangles);
    let error = try_bake(&triangles, &BakeOptions::default()).unwrap_err();
    error.to_string()
}

#[test]
fn errors_name_the_bad_triangle() {
    assert_eq!(
        error_message(|t| t.triangles.clear()),
        "the level has no triangles"
    );
    assert_eq!(
        error_message(|t| t.triangles[1][2] = 9),
        "triangle 1 refers to vertex 9, but there are only 4 vertices"
    );
    assert_eq!(
        error_message(|t| t.vertices[3].y = f32::NAN),
        "vertex 3 is not finite: (9, NaN, 0)"
    );
    assert_eq!(
        error_message(|t| t.vertices[0].x = f32::NEG_INFINITY),
        "vertex 0 is not finite: (-inf, 0, 0)"
    );
    assert_eq!(
        error_message(|t| t.materials = vec![0, 1]),
        "triangle 0 has no material, or a material without a name"
    );
    assert_eq!(
        error_message(|t| t.materials = vec![0]),
        "triangle 1 has no material, or a material without a name"
    );
    assert_eq!(
        error_message(|t| t.triangles = vec![[0, 0, 1], [1, 2, 1]]),
        "all 2 triangles are degenerate: they have no area"
    );
}

#[test]
fn degenerate_triangles_are_skipped_and_counted() {
    let mut triangles = floor();
    triangles.triangles.extend([[0, 0, 1], [2, 2, 2]]);
    triangles
        .vertices
        .extend([Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]);
    triangles.triangles.push([4, 5, 6]);
    let baked = try_bake(&triangles, &BakeOptions::default()).unwrap();
    assert_eq!(baked.statistics().degenerate, 3);
    let plain = try_bake(&floor(), &BakeOptions::default()).unwrap();
    assert_eq!(baked.to_raw(), plain.to_raw());
}

#[test]
fn errors_name_the_bad_option() {
    let error_message = |change: fn(&mut BakeOptions)| {
        let mut options = BakeOptions::default();
        change(&mut options);
        try_bake(&floor(), &options).unwrap_err().to_string()
    };
    assert_eq!(
        error_message(|o| o.cell_size = 0.0),
        "cell_size = 0 is out of range (allowed: 0.001 to 1000)"
    );
    assert_eq!(
        error_message(|o| o.agent_slope = f32::NAN),
        "agent_slope = NaN is out of range (allowed: 0 to 89)"
    );
    assert_eq!(
        error_message(|o| o.agent_climb = 2.5),
        "agent_climb = 2.5 is out of range (allowed: at least 0 and less than the agent's height of 2 m)"
    );
    assert_eq!(
        error_message(|o| o.max_vertices = 7),
        "max_vertices = 7 is out of range (allowed: 3 to 6)"
    );
    assert_eq!(
        error_message(|o| o.tiles = Tiling::Side(3)),
        "tile = 3 is out of range (allowed: 16 to 1024)"
    );
    assert_eq!(
        error_message(|o| o.agent_height = 0.0),
        "agent_height = 0 is out of range (allowed: more than 0 and at most 50, which is 250 cells)"
    );
    assert_eq!(
        error_message(|o| o.agent_radius = -1.0),
        "agent_radius = -1 is out of range (allowed: 0 to 75, which is 250 cells)"
    );
    assert_eq!(
        error_message(|o| o.detail_sample = 0.5),
        "detail_sample = 0.5 is out of range (allowed: 0, or 0.9 to 1000000)"
    );
}

#[test]
fn too_many_cells_are_refused_with_a_suggested_cell_size() {
    let mut triangles = floor();
    for vertex in &mut triangles.vertices {
        *vertex *= 1e6;
    }
    let error = try_bake(&triangles, &BakeOptions::default()).unwrap_err();
    let BakeError::TooManyCells { fitting, limit, .. } = error else {
        panic!("{error}");
    };
    assert!(
        error.to_string().contains(
            "use cells of at least 460 m (`--cell-size`), or scale a level in centimetres"
        ),
        "{error}"
    );
    let side = (9e6 / f64::from(fitting)).ceil();
    assert!(side * side <= limit as f64);
    let options = BakeOptions {
        cell_size: fitting,
        max_cells: 10_000,
        ..BakeOptions::default()
    };
    assert!(matches!(
        try_bake(&triangles, &options),
        Err(BakeError::TooManyCells { limit: 10_000, .. })
    ));
}

#[test]
fn the_suggested_cell_size_fits() {
    for (width, depth) in [
        (9.0, 9.0),
        (900.0, 15.0),
        (3.0, 800.0),
        (100.0, 99.8),
        (77.0, 0.0),
    ] {
        for max_cells in [1, 2, 3, 10, 99] {
            let mut level = LevelBuilder::default();
            level.floor([0.0, 0.0], [width, depth], 0.0);
            level.block(Vec3::ZERO, vec3(width, 2.0, 1e-3));
            let mut options = BakeOptions {
                max_cells,
                ..BakeOptions::default()
            };
            let error = try_bake(&level.0, &options).unwrap_err();
            let BakeError::TooManyCells { fitting, .. } = error else {
                panic!("{error}");
            };
            options.cell_size = fitting;
            try_bake(&level.0, &options).unwrap();
        }
    }
}

#[test]
fn a_level_that_is_too_high_is_refused_with_a_suggested_cell_height() {
    let mut triangles = floor();
    triangles.vertices[0].y = 1e6;
    let error = try_bake(&triangles, &BakeOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the level is 1000000 m high, more than 65 000 cells of 0.2 m: use cells with a height of \
         at least 16 m (`--cell-height`)"
    );
}

#[test]
fn levels_far_away_are_baked_while_floats_resolve_their_cells() {
    let at = |point: Vec3, tiles: Tiling| {
        let mut level = crate::common::scattered_blocks(45.0, 30, 5, crate::common::rolling);
        level.0.vertices.iter_mut().for_each(|v| *v += point);
        let options = BakeOptions {
            tiles,
            ..BakeOptions::default()
        };
        let baked = try_bake(&level.0, &options)?;
        Ok(crate::common::area(&baked.build_navmesh().unwrap()))
    };
    for tiles in [Tiling::SingleTile, Tiling::Side(48)] {
        let here = at(Vec3::ZERO, tiles).unwrap();
        for point in [vec3(1e5, -1e5, -1e5), vec3(-2.6e5, 0.0, 2.6e5)] {
            let there = at(point, tiles).unwrap();
            assert!((there / here - 1.0).abs() < 0.01, "{point}: {there} {here}");
        }
        let error = at(vec3(0.0, 0.0, -1e6), tiles).unwrap_err();
        assert!(
            matches!(error, BakeError::TooFar { axis: 'z', .. }),
            "{error}"
        );
        let error = at(vec3(0.0, 2e5, 0.0), tiles).unwrap_err();
        assert!(
            matches!(error, BakeError::TooFar { axis: 'y', .. }),
            "{error}"
        );
    }
}

#[test]
fn sixty_floors_are_baked_and_more_are_refused() {
    let tower = |floors: u8| {
        let mut level = LevelBuilder::default();
        for floor in 0..floors {
            level.floor([0.0, 0.0], [6.0, 6.0], f32::from(floor) * 3.0);
        }
        try_bake(&level.0, &BakeOptions::default())
    };
    let mesh = tower(60).unwrap().build_navmesh().unwrap();
    assert_eq!(mesh.components().count(), 60);
    let error = tower(61).unwrap_err().to_string();
    assert!(
        error.starts_with("more than 60 walkable floors are above one another"),
        "{error}"
    );
}

#[test]
fn a_level_without_ground_is_an_error_with_a_hint() {
    let mut triangles = floor();
    for corners in &mut triangles.triangles {
        corners.swap(0, 1);
    }
    let baked = try_bake(&triangles, &BakeOptions::default()).unwrap();
    let error = baked.build_navmesh().unwrap_err().to_string();
    assert!(
        error.starts_with("there is no walkable ground in this level of ")
            && error.contains("--flip"),
        "{error}"
    );
}

#[test]
fn a_bake_can_be_stopped() {
    let level = crate::common::scattered_blocks(60.0, 10, 1, |_, _| 0.0);
    let options = BakeOptions {
        tiles: Tiling::Side(32),
        ..BakeOptions::default()
    };
    let result = bake_with_progress(&level.0, &AreaRules::default(), &options, &|done, tiles| {
        assert!(done <= tiles);
        if done < 3 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    assert_eq!(result.unwrap_err(), BakeError::Stopped);
    // A level that is a single tile can be stopped, too.
    let stop = |_, _| ControlFlow::Break(());
    let result = bake_with_progress(&floor(), &AreaRules::default(), &options, &stop);
    assert_eq!(result.unwrap_err(), BakeError::Stopped);
    let stop = |done, _| match done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let single_tile = BakeOptions::default();
    let result = bake_with_progress(&floor(), &AreaRules::default(), &single_tile, &stop);
    assert_eq!(result.unwrap_err(), BakeError::Stopped);
}

#[test]
fn fine_cells_work_with_default_options() {
    let mut level = LevelBuilder::default();
    level.floor([0.0, 0.0], [4.0, 4.0], 0.0);
    let options = BakeOptions {
        cell_size: 0.02,
        cell_height: 0.02,
        ..BakeOptions::default()
    };
    let mesh = try_bake(&level.0, &options).unwrap().build_navmesh();
    assert!(mesh.unwrap().polygon_count() > 0);
}

#[test]
fn ground_of_exactly_the_steepest_slope_is_walkable() {
    for (rise, agent_slope) in [(0.0, 0.0), (10.0, 45.0)] {
        let options = BakeOptions {
            agent_slope,
            ..BakeOptions::default()
        };
        let mut level = LevelBuilder::default();
        level.quad([
            vec3(0.0, 0.0, 0.0),
            vec3(0.0, 0.0, 10.0),
            vec3(10.0, rise, 10.0),
            vec3(10.0, rise, 0.0),
        ]);
        let mesh = try_bake(&level.0, &options).unwrap().build_navmesh();
        assert!(mesh.is_ok(), "{agent_slope}");
    }
}

#[test]
fn max_vertices_of_three_gives_triangles() {
    let level = crate::common::scattered_blocks(40.0, 20, 1, |_, _| 0.0);
    let options = BakeOptions {
        max_vertices: 3,
        ..BakeOptions::default()
    };
    let raw = try_bake(&level.0, &options).unwrap().to_raw();
    assert!(raw.polygons.iter().all(|polygon| polygon.len() == 3));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(40))]

    /// Any triangles with any valid options are baked, unless all triangles are degenerate.
    #[test]
    fn any_triangles_are_baked(
        points in prop::collection::vec((-20f32..20.0, -4f32..4.0, -20f32..20.0), 3..60),
        corners in prop::collection::vec([0usize..60, 0..60, 0..60], 1..60),
        cell_size in 0.1f32..2.0,
        cell_height in 0.05f32..1.0,
        radius in 0f32..2.0,
        climb in 0f32..1.9,
        slope in 0f32..89.0,
        max_vertices in 3u16..=6,
        tile in prop::option::of(16u16..100),
    ) {
        let triangles = Triangles {
            vertices: points.iter().map(|&(x, y, z)| vec3(x, y, z)).collect(),
            triangles: corners
                .iter()
                .map(|corners| corners.map(|corner| (corner % points.len()) as u32))
                .collect(),
            ..Triangles::default()
        };
        let options = BakeOptions {
            cell_size,
            cell_height,
            agent_radius: radius,
            agent_climb: climb,
            agent_slope: slope,
            max_vertices,
            tiles: tile.map_or(Tiling::SingleTile, Tiling::Side),
            ..BakeOptions::default()
        };
        match try_bake(&triangles, &options) {
            Ok(baked) => match baked.build_navmesh() {
                Ok(mesh) => prop_assert!(mesh.polygon_count() > 0),
                Err(error) => prop_assert!(matches!(error, BakeError::NoGround { .. }), "{}", error),
            },
            Err(BakeError::OnlyDegenerate { .. }) => {}
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
