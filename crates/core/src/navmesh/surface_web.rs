//! The finer surface of a polygon in the layout that a line reads which follows it from triangle to triangle,
//! instead of being compared with every triangle.

use glam::Vec3;

use super::validate::MAX_COORDINATE;
use super::{Heights, NavMesh};
use crate::csr::{Csr, Lists};
use crate::geometry::{distance_xz, orientation};

/// Per polygon, the points of its finer surface, and how its triangles are connected: some 12 bytes per triangle and 12
/// per point.
///
/// The list of a polygon consists of these words:
/// - the numbers of points on the rim, of points and of triangles, in a byte each, the first one in the lowest;
/// - the positions of the points, the x of [`LANES`] points and then their z, again and again;
/// - the heights of the points. Like positions, they are padded with copies of the last one to a multiple of [`LANES`]. The
///   points of the rim come first, counter-clockwise from corner 0;
/// - per point of the rim, the [edge](WebEdge) that begins there;
/// - three edges per triangle.
///
/// A list is empty unless the surface is one piece without holes, with one triangle on each side of an inner edge, without
/// upside-down triangles or folds, small enough for the bits of these words, and unless its rim follows the borders of the
/// polygon. Bakes create such surfaces; imported ones may be different.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SurfaceWebs(Lists<u32>);

/// The number of points that are compared with a line at once.
pub(super) const LANES: usize = 4;

/// The largest number of points on a rim: one bit each.
pub(super) const MAX_RIM: usize = u64::BITS as usize;

/// No surface has more points, rounded up to a multiple of [`LANES`].
pub(super) const MAX_POINTS: usize = 1 << WebEdge::POINT_BITS;

/// The largest distance of a point of the rim from its border. [Units: m]
pub(crate) const RIM_DEVIATION: f64 = 5e-4;

/// An edge of a triangle, counter-clockwise, in one word: the point opposite, and where a line that enters the triangle
/// through this edge enters the next one. The edge then runs from the left of the line to its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WebEdge(u32);

impl WebEdge {
    const POINT_BITS: u32 = 8;
    const EDGE_BITS: u32 = 10;
    /// Instead of the next edge: the line leaves the surface.
    pub(super) const NONE: usize = (1 << Self::EDGE_BITS) - 1;

    /// `next` are the edges through which the line leaves if the point opposite is on its left, and on its right.
    fn new(opposite: u8, next: [u16; 2]) -> Self {
        let [left, right] = next.map(u32::from);
        Self(u32::from(opposite) | (left | right << Self::EDGE_BITS) << Self::POINT_BITS)
    }

    /// Returns the point of the triangle that is not on the edge.
    #[inline(always)]
    pub(super) fn opposite(self) -> u8 {
        self.0 as u8
    }

    /// Returns the edge through which a line enters the next triangle, or [`NONE`](Self::NONE). `is_right` is 1 if the
    /// point opposite is on its right, and otherwise 0.
    #[inline(always)]
    pub(super) fn next(self, is_right: usize) -> usize {
        (self.0 >> (Self::POINT_BITS as usize + Self::EDGE_BITS as usize * is_right)) as usize
            & Self::NONE
    }
}

/// The web of one polygon.
#[derive(Clone, Copy)]
pub(super) struct SurfaceWeb<'a> {
    /// The number of points on the rim.
    pub(super) rim: usize,
    pub(super) triangles: usize,
    /// The x and the z of points.
    pub(super) positions: &'a [[[f32; LANES]; 2]],
    heights: &'a [f32],
    rim_edges: &'a [u32],
    edges: &'a [u32],
}

impl<'a> SurfaceWeb<'a> {
    #[inline]
    fn new(words: &'a [u32]) -> Option<Self> {
        let (&header, words) = words.split_first()?;
        let [rim, points, triangles, _] = header.to_le_bytes().map(usize::from);
        let lanes = points.div_ceil(LANES);
        let (positions, words) = words.split_at_checked(2 * lanes * LANES)?;
        let (positions, _) = bytemuck::cast_slice(positions).as_chunks::<LANES>();
        let (heights, words) = words.split_at_checked(lanes * LANES)?;
        let (rim_edges, edges) = words.split_at_checked(rim)?;
        Some(Self {
            rim,
            triangles,
            positions: positions.as_chunks::<2>().0,
            heights: bytemuck::cast_slice(heights),
            rim_edges,
            edges,
        })
    }

    /// Returns the height of a point. [Units: m]
    #[inline(always)]
    pub(super) fn height(&self, point: usize) -> f64 {
        f64::from(self.heights[point])
    }

    /// Returns the edge of the rim that begins at a point of the rim.
    #[inline(always)]
    pub(super) fn rim_edge(&self, point: usize) -> usize {
        self.rim_edges[point] as usize
    }

    #[inline(always)]
    pub(super) fn edge(&self, edge: usize) -> WebEdge {
        WebEdge(self.edges[edge])
    }

    /// Returns whether this web, from a file, can be followed.
    fn is_valid(&self, corners: usize, points: usize, triangles: usize) -> bool {
        let lanes = points.div_ceil(LANES);
        let edge_exists = |&edge: &u32| (edge as usize) < self.edges.len();
        let is_valid = |&word: &u32| {
            let edge = WebEdge(word);
            let next = [0, 1].map(|is_right| edge.next(is_right));
            usize::from(edge.opposite()) < points
                && next
                    .iter()
                    .all(|&next| next == WebEdge::NONE || next < self.edges.len())
        };
        let positions = self.positions.as_flattened().as_flattened();
        let in_range = |value: &f32| value.abs() <= MAX_COORDINATE;
        self.triangles == triangles
            && self.edges.len() == 3 * triangles
            && (corners..=points.min(MAX_RIM)).contains(&self.rim)
            && self.positions.len() == lanes
            && positions.iter().chain(self.heights).all(in_range)
            && self.rim_edges.iter().all(edge_exists)
            && self.edges.iter().all(is_valid)
    }
}

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

    /// Returns the web of a polygon, if it has one.
    #[inline]
    pub(super) fn of(&self, polygon: usize) -> Option<SurfaceWeb<'_>> {
        if self.0.is_empty() {
            return None;
        }
        SurfaceWeb::new(self.0.get(polygon))
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
    pub(super) fn lists(&self) -> &Lists<u32> {
        &self.0
    }

    /// Creates webs from the lists of a file, which [`fits`](Self::fits) has to check.
    pub(super) fn from_lists(webs: Lists<u32>) -> Self {
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
        self.of(polygon)
            .is_some_and(|web| web.is_valid(corners, points, triangles))
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
    /// Per edge, the same edge of the triangle on its other side.
    twins: Vec<u16>,
    /// Per point, whether it is on the rim or has an angle of some triangle that is not 0.
    surrounded: Vec<bool>,
    /// The edges of the rim, counter-clockwise from corner 0.
    rim: Vec<u16>,
    /// The points in the order of the web, and the position of each.
    order: Vec<u16>,
    positions: Vec<u8>,
    /// The list of [`SurfaceWebs`].
    web: Vec<u32>,
}

const NO_EDGE: u16 = u16::MAX;

/// Returns the points at which an edge begins and ends.
fn ends(triangles: &[[u16; 3]], edge: usize) -> [u16; 2] {
    let (triangle, side) = (triangles[edge / 3], edge % 3);
    [triangle[side], triangle[(side + 1) % 3]]
}

impl WebBuffers {
    /// Returns the web of a surface, or `None` if its triangles are not connected as they should be.
    fn connect(&mut self, triangles: &[[u16; 3]], corners: usize) -> Option<&[u32]> {
        if triangles.is_empty()
            || triangles.len() > usize::from(u8::MAX)
            || self.points.len() > usize::from(u8::MAX)
        {
            return None;
        }
        self.find_twins(triangles)?;
        self.follow_rim(triangles, corners)?;
        // The angles around an inner point add up to a multiple of a full turn, and all angles of the surface to
        // a full turn per inner point and the angles of the polygon. So if none adds up to 0, each is one full
        // turn: the surface has no folds, although it may have empty triangles.
        let mut inner = self.first.iter().zip(&self.surrounded);
        let has_no_folds = inner.all(|(&edge, &is_surrounded)| edge == NO_EDGE || is_surrounded);
        has_no_folds.then(|| self.write(triangles))
    }

    /// Finds the edges at each point and the twin of each edge. Returns `None` if an edge is not unique, or if a triangle is
    /// upside down.
    fn find_twins(&mut self, triangles: &[[u16; 3]]) -> Option<()> {
        let edges = 3 * triangles.len();
        self.first.clear();
        self.first.resize(self.points.len(), NO_EDGE);
        self.next.clear();
        for edge in 0..edges {
            let [from, _] = ends(triangles, edge);
            let first = &mut self.first[usize::from(from)];
            self.next.push(std::mem::replace(first, edge as u16));
        }
        self.surrounded.clear();
        self.surrounded.resize(self.points.len(), false);
        for triangle in triangles {
            let corners = triangle.map(|i| self.points[usize::from(i)]);
            let area = orientation(corners[0], corners[1], corners[2]);
            if area < 0.0 {
                return None;
            }
            for side in 0..3 {
                let [p, a, b] = [0, 1, 2].map(|i| corners[(side + i) % 3].with_y(0.0));
                self.surrounded[usize::from(triangle[side])] |=
                    area > 0.0 || (a - p).dot(b - p) < 0.0;
            }
        }
        let mut twins = std::mem::take(&mut self.twins);
        twins.clear();
        let is_unique = (0..edges).all(|edge| {
            let [from, to] = ends(triangles, edge);
            let same = self
                .edges_from(from)
                .filter(|&edge| ends(triangles, edge)[1] == to);
            let twin = self
                .edges_from(to)
                .find(|&edge| ends(triangles, edge)[1] == from);
            twins.push(twin.map_or(NO_EDGE, |twin| twin as u16));
            same.count() == 1
        });
        self.twins = twins;
        is_unique.then_some(())
    }

    fn edges_from(&self, point: u16) -> impl Iterator<Item = usize> {
        let existing = |edge: u16| Some(usize::from(edge)).filter(|_| edge != NO_EDGE);
        let first = existing(self.first[usize::from(point)]);
        std::iter::successors(first, move |&edge| existing(self.next[edge]))
    }

    /// Follows the rim until it closes. Returns `None` if it does so early, because then the surface has several rims, or if
    /// the rim does not follow the borders.
    fn follow_rim(&mut self, triangles: &[[u16; 3]], corners: usize) -> Option<()> {
        let is_rim = |edge: &usize| self.twins[*edge] == NO_EDGE;
        let rim_edges = (0..self.twins.len()).filter(is_rim).count();
        if rim_edges > MAX_RIM {
            return None;
        }
        let rim_start = self.edges_from(0).find(is_rim)?;
        let mut edge = rim_start;
        let mut next_corner = 0;
        self.rim.clear();
        for index in 0..rim_edges {
            let [from, to] = ends(triangles, edge);
            if usize::from(from) == next_corner && next_corner < corners {
                next_corner += 1;
            } else if next_corner == 0
                || !is_on_border(&self.points, corners, next_corner - 1, from)
            {
                return None;
            }
            self.surrounded[usize::from(from)] = true;
            self.rim.push(edge as u16);
            let mut beyond = self.edges_from(to).filter(is_rim);
            edge = beyond.next().filter(|_| beyond.next().is_none())?;
            let is_last = index + 1 == rim_edges;
            if (edge == rim_start) != is_last {
                return None;
            }
        }
        (next_corner == corners).then_some(())
    }

    /// Writes the web of a surface that is connected as it should be.
    fn write(&mut self, triangles: &[[u16; 3]]) -> &[u32] {
        let Self {
            points,
            twins,
            rim,
            order,
            positions,
            web,
            ..
        } = self;
        order.clear();
        order.extend(rim.iter().map(|&edge| ends(triangles, edge.into())[0]));
        positions.clear();
        positions.resize(points.len(), u8::MAX);
        for (position, &point) in (0..).zip(&*order) {
            positions[usize::from(point)] = position;
        }
        for (point, position) in (0..).zip(positions.iter_mut()) {
            if *position == u8::MAX {
                *position = order.len() as u8;
                order.push(point);
            }
        }
        web.clear();
        let counts = [rim.len(), points.len(), triangles.len(), 0];
        web.push(u32::from_le_bytes(counts.map(|count| count as u8)));
        let padding = order.len().next_multiple_of(LANES) - order.len();
        order.extend(std::iter::repeat_n(order[order.len() - 1], padding));
        let point = |&point: &u16| points[usize::from(point)];
        for chunk in order.chunks(LANES) {
            web.extend(chunk.iter().map(|i| point(i).x.to_bits()));
            web.extend(chunk.iter().map(|i| point(i).z.to_bits()));
        }
        web.extend(order.iter().map(|i| point(i).y.to_bits()));
        web.extend(rim.iter().map(|&edge| u32::from(edge)));
        for (triangle, points) in triangles.iter().enumerate() {
            for side in 0..3 {
                let [after, before] = [1, 2].map(|i| (side + i) % 3);
                let opposite = positions[usize::from(points[before])];
                let next = [after, before].map(|side| match twins[3 * triangle + side] {
                    NO_EDGE => WebEdge::NONE as u16,
                    twin => twin,
                });
                web.push(WebEdge::new(opposite, next).0);
            }
        }
        web
    }
}

/// Returns whether a point of a surface is no corner and lies close to a border.
fn is_on_border(points: &[Vec3], corners: usize, border: usize, point: u16) -> bool {
    let (start, end) = (points[border], points[(border + 1) % corners]);
    let distance =
        orientation(start, end, points[usize::from(point)]).abs() / distance_xz(start, end);
    usize::from(point) >= corners && distance <= RIM_DEVIATION
}

impl NavMesh {
    /// Returns whether the mesh knows how the triangles of a polygon's finer surface are connected.
    #[cfg(test)]
    pub(crate) fn has_web(&self, polygon: crate::ids::PolygonId) -> bool {
        self.surface_webs.of(polygon.index()).is_some()
    }
}
