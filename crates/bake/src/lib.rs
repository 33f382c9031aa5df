//! Builds a navigation mesh from level geometry.
//!
//! A bake voxelises the triangles of a level, finds the cells that an agent can stand on, groups them
//! into regions, traces the contours of the regions and cuts the contours into convex polygons. This is
//! Mikko Mononen's Recast pipeline, the one that Pelechano and Fuentes 2016 (HNA*) build on. Contours and
//! their triangulation come from `rerecast`, a Rust port of Recast. The stages before them are implemented
//! here, with exactly the results of `rerecast` but faster and in parallel. This crate adds:
//!
//! - levels of any size: they are cut into tiles that are baked in parallel and fit together at their
//!   borders ([`Tiling`]);
//! - obstacles inside regions (holes in contours);
//! - no lost ground: a tile that cannot be triangulated is split until its pieces can be;
//! - baking a single tile again after a change ([`rebake_tile`]), and handing it to a world that is in use
//!   ([`Baked::replacement`]);
//! - warnings for levels in the wrong unit, with the wrong axis up or with flipped faces ([`diagnose`]).
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
mod distance;
mod error;
mod grid;
mod holes;
mod merge;
mod open;
mod options;
mod outline;
mod parts;
mod rasterize;
mod region_merge;
mod replacement;
mod seams;
mod simplify;
mod solid;
mod surfaces;
mod tile;
mod voxels;
mod watershed;

pub use baked::{Baked, Statistics, bake, bake_with_progress, rebake_tile};
pub use diagnose::{FaceDirections, Finding, diagnose};
pub use error::{BakeError, NoGroundCause};
pub use grid::{Grid, TileId};
pub use options::{BakeOptions, Tiling};
pub use parts::BakedParts;
