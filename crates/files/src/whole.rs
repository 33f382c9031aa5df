//! Whole files, with their names in the errors.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use portolan_core::{NavMesh, World};
#[cfg(feature = "terrain")]
use portolan_terrain::Terrain;

use crate::container::{KIND_END, kind_of};
#[cfg(feature = "bake")]
use crate::pbake::{self, KeptBake};
use crate::pidx::Making;
#[cfg(feature = "terrain")]
use crate::pter;
use crate::{ReadError, pidx, pnav};

/// What went wrong with a file, in one line that names it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file could not be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// Its name as it was given.
        file: String,
        /// Why not.
        error: io::Error,
    },
    /// The file could be read but makes no sense.
    #[error("{file}: {error}")]
    Content {
        /// Its name as it was given.
        file: String,
        /// What is wrong with it.
        error: ReadError,
    },
    /// The file could not be written. What was there before is still there.
    #[error("{file}: cannot be written: {error}")]
    Unwritable {
        /// Its name as it was given.
        file: String,
        /// Why not.
        error: io::Error,
    },
}

/// Reads a whole file and parses it; the error names the file. An empty file is an error.
pub fn read<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, ReadError>,
) -> Result<T, FileError> {
    read_settings(path, |bytes| match bytes {
        [] => Err(ReadError::NoBytes),
        bytes => parse(bytes),
    })
}

/// As [`read`], for files of settings, of which an empty one leaves everything at its default.
pub fn read_settings<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, ReadError>,
) -> Result<T, FileError> {
    let file = || path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| FileError::Unreadable {
        file: file(),
        error,
    })?;
    parse(&bytes).map_err(|error| FileError::Content {
        file: file(),
        error,
    })
}

/// Reads a file piece by piece; `parse` is told its size.
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

/// Opens a `.pidx` file: a world with a hierarchy, a contraction or both, and how it was made.
pub fn open_index(path: &Path) -> Result<(World, Making), FileError> {
    stream(path, pidx::read)
}

/// Opens a `.pnav` file, which gives a world without an index, or a `.pidx` file, which gives one with,
/// and how that was made. What is in the file says which it is, not its name.
pub fn open_world(path: &Path) -> Result<(World, Option<Making>), FileError> {
    stream(path, |mut file, bytes| {
        let start = start_of(&mut file)?;
        let is_index = kind_of(&start) == Some(pidx::KIND);
        let whole = start.as_slice().chain(file);
        if is_index {
            let (world, making) = pidx::read(whole, bytes)?;
            return Ok((world, Some(making)));
        }
        pnav::read(whole, bytes).map(|mesh| (World::from_mesh(mesh), None))
    })
}

/// The bytes that say what kind a file is, or fewer where there are no more.
fn start_of(file: &mut File) -> Result<Vec<u8>, ReadError> {
    let mut start = Vec::with_capacity(KIND_END);
    let read = Read::take(file, KIND_END as u64).read_to_end(&mut start);
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
/// Whether a file says that it is a `.pter` file. What is in it says so, not its name.
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
/// Whether a file says that it is a `.pbake` file. What is in it says so, not its name.
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
pub fn save_index(path: &Path, world: &World, making: &Making) -> Result<(), FileError> {
    save(path, |file| pidx::write(world, making, file))
}

#[cfg(feature = "terrain")]
/// Writes a `.pter` file.
pub fn save_terrain(path: &Path, terrain: &Terrain) -> Result<(), FileError> {
    save(path, |file| pter::write(terrain, file))
}

/// Writes a file under a temporary name beside the real one and renames it when all is there, so
/// that nobody ever sees half of it. A link is followed; a pipe or a device is written to directly.
pub fn save<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<T, FileError> {
    let save = || {
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match std::fs::metadata(&target) {
            Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(there) if !there.is_file() => {
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
        // As any new file; the umask of the process still applies.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let file = builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        // The message would show a name that nobody has given.
        .map_err(|error| io::Error::from(error.kind()))?;
    let part = Unfinished::note(file.path());
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

/// Temporary files that are being written.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of all [`save`]s under way; for a program that is about to end in
/// the middle of them.
pub fn remove_unfinished() {
    for part in lock_unfinished().drain(..) {
        // It may just have been renamed; then there is nothing to remove.
        let _ = std::fs::remove_file(part);
    }
}

fn lock_unfinished() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    // A list of names is sound even if a thread panicked while it held the lock.
    UNFINISHED
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Keeps a name in the list as long as it lives.
struct Unfinished(PathBuf);

impl Unfinished {
    fn note(part: &Path) -> Self {
        lock_unfinished().push(part.to_owned());
        Self(part.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        lock_unfinished().retain(|part| *part != self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_leaves_what_was_there_and_nothing_else() {
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
    fn a_missing_file_is_named() {
        let error = open_navmesh(Path::new("no/such.pnav")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.pnav: "), "{error}");
        let error = open_world(Path::new("no/such.pidx")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.pidx: "), "{error}");
    }

    #[test]
    fn what_is_in_a_file_says_what_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("world");
        for (content, words) in [
            (&b""[..], "the file is empty"),
            (b"PORTO", "incomplete"),
            (b"PORTOLANINDX", "incomplete"),
            (b"v 1 2 3", "not a .pnav file"),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = open_world(&path).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
