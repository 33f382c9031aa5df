//! Paths over natural ground: height maps, Low, High and Top Meshes.
//!
//! *Needs the feature `terrain`.* Everything here is the crate `portolan-terrain`; it has the same shape
//! as the rest: options build a terrain, a query asks it, a scratch and a path belong to the caller.

pub use portolan_terrain::*;
