//! Height maps as PNG images.
//!
//! - Grey, 8 or 16 bits: black is 0 and white is 1.
//! - RGB, 8 bits per channel: red is the coarsest digit and blue the finest, as in the terrain thesis (see
//!   docs/terrain.md). The value is `red * 65536 + green * 256 + blue`, divided by `256³ - 1`. If all three
//!   channels are equal, that is exactly the value of the 8-bit grey, so a grey image that was saved as RGB is
//!   read correctly.
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

/// Reads a height map from the bytes of a PNG. Transparent and indexed images are errors, and so are images
/// below 2 x 2 pixels or above 2^27 pixels.
pub fn read(bytes: &[u8]) -> Result<HeightMap, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    // The decoder must not convert gamma, palettes or bit depths.
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::IDENTITY);
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let damaged = |error| damaged(&error, bytes.len());
    let header = decoder.read_header_info().map_err(damaged)?;
    let (width, height) = (header.width, header.height);
    let coding = coding_of(header.color_type, header.bit_depth)?;
    check_pixels(width, height, coding, bytes.len())?;
    let mut reader = decoder.read_info().map_err(damaged)?;
    let row = width as usize * coding.bytes();
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
    let max_value = f64::from(coding.max_value());
    let values = pixels.chunks_exact(coding.bytes()).map(|pixel| {
        let number = pixel
            .iter()
            .fold(0, |number, &byte| number << 8 | u32::from(byte));
        (f64::from(number) / max_value) as f32
    });
    HeightMap::new(width as usize, height as usize, values.collect())
        .map_err(|error| not_height_map(error.to_string()))
}

fn coding_of(color: ColorType, depth: BitDepth) -> Result<Coding, ReadError> {
    let kind = match (color, depth) {
        (ColorType::Grayscale, BitDepth::Eight) => return Ok(Coding::Grey8),
        (ColorType::Grayscale, BitDepth::Sixteen) => return Ok(Coding::Grey16),
        (ColorType::Rgb, BitDepth::Eight) => return Ok(Coding::Colours),
        (ColorType::Grayscale, _) => "grey",
        (ColorType::Rgb, _) => "RGB",
        (ColorType::Indexed, _) => "indexed (palette)",
        (ColorType::GrayscaleAlpha, _) => "grey with transparency",
        (ColorType::Rgba, _) => "RGB with transparency",
    };
    Err(not_height_map(format!(
        "its pixels are {kind}, {} bit; save it as 8- or 16-bit grey, or as 8-bit RGB",
        depth as u8
    )))
}

/// Checks the size of the image before memory is allocated for it.
fn check_pixels(width: u32, height: u32, coding: Coding, bytes: usize) -> Result<(), ReadError> {
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
    if pixels * coding.bytes() as u64 > fits {
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
