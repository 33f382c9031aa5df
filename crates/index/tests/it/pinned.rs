//! Answers that changed without anybody meaning it.
//! One number stands for all answers of an engine on a world: statuses, costs, corridors and waypoints,
//! to the bit. It is the same on every platform, with any instruction set and on any number of threads,
//! because build and query use only operations that IEEE 754 defines exactly (`clippy.toml`).
//!
//! Nested levels are drawn at random here. What METIS decides has numbers of its own: its C code may
//! decide otherwise on another platform.

use std::collections::{BTreeMap, BTreeSet};

use portolan_core::{
    Crossing, Engine, IndexOptions, Limits, NavMesh, NavMeshOptions, Partition, Path, Profile,
    Query, Scratch, Status, Tier, World,
};
use portolan_index::{OrderOptions, TierOptions, add_tier};
use portolan_oracle::{Dice, random_partition};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 60;

/// By the name of the engine, all its levels, connecting methods and tiers together.
type Hashes = BTreeMap<String, u64>;

/// Two floors with one-way links and areas.
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

/// Hills around lakes.
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
    NavMesh::build(scene.build(options), &NavMeshOptions::default()).expect("a sound world")
}

/// A world that has every engine.
fn indexed(mesh: NavMesh, partition: Partition, order: &OrderOptions) -> World {
    let options = TierOptions {
        order: order.clone(),
        ..TierOptions::default()
    };
    let world = World::with_hierarchy(mesh, partition, &IndexOptions::default());
    let world = Tier::ALL
        .into_iter()
        .fold(world.expect("a hierarchy"), |world, tier| {
            add_tier(world, tier, &options).expect("a tier")
        });
    world.with_labels(usize::MAX).expect("labels of any size")
}

/// FNV-1a, word by word.
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

/// The same queries for every engine: on and off the mesh, for two profiles, to the goal or as far as one
/// gets, along the ground or from corner to corner.
fn answers(world: &World) -> Hashes {
    let mut muddy = Profile::default();
    muddy.set_factor(1, 2.5).expect("a factor in range");
    muddy.set_factor(2, 0.5).expect("a factor in range");
    muddy.forbid(3);
    let muddy = world.costs(&muddy);
    let mut hashes: BTreeMap<String, Fnv> = BTreeMap::new();
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let mut found = 0;
    let engines: Vec<Engine> = world
        .engines()
        .into_iter()
        .chain([Engine::Closest])
        .collect();
    let queries = engines.len() * QUERIES;
    for engine in engines {
        let name = engine.to_string();
        let family = name.split(':').next().unwrap_or_default().to_owned();
        let hash = hashes.entry(family).or_insert_with(Fnv::new);
        let mut dice = Dice::new(4);
        for _ in 0..QUERIES {
            let (from, to) = (dice.place_near(world.mesh()), dice.place_near(world.mesh()));
            let query = Query {
                costs: dice.chance(0.3).then_some(&muddy),
                engine,
                limits: Limits {
                    partial: dice.chance(0.3),
                    ..Limits::default()
                },
                ground_tolerance: if dice.chance(0.5) { 0.2 } else { f32::INFINITY },
                ..Query::new(from, to)
            };
            let status = world.find_path(&query, &mut scratch, &mut path);
            if matches!(status, Status::Found | Status::Partial) {
                found += 1;
            } else {
                path = Path::default();
            }
            hash.add_answer(status, &path);
        }
    }
    assert!(found > queries / 2, "{found} paths of {queries}");
    hashes
        .into_iter()
        .map(|(name, hash)| (name, hash.0))
        .collect()
}

/// Builds the index and asks it, on one thread and on two.
fn hashes(make: impl Fn() -> World + Sync) -> Hashes {
    let [one, two] = [1, 2].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads").install(|| answers(&make()))
    });
    assert_eq!(one, two, "one thread and two");
    one
}

/// What to tell whoever changed the answers on a world, on purpose or not.
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
        "answers on {world} changed: {changed:?}. If that is on purpose, say so in the changelog and \
         record them:\n{table}"
    ))
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn answers_are_those_that_were_recorded() {
    let order = OrderOptions::default();
    let differences = [("rooms", rooms(), &ROOMS[..]), ("open", open(), &OPEN[..])]
        .into_iter()
        .filter_map(|(name, mesh, pinned)| {
            let make = || indexed(mesh.clone(), random_partition(&mesh, 6, 5), &order);
            difference(name, &hashes(make), pinned)
        });
    assert_none(&differences.collect::<Vec<_>>());
}

#[cfg(feature = "metis")]
#[test]
fn answers_on_what_metis_made_are_those_that_were_recorded() {
    use portolan_index::{OrderMethod, PartitionOptions, partition};

    let order = OrderOptions {
        method: OrderMethod::Metis,
        ..OrderOptions::default()
    };
    let differences = [
        ("rooms by METIS", rooms(), &ROOMS_BY_METIS[..]),
        ("open by METIS", open(), &OPEN_BY_METIS[..]),
    ]
    .into_iter()
    .filter_map(|(name, mesh, pinned)| {
        let make = || {
            let partition = partition(&mesh, &PartitionOptions::default());
            indexed(mesh.clone(), partition.expect("a partition"), &order)
        };
        difference(name, &hashes(make), pinned)
    });
    assert_none(&differences.collect::<Vec<_>>());
}

const ROOMS: [(&str, u64); 8] = [
    ("astar", 0xa4a8_3388_6f98_4e6c),
    ("auto", 0xbfb1_3442_e365_5cb0),
    ("closest", 0x31af_9316_6d1b_0708),
    ("contraction", 0x7e10_da56_1b43_7bb8),
    ("dijkstra", 0xa4a8_3388_6f98_4e6c),
    ("hna", 0x3de5_fc38_8fe7_96cb),
    ("labels", 0x0fe8_28c7_6d29_4532),
    ("pccp", 0x4063_957d_18cf_7b13),
];
const OPEN: [(&str, u64); 8] = [
    ("astar", 0x0551_d4f2_7e65_563c),
    ("auto", 0x0fba_08a3_76c4_a776),
    ("closest", 0xea57_8f94_f856_2365),
    ("contraction", 0x67c2_244f_fe99_fabe),
    ("dijkstra", 0x0551_d4f2_7e65_563c),
    ("hna", 0xbecc_8d6e_a750_ee30),
    ("labels", 0xd90b_2636_8612_50c6),
    ("pccp", 0x4606_23b3_1b57_e04e),
];
#[cfg(feature = "metis")]
const ROOMS_BY_METIS: [(&str, u64); 8] = [
    ("astar", 0x3426_a644_e35e_1c76),
    ("auto", 0xe74e_cf8c_29cc_76cc),
    ("closest", 0xc954_6083_2682_7805),
    ("contraction", 0xf540_d76b_d9a9_b52c),
    ("dijkstra", 0x3426_a644_e35e_1c76),
    ("hna", 0xe1eb_187d_9274_27f7),
    ("labels", 0xe25a_4b75_4493_8823),
    ("pccp", 0xd222_9760_8d47_84e1),
];
#[cfg(feature = "metis")]
const OPEN_BY_METIS: [(&str, u64); 8] = [
    ("astar", 0x414e_2bf9_5d65_e23d),
    ("auto", 0x2e9c_db86_537e_88c1),
    ("closest", 0x8aa3_fd8e_4d2b_97b4),
    ("contraction", 0xe728_ad72_01d2_cf99),
    ("dijkstra", 0x414e_2bf9_5d65_e23d),
    ("hna", 0x960a_0408_d309_b94d),
    ("labels", 0xc51c_3774_98d8_b25b),
    ("pccp", 0xecea_7077_5c96_7ca6),
];
