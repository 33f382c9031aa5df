//! Agents that share a budget of queries per frame.

use std::collections::VecDeque;

use glam::Vec3;
use portolan_core::{
    AgentId, Agents, EngineError, Follow, FrameBudget, NavMeshOptions, Path, Query, Scratch,
    Status, Tier, World,
};
use portolan_oracle::{CaseRng, cases, plans};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

fn rooms() -> World {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    World::build(raw, &NavMeshOptions::default()).expect("a valid mesh")
}

fn query() -> Query<'static> {
    Query::new([0.0; 3], [0.0; 3])
}

proptest! {
    #![proptest_config(cases(200))]

    /// The oracle is a plain queue. Agents of one frame are sorted by their numbers.
    #[test]
    fn agents_get_their_paths_in_turn(plan in plans(), seed: u64) {
        let mut rng = CaseRng::new(seed);
        let world = World::new(plan.mesh(), &Default::default(), &Default::default()).unwrap();
        let mut agents = Agents::new();
        let count = 1 + rng.below(20);
        for _ in 0..count {
            agents.add(rng.point_near(world.mesh()));
        }
        let mut goals = vec![Vec3::ZERO; count];
        let mut queue: VecDeque<usize> = VecDeque::new();
        for _ in 0..10 {
            let mut new: Vec<usize> = Vec::new();
            for _ in 0..rng.below(8) {
                let agent = rng.below(count);
                goals[agent] = rng.point_near(world.mesh());
                agents.set_goal(AgentId(agent as u32), goals[agent]);
                if !queue.contains(&agent) && !new.contains(&agent) {
                    new.push(agent);
                }
            }
            new.sort_unstable();
            queue.extend(new);
            let budget = rng.below(6);
            let update = agents.find_paths(&world, &query(), FrameBudget::Queries(budget));
            let update = update.expect("`auto` runs on every world");
            prop_assert_eq!(update.answered, budget.min(queue.len()));
            for agent in queue.drain(..update.answered) {
                let id = AgentId(agent as u32);
                let mut path = Path::default();
                let query = Query { to: goals[agent], ..Query::new(agents.position(id), goals[agent]) };
                let status = world.find_path(&query, &mut Scratch::new(), &mut path);
                prop_assert_eq!(agents.status(id), status.ok());
                let polygons: Vec<_> = agents.follower(id).polygons().collect();
                prop_assert_eq!(polygons, path.corridor.polygons);
            }
            prop_assert_eq!(update.waiting, queue.len());
            for agent in 0..count {
                let is_waiting = agents.is_waiting(AgentId(agent as u32));
                prop_assert_eq!(is_waiting, queue.contains(&agent));
            }
        }
    }
}

#[test]
fn all_agents_arrive_although_only_a_few_get_a_path_per_frame() {
    let world = rooms();
    let mut rng = CaseRng::new(5);
    let mut agents = Agents::new();
    let mut point = || rng.point_inside(world.mesh());
    let ids: Vec<AgentId> = (0..50).map(|_| agents.add(point())).collect();
    for &id in &ids {
        agents.set_goal(id, point());
    }
    let probe = world.probe();
    for _ in 0..5000 {
        let update = agents.find_paths(&world, &query(), FrameBudget::Queries(3));
        assert!(update.expect("`auto` runs on every world").answered <= 3);
        let positions: Vec<Vec3> = ids
            .iter()
            .map(|&id| {
                let here = agents.position(id);
                let corners = agents.follower(id).corners(&probe, 1);
                let target = corners.first().map_or(here, |corner| corner.point);
                here + (target - here).clamp_length_max(0.5)
            })
            .collect();
        agents.advance(&probe, &positions);
        let is_done = |&id: &AgentId| match agents.status(id) {
            // Some rooms have no door.
            Some(Status::NoPath) => true,
            _ => agents.state(id) == Follow::Arrived,
        };
        if ids.iter().all(is_done) {
            let is_found = |id: &&AgentId| agents.status(**id) == Some(Status::Found);
            assert!(ids.iter().filter(is_found).count() > 40);
            return;
        }
    }
    panic!("some agents have not arrived");
}

#[test]
fn a_budget_of_time_answers_in_the_same_order() {
    let world = rooms();
    let mut rng = CaseRng::new(5);
    let mut agents = Agents::new();
    for _ in 0..1000 {
        let id = agents.add(rng.point_inside(world.mesh()));
        agents.set_goal(id, rng.point_inside(world.mesh()));
    }
    let mut find = |micros| agents.find_paths(&world, &query(), FrameBudget::Micros(micros));
    assert_eq!(find(0).map(|update| update.answered), Ok(0));
    let answered = find(1).expect("`auto` runs on every world").answered;
    assert!(0 < answered && answered < 1000, "{answered}");
    let is_first = (0..1000).map(|agent| !agents.is_waiting(AgentId(agent)));
    assert!(is_first.eq((0..1000).map(|agent| agent < answered)));
}

#[test]
fn agents_keep_their_turn_after_an_error() {
    let world = rooms();
    let mut agents = Agents::new();
    let id = agents.add([0.0; 3]);
    agents.set_goal(id, [1.0; 3]);
    let query = Query {
        engine: portolan_core::Engine::Contraction(Tier::Best),
        ..query()
    };
    let result = agents.find_paths(&world, &query, FrameBudget::Queries(1));
    assert!(matches!(result, Err(EngineError::NoContraction(_))));
    assert!(agents.is_waiting(id));
}
