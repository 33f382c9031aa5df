//! Level geometry to navigation mesh.
//!
//! A bake turns triangles into solid cells, finds the cells that an agent can stand on, groups them
//! into regions, draws contours around those and cuts them into convex polygons: Recast's pipeline
//! (Mononen's, as the thesis behind HNA* describes it), run on `rerecast`, a port of it. What this
//! crate adds: levels of any size in tiles, in parallel; holes inside regions; tiles whose common
//! borders agree; ground that is cut finer instead of lost where a contour cannot be triangulated;
//! one tile baked again.
//!
//! ```
//! use glam::vec3;
//! use portolan_core::{AreaRules, Triangles};
//! use portolan_bake::{BakeOptions, bake};
//!
//! let mut floor = Triangles::default();
//! floor.vertices = vec![vec3(0., 0., 0.), vec3(0., 0., 9.), vec3(9., 0., 9.), vec3(9., 0., 0.)];
//! floor.triangles = vec![[0, 1, 2], [0, 2, 3]];
//!
//! let baked = bake(&floor, &AreaRules::default(), &BakeOptions::default())?;
//! let mesh = baked.build_navmesh()?;
//! assert!(mesh.polygon_count() >= 1);
//! # Ok::<(), portolan_bake::BakeError>(())
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod baked;
mod columns;
mod detail;
mod diagnose;
mod error;
mod grid;
mod holes;
mod merge;
mod options;
mod outline;
mod parts;
mod seams;
mod surfaces;
mod thin;
mod tile;
mod voxels;

pub use baked::{Baked, Statistics, bake, bake_with_progress, rebake_tile};
pub use diagnose::{Facing, Finding, diagnose};
pub use error::{BakeError, NoGroundCause};
pub use grid::{Grid, TileId};
pub use options::{BakeOptions, Tiles};
pub use parts::BakedParts;
