//! Worlds that change: after every update, all engines answer for the changed ground.

use portolan_core::{
    Agents, Change, ChangeError, Costs, Endpoints, Engine, Follow, FrameBudget, GraphOptions,
    LiveOptions, LiveWorld, Location, NodeId, PolygonId, Profile, Query, Samples, Scratch,
    Snapshot, Status, Switch, Tier, World,
};
use portolan_core::{LinkId, Path};
use portolan_oracle::{
    Agent, CaseRng, ChangedGround, LevelsOptions, MeshPlan, Oracle, agents, assert_corridor, close,
    densities, plans, random_changes, random_order, random_partition, taut_tiers, with_levels,
    with_tier,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// Returns whether the costs of an engine between centres of polygons are those of the portal graph.
pub(super) fn is_exact_between_centres(engine: &Engine) -> bool {
    engine.is_exact() || matches!(engine, Engine::Pccp { .. })
}

fn engine(name: &str) -> Engine {
    name.parse().expect("an engine")
}

pub(super) fn search(
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

/// Returns a location inside a random open polygon.
pub(super) fn open_location(
    snapshot: &Snapshot,
    costs: &Costs,
    rng: &mut CaseRng,
) -> Option<Location> {
    let mesh = snapshot.mesh();
    (0..20).find_map(|_| {
        let polygon = rng.polygon(mesh);
        let point = mesh.centre(polygon);
        let is_open = costs.prices().allows(mesh, polygon);
        is_open.then_some(Location { polygon, point })
    })
}

/// Compares the engines of a snapshot with an oracle on a mesh that was really changed.
pub(super) fn check(
    snapshot: &Snapshot,
    costs: &Costs,
    ground: &ChangedGround,
    samples: Samples,
    rng: &mut CaseRng,
) {
    let (mesh, profile) = ground.mesh_and_profile(costs.profile());
    let oracle = Oracle::new(&mesh, &profile, samples);
    for _ in 0..4 {
        let ends = [(); 2].map(|()| open_location(snapshot, costs, rng));
        let [Some(start), Some(goal)] = ends else {
            continue;
        };
        let endpoints = Endpoints { start, goal };
        let expected = oracle.cost(start, goal);
        let mut engines = snapshot.engines();
        engines.retain(is_exact_between_centres);
        for engine in engines {
            let (status, path) = search(snapshot, costs, engine, endpoints);
            assert_eq!(path.version, snapshot.version());
            match status {
                Status::Found => {
                    assert!(
                        close(path.cost.into(), expected),
                        "{engine}: {} for {expected}",
                        path.cost
                    );
                    assert_corridor(&mesh, &profile, &path);
                    assert!(path.is_current(snapshot));
                }
                _ => assert_eq!(
                    (status, expected),
                    (Status::NoPath, f64::INFINITY),
                    "{engine}"
                ),
            }
        }
        for tier in Tier::TAUT
            .into_iter()
            .filter(|&tier| snapshot.has_tier(tier))
        {
            let (status, path) = search(snapshot, costs, Engine::Auto(tier), endpoints);
            assert_eq!(
                status == Status::Found,
                expected < f64::INFINITY,
                "{tier:?}"
            );
            if status == Status::Found {
                assert_corridor(&mesh, &profile, &path);
            }
        }
    }
}

/// Checks that the intra-edges of a snapshot are those of a hierarchy that is built from scratch, bit by bit.
fn check_hierarchy(snapshot: &Snapshot, costs: &Costs) {
    let world = snapshot.world();
    let (hierarchy, metric) = world.hierarchy().zip(costs.metric()).expect("a hierarchy");
    let scratch = world.costs(costs.profile());
    let expected = scratch.metric().expect("costs of the hierarchy");
    assert!(!expected.is_changed());
    for level in hierarchy.partition().levels() {
        for node in (0..hierarchy.partition().node_count(level)).map(NodeId::new) {
            let count = hierarchy.level(level).inter_edges_of(node).len();
            for pair in (0..count).flat_map(|i| (0..count).map(move |j| [i, j])) {
                let [found, expected] =
                    [metric, expected].map(|m| m.intra_edge(hierarchy, level, node, pair));
                assert_eq!(
                    found, expected,
                    "{pair:?} of node {node:?} at level {level}"
                );
            }
        }
    }
}

/// Builds a world with every engine that can be repaired.
pub(super) fn world(
    plan: &MeshPlan,
    samples: Samples,
    tier: (Tier, Samples),
    agent: &Agent,
    seed: u64,
) -> World {
    let mesh = plan.mesh();
    let partition = random_partition(&mesh, 4, seed);
    let options = LevelsOptions {
        graph: GraphOptions {
            samples,
            ..GraphOptions::default()
        },
        profile: agent.profile(),
        ..LevelsOptions::default()
    };
    let mut rng = CaseRng::new(seed);
    let world = with_levels(mesh, partition, &options);
    let order = random_order(&mut rng, world.graph().sample_count());
    let world = world.with_contraction(order).expect("an order");
    with_tier(world, tier.0, tier.1, &mut rng)
}

pub(super) fn without_background(profiles: Vec<Profile>) -> LiveOptions {
    LiveOptions {
        profiles,
        background: false,
        ..LiveOptions::default()
    }
}

#[test]
fn a_change_without_effect_leaves_everything_ready() {
    let options = WorldOptions {
        polygons: 100,
        ..WorldOptions::default()
    };
    let mesh = portolan_core::NavMesh::build(
        WorldScene::Rooms.build(&options),
        &portolan_core::NavMeshOptions::default(),
    )
    .expect("a mesh");
    let partition = random_partition(&mesh, 4, 1);
    let world = with_levels(mesh, partition, &LevelsOptions::default());
    let live = LiveWorld::with_options(world, without_background(Vec::new()));
    assert!(live.snapshot().default_costs().metric().is_some());
    for change in [
        Change::Unblock(PolygonId(3)),
        Change::Factor(PolygonId(4), 1.0),
    ] {
        let update = live.update(&[change]).expect("a polygon of this world");
        let snapshot = live.snapshot();
        assert_eq!((update.polygons, snapshot.version()), (0, update.version));
        assert!(snapshot.is_settled());
        assert!(snapshot.default_costs().metric().is_some());
        assert!(snapshot.check_engine(engine("hna")).is_ok());
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(600))]

    #[test]
    fn after_every_update_engines_answer_for_the_changed_ground(
        plan in plans(),
        samples in densities(),
        tier in taut_tiers(),
        [default, other] in [agents(), agents()],
        seed in any::<u64>(),
    ) {
        let make = || {
            let world = world(&plan, samples, tier, &default, seed);
            LiveWorld::with_options(world, without_background(vec![other.profile()]))
        };
        let live = make();
        let mut ground = ChangedGround::new(live.snapshot().mesh());
        let mut all_changes = Vec::new();
        let mut rng = CaseRng::new(seed);
        let mut snapshots = vec![live.snapshot()];
        for batch in 0..6 {
            let changes = random_changes(snapshots[0].mesh(), &mut rng);
            changes.iter().for_each(|change| ground.apply(change));
            live.update(&changes).expect("valid changes");
            all_changes.extend(changes);
            if batch == 3 {
                live.settle();
                let snapshot = live.snapshot();
                prop_assert!(snapshot.is_settled());
                let at_once = make();
                at_once.update(&all_changes).expect("valid changes");
                at_once.settle();
                check_settled([&snapshot, &at_once.snapshot()], tier.0, &mut rng);
            }
            let snapshot = live.snapshot();
            prop_assert!(snapshot.version() > snapshots[batch].version());
            prop_assert!(snapshot.engines().contains(&engine("pccp")));
            check(&snapshot, snapshot.default_costs(), &ground, samples, &mut rng);
            check(&snapshot, snapshot.costs(0), &ground, samples, &mut rng);
            if batch % 2 == 0 {
                check_hierarchy(&snapshot, snapshot.default_costs());
                check_hierarchy(&snapshot, snapshot.costs(0));
            }
            snapshots.push(snapshot);
        }
    }

    #[test]
    fn going_back_gives_the_same_answers(
        plan in plans(),
        samples in densities(),
        tier in taut_tiers(),
        agent in agents(),
        seed in any::<u64>(),
    ) {
        let make = || {
            let world = world(&plan, samples, tier, &agent, seed);
            LiveWorld::with_options(world, without_background(Vec::new()))
        };
        let (live, replayed) = (make(), make());
        let mut rng = CaseRng::new(seed);
        let batches: Vec<Vec<Change>> = {
            let snapshot = live.snapshot();
            (0..5).map(|_| random_changes(snapshot.mesh(), &mut rng)).collect()
        };
        let mut snapshots = vec![live.snapshot()];
        for batch in &batches {
            live.update(batch).expect("valid changes");
            snapshots.push(live.snapshot());
        }
        let to = rng.below(snapshots.len());
        live.restore(&snapshots[to]).expect("a snapshot of this world");
        for batch in &batches[..to] {
            replayed.update(batch).expect("valid changes");
        }
        assert_same_answers(&live.snapshot(), &snapshots[to], &mut rng);
        assert_same_answers(&live.snapshot(), &replayed.snapshot(), &mut rng);
        // The ground goes on from where it was.
        for batch in &batches[to..] {
            live.update(batch).expect("valid changes");
            replayed.update(batch).expect("valid changes");
        }
        assert_same_costs(&live.snapshot(), &replayed.snapshot(), &mut rng);
        live.settle();
        replayed.settle();
        assert_same_answers(&live.snapshot(), &replayed.snapshot(), &mut rng);
    }
}

/// Checks that settled worlds with the same ground give the same answers, bit by bit, by all engines and for both profiles.
fn check_settled(snapshots: [&Snapshot; 2], tier: Tier, rng: &mut CaseRng) {
    let costs_of = |snapshot: &Snapshot, is_default| match is_default {
        true => snapshot.default_costs().clone(),
        false => snapshot.costs(0).clone(),
    };
    for is_default in [true, false] {
        let costs = snapshots.map(|snapshot| costs_of(snapshot, is_default));
        for _ in 0..4 {
            let ends = [(); 2].map(|()| open_location(snapshots[0], &costs[0], rng));
            let [Some(start), Some(goal)] = ends else {
                continue;
            };
            let endpoints = Endpoints { start, goal };
            let engines = [
                Engine::Auto(tier),
                Engine::Auto(Tier::Fast),
                engine("hna"),
                engine("pccp"),
            ];
            for engine in engines {
                let [a, b] = [0, 1].map(|i| search(snapshots[i], &costs[i], engine, endpoints));
                assert_eq!(a, b, "{engine}");
            }
        }
    }
}

/// Checks that two snapshots give the same answers, bit by bit.
pub(super) fn assert_same_answers(a: &Snapshot, b: &Snapshot, rng: &mut CaseRng) {
    let tiers = Tier::TAUT.into_iter().filter(|&tier| a.has_tier(tier));
    let mut engines: Vec<Engine> = tiers.map(Engine::Auto).collect();
    engines.extend(["astar", "contraction:fast"].map(engine));
    compare_answers([a, b], &engines, rng, |engine, [a, b]| {
        assert_eq!(a, b, "{engine}")
    });
}

/// Checks that two snapshots give the same costs, up to rounding.
fn assert_same_costs(a: &Snapshot, b: &Snapshot, rng: &mut CaseRng) {
    let engines = ["astar", "contraction:fast"].map(engine);
    compare_answers([a, b], &engines, rng, |engine, [a, b]| {
        assert_eq!(a.0, b.0, "{engine}");
        assert!(close(a.1.cost.into(), b.1.cost.into()), "{engine}");
    });
}

fn compare_answers(
    snapshots: [&Snapshot; 2],
    engines: &[Engine],
    rng: &mut CaseRng,
    compare: impl Fn(Engine, [(Status, Path); 2]),
) {
    let costs = snapshots[0].default_costs();
    for _ in 0..6 {
        let ends = [(); 2].map(|()| open_location(snapshots[0], costs, rng));
        let [Some(start), Some(goal)] = ends else {
            continue;
        };
        let endpoints = Endpoints { start, goal };
        for &engine in engines {
            let answers = snapshots
                .map(|snapshot| search(snapshot, snapshot.default_costs(), engine, endpoints));
            compare(engine, answers);
        }
    }
}

/// A building with doors, links and several areas, with the fast and the default tier.
pub(super) fn building() -> World {
    let options = WorldOptions {
        polygons: 400,
        links: true,
        ..WorldOptions::default()
    };
    let plan = MeshPlan::Scene(WorldScene::Rooms, options);
    let samples = Samples::ByLength { percentile: 90 };
    world(
        &plan,
        Samples::default(),
        (Tier::Default, samples),
        &Agent::walker(),
        5,
    )
}

#[test]
fn doors_have_names_and_paths_know_what_lies_ahead() {
    let live = LiveWorld::with_options(building(), without_background(Vec::new()));
    let before = live.snapshot();
    let mut rng = CaseRng::new(3);
    let path = (0..100).find_map(|_| {
        let [a, b] = [(); 2].map(|()| rng.point_inside(before.mesh()));
        before
            .find(a, b)
            .ok()
            .filter(|path| path.corridor.polygons.len() > 8)
    });
    let path = path.expect("a long path");
    let door = path.corridor.polygons[4];
    let switch = Switch {
        polygons: vec![door],
        ..Switch::default()
    };
    live.define("door 7", switch).expect("an existing polygon");

    let update = live
        .update(&[Change::Close("door 7".into())])
        .expect("a switch");
    assert_eq!(update.polygons, 1);
    let closed = live.snapshot();
    assert!(!closed.default_costs().prices().allows(closed.mesh(), door));
    assert!(!path.is_current(&closed));
    assert!(
        path.is_current_from(&closed, 5),
        "what lies behind does not matter"
    );
    assert!(path.is_current(&before));

    live.update(&[Change::Open("door 7".into())])
        .expect("a switch");
    live.settle();
    let opened = live.snapshot();
    assert!(
        !path.is_current(&opened),
        "it changed, although it is as before"
    );
    assert_same_answers(&opened, &before, &mut rng);

    // A change that changes nothing touches nothing.
    let update = live
        .update(&[Change::Open("door 7".into())])
        .expect("a switch");
    assert_eq!((update.polygons, update.work.arcs), (0, 0));
    assert!(live.is_settled());
}

#[test]
fn a_batch_with_an_invalid_change_changes_nothing() {
    let live = LiveWorld::with_options(building(), without_background(Vec::new()));
    let version = live.snapshot().version();
    let count = live.snapshot().mesh().polygon_count();
    let block = Change::Block(PolygonId(0));
    let error = |last: Change| live.update(&[block.clone(), last]).unwrap_err();
    assert_eq!(
        error(Change::Block(PolygonId(1 << 29))).to_string(),
        format!(
            "change 1 names polygon {}, and the mesh has {count} polygons",
            1 << 29
        )
    );
    assert!(matches!(
        error(Change::CloseLink(LinkId(9999))),
        ChangeError::Link { .. }
    ));
    for factor in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = error(Change::Factor(PolygonId(0), factor));
        assert!(matches!(error, ChangeError::Factor { change: 1, .. }));
    }
    assert_eq!(
        error(Change::Close("gate".into())).to_string(),
        "change 1: there is no switch 'gate': define it with `LiveWorld::define`"
    );
    let missing = Switch {
        polygons: vec![PolygonId(1 << 29)],
        ..Switch::default()
    };
    assert!(live.define("gate", missing).is_err());
    let snapshot = live.snapshot();
    assert_eq!(snapshot.version(), version);
    assert!(
        snapshot
            .default_costs()
            .prices()
            .allows(snapshot.mesh(), PolygonId(0))
    );

    let other = LiveWorld::with_options(building(), without_background(Vec::new()));
    let error = live.restore(&other.snapshot()).unwrap_err();
    assert_eq!(error, ChangeError::OtherWorld);
}

#[test]
fn agents_turn_when_doors_close_and_arrive_when_they_open() {
    let live = LiveWorld::with_options(building(), without_background(Vec::new()));
    let first = live.snapshot();
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
    let (mut turned, mut closed) = (0, Vec::new());
    for frame in 0..4000 {
        let snapshot = live.snapshot();
        agents
            .find_paths(&snapshot, &query, FrameBudget::Queries(10))
            .expect("`auto` runs on every world");
        let positions: Vec<_> = walkers
            .iter()
            .map(|&(id, _)| {
                // An agent that has left a link is at its end.
                let location = agents.follower(id).location();
                let here = location.map_or(agents.position(id), |location| location.point);
                let corner = agents
                    .follower(id)
                    .corners(&snapshot.probe(), 1)
                    .first()
                    .copied();
                let step = corner.map_or(glam::Vec3::ZERO, |corner| corner.point - here);
                here + step.clamp_length_max(0.25)
            })
            .collect();
        agents.advance(&snapshot.probe(), &positions);
        let mut is_waiting = false;
        for &(id, goal) in &walkers {
            let location = agents.follower(id).location();
            if let Some(location) = location {
                let is_open = snapshot
                    .default_costs()
                    .prices()
                    .allows(snapshot.mesh(), location.polygon);
                assert!(is_open, "an agent stands on closed ground in frame {frame}");
            }
            match agents.state(id) {
                Follow::Arrived => continue,
                Follow::Link(_) => agents.follower(id).leave_link(snapshot.mesh()),
                // There was no path while a door was closed: ask again.
                Follow::NoPath if !agents.is_waiting(id) => agents.set_goal(id, goal),
                _ => (),
            }
            is_waiting = true;
        }
        if !is_waiting {
            assert!(turned > 0, "no door was in the way of an agent");
            return;
        }
        // Doors close in front of agents for a while.
        if frame % 40 == 10 && frame < 400 {
            let occupied: Vec<PolygonId> = walkers
                .iter()
                .filter_map(|&(id, _)| Some(agents.follower(id).location()?.polygon))
                .collect();
            for &(id, _) in walkers.iter().take(10) {
                let follower = agents.follower(id);
                let ahead = follower.polygons().nth(3);
                closed.extend(ahead.filter(|polygon| !occupied.contains(polygon)));
            }
            turned += closed.len();
            let changes: Vec<_> = closed.iter().map(|&door| Change::Block(door)).collect();
            live.update(&changes).expect("valid changes");
        }
        if frame % 40 == 30 {
            let changes: Vec<_> = closed.drain(..).map(Change::Unblock).collect();
            live.update(&changes).expect("valid changes");
        }
    }
    panic!("agents have not arrived");
}
