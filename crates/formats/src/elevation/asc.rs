//! ESRI ASCII grids (`.asc`): a header of keywords and numbers, then heights as text, row by row from the north.
//!
//! The keywords are `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize` (or `dx` and
//! `dy`) and, optionally, `nodata_value`, in capital or small letters. A height is that of the centre of its cell.

use portolan_terrain::{Elevation, Lattice};

use super::{Grid, Sink, read_all};
use crate::ReadError;
use crate::text::{line_at, number, quoted};

const FORMAT: &str = "an ESRI grid (.asc)";

/// A grid whose header has been read.
#[derive(Debug)]
pub struct AsciiGrid<'a> {
    bytes: &'a [u8],
    /// The position of the first height.
    start: usize,
    grid: Grid,
    hole: Option<f64>,
}

/// Reads the header.
pub fn open(bytes: &[u8]) -> Result<AsciiGrid<'_>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let mut header = Header::default();
    let mut at = 0;
    loop {
        let (word, end) = word_at(bytes, at);
        if !word.first().is_some_and(u8::is_ascii_alphabetic) || word.eq_ignore_ascii_case(b"nan") {
            break;
        }
        let (value, value_end) = word_at(bytes, end);
        if value.is_empty() {
            return Err(truncated("the header", bytes));
        }
        header.set(word, value).map_err(|what| ReadError::Syntax {
            line: line_at(bytes, end - word.len()),
            what,
        })?;
        at = value_end;
    }
    let grid = header.grid()?;
    grid.check(FORMAT)?;
    // Each height has at least one digit and one space.
    let count = grid.width.checked_mul(grid.height);
    if count.is_none_or(|count| count > (bytes.len() - at).div_ceil(2)) {
        let (width, height) = (grid.width, grid.height);
        return Err(truncated(
            &format!("a grid of {width} x {height} heights"),
            bytes,
        ));
    }
    Ok(AsciiGrid {
        bytes,
        start: at,
        grid,
        hole: header.nodata,
    })
}

impl AsciiGrid<'_> {
    /// Returns the size and the position of the grid. Its system is unknown.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Passes all heights to a sink.
    pub fn read(&self, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        let mut at = self.start;
        for row in 0..self.grid.height {
            for column in 0..self.grid.width {
                let (word, end) = word_at(self.bytes, at);
                if word.is_empty() {
                    return Err(truncated(&format!("row {row} of the heights"), self.bytes));
                }
                let height = self.height(word).ok_or_else(|| ReadError::Syntax {
                    line: line_at(self.bytes, end - word.len()),
                    what: format!("{} is not a height", quoted(word)),
                })?;
                sink.put(row, column, [height]);
                at = end;
            }
        }
        match word_at(self.bytes, at) {
            ([], _) => Ok(()),
            (word, end) => Err(ReadError::Syntax {
                line: line_at(self.bytes, end - word.len()),
                what: format!(
                    "{} comes after the last of {} x {} heights",
                    quoted(word),
                    self.grid.width,
                    self.grid.height
                ),
            }),
        }
    }

    fn height(&self, word: &[u8]) -> Option<f32> {
        let height: f64 = number(word)?;
        if height.is_nan() || Some(height) == self.hole {
            return Some(f32::NAN);
        }
        Some(height as f32).filter(|height| height.is_finite())
    }
}

/// Reads a whole grid.
pub fn read(bytes: &[u8]) -> Result<Elevation, ReadError> {
    let grid = open(bytes)?;
    read_all(grid.grid, FORMAT, |sink| grid.read(sink))
}

/// The values of the keywords.
#[derive(Default)]
struct Header {
    size: [Option<usize>; 2],
    /// The x and y of the lower left corner, and whether it is the corner of the cell instead of its centre.
    corner: [Option<(f64, bool)>; 2],
    step: [Option<f64>; 2],
    nodata: Option<f64>,
}

impl Header {
    fn set(&mut self, word: &[u8], value: &[u8]) -> Result<(), String> {
        let keyword = word.to_ascii_lowercase();
        let real = || {
            let real = number(value).filter(|value: &f64| value.is_finite());
            real.ok_or_else(|| format!("{} is not a number", quoted(value)))
        };
        let count = || number(value).ok_or_else(|| format!("{} is not a count", quoted(value)));
        match &keyword[..] {
            b"ncols" => self.size[0] = Some(count()?),
            b"nrows" => self.size[1] = Some(count()?),
            b"xllcorner" => self.corner[0] = Some((real()?, true)),
            b"xllcenter" => self.corner[0] = Some((real()?, false)),
            b"yllcorner" => self.corner[1] = Some((real()?, true)),
            b"yllcenter" => self.corner[1] = Some((real()?, false)),
            b"cellsize" => self.step = [Some(real()?); 2],
            b"dx" => self.step[0] = Some(real()?),
            b"dy" => self.step[1] = Some(real()?),
            // Some programs write `nan`.
            b"nodata_value" => self.nodata = Some(number(value).ok_or("nodata is not a number")?),
            _ => return Err(format!("{} is not a keyword of an ESRI grid", quoted(word))),
        }
        Ok(())
    }

    fn grid(&self) -> Result<Grid, ReadError> {
        let missing = |keyword: &str| ReadError::NotThisFormat {
            format: FORMAT,
            reason: format!("its header has no {keyword}"),
        };
        let width = self.size[0].ok_or_else(|| missing("ncols"))?;
        let height = self.size[1].ok_or_else(|| missing("nrows"))?;
        let mut corner = [0.0; 2];
        let mut step = [0.0; 2];
        for (axis, names) in ["xllcorner", "yllcorner"].into_iter().enumerate() {
            step[axis] = self.step[axis].ok_or_else(|| missing("cellsize"))?;
            let (value, is_corner) = self.corner[axis].ok_or_else(|| missing(names))?;
            corner[axis] = value + if is_corner { step[axis] / 2.0 } else { 0.0 };
        }
        let rows = height.saturating_sub(1) as f64;
        Ok(Grid {
            width,
            height,
            lattice: Some(Lattice {
                first: [corner[0], corner[1] + rows * step[1]],
                step,
            }),
            crs: None,
        })
    }
}

/// Returns the next word at or after a position, and where it ends. The word is empty at the end of the file.
fn word_at(bytes: &[u8], at: usize) -> (&[u8], usize) {
    let is_word = |byte: &u8| !byte.is_ascii_whitespace();
    let rest = &bytes[at..];
    let start = rest.iter().position(is_word).unwrap_or(rest.len());
    let rest = &rest[start..];
    let length = rest
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(rest.len());
    (&rest[..length], at + start + length)
}

fn truncated(what: &str, bytes: &[u8]) -> ReadError {
    ReadError::Truncated {
        what: what.to_owned(),
        at: bytes.len() as u64,
    }
}

#[cfg(test)]
#[path = "asc_test.rs"]
mod tests;
