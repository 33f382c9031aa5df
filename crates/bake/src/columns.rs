//! What vertical lines through a level meet: the picture that [`diagnose`](crate::diagnose) judges by.

use glam::DVec3;
use portolan_core::Triangles;
use portolan_core::geometry::Aabb;

/// Lines along each side of the level.
const SIDE: usize = 64;

/// A surface that a line meets.
#[derive(Clone, Copy)]
struct Hit {
    height: f64,
    faces_up: bool,
}

/// The surfaces above one another, from the lowest to the highest, along each line of a grid over the
/// level. Lines that meet nothing are left out.
pub(crate) struct Columns(Vec<Vec<Hit>>);

/// Lines by the lowest and the highest surface that they meet, as shares of all lines.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outsides {
    /// Both face up: ground without an underside.
    pub(crate) ground: f64,
    /// The highest faces up, the lowest down: something solid.
    pub(crate) solid: f64,
    /// The highest faces down, the lowest up: a room without an outside, or something solid that is
    /// turned inside out.
    pub(crate) room: f64,
    /// Both face down: the underside of ground.
    pub(crate) underside: f64,
}

impl Columns {
    /// Surfaces along the lines parallel to `axis` (0, 1 or 2). `apart` is the distance below which two
    /// surfaces that face the same way count as one.
    pub(crate) fn new(triangles: &Triangles, axis: usize, apart: f64) -> Self {
        // For y up the other two axes come as (z, x), so that a positive turn is a face that looks up.
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut columns = vec![Vec::new(); SIDE * SIDE];
        let bounds = bounds(triangles);
        let (min, extent) = (bounds.min.as_dvec3(), (bounds.max - bounds.min).as_dvec3());
        let step = |axis: usize| extent[axis] / SIDE as f64;
        if step(u) <= 0.0 || step(v) <= 0.0 {
            return Self(Vec::new());
        }
        let lines = |axis: usize, corners: &[DVec3; 3]| {
            let places = corners.map(|corner| (corner[axis] - min[axis]) / step(axis) - 0.5);
            let low = places.into_iter().fold(f64::INFINITY, f64::min);
            let high = places.into_iter().fold(f64::NEG_INFINITY, f64::max);
            low.ceil().max(0.0) as usize..(high.floor() + 1.0).clamp(0.0, SIDE as f64) as usize
        };
        for triangle in 0..triangles.triangles.len() {
            let corners = triangles.corners(triangle).map(|corner| corner.as_dvec3());
            let [a, b, c] = corners;
            let turn = |p: DVec3, q: DVec3, at: [f64; 2]| {
                (q[u] - p[u]) * (at[1] - p[v]) - (q[v] - p[v]) * (at[0] - p[u])
            };
            let area = turn(a, b, [c[u], c[v]]);
            if area == 0.0 {
                continue;
            }
            for i in lines(u, &corners) {
                for j in lines(v, &corners) {
                    let at = [
                        min[u] + (i as f64 + 0.5) * step(u),
                        min[v] + (j as f64 + 0.5) * step(v),
                    ];
                    // The share of each corner.
                    let shares = [turn(b, c, at), turn(c, a, at), turn(a, b, at)].map(|t| t / area);
                    if shares.iter().all(|&share| share >= 0.0) {
                        columns[i * SIDE + j].push(Hit {
                            height: shares[0] * a[axis] + shares[1] * b[axis] + shares[2] * c[axis],
                            faces_up: area > 0.0,
                        });
                    }
                }
            }
        }
        columns.retain(|column| !column.is_empty());
        for column in &mut columns {
            column.sort_by(|a, b| a.height.total_cmp(&b.height));
            column.dedup_by(|a, b| a.faces_up == b.faces_up && a.height - b.height < apart);
        }
        Self(columns)
    }

    /// Surfaces per line, on average; infinite where no line meets any.
    pub(crate) fn layers(&self) -> f64 {
        if self.0.is_empty() {
            return f64::INFINITY;
        }
        self.0.iter().map(Vec::len).sum::<usize>() as f64 / self.0.len() as f64
    }

    /// What the outsides of the level face.
    pub(crate) fn outsides(&self) -> Outsides {
        let mut outsides = Outsides::default();
        for column in &self.0 {
            let (Some(lowest), Some(highest)) = (column.first(), column.last()) else {
                continue;
            };
            let kind = match (highest.faces_up, lowest.faces_up) {
                (true, true) => &mut outsides.ground,
                (true, false) => &mut outsides.solid,
                (false, true) => &mut outsides.room,
                (false, false) => &mut outsides.underside,
            };
            *kind += 1.0 / self.0.len() as f64;
        }
        outsides
    }

    /// Half of the lines that go through a room without an outside meet one at least this high.
    pub(crate) fn room_height(&self) -> f64 {
        let is_room = |column: &&Vec<Hit>| {
            let ends = (column.first(), column.last());
            matches!(ends, (Some(low), Some(high)) if low.faces_up && !high.faces_up)
        };
        median(
            self.0
                .iter()
                .filter(is_room)
                .map(|column| tallest(column, true)),
        )
    }

    /// Half of all lines meet a gap of at least this height between a surface that faces up and one
    /// above it that faces down (`faces_up`), or the other way round. A line without a gap counts as 0.
    pub(crate) fn gap(&self, faces_up: bool) -> f64 {
        median(self.0.iter().map(|column| tallest(column, faces_up)))
    }
}

/// The tallest gap of a column above a surface that faces up, or down, and below one that faces the
/// other way.
fn tallest(column: &[Hit], faces_up: bool) -> f64 {
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
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The box around all corners of triangles.
pub(crate) fn bounds(triangles: &Triangles) -> Aabb {
    let corners = triangles.triangles.as_flattened().iter();
    Aabb::around(corners.map(|&corner| triangles.vertices[corner as usize]))
}
