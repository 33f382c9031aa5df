//! Versions of a world whose ground changes at run time.

use super::build::next_world_id;
use super::{Costs, World};
use crate::contraction::{Repair, Shortcuts};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::path::{Path, TautCosts};
use crate::profile::Prices;
use crate::query::Tier;

impl World {
    /// Returns how many times the world has changed at run time. Every [`Path`] carries the version that found it.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Returns a tier's costs in a form that can be repaired, if the world has the tier.
    pub(crate) fn repair(&self, tier: Tier, prices: &Prices) -> Option<Repair> {
        let (graph, contraction) = self.tier(tier)?;
        let edges = graph.edges(&self.mesh, prices);
        let measure = TautCosts::new(&self.mesh, graph, prices);
        let measure = tier.is_taut().then_some(&measure);
        let is_directed = self.mesh.links().iter().any(|link| !link.both_ways);
        let mut repair = Repair::new(contraction, edges, measure, is_directed);
        repair.learn_cost_estimate(contraction, prices.cost_per_metre());
        Some(repair)
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
