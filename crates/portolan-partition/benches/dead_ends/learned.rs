//! Where random taut paths cross portals.

use glam::Vec3;
use portolan::geometry::{between, distance_xz, meeting_shares, nearest_share};
use portolan::worlds::RandomPoints;
use portolan::{Crossing, Ends, NavMesh, Path, Portal, PortalId, Query, World};

use crate::ways::portal_of;

/// Random queries; the reference's are others.
const LESSONS: usize = 20_000;
const SEED: u64 = 8;
/// What is known without paths counts as much as so many of them: few say little.
pub(crate) const PRIOR: f64 = 4.0;
/// Samples keep this share of the portal away from its ends.
const MARGIN: f64 = 0.1;

/// A taut path: where it crosses each portal of its corridor, as shares from right to left.
#[derive(Clone)]
pub(crate) struct Lesson {
    pub(crate) ends: [Vec3; 2],
    pub(crate) crossings: Vec<(PortalId, f64)>,
    pub(crate) length: f64,
}

impl Lesson {
    pub(crate) fn new(mesh: &NavMesh, ends: &Ends, path: &Path) -> Self {
        Self {
            ends: [ends.start.point, ends.goal.point],
            crossings: crossings(mesh, path),
            length: path.length(),
        }
    }
}

/// Random queries, as the paths of `find` answer them.
pub(crate) fn lessons(
    world: &World,
    mut find: impl FnMut(&Query<'_>, &Ends, &mut Path),
) -> Vec<Lesson> {
    let mesh = world.mesh();
    let mut points = RandomPoints::new(mesh, SEED);
    let mut path = Path::default();
    let mut lessons = Vec::new();
    for _ in 0..LESSONS {
        let [from, to] = [(); 2].map(|()| points.next().expect("a point"));
        let query = Query {
            ground_tolerance: f32::INFINITY,
            ..Query::new(from, to)
        };
        let Ok(ends) = world.locate(&query) else {
            continue;
        };
        find(&query, &ends, &mut path);
        lessons.push(Lesson::new(mesh, &ends, &path));
    }
    lessons
}

/// Where a path crosses the portals of its corridor.
fn crossings(mesh: &NavMesh, path: &Path) -> Vec<(PortalId, f64)> {
    let legs: Vec<[Vec3; 2]> = path.legs().collect();
    let mut at = 0;
    let crossing = |crossing: &Crossing| {
        let id = portal_of(*crossing);
        let [right, left] = [mesh.portal(id).right, mesh.portal(id).left];
        // The leg from the last crossing's on that comes nearest to the portal, the first of equals.
        let (mut best, mut least) = ((at, 0.5), f64::INFINITY);
        for (i, &[from, to]) in legs.iter().enumerate().skip(at) {
            let (along, share) = meeting_shares(from, to, right, left)
                .unwrap_or((1.0, nearest_share(right, left, to)));
            let (along, share) = (along.clamp(0.0, 1.0), share.clamp(0.0, 1.0));
            let gap = distance_xz(between(from, to, along), between(right, left, share));
            if gap < least {
                (best, least) = ((i, share), gap);
            }
            if gap < 1e-3 {
                break;
            }
        }
        at = best.0;
        (id, best.1)
    };
    path.corridor.crossings.iter().map(crossing).collect()
}

/// A place for the vertex of each portal: where paths cross it on average.
pub(crate) fn moved(mesh: &NavMesh, lessons: &[Lesson]) -> Vec<Vec3> {
    let mut sums = vec![[PRIOR * 0.5, PRIOR]; mesh.portals().len()];
    for &(portal, share) in lessons.iter().flat_map(|lesson| &lesson.crossings) {
        let [sum, count] = &mut sums[portal.index()];
        *sum += share;
        *count += 1.0;
    }
    let place = |(portal, [sum, count]): (&Portal, [f64; 2])| {
        let share = (sum / count).clamp(MARGIN, 1.0 - MARGIN);
        between(portal.right, portal.left, share)
    };
    mesh.portals().iter().zip(sums).map(place).collect()
}

/// How crossings lie on their portals.
pub(crate) struct Spread {
    /// Within 2% of an end, of all crossings. [Units: %]
    pub(crate) at_ends: f64,
    /// Mean distance from where the portal is crossed on average, and from its middle, in shares of it.
    pub(crate) from_mean: f64,
    pub(crate) from_middle: f64,
    /// Of portals crossed ten times or more: those that have a fifth of their crossings in either
    /// quarter at the ends. [Units: %]
    pub(crate) both_ends: f64,
}

impl Spread {
    pub(crate) fn new(mesh: &NavMesh, lessons: &[Lesson]) -> Self {
        let mut shares = vec![Vec::new(); mesh.portals().len()];
        for &(portal, share) in lessons.iter().flat_map(|lesson| &lesson.crossings) {
            shares[portal.index()].push(share);
        }
        shares.retain(|shares: &Vec<f64>| shares.len() >= 10);
        let mut sums = [0.0; 4];
        let mut both = 0;
        for shares in &shares {
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            for share in shares {
                sums[0] += 1.0;
                sums[1] += f64::from(u8::from(!(0.02..=0.98).contains(share)));
                sums[2] += (share - mean).abs();
                sums[3] += (share - 0.5).abs();
            }
            let below = shares.iter().filter(|&&share| share < 0.25).count();
            let above = shares.iter().filter(|&&share| share > 0.75).count();
            both += usize::from(5 * below.min(above) >= shares.len());
        }
        Self {
            at_ends: 100.0 * sums[1] / sums[0],
            from_mean: sums[2] / sums[0],
            from_middle: sums[3] / sums[0],
            both_ends: 100.0 * both as f64 / shares.len() as f64,
        }
    }
}
