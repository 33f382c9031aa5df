//! The envelope of all our files: named arrays, loaded in bulk, under one checksum.
//!
//! Little-endian. A header of 32 bytes (`PORTOLAN`, four letters for the kind, `u32` version, `u64`
//! size of the whole file, `u32` number of sections, `u32` zero), a table of 24 bytes a section
//! (four letters for its name, `u32` bytes an element, `u64` offset, `u64` elements), the sections
//! at multiples of 16 bytes, and at the end the XXH3 hash (`u64`) of everything before it.

use std::borrow::Cow;
use std::hash::Hasher as _;
use std::io::{self, ErrorKind, Read, Write};

use bytemuck::{AnyBitPattern, NoUninit, Pod, Zeroable};
use twox_hash::xxhash3_64::Hasher;

use crate::ReadError;

#[cfg(target_endian = "big")]
compile_error!(
    "Portolan's files are little-endian and are not converted; build for such a machine"
);

const MAGIC: [u8; 8] = *b"PORTOLAN";
const ALIGNMENT: usize = 16;
const HASH: usize = size_of::<u64>();

/// Four letters that name a kind of file or a section of one.
pub(crate) type Name = [u8; 4];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Header {
    magic: [u8; 8],
    kind: Name,
    version: u32,
    bytes: u64,
    sections: u32,
    zero: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Entry {
    name: Name,
    element_bytes: u32,
    offset: u64,
    count: u64,
}

/// A file in the making. It borrows its arrays where it can: those of an index are large.
pub(crate) struct Writer<'a> {
    kind: Name,
    version: u32,
    entries: Vec<Entry>,
    sections: Vec<Section<'a>>,
}

enum Section<'a> {
    Whole(Cow<'a, [u8]>),
    Pieces(Box<dyn Iterator<Item = Vec<u8>> + 'a>),
}

impl<'a> Writer<'a> {
    pub(crate) fn new(kind: Name, version: u32) -> Self {
        Self {
            kind,
            version,
            entries: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Adds a section.
    pub(crate) fn section<T: NoUninit>(&mut self, name: Name, elements: &'a [T]) {
        let bytes = Cow::Borrowed(bytemuck::cast_slice(elements));
        self.add::<T>(name, elements.len(), Section::Whole(bytes));
    }

    /// Adds a section that was made for the file.
    pub(crate) fn made_section<T: NoUninit>(&mut self, name: Name, elements: &[T]) {
        let bytes = Cow::Owned(bytemuck::cast_slice(elements).to_vec());
        self.add::<T>(name, elements.len(), Section::Whole(bytes));
    }

    /// Adds a section whose elements are made while the file is written, some at a time: for arrays
    /// that are too large to be there twice.
    pub(crate) fn piecewise_section<S, T: NoUninit>(
        &mut self,
        name: Name,
        elements: &'a [S],
        make: impl Fn(&S) -> T + 'a,
    ) {
        let pieces = elements.chunks(CHUNK / size_of::<T>()).map(move |piece| {
            let made: Vec<T> = piece.iter().map(&make).collect();
            bytemuck::cast_slice(&made).to_vec()
        });
        self.add::<T>(name, elements.len(), Section::Pieces(Box::new(pieces)));
    }

    fn add<T>(&mut self, name: Name, count: usize, section: Section<'a>) {
        self.entries.push(Entry {
            name,
            element_bytes: size_of::<T>() as u32,
            offset: 0,
            count: count as u64,
        });
        self.sections.push(section);
    }

    /// The whole file in memory.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.finish(&mut bytes).expect("memory takes all bytes");
        bytes
    }

    /// Writes the whole file.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        let mut end = size_of::<Header>() + self.entries.len() * size_of::<Entry>();
        for entry in &mut self.entries {
            end = end.next_multiple_of(ALIGNMENT);
            entry.offset = end as u64;
            end += entry.count as usize * entry.element_bytes as usize;
        }
        let header = Header {
            magic: MAGIC,
            kind: self.kind,
            version: self.version,
            bytes: (end + HASH) as u64,
            sections: self.entries.len() as u32,
            zero: 0,
        };
        let mut hash = Hasher::new();
        let mut position = 0;
        let mut put = |bytes: &[u8]| {
            hash.write(bytes);
            position += bytes.len();
            out.write_all(bytes).map(|()| position)
        };
        put(bytemuck::bytes_of(&header))?;
        let mut position = put(bytemuck::cast_slice(&self.entries))?;
        for section in self.sections {
            let gap = position.next_multiple_of(ALIGNMENT) - position;
            position = put(&[0; ALIGNMENT][..gap])?;
            match section {
                Section::Whole(bytes) => position = put(&bytes)?,
                Section::Pieces(pieces) => {
                    for piece in pieces {
                        position = put(&piece)?;
                    }
                }
            }
        }
        out.write_all(&hash.finish().to_le_bytes())
    }
}

/// The kind that the first bytes of a file say it is, where they are those of a file of ours.
pub(crate) fn kind_of(start: &[u8]) -> Option<Name> {
    start.strip_prefix(&MAGIC)?.first_chunk().copied()
}

/// As many bytes as [`kind_of`] looks at.
pub(crate) const KIND_END: usize = MAGIC.len() + size_of::<Name>();

/// A file being read, section by section in the order in which they were written. Nothing that it
/// gives may be trusted before [`finish`](Self::finish) has seen the checksum.
pub(crate) struct Reader<R> {
    source: R,
    hash: Hasher,
    /// The size of the file, and how much of it is behind us.
    bytes: u64,
    position: u64,
    entries: std::vec::IntoIter<Entry>,
}

/// Bytes that are read or made at a time: they are still in the cache when they are hashed.
const CHUNK: usize = 1 << 18;

impl<R: Read> Reader<R> {
    /// Checks the envelope of a file of `bytes` bytes: magic, kind, version, size; in that order, so
    /// that the message is about the first thing that is wrong.
    pub(crate) fn open(
        source: R,
        bytes: u64,
        kind: Name,
        format: &'static str,
        version: u32,
    ) -> Result<Self, ReadError> {
        let not_this = |reason: &str| ReadError::NotThisFormat {
            format,
            reason: reason.to_owned(),
        };
        let entries = Vec::new().into_iter();
        let mut reader = Self {
            source,
            hash: Hasher::new(),
            bytes,
            position: 0,
            entries,
        };
        if bytes == 0 {
            return Err(ReadError::NoBytes);
        }
        let mut header = Header::zeroed();
        let there = bytemuck::bytes_of_mut(&mut header);
        let there = there
            .split_at_mut(bytes.min(size_of::<Header>() as u64) as usize)
            .0;
        reader.fill(there, "the header")?;
        let magic = &header.magic[..MAGIC.len().min(bytes as usize)];
        if !MAGIC.starts_with(magic) {
            return Err(not_this(match &kind {
                b"BAKE" => "it is no file of Portolan's; `bake LEVEL --keep` makes one",
                b"TERR" => {
                    "it is no file of Portolan's; a height map or geometry is to `terrain build`"
                }
                _ => {
                    "it is no file of Portolan's; a navmesh is to `import`, level geometry to `bake`"
                }
            }));
        }
        if bytes < size_of::<Header>() as u64 {
            return Err(reader.truncated("the header"));
        }
        if header.kind != kind {
            return Err(not_this(match &header.kind {
                b"NAVM" => "it is a navmesh, a .pnav file",
                b"INDX" => "it is an index, a .pidx file",
                b"TERR" => "it is ground, a .pter file, for `terrain`",
                b"BAKE" => "it is a kept bake, a .pbake file, for `rebake`",
                _ => "it is another kind of file of Portolan's",
            }));
        }
        if header.version != version {
            let found = header.version.to_string();
            let again = match &kind {
                b"INDX" => "index",
                b"BAKE" => "bake",
                b"TERR" => "build",
                _ => "make",
            };
            return Err(ReadError::Version {
                format,
                found,
                supported: version,
                again,
            });
        }
        if bytes < header.bytes {
            return Err(reader.truncated("its sections"));
        }
        let table = u64::from(header.sections) * size_of::<Entry>() as u64;
        if bytes != header.bytes || table > reader.left() {
            return Err(ReadError::Damaged {
                what: "its size is not what the header says".to_owned(),
            });
        }
        let mut entries = vec![Entry::zeroed(); header.sections as usize];
        reader.fill(
            bytemuck::cast_slice_mut(&mut entries),
            "its table of sections",
        )?;
        reader.entries = entries.into_iter();
        Ok(reader)
    }

    /// Bytes between here and the checksum.
    fn left(&self) -> u64 {
        self.bytes.saturating_sub(self.position + HASH as u64)
    }

    fn truncated(&self, what: &str) -> ReadError {
        ReadError::Truncated {
            what: what.to_owned(),
            at: self.bytes,
        }
    }

    /// Reads and hashes.
    fn fill(&mut self, buffer: &mut [u8], what: &str) -> Result<(), ReadError> {
        for chunk in buffer.chunks_mut(CHUNK) {
            self.source
                .read_exact(chunk)
                .map_err(|error| match error.kind() {
                    ErrorKind::UnexpectedEof => self.truncated(what),
                    _ => ReadError::Unreadable {
                        what: error.to_string(),
                    },
                })?;
            self.hash.write(chunk);
            self.position += chunk.len() as u64;
        }
        Ok(())
    }

    /// The elements of the next section, which has to be the one named.
    pub(crate) fn section<T: AnyBitPattern + NoUninit + Zeroable>(
        &mut self,
        name: Name,
    ) -> Result<Vec<T>, ReadError> {
        let shown = String::from_utf8_lossy(&name).into_owned();
        let damaged = |what: &str| ReadError::Damaged {
            what: format!("its section {shown} {what}"),
        };
        let entry = self.entries.next().filter(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| damaged("is missing"))?;
        if entry.element_bytes as usize != size_of::<T>() {
            return Err(damaged("has elements of another size"));
        }
        let gap = entry
            .offset
            .checked_sub(self.position)
            .filter(|&gap| gap < ALIGNMENT as u64);
        let gap = gap.ok_or_else(|| damaged("is not where it should be"))?;
        let size = entry.count.checked_mul(size_of::<T>() as u64);
        if size.is_none_or(|size| size > self.left().saturating_sub(gap)) {
            return Err(damaged("does not fit into the file"));
        }
        self.fill(&mut [0; ALIGNMENT][..gap as usize], &shown)?;
        let mut elements = bytemuck::zeroed_vec(entry.count as usize);
        self.fill(bytemuck::cast_slice_mut(&mut elements), &shown)?;
        Ok(elements)
    }

    /// The two arrays of a list of lists.
    pub(crate) fn lists<T: AnyBitPattern + NoUninit>(
        &mut self,
        offsets: Name,
        values: Name,
    ) -> Result<portolan_core::Csr<T>, ReadError> {
        let lists = portolan_core::Csr::from_parts(self.section(offsets)?, self.section(values)?);
        lists.ok_or_else(|| ReadError::Damaged {
            what: format!(
                "its section {} is no list of offsets",
                String::from_utf8_lossy(&offsets)
            ),
        })
    }

    /// Says whether what was read is what was written.
    pub(crate) fn finish(mut self) -> Result<(), ReadError> {
        let hash = self.hash.finish().to_le_bytes();
        if self.left() > 0 || self.entries.len() > 0 {
            return Err(ReadError::Damaged {
                what: "there is more in it than its sections".to_owned(),
            });
        }
        let mut written = [0; HASH];
        self.fill(&mut written, "its checksum")?;
        if written != hash {
            return Err(ReadError::Damaged {
                what: "its checksum is wrong".to_owned(),
            });
        }
        Ok(())
    }
}
