//! One A* search per inter-edge of the start's node and of the goal's node: the published connect step, on one
//! thread or on all threads of the pool.
//!
//! The searches of both nodes are one list of jobs. Each worker takes the next job of the list until none is left, so
//! a thread that starts late or gets long searches takes fewer of them. A search does not depend on other searches,
//! and its result is stored by its number: the answer is the same on any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::connect::NodeConnection;
use super::local::NodeSearch;
use crate::graph::DirectedSample;
use crate::ids::SampleId;
use crate::search::{Heap, SearchLabels};

/// The least work for which other threads are woken: searches times [`NodeSearch::work_per_search`]. Two threads that sleep
/// connected sooner than one from a work of 1500 to 2000 on, and threads that had just worked from about 1000 on, in a single
/// measurement that no command repeats. `docs/performance.md` says from which world size on two threads pay.
const MIN_PARALLEL_WORK: usize = 2000;

/// The workers that connect start and goal. There is one per thread of the largest pool so far.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Workers(Vec<Worker>);

/// The buffers and results of one thread.
#[derive(Clone, Debug, Default)]
struct Worker {
    labels: SearchLabels,
    heap: Heap,
    path: Vec<DirectedSample>,
    /// The vertices of all paths that this worker found, each from the start or goal to the inter-edge.
    paths: Vec<DirectedSample>,
    finished: Vec<FinishedJob>,
}

/// The result of one search.
#[derive(Clone, Copy, Debug)]
struct FinishedJob {
    number: u32,
    cost: f32,
    path: StoredPath,
}

/// The location of a path: a range of [`Worker::paths`]. The range is empty if there is no path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StoredPath {
    worker: u32,
    start: u32,
    end: u32,
}

/// The searches from the start, followed by those from the goal.
struct Jobs<'a> {
    from_start: &'a NodeSearch<'a>,
    to_goal: &'a NodeSearch<'a>,
    next: AtomicUsize,
}

impl Workers {
    /// Connects start and goal on the calling thread.
    pub(super) fn connect(&mut self, ends: [(&NodeSearch<'_>, &mut NodeConnection); 2]) {
        self.connect_with(1, ends);
    }

    /// Connects start and goal on the threads of the current pool, or on the calling thread if there is too little
    /// work for more.
    pub(super) fn connect_in_parallel(
        &mut self,
        ends: [(&NodeSearch<'_>, &mut NodeConnection); 2],
    ) {
        let work = |local: &NodeSearch<'_>| local.inter_edge_count() * local.work_per_search();
        let total: usize = ends.iter().map(|(local, _)| work(local)).sum();
        let threads = if total < MIN_PARALLEL_WORK {
            1
        } else {
            rayon::current_num_threads()
        };
        self.connect_with(threads, ends);
    }

    /// Returns the vertices of a path, from the start or goal to the inter-edge.
    pub(super) fn path(&self, path: StoredPath) -> &[DirectedSample] {
        &self.0[path.worker as usize].paths[path.start as usize..path.end as usize]
    }

    fn connect_with(&mut self, threads: usize, ends: [(&NodeSearch<'_>, &mut NodeConnection); 2]) {
        let [(from_start, start), (to_goal, goal)] = ends;
        let jobs = Jobs {
            from_start,
            to_goal,
            next: AtomicUsize::new(0),
        };
        if self.0.len() < threads {
            self.0.resize(threads, Worker::default());
        }
        let workers = &mut self.0[..threads];
        let run = |(number, worker): (usize, &mut Worker)| worker.run(number as u32, &jobs);
        match &mut *workers {
            [only] => run((0, only)),
            workers => {
                let each = workers.par_iter_mut().with_max_len(1).enumerate();
                each.for_each(run);
                level_capacities(workers);
            }
        }
        let start_count = from_start.inter_edge_count();
        start.expect_paths(start_count);
        goal.expect_paths(to_goal.inter_edge_count());
        for job in workers.iter().flat_map(|worker| &worker.finished) {
            match (job.number as usize).checked_sub(start_count) {
                None => start.store_path(job.number as usize, job.cost, job.path),
                Some(index) => goal.store_path(index, job.cost, job.path),
            }
        }
    }
}

/// Gives all workers the capacity that any of them can need for the same jobs. Which worker takes which job differs from
/// run to run, and a query that was answered before must not allocate.
fn level_capacities(workers: &mut [Worker]) {
    let sum = |count: fn(&Worker) -> usize| workers.iter().map(count).sum::<usize>();
    let max = |size: fn(&Worker) -> usize| workers.iter().map(size).max().unwrap_or(0);
    let finished = sum(|worker| worker.finished.len());
    let paths = sum(|worker| worker.paths.len());
    let path = max(|worker| worker.path.capacity());
    let heap = max(|worker| worker.heap.capacity());
    for worker in workers {
        reserve(&mut worker.finished, finished);
        reserve(&mut worker.paths, paths);
        reserve(&mut worker.path, path);
        worker.heap.reserve(heap);
    }
}

/// Makes room for `count` elements in all.
fn reserve<T>(elements: &mut Vec<T>, count: usize) {
    elements.reserve(count.saturating_sub(elements.len()));
}

impl Worker {
    /// Runs jobs until none is left. `number` is the index of this worker.
    fn run(&mut self, number: u32, jobs: &Jobs<'_>) {
        self.paths.clear();
        self.finished.clear();
        // A worker that comes too late for a job grows its labels, too: it may run jobs of the same query next time.
        self.labels
            .reset(jobs.from_start.search.graph.sample_count());
        while let Some((job, local, vertex)) = jobs.take() {
            local.astar(vertex, &mut self.labels, &mut self.heap);
            let cost = self.labels.cost(vertex);
            let start = self.paths.len() as u32;
            if cost < f32::INFINITY {
                self.labels.trail(Some(vertex), &mut self.path);
                self.paths.extend_from_slice(&self.path);
            }
            self.finished.push(FinishedJob {
                number: job,
                cost,
                path: StoredPath {
                    worker: number,
                    start,
                    end: self.paths.len() as u32,
                },
            });
        }
    }
}

impl<'a> Jobs<'a> {
    /// Returns the number of the next job, its search and its inter-edge.
    fn take(&self) -> Option<(u32, &'a NodeSearch<'a>, SampleId)> {
        // No memory is shared through the counter, so the weakest order is enough.
        let job = self.next.fetch_add(1, Ordering::Relaxed);
        let start_count = self.from_start.inter_edge_count();
        let (local, index) = match job.checked_sub(start_count) {
            None => (self.from_start, job),
            Some(index) if index < self.to_goal.inter_edge_count() => (self.to_goal, index),
            Some(_) => return None,
        };
        Some((job as u32, local, local.inter_edge(index)))
    }
}
