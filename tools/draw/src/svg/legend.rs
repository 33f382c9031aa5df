//! The legend of a picture: symbols and their meanings.

use std::io::{self, Write};

/// A line of the legend.
#[derive(Debug)]
pub(super) struct LegendEntry {
    pub(super) symbol: Symbol,
    pub(super) text: String,
}

impl LegendEntry {
    pub(super) fn new(symbol: Symbol, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { symbol, text }
    }
}

/// The symbol before the text of an entry.
#[derive(Debug)]
pub(super) enum Symbol {
    /// No symbol, for a heading or a remark.
    Nothing,
    Swatch {
        fill: String,
        opacity: f32,
    },
    Line {
        colour: &'static str,
        width: f32,
        is_dashed: bool,
    },
    Dot(&'static str),
    /// A translucent colour over ground.
    Corridor(&'static str),
    /// The hatching of an area.
    Hatching(usize),
    Ring,
    /// Start or goal.
    Endpoint {
        letter: char,
        colour: &'static str,
        is_on_mesh: bool,
    },
}

impl Symbol {
    pub(super) fn swatch(fill: impl Into<String>, opacity: f32) -> Self {
        let fill = fill.into();
        Self::Swatch { fill, opacity }
    }

    pub(super) fn line(colour: &'static str, width: f32) -> Self {
        Self::Line {
            colour,
            width,
            is_dashed: false,
        }
    }

    pub(super) fn dashes(colour: &'static str, width: f32) -> Self {
        Self::Line {
            colour,
            width,
            is_dashed: true,
        }
    }
}

/// The height of a line. [Units: px]
const LINE: f32 = 24.0;
/// The offset of the text from the left border. [Units: px]
const TEXT: f32 = 36.0;
/// The average width of a letter. [Units: px]
const LETTER: f32 = 7.0;

/// Returns the size of a legend. [Units: px]
pub(super) fn size(entries: &[LegendEntry]) -> [f32; 2] {
    let letters = entries.iter().map(|entry| entry.text.chars().count());
    let width = TEXT + LETTER * letters.max().unwrap_or(0) as f32;
    [width, LINE * entries.len() as f32]
}

pub(super) fn write(
    entries: &[LegendEntry],
    [left, top]: [f32; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, r##"<g class="legend" fill="#222">"##)?;
    for (i, LegendEntry { symbol, text }) in entries.iter().enumerate() {
        let (x, y) = (left + 13.0, top + LINE * (i as f32 + 0.5));
        let (from, to) = (x - 13.0, x + 13.0);
        let mut start = left + TEXT;
        match symbol {
            Symbol::Nothing => start = left,
            // The background is dark, as in the plot.
            Symbol::Swatch { fill, opacity } => write!(
                out,
                r##"<rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="#2e333b"/><rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="{fill}" fill-opacity="{opacity}" stroke="#333" stroke-width="0.7"/>"##,
                y - 8.0
            )?,
            Symbol::Line {
                colour,
                width,
                is_dashed,
            } => {
                let dashes = if *is_dashed {
                    r#" stroke-dasharray="6 4""#
                } else {
                    ""
                };
                // The background is grey, so that pale lines are visible.
                write!(
                    out,
                    r##"<rect x="{from:.1}" y="{:.1}" width="26" height="16" fill="#8a8f98"/><path fill="none" stroke="{colour}" stroke-width="{width}"{dashes} d="M{from:.1} {y:.1}H{to:.1}"/>"##,
                    y - 8.0
                )?;
            }
            Symbol::Corridor(fill) => write!(
                out,
                r##"<rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="#b3a88e"/><rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="{fill}" fill-opacity="0.55" stroke="#8a5c0a"/>"##,
                y - 8.0
            )?,
            Symbol::Hatching(hatching) => write!(
                out,
                r##"<rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="#e4dcc8"/><rect x="{from:.1}" y="{0:.1}" width="26" height="16" fill="url(#area{hatching})" stroke="#333" stroke-width="0.7"/>"##,
                y - 8.0
            )?,
            Symbol::Dot(colour) => write!(
                out,
                r##"<path fill="none" stroke="#22252a" stroke-width="11" stroke-linecap="round" d="M{x:.1} {y:.1}v0"/><path fill="none" stroke="{colour}" stroke-width="9" stroke-linecap="round" d="M{x:.1} {y:.1}v0"/>"##
            )?,
            Symbol::Ring => write!(
                out,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="8" fill="none" stroke="#000" stroke-width="3"/>"##
            )?,
            Symbol::Endpoint {
                letter,
                colour,
                is_on_mesh,
            } => super::marks::write_endpoint([x, y], *letter, colour, *is_on_mesh, out)?,
        }
        writeln!(
            out,
            r#"<text x="{start:.1}" y="{:.1}">{}</text>"#,
            y + 4.5,
            crate::xml::escape(text)
        )?;
    }
    writeln!(out, "</g>")
}
