//! What goes in comes out, nothing else does, and what somebody made up harms nobody.

use portolan_core::{
    Engine, NavMesh, NavMeshOptions, Path, PortalGraph, Query, Samples, Scratch, Status, Tier,
};
use portolan_oracle::{LevelsOptions, with_levels};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
use proptest::prelude::*;
use twox_hash::XxHash3_64;

use super::*;

/// Rooms with areas and links, some of them one-way.
fn mesh() -> NavMesh {
    let raw = WorldScene::Rooms.build(&WorldOptions {
        polygons: 60,
        areas: true,
        links: true,
        ..WorldOptions::default()
    });
    NavMesh::build(raw, &NavMeshOptions::default()).unwrap()
}

/// In nodes of 5 and 20 polygons.
fn world(options: &LevelsOptions) -> World {
    let mesh = mesh();
    let cells = mesh.polygon_count();
    let level = |size: usize| (0..cells).map(|cell| NodeId::new(cell / size)).collect();
    let partition = Partition::new(cells, vec![level(5), level(20)]).unwrap();
    reported(with_levels(mesh, partition, options))
}

/// An order as good as any, as far as files are concerned.
fn order(vertices: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices as u32).collect();
    order.sort_by_key(|&vertex| vertex.wrapping_mul(0x9e37_79b9).rotate_left(9));
    order
}

fn contracted(world: World) -> World {
    let order = order(world.graph().sample_count());
    world.with_contraction(order).expect("an order")
}

/// With both parts.
fn plain() -> World {
    contracted(world(&LevelsOptions::default()))
}

fn labelled(world: World) -> World {
    world.with_labels(usize::MAX).unwrap()
}

/// With a taut tier.
fn with_tier(world: World, tier: Tier, samples: Samples) -> World {
    let graph = PortalGraph::new(world.mesh(), &world.taut_graph_options(samples));
    let order = order(graph.sample_count());
    world.with_tier(tier, graph, order).expect("a tier")
}

fn with_default(world: World) -> World {
    with_tier(world, Tier::Default, Samples::ByLength { percentile: 40 })
}

/// With a contraction and no hierarchy.
fn flat(graph: &GraphOptions, profile: &Profile) -> World {
    let world = World::new(mesh(), graph, profile).expect("a graph");
    contracted(reported(world))
}

/// With a report whose every number is another.
fn reported(world: World) -> World {
    let millis = [1.5, 0.0, 1e6, 0.25, 17.0, 0.125, 40.0, 0.5, 3.0, 7.0];
    world.with_report(BuildReport {
        partition: Some(PartitionOptions {
            merge_factor: 5,
            max_levels: 2,
            seed: u64::MAX - 1,
            weights: Weights::RandomEdges,
        }),
        order_seed: u64::MAX - 2,
        times: BuildTimes::from_millis(millis),
    })
}

fn without_times(world: World) -> World {
    let report = BuildReport {
        times: None,
        ..world.report().clone()
    };
    world.with_report(report)
}

/// Asks every engine that the world can run, there and back; tells status and cost.
fn answers(world: &World) -> Vec<(Engine, Status, f32)> {
    let mut points = RandomPoints::new(world.mesh(), 3);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut answers = Vec::new();
    let pairs: Vec<_> = (0..8)
        .filter_map(|_| points.next().zip(points.next()))
        .collect();
    for (a, b) in pairs {
        for [from, to] in [[a, b], [b, a]] {
            for engine in world.engines() {
                let mut query = Query::new(from, to);
                query.engine = engine;
                let status = world
                    .find_path(&query, &mut scratch, &mut path)
                    .expect("an engine of this world");
                answers.push((engine, status, path.cost));
                query.limits.partial = true;
                world
                    .find_path(&query, &mut scratch, &mut path)
                    .expect("an engine of this world");
            }
        }
    }
    answers
}

/// Puts size and checksum right again, so that what is behind them is tested.
fn reseal(bytes: &mut [u8]) {
    let size = (bytes.len() as u64).to_le_bytes();
    bytes[16..24].copy_from_slice(&size);
    let end = bytes.len() - 8;
    let hash = XxHash3_64::oneshot(&bytes[..end]).to_le_bytes();
    bytes[end..].copy_from_slice(&hash);
}

/// Name, bytes an element and place of each section.
fn sections(bytes: &[u8]) -> Vec<(Name, usize, std::ops::Range<usize>)> {
    let count = u32::from_le_bytes(*bytes[24..].first_chunk().unwrap()) as usize;
    let entries = bytes[32..].chunks_exact(24).take(count);
    let entry = |entry: &[u8]| {
        let number = |at: usize| u64::from_le_bytes(*entry[at..].first_chunk().unwrap()) as usize;
        let size = u32::from_le_bytes(*entry[4..].first_chunk().unwrap()) as usize;
        let start = number(8);
        (
            *entry.first_chunk().unwrap(),
            size,
            start..start + number(16) * size,
        )
    };
    entries.map(entry).collect()
}

#[test]
fn a_world_survives() {
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
        let flat = flat(&options.graph, profile);
        assert!(flat.hierarchy().is_none());
        survives(&hierarchy, &options);
        survives(&contracted(hierarchy), &options);
        let options = LevelsOptions {
            tables: TableOptions::default(),
            ..options.clone()
        };
        survives(&flat, &options);
        let labels = labelled(flat);
        // Without links all costs are the same both ways.
        let directions = if profile.links { 2 } else { 1 };
        let made = labels.default_costs().labels().unwrap();
        assert_eq!(made.arrays().count(), directions);
        survives(&labels, &options);
    }
    let all = labelled(plain());
    survives(&all, &LevelsOptions::default());
}

/// With a contraction or without, over another graph or the same, and with labels.
#[test]
fn a_world_with_tiers_survives() {
    let mut choosy = Profile::default();
    choosy.set_factor(1, 2.5).unwrap();
    choosy.forbid(2);
    let options = LevelsOptions {
        profile: choosy.clone(),
        ..LevelsOptions::default()
    };
    let bare = World::new(mesh(), &options.graph, &choosy).expect("a graph");
    survives(&with_default(bare.clone()), &options);
    let best = with_tier(bare, Tier::Best, Samples::Each(2));
    survives(&best, &options);
    survives(&with_default(contracted(best)), &options);
    let all = with_default(labelled(plain()));
    let all = with_tier(all, Tier::Best, Samples::ByLength { percentile: 50 });
    survives(&all, &LevelsOptions::default());
    for graph in [published(), in_plan()] {
        let flat = flat(&graph, &choosy);
        let options = LevelsOptions {
            graph,
            ..options.clone()
        };
        survives(&with_default(flat), &options);
    }
}

/// Tiers that nobody has, samples that no graph has, and counts that are not the order's.
#[test]
fn made_up_tiers_are_errors() {
    let world = with_tier(with_default(plain()), Tier::Best, Samples::Each(2));
    let bytes = to_bytes(&world);
    let set = |word: usize, value: u32| {
        let changed = with_sections(&bytes, |name, section| {
            if name == b"tier" {
                section[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
            }
        });
        from_bytes(&changed).map(drop)
    };
    let arcs = world.tier(Tier::Default).unwrap().1.arc_count() as u32;
    assert_eq!(set(2, arcs), Ok(()));
    for (word, values) in [
        (0, &[0, 2, 3, u32::MAX][..]),
        (1, &[0, 1, 65, 1 << 16, (1 << 16) + 101, u32::MAX]),
        (2, &[0, 1, arcs - 1, arcs + 1, u32::MAX]),
        (3, &[0, 1, 3]),
    ] {
        for &value in values {
            let error = set(word, value).expect_err(&format!("{word} = {value}"));
            assert!(
                matches!(error, ReadError::Damaged { .. }),
                "{word} = {value}: {error}"
            );
        }
    }
    // One row fewer than orders, and none.
    for rows in [1, 0] {
        let short = with_sections(&bytes, |name, section| {
            if name == b"tier" {
                section.truncate(12 * rows);
            }
        });
        assert!(from_bytes(&short).is_err());
    }
    let short = with_sections(&bytes, |name, section| {
        if name == b"trnk" {
            section.truncate(section.len() - 4);
        }
    });
    assert!(from_bytes(&short).is_err());
}

/// Neither part: a navmesh with a profile.
#[test]
fn a_world_without_parts_survives() {
    let mut slow = Profile::default();
    slow.set_factor(0, 3.0).unwrap();
    let bare = World::new(mesh(), &GraphOptions::default(), &slow).expect("a graph");
    let options = LevelsOptions {
        profile: slow,
        ..LevelsOptions::default()
    };
    survives(&bare, &options);
}

#[track_caller]
fn survives(world: &World, options: &LevelsOptions) {
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
    for tier in Tier::ALL {
        assert_eq!(read.tier(tier), world.tier(tier));
        assert_eq!(costs.shortcuts(tier), expected.shortcuts(tier));
    }
    assert_eq!(costs.labels(), expected.labels());
    assert_eq!(costs.profile(), &options.profile);
    assert_eq!(read.engines(), world.engines());
    assert_eq!(answers(&read), answers(world));
    assert!(to_bytes(&read) == bytes, "written again");
    let mut streamed = Vec::new();
    write(world, &mut streamed).unwrap();
    assert!(streamed == bytes, "streamed");
}

/// All exact engines of a world give the same answers, over shortcuts made anew, too.
#[test]
fn the_contraction_of_a_file_is_exact() {
    for world in [plain(), flat(&published(), &Profile::default())].map(labelled) {
        let read = from_bytes(&to_bytes(&world)).unwrap();
        let answers = answers(&read);
        let engines = read.engines().len();
        for of_query in answers.chunks_exact(engines) {
            let of = |engine| of_query.iter().find(|answer| answer.0 == engine).unwrap();
            let right = of(Engine::Dijkstra);
            for found in [of(Engine::Contraction(Tier::Fast)), of(Engine::Labels)] {
                assert_eq!(found.1, right.1);
                let off = (found.2 - right.2).abs();
                assert!(off <= 1e-4 * right.2, "{found:?} and not {right:?}");
            }
        }
    }
}

fn published() -> GraphOptions {
    GraphOptions {
        samples: Samples::Each(1),
        cost_model: CostModel::Published,
    }
}

fn in_plan() -> GraphOptions {
    GraphOptions {
        samples: Samples::Each(2),
        cost_model: CostModel::Plan,
    }
}

#[test]
fn without_times_nothing_is_left_to_differ() {
    let [one, other] = [(); 2].map(|()| without_times(plain()));
    let bytes = to_bytes(&one);
    assert!(bytes == to_bytes(&other));
    assert!(bytes != to_bytes(&plain()));
    assert_eq!(from_bytes(&bytes).unwrap().report(), one.report());
}

/// What the fuzz targets begin with is of the version that is read.
#[test]
fn seeds_of_the_fuzz_target_are_read() {
    let seeds = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/pidx");
    let mut count = 0;
    for seed in std::fs::read_dir(seeds).unwrap() {
        let world = crate::open_index(&seed.unwrap().path()).unwrap();
        assert!(world.tiers().next().is_some() || world.hierarchy().is_some());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn truncations_are_errors() {
    let worlds = [
        plain(),
        world(&LevelsOptions::default()),
        flat(&GraphOptions::default(), &Profile::default()),
        labelled(flat(&GraphOptions::default(), &Profile::default())),
        with_default(flat(&GraphOptions::default(), &Profile::default())),
    ];
    for world in worlds {
        no_part_is_a_file(&to_bytes(&world));
    }
}

#[track_caller]
fn no_part_is_a_file(bytes: &[u8]) {
    let borders = sections(bytes).into_iter().flat_map(|(_, _, place)| {
        let std::ops::Range { start, end } = place;
        [start - 1, start, start + 1, end - 1, end, end + 1]
    });
    let ends = (0..32).chain(borders).chain((0..bytes.len()).step_by(101));
    for end in ends.filter(|&end| end < bytes.len()) {
        assert!(
            from_bytes(&bytes[..end]).is_err(),
            "{end} of {}",
            bytes.len()
        );
    }
    assert!(from_bytes(&[bytes, &[0]].concat()).is_err());
}

#[test]
fn flipped_bits_are_errors() {
    let flat = flat(&GraphOptions::default(), &Profile::default());
    for world in [plain(), with_default(labelled(flat))] {
        no_flip_is_missed(to_bytes(&world));
    }
}

#[track_caller]
fn no_flip_is_missed(mut bytes: Vec<u8>) {
    for at in (0..2000).chain((2000..bytes.len()).step_by(17)) {
        let bit = 1 << (at % 8);
        bytes[at] ^= bit;
        assert!(from_bytes(&bytes).is_err(), "byte {at}");
        bytes[at] ^= bit;
    }
}

#[test]
fn messages_say_what_is_wrong() {
    let bytes = to_bytes(&plain());
    let message = |bytes: &[u8]| from_bytes(bytes).map(drop).unwrap_err().to_string();
    let mesh = crate::pnav::to_bytes(plain().mesh());
    assert_eq!(
        message(&mesh),
        "not a .pidx file: it is a navmesh, a .pnav file"
    );
    let wrong_way = crate::pnav::from_bytes(&bytes).unwrap_err().to_string();
    assert_eq!(wrong_way, "not a .pnav file: it is an index, a .pidx file");
    let mut newer = bytes.clone();
    newer[12] = 9;
    assert_eq!(
        message(&newer),
        "a .pidx file of version 9, but only version 4 is known; index it again"
    );
    let mut older = bytes.clone();
    older[12] = 3;
    assert_eq!(
        message(&older),
        "a .pidx file of version 3, but only version 4 is known; index it again"
    );
    assert!(message(&bytes[..100]).contains("incomplete"));
}

/// Options that no index has, among them such as [`portolan_core::PortalGraph::new`] panics at, and
/// counts beyond what the file holds.
#[test]
fn made_up_options_are_errors() {
    let bytes = to_bytes(&plain());
    let arcs = plain().contraction().unwrap().arc_count() as u32;
    let options = sections(&bytes)
        .into_iter()
        .find(|(name, ..)| name == b"opts");
    let options = options.unwrap().2;
    let set = |word: usize, value: u32| {
        let mut bytes = bytes.clone();
        let at = options.start + 4 * word;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        reseal(&mut bytes);
        from_bytes(&bytes)
    };
    for (word, values) in [
        (0, &[0, 2, 64, 65, u32::MAX][..]),
        (1, &[3, u32::MAX]),
        (2, &[0, 1, 256]),
        (3, &[0, 2]),
        (4, &[0, 2]),
        (9, &[3]),
        (12, &[0, 2]),
        (13, &[0, 2]),
        (14, &[0, 1, 3, 17, u32::MAX]),
        (15, &[0, 1, u32::MAX]),
        (16, &[0, 1, arcs - 1, arcs + 1, u32::MAX]),
        (17, &[1, 2, 3, u32::MAX]),
    ] {
        for &value in values {
            assert!(set(word, value).is_err(), "word {word} = {value}");
        }
    }
    // What was only remembered may be anything.
    let partition = set(5, 77).unwrap().report().partition.clone();
    assert_eq!(partition.unwrap().merge_factor, 77);
    // Another cost model makes the same shapes: costs that are not its own, and no harm.
    answers(&set(1, 1).unwrap());
    answers(&set(1, 2).unwrap());
}

/// Arrays of the right size with made-up contents: queries give some answer.
#[test]
fn made_up_arrays_harm_nobody() {
    let bytes = to_bytes(&plain());
    let arrays: Vec<_> = sections(&bytes)
        .into_iter()
        .filter(|(name, _, place)| matches!(name, b"cost" | b"step") && !place.is_empty())
        .collect();
    let mut rng = 1u32;
    let mut roll = || {
        rng = rng.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        rng >> 8
    };
    let mut loaded = 0;
    for round in 0..300 {
        let mut made_up = bytes.clone();
        for (name, size, place) in &arrays {
            if roll() % 3 == 0 {
                continue;
            }
            let most = 1 + roll() % 8;
            let is_cost = name == b"cost";
            for element in made_up[place.clone()].chunks_exact_mut(*size) {
                let cost = || match round % 4 {
                    0 => 0.0,
                    1 => 1.0,
                    2 => f32::INFINITY,
                    _ => f32::MAX,
                };
                if is_cost {
                    element.copy_from_slice(&cost().to_le_bytes());
                } else {
                    element.copy_from_slice(&((roll() % most) as u16).to_le_bytes());
                }
            }
        }
        // And two of one size change places.
        let (a, b) = (
            roll() as usize % arrays.len(),
            roll() as usize % arrays.len(),
        );
        let [(_, _, a), (_, _, b)] = [&arrays[a], &arrays[b]];
        if a.len() == b.len() {
            let (first, second) = (made_up[a.clone()].to_vec(), made_up[b.clone()].to_vec());
            made_up[a.clone()].copy_from_slice(&second);
            made_up[b.clone()].copy_from_slice(&first);
        }
        reseal(&mut made_up);
        if let Ok(world) = from_bytes(&made_up) {
            answers(&world);
            loaded += 1;
        }
    }
    assert!(loaded > 50, "only {loaded} were taken for an index");
}

/// The same file with sections changed: other contents, of other lengths, and all else put right.
fn with_sections(bytes: &[u8], mut change: impl FnMut(&Name, &mut Vec<u8>)) -> Vec<u8> {
    let sections = sections(bytes);
    let mut changed = bytes[..32 + 24 * sections.len()].to_vec();
    for (i, (name, size, place)) in sections.into_iter().enumerate() {
        let mut section = bytes[place].to_vec();
        change(&name, &mut section);
        changed.resize(changed.len().next_multiple_of(16), 0);
        let (entry, start) = (32 + 24 * i, changed.len() as u64);
        let count = (section.len() / size) as u64;
        changed[entry + 8..entry + 16].copy_from_slice(&start.to_le_bytes());
        changed[entry + 16..entry + 24].copy_from_slice(&count.to_le_bytes());
        changed.extend(section);
    }
    changed.extend([0; 8]);
    reseal(&mut changed);
    changed
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(*word.first_chunk().unwrap()))
        .collect()
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The bytes of an index without a hierarchy, with the order changed and the rest put right again; but
/// for the number of arcs where that is `None`.
fn with_order(change: impl FnOnce(&mut Vec<u32>), arcs: Option<usize>) -> Vec<u8> {
    static BYTES: std::sync::LazyLock<Vec<u8>> =
        std::sync::LazyLock::new(|| to_bytes(&flat(&GraphOptions::default(), &Profile::default())));
    let mut change = Some(change);
    with_sections(&BYTES, |name, section| match name {
        b"opts" => {
            if let Some(arcs) = arcs {
                section[4 * 16..4 * 17].copy_from_slice(&(arcs as u32).to_le_bytes());
            }
        }
        b"rank" => {
            let mut order = words_of(section);
            change.take().expect("one order")(&mut order);
            *section = bytes_of(&order);
        }
        _ => (),
    })
}

#[test]
fn orders_that_are_none_are_errors() {
    assert!(from_bytes(&with_order(|_| (), None)).is_ok());
    let changes: [fn(&mut Vec<u32>); 7] = [
        |order| order.clear(),
        |order| order.truncate(order.len() - 1),
        |order| order.push(order.len() as u32),
        |order| order.push(0),
        |order| order[0] = order[1],
        |order| order[3] = order.len() as u32,
        |order| order[3] = u32::MAX,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let error = from_bytes(&with_order(change, None)).map(drop).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{i}: {error}");
    }
}

/// Opening would take time that grows with the square of the vertices, or worse, if nobody counted.
#[test]
fn orders_with_more_arcs_than_the_file_says_are_errors() {
    let raw = WorldScene::Open.build(&WorldOptions {
        polygons: 2000,
        ..WorldOptions::default()
    });
    let world = World::build(raw, &NavMeshOptions::default()).unwrap();
    let vertices = world.graph().sample_count();
    let bytes = to_bytes(
        &world
            .with_contraction((0..vertices as u32).collect())
            .expect("an order"),
    );
    let scrambled = with_sections(&bytes, |name, section| {
        if name == b"rank" {
            *section = bytes_of(&order(vertices));
        }
    });
    assert!(from_bytes(&bytes).is_ok());
    let error = from_bytes(&scrambled).map(drop).unwrap_err();
    assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(100))]
    /// Any order of the vertices, however bad, gives the same costs; anything else is refused.
    #[test]
    fn made_up_orders(
        swaps in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..200),
        change in prop::option::of((any::<prop::sample::Index>(), 0u32..300)),
    ) {
        static WORLD: std::sync::LazyLock<World> =
            std::sync::LazyLock::new(|| flat(&GraphOptions::default(), &Profile::default()));
        let mut order = WORLD.contraction().unwrap().order().to_vec();
        let count = order.len();
        for [a, b] in swaps {
            order.swap(a.index(count), b.index(count));
        }
        let mut is_order = true;
        if let Some((at, vertex)) = change {
            let changed = &mut order[at.index(count)];
            is_order = *changed == vertex;
            *changed = vertex;
        }
        let arcs = is_order.then(|| {
            let world = WORLD.clone().with_contraction(order.clone()).expect("an order");
            world.contraction().unwrap().arc_count()
        });
        let bytes = with_order(|stored| *stored = order, arcs);
        let read = from_bytes(&bytes);
        prop_assert_eq!(read.is_ok(), is_order);
        if let Ok(world) = read {
            let answers = answers(&world);
            for of_query in answers.chunks_exact(world.engines().len()) {
                for (engine, status, cost) in of_query {
                    prop_assert_eq!(*status, of_query[0].1);
                    prop_assert!((cost - of_query[0].2).abs() <= 1e-4 * cost, "{}", engine);
                }
            }
        }
    }
}

/// The bytes of an index with hub labels of both directions, their words changed by a function that
/// gets the offsets, the hubs (two words each) and the nexts of the forward ones, then of the others.
fn with_label_words(change: impl FnOnce(&mut [Vec<u32>])) -> Vec<u8> {
    static BYTES: std::sync::LazyLock<Vec<u8>> = std::sync::LazyLock::new(|| {
        let flat = flat(&GraphOptions::default(), &Profile::default());
        to_bytes(&labelled(flat))
    });
    let is_label = |name: &Name| matches!(name, b"hbof" | b"hubs" | b"next");
    let sections = sections(&BYTES).into_iter();
    let mut words: Vec<Vec<u32>> = sections
        .filter(|(name, ..)| is_label(name))
        .map(|(.., place)| words_of(&BYTES[place]))
        .collect();
    assert_eq!(words.len(), 6);
    change(&mut words);
    let mut words = words.into_iter();
    with_sections(&BYTES, |name, section| {
        if is_label(name) {
            *section = bytes_of(&words.next().expect("an array"));
        }
    })
}

#[test]
fn labels_that_are_none_are_errors() {
    assert!(from_bytes(&with_label_words(|_| ())).is_ok());
    let changes: [fn(&mut [Vec<u32>]); 16] = [
        |words| words.iter_mut().for_each(Vec::clear),
        |words| words[0].clear(),
        |words| words[0].truncate(3),
        |words| words[0][1] = 0,
        |words| words[0][2] = u32::MAX,
        |words| *words[0].last_mut().unwrap() += 1,
        |words| words[0].push(0),
        |words| words[1].truncate(8),
        |words| words[1][0] = u32::MAX,
        |words| words[1][1] = 1f32.to_bits(),
        |words| words[1][3] = f32::NAN.to_bits(),
        |words| words[1][3] = f32::INFINITY.to_bits(),
        |words| words[2].truncate(8),
        |words| words[2][1] = u32::MAX,
        |words| words[2].fill(0),
        // Backwards costs differ: links lead one way.
        |words| words.rotate_left(3),
    ];
    for (i, change) in changes.into_iter().enumerate() {
        let error = from_bytes(&with_label_words(change)).map(drop).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{i}: {error}");
    }
}

/// Labels may leave out hubs, which nobody can tell from labels that need none: queries give some answer.
#[test]
fn short_labels_harm_nobody() {
    let bytes = with_label_words(|words| {
        for direction in words.chunks_exact_mut(3) {
            let [offsets, hubs, nexts] = direction else {
                panic!("three arrays");
            };
            let firsts: Vec<usize> = offsets.iter().map(|&at| at as usize).collect();
            let firsts = &firsts[..firsts.len() - 1];
            *hubs = firsts
                .iter()
                .flat_map(|&at| [hubs[2 * at], hubs[2 * at + 1]])
                .collect();
            *nexts = firsts.iter().map(|&at| nexts[at]).collect();
            *offsets = (0..=firsts.len() as u32).collect();
        }
    });
    let world = from_bytes(&bytes).unwrap();
    answers(&world);
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]
    /// Some words of labels made up: refused, or a world that answers queries.
    #[test]
    fn made_up_labels(
        changes in prop::collection::vec((0usize..6, any::<prop::sample::Index>(), 0u32..400, any::<bool>()), 1..6),
        cut in prop::option::of((0usize..6, any::<prop::sample::Index>())),
    ) {
        let bytes = with_label_words(|words| {
            for (array, at, value, copies) in changes {
                let words = &mut words[array];
                let at = at.index(words.len());
                words[at] = match copies {
                    true => words[value as usize % words.len()],
                    false => value,
                };
            }
            if let Some((array, at)) = cut {
                let length = at.index(words[array].len());
                words[array].truncate(length & !1);
            }
        });
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(500))]
    /// With the checksum put right, any change is refused or gives a world that answers queries.
    #[test]
    fn sealed_damage_never_panics(parts in 0usize..3, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        static BYTES: std::sync::LazyLock<[Vec<u8>; 3]> = std::sync::LazyLock::new(|| {
            let flat = flat(&GraphOptions::default(), &Profile::default());
            [plain(), with_default(flat.clone()), labelled(flat)].map(|world| to_bytes(&world))
        });
        let mut bytes = BYTES[parts].clone();
        let sections = sections(&bytes);
        for (section, at, value) in changes {
            // Some sections are a hundred times as long as others.
            let place = section.get(&sections).2.clone();
            if !place.is_empty() {
                bytes[place.start + at.index(place.len())] = value;
            }
        }
        reseal(&mut bytes);
        if let Ok(world) = from_bytes(&bytes) {
            answers(&world);
        }
    }
}
