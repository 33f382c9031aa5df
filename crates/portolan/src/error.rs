//! What can go wrong on the way from a level file to a path.

use portolan_core::{EngineError, NavMeshError, ProfileError, Status};
use portolan_index::IndexError;

/// What went wrong, in one line. Every step's own error converts into it, so `?` works throughout.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[cfg(any(feature = "files", feature = "formats"))]
    #[error(transparent)]
    File(#[from] FileError),
    /// A level could not be baked.
    #[cfg(feature = "bake")]
    #[error(transparent)]
    Bake(#[from] portolan_bake::BakeError),
    /// Polygons do not make a navmesh.
    #[error(transparent)]
    Mesh(#[from] NavMeshError),
    /// An index could not be built.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A profile is out of its limits.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The world cannot be asked this query.
    #[error(transparent)]
    Query(#[from] EngineError),
    /// There is no path: [`World::find`](crate::World::find) says why.
    #[error(transparent)]
    NoPath(#[from] Status),
}

#[cfg(feature = "files")]
use portolan_files::FileError;
#[cfg(all(feature = "formats", not(feature = "files")))]
use portolan_formats::FileError;
