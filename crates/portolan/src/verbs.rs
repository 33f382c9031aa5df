//! The verbs, in the order of the pipeline.

#[cfg(any(feature = "files", feature = "formats"))]
use std::path::Path;

#[cfg(feature = "bake")]
use portolan_bake::BakeOptions;
#[cfg(feature = "formats")]
use portolan_core::LevelOptions;
#[cfg(any(feature = "bake", feature = "formats"))]
use portolan_core::Triangles;
use portolan_core::{NavMesh, World, no_progress};
use portolan_index::IndexOptions;

use crate::Error;

/// Reads the triangles of a level: `.obj`, `.gltf` or `.glb`, with y up, in metres.
/// [`parts::open_geometry`](crate::parts::open_geometry) takes [`LevelOptions`] for files with z up,
/// other units or faces wound the other way round.
///
/// *Needs the feature `formats`.*
#[cfg(feature = "formats")]
pub fn read_level(file: impl AsRef<Path>) -> Result<Triangles, Error> {
    let options = LevelOptions::default();
    Ok(portolan_formats::open_geometry(file.as_ref(), &options)?)
}

/// Imports somebody else's navmesh: a Detour tile set (`.bin`), a Polyanya `.mesh`, or an `.obj` whose
/// faces are the polygons.
///
/// *Needs the feature `formats`.*
#[cfg(feature = "formats")]
pub fn import(file: impl AsRef<Path>) -> Result<NavMesh, Error> {
    let imported = portolan_formats::import(file.as_ref())?;
    Ok(NavMesh::build(imported.raw, &imported.options)?)
}

/// Bakes a level into a navmesh, on all cores. [`parts::bake_level`](crate::parts::bake_level) also takes
/// area rules, and [`parts::diagnose`](crate::parts::diagnose) tells whether a level was read with the
/// wrong axis up, mirrored, or in the wrong unit.
///
/// *Needs the feature `bake`.*
#[cfg(feature = "bake")]
pub fn bake(level: &Triangles, options: &BakeOptions) -> Result<NavMesh, Error> {
    let rules = portolan_core::AreaRules::default();
    let baked = portolan_bake::bake(level, &rules, options)?;
    Ok(baked.build_navmesh()?)
}

/// Builds the world of a navmesh, with the index that the options ask for. [`World::report`] tells how
/// long each stage took. [`parts::build`](crate::parts::build) also reports progress and can be cancelled.
pub fn index(mesh: NavMesh, options: &IndexOptions) -> Result<World, Error> {
    Ok(portolan_index::build(mesh, options, &no_progress)?)
}

/// Saves a world with its index: a `.pidx` file. It is written under a temporary name and renamed, so
/// nobody ever sees half of it.
///
/// *Needs the feature `files`.*
#[cfg(feature = "files")]
pub fn save(world: &World, file: impl AsRef<Path>) -> Result<(), Error> {
    Ok(portolan_files::save_index(file.as_ref(), world)?)
}

/// Opens a world: a `.pidx` file, or a `.pnav` file, which has no index and answers by A*.
///
/// *Needs the feature `files`.*
#[cfg(feature = "files")]
pub fn open(file: impl AsRef<Path>) -> Result<World, Error> {
    Ok(portolan_files::open_world(file.as_ref())?)
}
