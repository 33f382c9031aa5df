//! Pictures: navmeshes, paths, levels and searches as [SVG](svg), terrain as [PNG](picture).
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod picture;
pub mod svg;
