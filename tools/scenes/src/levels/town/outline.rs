//! Operations on outlines: convex polygons in (x, z), counterclockwise with x to the right and z up.

use glam::{Vec2, vec2};

use crate::random::Random;

/// Corners closer than this are merged. [Units: m]
const MERGE_DISTANCE: f32 = 0.05;

/// Returns the direction rotated to the left by 90 degrees.
pub(crate) fn left_of(direction: Vec2) -> Vec2 {
    vec2(-direction.y, direction.x)
}

/// Returns a rectangle around `centre` with its `length` along the unit vector `along` and its `width`
/// across.
pub(crate) fn oriented_rectangle(centre: Vec2, along: Vec2, length: f32, width: f32) -> Vec<Vec2> {
    let (u, v) = (along * (0.5 * length), left_of(along) * (0.5 * width));
    vec![
        centre - u - v,
        centre + u - v,
        centre + u + v,
        centre - u + v,
    ]
}

/// Returns the area in square metres.
pub(crate) fn area(outline: &[Vec2]) -> f32 {
    0.5 * sides(outline).map(|(a, b)| a.perp_dot(b)).sum::<f32>()
}

/// Returns the mean of the corners.
pub(crate) fn centre_of(outline: &[Vec2]) -> Vec2 {
    outline.iter().sum::<Vec2>() / outline.len().max(1) as f32
}

/// Returns the endpoints of each side.
pub(crate) fn sides(outline: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> + '_ {
    (0..outline.len()).map(|side| (outline[side], outline[(side + 1) % outline.len()]))
}

/// Returns the part to the left of the line through `at` along `along`. Tiny parts are returned as empty.
pub(crate) fn clip_left(outline: &[Vec2], at: Vec2, along: Vec2) -> Vec<Vec2> {
    let across = left_of(along);
    let mut part: Vec<Vec2> = Vec::with_capacity(outline.len() + 1);
    let mut add = |corner: Vec2| {
        if part
            .last()
            .is_none_or(|last| last.distance(corner) > MERGE_DISTANCE)
        {
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
    while part.len() > 1 && part[0].distance(part[part.len() - 1]) <= MERGE_DISTANCE {
        part.pop();
    }
    if part.len() < 3 || area(&part) < MERGE_DISTANCE {
        part.clear();
    }
    part
}

/// Splits an outline along a line with a gap of `gap` metres, half of it on each side. Returns the left and
/// the right part.
pub(crate) fn split(outline: &[Vec2], at: Vec2, along: Vec2, gap: f32) -> [Vec<Vec2>; 2] {
    let half = left_of(along) * (0.5 * gap);
    [
        clip_left(outline, at + half, along),
        clip_left(outline, at - half, -along),
    ]
}

/// Moves all sides inwards by `by` metres. Returns an empty outline if nothing is left.
pub(crate) fn inset(outline: &[Vec2], by: f32) -> Vec<Vec2> {
    let mut rest = outline.to_vec();
    for (a, b) in sides(outline) {
        let along = (b - a).normalize_or_zero();
        rest = clip_left(&rest, a + left_of(along) * by, along);
    }
    rest
}

/// Moves all sides inwards by `by` metres, or outwards if it is negative, and keeps the number of corners.
/// Unlike [`inset`], it requires sides that are long enough.
pub(crate) fn offset_sides(outline: &[Vec2], by: f32) -> Vec<Vec2> {
    let count = outline.len();
    (0..count)
        .map(|corner| {
            let here = outline[corner];
            let before = (here - outline[(corner + count - 1) % count]).normalize_or_zero();
            let after = (outline[(corner + 1) % count] - here).normalize_or_zero();
            let across = left_of(before) + left_of(after);
            // The corner moves along the bisector until it is `by` metres from both sides.
            here + across * (by / across.dot(left_of(after)).max(0.2))
        })
        .collect()
}

/// Scales an outline around the mean of its corners.
pub(crate) fn scaled(outline: &[Vec2], factor: f32) -> Vec<Vec2> {
    let centre = centre_of(outline);
    outline
        .iter()
        .map(|&corner| centre.lerp(corner, factor))
        .collect()
}

/// Returns whether a point is inside the outline, at least `margin` metres from its sides.
pub(crate) fn contains(outline: &[Vec2], position: Vec2, margin: f32) -> bool {
    outline.len() > 2
        && sides(outline)
            .all(|(a, b)| left_of((b - a).normalize_or_zero()).dot(position - a) >= margin)
}

/// Returns the distance of a point from the outline, 0 for a point inside.
pub(crate) fn distance(outline: &[Vec2], position: Vec2) -> f32 {
    if outline.len() > 2 && contains(outline, position, 0.0) {
        return 0.0;
    }
    sides(outline)
        .map(|(a, b)| {
            let side = b - a;
            let fraction = (position - a).dot(side) / side.length_squared().max(1e-9);
            position.distance(a + side * fraction.clamp(0.0, 1.0))
        })
        .fold(f32::MAX, f32::min)
}

/// Returns the corners of the bounding box with the smallest and the largest coordinates.
pub(crate) fn bounds(outline: &[Vec2]) -> [Vec2; 2] {
    outline.iter().fold(
        [Vec2::splat(f32::MAX), Vec2::splat(f32::MIN)],
        |[low, high], &corner| [low.min(corner), high.max(corner)],
    )
}

/// Returns the endpoints of the longest side.
pub(crate) fn longest_side(outline: &[Vec2]) -> (Vec2, Vec2) {
    sides(outline).fold((Vec2::ZERO, Vec2::ZERO), |longest, side| {
        if side.0.distance_squared(side.1) > longest.0.distance_squared(longest.1) {
            side
        } else {
            longest
        }
    })
}

/// Splits an outline recursively into parts of about `target` square metres and calls `visit` with each
/// part. A cut is perpendicular to the longest side with a random deviation of up to `skew`, and leaves a
/// gap of `gap(depth)` metres.
pub(crate) fn subdivide(
    outline: Vec<Vec2>,
    target: f32,
    skew: f32,
    gap: &dyn Fn(u32) -> f32,
    random: &mut Random,
    visit: &mut dyn FnMut(Vec<Vec2>, &mut Random),
) {
    let mut stack = vec![(outline, 0)];
    while let Some((outline, depth)) = stack.pop() {
        if outline.is_empty() {
            continue;
        }
        if area(&outline) < target * random.between(0.8, 1.5) {
            visit(outline, random);
            continue;
        }
        let (a, b) = longest_side(&outline);
        let side = (b - a).normalize_or_zero();
        let direction = left_of(side) + side * random.between(-skew, skew);
        // The cut passes near the centre, so that both parts have a similar size.
        let at = centre_of(&outline) + side * (random.between(-0.12, 0.12) * a.distance(b));
        for part in split(&outline, at, direction.normalize(), gap(depth)) {
            stack.push((part, depth + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(side: f32) -> Vec<Vec2> {
        oriented_rectangle(Vec2::splat(0.5 * side), Vec2::X, side, side)
    }

    #[test]
    fn a_cut_leaves_two_parts_and_a_gap() {
        let [left, right] = split(&square(10.0), vec2(5.0, 0.0), Vec2::Y, 2.0);
        assert_eq!((area(&left), area(&right)), (40.0, 40.0));
    }

    #[test]
    fn an_inset_shrinks_and_vanishes() {
        assert_eq!(area(&inset(&square(10.0), 1.0)), 64.0);
        assert!(inset(&square(10.0), 5.5).is_empty());
    }

    #[test]
    fn an_offset_moves_all_sides_by_the_same_distance() {
        assert_eq!(area(&offset_sides(&square(10.0), 1.0)), 64.0);
        assert_eq!(area(&offset_sides(&square(10.0), -1.0)), 144.0);
    }

    #[test]
    fn the_distance_is_zero_inside() {
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
