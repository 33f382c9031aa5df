//! The error type of this crate.

use portolan_core::{EngineError, NavMeshError, ProfileError, ResumeError, Status};
use portolan_index::IndexError;

/// Any error between a level file and a path, with a message of one line. The errors of all steps convert
/// into it, so that `?` works throughout.
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
    /// The polygons are not a valid navmesh.
    #[error(transparent)]
    Mesh(#[from] NavMeshError),
    /// An index could not be built.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A cost factor of a profile is out of its limits.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// The world cannot answer the query, for example because its index lacks the engine.
    #[error(transparent)]
    Query(#[from] EngineError),
    /// A search that was paused cannot continue.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// There is no path. The status from [`World::find`](crate::World::find) says why.
    #[error(transparent)]
    NoPath(#[from] Status),
}

#[cfg(feature = "files")]
use portolan_files::FileError;
#[cfg(all(feature = "formats", not(feature = "files")))]
use portolan_formats::FileError;
