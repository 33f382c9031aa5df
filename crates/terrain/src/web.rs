//! The triangle web: what the ground is made of.

use glam::Vec3;

use super::{Extent, TerrainError};
use portolan_core::csr::Csr;

/// No triangle: what lies beyond the rim.
pub const NONE: u32 = u32::MAX;

/// Searches pack an id with two bits of an edge.
pub(super) const MAX_TRIANGLES: usize = 1 << 28;

/// Triangles with a difficulty each. Edge `i` of a triangle goes from its corner `i` to the next one.
///
/// Invariants: coordinates are finite; corners exist and differ; an edge has at most two triangles, and
/// each is the other's neighbour there; difficulties lie within 0 to 1.
#[derive(Clone, Debug)]
pub struct TriangleWeb {
    points: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    difficulty: Vec<f32>,
    neighbours: Vec<[u32; 3]>,
    extent: Extent,
    places: Places,
}

impl TriangleWeb {
    /// Checks triangles and finds out who lies next to whom. `difficulty` has one entry a triangle, or none
    /// at all for easy ground.
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
        let places = Places::new(&points, &triangles);
        Ok(Self {
            points,
            triangles,
            difficulty,
            neighbours,
            extent,
            places,
        })
    }

    /// Whether a triangle may be so difficult.
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

    /// Makes a triangle so difficult. What was priced before does not know of it:
    /// [`Terrain::change`](super::Terrain::change) does it all.
    pub fn set_difficulty(&mut self, triangle: u32, difficulty: f32) -> Result<(), TerrainError> {
        self.check_difficulty(triangle, difficulty)?;
        self.difficulty[triangle as usize] = difficulty;
        Ok(())
    }

    /// How many triangles there are.
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// All points.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// The corners of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// How hard each triangle is to walk on: 0 easy, 1 as hard as can be.
    pub fn difficulty(&self) -> &[f32] {
        &self.difficulty
    }

    /// The triangle beyond each edge, or [`NONE`].
    pub fn neighbours(&self) -> &[[u32; 3]] {
        &self.neighbours
    }

    /// The box around everything.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// Where the corners of a triangle are.
    pub fn corners(&self, triangle: u32) -> [Vec3; 3] {
        self.triangles[triangle as usize].map(|point| self.points[point as usize])
    }

    /// The middle of a triangle.
    pub fn centroid(&self, triangle: u32) -> Vec3 {
        let [a, b, c] = self.corners(triangle);
        (a + b + c) / 3.0
    }

    /// The triangle at a place; the highest where several are, then the lowest id. A place on an edge is of
    /// both.
    pub fn locate(&self, x: f32, y: f32) -> Option<u32> {
        let candidates = self.places.at(x, y)?.iter().copied();
        let here = candidates.filter(|&triangle| self.is_over(triangle, x, y));
        here.min_by(|&a, &b| {
            let [a_height, b_height] = [a, b].map(|triangle| self.centroid(triangle).z);
            b_height.total_cmp(&a_height).then(a.cmp(&b))
        })
    }

    fn is_over(&self, triangle: u32, x: f32, y: f32) -> bool {
        let [a, b, c] = self.corners(triangle);
        let turn = |a: Vec3, b: Vec3| {
            let (ax, ay) = (f64::from(a.x), f64::from(a.y));
            (f64::from(b.x) - ax) * (f64::from(y) - ay)
                - (f64::from(b.y) - ay) * (f64::from(x) - ax)
        };
        let turns = [turn(a, b), turn(b, c), turn(c, a)];
        let stands = turns.iter().any(|&turn| turn != 0.0);
        stands && (turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0))
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.points[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.difficulty[..])
            + size_of_val(&self.neighbours[..])
            + self.places.triangles.bytes()
    }
}

fn check(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), TerrainError> {
    if triangles.is_empty() {
        return Err(TerrainError::Empty);
    }
    if triangles.len() > MAX_TRIANGLES {
        return Err(TerrainError::TooMany(triangles.len()));
    }
    // Squares of coordinates have to stay finite.
    let is_place = |point: &Vec3| point.is_finite() && point.abs().max_element() <= 1e15;
    if let Some(point) = points.iter().position(|point| !is_place(point)) {
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

/// Matches edges by their lower corner: each corner begins few of them, so sorting them is next to nothing.
fn neighbours(points: usize, triangles: &[[u32; 3]]) -> Result<Vec<[u32; 3]>, TerrainError> {
    let mut pairs = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in triangles.iter().enumerate() {
        for edge in 0..3 {
            let (a, b) = (corners[edge], corners[(edge + 1) % 3]);
            pairs.push((a.min(b), [a.max(b), (triangle * 4 + edge) as u32]));
        }
    }
    let by_corner = Csr::group(points, &pairs);
    let mut neighbours = vec![[NONE; 3]; triangles.len()];
    let mut sorted = Vec::new();
    for edges in by_corner.iter() {
        sorted.clear();
        sorted.extend_from_slice(edges);
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a[0] == b[0]) {
            let of = |place: u32| ((place / 4) as usize, (place % 4) as usize);
            match *same {
                [[_, first], [_, second]] => {
                    let ((a, a_edge), (b, b_edge)) = (of(first), of(second));
                    neighbours[a][a_edge] = b as u32;
                    neighbours[b][b_edge] = a as u32;
                }
                [[_, a], [_, b], [_, c], ..] => {
                    return Err(TerrainError::ThirdTriangle(of(a).0, of(b).0, of(c).0));
                }
                _ => {}
            }
        }
    }
    Ok(neighbours)
}

/// Squares of the plane, each with the triangles that its box meets.
#[derive(Clone, Debug)]
struct Places {
    min: [f64; 2],
    /// Squares per unit of length.
    scale: f64,
    columns: usize,
    triangles: Csr<u32>,
}

impl Places {
    /// About as many squares as there are pairs of triangles.
    fn new(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let whole = Extent::of(points.iter().copied());
        let min = [f64::from(whole.min.x), f64::from(whole.min.y)];
        let width = f64::from(whole.max.x) - min[0];
        let height = f64::from(whole.max.y) - min[1];
        let most = (triangles.len() / 2).max(1) as f64;
        // A strip without width still has squares along it.
        let side = (width * height / most).sqrt().max(width.max(height) / most);
        let scale = if side > 0.0 { 1.0 / side } else { 0.0 };
        let columns = (width * scale) as usize + 1;
        let rows = (height * scale) as usize + 1;
        let mut places = Self {
            min,
            scale,
            columns,
            triangles: Csr::new(),
        };
        let mut pairs = Vec::new();
        for (triangle, corners) in triangles.iter().enumerate() {
            let extent = Extent::of(corners.map(|point| points[point as usize]));
            let [first_column, first_row] = places.square(extent.min.x, extent.min.y);
            let [last_column, last_row] = places.square(extent.max.x, extent.max.y);
            for row in first_row..=last_row {
                for column in first_column..=last_column {
                    pairs.push(((row * columns + column) as u32, triangle as u32));
                }
            }
        }
        places.triangles = Csr::group(rows * columns, &pairs);
        places
    }

    fn square(&self, x: f32, y: f32) -> [usize; 2] {
        [
            ((f64::from(x) - self.min[0]) * self.scale) as usize,
            ((f64::from(y) - self.min[1]) * self.scale) as usize,
        ]
    }

    fn at(&self, x: f32, y: f32) -> Option<&[u32]> {
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
    fn a_fan_knows_its_neighbours_and_a_third_triangle_is_refused() {
        let mut points = vec![vec3(0.0, 0.0, 0.0)];
        points.extend((0..101).map(|i| vec3(1.0 + i as f32, (i * i) as f32, 0.0)));
        let mut triangles: Vec<[u32; 3]> = (1..101).map(|i| [0, i, i + 1]).collect();
        let web = TriangleWeb::new(points.clone(), triangles.clone(), Vec::new()).unwrap();
        assert_eq!(web.neighbours()[0], [NONE, NONE, 1]);
        assert_eq!(web.neighbours()[50], [49, NONE, 51]);
        assert_eq!(web.neighbours()[99], [98, NONE, NONE]);
        triangles.push([51, 0, 90]);
        let error = TriangleWeb::new(points, triangles, Vec::new()).unwrap_err();
        assert_eq!(error, TerrainError::ThirdTriangle(49, 50, 100));
    }
}
