//! Elevation models: heights in metres on a lattice, with their position on the earth.

use glam::{Vec3, vec3};
use rayon::prelude::*;

use super::web::MAX_TRIANGLES;
use super::{Crs, Georeference, GroundArea, TerrainError, TriangleWeb};

/// The positions of the samples of a file, in its own coordinates. Row 0 is north and column 0 is west.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The position of the sample in column 0 of row 0.
    pub first: [f64; 2],
    /// The distance between neighbouring columns and between neighbouring rows, both positive. The y of a row is
    /// lower than that of the row before.
    pub step: [f64; 2],
}

impl Lattice {
    /// Returns the position of a sample.
    pub fn position(&self, column: usize, row: usize) -> [f64; 2] {
        [
            self.first[0] + column as f64 * self.step[0],
            self.first[1] - row as f64 * self.step[1],
        ]
    }

    /// Returns the position of a point in columns and rows from the first sample.
    pub fn offset(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            (x - self.first[0]) / self.step[0],
            (self.first[1] - y) / self.step[1],
        ]
    }

    /// Checks that all samples have finite and distinct coordinates.
    pub fn check(&self, width: usize, height: usize) -> Result<(), TerrainError> {
        let last = self.position(width.saturating_sub(1), height.saturating_sub(1));
        for axis in 0..2 {
            let (first, step) = (self.first[axis], self.step[axis]);
            let ends = [first, last[axis]];
            let largest = ends[0].abs().max(ends[1].abs());
            let is_finite = ends.iter().all(|end| end.abs() <= 1e15);
            // A step of at least 16 units in the last place keeps samples apart, also halfway between two.
            let is_valid = is_finite && step > 0.0 && step >= 16.0 * f64::EPSILON * largest;
            if !is_valid {
                return Err(TerrainError::Lattice {
                    axis: ['x', 'y'][axis],
                    first,
                    step,
                });
            }
        }
        Ok(())
    }
}

/// Heights at the samples of a [`Lattice`]. A sample without a height is a hole.
///
/// Invariants: there are at least 2 x 2 samples and one height per sample, a height is finite or NaN, which means a
/// hole, and coordinates are finite.
///
/// ```
/// use portolan_terrain::{Crs, Elevation, ElevationOptions, Lattice};
///
/// let lattice = Lattice { first: [384_000.0, 5_200_000.0], step: [0.5, 0.5] };
/// let heights = vec![840.0, 840.5, 841.0, f32::NAN, 840.25, 840.75];
/// let ground = Elevation::new(3, 2, heights, lattice, Crs::from_epsg(32631))?;
/// let web = ground.triangulate(&ElevationOptions::default())?;
/// assert_eq!(web.len(), 3);
/// let [x, y] = web.georeference().to_local([384_000.5, 5_199_999.75]);
/// assert!(web.locate(x as f32, y as f32).is_some());
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elevation {
    width: usize,
    height: usize,
    heights: Vec<f32>,
    lattice: Lattice,
    crs: Option<Crs>,
}

/// Options for the triangulation of an [`Elevation`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ElevationOptions<'a> {
    /// Whether the square between four samples is split into four triangles around its centre, as in
    /// [`WebOptions::hidef`](super::WebOptions::hidef). Such a square needs the heights of all four corners.
    /// [Default: false]
    pub hidef: bool,
    /// The difficulty of each sample, from 0 to 1. That of a triangle is the mean of its corners. [Default: 0]
    pub difficulty: Option<&'a [f32]>,
    /// Areas that are closed or difficult, in the file's coordinates. An area contains a triangle if it contains its
    /// centroid in plan, and the last area that contains it decides. [Default: none]
    pub areas: &'a [GroundArea],
}

impl Elevation {
    /// Creates an elevation model from heights in metres, row by row from the north. NaN means a hole.
    pub fn new(
        width: usize,
        height: usize,
        heights: Vec<f32>,
        lattice: Lattice,
        crs: Option<Crs>,
    ) -> Result<Self, TerrainError> {
        super::height_map::check_size(width, height, heights.len())?;
        lattice.check(width, height)?;
        if let Some(index) = heights.iter().position(|height| height.is_infinite()) {
            return Err(TerrainError::MapValue {
                column: index % width,
                row: index / width,
                value: heights[index],
            });
        }
        Ok(Self {
            width,
            height,
            heights,
            lattice,
            crs,
        })
    }

    /// Returns the number of samples per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns all heights, row by row from the north. NaN is a hole.
    pub fn heights(&self) -> &[f32] {
        &self.heights
    }

    /// Returns the positions of the samples.
    pub fn lattice(&self) -> Lattice {
        self.lattice
    }

    /// Returns the system of the coordinates, or `None` if it is unknown.
    pub fn crs(&self) -> Option<Crs> {
        self.crs
    }

    /// Makes holes of all samples for which `is_closed` is true. There is one value per sample.
    pub fn close(&mut self, is_closed: &[bool]) -> Result<(), TerrainError> {
        if is_closed.len() != self.heights.len() {
            return Err(TerrainError::MapValues {
                found: is_closed.len(),
                width: self.width,
                height: self.height,
            });
        }
        for (height, _) in self.heights.iter_mut().zip(is_closed).filter(|(_, c)| **c) {
            *height = f32::NAN;
        }
        Ok(())
    }

    /// Returns where the terrain lies: the origin is the sample in the middle.
    pub fn georeference(&self) -> Georeference {
        let middle = self.lattice.position(self.width / 2, self.height / 2);
        Georeference::new(middle, self.crs)
    }

    /// Triangulates the ground. Every square between four samples becomes two triangles, split from the north west to
    /// the south east, or four with [`ElevationOptions::hidef`]. A triangle with a corner without a height is left
    /// out, and so are points without a triangle.
    ///
    /// Triangles are numbered row by row and square by square. Their corners are in counter-clockwise order in plan.
    pub fn triangulate(&self, options: &ElevationOptions<'_>) -> Result<TriangleWeb, TerrainError> {
        let per_square = if options.hidef { 4 } else { 2 };
        let squares = (self.width - 1).saturating_mul(self.height - 1);
        let count = squares.saturating_mul(per_square);
        if count > MAX_TRIANGLES {
            return Err(TerrainError::TooMany(count));
        }
        if let Some(difficulty) = options.difficulty {
            self.check_difficulty(difficulty)?;
        }
        let reference = self.georeference();
        let [last_column, last_row] = [self.width - 1, self.height - 1];
        for column in [0, last_column] {
            for row in [0, last_row] {
                let corner = self.lattice.position(column, row);
                if !reference.covers(corner) {
                    return Err(TerrainError::TooFar(corner, reference.origin()));
                }
            }
        }
        let mut ground = Triangulation::default();
        // Of each sample and of each centre of a square, the index of its point.
        let centres = if options.hidef { squares } else { 0 };
        let mut used = vec![NO_POINT; self.heights.len() + centres];
        for row in 0..last_row {
            let bands: Vec<_> = options
                .areas
                .iter()
                .map(|area| {
                    let top = self.lattice.position(0, row)[1];
                    area.band([top - self.lattice.step[1], top])
                })
                .collect();
            for column in 0..last_column {
                self.add_square(column, row, options, &bands, &mut ground);
            }
        }
        if ground.triangles.is_empty() {
            return Err(TerrainError::Empty);
        }
        for corner in ground.triangles.as_flattened() {
            used[*corner as usize] = 0;
        }
        let places: Vec<u32> = (0..used.len() as u32)
            .filter(|&place| used[place as usize] != NO_POINT)
            .collect();
        for (index, &place) in places.iter().enumerate() {
            used[place as usize] = index as u32;
        }
        for corner in ground.triangles.as_flattened_mut() {
            *corner = used[*corner as usize];
        }
        drop(used);
        let points: Vec<Vec3> = places
            .par_iter()
            .map(|&place| self.point(place as usize, &reference))
            .collect();
        let web = TriangleWeb::new(points, ground.triangles, ground.difficulty)?;
        Ok(web.with_georeference(reference))
    }

    fn check_difficulty(&self, difficulty: &[f32]) -> Result<(), TerrainError> {
        if difficulty.len() != self.heights.len() {
            return Err(TerrainError::MapValues {
                found: difficulty.len(),
                width: self.width,
                height: self.height,
            });
        }
        let is_valid = |value: &f32| (0.0..=1.0).contains(value);
        match difficulty.iter().position(|value| !is_valid(value)) {
            Some(index) => Err(TerrainError::MapValue {
                column: index % self.width,
                row: index / self.width,
                value: difficulty[index],
            }),
            None => Ok(()),
        }
    }

    /// Adds the triangles of a square that have all heights and are not closed. Their corners are samples, or
    /// centres of squares, which are numbered after all samples.
    fn add_square(
        &self,
        column: usize,
        row: usize,
        options: &ElevationOptions<'_>,
        bands: &[super::ground_area::AreaBand<'_>],
        ground: &mut Triangulation,
    ) {
        let [a, b, c, d] = super::height_map::square(self.width, column, row);
        let is_ground = |sample: usize| !self.heights[sample].is_nan();
        let centre = self.heights.len() + row * (self.width - 1) + column;
        let hidef = [
            [a, b, centre],
            [b, c, centre],
            [c, d, centre],
            [d, a, centre],
        ];
        let plain = [[a, b, c], [a, c, d]];
        let triangles = match options.hidef {
            true if [a, b, c, d].into_iter().all(is_ground) => &hidef[..],
            true => &[],
            false => &plain,
        };
        for corners in triangles {
            let samples = corners.iter().filter(|&&corner| corner != centre);
            if !samples.copied().all(is_ground) {
                continue;
            }
            let mean = |of: &dyn Fn(usize) -> f64| {
                let at = |corner| match corner == centre {
                    true => [a, b, c, d].into_iter().map(of).sum::<f64>() / 4.0,
                    false => of(corner),
                };
                corners.iter().copied().map(at).sum::<f64>() / 3.0
            };
            let difficulty = options.difficulty.map_or(0.0, |of| {
                let mean = mean(&|sample| f64::from(of[sample]));
                (mean as f32).clamp(0.0, 1.0)
            });
            let position = |axis: usize| {
                mean(&|sample| {
                    let (column, row) = (sample % self.width, sample / self.width);
                    self.lattice.position(column, row)[axis]
                })
            };
            let difficulty = match bands.is_empty() {
                true => Some(difficulty),
                false => {
                    super::ground_area::difficulty([position(0), position(1)], bands, difficulty)
                }
            };
            if let Some(difficulty) = difficulty {
                ground.triangles.push(corners.map(|corner| corner as u32));
                ground.difficulty.push(difficulty);
            }
        }
    }

    /// Returns the point of a sample or of the centre of a square.
    fn point(&self, place: usize, reference: &Georeference) -> Vec3 {
        let local = |position: [f64; 2]| reference.to_local(position).map(|c| c as f32);
        if let Some(&z) = self.heights.get(place) {
            let (column, row) = (place % self.width, place / self.width);
            let [x, y] = local(self.lattice.position(column, row));
            return vec3(x, y, z);
        }
        let square = place - self.heights.len();
        let (column, row) = (square % (self.width - 1), square / (self.width - 1));
        let corners = super::height_map::square(self.width, column, row);
        let z = super::height_map::mean(corners.map(|corner| self.heights[corner]));
        let [x, y] = self.lattice.position(column, row);
        let centre = [
            x + self.lattice.step[0] / 2.0,
            y - self.lattice.step[1] / 2.0,
        ];
        let [x, y] = local(centre);
        vec3(x, y, z)
    }
}

const NO_POINT: u32 = u32::MAX;

/// The triangles of an elevation model and their difficulties.
#[derive(Default)]
struct Triangulation {
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
}

#[cfg(test)]
#[path = "elevation_test.rs"]
mod tests;
