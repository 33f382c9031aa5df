//! Words of text formats, which need not be UTF-8 outside the parts that are read.

use std::str::FromStr;

use serde::de::DeserializeOwned;

use crate::ReadError;

/// The number that `word` is, if it is one.
pub(crate) fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The number that `word` is, if it is one and finite.
pub(crate) fn finite(word: &[u8]) -> Option<f32> {
    number(word).filter(|value: &f32| value.is_finite())
}

/// `word` for an error message, cut where it gets long.
pub(crate) fn shown(word: &[u8]) -> String {
    shown_within(24, word)
}

/// The name of a file or of something that others look up, which ought to be there to its end.
pub(crate) fn shown_name(name: &str) -> String {
    shown_within(120, name.as_bytes())
}

fn shown_within(longest: usize, word: &[u8]) -> String {
    match word.get(..longest) {
        Some(start) if word.len() > longest => {
            format!("'{}...'", String::from_utf8_lossy(start).escape_debug())
        }
        _ => format!("'{}'", String::from_utf8_lossy(word).escape_debug()),
    }
}

/// Reads TOML; an error names its line. `format` is what the file should be, with its article.
pub(crate) fn read_toml<T: DeserializeOwned>(
    format: &'static str,
    bytes: &[u8],
) -> Result<T, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| ReadError::NotThisFormat {
        format,
        reason: error.to_string(),
    })?;
    toml::from_str(text).map_err(|error| ReadError::Syntax {
        line: line_at(bytes, error.span().map_or(0, |span| span.start)),
        what: error.message().replace('\n', ", "),
    })
}

/// The line, counted from 1, that byte `at` stands in.
pub(crate) fn line_at(bytes: &[u8], at: usize) -> u64 {
    let before = bytes.get(..at).unwrap_or(bytes);
    before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
}
