//! How a verb ends.

use std::fmt;
use std::path::Path;

use portolan_core::NavMeshError;
use portolan_files::FileError;

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    No,
}

/// Bad input or bad usage, in one line.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self(what.into())
    }

    /// A mesh that is no navmesh, with the file it came from.
    pub(crate) fn navmesh(file: &Path, error: &NavMeshError) -> Self {
        Self(format!("{}: {error}", file.display()))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self(error.to_string())
    }
}
