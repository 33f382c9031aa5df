//! Tests of [`build`]: with any options, exact engines are exact, and the result does not depend on the
//! number of threads.

use std::ops::ControlFlow;
use std::sync::Mutex;

use portolan_core::contraction::LabelsError;
use portolan_core::{
    BuildReport, CostModel, Engine, GraphOptions, Level, NavMesh, PartitionOptions, Path, Profile,
    Query, Samples, Scratch, Stage, Status, TableOptions, Tier, World, WorldError, no_progress,
};
use portolan_index::{
    HierarchyOptions, IndexError, IndexOptions, OrderMethod, OrderOptions, Weights, build,
};
use portolan_oracle::{Agent, CaseRng, MeshPlan, Oracle, agents, close, densities, plans};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Whether the feature `metis` is on.
const HAS_METIS: bool = cfg!(feature = "metis");

fn hierarchies() -> impl Strategy<Value = HierarchyOptions> {
    let weights = prop_oneof![
        Just(Weights::Balanced),
        Just(Weights::RandomNodes),
        Just(Weights::RandomEdges)
    ];
    let partition = (2u32..12, 0u32..4, any::<u64>(), weights);
    (partition, 0u8..4, any::<bool>()).prop_map(
        |((merge_factor, max_levels, seed, weights), top, centres)| HierarchyOptions {
            partition: PartitionOptions {
                merge_factor,
                max_levels,
                seed,
                weights,
            },
            tables: TableOptions {
                top: Level(top),
                centres,
            },
        },
    )
}

fn orders() -> impl Strategy<Value = OrderOptions> {
    (any::<bool>(), 1u32..4, any::<u64>()).prop_map(|(by_metis, separators, seed)| OrderOptions {
        method: match by_metis && HAS_METIS {
            true => OrderMethod::Metis,
            false => OrderMethod::Flow,
        },
        separators,
        seed,
    })
}

/// Generates the options of any index, with the profile of a random agent.
fn options() -> impl Strategy<Value = (IndexOptions, Agent)> {
    let tiers = prop::sample::subsequence(Tier::CONTRACTED.to_vec(), 0..=Tier::CONTRACTED.len());
    let samples = prop::collection::btree_map(
        prop::sample::select(&Tier::TAUT[..]),
        densities(),
        0..=Tier::TAUT.len(),
    );
    let hierarchy = match HAS_METIS {
        true => prop::option::of(hierarchies()).boxed(),
        false => Just(None).boxed(),
    };
    let parts = (tiers, samples, hierarchy, any::<bool>(), any::<bool>());
    (densities(), parts, orders(), agents()).prop_map(|(density, parts, order, agent)| {
        let (tiers, samples, hierarchy, has_labels, exact_where_cheap) = parts;
        let has_labels = has_labels && tiers.contains(&Tier::Fast);
        let options = IndexOptions {
            graph: GraphOptions {
                samples: density,
                ..GraphOptions::default()
            },
            profile: agent.profile(),
            tiers,
            exact_where_cheap,
            samples,
            order,
            hierarchy,
            labels: has_labels.then_some(usize::MAX),
            threads: None,
        };
        (options, agent)
    })
}

/// Returns the bytes of the world's file, without build times.
fn bytes(world: &World) -> Vec<u8> {
    let report = BuildReport {
        times: None,
        ..world.report().clone()
    };
    portolan_files::pidx::to_bytes(&world.clone().with_report(report))
}

fn answer(world: &World, query: &Query<'_>, engine: Engine) -> (Status, Path) {
    let query = Query { engine, ..*query };
    let mut path = Path::default();
    let status = world.find_path(&query, &mut Scratch::new(), &mut path);
    (status.expect("an engine of this world"), path)
}

fn check_contents(world: &World, options: &IndexOptions) {
    let contracted = world.tiers().filter(|&tier| tier != Tier::Exact);
    assert!(contracted.eq(options.tiers.iter().copied()));
    let may_be_exact = options.exact_where_cheap && options.tiers.contains(&Tier::Default);
    assert!(may_be_exact || !world.has_tier(Tier::Exact));
    assert_eq!(world.hierarchy().is_some(), options.hierarchy.is_some());
    let has_labels = world.default_costs().labels().is_some();
    assert_eq!(has_labels, options.labels.is_some());
    assert_eq!(world.graph().options(), options.graph);
    assert_eq!(world.default_costs().profile(), &options.profile);
    for (&tier, &samples) in &options.samples {
        if let Some((graph, _)) = world.tier(tier) {
            assert_eq!(graph.options().samples, samples);
        }
    }
    let report = world.report();
    let partition = options.hierarchy.as_ref().map(|h| h.partition.clone());
    assert_eq!(report.partition, partition);
    assert_eq!(report.order_seed, options.order.seed);
    let times = report.times.expect("times");
    assert!(times.of(Stage::Graph) > 0.0);
    for tier in Tier::CONTRACTED {
        // The last stage of a tier is its own. Taut tiers share the stages before it.
        let took = Stage::of_tier(tier).last().map(|&stage| times.of(stage));
        assert_eq!(took > Some(0.0), options.tiers.contains(&tier));
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(200))]

    #[test]
    fn exact_engines_of_any_index_find_the_minimum_cost(
        plan in plans(), (options, agent) in options(), seed: u64,
    ) {
        let world = build(plan.mesh(), &options, &no_progress).expect("an index");
        check_contents(&world, &options);
        let oracle = Oracle::new(world.mesh(), &agent.profile(), options.graph.samples);
        let mut rng = CaseRng::new(seed);
        for _ in 0..4 {
            let query = Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()));
            let Ok(ends) = world.locate(&query).expect("`auto`").endpoints() else { continue };
            let expected = oracle.cost(ends.start, ends.goal);
            for engine in world.engines() {
                if !world.resolve_engine(engine).is_exact() {
                    continue;
                }
                let (status, path) = answer(&world, &query, engine);
                if expected == f64::INFINITY {
                    prop_assert_eq!(status, Status::NoPath, "{}", engine);
                } else {
                    prop_assert_eq!(status, Status::Found, "{}", engine);
                    prop_assert!(
                        close(path.cost.into(), expected), "{}: {} instead of {}", engine, path.cost, expected
                    );
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(40))]

    #[test]
    fn an_index_does_not_depend_on_the_number_of_threads(
        plan in plans(), (options, _) in options(),
    ) {
        let bytes = [1, 2, 4].map(|threads| {
            let options = IndexOptions { threads: Some(threads), ..options.clone() };
            bytes(&build(plan.mesh(), &options, &no_progress).expect("an index"))
        });
        prop_assert!(bytes[1] == bytes[0], "2 threads");
        prop_assert!(bytes[2] == bytes[0], "4 threads");
        let read = portolan_files::pidx::from_bytes(&bytes[0]).expect("its own bytes");
        prop_assert!(portolan_files::pidx::to_bytes(&read) == bytes[0], "after writing again");
    }
}

fn mesh(polygons: usize) -> NavMesh {
    let options = WorldOptions {
        polygons,
        links: true,
        ..WorldOptions::default()
    };
    MeshPlan::Scene(WorldScene::Rooms, options).mesh()
}

/// The mesh has more cells than are dissected without coarsening, so several threads work on it.
#[test]
fn a_larger_index_does_not_depend_on_the_number_of_threads() {
    let bytes = [1, 2, 4].map(|threads| {
        let options = IndexOptions {
            threads: Some(threads),
            ..IndexOptions::default()
        };
        bytes(&build(mesh(3000), &options, &no_progress).expect("an index"))
    });
    assert!(bytes[1] == bytes[0] && bytes[2] == bytes[0]);
}

/// Returns options with which all stages run.
fn everything() -> IndexOptions {
    IndexOptions {
        tiers: Tier::ALL.to_vec(),
        hierarchy: HAS_METIS.then(HierarchyOptions::default),
        labels: Some(usize::MAX),
        ..IndexOptions::default()
    }
}

#[test]
fn progress_reports_every_stage_up_to_its_end() {
    let reports = Mutex::new(Vec::new());
    let progress = |stage, fraction| {
        assert!((0.0..=1.0).contains(&fraction), "{stage:?}: {fraction}");
        reports.lock().unwrap().push((stage, fraction));
        ControlFlow::Continue(())
    };
    build(mesh(600), &everything(), &progress).expect("an index");
    let reports = reports.into_inner().unwrap();
    // The hierarchy is built at the same time as the contractions.
    let of_hierarchy = [Stage::Hierarchy, Stage::Tables];
    let stages = reports.iter().map(|&(stage, _)| stage);
    let mut stages: Vec<Stage> = stages
        .filter(|stage| !of_hierarchy.contains(stage))
        .collect();
    stages.dedup();
    let is_expected = |stage: &Stage| match stage {
        Stage::Hierarchy | Stage::Tables => false,
        Stage::Partition => HAS_METIS,
        _ => true,
    };
    let expected = Stage::ALL.into_iter().filter(is_expected);
    assert!(stages.iter().copied().eq(expected), "{stages:?}");
    stages.extend(of_hierarchy.into_iter().filter(|_| HAS_METIS));
    for stage in stages {
        let mut fractions = reports.iter().filter(|&&(of, _)| of == stage);
        assert_eq!(
            fractions.next_back().map(|&(_, fraction)| fraction),
            Some(1.0)
        );
    }
    let orders = reports.iter().filter(|(stage, _)| *stage == Stage::Order);
    assert!(orders.count() > 5, "a long stage reports its progress");
}

#[test]
fn progress_can_stop_the_build_at_every_call() {
    let options = IndexOptions {
        threads: Some(1),
        ..everything()
    };
    let calls = |stop_at: usize| {
        let calls = Mutex::new(0);
        let progress = |_, _| {
            let mut calls = calls.lock().unwrap();
            *calls += 1;
            match *calls == stop_at {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let built = build(mesh(200), &options, &progress);
        (built.map(drop), calls.into_inner().unwrap())
    };
    let (built, all) = calls(usize::MAX);
    assert_eq!(built, Ok(()));
    for stop_at in 1..=all {
        assert_eq!(calls(stop_at), (Err(IndexError::Stopped), stop_at));
    }
}

#[test]
fn invalid_options_are_rejected_before_any_work() {
    let no_work = |_, _| panic!("work was done");
    let error_of = |options: &IndexOptions| {
        let result = build(mesh(60), options, &no_work);
        result.expect_err("invalid options")
    };
    let default = IndexOptions::default;

    let graph = GraphOptions {
        samples: Samples::Each(2),
        cost_model: CostModel::Published,
    };
    let error = error_of(&IndexOptions {
        graph: graph.clone(),
        ..default()
    });
    assert_eq!(error, IndexError::World(WorldError::Graph(graph)));

    let order = OrderOptions {
        separators: 0,
        ..OrderOptions::default()
    };
    let error = error_of(&IndexOptions { order, ..default() });
    assert_eq!(
        error.to_string(),
        "separators = 0: it must be from 1 to 100"
    );

    let error = error_of(&IndexOptions {
        tiers: vec![Tier::Default],
        labels: Some(usize::MAX),
        ..default()
    });
    assert_eq!(error, IndexError::Labels(LabelsError::NoContraction));

    let error = error_of(&IndexOptions {
        samples: [(Tier::Fast, Samples::Each(2))].into(),
        ..default()
    });
    assert_eq!(error, IndexError::World(WorldError::NotTaut(Tier::Fast)));
}

#[cfg(not(feature = "metis"))]
#[test]
fn without_metis_the_error_names_the_feature() {
    let order = OrderOptions {
        method: OrderMethod::Metis,
        ..OrderOptions::default()
    };
    for options in [
        IndexOptions {
            order,
            ..IndexOptions::default()
        },
        IndexOptions {
            hierarchy: Some(HierarchyOptions::default()),
            ..IndexOptions::default()
        },
    ] {
        let error = build(mesh(60), &options, &no_progress).expect_err("METIS");
        assert!(matches!(error, IndexError::NoMetis(_)));
        assert!(error.to_string().contains("feature `metis`"), "{error}");
    }
}

#[test]
fn the_default_index_is_the_contraction_at_two_tiers() {
    let world = build(mesh(300), &IndexOptions::default(), &no_progress).expect("an index");
    assert!(world.tiers().eq([Tier::Fast, Tier::Default]));
    assert!(world.hierarchy().is_none() && world.default_costs().labels().is_none());
    assert_eq!(world.default_costs().profile(), &Profile::default());
    let auto = world.resolve_engine(Engine::default());
    assert_eq!(auto, Engine::Contraction(Tier::Default));
}
