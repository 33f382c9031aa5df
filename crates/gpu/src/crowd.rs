//! A crowd whose positions stay on the device.

use glam::Vec3;
use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::navmesh::Location;
use portolan_core::{Endpoints, PolygonId, ProbeScratch, Status};
use wgpu::Buffer;

use crate::device::Gpu;
use crate::error::GpuError;
use crate::firsts::ANSWER_WORDS;
use crate::kernels::Kernel;
use crate::memory::Read;
use crate::paths::{AGENT_WORDS, FOUND, NO_PATH};
use crate::world::{GpuReport, GpuWorld};

/// Agents that walk to their goals. Their positions stay on the device. Every step returns the next waypoint of each agent. A crowd
/// does not borrow its world, so the world can be [updated](GpuWorld::update) between two steps.
///
/// In a step, every agent finds its next waypoint by labels and walks towards it in a straight line, through the portals on the
/// way, or over a link that it has reached. Between two waypoints its height is interpolated. Agents do not see each other.
#[derive(Debug)]
pub struct Crowd<'g> {
    gpu: &'g Gpu,
    /// What the world has in common with its other versions.
    shape: u64,
    polygons: usize,
    max_label_bytes: usize,
    slices: Vec<CrowdSlice>,
    agents: usize,
    statuses: Vec<Status>,
    next: Vec<Vec3>,
}

/// Agents whose words are in one array.
#[derive(Debug)]
struct CrowdSlice {
    agents: Buffer,
    count: usize,
}

impl<'g> GpuWorld<'g> {
    /// Puts a crowd on the device. Polygons must belong to the world, and points must lie on them. Labels take at most
    /// `max_label_bytes`.
    ///
    /// # Errors
    /// Fails if the world has no contraction, or if labels or agents do not fit.
    ///
    /// # Panics
    /// Panics if the mesh has no such polygon.
    pub fn crowd(
        &self,
        agents: &[Endpoints],
        max_label_bytes: usize,
    ) -> Result<Crowd<'g>, GpuError> {
        self.check_obstacles()?;
        let labels = self.labels(&self.costs, max_label_bytes)?;
        let polygons = self.world.mesh().polygon_count();
        let ends = agents.iter().flat_map(|agent| [agent.start, agent.goal]);
        for location in ends {
            let polygon = location.polygon;
            assert!(
                polygon.index() < polygons,
                "{polygon:?} is not a polygon of this mesh"
            );
        }
        let mut slices = Vec::new();
        for slice in agents.chunks(self.crowd_slice(labels)) {
            let words: Vec<u32> = slice
                .iter()
                .flat_map(|ends| self.first_words(ends, Want::Next))
                .collect();
            slices.push(CrowdSlice {
                agents: self.gpu.upload_array("crowd", &words)?,
                count: slice.len(),
            });
        }
        Ok(Crowd {
            gpu: self.gpu,
            shape: self.shape,
            polygons,
            max_label_bytes,
            slices,
            agents: agents.len(),
            statuses: Vec::new(),
            next: Vec::new(),
        })
    }
}

impl Crowd<'_> {
    /// Returns the number of agents.
    pub fn len(&self) -> usize {
        self.agents
    }

    /// Returns whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.agents == 0
    }

    /// Returns the statuses of the last step; empty before the first.
    pub fn statuses(&self) -> &[Status] {
        &self.statuses
    }

    /// Returns the waypoint that each agent walked towards in the last step. [Units: m] NaN without a path; empty before
    /// the first step.
    pub fn next(&self) -> &[Vec3] {
        &self.next
    }

    /// Lets every agent find its next waypoint and walk up to `metres` towards it. Agents that the device does not decide are
    /// moved by the CPU, and counted as fallbacks. [Units: m] `world` must be the world of the crowd, in this or another version.
    ///
    /// # Errors
    /// Fails if it is another world, if there are obstacles, if the labels of a new version do not fit, or if the device fails.
    pub fn step(&mut self, world: &GpuWorld<'_>, metres: f32) -> Result<GpuReport, GpuError> {
        if world.shape != self.shape {
            return Err(GpuError::ForeignWorld);
        }
        world.check_obstacles()?;
        let mut report = GpuReport::default();
        self.statuses.clear();
        self.next.clear();
        for number in 0..self.slices.len() {
            let results = self.run(world, number, metres)?;
            let first = self.statuses.len();
            for result in results.chunks_exact(ANSWER_WORDS) {
                let [x, y, z] = [3, 4, 5].map(|word| f32::from_bits(result[word]));
                let is_found = result[0] == FOUND;
                self.statuses.push(if is_found {
                    Status::Found
                } else {
                    Status::NoPath
                });
                self.next.push(if is_found {
                    Vec3::new(x, y, z)
                } else {
                    Vec3::NAN
                });
            }
            let is_undecided = |result: &[u32]| ![FOUND, NO_PATH].contains(&result[0]);
            let undecided: Vec<usize> = results
                .chunks_exact(ANSWER_WORDS)
                .enumerate()
                .filter_map(|(agent, result)| is_undecided(result).then_some(agent))
                .collect();
            if !undecided.is_empty() {
                self.move_by_cpu(world, number, first, &undecided, metres)?;
            }
            report.fallbacks += undecided.len();
            report.slices += 1;
        }
        Ok(report)
    }

    /// Returns where the agents are.
    ///
    /// # Errors
    /// Fails if the device does.
    pub fn positions(&self) -> Result<Vec<Location>, GpuError> {
        let mut positions = Vec::with_capacity(self.agents);
        for number in 0..self.slices.len() {
            let ends = self.read(number)?;
            positions.extend(ends.iter().map(|ends| ends.start));
        }
        Ok(positions)
    }

    /// Gives an agent another goal.
    ///
    /// # Panics
    /// Panics if there is no such agent, or if the mesh has no such polygon.
    pub fn set_goal(&mut self, agent: usize, goal: Location) {
        assert!(
            goal.polygon.index() < self.polygons,
            "{:?} is not a polygon of this mesh",
            goal.polygon
        );
        let (slice, agent) = self.slice_of(agent);
        let gpu = self.gpu;
        gpu.write(&slice.agents, AGENT_WORDS * agent + 1, &[goal.polygon.0]);
        let point = goal.point.to_array().map(f32::to_bits);
        gpu.write(&slice.agents, AGENT_WORDS * agent + 5, &point);
    }

    fn slice_of(&self, agent: usize) -> (&CrowdSlice, usize) {
        assert!(
            agent < self.agents,
            "there is no agent {agent} in a crowd of {}",
            self.agents
        );
        let size = self.slices[0].count;
        (&self.slices[agent / size], agent % size)
    }

    /// Runs a step of one slice and returns the answers.
    fn run(&self, world: &GpuWorld<'_>, number: usize, metres: f32) -> Result<Vec<u32>, GpuError> {
        let slice = &self.slices[number];
        let labels = world.labels(&world.costs, self.max_label_bytes)?;
        let mut params = world.label_params(labels, Want::Next, slice.count);
        params.step = metres.max(0.0);
        let memory = &mut *world
            .memory
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        memory
            .results
            .reserve(world.gpu, ANSWER_WORDS * slice.count);
        memory.reserve_scratch(world.gpu, slice.count * params.agent_scratch as usize);
        memory.run(
            world.gpu,
            (&world.graph, &labels.index, &labels.table),
            Some(&slice.agents),
            &params,
            &[(Kernel::CrowdStep, slice.count)],
            Read::Results(ANSWER_WORDS * slice.count),
        )
    }

    /// Returns where the agents of a slice are and walk to.
    fn read(&self, number: usize) -> Result<Vec<Endpoints>, GpuError> {
        let slice = &self.slices[number];
        let words = self.gpu.read(&slice.agents, AGENT_WORDS * slice.count)?;
        let location = |words: &[u32], end: usize| {
            let [x, y, z] = [0, 1, 2].map(|axis| f32::from_bits(words[2 + 3 * end + axis]));
            Location {
                polygon: PolygonId(words[end]),
                point: Vec3::new(x, y, z),
            }
        };
        let ends = |words: &[u32]| Endpoints {
            start: location(words, 0),
            goal: location(words, 1),
        };
        Ok(words.chunks_exact(AGENT_WORDS).map(ends).collect())
    }

    /// Moves the agents of a slice that the device has not decided. `first` is the number of the slice's first agent.
    fn move_by_cpu(
        &mut self,
        world: &GpuWorld<'_>,
        number: usize,
        first: usize,
        undecided: &[usize],
        metres: f32,
    ) -> Result<(), GpuError> {
        let all = self.read(number)?;
        let ends: Vec<Endpoints> = undecided.iter().map(|&agent| all[agent]).collect();
        let GpuWorld {
            gpu, world, costs, ..
        } = world;
        let options = BatchOptions {
            costs: Some(costs),
            max_label_bytes: self.max_label_bytes,
            ..BatchOptions::new(Want::Next)
        };
        let mut answers = BatchAnswers::default();
        world.find_paths(BatchQueries::Located(&ends), &options, &mut answers)?;
        let probe = world.probe_with(costs)?;
        let mut scratch = ProbeScratch::new();
        for (i, &agent) in undecided.iter().enumerate() {
            self.statuses[first + agent] = answers.statuses[i];
            self.next[first + agent] = answers.next[i];
            if answers.statuses[i] != Status::Found {
                continue;
            }
            let (from, to) = (ends[i].start, answers.next[i]);
            let leg = to - from.point;
            let share = metres.max(0.0) / leg.length().max(f32::MIN_POSITIVE);
            let moved = probe.slide(from, from.point + leg * share.min(1.0), &mut scratch);
            let words = AGENT_WORDS * agent;
            gpu.write(&self.slices[number].agents, words, &[moved.polygon.0]);
            let point = moved.point.to_array().map(f32::to_bits);
            gpu.write(&self.slices[number].agents, words + 2, &point);
        }
        Ok(())
    }
}
