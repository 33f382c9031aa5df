//! Intersects a level with a grid of parallel lines, for [`diagnose`](crate::diagnose).

use glam::DVec3;
use portolan_core::Triangles;
use portolan_core::geometry::Aabb;

/// Number of lines along each side of the level.
const LINES_PER_SIDE: usize = 64;

/// An intersection of a line with a triangle.
#[derive(Clone, Copy)]
struct Hit {
    height: f64,
    faces_up: bool,
}

/// The intersections along each line of a grid over the level, from the lowest to the highest. Lines
/// without an intersection are left out.
pub(crate) struct Columns(Vec<Vec<Hit>>);

/// The lines classified by the lowest and the highest face that they meet, as fractions of all lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ColumnFractions {
    /// Both faces point up: ground without an underside.
    pub(crate) ground: f64,
    /// The highest face points up and the lowest one down: a solid.
    pub(crate) solid: f64,
    /// The highest face points down and the lowest one up: a room without outer walls, or a solid with
    /// flipped faces.
    pub(crate) room: f64,
    /// Both faces point down: the underside of ground.
    pub(crate) underside: f64,
}

impl Columns {
    /// Intersects the triangles with lines parallel to `axis` (0, 1 or 2). Two intersections closer than
    /// `merge_distance` that face the same direction count as one.
    pub(crate) fn new(triangles: &Triangles, axis: usize, merge_distance: f64) -> Self {
        // For the y axis, the other two axes are (z, x): a positive orientation is a face that points up.
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut columns = vec![Vec::new(); LINES_PER_SIDE * LINES_PER_SIDE];
        let bounds = bounding_box(triangles);
        let (min, extent) = (bounds.min.as_dvec3(), (bounds.max - bounds.min).as_dvec3());
        let step = |axis: usize| extent[axis] / LINES_PER_SIDE as f64;
        if step(u) <= 0.0 || step(v) <= 0.0 {
            return Self(Vec::new());
        }
        let lines = |axis: usize, corners: &[DVec3; 3]| {
            let positions = corners.map(|corner| (corner[axis] - min[axis]) / step(axis) - 0.5);
            let low = positions.into_iter().fold(f64::INFINITY, f64::min);
            let high = positions.into_iter().fold(f64::NEG_INFINITY, f64::max);
            low.ceil().max(0.0) as usize
                ..(high.floor() + 1.0).clamp(0.0, LINES_PER_SIDE as f64) as usize
        };
        for triangle in 0..triangles.triangles.len() {
            let corners = triangles.corners(triangle).map(|corner| corner.as_dvec3());
            let [a, b, c] = corners;
            let orientation = |p: DVec3, q: DVec3, at: [f64; 2]| {
                (q[u] - p[u]) * (at[1] - p[v]) - (q[v] - p[v]) * (at[0] - p[u])
            };
            let area = orientation(a, b, [c[u], c[v]]);
            if area == 0.0 {
                continue;
            }
            for i in lines(u, &corners) {
                for j in lines(v, &corners) {
                    let at = [
                        min[u] + (i as f64 + 0.5) * step(u),
                        min[v] + (j as f64 + 0.5) * step(v),
                    ];
                    // Barycentric coordinates.
                    let weights = [
                        orientation(b, c, at),
                        orientation(c, a, at),
                        orientation(a, b, at),
                    ]
                    .map(|twice_area| twice_area / area);
                    if weights.iter().all(|&weight| weight >= 0.0) {
                        columns[i * LINES_PER_SIDE + j].push(Hit {
                            height: weights[0] * a[axis]
                                + weights[1] * b[axis]
                                + weights[2] * c[axis],
                            faces_up: area > 0.0,
                        });
                    }
                }
            }
        }
        columns.retain(|column| !column.is_empty());
        for column in &mut columns {
            column.sort_by(|a, b| a.height.total_cmp(&b.height));
            column
                .dedup_by(|a, b| a.faces_up == b.faces_up && a.height - b.height < merge_distance);
        }
        Self(columns)
    }

    /// Returns the average number of intersections per line, or infinity if there are none.
    pub(crate) fn layers(&self) -> f64 {
        if self.0.is_empty() {
            return f64::INFINITY;
        }
        self.0.iter().map(Vec::len).sum::<usize>() as f64 / self.0.len() as f64
    }

    /// Classifies the lines by the lowest and the highest face that they meet.
    pub(crate) fn fractions(&self) -> ColumnFractions {
        let mut fractions = ColumnFractions::default();
        for column in &self.0 {
            let (Some(lowest), Some(highest)) = (column.first(), column.last()) else {
                continue;
            };
            let fraction = match (highest.faces_up, lowest.faces_up) {
                (true, true) => &mut fractions.ground,
                (true, false) => &mut fractions.solid,
                (false, true) => &mut fractions.room,
                (false, false) => &mut fractions.underside,
            };
            *fraction += 1.0 / self.0.len() as f64;
        }
        fractions
    }

    /// Returns the median height of the tallest room per line, over all lines through a room without
    /// outer walls.
    pub(crate) fn room_height(&self) -> f64 {
        let is_room = |column: &&Vec<Hit>| {
            let extremes = (column.first(), column.last());
            matches!(extremes, (Some(low), Some(high)) if low.faces_up && !high.faces_up)
        };
        median(
            self.0
                .iter()
                .filter(is_room)
                .map(|column| tallest_gap(column, true)),
        )
    }

    /// Returns the median height of the tallest gap per line, where a line without a gap counts as 0. With
    /// `faces_up`, gaps are between a face that points up and one above it that points down, like the
    /// inside of a room. Otherwise they are between a face that points down and one above it that points
    /// up, like the inside of a solid.
    pub(crate) fn gap(&self, faces_up: bool) -> f64 {
        median(self.0.iter().map(|column| tallest_gap(column, faces_up)))
    }
}

/// Returns the height of the tallest gap of a line; see [`Columns::gap`].
fn tallest_gap(column: &[Hit], faces_up: bool) -> f64 {
    let pairs = column.windows(2);
    pairs
        .filter(|pair| pair[0].faces_up == faces_up && pair[1].faces_up != faces_up)
        .map(|pair| pair[1].height - pair[0].height)
        .fold(0.0, f64::max)
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.collect();
    if numbers.is_empty() {
        return 0.0;
    }
    let median = numbers.len() / 2;
    *numbers.select_nth_unstable_by(median, f64::total_cmp).1
}

/// Returns the bounding box of all triangles, without unused vertices.
pub(crate) fn bounding_box(triangles: &Triangles) -> Aabb {
    let corners = triangles.triangles.as_flattened().iter();
    Aabb::around(corners.map(|&corner| triangles.vertices[corner as usize]))
}
