//! Words of text formats, which need not be UTF-8 outside the parts that are read.

use std::str::FromStr;

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
    const LONGEST: usize = 24;
    match word.get(..LONGEST) {
        Some(start) if word.len() > LONGEST => {
            format!("'{}...'", String::from_utf8_lossy(start).escape_debug())
        }
        _ => format!("'{}'", String::from_utf8_lossy(word).escape_debug()),
    }
}
