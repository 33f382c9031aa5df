//! Settling: everything is computed as if the world had been built with its present ground.
//!
//! The work is done on a snapshot, without the writer. Updates that come in between are repaired at the end.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Shared;
use super::ground::Touched;
use super::writer::{live_profiles, set_metrics};
use crate::world::Costs;

/// How often changes that came in the meantime are repaired before the writer has to wait for the rest.
const MAX_ROUNDS: usize = 8;

/// Settles the world once, with all threads of the current pool.
pub(super) fn settle(shared: &Shared) {
    let (snapshot, indexed) = {
        let mut writer = shared.writer();
        let snapshot = shared.current.load_full();
        if snapshot.is_settled {
            return;
        }
        writer.since_settled = Default::default();
        (snapshot, writer.indexed.clone())
    };
    // Links were added: the index is made again, once there are no obstacles. It can only fail if the links make it too large.
    // The world then stays without an index.
    let world = indexed.filter(|_| !snapshot.world.mesh().has_obstacles());
    let world = world.and_then(|indexed| snapshot.world.indexed_like(&indexed).ok());
    let world = world.as_ref().unwrap_or(&snapshot.world);
    let mut profiles = live_profiles(world, &snapshot.costs);
    let changed = profiles.iter().map(super::writer::LiveProfile::costs);
    let (world, costs) = world.with_changed_costs(world.mesh().clone(), world.version(), changed);
    let complete = |costs| match world.mesh().has_obstacles() {
        // What these engines compute in advance does not know of obstacles.
        true => costs,
        false => world.completed(costs),
    };
    let costs: Vec<Costs> = costs.into_iter().map(complete).collect();
    set_metrics(&mut profiles, &world, &costs);
    let world = world.with_default_costs(costs[0].clone());
    // Many changes may have come in the meantime. Updates wait only while the last of them are repaired.
    let mut repaired = Touched::default();
    for _ in 0..MAX_ROUNDS {
        let changed = shared.writer().changed_meanwhile(&world, &shared.current);
        let Some((touched, present)) = changed else {
            break;
        };
        for profile in &mut profiles {
            profile.repair(&present.world, present.world.mesh(), &touched);
        }
        repaired.extend(&touched);
    }
    let mut writer = shared.writer();
    // Polygons may have been replaced in the meantime. That world has costs of its own.
    let before = shared.current.load_full();
    if before.mesh().topology() == snapshot.mesh().topology() {
        profiles = writer.publish_settled(profiles, &repaired, (world, costs), &shared.current);
    }
    drop(writer);
    // It takes milliseconds to free what is not needed any more, and no update has to wait for that.
    drop((before, profiles));
}

/// Starts a thread that settles the world until nothing is left to do. It uses one core.
pub(super) fn spawn(shared: &Arc<Shared>) {
    let shared = Arc::clone(shared);
    let work = move || {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        loop {
            let is_closed = || shared.is_closed.load(Ordering::Acquire);
            while !shared.current.load().is_settled() && !is_closed() {
                match &one_thread {
                    Ok(pool) => pool.install(|| settle(&shared)),
                    Err(_) => settle(&shared),
                }
            }
            shared.is_settling.store(false, Ordering::Release);
            // An update may have come after the last look, and have seen that a thread was at work.
            let is_done = shared.current.load().is_settled() || is_closed();
            if is_done || shared.is_settling.swap(true, Ordering::AcqRel) {
                return;
            }
        }
    };
    // Without a thread the world stays as it is: right, but not settled.
    let _ = std::thread::Builder::new()
        .name("portolan-settle".into())
        .spawn(work);
}
