//! How a command ends.

use std::fmt;
use std::path::Path;

use portolan_core::NavMeshError;
use portolan_files::FileError;

/// The kind of exit of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitKind {
    /// Exit code 0.
    Success,
    /// Exit code 1: the answer is no, for example that there is no path.
    Negative,
}

/// Wrong input or wrong usage, described in one line.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Describes an invalid navmesh and the file that contains it.
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
