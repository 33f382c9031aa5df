//! Connecting paths calculated beforehand: from every vertex of a node to each of its inter-edges.
//!
//! PCCP by Rahmani and Pelechano has such paths from the centre of every polygon, which is off by
//! what lies between the centre and the agent. Rows for the vertices of the graph are exact: an agent
//! leaves its polygon by one of them.

use rayon::prelude::*;

use super::centres::Centres;
use super::metric::{Below, Direction, Memory};
use super::path_table::{PathTable, Shape};
use super::{Cliques, Hierarchy};
use crate::csr::Csr;
use crate::graph::DirectedSample;
use crate::ids::{Level, NodeId, SampleId};

/// The connecting paths of one level. A row has an entry for each inter-edge of its node.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectTable {
    /// Per node the vertices of the graph that it holds, ascending; their places here are their rows.
    held: Csr<u32>,
    /// Where the rows of a node begin.
    starts: Vec<usize>,
    /// From vertices to inter-edges: row after row, and with each cost the place of the vertex that
    /// comes next.
    there: PathTable,
    /// From inter-edges to vertices, with the place of the vertex that comes before; `None` where every
    /// arc costs the same in both directions.
    back: Option<PathTable>,
    /// From the centres of polygons, which a navmesh has.
    centres: Option<Centres>,
}

/// Which way a connecting path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connects {
    /// From the start to inter-edges.
    Start,
    /// From inter-edges to the goal.
    Goal,
}

impl ConnectTable {
    pub(super) fn new(hierarchy: &Hierarchy, arcs: &Cliques, level: Level) -> Self {
        let mut table = Self::empty(hierarchy, level);
        let below = Below {
            graph: hierarchy.level(Level(0)),
            costs: &arcs.0,
            parents: hierarchy.partition.nodes(level),
        };
        table.there = table.rows(hierarchy, level, &below, Direction::To);
        if !arcs.are_symmetric(below.graph) {
            table.back = Some(table.rows(hierarchy, level, &below, Direction::From));
        }
        table
    }

    /// Takes arrays in the order of [`arrays`](Self::arrays).
    pub(super) fn from_arrays(
        hierarchy: &Hierarchy,
        level: Level,
        is_symmetric: bool,
        arrays: &mut impl Iterator<Item = PathTable>,
    ) -> Option<Self> {
        let mut table = Self::empty(hierarchy, level);
        let shape = table.shape();
        let mut next = || arrays.next().filter(|ways| ways.fits(shape));
        table.there = next()?;
        if !is_symmetric {
            table.back = Some(next()?);
        }
        Some(table)
    }

    /// All arrays in a fixed order.
    pub(super) fn arrays(&self) -> impl Iterator<Item = &PathTable> {
        let centres = self.centres.iter().flat_map(Centres::arrays);
        [&self.there].into_iter().chain(&self.back).chain(centres)
    }

    /// Who stands where, without costs.
    fn empty(hierarchy: &Hierarchy, level: Level) -> Self {
        let (ground, graph) = (hierarchy.level(Level(0)), hierarchy.level(level));
        let mut pairs = Vec::with_capacity(2 * ground.inter_edges().len());
        for (edge, vertex) in ground.inter_edges().iter().zip(0..) {
            let [a, b] = edge
                .sides
                .map(|end| hierarchy.partition.node_of(level, end.node.index()));
            pairs.push((a.0, vertex));
            if a != b {
                pairs.push((b.0, vertex));
            }
        }
        let held = Csr::group(graph.node_count(), &pairs);
        let entries = |node: usize| held.get(node).len() * graph.of_node(NodeId::new(node)).len();
        let mut starts = vec![0];
        for node in 0..held.len() {
            starts.push(starts[node] + entries(node));
        }
        Self {
            held,
            starts,
            there: PathTable::default(),
            back: None,
            centres: None,
        }
    }

    fn shape(&self) -> Shape {
        let entries = self.starts[self.held.len()];
        Shape {
            costs: entries,
            places: entries,
            end: self.max_held(),
        }
    }

    pub(super) fn with_centres(self, centres: Centres) -> Self {
        Self {
            centres: Some(centres),
            ..self
        }
    }

    /// The rows of centres, where there are any.
    pub(crate) fn centres(&self) -> Option<&Centres> {
        self.centres.as_ref()
    }

    pub(super) fn is_symmetric(&self) -> bool {
        self.back.is_none()
    }

    /// The most vertices that a node holds.
    pub(super) fn max_held(&self) -> usize {
        self.held.iter().map(<[u32]>::len).max().unwrap_or(0)
    }

    fn ways(&self, connects: Connects) -> &PathTable {
        match (connects, &self.back) {
            (Connects::Goal, Some(back)) => back,
            _ => &self.there,
        }
    }

    /// The number of vertices that a node holds.
    pub(crate) fn held_count(&self, node: NodeId) -> usize {
        self.held.get(node.index()).len()
    }

    /// The place of a vertex in a node that holds it.
    #[inline]
    pub(crate) fn index_of(&self, node: NodeId, vertex: SampleId) -> usize {
        let held = self.held.get(node.index());
        held.binary_search(&vertex.0).expect("a vertex of the node")
    }

    /// The vertex at a place.
    #[inline]
    pub(crate) fn vertex(&self, node: NodeId, place: usize) -> Option<SampleId> {
        self.held
            .get(node.index())
            .get(place)
            .copied()
            .map(SampleId)
    }

    /// What it costs between the vertex at a place and each of so many inter-edges.
    #[inline]
    pub(crate) fn costs(
        &self,
        connects: Connects,
        node: NodeId,
        place: usize,
        inter_edges: usize,
    ) -> &[f32] {
        let row = self.starts[node.index()] + place * inter_edges;
        &self.ways(connects).costs[row..row + inter_edges]
    }

    /// From the vertex at a place, the next one on the way to inter-edge `index` of so many, or the
    /// one before on the way from it.
    #[inline]
    pub(crate) fn towards(
        &self,
        connects: Connects,
        node: NodeId,
        place: usize,
        index: u32,
        inter_edges: usize,
    ) -> usize {
        let row = self.starts[node.index()] + place * inter_edges;
        self.ways(connects).place(row + index as usize)
    }

    /// Bytes on the heap of the rows of centres alone.
    pub fn centre_bytes(&self) -> usize {
        self.centres.as_ref().map_or(0, Centres::bytes)
    }

    /// Bytes on the heap, without the rows of centres.
    pub fn bytes(&self) -> usize {
        let ways = [Some(&self.there), self.back.as_ref()];
        self.held.bytes()
            + size_of_val(&self.starts[..])
            + ways
                .into_iter()
                .flatten()
                .map(PathTable::bytes)
                .sum::<usize>()
    }

    fn rows(
        &self,
        hierarchy: &Hierarchy,
        level: Level,
        below: &Below<'_>,
        direction: Direction,
    ) -> PathTable {
        let graph = hierarchy.level(level);
        let parts: Vec<(Vec<f32>, Vec<u32>)> = (0..graph.node_count())
            .into_par_iter()
            .map_init(Memory::default, |memory, node| {
                let (held, edges) = (self.held.get(node), graph.of_node(NodeId::new(node)));
                memory.place(held, below.graph.inter_edges().len());
                let mut costs = vec![0.0; held.len() * edges.len()];
                let mut towards = vec![0; costs.len()];
                for (column, edge) in edges.iter().enumerate() {
                    let vertex = graph.inter_edge(edge.sample().0).vertex;
                    let root = DirectedSample::new(vertex, 1 - edge.far_side());
                    below.grow(NodeId::new(node), root, direction, memory);
                    let Memory { labels, places, .. } = &*memory;
                    for (row, &vertex) in held.iter().enumerate() {
                        let entry = row * edges.len() + column;
                        costs[entry] = labels.cost(SampleId(vertex));
                        if let Some(next) = labels.predecessor(SampleId(vertex)) {
                            towards[entry] = places[next.index()];
                        }
                    }
                }
                (costs, towards)
            })
            .collect();
        PathTable::join(self.shape(), parts)
    }
}
