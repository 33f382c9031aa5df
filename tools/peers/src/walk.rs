//! Can a path be walked? Seen from above, in its corridor, polygon by polygon: floors lie above one
//! another, so a picture of the whole mesh would not do.

use glam::{DVec2, Vec3};
use portolan_core::{Crossing, NavMesh, Path, PolygonId, Portal};

/// What counts as on a polygon and on a portal: more than `f32` rounds points some kilometres from the
/// origin. [Units: m]
const ROUNDING: f64 = 2e-3;

/// From where to where on a path: the number of a leg and the share of it that lies behind.
type Stretch = [f64; 2];

/// The points `p` with `outward . p <= bound`.
struct HalfPlane {
    outward: DVec2,
    bound: f64,
}

impl HalfPlane {
    /// Left of the line from `a` to `b`, and a little more.
    fn left_of([a, b]: [DVec2; 2]) -> Self {
        let along = (b - a).normalize_or_zero();
        let outward = DVec2::new(along.y, -along.x);
        Self {
            outward,
            bound: outward.dot(a) + ROUNDING,
        }
    }
}

/// What is wrong with the walk, if anything. Every stretch between two crossings has to lie in its
/// polygon, which is convex, and the crossings have to come in the order of the corridor.
pub(crate) fn fault_of(mesh: &NavMesh, path: &Path) -> Option<String> {
    let line: Vec<DVec2> = path.waypoints.iter().copied().map(from_above).collect();
    let mut links = path.links.iter();
    let crossings = path.corridor.crossings.iter().map(Some).chain([None]);
    // Where on the path one can be when one enters a polygon: a line may touch a portal more than once.
    let mut entered: Vec<Stretch> = vec![[0.0; 2]];
    for (i, (&polygon, crossing)) in path.corridor.polygons.iter().zip(crossings).enumerate() {
        let inside = stretches(&ground(mesh, polygon), &line);
        let is_link = matches!(crossing, Some(Crossing::Link(..)));
        let exits = match crossing {
            Some(&Crossing::Portal(portal)) => stretches(&around(mesh.portal(portal)), &line),
            Some(Crossing::Link(..)) => {
                let leg = links.next().map(|leg| f64::from(leg.waypoint));
                leg.map(|leg| [leg; 2]).into_iter().collect()
            }
            None => vec![[line.len().saturating_sub(1) as f64; 2]],
        };
        entered = left(&entered, &inside, &exits);
        if entered.is_empty() {
            return Some(format!("leaves polygon {i} of its corridor elsewhere"));
        }
        if is_link {
            // A link is one leg, and not on the mesh.
            entered.iter_mut().flatten().for_each(|at| *at += 1.0);
        }
    }
    None
}

/// Where a path can leave a polygon that it enters there and is inside of there.
fn left(entered: &[Stretch], inside: &[Stretch], exits: &[Stretch]) -> Vec<Stretch> {
    let mut left = Vec::new();
    for &[first, last] in inside {
        let is_inside = |enters: &&Stretch| enters[0] <= last && enters[1] >= first;
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

/// The stretches of a line that lie in all the half-planes.
fn stretches(planes: &[HalfPlane], line: &[DVec2]) -> Vec<Stretch> {
    let mut stretches: Vec<Stretch> = Vec::new();
    if let &[point] = line {
        // All of it is one point.
        stretches.extend(clip(planes, [point; 2]).map(|_| [0.0; 2]));
    }
    for (leg, ends) in line.windows(2).enumerate() {
        let Some(part) = clip(planes, [ends[0], ends[1]]) else {
            continue;
        };
        let part = part.map(|share| leg as f64 + share);
        match stretches.last_mut() {
            Some(last) if last[1] == part[0] => last[1] = part[1],
            _ => stretches.push(part),
        }
    }
    stretches
}

/// The shares of a leg between which it is in all the half-planes.
fn clip(planes: &[HalfPlane], ends: [DVec2; 2]) -> Option<[f64; 2]> {
    let (mut first, mut last) = (0f64, 1f64);
    for plane in planes {
        let [at_a, at_b] = ends.map(|point| plane.outward.dot(point) - plane.bound);
        let share = at_a / (at_a - at_b);
        match (at_a > 0.0, at_b > 0.0) {
            (true, true) => return None,
            (true, false) => first = first.max(share),
            (false, true) => last = last.min(share),
            (false, false) => (),
        }
    }
    (first <= last).then_some([first, last])
}

fn ground(mesh: &NavMesh, polygon: PolygonId) -> Vec<HalfPlane> {
    let borders = mesh.borders(polygon).map(|border| border.map(from_above));
    borders.map(HalfPlane::left_of).collect()
}

/// A box that holds all that touches a portal.
fn around(portal: &Portal) -> [HalfPlane; 4] {
    let [a, b] = [portal.right, portal.left].map(from_above);
    let aside = (b - a).perp();
    [[a, b], [b, a], [a + aside, a], [b, b + aside]].map(HalfPlane::left_of)
}

pub(crate) fn from_above(point: Vec3) -> DVec2 {
    DVec2::new(point.x.into(), point.z.into())
}
