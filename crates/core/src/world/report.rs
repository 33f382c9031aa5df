//! How a world was built: options that nothing else in the world records, and the time of each stage.

use super::World;
use crate::partition::PartitionOptions;
use crate::query::Tier;

/// A stage of building a world, in the order in which progress bars show the stages. The hierarchy and its tables
/// are built at the same time as the taut tiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Merging polygons into nodes, and numbering polygons by node.
    Partition,
    /// Building the portal graph.
    Graph,
    /// Computing inter-edges and intra-edges.
    Hierarchy,
    /// Computing the connect tables.
    Tables,
    /// Computing the contraction order of the fast tier.
    Order,
    /// Building the arcs of the fast tier and customizing them for the default profile.
    Contraction,
    /// Computing the hub labels.
    Labels,
    /// Choosing the sample density of the taut tiers.
    Samples,
    /// Building the default tier: graph, order, arcs and costs.
    DefaultTier,
    /// Building the best tier: graph, order, arcs and costs.
    BestTier,
    /// Building the exact tier: corners, tangents and labels.
    ExactTier,
}

impl Stage {
    /// All stages, in the order in which they run.
    pub const ALL: [Self; 11] = [
        Self::Partition,
        Self::Graph,
        Self::Hierarchy,
        Self::Tables,
        Self::Order,
        Self::Contraction,
        Self::Labels,
        Self::Samples,
        Self::DefaultTier,
        Self::BestTier,
        Self::ExactTier,
    ];

    /// Returns the name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Partition => "partition",
            Self::Graph => "graph",
            Self::Hierarchy => "hierarchy",
            Self::Tables => "tables",
            Self::Order => "order",
            Self::Contraction => "contraction",
            Self::Labels => "labels",
            Self::Samples => "samples",
            Self::DefaultTier => "default tier",
            Self::BestTier => "best tier",
            Self::ExactTier => "exact tier",
        }
    }

    /// Returns the stages that build a tier. The graph of the fast tier is not included, because all
    /// engines share it. The taut tiers share [`Samples`](Self::Samples).
    pub fn of_tier(tier: Tier) -> &'static [Self] {
        match tier {
            Tier::Fast => &[Self::Order, Self::Contraction],
            Tier::Default => &[Self::Samples, Self::DefaultTier],
            Tier::Best => &[Self::Samples, Self::BestTier],
            Tier::Exact => &[Self::ExactTier],
        }
    }
}

/// The time of each stage; 0 for a stage that did not run. [Units: ms] The hierarchy and the taut tiers are built
/// at the same time, so the sum can exceed the time of the whole build.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuildTimes {
    millis: [f64; Stage::ALL.len()],
}

impl BuildTimes {
    /// Creates times from milliseconds in the order of [`Stage::ALL`]. Returns `None` if a value is
    /// negative, infinite or NaN.
    pub fn from_millis(millis: [f64; Stage::ALL.len()]) -> Option<Self> {
        let is_time = |&millis: &f64| millis.is_finite() && millis >= 0.0;
        millis.iter().all(is_time).then_some(Self { millis })
    }

    /// Returns the times in the order of [`Stage::ALL`]. [Units: ms]
    pub fn millis(&self) -> &[f64; Stage::ALL.len()] {
        &self.millis
    }

    /// Returns the time of a stage. [Units: ms]
    pub fn of(&self, stage: Stage) -> f64 {
        self.millis[stage as usize]
    }

    /// Returns the total time of the [stages of a tier](Stage::of_tier). [Units: ms]
    pub fn of_tier(&self, tier: Tier) -> f64 {
        Stage::of_tier(tier)
            .iter()
            .map(|&stage| self.of(stage))
            .sum()
    }

    /// Returns the total time of all stages. [Units: ms]
    pub fn total(&self) -> f64 {
        self.millis.iter().sum()
    }

    /// Adds milliseconds to the time of a stage.
    pub fn add(&mut self, stage: Stage, millis: f64) {
        self.millis[stage as usize] += millis;
    }
}

/// How a world was built: options that nothing else in the world records, and the time of each stage. A world
/// that was assembled by hand has the default report, which is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// The options with which the polygons were merged into the nodes of the hierarchy.
    pub partition: Option<PartitionOptions>,
    /// The random seed of the contraction orders.
    pub order_seed: u64,
    /// The time of each stage. `None` if it was not measured, or is omitted so that equal inputs give
    /// identical files.
    pub times: Option<BuildTimes>,
}

impl World {
    /// Returns how this world was built. Index files store the report.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Replaces the report.
    pub fn with_report(self, report: BuildReport) -> Self {
        Self { report, ..self }
    }
}
