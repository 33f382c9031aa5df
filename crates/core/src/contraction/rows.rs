//! Single rows of arcs, for a copy of a contraction on another device that follows changes of the ground.

use std::ops::ControlFlow;

use super::shortcuts::UP;
use super::{Contraction, Shortcuts};

/// The arcs of a contraction with their costs, row by row. A row has the arcs between one rank and the ranks above it, in one
/// direction: 0 is upwards, and 1 is downwards where costs differ.
#[derive(Clone, Copy, Debug)]
pub struct ArcRows<'a> {
    contraction: &'a Contraction,
    shortcuts: &'a Shortcuts,
}

/// An arc of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowArc {
    /// The depth of the upper end.
    pub depth: u32,
    /// The cost.
    pub cost: f32,
    /// The reference to the part, as in [`ContractionArrays`](super::ContractionArrays).
    pub part: u32,
}

/// The rows that differ between two versions of the same costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferingRows {
    /// The ranks whose arcs or costs differ, in ascending order.
    pub ranks: Vec<u32>,
    /// Whether `ranks` has the rows in which only paths differ, too. Otherwise the costs were customized again in between, and
    /// these rows are among those [above](ArcRows::ranks_above) the vertices whose arcs have changed.
    pub has_paths: bool,
}

impl<'a> ArcRows<'a> {
    /// Returns the rows of some costs. `shortcuts` must have been computed for `contraction`.
    pub fn new(contraction: &'a Contraction, shortcuts: &'a Shortcuts) -> Self {
        Self {
            contraction,
            shortcuts,
        }
    }

    /// Returns the number of directions that have rows: 1 if every arc costs the same in both.
    pub fn directions(&self) -> usize {
        match self.shortcuts.is_symmetric() {
            true => 1,
            false => 2,
        }
    }

    /// Returns the arcs of a row, sorted by depth.
    pub fn row(&self, direction: usize, rank: u32) -> impl Iterator<Item = RowArc> {
        let graph = self.shortcuts.graph(direction);
        graph.arcs(rank).map(move |(depth, cost)| RowArc {
            depth,
            cost,
            part: graph.part(rank, depth),
        })
    }

    /// Appends the vertices of the path of an arc, from its start to its end.
    ///
    /// # Panics
    /// Panics if the row has no arc to this depth.
    pub fn push_path(
        &self,
        (direction, rank): (usize, u32),
        depth: u32,
        stack: &mut Vec<u32>,
        path: &mut Vec<u32>,
    ) {
        let contraction = self.contraction;
        // Every arc leads to an ancestor.
        let mut head = rank;
        while contraction.depths[head as usize] > depth {
            head = contraction.parents[head as usize];
        }
        let start = if direction == UP { rank } else { head };
        path.push(contraction.vertices[start as usize]);
        stack.clear();
        stack.push(self.shortcuts.graph(direction).part(rank, depth));
        let visited = self.shortcuts.parts.unpack(stack, &mut |vertex| {
            path.push(vertex);
            ControlFlow::<()>::Continue(())
        });
        debug_assert!(visited.is_continue());
    }

    /// Returns the rows of a direction that differ from those of an earlier or later version. Both versions must have the
    /// same directions.
    pub fn differing_from(&self, other: &Shortcuts, direction: usize) -> DifferingRows {
        let [own, other_graph] = [self.shortcuts, other].map(|costs| costs.graph(direction));
        if own.shares_arrays_with(other_graph)
            && self.shortcuts.parts.shares_arrays_with(&other.parts)
        {
            return DifferingRows {
                ranks: own.differing_patches(other_graph),
                has_paths: true,
            };
        }
        let differs = |&rank: &u32| !own.has_row_of(other_graph, rank);
        let ranks = 0..self.contraction.vertex_count() as u32;
        DifferingRows {
            ranks: ranks.filter(differs).collect(),
            has_paths: false,
        }
    }

    /// Returns the ranks of some vertices and all ranks above them, in ascending order. Only these rows have arcs whose path
    /// contains an arc of the graph between two of the vertices, because a path stays below both ends of its arc.
    pub fn ranks_above(&self, vertices: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut is_above = vec![false; self.contraction.vertex_count()];
        for vertex in vertices {
            let mut rank = self.contraction.ranks[vertex as usize] as usize;
            while !std::mem::replace(&mut is_above[rank], true) {
                rank = self.contraction.parents[rank] as usize;
            }
        }
        let ranks = (0..).zip(is_above);
        let above = ranks.filter_map(|(rank, is_above)| is_above.then_some(rank));
        above.collect()
    }
}
