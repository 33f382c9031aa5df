//! How a navmesh is merged into nodes.

#[cfg(feature = "metis")]
use portolan_core::MAX_LEVELS;

use crate::PartitionFailure;

/// Options of a [partition](crate::partition).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionOptions {
    /// Nodes of one level that are merged into one of the next, about: the papers' mu. [Limit:
    /// 2..=1000] [Units: nodes] [Default: 15] More gives fewer nodes with more inter-edges each, so
    /// searches above are shorter and connecting start and goal takes longer; what is stored per
    /// node grows with the square of its inter-edges.
    pub merge_factor: u32,
    /// Most levels above the polygons. [Limit: 0..=16] [Units: levels] [Default: 3] There are fewer
    /// where nothing is left to merge. Each costs its time and memory, and the last ones, of a few
    /// nodes, shorten no search.
    pub max_levels: u32,
    /// Where METIS begins, and what random weights are drawn from. [Default: 0] Another seed gives
    /// another partition, about as good.
    pub seed: u64,
    /// What is balanced, and what is cut as little as possible.
    pub weights: Weights,
}

/// What a polygon and a portal count for. All but the first are worse, and show by how much
/// (Pelechano and Fuentes, figure 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Weights {
    /// 1 each: nodes hold about the same number of polygons, and few portals lie between them.
    #[default]
    Balanced,
    /// Every polygon counts for a random number from 1 to 100, so nodes hold different numbers of
    /// them.
    RandomNodes,
    /// Every pair of neighbouring polygons counts for a random number from 1 to 100 times its
    /// portals, so more portals lie between nodes.
    RandomEdges,
}

impl Default for PartitionOptions {
    fn default() -> Self {
        Self {
            merge_factor: 15,
            max_levels: 3,
            seed: 0,
            weights: Weights::Balanced,
        }
    }
}

/// Options of an [order](crate::order()).
///
/// `cargo bench -p portolan-index --features metis --bench orders` compares them. From 12 000 polygons on, inertial
/// flow gives 8 to 18% fewer arcs than METIS, and a quarter to two fifths fewer on the chains of
/// queries. More separators bring METIS about halfway there at best, and are worth little to flows but
/// on `rooms`. Orders by the nodes of HNA*, which the bench has too, are worse than either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderOptions {
    /// What parts the world.
    pub method: OrderMethod,
    /// Separators to choose from, wherever a thousand polygons (METIS: 2000 portals) or more are
    /// parted. [Limit: 1..=100] [Default: 1] Each takes as long as the first.
    pub separators: u32,
    /// What ties are broken by. [Default: 0] Another seed gives another order, about as good.
    pub seed: u64,
}

/// What parts a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OrderMethod {
    /// Inertial flow: the lightest cut between polygons that lie far apart. On all cores.
    #[default]
    Flow,
    #[cfg(feature = "metis")]
    /// METIS's nested dissection, which looks at the graph and not at where things lie. On one core.
    Metis,
}

impl Default for OrderOptions {
    fn default() -> Self {
        Self {
            method: OrderMethod::Flow,
            separators: 1,
            seed: 0,
        }
    }
}

impl OrderOptions {
    /// Checks every value against its limits.
    pub(crate) fn check(&self) -> Result<(), PartitionFailure> {
        within("separators", self.separators, 1, 100)
    }
}

fn within(name: &'static str, value: u32, least: u32, most: u32) -> Result<(), PartitionFailure> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(PartitionFailure::Option {
        name,
        value,
        least,
        most,
    })
}

#[cfg(feature = "metis")]
impl PartitionOptions {
    /// Checks every value against its limits.
    pub(crate) fn check(&self) -> Result<(), PartitionFailure> {
        within("merge_factor", self.merge_factor, 2, 1000)?;
        within("max_levels", self.max_levels, 0, MAX_LEVELS as u32)
    }
}
