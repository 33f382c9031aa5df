//! Many followers that share a budget of path queries per frame.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use glam::Vec3;
use rayon::prelude::*;

use super::answers::BufferPool;
use crate::follow::{Follow, Follower};
use crate::path::Path;
use crate::probe::{Probe, ProbeScratch};
use crate::query::{EngineError, Scratch};
use crate::world::{Query, RepairMethod, Repaired, Status, World};

/// The number of queries between two looks at the clock.
const QUERIES_PER_LOOK: usize = 64;

/// The number of agents that a thread moves at a time.
const CHUNK: usize = 64;

/// The number of an agent of [`Agents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub u32);

/// How much path-finding one frame may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameBudget {
    /// At most this many queries. Then the same calls give the same agents their paths in the same frames, on every
    /// machine.
    Queries(usize),
    /// Queries for this long, on all threads, and at least a few unless it is 0. [Units: µs] The order in which agents get
    /// their paths is always the same, but the frame in which they do depends on the machine.
    Micros(u64),
}

/// What [`Agents::find_paths`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentsUpdate {
    /// The number of agents that got a path or a reason why there is none.
    pub answered: usize,
    /// The number of agents that still wait.
    pub waiting: usize,
    /// The number of agents among the answered ones that kept their corridor, or most of it, after a change of the ground.
    pub repaired: usize,
}

/// Any number of agents on their way, each with a [`Follower`]. Agents ask for paths with
/// [`set_goal`](Self::set_goal), and lose them when they are pushed away too far. Every frame,
/// [`find_paths`](Self::find_paths) answers as many of them as its budget allows, those that have waited longest
/// first; of agents that began to wait in the same frame, the lowest number.
///
/// In a world that [changes](crate::live), pass the snapshot of the frame. If it is another version than that of the last frame, agents that have a
/// change ahead begin to wait, and their paths are [repaired](crate::Path::repair). This looks at every polygon ahead of every agent.
///
/// ```
/// use portolan_core::{Agents, Follow, FrameBudget, NavMeshOptions, Query, World};
/// use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
///
/// let raw = WorldScene::Rooms.build(&WorldOptions::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mut points = RandomPoints::new(world.mesh(), 7);
///
/// let mut agents = Agents::new();
/// let ids: Vec<_> = points.by_ref().take(30).map(|start| agents.add(start)).collect();
/// for (&id, goal) in ids.iter().zip(points) {
///     agents.set_goal(id, goal);
/// }
/// // Three frames later all of them have a path.
/// for waiting in [20, 10, 0] {
///     let query = Query::new([0.0; 3], [0.0; 3]);
///     let update = agents.find_paths(&world, &query, FrameBudget::Queries(10)).unwrap();
///     assert_eq!((update.answered, update.waiting), (10, waiting));
/// }
/// let positions: Vec<_> = ids.iter().map(|&id| agents.position(id)).collect();
/// agents.advance(&world.probe(), &positions);
/// assert!(ids.iter().all(|&id| agents.state(id) == Follow::Walk));
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Debug, Default)]
pub struct Agents {
    agents: Vec<Agent>,
    /// The agents that wait for a path: the frame since when, and the number.
    waiting: BinaryHeap<Reverse<(u64, u32)>>,
    frame: u64,
    /// The version of the world of the last frame.
    version: u64,
    jobs: Vec<Job>,
    scratches: BufferPool<Scratch>,
    probes: BufferPool<ProbeScratch>,
}

#[derive(Debug)]
struct Agent {
    follower: Follower,
    position: Vec3,
    goal: Option<Vec3>,
    is_waiting: bool,
    /// Whether the agent waits for nothing more than a repair of its path.
    is_repair_enough: bool,
    status: Option<Status>,
    state: Follow,
}

/// A query of one agent.
#[derive(Debug, Default)]
struct Job {
    agent: u32,
    from: Vec3,
    to: Vec3,
    path: Path,
    is_repair: bool,
    repaired: Option<Repaired>,
}

impl Agents {
    /// Creates an empty list of agents.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an agent that stands at a position, without a goal.
    pub fn add(&mut self, position: impl Into<Vec3>) -> AgentId {
        let id = AgentId(self.agents.len() as u32);
        self.agents.push(Agent {
            follower: Follower::new(),
            position: position.into(),
            goal: None,
            is_waiting: false,
            is_repair_enough: false,
            status: None,
            state: Follow::NoPath,
        });
        id
    }

    /// Returns the number of agents.
    pub fn len(&self) -> usize {
        self.agents.len()
    }

    /// Returns whether there are no agents.
    pub fn is_empty(&self) -> bool {
        self.agents.is_empty()
    }

    /// Returns the follower of an agent, for its corners and its location.
    ///
    /// # Panics
    /// Panics if there is no such agent, as all methods with a number do.
    pub fn follower(&mut self, id: AgentId) -> &mut Follower {
        &mut self.agents[id.0 as usize].follower
    }

    /// Returns the position of an agent, on the mesh if it has a path.
    pub fn position(&self, id: AgentId) -> Vec3 {
        self.agents[id.0 as usize].position
    }

    /// Returns what an agent should do next, as of the last [`advance`](Self::advance).
    pub fn state(&self, id: AgentId) -> Follow {
        self.agents[id.0 as usize].state
    }

    /// Returns the status of an agent's last query; `None` before the first.
    pub fn status(&self, id: AgentId) -> Option<Status> {
        self.agents[id.0 as usize].status
    }

    /// Returns whether an agent waits for a path.
    pub fn is_waiting(&self, id: AgentId) -> bool {
        self.agents[id.0 as usize].is_waiting
    }

    /// Sends an agent to a goal. It gets its path from one of the next [`find_paths`](Self::find_paths), and follows its old path until
    /// then. An agent that waits already keeps its turn.
    pub fn set_goal(&mut self, id: AgentId, goal: impl Into<Vec3>) {
        self.agents[id.0 as usize].goal = Some(goal.into());
        self.wait(id);
    }

    /// Lets agents wait that have a change of the ground ahead.
    fn find_changes(&mut self, world: &World) {
        if std::mem::replace(&mut self.version, world.version()) == world.version() {
            return;
        }
        for number in 0..self.agents.len() {
            let agent = &self.agents[number];
            if !agent.is_waiting && !agent.follower.is_current(world) {
                self.wait(AgentId(number as u32));
                self.agents[number].is_repair_enough = true;
            }
        }
    }

    fn wait(&mut self, id: AgentId) {
        let agent = &mut self.agents[id.0 as usize];
        agent.is_repair_enough = false;
        if !agent.is_waiting {
            agent.is_waiting = true;
            self.waiting.push(Reverse((self.frame, id.0)));
        }
    }

    /// Finds paths for agents that wait, within a budget, in parallel. `query` has the costs, the engine and the other
    /// settings; its points are not used. A frame ends here.
    ///
    /// # Errors
    /// Fails as [`World::find_path`] does. All agents then keep their turn.
    pub fn find_paths(
        &mut self,
        world: &World,
        query: &Query<'_>,
        budget: FrameBudget,
    ) -> Result<AgentsUpdate, EngineError> {
        // No query fails if this one does not.
        let query = Query {
            from: Vec3::NAN,
            to: Vec3::NAN,
            corridor: true,
            ..*query
        };
        world.locate(&query)?;
        self.find_changes(world);
        let start = Instant::now();
        let (mut answered, mut repaired) = (0, 0);
        loop {
            let count = match budget {
                FrameBudget::Queries(count) => count - answered,
                FrameBudget::Micros(0) => 0,
                FrameBudget::Micros(micros) => {
                    // The first ones are answered in any case: otherwise a small budget would help nobody.
                    let is_in_time = start.elapsed() < Duration::from_micros(micros);
                    match answered == 0 || is_in_time {
                        true => QUERIES_PER_LOOK,
                        false => 0,
                    }
                }
            };
            let count = count.min(self.waiting.len());
            if count == 0 {
                break;
            }
            repaired += self.answer_first(count, world, &query);
            answered += count;
        }
        self.frame += 1;
        Ok(AgentsUpdate {
            answered,
            waiting: self.waiting.len(),
            repaired,
        })
    }

    /// Answers the first agents that wait. Returns the number of repaired paths.
    fn answer_first(&mut self, count: usize, world: &World, query: &Query<'_>) -> usize {
        if self.jobs.len() < count {
            self.jobs.resize_with(count, Job::default);
        }
        let jobs = &mut self.jobs[..count];
        for job in &mut *jobs {
            let Reverse((_, number)) = self.waiting.pop().expect("as many as counted");
            let agent = &self.agents[number as usize];
            job.agent = number;
            job.from = agent.position;
            job.to = agent.goal.unwrap_or(agent.position);
            job.is_repair = agent.is_repair_enough;
            if job.is_repair {
                agent.follower.write_corridor(&mut job.path);
            }
        }
        let scratches = &self.scratches;
        jobs.par_iter_mut().for_each(|job| {
            let query = Query {
                from: job.from,
                to: job.to,
                ..*query
            };
            let repaired = scratches.with(|scratch| {
                if job.is_repair {
                    return Follower::repair_corridor(&mut job.path, world, &query, scratch);
                }
                let status = world.find_path(&query, scratch, &mut job.path)?;
                let method = RepairMethod::Searched;
                Ok(Repaired { status, method })
            });
            job.repaired = Some(repaired.expect("engine and costs were checked"));
        });
        let mut count = 0;
        for job in jobs {
            let (Some(repaired), agent) = (job.repaired, &mut self.agents[job.agent as usize])
            else {
                continue;
            };
            agent.is_waiting = false;
            agent.status = Some(repaired.status);
            agent.follower.set_repaired(&job.path, repaired);
            count += usize::from(repaired.method != RepairMethod::Searched);
        }
        count
    }

    /// Moves all agents to new positions, one per agent in the order of their numbers, in parallel. Agents with a path
    /// slide along walls and stay on the mesh; an agent without one takes its position as it is. Agents that need a new path begin to wait.
    ///
    /// # Panics
    /// Panics if there is not one position per agent.
    pub fn advance(&mut self, probe: &Probe<'_>, positions: &[Vec3]) {
        assert_eq!(positions.len(), self.agents.len(), "one position per agent");
        let probes = &self.probes;
        let agents = self.agents.par_chunks_mut(CHUNK);
        let chunks = agents.zip(positions.par_chunks(CHUNK));
        chunks.for_each(|(agents, positions)| {
            probes.with(|scratch| {
                for (agent, &position) in agents.iter_mut().zip(positions) {
                    agent.state = agent.follower.advance(probe, position, scratch);
                    let location = agent.follower.location();
                    agent.position = location.map_or(position, |location| location.point);
                }
            });
        });
        for number in 0..self.agents.len() {
            let agent = &self.agents[number];
            let was_found = agent.status.is_some_and(Status::has_path);
            if was_found && agent.follower.needs_path() && agent.state != Follow::Arrived {
                self.wait(AgentId(number as u32));
            }
        }
    }
}
