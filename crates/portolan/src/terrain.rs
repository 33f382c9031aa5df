//! Paths over natural ground: height maps with Low, High and Top Meshes.
//!
//! *Needs the feature `terrain`.* This module is the crate `portolan-terrain`. Its API mirrors that of
//! navmeshes: options build a terrain, a query searches it, and the caller owns the scratch and the path.

pub use portolan_terrain::*;
