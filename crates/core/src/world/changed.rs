//! Versions of a world whose ground changes at run time.

use super::build::next_world_id;
use super::{Costs, World, WorldError};
use crate::contraction::{Contraction, Repair, Shortcuts};
use crate::graph::PortalGraph;
use crate::hierarchy::{CellCosts, Cliques, Metric};
use crate::ids::{Level, LinkId, NodeId, PolygonId};
use crate::navmesh::NavMesh;
use crate::path::{Path, TautCosts};
use crate::profile::Prices;
use crate::query::Tier;

impl World {
    /// Returns how many times the world has changed at run time. Every [`Path`] carries the version that found it.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns whether two worlds are versions of one: they have the same mesh, graph, contraction and hierarchy, and differ
    /// only in what polygons and links cost. Worlds that were built or opened separately are not, also if they are equal.
    pub fn is_version_of(&self, other: &Self) -> bool {
        let has_same_contraction = match (&self.contraction, &other.contraction) {
            (Some(own), Some(other)) => own.is_shared_with(other),
            (own, other) => own.is_none() && other.is_none(),
        };
        let has_same_hierarchy = match (&self.hierarchy, &other.hierarchy) {
            (Some(own), Some(other)) => own.partition().is_shared_with(other.partition()),
            (own, other) => own.is_none() && other.is_none(),
        };
        self.mesh.is_shared_with(&other.mesh)
            && self.graph.is_shared_with(&other.graph)
            && has_same_contraction
            && has_same_hierarchy
    }

    /// Returns the polygons whose area, flags or factor differ from those of another [version](Self::is_version_of) of this world,
    /// in ascending order, without looking at those that the versions share.
    pub fn polygons_unlike(&self, other: &Self) -> Vec<PolygonId> {
        self.mesh.polygons_unlike(&other.mesh)
    }

    /// Returns a tier's costs in a form that can be repaired, if the world has the tier.
    pub(crate) fn repair(&self, tier: Tier, prices: &Prices) -> Option<Repair> {
        let (graph, contraction) = self.customizable_tier(tier)?;
        let edges = graph.edges(&self.mesh, prices);
        let measure = TautCosts::new(&self.mesh, graph, prices);
        let measure = tier.is_taut().then_some(&measure);
        let is_directed = self.mesh.links().iter().any(|link| !link.both_ways);
        let mut repair = Repair::new(contraction, edges, measure, is_directed);
        repair.learn_cost_estimate(contraction, prices.cost_per_metre());
        Some(repair)
    }

    /// Returns the costs of the hierarchy in a form that can be changed, if there is a hierarchy. The costs must have been computed
    /// for the present ground.
    pub(crate) fn changeable_metric(&self, costs: &Costs) -> Option<Metric> {
        let (hierarchy, metric) = self.hierarchy.as_ref().zip(costs.metric())?;
        let graph = self.graph_before_obstacles(Tier::Fast);
        let arcs = Cliques::from_graph(&self.mesh, graph, costs.prices(), hierarchy);
        Some(metric.changeable(hierarchy, arcs))
    }

    /// Returns the costs of the hierarchy after polygons and links have changed. `mesh` and `prices` are those after the change.
    pub(crate) fn changed_metric(
        &self,
        metric: &Metric,
        (mesh, prices): (&NavMesh, &Prices),
        polygons: &[PolygonId],
        links: &[LinkId],
    ) -> Metric {
        let hierarchy = self.hierarchy.as_ref();
        let hierarchy = hierarchy.expect("a metric belongs to a hierarchy");
        let cells = CellCosts {
            mesh,
            graph: self.graph_before_obstacles(Tier::Fast),
            prices,
            ground: hierarchy.level(Level(0)),
        };
        let polygons = polygons.iter().map(|&polygon| {
            let mut arcs = Vec::new();
            cells.extend_by_polygon(polygon, &mut arcs);
            (NodeId(polygon.0), arcs)
        });
        let links = links.iter().map(|&link| {
            let cell = NodeId::new(mesh.polygon_count() + link.index());
            (cell, cells.of_link(mesh.link(link)).to_vec())
        });
        metric.after_changes(hierarchy, polygons.chain(links))
    }

    /// Returns the next version of this world, on a changed mesh, together with the costs of each profile. The first profile
    /// is the default one.
    pub(crate) fn next_version(
        &self,
        ChangedMesh { mesh, relisted }: ChangedMesh,
        version: u64,
        costs: impl IntoIterator<Item = ChangedCosts>,
    ) -> (Self, Vec<Costs>) {
        let (mut world, costs) = self.with_changed_costs(mesh, version, costs);
        if world.mesh.has_obstacles() || self.mesh.has_obstacles() {
            let original = self.graph_before.as_ref().unwrap_or(&self.graph);
            world.graph_before = world.mesh.has_obstacles().then(|| original.clone());
            world.graph = self.graph.with_cuts(&world.mesh, &relisted);
            world.knows_all_parts = Default::default();
        }
        (world, costs)
    }

    /// Returns this world on a mesh with the same obstacles, with other costs.
    pub(crate) fn with_changed_costs(
        &self,
        mesh: NavMesh,
        version: u64,
        costs: impl IntoIterator<Item = ChangedCosts>,
    ) -> (Self, Vec<Costs>) {
        let id = next_world_id();
        let costs: Vec<Costs> = costs
            .into_iter()
            .map(|changed| {
                let mut costs = Costs::new(changed.prices, id);
                for (tier, shortcuts) in changed.shortcuts {
                    costs = costs.with_shortcuts(tier, shortcuts);
                }
                if let Some(metric) = changed.metric {
                    costs = costs.with_metric(metric);
                }
                costs
            })
            .collect();
        let world = Self {
            mesh,
            costs: costs[0].clone(),
            id,
            version,
            ..self.clone()
        };
        (world, costs)
    }

    /// Returns this world on a mesh with other links, without an index: A* answers.
    pub(crate) fn without_index(&self, mesh: NavMesh) -> Self {
        let graph = PortalGraph::new(&mesh, &self.graph.options());
        Self {
            version: self.version,
            report: self.report.clone(),
            ..Self::from_graph(mesh, graph, self.costs.profile())
        }
    }

    /// Returns whether the world has an index of any kind.
    pub(crate) fn has_index(&self) -> bool {
        self.tiers().next().is_some() || self.hierarchy.is_some()
    }

    /// Returns this world, which is without an index, with the parts that the index of another world has. That world must have
    /// the same polygons and portals, and the first links of this one.
    ///
    /// The new ends of links come last in the orders of contractions. There they are as separators of the graph: everything
    /// else keeps its place in the elimination tree, which becomes deeper by one per end.
    pub(crate) fn indexed_like(&self, other: &Self) -> Result<Self, WorldError> {
        let order = |graph: &PortalGraph, contraction: &Contraction| -> Vec<u32> {
            let old = contraction.order();
            let added = old.len() as u32..graph.sample_count() as u32;
            old.iter().copied().chain(added).collect()
        };
        let mut world = self.clone();
        world.rings = other.rings.clone();
        world.exact = other.exact;
        if let Some(contraction) = &other.contraction {
            let order = order(&world.graph, contraction);
            world = world.with_contraction(order)?;
        }
        for tier in Tier::TAUT {
            let Some((old, contraction)) = other.tier(tier) else {
                continue;
            };
            let graph = PortalGraph::new(&world.mesh, &old.options());
            let order = order(&graph, contraction);
            world = world.with_tier(tier, graph, order)?;
        }
        if let Some(partition) = other.partition() {
            world.hierarchy = Some(world.hierarchy_over(partition, &other.tables)?);
            world.tables = other.tables.clone();
        }
        Ok(world)
    }

    /// Returns this world, which was published before, as another version. `mesh` differs only in the versions of polygons.
    pub(crate) fn restored(&self, mesh: NavMesh, version: u64) -> Self {
        Self {
            mesh,
            version,
            ..self.clone()
        }
    }

    /// Adds to some costs what the exact tier, HNA* and PCCP compute in advance.
    pub(crate) fn completed(&self, costs: Costs) -> Costs {
        self.with_metric(self.with_exact_costs(costs))
    }

    /// Returns this world with other costs of the default profile, which must have been built for it.
    pub(crate) fn with_default_costs(&self, costs: Costs) -> Self {
        Self {
            costs,
            ..self.clone()
        }
    }
}

/// A mesh after a change.
pub(crate) struct ChangedMesh {
    pub(crate) mesh: NavMesh,
    /// The polygons and pieces whose portals are others than before.
    pub(crate) relisted: Vec<PolygonId>,
}

/// The costs of one profile after a change.
pub(crate) struct ChangedCosts {
    pub(crate) prices: Prices,
    pub(crate) shortcuts: Vec<(Tier, Shortcuts)>,
    pub(crate) metric: Option<Metric>,
}

impl Path {
    /// Returns whether no change has touched the polygons and links of this path since it was found, and none of them is gone.
    /// It may then still be followed, although a change elsewhere may have made a shorter path.
    pub fn is_current(&self, world: &World) -> bool {
        self.is_current_from(world, 0)
    }

    /// Returns whether no change has touched the polygons of this path from index `first` on, and the links between
    /// them: what lies ahead of an agent that has come to this polygon.
    pub fn is_current_from(&self, world: &World, first: usize) -> bool {
        let mesh = world.mesh();
        // A polygon that is gone, or came in place of others, changed when they were replaced.
        let is_old = |&polygon: &crate::PolygonId| mesh.changed_in(polygon) <= self.version;
        // A link that changes counts as a change of both polygons at its ends.
        let ahead = self.corridor.polygons.get(first..).unwrap_or_default();
        ahead.iter().all(is_old)
    }
}
