//! Detects answers that changed unintentionally.
//!
//! One hash covers all answers of an engine on a world: statuses, costs, corridors and waypoints, to the
//! bit. It is the same on every platform, with any instruction set and on any number of threads, because
//! building and querying use only operations that IEEE 754 defines exactly (`clippy.toml`).
//!
//! The first test uses random partitions. Indexes by METIS have hashes of their own, because its C code may
//! give other results on another platform.

use std::collections::{BTreeMap, BTreeSet};

use portolan_core::{
    Crossing, Engine, Limits, NavMesh, NavMeshOptions, Partition, Path, PortalGraph, Profile,
    Query, Samples, Scratch, Status, Tier, World,
};
use portolan_index::{OrderOptions, order, order_taut};
use portolan_oracle::{CaseRng, LevelsOptions, random_partition, with_levels};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 150;

/// The hash of each engine by name. It covers all levels, connecting methods and tiers of the engine.
type Hashes = BTreeMap<String, u64>;

/// Returns two floors with one-way links and areas.
fn rooms() -> NavMesh {
    mesh(
        WorldScene::Rooms,
        &WorldOptions {
            polygons: 700,
            seed: 17,
            areas: true,
            links: true,
            floors: 2,
            relief: 0.0,
        },
    )
}

/// Returns hills around lakes.
fn open() -> NavMesh {
    mesh(
        WorldScene::Open,
        &WorldOptions {
            polygons: 700,
            seed: 18,
            relief: 6.0,
            ..WorldOptions::default()
        },
    )
}

fn mesh(scene: WorldScene, options: &WorldOptions) -> NavMesh {
    NavMesh::build(scene.build(options), &NavMeshOptions::default()).expect("a valid world")
}

/// Builds a world that has every engine, over a given partition.
fn over_partition(mesh: NavMesh, partition: Partition) -> World {
    let options = OrderOptions::default();
    let world = with_levels(mesh, partition, &LevelsOptions::default());
    let ranks = order(world.graph(), &options).expect("an order");
    let mut world = world.with_contraction(ranks).expect("an order");
    for (tier, percentile) in Tier::TAUT.into_iter().zip([90, 75]) {
        let graph_options = world.taut_graph_options(Samples::ByLength { percentile });
        let graph = PortalGraph::new(world.mesh(), &graph_options);
        let ranks = order_taut(world.mesh(), &graph, &options).expect("an order");
        world = world.with_tier(tier, graph, ranks).expect("a tier");
    }
    world.with_labels(usize::MAX).expect("labels of any size")
}

/// The FNV-1a hash, word by word.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_answer(&mut self, status: Status, path: &Path) {
        self.add(status.name().len() as u32);
        for byte in status.name().bytes() {
            self.add(byte.into());
        }
        self.add(path.cost.to_bits());
        self.add(path.corridor.polygons.len() as u32);
        for polygon in &path.corridor.polygons {
            self.add(polygon.0);
        }
        for crossing in &path.corridor.crossings {
            match *crossing {
                Crossing::Portal(portal) => self.add(portal.0),
                Crossing::Link(link, end) => self.add(!(2 * link.0 + u32::from(end))),
            }
        }
        self.add(path.waypoints.len() as u32);
        for waypoint in &path.waypoints {
            for coordinate in waypoint.to_array() {
                self.add(coordinate.to_bits());
            }
        }
        for leg in &path.links {
            self.add(leg.waypoint);
            self.add(leg.link.0);
        }
    }
}

/// Hashes the answers to the same queries for every engine: on and off the mesh, with two profiles, with
/// and without partial paths, with and without a cost limit, along the ground or from corner to corner.
fn answers(world: &World) -> Hashes {
    let mut muddy = Profile::default();
    muddy.set_factor(1, 2.5).expect("a factor in range");
    muddy.set_factor(2, 0.5).expect("a factor in range");
    muddy.forbid(3);
    let muddy = world.costs(&muddy);
    let mut hashes: BTreeMap<String, Fnv> = BTreeMap::new();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut statuses = BTreeSet::new();
    let engines: Vec<Engine> = world
        .engines()
        .into_iter()
        .chain([Engine::Closest])
        .collect();
    for engine in engines {
        let name = engine.to_string();
        let family = name.split(':').next().unwrap_or_default().to_owned();
        let hash = hashes.entry(family).or_insert_with(Fnv::new);
        let mut rng = CaseRng::new(4);
        for _ in 0..QUERIES {
            let (from, to) = (rng.point_near(world.mesh()), rng.point_near(world.mesh()));
            let query = Query {
                costs: rng.chance(0.3).then_some(&muddy),
                engine,
                limits: Limits {
                    max_cost: if rng.chance(0.2) { 30.0 } else { f32::INFINITY },
                    partial: rng.chance(0.3),
                },
                ground_tolerance: if rng.chance(0.5) { 0.2 } else { f32::INFINITY },
                ..Query::new(from, to)
            };
            let status = world
                .find_path(&query, &mut scratch, &mut path)
                .expect("an engine of this world");
            statuses.insert(status.name());
            if !matches!(status, Status::Found | Status::Partial) {
                path = Path::default();
            }
            hash.add_answer(status, &path);
        }
    }
    for status in ["found", "partial", "no_path", "goal_off_mesh"] {
        assert!(
            statuses.contains(status),
            "no query has the status {status}"
        );
    }
    hashes
        .into_iter()
        .map(|(name, hash)| (name, hash.0))
        .collect()
}

/// Builds and queries the world, on one thread and on two.
fn hashes(build_world: impl Fn() -> World + Sync) -> Hashes {
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| answers(&build_world()))
    });
    assert_eq!(one, two, "one and two threads differ");
    one
}

/// Returns the message for the developer who changed the answers on a world, whether intended or not.
fn difference(world: &str, hashes: &Hashes, pinned: &[(&str, u64)]) -> Option<String> {
    let recorded: Hashes = pinned
        .iter()
        .map(|&(name, hash)| (name.to_owned(), hash))
        .collect();
    if *hashes == recorded {
        return None;
    }
    let is_new = |name: &&String| hashes.get(*name) != recorded.get(*name);
    let changed: BTreeSet<&String> = hashes
        .keys()
        .chain(recorded.keys())
        .filter(is_new)
        .collect();
    let table: String = hashes
        .iter()
        .map(|(name, hash)| format!("    ({name:?}, {hash:#018x}),\n"))
        .collect();
    Some(format!(
        "answers on {world} changed: {changed:?}. If that is intended, mention it in the changelog and \
         record them:\n{table}"
    ))
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn answers_equal_the_recorded_ones() {
    let differences = [("rooms", rooms(), &ROOMS[..]), ("open", open(), &OPEN[..])]
        .into_iter()
        .filter_map(|(name, mesh, pinned)| {
            let build_world = || over_partition(mesh.clone(), random_partition(&mesh, 6, 5));
            difference(name, &hashes(build_world), pinned)
        });
    assert_none(&differences.collect::<Vec<_>>());
}

#[cfg(feature = "metis")]
#[test]
fn answers_on_metis_indexes_equal_the_recorded_ones() {
    use portolan_core::no_progress;
    use portolan_index::{HierarchyOptions, IndexOptions, OrderMethod, build};

    let options = IndexOptions {
        tiers: Tier::CONTRACTED.to_vec(),
        order: OrderOptions {
            method: OrderMethod::Metis,
            ..OrderOptions::default()
        },
        hierarchy: Some(HierarchyOptions::default()),
        labels: Some(usize::MAX),
        ..IndexOptions::default()
    };
    let differences = [
        ("rooms by METIS", rooms(), &ROOMS_BY_METIS[..]),
        ("open by METIS", open(), &OPEN_BY_METIS[..]),
    ]
    .into_iter()
    .filter_map(|(name, mesh, pinned)| {
        let build_world = || build(mesh.clone(), &options, &no_progress).expect("a world");
        difference(name, &hashes(build_world), pinned)
    });
    assert_none(&differences.collect::<Vec<_>>());
}

const ROOMS: [(&str, u64); 8] = [
    ("astar", 0xfa27_8bdc_94bb_d4e6),
    ("auto", 0x76a8_c501_40ba_901f),
    ("closest", 0x02c2_ab1b_7844_cc91),
    ("contraction", 0x4d35_b5ab_88b7_b3df),
    ("dijkstra", 0xfa27_8bdc_94bb_d4e6),
    ("hna", 0xdfff_cd71_79bb_0375),
    ("labels", 0x59fd_7b28_d3ec_08c5),
    ("pccp", 0x30c7_aca1_4a52_1f70),
];
const OPEN: [(&str, u64); 8] = [
    ("astar", 0xad3c_e167_bf2a_e1cc),
    ("auto", 0xe2f2_99ac_8569_a67e),
    ("closest", 0x2a26_1971_e2ba_38ab),
    ("contraction", 0x6a01_c571_e881_75b5),
    ("dijkstra", 0xad3c_e167_bf2a_e1cc),
    ("hna", 0xe5b5_d007_5127_7ac5),
    ("labels", 0xdb4b_fbab_0c2d_7d66),
    ("pccp", 0x7506_bfc6_254f_d676),
];
#[cfg(feature = "metis")]
const ROOMS_BY_METIS: [(&str, u64); 8] = [
    ("astar", 0xbd01_ca79_c82a_fafc),
    ("auto", 0x79b1_81cc_a58d_0fb7),
    ("closest", 0x65ac_6951_5f7d_ef3d),
    ("contraction", 0xa7f0_0e99_b65b_0587),
    ("dijkstra", 0xbd01_ca79_c82a_fafc),
    ("hna", 0xa522_364b_0f40_b793),
    ("labels", 0x4faf_8f21_a5b2_60d8),
    ("pccp", 0x70a9_ef22_6a5b_3076),
];
#[cfg(feature = "metis")]
const OPEN_BY_METIS: [(&str, u64); 8] = [
    ("astar", 0x7f0a_f3b0_aed0_c950),
    ("auto", 0x9bd1_ca7b_c4e2_f834),
    ("closest", 0xf1d2_fe29_c1c4_9459),
    ("contraction", 0xd562_c0e0_05d6_38cd),
    ("dijkstra", 0x7f0a_f3b0_aed0_c950),
    ("hna", 0xcf06_aaed_2c86_66e3),
    ("labels", 0xa868_3411_d8de_d11b),
    ("pccp", 0xecfc_6321_a87f_2e62),
];
