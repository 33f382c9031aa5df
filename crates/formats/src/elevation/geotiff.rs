//! GeoTIFF elevation models: one band of integers or floating-point numbers, in strips or tiles, uncompressed or with
//! LZW or Deflate and any predictor.
//!
//! The position is read from a scale and a tie point, or from a transformation without rotation. Without one, a world
//! file is needed. The system is that of the keys; `GDAL_NODATA` says which height means that there is none. Only the
//! first image counts. Files of any size can be read in part, because only the strips or tiles that are needed are
//! decoded.

use std::io::{self, Cursor};

use portolan_terrain::{Elevation, Lattice};
use tiff::TiffError;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;

use super::{Grid, Sink, geokeys, read_all};
use crate::ReadError;

const FORMAT: &str = "an elevation model (GeoTIFF)";

/// The largest strip or tile. [Units: bytes]
const MAX_CHUNK: usize = 1 << 28;

/// LZW expands at most 12 bits to 4 096 bytes, and Deflate expands less.
const MAX_EXPANSION: u64 = 4096;

/// A file whose tags have been read.
pub struct GeoTiff<'a> {
    decoder: Decoder<Cursor<&'a [u8]>>,
    bytes: usize,
    grid: Grid,
    hole: Option<f64>,
}

impl std::fmt::Debug for GeoTiff<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeoTiff")
            .field("grid", &self.grid)
            .finish_non_exhaustive()
    }
}

/// Reads the tags.
pub fn open(bytes: &[u8]) -> Result<GeoTiff<'_>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let failed = |error| failed(&error, bytes.len());
    let mut limits = Limits::default();
    limits.decoding_buffer_size = MAX_CHUNK;
    limits.intermediate_buffer_size = MAX_CHUNK;
    // Offsets of strips are values of a tag: no file has more of them than bytes.
    limits.ifd_value_size = bytes.len();
    let mut decoder = Decoder::new(Cursor::new(bytes))
        .map_err(failed)?
        .with_limits(limits);
    let (width, height) = decoder.dimensions().map_err(failed)?;
    let bands = decoder.find_tag_unsigned::<u16>(Tag::SamplesPerPixel);
    match bands.map_err(failed)? {
        None | Some(1) => {}
        Some(bands) => {
            return Err(not_tiff(format!(
                "it has {bands} bands; an elevation model has one"
            )));
        }
    }
    let keys = match decoder.find_tag(Tag::GeoKeyDirectoryTag).map_err(failed)? {
        Some(keys) => geokeys::read(&keys.into_u16_vec().map_err(failed)?).map_err(not_tiff)?,
        None => geokeys::GeoKeys::default(),
    };
    let mut reals = |tag| -> Result<Vec<f64>, ReadError> {
        match decoder.find_tag(tag).map_err(failed)? {
            Some(values) => values.into_f64_vec().map_err(failed),
            None => Ok(Vec::new()),
        }
    };
    let scale = reals(Tag::ModelPixelScaleTag)?;
    let tie = reals(Tag::ModelTiepointTag)?;
    let matrix = reals(Tag::ModelTransformationTag)?;
    let lattice = lattice(&scale, &tie, &matrix, keys.is_point).map_err(not_tiff)?;
    let hole = match decoder.find_tag(Tag::GdalNodata).map_err(failed)? {
        Some(text) => {
            let text = text.into_string().map_err(failed)?;
            let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\0');
            let hole = text.parse().map_err(|_| {
                let text: String = text.chars().take(24).collect();
                not_tiff(format!("its GDAL_NODATA {text:?} is not a number"))
            });
            Some(hole?)
        }
        None => None,
    };
    let grid = Grid {
        width: width as usize,
        height: height as usize,
        lattice,
        crs: keys.crs,
    };
    grid.check(FORMAT)?;
    Ok(GeoTiff {
        decoder,
        bytes: bytes.len(),
        grid,
        hole,
    })
}

impl GeoTiff<'_> {
    /// Returns the size, and the position and system if the file has them.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Passes the samples that a sink needs to it, strip by strip or tile by tile.
    pub fn read(&mut self, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        let length = self.bytes;
        let failed = |error| failed(&error, length);
        let (chunk_width, chunk_height) = self.decoder.chunk_dimensions();
        if chunk_width == 0 || chunk_height == 0 {
            return Err(not_tiff("its strips or tiles are empty"));
        }
        let Grid { width, height, .. } = self.grid;
        let [chunk_width, chunk_height] = [chunk_width as usize, chunk_height as usize];
        let fits = (length as u64).saturating_mul(MAX_EXPANSION);
        if (chunk_width.min(width) as u64).saturating_mul(chunk_height.min(height) as u64) > fits {
            return Err(ReadError::Truncated {
                what: format!("a part of {chunk_width} x {chunk_height} heights"),
                at: length as u64,
            });
        }
        let mut chunk = 0u32;
        for row in (0..height).step_by(chunk_height) {
            for column in (0..width).step_by(chunk_width) {
                let (columns, rows) = (
                    column..(column + chunk_width).min(width),
                    row..(row + chunk_height).min(height),
                );
                if sink.needs(columns.clone(), rows.clone()) {
                    let values = self.decoder.read_chunk(chunk).map_err(failed)?;
                    let heights = heights(values, self.hole)?;
                    if heights.len() != columns.len() * rows.len() {
                        return Err(not_tiff(format!("its part {chunk} has the wrong size")));
                    }
                    for (row, heights) in rows.zip(heights.chunks_exact(columns.len())) {
                        sink.put(row, column, heights.iter().copied());
                    }
                }
                chunk = chunk.saturating_add(1);
            }
        }
        Ok(())
    }
}

/// Reads a whole file.
pub fn read(bytes: &[u8]) -> Result<Elevation, ReadError> {
    let mut file = open(bytes)?;
    read_all(file.grid, FORMAT, |sink| file.read(sink))
}

/// Converts samples to heights. A height that is the one for holes becomes NaN.
fn heights(values: DecodingResult, hole: Option<f64>) -> Result<Vec<f32>, ReadError> {
    fn convert<T: Copy>(values: &[T], hole: Option<f64>, real: impl Fn(T) -> f64) -> Vec<f32> {
        let height = |&value: &T| {
            let height = real(value);
            // Nodata is written as decimal text, which may be the rounded value of an f32.
            let is_hole = hole.is_some_and(|hole| height == hole || height as f32 == hole as f32);
            // A height outside of `f32` is no height either.
            let height = if is_hole { f32::NAN } else { height as f32 };
            if height.is_finite() { height } else { f32::NAN }
        };
        values.iter().map(height).collect()
    }
    Ok(match &values {
        DecodingResult::U8(values) => convert(values, hole, f64::from),
        DecodingResult::I8(values) => convert(values, hole, f64::from),
        DecodingResult::U16(values) => convert(values, hole, f64::from),
        DecodingResult::I16(values) => convert(values, hole, f64::from),
        DecodingResult::U32(values) => convert(values, hole, f64::from),
        DecodingResult::I32(values) => convert(values, hole, f64::from),
        DecodingResult::F32(values) => convert(values, hole, f64::from),
        DecodingResult::F64(values) => convert(values, hole, |value| value),
        _ => {
            return Err(not_tiff(
                "its samples are neither integers of 8, 16 or 32 bits nor floating-point numbers of 32 or 64 bits",
            ));
        }
    })
}

/// Returns the positions of the samples from the tags of the model.
fn lattice(
    scale: &[f64],
    tie: &[f64],
    matrix: &[f64],
    is_point: bool,
) -> Result<Option<Lattice>, String> {
    let (origin, step) = match (scale, tie, matrix) {
        ([x, y, ..], [column, row, _, east, north, ..], _) => {
            ([east - column * x, north + row * y], [*x, *y])
        }
        (_, _, [a, b, _, east, d, e, _, north, ..]) => {
            if *b != 0.0 || *d != 0.0 {
                return Err("its rows and columns are rotated; warp it to a grid first".into());
            }
            ([*east, *north], [*a, -*e])
        }
        _ => return Ok(None),
    };
    if !(step[0] > 0.0 && step[1] > 0.0) {
        return Err("its first row is not north, or its first column not west".into());
    }
    let shift = if is_point { 0.0 } else { 0.5 };
    Ok(Some(Lattice {
        first: [origin[0] + shift * step[0], origin[1] - shift * step[1]],
        step,
    }))
}

fn failed(error: &TiffError, bytes: usize) -> ReadError {
    match error {
        TiffError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ReadError::Truncated {
                what: "the image".into(),
                at: bytes as u64,
            }
        }
        TiffError::LimitsExceeded => not_tiff(
            "a strip, a tile or a tag is too large; write it again with tiles or short strips",
        ),
        error => not_tiff(error.to_string().replace('\n', ", ")),
    }
}

fn not_tiff(reason: impl Into<String>) -> ReadError {
    ReadError::NotThisFormat {
        format: FORMAT,
        reason: reason.into(),
    }
}

#[cfg(test)]
#[path = "geotiff_test.rs"]
mod tests;
