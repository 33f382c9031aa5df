//! A world from what a file holds of it.

use super::World;
use super::build::check_order;
use super::tiers::TautTier;
use crate::contraction::Contraction;
use crate::graph::{GraphOptions, PortalGraph, Samples};
use crate::hierarchy::{Metric, PathTable, TableOptions};
use crate::navmesh::{Link, NavMesh};
use crate::partition::Partition;
use crate::profile::Profile;
use crate::query::Tier;

/// What a file holds of a world beyond its mesh.
#[derive(Clone, Debug, Default)]
pub struct IndexParts {
    /// How the graph is made.
    pub graph: GraphOptions,
    /// The default profile.
    pub profile: Profile,
    /// The hierarchy, where there is one.
    pub hierarchy: Option<HierarchyParts>,
    /// [`Contraction::order`] and [`Contraction::arc_count`], where there is a contraction. An order that
    /// makes another number of arcs is refused, and not followed any further than to that number.
    pub contraction: Option<(Vec<u32>, usize)>,
    /// The taut tiers, each no more than once.
    pub tiers: Vec<TierParts>,
}

/// What a file holds of a hierarchy.
#[derive(Clone, Debug)]
pub struct HierarchyParts {
    /// The partition of the polygons.
    pub partition: Partition,
    /// Which connect tables there are.
    pub tables: TableOptions,
    /// [`Metric::arrays`] of the default profile.
    pub arrays: Vec<PathTable>,
}

/// What a file holds of a taut tier.
#[derive(Clone, Debug)]
pub struct TierParts {
    /// Which one.
    pub tier: Tier,
    /// The samples of its graph.
    pub samples: Samples,
    /// [`Contraction::order`].
    pub order: Vec<u32>,
    /// [`Contraction::arc_count`], which limits the contraction as in [`IndexParts::contraction`].
    pub arcs: usize,
}

impl World {
    /// A world from what a file holds of it: the mesh as it was numbered, and the parts. `None` where
    /// these do not belong together.
    pub fn from_index(mesh: NavMesh, parts: IndexParts) -> Option<Self> {
        let mut world = Self::new(mesh, &parts.graph, &parts.profile).ok()?;
        if let Some(hierarchy) = parts.hierarchy {
            world = world.with_hierarchy_parts(hierarchy)?;
        }
        if let Some((order, arcs)) = parts.contraction {
            let contraction = contraction(&world.graph, order, arcs)?;
            world = world.contracted(contraction);
        }
        for tier in parts.tiers {
            world = world.with_tier_parts(tier)?;
        }
        Some(world)
    }

    /// Adds a hierarchy with the costs of the default profile. `None` where they are none of this mesh.
    fn with_hierarchy_parts(mut self, parts: HierarchyParts) -> Option<Self> {
        let HierarchyParts {
            partition,
            tables,
            arrays,
        } = parts;
        self.set_hierarchy(partition, &tables).ok()?;
        let (mesh, costs) = (&self.mesh, &self.costs);
        let is_two_way =
            |link: &Link| link.both_ways || costs.prices().of_link(mesh, link).is_none();
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

    /// `None` where it is no taut tier, already there, or none of this mesh.
    fn with_tier_parts(self, parts: TierParts) -> Option<Self> {
        let TierParts {
            tier,
            samples,
            order,
            arcs,
        } = parts;
        let options = self.taut_graph_options(samples);
        if !tier.is_taut() || self.tier(tier).is_some() || !options.fit(&self.mesh) {
            return None;
        }
        let graph = PortalGraph::new(&self.mesh, &options);
        let contraction = contraction(&graph, order, arcs)?;
        Some(self.with_taut(tier, TautTier { graph, contraction }))
    }

    /// Which connect tables the hierarchy has, where there is one.
    pub fn table_options(&self) -> &TableOptions {
        &self.tables
    }
}

/// The contraction in an order from a file; `None` where it is none, or does not make so many arcs.
fn contraction(graph: &PortalGraph, order: Vec<u32>, arcs: usize) -> Option<Contraction> {
    check_order(&order, graph).ok()?;
    let contraction = Contraction::with_arc_limit(order, graph.adjacent(), arcs)?;
    (contraction.arc_count() == arcs).then_some(contraction)
}
