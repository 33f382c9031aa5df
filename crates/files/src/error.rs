//! The error of every reader.

/// Why the contents of a file could not be read.
///
/// The message is one line. It does not name the file, which only the caller knows: the caller puts the
/// name in front, as in `W.bin: tile 3: ...` (see [`FileError`](crate::FileError)).
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No reader exists for files with this extension.
    #[error("files of type '{extension}' are not supported; supported are {supported}")]
    UnknownExtension {
        /// The extension with its dot; the full name if it has no dot.
        extension: String,
        /// The extensions that have a reader.
        supported: &'static str,
    },
    /// The file has no bytes. The tool that should have written it probably failed.
    #[error("the file is empty")]
    NoBytes,
    /// The bytes are not of the expected format.
    #[error("not {format}: {reason}")]
    NotThisFormat {
        /// The expected format, with its article.
        format: &'static str,
        /// What the bytes are instead, or what is wrong with them.
        reason: String,
    },
    /// The format is right, but a tool of another version has written the file.
    #[error("{format} of version {found}, but only version {supported} is supported; {remedy}")]
    Version {
        /// The format, or the part of it that carries a version.
        format: &'static str,
        /// The version in the file.
        found: String,
        /// The version that can be read.
        supported: u32,
        /// How to get a readable file, as in "export it again".
        remedy: &'static str,
    },
    /// The bytes end too early.
    #[error(
        "the file is incomplete: it ends at byte {at}, in the middle of {what}; copy or create it again"
    )]
    Truncated {
        /// The part that should have continued.
        what: String,
        /// The size of the file, in bytes.
        at: u64,
    },
    /// A text file violates its grammar.
    #[error("line {line}: {what}")]
    Syntax {
        /// The line, counted from 1.
        line: u64,
        /// What is wrong there.
        what: String,
    },
    /// A tile of a Detour tile set contradicts itself.
    #[error("tile {tile}: {what}")]
    Tile {
        /// The tile, counted from 0 in the order of the file.
        tile: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A numbered or named part of a file is invalid.
    #[error("{element}: {what}")]
    Element {
        /// The part, as in `node 3 'door', mesh 1, primitive 0`, counted as the format counts.
        element: String,
        /// What is wrong with it.
        what: String,
    },
    /// A required column is missing.
    #[error("the header has no column '{column}'; the required columns are {required}")]
    MissingColumn {
        /// The name of the missing column.
        column: &'static str,
        /// The names of all required columns.
        required: String,
    },
    /// A file of Portolan's own formats has changed since it was written.
    #[error("the file is damaged: {what}; create it again")]
    Damaged {
        /// The part that is wrong.
        what: String,
    },
    /// The operating system failed to read the file.
    #[error("the file cannot be read: {what}")]
    Unreadable {
        /// The message of the operating system.
        what: String,
    },
    /// The file contains nothing to find paths on.
    #[error("the file has no {what}")]
    Empty {
        /// The missing elements, in the plural.
        what: &'static str,
    },
    /// The file has more bytes than 32-bit indices can address.
    #[error(
        "the file has {bytes} bytes, but at most {} can be read; split the world into several files",
        u32::MAX
    )]
    TooLarge {
        /// The size of the file, in bytes.
        bytes: usize,
    },
}

impl From<portolan_core::sections::SectionError> for ReadError {
    fn from(error: portolan_core::sections::SectionError) -> Self {
        Self::Damaged {
            what: error.to_string(),
        }
    }
}
