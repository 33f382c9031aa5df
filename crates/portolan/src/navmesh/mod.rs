//! Validated convex polygons with portals, links, heights and a location tree.

mod options;
mod raw;

pub use options::{BorderMatching, NavMeshOptions};
pub use raw::{RawHeights, RawLink, RawNavMesh};
