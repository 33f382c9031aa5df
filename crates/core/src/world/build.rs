//! From a mesh to a world, part by part.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tiers::placed;
use super::{Costs, IndexOptions, World};
use crate::contraction::{Contraction, HubLabels, LabelArrays, LabelsError};
use crate::graph::{GraphOptions, PortalGraph};
use crate::hierarchy::{Hierarchy, HierarchyError, TableOptions};
use crate::navmesh::{NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
use crate::partition::Partition;
use crate::profile::{Prices, Profile};
use crate::query::Tier;

/// A number for a world that no other has.
pub(super) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl World {
    /// Raw polygons in, a world that answers out.
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let mesh = NavMesh::build(raw, options)?;
        Ok(Self::from_mesh(mesh))
    }

    /// The world of a checked mesh, with one sample a portal.
    pub fn from_mesh(mesh: NavMesh) -> Self {
        Self::with_graph(mesh, &GraphOptions::default())
    }

    /// The world of a checked mesh.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_graph(mesh: NavMesh, options: &GraphOptions) -> Self {
        Self::with_profile(mesh, options, &Profile::default())
    }

    /// The same for a default profile of the caller's, which queries without costs then have.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_profile(mesh: NavMesh, options: &GraphOptions, profile: &Profile) -> Self {
        let graph = PortalGraph::new(&mesh, options);
        let tables = TableOptions::default();
        Self::assemble(mesh, graph, None, tables, profile, &|_| ())
    }

    /// A world with a hierarchy over a partition of its polygons. They are numbered anew, so that what
    /// one node holds lies together.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_hierarchy(
        mesh: NavMesh,
        partition: Partition,
        options: &IndexOptions,
    ) -> Result<Self, HierarchyError> {
        Self::with_hierarchy_watched(mesh, partition, options, &Profile::default(), |_| ())
    }

    /// The same for a default profile of the caller's, which queries without costs then have;
    /// `progress` is told the share that is done.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_hierarchy_watched(
        mesh: NavMesh,
        partition: Partition,
        options: &IndexOptions,
        profile: &Profile,
        progress: impl Fn(f32) + Sync,
    ) -> Result<Self, HierarchyError> {
        if partition.cell_count() != mesh.polygon_count() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: mesh.polygon_count(),
            });
        }
        let order = partition.order();
        let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
        let graph = PortalGraph::new(&mesh, &options.graph);
        let hierarchy = Hierarchy::of_mesh(&mesh, &graph, partition)?;
        let tables = options.tables.clone();
        hierarchy.check_tables(&tables)?;
        Ok(Self::assemble(
            mesh,
            graph,
            Some(hierarchy),
            tables,
            profile,
            &progress,
        ))
    }

    fn assemble(
        mesh: NavMesh,
        graph: PortalGraph,
        hierarchy: Option<Hierarchy>,
        tables: TableOptions,
        profile: &Profile,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        let number = next_number();
        let costs = Costs::new(Prices::new(&mesh, profile), number);
        let mut world = Self {
            mesh,
            graph,
            hierarchy,
            tables,
            contraction: None,
            taut: Default::default(),
            rings: None,
            costs,
            number,
        };
        world.costs = world.costs_watched(profile, progress);
        world
    }

    /// Adds the fast tier: a contraction in this order, the vertex of the graph that has each rank, the
    /// lowest first. Costs made before know nothing of it, and are those of another world.
    ///
    /// # Panics
    /// When it is no order of the graph's vertices.
    pub fn with_contraction(self, order: Vec<u32>) -> Self {
        assert_eq!(
            order.len(),
            self.graph.sample_count(),
            "vertices in the order"
        );
        let contraction = Contraction::new(order, self.graph.adjacent());
        self.contracted(contraction)
    }

    pub(super) fn contracted(mut self, contraction: Contraction) -> Self {
        self.contraction = Some(placed(contraction, &self.graph));
        self.with_costs_of(Tier::Fast)
    }

    /// Adds hub labels for the default costs, of no more than `max_bytes`. They have to be made anew
    /// when the costs or the contraction change, so they are for worlds that stay as they are; other
    /// profiles are answered by the contraction.
    pub fn with_labels(self, max_bytes: usize) -> Result<Self, LabelsError> {
        let made_of = self
            .contraction
            .as_ref()
            .zip(self.costs.shortcuts(Tier::Fast));
        let (contraction, shortcuts) = made_of.ok_or(LabelsError::NoContraction)?;
        let labels = HubLabels::new(contraction, shortcuts, max_bytes)?;
        Ok(self.labelled(labels))
    }

    /// Adds the hub labels that a file holds: [`HubLabels::arrays`]. `None` where they do not belong to
    /// this world, or it has no contraction.
    pub fn with_label_arrays(self, arrays: impl IntoIterator<Item = LabelArrays>) -> Option<Self> {
        let (contraction, shortcuts) = self
            .contraction
            .as_ref()
            .zip(self.costs.shortcuts(Tier::Fast))?;
        let labels = HubLabels::from_arrays(contraction, shortcuts, arrays)?;
        Some(self.labelled(labels))
    }

    fn labelled(mut self, labels: HubLabels) -> Self {
        self.costs = self.costs.with_labels(Arc::new(labels));
        self
    }
}
