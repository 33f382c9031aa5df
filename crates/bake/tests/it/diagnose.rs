//! Levels with the wrong axis up, flipped faces or the wrong unit give a finding; correct levels give none.

use std::f32::consts::PI;

use glam::{Vec3, vec3};
use portolan_bake::{BakeOptions, Finding, bake, diagnose};
use portolan_core::{AreaRules, LevelOptions, Triangles, Up};
use portolan_scenes::{LevelScene, SceneOptions, Size};

use crate::common::{LevelBuilder, map, rolling};

/// Bakes a level as the command line does and returns the findings.
fn findings(level: &Triangles) -> Vec<Finding> {
    let (rules, options) = (AreaRules::default(), BakeOptions::default());
    let mesh = bake(level, &rules, &options).and_then(|baked| baked.build_navmesh());
    diagnose(level, &rules, &options, mesh.ok().as_ref())
}

/// Returns the level as if it were in a file with z up that was read with y up.
fn z_up(level: &Triangles) -> Triangles {
    let mut turned = level.clone();
    for vertex in &mut turned.vertices {
        *vertex = vec3(vertex.x, -vertex.z, vertex.y);
    }
    turned
}

fn flipped(level: &Triangles) -> Triangles {
    let mut flipped = level.clone();
    flipped.flip();
    flipped
}

fn mirrored(level: &Triangles) -> Triangles {
    let mut mirrored = level.clone();
    for vertex in &mut mirrored.vertices {
        vertex.x = -vertex.x;
    }
    mirrored
}

fn scaled(level: &Triangles, scale: f32) -> Triangles {
    let mut scaled = level.clone();
    for vertex in &mut scaled.vertices {
        *vertex *= scale;
    }
    scaled
}

fn is_other_axis(found: &[Finding]) -> bool {
    matches!(found, [Finding::OtherAxisUp { .. }])
}

fn is_too_large(found: &[Finding]) -> bool {
    found
        .iter()
        .any(|finding| matches!(finding, Finding::TooLarge { .. }))
}

/// Asserts that a correct level gives no finding, and that each misreading of it gives the right one.
#[track_caller]
fn check(name: &str, level: &Triangles) {
    assert_eq!(findings(level), [], "{name} is correct");
    let on_its_side = z_up(level);
    let found = findings(&on_its_side);
    assert!(is_other_axis(&found), "{name} with z up: {found:?}");
    for (how, wrong) in [("flipped", flipped(level)), ("mirrored", mirrored(level))] {
        let found = findings(&wrong);
        assert_eq!(found, [Finding::FacesFlipped], "{name} {how}");
    }
    check_scales(name, level);
    // The flag that the finding suggests fixes the level.
    let mut corrected = on_its_side;
    let z_up = LevelOptions {
        up: Up::Z,
        ..LevelOptions::default()
    };
    z_up.apply(&mut corrected);
    assert_eq!(findings(&corrected), [], "{name} read with z up");
}

#[track_caller]
fn check_scales(name: &str, level: &Triangles) {
    for scale in [100.0, 1000.0] {
        // A bake of a level this large would take too long; the geometry suffices.
        let large = scaled(level, scale);
        let (rules, options) = (AreaRules::default(), BakeOptions::default());
        let found = diagnose(&large, &rules, &options, None);
        assert!(is_too_large(&found), "{name} by {scale}: {found:?}");
    }
}

#[test]
fn built_in_scenes_are_diagnosed_correctly() {
    // The other scenes take seconds each.
    let quick = [LevelScene::Simple, LevelScene::Dungeon, LevelScene::Map];
    let is_selected = |scene: &LevelScene| portolan_oracle::is_long_run() || quick.contains(scene);
    for scene in LevelScene::ALL.into_iter().filter(is_selected) {
        let options = SceneOptions {
            size: Size::Small,
            ..SceneOptions::default()
        };
        check(scene.name(), &scene.build(&options));
    }
}

#[test]
fn real_maps_are_diagnosed_correctly() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    for name in ["nav_test", "dungeon", "undulating", "lqdm5", "lq_e1m1"] {
        if let Some(level) = map(&format!("{name}.obj")) {
            check(name, &level);
        }
    }
    // With its 27 million cells, this map is not baked here.
    if let Some(city) = map("vaduz.obj") {
        let (rules, options) = (AreaRules::default(), BakeOptions::default());
        let found = |level: &Triangles| diagnose(level, &rules, &options, None);
        assert_eq!(found(&city), []);
        assert!(is_other_axis(&found(&z_up(&city))));
        assert_eq!(found(&flipped(&city)), [Finding::FacesFlipped]);
        check_scales("vaduz", &city);
    }
}

#[test]
fn hilly_terrain_is_diagnosed_correctly() {
    let mut hills = LevelBuilder::default();
    hills.hills(128.0, 2.0, rolling);
    check("hills", &hills.0);
    let mut survey = LevelBuilder::default();
    survey.hills(2700.0, 90.0, |x, z| 20.0 * rolling(x / 40.0, z / 40.0));
    let (rules, options) = (AreaRules::default(), BakeOptions::default());
    assert_eq!(diagnose(&survey.0, &rules, &options, None), []);
}

#[test]
fn a_flat_plane_is_diagnosed_correctly() {
    let mut plane = LevelBuilder::default();
    plane.floor([-50.0, -50.0], [50.0, 50.0], 0.0);
    check("plane", &plane.0);
    // A smaller plane in centimetres cannot be distinguished from a field in metres.
    let mut field = LevelBuilder::default();
    field.floor([0.0, 0.0], [1000.0, 1000.0], 0.0);
    assert_eq!(findings(&field.0), []);
}

/// A row of rooms of 10 x 10 m with ceilings, on floors that differ by two metres, connected by corridors
/// with stairs. All faces point inwards; there are no outer walls.
fn dungeon() -> LevelBuilder {
    let mut level = LevelBuilder::default();
    // A floor, or a ceiling if it faces down.
    let plate = |level: &mut LevelBuilder, x: [f32; 2], z: [f32; 2], y: f32, faces_up: bool| {
        level.floor([x[0], z[0]], [x[1], z[1]], y);
        if !faces_up {
            let last = level.0.triangles.len();
            level.0.triangles[last - 2..]
                .iter_mut()
                .for_each(|t| t.swap(1, 2));
        }
    };
    // A wall along x or z that faces `inside`.
    let wall = |level: &mut LevelBuilder, from: Vec3, to: Vec3, inside: Vec3| {
        let [a, b] = [from, to.with_y(from.y)];
        let [c, d] = [to, from.with_y(to.y)];
        let normal = (b - a).cross(c - a);
        match normal.dot(inside - a) > 0.0 {
            true => level.quad([a, b, c, d]),
            false => level.quad([d, c, b, a]),
        }
    };
    for room in 0..4 {
        let (x, y) = (room as f32 * 20.0, (room % 2) as f32 * 2.0);
        let inside = vec3(x + 5.0, y + 2.0, 5.0);
        plate(&mut level, [x, x + 10.0], [0.0, 10.0], y, true);
        plate(
            &mut level,
            [x, x + 10.0],
            [0.0, 10.0],
            y + 4.0 + x / 10.0,
            false,
        );
        let top = y + 4.0 + x / 10.0;
        wall(
            &mut level,
            vec3(x, y, 0.0),
            vec3(x + 10.0, top, 0.0),
            inside,
        );
        wall(
            &mut level,
            vec3(x, y, 10.0),
            vec3(x + 10.0, top, 10.0),
            inside,
        );
        for side in [x, x + 10.0] {
            wall(&mut level, vec3(side, y, 0.0), vec3(side, top, 3.0), inside);
            wall(
                &mut level,
                vec3(side, y, 7.0),
                vec3(side, top, 10.0),
                inside,
            );
            wall(
                &mut level,
                vec3(side, y + 3.0, 3.0),
                vec3(side, top, 7.0),
                inside,
            );
        }
        if room == 3 {
            continue;
        }
        // Twenty steps, up or down, each half a metre long.
        let next = ((room + 1) % 2) as f32 * 2.0;
        for step in 0..20 {
            let height = |step: i32| y + (next - y) * step as f32 / 20.0;
            let from = x + 10.0 + step as f32 * 0.5;
            let (low, inside) = (height(step), vec3(from + 0.25, y.max(next), 5.0));
            plate(&mut level, [from, from + 0.5], [3.0, 7.0], low, true);
            plate(&mut level, [from, from + 0.5], [3.0, 7.0], low + 3.0, false);
            let top = low + 3.0;
            wall(
                &mut level,
                vec3(from, low, 3.0),
                vec3(from + 0.5, top, 3.0),
                inside,
            );
            wall(
                &mut level,
                vec3(from, low, 7.0),
                vec3(from + 0.5, top, 7.0),
                inside,
            );
        }
    }
    // Solid pillars.
    for room in 0..4 {
        let (x, y) = (room as f32 * 20.0, (room % 2) as f32 * 2.0);
        for point in [[2.0, 2.0], [7.0, 2.0], [2.0, 7.5], [7.0, 7.5]] {
            let corner = vec3(x + point[0], y, point[1]);
            level.block(corner, corner + vec3(0.8, 2.5, 0.8));
        }
    }
    level
}

#[test]
fn a_dungeon_without_outer_walls_is_diagnosed_correctly() {
    check("dungeon without outer walls", &dungeon().0);
}

fn rock(centre: Vec3, radius: f32) -> Triangles {
    let (rows, columns) = (16, 32);
    let mut ball = Triangles::default();
    for row in 0..=rows {
        for column in 0..columns {
            let (up, around) = (
                PI * row as f32 / rows as f32,
                2.0 * PI * column as f32 / columns as f32,
            );
            let point = vec3(up.sin() * around.cos(), up.cos(), up.sin() * around.sin());
            ball.vertices.push(centre + radius * point);
        }
    }
    for row in 0..rows {
        for column in 0..columns {
            let at = |row: u32, column: u32| row * columns + column % columns;
            let [a, b] = [at(row, column), at(row + 1, column)];
            let [c, d] = [at(row + 1, column + 1), at(row, column + 1)];
            ball.triangles.extend([[a, c, b], [a, d, c]]);
        }
    }
    ball
}

/// A ball on its side is the same ball, and a flipped ball is a cave. Neither can be detected.
#[test]
fn a_ball_looks_the_same_from_all_sides() {
    let ball = rock(Vec3::ZERO, 3.0);
    assert!((0..ball.triangles.len()).all(|t| {
        let [a, b, c] = ball.corners(t);
        ball.normal(t).dot(a + b + c) >= -1e-3
    }));
    assert_eq!(findings(&ball), []);
    assert_eq!(findings(&z_up(&ball)), []);
    check_scales("rock", &ball);
    let mut on_ground = LevelBuilder::default();
    on_ground.hills(60.0, 2.0, |_, _| 0.0);
    let first = on_ground.0.vertices.len() as u32;
    let ball = rock(vec3(30.0, 2.0, 30.0), 3.0);
    on_ground.0.vertices.extend(&ball.vertices);
    let moved = ball
        .triangles
        .iter()
        .map(|corners| corners.map(|corner| corner + first));
    on_ground.0.triangles.extend(moved);
    check("rock on the ground", &on_ground.0);
}

/// The unit does not matter as long as the level and the agent have the same one.
#[test]
fn a_level_and_an_agent_in_centimetres_give_no_finding() {
    let options = SceneOptions {
        size: Size::Small,
        ..SceneOptions::default()
    };
    let level = scaled(&LevelScene::Simple.build(&options), 100.0);
    let mut options = BakeOptions::default();
    for length in [
        &mut options.cell_size,
        &mut options.cell_height,
        &mut options.agent_height,
        &mut options.agent_radius,
        &mut options.agent_climb,
        &mut options.max_edge,
    ] {
        *length *= 100.0;
    }
    let rules = AreaRules::default();
    let mesh = bake(&level, &rules, &options)
        .unwrap()
        .build_navmesh()
        .unwrap();
    assert_eq!(diagnose(&level, &rules, &options, Some(&mesh)), []);
}

#[test]
fn a_street_between_long_walls_gives_no_finding() {
    let mut street = LevelBuilder::default();
    street.floor([0.0, 0.0], [200.0, 8.0], 0.0);
    street.block(vec3(0.0, 0.0, -4.0), vec3(200.0, 25.0, 0.0));
    street.block(vec3(0.0, 0.0, 8.0), vec3(200.0, 25.0, 12.0));
    assert_eq!(findings(&street.0), []);
}

#[test]
fn the_error_for_a_level_without_ground_names_the_cause() {
    let mut floor = LevelBuilder::default();
    floor.floor([0.0, 0.0], [9.0, 6.0], 0.0);
    let message = |level: &Triangles, options: &BakeOptions| {
        let baked = bake(level, &AreaRules::default(), options).unwrap();
        baked.build_navmesh().unwrap_err().to_string()
    };
    let options = BakeOptions::default();
    let error = message(&flipped(&floor.0), &options);
    let size = "there is no walkable ground in this level of 9.0 x 0.2 x 6.0 m (x, y, z): ";
    assert!(
        error.starts_with(size) && error.contains("--flip"),
        "{error}"
    );
    let error = message(&z_up(&floor.0), &options);
    assert!(
        error.contains("9.0 x 6.0 x 0.3 m") && error.contains("--up z"),
        "{error}"
    );
    let error = message(&scaled(&floor.0, 0.01), &options);
    assert!(error.contains("--scale"), "{error}");
    let wide = BakeOptions {
        agent_radius: 2.5,
        ..options
    };
    let error = message(&floor.0, &wide);
    assert!(error.contains("too steep, too narrow"), "{error}");
}
