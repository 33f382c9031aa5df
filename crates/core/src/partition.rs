//! Nested levels over the cells of a graph: each level assigns every cell to a node.

mod options;
mod statistics;

pub use options::{PartitionOptions, Weights};
pub use statistics::{LevelStatistics, MinMeanMax, NodeStatistics};

use crate::array::Array;
use crate::ids::{Level, NodeId};

/// The maximum number of levels of a partition, not counting level 0.
pub const MAX_LEVELS: usize = 16;

/// A hierarchy of groups: cells (the polygons of a navmesh) are grouped into the nodes of level 1, these into
/// the nodes of level 2, and so on.
///
/// Invariants:
/// - The nodes of a level are numbered from 0 without gaps, and none is empty.
/// - Cells that share a node at one level share a node at every level above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    cells: usize,
    /// The levels from level 1 on.
    levels: Vec<LevelNodes>,
}

/// The nodes of one level.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LevelNodes {
    count: usize,
    /// The node of each cell.
    of: Array<NodeId>,
}

/// The reason why lists of nodes do not form a partition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// There are more than [`MAX_LEVELS`] levels.
    #[error("a partition has {0} levels, more than the maximum of {MAX_LEVELS}")]
    TooManyLevels(usize),
    /// A level assigns nodes to a different number of cells.
    #[error("level {level} of a partition has nodes for {found} cells, but there are {expected}")]
    Cells {
        /// The level.
        level: Level,
        /// The number of cells with a node.
        found: usize,
        /// The number of cells of the partition.
        expected: usize,
    },
    /// A node has no cells, although a node with a higher number exists.
    #[error("node {node} of level {level} is empty")]
    EmptyNode {
        /// The level.
        level: Level,
        /// The node.
        node: usize,
    },
    /// Two cells share a node, but not the node above it.
    #[error("node {node} of level {level} is split by the level above")]
    NotNested {
        /// The level of the node.
        level: Level,
        /// The node.
        node: NodeId,
    },
}

impl Partition {
    /// Returns whether two partitions are one in memory.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        let mut levels = self.levels.iter().zip(&other.levels);
        self.levels.len() == other.levels.len()
            && levels.all(|(own, other)| own.of.is_shared_with(&other.of))
    }

    /// Creates a partition from lists of nodes: one list per level from level 1 on, with the node of every
    /// cell.
    pub fn new(cells: usize, levels: Vec<Vec<NodeId>>) -> Result<Self, PartitionError> {
        if levels.len() > MAX_LEVELS {
            return Err(PartitionError::TooManyLevels(levels.len()));
        }
        let mut checked: Vec<LevelNodes> = Vec::with_capacity(levels.len());
        for (of, level) in levels.into_iter().zip(1..) {
            let level = Level(level);
            if of.len() != cells {
                return Err(PartitionError::Cells {
                    level,
                    found: of.len(),
                    expected: cells,
                });
            }
            let count =
                count_nodes(&of).map_err(|node| PartitionError::EmptyNode { level, node })?;
            if let Some(below) = checked.last() {
                check_nested(below, &of).map_err(|node| PartitionError::NotNested {
                    level: Level(level.0 - 1),
                    node,
                })?;
            }
            checked.push(LevelNodes {
                count,
                of: of.into(),
            });
        }
        Ok(Self {
            cells,
            levels: checked,
        })
    }

    /// Creates a partition from stored nodes: per level, the node of every cell and the number of nodes. Returns
    /// `None` if there are too many levels or a level has the wrong number of cells. Everything else must hold, or be
    /// checked with [`check`](Self::check).
    pub(crate) fn from_stored(cells: usize, levels: Vec<(Array<NodeId>, usize)>) -> Option<Self> {
        let have_cells = levels
            .iter()
            .all(|(of, count)| of.len() == cells && *count <= cells);
        let levels_fit = levels.len() <= MAX_LEVELS && have_cells;
        let levels = levels.into_iter();
        levels_fit.then(|| Self {
            cells,
            levels: levels.map(|(of, count)| LevelNodes { count, of }).collect(),
        })
    }

    /// Returns whether all invariants hold.
    pub(crate) fn check(&self) -> bool {
        let are_counted = |nodes: &LevelNodes| count_nodes(&nodes.of) == Ok(nodes.count);
        self.levels.iter().all(are_counted)
            && self
                .levels
                .windows(2)
                .all(|pair| check_nested(&pair[0], &pair[1].of).is_ok())
    }

    /// Returns the node of every cell at a level above 0, for writing a file.
    pub(crate) fn stored_nodes(&self, level: Level) -> &Array<NodeId> {
        &self.levels[level.above_ground()].of
    }

    /// Returns the number of cells.
    pub fn cell_count(&self) -> usize {
        self.cells
    }

    /// Returns the highest level, or level 0 if there are no levels above the cells.
    pub fn top(&self) -> Level {
        Level(self.levels.len() as u8)
    }

    /// Returns the levels from 1 to the [top](Self::top).
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=self.top().0).map(Level)
    }

    /// Returns the number of nodes at a level. At level 0, that is the number of cells.
    ///
    /// # Panics
    /// Panics if the level does not exist.
    pub fn node_count(&self, level: Level) -> usize {
        match level {
            Level(0) => self.cells,
            level => self.levels[level.above_ground()].count,
        }
    }

    /// Returns the node of a cell. At level 0, that is the cell itself.
    ///
    /// # Panics
    /// Panics if the level or the cell does not exist.
    #[inline]
    pub fn node_of(&self, level: Level, cell: usize) -> NodeId {
        match level {
            Level(0) => NodeId::new(cell),
            level => self.levels[level.above_ground()].of[cell],
        }
    }

    /// Returns the node of every cell at a level.
    ///
    /// # Panics
    /// Panics if the level is 0 or does not exist.
    pub fn nodes(&self, level: Level) -> &[NodeId] {
        &self.levels[level.above_ground()].of
    }

    /// Returns the cells in an order in which the cells of each node, at every level, are consecutive.
    /// Cells of the same level 1 node keep their current order.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.cells as u32).collect();
        order.sort_by_cached_key(|&cell| {
            let nodes = self.levels.iter().rev();
            let mut key = [NodeId(0); MAX_LEVELS];
            for (part, nodes) in key.iter_mut().zip(nodes) {
                *part = nodes.of[cell as usize];
            }
            (key, cell)
        });
        order
    }

    /// Returns the same partition with renumbered cells: cell `i` is the old cell `order[i]`. Each level
    /// numbers its nodes by first use. With the result of [`order`](Self::order), the cells and child nodes
    /// of every node have consecutive numbers.
    ///
    /// # Panics
    /// Panics if a cell in the order does not exist.
    pub fn in_order(&self, order: &[u32]) -> Self {
        let levels = self.levels.iter().map(|nodes| {
            let mut new_ids = vec![None; nodes.count];
            let mut next = 0;
            let mut new_id = |cell: u32| {
                *new_ids[nodes.of[cell as usize].index()].get_or_insert_with(|| {
                    next += 1;
                    NodeId(next - 1)
                })
            };
            let of = order.iter().map(|&cell| new_id(cell)).collect();
            LevelNodes {
                count: nodes.count,
                of,
            }
        });
        Self {
            cells: self.cells,
            levels: levels.collect(),
        }
    }

    /// Appends cells. Each new cell shares all its nodes with the existing cell that `beside` names.
    ///
    /// # Panics
    /// Panics if a named cell does not exist.
    pub fn with_cells(mut self, beside: &[u32]) -> Self {
        self.cells += beside.len();
        for nodes in &mut self.levels {
            let new = beside.iter().map(|&cell| nodes.of[cell as usize]);
            nodes.of = nodes.of.iter().copied().chain(new).collect();
        }
        self
    }

    /// Keeps only the levels up to `top`.
    pub fn up_to(mut self, top: Level) -> Self {
        self.levels.truncate(usize::from(top.0));
        self
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        self.levels.len() * self.cells * size_of::<NodeId>()
    }
}

/// Returns the number of nodes. Fails with the first empty node.
fn count_nodes(of: &[NodeId]) -> Result<usize, usize> {
    // More nodes than cells means that one is empty, so higher numbers need not be checked.
    let count = of.iter().map(|node| node.index() + 1).max().unwrap_or(0);
    let mut has_cells = vec![false; count.min(of.len() + 1)];
    for node in of {
        if let Some(has_cells) = has_cells.get_mut(node.index()) {
            *has_cells = true;
        }
    }
    match has_cells.iter().position(|&has| !has) {
        Some(empty) => Err(empty),
        None => Ok(count),
    }
}

/// Fails with the first node whose cells lie in different nodes above.
fn check_nested(below: &LevelNodes, above: &[NodeId]) -> Result<(), NodeId> {
    let mut parents = vec![None; below.count];
    for (&node, &parent) in below.of.iter().zip(above) {
        if *parents[node.index()].get_or_insert(parent) != parent {
            return Err(node);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(numbers: &[u32]) -> Vec<NodeId> {
        numbers.iter().copied().map(NodeId).collect()
    }

    #[test]
    fn invalid_partitions_are_rejected() {
        let error_of = |cells, levels: &[&[u32]]| {
            Partition::new(cells, levels.iter().map(|level| nodes(level)).collect()).unwrap_err()
        };
        assert_eq!(
            error_of(3, &[&[0, 1]]),
            PartitionError::Cells {
                level: Level(1),
                found: 2,
                expected: 3
            }
        );
        assert_eq!(
            error_of(2, &[&[0, u32::MAX]]),
            PartitionError::EmptyNode {
                level: Level(1),
                node: 1
            }
        );
        assert_eq!(
            error_of(3, &[&[0, 1, 1], &[0, 0, 1]]),
            PartitionError::NotNested {
                level: Level(1),
                node: NodeId(1)
            }
        );
        let many = vec![nodes(&[0]); MAX_LEVELS + 1];
        assert!(Partition::new(1, many).is_err());
    }

    #[test]
    fn sorting_by_order_makes_the_cells_of_a_node_consecutive() {
        let levels = vec![nodes(&[2, 0, 1, 2, 0, 3]), nodes(&[1, 0, 1, 1, 0, 0])];
        let partition = Partition::new(6, levels).unwrap();
        let order = partition.order();
        assert_eq!(order, [1, 4, 5, 2, 0, 3]);
        let sorted = partition.in_order(&order);
        assert_eq!(sorted.nodes(Level(1)), nodes(&[0, 0, 1, 2, 3, 3]));
        assert_eq!(sorted.nodes(Level(2)), nodes(&[0, 0, 0, 1, 1, 1]));
        assert_eq!(sorted.node_of(Level(0), 4), NodeId(4));
        assert_eq!((sorted.top(), sorted.node_count(Level(1))), (Level(2), 4));
    }
}
