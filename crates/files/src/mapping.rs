//! Files as bytes in memory: mapped, or read into an aligned buffer.
#![expect(unsafe_code, reason = "mapping a file is unsafe: see `map`")]

use std::fs::File;
use std::io::{self, Read};

use bytemuck::{Pod, Zeroable};
use portolan_core::Array;

/// The alignment of every section of a mapped file, which is that of the type with the largest alignment.
pub(crate) const ALIGNMENT: usize = 128;

/// Memory with the alignment of sections.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(128))]
struct Block([u8; ALIGNMENT]);

/// Maps a file into memory. Its bytes are those of the file as long as the array is alive, even after the file was
/// deleted or replaced by another of the same name.
pub(crate) fn map(file: &File) -> io::Result<Array<u8>> {
    // SAFETY: The bytes of the mapping must not change while the array is alive. Another program can change the file
    // in place, and nothing on Unix prevents that; this library never does: it writes a new file and renames
    // it (`disk::save`). So changing an open index in place breaks the program, as with an executable or a
    // shared library that is in use. The documentation of `OpenOptions::map` says so and how to avoid it.
    let map = unsafe { memmap2::Mmap::map(file)? };
    Ok(Array::from_owner(map, |map| &map[..]))
}

/// Reads `bytes` bytes into memory.
pub(crate) fn read(mut source: impl Read, bytes: u64) -> io::Result<Array<u8>> {
    let bytes = usize::try_from(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    let mut blocks: Vec<Block> = bytemuck::zeroed_vec(bytes.div_ceil(ALIGNMENT));
    source.read_exact(&mut bytemuck::cast_slice_mut(&mut blocks)[..bytes])?;
    Ok(Array::from_owner(blocks, |blocks| {
        &bytemuck::cast_slice(blocks)[..bytes]
    }))
}
