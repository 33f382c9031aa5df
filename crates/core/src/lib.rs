//! Hierarchical path-finding on navigation meshes: the types and algorithms behind the crate `portolan`.
//!
//! The modules are the stages of a pipeline, in this order:
//!
//! 1. [`navmesh`]: [`NavMesh::build`] checks a [`RawNavMesh`] and turns it into a [`NavMesh`] with portals,
//!    links, heights, components and a location tree;
//! 2. [`graph`]: the [`PortalGraph`] (level 0) joins sample points on portals within each polygon;
//! 3. [`query`]: an [`Engine`] searches the graph for the cheapest path from start to goal, for an agent
//!    with a [`Profile`];
//! 4. [`path`]: the trail that the engine finds becomes a [`Corridor`] of polygons and a [`Path`] of
//!    waypoints.
//!
//! [`World`] combines these stages, and [`World::find_path`] runs all of them. [`hierarchy`] and
//! [`contraction`] are the precomputed indexes that make the engines fast. [`triangles`] describes level
//! geometry, which `portolan-bake` turns into a raw navmesh. The crate
//! `portolan-scenes` builds meshes to experiment with.
//!
//! ```
//! use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
//! use portolan_core::{NavMeshOptions, Path, Query, Scratch, Status, World};
//!
//! let raw = WorldScene::Rooms.build(&WorldOptions::default());
//! let world = World::build(raw, &NavMeshOptions::default())?;
//! let mut points = RandomPoints::new(world.mesh(), 7);
//! let (from, to) = (points.next().unwrap(), points.next().unwrap());
//!
//! // The caller owns the buffers: one pair per thread, reused for every query.
//! let (mut scratch, mut path) = (Scratch::new(), Path::default());
//! let status = world.find_path(&Query::new(from, to), &mut scratch, &mut path);
//! assert_eq!(status, Ok(Status::Found));
//! assert!(path.length() >= from.distance(to).into());
//! # Ok::<(), portolan_core::NavMeshError>(())
//! ```
//!
//! Units are metres and y is up; "in plan" means in the (x, z) plane. Results do not depend on the number
//! of threads or on the order of queries; ties are broken by id. No mesh that [`NavMesh::build`] accepts
//! makes a query panic. Functions that panic on misuse by the caller list the cases under "Panics".
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod array;
pub mod batch;
pub mod contraction;
pub mod csr;
pub mod exact;
mod follow;
pub mod geometry;
pub mod graph;
pub mod hierarchy;
mod ids;
pub mod live;
pub mod many;
pub mod navmesh;
mod paged;
mod partition;
pub mod path;
mod probe;
mod profile;
pub mod query;
pub mod search;
pub mod sections;
#[cfg(test)]
mod test_scenes;
pub mod triangles;
pub mod trigonometry;
pub mod union_find;
mod world;

pub use array::Array;
pub use batch::{
    AgentId, Agents, AgentsUpdate, BatchAnswers, BatchOptions, BatchQueries, FlatLists,
    FrameBudget, Want,
};
pub use csr::{Csr, Lists};
pub use exact::{ExactError, ExactLimits, ExactMethod, ExactSize, SearchWork};
pub use follow::{Follow, FollowCorner, FollowLink, Follower};
pub use graph::{CostModel, GraphOptions, PortalGraph, Samples};
pub use hierarchy::{Hierarchy, HierarchyError, TableOptions};
pub use ids::{Level, LinkId, MAX_ELEMENTS, NodeId, PolygonId, PortalId, SampleId, Terminal};
pub use live::{
    Change, ChangeError, Footprint, IndexFailure, Indexer, LiveOptions, LiveWorld, Obstacle,
    ObstacleId, ReplaceError, Replaced, Replacing, Snapshot, Switch, Update,
};
pub use many::{
    Ends, Field, FieldCorner, FieldCornerKind, FieldScratch, FieldStep, Many, ManyScratch,
    NearestEnd, NearestEnds, ReachedPolygon,
};
pub use navmesh::{
    BorderMatching, Components, KeepComponents, Link, Location, NavMesh, NavMeshError,
    NavMeshOptions, Portal, RawHeights, RawLink, RawNavMesh, Repairs, Replacement,
    ReplacementError,
};
pub use partition::{
    LevelStatistics, MAX_LEVELS, MinMeanMax, NodeStatistics, Partition, PartitionError,
    PartitionOptions, Weights,
};
pub use path::{Corridor, Crossing, LinkLeg, Path, Stop};
pub use probe::{Neighbour, Probe, ProbeScratch, RandomPoints, Ray, Reachable, Totals, Wall};
pub use profile::{MAX_FACTOR, Prices, Profile, ProfileError};
pub use query::{
    Connect, Distance, Engine, EngineError, Event, Limits, Observer, Outcome, Scratch, Search,
    StepTimes, Tier, UnknownEngine, UnknownTier,
};
pub use search::Budget;
pub use triangles::{AreaRules, Ground, LevelOptions, Triangles, Up, Volume};
pub use world::{
    Anytime, AnytimeProgress, BuildReport, BuildTimes, BuiltContraction, BuiltExact,
    BuiltHierarchy, BuiltTier, Check, Costs, Endpoints, ExactCorners, ExactOptions, HierarchyParts,
    Improvement, Located, PendingSearch, Progress, Query, RepairMethod, Repaired, ResumeError,
    SearchProgress, Searched, Stage, Status, StoredOptions, World, WorldError, no_progress,
};

/// Half the size of the box around a query point in which its polygon is searched: 0.5 m horizontally, 2 m
/// vertically. [Units: m]
pub const DEFAULT_SNAP: glam::Vec3 = glam::Vec3::new(0.5, 2.0, 0.5);

/// A good tolerance for waypoints that [follow the ground](Path::on_ground): about the precision of voxelization.
/// [Units: m]
pub const DEFAULT_GROUND_TOLERANCE: f32 = 0.2;
