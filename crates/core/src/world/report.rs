//! How a world was built: what was asked for, and how long each stage took.

use super::World;
use crate::partition::PartitionOptions;
use crate::query::Tier;

/// A stage of building a world, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The polygons are merged into nodes and numbered by them.
    Partition,
    /// The portal graph.
    Graph,
    /// Inter-edges and intra-edges.
    Hierarchy,
    /// The connect tables.
    Tables,
    /// The order in which the fast tier's vertices are contracted.
    Order,
    /// The fast tier's arcs, and what they cost the default profile.
    Contraction,
    /// The hub labels.
    Labels,
    /// How dense the samples of taut tiers are to be.
    Samples,
    /// The default tier: graph, order, arcs and costs.
    DefaultTier,
    /// The best tier: graph, order, arcs and costs.
    BestTier,
}

impl Stage {
    /// All stages, in the order in which they run.
    pub const ALL: [Self; 10] = [
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
    ];

    /// The name in messages.
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
            Self::DefaultTier => "tier default",
            Self::BestTier => "tier best",
        }
    }

    /// The stages that make a tier, without the graph of the fast tier, which all engines share. Taut
    /// tiers share [`Samples`](Self::Samples).
    pub fn of_tier(tier: Tier) -> &'static [Self] {
        match tier {
            Tier::Fast => &[Self::Order, Self::Contraction],
            Tier::Default => &[Self::Samples, Self::DefaultTier],
            Tier::Best => &[Self::Samples, Self::BestTier],
        }
    }
}

/// How long each stage took; 0 for a stage that did not run. [Units: ms]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BuildTimes {
    millis: [f64; Stage::ALL.len()],
}

impl BuildTimes {
    /// Times in the order of [`Stage::ALL`]. `None` where one is no time: negative, infinite or NaN.
    pub fn from_millis(millis: [f64; Stage::ALL.len()]) -> Option<Self> {
        let is_time = |&millis: &f64| millis.is_finite() && millis >= 0.0;
        millis.iter().all(is_time).then_some(Self { millis })
    }

    /// The times in the order of [`Stage::ALL`].
    pub fn millis(&self) -> &[f64; Stage::ALL.len()] {
        &self.millis
    }

    /// How long a stage took.
    pub fn of(&self, stage: Stage) -> f64 {
        self.millis[stage as usize]
    }

    /// How long the [stages of a tier](Stage::of_tier) took.
    pub fn of_tier(&self, tier: Tier) -> f64 {
        Stage::of_tier(tier)
            .iter()
            .map(|&stage| self.of(stage))
            .sum()
    }

    /// All stages together.
    pub fn total(&self) -> f64 {
        self.millis.iter().sum()
    }

    /// Adds to the time of a stage.
    pub fn add(&mut self, stage: Stage, millis: f64) {
        self.millis[stage as usize] += millis;
    }
}

/// What the builder of a world was asked for beyond what the world itself shows, and how long it
/// took. The default, of which nothing is known, is that of a world assembled by hand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BuildReport {
    /// How the polygons were to be merged into the nodes of the hierarchy.
    pub partition: Option<PartitionOptions>,
    /// The seed of the contraction orders.
    pub order_seed: u64,
    /// How long the stages took. `None` where it was not measured, or is left out so that files of the
    /// same input are the same bytes.
    pub times: Option<BuildTimes>,
}

impl World {
    /// How this world was built. An index file keeps it.
    pub fn report(&self) -> &BuildReport {
        &self.report
    }

    /// Replaces the report.
    pub fn with_report(self, report: BuildReport) -> Self {
        Self { report, ..self }
    }
}
