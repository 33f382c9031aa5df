//! Hub labels: all that a query needs of a contraction, written down for each vertex.
//!
//! After Abraham, Delling, Goldberg and Werneck, "Hierarchical hub labelings for shortest paths". The
//! forward label of a vertex lists hubs that it reaches over arcs that go up, each with the cost; the
//! backward label lists hubs that reach it over arcs that go down. A cheapest way goes up and then down,
//! so the least sum over the hubs that a start's forward label and a goal's backward label share is its
//! cost. Hubs are known by their rank, which is theirs alone: their depths in the elimination tree are
//! only unique on one chain.
//!
//! # Which hubs are left out
//! From the root down, a label is made of those of the upper neighbours. A hub is left out where a way
//! over a higher hub is no dearer. The higher hub is strictly higher, so what is left out for one
//! another cannot go round in circles, and every pair of vertices that had a common hub keeps one: the
//! highest on any of its cheapest ways, but for rounding, which loses no more than one unit in the last
//! place each time a higher one takes over.

use std::ops::ControlFlow;

use super::labelling::Labelling;
use super::shortcuts::{DOWN, UP};
use super::{Contraction, Shortcuts};
use crate::ids::Terminal;

/// The labels of all vertices, for the costs of one kind of agent.
#[derive(Clone, Debug, PartialEq)]
pub struct HubLabels {
    forward: LabelArrays,
    /// None where every arc costs the same both ways: then it is the forward one.
    backward: Option<LabelArrays>,
}

/// The labels of one direction in flat arrays. The entries of vertex `v` are those from `offsets[v]` up
/// to `offsets[v + 1]`. They go by vertex and not by rank because a query reads those of all vertices of
/// a polygon, whose numbers lie together; a hub and its cost are read together, too.
///
/// Invariants:
/// - hubs ascend within a label, and the first is the vertex itself, at no cost;
/// - an entry's `next` is the upper end of the search graph's arc from the vertex (to it, backward) by
///   which the way to the hub begins, so it ranks above the vertex and not above the hub. It has the
///   hub in its own label, and the cost is the sum of that one's and the arc's. The first entry's is
///   the vertex itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LabelArrays {
    /// Per vertex, where its entries begin; one more at the end.
    pub offsets: Vec<u32>,
    /// Per entry.
    pub hubs: Vec<Hub>,
    /// Per entry the next rank on the way to the hub.
    pub nexts: Vec<u32>,
}

/// A hub as a vertex knows it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hub {
    /// Its rank.
    pub rank: u32,
    /// Between the vertex and the hub.
    pub cost: f32,
}

/// Why there are no labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelsError {
    /// They are derived from a contraction.
    #[error("hub labels need a contraction, and this world has none; `portolan index` makes one")]
    NoContraction,
    /// They were on the way to take more memory than they may.
    #[error(
        "hub labels would need some {estimate} bytes or more, and the limit is {limit}: it was passed with \
         {reached} bytes for {vertices} of {all} vertices"
    )]
    TooLarge {
        /// What they would need, judging the rest by the labels above it. The true number tends to be
        /// somewhat larger.
        estimate: usize,
        /// What they may. [Units: bytes]
        limit: usize,
        /// What was there when they were given up, and belongs to this many of the vertices.
        reached: usize,
        /// Vertices with a label at that time.
        vertices: usize,
        /// Vertices.
        all: usize,
    },
}

/// Memory of a search, for one set of labels after the other.
#[derive(Clone, Debug, Default)]
pub struct HubScratch {
    /// Per rank; all infinite between searches, but for one that came to no end.
    to_goal: Vec<f32>,
    is_searching: bool,
    goals: Vec<(u32, f32)>,
    /// Ranks between a hub and the goal, and what arcs yet to be told are made of.
    chain: Vec<u32>,
    stack: Vec<u32>,
}

/// A cheapest way as labels know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HubPath {
    /// From start to goal, with what comes before and after.
    pub cost: f32,
    /// Vertices.
    start: u32,
    goal: u32,
    /// The rank where it is highest.
    hub: u32,
}

impl HubLabels {
    /// Labels of no more than `max_bytes` when they are done; while they are made they may take twice as
    /// much. The same on any number of threads.
    pub fn new(
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        max_bytes: usize,
    ) -> Result<Self, LabelsError> {
        let ways = match shortcuts.is_symmetric() {
            true => 1,
            false => 2,
        };
        let mut arrays = Labelling::new(contraction, shortcuts, ways).finish(max_bytes)?;
        let backward = arrays.split_off(1).pop();
        let forward = arrays.pop().expect("forward labels");
        Ok(Self { forward, backward })
    }

    /// What a file holds: the forward labels, and the backward ones where they differ.
    pub fn arrays(&self) -> impl Iterator<Item = &LabelArrays> {
        [&self.forward].into_iter().chain(&self.backward)
    }

    /// Labels from what a file holds. `None` where that is not of this contraction and these shortcuts,
    /// or breaks an invariant of [`LabelArrays`]: ways that labels know then are ways, of that cost.
    /// Whether they are the cheapest is not looked into.
    pub fn from_arrays(
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        arrays: impl IntoIterator<Item = LabelArrays>,
    ) -> Option<Self> {
        let mut arrays = arrays.into_iter();
        let forward = arrays.next()?;
        let backward = arrays.next();
        let is_complete = backward.is_some() || shortcuts.is_symmetric();
        let fits = |(way, arrays): (usize, &LabelArrays)| arrays.fits(contraction, shortcuts, way);
        let fit = [(UP, Some(&forward)), (DOWN, backward.as_ref())]
            .into_iter()
            .filter_map(|(way, arrays)| Some((way, arrays?)))
            .all(fits);
        let ends = arrays.next().is_none();
        (is_complete && fit && ends).then_some(Self { forward, backward })
    }

    fn backward(&self) -> &LabelArrays {
        self.backward.as_ref().unwrap_or(&self.forward)
    }

    /// The hubs of a vertex: those that a path from it leads to, or those that lead to it.
    pub fn hubs(&self, terminal: Terminal, vertex: u32) -> &[Hub] {
        match terminal {
            Terminal::Start => self.forward.of(vertex),
            Terminal::Goal => self.backward().of(vertex),
        }
    }

    /// The cheapest way from one of some vertices to one of others, each with the cost before or after
    /// it. `None` where there is none of less than `most` or just that. Among equals it is the first of
    /// the starts, then the lowest hub, then the first of the goals.
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
            goals: ends,
            ..
        } = scratch;
        if std::mem::replace(is_searching, true) {
            to_goal.fill(f32::INFINITY);
        }
        if to_goal.len() < contraction.vertex_count() {
            to_goal.resize(contraction.vertex_count(), f32::INFINITY);
        }
        ends.clear();
        ends.extend(goals);
        let backward = self.backward();
        for &(goal, after) in &*ends {
            for hub in backward.of(goal) {
                let known = &mut to_goal[hub.rank as usize];
                *known = known.min(hub.cost + after);
            }
        }
        let (mut best, mut at) = (f32::INFINITY, None);
        for (start, before) in starts {
            for hub in self.forward.of(start) {
                let whole = before + hub.cost + to_goal[hub.rank as usize];
                if whole < best {
                    (best, at) = (whole, Some((start, hub.rank)));
                }
            }
        }
        let way = at.filter(|_| best <= max_cost).map(|(start, hub)| {
            let leads_there = |&&(goal, after): &&(u32, f32)| {
                let cost = backward.find(goal, hub).map(|(cost, _)| cost + after);
                cost == Some(to_goal[hub as usize])
            };
            let goal = ends.iter().find(leads_there).expect("a goal's hub");
            HubPath {
                cost: best,
                start,
                hub,
                goal: goal.0,
            }
        });
        for &(goal, _) in &*ends {
            for hub in backward.of(goal) {
                to_goal[hub.rank as usize] = f32::INFINITY;
            }
        }
        *is_searching = false;
        way
    }

    /// Tells the vertices of a way in order, until told to stop.
    ///
    /// # Panics
    /// When the way is of other labels.
    pub fn path_vertices<B>(
        &self,
        contraction: &Contraction,
        shortcuts: &Shortcuts,
        way: HubPath,
        scratch: &mut HubScratch,
        mut tell: impl FnMut(u32) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let HubScratch { chain, stack, .. } = scratch;
        let next = |labels: &LabelArrays, rank: u32| {
            let entry = labels.find(contraction.vertices[rank as usize], way.hub);
            entry.expect("a hub on the way").1
        };
        tell(way.start)?;
        let mut at = contraction.ranks[way.start as usize];
        while at != way.hub {
            let next = next(&self.forward, at);
            shortcuts.unpack(contraction, UP, [at, next], stack, &mut tell)?;
            at = next;
        }
        let backward = self.backward();
        chain.clear();
        let mut at = contraction.ranks[way.goal as usize];
        while at != way.hub {
            chain.push(at);
            at = next(backward, at);
        }
        while let Some(low) = chain.pop() {
            shortcuts.unpack(contraction, DOWN, [low, at], stack, &mut tell)?;
            at = low;
        }
        ControlFlow::Continue(())
    }

    /// Entries of all labels.
    pub fn entry_count(&self) -> usize {
        self.arrays().map(|arrays| arrays.hubs.len()).sum()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.arrays()
            .map(|arrays| LabelArrays::bytes(arrays.offsets.len() - 1, arrays.hubs.len()))
            .sum()
    }
}

impl LabelArrays {
    /// Bytes of the labels of so many vertices with so many entries.
    pub(super) fn bytes(vertices: usize, entries: usize) -> usize {
        let a_hub = size_of::<Hub>() + size_of::<u32>();
        ((vertices + 1) * size_of::<u32>()).saturating_add(entries.saturating_mul(a_hub))
    }

    fn range(&self, vertex: u32) -> std::ops::Range<usize> {
        self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize
    }

    #[inline]
    fn of(&self, vertex: u32) -> &[Hub] {
        &self.hubs[self.range(vertex)]
    }

    /// The cost and the next rank of an entry.
    fn find(&self, vertex: u32, hub: u32) -> Option<(f32, u32)> {
        let range = self.range(vertex);
        let hubs = &self.hubs[range.clone()];
        let place = hubs.binary_search_by_key(&hub, |hub| hub.rank).ok()?;
        Some((hubs[place].cost, self.nexts[range.start + place]))
    }

    /// Whether all invariants hold.
    fn fits(&self, contraction: &Contraction, shortcuts: &Shortcuts, way: usize) -> bool {
        let count = contraction.vertex_count();
        let lengths_fit = self.offsets.len() == count + 1
            && self.offsets[0] == 0
            && self.offsets[count] as usize == self.hubs.len()
            && self.offsets.windows(2).all(|pair| pair[0] < pair[1])
            && self.nexts.len() == self.hubs.len();
        // The costs of the arcs of one rank, at the places of their heads.
        let mut arcs = vec![f32::NAN; count];
        let mut label_fits = |rank: u32| {
            for (head, cost) in shortcuts.arcs(contraction, way, rank) {
                arcs[head as usize] = cost;
            }
            let range = self.range(contraction.vertices[rank as usize]);
            let (hubs, nexts) = (&self.hubs[range.clone()], &self.nexts[range]);
            let entry_fits = |(hub, &next): (&Hub, &u32)| {
                let (Some(arc), true) = (arcs.get(next as usize), next > rank) else {
                    return false;
                };
                let onward = self.find(contraction.vertices[next as usize], hub.rank);
                // An arc that is not there costs what equals nothing.
                onward.is_some_and(|(cost, _)| arc + cost == hub.cost) && hub.cost < f32::INFINITY
            };
            let fits = hubs[0] == Hub { rank, cost: 0.0 }
                && nexts[0] == rank
                && hubs.is_sorted_by(|a, b| a.rank < b.rank)
                && hubs[hubs.len() - 1].rank < count as u32
                && hubs.iter().zip(nexts).skip(1).all(entry_fits);
            for (head, _) in shortcuts.arcs(contraction, way, rank) {
                arcs[head as usize] = f32::NAN;
            }
            fits
        };
        // From the highest rank down, so that an entry is looked up in labels that are checked.
        lengths_fit && (0..count as u32).rev().all(&mut label_fits)
    }
}
