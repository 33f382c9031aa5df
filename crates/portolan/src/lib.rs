//! Paths on navigation meshes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod csr;
pub mod geometry;
pub mod graph;
mod ids;
pub mod navmesh;
pub mod path;
mod profile;
pub mod query;
mod union_find;
mod world;
pub mod worlds;

pub use csr::Csr;
pub use graph::{GraphOptions, PortalGraph};
pub use ids::{LinkId, MAX_ELEMENTS, PolygonId, PortalId, SampleId};
pub use navmesh::{
    BorderMatching, Components, KeepComponents, Link, Location, NavMesh, NavMeshError,
    NavMeshOptions, Portal, RawHeights, RawLink, RawNavMesh, Repairs,
};
pub use path::{Corridor, Crossing, LinkLeg, Path};
pub use profile::{Costs, MAX_FACTOR, Profile, ProfileError};
pub use query::{Engine, Limits, Outcome, Scratch, Search, UnknownEngine};
pub use world::{Ends, Query, Status, World};

/// Half the size of the box in which a point looks for its polygon: half a metre sideways, two
/// metres up and down.
pub const DEFAULT_SNAP: glam::Vec3 = glam::Vec3::new(0.5, 2.0, 0.5);
