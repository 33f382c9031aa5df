//! Level geometry to bake: the kinds of places that the papers on hierarchical path-finding walk
//! through, made from a seed.
//!
//! A scene comes in three sizes. At size `paper` a bake with the default options, cells of 0.3 m for
//! an agent of radius 0.6 m, gives the papers' number of polygons within 15%. The same options give the same triangles on every platform: positions come from
//! whole-number randomness, sums, products and square roots, never from trigonometry.
//!
//! ```
//! use portolan_scenes::{Scene, SceneOptions, Size};
//!
//! let scene: Scene = "tower".parse()?;
//! let options = SceneOptions { size: Size::Small, seed: 7, ..Default::default() };
//! let triangles = scene.build(&options);
//! assert_eq!(triangles, scene.build(&options));
//! # Ok::<(), portolan_scenes::UnknownScene>(())
//! ```
//!
//! [`model`] is the kit they are built with, for scenes of your own.
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod model;
mod options;
mod plan;
mod random;
mod scene;

mod city_colony;
mod city_islands;
mod dungeon;
mod height_functions;
mod map;
mod medieval;
mod serpentine;
mod simple;
mod sirius;
mod tower;
mod town;
mod tropical;
pub mod worlds;

pub use height_functions::{HeightFunction, UnknownFunction};
pub use options::{SceneOptions, Size, UnknownSize};
pub use scene::{Scene, UnknownScene};
