//! What can be wrong with a file.

/// Why bytes could not be read, in one line and without the name of the file, which only the
/// caller knows: `W.bin: tile 3: ...`.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Nothing reads files with this ending.
    #[error("no reader for '{extension}'; known are {known}")]
    UnknownExtension {
        /// What the name ends in, with its dot; the whole name where it has no dot.
        extension: String,
        /// Endings that something reads.
        known: &'static str,
    },
    /// The file has no bytes: whatever should have written it did not.
    #[error("the file is empty")]
    NoBytes,
    /// The bytes are something else altogether.
    #[error("not {format}: {reason}")]
    NotThisFormat {
        /// What was expected, with its article.
        format: &'static str,
        /// What the bytes are instead, as far as one can tell.
        reason: String,
    },
    /// The right format, written by an older or a newer tool.
    #[error("{format} of version {found}, but only version {supported} is known; {again} it again")]
    Version {
        /// The format and the part of it that carries a version.
        format: &'static str,
        /// The version in the file.
        found: String,
        /// The version that can be read.
        supported: u32,
        /// What makes such a file: a verb.
        again: &'static str,
    },
    /// The bytes end too early.
    #[error("the file ends at byte {at}, in the middle of {what}; it is incomplete")]
    Truncated {
        /// What should have followed.
        what: String,
        /// The size of the file.
        at: u64,
    },
    /// A text file breaks its grammar.
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
    /// A part of a file that has numbered or named parts makes no sense.
    #[error("{element}: {what}")]
    Element {
        /// The part, as in `node 3 'door', mesh 1, primitive 0`; counted as the format counts.
        element: String,
        /// What is wrong with it.
        what: String,
    },
    /// A column is missing.
    #[error("no column '{column}' in the header; needed are {needed}")]
    MissingColumn {
        /// Its name.
        column: &'static str,
        /// All columns that are needed.
        needed: String,
    },
    /// A file of ours that changed since it was written.
    #[error("the file is damaged: {what}")]
    Damaged {
        /// What does not fit.
        what: String,
    },
    /// The disk, the network or the system gave up on the way.
    #[error("it cannot be read: {what}")]
    Unreadable {
        /// What the system says.
        what: String,
    },
    /// There is nothing in it to find paths on.
    #[error("there are no {what} in it")]
    Empty {
        /// What was looked for.
        what: &'static str,
    },
    /// More bytes than indices of 32 bits can address.
    #[error(
        "{bytes} bytes are too many; at most {} can be read, split the world",
        u32::MAX
    )]
    TooLarge {
        /// The size of the file.
        bytes: usize,
    },
}
