//! Tests of HNA* and PCCP on nodes by METIS, and of the contraction and labels in orders by inertial flow,
//! on random and real worlds.

use glam::Vec3;
use portolan_core::{
    Connect, Costs, Crossing, Endpoints, Engine, NavMesh, NavMeshOptions, Path, Profile, Query,
    Scratch, Status, Tier, World, no_progress,
};
use portolan_index::{HierarchyOptions, IndexOptions, PartitionOptions, build};
use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};

const MERGE_FACTORS: [u32; 7] = [2, 4, 6, 8, 10, 15, 20];

/// Returns the options of the default index plus a hierarchy.
fn with_levels(merge_factor: u32) -> IndexOptions {
    let partition = PartitionOptions {
        merge_factor,
        ..PartitionOptions::default()
    };
    IndexOptions {
        hierarchy: Some(HierarchyOptions {
            partition,
            ..HierarchyOptions::default()
        }),
        ..IndexOptions::default()
    }
}

/// Builds a world with only a hierarchy.
fn index(mesh: &NavMesh, merge_factor: u32) -> World {
    let options = IndexOptions {
        tiers: Vec::new(),
        ..with_levels(merge_factor)
    };
    build(mesh.clone(), &options, &no_progress).expect("a hierarchy")
}

/// Builds a world with a contraction, and with labels for this profile.
fn contracted(mesh: NavMesh, profile: &Profile) -> World {
    let options = IndexOptions {
        profile: profile.clone(),
        tiers: vec![Tier::Fast],
        labels: Some(usize::MAX),
        ..IndexOptions::default()
    };
    build(mesh, &options, &no_progress).expect("labels of any size")
}

/// Returns worlds with areas, one-way links, islands, floors and hills.
fn worlds() -> Vec<(String, NavMesh)> {
    let mut worlds = Vec::new();
    for scene in WorldScene::ALL {
        for (polygons, floors) in [(400, 1), (1500, 3)] {
            let options = WorldOptions {
                polygons,
                seed: 5,
                areas: true,
                links: true,
                floors,
                relief: 3.0,
            };
            let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
            worlds.push((
                format!("{scene:?} {polygons}"),
                mesh.expect("a valid world"),
            ));
        }
    }
    worlds
}

/// Returns real maps, if they are next to the checkout.
fn real_worlds() -> Vec<(String, NavMesh)> {
    if !portolan_oracle::is_long_run() {
        return Vec::new();
    }
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/maps");
    let names = [
        "nav_test",
        "dungeon",
        "undulating",
        "lqdm5",
        "lq_e1m1",
        "vaduz",
    ];
    let open = |name: &str| {
        let file = format!("{name}.navmesh.obj");
        let Ok(bytes) = std::fs::read(format!("{folder}/{file}")) else {
            println!("skipped: {file} does not exist");
            return None;
        };
        let imported = portolan_formats::import_bytes(&file, &bytes).expect("a readable map");
        let mesh = NavMesh::build(imported.raw, &imported.options).expect("a valid map");
        Some((name.to_owned(), mesh))
    };
    names.into_iter().filter_map(open).collect()
}

/// Returns whether the engine connects start and goal slowly. Such engines are tested on fewer queries.
fn is_slow(engine: Engine) -> bool {
    let connect = match engine {
        Engine::Hna { connect, .. } => connect,
        _ => None,
    };
    matches!(connect, Some(Connect::AStar | Connect::Parallel))
}

fn check(name: &str, world: &World, profile: &Profile, queries: usize) {
    let costs = world.costs(profile);
    let mut points = RandomPoints::new(world.mesh(), 3);
    let mut scratch = Scratch::new();
    let mut cost_of = |query: &Query<'_>, engine| {
        let query = Query { engine, ..*query };
        let ends = world
            .locate(&query)
            .expect("an engine of this world")
            .endpoints()
            .ok()?;
        let located = world
            .located(&query, ends)
            .expect("an engine of this world");
        located.search(&mut scratch).cost()
    };
    let mut path = Path::default();
    let mut other = Scratch::new();
    for number in 0..queries {
        let (from, to) = (
            points.next().expect("a point"),
            points.next().expect("a point"),
        );
        let query = Query {
            costs: Some(&costs),
            ..Query::new(from, to)
        };
        let expected = cost_of(&query, Engine::Dijkstra);
        for engine in world.engines() {
            if is_slow(engine) && number % 8 > 0 {
                continue;
            }
            let found = cost_of(&query, engine);
            assert_eq!(
                found.is_some(),
                expected.is_some(),
                "{name}, {engine}, query {number}"
            );
            let (Some(found), Some(expected)) = (found, expected) else {
                continue;
            };
            let relative_error = (found - expected) / expected.max(1.0);
            if world.resolve_engine(engine).is_exact() {
                assert!(
                    relative_error.abs() < 1e-4,
                    "{name}, {engine}: {found} instead of {expected}"
                );
            } else {
                assert!(
                    relative_error > -1e-4,
                    "{name}, {engine}: {found} is below {expected}"
                );
            }
            let query = Query { engine, ..query };
            let status = world
                .find_path(&query, &mut other, &mut path)
                .expect("an engine of this world");
            assert_eq!(status, Status::Found);
            let sum = corridor_cost(
                world,
                &costs,
                &path,
                &world
                    .locate(&query)
                    .expect("an engine of this world")
                    .endpoints()
                    .expect("both endpoints"),
            );
            let relative_error = (sum - f64::from(found)) / f64::from(found).max(1.0);
            assert!(
                relative_error.abs() < 1e-4,
                "{name}, {engine}: {found}, but along its corridor {sum}"
            );
        }
    }
}

/// Returns the cost of a corridor over the midpoints of its portals and its links. Panics if the corridor
/// is not connected.
fn corridor_cost(world: &World, costs: &Costs, path: &Path, ends: &Endpoints) -> f64 {
    let mesh = world.mesh();
    let corridor = &path.corridor;
    assert_eq!(corridor.polygons.first(), Some(&ends.start.polygon));
    assert_eq!(corridor.polygons.last(), Some(&ends.goal.polygon));
    let (mut at, mut sum) = (ends.start.point, 0.0);
    for (pair, &crossing) in corridor.polygons.windows(2).zip(&corridor.crossings) {
        let factor = costs.prices().factor(mesh, pair[0]);
        let mut add_leg = |to: Vec3| {
            sum += f64::from(at.distance(to) * factor);
            at = to;
        };
        match crossing {
            Crossing::Portal(portal) => {
                let portal = mesh.portal(portal);
                assert!(pair.iter().all(|polygon| portal.polygons.contains(polygon)));
                add_leg(portal.midpoint());
            }
            Crossing::Link(link, entry) => {
                let (link, entry) = (mesh.link(link), usize::from(entry));
                assert_eq!(pair, [link.polygons[entry], link.polygons[1 - entry]]);
                add_leg(link.ends[entry]);
                sum += f64::from(costs.prices().link_cost(mesh, link).expect("an open link"));
                at = link.ends[1 - entry];
            }
        }
    }
    let last = costs.prices().factor(mesh, ends.goal.polygon);
    sum + f64::from(at.distance(ends.goal.point) * last)
}

#[test]
fn every_engine_at_every_level_finds_the_minimum_cost() {
    for (name, mesh) in worlds() {
        let mut profile = Profile::default();
        profile.set_factor(1, 0.5).expect("a factor");
        profile.set_factor(2, 3.0).expect("a factor");
        profile.forbid(3);
        for merge_factor in MERGE_FACTORS {
            let world = index(&mesh, merge_factor);
            check(&format!("{name}, mu {merge_factor}"), &world, &profile, 16);
        }
    }
}

#[test]
fn every_engine_finds_the_minimum_cost_on_real_maps() {
    for (name, mesh) in real_worlds() {
        for merge_factor in MERGE_FACTORS {
            let world = index(&mesh, merge_factor);
            let profile = Profile::default();
            check(&format!("{name}, mu {merge_factor}"), &world, &profile, 24);
        }
    }
}

#[test]
fn contraction_and_labels_find_the_minimum_cost() {
    let mut choosy = Profile::default();
    choosy.set_factor(1, 0.5).expect("a factor");
    choosy.set_factor(2, 3.0).expect("a factor");
    choosy.forbid(3);
    let mut without_links = choosy.clone();
    without_links.set_factor(0, 0.0).expect("a factor");
    without_links.links = false;
    for (name, mesh) in worlds().into_iter().chain(real_worlds()) {
        for profile in [&Profile::default(), &choosy, &without_links] {
            let world = contracted(mesh.clone(), profile);
            assert!(world.engines().contains(&Engine::Labels));
            check(&name, &world, profile, 100);
        }
    }
}

/// Rahmani and Pelechano 2020, figure 7: paths of PCCP are on average 5% longer than those of HNA* if they
/// are shorter than 100 m, and 3% longer otherwise.
#[test]
fn pccp_paths_exceed_hna_paths_by_less_than_published() {
    let large = WorldScene::ALL.map(|scene| {
        let options = WorldOptions {
            polygons: 8000,
            ..WorldOptions::default()
        };
        let mesh = NavMesh::build(scene.build(&options), &NavMeshOptions::default());
        (format!("{scene:?} large"), mesh.expect("a valid world"))
    });
    let mut long_paths = 0.0;
    for (name, mesh) in worlds().into_iter().chain(large) {
        let world = index(&mesh, 10);
        let levels = world.hierarchy().expect("a hierarchy").partition().levels();
        for level in levels.map(Some) {
            let mut sums = [(0.0, 0.0); 2];
            let mut points = RandomPoints::new(world.mesh(), 9);
            let (mut scratch, mut path) = (Scratch::new(), Path::default());
            for _ in 0..300 {
                let (from, to) = (
                    points.next().expect("a point"),
                    points.next().expect("a point"),
                );
                let mut length = |engine| {
                    let query = Query {
                        engine,
                        ..Query::new(from, to)
                    };
                    let status = world
                        .find_path(&query, &mut scratch, &mut path)
                        .expect("an engine of this world");
                    (status == Status::Found).then(|| path.length())
                };
                let hna = length(Engine::Hna {
                    level,
                    connect: None,
                });
                let pccp = length(Engine::Pccp { level });
                if let (Some(hna), Some(pccp)) = (hna, pccp) {
                    let sum = &mut sums[usize::from(hna > 100.0)];
                    sum.0 += pccp / hna.max(1.0) - hna / hna.max(1.0);
                    sum.1 += 1.0;
                }
            }
            let [short, long] = sums.map(|(sum, count)| sum / f64::max(count, 1.0));
            println!(
                "{name}, level {level:?}: {:.2}% short, {:.2}% long",
                short * 100.0,
                long * 100.0
            );
            assert!(sums[0].1 + sums[1].1 > 100.0, "{name}: too few paths");
            long_paths += sums[1].1;
            assert!(short < 0.05 && long < 0.03, "{name}: {short}, {long}");
        }
    }
    assert!(
        long_paths > 300.0,
        "only {long_paths} paths of more than 100 m"
    );
}

#[test]
fn the_size_of_an_engine_is_the_sum_of_its_parts() {
    let (_, mesh) = worlds().swap_remove(1);
    let partition = PartitionOptions {
        merge_factor: 6,
        ..PartitionOptions::default()
    };
    let options = IndexOptions {
        hierarchy: Some(HierarchyOptions {
            partition,
            ..HierarchyOptions::default()
        }),
        labels: Some(usize::MAX),
        ..IndexOptions::default()
    };
    let world = build(mesh.clone(), &options, &no_progress).expect("a world");
    let bytes = |name: &str| world.engine_bytes(name.parse().expect("an engine"));

    for plain in ["astar", "dijkstra", "closest"] {
        assert_eq!(bytes(plain), 0, "{plain}");
    }

    let costs = world.default_costs();
    let (hierarchy, metric) = (world.hierarchy().expect("levels"), costs.metric());
    let metric = metric.expect("costs of the levels");
    let top = hierarchy.top();
    assert!(top.0 >= 2);
    let levels = hierarchy.bytes() + metric.bytes();
    assert_eq!(bytes(&format!("hna:{top}:dijkstra")), levels);
    assert_eq!(bytes("hna"), levels + metric.table_bytes());
    let all_tables = metric.table_bytes() + metric.centre_bytes();
    assert_eq!(bytes("pccp"), levels + all_tables);
    let table = metric.table(portolan_core::Level(1)).expect("a table");
    assert_eq!(bytes("hna:1") - bytes("hna:1:astar"), table.bytes());
    assert_eq!(bytes("pccp:1") - bytes("hna:1"), table.centre_bytes());
    assert!(bytes("hna:1:astar") < bytes("hna:2:astar"));

    let of_tier = |tier| {
        let (_, contraction) = world.tier(tier).expect("the tier");
        contraction.bytes() + costs.shortcuts(tier).expect("its shortcuts").bytes()
    };
    let (graph, _) = world.tier(Tier::Default).expect("the tier");
    assert_eq!(bytes("contraction:fast"), of_tier(Tier::Fast));
    assert_eq!(bytes("auto:fast"), bytes("contraction:fast"));
    let taut = of_tier(Tier::Default) + graph.bytes() + world.hole_bytes();
    assert_eq!((bytes("contraction"), bytes("auto")), (taut, taut));
    let labels = costs.labels().expect("labels").bytes();
    assert_eq!(bytes("labels"), of_tier(Tier::Fast) + labels);

    assert_eq!(bytes("contraction:best"), 0, "a missing tier");
    let bare = World::from_mesh(mesh);
    for engine in ["auto", "hna", "pccp:2", "contraction", "labels"] {
        let engine = engine.parse().expect("an engine");
        assert_eq!(bare.engine_bytes(engine), 0, "{engine}");
    }
}
