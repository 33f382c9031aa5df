//! Draws navmeshes, paths, levels and searches as [SVG](svg), measurements as [charts](chart), and terrain as
//! [PNG](picture).
#![allow(
    clippy::disallowed_methods,
    reason = "pictures may differ in the last bit"
)]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod chart;
mod glyphs;
pub mod picture;
pub mod svg;
pub mod terrain;
pub mod xml;
