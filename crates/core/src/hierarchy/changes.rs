//! Intra-edges of a hierarchy whose costs change at run time.
//!
//! A change of a cell changes the paths through the nodes that contain it, one per level, and no others. These nodes are
//! marked, and the paths through a marked node are computed again when a query first needs them, each level from the
//! level below. So a change costs next to nothing while nobody uses the hierarchy, and several changes in the same
//! node cost as much as one. The result is that of a metric made from scratch, bit by bit, because it is
//! computed in the same way from the same costs.
//!
//! Connect tables are not computed again: at the higher levels that takes as long as many queries. In a marked node, a query connects
//! with one Dijkstra search instead.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::metric::{LowerCosts, LowerLevel, Metric, TreeBuffers};
use super::path_table::PathTable;
use super::{Cliques, Hierarchy};
use crate::ids::{Level, NodeId};
use crate::paged::Paged;

/// What has changed since the arrays of a [`Metric`] were computed. A clone shares everything.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MetricChanges {
    /// The costs of the arcs of all cells before the changes.
    arcs: Arc<Cliques>,
    /// The costs of the arcs of cells that changed.
    cells: Paged<Option<Arc<[f32]>>>,
    /// Per level from level 1 on, the nodes that contain a changed cell.
    levels: Vec<Paged<Option<Arc<ChangedNode>>>>,
    /// Per level from level 1 on, the node of each node of the level below.
    parents: Arc<[Vec<NodeId>]>,
    buffers: Arc<BufferPool>,
}

/// A node that contains a changed cell.
#[derive(Debug, Default, PartialEq)]
struct ChangedNode {
    /// The paths through the node, once a query has needed them. Versions of the metric share them until the node changes again:
    /// everything in the node is the same in all of these versions.
    paths: OnceLock<NodePaths>,
}

/// The intra-edges of one node, in the layout of [`IntraEdges`](super::metric::IntraEdges).
#[derive(Debug, PartialEq)]
struct NodePaths {
    costs: Vec<f32>,
    trees: Vec<u32>,
}

/// One tree of a node.
pub(super) enum TreeRow<'a> {
    Unchanged(&'a PathTable, usize),
    Changed(&'a [u32]),
}

impl TreeRow<'_> {
    /// Returns the index of the predecessor of an inter-edge of the level below.
    #[inline]
    pub(super) fn index(&self, index: usize) -> usize {
        match self {
            Self::Unchanged(table, row) => table.index(row + index),
            Self::Changed(row) => row[index] as usize,
        }
    }
}

/// Buffers for the threads that compute paths at the same time.
#[derive(Debug, Default)]
struct BufferPool(Mutex<Vec<TreeBuffers>>);

impl BufferPool {
    fn with<T>(&self, run: impl FnOnce(&mut TreeBuffers) -> T) -> T {
        let pool = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffers = pool().pop().unwrap_or_default();
        let result = run(&mut buffers);
        pool().push(buffers);
        result
    }
}

/// Buffers are no part of the value.
impl PartialEq for BufferPool {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Metric {
    /// Prepares the metric, which must have no changes, for [`after_changes`](Self::after_changes). `arcs` are the costs from
    /// which it was computed.
    pub(crate) fn changeable(&self, hierarchy: &Hierarchy, arcs: Cliques) -> Self {
        let partition = &hierarchy.partition;
        let parents = partition.levels().map(|level| {
            let below = hierarchy.level(Level(level.0 - 1)).node_count();
            super::parents(partition, level, below)
        });
        let changes = MetricChanges {
            arcs: Arc::new(arcs),
            cells: Paged::new(None),
            levels: vec![Paged::new(None); self.levels.len()],
            parents: parents.collect(),
            buffers: Arc::default(),
        };
        Self {
            changes: Some(Arc::new(changes)),
            ..self.clone()
        }
    }

    /// Returns the metric with other costs of the arcs of some cells.
    ///
    /// # Panics
    /// Panics if the metric is not [`changeable`](Self::changeable).
    pub(crate) fn after_changes(
        &self,
        hierarchy: &Hierarchy,
        cells: impl Iterator<Item = (NodeId, Vec<f32>)>,
    ) -> Self {
        let changes = self.changes.as_deref().expect("a changeable metric");
        let mut changes = changes.clone();
        for (cell, arcs) in cells {
            // Also a cell whose arcs cost the same is marked: the leg between its centre and its only vertex may not.
            changes.cells.set(cell.index(), Some(arcs.into()));
            for (level, nodes) in hierarchy.partition.levels().zip(&mut changes.levels) {
                let node = hierarchy.partition.node_of(level, cell.index());
                nodes.set(node.index(), Some(Arc::default()));
            }
        }
        Self {
            changes: Some(Arc::new(changes)),
            ..self.clone()
        }
    }

    /// Returns whether costs have changed at run time since the [tables](Self::level_table) were computed.
    pub fn is_changed(&self) -> bool {
        let changes = self.changes.as_ref();
        changes.is_some_and(|changes| !changes.cells.is_unchanged())
    }

    /// Returns whether a cost has changed inside a node, so that its connect table is out of date.
    #[inline]
    pub(crate) fn has_changed(&self, level: Level, node: NodeId) -> bool {
        let changes = self.changes.as_ref();
        changes.is_some_and(|changes| changes.node(level, node).is_some())
    }

    /// Returns the memory that changes need. [Units: bytes]
    pub(crate) fn change_bytes(&self) -> usize {
        let Some(changes) = &self.changes else {
            return 0;
        };
        let levels = changes.levels.iter().map(Paged::bytes).sum::<usize>();
        let parents = changes.parents.iter().map(|level| size_of_val(&level[..]));
        size_of_val(&changes.arcs.0[..]) + changes.cells.bytes() + levels + parents.sum::<usize>()
    }

    /// Returns the costs between all inter-edges of a node, row by row.
    #[inline]
    pub(super) fn matrix(&self, hierarchy: &Hierarchy, level: Level, node: NodeId) -> &[f32] {
        if level == Level(0) {
            let changes = self.changes.as_ref().expect("a changeable metric");
            return changes.arcs_of(hierarchy, node);
        }
        if let Some(paths) = self.changed_paths(hierarchy, level, node) {
            return &paths.costs;
        }
        let graph = hierarchy.level(level);
        let length = graph.of_node(node).len();
        self.level(level).costs(graph.row(node, 0), length * length)
    }

    /// Returns the costs from one inter-edge of a node, given by its index in the list of the node, to each of them.
    #[inline]
    pub(super) fn row(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        node: NodeId,
        index: u32,
    ) -> &[f32] {
        let graph = hierarchy.level(level);
        let length = graph.of_node(node).len();
        match self.changed_paths(hierarchy, level, node) {
            Some(paths) => &paths.costs[index as usize * length..][..length],
            None => self.level(level).costs(graph.row(node, index), length),
        }
    }

    /// Returns the tree of the paths from one inter-edge of a node, given by its index in the list of the node.
    #[inline]
    pub(super) fn trees(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        node: NodeId,
        index: u32,
    ) -> TreeRow<'_> {
        let graph = hierarchy.level(level);
        match self.changed_paths(hierarchy, level, node) {
            Some(paths) => {
                let length = graph.inner(node).len();
                TreeRow::Changed(&paths.trees[index as usize * length..][..length])
            }
            None => TreeRow::Unchanged(&self.level(level).0, graph.tree_row(node, index)),
        }
    }

    /// Returns the paths through a node that has changed. They are computed if they are needed for the first time.
    #[inline]
    fn changed_paths(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        node: NodeId,
    ) -> Option<&NodePaths> {
        let changes = self.changes.as_deref()?;
        let changed = changes.node(level, node)?;
        Some(changed.paths.get_or_init(|| {
            let below = Level(level.0 - 1);
            let lower = LowerLevel {
                graph: hierarchy.level(below),
                costs: LowerCosts::Changed(self, hierarchy, below),
                parents: &changes.parents[level.above_ground()],
            };
            let graph = hierarchy.level(level);
            let (costs, trees) = changes
                .buffers
                .with(|buffers| lower.crossings(graph, node, buffers));
            NodePaths { costs, trees }
        }))
    }
}

impl MetricChanges {
    #[inline]
    fn node(&self, level: Level, node: NodeId) -> Option<&ChangedNode> {
        let nodes = &self.levels[level.above_ground()];
        nodes.at(node.index()).as_deref()
    }

    /// Returns the costs of the arcs of a cell, row by row.
    fn arcs_of(&self, hierarchy: &Hierarchy, cell: NodeId) -> &[f32] {
        if let Some(arcs) = self.cells.at(cell.index()) {
            return arcs;
        }
        let ground = hierarchy.level(Level(0));
        let (start, length) = (ground.row(cell, 0), ground.of_node(cell).len());
        &self.arcs.0[start..start + length * length]
    }
}
