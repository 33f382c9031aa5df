//! Detects reversals and unnecessary corners in waypoints, where all ground has the same cost.

use portolan_core::{Path, PolygonId, Profile};

use crate::optimum::line_cost;
use crate::sight::{MeshPoint, Sight, in_plan};

/// A leg shorter than this has no direction, and a point nearer to a line than this is on it. [Units: m]
const NEGLIGIBLE: f64 = 1e-3;

/// Returns the indices of each inner waypoint and of the waypoints before and after it. Waypoints at the
/// same position are skipped as neighbours. Ends of the path and of links are no inner waypoints.
fn neighbours(path: &Path) -> Vec<[usize; 3]> {
    let positions: Vec<_> = path.waypoints.iter().map(|&p| in_plan(p)).collect();
    let is_link = |leg: usize| path.links.iter().any(|link| link.waypoint as usize == leg);
    let is_apart = |i: usize, j: usize| positions[i].distance(positions[j]) > NEGLIGIBLE;
    let mut found = Vec::new();
    for i in 1..positions.len().saturating_sub(1) {
        let mut before = (0..i).rev().take_while(|&leg| !is_link(leg));
        let before = before.find(|&j| is_apart(i, j));
        let after = (i..positions.len() - 1).take_while(|&leg| !is_link(leg));
        let after = after.map(|leg| leg + 1).find(|&j| is_apart(i, j));
        found.extend(before.zip(after).map(|(before, after)| [before, i, after]));
    }
    found
}

/// Returns the waypoints at which a path reverses its direction in plan, within a tenth of a degree.
pub fn turns_back(path: &Path) -> Vec<usize> {
    let position = |i: usize| in_plan(path.waypoints[i]);
    let is_reversal = |[before, i, after]: &[usize; 3]| {
        let arriving = position(*i) - position(*before);
        let leaving = position(*after) - position(*i);
        let angle = arriving
            .perp_dot(leaving)
            .atan2(arriving.dot(leaving))
            .abs();
        angle > 179.9f64.to_radians()
    };
    let reversals = neighbours(path).into_iter().filter(is_reversal);
    reversals.map(|[_, i, _]| i).collect()
}

/// Returns the corners at which a path bends in plan, although the straight line from the waypoint before to the
/// waypoint after is also on the mesh and is not longer in space.
///
/// On level ground the straight line is never longer. On hills it may be longer, if the path bends around a hill.
/// Heights are interpolated along portals, as they are for samples.
///
/// # Panics
/// Panics if a leg leaves the mesh.
pub fn unnecessary_corners(sight: &Sight<'_>, path: &Path, start: PolygonId) -> Vec<usize> {
    let points: Vec<MeshPoint> = sight.follow(path, start);
    let length = |i: usize, j: usize| {
        let corridor = sight.corridor(&points[i], &points[j])?;
        let mut leg = Path::default();
        leg.corridor = corridor;
        leg.waypoints = vec![path.waypoints[i], path.waypoints[j]];
        Some(line_cost(sight.mesh, &Profile::default(), &leg))
    };
    let is_unnecessary = |&[before, i, after]: &[usize; 3]| {
        let [from, corner, to] = [before, i, after].map(|i| points[i].position);
        let aside = (to - from).normalize_or_zero().perp_dot(corner - from);
        if aside.abs() <= NEGLIGIBLE {
            return false;
        }
        let legs = length(before, i).zip(length(i, after));
        let legs = legs.map(|(arriving, leaving)| arriving + leaving);
        let bent = legs.expect("both legs are on the mesh");
        length(before, after).is_some_and(|straight| straight <= bent)
    };
    let unnecessary = neighbours(path).into_iter().filter(is_unnecessary);
    unnecessary.map(|[_, i, _]| i).collect()
}
