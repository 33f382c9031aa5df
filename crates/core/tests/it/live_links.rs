//! Off-mesh links that are added and removed at run time.

use glam::vec3;
use portolan_core::{
    Change, ChangeError, Engine, LinkId, LiveOptions, LiveWorld, NavMesh, NavMeshOptions,
    PolygonId, RawLink, RawNavMesh, Samples, Snapshot, Switch, World,
};
use portolan_oracle::{
    CaseRng, ChangedGround, agents, densities, plans, random_changes, taut_tiers,
};
use proptest::prelude::*;

use super::live::{check, without_background, world};

/// Draws a link between the centres of two polygons.
fn random_link(mesh: &NavMesh, rng: &mut CaseRng) -> RawLink {
    let polygons = [(); 2].map(|()| rng.polygon(mesh));
    let [start, end] = polygons.map(|polygon| mesh.centre(polygon));
    RawLink {
        start,
        end,
        polygons: polygons.map(|polygon| Some(polygon.0)),
        cost: rng.chance(0.5).then(|| rng.between(0.0, 6.0)),
        both_ways: rng.chance(0.5),
        area: rng.below(4) as u8,
        flags: rng.below(8) as u16,
        ..RawLink::default()
    }
}

/// Draws a batch of changes. `removed` are the links that were removed, and may not be named.
fn random_batch(snapshot: &Snapshot, removed: &mut Vec<LinkId>, rng: &mut CaseRng) -> Vec<Change> {
    let mesh = snapshot.mesh();
    let mut batch: Vec<Change> = match rng.chance(0.5) {
        true => random_changes(mesh, rng),
        false => Vec::new(),
    };
    batch.retain(|change| match change {
        Change::CloseLink(link) | Change::OpenLink(link) => !removed.contains(link),
        _ => true,
    });
    let links = mesh.links().len();
    if links > 0 && rng.chance(0.3) {
        let link = LinkId::new(rng.below(links));
        if !removed.contains(&link) {
            removed.push(link);
            batch.push(Change::RemoveLink(link));
        }
    }
    for _ in 0..rng.below(3) {
        batch.push(Change::AddLink(Box::new(random_link(mesh, rng))));
    }
    batch
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn answers_are_right_as_soon_as_links_are_added_and_removed(
        plan in plans(),
        samples in densities(),
        tier in taut_tiers(),
        [default, other] in [agents(), agents()],
        seed in any::<u64>(),
    ) {
        let live = LiveWorld::with_options(
            world(&plan, samples, tier, &default, seed),
            without_background(vec![other.profile()]),
        );
        let first = live.snapshot();
        let engines = first.engines();
        let mut ground = ChangedGround::new(first.mesh());
        let mut rng = CaseRng::new(seed);
        let mut removed = Vec::new();
        for _ in 0..6 {
            let before = live.snapshot();
            let batch = random_batch(&before, &mut removed, &mut rng);
            let update = live.update(&batch).expect("valid changes");
            let snapshot = live.snapshot();
            // Links have the next ids, in order, and lie where they should.
            let added = batch.iter().filter_map(|change| match change {
                Change::AddLink(raw) => Some(raw),
                _ => None,
            });
            let mut next = before.mesh().links().len();
            prop_assert_eq!(update.first_link.is_some(), added.clone().count() > 0);
            for raw in added {
                let link = *snapshot.mesh().link(LinkId::new(next));
                prop_assert_eq!(link.polygons.map(|polygon| Some(polygon.0)), raw.polygons);
                prop_assert_eq!((link.both_ways, link.area, link.flags), (raw.both_ways, raw.area, raw.flags));
                let [start, wanted] = [link.ends[0], raw.start].map(|point| point.with_y(0.0));
                prop_assert!(start.distance(wanted) < 1e-3);
                ground.add_link(link);
                next += 1;
            }
            prop_assert_eq!(snapshot.mesh().links().len(), next);
            batch.iter().filter(|change| !matches!(change, Change::AddLink(_))).for_each(|change| ground.apply(change));
            check(&snapshot, snapshot.default_costs(), &ground, samples, &mut rng);
            check(&snapshot, snapshot.costs(0), &ground, samples, &mut rng);
            if rng.chance(0.4) {
                live.settle();
                let settled = live.snapshot();
                prop_assert!(settled.is_settled());
                prop_assert_eq!(settled.engines(), engines.clone());
                check(&settled, settled.default_costs(), &ground, samples, &mut rng);
                check(&settled, settled.costs(0), &ground, samples, &mut rng);
            }
        }
    }
}

/// Two rooms with nothing between them.
fn islands() -> World {
    let mut raw = RawNavMesh::default();
    for x in [0.0, 10.0] {
        let first = raw.vertices.len() as u32;
        let corners = [[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]];
        raw.vertices
            .extend(corners.map(|[dx, z]| vec3(x + dx, 0.0, z)));
        raw.polygons.push([first, first + 1, first + 2, first + 3]);
    }
    World::build(raw, &NavMeshOptions::default()).expect("two squares")
}

fn bridge() -> RawLink {
    RawLink {
        start: vec3(3.0, 0.0, 2.0),
        end: vec3(11.0, 0.0, 2.0),
        both_ways: true,
        ..RawLink::default()
    }
}

#[test]
fn a_bridge_joins_two_islands_until_it_is_removed() {
    let live = LiveWorld::with_options(islands(), without_background(Vec::new()));
    let first = live.snapshot();
    let ends = [[1.0, 0.0, 2.0], [13.0, 0.0, 2.0]];
    assert!(first.find(ends[0], ends[1]).is_err());
    let update = live
        .update(&[Change::AddLink(Box::new(bridge()))])
        .expect("a link on the mesh");
    let link = update.first_link.expect("a link");
    assert_eq!(link, LinkId(0));
    for _ in 0..2 {
        let path = live.snapshot().find(ends[0], ends[1]).expect("a bridge");
        assert!((path.length() - 12.0).abs() < 1e-4 && path.links.len() == 1);
        live.settle();
    }
    let with_bridge = live.snapshot();
    live.update(&[Change::RemoveLink(link)]).expect("a link");
    assert!(live.snapshot().find(ends[0], ends[1]).is_err());
    assert!(
        with_bridge.find(ends[0], ends[1]).is_ok(),
        "an old snapshot keeps it"
    );

    // Its id is gone.
    let removed = ChangeError::LinkRemoved { change: 0, link: 0 };
    assert_eq!(
        live.update(&[Change::OpenLink(link)]).unwrap_err(),
        removed.clone()
    );
    assert_eq!(
        live.update(&[Change::RemoveLink(link)]).unwrap_err(),
        removed.clone()
    );
    let switch = Switch {
        links: vec![link],
        ..Switch::default()
    };
    live.define("bridge", switch).expect("a link");
    assert_eq!(
        live.update(&[Change::Open("bridge".into())]).unwrap_err(),
        removed
    );
    let update = live.update(&[Change::AddLink(Box::new(bridge()))]);
    assert_eq!(
        update.expect("a link on the mesh").first_link,
        Some(LinkId(1))
    );
    assert!(live.snapshot().find(ends[0], ends[1]).is_ok());

    // A snapshot with fewer links cannot come back.
    let error = live.restore(&first).unwrap_err();
    assert_eq!(error, ChangeError::LinksAdded { found: 0, count: 2 });
    assert!(live.restore(&with_bridge).is_err());
}

#[test]
fn a_world_goes_back_over_the_making_of_its_index() {
    let scene = portolan_oracle::MeshPlan::Scene(
        portolan_scenes::WorldScene::Rooms,
        portolan_scenes::WorldOptions {
            polygons: 300,
            ..Default::default()
        },
    );
    let samples = Samples::default();
    let tier = (portolan_core::Tier::Default, samples);
    let build = world(&scene, samples, tier, &portolan_oracle::Agent::walker(), 3);
    let live = LiveWorld::with_options(build, without_background(Vec::new()));
    let (mut ground, mut rng) = (ChangedGround::new(live.snapshot().mesh()), CaseRng::new(3));
    let engines = live.snapshot().engines();
    let raw = random_link(live.snapshot().mesh(), &mut rng);
    live.update(&[Change::AddLink(Box::new(raw))])
        .expect("a link");
    let bare = live.snapshot();
    assert_eq!(bare.resolve_engine(Engine::default()), Engine::AStar);
    ground.add_link(*bare.mesh().links().last().expect("a link"));
    live.settle();
    let indexed = live.snapshot();
    let blocked = Change::Block(PolygonId(7));
    for (snapshot, has_index) in [(&bare, false), (&indexed, true), (&bare, false)] {
        live.restore(snapshot)
            .expect("a snapshot with as many links");
        assert_eq!(live.snapshot().engines() == engines, has_index);
        let now = live.snapshot();
        check(&now, now.default_costs(), &ground, samples, &mut rng);
        live.update(std::slice::from_ref(&blocked))
            .expect("a polygon");
        ground.apply(&blocked);
        let now = live.snapshot();
        check(&now, now.default_costs(), &ground, samples, &mut rng);
        ground.apply(&Change::Unblock(PolygonId(7)));
    }
    live.settle();
    assert_eq!(live.snapshot().engines(), engines);
}

#[test]
fn links_that_cannot_be_added_are_errors() {
    let live = LiveWorld::with_options(islands(), without_background(Vec::new()));
    let add = |link: RawLink| live.update(&[Change::AddLink(Box::new(link))]).unwrap_err();
    let far = vec3(7.0, 0.0, 2.0);
    assert_eq!(
        add(RawLink {
            end: far,
            ..bridge()
        })
        .to_string(),
        "change 0: the link cannot be added: its start or end is off the mesh"
    );
    assert_eq!(
        add(RawLink {
            cost: Some(-1.0),
            ..bridge()
        })
        .to_string(),
        "change 0: the link cannot be added: its cost must be between 0 and 4e8"
    );
    for link in [
        RawLink {
            start: vec3(f32::NAN, 0.0, 0.0),
            ..bridge()
        },
        RawLink {
            polygons: [Some(9), None],
            ..bridge()
        },
    ] {
        assert!(matches!(add(link), ChangeError::BadLink { change: 0, .. }));
    }
    assert_eq!(live.snapshot().version(), 0);
    // A link of the same batch can be named.
    let batch = [
        Change::CloseLink(LinkId(0)),
        Change::AddLink(Box::new(bridge())),
    ];
    assert!(live.update(&batch).is_err(), "it does not exist yet");
    let [close, add] = batch;
    live.update(&[add, close]).expect("a link, closed at once");
    assert!(
        live.snapshot()
            .find([1.0, 0.0, 2.0], [13.0, 0.0, 2.0])
            .is_err()
    );
    live.update(&[Change::OpenLink(LinkId(0))]).expect("a link");
    assert!(
        live.snapshot()
            .find([1.0, 0.0, 2.0], [13.0, 0.0, 2.0])
            .is_ok()
    );
}

#[test]
fn the_index_is_made_again_in_the_background() {
    let scene = portolan_oracle::MeshPlan::Scene(
        portolan_scenes::WorldScene::Open,
        portolan_scenes::WorldOptions {
            polygons: 500,
            ..Default::default()
        },
    );
    let samples = Samples::default();
    let tier = (portolan_core::Tier::Default, samples);
    let build = world(&scene, samples, tier, &portolan_oracle::Agent::walker(), 3);
    let live = LiveWorld::with_options(build, LiveOptions::default());
    let mut rng = CaseRng::new(6);
    let engines = live.snapshot().engines();
    for _ in 0..5 {
        let raw = random_link(live.snapshot().mesh(), &mut rng);
        live.update(&[Change::AddLink(Box::new(raw))])
            .expect("a link");
    }
    let start = std::time::Instant::now();
    while !live.is_settled() {
        assert!(start.elapsed().as_secs() < 60, "it takes too long");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert_eq!(live.snapshot().engines(), engines);
    assert_eq!(live.snapshot().mesh().links().len(), 5);
}
