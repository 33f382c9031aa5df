//! Assembling a world from the contents of an index file.

use rayon::prelude::*;

use super::tiers::{TautTier, with_vertex_positions};
use super::{ExactOptions, World};
use crate::array::Array;
use crate::contraction::{Contraction, ShortcutArrays, Shortcuts};
use crate::csr::Lists;
use crate::exact::{ExactIndex, ExactParts};
use crate::graph::{GraphOptions, PortalGraph, Samples};
use crate::hierarchy::{Metric, PathTable, TableOptions};
use crate::ids::{LinkId, SampleId};
use crate::navmesh::{Link, NavMesh};
use crate::partition::Partition;
use crate::path::Rings;
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
    /// The contraction of the fast tier, if there is one.
    pub contraction: Option<ContractionParts>,
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
    /// The contraction of that graph.
    pub contraction: ContractionParts,
}

/// A contraction in an index file, customized for the default profile.
#[derive(Clone, Debug)]
pub struct ContractionParts {
    /// [`Contraction::order`].
    pub order: Array<u32>,
    /// [`Contraction::upper_neighbours`].
    pub upper_neighbours: Lists<u32>,
    /// [`Shortcuts::arrays`] of the default profile.
    pub shortcuts: ShortcutArrays,
}

impl World {
    /// Assembles a world from the contents of an index file: the mesh, numbered as in the file, and the
    /// other parts. Returns `None` if they do not belong together.
    pub fn from_index(mesh: NavMesh, parts: IndexParts) -> Option<Self> {
        let IndexParts {
            graph,
            profile,
            hierarchy,
            contraction,
            tiers,
            exact,
        } = parts;
        let mut world = Self::new(mesh, &graph, &profile).ok()?;
        let base = &world;
        let (has_tiers, prices) = (!tiers.is_empty(), base.costs.prices());
        // Each part is `None` if it does not fit, and `Some(None)` if there is no such part.
        let ((tiers, rings), (fast, exact)) = rayon::join(
            || {
                rayon::join(
                    || {
                        let tiers = tiers.into_par_iter();
                        let tiers = tiers.map(|parts| base.customized_tier(parts));
                        tiers.collect::<Option<Vec<_>>>()
                    },
                    || has_tiers.then(|| Rings::new(&base.mesh)),
                )
            },
            || {
                let fast = optional(contraction, |parts| base.customized(&base.graph, parts));
                let exact = optional(exact, |(options, parts)| {
                    Some((options, ExactIndex::from_parts(&base.mesh, prices, parts)?))
                });
                (fast, exact)
            },
        );
        if let Some((contraction, shortcuts)) = fast? {
            world.contraction = Some(contraction);
            world = world.with_default_shortcuts(Tier::Fast, shortcuts);
        }
        world.rings = rings;
        for (tier, taut, shortcuts) in tiers? {
            if world.tier(tier).is_some() {
                return None;
            }
            world = world.with_taut(tier, taut);
            world = world.with_default_shortcuts(tier, shortcuts);
        }
        if let Some((options, index)) = exact? {
            world = world.with_exact_index(options, index);
        }
        match hierarchy {
            Some(parts) => world.with_hierarchy_parts(parts),
            None => Some(world),
        }
    }

    /// Adds a hierarchy from an index file, with its costs for the default profile. Returns `None` if it does not
    /// match the mesh.
    pub fn with_hierarchy_parts(mut self, parts: HierarchyParts) -> Option<Self> {
        let HierarchyParts {
            partition,
            tables,
            arrays,
        } = parts;
        let hierarchy = self.hierarchy_over(partition, &tables).ok()?;
        let (mesh, costs) = (&self.mesh, &self.costs);
        let is_two_way =
            |link: &Link| link.both_ways || costs.prices().link_cost(mesh, link).is_none();
        let is_symmetric = mesh.links().iter().all(is_two_way);
        let metric = Metric::from_arrays(
            &hierarchy,
            mesh.polygon_count(),
            &tables,
            is_symmetric,
            arrays.into_iter(),
        )?;
        self.hierarchy = Some(hierarchy);
        self.tables = tables;
        self.costs = self.costs.with_metric(metric);
        Some(self)
    }

    /// Creates a taut tier and its shortcuts for the default profile. Returns `None` if the tier is not taut or
    /// does not match the mesh.
    fn customized_tier(&self, parts: TierParts) -> Option<(Tier, TautTier, Shortcuts)> {
        let TierParts {
            tier,
            samples,
            contraction,
        } = parts;
        let options = self.taut_graph_options(samples);
        if !tier.is_taut() || !options.is_valid_for(&self.mesh) {
            return None;
        }
        let graph = PortalGraph::new(&self.mesh, &options);
        let (contraction, shortcuts) = self.customized(&graph, contraction)?;
        Some((tier, TautTier { graph, contraction }, shortcuts))
    }

    /// Creates the contraction of a graph and its shortcuts for the default profile. Returns `None` if they do
    /// not match the graph.
    fn customized(
        &self,
        graph: &PortalGraph,
        parts: ContractionParts,
    ) -> Option<(Contraction, Shortcuts)> {
        let ContractionParts {
            order,
            upper_neighbours,
            shortcuts,
        } = parts;
        if order.len() != graph.sample_count() {
            return None;
        }
        let contraction = Contraction::from_arrays(order, upper_neighbours)?;
        let (mesh, prices) = (&self.mesh, self.costs.prices());
        // Every arc of the graph is within a polygon or along a link.
        let within = |polygon| graph.samples_of(polygon).map(|sample| sample.0);
        let along = |link| [0, 1].map(|end| graph.link_end(link, end).0).into_iter();
        let mut links = (0..mesh.links().len()).map(LinkId::new);
        if !mesh
            .polygons()
            .all(|polygon| contraction.has_clique(within(polygon)))
            || !links.all(|link| contraction.has_clique(along(link)))
        {
            return None;
        }
        let is_arc = |pair: [u32; 2]| graph.open_arcs(mesh, prices, pair.map(SampleId));
        let shortcuts = Shortcuts::from_arrays(&contraction, shortcuts, is_arc)?;
        Some((with_vertex_positions(contraction, graph), shortcuts))
    }

    /// Returns the connect tables that the hierarchy has.
    pub fn table_options(&self) -> &TableOptions {
        &self.tables
    }
}

/// Converts a part if there is one. Returns `None` if the conversion fails.
fn optional<T, U>(part: Option<T>, convert: impl FnOnce(T) -> Option<U>) -> Option<Option<U>> {
    match part {
        Some(part) => convert(part).map(Some),
        None => Some(None),
    }
}
