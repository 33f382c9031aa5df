//! How agents of one level are searched: kernels, arrays, parameters and the sizes of memory.

use portolan_core::batch::BatchOptions;
use portolan_core::{Level, NodeId};
use wgpu::Buffer;

use crate::error::GpuError;
use crate::kernels::{Kernel, Params};
use crate::paths::Agent;
use crate::table::Table;
use crate::world::{GpuWorld, Method};

/// The words in which a search that pauses keeps its state, as in `kernels/common.wgsl`.
const STATE_WORDS: u32 = 4;

/// The part of an index that agents of one level are searched with.
pub(crate) struct SearchPlan<'a> {
    pub(crate) kernels: [Kernel; 2],
    pub(crate) level: Level,
    pub(crate) index: &'a Buffer,
    pub(crate) table: &'a Table,
    pub(crate) params: Params,
    /// Whether the kernels have labels and an open list.
    pub(crate) has_labels: bool,
    /// Whether start and goal are connected by jobs.
    pub(crate) has_jobs: bool,
    /// The maximum number of vertices that a job settles.
    pub(crate) max_vertices: usize,
    /// A path that costs more on the device is beyond the limit of the batch, however its cost is rounded. PCCP measures from
    /// centres, so there the CPU decides.
    pub(crate) max_cost: f32,
}

impl GpuWorld<'_> {
    /// Returns the kernels, arrays and parameters of a search; `None` if the device cannot search this level.
    pub(crate) fn plan(
        &self,
        method: Method,
        level: Level,
        options: &BatchOptions<'_>,
    ) -> Result<Option<SearchPlan<'_>>, GpuError> {
        let max_labels = self.limits().labels;
        let slots =
            |wanted: usize| (wanted.next_power_of_two()).min(max_labels.next_power_of_two()) as u32;
        let mut params = self.params;
        params.budget = self.gpu.budget();
        let max_cost = options.limits.max_cost * (1.0 + 1e-4);
        let plan = match (method, level) {
            (Method::Contraction, _) => {
                let part = self.contraction(options.engine)?;
                params.depth = part.depth;
                params.is_symmetric = u32::from(part.is_symmetric);
                params.heap_slots = part.stack;
                params.agent_scratch = 6 * part.depth + part.stack;
                SearchPlan {
                    kernels: [Kernel::ContractionSearch, Kernel::ContractionExtract],
                    level,
                    index: &part.index,
                    table: &self.no_table,
                    params,
                    has_labels: false,
                    has_jobs: false,
                    max_vertices: 0,
                    max_cost,
                }
            }
            (Method::AStar, _) | (Method::Level { .. }, Level(0)) => {
                params.label_slots = slots(params.key_range as usize);
                params.heap_slots = params.label_slots;
                params.agent_scratch = 3 * params.label_slots + 2 * params.heap_slots + STATE_WORDS;
                SearchPlan {
                    kernels: [Kernel::AStarSearch, Kernel::AStarExtract],
                    level,
                    index: &self.nothing,
                    table: &self.no_table,
                    params,
                    has_labels: true,
                    has_jobs: false,
                    max_vertices: 0,
                    max_cost,
                }
            }
            (Method::Level { centres }, level) => {
                if !self.can_search(level) {
                    return Ok(None);
                }
                let part = self.level(level, centres, options.engine)?;
                params.level = u32::from(level.0);
                params.method = u32::from(centres);
                params.label_slots = slots(2 * part.inter_edges);
                params.heap_slots = params.label_slots;
                params.agent_scratch = 3 * params.label_slots + 2 * params.heap_slots + STATE_WORDS;
                if !centres {
                    params.job_labels = slots(2 * part.max_vertices);
                    params.job_heap = params.job_labels;
                    params.job_scratch = 3 * params.job_labels + 2 * params.job_heap + STATE_WORDS;
                }
                SearchPlan {
                    kernels: [Kernel::OverlaySearch, Kernel::OverlayExtract],
                    level,
                    index: &part.index,
                    table: &part.table,
                    params,
                    has_labels: true,
                    has_jobs: !centres,
                    max_vertices: part.max_vertices,
                    max_cost: if centres { f32::INFINITY } else { max_cost },
                }
            }
        };
        Ok(Some(plan))
    }

    /// Returns the nodes of start and goal.
    pub(crate) fn nodes(&self, plan: &SearchPlan<'_>, agent: &Agent) -> Option<[NodeId; 2]> {
        let hierarchy = self.world.hierarchy().filter(|_| plan.level > Level(0))?;
        let node = |polygon: portolan_core::PolygonId| {
            hierarchy.partition().node_of(plan.level, polygon.index())
        };
        Some([agent.ends.start, agent.ends.goal].map(|location| node(location.polygon)))
    }

    /// Returns the number of inter-edges to which start and goal of an agent are connected by jobs.
    pub(crate) fn job_count(&self, plan: &SearchPlan<'_>, agent: &Agent) -> usize {
        match (
            plan.has_jobs,
            self.nodes(plan, agent),
            self.world.hierarchy(),
        ) {
            (true, Some(nodes), Some(hierarchy)) => {
                let graph = hierarchy.level(plan.level);
                nodes.iter().map(|&node| graph.of_node(node).len()).sum()
            }
            _ => 0,
        }
    }
}
