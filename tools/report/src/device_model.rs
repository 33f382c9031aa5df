//! The measurements on a device, as `report.json` stores them.

use serde::{Deserialize, Serialize};

use crate::batch_model::BatchCell;
use crate::model::Timing;

/// The measurements of `--gpu`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceRun {
    /// The name of the adapter.
    pub adapter: String,
    /// Whether the adapter runs on the CPU, so that its speed says nothing about graphics cards.
    pub is_emulated: bool,
    /// The batches, per scene.
    pub batches: Vec<DeviceBatches>,
    /// Single queries by HNA* that connects on the device, per scene, merge factor and level.
    pub connects: Vec<DeviceConnect>,
}

/// The batches of a device on one scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceBatches {
    /// The times. The costs and statuses of answers are compared with those of the same batch on the CPU.
    pub times: BatchCell,
    /// What is known only of devices, per engine of `times`.
    pub engines: Vec<DeviceEngine>,
}

/// What an engine did on a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceEngine {
    /// The number of agents of the largest batch that the CPU answered instead.
    pub fallbacks: usize,
    /// The reason why the device stopped; `None` if it did not.
    pub failure: Option<String>,
    /// The number of agents whose kernels were counted.
    pub counted_agents: usize,
    /// What the kernels did for these agents.
    pub kernels: Vec<KernelWork>,
}

/// What all invocations of a kernel did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelWork {
    /// The name of the kernel.
    pub kernel: String,
    /// The number of words of 4 bytes that were read from the graph, the index and its tables.
    pub index_words: u64,
    /// The number of words that were read from the arrays of agents.
    pub own_words: u64,
    /// The number of words that were written.
    pub written_words: u64,
    /// The number of operations.
    pub operations: u64,
    /// The number of operations if 32 consecutive invocations take as long as the longest of them.
    pub lockstep_operations: u64,
}

/// Single queries by HNA* that connects start and goal on a device, one query at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceConnect {
    /// The name of the scene.
    pub scene: String,
    /// The merge factor.
    pub mu: u32,
    /// The level.
    pub level: u8,
    /// The mean number of portals of the start node and the goal node together.
    pub portals_mean: f64,
    /// The time of all steps, from the query on the CPU to the path on the CPU.
    pub time: Timing,
    /// The mean time of the connect step, measured in rounds of its own. [Units: µs]
    pub connect_us: f64,
    /// The number of queries whose status or cost differs from that of the same query on the CPU.
    pub mismatches: usize,
    /// The number of queries that the CPU answered instead.
    pub fallbacks: usize,
}

/// The result of one job on a device, which the journal saves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeviceConnects {
    pub(crate) cells: Vec<DeviceConnect>,
}

impl DeviceRun {
    /// Returns the name of the adapter and whether it is emulated, as every figure and table of the device says it.
    pub(crate) fn label(&self) -> String {
        match self.is_emulated {
            true => format!("{}, emulated on the CPU", self.adapter),
            false => self.adapter.clone(),
        }
    }

    /// Returns the label of a curve: the name without what is in brackets, and whether the device is emulated.
    pub(crate) fn short_label(&self) -> String {
        let name = self.adapter.split(" (").next().unwrap_or_default();
        match self.is_emulated {
            true => format!("{name}, emulated on the CPU"),
            false => name.to_owned(),
        }
    }

    /// Returns a sentence about the meaning of times; empty for a real device.
    pub(crate) fn warning(&self) -> &'static str {
        match self.is_emulated {
            true => {
                " This device is emulated on the CPU: its answers count, and its times say nothing about graphics cards."
            }
            false => "",
        }
    }

    /// Returns the queries of a scene at a level, by ascending merge factor.
    pub(crate) fn connects_at<'a>(
        &'a self,
        scene: &'a str,
        level: u8,
    ) -> impl Iterator<Item = &'a DeviceConnect> {
        self.connects
            .iter()
            .filter(move |cell| cell.scene == scene && cell.level == level)
    }
}
