//! A world is assembled part by part: mesh and graph, then hierarchy, contraction and labels.
//!
//! `portolan_index::build` makes all parts and adds them in this order. The methods here are for
//! custom partitions, orders and graphs.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tiers::placed;
use super::{BuildReport, Costs, Stage, World, WorldError};
use crate::contraction::{Contraction, HubLabels, LabelArrays, LabelsError};
use crate::graph::{GraphOptions, PortalGraph};
use crate::hierarchy::{Hierarchy, HierarchyError, TableOptions};
use crate::navmesh::{NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
use crate::partition::Partition;
use crate::profile::{Prices, Profile};
use crate::query::Tier;

/// Is told the share of a stage that is done, from 0 to 1, and can stop the work.
pub type Progress<'a> = &'a (dyn Fn(Stage, f32) -> ControlFlow<()> + Sync);

/// A [`Progress`] that never stops.
pub fn no_progress(_: Stage, _: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A number for a world that no other has.
pub(super) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl World {
    /// Checks raw polygons and makes a world of them that answers by plain searches.
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let mesh = NavMesh::build(raw, options)?;
        Ok(Self::from_mesh(mesh))
    }

    /// The world of a checked mesh, with one sample a portal and the default profile.
    pub fn from_mesh(mesh: NavMesh) -> Self {
        let graph = PortalGraph::new(&mesh, &GraphOptions::default());
        Self::of_graph(mesh, graph, &Profile::default())
    }

    /// The world of a checked mesh and its graph. Queries without costs of their own have those of
    /// `profile`.
    pub fn new(
        mesh: NavMesh,
        options: &GraphOptions,
        profile: &Profile,
    ) -> Result<Self, WorldError> {
        if !options.fit(&mesh) {
            return Err(WorldError::Graph(options.clone()));
        }
        let graph = PortalGraph::new(&mesh, options);
        Ok(Self::of_graph(mesh, graph, profile))
    }

    pub(super) fn of_graph(mesh: NavMesh, graph: PortalGraph, profile: &Profile) -> Self {
        let number = next_number();
        let costs = Costs::new(Prices::new(&mesh, profile), number);
        Self {
            mesh,
            graph,
            hierarchy: None,
            tables: TableOptions::default(),
            contraction: None,
            taut: Default::default(),
            rings: None,
            costs,
            number,
            report: BuildReport::default(),
        }
    }

    /// Adds a hierarchy over a partition of the polygons. Costs made before are those of another world.
    ///
    /// Queries are faster where the polygons of a node have consecutive numbers: number the mesh by
    /// [`Partition::order`] first.
    pub fn with_hierarchy(
        self,
        partition: Partition,
        tables: &TableOptions,
    ) -> Result<Self, WorldError> {
        self.with_hierarchy_and_progress(partition, tables, &no_progress)
    }

    /// As [`with_hierarchy`](Self::with_hierarchy), and tells `watch` how far [`Stage::Hierarchy`] and
    /// [`Stage::Tables`] are. It can stop between two levels, which ends in [`WorldError::Stopped`].
    pub fn with_hierarchy_and_progress(
        mut self,
        partition: Partition,
        tables: &TableOptions,
        watch: Progress<'_>,
    ) -> Result<Self, WorldError> {
        self.set_hierarchy(partition, tables)?;
        self.number = next_number();
        let costs = self.costs.clone().made_for(self.number);
        self.costs = self
            .with_metric_watched(costs, watch)
            .ok_or(WorldError::Stopped)?;
        Ok(self)
    }

    /// Sets the hierarchy, whose costs are still to be made.
    pub(super) fn set_hierarchy(
        &mut self,
        partition: Partition,
        tables: &TableOptions,
    ) -> Result<(), HierarchyError> {
        if partition.cell_count() != self.mesh.polygon_count() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: self.mesh.polygon_count(),
            });
        }
        let hierarchy = Hierarchy::from_mesh(&self.mesh, &self.graph, partition)?;
        hierarchy.check_tables(tables)?;
        self.hierarchy = Some(hierarchy);
        self.tables = tables.clone();
        Ok(())
    }

    /// Adds the fast tier: a contraction in this order, which names the vertex of the graph that has each
    /// rank, the lowest first. Costs made before are those of another world.
    pub fn with_contraction(self, order: Vec<u32>) -> Result<Self, WorldError> {
        check_order(&order, &self.graph)?;
        let contraction = Contraction::new(order, self.graph.adjacent());
        Ok(self.contracted(contraction))
    }

    pub(super) fn contracted(mut self, contraction: Contraction) -> Self {
        self.contraction = Some(placed(contraction, &self.graph));
        self.with_costs_of(Tier::Fast)
    }

    /// Adds hub labels for the default costs, of no more than `max_bytes`. They have to be made again
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

/// Refuses what does not name every vertex of the graph once.
pub(super) fn check_order(order: &[u32], graph: &PortalGraph) -> Result<(), WorldError> {
    let expected = graph.sample_count();
    let mut is_there = vec![false; expected];
    let mut is_new = |&vertex: &u32| match is_there.get_mut(vertex as usize) {
        Some(seen) => !std::mem::replace(seen, true),
        None => false,
    };
    if order.len() == expected && order.iter().all(&mut is_new) {
        return Ok(());
    }
    let found = order.len();
    Err(WorldError::Order { found, expected })
}
