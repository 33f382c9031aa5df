//! Levels above a graph: inter-edges between the nodes of each, intra-edges through them.
//!
//! HNA* by Pelechano and Fuentes builds this over a navmesh. Here it stands on anything of this shape:
//! cells, each a clique of vertices with directed costs, and every vertex in exactly two cells. The
//! portal graph has it: cells are polygons and off-mesh links, vertices the samples of portals and
//! the ends of links. Any directed graph has it too, with its vertices as cells and its edges as
//! the vertices between them.
//!
//! Who lies where is [`Hierarchy`], the same for every agent. What crossing a node costs one kind of
//! agent, and the way through it, is [`Metric`].
//!
//! # Why it is exact
//! Two things are asked of a cell: its vertices are in no third cell, and the direct arc from one
//! to another is never dearer than a detour over a third. Then a cheapest way that enters a cell
//! leaves it by one arc on the other side of a vertex, so that a search goes on from a vertex to the
//! cell *beyond* it only. Nodes of any level have both properties again, with their inter-edges as
//! vertices and cheapest ways inside as arcs; so a level is built from the one below as if that were
//! the graph itself, and a cheapest way over inter-edges is a cheapest way.

mod centres;
mod level;
mod metric;
mod overlay;
mod path_table;
mod portals;
mod table;

use crate::ids::{Level, NodeId};
use crate::partition::Partition;

pub use level::{InterEdge, InterEdgeSide, LevelGraph};
pub use metric::{Cliques, IntraEdge, IntraEdgeId, Metric};
pub use overlay::{OverlayEndpoints, OverlayStep};
pub use path_table::PathTable;
pub use table::ConnectTable;
pub(crate) use table::Connects;

/// A partition with the inter-edges of every level. Immutable; costs are apart from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    partition: Partition,
    /// From level 0 on, whose nodes are the cells and whose inter-edges are all vertices.
    levels: Vec<LevelGraph>,
}

/// Which connecting paths are calculated beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOptions {
    /// Tables for the levels up to this one; 0 makes none. [Default: all levels] A table grows with
    /// the polygons times the inter-edges of their nodes, so those of high levels are the large ones.
    pub top: Level,
    /// Whether they have rows for the centres of polygons, which
    /// [`Engine::Pccp`](crate::Engine::Pccp) needs. [Default: true]
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
    /// The levels that have tables.
    fn levels(&self, hierarchy: &Hierarchy) -> impl ExactSizeIterator<Item = Level> {
        hierarchy.partition.levels().take(usize::from(self.top.0))
    }
}

/// Why there is no hierarchy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HierarchyError {
    /// The partition is of other cells.
    #[error("the partition has {found} cells, the graph {expected}")]
    Cells {
        /// Cells of the partition.
        found: usize,
        /// Cells of the graph.
        expected: usize,
    },
    /// Nodes have so many inter-edges that the intra-edges between them fill the memory.
    #[error(
        "level {level} has {intra_edges} intra-edges or steps of their ways, more than \
         {MAX_INTRA_EDGES}; take a smaller merge factor or fewer levels"
    )]
    TooLarge {
        /// The level.
        level: Level,
        /// Pairs of inter-edges of a node, or of one with what the node holds.
        intra_edges: usize,
    },
    /// Connect tables would fill the memory.
    #[error(
        "the connect table of level {level} has {entries} entries, more than {MAX_INTRA_EDGES}; make \
         tables for fewer levels"
    )]
    TablesTooLarge {
        /// The level.
        level: Level,
        /// Pairs of a vertex and an inter-edge of its node.
        entries: usize,
    },
}

/// The most intra-edges that a level may have, and the most steps of their ways: 16 GiB of costs and
/// half as much of ways.
pub const MAX_INTRA_EDGES: usize = 1 << 32;

impl Hierarchy {
    /// The hierarchy of a graph. Vertex `v` lies in the cells `sides[v]`, which are two.
    ///
    /// # Panics
    /// When a cell does not exist, or a vertex has the same on both sides.
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

    /// Who lies where.
    pub fn partition(&self) -> &Partition {
        &self.partition
    }

    /// The highest level.
    pub fn top(&self) -> Level {
        self.partition.top()
    }

    /// One level.
    ///
    /// # Panics
    /// When it does not exist.
    #[inline]
    pub fn level(&self, level: Level) -> &LevelGraph {
        &self.levels[usize::from(level.0)]
    }

    /// Refuses tables that would fill the memory.
    pub(crate) fn check_tables(&self, options: &TableOptions) -> Result<(), HierarchyError> {
        for level in options.levels(self) {
            let graph = self.level(level);
            let cells = self.level(Level(0)).inter_edges().iter();
            let entries = cells.flat_map(|vertex| {
                let nodes = vertex
                    .sides
                    .map(|end| self.partition.node_of(level, end.node.index()));
                let twice = if nodes[0] == nodes[1] { 1 } else { 2 };
                nodes.into_iter().take(twice)
            });
            let entries = entries.map(|node| graph.of_node(node).len()).sum();
            if entries > MAX_INTRA_EDGES {
                return Err(HierarchyError::TablesTooLarge { level, entries });
            }
        }
        Ok(())
    }

    /// Bytes on the heap.
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

/// Per node of the level below, its node at `level`.
fn parents(partition: &Partition, level: Level, below: usize) -> Vec<NodeId> {
    let mut parents = vec![NodeId(0); below];
    for (cell, &parent) in partition.nodes(level).iter().enumerate() {
        parents[partition.node_of(Level(level.0 - 1), cell).index()] = parent;
    }
    parents
}
