//! Height maps, and the triangles that they become (appendix B.2 of the thesis).

use glam::{Vec2, Vec3, vec3};

use super::web::MAX_TRIANGLES;
use super::{TerrainError, TriangleWeb};

/// Heights on a grid, row by row from the top of the picture.
///
/// Invariants: at least 2 x 2; one value a pixel; every value lies within 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightMap {
    width: usize,
    height: usize,
    values: Vec<f32>,
}

/// What a map becomes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WebOptions {
    /// Four triangles a square around its middle, which lies at the mean of its corners, instead of two
    /// along the diagonal from the top left to the bottom right. Twice the triangles, and no direction is
    /// favoured: the thesis's tests are all made so.
    pub hidef: bool,
    /// Lowest and highest x and y: the map fills them exactly. `None`: the longer side goes from -1 to 1,
    /// the other one is centred, and pixels are square.
    pub extent: Option<[Vec2; 2]>,
    /// Where the lowest and the highest value that occur lie. A map of one value lies at the lower end.
    pub height_range: [f32; 2],
}

impl Default for WebOptions {
    /// Two triangles a square; x and y from -1 to 1, heights from 0 to 1. With that box lengths of
    /// paths across a map have the magnitude of those in the tables of the thesis.
    fn default() -> Self {
        Self {
            hidef: false,
            extent: None,
            height_range: [0.0, 1.0],
        }
    }
}

impl HeightMap {
    /// Checks values, which are given row by row from the top of the picture.
    pub fn new(width: usize, height: usize, values: Vec<f32>) -> Result<Self, TerrainError> {
        check_size(width, height, values.len())?;
        let is_value = |value: &f32| (0.0..=1.0).contains(value);
        if let Some(place) = values.iter().position(|value| !is_value(value)) {
            return Err(TerrainError::MapValue {
                column: place % width,
                row: place / width,
                value: values[place],
            });
        }
        Ok(Self {
            width,
            height,
            values,
        })
    }

    /// Heights in any unit, by linear transformation: the lowest becomes 0 and the highest 1. If there is
    /// only one, it becomes 0.
    pub fn stretched(width: usize, height: usize, heights: &[f64]) -> Result<Self, TerrainError> {
        check_size(width, height, heights.len())?;
        if let Some(place) = heights.iter().position(|height| !height.is_finite()) {
            return Err(TerrainError::MapValue {
                column: place % width,
                row: place / width,
                value: heights[place] as f32,
            });
        }
        let [low, high] = extremes(heights.iter().copied());
        let share = |height| share(height, low, high) as f32;
        let values = heights.iter().copied().map(share).collect();
        Self::new(width, height, values)
    }

    /// Pixels a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// All values, row by row from the top of the picture.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Makes the map a web of triangles. It fills its box exactly, by linear transformation.
    ///
    /// Row 0, the top of the picture, is the north: it has the highest y. Every pixel is a point, and with
    /// `hidef` every square between four pixels has another one in its middle. Triangles are numbered row
    /// by row and square by square. The corners of each go around counter-clockwise, seen from above.
    ///
    /// `difficulty` is another map of the same size: a triangle is as difficult as the mean of its corners.
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

    /// Where columns and rows lie, and the middles between them; row 0 is the north.
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
            let share = share(f64::from(value), low, high);
            between(bottom, top, share)
        });
        let zs: Vec<f32> = zs.collect();
        let middles = if options.hidef { self.squares() } else { 0 };
        let mut points = Vec::with_capacity(zs.len() + middles);
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

    /// The corners of a square: top left, bottom left, bottom right, top right.
    fn square(&self, column: usize, row: usize) -> [usize; 4] {
        let corner = row * self.width + column;
        [
            corner,
            corner + self.width,
            corner + self.width + 1,
            corner + 1,
        ]
    }

    fn triangles(&self, options: &WebOptions) -> Vec<[u32; 3]> {
        let per_square = if options.hidef { 4 } else { 2 };
        let mut triangles = Vec::with_capacity(per_square * self.squares());
        let mut middle = self.values.len() as u32;
        for row in 0..self.height - 1 {
            for column in 0..self.width - 1 {
                // `check_triangles` has seen to it that ids have 32 bits.
                let [a, b, c, d] = self.square(column, row).map(|point| point as u32);
                if options.hidef {
                    let sides = [[a, b], [b, c], [c, d], [d, a]];
                    triangles.extend(sides.map(|[from, to]| [from, to, middle]));
                    middle += 1;
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
        let of = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|point| values[point as usize]);
            (a + b + c) / 3.0
        };
        Ok(triangles.iter().map(of).collect())
    }
}

fn check_size(width: usize, height: usize, values: usize) -> Result<(), TerrainError> {
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

/// How far a value is on the way from the lowest to the highest; 0 where they are the same. Halves, for the
/// difference of two large numbers need not be finite.
fn share(value: f64, low: f64, high: f64) -> f64 {
    if low < high {
        ((value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0)).clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// Exact at both ends.
fn between(from: f32, to: f32, share: f64) -> f32 {
    (f64::from(from) * (1.0 - share) + f64::from(to) * share) as f32
}

/// No rounding leads out of the range of the four.
fn mean([a, b, c, d]: [f32; 4]) -> f32 {
    (a + b + (c + d)) / 4.0
}

/// Equal steps from the lower to the higher end. No two may fall together, or triangles would have no area.
fn ticks(axis: char, low: f32, high: f32, steps: usize) -> Result<Vec<f32>, TerrainError> {
    let refused = || TerrainError::MapExtent {
        axis,
        low,
        high,
        pixels: steps / 2 + 1,
    };
    if !(low.is_finite() && high.is_finite()) {
        return Err(refused());
    }
    let tick = |step| between(low, high, step as f64 / steps as f64);
    let ticks: Vec<f32> = (0..=steps).map(tick).collect();
    let ascends = ticks.windows(2).all(|pair| pair[0] < pair[1]);
    ascends.then_some(ticks).ok_or_else(refused)
}

#[cfg(test)]
#[path = "height_map_test.rs"]
mod tests;
