//! The hierarchy of a portal graph. Its cells are the polygons, followed by the off-mesh links.

use super::{Cliques, Hierarchy, HierarchyError, LevelGraph};
use crate::graph::PortalGraph;
use crate::ids::{Level, LinkId, NodeId, PolygonId};
use crate::navmesh::{Link, NavMesh};
use crate::partition::Partition;
use crate::profile::Prices;

impl Hierarchy {
    /// Builds the hierarchy of a portal graph over a partition of the polygons. An off-mesh link is in the
    /// same node as the polygon where it starts. So a link from one node to another is one inter-edge, at
    /// its far end.
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
        let first_polygons: Vec<u32> = mesh.links().iter().map(|link| link.polygons[0].0).collect();
        Self::new(&graph.cells(), partition.with_cells(&first_polygons))
    }

    /// Returns the node of a polygon.
    #[inline]
    pub(crate) fn node_of(&self, level: Level, polygon: PolygonId) -> NodeId {
        self.partition.node_of(level, polygon.index())
    }

    /// Returns the node of a link. `polygons` is the number of polygons of the mesh.
    #[inline]
    pub(crate) fn node_of_link(&self, level: Level, polygons: usize, link: LinkId) -> NodeId {
        self.partition.node_of(level, polygons + link.index())
    }
}

impl Cliques {
    /// Computes the costs of the arcs of a portal graph.
    pub fn from_graph(
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        hierarchy: &Hierarchy,
    ) -> Self {
        let ground = hierarchy.level(Level(0));
        let mut arcs = Vec::with_capacity(ground.intra_edge_count());
        let cells = CellCosts {
            mesh,
            graph,
            prices,
            ground,
        };
        for polygon in mesh.polygons() {
            cells.extend_by_polygon(polygon, &mut arcs);
        }
        for link in mesh.links() {
            arcs.extend(cells.of_link(link));
        }
        Self(arcs)
    }
}

/// The costs of the arcs of single cells of a portal graph, row by row as in [`Cliques`].
pub(crate) struct CellCosts<'a> {
    pub(crate) mesh: &'a NavMesh,
    pub(crate) graph: &'a PortalGraph,
    pub(crate) prices: &'a Prices,
    pub(crate) ground: &'a LevelGraph,
}

impl CellCosts<'_> {
    /// Appends the costs of the arcs of a polygon.
    pub(crate) fn extend_by_polygon(&self, polygon: PolygonId, arcs: &mut Vec<f32>) {
        let factor = self.prices.factor(self.mesh, polygon);
        let list = self.ground.of_node(NodeId(polygon.0));
        for from in list {
            arcs.extend(list.iter().map(|to| {
                if from == to {
                    0.0
                } else if factor == f32::INFINITY {
                    f32::INFINITY
                } else {
                    self.graph.length(polygon, from.sample(), to.sample()) * factor
                }
            }));
        }
    }

    /// Returns the costs of the arcs of a link.
    pub(crate) fn of_link(&self, link: &Link) -> [f32; 4] {
        let there = self.prices.link_cost(self.mesh, link);
        let there = there.unwrap_or(f32::INFINITY);
        let back = if link.both_ways { there } else { f32::INFINITY };
        [0.0, there, back, 0.0]
    }
}
