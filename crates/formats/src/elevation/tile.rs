//! Tiles of web maps whose colours are heights in metres, as PNG.
//!
//! | coding | height in metres |
//! |---|---|
//! | Terrarium | `red * 256 + green + blue / 256 - 32768` |
//! | Mapbox Terrain-RGB | `(red * 65536 + green * 256 + blue) / 10 - 10000` |
//!
//! Nothing in a file tells them from other pictures. The end of the name, `Z/X/Y.png`, says where a tile lies: zoom
//! level, column and row, counted from the north west of the square that web maps cover.

use portolan_terrain::{Crs, Elevation, Lattice};

use super::{Grid, Sink, read_all};
use crate::ReadError;
use crate::heightmap::{Picture, read_picture};

const FORMAT: &str = "a tile with heights (PNG)";

/// How colours code heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileCoding {
    /// In steps of 1/256 m from -32 768 m.
    Terrarium,
    /// In steps of 0.1 m from -10 000 m.
    Mapbox,
}

impl TileCoding {
    /// Returns the height of a colour. [Units: m]
    fn height(self, colour: u32) -> f32 {
        let height = match self {
            Self::Terrarium => f64::from(colour) / 256.0 - 32_768.0,
            Self::Mapbox => f64::from(colour) / 10.0 - 10_000.0,
        };
        height as f32
    }
}

/// A tile whose pixels have been read.
#[derive(Debug)]
pub struct HeightTile {
    picture: Picture,
    coding: TileCoding,
    grid: Grid,
}

/// Reads the pixels of a tile. Its name may say where it lies.
pub fn open(name: &str, bytes: &[u8], coding: TileCoding) -> Result<HeightTile, ReadError> {
    let picture = read_picture(bytes)?;
    if picture.max != 0xff_ffff {
        return Err(ReadError::NotThisFormat {
            format: FORMAT,
            reason: "its pixels are grey, but heights are coded in colours".to_owned(),
        });
    }
    let (width, height) = (picture.width, picture.height);
    let lattice = number(name)
        .filter(|_| width == height)
        .map(|number| lattice(number, width));
    let grid = Grid {
        width,
        height,
        crs: lattice.map(|_| Crs::WebMercator),
        lattice,
    };
    grid.check(FORMAT)?;
    Ok(HeightTile {
        picture,
        coding,
        grid,
    })
}

impl HeightTile {
    /// Returns the size, and the position if the name says it.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// Passes all samples to a sink.
    pub fn read(&self, sink: &mut Sink<'_>) {
        put_picture(&self.picture, sink, |colour| self.coding.height(colour));
    }
}

/// Reads a whole tile.
pub fn read(name: &str, bytes: &[u8], coding: TileCoding) -> Result<Elevation, ReadError> {
    let tile = open(name, bytes, coding)?;
    read_all(tile.grid, FORMAT, |sink| {
        tile.read(sink);
        Ok(())
    })
}

/// Passes the pixels of a picture to a sink. `height` converts their numbers.
pub(super) fn put_picture(picture: &Picture, sink: &mut Sink<'_>, height: impl Fn(u32) -> f32) {
    let Picture { width, holes, .. } = picture;
    for (row, numbers) in picture.numbers.chunks_exact(*width).enumerate() {
        let heights = (row * width..).zip(numbers).map(|(pixel, &number)| {
            let is_hole = holes.get(pixel).is_some_and(|&is_hole| is_hole);
            if is_hole { f32::NAN } else { height(number) }
        });
        sink.put(row, 0, heights);
    }
}

/// Returns zoom level, column and row from a name that ends in `Z/X/Y.png`.
fn number(name: &str) -> Option<[u32; 3]> {
    let mut parts = name.rsplit(['/', '\\']);
    let last = parts.next()?;
    let row = last.split('.').next()?.parse().ok()?;
    let column = parts.next()?.parse().ok()?;
    let zoom: u32 = parts.next()?.parse().ok()?;
    let tiles = 1u32.checked_shl(zoom).filter(|_| zoom <= 24)?;
    (column < tiles && row < tiles).then_some([zoom, column, row])
}

/// Returns the positions of the pixels of a tile.
fn lattice([zoom, column, row]: [u32; 3], pixels: usize) -> Lattice {
    let [west, north] = Crs::WebMercator.from_degrees([-180.0, 0.0]).map(f64::abs);
    // The map is a square around (0, 0).
    let half = west.max(north);
    let tile = 2.0 * half / f64::from(1u32 << zoom);
    let step = tile / pixels as f64;
    Lattice {
        first: [
            f64::from(column) * tile - half + step / 2.0,
            half - f64::from(row) * tile - step / 2.0,
        ],
        step: [step, step],
    }
}

#[cfg(test)]
#[path = "tile_test.rs"]
mod tests;
