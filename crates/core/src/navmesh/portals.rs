//! Finds the portals between polygons.
//!
//! Borders between the same two vertices are matched first. The remaining borders, which are walls and
//! the edges of tiles, are matched by position. Two borders that run in opposite directions along the
//! same line in plan, with at most a step in height between them, share the part where they overlap.
//! So one border can have several portals, for example between tiles of different detail.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use super::tree::BoxTree;
use super::{BorderMatching, NavMeshError, Repairs};
use crate::csr::{Csr, Lists};
use crate::geometry::{Aabb, lerp};
use crate::ids::{MAX_ELEMENTS, PolygonId, PortalId};

/// The border, or the part of a border, that two polygons share.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Portal {
    /// The two polygons, the lower id first.
    pub polygons: [PolygonId; 2],
    /// The end on the right-hand side when walking from `polygons[0]` to `polygons[1]`. [Units: m]
    pub right: Vec3,
    /// The end on the left-hand side when walking from `polygons[0]` to `polygons[1]`. [Units: m]
    pub left: Vec3,
}

impl Portal {
    /// Returns the midpoint of the portal.
    pub fn midpoint(&self) -> Vec3 {
        lerp(self.right, self.left, 0.5)
    }

    /// Returns the right and the left end as seen when leaving the polygon `from`.
    #[inline]
    pub fn ends_from(&self, from: PolygonId) -> [Vec3; 2] {
        if self.polygons[0] == from {
            [self.right, self.left]
        } else {
            [self.left, self.right]
        }
    }

    /// Returns the polygon on the other side of the portal from `polygon`.
    #[inline]
    pub fn beyond(&self, polygon: PolygonId) -> PolygonId {
        match self.polygons {
            [first, second] if first == polygon => second,
            [first, _] => first,
        }
    }

    /// Creates the portal between `from`, whose border runs from `start` to `end`, and `to`. A
    /// counter-clockwise polygon lies to the left of its borders, so the start of the border is on the
    /// right when leaving the polygon.
    pub(super) fn new(from: PolygonId, to: PolygonId, start: Vec3, end: Vec3) -> Self {
        let (polygons, [right, left]) = if from < to {
            ([from, to], [start, end])
        } else {
            ([to, from], [end, start])
        };
        Self {
            polygons,
            right,
            left,
        }
    }
}

/// Returns, per polygon, its portals in ascending order.
pub(super) fn portals_of(polygons: usize, portals: &[Portal]) -> Lists<PortalId> {
    let ids = (0..).map(PortalId).zip(portals);
    let sides = ids.flat_map(|(id, portal)| portal.polygons.map(|polygon| (polygon.0, id)));
    Csr::group(polygons, &sides.collect::<Vec<_>>()).into()
}

/// One border of one polygon.
#[derive(Clone, Copy)]
pub(super) struct PolygonBorder {
    pub(super) polygon: PolygonId,
    pub(super) start: Vec3,
    pub(super) end: Vec3,
}

/// The indices of polygons and vertices in the raw navmesh, for error messages.
pub(super) struct RawIds<'a> {
    pub(super) polygons: &'a [u32],
    pub(super) vertices: &'a [u32],
}

/// Finds all portals and sorts them by their polygons.
pub(super) fn find(
    vertices: &[Vec3],
    polygons: &Csr<u32>,
    matching: Option<BorderMatching>,
    raw_ids: &RawIds<'_>,
    repairs: &mut Repairs,
) -> Result<Vec<Portal>, NavMeshError> {
    let mut portals = Vec::new();
    let mut unmatched = Vec::new();
    for group in borders_by_corners(polygons).chunk_by(|a, b| a.0 == b.0) {
        let border = |&(corners, polygon): &(u64, u64)| {
            let (low, high) = (
                (corners >> 32) as usize,
                (corners & u64::from(u32::MAX)) as usize,
            );
            let (start, end) = if polygon & 1 == 0 {
                (low, high)
            } else {
                (high, low)
            };
            PolygonBorder {
                polygon: PolygonId((polygon >> 1) as u32),
                start: vertices[start],
                end: vertices[end],
            }
        };
        match group {
            [one, two] if one.1 & 1 != two.1 & 1 && one.1 >> 1 != two.1 >> 1 => {
                let (one, two) = (border(one), border(two));
                portals.push(Portal::new(one.polygon, two.polygon, one.start, one.end));
            }
            [_, _] => repairs.folds += 1,
            [one] => unmatched.push(border(one)),
            many => {
                let polygon = |i: usize| raw_ids.polygons[(many[i].1 >> 1) as usize] as usize;
                let vertex = |v: u64| raw_ids.vertices[(v & u64::from(u32::MAX)) as usize];
                let mut vertices = [vertex(many[0].0 >> 32), vertex(many[0].0)];
                vertices.sort_unstable();
                let polygons = [polygon(0), polygon(1), polygon(2)];
                return Err(NavMeshError::CrowdedBorder { polygons, vertices });
            }
        }
    }
    if let Some(matching) = matching {
        match_by_position(&unmatched, matching, raw_ids, &mut portals)?;
    }
    if portals.len() > MAX_ELEMENTS {
        return Err(NavMeshError::TooMany {
            what: "portals",
            count: portals.len(),
            limit: MAX_ELEMENTS,
        });
    }
    sort(&mut portals);
    Ok(portals)
}

/// Sorts portals by their polygons, and portals between the same two polygons by their coordinates.
pub(super) fn sort(portals: &mut [Portal]) {
    let coordinates = |p: &Portal| [p.right.x, p.right.z, p.left.x, p.left.z, p.right.y];
    portals.sort_unstable_by(|a, b| {
        let by_coordinates = || {
            let pairs = coordinates(a).into_iter().zip(coordinates(b));
            pairs
                .map(|(a, b)| a.total_cmp(&b))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        a.polygons.cmp(&b.polygons).then_with(by_coordinates)
    });
}

/// Returns all borders, sorted so that borders between the same vertices are adjacent. The first word
/// has the lower vertex in its high half and the higher vertex in its low half. The second word is twice
/// the polygon, plus 1 if the border runs from the higher to the lower vertex.
fn borders_by_corners(polygons: &Csr<u32>) -> Vec<(u64, u64)> {
    let mut borders = Vec::with_capacity(polygons.values().len());
    for (polygon, corners) in polygons.iter().enumerate() {
        for (i, &start) in corners.iter().enumerate() {
            let end = corners[if i + 1 == corners.len() { 0 } else { i + 1 }];
            let corners = u64::from(start.min(end)) << 32 | u64::from(start.max(end));
            borders.push((corners, (polygon as u64) << 1 | u64::from(start > end)));
        }
    }
    borders.sort_unstable();
    borders
}

/// The maximum number of nearby borders, per border on average. Tiles have a handful. If many polygons
/// overlap, there are thousands, and the number of portals grows with the square of their number.
const MAX_PAIRS: usize = 1000;
/// The maximum number of portals, per border on average.
const MAX_PORTALS: usize = 16;

/// Adds the portals between borders that share no vertices. See the documentation of the module.
fn match_by_position(
    borders: &[PolygonBorder],
    matching: BorderMatching,
    raw_ids: &RawIds<'_>,
    portals: &mut Vec<Portal>,
) -> Result<(), NavMeshError> {
    let boxes: Vec<Aabb> = borders
        .iter()
        .map(|b| Aabb::around([b.start, b.end]))
        .collect();
    let (tree, order) = BoxTree::build(&boxes);
    let reach = Vec3::new(matching.gap, matching.step, matching.gap);
    let before = portals.len();
    let mut pairs = 0;
    for (i, border) in borders.iter().enumerate() {
        tree.for_each_near(boxes[i].grown(reach), |j| {
            let other = &borders[order[j as usize] as usize];
            pairs += 1;
            // Each pair is examined once, from its lower polygon.
            if border.polygon < other.polygon {
                portals.extend(common_part(border, other, matching));
            }
        });
        let too_many_overlap = pairs > MAX_PAIRS * (borders.len() + MAX_PAIRS)
            || portals.len() - before > MAX_PORTALS * (borders.len() + MAX_PORTALS);
        if too_many_overlap {
            let polygon = raw_ids.polygons[border.polygon.index()] as usize;
            return Err(NavMeshError::OverlappingBorders { polygon });
        }
    }
    Ok(())
}

/// Returns the portal where two borders overlap, if there is one.
pub(super) fn common_part(
    border: &PolygonBorder,
    other: &PolygonBorder,
    matching: BorderMatching,
) -> Option<Portal> {
    let (gap, step) = (f64::from(matching.gap), f64::from(matching.step));
    let start = border.start.as_dvec3();
    let direction = (border.end.as_dvec3() - start).with_y(0.0);
    let length = direction.length();
    if length <= gap {
        return None;
    }
    let along = direction / length;
    // Per end of the other border: its distance along this border, its distance beside it, its height.
    let [from, to] = [other.start, other.end].map(|p| {
        let offset = p.as_dvec3() - start;
        (
            offset.dot(along),
            offset.z * along.x - offset.x * along.z,
            f64::from(p.y),
        )
    });
    let (low, high) = (to.0.max(0.0), from.0.min(length));
    if high - low <= gap {
        return None;
    }
    // The borders run in opposite directions, so `from.0 - to.0` is at least `high - low`.
    let other_at = |at: f64| {
        let fraction = (from.0 - at) / (from.0 - to.0);
        (
            from.1 + (to.1 - from.1) * fraction,
            from.2 + (to.2 - from.2) * fraction,
        )
    };
    let ends = [low, high].map(|at| {
        let point = lerp(border.start, border.end, at / length);
        let (beside, height) = other_at(at);
        (point, beside, height - f64::from(point.y))
    });
    if ends.iter().any(|&(_, beside, _)| beside.abs() > gap) {
        return None;
    }
    // The difference in height is linear between the ends. The portal is the part within `step`.
    let (first, last) = (ends[0].2, ends[1].2);
    let at = |rise: f64| (rise - first) / (last - first);
    let (enter, leave) = if first == last {
        (0.0, if first.abs() <= step { 1.0 } else { 0.0 })
    } else {
        (
            at(step).min(at(-step)).max(0.0),
            at(step).max(at(-step)).min(1.0),
        )
    };
    if (leave - enter) * (high - low) <= gap {
        return None;
    }
    let [start, end] = [enter, leave].map(|fraction| {
        let point = lerp(ends[0].0, ends[1].0, fraction);
        point.with_y((f64::from(point.y) + (first + (last - first) * fraction) / 2.0) as f32)
    });
    Some(Portal::new(border.polygon, other.polygon, start, end))
}
