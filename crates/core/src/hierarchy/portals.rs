//! The portal graph as cells: polygons, and after them the off-mesh links.

use super::{Cliques, Hierarchy, HierarchyError};
use crate::graph::PortalGraph;
use crate::ids::{Level, LinkId, NodeId, PolygonId};
use crate::navmesh::NavMesh;
use crate::partition::Partition;
use crate::profile::Prices;

impl Hierarchy {
    /// The hierarchy of a portal graph, over a partition of the polygons. An off-mesh link lies in the
    /// nodes of the polygon where it begins, so one that leads from node to node is one inter-edge,
    /// at its far end.
    pub fn from_mesh(
        mesh: &NavMesh,
        graph: &PortalGraph,
        partition: Partition,
    ) -> Result<Self, HierarchyError> {
        if partition.cell_count() != mesh.polygon_count() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: mesh.polygon_count(),
            });
        }
        let begins: Vec<u32> = mesh.links().iter().map(|l| l.polygons[0].0).collect();
        Self::new(&graph.cells(), partition.with_cells(&begins))
    }

    /// The node of a polygon.
    #[inline]
    pub(crate) fn node_of(&self, level: Level, polygon: PolygonId) -> NodeId {
        self.partition.node_of(level, polygon.index())
    }

    /// The node of a link, in a mesh of so many polygons.
    #[inline]
    pub(crate) fn node_of_link(&self, level: Level, polygons: usize, link: LinkId) -> NodeId {
        self.partition.node_of(level, polygons + link.index())
    }
}

impl Cliques {
    /// What the arcs of a portal graph cost.
    pub fn from_graph(
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        hierarchy: &Hierarchy,
    ) -> Self {
        let ground = hierarchy.level(Level(0));
        let mut arcs = Vec::with_capacity(ground.intra_edge_count());
        for polygon in mesh.polygons() {
            let factor = prices.factor(mesh, polygon);
            let list = ground.of_node(NodeId(polygon.0));
            for from in list {
                arcs.extend(list.iter().map(|to| {
                    if from == to {
                        0.0
                    } else if factor == f32::INFINITY {
                        f32::INFINITY
                    } else {
                        graph.length(polygon, from.sample(), to.sample()) * factor
                    }
                }));
            }
        }
        for link in mesh.links() {
            let there = prices.link_cost(mesh, link).unwrap_or(f32::INFINITY);
            let back = if link.both_ways { there } else { f32::INFINITY };
            arcs.extend([0.0, there, back, 0.0]);
        }
        Self(arcs)
    }
}
