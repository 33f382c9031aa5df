//! Checks whether a path stays in its corridor, in the (x, z) plane and polygon by polygon. A check against all
//! polygons at once would not work, because floors can be above one another.

use glam::{DVec2, Vec3};
use portolan_core::{Crossing, NavMesh, Path, PolygonId, Portal};

/// The tolerance for points on polygons and portals. It exceeds the rounding of `f32` some kilometres from the
/// origin. [Units: m]
const ROUNDING: f64 = 2e-3;

/// A part of a path, from one position to another. A position is the index of a leg plus a fraction of this leg.
type PathRange = [f64; 2];

/// The points `p` with `outward . p <= bound`.
struct HalfPlane {
    outward: DVec2,
    bound: f64,
}

impl HalfPlane {
    /// Returns the half-plane to the left of the line from `a` to `b`, with tolerance.
    fn left_of([a, b]: [DVec2; 2]) -> Self {
        let along = (b - a).normalize_or_zero();
        let outward = DVec2::new(along.y, -along.x);
        Self {
            outward,
            bound: outward.dot(a) + ROUNDING,
        }
    }
}

/// Returns what is wrong with a path, if anything. Each part between two crossings must lie in its polygon, which is
/// convex, and crossings must be in the order of the corridor.
pub(crate) fn fault_of(mesh: &NavMesh, path: &Path) -> Option<String> {
    let line: Vec<DVec2> = path.waypoints.iter().copied().map(in_plan).collect();
    let mut links = path.links.iter();
    let crossings = path.corridor.crossings.iter().map(Some).chain([None]);
    // The positions at which the path can enter the current polygon. A path may touch a portal more than once.
    let mut entered: Vec<PathRange> = vec![[0.0; 2]];
    for (i, (&polygon, crossing)) in path.corridor.polygons.iter().zip(crossings).enumerate() {
        let inside = ranges_within(&half_planes(mesh, polygon), &line);
        let is_link = matches!(crossing, Some(Crossing::Link(..)));
        let exits = match crossing {
            Some(&Crossing::Portal(portal)) => ranges_within(&around(mesh.portal(portal)), &line),
            Some(Crossing::Link(..)) => {
                let leg = links.next().map(|leg| f64::from(leg.waypoint));
                leg.map(|leg| [leg; 2]).into_iter().collect()
            }
            None => vec![[line.len().saturating_sub(1) as f64; 2]],
        };
        entered = possible_exits(&entered, &inside, &exits);
        if entered.is_empty() {
            return Some(format!(
                "waypoints leave polygon {i} of the corridor outside the next crossing"
            ));
        }
        if is_link {
            // A link is one leg, which does not lie on the mesh.
            entered
                .iter_mut()
                .flatten()
                .for_each(|position| *position += 1.0);
        }
    }
    None
}

/// Returns the length of the parts of a path that lie in a polygon and more than `margin` from its borders, in plan.
/// [Units: m]
pub(crate) fn length_inside(
    mesh: &NavMesh,
    polygon: PolygonId,
    margin: f64,
    waypoints: &[Vec3],
) -> f64 {
    let mut planes = half_planes(mesh, polygon);
    planes
        .iter_mut()
        .for_each(|plane| plane.bound -= margin + ROUNDING);
    let legs = waypoints.windows(2);
    legs.map(|leg| {
        let ends = [in_plan(leg[0]), in_plan(leg[1])];
        let inside = clip(&planes, ends).map_or(0.0, |[first, last]| last - first);
        inside * ends[0].distance(ends[1])
    })
    .sum()
}

/// Returns the positions at which a path can leave a polygon, given where it enters the polygon, where it is inside,
/// and where it touches the next crossing.
fn possible_exits(
    entered: &[PathRange],
    inside: &[PathRange],
    exits: &[PathRange],
) -> Vec<PathRange> {
    let mut left = Vec::new();
    for &[first, last] in inside {
        let is_inside = |enters: &&PathRange| enters[0] <= last && enters[1] >= first;
        let enters = entered.iter().filter(is_inside);
        let Some(at) = enters.map(|enters| enters[0].max(first)).reduce(f64::min) else {
            continue;
        };
        let within = exits
            .iter()
            .map(|exit| [exit[0].max(at), exit[1].min(last)]);
        left.extend(within.filter(|[from, to]| from <= to));
    }
    left
}

/// Returns the parts of a polyline that lie in all half-planes.
fn ranges_within(planes: &[HalfPlane], line: &[DVec2]) -> Vec<PathRange> {
    let mut ranges: Vec<PathRange> = Vec::new();
    if let &[point] = line {
        // The path is a single point.
        ranges.extend(clip(planes, [point; 2]).map(|_| [0.0; 2]));
    }
    for (leg, ends) in line.windows(2).enumerate() {
        let Some(part) = clip(planes, [ends[0], ends[1]]) else {
            continue;
        };
        let part = part.map(|fraction| leg as f64 + fraction);
        match ranges.last_mut() {
            Some(last) if last[1] == part[0] => last[1] = part[1],
            _ => ranges.push(part),
        }
    }
    ranges
}

/// Returns the fractions of a leg between which it lies in all half-planes.
fn clip(planes: &[HalfPlane], ends: [DVec2; 2]) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0f64, 1f64);
    for plane in planes {
        let [at_a, at_b] = ends.map(|point| plane.outward.dot(point) - plane.bound);
        let fraction = at_a / (at_a - at_b);
        match (at_a > 0.0, at_b > 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(fraction),
            (false, true) => last = last.min(fraction),
            (false, false) => (),
        }
    }
    (first <= last).then_some([first, last])
}

fn half_planes(mesh: &NavMesh, polygon: PolygonId) -> Vec<HalfPlane> {
    let borders = mesh.borders(polygon).map(|border| border.map(in_plan));
    borders.map(HalfPlane::left_of).collect()
}

/// Returns a box around a portal.
fn around(portal: &Portal) -> [HalfPlane; 4] {
    let [a, b] = [portal.right, portal.left].map(in_plan);
    let aside = (b - a).perp();
    [[a, b], [b, a], [a + aside, a], [b, b + aside]].map(HalfPlane::left_of)
}

/// Projects a point to the (x, z) plane.
pub(crate) fn in_plan(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}

/// Returns the length of a line through some points in the (x, z) plane. [Units: m]
pub(crate) fn length_in_plan(points: &[Vec3]) -> f64 {
    let legs = points.windows(2);
    legs.map(|leg| in_plan(leg[0]).distance(in_plan(leg[1])))
        .sum()
}
