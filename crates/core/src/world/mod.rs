//! The world: a navmesh with its index. It is built once and then answers queries.

mod build;
mod changed;
mod costs;
mod engines;
mod error;
mod exact;
mod hierarchy_parts;
mod many;
mod pending;
mod query;
mod repair;
mod report;
mod steps;
mod stored;
mod tiers;

use std::sync::OnceLock;

use glam::Vec3;

pub use build::{BuiltContraction, BuiltHierarchy, Progress, no_progress};
pub(crate) use changed::{ChangedCosts, ChangedMesh};
pub use costs::Costs;
pub use error::WorldError;
pub use exact::{BuiltExact, ExactCorners, ExactOptions};
pub use hierarchy_parts::HierarchyParts;
pub use pending::{
    Anytime, AnytimeProgress, Improvement, PendingSearch, ResumeError, SearchProgress,
};
pub use query::{Endpoints, Query, Status};
pub(crate) use repair::RepairBuffers;
pub use repair::{RepairMethod, Repaired};
pub use report::{BuildReport, BuildTimes, Stage};
pub use steps::{Located, Searched};
pub use stored::{Check, StoredOptions};
pub use tiers::BuiltTier;

use self::exact::ExactTier;
use self::tiers::TautTier;
use crate::contraction::Contraction;
use crate::graph::PortalGraph;
use crate::hierarchy::{Hierarchy, TableOptions};
use crate::navmesh::NavMesh;
use crate::partition::Partition;
use crate::path::{Path, Rings};
use crate::query::{EngineError, Scratch, Tier};

/// A navmesh with everything that was derived from it, ready for queries. A world is immutable: share it
/// between threads by reference, and give each thread its own [`Scratch`].
///
/// ```
/// use portolan_core::{NavMeshOptions, Path, Query, RawNavMesh, Scratch, Status, World};
///
/// // Two rooms of 4 m x 4 m with the common border x = 4.
/// let mut raw = RawNavMesh::default();
/// raw.vertices = [[0.0, 0.0], [4.0, 0.0], [8.0, 0.0], [0.0, 4.0], [4.0, 4.0], [8.0, 4.0]]
///     .map(|[x, z]| glam::vec3(x, 0.0, z))
///     .to_vec();
/// raw.polygons.push([0, 1, 4, 3]);
/// raw.polygons.push([1, 2, 5, 4]);
/// let world = World::build(raw, &NavMeshOptions::default())?;
///
/// let (mut scratch, mut path) = (Scratch::new(), Path::default());
/// let query = Query::new([1.0, 0.0, 3.0], [7.0, 0.0, 3.0]);
/// let status = world.find_path(&query, &mut scratch, &mut path);
/// assert_eq!(status, Ok(Status::Found));
/// assert_eq!(path.corridor.polygons.len(), 2);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
///
/// [`World::build`] builds a world without an index, which answers with A*. `portolan_index::build` adds an
/// index.
#[derive(Clone, Debug)]
pub struct World {
    mesh: NavMesh,
    graph: PortalGraph,
    /// The graph as it was before all obstacles, if there are any: that of the contraction of the fast tier.
    graph_before: Option<PortalGraph>,
    /// Per tier, the answer of [`knows_all_parts`](Self::knows_all_parts), which is found when it is first needed.
    knows_all_parts: [OnceLock<bool>; Tier::ALL.len()],
    hierarchy: Option<Hierarchy>,
    tables: TableOptions,
    /// The contraction of the fast tier, over `graph`.
    contraction: Option<Contraction>,
    /// The taut tiers, indexed by tier; the entries of other tiers are always `None`.
    taut: [Option<TautTier>; Tier::ALL.len()],
    /// The rings around the holes of the mesh, if there is a taut tier.
    rings: Option<Rings>,
    /// The exact tier, if there is one. What it needs is in the costs, because it depends on the profile.
    exact: Option<ExactTier>,
    costs: Costs,
    /// Costs refer to the world that they were built for by this id. A clone has the same id.
    id: u64,
    /// Counts the changes at run time: see [`LiveWorld`](crate::live::LiveWorld).
    version: u64,
    report: BuildReport,
}

impl World {
    /// Returns the mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Returns the mesh and drops everything else.
    pub fn into_mesh(self) -> NavMesh {
        self.mesh
    }

    /// Returns the world's own portal graph, which all engines without tiers search.
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// Returns the hierarchy, if there is one.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// Returns the contraction of the fast tier, if there is one.
    pub fn contraction(&self) -> Option<&Contraction> {
        self.contraction.as_ref()
    }

    /// Returns the partition of the polygons, if there is a hierarchy. The hierarchy's own partition
    /// includes the links.
    pub fn partition(&self) -> Option<Partition> {
        let all = self.hierarchy.as_ref()?.partition();
        let polygons = self.mesh.polygon_count();
        let levels = all
            .levels()
            .map(|level| all.nodes(level)[..polygons].to_vec());
        let partition = Partition::new(polygons, levels.collect());
        Some(partition.expect("every link is in the nodes of a polygon"))
    }

    /// Returns the costs of queries that have no costs of their own.
    pub fn default_costs(&self) -> &Costs {
        &self.costs
    }

    /// Answers a query: locates start and goal, searches, and computes waypoints. `path` is overwritten; it
    /// is empty unless the status [has a path](Status::has_path). Once `scratch` and `path` have grown to
    /// the world, this allocates nothing.
    ///
    /// # Errors
    /// Fails if this world cannot answer the query: it lacks the engine (see
    /// [`check_engine`](Self::check_engine)), or the query's costs were built for another world or [for
    /// other engines](Self::costs_for). A query without a path is not an error: it has a [`Status`].
    pub fn find_path(
        &self,
        query: &Query<'_>,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Result<Status, EngineError> {
        path.clear();
        // 1. Find the polygons of both points.
        let located = self.locate(query)?;
        // 2. Find the cheapest path between them on the graph.
        let searched = located.search(scratch);
        // 3. Pull it taut and compute waypoints.
        Ok(searched.waypoints(path))
    }

    /// Finds a path with default settings and allocates its result. In a loop, prefer
    /// [`find_path`](Self::find_path), which reuses the caller's memory.
    ///
    /// # Errors
    /// Returns the [`Status`] if there is no path to the goal.
    pub fn find(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> Result<Path, Status> {
        let mut path = Path::default();
        let query = Query::new(from, to);
        match self.find_path(&query, &mut Scratch::new(), &mut path) {
            Ok(Status::Found) => Ok(path),
            Ok(other) => Err(other),
            Err(error) => unreachable!("`auto` runs on every world: {error}"),
        }
    }

    /// Returns whether start and goal are in different components of the mesh, so that there is no path.
    fn are_disconnected(&self, endpoints: &Endpoints) -> bool {
        let components = self.mesh.components();
        let ends = [endpoints.start, endpoints.goal];
        let [start, goal] = ends.map(|end| components.of(self.mesh.whole(end.polygon)));
        start != goal
    }
}
