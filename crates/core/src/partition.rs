//! Nested levels over the cells of a graph: who lies in which node.

mod options;
mod statistics;

pub use options::{PartitionOptions, Weights};
pub use statistics::{LevelStatistics, MinMeanMax, NodeStatistics};

use crate::ids::{Level, NodeId};

/// The most levels that a partition may have above level 0.
pub const MAX_LEVELS: usize = 16;

/// Cells (the polygons of a navmesh) grouped into nodes, those into nodes of the next level, and so
/// on.
///
/// Invariants:
/// - the nodes of a level are numbered from 0 without gaps, and none is empty;
/// - cells with a common node at one level have one at every level above.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partition {
    cells: usize,
    /// From level 1 on.
    levels: Vec<Nodes>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Nodes {
    count: usize,
    /// Per cell.
    of: Vec<NodeId>,
}

/// Why lists of nodes are no partition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartitionError {
    /// More than [`MAX_LEVELS`].
    #[error("a partition has {0} levels, more than {MAX_LEVELS}")]
    TooManyLevels(usize),
    /// A level has a node for more or fewer cells than there are.
    #[error("level {level} of a partition is for {found} cells, not {expected}")]
    Cells {
        /// The level.
        level: Level,
        /// Cells that it is for.
        found: usize,
        /// Cells that there are.
        expected: usize,
    },
    /// A node without cells, below the highest number of a node.
    #[error("node {node} of level {level} is empty")]
    EmptyNode {
        /// The level.
        level: Level,
        /// The node.
        node: usize,
    },
    /// Two cells share a node, and not the one above it.
    #[error("node {node} of level {level} is torn apart by the level above")]
    NotNested {
        /// The level of the node.
        level: Level,
        /// The node.
        node: NodeId,
    },
}

impl Partition {
    /// Checks lists of nodes, one a level from level 1 on, each with the node of every cell.
    pub fn new(cells: usize, levels: Vec<Vec<NodeId>>) -> Result<Self, PartitionError> {
        if levels.len() > MAX_LEVELS {
            return Err(PartitionError::TooManyLevels(levels.len()));
        }
        let mut checked: Vec<Nodes> = Vec::with_capacity(levels.len());
        for (of, level) in levels.into_iter().zip(1..) {
            let level = Level(level);
            if of.len() != cells {
                return Err(PartitionError::Cells {
                    level,
                    found: of.len(),
                    expected: cells,
                });
            }
            let count = dense(&of).map_err(|node| PartitionError::EmptyNode { level, node })?;
            if let Some(below) = checked.last() {
                torn(below, &of).map_err(|node| PartitionError::NotNested {
                    level: Level(level.0 - 1),
                    node,
                })?;
            }
            checked.push(Nodes { count, of });
        }
        Ok(Self {
            cells,
            levels: checked,
        })
    }

    /// Cells that it is for.
    pub fn cell_count(&self) -> usize {
        self.cells
    }

    /// The highest level; level 0 where there is none above the cells.
    pub fn top(&self) -> Level {
        Level(self.levels.len() as u8)
    }

    /// Levels from 1 to the [top](Self::top).
    pub fn levels(&self) -> impl DoubleEndedIterator<Item = Level> + ExactSizeIterator {
        (1..=self.top().0).map(Level)
    }

    /// Nodes at a level; at level 0 the cells.
    ///
    /// # Panics
    /// When there is no such level.
    pub fn node_count(&self, level: Level) -> usize {
        match level {
            Level(0) => self.cells,
            level => self.levels[level.above_ground()].count,
        }
    }

    /// The node that a cell lies in; at level 0 the cell itself.
    ///
    /// # Panics
    /// When there is no such level or no such cell.
    #[inline]
    pub fn node_of(&self, level: Level, cell: usize) -> NodeId {
        match level {
            Level(0) => NodeId::new(cell),
            level => self.levels[level.above_ground()].of[cell],
        }
    }

    /// The nodes of all cells at a level.
    ///
    /// # Panics
    /// When there is no such level above 0.
    pub fn nodes(&self, level: Level) -> &[NodeId] {
        &self.levels[level.above_ground()].of
    }

    /// Cells in the order in which what one node holds lies together, at every level; within a node
    /// of level 1 as they are numbered now.
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

    /// The same nodes over cells in another order, each level numbered by first use: cell `i` is
    /// what `order[i]` was. After [`order`](Self::order), what a node holds has consecutive numbers,
    /// cells and nodes alike.
    ///
    /// # Panics
    /// When a cell in the order does not exist.
    pub fn in_order(&self, order: &[u32]) -> Self {
        let levels = self.levels.iter().map(|nodes| {
            let mut names = vec![None; nodes.count];
            let mut next = 0;
            let mut renamed = |cell: u32| {
                *names[nodes.of[cell as usize].index()].get_or_insert_with(|| {
                    next += 1;
                    NodeId(next - 1)
                })
            };
            let of = order.iter().map(|&cell| renamed(cell)).collect();
            Nodes {
                count: nodes.count,
                of,
            }
        });
        Self {
            cells: self.cells,
            levels: levels.collect(),
        }
    }

    /// More cells, after those there are: each shares all its nodes with the cell that it names.
    ///
    /// # Panics
    /// When such a cell does not exist.
    pub fn with_cells(mut self, beside: &[u32]) -> Self {
        self.cells += beside.len();
        for nodes in &mut self.levels {
            nodes.of.reserve_exact(beside.len());
            for &cell in beside {
                nodes.of.push(nodes.of[cell as usize]);
            }
        }
        self
    }

    /// The lowest levels, up to `top`.
    pub fn up_to(mut self, top: Level) -> Self {
        self.levels.truncate(usize::from(top.0));
        self
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.levels.len() * self.cells * size_of::<NodeId>()
    }
}

/// The number of nodes, or the first empty one.
fn dense(of: &[NodeId]) -> Result<usize, usize> {
    // One more node than cells leaves one empty, so there is no need to count further.
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

/// Finds a node whose cells lie in different nodes above.
fn torn(below: &Nodes, above: &[NodeId]) -> Result<(), NodeId> {
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
    fn what_is_no_partition_is_refused() {
        let refused = |cells, levels: &[&[u32]]| {
            Partition::new(cells, levels.iter().map(|level| nodes(level)).collect()).unwrap_err()
        };
        assert_eq!(
            refused(3, &[&[0, 1]]),
            PartitionError::Cells {
                level: Level(1),
                found: 2,
                expected: 3
            }
        );
        assert_eq!(
            refused(2, &[&[0, u32::MAX]]),
            PartitionError::EmptyNode {
                level: Level(1),
                node: 1
            }
        );
        assert_eq!(
            refused(3, &[&[0, 1, 1], &[0, 0, 1]]),
            PartitionError::NotNested {
                level: Level(1),
                node: NodeId(1)
            }
        );
        let many = vec![nodes(&[0]); MAX_LEVELS + 1];
        assert!(Partition::new(1, many).is_err());
    }

    #[test]
    fn in_its_order_what_a_node_holds_lies_together() {
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
