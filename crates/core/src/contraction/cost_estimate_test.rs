//! Tests that a cost estimate never changes the result of a search.

use proptest::prelude::*;

use super::*;
use portolan_scenes::{WorldOptions, WorldScene};

use crate::test_scenes::mesh_of;
use crate::{GraphOptions, PortalGraph, Samples, Tier, World};

/// Returns a world with the fast and the default tier, in simple orders that are not optimized.
fn world(scene: WorldScene, options: &WorldOptions) -> World {
    let mesh = mesh_of(scene, options);
    let samples = Samples::ByLength { percentile: 50 };
    let graph = PortalGraph::new(
        &mesh,
        &GraphOptions {
            samples,
            ..Default::default()
        },
    );
    let order = (0..graph.sample_count() as u32).collect();
    let world = World::from_mesh(mesh);
    let midpoints = (0..world.graph().sample_count() as u32).collect();
    world
        .with_contraction(midpoints)
        .expect("an order")
        .with_tier(Tier::Default, graph, order)
        .expect("a tier")
}

proptest! {
    #![proptest_config(portolan_oracle::cases(24))]

    #[test]
    fn an_estimate_does_not_change_the_path(
        scene in prop::sample::select(vec![WorldScene::Rooms, WorldScene::Open]),
        seed: u64,
        areas: bool,
        links: bool,
    ) {
        let options = WorldOptions { polygons: 200, seed, areas, links, relief: 3.0, ..Default::default() };
        let world = world(scene, &options);
        let cost_per_metre = world.default_costs().prices().cost_per_metre();
        let mut random = Rand32::new(seed);
        for tier in [Tier::Fast, Tier::Default] {
            let (_, contraction) = world.tier(tier).expect("the tier");
            let learned = world.default_costs().shortcuts(tier).expect("costs");
            let (mut shortcuts, mut scratch) = (learned.clone(), ContractionScratch::default());
            for _ in 0..50 {
                let pair = [(); 2].map(|()| random.rand_range(0..contraction.vertex_count() as u32));
                let [start, goal] = pair.map(|vertex| contraction.position_of(vertex));
                let mut search = |cost_estimate, max_cost, straight_line| {
                    shortcuts.cost_estimate = cost_estimate;
                    let [starts, goals] = pair.map(|vertex| [(vertex, 0.0)].into_iter());
                    let (bounds, mut path) = (Bounds { max_cost, straight_line }, Vec::new());
                    let visit = |vertex| path.push(vertex);
                    let cost = shortcuts.search(contraction, starts, goals, bounds, &mut scratch, visit);
                    (cost, path)
                };
                let expected = search(f32::INFINITY, f32::INFINITY, None);
                let straight_line = Some(StraightLineBound::new(start, goal, cost_per_metre));
                for estimate in [0.0, 1.0, 1.05, 1.2, 2.0, learned.cost_estimate] {
                    prop_assert_eq!(&search(estimate, f32::INFINITY, straight_line), &expected, "estimate {}", estimate);
                    let Some(cost) = expected.0 else { continue };
                    prop_assert_eq!(&search(estimate, cost, straight_line), &expected, "estimate {}, limit {}", estimate, cost);
                    let below_cost = search(estimate, cost * 0.999 - 1e-6, straight_line);
                    prop_assert_eq!(below_cost.0, None, "estimate {}, limit below {}", estimate, cost);
                }
            }
        }
    }
}

/// On open ground, paths are hardly longer than the straight line, so an estimate saves work.
#[test]
fn an_estimate_is_learned_on_open_ground() {
    let options = WorldOptions {
        polygons: 2000,
        ..Default::default()
    };
    let world = world(WorldScene::Open, &options);
    for tier in [Tier::Fast, Tier::Default] {
        let shortcuts = world.default_costs().shortcuts(tier).expect("costs");
        assert!(
            (1.0..1.5).contains(&shortcuts.cost_estimate),
            "{}",
            shortcuts.cost_estimate
        );
    }
}
