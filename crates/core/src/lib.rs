//! Paths on navigation meshes, hierarchically.
//!
//! The modules are the stages of a pipeline, in this order:
//!
//! 1. [`navmesh`]: a [`RawNavMesh`] is checked and becomes a [`NavMesh`], with portals, links,
//!    heights, components and a location tree;
//! 2. [`graph`]: the [`PortalGraph`], level 0: sample points on portals, joined within polygons;
//! 3. [`query`]: [`Engine`]s that search it for the cheapest way from start to goal, for an agent
//!    with a [`Profile`];
//! 4. [`path`]: what they find becomes a [`Corridor`] of polygons and a [`Path`] of waypoints.
//!
//! [`triangles`] is what comes before: level geometry, which `portolan-bake` turns into a raw
//! navmesh. [`World`] puts them together; [`World::find_path`] reads as the whole job. The crate
//! `portolan-scenes` makes meshes to try things on.
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
//! // Buffers of the caller: one pair a thread, used again for every query.
//! let (mut scratch, mut path) = (Scratch::new(), Path::default());
//! let status = world.find_path(&Query::new(from, to), &mut scratch, &mut path);
//! assert_eq!(status, Ok(Status::Found));
//! assert!(path.length() >= from.distance(to).into());
//! # Ok::<(), portolan_core::NavMeshError>(())
//! ```
//!
//! Metres, y up; "seen from above" is the plane of x and z. Every answer is the same on any number
//! of threads and in any order of queries; ties are broken by id. No mesh that [`NavMesh::build`] let
//! through makes a query panic; what a caller can mix up does, and says so under "Panics".
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod contraction;
pub mod csr;
pub mod geometry;
pub mod graph;
pub mod hierarchy;
mod ids;
pub mod navmesh;
mod partition;
pub mod path;
mod profile;
pub mod query;
pub mod search;
#[cfg(test)]
mod test_scenes;
pub mod triangles;
pub mod trigonometry;
pub mod union_find;
mod world;

pub use csr::Csr;
pub use graph::{CostModel, GraphOptions, PortalGraph, Samples};
pub use hierarchy::{Hierarchy, HierarchyError, TableOptions};
pub use ids::{Level, LinkId, MAX_ELEMENTS, NodeId, PolygonId, PortalId, SampleId, Terminal};
pub use navmesh::{
    BorderMatching, Components, KeepComponents, Link, Location, NavMesh, NavMeshError,
    NavMeshOptions, Portal, RawHeights, RawLink, RawNavMesh, Repairs,
};
pub use partition::{
    LevelStatistics, MAX_LEVELS, MinMeanMax, NodeStatistics, Partition, PartitionError,
    PartitionOptions, Weights,
};
pub use path::{Corridor, Crossing, LinkLeg, Path, Stop};
pub use profile::{MAX_FACTOR, Prices, Profile, ProfileError};
pub use query::{
    Connect, Distance, Engine, EngineError, Event, Limits, Observer, Outcome, Scratch, Search,
    StepTimes, Tier, UnknownEngine, UnknownTier,
};
pub use triangles::{AreaRules, Ground, LevelOptions, Triangles, Up, Volume};
pub use world::{
    BuildReport, BuildTimes, Costs, Endpoints, HierarchyParts, IndexParts, Located, Progress,
    Query, Searched, Stage, Status, TierParts, World, WorldError, no_progress,
};

/// Half the size of the box in which a point looks for its polygon: half a metre sideways, two
/// metres up and down.
pub const DEFAULT_SNAP: glam::Vec3 = glam::Vec3::new(0.5, 2.0, 0.5);
