//! Random meshes, agents and queries: the costs of the device are those of the oracle.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{Connect, Engine, Level, Query, Status, Tier, World};
use portolan_oracle::{
    CaseRng, LevelsOptions, MeshPlan, Oracle, agents, close, plans, random_partition, with_levels,
};
use proptest::prelude::*;

use crate::worlds::gpu;

/// Builds a world with a hierarchy and a contraction.
fn indexed(plan: &MeshPlan, seed: u64) -> World {
    let mesh = plan.mesh();
    let partition = random_partition(&mesh, 8, seed);
    let world = with_levels(mesh, partition, &LevelsOptions::default());
    let order = (0..world.graph().sample_count() as u32).collect();
    world.with_contraction(order).expect("a valid order")
}

proptest! {
    #![proptest_config(portolan_oracle::cases(60))]

    #[test]
    fn costs_are_those_of_the_oracle(plan in plans(), agent in agents(), seed: u64) {
        if !portolan_oracle::is_long_run() {
            return Ok(());
        }
        let world = indexed(&plan, seed);
        let costs = world.costs(&agent.profile());
        let oracle = Oracle::new(world.mesh(), &agent.profile(), world.graph().options().samples);
        let mut rng = CaseRng::new(seed);
        let points: Vec<_> = (0..30).map(|_| [rng.point_near(world.mesh()), rng.point_near(world.mesh())]).collect();
        let device = gpu().upload(&world, &costs).expect("room on the device");
        let level = |level| Engine::Hna { level: Some(Level(level)), connect: Some(Connect::Parallel) };
        let mut engines = vec![Engine::AStar, Engine::Contraction(Tier::Fast), Engine::Labels];
        engines.extend((1..=world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0)).map(level));
        for engine in engines {
            let want = if engine == Engine::Labels { Want::Portal } else { Want::Waypoints };
            let options = BatchOptions { engine, costs: Some(&costs), ..BatchOptions::new(want) };
            let mut answers = BatchAnswers::default();
            let report = device.find_paths(BatchQueries::Points(&points), &options, &mut answers);
            prop_assert!(report.is_ok(), "{report:?}");
            for (index, &[from, to]) in points.iter().enumerate() {
                let query = Query { engine: Engine::AStar, costs: Some(&costs), ..Query::new(from, to) };
                let located = world.locate(&query).expect("every world has A*");
                let status = answers.statuses[index];
                let ends = match located.endpoints() {
                    Ok(ends) => ends,
                    Err(expected) => {
                        prop_assert_eq!(status, expected);
                        continue;
                    }
                };
                let cost = oracle.cost(ends.start, ends.goal);
                if cost == f64::INFINITY {
                    prop_assert_eq!(status, Status::NoPath, "{}", engine);
                    continue;
                }
                prop_assert_eq!(status, Status::Found, "{}", engine);
                let found = f64::from(answers.costs[index]);
                prop_assert!(close(found, cost), "{engine}: {found} instead of {cost}");
            }
        }
    }
}
