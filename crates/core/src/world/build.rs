//! Assembling a world part by part: mesh and graph, then hierarchy, contraction and hub labels.
//!
//! `portolan_index::build` computes all parts and adds them in this order. Use these methods directly for
//! custom partitions, orders and graphs.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::tiers::with_vertex_positions;
use super::{BuildReport, Costs, Stage, World, WorldError};
use crate::contraction::{Contraction, HubLabels, LabelArrays, LabelsError};
use crate::graph::{GraphOptions, PortalGraph};
use crate::hierarchy::{Hierarchy, HierarchyError, Metric, TableOptions};
use crate::navmesh::{NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
use crate::partition::Partition;
use crate::profile::{Prices, Profile};
use crate::query::Tier;

/// A callback that receives the current stage and the fraction of it that is done, from 0 to 1. It can stop
/// the work.
pub type Progress<'a> = &'a (dyn Fn(Stage, f32) -> ControlFlow<()> + Sync);

/// A [`Progress`] callback that never stops the work.
pub fn no_progress(_: Stage, _: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns a new id for a world, unique in this process.
pub(super) fn next_world_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A hierarchy that is not yet part of a world.
#[derive(Debug)]
pub struct BuiltHierarchy {
    hierarchy: Hierarchy,
    tables: TableOptions,
    /// The costs of the hierarchy for the default profile.
    metric: Metric,
}

/// A contraction of the graph of a world that is not yet part of it.
#[derive(Clone, Debug)]
pub struct BuiltContraction {
    contraction: Contraction,
}

impl BuiltContraction {
    /// Returns the contraction.
    pub fn contraction(&self) -> &Contraction {
        &self.contraction
    }
}

impl World {
    /// Checks raw polygons and builds a world without an index, which answers queries with A*.
    ///
    /// # Errors
    /// Fails if [`NavMesh::build`] rejects the polygons.
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let mesh = NavMesh::build(raw, options)?;
        Ok(Self::from_mesh(mesh))
    }

    /// Builds a world without an index from a mesh, with one sample per portal and the default profile.
    pub fn from_mesh(mesh: NavMesh) -> Self {
        let graph = PortalGraph::new(&mesh, &GraphOptions::default());
        Self::from_graph(mesh, graph, &Profile::default())
    }

    /// Builds a world without an index from a mesh, with the given graph options. `profile` is the default
    /// profile, for queries without costs of their own.
    ///
    /// # Errors
    /// Fails with [`WorldError::Graph`] if the options are invalid for this mesh.
    pub fn new(
        mesh: NavMesh,
        options: &GraphOptions,
        profile: &Profile,
    ) -> Result<Self, WorldError> {
        if !options.is_valid_for(&mesh) {
            return Err(WorldError::Graph(options.clone()));
        }
        let graph = PortalGraph::new(&mesh, options);
        Ok(Self::from_graph(mesh, graph, profile))
    }

    /// Builds a world from a mesh and its graph.
    pub(super) fn from_graph(mesh: NavMesh, graph: PortalGraph, profile: &Profile) -> Self {
        let id = next_world_id();
        let costs = Costs::new(Prices::new(&mesh, profile), id);
        Self {
            mesh,
            graph,
            graph_before: None,
            knows_all_parts: Default::default(),
            hierarchy: None,
            tables: TableOptions::default(),
            contraction: None,
            taut: Default::default(),
            rings: None,
            exact: None,
            costs,
            id,
            version: 0,
            report: BuildReport::default(),
        }
    }

    /// Adds a hierarchy over a partition of the polygons. [`Costs`] built before become invalid for the new
    /// world.
    ///
    /// Queries are faster if the polygons of a node have consecutive numbers: renumber the mesh by
    /// [`Partition::order`] first.
    ///
    /// # Errors
    /// Fails with [`WorldError::Hierarchy`] if the partition is of another mesh, or if the hierarchy would be
    /// too large.
    pub fn with_hierarchy(
        self,
        partition: Partition,
        tables: &TableOptions,
    ) -> Result<Self, WorldError> {
        self.with_hierarchy_and_progress(partition, tables, &no_progress)
    }

    /// Adds a hierarchy as [`with_hierarchy`](Self::with_hierarchy) does, and reports the progress of
    /// [`Stage::Hierarchy`] and [`Stage::Tables`]. The callback can stop the work between two levels.
    ///
    /// # Errors
    /// Fails as [`with_hierarchy`](Self::with_hierarchy) does, and with [`WorldError::Stopped`] if the
    /// callback stops the work.
    pub fn with_hierarchy_and_progress(
        self,
        partition: Partition,
        tables: &TableOptions,
        progress: Progress<'_>,
    ) -> Result<Self, WorldError> {
        let built = self.build_hierarchy(partition, tables, progress)?;
        Ok(self.with_built_hierarchy(built))
    }

    /// Builds a hierarchy as [`with_hierarchy_and_progress`](Self::with_hierarchy_and_progress) does, without
    /// adding it. So a hierarchy can be built while other parts of the world are built.
    ///
    /// # Errors
    /// Fails as [`with_hierarchy_and_progress`](Self::with_hierarchy_and_progress) does.
    pub fn build_hierarchy(
        &self,
        partition: Partition,
        tables: &TableOptions,
        progress: Progress<'_>,
    ) -> Result<BuiltHierarchy, WorldError> {
        let hierarchy = self.hierarchy_over(partition, tables)?;
        let metric = self
            .metric_over(&hierarchy, tables, self.costs.prices(), progress)
            .ok_or(WorldError::Stopped)?;
        Ok(BuiltHierarchy {
            hierarchy,
            tables: tables.clone(),
            metric,
        })
    }

    /// Adds a hierarchy that was built for a world with the same mesh, graph and profile. [`Costs`] built
    /// before become invalid for the new world.
    pub fn with_built_hierarchy(mut self, built: BuiltHierarchy) -> Self {
        let BuiltHierarchy {
            hierarchy,
            tables,
            metric,
        } = built;
        self.hierarchy = Some(hierarchy);
        self.tables = tables;
        self.id = next_world_id();
        self.costs = self.costs.built_for(self.id).with_metric(metric);
        self
    }

    /// Builds a hierarchy without costs.
    pub(super) fn hierarchy_over(
        &self,
        partition: Partition,
        tables: &TableOptions,
    ) -> Result<Hierarchy, HierarchyError> {
        if partition.cell_count() != self.mesh.polygon_count() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: self.mesh.polygon_count(),
            });
        }
        let hierarchy = Hierarchy::from_mesh(&self.mesh, &self.graph, partition)?;
        hierarchy.check_tables(tables)?;
        Ok(hierarchy)
    }

    /// Adds the fast tier: a contraction of the world's graph. `order` lists the vertices of the graph by
    /// rank, the lowest first. [`Costs`] built before become invalid for the new world.
    ///
    /// # Errors
    /// Fails with [`WorldError::Order`] if `order` is not a permutation of the vertices, and with [`WorldError::Depth`] if it
    /// is far from a good one.
    pub fn with_contraction(self, order: Vec<u32>) -> Result<Self, WorldError> {
        let built = self.build_contraction(order)?;
        Ok(self.with_fast_tier(built))
    }

    /// Builds the contraction of [`with_contraction`](Self::with_contraction) without its costs and without adding
    /// it. So what depends on the contraction only can be built while its costs are computed.
    ///
    /// # Errors
    /// Fails as [`with_contraction`](Self::with_contraction) does.
    pub fn build_contraction(&self, order: Vec<u32>) -> Result<BuiltContraction, WorldError> {
        check_order(&order, &self.graph)?;
        let contraction = contract(order, &self.graph)?;
        Ok(BuiltContraction { contraction })
    }

    /// Adds the fast tier: a contraction that was built for a world with the same mesh and graph. [`Costs`] built
    /// before become invalid for the new world.
    pub fn with_fast_tier(self, built: BuiltContraction) -> Self {
        self.with_fast_contraction(built.contraction)
    }

    /// Sets the contraction of the fast tier and customizes it for the default profile.
    pub(super) fn with_fast_contraction(mut self, contraction: Contraction) -> Self {
        self.contraction = Some(with_vertex_positions(contraction, &self.graph));
        let mut world = self.with_costs_of(Tier::Fast);
        let contraction = world.contraction.take();
        world.contraction = contraction.map(|contraction| contraction.without_arcs(&world.graph));
        world
    }

    /// Adds hub labels for the default costs, of at most `max_bytes`. They have to be rebuilt if the costs
    /// or the contraction change, so they suit worlds that do not change. Queries with other profiles are
    /// answered by the contraction.
    ///
    /// # Errors
    /// Fails if the world has no fast tier, or if the labels would be larger than `max_bytes`.
    pub fn with_labels(self, max_bytes: usize) -> Result<Self, LabelsError> {
        let parts = self
            .contraction
            .as_ref()
            .zip(self.costs.shortcuts(Tier::Fast));
        let (contraction, shortcuts) = parts.ok_or(LabelsError::NoContraction)?;
        let labels = HubLabels::new(contraction, shortcuts, max_bytes)?;
        Ok(self.with_hub_labels(labels))
    }

    /// Adds hub labels from the arrays of a file, as [`HubLabels::arrays`] returns them. Returns `None` if
    /// they do not match this world, or if the world has no contraction.
    pub fn with_label_arrays(self, arrays: impl IntoIterator<Item = LabelArrays>) -> Option<Self> {
        let (contraction, shortcuts) = self
            .contraction
            .as_ref()
            .zip(self.costs.shortcuts(Tier::Fast))?;
        let labels = HubLabels::from_arrays(contraction, shortcuts, arrays)?;
        Some(self.with_hub_labels(labels))
    }

    pub(super) fn with_hub_labels(mut self, labels: HubLabels) -> Self {
        self.costs = self.costs.with_labels(Arc::new(labels));
        self
    }
}

/// Builds the contraction of a graph. `order` must be a permutation of its vertices.
pub(super) fn contract(order: Vec<u32>, graph: &PortalGraph) -> Result<Contraction, WorldError> {
    let contraction = Contraction::new(order, graph.adjacent());
    let (found, limit) = (contraction.depth(), Contraction::MAX_DEPTH);
    match found <= limit {
        true => Ok(contraction),
        false => Err(WorldError::Depth { found, limit }),
    }
}

/// Checks that `order` contains every vertex of the graph exactly once.
pub(super) fn check_order(order: &[u32], graph: &PortalGraph) -> Result<(), WorldError> {
    let expected = graph.sample_count();
    let mut is_listed = vec![false; expected];
    let mut is_new = |&vertex: &u32| match is_listed.get_mut(vertex as usize) {
        Some(entry) => !std::mem::replace(entry, true),
        None => false,
    };
    if order.len() == expected && order.iter().all(&mut is_new) {
        return Ok(());
    }
    let found = order.len();
    Err(WorldError::Order { found, expected })
}
