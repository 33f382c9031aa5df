//! Tests the funnel against the shortest of all lines that pass the portals in order.
#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

use glam::{Vec3, vec3};
use proptest::prelude::*;

use super::*;
use crate::geometry::{distance_xz, intersection_fractions, lerp, nearest_fraction};

/// Returns the length and the corners of the shortest line, and checks that both variants of the funnel
/// agree.
fn length(start: Vec3, goal: Vec3, portals: &[[Vec3; 2]]) -> (f64, Vec<PathCorner>) {
    let (mut funnel, mut corners) = (Funnel::default(), Vec::new());
    funnel.pull(start, goal, portals.iter().copied(), &mut corners);
    // Also run the linear-time funnel, which `pull` uses only if portals are visited too often.
    let mut strings = Vec::new();
    funnel.pull_strings(start, goal, &mut strings);
    let [fast, slow] = [&corners, &strings].map(|corners| length_over(start, goal, corners));
    assert!(
        (fast - slow).abs() < 1e-6,
        "{fast} over {corners:?} but {slow} over {strings:?}"
    );
    (fast, corners)
}

fn length_over(start: Vec3, goal: Vec3, corners: &[PathCorner]) -> f64 {
    let points = corners.iter().map(|corner| corner.point).chain([goal]);
    let before = std::iter::once(start).chain(points.clone());
    before.zip(points).map(|(a, b)| distance_xz(a, b)).sum()
}

/// Returns whether the straight line from `a` to `b` passes all portals.
fn passes(a: Vec3, b: Vec3, portals: &[[Vec3; 2]]) -> bool {
    portals.iter().all(|&[right, left]| {
        let tolerance = 1e-5;
        match intersection_fractions(a, b, right, left) {
            // Not behind `a` or beyond `b`: a corridor that overlaps itself may pass the line again there.
            Some(fractions) => [fractions.0, fractions.1]
                .iter()
                .all(|fraction| (-tolerance..=1.0 + tolerance).contains(fraction)),
            // The portal has no width or is parallel to the line: one of its ends has to be on the line.
            None => [right, left].into_iter().any(|end| {
                let nearest = lerp(a, b, nearest_fraction(a, b, end));
                distance_xz(nearest, end) < tolerance
            }),
        }
    })
}

/// Computes the length of the shortest line over portal ends. The portals are in order, so one pass
/// replaces Dijkstra's algorithm.
fn slow_length(start: Vec3, goal: Vec3, portals: &[[Vec3; 2]]) -> f64 {
    let mut nodes = vec![(start, 0)];
    for (i, portal) in portals.iter().enumerate() {
        nodes.extend([(portal[0], i + 1), (portal[1], i + 1)]);
    }
    nodes.push((goal, portals.len() + 1));
    let mut distances = vec![f64::INFINITY; nodes.len()];
    distances[0] = 0.0;
    for to in 1..nodes.len() {
        for from in 0..to {
            let ((a, i), (b, j)) = (nodes[from], nodes[to]);
            if i < j && passes(a, b, &portals[i..j - 1]) {
                distances[to] = distances[to].min(distances[from] + distance_xz(a, b));
            }
        }
    }
    distances[nodes.len() - 1]
}

/// Returns whether all points of `near` are in front of the portal, or on its line, and all points of `far`
/// behind it, or on its line.
fn separates([right, left]: [Vec3; 2], near: &[Vec3], far: &[Vec3]) -> bool {
    near.iter().all(|&p| orientation(right, left, p) >= 0.0)
        && far.iter().all(|&p| orientation(right, left, p) <= 0.0)
}

/// Generates portals with convex polygons between them: each portal lies in front of the previous one.
/// Sometimes one end is kept and the other one moves, as around a corner.
fn corridors() -> impl Strategy<Value = Vec<[Vec3; 2]>> {
    let shift = || (-3f32..3., -3f32..3.);
    let portal = (0u8..3, shift(), shift());
    prop::collection::vec(portal, 0..40).prop_map(|portals| {
        let mut corridor = vec![[vec3(0., 0., -1.), vec3(0., 0., 1.)]];
        for (kept, right, left) in portals {
            let [last_right, last_left] = corridor[corridor.len() - 1];
            let moved = |from: Vec3, (x, z): (f32, f32)| from + vec3(x, 0., z);
            let right = if kept == 1 {
                last_right
            } else {
                moved(last_right, right)
            };
            let left = if kept == 2 {
                last_left
            } else {
                moved(last_left, left)
            };
            // A portal without width has no front; the last portal with a width decides.
            let wide = corridor.iter().rev().find(|[right, left]| right != left);
            let before = wide.copied().unwrap_or([last_right, last_left]);
            if separates([right, left], &before, &[]) && separates(before, &[], &[right, left]) {
                corridor.push([right, left]);
            }
        }
        corridor
    })
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]
    #[test]
    fn the_funnel_finds_the_shortest_line(portals in corridors(), from in (-3f32..-0.1, -3f32..3.), to in (-3f32..3., -3f32..3.)) {
        let start = vec3(from.0, 0., from.1);
        let last = portals[portals.len() - 1];
        let shift = vec3(to.0, 0., to.1);
        let wide = portals.iter().rev().find(|[right, left]| right != left);
        let is_behind = separates(*wide.unwrap_or(&last), &[], &[last[0] + shift]);
        let goal = if is_behind { last[0] + shift } else { last[0] - shift };
        let slow = slow_length(start, goal, &portals);
        let (fast, corners) = length(start, goal, &portals);
        prop_assert!((fast - slow).abs() < 1e-4, "{fast} instead of {slow}: {portals:?} {corners:?}");
    }
}

/// A corridor can turn back where the ground beyond a portal is cheaper.
#[test]
fn the_line_waits_at_a_corner_while_the_corridor_turns_back() {
    let corner = Vec3::ZERO;
    let around = [(0., -2.), (-2., -2.), (-2., 0.), (0., 2.)];
    let there = around.map(|(x, z)| [corner, vec3(x, 0., z)]);
    let back = there.iter().rev().map(|&[right, left]| [left, right]);
    let portals: Vec<_> = there.into_iter().chain(back).collect();
    let (length, corners) = length(vec3(2., 0., -1.), vec3(1., 0., -2.), &portals);
    assert_eq!(corners.len(), 1, "{corners:?}");
    assert_eq!(corners[0].point, corner);
    assert!((length - 20f64.sqrt()).abs() < 1e-6);
}

#[test]
fn a_straight_line_has_no_corner() {
    let portals = [
        [vec3(1., 0., -1.), vec3(1., 0., 1.)],
        [vec3(2., 0., -1.), vec3(2., 0., 1.)],
    ];
    assert_eq!(
        length(Vec3::ZERO, vec3(3., 0., 0.), &portals),
        (3.0, vec![])
    );
}

#[test]
fn a_portal_without_width_is_a_corner() {
    let pin = vec3(1., 0., 1.);
    let (length, corners) = length(Vec3::ZERO, vec3(2., 0., 0.), &[[pin, pin]]);
    assert_eq!(
        corners,
        [PathCorner {
            point: pin,
            portal: 0,
            is_left: false,
        }]
    );
    assert!((length - 8f64.sqrt()).abs() < 1e-6);
}

#[test]
fn the_line_goes_around_the_tip_of_a_wall_without_thickness() {
    // The wall runs from x = -9 to the tip at 0; start and goal lie on it, on its two sides.
    let (tip, start) = (vec3(0., 0., 0.), vec3(-1., 0., 0.));
    let portals = [
        [tip, vec3(0., 0., 2.)],
        [tip, vec3(1., 0., 0.)],
        [tip, vec3(0., 0., -2.)],
        [tip, start],
    ];
    let (length, corners) = length(start, start, &portals);
    assert_eq!(corners[0].point, tip);
    assert_eq!(length, 2.0);
}

#[test]
fn start_and_goal_may_be_portal_ends() {
    let (right, left) = (vec3(0., 0., 0.), vec3(0., 0., 2.));
    assert_eq!(length(right, left, &[[right, left]]), (2.0, vec![]));
    assert_eq!(length(right, right, &[[right, left]]), (0.0, vec![]));
}

/// Around a tower in a wide open space each corner is hidden until the previous one is reached, and no
/// portal shows that the line turns until the goal is reached.
#[test]
fn the_linear_funnel_takes_over_around_a_tower() {
    let point = |i: u16, radius: f32| {
        let (z, x) = (f32::from(i) * -0.02).sin_cos();
        vec3(radius * x, 0., radius * z)
    };
    let portals: Vec<_> = (0..150).map(|i| [point(i, 10.), point(i, 1e3)]).collect();
    let (start, goal) = (vec3(10., 0., 5.), point(150, 10.));
    let mut funnel = Funnel::default();
    let mut corners = Vec::new();
    funnel.pull(start, goal, portals.iter().copied(), &mut corners);
    assert!(!wedge::pull(start, goal, &funnel.portals, &mut Vec::new()));
    assert!(corners.len() > 100, "{corners:?}");
    length(start, goal, &portals);
}
