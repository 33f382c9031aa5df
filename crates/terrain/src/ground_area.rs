//! Areas of the ground that are closed, or more difficult than the rest.

/// A polygon with holes, in the coordinates of a file, and what it does to the ground inside.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundArea {
    /// Closed rings of points; the edge from the last point to the first is implied. A point is inside if a ray from it
    /// crosses the rings an odd number of times, so inner rings are holes.
    pub rings: Vec<Vec<[f64; 2]>>,
    /// What the area does to the triangles in it.
    pub effect: AreaEffect,
}

/// What an area does to the triangles in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AreaEffect {
    /// Nobody can walk there: the triangles are left out.
    Closed,
    /// The triangles have this difficulty, from 0 to 1.
    Difficulty(f32),
}

/// The edges of an area that cross a range of y.
#[derive(Debug)]
pub(super) struct AreaBand<'a> {
    edges: Vec<[[f64; 2]; 2]>,
    area: &'a GroundArea,
}

impl GroundArea {
    /// Returns the edges that decide about points with a y between two numbers, the lower one first.
    pub(super) fn band(&self, [low, high]: [f64; 2]) -> AreaBand<'_> {
        let rings = self.rings.iter();
        let edges = rings.flat_map(|ring| {
            let next = ring.iter().cycle().skip(1);
            ring.iter().zip(next).map(|(&from, &to)| [from, to])
        });
        let is_near =
            |[from, to]: &[[f64; 2]; 2]| from[1].min(to[1]) <= high && from[1].max(to[1]) >= low;
        AreaBand {
            edges: edges.filter(is_near).collect(),
            area: self,
        }
    }
}

impl AreaBand<'_> {
    /// Returns whether the area contains a point with a y in the band.
    fn contains(&self, [x, y]: [f64; 2]) -> bool {
        let crossed = self.edges.iter().filter(|[from, to]| {
            // A ray through a corner crosses one of its two edges, because an edge contains its lower end only.
            if (from[1] > y) == (to[1] > y) {
                return false;
            }
            let at = from[0] + (to[0] - from[0]) * ((y - from[1]) / (to[1] - from[1]));
            x < at
        });
        crossed.count() % 2 == 1
    }
}

/// Returns the difficulty at a point, or `None` if it is closed. The last area that contains the point decides, and
/// `otherwise` is the difficulty outside of all areas.
pub(super) fn difficulty(point: [f64; 2], bands: &[AreaBand<'_>], otherwise: f32) -> Option<f32> {
    let mut bands = bands.iter().rev();
    match bands
        .find(|band| band.contains(point))
        .map(|band| band.area.effect)
    {
        None => Some(otherwise),
        Some(AreaEffect::Closed) => None,
        Some(AreaEffect::Difficulty(difficulty)) => Some(difficulty),
    }
}
