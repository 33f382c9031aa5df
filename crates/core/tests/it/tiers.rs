//! Quality tiers: which tier each engine uses, which input is rejected, and cost limits on taut costs.

use portolan_core::contraction::Shortcuts;
use portolan_core::sections::{SectionReader, SectionWriter};
use portolan_core::{
    Array, Check, CostModel, Crossing, Engine, EngineError, GraphOptions, Limits, Path,
    PortalGraph, Profile, Query, Samples, Scratch, Status, StoredOptions, Tier, World, WorldError,
};
use portolan_oracle::{
    Agent, CaseRng, MeshPlan, agents, assert_corridor, densities, plans, with_tier, with_tiers,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

fn plain() -> World {
    let options = WorldOptions {
        polygons: 300,
        links: true,
        areas: true,
        ..WorldOptions::default()
    };
    World::from_mesh(MeshPlan::Scene(WorldScene::Rooms, options).mesh())
}

fn contracted(world: World) -> World {
    let order = (0..world.graph().sample_count() as u32).collect();
    world.with_contraction(order).expect("a valid order")
}

fn answer(world: &World, query: &Query<'_>, engine: Engine) -> (Status, Path) {
    let mut path = Path::default();
    let query = Query { engine, ..*query };
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("the world has this engine");
    (status, path)
}

fn queries(world: &World) -> Vec<Query<'static>> {
    let mut rng = CaseRng::new(3);
    let mut query = || {
        Query::new(
            rng.point_inside(world.mesh()),
            rng.point_inside(world.mesh()),
        )
    };
    (0..50).map(|_| query()).collect()
}

#[test]
fn auto_uses_the_tier_that_it_names() {
    let world = with_tiers(contracted(plain()));
    assert!(world.tiers().eq(Tier::CONTRACTED));
    let answers_of = |engine| -> Vec<(Status, Path)> {
        let queries = queries(&world);
        let answers = queries.iter().map(|query| answer(&world, query, engine));
        answers.collect()
    };
    let by_tier = Tier::CONTRACTED.map(|tier| answers_of(Engine::Contraction(tier)));
    for tier in Tier::TAUT {
        assert_eq!(answers_of(Engine::Auto(tier)), by_tier[tier as usize]);
    }
    assert_eq!(
        answers_of(Engine::default()),
        by_tier[Tier::Default as usize]
    );
    // A tier that gave the same paths as another would be useless.
    for pair in by_tier.windows(2) {
        assert!(pair[0] != pair[1]);
    }
}

#[test]
fn only_auto_falls_back_to_another_engine() {
    let engine = |name: &str| name.parse::<Engine>().expect("an engine");
    let names = |world: &World| -> Vec<String> {
        let engines = world.engines().into_iter().map(|engine| engine.to_string());
        engines.collect()
    };
    let astar = plain();
    assert_eq!(names(&astar), ["auto", "astar", "dijkstra", "auto:fast"]);
    let resolved = ["auto", "auto:fast"].map(|name| astar.resolve_engine(engine(name)));
    assert_eq!(resolved, [Engine::AStar; 2]);
    assert!(matches!(
        astar.check_engine(engine("contraction:best")),
        Err(EngineError::NoContraction(_))
    ));
    let error = |world: &World, name| world.check_engine(engine(name)).unwrap_err().to_string();
    assert_eq!(
        error(&astar, "auto:best"),
        "auto:best needs the tier 'best', and this index has none: run `portolan index --tiers best`"
    );

    let fast = contracted(plain());
    let resolved = ["auto", "auto:fast"].map(|name| fast.resolve_engine(engine(name)));
    assert_eq!(resolved, [Engine::Auto(Tier::Fast); 2]);
    for query in queries(&fast) {
        let [one, other] = ["auto", "auto:fast"].map(|name| answer(&fast, &query, engine(name)));
        assert_eq!(one, other);
    }
    assert_eq!(
        error(&fast, "contraction"),
        "contraction needs the tier 'default', and this index has fast: run `portolan index --tiers fast,default`"
    );
    let samples = Samples::ByLength { percentile: 75 };
    let best = with_tier(fast, Tier::Best, samples, &mut CaseRng::new(1));
    assert!(best.tiers().eq([Tier::Fast, Tier::Best]));
    assert_eq!(
        names(&best),
        [
            "auto",
            "astar",
            "dijkstra",
            "auto:fast",
            "auto:best",
            "contraction:fast",
            "contraction:best"
        ]
    );
    // `auto` falls back to the fast tier even if the best tier exists.
    assert_eq!(
        best.resolve_engine(engine("auto")),
        Engine::Auto(Tier::Fast)
    );
    assert!(error(&best, "contraction").contains("has fast,best:"));
}

#[test]
fn costs_for_an_engine_include_only_its_tier() {
    let world = with_tiers(contracted(plain()));
    let mut profile = Profile::default();
    profile.set_factor(1, 3.0).expect("a valid factor");
    for tier in Tier::CONTRACTED {
        for engine in [Engine::Auto(tier), Engine::Contraction(tier)] {
            let costs = world.costs_for(&profile, &[engine]);
            let included = Tier::CONTRACTED.map(|tier| costs.shortcuts(tier).is_some());
            let expected = Tier::CONTRACTED.map(|other| other == tier);
            assert_eq!(included, expected, "{engine}");
            let all = world.costs(&profile);
            for query in queries(&world).iter().take(10) {
                let [own, all] = [&costs, &all].map(|costs| Query {
                    costs: Some(costs),
                    ..*query
                });
                assert_eq!(answer(&world, &own, engine), answer(&world, &all, engine));
            }
        }
    }
    let costs = world.costs_for(&profile, &[Engine::AStar, Engine::Labels]);
    let included = Tier::CONTRACTED.map(|tier| costs.shortcuts(tier).is_some());
    assert_eq!(included, [true, false, false]);
}

#[test]
fn costs_from_before_the_tier_are_rejected() {
    let world = plain();
    let costs = world.costs(&Profile::default());
    let world = with_tiers(world);
    let query = Query {
        costs: Some(&costs),
        ..queries(&world)[0]
    };
    let result = world.find_path(&query, &mut Scratch::new(), &mut Path::default());
    assert_eq!(result, Err(EngineError::ForeignCosts));
}

#[test]
fn the_graph_of_another_mesh_is_rejected() {
    let options = WorldOptions {
        polygons: 100,
        ..WorldOptions::default()
    };
    let other = MeshPlan::Scene(WorldScene::Open, options).mesh();
    let graph = PortalGraph::new(&other, &GraphOptions::default());
    let order = (0..graph.sample_count() as u32).collect();
    let result = plain().with_tier(Tier::Best, graph, order);
    assert_eq!(result.err(), Some(WorldError::OtherMesh));
}

#[test]
fn a_tier_over_polygon_centres_is_rejected() {
    let (world, options) = (
        plain(),
        GraphOptions {
            cost_model: CostModel::Published,
            ..GraphOptions::default()
        },
    );
    let graph = PortalGraph::new(world.mesh(), &options);
    let order = (0..graph.sample_count() as u32).collect();
    let expected = world.taut_graph_options(options.samples);
    let result = world.with_tier(Tier::Default, graph, order);
    let found = options;
    assert_eq!(
        result.err(),
        Some(WorldError::TautGraph { found, expected })
    );
}

#[test]
fn a_graph_for_the_fast_tier_is_rejected() {
    let world = plain();
    let graph = world.graph().clone();
    let order = (0..graph.sample_count() as u32).collect();
    let result = world.with_tier(Tier::Fast, graph, order);
    assert_eq!(result.err(), Some(WorldError::NotTaut(Tier::Fast)));
}

#[test]
fn orders_that_are_no_permutations_are_rejected() {
    let world = plain();
    let count = world.graph().sample_count();
    let good: Vec<u32> = (0..count as u32).collect();
    let short = good[1..].to_vec();
    let mut twice = good.clone();
    twice[0] = 1;
    let mut beyond = good;
    beyond[0] = count as u32;
    for order in [short, twice, beyond] {
        let error = WorldError::Order {
            found: order.len(),
            expected: count,
        };
        let result = world.clone().with_contraction(order.clone());
        assert_eq!(result.err(), Some(error.clone()));
        let graph = world.graph().clone();
        let result = world.clone().with_tier(Tier::Default, graph, order);
        assert_eq!(result.err(), Some(error));
    }
}

#[test]
fn invalid_graph_options_are_rejected() {
    for (samples, cost_model) in [
        (Samples::Each(65), CostModel::Portals),
        (Samples::Each(2), CostModel::Published),
    ] {
        let options = GraphOptions {
            samples,
            cost_model,
        };
        let result = World::new(plain().into_mesh(), &options, &Profile::default());
        assert_eq!(result.err(), Some(WorldError::Graph(options)));
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    /// Limits apply to taut costs. A partial path is the one that A* finds on the world's own graph.
    #[test]
    fn taut_paths_respect_limits(plan in plans(), agent in agents(), samples in densities(), seed: u64) {
        let profile = agent.profile();
        let mut rng = CaseRng::new(seed);
        let world = World::new(plan.mesh(), &GraphOptions::default(), &profile).expect("a valid graph");
        let world = with_tier(world, Tier::Default, samples, &mut rng);
        let engine = Engine::Contraction(Tier::Default);
        for _ in 0..6 {
            let query = Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()));
            let limited = |engine, max_cost, partial| {
                let limits = Limits { max_cost, partial };
                answer(&world, &Query { limits, ..query }, engine)
            };
            let (status, path) = answer(&world, &query, engine);
            let (partial_status, partial) = limited(engine, f32::INFINITY, true);
            match status {
                Status::Found => {
                    prop_assert_eq!((partial_status, &partial), (status, &path));
                    // A limit of exactly the cost of the path is enough, to the bit.
                    prop_assert_eq!(limited(engine, path.cost, false), (status, path.clone()));
                }
                Status::NoPath => {
                    let astar = limited(Engine::AStar, f32::INFINITY, true);
                    prop_assert_eq!(&(partial_status, partial), &astar);
                    continue;
                }
                _ => continue,
            }
            if path.cost < 0.01 {
                continue;
            }
            let less = path.cost * 0.999;
            prop_assert_eq!(limited(engine, less, false).0, Status::NoPath);
            let (status, partial) = limited(engine, less, true);
            prop_assert_eq!((status, &partial), {
                let (status, path) = limited(Engine::AStar, less, true);
                (status, &path.clone())
            });
            prop_assert!(status.has_path());
            prop_assert!(partial.cost <= less);
            assert_corridor(world.mesh(), &profile, &partial);
        }
    }

    /// A distance is the cost of the path, and its first crossing leads out of the start's polygon. It may differ from
    /// the first crossing of a flipped path.
    #[test]
    fn distances_equal_the_costs_of_paths(
        plan in plans(), agent in agents(), samples in densities(), seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let world = World::new(plan.mesh(), &GraphOptions::default(), &agent.profile()).expect("a valid graph");
        let world = with_tier(world, Tier::Best, samples, &mut rng);
        for _ in 0..6 {
            let query = Query {
                engine: Engine::Auto(Tier::Best),
                ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
            };
            let Ok(ends) = world.locate(&query).expect("the world has this engine").endpoints() else { continue };
            let distance = world.located(&query, ends).expect("the world has this engine").distance(&mut Scratch::new());
            let (status, path) = answer(&world, &query, query.engine);
            let expected = (status == Status::Found).then_some(path.cost);
            prop_assert_eq!(distance.map(|found| found.cost), expected);
            let Some(first) = distance.and_then(|found| found.first) else { continue };
            let sides = match first {
                Crossing::Portal(portal) => world.mesh().portal(portal).polygons,
                Crossing::Link(link, _) => world.mesh().link(link).polygons,
            };
            prop_assert!(sides.contains(&ends.start.polygon), "{first:?}");
        }
    }

    /// The arrays of a tier restore the same world, without a copy. Arrays that do not fit are rejected.
    #[test]
    fn a_world_is_restored_from_its_arrays(plan in plans(), samples in densities(), seed: u64) {
        let mut rng = CaseRng::new(seed);
        let world = World::from_mesh(plan.mesh());
        let world = with_tier(world, Tier::Default, samples, &mut rng);
        let options = world.stored_options();
        let mut file = SectionWriter::default();
        world.write_sections(&mut file);
        let read = |options: &StoredOptions, check| {
            let mut file = SectionReader::new(file.sections.clone());
            let read = World::read_sections(options, &mut file, check);
            read.ok().filter(|_| file.is_at_end())
        };
        for check in [Check::None, Check::Safe, Check::Full] {
            let again = read(&options, check).expect("the same world");
            prop_assert_eq!(again.tier(Tier::Default), world.tier(Tier::Default));
            prop_assert!(shortcuts_of(&again) == shortcuts_of(&world));
            prop_assert_eq!(again.mesh().vertices().as_ptr(), world.mesh().vertices().as_ptr());
        }
        let tier = options.tiers[0];
        for tiers in [vec![tier, tier], vec![(Tier::Fast, tier.1)], vec![(tier.0, Samples::Each(65))], vec![]] {
            let options = StoredOptions { tiers, ..options.clone() };
            prop_assert!(read(&options, Check::None).is_none());
        }
        // Two ranks are swapped.
        let mut file = file.clone();
        let ranks = file.sections.iter_mut().find(|section| section.name == *b"rank").expect("a contraction");
        let mut order: Vec<u32> = ranks.bytes.cast().expect("ranks").to_vec();
        if let [first, .., last] = &mut order[..] {
            std::mem::swap(first, last);
            ranks.bytes = Array::from(order).bytes();
            prop_assert!(World::read_sections(&options, &mut SectionReader::new(file.sections), Check::Safe).is_err());
        }
    }
}

fn shortcuts_of(world: &World) -> &Shortcuts {
    let costs = world.default_costs();
    costs
        .shortcuts(Tier::Default)
        .expect("the world has this tier")
}

/// The properties above would also hold without partial paths. This shows that there are some.
#[test]
fn taut_tiers_give_full_and_partial_paths() {
    let world = with_tiers(plain());
    let mut profile = Agent::walker().profile();
    profile.forbid(1);
    profile.links = false;
    let costs = world.costs(&profile);
    let mut counts = [0; 2];
    for query in queries(&world) {
        let limits = Limits {
            max_cost: 15.0,
            partial: true,
        };
        let query = Query {
            costs: Some(&costs),
            limits,
            ..query
        };
        match answer(&world, &query, Engine::Contraction(Tier::Default)).0 {
            Status::Found => counts[0] += 1,
            Status::Partial => counts[1] += 1,
            _ => (),
        }
    }
    assert!(counts.iter().all(|&count| count > 3), "{counts:?}");
}
