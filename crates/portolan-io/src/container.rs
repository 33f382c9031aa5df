//! The envelope of all our files: named arrays, loaded in bulk, under one checksum.
//!
//! Little-endian. A header of 32 bytes (`PORTOLAN`, four letters for the kind, `u32` version, `u64`
//! size of the whole file, `u32` number of sections, `u32` zero), a table of 24 bytes a section
//! (four letters for its name, `u32` bytes an element, `u64` offset, `u64` elements), the sections
//! at multiples of 16 bytes, and at the end the XXH3 hash (`u64`) of everything before it.

use bytemuck::{AnyBitPattern, NoUninit, Pod, Zeroable};
use twox_hash::XxHash3_64;

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

/// A file in the making.
pub(crate) struct Writer {
    kind: Name,
    version: u32,
    entries: Vec<Entry>,
    sections: Vec<Vec<u8>>,
}

impl Writer {
    pub(crate) fn new(kind: Name, version: u32) -> Self {
        Self {
            kind,
            version,
            entries: Vec::new(),
            sections: Vec::new(),
        }
    }

    /// Adds a section.
    pub(crate) fn section<T: NoUninit>(&mut self, name: Name, elements: &[T]) {
        self.entries.push(Entry {
            name,
            element_bytes: size_of::<T>() as u32,
            offset: 0,
            count: elements.len() as u64,
        });
        self.sections.push(bytemuck::cast_slice(elements).to_vec());
    }

    /// The whole file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let mut end = size_of::<Header>() + self.entries.len() * size_of::<Entry>();
        for (entry, section) in self.entries.iter_mut().zip(&self.sections) {
            end = end.next_multiple_of(ALIGNMENT);
            entry.offset = end as u64;
            end += section.len();
        }
        let header = Header {
            magic: MAGIC,
            kind: self.kind,
            version: self.version,
            bytes: (end + HASH) as u64,
            sections: self.entries.len() as u32,
            zero: 0,
        };
        let mut file = Vec::with_capacity(end + HASH);
        file.extend_from_slice(bytemuck::bytes_of(&header));
        file.extend_from_slice(bytemuck::cast_slice(&self.entries));
        for section in self.sections {
            file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
            file.extend_from_slice(&section);
        }
        let hash = XxHash3_64::oneshot(&file);
        file.extend_from_slice(&hash.to_le_bytes());
        file
    }
}

/// A file whose envelope is sound.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry>,
}

impl<'a> Reader<'a> {
    /// Checks the envelope: magic, kind, version, size, checksum, table; in that order, so that the
    /// message is about the first thing that is wrong.
    pub(crate) fn open(
        bytes: &'a [u8],
        kind: Name,
        format: &'static str,
        version: u32,
    ) -> Result<Self, ReadError> {
        let not_this = |reason: &str| ReadError::NotThisFormat {
            format,
            reason: reason.to_owned(),
        };
        if bytes.is_empty() {
            return Err(not_this("the file is empty"));
        }
        let start = &bytes[..bytes.len().min(MAGIC.len())];
        if *start != MAGIC[..start.len()] {
            return Err(not_this(
                "it is no file of Portolan's; is it one to `import`?",
            ));
        }
        let truncated = |what: &str| ReadError::Truncated {
            what: what.to_owned(),
            at: bytes.len(),
        };
        let header = bytes
            .get(..size_of::<Header>())
            .ok_or_else(|| truncated("the header"))?;
        let header: Header = bytemuck::pod_read_unaligned(header);
        if header.kind != kind {
            return Err(not_this("it is another kind of file of Portolan's"));
        }
        if header.version != version {
            let found = header.version.to_string();
            return Err(ReadError::Version {
                format,
                found,
                supported: version,
            });
        }
        if (bytes.len() as u64) < header.bytes {
            return Err(truncated("its sections"));
        }
        let table_end = (header.sections as usize)
            .checked_mul(size_of::<Entry>())
            .and_then(|table| table.checked_add(size_of::<Header>()))
            .filter(|end| end.checked_add(HASH).is_some_and(|end| end <= bytes.len()));
        let (Some(table_end), true) = (table_end, bytes.len() as u64 == header.bytes) else {
            return Err(ReadError::Damaged {
                what: "its size is not what the header says".to_owned(),
            });
        };
        let (content, hash) = bytes.split_at(bytes.len() - HASH);
        if XxHash3_64::oneshot(content).to_le_bytes() != hash {
            return Err(ReadError::Damaged {
                what: "its checksum is wrong".to_owned(),
            });
        }
        let entries = bytes[size_of::<Header>()..table_end]
            .chunks_exact(size_of::<Entry>())
            .map(bytemuck::pod_read_unaligned)
            .collect();
        Ok(Self {
            bytes: content,
            entries,
        })
    }

    /// The elements of a section.
    pub(crate) fn section<T: AnyBitPattern + NoUninit>(
        &self,
        name: Name,
    ) -> Result<Vec<T>, ReadError> {
        let damaged = |what: &str| ReadError::Damaged {
            what: format!("its section {} {what}", String::from_utf8_lossy(&name)),
        };
        let entry = self.entries.iter().find(|entry| entry.name == name);
        let entry = entry.ok_or_else(|| damaged("is missing"))?;
        let range = || {
            let start = usize::try_from(entry.offset).ok()?;
            let length = usize::try_from(entry.count)
                .ok()?
                .checked_mul(size_of::<T>())?;
            self.bytes.get(start..start.checked_add(length)?)
        };
        if entry.element_bytes as usize != size_of::<T>() {
            return Err(damaged("has elements of another size"));
        }
        let bytes = range().ok_or_else(|| damaged("lies outside the file"))?;
        Ok(bytemuck::allocation::pod_collect_to_vec(bytes))
    }

    /// The two arrays of a list of lists.
    pub(crate) fn lists<T: AnyBitPattern + NoUninit>(
        &self,
        offsets: Name,
        values: Name,
    ) -> Result<portolan::Csr<T>, ReadError> {
        let lists = portolan::Csr::from_parts(self.section(offsets)?, self.section(values)?);
        lists.ok_or_else(|| ReadError::Damaged {
            what: format!(
                "its section {} is no list of offsets",
                String::from_utf8_lossy(&offsets)
            ),
        })
    }
}
