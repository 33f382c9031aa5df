//! The functions of the pipeline, in the order in which they are called.

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

/// Reads the triangles of a level from an `.obj`, `.gltf` or `.glb` file in metres with y up. For files
/// with z up, other units or reversed winding, [`parts::open_geometry`](crate::parts::open_geometry) takes
/// [`LevelOptions`].
///
/// *Needs the feature `formats`.*
///
/// # Errors
/// Fails if the file cannot be read or is malformed; the message names the file.
#[cfg(feature = "formats")]
pub fn read_level(file: impl AsRef<Path>) -> Result<Triangles, Error> {
    let options = LevelOptions::default();
    Ok(portolan_formats::open_geometry(file.as_ref(), &options)?)
}

/// Imports a navmesh from another tool: a Detour tile set (`.bin`), a Polyanya `.mesh`, or an `.obj` whose
/// faces are the polygons.
///
/// *Needs the feature `formats`.*
///
/// # Errors
/// Fails if the file cannot be read or is malformed, or if its polygons are not a valid navmesh.
#[cfg(feature = "formats")]
pub fn import(file: impl AsRef<Path>) -> Result<NavMesh, Error> {
    let imported = portolan_formats::import(file.as_ref())?;
    Ok(NavMesh::build(imported.raw, &imported.options)?)
}

/// Bakes a level into a navmesh, on all cores. [`parts::bake_level`](crate::parts::bake_level) also takes
/// area rules. If the result looks wrong, [`parts::diagnose`](crate::parts::diagnose) reports whether the
/// level was read with the wrong axis up, mirrored, or in the wrong unit.
///
/// *Needs the feature `bake`.*
///
/// ```
/// use portolan::BakeOptions;
/// use portolan::parts::Triangles;
///
/// // A floor of 9 m x 9 m.
/// let mut level = Triangles::default();
/// level.vertices = [[0.0, 0.0], [0.0, 9.0], [9.0, 9.0], [9.0, 0.0]]
///     .map(|[x, z]| glam::vec3(x, 0.0, z))
///     .to_vec();
/// level.triangles = vec![[0, 1, 2], [0, 2, 3]];
///
/// let mesh = portolan::bake(&level, &BakeOptions::default())?;
/// assert!(mesh.polygon_count() >= 1);
/// # Ok::<(), portolan::Error>(())
/// ```
///
/// # Errors
/// Fails if the options or the triangles are invalid, or if the level has no ground to walk on.
#[cfg(feature = "bake")]
pub fn bake(level: &Triangles, options: &BakeOptions) -> Result<NavMesh, Error> {
    let rules = portolan_core::AreaRules::default();
    let baked = portolan_bake::bake(level, &rules, options)?;
    Ok(baked.build_navmesh()?)
}

/// Builds an indexed world from a navmesh. [`World::report`] has the time of each stage.
/// [`parts::build`](crate::parts::build) also reports progress and can be cancelled.
///
/// # Errors
/// Fails if the options are out of their limits or need the feature `metis`, or if the index is too large.
pub fn index(mesh: NavMesh, options: &IndexOptions) -> Result<World, Error> {
    Ok(portolan_index::build(mesh, options, &no_progress)?)
}

/// Saves a world with its index to a `.pidx` file. The file is written under a temporary name and then
/// renamed, so that other processes never see an incomplete file.
///
/// *Needs the feature `files`.*
///
/// # Errors
/// Fails if the file cannot be written.
#[cfg(feature = "files")]
pub fn save(world: &World, file: impl AsRef<Path>) -> Result<(), Error> {
    Ok(portolan_files::save_index(file.as_ref(), world)?)
}

/// Opens a world from a `.pidx` file, or from a `.pnav` file. The latter has no index, so its queries use
/// A*. A `.pidx` file is mapped into memory, so it must not be changed in place while the world exists; it can be
/// replaced by [`save`]. `portolan::parts::open_world_with` can open it without mapping, or without checking it, which
/// takes a few milliseconds for a file of any size.
///
/// *Needs the feature `files`.*
///
/// # Errors
/// Fails if the file cannot be read, is corrupt, or has another version.
#[cfg(feature = "files")]
pub fn open(file: impl AsRef<Path>) -> Result<World, Error> {
    Ok(portolan_files::open_world(file.as_ref())?)
}
