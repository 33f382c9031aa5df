//! Helpers for text formats. A file need not be UTF-8 outside the words that are read.

use std::str::FromStr;

use serde::de::DeserializeOwned;

use crate::ReadError;

/// Parses a number, or returns `None` if `word` is not one.
pub(crate) fn number<T: FromStr>(word: &[u8]) -> Option<T> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Parses a finite number, or returns `None` if `word` is not one.
pub(crate) fn finite(word: &[u8]) -> Option<f32> {
    number(word).filter(|value: &f32| value.is_finite())
}

/// Quotes a word for an error message, and cuts it off if it is long.
pub(crate) fn quoted(word: &[u8]) -> String {
    quoted_up_to(24, word)
}

/// Quotes a name for an error message. Names are looked up elsewhere, so they are cut off later than words.
pub(crate) fn quoted_name(name: &str) -> String {
    quoted_up_to(120, name.as_bytes())
}

fn quoted_up_to(max_bytes: usize, word: &[u8]) -> String {
    match word.get(..max_bytes) {
        Some(start) if word.len() > max_bytes => {
            format!("'{}...'", String::from_utf8_lossy(start).escape_debug())
        }
        _ => format!("'{}'", String::from_utf8_lossy(word).escape_debug()),
    }
}

/// Reads TOML. Errors name the line. `format` is the expected format, with its article.
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

/// Returns the line of the byte at offset `at`, counted from 1.
pub(crate) fn line_at(bytes: &[u8], at: usize) -> u64 {
    let before = bytes.get(..at).unwrap_or(bytes);
    before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1
}
