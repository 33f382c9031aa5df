//! Elevation models of other programs: heights in metres with their position on the earth.
//!
//! | format | ending | coordinates |
//! |---|---|---|
//! | SRTM ([`hgt`]) | `.hgt`, also inside a `.zip` | WGS84, from the name of the file |
//! | ESRI ASCII grid ([`asc`]) | `.asc` | in the file; the system is in a `.prj` beside it |
//! | GeoTIFF ([`geotiff`]) | `.tif`, `.tiff` | in the file |
//! | tiles of web maps ([`tile`]) | `Z/X/Y.png` | web maps, from the name of the file |
//! | pictures ([`crate::heightmap`]) | `.png` | a world file beside it (`.pgw`, `.wld`), or [`GroundOptions::extent`] |
//!
//! [`GroundFiles`] opens one or more adjacent files, says how many samples it is going to keep, and reads them.
//! Readers of formats take bytes. They return a [`Grid`], which describes the samples, and pass the samples to a
//! [`Sink`], which keeps those that are needed.

pub mod asc;
mod files;
mod geokeys;
pub mod geotiff;
pub mod hgt;
pub mod prj;
mod sink;
pub mod tile;
mod zip;

pub use files::{GroundCrs, GroundFiles, GroundOptions, PngHeights};
pub use sink::Sink;

use portolan_terrain::{Crs, Elevation, Lattice};

use crate::ReadError;

/// The size of an elevation model and the positions of its samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Samples per row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The positions of the samples, if the file knows them.
    pub lattice: Option<Lattice>,
    /// The system of the coordinates, if the file knows it.
    pub crs: Option<Crs>,
}

impl Grid {
    /// Checks that there are at least 2 x 2 samples with distinct coordinates.
    fn check(&self, format: &'static str) -> Result<(), ReadError> {
        let reason = match (self.width.min(self.height), &self.lattice) {
            (0 | 1, _) => format!(
                "it has {} x {} samples; at least 2 x 2 are needed",
                self.width, self.height
            ),
            (_, Some(lattice)) => match lattice.check(self.width, self.height) {
                Ok(()) => return Ok(()),
                Err(error) => error.to_string(),
            },
            (_, None) => return Ok(()),
        };
        Err(ReadError::NotThisFormat { format, reason })
    }
}

/// Reads all samples of one file. `read` passes them to a sink. Samples without a position are one metre apart.
fn read_all(
    grid: Grid,
    format: &'static str,
    read: impl FnOnce(&mut Sink<'_>) -> Result<(), ReadError>,
) -> Result<Elevation, ReadError> {
    let invalid = |reason: String| ReadError::NotThisFormat { format, reason };
    let count = grid.width.checked_mul(grid.height);
    let count = count.filter(|&count| count <= MAX_SAMPLES);
    let count = count.ok_or_else(|| {
        let (width, height) = (grid.width, grid.height);
        invalid(format!(
            "it has {width} x {height} samples; at most {MAX_SAMPLES} are supported"
        ))
    })?;
    let mut heights = vec![f32::NAN; count];
    read(&mut Sink::all([grid.width, grid.height], &mut heights))?;
    let lattice = grid.lattice.unwrap_or(Lattice {
        first: [0.0, 0.0],
        step: [1.0, 1.0],
    });
    Elevation::new(grid.width, grid.height, heights, lattice, grid.crs)
        .map_err(|error| invalid(error.to_string()))
}

/// The maximum number of samples that are kept, so that the number of triangles is within its limit.
pub const MAX_SAMPLES: usize = 1 << 27;
