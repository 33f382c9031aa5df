//! The triangle web, which represents the ground.

use glam::Vec3;

use super::{Extent, TerrainError};
use portolan_core::csr::Csr;

/// The id that means "no triangle", for example as the neighbour at an edge of the rim.
pub const NO_TRIANGLE: u32 = u32::MAX;

/// The maximum number of triangles. An edge is packed into 32 bits as triangle id and index of the edge.
pub(super) const MAX_TRIANGLES: usize = 1 << 28;

/// A web of triangles, each with a difficulty. Edge `i` of a triangle goes from its corner `i` to the next corner.
///
/// Invariants: coordinates are finite. The corners of a triangle exist and have different positions. An edge has at
/// most two triangles, and these are neighbours of each other. Difficulties are from 0 to 1.
///
/// ```
/// use glam::vec3;
/// use portolan_terrain::{NO_TRIANGLE, TriangleWeb};
///
/// let points = vec![
///     vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.5), vec3(1.0, 1.0, 0.0), vec3(0.0, 1.0, 0.0),
/// ];
/// let web = TriangleWeb::new(points, vec![[0, 1, 2], [0, 2, 3]], Vec::new())?;
/// assert_eq!(web.neighbours()[0], [NO_TRIANGLE, NO_TRIANGLE, 1]);
/// assert_eq!(web.locate(0.2, 0.7), Some(1));
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriangleWeb {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
    neighbours: Vec<[u32; 3]>,
    extent: Extent,
    grid: TriangleGrid,
}

impl TriangleWeb {
    /// Creates a web: checks the triangles and finds their neighbours. `difficulty` has one value per triangle. If
    /// it is empty, all difficulties are 0.
    pub fn new(
        points: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        difficulty: Vec<f32>,
    ) -> Result<Self, TerrainError> {
        check(&points, &triangles)?;
        let difficulty = match difficulty.len() {
            0 => vec![0.0; triangles.len()],
            _ => difficulty,
        };
        check_difficulty(&difficulty, triangles.len())?;
        let neighbours = neighbours(points.len(), &triangles)?;
        let extent = Extent::of(points.iter().copied());
        let grid = TriangleGrid::new(&points, &triangles);
        Ok(Self {
            points,
            triangles,
            difficulty,
            neighbours,
            extent,
            grid,
        })
    }

    /// Checks that a triangle exists and that a difficulty is from 0 to 1.
    pub(super) fn check_difficulty(
        &self,
        triangle: u32,
        difficulty: f32,
    ) -> Result<(), TerrainError> {
        if triangle as usize >= self.len() {
            let triangles = self.len();
            return Err(TerrainError::NoTriangle {
                triangle,
                triangles,
            });
        }
        if !(0.0..=1.0).contains(&difficulty) {
            return Err(TerrainError::Difficulty(triangle as usize, difficulty));
        }
        Ok(())
    }

    /// Sets the difficulty of a triangle. Prices that were computed before do not change.
    /// [`Terrain::change`](super::Terrain::change) also updates prices.
    pub fn set_difficulty(&mut self, triangle: u32, difficulty: f32) -> Result<(), TerrainError> {
        self.check_difficulty(triangle, difficulty)?;
        self.difficulty[triangle as usize] = difficulty;
        Ok(())
    }

    /// Returns the triangles with a corner at a point, in ascending order.
    pub(super) fn triangles_at(&self, point: u32) -> impl Iterator<Item = u32> {
        let position = self.points[point as usize];
        let candidates = self.grid.candidates(position.x, position.y).unwrap_or(&[]);
        let around = candidates.iter().copied();
        around.filter(move |&triangle| self.triangles[triangle as usize].contains(&point))
    }

    /// Sets the heights of points. Positions in plan stay, so the grid and the neighbours stay as well. The caller has
    /// checked that the points exist and that corners of a triangle keep different positions.
    pub(super) fn set_heights(&mut self, heights: &[(u32, f32)]) {
        for &(point, height) in heights {
            self.points[point as usize].z = height;
        }
        self.extent = Extent::of(self.points.iter().copied());
    }

    /// Returns the number of triangles.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Returns whether there are no triangles. A web always has at least one, so this is always false.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// Returns all points.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Returns the corners of each triangle, as indices of points.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the difficulty of each triangle, from 0 for easy ground to 1 for the hardest.
    pub fn difficulty(&self) -> &[f32] {
        &self.difficulty
    }

    /// Returns the neighbour beyond each edge of each triangle, or [`NO_TRIANGLE`] at the rim.
    pub fn neighbours(&self) -> &[[u32; 3]] {
        &self.neighbours
    }

    /// Returns the bounding box of all points.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the positions of the corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|point| self.points[point as usize])
    }

    /// Returns the centroid of a triangle.
    pub fn centroid(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (a + b + c) / 3.0
    }

    /// Returns the triangle that contains a point in plan, edges included. If there are several, returns the one
    /// with the highest centroid, and among those the one with the lowest id.
    pub fn locate(&self, x: f32, y: f32) -> Option<u32> {
        let candidates = self.grid.candidates(x, y)?.iter().copied();
        let containing = candidates.filter(|&triangle| self.contains(triangle, x, y));
        containing.min_by(|&a, &b| {
            let [a_height, b_height] = [a, b].map(|triangle| self.centroid(triangle).z);
            b_height.total_cmp(&a_height).then(a.cmp(&b))
        })
    }

    /// Returns whether a triangle contains a point in plan, edges included.
    fn contains(&self, triangle: u32, x: f32, y: f32) -> bool {
        let [a, b, c] = self.corners(triangle);
        let turn = |a: Vec3, b: Vec3| {
            let (ax, ay) = (f64::from(a.x), f64::from(a.y));
            (f64::from(b.x) - ax) * (f64::from(y) - ay)
                - (f64::from(b.y) - ay) * (f64::from(x) - ax)
        };
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        let has_area = turns.iter().any(|&turn| turn != 0.0);
        has_area && (turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0))
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.difficulty[..])
            + size_of_val(&self.neighbours[..])
            + self.grid.triangles.bytes()
    }
}

fn check(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), TerrainError> {
    if triangles.is_empty() {
        return Err(TerrainError::Empty);
    }
    if triangles.len() > MAX_TRIANGLES {
        return Err(TerrainError::TooMany(triangles.len()));
    }
    // Squares of coordinates have to be finite.
    let is_valid = |point: &Vec3| point.is_finite() && point.abs().max_element() <= 1e15;
    if let Some(point) = points.iter().position(|point| !is_valid(point)) {
        return Err(TerrainError::NotFinite(point));
    }
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&point) = corners
            .iter()
            .find(|&&point| point as usize >= points.len())
        {
            return Err(TerrainError::NoPoint {
                triangle,
                point,
                points: points.len(),
            });
        }
        let [a, b, c] = corners.map(|point| points[point as usize]);
        if a == b || b == c || c == a {
            return Err(TerrainError::Degenerate(triangle));
        }
    }
    Ok(())
}

fn check_difficulty(difficulty: &[f32], triangles: usize) -> Result<(), TerrainError> {
    if difficulty.len() != triangles {
        return Err(TerrainError::DifficultyCount {
            found: difficulty.len(),
            expected: triangles,
        });
    }
    let mut all = difficulty.iter().enumerate();
    match all.find(|(_, value)| !(0.0..=1.0).contains(*value)) {
        Some((triangle, &value)) => Err(TerrainError::Difficulty(triangle, value)),
        None => Ok(()),
    }
}

/// Finds the neighbours of all triangles. Edges are grouped by their corner with the lower index. The groups are
/// small, so sorting each of them is cheap.
fn neighbours(points: usize, triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, TerrainError> {
    let mut pairs = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in triangles.iter().enumerate() {
        for edge in 0..3 {
            let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
            pairs.push((a.min(b), [a.max(b), (triangle * 4 + edge) as u32]));
        }
    }
    let by_corner = Csr::group(points, &pairs);
    let mut neighbours = vec![[NO_TRIANGLE; 3]; triangles.len()];
    let mut sorted = Vec::new();
    for edges in by_corner.iter() {
        sorted.clear();
        sorted.extend_from_slice(edges);
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a[0] == b[0]) {
            let unpack = |packed: u32| ((packed / 4) as usize, (packed % 4) as usize);
            match *same {
                [[_, first], [_, second]] => {
                    let ((a, a_edge), (b, b_edge)) = (unpack(first), unpack(second));
                    neighbours[a][a_edge] = b as u32;
                    neighbours[b][b_edge] = a as u32;
                }
                [[_, a], [_, b], [_, c], ..] => {
                    let [a, b, c] = [a, b, c].map(|packed| unpack(packed).0);
                    return Err(TerrainError::ThirdTriangle(a, b, c));
                }
                _ => {}
            }
        }
    }
    Ok(neighbours)
}

/// A grid of squares in the (x, y) plane. Each square lists the triangles whose bounding boxes intersect it.
#[derive(Clone, Debug)]
struct TriangleGrid {
    min: [f64; 2],
    /// Squares per unit of length.
    scale: f64,
    columns: usize,
    triangles: Csr<u32>,
}

impl TriangleGrid {
    /// Builds a grid with about one square per two triangles.
    fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let extent = Extent::of(points.iter().copied());
        let min = [f64::from(extent.min.x), f64::from(extent.min.y)];
        let width = f64::from(extent.max.x) - min[0];
        let height = f64::from(extent.max.y) - min[1];
        let squares = (triangles.len() / 2).max(1) as f64;
        // The second term limits the number of squares along a very narrow strip.
        let side = (width * height / squares).sqrt();
        let side = side.max(width.max(height) / squares);
        let scale = if side > 0.0 { 1.0 / side } else { 0.0 };
        let columns = (width * scale) as usize + 1;
        let rows = (height * scale) as usize + 1;
        let mut grid = Self {
            min,
            scale,
            columns,
            triangles: Csr::new(),
        };
        let mut pairs = Vec::new();
        for (triangle, corners) in triangles.iter().enumerate() {
            let extent = Extent::of(corners.map(|point| points[point as usize]));
            let [first_column, first_row] = grid.square(extent.min.x, extent.min.y);
            let [last_column, last_row] = grid.square(extent.max.x, extent.max.y);
            for row in first_row..=last_row {
                for column in first_column..=last_column {
                    pairs.push(((row * columns + column) as u32, triangle as u32));
                }
            }
        }
        grid.triangles = Csr::group(rows * columns, &pairs);
        grid
    }

    /// Returns the column and the row of the square that contains a point.
    fn square(&self, x: f32, y: f32) -> [usize; 2] {
        [
            ((f64::from(x) - self.min[0]) * self.scale) as usize,
            ((f64::from(y) - self.min[1]) * self.scale) as usize,
        ]
    }

    /// Returns the triangles near a point, or `None` if the point is outside the grid.
    fn candidates(&self, x: f32, y: f32) -> Option<&[u32]> {
        let is_within = f64::from(x) >= self.min[0] && f64::from(y) >= self.min[1];
        let [column, row] = self.square(x, y);
        let square = row.checked_mul(self.columns)?.checked_add(column)?;
        (is_within && column < self.columns && square < self.triangles.len())
            .then(|| self.triangles.get(square))
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    #[test]
    fn neighbours_share_an_edge_and_a_third_triangle_is_rejected() {
        let mut points = vec![vec3(0.0, 0.0, 0.0)];
        points.extend((0..101).map(|i| vec3(1.0 + i as f32, (i * i) as f32, 0.0)));
        let mut triangles: Vec<[u32; 3]> = (1..101).map(|i| [0, i, i + 1]).collect();
        let web = TriangleWeb::new(points.clone(), triangles.clone(), Vec::new()).unwrap();
        assert_eq!(web.neighbours()[0], [NO_TRIANGLE, NO_TRIANGLE, 1]);
        assert_eq!(web.neighbours()[50], [49, NO_TRIANGLE, 51]);
        assert_eq!(web.neighbours()[99], [98, NO_TRIANGLE, NO_TRIANGLE]);
        triangles.push([51, 0, 90]);
        let error = TriangleWeb::new(points, triangles, Vec::new()).unwrap_err();
        assert_eq!(error, TerrainError::ThirdTriangle(49, 50, 100));
    }
}
