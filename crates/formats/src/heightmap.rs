//! Height maps as PNG pictures.
//!
//! - Grey, 8 or 16 bit: black is 0 and white is 1.
//! - Colours, 8 bit: each channel another magnitude, as in the thesis. Red is the coarsest and blue the
//!   finest: the value is `red * 65536 + green * 256 + blue` over `256³ - 1`. Where all three channels are
//!   the same, that is exactly the value of that grey, so grey pictures that were saved in colours are
//!   read as what they are.
//!
//! Gamma and colour profiles do not count: heights are no light.

use std::io::{self, Cursor, Write};

use png::{BitDepth, ColorType, DecodingError};
use portolan_terrain::HeightMap;

use crate::ReadError;

/// How heights are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coding {
    /// 256 heights.
    Grey8,
    /// 65 536 heights.
    #[default]
    Grey16,
    /// 16 777 216 heights; a picture of it looks like noise.
    Colours,
}

impl Coding {
    /// What 1 is written as.
    fn highest(self) -> u32 {
        match self {
            Self::Grey8 => 0xff,
            Self::Grey16 => 0xffff,
            Self::Colours => 0xff_ffff,
        }
    }

    /// Bytes a pixel.
    fn bytes(self) -> usize {
        match self {
            Self::Grey8 => 1,
            Self::Grey16 => 2,
            Self::Colours => 3,
        }
    }
}

/// As many as become triangles: two a square.
const MOST_PIXELS: u64 = 1 << 27;

/// A byte of Deflate is no more than 1032 bytes of picture: 258 bytes in two bits.
const MOST_INFLATION: u64 = 1032;

/// Reads a PNG.
pub fn read(bytes: &[u8]) -> Result<HeightMap, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    // Without gamma, palettes and depths being turned into something else.
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
        return Err(not_map("its header contradicts its size"));
    }
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(damaged)?;
    if (frame.width, frame.height, frame.line_size) != (width, height, row) {
        return Err(not_map("its first picture is smaller than the whole"));
    }
    reader.finish().map_err(damaged)?;
    let highest = f64::from(coding.highest());
    let values = pixels.chunks_exact(coding.bytes()).map(|pixel| {
        let number = pixel
            .iter()
            .fold(0, |number, &byte| number << 8 | u32::from(byte));
        (f64::from(number) / highest) as f32
    });
    HeightMap::new(width as usize, height as usize, values.collect())
        .map_err(|error| not_map(error.to_string()))
}

fn coding_of(color: ColorType, depth: BitDepth) -> Result<Coding, ReadError> {
    let kind = match (color, depth) {
        (ColorType::Grayscale, BitDepth::Eight) => return Ok(Coding::Grey8),
        (ColorType::Grayscale, BitDepth::Sixteen) => return Ok(Coding::Grey16),
        (ColorType::Rgb, BitDepth::Eight) => return Ok(Coding::Colours),
        (ColorType::Grayscale, _) => "grey",
        (ColorType::Rgb, _) => "in colours",
        (ColorType::Indexed, _) => "of a palette",
        (ColorType::GrayscaleAlpha, _) => "grey and transparent",
        (ColorType::Rgba, _) => "in colours and transparent",
    };
    Err(not_map(format!(
        "it is {kind}, {} bit; it takes grey of 8 or 16 bit, or red, green and blue of 8 bit",
        depth as u8
    )))
}

/// Before anything is set aside for them.
fn check_pixels(width: u32, height: u32, coding: Coding, bytes: usize) -> Result<(), ReadError> {
    let pixels = u64::from(width) * u64::from(height);
    if width < 2 || height < 2 {
        return Err(not_map(format!(
            "it has {width} x {height} pixels; it takes 2 x 2 or more"
        )));
    }
    if pixels > MOST_PIXELS {
        return Err(not_map(format!(
            "it has {width} x {height} pixels, more than {MOST_PIXELS}"
        )));
    }
    let fits = (bytes as u64).saturating_mul(MOST_INFLATION);
    if pixels * coding.bytes() as u64 > fits {
        return Err(ReadError::Truncated {
            what: format!("a picture of {width} x {height} pixels"),
            at: bytes as u64,
        });
    }
    Ok(())
}

fn damaged(error: &DecodingError, bytes: usize) -> ReadError {
    match error {
        DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            ReadError::Truncated {
                what: "the picture".into(),
                at: bytes as u64,
            }
        }
        _ => not_map(error.to_string()),
    }
}

fn not_map(reason: impl Into<String>) -> ReadError {
    ReadError::NotThisFormat {
        format: "a height map (PNG)",
        reason: reason.into(),
    }
}

/// Writes a PNG; values are rounded to the nearest that the coding has.
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
    let highest = f64::from(coding.highest());
    let mut pixels = Vec::with_capacity(map.values().len() * coding.bytes());
    for &value in map.values() {
        let number = (f64::from(value) * highest).round() as u32;
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
