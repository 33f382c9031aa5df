//! A world on the device, for one kind of agent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::hierarchy::Hierarchy;
use portolan_core::{Connect, Costs, Engine, Level, MAX_LEVELS, Tier, World};
use wgpu::Buffer;

use crate::arrays::{self, MAX_LEVEL};
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernels::Params;
use crate::memory::SliceMemory;
use crate::parts::{ContractionPart, LabelPart, LevelPart};
use crate::paths::AGENT_WORDS;
use crate::source::Source;
use crate::table::Table;

/// How much of the device a batch may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceLimits {
    /// The maximum number of agents that are answered together. [Limit: >= 1] [Default: 65 536]
    pub agents: usize,
    /// The maximum size of the memory in which agents search. [Units: bytes] [Default: what the device binds, at most 1 GiB]
    pub scratch_bytes: u64,
    /// The maximum number of vertices that one agent labels in a search with an open list; it is rounded up to a power of two.
    /// [Limit: 64 to 2^26] [Default: 16 384] An agent that needs more is answered by the CPU. More labels leave room for fewer agents at a time.
    pub labels: usize,
}

impl SliceLimits {
    fn new(gpu: &Gpu) -> Self {
        Self {
            agents: 1 << 16,
            scratch_bytes: gpu.max_binding().min(1 << 30),
            labels: 1 << 14,
        }
    }
}

/// How a batch was answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuReport {
    /// The number of agents that the CPU answered, because the memory of the device was too small for them or because
    /// rounding could have changed the answer. If partial paths are allowed, the CPU answers all agents. Agents that are off the
    /// mesh do not count.
    pub fallbacks: usize,
    /// The number of slices.
    pub slices: usize,
    /// The time of the connect step of HNA*, with its submission, if [steps are timed](GpuWorld::time_steps), and otherwise 0.
    pub connect: Duration,
}

/// A world on the device, with the costs of one kind of agent. Its arrays are uploaded when an engine first needs them, and
/// stay there. Several profiles of a world can be on the device side by side. [`update`](Self::update) makes it another version of
/// a world that changes.
#[derive(Debug)]
pub struct GpuWorld<'g> {
    pub(crate) gpu: &'g Gpu,
    pub(crate) world: World,
    pub(crate) costs: Costs,
    /// The version that the graph on the device has. It is an older one while there are obstacles.
    pub(crate) graph_source: Source,
    limits: SliceLimits,
    pub(crate) has_step_times: bool,
    pub(crate) graph: Buffer,
    pub(crate) params: Params,
    /// Takes the place of an array that a kernel does not read.
    pub(crate) nothing: Buffer,
    pub(crate) no_table: Table,
    pub(crate) levels: [OnceLock<Option<LevelPart>>; 2 * (MAX_LEVELS + 1)],
    pub(crate) contraction: OnceLock<ContractionPart>,
    pub(crate) labels: OnceLock<LabelPart>,
    pub(crate) memory: Mutex<SliceMemory>,
    /// Tells apart what was uploaded as a whole. Versions of a world have the same.
    pub(crate) shape: u64,
    /// The number of bytes that were written to arrays of the world.
    pub(crate) uploaded: AtomicU64,
}

/// How the paths of a batch are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    AStar,
    /// HNA*, or PCCP.
    Level {
        centres: bool,
    },
    Contraction,
}

impl Gpu {
    /// Puts a world on the device, with the costs of one kind of agent; [`World::default_costs`] are those of the default
    /// profile.
    ///
    /// # Errors
    /// Fails if the world does not fit on the device, if the costs were built for another world, or if there are obstacles.
    pub fn upload(&self, world: &World, costs: &Costs) -> Result<GpuWorld<'_>, GpuError> {
        static SHAPES: AtomicU64 = AtomicU64::new(1);
        check_costs(world, costs)?;
        if world.mesh().has_obstacles() {
            return Err(GpuError::Obstacles);
        }
        let (words, params) = arrays::graph(world, costs);
        Ok(GpuWorld {
            gpu: self,
            world: world.clone(),
            costs: costs.clone(),
            graph_source: Source::new(world, costs),
            limits: SliceLimits::new(self),
            has_step_times: false,
            graph: self.upload_array("portal graph", &words)?,
            params,
            nothing: self.array(4),
            no_table: self.upload_table("table", &[0; 4])?,
            levels: std::array::from_fn(|_| OnceLock::new()),
            contraction: OnceLock::new(),
            labels: OnceLock::new(),
            memory: Mutex::new(SliceMemory::new(self)),
            shape: SHAPES.fetch_add(1, Ordering::Relaxed),
            uploaded: AtomicU64::new(4 * words.len() as u64),
        })
    }
}

/// Fails if the costs are not those of this world.
pub(crate) fn check_costs(world: &World, costs: &Costs) -> Result<(), GpuError> {
    let options = BatchOptions {
        costs: Some(costs),
        engine: Engine::AStar,
        ..BatchOptions::new(Want::Distance)
    };
    let nobody = BatchQueries::Points(&[]);
    Ok(world.find_paths(nobody, &options, &mut BatchAnswers::default())?)
}

impl<'g> GpuWorld<'g> {
    /// Sets how much of the device a batch may use. Numbers beyond the limits of the device are lowered to them.
    #[must_use]
    pub fn with_limits(mut self, limits: SliceLimits) -> Self {
        // Half of a binding, so that the connect jobs of HNA* fit beside the agents.
        let max_agents = (self.gpu.max_binding() / (8 * AGENT_WORDS as u64)) as usize;
        self.limits = SliceLimits {
            agents: limits.agents.clamp(1, max_agents),
            scratch_bytes: limits.scratch_bytes.min(self.gpu.max_binding()),
            labels: limits.labels.clamp(64, 1 << 26),
        };
        self
    }

    /// Sets whether the connect step of HNA* is timed. It is then submitted and waited for separately, so the whole batch takes
    /// longer. [Default: false]
    pub fn time_steps(&mut self, on: bool) {
        self.has_step_times = on;
    }

    /// Returns how much of the device a batch may use.
    pub fn limits(&self) -> SliceLimits {
        self.limits
    }

    /// Returns the world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the device.
    pub fn gpu(&self) -> &'g Gpu {
        self.gpu
    }

    /// Returns the number of bytes of the world that were written to the device so far, with what engines and updates needed
    /// later.
    pub fn uploaded_bytes(&self) -> u64 {
        self.uploaded.load(Ordering::Relaxed)
    }

    /// Returns the version of the world that is on the device.
    pub(crate) fn source(&self) -> Source {
        Source::new(&self.world, &self.costs)
    }

    /// Answers many queries on the device. `answers` is overwritten, and empty after an error. Costs equal those of
    /// [`World::find_paths`] with the same options, and so do statuses; where two paths cost the same up to rounding, the other
    /// one may be found. Waypoints are computed on the CPU, in the current rayon pool.
    ///
    /// # Errors
    /// Fails if no kernel implements the engine, if the world lacks it, if an array does not fit on the device, or if the
    /// device fails. [`World::find_paths`] can answer instead.
    ///
    /// # Panics
    /// Panics if a located query has a polygon that the mesh does not have.
    pub fn find_paths(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<GpuReport, GpuError> {
        let result = self.answer(queries, options, answers);
        if result.is_err() {
            answers.clear();
        }
        result
    }

    fn answer(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<GpuReport, GpuError> {
        self.asked_costs(options)?;
        let is_short = matches!(options.want, Want::Portal | Want::Next);
        match options.engine {
            Engine::Labels if is_short && !options.limits.partial => {
                self.answer_by_labels(queries, options, answers)
            }
            // Labels have the costs of the fast tier.
            Engine::Labels => {
                let options = BatchOptions {
                    engine: Engine::Contraction(Tier::Fast),
                    ..*options
                };
                self.answer_by_paths(queries, Method::Contraction, &options, answers)
            }
            engine => self.answer_by_paths(queries, method(engine)?, options, answers),
        }
    }

    /// Uploads what an engine reads. Without this call, the first batch that needs it uploads it.
    ///
    /// # Errors
    /// Fails as [`find_paths`](Self::find_paths) does.
    pub fn prepare(&self, options: &BatchOptions<'_>) -> Result<(), GpuError> {
        let costs = self.asked_costs(options)?;
        let is_short = matches!(options.want, Want::Portal | Want::Next);
        match options.engine {
            Engine::Labels if is_short => self.labels(costs, options.max_label_bytes).map(|_| ()),
            Engine::Labels | Engine::Contraction(Tier::Fast) => {
                self.contraction(options.engine).map(|_| ())
            }
            engine => {
                let method = method(engine)?;
                self.world.check_engine(engine)?;
                // Without a level, the level of each query is known only when it is located.
                if let (Method::Level { centres }, Some(level)) = (method, level_of(engine))
                    && level > Level(0)
                    && self.can_search(level)
                {
                    self.level(level, centres, engine)?;
                }
                Ok(())
            }
        }
    }

    /// Returns the costs that a batch asks with. Fails if they are not those on the device.
    pub(crate) fn asked_costs<'o>(
        &'o self,
        options: &BatchOptions<'o>,
    ) -> Result<&'o Costs, GpuError> {
        let costs = options.costs.unwrap_or(self.world.default_costs());
        if !costs.are_same_as(&self.costs) {
            return Err(GpuError::ForeignWorld);
        }
        self.check_obstacles()?;
        Ok(costs)
    }

    /// Fails if there are obstacles.
    pub(crate) fn check_obstacles(&self) -> Result<(), GpuError> {
        match self.world.mesh().has_obstacles() {
            true => Err(GpuError::Obstacles),
            false => Ok(()),
        }
    }

    /// Returns whether the device can search a level.
    pub(crate) fn can_search(&self, level: Level) -> bool {
        level.0 <= MAX_LEVEL && level <= self.world.hierarchy().map_or(Level(0), Hierarchy::top)
    }
}

/// Returns the level that an engine names.
fn level_of(engine: Engine) -> Option<Level> {
    match engine {
        Engine::Hna { level, .. } | Engine::Pccp { level } => level,
        _ => None,
    }
}

/// Returns how an engine searches on the device.
fn method(engine: Engine) -> Result<Method, GpuError> {
    match engine {
        Engine::AStar => Ok(Method::AStar),
        Engine::Hna {
            connect: None | Some(Connect::Parallel),
            ..
        } => Ok(Method::Level { centres: false }),
        Engine::Pccp { .. } => Ok(Method::Level { centres: true }),
        Engine::Contraction(Tier::Fast) => Ok(Method::Contraction),
        _ => Err(GpuError::NoKernel(engine)),
    }
}
