//! Outlines on the map: convex polygons in (x, z), counter-clockwise with x to the right and z up.

use glam::{Vec2, vec2};

use crate::random::Random;

/// Corners closer than this, in metres, become one.
const SAME: f32 = 0.05;

/// The direction turned left by a quarter: where "beside" is when one looks along `direction`.
pub(crate) fn left_of(direction: Vec2) -> Vec2 {
    vec2(-direction.y, direction.x)
}

/// A rectangle around `centre`: `length` along the unit vector `along`, `width` across.
pub(crate) fn oblong(centre: Vec2, along: Vec2, length: f32, width: f32) -> Vec<Vec2> {
    let (u, v) = (along * (0.5 * length), left_of(along) * (0.5 * width));
    vec![
        centre - u - v,
        centre + u - v,
        centre + u + v,
        centre - u + v,
    ]
}

/// The area in square metres.
pub(crate) fn area(outline: &[Vec2]) -> f32 {
    0.5 * sides(outline).map(|(a, b)| a.perp_dot(b)).sum::<f32>()
}

/// The mean of the corners.
pub(crate) fn middle(outline: &[Vec2]) -> Vec2 {
    outline.iter().sum::<Vec2>() / outline.len().max(1) as f32
}

/// Each side as its two ends.
pub(crate) fn sides(outline: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    (0..outline.len()).map(|side| (outline[side], outline[(side + 1) % outline.len()]))
}

/// What lies left of the line through `at` along `along`; empty where nothing worth a polygon does.
pub(crate) fn left_part(outline: &[Vec2], at: Vec2, along: Vec2) -> Vec<Vec2> {
    let across = left_of(along);
    let mut part: Vec<Vec2> = Vec::with_capacity(outline.len() + 1);
    let mut add = |corner: Vec2| {
        if part.last().is_none_or(|last| last.distance(corner) > SAME) {
            part.push(corner);
        }
    };
    for (a, b) in sides(outline) {
        let (from, to) = ((a - at).dot(across), (b - at).dot(across));
        if from >= 0.0 {
            add(a);
        }
        if (from >= 0.0) != (to >= 0.0) {
            add(a + (b - a) * (from / (from - to)));
        }
    }
    while part.len() > 1 && part[0].distance(part[part.len() - 1]) <= SAME {
        part.pop();
    }
    if part.len() < 3 || area(&part) < SAME {
        part.clear();
    }
    part
}

/// Cuts along a line and leaves a gap of `gap` metres, half of it on either side: the left and
/// the right part.
pub(crate) fn cut(outline: &[Vec2], at: Vec2, along: Vec2, gap: f32) -> [Vec<Vec2>; 2] {
    let half = left_of(along) * (0.5 * gap);
    [
        left_part(outline, at + half, along),
        left_part(outline, at - half, -along),
    ]
}

/// The outline moved inwards by `by` metres on all sides; empty where nothing is left.
pub(crate) fn inset(outline: &[Vec2], by: f32) -> Vec<Vec2> {
    let mut rest = outline.to_vec();
    for (a, b) in sides(outline) {
        let along = (b - a).normalize_or_zero();
        rest = left_part(&rest, a + left_of(along) * by, along);
    }
    rest
}

/// The outline moved inwards by `by` metres, outwards where that is negative, corner for corner.
/// Unlike [`inset`] it needs sides that are long enough for it.
pub(crate) fn mitred(outline: &[Vec2], by: f32) -> Vec<Vec2> {
    let count = outline.len();
    (0..count)
        .map(|corner| {
            let here = outline[corner];
            let before = (here - outline[(corner + count - 1) % count]).normalize_or_zero();
            let after = (outline[(corner + 1) % count] - here).normalize_or_zero();
            let across = left_of(before) + left_of(after);
            // The corner moves along the bisector: as far as brings it `by` off both sides.
            here + across * (by / across.dot(left_of(after)).max(0.2))
        })
        .collect()
}

/// The outline shrunk towards its middle to `share` of its size.
pub(crate) fn shrunk(outline: &[Vec2], share: f32) -> Vec<Vec2> {
    let middle = middle(outline);
    outline
        .iter()
        .map(|&corner| middle.lerp(corner, share))
        .collect()
}

/// Whether the place lies in the outline, at least `margin` metres from its border.
pub(crate) fn contains(outline: &[Vec2], place: Vec2, margin: f32) -> bool {
    outline.len() > 2
        && sides(outline)
            .all(|(a, b)| left_of((b - a).normalize_or_zero()).dot(place - a) >= margin)
}

/// How far the place lies from the outline, 0 within it.
pub(crate) fn distance(outline: &[Vec2], place: Vec2) -> f32 {
    if outline.len() > 2 && contains(outline, place, 0.0) {
        return 0.0;
    }
    sides(outline)
        .map(|(a, b)| {
            let side = b - a;
            let share = (place - a).dot(side) / side.length_squared().max(1e-9);
            place.distance(a + side * share.clamp(0.0, 1.0))
        })
        .fold(f32::MAX, f32::min)
}

/// The lowest and the highest x and z.
pub(crate) fn bounds(outline: &[Vec2]) -> [Vec2; 2] {
    outline.iter().fold(
        [Vec2::splat(f32::MAX), Vec2::splat(f32::MIN)],
        |[low, high], &corner| [low.min(corner), high.max(corner)],
    )
}

/// The longest side as its two ends.
pub(crate) fn longest_side(outline: &[Vec2]) -> (Vec2, Vec2) {
    sides(outline).fold((Vec2::ZERO, Vec2::ZERO), |longest, side| {
        if side.0.distance_squared(side.1) > longest.0.distance_squared(longest.1) {
            side
        } else {
            longest
        }
    })
}

/// Cuts into parts of at most about `target` square metres, each cut across the longest side,
/// turned by up to `skew` (0: square to it), with a gap of `gap(depth)` metres at the depth of
/// the cut. Every part goes to `visit`.
pub(crate) fn subdivide(
    outline: Vec<Vec2>,
    target: f32,
    skew: f32,
    gap: &dyn Fn(u32) -> f32,
    random: &mut Random,
    visit: &mut dyn FnMut(Vec<Vec2>, &mut Random),
) {
    let mut open = vec![(outline, 0)];
    while let Some((outline, depth)) = open.pop() {
        if outline.is_empty() {
            continue;
        }
        if area(&outline) < target * random.between(0.8, 1.5) {
            visit(outline, random);
            continue;
        }
        let (a, b) = longest_side(&outline);
        let side = (b - a).normalize_or_zero();
        let lean = left_of(side) + side * random.between(-skew, skew);
        // Through the middle and not through the side, so that the parts are of a size.
        let at = middle(&outline) + side * (random.between(-0.12, 0.12) * a.distance(b));
        for part in cut(&outline, at, lean.normalize(), gap(depth)) {
            open.push((part, depth + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f32) -> Vec<Vec2> {
        oblong(Vec2::splat(0.5 * side), Vec2::X, side, side)
    }

    #[test]
    fn a_cut_leaves_two_parts_and_a_gap() {
        let [left, right] = cut(&square(10.0), vec2(5.0, 0.0), Vec2::Y, 2.0);
        assert_eq!((area(&left), area(&right)), (40.0, 40.0));
    }

    #[test]
    fn insets_lie_within_and_vanish() {
        assert_eq!(area(&inset(&square(10.0), 1.0)), 64.0);
        assert!(inset(&square(10.0), 5.5).is_empty());
    }

    #[test]
    fn mitred_corners_keep_their_distance_from_both_sides() {
        assert_eq!(area(&mitred(&square(10.0), 1.0)), 64.0);
        assert_eq!(area(&mitred(&square(10.0), -1.0)), 144.0);
    }

    #[test]
    fn distances_are_to_the_border_and_0_within() {
        assert_eq!(distance(&square(10.0), vec2(3.0, 3.0)), 0.0);
        assert_eq!(distance(&square(10.0), vec2(13.0, 14.0)), 5.0);
        assert_eq!(distance(&[vec2(1.0, 1.0)], vec2(1.0, 3.0)), 2.0);
    }

    #[test]
    fn subdividing_without_gaps_keeps_the_area() {
        let mut sum = 0.0;
        let mut random = Random::stream(3, 0);
        subdivide(
            square(100.0),
            90.0,
            0.4,
            &|_| 0.0,
            &mut random,
            &mut |part, _| {
                assert!(area(&part) < 136.0);
                sum += area(&part);
            },
        );
        assert!((sum - 10_000.0).abs() < 10.0);
    }
}
