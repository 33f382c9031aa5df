//! Takes one file out of a `.zip`. Only what archives of elevation tiles need: stored or deflated files, without
//! encryption and without the extension to 64 bits.

use std::io::Read;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::ReadError;

/// The signatures of a file, of an entry in the directory, and of the end of the directory.
const LOCAL: &[u8] = b"PK\x03\x04";
const ENTRY: &[u8] = b"PK\x01\x02";
const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;

/// Returns whether bytes are an archive.
pub(super) fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL) || bytes.starts_with(END)
}

/// Returns the name and the contents of the only file whose name ends in `ending`. `sizes` are the sizes that it may
/// have, which limit the memory.
pub(super) fn only_file(
    bytes: &[u8],
    ending: &str,
    sizes: &[usize],
) -> Result<(String, Vec<u8>), ReadError> {
    // The end of the directory is the last signature; only a comment of at most 64 KiB follows.
    let first = bytes.len().saturating_sub(END_BYTES + 0xffff);
    let ends = (first..bytes.len()).rev();
    let end = ends.into_iter().find(|&at| bytes[at..].starts_with(END));
    let end = end.ok_or_else(|| ReadError::Truncated {
        what: "the archive".into(),
        at: bytes.len() as u64,
    })?;
    let broken = || not_zip("its directory is damaged");
    let count = u16_at(bytes, end + 10).ok_or_else(broken)?;
    let mut at = u32_at(bytes, end + 16).ok_or_else(broken)? as usize;
    let mut found = None;
    for _ in 0..count {
        if bytes.get(at..at.saturating_add(4)) != Some(ENTRY) {
            return Err(broken());
        }
        let length = |field: usize| {
            u16_at(bytes, at + field)
                .map(usize::from)
                .ok_or_else(broken)
        };
        let (name_bytes, extra, comment) = (length(28)?, length(30)?, length(32)?);
        let name = bytes
            .get(at + 46..at + 46 + name_bytes)
            .ok_or_else(broken)?;
        let name = String::from_utf8_lossy(name).into_owned();
        if name.to_ascii_lowercase().ends_with(ending) {
            if found.is_some() {
                return Err(not_zip(&format!(
                    "it has several files that end in {ending}; extract them, and give all of them"
                )));
            }
            found = Some((name, at));
        }
        at += 46 + name_bytes + extra + comment;
    }
    let (name, entry) = found.ok_or_else(|| not_zip(&format!("it has no {ending} inside")))?;
    Ok((name, contents(bytes, entry, sizes)?))
}

/// Unpacks the file of an entry of the directory.
fn contents(bytes: &[u8], entry: usize, sizes: &[usize]) -> Result<Vec<u8>, ReadError> {
    let broken = || not_zip("its directory is damaged");
    let short = |at| u16_at(bytes, entry + at).ok_or_else(broken);
    let long = |at| u32_at(bytes, entry + at).ok_or_else(broken);
    let (flags, method, checksum) = (short(8)?, short(10)?, long(16)?);
    let (packed, size) = (long(20)? as usize, long(24)? as usize);
    if flags & 1 != 0 {
        return Err(not_zip("its files are encrypted"));
    }
    if !sizes.contains(&size) {
        return Err(not_zip(&format!(
            "the file inside has {size} bytes, which is no size of an SRTM tile"
        )));
    }
    let local = long(42)? as usize;
    if bytes.get(local..local.saturating_add(4)) != Some(LOCAL) {
        return Err(broken());
    }
    let length = |at| {
        u16_at(bytes, local + at)
            .map(usize::from)
            .ok_or_else(broken)
    };
    let start = local + 30 + length(26)? + length(28)?;
    let packed = bytes.get(start..start.saturating_add(packed));
    let packed = packed.ok_or_else(|| ReadError::Truncated {
        what: "the file in the archive".into(),
        at: bytes.len() as u64,
    })?;
    let mut unpacked = Vec::new();
    let damaged = || not_zip("the file inside is damaged");
    match method {
        0 => unpacked.extend_from_slice(packed),
        8 => {
            unpacked.reserve_exact(size);
            // One byte more than expected is enough to know that there are too many.
            let mut inflated = DeflateDecoder::new(packed).take(size as u64 + 1);
            inflated.read_to_end(&mut unpacked).map_err(|_| damaged())?;
        }
        _ => return Err(not_zip("its files are neither stored nor deflated")),
    }
    let mut crc = Crc::new();
    crc.update(&unpacked);
    match unpacked.len() == size && crc.sum() == checksum {
        true => Ok(unpacked),
        false => Err(damaged()),
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let field = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*field))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let field = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*field))
}

fn not_zip(reason: &str) -> ReadError {
    ReadError::NotThisFormat {
        format: "an archive (.zip) with an SRTM tile",
        reason: reason.to_owned(),
    }
}
