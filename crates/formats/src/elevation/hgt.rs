//! SRTM tiles (`.hgt`): one degree by one degree, 16-bit big-endian heights in metres, row by row from the north west.
//!
//! A tile has 1 201 x 1 201 samples (3 seconds apart) or 3 601 x 3 601 (1 second). Samples on the rim belong to the
//! neighbouring tile, too. The name, such as `N42E001.hgt`, says the corner in the south west. The height -32 768 means
//! that there is none. A `.zip` with one `.hgt` inside is read, too, and the name inside counts.

use std::borrow::Cow;

use portolan_terrain::{Crs, Elevation, Lattice};

use super::zip;
use super::{Grid, Sink, read_all};
use crate::ReadError;
use crate::text::quoted_name;

const FORMAT: &str = "an SRTM tile (.hgt)";
const HOLE: i16 = i16::MIN;
/// Samples per row and column of the two kinds of tiles.
const SIDES: [usize; 2] = [1201, 3601];

/// A tile whose size and name are known to be right.
#[derive(Debug)]
pub struct Tile<'a> {
    bytes: Cow<'a, [u8]>,
    grid: Grid,
}

/// Opens a tile, or a `.zip` with one inside. The name of the file says where it lies.
pub fn open<'a>(name: &str, bytes: &'a [u8]) -> Result<Tile<'a>, ReadError> {
    if bytes.is_empty() {
        return Err(ReadError::NoBytes);
    }
    let (name, bytes) = match zip::is_zip(bytes) {
        true => {
            let sizes = SIDES.map(|side| 2 * side * side);
            let (name, bytes) = zip::only_file(bytes, ".hgt", &sizes)?;
            (name, Cow::Owned(bytes))
        }
        false => (name.to_owned(), Cow::Borrowed(bytes)),
    };
    let side = SIDES
        .into_iter()
        .find(|side| 2 * side * side == bytes.len());
    let side = side.ok_or_else(|| {
        not_hgt(format!(
            "it has {} bytes, but tiles have {} (1201 x 1201) or {} (3601 x 3601)",
            bytes.len(),
            2 * SIDES[0] * SIDES[0],
            2 * SIDES[1] * SIDES[1]
        ))
    })?;
    let [west, south] = corner(&name).ok_or_else(|| {
        not_hgt(format!(
            "the name {} does not say where it lies; name it like N42E001.hgt, after its corner in the south west",
            quoted_name(&name)
        ))
    })?;
    let step = 1.0 / (side - 1) as f64;
    let grid = Grid {
        width: side,
        height: side,
        lattice: Some(Lattice {
            first: [west, south + 1.0],
            step: [step, step],
        }),
        crs: Some(Crs::Wgs84),
    };
    Ok(Tile { bytes, grid })
}

impl Tile<'_> {
    /// Returns the size and the position of the tile.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Passes all samples to a sink.
    pub fn read(&self, sink: &mut Sink<'_>) {
        let width = self.grid.width;
        for (row, bytes) in self.bytes.chunks_exact(2 * width).enumerate() {
            if !sink.needs(0..width, row..row + 1) {
                continue;
            }
            let heights =
                bytes
                    .chunks_exact(2)
                    .map(|bytes| match i16::from_be_bytes([bytes[0], bytes[1]]) {
                        HOLE => f32::NAN,
                        height => f32::from(height),
                    });
            sink.put(row, 0, heights);
        }
    }
}

/// Reads a whole tile.
pub fn read(name: &str, bytes: &[u8]) -> Result<Elevation, ReadError> {
    let tile = open(name, bytes)?;
    read_all(tile.grid, FORMAT, |sink| {
        tile.read(sink);
        Ok(())
    })
}

/// Returns the longitude and latitude in a name such as `N42E001.hgt`, also with folders before it.
fn corner(name: &str) -> Option<[f64; 2]> {
    let name = name.rsplit(['/', '\\']).next()?.as_bytes();
    let number = |digits: &[u8], limit: f64| {
        let is_number = digits.iter().all(u8::is_ascii_digit);
        let number: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (is_number && number <= limit).then_some(number)
    };
    let latitude = number(name.get(1..3)?, 90.0)?;
    let longitude = number(name.get(4..7)?, 180.0)?;
    let sign = |letter: u8, [plus, minus]: [u8; 2]| match letter.to_ascii_uppercase() {
        letter if letter == plus => Some(1.0),
        letter if letter == minus => Some(-1.0),
        _ => None,
    };
    let [north, east] = [sign(name[0], *b"NS")?, sign(name[3], *b"EW")?];
    Some([east * longitude, north * latitude])
}

fn not_hgt(reason: String) -> ReadError {
    ReadError::NotThisFormat {
        format: FORMAT,
        reason,
    }
}

#[cfg(test)]
#[path = "hgt_test.rs"]
mod tests;
