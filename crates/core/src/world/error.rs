//! The errors of assembling a world.

use crate::exact::ExactError;
use crate::graph::GraphOptions;
use crate::hierarchy::HierarchyError;
use crate::query::Tier;

/// The reason why [`World::new`](crate::World::new) or one of the `with_` methods rejects its input.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The graph options are invalid, or the graph would be too large.
    #[error(
        "the samples {} are invalid: use 1 to 64 per portal or p1 to p100, at most 2^30 in total, and one per \
         portal with the published cost model",
        .0.samples
    )]
    Graph(GraphOptions),
    /// The order of a contraction is not a permutation of the vertices.
    #[error(
        "the order has {found} entries: it must contain each of the {expected} vertices of the graph exactly once"
    )]
    Order {
        /// The number of entries of the order.
        found: usize,
        /// The number of vertices of the graph.
        expected: usize,
    },
    /// The order makes the elimination tree too deep.
    #[error(
        "the order makes a contraction of depth {found}, and the limit is {limit}: use an order by nested dissection"
    )]
    Depth {
        /// The number of vertices on the longest chain.
        found: usize,
        /// The limit.
        limit: usize,
    },
    /// The tier is not taut: it has no graph of its own.
    #[error("the tier {0} uses the world's own graph: add it with `World::with_contraction`")]
    NotTaut(Tier),
    /// The graph of a taut tier was built with the wrong options.
    #[error(
        "the graph of a taut tier has the wrong options: build it with `World::taut_graph_options`"
    )]
    TautGraph {
        /// The options of the given graph.
        found: GraphOptions,
        /// The options that the tier requires.
        expected: GraphOptions,
    },
    /// The size of the graph of a taut tier does not match the world's mesh.
    #[error("this graph belongs to another mesh: build it from `World::mesh`")]
    OtherMesh,
    /// The exact tier cannot be built.
    #[error("this world has no exact tier: {0}")]
    Exact(ExactError),
    /// The partition belongs to another mesh, or the hierarchy would be too large.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// The progress callback stopped the work.
    #[error("stopped")]
    Stopped,
}
