//! The container of all four file formats: named arrays under one checksum, read in bulk.
//!
//! All numbers are little-endian. A file consists of:
//! 1. A header of 32 bytes: `PORTOLAN`, four letters for the kind of file, `u32` version, `u64` size of
//!    the file in bytes, `u32` number of sections, `u32` zero.
//! 2. A table of sections with 24 bytes per section: four letters for its name, `u32` bytes per element,
//!    `u64` offset from the start of the file, `u64` number of elements.
//! 3. The sections, in the order of the table. Each starts at the next multiple of 16 bytes; the gaps are
//!    zeros.
//! 4. The XXH3 hash (64 bits, seed 0) of everything before it.
//!
//! In an index, which is mapped into memory, and in a terrain, sections start at multiples of 128, and the checksum is that of the
//! hashes of all pieces of 1 MiB, so that several threads can compute it.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read, Write};

use bytemuck::{AnyBitPattern, NoUninit, Pod, Zeroable};
use portolan_core::Array;
use portolan_core::sections::{Section, SectionReader};

use crate::checksum::{Checksum, checksum_of_pieces};
use crate::{ReadError, mapping};

#[cfg(target_endian = "big")]
compile_error!(
    "Portolan's files are little-endian and are not converted; build for a little-endian target"
);

const MAGIC: [u8; 8] = *b"PORTOLAN";
const MAX_ALIGNMENT: usize = mapping::ALIGNMENT;
const HASH_BYTES: usize = size_of::<u64>();

/// Returns the multiple of bytes at which sections start in a kind of file.
fn alignment_of(kind: Name) -> usize {
    match &kind {
        b"INDX" | b"TERR" => mapping::ALIGNMENT,
        _ => 16,
    }
}

fn checksum_for(kind: Name) -> Checksum {
    match &kind {
        b"INDX" | b"TERR" => Checksum::of_pieces(),
        _ => Checksum::whole(),
    }
}

/// Four letters that name a kind of file or a section of one.
pub(crate) type Name = [u8; 4];

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct FileHeader {
    magic: [u8; 8],
    kind: Name,
    version: u32,
    bytes: u64,
    sections: u32,
    zero: u32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct SectionEntry {
    name: Name,
    element_bytes: u32,
    offset: u64,
    count: u64,
}

/// Collects the sections of a file and writes them. It borrows arrays where it can, because those of an
/// index are large.
pub(crate) struct Writer<'a> {
    kind: Name,
    version: u32,
    entries: Vec<SectionEntry>,
    sections: Vec<SectionData<'a>>,
}

enum SectionData<'a> {
    Ready(Cow<'a, [u8]>),
    /// An array that is shared with the world.
    Shared(Array<u8>),
    /// Chunks that are computed while the file is written.
    #[cfg(feature = "terrain")]
    Chunks(Box<dyn Iterator<Item = Vec<u8>> + 'a>),
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

    /// Adds a section that borrows its elements.
    pub(crate) fn section<T: NoUninit>(&mut self, name: Name, elements: &'a [T]) {
        let bytes = Cow::Borrowed(bytemuck::cast_slice(elements));
        self.add::<T>(name, elements.len(), SectionData::Ready(bytes));
    }

    /// Adds a section and copies its elements, for arrays that exist only to be written.
    pub(crate) fn owned_section<T: NoUninit>(&mut self, name: Name, elements: &[T]) {
        let bytes = Cow::Owned(bytemuck::cast_slice(elements).to_vec());
        self.add::<T>(name, elements.len(), SectionData::Ready(bytes));
    }

    /// Adds a section that shares its elements with the world.
    pub(crate) fn shared_section(&mut self, section: Section) {
        self.entries.push(SectionEntry {
            name: section.name,
            element_bytes: section.element_bytes as u32,
            offset: 0,
            count: (section.bytes.len() / section.element_bytes) as u64,
        });
        self.sections.push(SectionData::Shared(section.bytes));
    }

    /// Adds a section whose elements are converted while the file is written, chunk by chunk, for arrays
    /// that are too large to be in memory twice.
    #[cfg(feature = "terrain")]
    pub(crate) fn converted_section<S, T: NoUninit>(
        &mut self,
        name: Name,
        elements: &'a [S],
        convert: impl Fn(&S) -> T + 'a,
    ) {
        let chunks = elements.chunks(CHUNK / size_of::<T>()).map(move |chunk| {
            let converted: Vec<T> = chunk.iter().map(&convert).collect();
            bytemuck::cast_slice(&converted).to_vec()
        });
        self.add::<T>(name, elements.len(), SectionData::Chunks(Box::new(chunks)));
    }

    fn add<T>(&mut self, name: Name, count: usize, section: SectionData<'a>) {
        self.entries.push(SectionEntry {
            name,
            element_bytes: size_of::<T>() as u32,
            offset: 0,
            count: count as u64,
        });
        self.sections.push(section);
    }

    /// Returns the bytes of the file.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.finish(&mut bytes)
            .expect("writing to a vector cannot fail");
        bytes
    }

    /// Writes the file.
    pub(crate) fn finish(mut self, out: &mut dyn Write) -> io::Result<()> {
        let alignment = alignment_of(self.kind);
        let mut end = size_of::<FileHeader>() + self.entries.len() * size_of::<SectionEntry>();
        for entry in &mut self.entries {
            end = end.next_multiple_of(alignment);
            entry.offset = end as u64;
            end += entry.count as usize * entry.element_bytes as usize;
        }
        let header = FileHeader {
            magic: MAGIC,
            kind: self.kind,
            version: self.version,
            bytes: (end + HASH_BYTES) as u64,
            sections: self.entries.len() as u32,
            zero: 0,
        };
        let mut hash = checksum_for(self.kind);
        let mut position = 0;
        let mut put = |bytes: &[u8]| {
            hash.write(bytes);
            position += bytes.len();
            out.write_all(bytes).map(|()| position)
        };
        put(bytemuck::bytes_of(&header))?;
        let mut position = put(bytemuck::cast_slice(&self.entries))?;
        for section in self.sections {
            let gap = position.next_multiple_of(alignment) - position;
            put(&[0; MAX_ALIGNMENT][..gap])?;
            position = match section {
                SectionData::Ready(bytes) => put(&bytes)?,
                SectionData::Shared(bytes) => put(&bytes)?,
                #[cfg(feature = "terrain")]
                SectionData::Chunks(mut chunks) => {
                    chunks.try_fold(position + gap, |_, chunk| put(&chunk))?
                }
            };
        }
        out.write_all(&hash.finish().to_le_bytes())
    }
}

/// Returns the kind of a file from its first bytes, or `None` if it is not a file of Portolan.
pub(crate) fn kind_of(start: &[u8]) -> Option<Name> {
    start.strip_prefix(&MAGIC)?.first_chunk().copied()
}

/// The number of bytes that [`kind_of`] looks at.
pub(crate) const KIND_PREFIX: usize = MAGIC.len() + size_of::<Name>();

/// Reads a file section by section, in the order in which they were written. Its sections must not be
/// trusted before [`finish`](Self::finish) has compared the checksum.
pub(crate) struct Reader<R> {
    source: R,
    hash: Checksum,
    alignment: usize,
    /// The size of the file, in bytes.
    bytes: u64,
    /// The number of bytes read so far.
    position: u64,
    entries: std::vec::IntoIter<SectionEntry>,
}

/// The number of bytes that are read or converted at a time. It is small enough for them to be still in the
/// cache when they are hashed.
const CHUNK: usize = 1 << 18;

impl<R: Read> Reader<R> {
    /// Reads header and table of a file of `bytes` bytes. Checks magic, kind, version and size, in that
    /// order, so that the error is about the first of them that is wrong.
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
            hash: checksum_for(kind),
            alignment: alignment_of(kind),
            bytes,
            position: 0,
            entries,
        };
        if bytes == 0 {
            return Err(ReadError::NoBytes);
        }
        let mut header = FileHeader::zeroed();
        let available = bytemuck::bytes_of_mut(&mut header);
        let available = available
            .split_at_mut(bytes.min(size_of::<FileHeader>() as u64) as usize)
            .0;
        reader.fill(available, "the header")?;
        let magic = &header.magic[..MAGIC.len().min(bytes as usize)];
        if !MAGIC.starts_with(magic) {
            return Err(not_this(match &kind {
                b"BAKE" => {
                    "it is not a Portolan file; create one with `portolan bake LEVEL --keep W.pbake`"
                }
                b"TERR" => {
                    "it is not a Portolan file; \
                     convert a height map or level geometry with `portolan terrain build`"
                }
                _ => {
                    "it is not a Portolan file; \
                     convert a navmesh with `portolan import` or level geometry with `portolan bake`"
                }
            }));
        }
        if bytes < size_of::<FileHeader>() as u64 {
            return Err(reader.truncated("the header"));
        }
        if header.kind != kind {
            return Err(not_this(match &header.kind {
                b"NAVM" => "it is a navmesh (.pnav)",
                b"INDX" => "it is an index (.pidx)",
                b"TERR" => "it is a terrain (.pter), which the `portolan terrain` commands read",
                b"BAKE" => "it is a kept bake (.pbake), which `portolan rebake` reads",
                _ => "it is a Portolan file of an unknown kind, probably of a newer version",
            }));
        }
        if header.version != version {
            let found = header.version.to_string();
            let remedy = match &kind {
                b"INDX" => "create it again with `portolan index MESH.pnav -o FILE.pidx`",
                b"BAKE" => "create it again with `portolan bake --keep`",
                b"TERR" => "create it again with `portolan terrain build`",
                _ => "create it again with `portolan import` or `portolan bake`",
            };
            return Err(ReadError::Version {
                format,
                found,
                supported: version,
                remedy,
            });
        }
        if bytes < header.bytes {
            return Err(reader.truncated("its sections"));
        }
        let table = u64::from(header.sections) * size_of::<SectionEntry>() as u64;
        if bytes != header.bytes || table > reader.remaining() {
            return Err(ReadError::Damaged {
                what: "its size is not the size in its header".to_owned(),
            });
        }
        let mut entries = vec![SectionEntry::zeroed(); header.sections as usize];
        reader.fill(
            bytemuck::cast_slice_mut(&mut entries),
            "its table of sections",
        )?;
        reader.entries = entries.into_iter();
        Ok(reader)
    }

    /// Returns the number of bytes between the current position and the checksum.
    fn remaining(&self) -> u64 {
        self.bytes.saturating_sub(self.position + HASH_BYTES as u64)
    }

    fn truncated(&self, what: &str) -> ReadError {
        ReadError::Truncated {
            what: what.to_owned(),
            at: self.bytes,
        }
    }

    /// Fills a buffer with the next bytes and adds them to the hash.
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

    /// Reads the elements of the next section, whose name must be `name`.
    pub(crate) fn section<T: AnyBitPattern + NoUninit + Zeroable>(
        &mut self,
        name: Name,
    ) -> Result<Vec<T>, ReadError> {
        let title = String::from_utf8_lossy(&name).into_owned();
        let damaged = |what: &str| ReadError::Damaged {
            what: format!("its section {title} {what}"),
        };
        let entry = self.entries.next().filter(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| damaged("is missing"))?;
        if entry.element_bytes as usize != size_of::<T>() {
            return Err(damaged("has elements of the wrong size"));
        }
        let gap = entry
            .offset
            .checked_sub(self.position)
            .filter(|&gap| gap < self.alignment as u64);
        let gap = gap.ok_or_else(|| damaged("is at the wrong offset"))?;
        let size = entry.count.checked_mul(size_of::<T>() as u64);
        if size.is_none_or(|size| size > self.remaining().saturating_sub(gap)) {
            return Err(damaged("does not fit into the file"));
        }
        self.fill(&mut [0; MAX_ALIGNMENT][..gap as usize], &title)?;
        let mut elements = bytemuck::zeroed_vec(entry.count as usize);
        self.fill(bytemuck::cast_slice_mut(&mut elements), &title)?;
        Ok(elements)
    }

    /// Reads the two arrays of a list of lists.
    pub(crate) fn lists<T: AnyBitPattern + NoUninit>(
        &mut self,
        offsets: Name,
        values: Name,
    ) -> Result<portolan_core::Csr<T>, ReadError> {
        let lists = portolan_core::Csr::from_parts(self.section(offsets)?, self.section(values)?);
        lists.ok_or_else(|| ReadError::Damaged {
            what: format!(
                "its section {} is not a list of offsets",
                String::from_utf8_lossy(&offsets)
            ),
        })
    }

    /// Compares the checksum with the bytes that were read, and checks that nothing else follows.
    pub(crate) fn finish(mut self) -> Result<(), ReadError> {
        let hash = std::mem::replace(&mut self.hash, Checksum::whole());
        let hash = hash.finish().to_le_bytes();
        if self.remaining() > 0 || self.entries.len() > 0 {
            return Err(ReadError::Damaged {
                what: "it has more bytes than its sections".to_owned(),
            });
        }
        let mut stored = [0; HASH_BYTES];
        self.fill(&mut stored, "its checksum")?;
        if stored != hash {
            return Err(ReadError::Damaged {
                what: "its checksum is wrong".to_owned(),
            });
        }
        Ok(())
    }
}

/// Returns the sections of a file of this kind that is in memory, without looking at their contents.
pub(crate) fn sections_of(
    bytes: &Array<u8>,
    kind: Name,
    format: &'static str,
    version: u32,
) -> Result<SectionReader, ReadError> {
    let reader = Reader::open(&bytes[..], bytes.len() as u64, kind, format, version)?;
    let damaged = |name: Name, what: &str| ReadError::Damaged {
        what: format!("its section {} {what}", String::from_utf8_lossy(&name)),
    };
    let mut end = reader.position as usize;
    let mut sections = Vec::with_capacity(reader.entries.len());
    for entry in reader.entries {
        let start = end.next_multiple_of(reader.alignment);
        if entry.offset != start as u64 {
            return Err(damaged(entry.name, "is at the wrong offset"));
        }
        let size = entry.count.checked_mul(entry.element_bytes.into());
        let section = size
            .and_then(|size| start.checked_add(usize::try_from(size).ok()?))
            .filter(|&end| end <= bytes.len() - HASH_BYTES)
            .and_then(|end| bytes.slice(start..end));
        let section = section.ok_or_else(|| damaged(entry.name, "does not fit into the file"))?;
        end = start + section.len();
        sections.push(Section {
            name: entry.name,
            element_bytes: entry.element_bytes as usize,
            bytes: section,
        });
    }
    if end != bytes.len() - HASH_BYTES {
        return Err(ReadError::Damaged {
            what: "it has more bytes than its sections".to_owned(),
        });
    }
    Ok(SectionReader::new(sections))
}

/// Compares the checksum of pieces at the end of a file with its bytes. The file must be at least as long as a
/// checksum.
pub(crate) fn compare_checksum(bytes: &[u8]) -> Result<(), ReadError> {
    let (content, stored) = bytes.split_at(bytes.len() - HASH_BYTES);
    if checksum_of_pieces(content).to_le_bytes() == stored {
        return Ok(());
    }
    Err(ReadError::Damaged {
        what: "its checksum is wrong".to_owned(),
    })
}
