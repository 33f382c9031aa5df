//! Contours without holes: an obstacle inside a region is joined to the outline by a cut, because
//! triangulation goes around one ring of corners.
//!
//! The idea is Recast's (`rcBuildContours`, `mergeRegionHoles`), which the crate `rerecast` leaves
//! out.

use rerecast::Contour;

use crate::tile::Trouble;

type Corner = (glam::U16Vec3, u32);

/// Most corners of a region, holes included: joining holes and triangulation are quadratic.
const MAX_CORNERS: usize = 2048;

/// Joins every hole to the outline of its region. Contours without area are left out.
pub(crate) fn join(contours: Vec<Contour>) -> Result<Vec<Contour>, Trouble> {
    let mut by_region: Vec<Contour> = contours;
    // Stable: contours of a region keep their order.
    by_region.sort_by_key(|contour| contour.region.bits());
    let mut joined = Vec::with_capacity(by_region.len());
    for group in by_region.chunk_by(|a, b| a.region == b.region) {
        let corners: usize = group.iter().map(|contour| contour.vertices.len()).sum();
        if corners > MAX_CORNERS {
            return Err(Trouble::Cut(format!("a region with {corners} corners")));
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
            return Err(Trouble::Cut(
                "a region has holes and not one outline".into(),
            ));
        };
        holes.sort_by_key(|hole| leftmost(&hole.vertices).1);
        let mut outline = outline.clone();
        for (index, hole) in holes.iter().enumerate() {
            outline.vertices = cut_open(&outline.vertices, hole, &holes[index..])
                .ok_or_else(|| Trouble::Cut("a hole cannot be joined to its outline".into()))?;
        }
        joined.push(outline);
    }
    Ok(joined)
}

/// The outline with a way to the hole, around it and back. Holes that are not joined yet must not
/// be crossed; they come in the order of their leftmost corners, so the nearest way to the outline
/// is usually free.
fn cut_open(outline: &[Corner], hole: &Contour, holes: &[&Contour]) -> Option<Vec<Corner>> {
    let ring = &hole.vertices;
    let (first, _) = leftmost(ring);
    for step in 0..ring.len() {
        let from = (first + step) % ring.len();
        let start = place(ring[from]);
        let mut ends: Vec<usize> = (0..outline.len())
            .filter(|&end| sees(outline, end, start))
            .collect();
        ends.sort_by_key(|&end| distance(place(outline[end]), start));
        let free = |&&end: &&usize| {
            let end = place(outline[end]);
            !crosses(outline, start, end)
                && !holes.iter().any(|hole| crosses(&hole.vertices, start, end))
        };
        if let Some(&end) = ends.iter().find(free) {
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

/// Twice the area; positive for an outline, whose inside lies to the right of its borders with x to
/// the right and z up.
pub(crate) fn twice_area(ring: &[Corner]) -> i64 {
    let mut area = 0;
    for (index, &corner) in ring.iter().enumerate() {
        let [x, z] = place(corner);
        let [next_x, next_z] = place(ring[(index + 1) % ring.len()]);
        area += next_x * z - x * next_z;
    }
    area
}

fn place((corner, _): Corner) -> [i64; 2] {
    [corner.x.into(), corner.z.into()]
}

fn leftmost(ring: &[Corner]) -> (usize, [i64; 2]) {
    let corners = ring.iter().map(|&corner| place(corner)).enumerate();
    corners.min_by_key(|&(_, at)| at).unwrap_or_default()
}

fn distance(a: [i64; 2], b: [i64; 2]) -> i64 {
    let [x, z] = [a[0] - b[0], a[1] - b[1]];
    x * x + z * z
}

/// Positive where `c` lies to the right of the way from `a` to `b`.
fn turn(a: [i64; 2], b: [i64; 2], c: [i64; 2]) -> i64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

/// Whether `point` lies between the two borders at a corner, on the inside.
fn sees(ring: &[Corner], corner: usize, point: [i64; 2]) -> bool {
    let at = place(ring[corner]);
    let before = place(ring[(corner + ring.len() - 1) % ring.len()]);
    let after = place(ring[(corner + 1) % ring.len()]);
    let right_of_first = turn(before, at, point) > 0;
    let right_of_second = turn(at, after, point) > 0;
    if turn(before, at, after) >= 0 {
        right_of_first && right_of_second
    } else {
        right_of_first || right_of_second
    }
}

/// Whether the way from `a` to `b` touches a border that does not begin or end there.
fn crosses(ring: &[Corner], a: [i64; 2], b: [i64; 2]) -> bool {
    (0..ring.len()).any(|index| {
        let c = place(ring[index]);
        let d = place(ring[(index + 1) % ring.len()]);
        let shares_end = [c, d].iter().any(|&end| end == a || end == b);
        !shares_end && touch(a, b, c, d)
    })
}

fn touch(a: [i64; 2], b: [i64; 2], c: [i64; 2], d: [i64; 2]) -> bool {
    let apart = |p: i64, q: i64| p.signum() * q.signum() > 0;
    if apart(turn(a, b, c), turn(a, b, d)) || apart(turn(c, d, a), turn(c, d, b)) {
        return false;
    }
    // Neither line separates the other's ends: they touch, unless they lie on one line side by
    // side.
    (0..2).all(|axis| {
        a[axis].min(b[axis]) <= c[axis].max(d[axis]) && c[axis].min(d[axis]) <= a[axis].max(b[axis])
    })
}
