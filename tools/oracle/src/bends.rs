//! What the waypoints of no path should do where all ground costs the same.

use portolan_core::{Path, PolygonId, Profile};

use crate::optimum::weigh;
use crate::sight::{Sight, Stop, from_above};

/// Legs that are shorter have no direction, and what lies nearer to a line is on it. [Units: m]
const NEGLIGIBLE: f64 = 1e-3;

/// The waypoints before and after each that is no end of a path or of a link, over legs of no length.
fn neighbours(path: &Path) -> Vec<[usize; 3]> {
    let places: Vec<_> = path.waypoints.iter().map(|&p| from_above(p)).collect();
    let is_link = |leg: usize| path.links.iter().any(|link| link.waypoint as usize == leg);
    let is_apart = |i: usize, j: usize| places[i].distance(places[j]) > NEGLIGIBLE;
    let mut found = Vec::new();
    for i in 1..places.len().saturating_sub(1) {
        let mut before = (0..i).rev().take_while(|&leg| !is_link(leg));
        let before = before.find(|&j| is_apart(i, j));
        let after = (i..places.len() - 1).take_while(|&leg| !is_link(leg));
        let after = after.map(|leg| leg + 1).find(|&j| is_apart(i, j));
        found.extend(before.zip(after).map(|(before, after)| [before, i, after]));
    }
    found
}

/// The waypoints at which a path goes back the way it came, to a tenth of a degree.
pub fn turns_back(path: &Path) -> Vec<usize> {
    let place = |i: usize| from_above(path.waypoints[i]);
    let is_back = |[before, i, after]: &[usize; 3]| {
        let (come, go) = (place(*i) - place(*before), place(*after) - place(*i));
        let angle = come.perp_dot(go).atan2(come.dot(go)).abs();
        angle > 179.9f64.to_radians()
    };
    let back = neighbours(path).into_iter().filter(is_back);
    back.map(|[_, i, _]| i).collect()
}

/// The corners at which a path bends, seen from above, though the straight line from the one before to the one
/// after is on the mesh too, and no longer in space.
///
/// On level ground it never is longer. On hills it may be: the bend then goes around one. Heights are those of
/// portals, by which samples are measured.
///
/// # Panics
/// Where a leg leaves the mesh.
pub fn superfluous_corners(sight: &Sight<'_>, path: &Path, start: PolygonId) -> Vec<usize> {
    let stops: Vec<Stop> = sight.follow(path, start);
    let length = |i: usize, j: usize| {
        let corridor = sight.corridor(&stops[i], &stops[j])?;
        let leg = Path {
            corridor,
            waypoints: vec![path.waypoints[i], path.waypoints[j]],
            ..Path::default()
        };
        Some(weigh(sight.mesh, &Profile::default(), &leg))
    };
    let is_superfluous = |&[before, i, after]: &[usize; 3]| {
        let [from, corner, to] = [before, i, after].map(|i| stops[i].place);
        let aside = (to - from).normalize_or_zero().perp_dot(corner - from);
        if aside.abs() <= NEGLIGIBLE {
            return false;
        }
        let bent = length(before, i).zip(length(i, after));
        let bent = bent.map(|(come, go)| come + go).expect("legs on the mesh");
        length(before, after).is_some_and(|straight| straight <= bent)
    };
    let superfluous = neighbours(path).into_iter().filter(is_superfluous);
    superfluous.map(|[_, i, _]| i).collect()
}
