//! The neighbours of the triangles of finer surfaces, so that a line can be followed from triangle to
//! triangle instead of being compared with every triangle.

use glam::Vec3;

use super::{Heights, NavMesh};
use crate::csr::{Csr, Lists};
use crate::geometry::{distance_xz, orientation};
use crate::ids::PolygonId;

/// Per polygon, how the triangles of its finer surface are connected, in about 5 bytes per triangle.
///
/// The list of a polygon begins with three bytes per triangle: the neighbours across the triangle's edges,
/// where edge `i` begins at point `i` of the triangle. Then it has one byte per border: the index of its first edge
/// of the rim. Then it has two bytes per edge of the rim in counter-clockwise order from corner 0: the point where
/// the edge begins, and its triangle. A list is empty
/// unless the surface is one piece without holes, with one triangle on each side of an inner edge, without
/// upside-down triangles or folds, small enough for bytes, and unless its rim follows the borders of the polygon. Bakes
/// create such surfaces; imported ones may be different.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SurfaceWebs(Lists<u8>);

/// Instead of a neighbour: the edge belongs to the rim.
const RIM: u8 = u8::MAX;

/// The largest distance of a point of the rim from its border. [Units: m]
pub(crate) const RIM_DEVIATION: f64 = 5e-4;

impl SurfaceWebs {
    pub(super) fn new(vertices: &[Vec3], polygons: &Lists<u32>, heights: &Heights) -> Self {
        let mut webs = Csr::new();
        let mut buffers = WebBuffers::default();
        if !heights.triangles.is_empty() {
            for (i, corners) in polygons.iter().enumerate() {
                let triangles = heights.triangles.get(i);
                buffers.points.clear();
                let corner_count = corners.len();
                let corners = corners.iter().map(|&v| vertices[v as usize]);
                buffers.points.extend(corners);
                buffers.points.extend(heights.points(i));
                let web = buffers.connect(triangles, corner_count);
                webs.push(web.into_iter().flatten().copied());
            }
        }
        Self(webs.into())
    }

    /// Returns the webs in another order of the polygons.
    pub(super) fn reordered(&self, order: &[u32]) -> Self {
        let mut webs = Csr::new();
        if !self.0.is_empty() {
            for &polygon in order {
                webs.push(self.0.get(polygon as usize).iter().copied());
            }
        }
        Self(webs.into())
    }

    /// Returns the webs for writing a file.
    pub(super) fn lists(&self) -> &Lists<u8> {
        &self.0
    }

    /// Creates webs from the lists of a file, which [`fits`](Self::fits) has to check.
    pub(super) fn from_lists(webs: Lists<u8>) -> Self {
        Self(webs)
    }

    /// Returns whether there are webs for this number of polygons, or none at all.
    pub(super) fn has_length(&self, polygons: usize) -> bool {
        [0, polygons].contains(&self.0.len())
    }

    /// Returns whether a line can be followed over the web of a polygon with these numbers of corners, of points
    /// (corners included) and of triangles. A wrong web makes waypoints leave the ground, but it must not refer to
    /// elements that do not exist.
    pub(super) fn fits(&self, polygon: usize, [corners, points, triangles]: [usize; 3]) -> bool {
        if self.0.is_empty() || self.0.get(polygon).is_empty() {
            return true;
        }
        let Some((neighbours, rim)) = self.0.get(polygon).split_at_checked(3 * triangles) else {
            return false;
        };
        let Some((border_starts, rim)) = rim.split_at_checked(corners) else {
            return false;
        };
        let (rim, rest) = rim.as_chunks::<2>();
        let is_triangle = |&index: &u8| usize::from(index) < triangles;
        rest.is_empty()
            && corners <= u32::BITS as usize
            && neighbours
                .iter()
                .all(|index| *index == RIM || is_triangle(index))
            && border_starts
                .iter()
                .all(|&start| usize::from(start) <= rim.len())
            && rim
                .iter()
                .all(|[point, triangle]| usize::from(*point) < points && is_triangle(triangle))
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Buffers to connect the triangles of one surface after another.
#[derive(Default)]
struct WebBuffers {
    /// The points of the surface.
    points: Vec<Vec3>,
    /// Per point, the first edge that begins there. Edge `e` is edge `e % 3` of triangle `e / 3`.
    first: Vec<u16>,
    /// Per edge, the next edge that begins at the same point.
    next: Vec<u16>,
    /// Per point, whether it is on the rim or has an angle of some triangle that is not 0.
    surrounded: Vec<bool>,
    /// The list of [`SurfaceWebs`].
    web: Vec<u8>,
}

const NO_EDGE: u16 = u16::MAX;

impl WebBuffers {
    /// Returns the web of a surface, or `None` if its triangles are not connected as they should be.
    fn connect(&mut self, triangles: &[[u16; 3]], corners: usize) -> Option<&[u8]> {
        let Self {
            points,
            first,
            next,
            surrounded,
            web,
        } = self;
        if triangles.is_empty()
            || triangles.len() > usize::from(RIM)
            || points.len() > usize::from(u8::MAX)
            || corners > u32::BITS as usize
        {
            return None;
        }
        let edges = 3 * triangles.len();
        let ends = |edge: usize| {
            let (triangle, side) = (triangles[edge / 3], edge % 3);
            [triangle[side], triangle[(side + 1) % 3]]
        };
        first.clear();
        first.resize(points.len(), NO_EDGE);
        next.clear();
        for edge in 0..edges {
            let [from, _] = ends(edge);
            let first = &mut first[usize::from(from)];
            next.push(std::mem::replace(first, edge as u16));
        }
        surrounded.clear();
        surrounded.resize(points.len(), false);
        for triangle in triangles {
            let corners = triangle.map(|i| points[usize::from(i)]);
            let area = orientation(corners[0], corners[1], corners[2]);
            if area < 0.0 {
                return None;
            }
            for side in 0..3 {
                let [p, a, b] = [0, 1, 2].map(|i| corners[(side + i) % 3].with_y(0.0));
                surrounded[usize::from(triangle[side])] |= area > 0.0 || (a - p).dot(b - p) < 0.0;
            }
        }
        web.clear();
        web.resize(edges, RIM);
        let (first, next) = (&*first, &*next);
        let edges_from = |point: u16| {
            let existing = |edge: u16| Some(usize::from(edge)).filter(|_| edge != NO_EDGE);
            let first = existing(first[usize::from(point)]);
            std::iter::successors(first, move |&edge| existing(next[edge]))
        };
        let mut rim_edges = 0;
        let mut rim_start = None;
        for (edge, neighbour) in web.iter_mut().enumerate() {
            let [from, to] = ends(edge);
            if edges_from(from).filter(|&edge| ends(edge)[1] == to).count() != 1 {
                return None;
            }
            match edges_from(to).find(|&edge| ends(edge)[1] == from) {
                Some(twin) => *neighbour = (twin / 3) as u8,
                None => {
                    rim_edges += 1;
                    if from == 0 {
                        rim_start = Some(edge);
                    }
                }
            }
        }
        // Follow the rim until it closes. If it does so early, the surface has several rims.
        web.resize(edges + corners, 0);
        let rim_start = rim_start?;
        let mut edge = rim_start;
        let mut next_corner = 0;
        for index in 0..rim_edges {
            let [from, to] = ends(edge);
            if usize::from(from) == next_corner && next_corner < corners {
                web[edges + next_corner] = index as u8;
                next_corner += 1;
            } else if next_corner == 0 || !is_on_border(points, corners, next_corner - 1, from) {
                return None;
            }
            surrounded[usize::from(from)] = true;
            web.extend([from as u8, (edge / 3) as u8]);
            let mut beyond = edges_from(to).filter(|&edge| web[edge] == RIM);
            edge = beyond.next().filter(|_| beyond.next().is_none())?;
            let is_last = index + 1 == rim_edges;
            if (edge == rim_start) != is_last {
                return None;
            }
        }
        // The angles around an inner point add up to a multiple of a full turn, and all angles of the surface to
        // a full turn per inner point and the angles of the polygon. So if none adds up to 0, each is one full
        // turn: the surface has no folds, although it may have empty triangles.
        let mut inner = first.iter().zip(&*surrounded);
        let has_no_folds = inner.all(|(&edge, &is_surrounded)| edge == NO_EDGE || is_surrounded);
        (next_corner == corners && has_no_folds).then_some(&web[..])
    }
}

/// Returns whether a point of a surface is no corner and lies close to a border.
fn is_on_border(points: &[Vec3], corners: usize, border: usize, point: u16) -> bool {
    let (start, end) = (points[border], points[(border + 1) % corners]);
    let distance =
        orientation(start, end, points[usize::from(point)]).abs() / distance_xz(start, end);
    usize::from(point) >= corners && distance <= RIM_DEVIATION
}

/// A point of a surface relative to a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointByLine {
    /// On which side of the line it lies: its distance times the length of the line, positive on the left.
    pub(crate) side: f64,
    /// How far along the line it lies, as a fraction of the line.
    pub(crate) fraction: f64,
    /// Its height. [Units: m]
    pub(crate) height: f32,
}

impl PointByLine {
    /// Returns where the line crosses an edge from its right to its left: as a fraction of the line, and the height.
    #[inline]
    fn cut([right, left]: [Self; 2]) -> (f64, f64) {
        let share = right.side / (right.side - left.side);
        let mix = |right: f64, left: f64| right + (left - right) * share;
        let [low, high] = [right.height, left.height].map(f64::from);
        (mix(right.fraction, left.fraction), mix(low, high))
    }
}

/// Whether [`NavMesh::cross_surface`] has found the breaks of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BreaksFound {
    /// It has found all breaks, in the order of the line.
    InOrder,
    /// It has found all breaks, in any order.
    Unordered,
    /// It has not found all breaks.
    Incomplete,
}

impl NavMesh {
    /// Returns whether the mesh knows how the triangles of a polygon's finer surface are connected.
    #[cfg(test)]
    pub(crate) fn has_web(&self, polygon: PolygonId) -> bool {
        let SurfaceWebs(webs) = &self.surface_webs;
        !webs.is_empty() && !webs.get(polygon.index()).is_empty()
    }

    /// Calls `visit` with the breaks of a polygon's finer surface along a line: where an edge crosses the line,
    /// as a fraction of the line, and the height there. If the rim runs along the line, its points there are
    /// breaks, too. Ends when `visit` returns false.
    ///
    /// `place` returns where a point is relative to the line. An edge of the rim runs along the line if the sides of
    /// both ends are at most `near`, which must be at least the side of a point at the distance [`RIM_DEVIATION`].
    ///
    /// Triangles with points on both sides form strips, because each of them has exactly two edges that change sides.
    /// A strip begins where the rim changes from the left to the right. A point on the line counts as left. If there
    /// is one such place, the line crosses one strip.
    #[inline]
    pub(crate) fn cross_surface(
        &self,
        polygon: PolygonId,
        place: impl Fn(Vec3) -> PointByLine,
        near: f64,
        mut visit: impl FnMut((f64, f64)) -> bool,
    ) -> BreaksFound {
        let SurfaceWebs(webs) = &self.surface_webs;
        let polygon = self.whole(polygon);
        if webs.is_empty() || webs.get(polygon.index()).is_empty() {
            return BreaksFound::Incomplete;
        }
        let corners = self.corners(polygon);
        let points = self.heights.vertices.get(polygon.index());
        let triangles = self.heights.triangles.get(polygon.index());
        let placed = |i: usize| {
            place(match points.get(i.wrapping_sub(corners.len())) {
                Some(&point) => point,
                None => self.vertex(corners[i]),
            })
        };
        let (neighbours, rim) = webs.get(polygon.index()).split_at(3 * triangles.len());
        let (neighbours, _) = neighbours.as_chunks::<3>();
        let (border_starts, rim) = rim.split_at(corners.len());
        let (rim, _) = rim.as_chunks::<2>();

        // One bit per corner.
        let (mut is_left, mut is_near, mut is_clearly_left) = (0u32, 0u32, 0u32);
        for (i, &corner) in corners.iter().enumerate() {
            let side = place(self.vertex(corner)).side;
            is_left |= u32::from(side >= 0.0) << i;
            is_near |= u32::from(side.abs() <= near) << i;
            is_clearly_left |= u32::from(side > near) << i;
        }
        let all = u32::MAX >> (32 - corners.len());
        let is_clearly_right = all & !is_clearly_left & !is_near;
        let at_next = |bits: u32| bits >> 1 | (bits & 1) << (corners.len() - 1);
        // All points of the other borders are on the same side.
        let mut borders = (is_left ^ at_next(is_left)) | is_near | at_next(is_near);

        let mut found = BreaksFound::InOrder;
        let (mut entry, mut entries) = (None, 0);
        while borders != 0 {
            let border = borders.trailing_zeros() as usize;
            borders &= borders - 1;
            let next = if border + 1 == corners.len() {
                0
            } else {
                border + 1
            };
            let first = usize::from(border_starts[border]);
            let end = match next {
                0 => rim.len(),
                _ => usize::from(border_starts[next]),
            };
            let mut from = placed(border);
            for index in first..end {
                let to = placed(if index + 1 == end {
                    next
                } else {
                    usize::from(rim[index + 1][0])
                });
                if from.side >= 0.0 && to.side < 0.0 {
                    entry = Some((rim[index], [to, from]));
                    entries += 1;
                }
                if from.side.abs() <= near && to.side.abs() <= near {
                    found = BreaksFound::Unordered;
                    visit((from.fraction, f64::from(from.height)));
                    visit((to.fraction, f64::from(to.height)));
                }
                from = to;
            }
        }
        if is_clearly_left == 0 || is_clearly_right == 0 {
            // The line touches only the rim.
            return found;
        }
        let Some(([left_point, mut triangle], [mut right, mut left])) =
            entry.filter(|_| entries == 1)
        else {
            return BreaksFound::Incomplete;
        };
        let mut left_point = u16::from(left_point);
        if !visit(PointByLine::cut([right, left])) {
            return found;
        }
        // The edge through which the line enters a triangle runs from the left to the right.
        for _ in 0..triangles.len() {
            let [a, b, c] = triangles[usize::from(triangle)];
            let (opposite, left_edge, right_edge) = if a == left_point {
                (c, 1, 2)
            } else if b == left_point {
                (a, 2, 0)
            } else {
                (b, 0, 1)
            };
            let top = placed(usize::from(opposite));
            let leaves = if top.side < 0.0 {
                right = top;
                right_edge
            } else {
                left = top;
                left_point = opposite;
                left_edge
            };
            triangle = neighbours[usize::from(triangle)][leaves];
            if !visit(PointByLine::cut([right, left])) || triangle == RIM {
                break;
            }
        }
        found
    }
}
