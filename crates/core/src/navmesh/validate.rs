//! Validates a raw navmesh: its options, list lengths, numbers, and the convexity of every polygon.

use glam::Vec3;

use super::{Heights, NavMeshError, NavMeshOptions, RawNavMesh, Repairs};
use crate::csr::Csr;
use crate::geometry::{distance_xz, orientation};
use crate::ids::MAX_ELEMENTS;

/// The largest absolute coordinate. [Units: m] Squared distances must stay far below the largest `f32`.
pub(crate) const MAX_COORDINATE: f32 = 1e8;

/// The largest cost of a link before the factor of its area. It exceeds the distance between any two
/// valid points.
pub(super) const MAX_COST: f32 = 4.0 * MAX_COORDINATE;

/// The valid polygons of a raw navmesh in their original order, with their raw indices.
pub(super) struct ValidPolygons {
    pub(super) polygons: Csr<u32>,
    pub(super) heights: Heights,
    pub(super) raw_index: Vec<u32>,
    pub(super) repairs: Repairs,
}

/// Checks the options and everything in a raw navmesh. Drops polygons without an area, and makes the
/// others counter-clockwise.
pub(super) fn check(
    raw: &RawNavMesh,
    options: &NavMeshOptions,
) -> Result<ValidPolygons, NavMeshError> {
    let valid = check_part(raw, options)?;
    if valid.polygons.is_empty() {
        let without_area = valid.repairs.without_area;
        return Err(NavMeshError::Empty { without_area });
    }
    Ok(valid)
}

/// Checks what [`check`] does, except that there may be no polygons: for a part of a mesh.
pub(super) fn check_part(
    raw: &RawNavMesh,
    options: &NavMeshOptions,
) -> Result<ValidPolygons, NavMeshError> {
    check_options(options)?;
    check_sizes(raw)?;
    let limit = MAX_COORDINATE;
    let is_bad = |p: &Vec3| !p.is_finite() || p.abs().max_element() > limit;
    if let Some(vertex) = raw.vertices.iter().position(is_bad) {
        return Err(NavMeshError::BadVertex { vertex, limit });
    }
    super::links::check(&raw.links, raw.polygons.len())?;

    let mut valid = ValidPolygons {
        polygons: Csr::new(),
        heights: Heights::default(),
        raw_index: Vec::with_capacity(raw.polygons.len()),
        repairs: Repairs::default(),
    };
    let has_heights = !raw.heights.triangles.is_empty();
    let (mut points, mut triangles) = (Csr::new(), Csr::new());
    let mut current = PolygonCheck::default();
    for polygon in 0..raw.polygons.len() {
        current.read(raw, polygon, &mut valid.repairs)?;
        if has_heights {
            check_heights(raw, polygon)?;
        }
        if current.has_no_area() {
            valid.repairs.without_area += 1;
            continue;
        }
        if current.make_counter_clockwise() {
            valid.repairs.rewound += 1;
        }
        current.check_convex(polygon, options.convexity_tolerance)?;
        if has_heights {
            let raw_corners = raw.polygons.get(polygon).len();
            let renumbered = raw.heights.triangles.get(polygon).iter().map(|triangle| {
                triangle.map(|i| match current.new_index.get(i as usize) {
                    Some(&index) => index,
                    None => i - raw_corners as u16 + current.points.len() as u16,
                })
            });
            triangles.push(renumbered);
            points.push(raw.heights.vertices.get(polygon).iter().copied());
        }
        valid
            .polygons
            .push(current.corners.iter().map(|&(vertex, _)| vertex));
        valid.raw_index.push(polygon as u32);
    }
    valid.heights = Heights {
        vertices: points.into(),
        triangles: triangles.into(),
    };
    Ok(valid)
}

fn check_options(options: &NavMeshOptions) -> Result<(), NavMeshError> {
    let mut numbers = vec![("the convexity tolerance", options.convexity_tolerance)];
    if let Some(borders) = options.borders {
        numbers.extend([
            ("the gap between borders", borders.gap),
            ("the step between borders", borders.step),
        ]);
    }
    match numbers
        .into_iter()
        .find(|(_, value)| !(0.0..=MAX_COORDINATE).contains(value))
    {
        Some((what, value)) => Err(NavMeshError::BadOption { what, value }),
        None => Ok(()),
    }
}

fn check_sizes(raw: &RawNavMesh) -> Result<(), NavMeshError> {
    let counts = [
        ("vertices", raw.vertices.len()),
        ("polygon corners", raw.polygons.values().len()),
        ("links", raw.links.len()),
        ("height points", raw.heights.vertices.values().len()),
    ];
    for (what, count) in counts {
        if count > MAX_ELEMENTS {
            return Err(NavMeshError::TooMany {
                what,
                count,
                limit: MAX_ELEMENTS,
            });
        }
    }
    let expected = raw.polygons.len();
    let has_heights = !(raw.heights.triangles.is_empty() && raw.heights.vertices.is_empty());
    let lists = [
        ("areas", raw.areas.len(), !raw.areas.is_empty()),
        ("flags", raw.flags.len(), !raw.flags.is_empty()),
        ("ids", raw.ids.len(), !raw.ids.is_empty()),
        ("height points", raw.heights.vertices.len(), has_heights),
        ("height triangles", raw.heights.triangles.len(), has_heights),
    ];
    match lists
        .into_iter()
        .find(|&(_, found, given)| given && found != expected)
    {
        Some((what, found, _)) => Err(NavMeshError::WrongLength {
            what,
            expected,
            found,
        }),
        None => Ok(()),
    }
}

fn check_heights(raw: &RawNavMesh, polygon: usize) -> Result<(), NavMeshError> {
    let bad = |what| Err(NavMeshError::BadHeights { polygon, what });
    let points = raw.heights.vertices.get(polygon);
    let point_count = raw.polygons.get(polygon).len() + points.len();
    if point_count > usize::from(u16::MAX) {
        return bad("more than 65535 corners and points");
    }
    if points
        .iter()
        .any(|p| !p.is_finite() || p.abs().max_element() > MAX_COORDINATE)
    {
        return bad("a point is not finite or more than 1e8 m from the origin");
    }
    let triangles = raw.heights.triangles.get(polygon);
    if triangles
        .iter()
        .flatten()
        .any(|&i| usize::from(i) >= point_count)
    {
        return bad("a triangle refers to a point that does not exist");
    }
    Ok(())
}

/// The polygon being validated. Its buffers are reused for the next polygon.
#[derive(Default)]
struct PolygonCheck {
    /// Per remaining corner, the index of its vertex and the index of the corner in the raw polygon.
    corners: Vec<(u32, u16)>,
    /// Per remaining corner, its position.
    points: Vec<Vec3>,
    /// Per raw corner, its index in `corners`.
    new_index: Vec<u16>,
}

impl PolygonCheck {
    /// Reads the corners of a raw polygon and skips corners that repeat the one before.
    fn read(
        &mut self,
        raw: &RawNavMesh,
        polygon: usize,
        repairs: &mut Repairs,
    ) -> Result<(), NavMeshError> {
        let indices = raw.polygons.get(polygon);
        if indices.len() < 3 {
            let count = indices.len();
            return Err(NavMeshError::TooFewVertices { polygon, count });
        }
        if indices.len() > usize::from(u16::MAX) {
            return Err(NavMeshError::TooMany {
                what: "corners of one polygon",
                count: indices.len(),
                limit: usize::from(u16::MAX),
            });
        }
        self.corners.clear();
        self.points.clear();
        self.new_index.clear();
        for (corner, &index) in indices.iter().enumerate() {
            let Some(&point) = raw.vertices.get(index as usize) else {
                return Err(NavMeshError::VertexOutOfRange {
                    polygon,
                    index,
                    vertices: raw.vertices.len(),
                });
            };
            if self.points.last() == Some(&point) {
                repairs.repeated_corners += 1;
            } else {
                self.corners.push((index, corner as u16));
                self.points.push(point);
            }
            self.new_index.push(self.corners.len() as u16 - 1);
        }
        while self.points.len() > 1 && self.points.first() == self.points.last() {
            repairs.repeated_corners += 1;
            let last = self.points.len() as u16 - 1;
            self.corners.pop();
            self.points.pop();
            self.new_index
                .iter_mut()
                .filter(|index| **index == last)
                .for_each(|index| *index = 0);
        }
        Ok(())
    }

    /// Returns whether all corners lie on one line in (x, z), up to rounding.
    fn has_no_area(&self) -> bool {
        let Some(&first) = self.points.first() else {
            return true;
        };
        let mut farthest = first;
        for &point in &self.points {
            if distance_xz(first, point) > distance_xz(first, farthest) {
                farthest = point;
            }
        }
        let max_coordinate = self
            .points
            .iter()
            .fold(0f32, |max, p| max.max(p.x.abs()).max(p.z.abs()));
        let width = 1e-4 + 4.0 * f64::from(max_coordinate * f32::EPSILON);
        let length = distance_xz(first, farthest);
        length <= width
            || self
                .points
                .iter()
                .all(|&p| orientation(first, farthest, p).abs() <= width * length)
    }

    /// Reverses the corners if they are in clockwise order, and returns whether they were.
    fn make_counter_clockwise(&mut self) -> bool {
        let first = self.points[0];
        let area: f64 = self
            .points
            .windows(2)
            .map(|pair| orientation(first, pair[0], pair[1]))
            .sum();
        if area >= 0.0 {
            return false;
        }
        self.corners.reverse();
        self.points.reverse();
        let last = self.points.len() as u16 - 1;
        self.new_index
            .iter_mut()
            .for_each(|index| *index = last - *index);
        true
    }

    fn check_convex(&self, polygon: usize, tolerance: f32) -> Result<(), NavMeshError> {
        let count = self.points.len();
        let mut has_dent = false;
        for i in 0..count {
            let before = self.points[(i + count - 1) % count];
            let (here, after) = (self.points[i], self.points[(i + 1) % count]);
            let bend = orientation(before, here, after);
            let (u, v) = ((here - before).as_dvec3(), (after - here).as_dvec3());
            let dot = u.x * v.x + u.z * v.z;
            // A spike, where the border doubles back on itself, is a dent as deep as the spike is long.
            let spike = distance_xz(before, here).min(distance_xz(here, after));
            if bend <= 0.0 && dot < 0.0 && spike > f64::from(tolerance) {
                return Err(self.not_convex(polygon, i, spike, tolerance));
            }
            has_dent |= bend < 0.0;
        }
        if has_dent
            && let Some((corner, depth)) = self.deepest_dent()
            && depth > f64::from(tolerance)
        {
            return Err(self.not_convex(polygon, corner, depth, tolerance));
        }
        // A self-crossing star such as a pentagram has at least five corners, and its border turns around
        // more than once.
        if count >= 5 && self.turns() > 1 {
            return Err(NavMeshError::SelfCrossing { polygon });
        }
        Ok(())
    }

    /// Returns the turning number of the border: how often its direction turns around to the left. This
    /// is how often the direction crosses that of the x axis from below, minus how often from above. A
    /// reversal of the direction counts as a left turn.
    fn turns(&self) -> i32 {
        let next = self.points.iter().cycle().skip(1);
        let edges = self.points.iter().zip(next).map(|(&a, &b)| b - a);
        let directions = edges
            .map(|edge| [f64::from(edge.x), f64::from(edge.z)])
            .filter(|&direction| direction != [0.0, 0.0]);
        let is_below = |[x, z]: [f64; 2]| z < 0.0 || (z == 0.0 && x < 0.0);
        let Some(mut before) = directions.clone().last() else {
            return 0;
        };
        let mut turns = 0;
        for after in directions {
            let turns_left = before[0] * after[1] - before[1] * after[0] >= 0.0;
            match (is_below(before), is_below(after)) {
                (true, false) if turns_left => turns += 1,
                (false, true) if !turns_left => turns -= 1,
                _ => {}
            }
            before = after;
        }
        turns
    }

    fn not_convex(
        &self,
        polygon: usize,
        corner: usize,
        depth: f64,
        tolerance: f32,
    ) -> NavMeshError {
        let corner = usize::from(self.corners[corner].1);
        NavMeshError::NotConvex {
            polygon,
            corner,
            depth: depth as f32,
            tolerance,
        }
    }

    /// Returns the corner that lies deepest inside the convex hull, and its depth. A comparison with
    /// the two neighbours of each corner would accept a ring of many shallow dents.
    ///
    /// This follows the border counter-clockwise from a corner of the hull. The hull so far is a chain
    /// that only turns left. A corner that would make it turn right removes corners from the chain.
    /// The depth of a removed corner is its distance from the chord that replaces it.
    fn deepest_dent(&self) -> Option<(usize, f64)> {
        let count = self.points.len();
        let lowest = |&a: &usize, &b: &usize| {
            let (a, b) = (self.points[a], self.points[b]);
            a.z.total_cmp(&b.z).then(a.x.total_cmp(&b.x))
        };
        let start = (0..count).min_by(lowest)?;
        let mut hull: Vec<usize> = Vec::new();
        let mut inside = vec![false; count];
        for i in (0..=count).map(|i| (start + i) % count) {
            while let [.., before, last] = hull[..]
                && orientation(self.points[before], self.points[last], self.points[i]) <= 0.0
            {
                inside[last] = true;
                hull.pop();
            }
            hull.push(i);
        }
        let mut deepest: Option<(usize, f64)> = None;
        for chord in hull.windows(2) {
            let (from, to) = (self.points[chord[0]], self.points[chord[1]]);
            let length = distance_xz(from, to).max(f64::MIN_POSITIVE);
            let mut corner = (chord[0] + 1) % count;
            while corner != chord[1] && inside[corner] {
                let depth = orientation(from, to, self.points[corner]) / length;
                if deepest.is_none_or(|(_, max_depth)| depth > max_depth) {
                    deepest = Some((corner, depth));
                }
                corner = (corner + 1) % count;
            }
        }
        deepest
    }
}
