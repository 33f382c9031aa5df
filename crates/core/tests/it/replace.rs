//! Polygons that are replaced at run time: the world that results answers as one that was built from scratch.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

use glam::Vec3;
use portolan_core::{
    Change, Costs, Endpoints, Engine, GraphOptions, IndexFailure, Indexer, LiveOptions, LiveWorld,
    Location, NavMesh, Path, PolygonId, Query, ReplaceError, Samples, Scratch, Snapshot, Status,
    TableOptions, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, ChangedGround, MeshPlan, Oracle, ReplacedGround, agents, close, plans,
    random_changes, random_order, random_partition, taut_tiers, with_tier,
};
use proptest::prelude::*;

/// Engines whose costs are those of the portal graph.
const EXACT_ON_GRAPH: [&str; 5] = ["astar", "dijkstra", "contraction:fast", "auto:fast", "hna"];

/// What an index of a test has.
#[derive(Clone, Debug)]
struct Parts {
    samples: Samples,
    tier: (Tier, Samples),
    seed: u64,
}

impl Parts {
    /// Builds a world with every engine that can be repaired, without renumbering the polygons.
    fn index(&self, mesh: NavMesh, profile: &portolan_core::Profile) -> World {
        let partition = random_partition(&mesh, 4, self.seed);
        let options = GraphOptions {
            samples: self.samples,
            ..GraphOptions::default()
        };
        let world = World::new(mesh, &options, profile).expect("a graph");
        let world = world
            .with_hierarchy(partition, &TableOptions::default())
            .expect("a hierarchy");
        let mut rng = CaseRng::new(self.seed);
        let order = random_order(&mut rng, world.graph().sample_count());
        let world = world.with_contraction(order).expect("an order");
        with_tier(world, self.tier.0, self.tier.1, &mut rng)
    }

    /// Returns an indexer that calls `meanwhile` before it is done.
    fn indexer(&self, meanwhile: impl Fn() + Send + Sync + 'static) -> Indexer {
        let parts = self.clone();
        Indexer::new(move |mesh, before, _| {
            let world = parts.index(mesh, before.default_costs().profile());
            meanwhile();
            Ok(world)
        })
    }
}

fn search(
    snapshot: &Snapshot,
    costs: &Costs,
    engine: Engine,
    endpoints: Endpoints,
) -> (Status, Path) {
    let query = Query {
        engine,
        costs: Some(costs),
        ..Query::new(endpoints.start.point, endpoints.goal.point)
    };
    let mut path = Path::default();
    let located = snapshot.located(&query, endpoints).expect("the engine");
    let status = located.search(&mut Scratch::new()).waypoints(&mut path);
    (status, path)
}

/// The ends of a portal in a comparable form, and its polygons in the world.
type PortalKey = ([PolygonId; 2], [[i64; 3]; 2]);

fn portal_keys(mesh: &NavMesh, id: impl Fn(PolygonId) -> PolygonId) -> BTreeSet<PortalKey> {
    let round = |point: Vec3| {
        point
            .to_array()
            .map(|x| (f64::from(x) * 1e3).round() as i64)
    };
    let key = |portal: &portolan_core::Portal| {
        let polygons = portal.polygons.map(&id);
        let from = portal.polygons[usize::from(polygons[0] > polygons[1])];
        let mut sorted = polygons;
        sorted.sort();
        (sorted, portal.ends_from(from).map(round))
    };
    mesh.portals().iter().map(key).collect()
}

/// Compares the snapshot with a mesh that was built from scratch: portals, components and the costs of paths.
fn check(
    snapshot: &Snapshot,
    costs: &Costs,
    ground: &ReplacedGround,
    samples: Samples,
    rng: &mut CaseRng,
) {
    let scratch = ground.from_scratch();
    let mesh = snapshot.mesh();
    let id = |polygon| PolygonId(scratch.mesh.user_id(polygon) as u32);
    // A millimetre may be rounded up or down, so a missing key is looked for among its neighbours.
    let [ours, theirs] = [portal_keys(mesh, |p| p), portal_keys(&scratch.mesh, id)];
    let is_near = |a: &PortalKey, b: &PortalKey| {
        let points = a.1.iter().flatten().zip(b.1.iter().flatten());
        a.0 == b.0 && points.into_iter().all(|(a, b)| (a - b).abs() <= 1)
    };
    for (some, others, what) in [(&ours, &theirs, "too many"), (&theirs, &ours, "missing")] {
        for key in some.difference(others) {
            assert!(
                others.iter().any(|other| is_near(key, other)),
                "{what}: {key:?}"
            );
        }
    }
    assert_eq!(mesh.portals().len(), scratch.mesh.portals().len());
    let present = ground.present();
    assert_eq!(mesh.polygon_count() - mesh.gone_count(), present.len());
    assert_eq!(mesh.components().count(), scratch.mesh.components().count());

    let mut changed = ChangedGround::new(&scratch.mesh);
    scratch
        .changes
        .iter()
        .for_each(|change| changed.apply(change));
    let (oracle_mesh, profile) = changed.mesh_and_profile(costs.profile());
    let oracle = Oracle::new(&oracle_mesh, &profile, samples);
    for _ in 0..5 {
        let [start, goal] = [(); 2].map(|()| {
            let polygon = present[rng.below(present.len())];
            Location {
                polygon,
                point: mesh.centre(polygon),
            }
        });
        let allows = |location: Location| costs.prices().allows(mesh, location.polygon);
        let there = |location: Location| Location {
            polygon: scratch.polygons[&location.polygon],
            ..location
        };
        assert!(!mesh.is_gone(start.polygon));
        assert_eq!(
            mesh.locate(start.point, Vec3::splat(9.0), |p| p == start.polygon)
                .map(|l| l.polygon),
            Some(start.polygon)
        );
        if !allows(start) || !allows(goal) {
            continue;
        }
        let endpoints = Endpoints { start, goal };
        let expected = oracle.cost(there(start), there(goal));
        let mut engines: Vec<Engine> = EXACT_ON_GRAPH
            .iter()
            .map(|name| name.parse().expect("an engine"))
            .collect();
        if costs.metric().is_none() {
            engines.pop();
        }
        let taut = Tier::TAUT
            .into_iter()
            .filter(|&tier| snapshot.has_tier(tier));
        let taut: Vec<Engine> = taut.map(Engine::Auto).collect();
        for &engine in engines.iter().chain(&taut) {
            let (status, path) = search(snapshot, costs, engine, endpoints);
            assert_eq!(
                status,
                match expected < f64::INFINITY {
                    true => Status::Found,
                    false => Status::NoPath,
                },
                "{engine}"
            );
            if status == Status::Found {
                let is_exact = !taut.contains(&engine);
                let cost = f64::from(path.cost);
                assert!(
                    !is_exact || close(cost, expected),
                    "{engine}: {cost} for {expected}"
                );
                assert!(path.corridor.polygons.iter().all(|&p| !mesh.is_gone(p)));
                assert!(path.is_current(snapshot));
            }
        }
    }
}

fn valid_changes(mesh: &NavMesh, rng: &mut CaseRng) -> Vec<Change> {
    let mut changes = random_changes(mesh, rng);
    changes.retain(|change| match *change {
        Change::Block(id)
        | Change::Unblock(id)
        | Change::Area(id, _)
        | Change::Flags(id, _)
        | Change::Factor(id, _) => !mesh.is_gone(id),
        Change::CloseLink(id) | Change::OpenLink(id) => !mesh.is_link_gone(id),
        _ => true,
    });
    changes
}

/// A world whose indexer makes changes while it works.
struct Interrupted {
    live: Arc<OnceLock<LiveWorld>>,
    meanwhile: Arc<Mutex<Vec<Change>>>,
}

impl Interrupted {
    fn new(parts: &Parts, mesh: NavMesh, default: &Agent, other: &Agent) -> Self {
        let live: Arc<OnceLock<LiveWorld>> = Arc::default();
        let meanwhile: Arc<Mutex<Vec<Change>>> = Arc::default();
        let (inner, changes) = (Arc::clone(&live), Arc::clone(&meanwhile));
        let indexer = parts.indexer(move || {
            let changes = std::mem::take(&mut *changes.lock().expect("no panic"));
            let live: &LiveWorld = inner.get().expect("set below");
            live.update(&changes).expect("valid changes");
        });
        let options = LiveOptions {
            profiles: vec![other.profile()],
            background: false,
            indexer,
        };
        let world = parts.index(mesh, &default.profile());
        live.set(LiveWorld::with_options(world, options))
            .expect("set once");
        Self { live, meanwhile }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(600))]

    #[test]
    fn a_world_with_replaced_polygons_answers_like_one_from_scratch(
        plan in plans(),
        samples in (1u32..4).prop_map(Samples::Each),
        tier in taut_tiers(),
        [default, other] in [agents(), agents()],
        seed in any::<u64>(),
    ) {
        let parts = Parts { samples, tier, seed };
        let mesh = plan.mesh();
        let mut ground = ReplacedGround::new(&mesh);
        let world = Interrupted::new(&parts, mesh, &default, &other);
        let live = world.live.get().expect("set");
        let mut rng = CaseRng::new(seed);
        let mut gone = BTreeSet::new();
        for _ in 0..4 {
            let before = live.snapshot();
            let changes = valid_changes(before.mesh(), &mut rng);
            live.update(&changes).expect("valid changes");
            changes.iter().for_each(|change| ground.apply(change));
            // More changes come while the index is made, some of them on polygons that go.
            let changes = valid_changes(before.mesh(), &mut rng);
            *world.meanwhile.lock().expect("no panic") = changes.clone();
            let replacement = ground.random(&mut rng);
            if rng.chance(0.2) {
                live.settle();
            }
            let replaced = live.replace(&replacement).expect("a valid replacement").wait();
            let replaced = replaced.expect("an index");
            changes.iter().for_each(|change| ground.apply(change));
            ground.replace(&replacement, &replaced);
            gone.extend(&replacement.remove);

            let snapshot = live.snapshot();
            prop_assert_eq!(snapshot.version(), replaced.version);
            prop_assert!(snapshot.is_settled());
            for &polygon in &gone {
                prop_assert!(snapshot.mesh().is_gone(polygon));
                prop_assert!(!replaced.polygons.contains(&Some(polygon)), "an id came back");
                let error = live.update(&[Change::Unblock(polygon)]).unwrap_err();
                prop_assert!(error.to_string().contains("is gone"), "{error}");
            }
            check(&snapshot, snapshot.default_costs(), &ground, samples, &mut rng);
            check(&snapshot, snapshot.costs(0), &ground, samples, &mut rng);
            // The new world changes like any other.
            let changes = valid_changes(snapshot.mesh(), &mut rng);
            live.update(&changes).expect("valid changes");
            changes.iter().for_each(|change| ground.apply(change));
            let snapshot = live.snapshot();
            check(&snapshot, snapshot.costs(0), &ground, samples, &mut rng);
        }
    }
}
