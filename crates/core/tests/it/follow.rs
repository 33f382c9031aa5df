//! Tests of followers: agents that are pushed about stay on the mesh and arrive.

use glam::{Vec3, vec3};
use portolan_core::geometry::distance_xz;
use portolan_core::{
    Costs, Crossing, Engine, Follow, Follower, Location, Path, ProbeScratch, Query, Scratch,
    Status, World,
};
use portolan_oracle::{CaseRng, agents, plans};
use proptest::prelude::*;

/// The distance that an agent walks per frame. [Units: m]
const STEP: f32 = 0.25;

fn find(world: &World, costs: &Costs, [from, to]: [Vec3; 2], engine: Engine) -> Option<Path> {
    let query = Query {
        costs: Some(costs),
        engine,
        ..Query::new(from, to)
    };
    let mut path = Path::default();
    let status = world.find_path(&query, &mut Scratch::new(), &mut path);
    (status == Ok(Status::Found)).then_some(path)
}

/// Asserts that the agent is on open ground and that its corridor leads from its polygon to that of the goal.
fn assert_valid(world: &World, costs: &Costs, follower: &Follower) {
    let mesh = world.mesh();
    let here = follower.location().expect("a path");
    let nearest = mesh.nearest_on(here.polygon, here.point);
    assert!(
        nearest.distance(here.point) < 1e-3,
        "{here:?} is off its polygon"
    );
    assert!(
        costs.prices().allows(mesh, here.polygon),
        "{here:?} is closed"
    );
    let polygons: Vec<_> = follower.polygons().collect();
    assert_eq!(polygons.first(), Some(&here.polygon));
    assert_eq!(
        polygons.last().copied(),
        follower.goal().map(|goal| goal.polygon)
    );
    let crossings: Vec<_> = follower.crossings().collect();
    assert_eq!(crossings.len() + 1, polygons.len());
    for (pair, crossing) in polygons.windows(2).zip(crossings) {
        match crossing {
            Crossing::Portal(portal) => {
                assert!(mesh.portal(portal).polygons.contains(&pair[0]));
                assert_eq!(mesh.portal(portal).beyond(pair[0]), pair[1]);
            }
            Crossing::Link(link, side) => {
                let ends = mesh.link(link).polygons;
                assert_eq!(
                    [ends[usize::from(side)], ends[usize::from(1 - side)]],
                    [pair[0], pair[1]]
                );
            }
        }
    }
}

/// One frame of an agent that walks to its next corner and is pushed. Returns whether it has arrived.
fn frame(
    world: &World,
    costs: &Costs,
    follower: &mut Follower,
    push: Vec3,
    scratch: &mut ProbeScratch,
) -> bool {
    let probe = world.probe_with(costs).expect("costs of this world");
    let here = follower.location().expect("a path").point;
    let target = follower.corners(&probe, 1)[0].point;
    let walked = here + (target - here).with_y(0.0).clamp_length_max(STEP);
    match follower.advance(&probe, walked + push, scratch) {
        Follow::Arrived => return true,
        Follow::Link(_) => follower.leave_link(world.mesh()),
        Follow::Walk | Follow::Astray => {}
        Follow::NoPath => panic!("the path got lost"),
    }
    assert_valid(world, costs, follower);
    if follower.needs_path() {
        let (here, goal) = (
            follower.location().expect("a path"),
            follower.goal().expect("a path"),
        );
        let path = find(world, costs, [here.point, goal.point], Engine::AStar);
        follower.set_path(&path.expect("an agent that was pushed can still reach its goal"));
    }
    false
}

/// Returns points without those that repeat the one before.
fn distinct(points: impl Iterator<Item = Vec3>) -> Vec<Vec3> {
    let mut points: Vec<Vec3> = points.collect();
    points.dedup_by(|a, b| distance_xz(*a, *b) < 1e-6);
    points
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    #[test]
    fn agents_that_are_pushed_about_stay_on_the_mesh_and_arrive(plan in plans(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let mesh = world.mesh();
        // One-way links would let a push end where no path leads back, so agents walk.
        let mut agent = agent;
        agent.links = agent.links && mesh.links().iter().all(|link| link.both_ways);
        let costs = world.costs(&agent.profile());
        let mut rng = CaseRng::new(seed);
        let (mut follower, mut scratch) = (Follower::new(), ProbeScratch::new());
        for _ in 0..3 {
            let ends = [rng.point_on(mesh), rng.point_on(mesh)];
            let Some(path) = find(&world, &costs, ends, Engine::AStar) else { continue };
            follower.set_path(&path);
            for _ in 0..60 {
                let push = vec3(rng.between(-1.0, 1.0), 0.0, rng.between(-1.0, 1.0));
                if frame(&world, &costs, &mut follower, push, &mut scratch) {
                    break;
                }
            }
            let frames = (0..4000).position(|_| frame(&world, &costs, &mut follower, Vec3::ZERO, &mut scratch));
            prop_assert!(frames.is_some(), "stopped at {:?}, goal {:?}", follower.location(), follower.goal());
        }
    }

    #[test]
    fn corners_equal_the_waypoints_of_the_path(plan in plans(), agent in agents(), seed: u64, count in 0usize..6) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(seed);
        let mut follower = Follower::new();
        for _ in 0..6 {
            let ends = [rng.point_on(world.mesh()), rng.point_on(world.mesh())];
            let Some(path) = find(&world, &costs, ends, Engine::AStar) else { continue };
            follower.set_path(&path);
            let all = follower.corners(&probe, usize::MAX).to_vec();
            prop_assert_eq!(all.iter().filter(|corner| corner.is_goal).count(), 1);
            prop_assert!(all.last().is_some_and(|corner| corner.is_goal));
            prop_assert_eq!(all.iter().filter_map(|corner| corner.link).map(|link| link.link).collect::<Vec<_>>(),
                path.links.iter().map(|leg| leg.link).collect::<Vec<_>>());
            let expected = distinct(path.waypoints[1..].iter().copied());
            prop_assert_eq!(distinct(all.iter().map(|corner| corner.point)), expected);
            let few = follower.corners(&probe, count);
            prop_assert_eq!(few, &all[..count.min(all.len())]);
        }
    }

    #[test]
    fn a_goal_that_moves_is_followed(plan in plans(), agent in agents(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let mesh = world.mesh();
        let mut agent = agent;
        agent.links = false;
        let costs = world.costs(&agent.profile());
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(seed);
        let (mut follower, mut scratch) = (Follower::new(), ProbeScratch::new());
        let ends = [rng.point_on(mesh), rng.point_on(mesh)];
        let Some(path) = find(&world, &costs, ends, Engine::AStar) else { return Ok(()) };
        follower.set_path(&path);
        let mut goal = follower.goal().expect("a path");
        for _ in 0..40 {
            let step = vec3(rng.between(-1.0, 1.0), 0.0, rng.between(-1.0, 1.0));
            goal = probe.slide(goal, goal.point + step, &mut scratch);
            if follower.retarget(&probe, goal.point, &mut scratch) {
                let found = follower.goal().expect("a path");
                prop_assert!(distance_xz(found.point, goal.point) <= f64::from(follower.arrival));
            } else {
                // The goal is on the other side of a thin wall, at whose tip both are within `arrival`.
                prop_assert!(follower.needs_path());
                let here = follower.location().expect("a path").point;
                let path = find(&world, &costs, [here, goal.point], Engine::AStar);
                follower.set_path(&path.expect("the goal is on the same island"));
            }
            frame(&world, &costs, &mut follower, Vec3::ZERO, &mut scratch);
            assert_valid(&world, &costs, &follower);
        }
        let frames = (0..4000).position(|_| frame(&world, &costs, &mut follower, Vec3::ZERO, &mut scratch));
        prop_assert!(frames.is_some());
    }

    /// Without pushes, an agent walks no farther than its path is long, apart from the last step.
    #[test]
    fn an_agent_walks_no_farther_than_its_path(plan in plans(), seed: u64) {
        let world = World::from_mesh(plan.mesh());
        let costs = world.default_costs();
        let probe = world.probe();
        let mut rng = CaseRng::new(seed);
        let ends = [rng.point_on(world.mesh()), rng.point_on(world.mesh())];
        let Some(path) = find(&world, costs, ends, Engine::AStar) else { return Ok(()) };
        if !path.links.is_empty() {
            return Ok(());
        }
        let (mut follower, mut scratch) = (Follower::new(), ProbeScratch::new());
        follower.set_path(&path);
        let mut walked = 0.0;
        let mut has_arrived = false;
        for _ in 0..4000 {
            let here = follower.location().expect("a path").point;
            let target = follower.corners(&probe, 1)[0].point;
            let position = here + (target - here).with_y(0.0).clamp_length_max(STEP);
            let state = follower.advance(&probe, position, &mut scratch);
            walked += distance_xz(here, follower.location().expect("a path").point);
            has_arrived = state == Follow::Arrived;
            if has_arrived {
                break;
            }
            prop_assert!(walked <= path.length_xz() * 1.0001 + 1e-3, "{walked} of {}", path.length_xz());
        }
        prop_assert!(has_arrived, "stopped at {:?}", follower.location());
    }
}

/// A strip of three rooms.
fn strip() -> World {
    let corner = |i: u8| vec3(f32::from(i / 2) * 4.0, 0.0, f32::from(i % 2) * 4.0);
    let mut raw = portolan_core::RawNavMesh {
        vertices: (0..8).map(corner).collect(),
        ..Default::default()
    };
    for i in [0, 2, 4] {
        raw.polygons.push([i, i + 2, i + 3, i + 1]);
    }
    World::build(raw, &Default::default()).expect("a valid mesh")
}

#[test]
fn a_follower_without_a_path_says_so() {
    let world = strip();
    let mut follower = Follower::new();
    let state = follower.advance(&world.probe(), [1.0, 0.0, 1.0], &mut ProbeScratch::new());
    assert_eq!(state, Follow::NoPath);
    assert!(follower.needs_path() && follower.corners(&world.probe(), 4).is_empty());
    assert!(!follower.retarget(&world.probe(), [1.0, 0.0, 1.0], &mut ProbeScratch::new()));
    follower.leave_link(world.mesh());
}

#[test]
fn a_position_that_is_not_finite_leaves_the_agent_where_it_is() {
    let world = strip();
    let path = world
        .find([1.0, 0.0, 1.0], [11.0, 0.0, 1.0])
        .expect("connected");
    let mut follower = Follower::new();
    follower.set_path(&path);
    let before = follower.location();
    for bad in [Vec3::NAN, Vec3::INFINITY] {
        assert_eq!(
            follower.advance(&world.probe(), bad, &mut ProbeScratch::new()),
            Follow::Walk
        );
        assert_eq!(follower.location(), before);
        assert!(!follower.retarget(&world.probe(), bad, &mut ProbeScratch::new()));
    }
}

#[test]
fn a_goal_that_jumps_needs_a_new_path() {
    let world = strip();
    let path = world
        .find([1.0, 0.0, 1.0], [5.0, 0.0, 1.0])
        .expect("connected");
    let mut follower = Follower::new();
    follower.set_path(&path);
    assert!(!follower.retarget(&world.probe(), [30.0, 0.0, 1.0], &mut ProbeScratch::new()));
    assert!(follower.needs_path());
    assert_eq!(
        follower.goal().map(|goal| goal.point),
        path.waypoints.last().copied()
    );
}

#[test]
fn a_warm_follower_allocates_nothing() {
    let raw = portolan_scenes::WorldScene::Open.build(&Default::default());
    let world = World::build(raw, &Default::default()).expect("a valid mesh");
    let mesh = world.mesh();
    let ends =
        [0, mesh.polygon_count() - 1].map(|i| mesh.centre(portolan_core::PolygonId(i as u32)));
    let path = world.find(ends[0], ends[1]).expect("connected");
    let (mut follower, mut scratch) = (Follower::new(), ProbeScratch::new());
    let mut walk = |follower: &mut Follower| {
        let mut rng = CaseRng::new(7);
        follower.set_path(&path);
        for _ in 0..400 {
            let push = vec3(rng.between(-0.3, 0.3), 0.0, rng.between(-0.3, 0.3));
            let here: Location = follower.location().expect("a path");
            let target = follower.corners(&world.probe(), 3)[0].point;
            let walked = here.point + (target - here.point).clamp_length_max(STEP);
            follower.advance(&world.probe(), walked + push, &mut scratch);
        }
    };
    walk(&mut follower);
    let info = allocation_counter::measure(|| walk(&mut follower));
    assert_eq!(info.count_total, 0);
}
