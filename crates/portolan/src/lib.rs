//! Paths on navigation meshes, in microseconds.
//!
//! A level file becomes a navmesh, the navmesh an indexed [`World`], and the world answers queries:
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
//! println!("{:.1} m by {} waypoints", path.length(), path.waypoints.len());
//! # Ok(())
//! # }
//! # #[cfg(not(all(feature = "bake", feature = "files", feature = "formats")))]
//! # fn main() {}
//! ```
//!
//! In a frame loop the caller owns the memory, one [`Scratch`] and one [`Path`] per thread, and a warm
//! query allocates nothing:
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
//! The default index has a customizable contraction hierarchy at the quality tiers `fast` and `default`.
//! [`engines`] has the other engines and their settings. [`parts`] has the building blocks, for people
//! who assemble a pipeline of their own. Polygons that come from elsewhere enter as a [`RawNavMesh`]:
//! [`NavMesh::build`] checks them.
//!
//! Units are metres, y is up, and "in plan" means in (x, z). The same world gives the same answers on any
//! number of threads and in any order of queries.
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
//! With default features off there is no file format at all.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod engines;
mod error;
pub mod parts;
#[cfg(feature = "terrain")]
pub mod terrain;
mod verbs;

pub use error::Error;
#[cfg(feature = "bake")]
pub use portolan_bake::BakeOptions;
#[cfg(feature = "formats")]
pub use portolan_core::LevelOptions;
pub use portolan_core::{NavMesh, Path, Profile, Query, RawNavMesh, Scratch, Status, World};
pub use portolan_index::IndexOptions;
#[cfg(feature = "bake")]
pub use verbs::bake;
pub use verbs::index;
#[cfg(feature = "formats")]
pub use verbs::{import, read_level};
#[cfg(feature = "files")]
pub use verbs::{open, save};

/// The code in the README is tested like all other.
#[cfg(all(doctest, feature = "bake", feature = "files", feature = "formats"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
