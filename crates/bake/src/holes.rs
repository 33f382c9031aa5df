//! Joins the holes of a region to its outline, because the triangulation needs a single ring of corners.
//!
//! A hole is the contour of an obstacle inside a region. It is joined to the outline by a cut from
//! one to the other. Recast does the same in `mergeRegionHoles`, which the crate `rerecast` lacks.

use rerecast::Contour;

use crate::tile::PieceError;

type ContourVertex = (glam::U16Vec3, u32);

/// Maximum number of corners of a region, including its holes. Joining holes and triangulating take
/// quadratic time.
const MAX_CORNERS: usize = 2048;

/// Joins every hole to the outline of its region. Drops contours without area.
pub(crate) fn join(contours: Vec<Contour>) -> Result<Vec<Contour>, PieceError> {
    let mut by_region: Vec<Contour> = contours;
    // The sort is stable: the contours of a region keep their order.
    by_region.sort_by_key(|contour| contour.region.bits());
    let mut joined = Vec::with_capacity(by_region.len());
    for group in by_region.chunk_by(|a, b| a.region == b.region) {
        let corners: usize = group.iter().map(|contour| contour.vertices.len()).sum();
        if corners > MAX_CORNERS {
            return Err(PieceError::Split(format!(
                "a region with {corners} corners"
            )));
        }
        let (mut outlines, mut holes) = (Vec::new(), Vec::new());
        for contour in group {
            match twice_area(&contour.vertices) {
                0 => {}
                area if area > 0 => outlines.push(contour),
                _ => holes.push(contour),
            }
        }
        if holes.is_empty() {
            joined.extend(outlines.into_iter().cloned());
            continue;
        }
        let [outline] = outlines[..] else {
            return Err(PieceError::Split(
                "a region with holes and no single outline".into(),
            ));
        };
        holes.sort_by_key(|hole| leftmost(&hole.vertices).1);
        let mut outline = outline.clone();
        for (index, hole) in holes.iter().enumerate() {
            outline.vertices =
                join_hole(&outline.vertices, hole, &holes[index..]).ok_or_else(|| {
                    PieceError::Split("a hole that cannot be joined to its outline".into())
                })?;
        }
        joined.push(outline);
    }
    Ok(joined)
}

/// Returns the outline with a cut to the hole, around it and back. The cut must not cross `holes`, the
/// holes that are not yet joined. Holes are joined in the order of their leftmost corners, so the shortest
/// cut to the outline is usually possible. Returns `None` if every cut crosses something.
fn join_hole(
    outline: &[ContourVertex],
    hole: &Contour,
    holes: &[&Contour],
) -> Option<Vec<ContourVertex>> {
    let ring = &hole.vertices;
    let (first, _) = leftmost(ring);
    for step in 0..ring.len() {
        let from = (first + step) % ring.len();
        let start = plan_position(ring[from]);
        let mut candidates: Vec<usize> = (0..outline.len())
            .filter(|&end| is_in_cone(outline, end, start))
            .collect();
        candidates.sort_by_key(|&end| squared_distance(plan_position(outline[end]), start));
        let is_visible = |&&end: &&usize| {
            let end = plan_position(outline[end]);
            !crosses(outline, start, end)
                && !holes.iter().any(|hole| crosses(&hole.vertices, start, end))
        };
        if let Some(&end) = candidates.iter().find(is_visible) {
            let mut merged = Vec::with_capacity(outline.len() + ring.len() + 2);
            merged.extend_from_slice(&outline[..=end]);
            merged.extend_from_slice(&ring[from..]);
            merged.extend_from_slice(&ring[..=from]);
            merged.extend_from_slice(&outline[end..]);
            return Some(merged);
        }
    }
    None
}

/// Returns twice the area of a ring. It is positive for outlines and negative for holes: the inside of an
/// outline is to the right of its edges if x points right and z points up.
pub(crate) fn twice_area(ring: &[ContourVertex]) -> i64 {
    let mut area = 0;
    for (index, &corner) in ring.iter().enumerate() {
        let [x, z] = plan_position(corner);
        let [next_x, next_z] = plan_position(ring[(index + 1) % ring.len()]);
        area += next_x * z - x * next_z;
    }
    area
}

fn plan_position((corner, _): ContourVertex) -> [i64; 2] {
    [corner.x.into(), corner.z.into()]
}

fn leftmost(ring: &[ContourVertex]) -> (usize, [i64; 2]) {
    let corners = ring.iter().map(|&corner| plan_position(corner)).enumerate();
    corners.min_by_key(|&(_, at)| at).unwrap_or_default()
}

fn squared_distance(a: [i64; 2], b: [i64; 2]) -> i64 {
    let [x, z] = [a[0] - b[0], a[1] - b[1]];
    x * x + z * z
}

/// Returns a positive number if `c` is to the right of the line from `a` to `b`.
fn orientation(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// Returns whether `point` is between the two edges at a corner, on the inside.
fn is_in_cone(ring: &[ContourVertex], corner: usize, point: [i64; 2]) -> bool {
    let at = plan_position(ring[corner]);
    let before = plan_position(ring[(corner + ring.len() - 1) % ring.len()]);
    let after = plan_position(ring[(corner + 1) % ring.len()]);
    let right_of_first = orientation(before, at, point) > 0;
    let right_of_second = orientation(at, after, point) > 0;
    if orientation(before, at, after) >= 0 {
        right_of_first && right_of_second
    } else {
        right_of_first || right_of_second
    }
}

/// Returns whether the segment from `a` to `b` touches an edge that does not share an endpoint with it.
fn crosses(ring: &[ContourVertex], a: [i64; 2], b: [i64; 2]) -> bool {
    (0..ring.len()).any(|index| {
        let c = plan_position(ring[index]);
        let d = plan_position(ring[(index + 1) % ring.len()]);
        let shares_endpoint = [c, d].iter().any(|&end| end == a || end == b);
        !shares_endpoint && segments_touch(a, b, c, d)
    })
}

fn segments_touch(a: [i64; 2], b: [i64; 2], c: [i64; 2], d: [i64; 2]) -> bool {
    let same_side = |p: i64, q: i64| p.signum() * q.signum() > 0;
    if same_side(orientation(a, b, c), orientation(a, b, d))
        || same_side(orientation(c, d, a), orientation(c, d, b))
    {
        return false;
    }
    // Neither line separates the endpoints of the other segment. The segments touch, unless they are
    // disjoint parts of one line.
    (0..2).all(|axis| {
        a[axis].min(b[axis]) <= c[axis].max(d[axis]) && c[axis].min(d[axis]) <= a[axis].max(b[axis])
    })
}
