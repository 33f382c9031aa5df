//! Opens and saves files by path. Errors name the file, and a file is written in full or not at all.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use portolan_core::{Check, NavMesh, World};
#[cfg(feature = "terrain")]
use portolan_terrain::Terrain;

use crate::container::{KIND_PREFIX, kind_of};
#[cfg(feature = "bake")]
use crate::pbake::{self, KeptBake};
#[cfg(feature = "terrain")]
use crate::pter;
use crate::{ReadError, mapping, pidx, pnav};

/// Why a file could not be read or written. The message is one line that names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The name of the file, as the caller gave it.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// The file could be read, but its contents are invalid.
    #[error("{file}: {error}")]
    Content {
        /// The name of the file, as the caller gave it.
        file: String,
        /// What is wrong with the contents.
        error: ReadError,
    },
    /// The file could not be written. A previous file of that name is unchanged.
    #[error("{file}: cannot be written: {error}")]
    Unwritable {
        /// The name of the file, as the caller gave it.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
}

/// Reads a file into memory and parses it. The error names the file. An empty file is an error.
pub fn read<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, ReadError>,
) -> Result<T, FileError> {
    let file = || path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| FileError::Unreadable {
        file: file(),
        error,
    })?;
    let parsed = match &bytes[..] {
        [] => Err(ReadError::NoBytes),
        bytes => parse(bytes),
    };
    parsed.map_err(|error| FileError::Content {
        file: file(),
        error,
    })
}

/// Opens a file and calls `parse` with it and its size in bytes.
fn stream<T>(
    path: &Path,
    parse: impl FnOnce(File, u64) -> Result<T, ReadError>,
) -> Result<T, FileError> {
    let name = || path.display().to_string();
    let open = || {
        let file = File::open(path)?;
        let bytes = file.metadata()?.len();
        Ok((file, bytes))
    };
    let (file, bytes) = open().map_err(|error| FileError::Unreadable {
        file: name(),
        error,
    })?;
    parse(file, bytes).map_err(|error| FileError::Content {
        file: name(),
        error,
    })
}

/// Opens a `.pnav` file.
pub fn open_navmesh(path: &Path) -> Result<NavMesh, FileError> {
    stream(path, pnav::read)
}

/// How an index file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenOptions {
    /// How much of the file is checked. [Default: [`Check::Safe`]] With [`Check::None`] the file is trusted: not even
    /// its checksum is compared, and the time to open it hardly depends on its size. Use it only for files that this
    /// library wrote and nothing has changed since: with any other file, queries may panic, not return, or return
    /// wrong answers. Their behaviour is never undefined.
    pub check: Check,
    /// Whether the file is mapped into memory instead of read. [Default: true] Processes that map the same file share
    /// its memory, and parts that no query needs are never read from the disk. The file must not be changed in place
    /// while the world exists. Files are safe to replace by renaming, as this library does, and to delete: the
    /// world keeps the old contents (on Windows, a mapped file can be neither replaced nor deleted). If another
    /// program overwrites the file, answers may be wrong and queries may panic; if it truncates the file, the
    /// operating system ends this process (SIGBUS on Unix). Without mapping, nothing of this can happen.
    pub map: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self {
            check: Check::default(),
            map: true,
        }
    }
}

impl OpenOptions {
    /// Returns options that trust the file: see [`check`](Self::check).
    pub fn trusted() -> Self {
        Self {
            check: Check::None,
            ..Self::default()
        }
    }

    /// Returns these options with another check.
    pub fn with_check(self, check: Check) -> Self {
        Self { check, ..self }
    }

    /// Returns these options with or without mapping.
    pub fn with_map(self, map: bool) -> Self {
        Self { map, ..self }
    }
}

/// Opens a `.pidx` file and returns a world with its index. [`World::report`] says how it was built.
pub fn open_index(path: &Path) -> Result<World, FileError> {
    open_index_with(path, OpenOptions::default())
}

/// Opens a `.pidx` file with options.
pub fn open_index_with(path: &Path, options: OpenOptions) -> Result<World, FileError> {
    stream(path, |file, bytes| read_index(&[], file, bytes, options))
}

/// Opens a `.pnav` file as a world without an index, or a `.pidx` file as a world with its index. The
/// contents of the file decide which of the two it is, not its name.
pub fn open_world(path: &Path) -> Result<World, FileError> {
    open_world_with(path, OpenOptions::default())
}

/// Opens a `.pnav` or `.pidx` file as [`open_world`] does. The options are for `.pidx` files; a `.pnav` file is always
/// read and checked.
pub fn open_world_with(path: &Path, options: OpenOptions) -> Result<World, FileError> {
    stream(path, |mut file, bytes| {
        let start = start_of(&mut file)?;
        match kind_of(&start) == Some(pidx::KIND) {
            true => read_index(&start, file, bytes, options),
            false => pnav::read(start.as_slice().chain(file), bytes).map(World::from_mesh),
        }
    })
}

/// Reads an index from a file of which `start` has been read already.
fn read_index(
    start: &[u8],
    file: File,
    bytes: u64,
    options: OpenOptions,
) -> Result<World, ReadError> {
    // What cannot be mapped, such as a pipe or a file of some file systems, is read.
    let mapped = Some(&file)
        .filter(|_| options.map && bytes > 0)
        .map(mapping::map);
    match mapped {
        Some(Ok(mapped)) => pidx::from_array(&mapped, options.check),
        _ => pidx::read_checked(start.chain(file), bytes, options.check),
    }
}

/// Returns whether a file is a `.pidx` file, judged by its first bytes and not by its name.
pub fn is_index(path: &Path) -> Result<bool, FileError> {
    stream(path, |mut file, _| {
        Ok(kind_of(&start_of(&mut file)?) == Some(pidx::KIND))
    })
}

/// Reads the bytes that identify the kind of a file, or fewer if the file is shorter.
fn start_of(file: &mut File) -> Result<Vec<u8>, ReadError> {
    let mut start = Vec::with_capacity(KIND_PREFIX);
    let read = Read::take(file, KIND_PREFIX as u64).read_to_end(&mut start);
    read.map_err(|error| ReadError::Unreadable {
        what: error.to_string(),
    })?;
    Ok(start)
}

#[cfg(feature = "terrain")]
/// Opens a `.pter` file.
pub fn open_terrain(path: &Path) -> Result<Terrain, FileError> {
    stream(path, pter::read)
}

#[cfg(feature = "terrain")]
/// Returns whether a file is a `.pter` file, judged by its first bytes and not by its name.
pub fn is_terrain(path: &Path) -> Result<bool, FileError> {
    stream(path, |mut file, _| {
        Ok(kind_of(&start_of(&mut file)?) == Some(pter::KIND))
    })
}

#[cfg(feature = "bake")]
/// Opens a `.pbake` file.
pub fn open_bake(path: &Path) -> Result<KeptBake, FileError> {
    stream(path, pbake::read)
}

#[cfg(feature = "bake")]
/// Returns whether a file is a `.pbake` file, judged by its first bytes and not by its name.
pub fn is_bake(path: &Path) -> Result<bool, FileError> {
    stream(path, |mut file, _| {
        Ok(kind_of(&start_of(&mut file)?) == Some(pbake::KIND))
    })
}

#[cfg(feature = "bake")]
/// Writes a `.pbake` file.
pub fn save_bake(path: &Path, kept: &KeptBake) -> Result<(), FileError> {
    save(path, |file| pbake::write(kept, file))
}

/// Writes a `.pnav` file.
pub fn save_navmesh(path: &Path, mesh: &NavMesh) -> Result<(), FileError> {
    save(path, |file| pnav::write(mesh, file))
}

/// Writes a `.pidx` file.
pub fn save_index(path: &Path, world: &World) -> Result<(), FileError> {
    save(path, |file| pidx::write(world, file))
}

#[cfg(feature = "terrain")]
/// Writes a `.pter` file.
pub fn save_terrain(path: &Path, terrain: &Terrain) -> Result<(), FileError> {
    save(path, |file| pter::write(terrain, file))
}

/// Writes a file under a temporary name in the same folder and renames it when it is complete, so that no
/// other process ever sees half a file. A symbolic link is followed; a pipe or a device is written to
/// directly. Returns what `write` returns.
pub fn save<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, FileError> {
    let save = || {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match std::fs::metadata(&target) {
            Ok(existing) if existing.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(existing) if !existing.is_file() => {
                let mut out = io::BufWriter::new(File::options().write(true).open(&target)?);
                let written = write(&mut out)?;
                out.flush()?;
                Ok(written)
            }
            _ => replace(&target, write),
        }
    };
    save().map_err(|error| FileError::Unwritable {
        file: path.display().to_string(),
        error,
    })
}

fn replace<T>(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".portolan-").suffix(".part");
    #[cfg(unix)]
    {
        // The permissions of any new file; the umask of the process still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        // The message of `tempfile` would show the temporary name, which the user does not know.
        .map_err(|error| io::Error::from(error.kind()))?;
    let part = UnfinishedFile::register(file.path());
    let mut buffer = io::BufWriter::new(file);
    let written = write(&mut buffer)?;
    let file = buffer
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    drop(part);
    Ok(written)
}

/// The temporary files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of every [`save`] that is still running. A program calls it when it is about
/// to exit early, for example on Ctrl-C.
pub fn remove_unfinished() {
    for part in lock_unfinished().drain(..) {
        // An error means that the file has just been renamed, so nothing is left to remove.
        let _ = std::fs::remove_file(part);
    }
}

fn lock_unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    // A list of paths is valid even if a thread panicked while it held the lock.
    UNFINISHED
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Keeps a path in [`UNFINISHED`] until it is dropped.
struct UnfinishedFile(PathBuf);

impl UnfinishedFile {
    fn register(part: &Path) -> Self {
        lock_unfinished().push(part.to_owned());
        Self(part.to_owned())
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        lock_unfinished().retain(|part| *part != self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_keeps_the_old_file_and_leaves_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world.txt");
        save(&path, |file| file.write_all(b"old")).unwrap();
        let failed = save::<()>(&path, |file| {
            file.write_all(b"ne")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(
            failed
                .unwrap_err()
                .to_string()
                .ends_with("cannot be written: the disk is full")
        );
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_error_for_a_missing_file_names_it() {
        let error = open_navmesh(Path::new("no/such.pnav")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.pnav: "), "{error}");
        let error = open_world(Path::new("no/such.pidx")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.pidx: "), "{error}");
    }

    #[test]
    fn contents_decide_the_format_not_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world");
        for (content, message) in [
            (&b""[..], "the file is empty"),
            (b"PORTO", "incomplete"),
            (b"PORTOLANINDX", "incomplete"),
            (b"v 1 2 3", "not a .pnav file"),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = open_world(&path).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
