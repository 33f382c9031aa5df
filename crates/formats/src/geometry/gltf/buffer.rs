//! The buffers of a glTF file: its binary chunk, `data:` URIs and separate files.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Component, Path};

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf_json::Buffer;
use percent_encoding::percent_decode_str;

use super::super::Fetch;
use crate::text::quoted_name;

/// The base64 decoder accepts missing padding, because some exporters leave it out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The buffers of a file. Each is fetched when it is first used, so those of textures never are.
pub(super) struct GltfBuffers<'a, 'f> {
    buffers: &'a [Buffer],
    binary: Option<&'a [u8]>,
    fetch: &'a mut Fetch<'f>,
    /// The fetched buffers by URI, because several buffers can have the same URI.
    fetched: HashMap<&'a str, Cow<'a, [u8]>>,
}

impl<'a, 'f> GltfBuffers<'a, 'f> {
    pub(super) fn new(
        buffers: &'a [Buffer],
        binary: Option<&'a [u8]>,
        fetch: &'a mut Fetch<'f>,
    ) -> Self {
        Self {
            buffers,
            binary,
            fetch,
            fetched: HashMap::new(),
        }
    }

    /// Returns the bytes of a buffer, as many as its `byteLength`.
    pub(super) fn bytes(&mut self, index: usize) -> Result<&[u8], String> {
        let buffer = self
            .buffers
            .get(index)
            .ok_or_else(|| format!("there is no buffer {index}"))?;
        let in_buffer = |what: String| format!("buffer {index}: {what}");
        let bytes = match buffer.uri.as_deref() {
            Some(uri) => self.bytes_at(uri).map_err(in_buffer)?,
            None => match self.binary {
                Some(binary) if index == 0 => binary,
                _ => return Err(in_buffer("it has neither a URI nor a binary chunk".into())),
            },
        };
        let wanted = buffer.byte_length.0;
        usize::try_from(wanted)
            .ok()
            .and_then(|wanted| bytes.get(..wanted))
            .ok_or_else(|| in_buffer(format!("it has {} bytes, not {wanted}", bytes.len())))
    }

    /// Returns the bytes at a URI.
    fn bytes_at(&mut self, uri: &'a str) -> Result<&[u8], String> {
        // Two lookups, because the borrow checker does not allow returning the result of the first one.
        if !self.fetched.contains_key(uri) {
            let bytes = match uri.strip_prefix("data:") {
                Some(text) => decode(text)?,
                None => {
                    let path = relative_path(uri)?;
                    (self.fetch)(&path)
                        .map_err(|error| format!("{}: {error}", quoted_name(&path)))?
                }
            };
            self.fetched.insert(uri, Cow::Owned(bytes));
        }
        Ok(&self.fetched[uri])
    }
}

/// Decodes the part of the URI `data:KIND;base64,TEXT` after `data:`.
fn decode(text: &str) -> Result<Vec<u8>, String> {
    let (_, text) = text
        .split_once(";base64,")
        .ok_or("its data: URI is not base64")?;
    BASE64
        .decode(text)
        .map_err(|error| format!("its base64 is invalid: {error}"))
}

/// Returns the path of a URI, or an error if it leaves the folder of the file.
fn relative_path(uri: &str) -> Result<String, String> {
    let refused = |why: &str| Err(format!("{} {why}", quoted_name(uri)));
    let Ok(path) = percent_decode_str(uri).decode_utf8() else {
        return refused("is not UTF-8");
    };
    // On Windows, a colon follows a drive letter, and a backslash separates the parts of a path.
    if path.contains(':') {
        return refused("is not the name of a file in this folder");
    }
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if path.is_empty() || path.contains('\\') || !Path::new(&*path).components().all(stays) {
        return refused("leaves the folder of the file");
    }
    Ok(path.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_must_stay_in_the_folder() {
        for (uri, path) in [
            ("a.bin", "a.bin"),
            ("./b%20c/d.bin", "./b c/d.bin"),
            ("..x", "..x"),
        ] {
            assert_eq!(relative_path(uri).unwrap(), path);
        }
        for uri in [
            "",
            "../a",
            "a/../../b",
            "/etc/passwd",
            "%2e%2e/a",
            "%2Fa",
            "a\\..\\b",
            "..",
        ] {
            let error = relative_path(uri).unwrap_err();
            assert_eq!(
                error,
                format!("'{}' leaves the folder of the file", uri.escape_debug())
            );
        }
        for uri in ["https://example.org/a.bin", "C:a.bin", "file:a.bin"] {
            assert!(
                relative_path(uri)
                    .unwrap_err()
                    .ends_with("is not the name of a file in this folder")
            );
        }
        assert_eq!(relative_path("%ff").unwrap_err(), "'%ff' is not UTF-8");
    }

    #[test]
    fn data_uris_are_decoded() {
        assert_eq!(
            decode("application/octet-stream;base64,AAEC").unwrap(),
            [0, 1, 2]
        );
        assert_eq!(decode(";base64,AA").unwrap(), [0]);
        assert_eq!(decode(";base64,AA==").unwrap(), [0]);
        assert_eq!(decode(",abc").unwrap_err(), "its data: URI is not base64");
        assert!(
            decode(";base64,A?==")
                .unwrap_err()
                .starts_with("its base64 is invalid: ")
        );
    }
}
