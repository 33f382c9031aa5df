//! Worlds survive a round trip, and damaged files are errors.

use portolan_core::{
    Change, Engine, ExactMethod, ExactOptions, LiveWorld, Path, PolygonId, Query, Samples, Scratch,
    Tier,
};
use portolan_oracle::LevelsOptions;
use portolan_scenes::RandomPoints;

use super::test_worlds::*;
use super::*;
use crate::OpenOptions;
use crate::test_damage::{assert_flipped_bits_fail, assert_truncations_fail, sections};

#[test]
fn a_world_survives_a_round_trip() {
    let mut amphibian = Profile::default();
    amphibian.set_factor(1, 0.25).unwrap();
    amphibian.forbid(2);
    amphibian.exclude_flags = 0x8000;
    amphibian.links = false;
    let dense = GraphOptions {
        samples: Samples::Each(3),
        cost_model: CostModel::Portals,
    };
    let by_length = GraphOptions {
        samples: Samples::ByLength { percentile: 60 },
        cost_model: CostModel::Portals,
    };
    let tables = |top, centres| TableOptions {
        top: Level(top),
        centres,
    };
    for (graph, tables, profile) in [
        (
            GraphOptions::default(),
            TableOptions::default(),
            Profile::default(),
        ),
        (published(), tables(2, true), amphibian.clone()),
        (in_plan(), tables(2, true), amphibian.clone()),
        (dense, tables(1, false), Profile::default()),
        (by_length, tables(2, false), Profile::default()),
        (GraphOptions::default(), tables(0, true), amphibian),
    ] {
        let options = LevelsOptions {
            graph,
            tables,
            profile,
        };
        let profile = &options.profile;
        let hierarchy = world(&options);
        let contraction = with_contraction_only(&options.graph, profile);
        assert!(contraction.hierarchy().is_none());
        assert_round_trip(&hierarchy, &options);
        assert_round_trip(&with_contraction(hierarchy), &options);
        let options = LevelsOptions {
            tables: TableOptions::default(),
            ..options.clone()
        };
        assert_round_trip(&contraction, &options);
        let labelled = with_labels(contraction);
        // Without links all costs are symmetric.
        let directions = if profile.links { 2 } else { 1 };
        let labels = labelled.default_costs().labels().unwrap();
        assert_eq!(labels.arrays().count(), directions);
        assert_round_trip(&labelled, &options);
    }
    let all = with_labels(with_hierarchy_and_contraction());
    assert_round_trip(&all, &LevelsOptions::default());
}

/// The worlds have taut tiers with and without a contraction, over the same graph or another, and with hub
/// labels.
#[test]
fn a_world_with_taut_tiers_survives_a_round_trip() {
    let mut choosy = Profile::default();
    choosy.set_factor(1, 2.5).unwrap();
    choosy.forbid(2);
    let options = LevelsOptions {
        profile: choosy.clone(),
        ..LevelsOptions::default()
    };
    let bare = World::new(mesh(), &options.graph, &choosy).expect("the graph options are valid");
    assert_round_trip(&with_default_tier(bare.clone()), &options);
    let best = with_tier(bare, Tier::Best, Samples::Each(2));
    assert_round_trip(&best, &options);
    assert_round_trip(&with_default_tier(with_contraction(best)), &options);
    let all = with_default_tier(with_labels(with_hierarchy_and_contraction()));
    let all = with_tier(all, Tier::Best, Samples::ByLength { percentile: 50 });
    assert_round_trip(&all, &LevelsOptions::default());
    for graph in [published(), in_plan()] {
        let contraction = with_contraction_only(&graph, &choosy);
        let options = LevelsOptions {
            graph,
            ..options.clone()
        };
        assert_round_trip(&with_default_tier(contraction), &options);
    }
}

/// The worlds have exact tiers with labels, without labels, with links, with other limits and next to all other
/// parts.
#[test]
fn a_world_with_an_exact_tier_survives_a_round_trip() {
    let on_foot = LevelsOptions {
        profile: without_links(),
        ..LevelsOptions::default()
    };
    let labels = with_exact_labels();
    assert_eq!(labels.exact_method(), Some(ExactMethod::Labels));
    assert_exact_round_trip(&labels, &on_foot);
    let lazy = labels.clone().with_lazy_exact();
    assert_eq!(lazy.exact_method(), Some(ExactMethod::Lazy));
    assert_exact_round_trip(&lazy, &on_foot);
    assert_exact_round_trip(&labels.with_exact_auto(false), &on_foot);
    let links = with_exact_links();
    assert_eq!(links.exact_method(), Some(ExactMethod::Lazy));
    assert_exact_round_trip(&links, &LevelsOptions::default());
    let default_limits = World::from_mesh(mesh())
        .with_exact(ExactOptions::default(), &portolan_core::no_progress)
        .unwrap();
    assert_exact_round_trip(&default_limits, &LevelsOptions::default());
    let all = with_exact(with_default_tier(with_labels(
        with_hierarchy_and_contraction(),
    )));
    assert_exact_round_trip(&all, &LevelsOptions::default());
    for graph in [published(), in_plan()] {
        let contraction = with_contraction_only(&graph, &Profile::default());
        let options = LevelsOptions {
            graph,
            ..LevelsOptions::default()
        };
        assert_exact_round_trip(&with_exact(contraction), &options);
    }
}

#[track_caller]
fn assert_exact_round_trip(world: &World, options: &LevelsOptions) {
    assert_round_trip(world, options);
    let read = from_bytes(&to_bytes(world)).unwrap();
    assert!(read.has_tier(Tier::Exact));
    assert_eq!(read.exact_options(), world.exact_options());
    assert_eq!(read.exact_parts(), world.exact_parts());
    assert_eq!(read.exact_size(), world.exact_size());
    assert_eq!(read.exact_method(), world.exact_method());
    assert_eq!(exact_paths(&read), exact_paths(world));
}

/// Returns exact paths between random points.
fn exact_paths(world: &World) -> Vec<Path> {
    let mut points = RandomPoints::new(world.mesh(), 8);
    let mut scratch = Scratch::new();
    let paths = (0..40).map(|_| {
        let query = Query {
            engine: Engine::Auto(Tier::Exact),
            ..Query::new(points.next().unwrap(), points.next().unwrap())
        };
        let mut path = Path::default();
        world
            .find_path(&query, &mut scratch, &mut path)
            .expect("the world has the exact tier");
        path
    });
    paths.collect()
}

/// A world without a hierarchy and a contraction is a navmesh with a profile.
#[test]
fn a_world_without_hierarchy_and_contraction_survives_a_round_trip() {
    let mut slow = Profile::default();
    slow.set_factor(0, 3.0).unwrap();
    let bare =
        World::new(mesh(), &GraphOptions::default(), &slow).expect("the graph options are valid");
    let options = LevelsOptions {
        profile: slow,
        ..LevelsOptions::default()
    };
    assert_round_trip(&bare, &options);
}

#[track_caller]
fn assert_round_trip(world: &World, options: &LevelsOptions) {
    let bytes = to_bytes(world);
    let read = from_bytes(&bytes).unwrap();
    assert_eq!(read.report(), world.report());
    assert_eq!(read.graph().options(), options.graph);
    assert_eq!(read.table_options(), &options.tables);
    assert_eq!(read.mesh(), world.mesh());
    assert_eq!(read.hierarchy(), world.hierarchy());
    assert!(read.tiers().eq(world.tiers()));
    let [costs, expected] = [&read, world].map(|world| world.default_costs());
    assert_eq!(costs.metric(), expected.metric());
    for tier in Tier::CONTRACTED {
        assert_eq!(read.tier(tier), world.tier(tier));
        assert_eq!(costs.shortcuts(tier), expected.shortcuts(tier));
    }
    assert_eq!(costs.labels(), expected.labels());
    assert_eq!(costs.profile(), &options.profile);
    assert_eq!(read.engines(), world.engines());
    assert_eq!(answers(&read), answers(world));
    assert!(to_bytes(&read) == bytes, "the second file differs");
    let mut streamed = Vec::new();
    write(world, &mut streamed).unwrap();
    assert!(streamed == bytes, "the streamed file differs");
}

/// All exact engines give the same answers with the shortcuts from the file.
#[test]
fn engines_of_a_world_that_was_read_are_exact() {
    for world in [
        with_hierarchy_and_contraction(),
        with_contraction_only(&published(), &Profile::default()),
    ]
    .map(with_labels)
    {
        let read = from_bytes(&to_bytes(&world)).unwrap();
        let answers = answers(&read);
        let engines = read.engines().len();
        for of_query in answers.chunks_exact(engines) {
            let of = |engine| of_query.iter().find(|answer| answer.0 == engine).unwrap();
            let expected = of(Engine::Dijkstra);
            for found in [of(Engine::Contraction(Tier::Fast)), of(Engine::Labels)] {
                assert_eq!(found.1, expected.1);
                let error = (found.2 - expected.2).abs();
                assert!(
                    error <= 1e-4 * expected.2,
                    "{found:?}, expected {expected:?}"
                );
            }
        }
    }
}

#[test]
fn files_without_build_times_are_deterministic() {
    for build in [
        with_hierarchy_and_contraction,
        with_exact_labels,
        with_exact_links,
    ] {
        let [one, other] = [(); 2].map(|()| without_times(build()));
        let bytes = to_bytes(&one);
        assert!(bytes == to_bytes(&other));
        assert!(bytes != to_bytes(&build()));
        assert_eq!(from_bytes(&bytes).unwrap().report(), one.report());
    }
}

/// Fuzzing starts from files of the current layout. To write them again, set PORTOLAN_WRITE_SEEDS=1 and run this test.
#[test]
fn seeds_of_the_fuzz_target_are_current() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pidx");
    let folder = std::path::Path::new(folder);
    let seeds = seeds();
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), seeds.len());
    for (name, world) in seeds {
        let file = folder.join(name).with_extension("pidx");
        if std::env::var_os("PORTOLAN_WRITE_SEEDS").is_some() {
            std::fs::write(&file, to_bytes(&world)).unwrap();
        }
        let stored = crate::open_index(&file).unwrap();
        assert_eq!(to_bytes(&stored), to_bytes(&world), "{name}");
    }
}

#[test]
fn truncated_files_are_errors() {
    let contraction = with_contraction_only(&GraphOptions::default(), &Profile::default());
    let worlds = [
        with_hierarchy_and_contraction(),
        world(&LevelsOptions::default()),
        contraction.clone(),
        with_labels(contraction.clone()),
        with_default_tier(contraction),
        with_exact_labels(),
        with_exact_links(),
        with_finer_surface(),
    ];
    for world in worlds {
        let bytes = to_bytes(&world);
        let borders = sections(&bytes).into_iter().flat_map(|section| {
            let std::ops::Range { start, end } = section.range;
            [start - 1, start, start + 1, end - 1, end, end + 1]
        });
        let ends = (0..32).chain(borders).chain((0..bytes.len()).step_by(101));
        let ends = ends.filter(|&end| end < bytes.len());
        assert_truncations_fail(&bytes, ends, from_bytes);
    }
}

#[test]
fn flipped_bits_are_errors() {
    let contraction = with_contraction_only(&GraphOptions::default(), &Profile::default());
    for world in [
        with_hierarchy_and_contraction(),
        with_default_tier(with_labels(contraction)),
        with_exact_labels(),
    ] {
        let bytes = to_bytes(&world);
        let positions = (0..2000).chain((2000..bytes.len()).step_by(17));
        let bits = positions.map(|position| 8 * position + position % 8);
        assert_flipped_bits_fail(&bytes, bits, from_bytes);
    }
}

#[test]
fn messages_name_the_problem_and_the_remedy() {
    let bytes = to_bytes(&with_hierarchy_and_contraction());
    let message = |bytes: &[u8]| from_bytes(bytes).map(drop).unwrap_err().to_string();
    let mesh = crate::pnav::to_bytes(with_hierarchy_and_contraction().mesh());
    assert_eq!(message(&mesh), "not a .pidx file: it is a navmesh (.pnav)");
    let reverse = crate::pnav::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(reverse, "not a .pnav file: it is an index (.pidx)");
    let mut newer = bytes.clone();
    newer[12] = 10;
    assert_eq!(
        message(&newer),
        "a .pidx file of version 10, but only version 9 is supported; create it again with \
         `portolan index MESH.pnav -o FILE.pidx`"
    );
    let mut older = bytes.clone();
    older[12] = 8;
    assert_eq!(
        message(&older),
        "a .pidx file of version 8, but only version 9 is supported; create it again with \
         `portolan index MESH.pnav -o FILE.pidx`"
    );
    assert!(message(&bytes[..100]).contains("incomplete"));
}

/// A file can be mapped or read, and trusted or checked in full.
#[test]
fn all_ways_to_open_a_file_give_the_same_world() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.pidx");
    let world = with_default_tier(with_labels(with_hierarchy_and_contraction()));
    crate::save_index(&path, &world).unwrap();
    for check in [Check::None, Check::Safe, Check::Full] {
        for map in [false, true] {
            let options = OpenOptions::default().with_check(check).with_map(map);
            let opened = crate::open_index_with(&path, options).unwrap();
            assert_eq!(opened.mesh(), world.mesh());
            assert_eq!(answers(&opened), answers(&world));
            assert!(to_bytes(&opened) == to_bytes(&world));
        }
    }
}

/// A world keeps the file that it was opened from, also if the file is replaced or deleted.
#[cfg(unix)]
#[test]
fn an_open_file_can_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.pidx");
    let world = with_hierarchy_and_contraction();
    crate::save_index(&path, &world).unwrap();
    let opened = crate::open_index(&path).unwrap();
    let again = crate::open_index_with(&path, OpenOptions::trusted()).unwrap();
    crate::save_index(&path, &with_exact_labels()).unwrap();
    assert_eq!(answers(&opened), answers(&world));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(answers(&again), answers(&world));
}

/// The checksum finds a changed byte that nothing else looks at. A trusted file is not searched for it.
#[test]
fn only_checked_files_are_compared_with_their_checksum() {
    let mut bytes = to_bytes(&with_hierarchy_and_contraction());
    let user_ids = crate::test_damage::section(&bytes, b"user").range.start;
    bytes[user_ids] ^= 1;
    let read = |check| read_checked(&bytes[..], bytes.len() as u64, check).map(drop);
    let error = read(Check::Safe).unwrap_err().to_string();
    assert!(error.contains("checksum"), "{error}");
    assert_eq!(read(Check::None), Ok(()));
}

/// Only a part of what has changed would be in the file.
#[test]
fn a_world_that_has_changed_is_not_saved() {
    let live = LiveWorld::new(with_hierarchy_and_contraction());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.pidx");
    crate::save_index(&path, &live.snapshot()).unwrap();
    live.update(&[Change::Block(PolygonId(0))]).unwrap();
    let error = crate::save_index(&path, &live.snapshot()).unwrap_err();
    assert!(error.to_string().contains("changed at run time"), "{error}");
    let error = crate::save_navmesh(&path, live.snapshot().mesh()).unwrap_err();
    assert!(error.to_string().contains("changed at run time"), "{error}");
    // The file from before is still there.
    assert!(crate::open_index(&path).is_ok());
}
