//! Height maps as PNG images.
//!
//! - Grey, 8 or 16 bits: black is 0 and white is 1.
//! - Grey with 1, 2 or 4 bits is scaled to 8 bits.
//! - RGB, 8 bits per channel: red is the coarsest digit and blue the finest, as in the terrain thesis (see
//!   docs/terrain.md). The value is `red * 65536 + green * 256 + blue`, divided by `256³ - 1`. If all three
//!   channels are equal, that is exactly the value of the 8-bit grey, so a grey image that was saved as RGB is
//!   read correctly.
//! - Colours of a palette count as RGB. A fully transparent pixel has no height.
//!
//! Gamma and colour profiles are ignored, because heights are not brightness.

use std::io::{self, Cursor, Write};

use png::{BitDepth, ColorType, DecodingError};
use portolan_terrain::HeightMap;

use crate::ReadError;

/// The pixel format of a height map, which decides its precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coding {
    /// 8-bit grey: 256 heights.
    Grey8,
    /// 16-bit grey: 65 536 heights.
    #[default]
    Grey16,
    /// 8-bit RGB: 16 777 216 heights. Such an image looks like noise.
    Colours,
}

impl Coding {
    /// Returns the number that encodes height 1.
    fn max_value(self) -> u32 {
        match self {
            Self::Grey8 => 0xff,
            Self::Grey16 => 0xffff,
            Self::Colours => 0xff_ffff,
        }
    }

    /// Returns the number of bytes per pixel.
    fn bytes(self) -> usize {
        match self {
            Self::Grey8 => 1,
            Self::Grey16 => 2,
            Self::Colours => 3,
        }
    }
}

/// The maximum number of pixels, so that the number of triangles (two per square) is within their limit.
const MAX_PIXELS: u64 = 1 << 27;

/// One byte of Deflate expands to at most 1032 bytes: 258 bytes per two bits.
const MAX_INFLATION: u64 = 1032;

/// The pixels of a picture as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Pixels per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The number of each pixel, row by row from the top: its grey, or red, green and blue as one number.
    pub numbers: Vec<u32>,
    /// The number of white.
    pub max: u32,
    /// Whether each pixel is fully transparent. Empty if no pixel is.
    pub holes: Vec<bool>,
}

/// Reads a height map from the bytes of a PNG. Transparent pixels are errors, and so are images below 2 x 2 pixels or
/// above 2^27 pixels.
pub fn read(bytes: &[u8]) -> Result<HeightMap, ReadError> {
    let picture = read_picture(bytes)?;
    if let Some(hole) = picture.holes.iter().position(|&is_hole| is_hole) {
        let (column, row) = (hole % picture.width, hole / picture.width);
        return Err(not_height_map(format!(
            "the pixel in column {column}, row {row} is transparent, which means no ground; it is not supported here"
        )));
    }
    HeightMap::new(picture.width, picture.height, picture.values())
        .map_err(|error| not_height_map(error.to_string()))
}

impl Picture {
    /// Returns the value of each pixel, from 0 for black to 1 for white.
    pub fn values(&self) -> Vec<f32> {
        let max = f64::from(self.max);
        let numbers = self.numbers.iter();
        numbers
            .map(|&number| (f64::from(number) / max) as f32)
            .collect()
    }
}

/// Reads the pixels of a PNG: grey of any depth, or red, green and blue with 8 bits each or by a palette, with or
/// without transparency. A partly transparent pixel counts as opaque.
pub fn read_picture(bytes: &[u8]) -> Result<Picture, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    // The decoder must not convert gamma. It only looks up colours in palettes, and scales grey to 8 bits.
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let damaged = |error| damaged(&error, bytes.len());
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let bits = header.color_type.samples() as u64 * header.bit_depth as u64;
    check_pixels(width, height, bits, bytes.len())?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (color, depth) = reader.output_color_type();
    let (coding, alpha) = coding_of(color, depth)?;
    let pixel = coding.bytes() + alpha;
    let row = width as usize * pixel;
    let size = row * height as usize;
    if reader.output_buffer_size() != Some(size) {
        return Err(not_height_map("its header contradicts its size"));
    }
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(damaged)?;
    if (frame.width, frame.height, frame.line_size) != (width, height, row) {
        return Err(not_height_map("its first frame is smaller than the image"));
    }
    reader.finish().map_err(damaged)?;
    let numbers = pixels.chunks_exact(pixel).map(|pixel| {
        let digits = pixel[..coding.bytes()].iter();
        digits.fold(0, |number, &byte| number << 8 | u32::from(byte))
    });
    let is_hole = |pixel: &[u8]| pixel[coding.bytes()..].iter().all(|&byte| byte == 0);
    let mut holes = Vec::new();
    if alpha > 0 && pixels.chunks_exact(pixel).any(is_hole) {
        holes = pixels.chunks_exact(pixel).map(is_hole).collect();
    }
    Ok(Picture {
        width: width as usize,
        height: height as usize,
        numbers: numbers.collect(),
        max: coding.max_value(),
        holes,
    })
}

/// Returns the coding of the colours of a pixel, and the number of bytes of its transparency.
fn coding_of(color: ColorType, depth: BitDepth) -> Result<(Coding, usize), ReadError> {
    match (color, depth) {
        (ColorType::Grayscale, BitDepth::Eight) => Ok((Coding::Grey8, 0)),
        (ColorType::Grayscale, BitDepth::Sixteen) => Ok((Coding::Grey16, 0)),
        (ColorType::GrayscaleAlpha, BitDepth::Eight) => Ok((Coding::Grey8, 1)),
        (ColorType::GrayscaleAlpha, BitDepth::Sixteen) => Ok((Coding::Grey16, 2)),
        (ColorType::Rgb, BitDepth::Eight) => Ok((Coding::Colours, 0)),
        (ColorType::Rgba, BitDepth::Eight) => Ok((Coding::Colours, 1)),
        _ => Err(not_height_map(format!(
            "its pixels are red, green and blue with {} bits each; save it as 8- or 16-bit grey, or as 8-bit RGB",
            depth as u8
        ))),
    }
}

/// Checks the size of the image before memory is allocated for it.
fn check_pixels(width: u32, height: u32, bits: u64, bytes: usize) -> Result<(), ReadError> {
    let pixels = u64::from(width) * u64::from(height);
    if width < 2 || height < 2 {
        return Err(not_height_map(format!(
            "it has {width} x {height} pixels; at least 2 x 2 are needed"
        )));
    }
    if pixels > MAX_PIXELS {
        return Err(not_height_map(format!(
            "it has {width} x {height} pixels; at most {MAX_PIXELS} are supported"
        )));
    }
    let fits = (bytes as u64).saturating_mul(MAX_INFLATION);
    if pixels * bits / 8 > fits {
        return Err(ReadError::Truncated {
            what: format!("an image of {width} x {height} pixels"),
            at: bytes as u64,
        });
    }
    Ok(())
}

fn damaged(error: &DecodingError, bytes: usize) -> ReadError {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ReadError::Truncated {
                what: "the image".into(),
                at: bytes as u64,
            }
        }
        _ => not_height_map(error.to_string()),
    }
}

fn not_height_map(reason: impl Into<String>) -> ReadError {
    ReadError::NotThisFormat {
        format: "a height map (PNG)",
        reason: reason.into(),
    }
}

/// Writes a height map as a PNG. Each value is rounded to the nearest one that `coding` can represent.
pub fn write(map: &HeightMap, coding: Coding, out: &mut dyn Write) -> io::Result<()> {
    let size = |pixels: usize| {
        u32::try_from(pixels).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))
    };
    let mut encoder = png::Encoder::new(out, size(map.width())?, size(map.height())?);
    let (color, depth) = match coding {
        Coding::Grey8 => (ColorType::Grayscale, BitDepth::Eight),
        Coding::Grey16 => (ColorType::Grayscale, BitDepth::Sixteen),
        Coding::Colours => (ColorType::Rgb, BitDepth::Eight),
    };
    encoder.set_color(color);
    encoder.set_depth(depth);
    let max_value = f64::from(coding.max_value());
    let mut pixels = Vec::with_capacity(map.values().len() * coding.bytes());
    for &value in map.values() {
        let number = (f64::from(value) * max_value).round() as u32;
        pixels.extend_from_slice(&number.to_be_bytes()[4 - coding.bytes()..]);
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    Ok(())
}

#[cfg(test)]
#[path = "heightmap_test.rs"]
mod tests;
