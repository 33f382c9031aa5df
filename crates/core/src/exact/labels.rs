//! Hub labels of the taut graph: the exact distance between any two nodes from two short lists.
//!
//! Every node has a list of hubs with their distances, such that for any two nodes a shortest path between
//! them leads over a hub that both lists have. Pruned landmark labelling (Akiba, Iwata and Yoshida 2013)
//! builds the lists: one Dijkstra search from each node, the most important node first, that stops wherever
//! the lists so far already give the distance. A node is important if many shortest paths of a sample lead
//! over it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rayon::prelude::*;

use super::NONE;
use super::graph::TautGraph;
use crate::csr::Csr;

/// An entry of the hub label of a node of the taut graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HubEntry {
    /// The length of the shortest path to the hub. [Units: m]
    pub length: f64,
    /// The rank of the hub. Entries are sorted by it.
    pub hub: u32,
    /// The next node on the way to the hub; `u32::MAX` if the node is the hub.
    pub next: u32,
}

/// The labels of all nodes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NodeLabels {
    entries: Csr<HubEntry>,
    /// Per entry, the index of the entry of the same hub in the label of the next node; [`NONE`] if the node is the hub.
    next_entries: Vec<u32>,
}

/// The number of shortest-path trees from which the importance of nodes is estimated.
const SAMPLES: usize = 128;

/// The number of shortest-path trees from which the number of entries is estimated before labels are built.
const ESTIMATE_SAMPLES: usize = 12;

/// Labels are not built if more than this multiple of the allowed entries is estimated. The estimate is too
/// high, because the importance of nodes is known from a few trees only.
const ESTIMATE_MARGIN: f64 = 1.5;

/// Lengths that are compared differ by rounding.
const ROUNDING: f64 = 1e-10;

/// Costs that order like their bits, and a node: an entry of a queue.
type Queue = BinaryHeap<Reverse<(u64, u32)>>;

impl NodeLabels {
    /// Builds the labels. Returns `None` if they have more than `max_entries` entries.
    pub(super) fn new(graph: &TautGraph, max_entries: usize) -> Option<Self> {
        let few = by_importance(graph, ESTIMATE_SAMPLES);
        let limit = ESTIMATE_MARGIN * max_entries as f64;
        if estimate_entries(graph, &few, ESTIMATE_SAMPLES) > limit {
            return None;
        }
        let order = by_importance(graph, SAMPLES);
        let count = order.len();
        let mut labels: Vec<Vec<HubEntry>> = vec![Vec::new(); count];
        let mut entries = 0;
        // By rank of a hub, the distance of the node whose search runs.
        let mut to_hub = vec![f64::INFINITY; count];
        let mut tree = Tree::new(count);
        for (rank, &root) in order.iter().enumerate() {
            for entry in &labels[root as usize] {
                to_hub[entry.hub as usize] = entry.length;
            }
            tree.grow(graph, root, |node, length, next| {
                let label = &mut labels[node as usize];
                let is_known = label
                    .iter()
                    .any(|entry| to_hub[entry.hub as usize] + entry.length <= length + ROUNDING);
                if !is_known {
                    let hub = rank as u32;
                    label.push(HubEntry { length, hub, next });
                    entries += 1;
                }
                !is_known
            });
            for entry in &labels[root as usize] {
                to_hub[entry.hub as usize] = f64::INFINITY;
            }
            if entries > max_entries {
                return None;
            }
        }
        let mut all = Csr::new();
        labels.into_iter().for_each(|label| all.push(label));
        Some(Self::with_next_entries(all))
    }

    /// Creates labels in which each next node has the same hub.
    fn with_next_entries(entries: Csr<HubEntry>) -> Self {
        let next_entry = |entry: &HubEntry| {
            if entry.next == NONE {
                return NONE;
            }
            let label = entries.get(entry.next as usize);
            let at = label.partition_point(|other| other.hub < entry.hub);
            entries.offsets()[entry.next as usize] + at as u32
        };
        let next_entries = entries.values().iter().map(next_entry).collect();
        Self {
            entries,
            next_entries,
        }
    }

    /// Returns the label of a node, sorted by hub.
    #[inline(always)]
    pub(super) fn of(&self, node: u32) -> &[HubEntry] {
        self.entries.get(node as usize)
    }

    /// Returns the index of the first entry of a node among all entries.
    #[inline(always)]
    pub(super) fn first_entry(&self, node: u32) -> u32 {
        self.entries.offsets()[node as usize]
    }

    /// Returns whether an entry is in the label of a node.
    pub(super) fn has_entry(&self, node: u32, entry: u32) -> bool {
        (self.first_entry(node)..self.first_entry(node + 1)).contains(&entry)
    }

    /// Calls `visit` with the nodes from the node of an entry to its hub, without the first one.
    #[inline(always)]
    pub(super) fn path_to_hub(&self, mut entry: u32, mut visit: impl FnMut(u32)) {
        loop {
            let next = self.entries.values()[entry as usize].next;
            if next == NONE {
                return;
            }
            visit(next);
            entry = self.next_entries[entry as usize];
        }
    }

    /// Returns all labels.
    pub(super) fn entries(&self) -> &Csr<HubEntry> {
        &self.entries
    }

    /// Creates labels from the lists of a file. Returns `None` if they do not fit the graph: the hubs of a
    /// list must ascend, and each next node must be a neighbour that has the same hub nearer.
    pub(super) fn from_entries(graph: &TautGraph, entries: Csr<HubEntry>) -> Option<Self> {
        let count = graph.nodes.len();
        let labels = Self {
            entries,
            next_entries: Vec::new(),
        };
        if labels.entries.len() != count {
            return None;
        }
        for node in 0..count as u32 {
            let label = labels.of(node);
            let is_sorted = label.windows(2).all(|pair| pair[0].hub < pair[1].hub);
            let is_entry = |entry: &HubEntry| {
                let is_length = entry.length.is_finite() && entry.length >= 0.0;
                let leads_on = || {
                    let is_adjacent = graph.adjacent.get(node as usize).binary_search(&entry.next);
                    let next = (is_adjacent.is_ok()).then(|| labels.of(entry.next))?;
                    let at = next.binary_search_by_key(&entry.hub, |entry| entry.hub);
                    at.ok().filter(|&at| next[at].length < entry.length)
                };
                let is_connected = entry.next == NONE || leads_on().is_some();
                is_length && (entry.hub as usize) < count && is_connected
            };
            if !is_sorted || !label.iter().all(is_entry) {
                return None;
            }
        }
        Some(Self::with_next_entries(labels.entries))
    }

    /// Returns the heap memory of the labels. [Units: bytes]
    pub(super) fn bytes(&self) -> usize {
        self.entries.bytes() + size_of_val(&self.next_entries[..])
    }
}

/// Returns the nodes by importance in some shortest-path trees, the most important first.
fn by_importance(graph: &TautGraph, samples: usize) -> Vec<u32> {
    let count = graph.nodes.len();
    let samples = samples.min(count);
    let none = || (vec![0u64; count], TreeBuffers::new(count));
    // Sums of integers do not depend on their order, so neither does the result on the number of threads.
    let sums = (0..samples).into_par_iter().fold(none, |mut sum, sample| {
        let (importance, buffers) = &mut sum;
        buffers.grow(graph, (sample * count / samples) as u32);
        let TreeBuffers { settled, sizes, .. } = buffers;
        for &(node, next) in settled.iter().rev() {
            sizes[node as usize] += 1;
            importance[node as usize] += sizes[node as usize];
            if next != NONE {
                sizes[next as usize] += sizes[node as usize];
            }
            sizes[node as usize] = 0;
        }
        sum
    });
    let sums = sums.map(|(importance, _)| importance);
    let importance = sums.reduce_with(|mut a, b| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    });
    let importance = importance.unwrap_or_default();
    let mut order: Vec<u32> = (0..count as u32).collect();
    order.sort_by_key(|&node| Reverse(importance[node as usize]));
    order
}

/// Estimates the number of label entries for an order of the nodes. The label of a node has those hubs that are
/// the first in the order on a shortest path to them, so one shortest-path tree gives the label of its root.
fn estimate_entries(graph: &TautGraph, order: &[u32], samples: usize) -> f64 {
    let count = order.len();
    let samples = samples.min(count);
    let mut ranks = vec![0u32; count];
    for (&node, rank) in order.iter().zip(0..) {
        ranks[node as usize] = rank;
    }
    let buffers = || (TreeBuffers::new(count), vec![0u32; count]);
    let entries = (0..samples)
        .into_par_iter()
        .map_init(buffers, |(buffers, first), sample| {
            // Other roots than those that the order was made from.
            let root = (2 * sample + 1) * count / (2 * samples);
            buffers.grow(graph, root as u32);
            let mut entries = 0usize;
            for &(node, next) in &buffers.settled {
                let rank = ranks[node as usize];
                let before = match next {
                    NONE => u32::MAX,
                    next => first[next as usize],
                };
                first[node as usize] = rank.min(before);
                entries += usize::from(rank < before);
            }
            entries
        });
    entries.sum::<usize>() as f64 / samples.max(1) as f64 * count as f64
}

/// A complete shortest-path tree, and memory for sums over it.
struct TreeBuffers {
    tree: Tree,
    /// The nodes by distance, each with the next node on the way to the root.
    settled: Vec<(u32, u32)>,
    /// One number per node, all 0 between uses.
    sizes: Vec<u64>,
}

impl TreeBuffers {
    fn new(count: usize) -> Self {
        Self {
            tree: Tree::new(count),
            settled: Vec::new(),
            sizes: vec![0; count],
        }
    }

    fn grow(&mut self, graph: &TautGraph, root: u32) {
        self.settled.clear();
        self.tree.grow(graph, root, |node, _, next| {
            self.settled.push((node, next));
            true
        });
    }
}

/// A shortest-path tree.
struct Tree {
    lengths: Vec<f64>,
    next: Vec<u32>,
    reached: Vec<u32>,
    queue: Queue,
}

impl Tree {
    fn new(count: usize) -> Self {
        Self {
            lengths: vec![f64::INFINITY; count],
            next: vec![NONE; count],
            reached: Vec::new(),
            queue: Queue::new(),
        }
    }

    /// Grows the tree from `root`. `settle` receives each node, its distance and the next node on the way to
    /// the root, and decides whether the tree grows beyond it.
    fn grow(
        &mut self,
        graph: &TautGraph,
        root: u32,
        mut settle: impl FnMut(u32, f64, u32) -> bool,
    ) {
        for node in self.reached.drain(..) {
            self.lengths[node as usize] = f64::INFINITY;
        }
        self.lengths[root as usize] = 0.0;
        self.next[root as usize] = NONE;
        self.reached.push(root);
        self.queue.push(Reverse((0, root)));
        while let Some(Reverse((bits, node))) = self.queue.pop() {
            let length = f64::from_bits(bits);
            if length > self.lengths[node as usize]
                || !settle(node, length, self.next[node as usize])
            {
                continue;
            }
            let here = graph.positions[node as usize];
            for &to in graph.adjacent.get(node as usize) {
                let longer = length + here.distance(graph.positions[to as usize]);
                let known = &mut self.lengths[to as usize];
                if longer < *known {
                    if *known == f64::INFINITY {
                        self.reached.push(to);
                    }
                    *known = longer;
                    self.next[to as usize] = node;
                    self.queue.push(Reverse((longer.to_bits(), to)));
                }
            }
        }
    }
}
