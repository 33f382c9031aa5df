//! Polygons that are replaced at run time: the world that results answers as one that was built from scratch.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use glam::{Vec3, vec3};
use portolan_core::{
    Agents, Change, ChangeError, Costs, Endpoints, Engine, EngineError, Follow, FrameBudget,
    GraphOptions, IndexFailure, Indexer, LinkId, LiveOptions, LiveWorld, Location, NavMesh,
    NavMeshOptions, Obstacle, ObstacleId, Path, PolygonId, Profile, Query, RawNavMesh,
    ReplaceError, Replacement, ReplacementError, Samples, Scratch, Snapshot, Status, Switch,
    TableOptions, Tier, World,
};
use portolan_oracle::{
    Agent, CaseRng, ChangedGround, MeshPlan, Oracle, ReplacedGround, agents, close, plans,
    random_changes, random_order, random_partition, taut_tiers, with_tier,
};
use portolan_scenes::{WorldOptions, WorldScene};
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
    fn index(&self, mesh: NavMesh, profile: &Profile) -> World {
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
            ..LiveOptions::default()
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

/// The parts of an index with the tiers fast and default.
fn parts() -> Parts {
    Parts {
        samples: Samples::Each(1),
        tier: (Tier::Default, Samples::Each(1)),
        seed: 5,
    }
}

/// The mesh of a building with links and several areas. Indexes by random orders take long on larger ones.
fn building(polygons: usize) -> NavMesh {
    let options = WorldOptions {
        polygons,
        links: true,
        ..WorldOptions::default()
    };
    MeshPlan::Scene(WorldScene::Rooms, options).mesh()
}

/// A building that is indexed by `indexer` when polygons are replaced.
fn live_building(background: bool, indexer: Indexer) -> LiveWorld {
    let world = parts().index(building(120), &Profile::default());
    let options = LiveOptions {
        background,
        indexer,
        ..LiveOptions::default()
    };
    LiveWorld::with_options(world, options)
}

/// A replacement that only takes polygons out.
fn without(polygons: &[PolygonId]) -> Replacement {
    Replacement {
        remove: polygons.to_vec(),
        ..Replacement::default()
    }
}

/// A replacement that adds one rectangle at a height.
fn rectangle([x, z]: [f32; 2], [width, depth]: [f32; 2], y: f32) -> Replacement {
    let mut add = RawNavMesh {
        vertices: [[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]]
            .map(|[dx, dz]| vec3(x + dx, y, z + dz))
            .to_vec(),
        ..RawNavMesh::default()
    };
    add.polygons.push([0, 1, 2, 3]);
    Replacement {
        add,
        ..Replacement::default()
    }
}

#[test]
fn an_invalid_replacement_is_one_clear_error_and_changes_nothing() {
    let live = live_building(false, parts().indexer(|| ()));
    let first = live.snapshot();
    let count = first.mesh().polygon_count();
    let error = |replacement: &Replacement| {
        let error = live.replace(replacement).expect_err("invalid").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    };
    assert_eq!(
        error(&Replacement::default()),
        "the replacement removes no polygons and adds no polygons or links"
    );
    assert_eq!(
        error(&without(&[PolygonId(1 << 29)])),
        format!(
            "the replacement removes polygon {}, and the mesh has {count} polygons",
            1 << 29
        )
    );
    let all: Vec<PolygonId> = first.mesh().polygons().collect();
    assert_eq!(
        error(&without(&all)),
        "the replacement removes all polygons and adds none: a world needs at least one"
    );
    // On top of the polygon below a point of the mesh, and of the polygons around it.
    let centre = first.mesh().centre(PolygonId(3));
    let on_top = rectangle([centre.x, centre.z], [1.0, 1.0], centre.y + 0.2);
    assert!(error(&on_top).starts_with("polygon 0 of the replacement overlaps polygon "));
    assert!(error(&on_top).ends_with(" of the mesh, which is not removed"));
    let mut twice = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    twice.add.polygons.push([0, 1, 2, 3]);
    assert_eq!(error(&twice), "polygons 0 and 1 of the replacement overlap");
    let mut bad = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    bad.add.vertices[2].x = f32::NAN;
    assert!(
        error(&bad).starts_with("the replacement is invalid: "),
        "{}",
        error(&bad)
    );
    let mut bad = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    bad.add.polygons.push([0, 1, 9]);
    assert!(error(&bad).starts_with("the replacement is invalid: "));
    let mut bad = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    bad.add.areas = vec![1, 2, 3];
    assert!(error(&bad).starts_with("the replacement is invalid: "));
    let mut bad = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    bad.options.convexity_tolerance = f32::NAN;
    assert!(error(&bad).starts_with("the replacement is invalid: "));
    assert_eq!(live.snapshot().version(), first.version());

    // None of them has blocked the next one, which is not connected with the rest.
    let island = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    let replaced = live
        .replace(&island)
        .expect("valid")
        .wait()
        .expect("an index");
    assert_eq!(replaced.polygons, [Some(PolygonId::new(count))]);
    let after = live.snapshot();
    assert!(after.find([-49.5, 0.0, -49.5], [-48.5, 0.0, -48.5]).is_ok());
    assert_eq!(
        after.find([-49.5, 0.0, -49.5], centre).unwrap_err(),
        Status::NoPath
    );
    let gone = without(&[PolygonId::new(count)]);
    live.replace(&gone)
        .expect("valid")
        .wait()
        .expect("an index");
    assert_eq!(
        live.replace(&gone).expect_err("gone"),
        ReplacementError::Gone {
            polygon: count as u32
        }
        .into()
    );
}

#[test]
fn the_id_of_a_polygon_that_is_gone_is_an_error_everywhere() {
    let live = live_building(false, parts().indexer(|| ()));
    let before = live.snapshot();
    let link = before.mesh().links()[1];
    let gone = link.polygons[0];
    let switch = Switch {
        polygons: vec![PolygonId(0), gone],
        links: vec![LinkId(1)],
    };
    live.define("door", switch.clone()).expect("present");
    live.update(&[Change::Close("door".into())])
        .expect("present");
    live.replace(&without(&[gone]))
        .expect("valid")
        .wait()
        .expect("an index");
    let after = live.snapshot();
    let version = after.version();

    let is_gone = |change: Change| match live.update(&[Change::Block(PolygonId(5)), change]) {
        Err(ChangeError::Gone { change: 1, polygon }) => assert_eq!(polygon, gone.0),
        Err(ChangeError::LinkGone { change: 1, link }) => assert_eq!(link, 1),
        other => panic!("{other:?}"),
    };
    is_gone(Change::Block(gone));
    is_gone(Change::Unblock(gone));
    is_gone(Change::Area(gone, 2));
    is_gone(Change::Flags(gone, 2));
    is_gone(Change::Factor(gone, 2.0));
    is_gone(Change::CloseLink(LinkId(1)));
    is_gone(Change::OpenLink(LinkId(1)));
    is_gone(Change::Open("door".into()));
    is_gone(Change::Close("door".into()));
    assert!(matches!(
        live.define("other", switch),
        Err(ChangeError::Gone { .. })
    ));
    assert_eq!(live.snapshot().version(), version);

    let location = Location {
        polygon: gone,
        point: after.mesh().centre(gone),
    };
    let elsewhere = Location {
        polygon: PolygonId(5),
        point: after.mesh().centre(PolygonId(5)),
    };
    for endpoints in [[location, elsewhere], [elsewhere, location]] {
        let [start, goal] = endpoints;
        let query = Query::new(start.point, goal.point);
        let located = after.located(&query, Endpoints { start, goal });
        assert_eq!(located.err(), Some(EngineError::Gone(gone)));
    }
    assert!(!after.probe().is_open(gone));
    assert_eq!(after.probe().neighbours(gone).count(), 0);
    assert!(
        after
            .mesh()
            .polygon_of(before.mesh().user_id(gone))
            .is_none()
    );
    assert!(
        after
            .probe()
            .polygon_of(before.mesh().user_id(gone))
            .is_none()
    );
    assert_eq!(
        after
            .mesh()
            .components()
            .size(after.mesh().components().of(gone)),
        0
    );

    // The state of the switch before holds for what is left of it.
    assert!(!after.probe().is_open(PolygonId(0)));
    // A world does not go back to ids that are gone, and says so.
    let error = live.restore(&before).expect_err("another topology");
    assert!(
        matches!(error, ChangeError::OtherTopology { .. }),
        "{error}"
    );
    live.restore(&after).expect("the same topology");
}

#[test]
fn a_border_that_loses_its_neighbour_may_get_another() {
    // Two squares with common vertices, and a third square 0.5 m above the second, with vertices of its own.
    let mut raw = RawNavMesh::default();
    let square = |x: f32, y: f32| {
        [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(|[dx, z]| vec3(x + dx, y, z))
    };
    raw.vertices.extend(square(0.0, 0.0));
    raw.vertices
        .extend([vec3(4.0, 0.0, 0.0), vec3(4.0, 0.0, 2.0)]);
    raw.vertices.extend(square(2.0, 0.5));
    raw.polygons.push([0, 1, 2, 3]);
    raw.polygons.push([1, 4, 5, 2]);
    raw.polygons.push([6, 7, 8, 9]);
    let world = World::build(raw, &NavMeshOptions::default()).expect("valid");
    let id = |user_id| world.mesh().polygon_of(user_id).expect("a polygon");
    let ids = [0, 1, 2].map(id);
    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(world, options);
    let ground = ReplacedGround::new(live.snapshot().mesh());
    let (from, to) = ([1.0, 0.0, 1.0], [3.0, 0.5, 1.0]);
    assert_eq!(live.snapshot().mesh().portals().len(), 1);

    let mut ground = ground;
    let replaced = live
        .replace(&without(&[ids[1]]))
        .expect("valid")
        .wait()
        .expect("no index");
    ground.replace(&without(&[ids[1]]), &replaced);
    let after = live.snapshot();
    let path = after.find(from, to).expect("a step up");
    assert_eq!(path.corridor.polygons, [ids[0], ids[2]]);
    assert_eq!(ground.from_scratch().mesh.portals().len(), 1);
}

#[test]
fn readers_never_see_a_half_made_world_and_no_change_is_lost() {
    let live = live_building(true, parts().indexer(|| ()));
    let mut rng = CaseRng::new(9);
    let mut ground = ReplacedGround::new(live.snapshot().mesh());
    let is_done = AtomicBool::new(false);
    let (checked, unsettled) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut rng = CaseRng::new(10);
            let mut last = 0;
            while !is_done.load(Ordering::Acquire) {
                let snapshot = live.snapshot();
                assert!(snapshot.version() >= last, "versions go back");
                last = snapshot.version();
                let (mesh, costs) = (snapshot.mesh(), snapshot.default_costs());
                let [start, goal] = [(); 2].map(|()| {
                    let polygon = rng.polygon(mesh);
                    let point = mesh.centre(polygon);
                    Location { polygon, point }
                });
                let is_open = |end: Location| costs.prices().allows(mesh, end.polygon);
                if !is_open(start) || !is_open(goal) {
                    continue;
                }
                let endpoints = Endpoints { start, goal };
                let [a, b] = ["dijkstra", "contraction:fast"]
                    .map(|name| search(&snapshot, costs, name.parse().expect("a name"), endpoints));
                assert_eq!(a.0, b.0);
                assert!(close(a.1.cost.into(), b.1.cost.into()));
                let taut = search(&snapshot, costs, Engine::Auto(Tier::Default), endpoints);
                assert_eq!(taut.0, a.0);
                checked.fetch_add(1, Ordering::Relaxed);
            }
        });
        for _ in 0..15 {
            let before = live.snapshot();
            let replacement = ground.random(&mut rng);
            let replacing = live.replace(&replacement).expect("valid");
            // The old shape changes until the new one is there.
            while !replacing.is_done() {
                let changes = valid_changes(before.mesh(), &mut rng);
                match live.update(&changes) {
                    Ok(_) => changes.iter().for_each(|change| ground.apply(change)),
                    // The swap came between the last look and this update.
                    Err(ChangeError::Gone { .. } | ChangeError::LinkGone { .. }) => (),
                    Err(error) => panic!("{error}"),
                }
                std::thread::sleep(std::time::Duration::from_micros(200));
            }
            let replaced = replacing.wait().expect("an index");
            ground.replace(&replacement, &replaced);
            let snapshot = live.snapshot();
            unsettled.fetch_add(usize::from(!snapshot.is_settled()), Ordering::Relaxed);
            let costs = snapshot.default_costs();
            check(&snapshot, costs, &ground, Samples::Each(1), &mut rng);
        }
        is_done.store(true, Ordering::Release);
        reader.join().expect("the reader has not panicked");
    });
    assert!(checked.into_inner() > 0);
    assert!(
        unsettled.into_inner() > 0,
        "no change came while costs were customized"
    );
    live.settle();
    let snapshot = live.snapshot();
    check(
        &snapshot,
        snapshot.default_costs(),
        &ground,
        Samples::Each(1),
        &mut rng,
    );
}

#[test]
fn a_replacement_can_be_watched_and_cancelled_and_fail() {
    // An indexer that works until it is told to go on.
    let go_on = Arc::new(AtomicBool::new(false));
    let waits = Arc::clone(&go_on);
    let indexer = Indexer::new(move |mesh, before, progress| {
        while !waits.load(Ordering::Acquire) {
            if progress(portolan_core::Stage::Order, 0.5).is_break() {
                return Err(IndexFailure::Stopped);
            }
            std::thread::yield_now();
        }
        Ok(parts().index(mesh, before.default_costs().profile()))
    });
    let live = live_building(true, indexer);
    let first = live.snapshot();
    let hole = without(&[PolygonId(7)]);

    let replacing = live.replace(&hole).expect("valid");
    assert_eq!(
        live.replace(&hole).expect_err("one at a time"),
        ReplaceError::Busy
    );
    while replacing.progress() != (portolan_core::Stage::Order, 0.5) {
        std::thread::yield_now();
    }
    assert!(!replacing.is_done());
    // The old world answers and changes.
    live.update(&[Change::Block(PolygonId(9))])
        .expect("present");
    assert!(!live.snapshot().mesh().is_gone(PolygonId(7)));
    replacing.cancel();
    assert_eq!(replacing.wait(), Err(ReplaceError::Cancelled));
    live.settle();
    assert_eq!(live.snapshot().mesh().topology(), 0);

    let replacing = live.replace(&hole).expect("the first one has made room");
    go_on.store(true, Ordering::Release);
    let replaced = replacing.wait().expect("an index");
    assert!(replaced.version > first.version());
    assert!(live.snapshot().mesh().is_gone(PolygonId(7)));
    assert!(!live.snapshot().probe().is_open(PolygonId(9)));

    // A world that is dropped takes its replacement with it.
    go_on.store(false, Ordering::Release);
    let replacing = live.replace(&without(&[PolygonId(8)])).expect("valid");
    drop(live);
    assert_eq!(replacing.wait(), Err(ReplaceError::Cancelled));

    let failing = Indexer::new(|_, _, _| Err(IndexFailure::Failed("no memory".into())));
    let live = live_building(true, failing);
    let failed = live.replace(&hole).expect("valid").wait();
    assert_eq!(
        failed.expect_err("it fails").to_string(),
        "the index cannot be built again: no memory"
    );
    let other = Indexer::new(|_, before, _| Ok(before.clone()));
    let live = live_building(true, other);
    let failed = live.replace(&hole).expect("valid").wait();
    assert!(matches!(failed, Err(ReplaceError::Index(_))));
    let live = live_building(true, Indexer::none());
    assert_eq!(
        live.replace(&hole).expect_err("an index"),
        ReplaceError::NoIndexer
    );
    let panics = Indexer::new(|_, _, _| panic!("in an indexer"));
    let live = live_building(true, panics);
    let failed = live.replace(&hole).expect("valid").wait();
    assert!(matches!(failed, Err(ReplaceError::Index(_))));
    assert!(live.replace(&hole).is_ok(), "the panic has made room");
    assert_eq!(live.snapshot().version(), 0);
}

#[test]
fn paths_know_whether_their_polygons_are_gone() {
    let live = live_building(false, parts().indexer(|| ()));
    let before = live.snapshot();
    let mut rng = CaseRng::new(3);
    let path = (0..100).find_map(|_| {
        let [a, b] = [(); 2].map(|()| rng.point_inside(before.mesh()));
        let path = before.find(a, b).ok();
        path.filter(|path| path.corridor.polygons.len() > 8)
    });
    let path = path.expect("a long path");
    let beside = before.mesh().polygons();
    let beside = beside.filter(|polygon| !path.corridor.polygons.contains(polygon));
    let beside: Vec<PolygonId> = beside.take(3).collect();
    live.replace(&without(&beside))
        .expect("valid")
        .wait()
        .expect("an index");
    let elsewhere = live.snapshot();
    assert!(path.is_current(&elsewhere), "its polygons are as they were");
    assert_ne!(path.topology, elsewhere.mesh().topology());

    live.replace(&without(&[path.corridor.polygons[4]]))
        .expect("valid")
        .wait()
        .expect("an index");
    let after = live.snapshot();
    assert!(!path.is_current(&after));
    assert!(
        path.is_current_from(&after, 5),
        "what lies behind does not matter"
    );
    // A path over new ground is none of the world before.
    let island = rectangle([-50.0, -50.0], [2.0, 2.0], 0.0);
    live.replace(&island)
        .expect("valid")
        .wait()
        .expect("an index");
    let path = live
        .snapshot()
        .find([-49.5, 0.0, -49.5], [-48.5, 0.0, -48.5]);
    let path = path.expect("one polygon");
    assert!(path.is_current(&live.snapshot()) && !path.is_current(&before));
}

#[test]
fn agents_walk_on_while_the_ground_below_them_is_replaced() {
    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    // Without an index, which random orders would make slow.
    let live = LiveWorld::with_options(World::from_mesh(building(400)), options);
    let first = live.snapshot();
    let mut ground = ReplacedGround::new(first.mesh());
    let mut rng = CaseRng::new(21);
    let mut agents = Agents::new();
    let mut walkers = Vec::new();
    while walkers.len() < 40 {
        let [from, to] = [(); 2].map(|()| rng.point_inside(first.mesh()));
        if first.find(from, to).is_ok() {
            let id = agents.add(from);
            agents.set_goal(id, to);
            walkers.push((id, to));
        }
    }
    let query = Query::new([0.0; 3], [0.0; 3]);
    for frame in 0..4000 {
        let snapshot = live.snapshot();
        agents
            .find_paths(&snapshot, &query, FrameBudget::Queries(10))
            .expect("`auto` runs on every world");
        let positions: Vec<_> = walkers
            .iter()
            .map(|&(id, _)| {
                let corners = agents.follower(id).corners(&snapshot.probe(), 1);
                let corner = corners.first().copied();
                let location = agents.follower(id).location();
                let here = location.map_or(agents.position(id), |location| location.point);
                let step = corner.map_or(Vec3::ZERO, |corner| corner.point - here);
                here + step.clamp_length_max(0.25)
            })
            .collect();
        agents.advance(&snapshot.probe(), &positions);
        let mut is_waiting = false;
        for &(id, goal) in &walkers {
            if let Some(location) = agents.follower(id).location() {
                assert!(
                    !snapshot.mesh().is_gone(location.polygon),
                    "in frame {frame}"
                );
            }
            match agents.state(id) {
                Follow::Arrived => continue,
                Follow::Link(_) => agents.follower(id).leave_link(snapshot.mesh()),
                Follow::NoPath if !agents.is_waiting(id) => agents.set_goal(id, goal),
                _ => (),
            }
            is_waiting = true;
        }
        if !is_waiting {
            assert!(frame > 60, "no agent was on its way");
            return;
        }
        // The ground ahead of an agent, and the one below it, is replaced by the same ground.
        if frame % 10 == 5 && frame < 200 {
            let (id, _) = walkers[frame / 10];
            let ahead: Vec<PolygonId> = agents.follower(id).polygons().take(4).collect();
            let replacement = ground.again(&ahead);
            let replaced = live
                .replace(&replacement)
                .expect("valid")
                .wait()
                .expect("an index");
            ground.replace(&replacement, &replaced);
        }
    }
    panic!("agents have not arrived");
}

#[test]
fn obstacles_stand_on_the_new_ground_too() {
    let live = live_building(false, parts().indexer(|| ()));
    let mut ground = ReplacedGround::new(live.snapshot().mesh());
    let mut rng = CaseRng::new(17);
    let mut discs = Vec::new();
    let mut obstacle = |rng: &mut CaseRng| {
        let base = rng.point_inside(live.snapshot().mesh());
        let id = ObstacleId(discs.len() as u64);
        let disc = Change::Place(id, Obstacle::disc(base, 0.7, 2.0));
        discs.push(disc.clone());
        live.update(std::slice::from_ref(&disc)).expect("a disc");
        discs.clone()
    };
    for round in 0..4 {
        obstacle(&mut rng);
        let all = obstacle(&mut rng);
        let present = ground.present();
        let around: Vec<PolygonId> = (0..3).map(|_| present[rng.below(present.len())]).collect();
        let replacement = match round % 2 {
            0 => ground.again(&around),
            _ => without(&around[..1]),
        };
        let replaced = live
            .replace(&replacement)
            .expect("valid")
            .wait()
            .expect("an index");
        ground.replace(&replacement, &replaced);
        if round == 3 {
            live.settle();
        }
        let scratch = World::from_mesh(ground.from_scratch().mesh);
        let options = LiveOptions {
            background: false,
            ..LiveOptions::default()
        };
        let scratch = LiveWorld::with_options(scratch, options);
        scratch.update(&all).expect("the same discs");
        let [ours, theirs] = [live.snapshot(), scratch.snapshot()];
        let mut found = 0;
        for _ in 0..60 {
            let [from, to] = [(); 2].map(|()| rng.point_inside(ours.mesh()));
            let find = |snapshot: &Snapshot, engine: &str| {
                let query = Query {
                    engine: engine.parse().expect("an engine"),
                    ..Query::new(from, to)
                };
                let mut path = Path::default();
                let status = snapshot.find_path(&query, &mut Scratch::new(), &mut path);
                (status.expect("the engine"), f64::from(path.cost))
            };
            let expected = find(&theirs, "dijkstra");
            found += usize::from(expected.0 == Status::Found);
            for engine in ["astar", "dijkstra", "contraction:fast"] {
                let answer = find(&ours, engine);
                assert_eq!(answer.0, expected.0, "{engine} from {from} to {to}");
                // Next to obstacles, the cost of the contraction is that over cells.
                let is_exact = engine != "contraction:fast";
                assert!(
                    !is_exact || close(answer.1, expected.1),
                    "{engine}: {answer:?} for {expected:?}"
                );
            }
        }
        assert!(found > 10, "{found} paths");
    }
}
