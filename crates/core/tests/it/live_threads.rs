//! Readers next to a writer: every answer is that of the version that it carries.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use portolan_core::{
    Change, Endpoints, Engine, LiveOptions, LiveWorld, Path, Profile, Snapshot, Status, Tier,
};
use portolan_oracle::{
    Agent, CaseRng, ChangedGround, Oracle, assert_corridor, close, random_changes,
};

use super::live::{assert_same_answers, building, is_exact_between_centres, open_location, search};

/// An answer that a reader got, to be verified when everything is done.
struct Answer {
    is_default: bool,
    engine: Engine,
    endpoints: Endpoints,
    status: Status,
    path: Path,
}

/// Reads until the writer is done. Returns all answers, and how many versions came by.
fn read(live: &LiveWorld, is_done: &AtomicBool, seed: u64) -> (Vec<Answer>, usize) {
    let mut rng = CaseRng::new(seed);
    let (mut answers, mut versions, mut last) = (Vec::new(), 0, 0);
    while !is_done.load(Ordering::Acquire) {
        let snapshot = live.snapshot();
        assert!(snapshot.version() >= last, "versions go back");
        versions += usize::from(snapshot.version() > last);
        last = snapshot.version();
        let is_default = rng.chance(0.5);
        let costs = match is_default {
            true => snapshot.default_costs(),
            false => snapshot.costs(0),
        };
        let ends = [(); 2].map(|()| open_location(&snapshot, costs, &mut rng));
        let [Some(start), Some(goal)] = ends else {
            continue;
        };
        let endpoints = Endpoints { start, goal };
        let mut engines = snapshot.engines();
        engines.retain(is_exact_between_centres);
        engines.extend([Tier::Fast, Tier::Default].map(Engine::Auto));
        let engine = engines[rng.below(engines.len())];
        let (status, path) = search(&snapshot, costs, engine, endpoints);
        assert_eq!(path.version, snapshot.version());
        answers.push(Answer {
            is_default,
            engine,
            endpoints,
            status,
            path,
        });
    }
    (answers, versions)
}

/// Compares answers with an oracle on a mesh that was really changed. `updates` are the batches, each with the version that it
/// made.
fn verify(first: &Snapshot, profile: &Profile, updates: &[(u64, Vec<Change>)], answers: &[Answer]) {
    let profiles = [profile, first.default_costs().profile()];
    let samples = first.graph().options().samples;
    // Settling makes versions, too, but no changes.
    let made = |version| updates.partition_point(|&(made, _)| made <= version);
    let mut by_ground: HashMap<(usize, bool), Vec<&Answer>> = HashMap::new();
    for answer in answers {
        let key = (made(answer.path.version), answer.is_default);
        by_ground.entry(key).or_default().push(answer);
    }
    let mut ground = ChangedGround::new(first.mesh());
    for count in 0..=updates.len() {
        if let Some(last) = count.checked_sub(1) {
            let (_, changes) = &updates[last];
            changes.iter().for_each(|change| ground.apply(change));
        }
        for is_default in [false, true] {
            let Some(answers) = by_ground.get(&(count, is_default)) else {
                continue;
            };
            let (mesh, profile) = ground.mesh_and_profile(profiles[usize::from(is_default)]);
            let oracle = Oracle::new(&mesh, &profile, samples);
            for answer in answers {
                let expected = oracle.cost(answer.endpoints.start, answer.endpoints.goal);
                let engine = answer.engine;
                let is_found = answer.status == Status::Found;
                assert_eq!(
                    is_found,
                    expected < f64::INFINITY,
                    "{engine} after {count} updates"
                );
                if is_found {
                    assert_corridor(&mesh, &profile, &answer.path);
                }
                let is_exact = is_exact_between_centres(&engine) || engine.tier() == Tier::Fast;
                if is_found && is_exact {
                    let cost = answer.path.cost;
                    assert!(
                        close(cost.into(), expected),
                        "{engine}: {cost} for {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_answer_next_to_a_writer_is_that_of_its_version() {
    let profile = Agent {
        factors: [Some(1.0), Some(3.0), None, Some(0.5)],
        ..Agent::walker()
    }
    .profile();
    let options = LiveOptions {
        profiles: vec![profile.clone()],
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(building(), options);
    let first = live.snapshot();
    let mut rng = CaseRng::new(9);
    let is_done = AtomicBool::new(false);
    let (updates, read) = std::thread::scope(|scope| {
        let readers = [10, 11].map(|seed| {
            let (live, is_done) = (&live, &is_done);
            scope.spawn(move || read(live, is_done, seed))
        });
        let mut updates = Vec::new();
        for _ in 0..100 {
            let changes = random_changes(first.mesh(), &mut rng);
            let update = live.update(&changes).expect("valid changes");
            updates.push((update.version, changes));
            std::thread::sleep(Duration::from_millis(2));
        }
        is_done.store(true, Ordering::Release);
        let read = readers.map(|reader| reader.join().expect("the reader does not panic"));
        (updates, read)
    });
    for (answers, versions) in read {
        assert!(versions > 3, "the reader saw {versions} versions");
        verify(&first, &profile, &updates, &answers);
    }
    live.settle();
    assert!(live.is_settled());
    // Every change undone: the answers are those of the first snapshot.
    live.restore(&first).expect("a snapshot of this world");
    live.settle();
    assert_same_answers(&live.snapshot(), &first, &mut rng);
}

#[test]
fn old_versions_are_counted_and_their_memory_is_bounded() {
    let options = LiveOptions {
        background: false,
        ..LiveOptions::default()
    };
    let live = LiveWorld::with_options(building(), options);
    let count = live.snapshot().mesh().polygon_count();
    let mut held = Vec::new();
    let mut most = [0; 2];
    for round in 0..6000 {
        let polygon = portolan_core::PolygonId::new(round / 2 * 7 % count);
        let change = match round % 2 {
            0 => Change::Block(polygon),
            _ => Change::Unblock(polygon),
        };
        live.update(&[change]).expect("a polygon");
        if (100..110).contains(&round) {
            held.push(live.snapshot());
        }
        let half = &mut most[usize::from(round >= 3000)];
        *half = live.bytes().snapshot.max(*half);
        if round == 3000 {
            assert_eq!(live.bytes().versions, 11);
            held.clear();
            assert_eq!(live.bytes().versions, 1);
        }
    }
    // Nothing grows with the number of updates, although the world is never settled.
    assert!(most[1] <= most[0] * 3 / 2, "{most:?}");
    let bytes = live.bytes();
    assert!(most[1] < 10 * bytes.settled, "{most:?} {bytes:?}");
}
