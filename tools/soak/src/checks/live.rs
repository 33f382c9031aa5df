//! Worlds that change: after every update, engines must answer like an oracle on a mesh that was really changed.

use portolan_core::{
    Endpoints, Engine, LiveOptions, LiveWorld, Location, Path, Query, Scratch, Snapshot, Status,
    Tier,
};
use portolan_oracle::{CaseRng, ChangedGround, Oracle, assert_corridor, close, random_changes};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// The number of updates per world.
const UPDATES: usize = 4;

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let options = LiveOptions {
        profiles: vec![case.profile.clone()],
        background: false,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(case.world.clone(), options);
    let mut ground = ChangedGround::new(case.world.mesh());
    for _ in 0..UPDATES {
        let changes = random_changes(case.world.mesh(), rng);
        changes.iter().for_each(|change| ground.apply(change));
        live.update(&changes).expect("valid changes");
        if rng.chance(0.3) {
            live.settle();
        }
        check_snapshot(case, &live.snapshot(), &ground, rng, &mut counts);
    }
    counts
}

fn check_snapshot(
    case: &SoakCase,
    snapshot: &Snapshot,
    ground: &ChangedGround,
    rng: &mut CaseRng,
    counts: &mut AnswerCounts,
) {
    let (mesh, profile) = ground.mesh_and_profile(&case.profile);
    let samples = snapshot.graph().options().samples;
    let oracle = Oracle::new(&mesh, &profile, samples);
    let costs = snapshot.costs(0);
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    for _ in 0..QUERIES {
        let mut location = || {
            let polygon = rng.polygon(&mesh);
            let point = mesh.centre(polygon);
            let is_open = costs.prices().allows(snapshot.mesh(), polygon);
            is_open.then_some(Location { polygon, point })
        };
        let (Some(start), Some(goal)) = (location(), location()) else {
            continue;
        };
        let endpoints = Endpoints { start, goal };
        let expected = oracle.cost(start, goal);
        let mut engines = vec![Engine::AStar, Engine::Contraction(Tier::Fast)];
        engines.extend(Tier::TAUT.map(Engine::Contraction));
        for engine in engines
            .into_iter()
            .filter(|engine| case.is_selected(engine))
        {
            let query = Query {
                engine,
                costs: Some(costs),
                ..Query::new(start.point, goal.point)
            };
            let located = snapshot.located(&query, endpoints);
            let searched = located.expect("the world has this engine");
            let status = searched.search(&mut scratch).waypoints(&mut path);
            let is_found = status == Status::Found;
            assert_eq!(
                is_found,
                expected < f64::INFINITY,
                "{engine}: {status} after a change"
            );
            if is_found {
                assert_corridor(&mesh, &profile, &path);
            }
            if is_found && engine.tier() == Tier::Fast {
                assert!(
                    close(path.cost.into(), expected),
                    "{engine}: the cost after a change is {} instead of {expected}",
                    path.cost
                );
            }
            counts.add(engine);
        }
    }
}
