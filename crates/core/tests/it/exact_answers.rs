//! Exact paths with profiles, links, limits, corridors and ground, and what the exact tier refuses.

use portolan_core::{
    Csr, Engine, EngineError, ExactError, ExactOptions, Limits, NavMesh, Path, Profile, Query,
    Scratch, Status, Tier, World, no_progress,
};
use portolan_oracle::{
    Agent, CaseRng, IntervalSearch, LinksOptimum, MeshPlan, Sight, assert_corridor, plans_and_tiles,
};
use proptest::prelude::*;

use crate::exact::{
    EXACT, ExactWorlds, UNLIMITED, answer, assert_shortest, corners_only, rounding,
};

/// Draws profiles with one cost per metre that close areas and flags.
fn forbidding() -> impl Strategy<Value = Agent> {
    let closed = prop::array::uniform4(prop::bool::weighted(0.25));
    let factor = prop_oneof![Just(1f32), Just(3f32)];
    (
        closed,
        factor,
        prop_oneof![Just(0u16), Just(2), Just(6)],
        any::<bool>(),
    )
        .prop_map(|(closed, factor, exclude_flags, links)| Agent {
            factors: closed.map(|is_closed| (!is_closed).then_some(factor)),
            include_flags: 0,
            exclude_flags,
            links,
        })
}

fn flat(plan: MeshPlan) -> MeshPlan {
    match plan {
        MeshPlan::Patchwork(patchwork) => MeshPlan::Patchwork(portolan_oracle::Patchwork {
            links: 0,
            ..patchwork
        }),
        plan => plan,
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(600))]

    /// Each profile has a graph of its own; a closed polygon is a wall.
    #[test]
    fn closed_ground_is_a_wall(plan in plans_and_tiles(), agent in forbidding(), seed: u64) {
        let agent = Agent { links: false, ..agent };
        let worlds = ExactWorlds::new(flat(plan).mesh(), &Profile::default());
        let (mesh, profile) = (worlds.mesh(), agent.profile());
        let factor = agent.factors.into_iter().flatten().next().unwrap_or(1.0);
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        for (method, world) in worlds.both() {
            let costs = world.costs(&profile);
            let allowed = |polygon| costs.prices().allows(mesh, polygon);
            let mut oracle = IntervalSearch::new(mesh, allowed);
            for _ in 0..10 {
                let ends = [rng.location(mesh), rng.location(mesh)];
                if !ends.iter().all(|end| allowed(end.polygon)) {
                    continue;
                }
                let shortest = oracle.length(ends[0], ends[1]);
                let query = Query { costs: Some(&costs), ..corners_only() };
                let found = answer(world, &query, ends, &mut scratch);
                let tolerance = rounding(mesh, shortest);
                let context = format!("{method}: {ends:?}");
                assert_shortest(&found, shortest, factor.into(), tolerance, &context);
                if found.0 == Status::Found {
                    let query = Query { corridor: true, ..query };
                    let (_, path) = answer(world, &query, ends, &mut scratch);
                    assert_corridor(mesh, &profile, &path);
                    prop_assert_eq!(&path.waypoints, &found.1.waypoints);
                }
            }
        }
    }

    /// Links are edges between two points. Their costs may be below their lengths.
    #[test]
    fn paths_over_links_are_exact(plan in plans_and_tiles(), scale in 0.0f32..2.0, seed: u64) {
        let mut raw = plan.raw();
        for link in raw.links.iter_mut().step_by(2) {
            link.cost = Some(link.start.distance(link.end) * scale);
        }
        let mesh = NavMesh::build(raw, &Default::default()).expect("a valid plan");
        let worlds = ExactWorlds::new(mesh, &Profile::default());
        let mesh = worlds.mesh();
        let world = &worlds.lazy;
        let mut oracle = LinksOptimum::new(mesh, world.default_costs().prices());
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        for _ in 0..10 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let shortest = oracle.cost(ends[0], ends[1]);
            let query = Query { corridor: true, ..corners_only() };
            let (status, path) = answer(world, &query, ends, &mut scratch);
            prop_assert_eq!(status == Status::Found, shortest < f64::INFINITY, "{:?}", ends);
            if status != Status::Found {
                continue;
            }
            let tolerance = 4.0 * rounding(mesh, shortest) + 1e-6 * shortest;
            prop_assert!(
                (f64::from(path.cost) - shortest).abs() <= tolerance,
                "{} instead of {shortest} from {:?} to {:?}: {path:?}", path.cost, ends[0], ends[1]
            );
            assert_corridor(mesh, &Profile::default(), &path);
            // The legs on the ground and the links cost what the path costs.
            let is_link = |leg: usize| path.links.iter().any(|link| link.waypoint as usize == leg);
            let ground = path.legs().enumerate().filter(|&(leg, _)| !is_link(leg));
            let ground: f64 = ground
                .map(|(_, [a, b])| portolan_core::geometry::distance_xz(a, b))
                .sum();
            let links = path.links.iter().map(|leg| f64::from(mesh.link(leg.link).cost));
            let sum = ground + links.sum::<f64>();
            prop_assert!((sum - f64::from(path.cost)).abs() <= tolerance, "{sum}: {path:?}");
        }
    }

    /// The corridor leads from the start's polygon to the goal's, every leg stays on the mesh, and a limit on the
    /// cost is respected.
    #[test]
    fn paths_are_walkable_and_within_their_limits(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mesh = worlds.mesh();
        let sight = Sight::new(mesh);
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        for _ in 0..8 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            for (_, world) in worlds.both() {
                let query = Query { corridor: true, ..corners_only() };
                let (status, path) = answer(world, &query, ends, &mut scratch);
                if status != Status::Found {
                    continue;
                }
                let polygons = &path.corridor.polygons;
                prop_assert_eq!(polygons.first(), Some(&ends[0].polygon));
                prop_assert_eq!(polygons.last(), Some(&ends[1].polygon));
                assert_corridor(mesh, &Profile::default(), &path);
                sight.follow(&path, ends[0].polygon);
                let on_ground = Query { ground_tolerance: 0.1, ..query };
                let (_, ground) = answer(world, &on_ground, ends, &mut scratch);
                let difference = ground.length_xz() - path.length_xz();
                prop_assert!(difference.abs() <= 1e-4 * (1.0 + path.length_xz()));
                for (factor, expected) in [(0.999, Status::NoPath), (1.001, Status::Found)] {
                    let limits = Limits { max_cost: path.cost * factor, partial: false };
                    let limited = Query { limits, ..query };
                    let (status, _) = answer(world, &limited, ends, &mut scratch);
                    prop_assert!(status == expected || path.cost < 1e-3, "{factor} {status:?}");
                }
                let located = world.located(&query, portolan_core::Endpoints {
                    start: ends[0],
                    goal: ends[1],
                });
                let distance = located.expect("an engine").distance(&mut scratch).expect("a path");
                prop_assert_eq!(distance.cost, path.cost);
                prop_assert_eq!(distance.first, path.corridor.crossings.first().copied());
            }
        }
    }

    /// No other engine finds a shorter path in plan.
    #[test]
    fn no_engine_finds_a_shorter_path(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mesh = worlds.mesh();
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        for _ in 0..6 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let (status, exact) = answer(&worlds.lazy, &corners_only(), ends, &mut scratch);
            for engine in worlds.lazy.engines() {
                let query = Query { engine, ..corners_only() };
                let (other, path) = answer(&worlds.lazy, &query, ends, &mut scratch);
                prop_assert_eq!(other, status, "{}", engine);
                let slack = rounding(mesh, exact.length_xz());
                prop_assert!(exact.length_xz() <= path.length_xz() + slack, "{}", engine);
            }
        }
    }

    /// A goal that cannot be reached has the partial path of A*.
    #[test]
    fn partial_paths_are_those_of_astar(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mesh = worlds.mesh();
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        let limits = Limits { partial: true, ..Limits::default() };
        for _ in 0..6 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let query = Query { limits, corridor: true, ..corners_only() };
            let exact = answer(&worlds.labels, &query, ends, &mut scratch);
            let astar = Query { engine: Engine::AStar, ..query };
            let astar = answer(&worlds.labels, &astar, ends, &mut scratch);
            prop_assert_eq!(exact.0, astar.0);
            if exact.0 == Status::Partial {
                prop_assert_eq!(exact, astar);
            }
        }
    }
}

/// Builds two rooms of area 0 and 1 beside each other.
fn two_rooms() -> NavMesh {
    let raw = portolan_core::RawNavMesh {
        vertices: [[0., 0.], [4., 0.], [8., 0.], [0., 4.], [4., 4.], [8., 4.]]
            .map(|[x, z]| glam::vec3(x, 0.0, z))
            .to_vec(),
        polygons: {
            let mut polygons = Csr::new();
            polygons.push([0, 1, 4, 3]);
            polygons.push([1, 2, 5, 4]);
            polygons
        },
        areas: vec![0, 1],
        ..Default::default()
    };
    NavMesh::build(raw, &Default::default()).expect("two rooms")
}

#[test]
fn areas_of_different_costs_have_no_exact_paths() {
    let mut mud = Profile::default();
    mud.set_factor(1, 5.0).expect("a factor");
    let options = ExactOptions {
        auto: true,
        ..UNLIMITED
    };
    let world = World::from_mesh(two_rooms());
    let world = world
        .with_exact(options, &no_progress)
        .expect("equal costs");
    assert_eq!(world.resolve_engine(Engine::default()), EXACT);
    let costs = world.costs(&mud);
    let query = Query {
        costs: Some(&costs),
        engine: EXACT,
        ..Query::new([1., 0., 1.], [7., 0., 3.])
    };
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let refused = world.find_path(&query, &mut scratch, &mut path);
    let reason = ExactError::AreaCosts;
    assert_eq!(
        refused,
        Err(EngineError::NotExact {
            engine: EXACT,
            reason
        })
    );
    // `auto` is exact for other profiles, and uses its tier for this one.
    let query = Query {
        engine: Engine::default(),
        ..query
    };
    assert_eq!(
        world.find_path(&query, &mut scratch, &mut path),
        Ok(Status::Found)
    );
    assert!(path.cost > 12.0, "{}", path.cost);
    let costs = world.costs_for(&mud, &[Engine::default()]);
    let query = Query {
        costs: Some(&costs),
        ..query
    };
    assert_eq!(
        world.find_path(&query, &mut scratch, &mut path),
        Ok(Status::Found)
    );

    let world = World::new(two_rooms(), &Default::default(), &mud).expect("a graph");
    let refused = world
        .with_exact(options, &no_progress)
        .expect_err("two costs");
    assert!(refused.to_string().contains("different costs"), "{refused}");
}

#[test]
fn a_world_without_the_exact_tier_says_how_to_build_it() {
    let world = World::from_mesh(two_rooms());
    let query = Query {
        engine: EXACT,
        ..Query::new([1., 0., 1.], [7., 0., 3.])
    };
    let error = world.locate(&query).expect_err("no exact tier").to_string();
    assert!(error.contains("portolan index --tiers exact"), "{error}");
    assert!(!world.tiers().any(|tier| tier == Tier::Exact));
}
