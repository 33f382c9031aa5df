//! Batches whose paths are searched on the device.

use std::ops::Range;
use std::time::{Duration, Instant};

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, FoundPath};
use portolan_core::{Endpoints, Level, NodeId, Query, Status, World};
use rayon::prelude::*;

use crate::arrays::NONE;
use crate::error::GpuError;
use crate::kernels::Kernel;
use crate::memory::{Read, SliceMemory};
use crate::plan::SearchPlan;
use crate::world::{GpuReport, GpuWorld, Method};

/// The words of an agent, as in `kernels/common.wgsl`.
pub(crate) const AGENT_WORDS: usize = 12;
/// The words of a result, as in `kernels/common.wgsl`.
const RESULT_WORDS: usize = 4;
/// The words of a connect job, as in `kernels/hierarchy.wgsl`.
const JOB_WORDS: usize = 2;

/// The status of a result, as in `kernels/common.wgsl`.
pub(crate) const NO_PATH: u32 = 0;
pub(crate) const FOUND: u32 = 1;
const RUNNING: u32 = 3;
const NEW: u32 = 4;

/// Marks a job that has not begun, as in `kernels/hierarchy.wgsl`.
const NEW_JOB: f32 = -3.0;

/// The number of times that a search is resumed before the CPU looks whether it has ended.
const ROUNDS: usize = 8;

/// An agent that is searched for: its query, where it starts and ends, and the level at which it is searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agent {
    pub(crate) query: usize,
    pub(crate) ends: Endpoints,
    pub(crate) level: Level,
}

/// Where a query starts and ends and the level at which it is searched, or why it is not.
pub(crate) type LocatedAgent = Result<(Endpoints, Level), Status>;

/// What the device found for each query.
struct FoundPaths {
    of_query: Vec<DevicePath>,
    vertices: Vec<u32>,
    slices: usize,
    connect: Duration,
}

#[derive(Clone, Debug, PartialEq)]
enum DevicePath {
    /// The device has not answered.
    Unknown,
    NoPath,
    Vertices(Range<usize>),
}

impl GpuWorld<'_> {
    pub(crate) fn answer_by_paths(
        &self,
        queries: BatchQueries<'_>,
        method: Method,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<GpuReport, GpuError> {
        self.world.check_engine(options.engine)?;
        let located = locate(&self.world, queries, options)?;
        let mut agents: Vec<Agent> = Vec::with_capacity(located.len());
        let mut found = FoundPaths {
            of_query: vec![DevicePath::Unknown; located.len()],
            vertices: Vec::new(),
            slices: 0,
            connect: Duration::ZERO,
        };
        for (query, located) in located.iter().enumerate() {
            match *located {
                // Partial paths are found by the CPU.
                Ok(_) if options.limits.partial => {}
                Ok((ends, level)) if !are_disconnected(&self.world, &ends) => {
                    agents.push(Agent { query, ends, level });
                }
                _ => found.of_query[query] = DevicePath::NoPath,
            }
        }
        // Agents of one level are searched together, and agents with close starts in the same slice.
        agents.par_sort_by_key(|agent| (agent.level, agent.ends.start.polygon, agent.query));
        for group in agents.chunk_by(|a, b| a.level == b.level) {
            self.search_group(group, method, options, &mut found)?;
        }
        let FoundPaths {
            of_query,
            vertices,
            slices,
            connect,
        } = found;
        let searched = self.world.finish_paths(
            queries,
            options,
            |query| match &of_query[query] {
                DevicePath::Unknown => FoundPath::Unknown,
                DevicePath::NoPath => FoundPath::NoPath,
                DevicePath::Vertices(range) => FoundPath::Vertices(&vertices[range.clone()]),
            },
            answers,
        )?;
        Ok(GpuReport {
            fallbacks: searched,
            slices,
            connect,
        })
    }

    /// Searches agents of one level, slice by slice.
    fn search_group(
        &self,
        agents: &[Agent],
        method: Method,
        options: &BatchOptions<'_>,
        found: &mut FoundPaths,
    ) -> Result<(), GpuError> {
        let Some(first) = agents.first() else {
            return Ok(());
        };
        let Some(plan) = self.plan(method, first.level, options)? else {
            return Ok(());
        };
        let memory = &mut *self
            .memory
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut rest = agents;
        while !rest.is_empty() {
            let jobs_of = |agent: &Agent| self.job_count(&plan, agent);
            let limit = (self.limits().scratch_bytes / 4) as usize;
            let (mut count, mut jobs, mut words) = (0, 0, 0);
            for agent in rest.iter().take(self.limits().agents) {
                let own = jobs_of(agent);
                let more =
                    own * plan.params.job_scratch as usize + plan.params.agent_scratch as usize;
                if count > 0 && words + more > limit {
                    break;
                }
                (count, jobs, words) = (count + 1, jobs + own, words + more);
            }
            let (slice, after) = rest.split_at(count);
            rest = after;
            // An agent that needs more than all memory stays unknown.
            if words <= limit {
                self.search_slice(slice, &plan, jobs, memory, found)?;
                found.slices += 1;
            }
        }
        Ok(())
    }

    /// Searches the agents of one slice.
    fn search_slice(
        &self,
        agents: &[Agent],
        plan: &SearchPlan<'_>,
        jobs: usize,
        memory: &mut SliceMemory,
        found: &mut FoundPaths,
    ) -> Result<(), GpuError> {
        let (gpu, mut params) = (self.gpu, plan.params);
        let words = self.agent_words(agents, plan, jobs);
        params.agents = agents.len() as u32;
        params.jobs = jobs as u32;
        params.jobs_start = (AGENT_WORDS * agents.len()) as u32;
        params.costs_start = (RESULT_WORDS * agents.len()) as u32;
        params.agents_start = jobs as u32 * params.job_scratch;
        memory.agents.reserve(gpu, words.len());
        memory
            .results
            .reserve(gpu, RESULT_WORDS * agents.len() + jobs);
        let scratch = params.agents_start as usize + agents.len() * params.agent_scratch as usize;
        match plan.has_labels {
            true => memory.reserve_labels(gpu, scratch, &mut params),
            false => memory.reserve_scratch(gpu, scratch),
        }
        gpu.write(&memory.agents.buffer, 0, &words);
        let mut begun = [NEW, 0, 0, 0].repeat(agents.len());
        begun.resize(begun.len() + jobs, NEW_JOB.to_bits());
        gpu.write(&memory.results.buffer, 0, &begun);
        let arrays = (&self.graph, plan.index, plan.table);
        let read = Read::Results(RESULT_WORDS * agents.len());
        // A job settles every vertex of its node at most once, so it ends after a known number of rounds.
        let job_rounds = match plan.has_jobs {
            true => plan.max_vertices.div_ceil(params.budget as usize) + 1,
            false => 0,
        };
        let mut kernels = vec![(Kernel::Connect, jobs); job_rounds];
        if self.has_step_times && plan.has_jobs {
            let start = Instant::now();
            // Reading a word waits for the kernels.
            memory.run(gpu, arrays, None, &params, &kernels, Read::Results(1))?;
            found.connect += start.elapsed();
            kernels.clear();
        }
        let results = loop {
            let rounds = if plan.has_labels { ROUNDS } else { 1 };
            kernels.resize(kernels.len() + rounds, (plan.kernels[0], agents.len()));
            let results = memory.run(gpu, arrays, None, &params, &kernels, read)?;
            let is_running = |result: &[u32]| result[0] == RUNNING;
            if !results.chunks_exact(RESULT_WORDS).any(is_running) {
                break results;
            }
            kernels.clear();
        };

        // Paths are written one after the other, so that only what is needed is copied back.
        let limit = (gpu.max_binding() / 4) as usize;
        let mut end = agents.len();
        let mut offsets = Vec::with_capacity(agents.len());
        let mut ranges = Vec::with_capacity(agents.len());
        for result in results.chunks_exact(RESULT_WORDS) {
            let length = result[2] as usize;
            let is_found = result[0] == FOUND
                && f32::from_bits(result[1]) <= plan.max_cost
                && end + length <= limit;
            offsets.push(if is_found { end as u32 } else { NONE });
            ranges.push(is_found.then_some(end..end + length));
            end += if is_found { length } else { 0 };
        }
        memory.paths.reserve(gpu, end);
        gpu.write(&memory.paths.buffer, 0, &offsets);
        let paths = memory.run(
            gpu,
            arrays,
            None,
            &params,
            &[(plan.kernels[1], agents.len())],
            Read::Paths(end),
        )?;
        let before = found.vertices.len();
        found.vertices.extend_from_slice(&paths[agents.len()..]);
        let shift = |range: Range<usize>| {
            before + range.start - agents.len()..before + range.end - agents.len()
        };
        for (number, ((agent, range), result)) in agents
            .iter()
            .zip(ranges)
            .zip(results.chunks_exact(RESULT_WORDS))
            .enumerate()
        {
            found.of_query[agent.query] = match (range, result[0]) {
                (Some(_), _) if paths[number] == NONE => DevicePath::Unknown,
                (Some(range), _) => DevicePath::Vertices(shift(range)),
                (None, NO_PATH) => DevicePath::NoPath,
                (None, FOUND) if f32::from_bits(result[1]) > plan.max_cost => DevicePath::NoPath,
                _ => DevicePath::Unknown,
            };
        }
        Ok(())
    }

    /// Returns the words of agents and jobs.
    fn agent_words(&self, agents: &[Agent], plan: &SearchPlan<'_>, jobs: usize) -> Vec<u32> {
        let mut words = Vec::with_capacity(AGENT_WORDS * agents.len() + JOB_WORDS * jobs);
        let mut job_words = Vec::with_capacity(JOB_WORDS * jobs);
        for (number, agent) in (0u32..).zip(agents) {
            let ends = [agent.ends.start, agent.ends.goal]
                .map(|end| self.world.graph().cost_location(end));
            words.extend(ends.map(|end| end.polygon.0));
            words.extend(
                ends.iter()
                    .flat_map(|end| end.point.to_array())
                    .map(f32::to_bits),
            );
            let nodes = self.nodes(plan, agent).unwrap_or([NodeId(0); 2]);
            words.extend(nodes.map(|node| node.0));
            let mut firsts = [0; 2];
            if let Some(hierarchy) = self.world.hierarchy().filter(|_| plan.has_jobs) {
                for (end, node) in nodes.into_iter().enumerate() {
                    firsts[end] = (job_words.len() / JOB_WORDS) as u32;
                    let edges = 0..hierarchy.level(plan.level).of_node(node).len() as u32;
                    job_words.extend(edges.flat_map(|edge| [number << 1 | end as u32, edge]));
                }
            }
            words.extend(firsts);
        }
        words.extend(job_words);
        words
    }
}

fn are_disconnected(world: &World, ends: &Endpoints) -> bool {
    let components = world.mesh().components();
    components.of(ends.start.polygon) != components.of(ends.goal.polygon)
}

/// Locates the queries, and finds the level at which each of them is searched.
pub(crate) fn locate(
    world: &World,
    queries: BatchQueries<'_>,
    options: &BatchOptions<'_>,
) -> Result<Vec<LocatedAgent>, GpuError> {
    let query = |from, to| Query {
        snap: options.snap,
        costs: options.costs,
        engine: options.engine,
        limits: options.limits,
        ..Query::new(from, to)
    };
    // No query fails if this one does not.
    world.locate(&query(glam::Vec3::NAN, glam::Vec3::NAN))?;
    let locate = |index: usize| {
        let located = match queries {
            BatchQueries::Points(points) => {
                world.locate(&query(points[index][0], points[index][1]))
            }
            BatchQueries::Located(endpoints) => {
                let Endpoints { start, goal } = endpoints[index];
                world.located(&query(start.point, goal.point), endpoints[index])
            }
        };
        let located = located.expect("engine and costs were checked");
        Ok((located.endpoints()?, located.searched_level()))
    };
    Ok((0..queries.len()).into_par_iter().map(locate).collect())
}
