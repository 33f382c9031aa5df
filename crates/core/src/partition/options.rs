//! Options for merging the polygons of a mesh into nodes.

/// The options of `portolan_index::partition`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionOptions {
    /// The approximate number of nodes of one level that are merged into one node of the next: mu in the
    /// HNA* papers. [Limit: 2..=1000] [Units: nodes] [Default: 15] A larger factor gives fewer nodes with
    /// more inter-edges each. Then searches at higher levels are shorter, connecting start and goal takes
    /// longer, and the memory per node grows with the square of its inter-edges.
    pub merge_factor: u32,
    /// The maximum number of levels above the polygons. [Limit: 0..=16] [Units: levels] [Default: 3] There
    /// are fewer if no nodes are left to merge. Each level takes time and memory to build. Levels with only
    /// a few nodes do not make searches shorter.
    pub max_levels: u32,
    /// The seed of METIS and of random weights. [Default: 0] Another seed gives another partition of
    /// similar quality.
    pub seed: u64,
    /// The weights by which nodes are balanced and cut. [Default: balanced]
    pub weights: Weights,
}

/// The weights of polygons and portals. All but the first give worse partitions; they exist to reproduce
/// Pelechano and Fuentes 2016, figure 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weights {
    /// Every polygon and every portal weighs 1: nodes have about the same number of polygons, and few
    /// portals between them.
    #[default]
    Balanced,
    /// Every polygon has a random weight from 1 to 100, so nodes have different numbers of polygons.
    RandomNodes,
    /// Every pair of neighbouring polygons has a random weight from 1 to 100 times the number of its
    /// portals, so there are more portals between nodes.
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
