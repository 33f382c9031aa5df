//! Built-in scenes that are generated from a seed: levels to bake, ready-made navmeshes and height maps.
//!
//! A [`LevelScene`] generates level geometry, a [`WorldScene`] a navmesh without a bake, and a
//! [`HeightFunction`] a height map. A [`Scene`] is any of them, by name. The same options give the same
//! scene on every platform, because positions are computed from integer random numbers, sums, products
//! and square roots, never from trigonometry.
//!
//! ```
//! use portolan_scenes::{LevelScene, SceneOptions, Size};
//!
//! let scene: LevelScene = "tower".parse()?;
//! let options = SceneOptions { size: Size::Small, seed: 7, ..Default::default() };
//! let triangles = scene.build(&options);
//! assert_eq!(triangles, scene.build(&options));
//! # Ok::<(), portolan_scenes::UnknownScene>(())
//! ```
//!
//! The module [`model`] is the modelling kit of the built-in levels and can be used for other levels.
//! [`RandomPoints`] generates starts and goals for queries.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod scene;

mod height_functions;
mod levels;
mod worlds;

mod noise;
mod points;
mod random;

pub use height_functions::HeightFunction;
pub use levels::{LevelScene, SceneOptions, Size, UnknownSize, model};
pub use points::RandomPoints;
pub use random::Random;
pub use scene::{Scene, UnknownScene};
pub use worlds::{WorldOptions, WorldScene};
