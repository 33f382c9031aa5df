//! Fast path-finding on navigation meshes: from level geometry to a path in a few calls.
//!
//! [`read_level`] reads a level file, [`bake`](fn@bake) turns it into a [`NavMesh`], [`index`] builds an
//! indexed [`World`], and the world finds paths, typically in microseconds:
//!
//! ```no_run
//! # #[cfg(all(feature = "bake", feature = "files", feature = "formats"))]
//! # fn main() -> Result<(), portolan::Error> {
//! use portolan::{BakeOptions, IndexOptions};
//!
//! let level = portolan::read_level("level.glb")?;
//! let mesh = portolan::bake(&level, &BakeOptions::default())?;
//! let world = portolan::index(mesh, &IndexOptions::default())?;
//! portolan::save(&world, "level.pidx")?;
//!
//! let world = portolan::open("level.pidx")?;
//! let path = world.find([0.0, 0.0, -5.0], [12.0, 0.0, 3.0])?;
//! println!("{:.1} m, {} waypoints", path.length(), path.waypoints.len());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "bake", feature = "files", feature = "formats")))]
//! # fn main() {}
//! ```
//!
//! In a frame loop, use [`World::find_path`]. The caller owns the memory, one [`Scratch`] and one [`Path`]
//! per thread. Once both have grown to the world, queries allocate nothing:
//!
//! ```
//! # fn example(world: &portolan::World) -> Result<(), portolan::Error> {
//! use portolan::{Path, Query, Scratch, Status};
//!
//! let (mut scratch, mut path) = (Scratch::new(), Path::default());
//! for goal in [[12.0, 0.0, 3.0], [7.0, 0.0, 9.0]] {
//!     let query = Query::new([0.0, 0.0, -5.0], goal);
//!     if world.find_path(&query, &mut scratch, &mut path)? == Status::Found {
//!         println!("{} waypoints", path.waypoints.len());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! A [`Profile`] describes agents that may not enter some areas, or for which some areas cost more.
//! Customize it for the world once and share the result between queries:
//!
//! ```
//! # fn example(world: &portolan::World) -> Result<(), portolan::Error> {
//! use portolan::{Path, Profile, Query, Scratch};
//!
//! let mut soldier = Profile::default();
//! soldier.set_factor(2, 5.0)?; // a metre in area 2 costs 5
//! let costs = world.costs(&soldier);
//! let query = Query { costs: Some(&costs), ..Query::new([0.0, 0.0, -5.0], [12.0, 0.0, 3.0]) };
//! let status = world.find_path(&query, &mut Scratch::new(), &mut Path::default())?;
//! println!("{status}");
//! # Ok(())
//! # }
//! ```
//!
//! The default index is a customizable contraction hierarchy with the quality tiers `fast` and `default`.
//! The module [`frame`] has what a game calls every frame: moves along the ground, rays, agents that follow a path,
//! flow fields, searches with a budget. The module [`batch`] answers many queries at once. The module [`live`] changes
//! a world while it answers queries. The module [`engines`] has the other engines and their options. The module [`parts`] has the building
//! blocks for custom pipelines. Polygons from another source enter as a [`RawNavMesh`], which
//! [`NavMesh::build`] checks.
//!
//! Units are metres and y is up; "in plan" means in the (x, z) plane. Results do not depend on the number
//! of threads or on the order of queries.
//!
//! # Features
//! | feature | default | what it adds |
//! |---|---|---|
//! | `bake` | yes | [`bake`](fn@bake), [`BakeOptions`] |
//! | `files` | yes | [`open`], [`save`]: `.pidx` and `.pnav` files |
//! | `formats` | yes | [`read_level`], [`LevelOptions`], [`import`]: `.obj`, `.gltf`, `.glb`, Detour, Polyanya |
//! | `terrain` | yes | [`terrain`]: paths over height maps |
//! | `metis` | no | [`engines::HierarchyOptions`]: HNA* and PCCP. Needs a C compiler |
//!
//! Without default features the crate reads and writes no files.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod batch;
pub mod engines;
mod error;
pub mod frame;
pub mod live;
pub mod parts;
mod pipeline;
#[cfg(feature = "terrain")]
pub mod terrain;

pub use error::Error;
#[cfg(feature = "bake")]
pub use pipeline::bake;
pub use pipeline::index;
#[cfg(feature = "formats")]
pub use pipeline::{import, read_level};
#[cfg(feature = "files")]
pub use pipeline::{open, save};
#[cfg(feature = "bake")]
pub use portolan_bake::BakeOptions;
#[cfg(feature = "formats")]
pub use portolan_core::LevelOptions;
pub use portolan_core::{NavMesh, Path, Profile, Query, RawNavMesh, Scratch, Status, World};
pub use portolan_index::IndexOptions;

/// Tests the code in the README.
#[cfg(all(doctest, feature = "bake", feature = "files", feature = "formats"))]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// Tests the code in the cookbook.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../../../docs/cookbook.md")]
struct Cookbook;

/// Tests the code in the page on worlds that change.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/live.md")]
struct Live;

/// Tests the code in the page on batches.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/batch.md")]
struct Batches;
