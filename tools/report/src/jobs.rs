//! The measurement jobs of a run.

mod batches;
mod changes;
mod comparison;
mod device;
mod grid;
mod lengths;
mod memory;
mod pccp;
mod trade_off;
mod weights;

pub(crate) use batches::FRAME_MS;
pub(crate) use device::{DEVICE_FACTORS, DEVICE_QUERIES};
pub(crate) use grid::METHODS;
pub(crate) use trade_off::DENSE;

use glam::Vec3;
use portolan_core::{
    CostModel, GraphOptions, Level, Stage, TableOptions, Tier, World, no_progress,
};
use portolan_index::{
    HierarchyOptions, IndexOptions, OrderOptions, PartitionOptions, Weights, build,
};
use portolan_measure::distant_queries;

use crate::ReportError;
use crate::device::Device;
use crate::mesh_source::{LoadedMesh, MeshSource};
use crate::model::Cell;
use crate::options::ReportEffort;
use crate::published::{MA_HNA_TIMES, SIZES};

/// Navmeshes with more polygons get at most three levels. The size of a level's tables is the number of
/// polygons times the number of inter-edges per node, which grows with the level.
const LARGE_POLYGONS: usize = 50_000;

/// The merge factor and the level at which PCCP's path lengths and memory are measured. The papers do not
/// name them.
pub(crate) const PCCP_AT: (u32, u8) = (10, 2);

/// The merge factor and the level of figure 15 of Pelechano and Fuentes 2016.
pub(crate) const WEIGHTS_AT: (u32, u8) = (6, 2);

/// The merge factor of the example paths.
pub(crate) const EXAMPLE_MU: u32 = 10;

/// The merge factors at which memory is measured.
pub(crate) const MEMORY_FACTORS: [u32; 3] = [5, 10, 20];

/// A measurement on one navmesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MeasurementJob {
    /// The times of every level and connecting method at a merge factor.
    Grid(u32),
    /// The memory of hierarchies.
    Memory,
    /// The path lengths of HNA* at a merge factor.
    Lengths(u32),
    /// The path lengths of PCCP.
    Pccp,
    /// The times on balanced and random partitions.
    Weights,
    /// The example paths.
    Example,
    /// The comparison of all engines.
    Comparison,
    /// The times of batches of agents.
    Batches,
    /// Changes of the ground while queries run.
    Changes,
    /// The times of batches of agents on a device, and what its kernels do.
    DeviceBatches,
    /// The times of single queries that connect on a device, at a merge factor.
    DeviceConnects(u32),
}

impl MeasurementJob {
    /// Lists the jobs of a navmesh, with those of a device if there is one. `has_example` adds the example paths and batches, which the scenes of Rahmani and
    /// Pelechano 2020 always have. Generated worlds have no
    /// counterpart in the papers; they are used only to compare all engines.
    pub(crate) fn all(
        effort: &ReportEffort,
        source: &MeshSource,
        has_example: bool,
        has_device: bool,
    ) -> Vec<Self> {
        let changes = (effort.updates > 0).then_some(Self::Changes);
        if let MeshSource::World(..) = source {
            return std::iter::once(Self::Comparison).chain(changes).collect();
        }
        let mut jobs: Vec<Self> = effort
            .merge_factors
            .iter()
            .copied()
            .map(Self::Grid)
            .collect();
        jobs.push(Self::Memory);
        jobs.extend(effort.length_factors.iter().copied().map(Self::Lengths));
        jobs.extend([Self::Pccp, Self::Weights, Self::Comparison]);
        jobs.extend(changes);
        let name = source.name();
        if has_example || SIZES.iter().any(|known| known.0 == name) {
            jobs.push(Self::Batches);
            if has_device {
                jobs.push(Self::DeviceBatches);
            }
        }
        let is_timed = MA_HNA_TIMES.iter().any(|known| known.scene == name);
        if has_device && (has_example || is_timed) {
            let factors = effort.merge_factors.iter().copied();
            let factors = factors.filter(|mu| DEVICE_FACTORS.contains(mu));
            jobs.extend(factors.map(Self::DeviceConnects));
        }
        if has_example {
            jobs.push(Self::Example);
        }
        jobs
    }

    /// Returns the key of the job in the journal.
    pub(crate) fn key(self, scene: &str) -> String {
        match self {
            Self::Grid(mu) => format!("grid {mu} {scene}"),
            Self::Lengths(mu) => format!("lengths {mu} {scene}"),
            Self::Memory => format!("memory {scene}"),
            Self::Pccp => format!("pccp {scene}"),
            Self::Weights => format!("weights {scene}"),
            Self::Example => format!("example {scene}"),
            Self::Comparison => format!("beyond {scene}"),
            Self::Batches => format!("batches {scene}"),
            Self::Changes => format!("changes {scene}"),
            Self::DeviceBatches => format!("device batches {scene}"),
            Self::DeviceConnects(mu) => format!("device connects {mu} {scene}"),
        }
    }

    /// Runs the job.
    pub(crate) fn run(
        self,
        loaded: &LoadedMesh,
        effort: &ReportEffort,
        device: Option<&Device>,
    ) -> Result<Cell, ReportError> {
        let device = || device.expect("jobs of a device are listed only if there is one");
        let bench = SceneBench {
            loaded,
            effort,
            queries: distant_queries(&loaded.mesh, effort.queries, effort.seed),
        };
        Ok(match self {
            Self::Grid(mu) => Cell::Grid(bench.grid(mu)?),
            Self::Memory => Cell::Memory(bench.memory()?),
            Self::Lengths(mu) => Cell::Lengths(bench.lengths(mu)?),
            Self::Pccp => Cell::Pccp(bench.pccp()?),
            Self::Weights => Cell::Weights(bench.weights()?),
            Self::Example => Cell::Example(bench.example()?),
            Self::Comparison => Cell::Comparison(Box::new(bench.comparison()?)),
            Self::Batches => Cell::Batches(bench.batches()?),
            Self::Changes => Cell::Changes(Box::new(bench.changes()?)),
            Self::DeviceBatches => Cell::DeviceBatches(bench.device_batches(device())?),
            Self::DeviceConnects(mu) => Cell::DeviceConnects(bench.device_connects(mu, device())?),
        })
    }
}

/// A navmesh and the queries that are measured on it.
struct SceneBench<'a> {
    loaded: &'a LoadedMesh,
    effort: &'a ReportEffort,
    queries: Vec<[Vec3; 2]>,
}

/// The settings of the index that a job builds.
#[derive(Clone, Copy)]
struct IndexSettings {
    mu: u32,
    max_levels: u32,
    weights: Weights,
    model: CostModel,
    tables: bool,
    tiers: &'static [Tier],
}

impl IndexSettings {
    fn new(mu: u32, max_levels: u32) -> Self {
        Self {
            mu,
            max_levels,
            weights: Weights::Balanced,
            model: CostModel::Portals,
            tables: true,
            tiers: &[],
        }
    }

    fn without_tables(self) -> Self {
        Self {
            tables: false,
            ..self
        }
    }
}

impl SceneBench<'_> {
    fn scene(&self) -> String {
        self.loaded.cell.scene.clone()
    }

    /// Returns the maximum number of levels for this navmesh.
    fn max_levels(&self) -> u32 {
        if self.loaded.mesh.polygon_count() > LARGE_POLYGONS {
            self.effort.max_levels.min(3)
        } else {
            self.effort.max_levels
        }
    }

    /// Builds an index over the navmesh.
    fn world(&self, index: IndexSettings) -> Result<World, ReportError> {
        let seed = self.effort.seed;
        let partition = PartitionOptions {
            merge_factor: index.mu,
            max_levels: index.max_levels,
            seed,
            weights: index.weights,
        };
        let tables = TableOptions {
            top: if index.tables {
                Level(u8::MAX)
            } else {
                Level(0)
            },
            centres: index.tables,
        };
        let options = IndexOptions {
            graph: GraphOptions {
                cost_model: index.model,
                ..GraphOptions::default()
            },
            tiers: index.tiers.to_vec(),
            order: OrderOptions {
                seed,
                ..OrderOptions::default()
            },
            hierarchy: Some(HierarchyOptions { partition, tables }),
            ..IndexOptions::default()
        };
        let built = build(self.loaded.mesh.clone(), &options, &no_progress);
        built.map_err(|error| ReportError::Index {
            scene: self.scene(),
            mu: index.mu,
            error,
        })
    }
}

/// Returns the build time of some stages of a world. [Units: ms]
fn stages_ms(world: &World, stages: &[Stage]) -> f64 {
    let times = world.report().times.unwrap_or_default();
    stages.iter().map(|&stage| times.of(stage)).sum()
}
