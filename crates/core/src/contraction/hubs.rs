//! Hub labels: the result of a contraction query's climb, stored per vertex.
//!
//! See Abraham, Delling, Goldberg and Werneck 2012, "Hierarchical hub labelings for shortest paths". The
//! forward label of a vertex lists hubs that it reaches over upward arcs, each with the cost. The backward
//! label lists hubs that reach the vertex over downward arcs. A cheapest path goes up and then down. So its
//! cost is the minimum sum over the hubs that are both in the start's forward label and in the goal's
//! backward label. A hub is identified by its rank, because a depth in the elimination tree is only unique
//! on one chain.
//!
//! # Which hubs are omitted
//! Labels are computed from the root down, each from the labels of the upper neighbours. A hub is omitted
//! if a path over a higher hub costs no more. The other hub is strictly higher, so hubs cannot replace each
//! other in a cycle, and every pair of vertices that had a common hub keeps one: the highest vertex on any
//! of its cheapest paths. Rounding adds at most one unit in the last place for each replacement.

use std::ops::ControlFlow;

use bytemuck::{Pod, Zeroable};

use super::labelling::Labelling;
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts};
use crate::array::Array;
use crate::ids::Terminal;

/// The hub labels of all vertices, for the costs of one kind of agent.
#[derive(Clone, Debug, PartialEq)]
pub struct HubLabels {
    forward: LabelArrays,
    /// `None` if every arc costs the same in both directions: then backward labels equal forward labels.
    backward: Option<LabelArrays>,
}

/// The labels of one direction in flat arrays. The entries of vertex `v` are those from `offsets[v]` up to
/// `offsets[v + 1]`. Labels are sorted by vertex and not by rank, because a query reads the labels of all
/// vertices of a polygon, whose numbers are close together. A hub and its cost are adjacent in memory,
/// because they are read together.
///
/// Invariants:
/// - Hubs ascend within a label. The first one is the vertex itself, at cost 0.
/// - The path from the vertex to the hub (in backward labels: from the hub to the vertex) passes `next`,
///   which is the upper end of an arc of the search graph. So `next` ranks above the vertex and not above
///   the hub. The label of `next` contains the hub too, and the cost of the entry is the sum of the cost
///   there and the cost of the arc. The `next` of the first entry is the vertex itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelArrays {
    /// The index of each vertex's first entry, and the number of entries at the end.
    pub offsets: Array<u32>,
    /// The hub of each entry.
    pub hubs: Array<Hub>,
    /// The rank that follows the vertex on the path to the hub, for each entry.
    pub nexts: Array<u32>,
}

/// A hub in the label of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Hub {
    /// The rank of the hub.
    pub rank: u32,
    /// The cost between the vertex and the hub.
    pub cost: f32,
}

/// The reason why hub labels cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelsError {
    /// There is no contraction from which labels could be derived.
    #[error(
        "hub labels are built from the fast tier, which this index does not have: add the tier fast"
    )]
    NoContraction,
    /// The labels would exceed the memory limit. Raise the limit, or query the contraction, which finds paths
    /// of the same cost.
    #[error(
        "hub labels would need at least about {estimate} bytes, and the limit is {limit}: {vertices} of {total} \
         vertices already took {reached} bytes"
    )]
    TooLarge {
        /// The estimated size, assuming that the missing labels are as long as the labels above them. The
        /// actual size tends to be somewhat larger. [Units: bytes]
        estimate: usize,
        /// The limit. [Units: bytes]
        limit: usize,
        /// The size when the limit was exceeded. [Units: bytes]
        reached: usize,
        /// The number of vertices that had a label at that time.
        vertices: usize,
        /// The number of all vertices.
        total: usize,
    },
}

/// The memory of a search. It can be reused for any labels.
#[derive(Clone, Debug, Default)]
pub struct HubScratch {
    /// The cost from each rank to the goal. All are infinite between searches, unless a search panicked.
    to_goal: Vec<f32>,
    is_searching: bool,
    goals: Vec<(u32, f32)>,
    /// The ranks between the hub and the goal.
    chain: Vec<u32>,
    /// The parts of arcs that are yet to be unpacked.
    stack: Vec<u32>,
}

/// A cheapest path that a query on labels found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HubPath {
    /// The cost from start to goal, including the legs before and after.
    pub cost: f32,
    /// The first vertex.
    start: u32,
    /// The last vertex.
    goal: u32,
    /// The rank of the highest vertex.
    hub: u32,
}

impl HubLabels {
    /// Computes hub labels of at most `max_bytes`. The computation may take twice as much memory. The
    /// result does not depend on the number of threads.
    pub fn new(
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        max_bytes: usize,
    ) -> Result<Self, LabelsError> {
        let directions = match shortcuts.is_symmetric() {
            true => 1,
            false => 2,
        };
        let mut arrays = Labelling::new(contraction, shortcuts, directions).finish(max_bytes)?;
        let backward = arrays.split_off(1).pop();
        let forward = arrays.pop().expect("forward labels");
        Ok(Self { forward, backward })
    }

    /// Returns the arrays for writing a file: the forward labels, and the backward ones if they differ.
    pub fn arrays(&self) -> impl Iterator<Item = &LabelArrays> {
        [&self.forward].into_iter().chain(&self.backward)
    }

    /// Creates labels from the arrays of a file. Returns `None` if the arrays do not belong to this
    /// contraction and these shortcuts, or violate an invariant of [`LabelArrays`]. So all paths in the
    /// labels exist and have the stored costs. Whether they are the cheapest is not checked.
    pub fn from_arrays(
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        arrays: impl IntoIterator<Item = LabelArrays>,
    ) -> Option<Self> {
        let mut arrays = arrays.into_iter();
        let forward = arrays.next()?;
        let backward = arrays.next();
        let is_complete = backward.is_some() || shortcuts.is_symmetric();
        let fits = |(direction, arrays): (usize, &LabelArrays)| {
            arrays.fits(contraction, shortcuts, direction)
        };
        let fit = [(UP, Some(&forward)), (DOWN, backward.as_ref())]
            .into_iter()
            .filter_map(|(direction, arrays)| Some((direction, arrays?)))
            .all(fits);
        let is_end = arrays.next().is_none();
        (is_complete && fit && is_end).then_some(Self { forward, backward })
    }

    /// Creates labels from the arrays of a file that is trusted. Returns `None` if there are not one or two.
    pub(crate) fn from_trusted(arrays: Vec<LabelArrays>) -> Option<Self> {
        let mut arrays = arrays.into_iter();
        let (forward, backward) = (arrays.next()?, arrays.next());
        (arrays.len() == 0).then_some(Self { forward, backward })
    }

    fn backward(&self) -> &LabelArrays {
        self.backward.as_ref().unwrap_or(&self.forward)
    }

    /// Returns the hubs of a vertex: those that it reaches for [`Terminal::Start`], those that reach it for
    /// [`Terminal::Goal`].
    pub fn hubs(&self, terminal: Terminal, vertex: u32) -> &[Hub] {
        match terminal {
            Terminal::Start => self.forward.of(vertex),
            Terminal::Goal => self.backward().of(vertex),
        }
    }

    /// Finds the cheapest path from any of `starts` to any of `goals`. Each start and goal carries the cost
    /// of the leg outside the graph. Returns `None` if no path costs at most `max_cost`. Among paths of
    /// equal cost, it prefers the first start, then the lowest hub, then the first goal.
    pub fn query(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)>,
        goals: impl Iterator<Item = (u32, f32)>,
        max_cost: f32,
        scratch: &mut HubScratch,
    ) -> Option<HubPath> {
        let HubScratch {
            to_goal,
            is_searching,
            goals: goal_list,
            ..
        } = scratch;
        if std::mem::replace(is_searching, true) {
            to_goal.fill(f32::INFINITY);
        }
        if to_goal.len() < contraction.vertex_count() {
            to_goal.resize(contraction.vertex_count(), f32::INFINITY);
        }
        goal_list.clear();
        goal_list.extend(goals);
        let backward = self.backward();
        for &(goal, after) in &*goal_list {
            for hub in backward.of(goal) {
                let known = &mut to_goal[hub.rank as usize];
                *known = known.min(hub.cost + after);
            }
        }
        let (mut best, mut at) = (f32::INFINITY, None);
        for (start, before) in starts {
            for hub in self.forward.of(start) {
                let total = before + hub.cost + to_goal[hub.rank as usize];
                if total < best {
                    (best, at) = (total, Some((start, hub.rank)));
                }
            }
        }
        let path = at.filter(|_| best <= max_cost).map(|(start, hub)| {
            let reaches_hub = |&&(goal, after): &&(u32, f32)| {
                let cost = backward.find(goal, hub).map(|(cost, _)| cost + after);
                cost == Some(to_goal[hub as usize])
            };
            let goal = goal_list.iter().find(reaches_hub).expect("a goal's hub");
            HubPath {
                cost: best,
                start,
                hub,
                goal: goal.0,
            }
        });
        for &(goal, _) in &*goal_list {
            for hub in backward.of(goal) {
                to_goal[hub.rank as usize] = f32::INFINITY;
            }
        }
        *is_searching = false;
        path
    }

    /// Calls `visit` with each vertex of a path, in order, until `visit` breaks.
    ///
    /// # Panics
    /// Panics if the path was found with other labels.
    pub fn path_vertices<B>(
        &self,
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        path: HubPath,
        scratch: &mut HubScratch,
        mut visit: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let HubScratch { chain, stack, .. } = scratch;
        let next = |labels: &LabelArrays, rank: u32| {
            let entry = labels.find(contraction.vertices[rank as usize], path.hub);
            entry.expect("a hub on the path").1
        };
        visit(path.start)?;
        let mut at = contraction.ranks[path.start as usize];
        while at != path.hub {
            let next = next(&self.forward, at);
            shortcuts.unpack(contraction, UP, [at, next], stack, &mut visit)?;
            at = next;
        }
        let backward = self.backward();
        chain.clear();
        let mut at = contraction.ranks[path.goal as usize];
        while at != path.hub {
            chain.push(at);
            at = next(backward, at);
        }
        while let Some(low) = chain.pop() {
            shortcuts.unpack(contraction, DOWN, [low, at], stack, &mut visit)?;
            at = low;
        }
        ControlFlow::Continue(())
    }

    /// Returns the number of entries of all labels.
    pub fn entry_count(&self) -> usize {
        self.arrays().map(|arrays| arrays.hubs.len()).sum()
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        self.arrays()
            .map(|arrays| LabelArrays::bytes(arrays.offsets.len() - 1, arrays.hubs.len()))
            .sum()
    }
}

impl LabelArrays {
    /// Returns the size of labels with this many vertices and entries. [Units: bytes]
    pub(super) fn bytes(vertices: usize, entries: usize) -> usize {
        let entry_bytes = size_of::<Hub>() + size_of::<u32>();
        ((vertices + 1) * size_of::<u32>()).saturating_add(entries.saturating_mul(entry_bytes))
    }

    fn range(&self, vertex: u32) -> std::ops::Range<usize> {
        self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize
    }

    #[inline]
    fn of(&self, vertex: u32) -> &[Hub] {
        &self.hubs[self.range(vertex)]
    }

    /// Returns the cost and the next rank of the entry for a hub.
    fn find(&self, vertex: u32, hub: u32) -> Option<(f32, u32)> {
        let range = self.range(vertex);
        let hubs = &self.hubs[range.clone()];
        let index = hubs.binary_search_by_key(&hub, |hub| hub.rank).ok()?;
        Some((hubs[index].cost, self.nexts[range.start + index]))
    }

    /// Checks all invariants.
    fn fits(&self, contraction: &Contraction, shortcuts: &Shortcuts, direction: usize) -> bool {
        let count = contraction.vertex_count();
        let lengths_fit = self.offsets.len() == count + 1
            && self.offsets[0] == 0
            && self.offsets[count] as usize == self.hubs.len()
            && self.offsets.windows(2).all(|pair| pair[0] < pair[1])
            && self.nexts.len() == self.hubs.len();
        // The costs of one rank's arcs, indexed by their heads.
        let mut arcs = vec![f32::NAN; count];
        let mut label_fits = |rank: u32| {
            for (head, cost) in shortcuts.arcs(contraction, direction, rank) {
                arcs[head as usize] = cost;
            }
            let range = self.range(contraction.vertices[rank as usize]);
            let (hubs, nexts) = (&self.hubs[range.clone()], &self.nexts[range]);
            let entry_fits = |(hub, &next): (&Hub, &u32)| {
                let (Some(arc), true) = (arcs.get(next as usize), next > rank) else {
                    return false;
                };
                let onward = self.find(contraction.vertices[next as usize], hub.rank);
                // The cost of a missing arc is NaN, which equals nothing.
                onward.is_some_and(|(cost, _)| arc + cost == hub.cost) && hub.cost < f32::INFINITY
            };
            let fits = hubs[0] == Hub { rank, cost: 0.0 }
                && nexts[0] == rank
                && hubs.is_sorted_by(|a, b| a.rank < b.rank)
                && hubs[hubs.len() - 1].rank < count as u32
                && hubs.iter().zip(nexts).skip(1).all(entry_fits);
            for (head, _) in shortcuts.arcs(contraction, direction, rank) {
                arcs[head as usize] = f32::NAN;
            }
            fits
        };
        // From the highest rank down, so that each entry is looked up in labels that have been checked.
        lengths_fit && (0..count as u32).rev().all(&mut label_fits)
    }
}
