//! Bakes scenes and checks their numbers of polygons against the papers, and their islands.

use portolan_bake::{BakeOptions, bake};
use portolan_core::{AreaRules, NavMesh};
use portolan_scenes::{LevelScene, SceneOptions, Size};

fn baked(scene: LevelScene, size: Size, seed: u64) -> NavMesh {
    let options = SceneOptions {
        size,
        seed,
        floors: None,
    };
    bake(
        &scene.build(&options),
        &AreaRules::default(),
        &BakeOptions::default(),
    )
    .and_then(|baked| baked.build_navmesh())
    .unwrap_or_else(|error| panic!("{scene} {size}, seed {seed}: {error}"))
}

/// Returns the number of polygons relative to the paper.
fn ratio(mesh: &NavMesh, scene: LevelScene) -> f32 {
    mesh.polygon_count() as f32 / scene.paper_polygons().unwrap() as f32
}

fn check_paper(scene: LevelScene, seeds: &[u64]) {
    for &seed in seeds {
        let mesh = baked(scene, Size::Paper, seed);
        let ratio = ratio(&mesh, scene);
        assert!(
            (0.85..=1.15).contains(&ratio),
            "{scene}, seed {seed}: {ratio} times as many polygons as in the paper"
        );
        check_islands(&mesh, scene, seed);
    }
}

/// Asserts that there are islands, such as roofs and ledges, and that the largest component has more than 60% of
/// the ground.
fn check_islands(mesh: &NavMesh, scene: LevelScene, seed: u64) {
    let components = mesh.components();
    assert!(components.count() > 1, "{scene}, seed {seed}");
    let area = |id| mesh.polygon_area(id);
    let total: f64 = mesh.polygons().map(area).sum();
    let largest: f64 = mesh
        .polygons()
        .filter(|&id| components.of(id) == components.largest())
        .map(area)
        .sum();
    assert!(
        largest > 0.6 * total,
        "{scene}, seed {seed}: {largest} of {total} m2"
    );
}

#[test]
fn small_paper_scenes_have_as_many_polygons_as_in_the_papers() {
    check_paper(LevelScene::Simple, &[1, 2, 3, 4]);
    check_paper(LevelScene::Dungeon, &[1, 2, 3, 4]);
    check_paper(LevelScene::Map, &[1, 2, 3, 4]);
}

/// Returns the scenes with more than a thousand polygons in the papers.
fn large_scenes() -> impl Iterator<Item = LevelScene> {
    let polygons = |scene: &LevelScene| scene.paper_polygons();
    let is_large =
        move |scene: &LevelScene| polygons(scene).is_some_and(|polygons| polygons > 1000);
    LevelScene::ALL.into_iter().filter(is_large)
}

#[test]
fn large_paper_scenes_have_as_many_polygons_as_in_the_papers() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    large_scenes().for_each(|scene| check_paper(scene, &[1]));
}

#[test]
#[ignore = "takes minutes: cargo test --release -p portolan-scenes -- --ignored"]
fn other_seeds_have_as_many_polygons_and_the_large_size_ten_times_as_many() {
    for scene in large_scenes() {
        check_paper(scene, &[2, 3, 4]);
        let ratio = ratio(&baked(scene, Size::Large, 1), scene) / 10.0;
        assert!(
            (0.85..=1.15).contains(&ratio),
            "{scene}: {ratio} of ten times the number of polygons in the paper"
        );
    }
}

#[test]
fn the_small_size_is_small_and_has_islands() {
    for scene in LevelScene::ALL {
        let mesh = baked(scene, Size::Small, 1);
        if large_scenes().any(|large| large == scene) {
            let ratio = ratio(&mesh, scene);
            assert!(
                (0.05..0.34).contains(&ratio),
                "{scene}: {ratio} times as many polygons as in the paper"
            );
        }
        check_islands(&mesh, scene, 1);
    }
}

#[test]
fn a_tower_is_connected_from_the_square_to_the_roof() {
    let mesh = baked(LevelScene::Tower, Size::Small, 1);
    let components = mesh.components();
    let heights = mesh
        .polygons()
        .filter(|&id| components.of(id) == components.largest())
        .flat_map(|id| {
            mesh.corner_points(id)
                .map(|corner| corner.y)
                .collect::<Vec<_>>()
        });
    let (low, high) = heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| {
        (low.min(y), high.max(y))
    });
    // Three storeys of 3.6 m.
    assert!(low < 0.5 && high > 10.5, "from {low} to {high}");
}
