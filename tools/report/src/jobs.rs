//! The jobs of a run: what is measured at a time.

mod beyond;
mod grid;
mod lengths;
mod memory;
mod pccp;
mod trade_off;
mod weights;

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
use crate::model::Cell;
use crate::options::Effort;
use crate::scenes::{Source, Subject};

/// Maps with more polygons have no more than three levels: the tables of higher ones grow with the
/// polygons times the inter-edges of their nodes.
const LARGE: usize = 50_000;

/// The merge factor and the level of the figures for which the papers name none: PCCP's lengths and
/// its memory.
pub(crate) const PCCP_AT: (u32, u8) = (10, 2);

/// Merge factor and level of figure 15 of Pelechano and Fuentes.
pub(crate) const WEIGHTS_AT: (u32, u8) = (6, 2);

/// The merge factor of the paths to look at.
pub(crate) const EXAMPLE_MU: u32 = 10;

/// Merge factors at which memory is counted.
pub(crate) const MEMORY_FACTORS: [u32; 3] = [5, 10, 20];

/// One thing to measure on a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Job {
    Grid(u32),
    Memory,
    Lengths(u32),
    Pccp,
    Weights,
    Example,
    Beyond,
}

impl Job {
    /// The jobs of one scene; paths to look at are found where they are shown. The papers have no
    /// worlds like ours, on which all engines are compared alone.
    pub(crate) fn all(effort: &Effort, source: &Source, is_shown: bool) -> Vec<Self> {
        if let Source::World(..) = source {
            return vec![Self::Beyond];
        }
        let mut jobs: Vec<Self> = effort
            .merge_factors
            .iter()
            .copied()
            .map(Self::Grid)
            .collect();
        jobs.push(Self::Memory);
        jobs.extend(effort.length_factors.iter().copied().map(Self::Lengths));
        jobs.extend([Self::Pccp, Self::Weights, Self::Beyond]);
        if is_shown {
            jobs.push(Self::Example);
        }
        jobs
    }

    /// What it is called in the journal.
    pub(crate) fn key(self, scene: &str) -> String {
        match self {
            Self::Grid(mu) => format!("grid {mu} {scene}"),
            Self::Lengths(mu) => format!("lengths {mu} {scene}"),
            Self::Memory => format!("memory {scene}"),
            Self::Pccp => format!("pccp {scene}"),
            Self::Weights => format!("weights {scene}"),
            Self::Example => format!("example {scene}"),
            Self::Beyond => format!("beyond {scene}"),
        }
    }

    /// Measures.
    pub(crate) fn run(self, subject: &Subject, effort: &Effort) -> Result<Cell, ReportError> {
        let bench = Bench {
            subject,
            effort,
            queries: distant_queries(&subject.mesh, effort.queries, effort.seed),
        };
        Ok(match self {
            Self::Grid(mu) => Cell::Grid(bench.grid(mu)?),
            Self::Memory => Cell::Memory(bench.memory()?),
            Self::Lengths(mu) => Cell::Lengths(bench.lengths(mu)?),
            Self::Pccp => Cell::Pccp(bench.pccp()?),
            Self::Weights => Cell::Weights(bench.weights()?),
            Self::Example => Cell::Example(bench.example()?),
            Self::Beyond => Cell::Beyond(Box::new(bench.beyond()?)),
        })
    }
}

/// A subject, and what it is asked.
struct Bench<'a> {
    subject: &'a Subject,
    effort: &'a Effort,
    queries: Vec<[Vec3; 2]>,
}

/// Which hierarchy.
#[derive(Clone, Copy)]
struct Index {
    mu: u32,
    max_levels: u32,
    weights: Weights,
    model: CostModel,
    tables: bool,
    tiers: &'static [Tier],
}

impl Index {
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

impl Bench<'_> {
    fn scene(&self) -> String {
        self.subject.cell.scene.clone()
    }

    /// The levels that are measured on this subject.
    fn max_levels(&self) -> u32 {
        if self.subject.mesh.polygon_count() > LARGE {
            self.effort.max_levels.min(3)
        } else {
            self.effort.max_levels
        }
    }

    fn world(&self, index: Index) -> Result<World, ReportError> {
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
        let built = build(self.subject.mesh.clone(), &options, &no_progress);
        built.map_err(|error| ReportError::Index {
            scene: self.scene(),
            mu: index.mu,
            error,
        })
    }
}

/// How long some stages of a world took. [Units: ms]
fn stages_ms(world: &World, stages: &[Stage]) -> f64 {
    let times = world.report().times.unwrap_or_default();
    stages.iter().map(|&stage| times.of(stage)).sum()
}
