//! Many agents that ask for a path at once: Detour next to batches of Portolan, on the same threads.
//!
//! Detour's queries cannot be shared between threads, so every thread has a Detour with tiles of its own. Threads take
//! agents in chunks until there are none left, so that no thread waits long for another one.
//!
//! Both libraries get points, which they locate. Everything that outlives a frame is built before: Detour's tiles and
//! nodes, Portolan's index and labels, and the memory of the answers.

mod batch;

#[cfg(test)]
#[path = "agents_test.rs"]
mod tests;

use std::cell::RefCell;
use std::fmt::Write;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use glam::Vec3;
use portolan_core::{DEFAULT_SNAP, Engine, NavMesh, Tier, Want, no_progress};
use portolan_index::{IndexOptions, build};
use portolan_measure::Stopwatch;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::detour::{self, Detour};
use crate::peer::{Peer, PeerAnswer, PeerStatus};
use batch::Batch;

/// The number of measured frames. The time of a frame is the lowest of them.
const FRAMES: usize = 3;
/// The number of agents that a thread with Detour takes at a time.
const CHUNK: usize = 16;
/// How much of a path the agents ask Portolan for, and by which engine.
const BATCHES: [(Want, Engine); 4] = [
    (Want::Waypoints, Engine::Auto(Tier::Default)),
    (Want::Waypoints, Engine::Contraction(Tier::Fast)),
    (Want::Next, Engine::Labels),
    (Want::Portal, Engine::Labels),
];

thread_local! {
    /// The Detour of a thread of the pool.
    static DETOUR: RefCell<Option<Detour>> = const { RefCell::new(None) };
}

/// The reason why nothing was measured.
#[derive(Debug)]
pub(crate) enum Problem {
    /// Detour does not support the navmesh.
    NoDetour(String),
    /// Portolan cannot answer a batch.
    NoBatch(String),
}

/// The figures of one map.
#[derive(Debug)]
pub(crate) struct AgentFigures {
    agents: usize,
    threads: usize,
    /// Detour, then the batches.
    rows: Vec<AgentRow>,
    pub(crate) faults: Vec<String>,
}

#[derive(Debug)]
struct AgentRow {
    name: String,
    /// The time to answer all agents. [Units: ms]
    frame_ms: f64,
    found: usize,
    /// The total length of the paths divided by that of Detour's paths, if there are waypoints.
    length_ratio: Option<f64>,
}

/// What is compared of the answer to an agent.
#[derive(Clone, Copy, Debug)]
struct AgentAnswer {
    is_found: bool,
    /// The length of the waypoints in the (x, z) plane; `None` without waypoints. [Units: m]
    length: Option<f64>,
}

impl AgentAnswer {
    const NONE: Self = Self {
        is_found: false,
        length: None,
    };
}

/// Measures Detour and Portolan with one agent per query.
pub(crate) fn measure(
    mesh: &NavMesh,
    queries: &[[Vec3; 2]],
    threads: usize,
) -> Result<AgentFigures, Problem> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Problem::NoBatch(error.to_string()))?;
    build_detours(&pool, mesh).map_err(Problem::NoDetour)?;
    let world = build(mesh.clone(), &IndexOptions::default(), &no_progress)
        .map_err(|error| Problem::NoBatch(error.to_string()))?;
    let mut batches = BATCHES.map(|(want, engine)| Batch::new(want, engine));

    // 1. A frame that is not measured. It fills the caches, computes the labels and keeps Detour's answers.
    let detours = detour_answers(&pool, queries);
    for batch in &mut batches {
        let frame = batch.frame(&world, &pool, queries);
        frame.map_err(|error| Problem::NoBatch(format!("{}: {error}", batch.name())))?;
    }

    // 2. The measured frames. Contenders alternate, so that a disturbance does not hit only one of them.
    let mut best_ms = [f64::INFINITY; 1 + BATCHES.len()];
    for _ in 0..FRAMES {
        let mut watch = Stopwatch::start();
        detour_frame(&pool, queries, |_, answer| {
            black_box(answer);
        });
        best_ms[0] = best_ms[0].min(watch.lap_ms());
        for (batch, best_ms) in batches.iter_mut().zip(&mut best_ms[1..]) {
            let mut watch = Stopwatch::start();
            let frame = batch.frame(&world, &pool, queries);
            *best_ms = best_ms.min(watch.lap_ms());
            frame.expect("a batch that was answered before");
        }
    }

    // 3. The checks of the last frame.
    let mut rows = vec![AgentRow::new(
        detour::WITH_ALL_NODES.to_owned(),
        best_ms[0],
        &detours,
        &detours,
    )];
    let mut faults = Vec::new();
    for (batch, &frame_ms) in batches.iter().zip(&best_ms[1..]) {
        let answers = batch.compared();
        rows.push(AgentRow::new(batch.name(), frame_ms, &answers, &detours));
        faults.extend(batch.faults(&world, queries, &detours));
    }
    Ok(AgentFigures {
        agents: queries.len(),
        threads,
        rows,
        faults,
    })
}

/// Builds a Detour in every thread of the pool.
fn build_detours(pool: &ThreadPool, mesh: &NavMesh) -> Result<(), String> {
    let built = pool.broadcast(|_| {
        DETOUR.set(Some(Detour::with_all_nodes(mesh, DEFAULT_SNAP)?));
        Ok(())
    });
    built.into_iter().collect()
}

/// Answers all queries with the Detours of the pool. Calls `visit` with the index of each query and its answer.
fn detour_frame(
    pool: &ThreadPool,
    queries: &[[Vec3; 2]],
    visit: impl Fn(usize, &PeerAnswer) + Sync,
) {
    let chunks: Vec<_> = queries.chunks(CHUNK).collect();
    let next = AtomicUsize::new(0);
    pool.broadcast(|_| {
        DETOUR.with_borrow_mut(|detour| {
            let detour = detour.as_mut().expect("a Detour in every thread");
            let mut answer = PeerAnswer::default();
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                let Some(queries) = chunks.get(chunk) else {
                    return;
                };
                for (i, &[from, to]) in queries.iter().enumerate() {
                    detour.query(from, to, &mut answer);
                    visit(chunk * CHUNK + i, &answer);
                }
            }
        });
    });
}

fn detour_answers(pool: &ThreadPool, queries: &[[Vec3; 2]]) -> Vec<AgentAnswer> {
    let answers = Mutex::new(vec![AgentAnswer::NONE; queries.len()]);
    detour_frame(pool, queries, |i, answer| {
        let is_found = answer.status == PeerStatus::Found;
        let length = is_found.then(|| answer.length_xz());
        let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers[i] = AgentAnswer { is_found, length };
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn found(answers: &[AgentAnswer]) -> usize {
    answers.iter().filter(|answer| answer.is_found).count()
}

/// Returns the total length of `answers` divided by that of `detours`, over the agents for which both are known.
fn length_ratio(answers: &[AgentAnswer], detours: &[AgentAnswer]) -> Option<f64> {
    let pairs = answers.iter().zip(detours);
    let lengths = pairs.filter_map(|(ours, theirs)| Some((ours.length?, theirs.length?)));
    let (ours, theirs) = lengths.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (theirs > 0.0).then(|| ours / theirs)
}

impl AgentRow {
    fn new(name: String, frame_ms: f64, answers: &[AgentAnswer], detours: &[AgentAnswer]) -> Self {
        Self {
            name,
            frame_ms,
            found: found(answers),
            length_ratio: length_ratio(answers, detours),
        }
    }
}

impl AgentFigures {
    /// Returns the table of a map, followed by the faults.
    pub(crate) fn table(&self, map: &str) -> String {
        let mut text = format!(
            "\n{map}: {} agents at once on {} threads, best of {FRAMES} frames\n\
             {:<30} {:>9} {:>12} {:>9} {:>8} {:>8}\n",
            self.agents,
            self.threads,
            "what",
            "frame ms",
            "agents/s",
            "x Detour",
            "found",
            "length"
        );
        for row in &self.rows {
            let per_second = self.agents as f64 / row.frame_ms * 1e3;
            let times = self.rows[0].frame_ms / row.frame_ms;
            let length = row.length_ratio;
            let length = length.map_or("-".to_owned(), |ratio| format!("{ratio:.4}"));
            let _ = writeln!(
                text,
                "{:<30} {:>9.2} {per_second:>12.0} {times:>9.1} {:>8} {length:>8}",
                row.name, row.frame_ms, row.found
            );
        }
        for fault in &self.faults {
            let _ = writeln!(text, "FAULT: {fault}");
        }
        text
    }
}
