//! Height maps and their triangulation (appendix B.2 of the terrain thesis).

use glam::{Vec2, Vec3, vec3};

use super::web::MAX_TRIANGLES;
use super::{TerrainError, TriangleWeb};

/// Heights on a grid of pixels, row by row from the top of the picture.
///
/// Invariants: there are at least 2 x 2 pixels and one value per pixel, and every value is from 0 to 1.
///
/// ```
/// use portolan_terrain::{HeightMap, WebOptions};
///
/// let map = HeightMap::new(3, 2, vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0])?;
/// let web = map.triangulate(&WebOptions::default(), None)?;
/// assert_eq!(web.len(), 4);
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

/// Options for the triangulation of a [`HeightMap`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WebOptions {
    /// Whether the square between four neighbouring pixels is split into four triangles around its centre, whose
    /// height is the mean of the corners. Otherwise it is split into two triangles along the diagonal from the top
    /// left to the bottom right. Four triangles double the size of the web, but favour no direction. All tests in
    /// the terrain thesis use four. [Default: false]
    pub hidef: bool,
    /// The lowest and the highest corner of the map in the (x, y) plane, which the map fills exactly. With `None`
    /// the longer side goes from -1 to 1, the shorter one is centred at 0, and pixels are square.
    /// [Default: `None`]
    pub extent: Option<[Vec2; 2]>,
    /// The heights of the lowest and of the highest value in the map. A map with only one value lies at the lower
    /// height. Both must be finite, the lower one first. [Default: 0 to 1]
    pub height_range: [f32; 2],
}

impl Default for WebOptions {
    /// Two triangles per square, x and y from -1 to 1, heights from 0 to 1. In this box, lengths of paths across a
    /// map have the magnitude of those in the tables of the terrain thesis.
    fn default() -> Self {
        Self {
            hidef: false,
            extent: None,
            height_range: [0.0, 1.0],
        }
    }
}

impl HeightMap {
    /// Creates a map from values between 0 and 1, row by row from the top of the picture.
    pub fn new(width: usize, height: usize, values: Vec<f32>) -> Result<Self, TerrainError> {
        check_size(width, height, values.len())?;
        let is_value = |value: &f32| (0.0..=1.0).contains(value);
        if let Some(index) = values.iter().position(|value| !is_value(value)) {
            return Err(TerrainError::MapValue {
                column: index % width,
                row: index / width,
                value: values[index],
            });
        }
        Ok(Self {
            width,
            height,
            values,
        })
    }

    /// Creates a map from finite heights in any unit. A linear transformation maps the lowest height to 0 and the
    /// highest to 1. If all heights are equal, they become 0.
    pub fn stretched(width: usize, height: usize, heights: &[f64]) -> Result<Self, TerrainError> {
        check_size(width, height, heights.len())?;
        if let Some(index) = heights.iter().position(|height| !height.is_finite()) {
            return Err(TerrainError::MapValue {
                column: index % width,
                row: index / width,
                value: heights[index] as f32,
            });
        }
        let [low, high] = extremes(heights.iter().copied());
        let value = |height| fraction(height, low, high) as f32;
        let values = heights.iter().copied().map(value).collect();
        Self::new(width, height, values)
    }

    /// Returns the number of pixels per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Returns all values, row by row from the top of the picture.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Triangulates the map. A linear transformation makes it fill the box of the options exactly.
    ///
    /// Row 0, the top of the picture, is north and has the highest y. Every pixel is a point, and with `hidef`
    /// every square between four pixels has another point at its centre. Triangles are numbered row by row and
    /// square by square. Their corners are in counter-clockwise order in plan.
    ///
    /// `difficulty` is a map of the same size. The difficulty of a triangle is the mean of its corners.
    pub fn triangulate(
        &self,
        options: &WebOptions,
        difficulty: Option<&Self>,
    ) -> Result<TriangleWeb, TerrainError> {
        self.check_triangles(options)?;
        let [xs, ys] = self.ticks(options)?;
        let points = self.points(options, &xs, &ys)?;
        let triangles = self.triangles(options);
        let difficulty = match difficulty {
            Some(map) => self.difficulty(map, options, &triangles)?,
            None => Vec::new(),
        };
        TriangleWeb::new(points, triangles, difficulty)
    }

    fn squares(&self) -> usize {
        (self.width - 1) * (self.height - 1)
    }

    fn check_triangles(&self, options: &WebOptions) -> Result<(), TerrainError> {
        let per_square = if options.hidef { 4 } else { 2 };
        match self.squares().checked_mul(per_square) {
            Some(count) if count <= MAX_TRIANGLES => Ok(()),
            count => Err(TerrainError::TooMany(count.unwrap_or(usize::MAX))),
        }
    }

    /// Returns the x coordinates of columns and the y coordinates of rows, each with the midpoints in between.
    /// Row 0 is north.
    fn ticks(&self, options: &WebOptions) -> Result<[Vec<f32>; 2], TerrainError> {
        let steps = [self.width - 1, self.height - 1];
        let [min, max] = options.extent.unwrap_or_else(|| {
            let longer = steps[0].max(steps[1]) as f32;
            let half = Vec2::new(steps[0] as f32 / longer, steps[1] as f32 / longer);
            [-half, half]
        });
        let xs = ticks('x', min.x, max.x, 2 * steps[0])?;
        let mut ys = ticks('y', min.y, max.y, 2 * steps[1])?;
        ys.reverse();
        Ok([xs, ys])
    }

    fn points(
        &self,
        options: &WebOptions,
        xs: &[f32],
        ys: &[f32],
    ) -> Result<Vec<Vec3>, TerrainError> {
        let [bottom, top] = options.height_range;
        if !(bottom.is_finite() && top.is_finite() && bottom <= top) {
            return Err(TerrainError::HeightRange(bottom, top));
        }
        let [low, high] = extremes(self.values.iter().map(|&value| f64::from(value)));
        let zs = self.values.iter().map(|&value| {
            let fraction = fraction(f64::from(value), low, high);
            lerp(bottom, top, fraction)
        });
        let zs: Vec<f32> = zs.collect();
        let centres = if options.hidef { self.squares() } else { 0 };
        let mut points = Vec::with_capacity(zs.len() + centres);
        for (row, zs) in zs.chunks_exact(self.width).enumerate() {
            let y = ys[2 * row];
            let row = zs.iter().enumerate();
            points.extend(row.map(|(column, &z)| vec3(xs[2 * column], y, z)));
        }
        if options.hidef {
            for row in 0..self.height - 1 {
                let y = ys[2 * row + 1];
                for column in 0..self.width - 1 {
                    let z = mean(self.square(column, row).map(|point| zs[point]));
                    points.push(vec3(xs[2 * column + 1], y, z));
                }
            }
        }
        Ok(points)
    }

    fn square(&self, column: usize, row: usize) -> [usize; 4] {
        square(self.width, column, row)
    }

    fn triangles(&self, options: &WebOptions) -> Vec<[u32; 3]> {
        let per_square = if options.hidef { 4 } else { 2 };
        let mut triangles = Vec::with_capacity(per_square * self.squares());
        let mut centre = self.values.len() as u32;
        for row in 0..self.height - 1 {
            for column in 0..self.width - 1 {
                // `check_triangles` ensures that ids fit into 32 bits.
                let [a, b, c, d] = self.square(column, row).map(|point| point as u32);
                if options.hidef {
                    let sides = [[a, b], [b, c], [c, d], [d, a]];
                    triangles.extend(sides.map(|[from, to]| [from, to, centre]));
                    centre += 1;
                } else {
                    triangles.extend([[a, b, c], [a, c, d]]);
                }
            }
        }
        triangles
    }

    fn difficulty(
        &self,
        map: &Self,
        options: &WebOptions,
        triangles: &[[u32; 3]],
    ) -> Result<Vec<f32>, TerrainError> {
        if [map.width, map.height] != [self.width, self.height] {
            return Err(TerrainError::MapSizes {
                heights: [self.width, self.height],
                difficulty: [map.width, map.height],
            });
        }
        let mut values = map.values.clone();
        if options.hidef {
            for row in 0..self.height - 1 {
                for column in 0..self.width - 1 {
                    let corners = self.square(column, row);
                    values.push(mean(corners.map(|point| map.values[point])));
                }
            }
        }
        let mean_of_corners = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|point| values[point as usize]);
            (a + b + c) / 3.0
        };
        Ok(triangles.iter().map(mean_of_corners).collect())
    }
}

/// Returns the corners of a square of a grid with `width` columns: top left, bottom left, bottom right, top right.
pub(super) fn square(width: usize, column: usize, row: usize) -> [usize; 4] {
    let corner = row * width + column;
    [corner, corner + width, corner + width + 1, corner + 1]
}

pub(super) fn check_size(width: usize, height: usize, values: usize) -> Result<(), TerrainError> {
    if width < 2 || height < 2 {
        return Err(TerrainError::MapTooSmall { width, height });
    }
    if width.checked_mul(height) != Some(values) {
        return Err(TerrainError::MapValues {
            found: values,
            width,
            height,
        });
    }
    Ok(())
}

fn extremes(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

/// Returns the position of a value between `low` and `high` as a fraction from 0 to 1, or 0 if both are equal.
/// Computes with halves, because the difference of two large numbers can overflow.
fn fraction(value: f64, low: f64, high: f64) -> f64 {
    if low < high {
        ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Interpolates linearly. The result is exact for the fractions 0 and 1.
fn lerp(from: f32, to: f32, fraction: f64) -> f32 {
    (f64::from(from) * (1.0 - fraction) + f64::from(to) * fraction) as f32
}

/// Returns the mean of four numbers. Rounding never moves it outside their range.
pub(super) fn mean([a, b, c, d]: [f32; 4]) -> f32 {
    (a + b + (c + d)) / 4.0
}

/// Divides a range into equal steps. All coordinates must differ, because otherwise triangles have no area.
fn ticks(axis: char, low: f32, high: f32, steps: usize) -> Result<Vec<f32>, TerrainError> {
    let no_room = || TerrainError::MapExtent {
        axis,
        low,
        high,
        pixels: steps / 2 + 1,
    };
    if !(low.is_finite() && high.is_finite()) {
        return Err(no_room());
    }
    let tick = |step| lerp(low, high, step as f64 / steps as f64);
    let ticks: Vec<f32> = (0..=steps).map(tick).collect();
    let ascends = ticks.windows(2).all(|pair| pair[0] < pair[1]);
    ascends.then_some(ticks).ok_or_else(no_room)
}

#[cfg(test)]
#[path = "height_map_test.rs"]
mod tests;
