//! What the vertices of the portal graph are, and what its arcs cost.

use glam::Vec3;

use super::Samples;
use crate::ids::MAX_ELEMENTS;
use crate::navmesh::NavMesh;

/// Options of [`PortalGraph::new`](super::PortalGraph::new): where its vertices are and what its arcs cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// The sample points on each portal. More samples give shorter paths and slower queries. [Default: the
    /// midpoint of each portal]
    pub samples: Samples,
    /// The points between which arc lengths are measured. [Default: sample to sample]
    pub cost_model: CostModel,
}

impl GraphOptions {
    /// Returns whether a graph of `mesh` can be built with these options: they are valid, and the graph has
    /// at most [`MAX_ELEMENTS`] vertices.
    pub fn is_valid_for(&self, mesh: &NavMesh) -> bool {
        self.is_valid() && self.count(mesh) <= MAX_ELEMENTS
    }

    /// Returns whether the options are within their limits. The size of the graph is not checked: see
    /// [`is_valid_for`](Self::is_valid_for).
    pub fn is_valid(&self) -> bool {
        let is_published = self.cost_model == CostModel::Published;
        self.samples.is_valid() && (self.samples == Samples::Each(1) || !is_published)
    }

    /// Returns the number of vertices of the graph of `mesh`.
    pub(super) fn count(&self, mesh: &NavMesh) -> usize {
        let sampling = self.samples.for_mesh(mesh);
        let portal_samples = mesh.portals().iter().map(|p| sampling.count(p) as usize);
        portal_samples.sum::<usize>() + 2 * mesh.links().len()
    }
}

/// The points between which the lengths of arcs are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CostModel {
    /// From sample to sample. The first and last leg are measured from the agent's start and to its goal.
    #[default]
    Portals,
    /// From the centre of one polygon to the centre of the next, as in Rahmani and Pelechano 2020
    /// (MA-HNA*). Start and goal count as the centres of their polygons. Paths are longer than necessary;
    /// use this model to compare with published results. Needs exactly one sample per portal.
    Published,
    /// From sample to sample in plan, that is in the (x, z) plane: climbing costs nothing. For agents whose
    /// speed on the map does not depend on slopes. Partial paths end at the point nearest to the goal in
    /// plan.
    Plan,
}

impl CostModel {
    /// Returns the point from which distances are measured: `point`, without its height in the plan model.
    #[inline]
    pub(crate) fn cost_position(self, point: Vec3) -> Vec3 {
        match self {
            Self::Plan => point.with_y(0.0),
            _ => point,
        }
    }
}
