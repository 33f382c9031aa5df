//! Built-in scenes, made from a seed: levels to bake, ready navmeshes and height maps.
//!
//! [`Scene`] is the name space of all of them. A [`LevelScene`] makes level geometry, a
//! [`WorldScene`] a navmesh without a bake, a [`HeightFunction`] a height map. The same options give
//! the same scene on every platform: positions come from whole-number randomness, sums, products
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
//! [`model`] is the kit that levels are built with, for levels of your own. [`RandomPoints`] are
//! starts and goals for queries.
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
