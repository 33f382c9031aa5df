//! The container of a `.glb` file, and its JSON, which is also the contents of a `.gltf` file.

use gltf_json::Root;

use crate::ReadError;

const MAGIC: &[u8] = b"glTF";

/// The version of both the container and the JSON.
const VERSION: u32 = 2;

/// Returns the JSON, of which only the version is checked, and the binary chunk, if there is one.
pub(super) fn open(bytes: &[u8]) -> Result<(Root, Option<&[u8]>), ReadError> {
    let (json, binary) = if bytes.starts_with(MAGIC) {
        chunks(bytes)?
    } else if bytes.trim_ascii_start().starts_with(b"{") {
        (bytes, None)
    } else {
        return Err(not_gltf("it starts with neither 'glTF' nor '{'"));
    };
    let root = Root::from_slice(json).map_err(|error| {
        // The message of `serde_json` ends with the position. It is moved to the front, as in all messages.
        let message = error.to_string();
        let what = message
            .rsplit_once(" at line ")
            .map_or(&*message, |(what, _)| what);
        ReadError::Syntax {
            line: error.line() as u64,
            what: format!("column {}: {what}", error.column()),
        }
    })?;
    let version = &root.asset.version;
    if version.split('.').next() != Some("2") {
        return Err(ReadError::Version {
            format: "glTF",
            found: version.escape_debug().to_string(),
            supported: VERSION,
            remedy: "export it again",
        });
    }
    Ok((root, binary))
}

fn not_gltf(reason: &str) -> ReadError {
    ReadError::NotThisFormat {
        format: "glTF",
        reason: reason.into(),
    }
}

/// Returns the JSON chunk of a `.glb` file and, if one follows, the binary chunk.
fn chunks(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), ReadError> {
    let truncated = |what: &str| ReadError::Truncated {
        what: what.into(),
        at: bytes.len() as u64,
    };
    let header = || Some((word(bytes, 4)?, word(bytes, 8)?));
    let (version, length) = header().ok_or_else(|| truncated("the header"))?;
    if version != VERSION {
        return Err(ReadError::Version {
            format: "glTF",
            found: version.to_string(),
            supported: VERSION,
            remedy: "export it again",
        });
    }
    let bytes = bytes
        .get(..length as usize)
        .ok_or_else(|| truncated("its chunks"))?;
    let (kind, json, unread) =
        chunk(bytes.get(12..).unwrap_or_default()).ok_or_else(|| truncated("the JSON chunk"))?;
    if kind != b"JSON" {
        return Err(not_gltf("its first chunk is not JSON"));
    }
    if unread.is_empty() {
        return Ok((json, None));
    }
    let (kind, binary, _) = chunk(unread).ok_or_else(|| truncated("the second chunk"))?;
    // The specification says that chunks of other kinds are ignored.
    Ok((json, (kind == b"BIN\0").then_some(binary)))
}

/// Returns the kind and the content of the first chunk, and the bytes after it.
fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let length = word(bytes, 0)? as usize;
    let (content, unread) = bytes.get(8..)?.split_at_checked(length)?;
    Some((bytes.get(4..8)?, content, unread))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}
