//! A world from what a file holds of it.

use super::build::next_number;
use super::tiers::TautTier;
use super::{Costs, World};
use crate::contraction::Contraction;
use crate::graph::{GraphOptions, PortalGraph, Samples};
use crate::hierarchy::{Hierarchy, Metric, TableOptions, Ways};
use crate::navmesh::{Link, NavMesh};
use crate::partition::Partition;
use crate::profile::{Prices, Profile};
use crate::query::Tier;

/// How a world with a hierarchy is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// The graph.
    pub graph: GraphOptions,
    /// The connect tables.
    pub tables: TableOptions,
}

/// What a file holds of a world beyond its mesh and how it was made.
#[derive(Clone, Debug, Default)]
pub struct IndexParts {
    /// The partition of the polygons and [`Metric::arrays`], where there is a hierarchy.
    pub hierarchy: Option<(Partition, Vec<Ways>)>,
    /// [`Contraction::order`] and [`Contraction::arc_count`], where there is a contraction. An order that
    /// makes another number of arcs is refused, and not followed any further than to that number.
    pub contraction: Option<(Vec<u32>, usize)>,
    /// The taut tiers, each no more than once.
    pub tiers: Vec<TierParts>,
}

/// What a file holds of a taut tier.
#[derive(Clone, Debug)]
pub struct TierParts {
    /// Which one.
    pub tier: Tier,
    /// The samples of its graph.
    pub samples: Samples,
    /// As of [`IndexParts::contraction`].
    pub order: Vec<u32>,
    /// Likewise.
    pub arcs: usize,
}

impl World {
    /// A world from what a file holds of it: the mesh as it was numbered, how it was made, the default
    /// profile, and the parts. `None` where these do not belong together.
    pub fn from_index(
        mesh: NavMesh,
        options: &IndexOptions,
        profile: &Profile,
        parts: IndexParts,
    ) -> Option<Self> {
        if !options.graph.fit(&mesh) {
            return None;
        }
        let graph = PortalGraph::new(&mesh, &options.graph);
        let tables = options.tables.clone();
        let number = next_number();
        let mut costs = Costs::new(Prices::new(&mesh, profile), number);
        let mut hierarchy = None;
        if let Some((partition, arrays)) = parts.hierarchy {
            let made = Hierarchy::of_mesh(&mesh, &graph, partition).ok()?;
            made.check_tables(&tables).ok()?;
            let is_two_way =
                |link: &Link| link.both_ways || costs.prices().of_link(&mesh, link).is_none();
            let is_symmetric = mesh.links().iter().all(is_two_way);
            let (polygons, arrays) = (mesh.polygon_count(), arrays.into_iter());
            let metric = Metric::from_arrays(&made, polygons, &tables, is_symmetric, arrays)?;
            costs = costs.with_metric(metric);
            hierarchy = Some(made);
        }
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
        if let Some((order, arcs)) = parts.contraction {
            let contraction = contraction(&world.graph, order, arcs)?;
            world = world.contracted(contraction);
        }
        for tier in parts.tiers {
            world = world.with_tier_parts(tier)?;
        }
        Some(world)
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

    /// How it was made.
    pub fn index_options(&self) -> IndexOptions {
        IndexOptions {
            graph: self.graph.options(),
            tables: self.tables.clone(),
        }
    }
}

/// The contraction in an order from a file; `None` where it is none, or does not make so many arcs.
fn contraction(graph: &PortalGraph, order: Vec<u32>, arcs: usize) -> Option<Contraction> {
    if !is_order(&order, graph.sample_count()) {
        return None;
    }
    let contraction = Contraction::limited(order, graph.adjacent(), arcs)?;
    (contraction.arc_count() == arcs).then_some(contraction)
}

/// Whether this holds every number below `count` once.
fn is_order(order: &[u32], count: usize) -> bool {
    let mut is_there = vec![false; count];
    let mut is_new = |&number: &u32| match is_there.get_mut(number as usize) {
        Some(seen) => !std::mem::replace(seen, true),
        None => false,
    };
    order.len() == count && order.iter().all(&mut is_new)
}
