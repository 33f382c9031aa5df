//! The levels of HNA* above a graph: inter-edges between the nodes of a level, and intra-edges through
//! them.
//!
//! HNA* (Pelechano and Fuentes 2016) builds this hierarchy over a navmesh. Here it works on any graph of
//! the following form: vertices are grouped into cells, each cell is a clique of its vertices with directed
//! costs, and every vertex is in exactly two cells. In the portal graph, cells are polygons and off-mesh
//! links, and vertices are the samples of portals and the ends of links. Any other directed graph can be
//! brought into this form as well: its vertices become cells, and its edges become the vertices between
//! them.
//!
//! [`Hierarchy`] describes nodes and inter-edges, which are the same for every agent. [`Metric`] stores the
//! cost and the path of each intra-edge for one kind of agent.
//!
//! # Why it is exact
//! A cell must fulfil two conditions: no vertex is in a third cell, and the direct arc between two vertices
//! never costs more than a detour over a third. Then a cheapest path that enters a cell leaves it by one
//! arc, and a search continues from a vertex only into the cell on the other side. The nodes of every level
//! fulfil both conditions too, with inter-edges as vertices and the cheapest paths inside as arcs. So each
//! level is built from the level below as if that were the graph itself, and a cheapest path over
//! inter-edges is a cheapest path of the graph.

mod centres;
mod changes;
mod level;
mod metric;
mod overlay;
mod path_table;
mod portals;
mod stored;
mod table;

use crate::ids::{Level, NodeId};
use crate::partition::Partition;

pub use level::{InterEdge, InterEdgeSide, LevelGraph};
pub use metric::{Cliques, IntraEdge, IntraEdgeId, Metric};
pub use overlay::{OverlayEndpoints, OverlayStep};
pub(crate) use overlay::{OverlayPath, OverlaySearch};
pub use path_table::PathTable;
pub(crate) use portals::CellCosts;
pub use table::ConnectTable;
pub(crate) use table::Connects;

/// A partition with the inter-edges of every level. It is immutable and contains no costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    partition: Partition,
    /// All levels from level 0 on. The nodes of level 0 are the cells, and its inter-edges are all
    /// vertices.
    levels: Vec<LevelGraph>,
}

/// Selects the connecting paths that are calculated in advance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// The highest level that gets a connect table. [Limit: 0 builds no tables] [Default: all levels] The
    /// size of a table grows with the number of polygons times the inter-edges per node, so the tables of
    /// high levels are the largest.
    pub top: Level,
    /// Whether tables have rows for the centres of polygons, which [`Engine::Pccp`](crate::Engine::Pccp)
    /// needs. [Default: true] Without them, the tables take less memory.
    pub centres: bool,
}

impl Default for TableOptions {
    fn default() -> Self {
        Self {
            top: Level(u8::MAX),
            centres: true,
        }
    }
}

impl TableOptions {
    /// Returns the levels that have tables.
    fn levels(&self, hierarchy: &Hierarchy) -> impl ExactSizeIterator<Item = Level> {
        hierarchy.partition.levels().take(usize::from(self.top.0))
    }
}

/// The reason why a hierarchy cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The partition and the graph have different numbers of cells.
    #[error(
        "the partition has {found} cells, and the graph has {expected}: partition the mesh of this graph"
    )]
    Cells {
        /// The number of cells of the partition.
        found: usize,
        /// The number of cells of the graph.
        expected: usize,
    },
    /// Nodes have so many inter-edges that the intra-edges between them would fill the memory.
    #[error(
        "level {level} has {intra_edges} intra-edges or steps of their paths, more than \
         {MAX_INTRA_EDGES}; use a smaller merge factor or fewer levels"
    )]
    TooLarge {
        /// The level.
        level: Level,
        /// The number of pairs of inter-edges of the same node, or of path steps, whichever is larger.
        intra_edges: usize,
    },
    /// The connect tables would fill the memory.
    #[error(
        "the connect table of level {level} has {entries} entries, more than {MAX_INTRA_EDGES}; build \
         tables for fewer levels"
    )]
    TablesTooLarge {
        /// The level.
        level: Level,
        /// The number of pairs of a vertex and an inter-edge of its node.
        entries: usize,
    },
}

/// The maximum number of intra-edges of a level, and of the steps of their paths. At the maximum, costs
/// take 16 GiB and the steps of paths half as much, or as much with wide indexes.
pub const MAX_INTRA_EDGES: usize = 1 << 32;

impl Hierarchy {
    /// Builds the hierarchy of a graph in which vertex `v` lies in the two cells `sides[v]`.
    ///
    /// # Panics
    /// Panics if a cell does not exist, or if both cells of a vertex are the same.
    pub fn new(sides: &[[u32; 2]], partition: Partition) -> Result<Self, HierarchyError> {
        let mut levels = vec![LevelGraph::from_cells(partition.cell_count(), sides)];
        check_size(Level(0), &levels[0])?;
        for level in partition.levels() {
            let below = levels.last().expect("level 0");
            let parents = parents(&partition, level, below.node_count());
            let above = LevelGraph::above(below, &parents, partition.node_count(level));
            check_size(level, &above)?;
            levels.push(above);
        }
        Ok(Self { partition, levels })
    }

    /// Returns the partition of the cells into nodes.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// Returns the highest level.
    pub fn top(&self) -> Level {
        self.partition.top()
    }

    /// Returns the nodes and inter-edges of a level.
    ///
    /// # Panics
    /// Panics if the level does not exist.
    #[inline]
    pub fn level(&self, level: Level) -> &LevelGraph {
        &self.levels[usize::from(level.0)]
    }

    /// Fails if the tables would fill the memory.
    pub(crate) fn check_tables(&self, options: &TableOptions) -> Result<(), HierarchyError> {
        for level in options.levels(self) {
            let graph = self.level(level);
            let cells = self.level(Level(0)).inter_edges().iter();
            let entries = cells.flat_map(|vertex| {
                let nodes = vertex
                    .sides
                    .map(|side| self.partition.node_of(level, side.node.index()));
                let count = if nodes[0] == nodes[1] { 1 } else { 2 };
                nodes.into_iter().take(count)
            });
            let entries = entries.map(|node| graph.of_node(node).len()).sum();
            if entries > MAX_INTRA_EDGES {
                return Err(HierarchyError::TablesTooLarge { level, entries });
            }
        }
        Ok(())
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        let levels = self.levels.iter().map(LevelGraph::bytes);
        self.partition.bytes() + levels.sum::<usize>()
    }
}

fn check_size(level: Level, graph: &LevelGraph) -> Result<(), HierarchyError> {
    let intra_edges = graph.intra_edge_count().max(graph.tree_entries());
    if intra_edges > MAX_INTRA_EDGES {
        return Err(HierarchyError::TooLarge { level, intra_edges });
    }
    Ok(())
}

/// Returns the node at `level` of each node of the level below.
fn parents(partition: &Partition, level: Level, below: usize) -> Vec<NodeId> {
    let mut parents = vec![NodeId(0); below];
    for (cell, &parent) in partition.nodes(level).iter().enumerate() {
        parents[partition.node_of(Level(level.0 - 1), cell).index()] = parent;
    }
    parents
}
