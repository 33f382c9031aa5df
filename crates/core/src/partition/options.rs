//! How the polygons of a mesh are merged into nodes.

/// Options of a partition, which `portolan_index::partition` makes.
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
