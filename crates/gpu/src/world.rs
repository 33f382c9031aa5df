//! A world on the device, for one kind of agent.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use portolan_core::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
use portolan_core::contraction::ContractionArrays;
use portolan_core::hierarchy::Hierarchy;
use portolan_core::{Connect, Costs, Engine, EngineError, Level, MAX_LEVELS, Tier, World};
use wgpu::Buffer;

use crate::arrays::{self, ContractionWords, LabelWords, LevelArrays, MAX_LEVEL};
use crate::device::{Gpu, Table};
use crate::error::GpuError;
use crate::kernels::Params;
use crate::memory::SliceMemory;
use crate::paths::AGENT_WORDS;

/// How much of the device a batch may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SliceLimits {
    /// The maximum number of agents that are answered together. [Limit: >= 1] [Default: 65 536]
    pub agents: usize,
    /// The maximum size of the memory in which agents search. [Units: bytes] [Default: what the device binds, at most 1 GiB]
    pub scratch_bytes: u64,
    /// The maximum number of vertices that one agent labels in a search with an open list. [Limit: 64 to 2^26]
    /// [Default: 16 384]
    /// An agent that needs more is answered by the CPU. More labels leave room for fewer agents at a time.
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
    /// rounding could have changed the answer. Agents that are off the mesh do not count.
    pub fallbacks: usize,
    /// The number of slices.
    pub slices: usize,
    /// The time of the connect step of HNA*, with its submission, if [steps are timed](GpuWorld::time_steps), and otherwise 0.
    pub connect: Duration,
}

/// A world on the device, with the costs of one kind of agent. Its arrays are uploaded when an engine first needs them, and
/// stay there. Several profiles of a world can be on the device side by side.
#[derive(Debug)]
pub struct GpuWorld<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) world: &'a World,
    pub(crate) costs: &'a Costs,
    limits: SliceLimits,
    pub(crate) has_step_times: bool,
    pub(crate) graph: Buffer,
    pub(crate) params: Params,
    /// Takes the place of an array that a kernel does not read.
    pub(crate) nothing: Buffer,
    pub(crate) no_table: Table,
    levels: [OnceLock<Option<LevelPart>>; 2 * (MAX_LEVELS + 1)],
    contraction: OnceLock<ContractionPart>,
    labels: OnceLock<LabelPart>,
    pub(crate) memory: Mutex<SliceMemory>,
}

/// A level of the hierarchy on the device.
#[derive(Debug)]
pub(crate) struct LevelPart {
    pub(crate) index: Buffer,
    pub(crate) table: Table,
    pub(crate) max_vertices: usize,
    pub(crate) inter_edges: usize,
}

/// A contraction on the device.
#[derive(Debug)]
pub(crate) struct ContractionPart {
    pub(crate) index: Buffer,
    pub(crate) depth: u32,
    pub(crate) is_symmetric: bool,
    pub(crate) stack: u32,
}

/// Labels on the device.
#[derive(Debug)]
pub(crate) struct LabelPart {
    pub(crate) index: Buffer,
    pub(crate) table: Table,
    pub(crate) goals_first: u32,
    pub(crate) rank_count: u32,
    pub(crate) max_blocks: u32,
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
    /// Fails if the world does not fit on the device, or if the costs were built for another world.
    pub fn upload<'a>(
        &'a self,
        world: &'a World,
        costs: &'a Costs,
    ) -> Result<GpuWorld<'a>, GpuError> {
        let options = BatchOptions {
            costs: Some(costs),
            engine: Engine::AStar,
            ..BatchOptions::new(Want::Distance)
        };
        // Fails if the costs are not those of this world.
        world.find_paths(
            BatchQueries::Points(&[]),
            &options,
            &mut BatchAnswers::default(),
        )?;
        let (words, params) = arrays::graph(world, costs);
        Ok(GpuWorld {
            gpu: self,
            world,
            costs,
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
        })
    }
}

impl<'a> GpuWorld<'a> {
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
    pub fn world(&self) -> &'a World {
        self.world
    }

    /// Returns the device.
    pub fn gpu(&self) -> &'a Gpu {
        self.gpu
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
        let costs = options.costs.unwrap_or(self.world.default_costs());
        if !std::ptr::eq(costs, self.costs) {
            return Err(GpuError::ForeignWorld);
        }
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
        let is_short = matches!(options.want, Want::Portal | Want::Next);
        match options.engine {
            Engine::Labels if is_short => self.labels(options.max_label_bytes).map(|_| ()),
            Engine::Labels | Engine::Contraction(Tier::Fast) => {
                self.contraction(options.engine).map(|_| ())
            }
            engine => method(engine).and_then(|_| Ok(self.world.check_engine(engine)?)),
        }
    }

    /// Returns a level of the hierarchy.
    pub(crate) fn level(
        &self,
        level: Level,
        centres: bool,
        engine: Engine,
    ) -> Result<&LevelPart, GpuError> {
        let cell = &self.levels[2 * usize::from(level.0) + usize::from(centres)];
        if cell.get().is_none() {
            let part = match LevelArrays::new(self.world, self.costs, level, centres) {
                Some(arrays) => Some(LevelPart {
                    index: self.gpu.upload_array("hierarchy", &arrays.index)?,
                    table: self
                        .gpu
                        .upload_table("table of the hierarchy", &arrays.table)?,
                    max_vertices: arrays.max_vertices,
                    inter_edges: arrays.inter_edges,
                }),
                None => None,
            };
            // Another thread may have been faster; its part is the same.
            let _ = cell.set(part);
        }
        let part = cell.get().and_then(Option::as_ref);
        part.ok_or(GpuError::Engine(EngineError::NoHierarchy(engine)))
    }

    /// Returns the contraction of the fast tier.
    pub(crate) fn contraction(&self, engine: Engine) -> Result<&ContractionPart, GpuError> {
        if self.contraction.get().is_none() {
            let contraction = self
                .world
                .contraction()
                .ok_or(EngineError::NoContraction(engine))?;
            let shortcuts = self
                .costs
                .shortcuts(Tier::Fast)
                .ok_or(EngineError::CostsLack(engine))?;
            let words = ContractionWords::new(&ContractionArrays::new(contraction, shortcuts));
            let _ = self.contraction.set(ContractionPart {
                index: self.gpu.upload_array("contraction", &words.index)?,
                depth: words.depth,
                is_symmetric: words.is_symmetric,
                stack: words.stack,
            });
        }
        Ok(self.contraction.get().expect("it has just been set"))
    }

    /// Returns the labels.
    pub(crate) fn labels(&self, max_bytes: usize) -> Result<&LabelPart, GpuError> {
        if self.labels.get().is_none() {
            let arrays = self.world.label_arrays(self.costs, max_bytes)?;
            let words = LabelWords::new(self.world, &arrays);
            let _ = self.labels.set(LabelPart {
                index: self.gpu.upload_array("index of labels", &words.index)?,
                table: self.gpu.upload_table("labels", &words.table)?,
                goals_first: words.goals_first,
                rank_count: words.rank_count,
                max_blocks: words.max_blocks,
            });
        }
        Ok(self.labels.get().expect("they have just been set"))
    }

    /// Returns whether the device can search a level.
    pub(crate) fn can_search(&self, level: Level) -> bool {
        level.0 <= MAX_LEVEL && level <= self.world.hierarchy().map_or(Level(0), Hierarchy::top)
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
