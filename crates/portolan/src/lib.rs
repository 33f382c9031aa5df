//! Paths on navigation meshes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod csr;
mod ids;
pub mod navmesh;
pub mod worlds;

pub use csr::Csr;
pub use ids::{LinkId, MAX_ELEMENTS, PolygonId, PortalId, SampleId};
pub use navmesh::{BorderMatching, NavMeshOptions, RawHeights, RawLink, RawNavMesh};

/// Half the size of the box in which a point looks for its polygon: half a metre sideways, two
/// metres up and down.
pub const DEFAULT_SNAP: glam::Vec3 = glam::Vec3::new(0.5, 2.0, 0.5);
