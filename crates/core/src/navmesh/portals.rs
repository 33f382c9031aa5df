//! Where one polygon leads to another.
//!
//! Borders between the same two corners meet first. What is left over, walls and the rims of
//! tiles, is matched by where it lies: two borders that run against each other on one line, as
//! seen from above, with no more than a step between them, share the part where they overlap. So
//! one border can meet several, as it does where tiles of different detail touch.

use glam::Vec3;

use super::tree::BoxTree;
use super::{BorderMatching, NavMeshError, Repairs};
use crate::csr::Csr;
use crate::geometry::{Aabb, lerp};
use crate::ids::{MAX_ELEMENTS, PolygonId, PortalId};

/// The border, or the part of it, that two polygons share.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Portal {
    /// The two polygons, the lower id first.
    pub polygons: [PolygonId; 2],
    /// Its right end for one who walks from `polygons[0]` to `polygons[1]`.
    pub right: Vec3,
    /// Its left end.
    pub left: Vec3,
}

impl Portal {
    /// The portal's middle.
    pub fn middle(&self) -> Vec3 {
        lerp(self.right, self.left, 0.5)
    }

    /// Its ends for one who walks out of `from`: right, left.
    #[inline]
    pub fn ends_from(&self, from: PolygonId) -> [Vec3; 2] {
        if self.polygons[0] == from {
            [self.right, self.left]
        } else {
            [self.left, self.right]
        }
    }

    /// The polygon on the other side of one of its two.
    #[inline]
    pub fn beyond(&self, polygon: PolygonId) -> PolygonId {
        match self.polygons {
            [first, second] if first == polygon => second,
            [first, _] => first,
        }
    }

    /// The portal between `from`, whose border runs from `start` to `end`, and `to`. A
    /// counter-clockwise polygon lies to the left of its borders, so who leaves it has the
    /// border's start on the right.
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

/// Per polygon, its portals in ascending order.
pub(super) fn portals_of(polygons: usize, portals: &[Portal]) -> Csr<PortalId> {
    let ids = (0..).map(PortalId).zip(portals);
    let sides = ids.flat_map(|(id, portal)| portal.polygons.map(|polygon| (polygon.0, id)));
    Csr::group(polygons, &sides.collect::<Vec<_>>())
}

/// One border of one polygon.
#[derive(Clone, Copy)]
struct Border {
    polygon: PolygonId,
    start: Vec3,
    end: Vec3,
}

/// What polygons and vertices are called in the raw navmesh, for errors.
pub(super) struct RawNames<'a> {
    pub(super) polygons: &'a [u32],
    pub(super) vertices: &'a [u32],
}

/// All portals, ordered by their polygons.
pub(super) fn find(
    vertices: &[Vec3],
    polygons: &Csr<u32>,
    matching: Option<BorderMatching>,
    names: &RawNames<'_>,
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
            Border {
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
            crowd => {
                let polygon = |i: usize| names.polygons[(crowd[i].1 >> 1) as usize] as usize;
                let vertex = |v: u64| names.vertices[(v & u64::from(u32::MAX)) as usize];
                let mut vertices = [vertex(crowd[0].0 >> 32), vertex(crowd[0].0)];
                vertices.sort_unstable();
                let polygons = [polygon(0), polygon(1), polygon(2)];
                return Err(NavMeshError::CrowdedBorder { polygons, vertices });
            }
        }
    }
    if let Some(matching) = matching {
        match_by_place(&unmatched, matching, names, &mut portals)?;
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

/// Puts portals in order of their polygons; those of the same two by where they lie.
pub(super) fn sort(portals: &mut [Portal]) {
    let coordinates = |p: &Portal| [p.right.x, p.right.z, p.left.x, p.left.z, p.right.y];
    portals.sort_unstable_by(|a, b| {
        let by_place = || {
            let pairs = coordinates(a).into_iter().zip(coordinates(b));
            pairs
                .map(|(a, b)| a.total_cmp(&b))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        a.polygons.cmp(&b.polygons).then_with(by_place)
    });
}

/// All borders as (lower corner, higher corner; polygon, whether it runs from high to low), sorted,
/// so that borders between the same corners stand together.
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

/// Pairs of borders that may lie on one another, and portals that may come of them, a border on
/// average. Tiles have a handful; thousands are a heap of polygons at one place, whose number of
/// portals would grow with the square.
const MOST_PAIRS: usize = 1000;
const MOST_PORTALS: usize = 16;

fn match_by_place(
    borders: &[Border],
    matching: BorderMatching,
    names: &RawNames<'_>,
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
            // Each pair is looked at once, from its lower polygon.
            if border.polygon < other.polygon {
                portals.extend(common_part(border, other, matching));
            }
        });
        let is_heap = pairs > MOST_PAIRS * (borders.len() + MOST_PAIRS)
            || portals.len() - before > MOST_PORTALS * (borders.len() + MOST_PORTALS);
        if is_heap {
            let polygon = names.polygons[border.polygon.index()] as usize;
            return Err(NavMeshError::HeapOfBorders { polygon });
        }
    }
    Ok(())
}

/// The part of two borders that is one portal, if any.
fn common_part(border: &Border, other: &Border, matching: BorderMatching) -> Option<Portal> {
    let (gap, step) = (f64::from(matching.gap), f64::from(matching.step));
    let start = border.start.as_dvec3();
    let run = (border.end.as_dvec3() - start).with_y(0.0);
    let length = run.length();
    if length <= gap {
        return None;
    }
    let along = run / length;
    // Per end of the other border: how far along this one it lies, how far beside it.
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
    // `from.0 - to.0` is at least `high - low`: the borders run against each other.
    let other_at = |at: f64| {
        let share = (from.0 - at) / (from.0 - to.0);
        (
            from.1 + (to.1 - from.1) * share,
            from.2 + (to.2 - from.2) * share,
        )
    };
    let ends = [low, high].map(|at| {
        let mine = lerp(border.start, border.end, at / length);
        let (beside, height) = other_at(at);
        (mine, beside, height - f64::from(mine.y))
    });
    if ends.iter().any(|&(_, beside, _)| beside.abs() > gap) {
        return None;
    }
    // The rise is linear from one end to the other; the portal is where it can be climbed.
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
    let [start, end] = [enter, leave].map(|share| {
        let mine = lerp(ends[0].0, ends[1].0, share);
        mine.with_y((f64::from(mine.y) + (first + (last - first) * share) / 2.0) as f32)
    });
    Some(Portal::new(border.polygon, other.polygon, start, end))
}
