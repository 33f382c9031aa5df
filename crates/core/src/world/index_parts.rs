//! Assembling a world from the contents of an index file.

use super::build::check_order;
use super::tiers::TautTier;
use super::{ExactOptions, World};
use crate::contraction::Contraction;
use crate::exact::{ExactIndex, ExactParts};
use crate::graph::{GraphOptions, PortalGraph, Samples};
use crate::hierarchy::{Metric, PathTable, TableOptions};
use crate::navmesh::{Link, NavMesh};
use crate::partition::Partition;
use crate::profile::Profile;
use crate::query::Tier;

/// The contents of an index file, except for the mesh.
#[derive(Clone, Debug, Default)]
pub struct IndexParts {
    /// The options of the world's own graph.
    pub graph: GraphOptions,
    /// The default profile.
    pub profile: Profile,
    /// The hierarchy, if there is one.
    pub hierarchy: Option<HierarchyParts>,
    /// [`Contraction::order`] and [`Contraction::arc_count`] of the fast tier, if there is one. An order
    /// that gives another number of arcs is rejected; the contraction stops as soon as it exceeds that
    /// number.
    pub contraction: Option<(Vec<u32>, usize)>,
    /// The taut tiers, each at most once.
    pub tiers: Vec<TierParts>,
    /// The exact tier, if there is one.
    pub exact: Option<(ExactOptions, ExactParts)>,
}

/// The hierarchy in an index file.
#[derive(Clone, Debug)]
pub struct HierarchyParts {
    /// The partition of the polygons.
    pub partition: Partition,
    /// The connect tables that the hierarchy has.
    pub tables: TableOptions,
    /// [`Metric::arrays`] of the default profile.
    pub arrays: Vec<PathTable>,
}

/// A taut tier in an index file.
#[derive(Clone, Debug)]
pub struct TierParts {
    /// The tier.
    pub tier: Tier,
    /// The samples of its graph.
    pub samples: Samples,
    /// The contraction order: see [`Contraction::order`].
    pub order: Vec<u32>,
    /// [`Contraction::arc_count`], which limits the contraction as in [`IndexParts::contraction`].
    pub arcs: usize,
}

impl World {
    /// Assembles a world from the contents of an index file: the mesh, numbered as in the file, and the
    /// other parts. Returns `None` if they do not belong together.
    pub fn from_index(mesh: NavMesh, parts: IndexParts) -> Option<Self> {
        let mut world = Self::new(mesh, &parts.graph, &parts.profile).ok()?;
        if let Some(hierarchy) = parts.hierarchy {
            world = world.with_hierarchy_parts(hierarchy)?;
        }
        if let Some((order, arcs)) = parts.contraction {
            let contraction = contraction(&world.graph, order, arcs)?;
            world = world.with_fast_contraction(contraction);
        }
        for tier in parts.tiers {
            world = world.with_tier_parts(tier)?;
        }
        if let Some((options, parts)) = parts.exact {
            let prices = world.costs.prices();
            let index = ExactIndex::from_parts(&world.mesh, prices, parts)?;
            world = world.with_exact_index(options, index);
        }
        Some(world)
    }

    /// Adds a hierarchy with the costs of the default profile. Returns `None` if it does not match the
    /// mesh.
    fn with_hierarchy_parts(mut self, parts: HierarchyParts) -> Option<Self> {
        let HierarchyParts {
            partition,
            tables,
            arrays,
        } = parts;
        self.set_hierarchy(partition, &tables).ok()?;
        let (mesh, costs) = (&self.mesh, &self.costs);
        let is_two_way =
            |link: &Link| link.both_ways || costs.prices().link_cost(mesh, link).is_none();
        let is_symmetric = mesh.links().iter().all(is_two_way);
        let metric = Metric::from_arrays(
            self.hierarchy.as_ref()?,
            mesh.polygon_count(),
            &tables,
            is_symmetric,
            arrays.into_iter(),
        )?;
        self.costs = self.costs.with_metric(metric);
        Some(self)
    }

    /// Adds a taut tier. Returns `None` if the tier is not taut, already present, or does not match the
    /// mesh.
    fn with_tier_parts(self, parts: TierParts) -> Option<Self> {
        let TierParts {
            tier,
            samples,
            order,
            arcs,
        } = parts;
        let options = self.taut_graph_options(samples);
        if !tier.is_taut() || self.tier(tier).is_some() || !options.is_valid_for(&self.mesh) {
            return None;
        }
        let graph = PortalGraph::new(&self.mesh, &options);
        let contraction = contraction(&graph, order, arcs)?;
        Some(self.with_taut(tier, TautTier { graph, contraction }))
    }

    /// Returns the connect tables that the hierarchy has.
    pub fn table_options(&self) -> &TableOptions {
        &self.tables
    }
}

/// Builds a contraction from the order in a file. Returns `None` if the order is invalid or gives another
/// number of arcs.
fn contraction(graph: &PortalGraph, order: Vec<u32>, arcs: usize) -> Option<Contraction> {
    check_order(&order, graph).ok()?;
    let contraction = Contraction::with_arc_limit(order, graph.adjacent(), arcs)?;
    (contraction.arc_count() == arcs).then_some(contraction)
}
