//! A crowd on the device walks where the CPU says, and arrives.

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::{CostModel, Endpoints, Query, Status, World};

use crate::worlds::{gpu, queries, worlds};

const LABEL_BYTES: usize = 1 << 28;
/// The length of a step. [Units: m]
const STEP: f32 = 1.0;

/// Returns agents that stand on the mesh and have a path.
fn agents(world: &World, count: usize) -> Vec<Endpoints> {
    let locate = |[from, to]: [glam::Vec3; 2]| {
        let located = world
            .locate(&Query::new(from, to))
            .expect("the default engine");
        located.endpoints().ok()
    };
    let ends: Vec<Endpoints> = queries(world.mesh(), count, 3)
        .into_iter()
        .filter_map(locate)
        .collect();
    let mut answers = BatchAnswers::default();
    let options = BatchOptions::new(Want::Portal);
    world
        .find_paths(BatchQueries::Located(&ends), &options, &mut answers)
        .expect("labels");
    let found = |(ends, status): (&Endpoints, &Status)| (*status == Status::Found).then_some(*ends);
    ends.iter()
        .zip(&answers.statuses)
        .filter_map(found)
        .collect()
}

#[test]
fn agents_walk_to_the_next_waypoint_of_the_cpu_and_arrive() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    for (name, world) in worlds() {
        // This model measures costs from the centre of the agent's polygon, so an agent that asks again in every step may
        // turn round at a portal.
        if world.graph().options().cost_model == CostModel::Published {
            continue;
        }
        let agents = agents(&world, 100);
        let device = gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device");
        let mut crowd = device.crowd(&agents, LABEL_BYTES).expect("labels");
        assert_eq!(crowd.len(), agents.len());
        let goals: Vec<_> = agents.iter().map(|ends| ends.goal).collect();
        let mut fallbacks = 0;
        for step in 0..400 {
            let before = crowd.positions().expect("positions");
            fallbacks += crowd.step(&device, STEP).expect("a step").fallbacks;
            let after = crowd.positions().expect("positions");
            for (agent, location) in after.iter().enumerate() {
                let moved = before[agent].point.distance(location.point);
                let is_jump = !world.mesh().links().is_empty();
                assert!(
                    moved <= STEP * 1.001 || is_jump,
                    "{name}: agent {agent} moved {moved} m in step {step}"
                );
                let snap = glam::Vec3::new(0.01, 100.0, 0.01);
                assert!(
                    world
                        .mesh()
                        .locate(location.point, snap, |_| true)
                        .is_some(),
                    "{name}: agent {agent} left the mesh in step {step}, from {:?} to {location:?}",
                    before[agent]
                );
            }
            if step % 50 == 0 {
                let ends: Vec<Endpoints> = before
                    .iter()
                    .zip(&goals)
                    .map(|(&start, &goal)| Endpoints { start, goal })
                    .collect();
                let mut answers = BatchAnswers::default();
                world
                    .find_paths(
                        BatchQueries::Located(&ends),
                        &BatchOptions::new(Want::Next),
                        &mut answers,
                    )
                    .expect("labels");
                assert_eq!(crowd.statuses(), answers.statuses, "{name}");
                let same = crowd
                    .next()
                    .iter()
                    .zip(&answers.next)
                    .filter(|(a, b)| a.distance(**b) < 1e-3)
                    .count();
                assert!(
                    same * 100 >= 98 * ends.len(),
                    "{name}: {same} of {} waypoints are those of the CPU",
                    ends.len()
                );
            }
        }
        let arrived = |(location, goal): (&portolan_core::Location, &portolan_core::Location)| {
            location.point.distance(goal.point) < 0.01
        };
        let positions = crowd.positions().expect("positions");
        let count = positions
            .iter()
            .zip(&goals)
            .filter(|&pair| arrived(pair))
            .count();
        println!(
            "{name}: {count} of {} agents arrived, {fallbacks} fallbacks",
            agents.len()
        );
        assert!(
            count * 100 >= 97 * agents.len(),
            "{name}: {count} of {} agents arrived",
            agents.len()
        );
    }
}

#[test]
fn a_crowd_in_slices_walks_the_same_paths_to_other_goals() {
    if !portolan_oracle::is_long_run() {
        return;
    }
    let (_, world) = worlds().swap_remove(1);
    let agents = agents(&world, 60);
    let run = |slice: usize| {
        let device = gpu()
            .upload(&world, world.default_costs())
            .expect("room on the device");
        let limits = portolan_gpu::SliceLimits {
            agents: slice,
            ..device.limits()
        };
        let device = device.with_limits(limits);
        let mut crowd = device.crowd(&agents, LABEL_BYTES).expect("labels");
        for _ in 0..20 {
            crowd.step(&device, STEP).expect("a step");
        }
        // Everybody turns back.
        for (agent, ends) in agents.iter().enumerate() {
            crowd.set_goal(agent, ends.start);
        }
        for _ in 0..40 {
            crowd.step(&device, STEP).expect("a step");
        }
        crowd.positions().expect("positions")
    };
    assert_eq!(run(1000), run(7));
}
