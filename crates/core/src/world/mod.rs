//! The whole job: a world is built once and then answers.

mod build;
mod costs;
mod engines;
mod error;
mod index_parts;
mod query;
mod report;
mod steps;
mod tiers;

use glam::Vec3;

pub use build::{Progress, no_progress};
pub use costs::Costs;
pub use error::WorldError;
pub use index_parts::{HierarchyParts, IndexParts, TierParts};
pub use query::{Endpoints, Query, Status};
pub use report::{BuildReport, BuildTimes, Stage};
pub use steps::{Located, Searched};

use self::tiers::TautTier;
use crate::contraction::Contraction;
use crate::graph::PortalGraph;
use crate::hierarchy::{Hierarchy, TableOptions};
use crate::navmesh::NavMesh;
use crate::partition::Partition;
use crate::path::{Path, Rings};
use crate::query::{EngineError, Scratch, Tier};

/// A navmesh and all that was derived from it. Immutable: share it by reference between threads,
/// each with a [`Scratch`] of its own.
#[derive(Clone, Debug)]
pub struct World {
    mesh: NavMesh,
    graph: PortalGraph,
    hierarchy: Option<Hierarchy>,
    tables: TableOptions,
    /// That of the fast tier, over `graph`.
    contraction: Option<Contraction>,
    /// By tier; none for the fast one.
    taut: [Option<TautTier>; Tier::ALL.len()],
    /// The holes of the mesh, where there is a taut tier.
    rings: Option<Rings>,
    costs: Costs,
    /// What was made for this world bears its number; a clone is the same world.
    number: u64,
    report: BuildReport,
}

impl World {
    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Gives the mesh back.
    pub fn into_mesh(self) -> NavMesh {
        self.mesh
    }

    /// Its portal graph: what all engines search that have no tiers.
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// Its hierarchy.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// The contraction of that graph: the fast tier.
    pub fn contraction(&self) -> Option<&Contraction> {
        self.contraction.as_ref()
    }

    /// The partition of the polygons. That of the hierarchy has the links as well.
    pub fn partition(&self) -> Option<Partition> {
        let all = self.hierarchy.as_ref()?.partition();
        let polygons = self.mesh.polygon_count();
        let levels = all
            .levels()
            .map(|level| all.nodes(level)[..polygons].to_vec());
        let partition = Partition::new(polygons, levels.collect());
        Some(partition.expect("a link lies in the nodes of a polygon"))
    }

    /// The costs of queries that bring none.
    pub fn default_costs(&self) -> &Costs {
        &self.costs
    }

    /// The whole of one query: locate, search, waypoints. The path is overwritten; it is empty unless the
    /// status [has one](Status::has_path). Allocates nothing once `scratch` and `path` have grown to the
    /// world.
    ///
    /// An error means that the query cannot be asked of this world: it lacks the engine
    /// ([`check_engine`](Self::check_engine)), or the query's costs were made for another world or
    /// [for other engines](Self::costs_for).
    pub fn find_path(
        &self,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Status, EngineError> {
        path.clear();
        // 1. Which polygons are these points on?
        let located = self.locate(query)?;
        // 2. What is the cheapest path from one to the other?
        let searched = located.search(scratch);
        // 3. Where does an agent walk along it?
        Ok(searched.waypoints(path))
    }

    /// A path with default settings, in memory of its own. In a loop,
    /// [`find_path`](Self::find_path) uses the caller's memory again and again.
    pub fn find(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> Result<Path, Status> {
        let mut path = Path::default();
        let query = Query::new(from, to);
        match self.find_path(&query, &mut Scratch::new(), &mut path) {
            Ok(Status::Found) => Ok(path),
            Ok(other) => Err(other),
            Err(error) => unreachable!("`auto` runs on every world: {error}"),
        }
    }

    /// Whether they lie in different components, between which there is no path.
    fn are_apart(&self, ends: &Endpoints) -> bool {
        let components = self.mesh.components();
        components.of(ends.start.polygon) != components.of(ends.goal.polygon)
    }
}
