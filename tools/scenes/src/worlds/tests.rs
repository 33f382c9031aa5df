//! Tests of world scenes. Apart from disjoint sets, random numbers and `twice_area`, they share no code with the
//! generators.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use proptest::prelude::*;

use super::mesh_builder::twice_area;
use super::*;
use crate::random::Random;
use portolan_core::union_find::UnionFind;

fn world(scene: WorldScene, polygons: usize, seed: u64) -> RawNavMesh {
    scene.build(&WorldOptions {
        polygons,
        seed,
        ..Default::default()
    })
}

fn plan_position(position: Vec3) -> Vec2 {
    Vec2::new(position.x, position.z)
}

fn corner_positions(mesh: &RawNavMesh, polygon: usize) -> impl Iterator<Item = Vec2> {
    let corners = mesh.polygons.get(polygon).iter();
    corners.map(|&corner| plan_position(mesh.vertices[corner as usize]))
}

/// Returns the directed edges of a polygon.
fn edges(polygon: &[u32]) -> impl Iterator<Item = (u32, u32)> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().copied().zip(next.copied())
}

/// Returns whether `point` is inside every edge by more than rounding errors.
fn contains(mesh: &RawNavMesh, polygon: usize, point: Vec2) -> bool {
    edges(mesh.polygons.get(polygon)).all(|(a, b)| {
        let [a, b] = [a, b].map(|corner| plan_position(mesh.vertices[corner as usize]));
        twice_area(a, b, point) > 1e-4
    })
}

/// Returns the fraction of polygons in the largest part that is connected over edges.
fn largest_fraction(mesh: &RawNavMesh) -> f32 {
    let mut owners = HashMap::new();
    let mut parts = UnionFind::new(mesh.polygons.len());
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        for (a, b) in edges(polygon) {
            let owner = *owners.entry((a.min(b), a.max(b))).or_insert(index);
            parts.join(owner as u32, index as u32);
        }
    }
    let mut sizes = vec![0; mesh.polygons.len()];
    for polygon in 0..mesh.polygons.len() {
        sizes[parts.root(polygon as u32) as usize] += 1;
    }
    *sizes.iter().max().unwrap() as f32 / sizes.len() as f32
}

fn assert_valid(mesh: &RawNavMesh, options: &WorldOptions) {
    let count = mesh.polygons.len();
    assert!(count > 0);
    assert!(mesh.vertices.iter().all(|vertex| vertex.is_finite()));

    let mut used = vec![false; mesh.vertices.len()];
    for &corner in mesh.polygons.values() {
        used[corner as usize] = true;
    }
    assert!(
        used.iter().all(|&used| used),
        "a vertex belongs to no polygon"
    );

    let mut directed = HashMap::new();
    for (index, polygon) in mesh.polygons.iter().enumerate() {
        assert!(polygon.len() >= 3);
        let corners: Vec<Vec2> = corner_positions(mesh, index).collect();
        let n = corners.len();
        for corner in 0..n {
            let [a, b, c] = [0, 1, 2].map(|step| corners[(corner + step) % n]);
            assert!(twice_area(a, b, c) >= 0.0, "polygon {index} is not convex");
        }
        let doubled: f64 = (2..n)
            .map(|corner| twice_area(corners[0], corners[corner - 1], corners[corner]))
            .sum();
        assert!(doubled / 2.0 > 1e-4, "polygon {index} has no area");
        for edge in edges(polygon) {
            let other = directed.insert(edge, index);
            assert_eq!(other, None, "edge {edge:?} of {index} is used twice");
        }
    }

    assert_eq!(mesh.areas.len(), if options.areas { count } else { 0 });
    assert!(mesh.areas.iter().all(|&area| area <= 3));
    let links = if options.links && count > 1 {
        (count / 200).max(1)
    } else {
        0
    };
    assert_eq!(mesh.links.len(), links);
    for link in &mesh.links {
        let [from, to] = link.polygons.map(|polygon| polygon.unwrap() as usize);
        assert_ne!(from, to);
        assert!(contains(mesh, from, plan_position(link.start)));
        assert!(contains(mesh, to, plan_position(link.end)));
        assert!(link.cost.is_none_or(|cost| cost > 0.0));
    }
}

/// Returns the steepest slope, as a tangent, of the triangles between the edges of polygons and their centres.
fn steepest(mesh: &RawNavMesh) -> f32 {
    let slopes = mesh.polygons.iter().flat_map(|polygon| {
        let corner = |index: u32| mesh.vertices[index as usize];
        let sum: Vec3 = polygon.iter().map(|&index| corner(index)).sum();
        let centre = sum / polygon.len() as f32;
        edges(polygon).map(move |(a, b)| {
            let normal = (corner(b) - corner(a)).cross(centre - corner(a));
            plan_position(normal).length() / normal.y.abs()
        })
    });
    slopes.fold(0.0, f32::max)
}

/// Returns the FNV-1a hash of all positions and corners.
fn hash(mesh: &RawNavMesh) -> u64 {
    let positions = mesh.vertices.iter().flat_map(|v| v.to_array());
    let corners = mesh.polygons.values().iter().copied();
    let words = positions.map(f32::to_bits).chain(corners);
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn the_number_of_polygons_is_within_ten_percent() {
    for scene in WorldScene::ALL {
        for polygons in [500, 5_000, 50_000] {
            for seed in 0..8 {
                let count = world(scene, polygons, seed).polygons.len();
                assert!(
                    count.abs_diff(polygons) * 10 <= polygons,
                    "{scene}, seed {seed}: {count} instead of {polygons}"
                );
            }
        }
    }
}

#[test]
fn most_ground_is_connected_and_some_worlds_have_islands() {
    for (scene, fraction) in [(WorldScene::Rooms, 0.9), (WorldScene::Open, 0.85)] {
        let mut islands = 0;
        for seed in 0..12 {
            for polygons in [50, 500, 5_000, 20_000] {
                let largest = largest_fraction(&world(scene, polygons, seed));
                assert!(largest > fraction, "{scene}, seed {seed}: {largest}");
                islands += usize::from(largest < 1.0);
            }
        }
        assert!(islands > 12, "{scene}: {islands} worlds with islands");
    }
}

#[test]
fn floors_are_connected() {
    for (scene, fraction) in [(WorldScene::Rooms, 0.9), (WorldScene::Open, 0.85)] {
        for (polygons, floors) in [(500, 5), (3_000, 2), (20_000, 3), (20_000, 40)] {
            for seed in 0..6 {
                let options = WorldOptions {
                    polygons,
                    floors,
                    seed,
                    ..Default::default()
                };
                let mesh = scene.build(&options);
                let largest = largest_fraction(&mesh);
                assert!(largest > fraction, "{scene} {options:?}: {largest}");
                let count = mesh.polygons.len();
                assert!(
                    count.abs_diff(polygons) * 10 <= polygons,
                    "{scene} {options:?}: {count}"
                );
            }
        }
    }
}

#[test]
fn no_two_polygons_overlap() {
    for scene in WorldScene::ALL {
        for seed in 0..4 {
            let mesh = world(scene, 400, seed);
            let size =
                (mesh.vertices.iter()).fold(Vec2::ZERO, |size, &v| size.max(plan_position(v)));
            let mut random = Random::new(seed);
            let mut hits = 0;
            for _ in 0..4_000 {
                let point = size * Vec2::new(random.unit(), random.unit());
                let containing = (0..mesh.polygons.len())
                    .filter(|&polygon| contains(&mesh, polygon, point))
                    .count();
                assert!(containing <= 1, "{scene}, seed {seed}: {point}");
                hits += containing;
            }
            assert!(hits > 2_000, "{scene}, seed {seed}: {hits} of 4000 on land");
        }
    }
}

#[test]
fn obstacles_and_lakes_cover_part_of_the_plane() {
    for seed in 0..8 {
        let mesh = world(WorldScene::Open, 5_000, seed);
        let size = (mesh.vertices.iter()).fold(Vec2::ZERO, |size, &v| size.max(plan_position(v)));
        let doubled: f64 = (0..mesh.polygons.len())
            .map(|polygon| {
                let corners: Vec<Vec2> = corner_positions(&mesh, polygon).collect();
                let fan = 2..corners.len();
                fan.map(|c| twice_area(corners[0], corners[c - 1], corners[c]))
                    .sum::<f64>()
            })
            .sum();
        let fraction = doubled / 2.0 / f64::from(size.x * size.y);
        assert!((0.4..0.8).contains(&fraction), "seed {seed}: {fraction}");
    }
}

#[test]
fn slopes_are_walkable_and_floors_keep_their_distance() {
    for scene in WorldScene::ALL {
        for seed in 0..4 {
            let options = WorldOptions {
                polygons: 20_000,
                seed,
                floors: 2,
                relief: 10.0,
                ..Default::default()
            };
            let mesh = scene.build(&options);
            let slope = steepest(&mesh);
            assert!(slope < 0.839, "{scene}, seed {seed}: tangent {slope}");
            let highest = mesh.vertices.iter().map(|v| v.y).fold(0.0, f32::max);
            assert!((8.0..=14.0).contains(&highest), "{highest}");
        }
    }
}

#[test]
fn areas_and_links_do_not_change_the_ground() {
    for scene in WorldScene::ALL {
        let bare = world(scene, 10_000, 3);
        let full = scene.build(&WorldOptions {
            polygons: 10_000,
            seed: 3,
            areas: true,
            links: true,
            ..Default::default()
        });
        assert_eq!(bare.vertices, full.vertices);
        assert_eq!(bare.polygons, full.polygons);
        for area in 0..4 {
            assert!(full.areas.contains(&area), "{scene}: no area {area}");
        }
    }
}

#[test]
fn links_have_all_kinds_of_costs_and_directions() {
    let mesh = WorldScene::Rooms.build(&WorldOptions {
        polygons: 20_000,
        links: true,
        ..Default::default()
    });
    let both_ways = mesh.links.iter().filter(|link| link.both_ways).count();
    assert_eq!(both_ways, mesh.links.len() / 2);
    let count = |kind: fn(f32, f32) -> bool| {
        let priced = mesh.links.iter().filter_map(|link| {
            let length = link.start.distance(link.end);
            link.cost.map(|cost| kind(cost, length))
        });
        priced.filter(|&is| is).count()
    };
    let unpriced = mesh.links.iter().filter(|link| link.cost.is_none()).count();
    assert!(unpriced > 20);
    assert!(count(|cost, length| cost < length) > 20);
    assert!(count(|cost, length| cost > length) > 20);
}

/// Measurements on different worlds are not comparable. If these values have to change, the worlds have
/// changed, and the changelog has to mention it.
#[test]
fn worlds_are_the_same_on_every_platform_and_in_every_version() {
    let options = WorldOptions {
        polygons: 3_000,
        seed: 42,
        floors: 2,
        relief: 5.0,
        ..Default::default()
    };
    assert_eq!(
        hash(&WorldScene::Rooms.build(&options)),
        0xc667_7ac8_4101_22a1
    );
    assert_eq!(
        hash(&WorldScene::Open.build(&options)),
        0x7fc8_11bf_7a30_7ad9
    );
}

#[test]
fn scenes_are_found_by_name() {
    for scene in WorldScene::ALL {
        assert_eq!(scene.name().parse(), Ok(scene));
        assert!(!scene.description().is_empty());
    }
    let error = "cellar".parse::<WorldScene>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "there is no scene \"cellar\"; choose one of: rooms, open"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    #[test]
    fn every_world_is_valid_and_reproducible(
        scene in proptest::sample::select(WorldScene::ALL.to_vec()),
        polygons in 0..3_000usize,
        seed: u64,
        areas: bool,
        links: bool,
        floors in 0..5u32,
        relief in prop_oneof![Just(0.0f32), 0.0..10.0f32],
    ) {
        let options = WorldOptions { polygons, seed, areas, links, floors, relief };
        let mesh = scene.build(&options);
        assert_valid(&mesh, &options);
        prop_assert_eq!(hash(&mesh), hash(&scene.build(&options)));
    }
}
