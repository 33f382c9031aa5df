//! Every path of an anytime query is within its bound, and the last one is the cheapest.

use glam::Vec3;
use portolan_core::{
    Anytime, AnytimeProgress, Budget, Connect, Engine, GraphOptions, Improvement, Limits, Path,
    Profile, Query, ResumeError, Samples, Scratch, SearchProgress, Status, World,
};
use portolan_oracle::{
    CaseRng, LevelsOptions, agents, assert_corridor, close, plans, random_partition, with_levels,
};
use proptest::prelude::*;

use crate::pending::{query, rooms, world};

/// The optimum, from Dijkstra's algorithm.
struct Reference {
    status: Status,
    cost: f32,
}

impl Reference {
    fn new(world: &World, query: &Query<'_>, scratch: &mut Scratch) -> Self {
        let mut path = Path::default();
        let query = Query {
            engine: Engine::Dijkstra,
            ..*query
        };
        let status = world
            .find_path(&query, scratch, &mut path)
            .expect("an engine");
        let cost = path.cost;
        Self { status, cost }
    }
}

/// Runs a query to its end in steps of random budgets. Returns all improvements and the final status. Checks
/// each path against the optimum.
fn improve(
    world: &World,
    query: &Query<'_>,
    search: &mut Anytime,
    reference: &Reference,
    rng: &mut CaseRng,
) -> (Vec<Improvement>, Status) {
    let name = format!("{} {query:?}", query.engine);
    let mut found: Vec<Improvement> = Vec::new();
    let mut path = Path::default();
    search.begin(world, query).expect("an engine");
    let max_step = [1, 10, 300, usize::MAX - 1][rng.below(4)];
    for _ in 0..1_000_000 {
        let step = match max_step {
            usize::MAX.. => unreachable!(),
            step if step > 1000 => step,
            step => 1 + rng.below(step),
        };
        match search
            .improve(world, Budget::expansions(step))
            .expect("this world")
        {
            AnytimeProgress::Running => {
                assert_eq!(search.path(world, &mut path).is_ok(), !found.is_empty());
            }
            AnytimeProgress::Better(better) => {
                assert_eq!(search.bound(), Some(better.bound), "{name}");
                assert!(
                    better.bound >= 1.0 && better.bound <= 100.0,
                    "{name}: {better:?}"
                );
                if let Some(last) = found.last() {
                    assert!(
                        better.bound < last.bound,
                        "{name}: {last:?} before {better:?}"
                    );
                    assert!(
                        better.cost <= last.cost,
                        "{name}: {last:?} before {better:?}"
                    );
                }
                let optimum = f64::from(reference.cost);
                let allowed = optimum * f64::from(better.bound);
                let cost = f64::from(better.cost);
                assert!(
                    cost <= allowed || close(cost, allowed),
                    "{name}: {better:?}, {optimum}"
                );
                assert!(
                    cost >= optimum || close(cost, optimum),
                    "{name}: {better:?}, {optimum}"
                );
                found.push(better);
            }
            AnytimeProgress::Done(status) => {
                assert!(search.is_done());
                return (found, status);
            }
        }
        if let Some(last) = found.last() {
            // The path is that of the last improvement, also when the next round has begun.
            let status = search.path(world, &mut path).expect("a path");
            assert!(status.has_path(), "{name}");
            assert_eq!(path.cost, last.cost, "{name}");
            let profile = query.costs.unwrap_or(world.default_costs()).profile();
            assert_corridor(world.mesh(), profile, &path);
        }
    }
    panic!("{name} makes no progress");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(150))]

    /// On the portal graph and on all levels, with areas of different costs, links, limits and partial paths.
    #[test]
    fn paths_are_within_their_bounds_and_the_last_is_the_cheapest(
        plan in plans(), agent in agents(), seed: u64,
    ) {
        let world = world(&plan, &agent, seed);
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        let mut search = Anytime::with_first_bound([1.0, 1.5, 3.0, 50.0][rng.below(4)]);
        let (mut plain, mut path) = (Path::default(), Path::default());
        let is_anytime = |engine: &Engine| matches!(engine, Engine::AStar | Engine::Hna { .. });
        for engine in world.engines().into_iter().filter(is_anytime) {
            for _ in 0..3 {
                let query = query(&world, engine, &mut rng);
                let reference = Reference::new(&world, &query, &mut scratch);
                let status = world.find_path(&query, &mut scratch, &mut plain).expect("an engine");
                let (found, end) = improve(&world, &query, &mut search, &reference, &mut rng);
                // A path that costs as much as the limit may be on either side of it.
                let is_at_limit = close(reference.cost.into(), query.limits.max_cost.into());
                if is_at_limit && end != status {
                    continue;
                }
                prop_assert_eq!(end, status, "{}", engine);
                search.path(&world, &mut path).expect("this world");
                prop_assert!(close(path.cost.into(), plain.cost.into()), "{}: {} instead of {}", engine, path.cost, plain.cost);
                match found.last() {
                    Some(last) => {
                        prop_assert_eq!(last.bound, 1.0);
                        prop_assert!(close(last.cost.into(), plain.cost.into()));
                        if world.default_costs().prices().heuristic_scale() == 0.0 {
                            prop_assert_eq!(found.len(), 1, "without a heuristic the first path is the best");
                        }
                    }
                    // Partial paths, and that there is none, are answers of A*, to the bit.
                    None => {
                        prop_assert_eq!(path.cost.to_bits(), plain.cost.to_bits());
                        prop_assert_eq!(&path.waypoints, &plain.waypoints);
                    }
                }
                prop_assert_eq!(reference.status.has_path(), end.has_path());
            }
        }
    }

    /// With several samples per portal, and with costs other than the world's own.
    #[test]
    fn bounds_hold_for_other_graphs_and_profiles(
        plan in plans(), agent in agents(), samples in 1u32..5, seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let mesh = plan.mesh();
        let partition = random_partition(&mesh, 6, seed);
        let options = LevelsOptions {
            graph: GraphOptions { samples: Samples::Each(samples), ..GraphOptions::default() },
            ..LevelsOptions::default()
        };
        let world = with_levels(mesh, partition, &options);
        let costs = world.costs(&agent.profile());
        let (mut scratch, mut search) = (Scratch::new(), Anytime::new());
        for engine in [
            Engine::AStar,
            Engine::Hna { level: None, connect: None },
            Engine::Hna { level: None, connect: Some(Connect::AStar) },
        ] {
            for _ in 0..4 {
                let query = Query { costs: Some(&costs), limits: Limits::default(), ..query(&world, engine, &mut rng) };
                let reference = Reference::new(&world, &query, &mut scratch);
                let (found, end) = improve(&world, &query, &mut search, &reference, &mut rng);
                prop_assert_eq!(end, reference.status);
                prop_assert_eq!(found.is_empty(), !end.has_path());
                if let Some(last) = found.last() {
                    prop_assert_eq!(last.bound, 1.0);
                    prop_assert!(close(last.cost.into(), reference.cost.into()));
                }
            }
        }
    }

    /// Budgets do not change which paths are found.
    #[test]
    fn improvements_do_not_depend_on_pauses(plan in plans(), agent in agents(), seed: u64) {
        let world = world(&plan, &agent, seed);
        let mut rng = CaseRng::new(seed);
        let (mut paused, mut whole) = (Anytime::new(), Anytime::new());
        let (mut a, mut b) = (Path::default(), Path::default());
        for engine in world.engines() {
            let query = query(&world, engine, &mut rng);
            paused.begin(&world, &query).expect("an engine");
            whole.begin(&world, &query).expect("an engine");
            loop {
                let expected = whole.improve(&world, Budget::UNLIMITED).expect("this world");
                let found = loop {
                    let budget = Budget::expansions(1 + rng.below(9));
                    match paused.improve(&world, budget).expect("this world") {
                        AnytimeProgress::Running => {}
                        progress => break progress,
                    }
                };
                prop_assert_eq!(found, expected, "{}", engine);
                prop_assert_eq!(paused.path(&world, &mut a), whole.path(&world, &mut b));
                prop_assert_eq!((&a.corridor, &a.waypoints), (&b.corridor, &b.waypoints), "{}", engine);
                if let AnytimeProgress::Done(_) = found {
                    break;
                }
            }
        }
    }
}

#[test]
fn the_first_path_needs_fewer_expansions_than_the_best() {
    let (world, query) = rooms();
    let count = |search: &mut Anytime, is_last: fn(Improvement) -> bool| {
        search.begin(&world, &query).expect("an engine");
        let mut expansions = 0;
        loop {
            expansions += 1;
            let progress = search
                .improve(&world, Budget::expansions(1))
                .expect("this world");
            if let AnytimeProgress::Better(better) = progress
                && is_last(better)
            {
                return (expansions, better);
            }
        }
    };
    let (first, path) = count(&mut Anytime::new(), |_| true);
    let (plain, best) = count(&mut Anytime::with_first_bound(1.0), |_| true);
    let (last, end) = count(&mut Anytime::new(), |better| better.bound == 1.0);
    assert!(path.bound > 1.0 && best.bound == 1.0);
    assert_eq!(best.cost, end.cost);
    assert!(2 * first < plain, "{first} of {plain} expansions");
    assert!(last >= first);
}

#[test]
fn a_budget_of_nothing_does_nothing() {
    let (world, query) = rooms();
    let mut search = Anytime::new();
    let mut path = Path::default();
    assert_eq!(search.begin(&world, &query), Ok(SearchProgress::Running));
    for _ in 0..3 {
        let progress = search.improve(&world, Budget::expansions(0));
        assert_eq!(progress, Ok(AnytimeProgress::Running));
    }
    assert_eq!(search.path(&world, &mut path), Err(ResumeError::Running));
    assert_eq!(search.bound(), None);
}

#[test]
fn an_anytime_query_does_not_continue_on_another_world() {
    let (world, query) = rooms();
    let (mut search, mut path) = (Anytime::default(), Path::default());
    let not_begun = search.improve(&world, Budget::UNLIMITED);
    assert_eq!(not_begun, Err(ResumeError::NotBegun));
    assert_eq!(search.path(&world, &mut path), Err(ResumeError::NotBegun));
    search.begin(&world, &query).expect("an engine");
    let first = search
        .improve(&world, Budget::UNLIMITED)
        .expect("this world");
    assert!(matches!(first, AnytimeProgress::Better(_)));
    let changed = World::from_mesh(world.mesh().clone());
    let refused = search.improve(&changed, Budget::UNLIMITED);
    assert_eq!(refused, Err(ResumeError::WorldChanged));
    assert_eq!(
        search.path(&changed, &mut path),
        Err(ResumeError::WorldChanged)
    );
    assert!(path.waypoints.is_empty());
    assert_eq!(search.path(&world.clone(), &mut path), Ok(Status::Found));
}

#[test]
fn points_off_the_mesh_end_at_once_and_strange_bounds_are_clamped() {
    let (world, query) = rooms();
    for bound in [f32::NAN, -1.0, 0.0, f32::INFINITY] {
        let mut search = Anytime::with_first_bound(bound);
        let lost = Query {
            from: Vec3::NAN,
            ..query
        };
        let status = Status::StartOffMesh;
        assert_eq!(
            search.begin(&world, &lost),
            Ok(SearchProgress::Done(status))
        );
        let done = search.improve(&world, Budget::UNLIMITED);
        assert_eq!(done, Ok(AnytimeProgress::Done(status)));
        search.begin(&world, &query).expect("an engine");
        let first = search.improve(&world, Budget::UNLIMITED);
        assert!(matches!(first, Ok(AnytimeProgress::Better(_))));
    }
}

#[test]
fn without_a_heuristic_the_first_path_is_the_best() {
    let (world, query) = rooms();
    let mut free = Profile::default();
    free.set_factor(0, 0.0).expect("a valid factor");
    let costs = world.costs(&free);
    assert_eq!(costs.prices().heuristic_scale(), 0.0);
    let mut search = Anytime::new();
    let query = Query {
        costs: Some(&costs),
        ..query
    };
    search.begin(&world, &query).expect("an engine");
    let best = Improvement {
        cost: 0.0,
        bound: 1.0,
    };
    let only = search.improve(&world, Budget::UNLIMITED);
    assert_eq!(only, Ok(AnytimeProgress::Better(best)));
    assert!(search.is_done());
}
