//! The exact tier in an index file.

use super::corners::ObstacleSides;
use super::dead_ends::Arcs;
use super::graph::{TautGraph, forget_wedges_at_stops};
use super::index::{ExactIndex, Frame};
use super::labels::{HubEntry, NodeLabels};
use super::plan::in_plan;
use crate::csr::Csr;
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// What an index file stores of an exact tier: everything that takes long to compute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactParts {
    /// Per node of the taut graph, the nodes that it sees along a tangent, in ascending order. The mesh and the
    /// profile determine the nodes.
    pub adjacent: Csr<u32>,
    /// Per node, its hub label, if queries use labels.
    pub labels: Option<Csr<HubEntry>>,
}

impl ExactIndex {
    /// Returns what an index file stores.
    pub(crate) fn parts(&self) -> ExactParts {
        let labels = self.labels.as_ref();
        ExactParts {
            adjacent: self.graph.adjacent.clone(),
            labels: labels.map(|labels| labels.entries().clone()),
        }
    }

    /// Builds the exact tier from the contents of a file. Returns `None` if they do not fit the mesh and the
    /// profile.
    pub(crate) fn from_parts(mesh: &NavMesh, prices: &Prices, parts: ExactParts) -> Option<Self> {
        let frame = Frame::new(mesh, prices).ok()?;
        let ExactParts { adjacent, labels } = parts;
        if adjacent.len() != frame.nodes.len() {
            return None;
        }
        for (node, others) in adjacent.iter().enumerate() {
            let is_sorted = others.windows(2).all(|pair| pair[0] < pair[1]);
            let is_mutual = |&other: &u32| {
                other as usize != node
                    && (other as usize) < adjacent.len()
                    && adjacent
                        .get(other as usize)
                        .binary_search(&(node as u32))
                        .is_ok()
            };
            if !is_sorted || !others.iter().all(is_mutual) {
                return None;
            }
        }
        // The order of the edges around a node is only defined for tangents.
        let positions: Vec<_> = frame.nodes.iter().map(|node| in_plan(node.point)).collect();
        let arcs = Arcs::new(&frame.nodes, &positions, &adjacent, frame.plan.rounding);
        let mut sides = arcs.head.iter().chain(&arcs.tail);
        if !sides.all(|sides: &ObstacleSides| sides.is_tangent()) {
            return None;
        }
        let mut nodes = frame.nodes.clone();
        forget_wedges_at_stops(&mut nodes, &adjacent);
        let arcs = Arcs::new(&nodes, &positions, &adjacent, frame.plan.rounding);
        let graph = TautGraph::from_arcs(nodes, positions, adjacent, &arcs);
        let (mut index, outlines) = frame.with_graph(graph);
        if let Some(entries) = labels {
            if index.has_links() {
                return None;
            }
            let labels = NodeLabels::from_entries(&index.graph, entries)?;
            index = index.with_labels(Some(labels), &outlines);
        }
        Some(index)
    }
}
