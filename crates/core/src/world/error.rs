//! Why parts do not make a world.

use crate::graph::GraphOptions;
use crate::hierarchy::HierarchyError;
use crate::query::Tier;

/// Why [`World::new`](crate::World::new) or one of the `with_` methods refuses its parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The mesh can have no such graph.
    #[error(
        "samples {}: take 1 to 64 samples each or p1 to p100, at most 2^30 in all, and one each with the \
         published cost model",
        .0.samples
    )]
    Graph(GraphOptions),
    /// The order of a contraction is none.
    #[error(
        "the order has {found} entries: it must name each of the graph's {expected} vertices once"
    )]
    Order {
        /// Entries of the order.
        found: usize,
        /// Vertices of the graph.
        expected: usize,
    },
    /// A tier that has no graph of its own.
    #[error("the tier {0} has the world's own graph: add it by `World::with_contraction`")]
    NotTaut(Tier),
    /// The graph of a taut tier was made with other options.
    #[error("the graph of a taut tier is made with `World::taut_graph_options`")]
    TautGraph {
        /// The options of the graph.
        found: GraphOptions,
        /// What they must be.
        expected: GraphOptions,
    },
    /// The graph of a taut tier has not the size of a graph of the world's mesh.
    #[error("this graph is that of another mesh: make one of `World::mesh`")]
    OtherMesh,
    /// The partition is of another mesh, or makes too large a hierarchy.
    #[error(transparent)]
    Hierarchy(#[from] HierarchyError),
    /// The watcher stopped it.
    #[error("stopped")]
    Stopped,
}
