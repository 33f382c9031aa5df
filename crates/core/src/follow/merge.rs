//! Joins a corridor with the polygons that an agent or a goal has passed.

use glam::Vec3;

use super::Follower;
use crate::geometry::{distance_squared_xz, lerp, nearest_fraction};
use crate::ids::{PolygonId, PortalId};
use crate::navmesh::NavMesh;
use crate::path::{Crossing, segments_touch};
use crate::probe::Probe;

/// An agent that is this close to the next portal crosses it. [Units: m]
const TOUCH: f64 = 1e-3;

/// The number of polygons, beyond those of a move, in which a move is searched for in the corridor.
const WINDOW: usize = 32;

impl Follower {
    /// Puts an agent that has walked straight through the next portals into the last polygon of them that it is on, and
    /// drops those before. Returns whether it is on one. A point on a border is on several polygons, and the
    /// one that a slide finds may be beside the corridor.
    pub(super) fn walk(&mut self, probe: &Probe<'_>, from: Vec3) -> bool {
        let mesh = probe.mesh();
        let Some([here, _]) = &mut self.ends else {
            return false;
        };
        let leg = [from, here.point];
        let (mut index, mut last) = (0, None);
        loop {
            let nearest = mesh.nearest_on(self.polygons[index], here.point);
            if distance_squared_xz(nearest, here.point) <= TOUCH * TOUCH {
                last = Some((index, nearest));
            }
            match self.crossings.get(index) {
                Some(&Crossing::Portal(portal)) => {
                    let portal = mesh.portal(portal);
                    if !segments_touch(leg, [portal.right, portal.left]) {
                        break;
                    }
                }
                _ => break,
            }
            index += 1;
            // The ground may have changed since the path was found.
            if !probe.is_open(self.polygons[index]) {
                break;
            }
        }
        let Some((index, point)) = last else {
            return false;
        };
        self.polygons.drain(..index);
        self.crossings.drain(..index);
        self.astray = self.astray.saturating_sub(index);
        here.polygon = self.polygons[0];
        here.point = point;
        true
    }

    /// Makes the corridor begin where the agent has moved to. `trail` are the polygons that it has passed, from the
    /// old one to the new one. The corridor goes on at the last polygon of it that the agent has passed, so the
    /// polygons before are dropped; the agent has to return through the polygons that it passed after that one.
    pub(super) fn merge_start(&mut self, mesh: &NavMesh, to: Vec3, trail: &[PolygonId]) {
        let window = self.polygons.len().min(trail.len() + WINDOW);
        let passed = |index: &usize| trail.contains(&self.polygons[*index]);
        // The trail begins at the first polygon of the corridor.
        let kept = (0..window).rev().find(passed).unwrap_or(0);
        let joint = self.polygons[kept];
        let after = trail.iter().rposition(|&polygon| polygon == joint);
        self.polygons.drain(..kept);
        self.crossings.drain(..kept);
        self.astray = self.astray.saturating_sub(kept);
        for pair in trail[after.unwrap_or(0)..].windows(2) {
            let crossing = crossing_between(mesh, [pair[1], pair[0]], to);
            self.polygons.push_front(pair[1]);
            self.crossings.push_front(crossing);
            self.astray += 1;
        }
    }

    /// Puts an agent that touches the next portals on their other side. At the tip of a thin wall, both sides of the
    /// wall are equally near, and an agent on the wrong side would walk back along it. An agent that has left the
    /// corridor and touches it again, as on a line along a border, enters it there.
    pub(super) fn step_over(&mut self, probe: &Probe<'_>) {
        let mesh = probe.mesh();
        let Some([here, _]) = &mut self.ends else {
            return;
        };
        if self.astray > 0 {
            let ahead = self.polygons.len().min(WINDOW);
            let touched = mesh.portals_of(here.polygon).iter().filter_map(|&portal| {
                let nearest = touch(mesh, portal, here.point)?;
                let beyond = mesh.portal(portal).beyond(here.polygon);
                if !probe.is_open(beyond) {
                    return None;
                }
                let index = (1..ahead)
                    .rev()
                    .find(|&index| self.polygons[index] == beyond)?;
                let mut before = self.crossings.range(..index);
                let are_portals = before.all(|crossing| matches!(crossing, Crossing::Portal(_)));
                are_portals.then_some((index, nearest))
            });
            if let Some((index, nearest)) = touched.max_by_key(|&(index, _)| index) {
                self.polygons.drain(..index);
                self.crossings.drain(..index);
                self.astray = self.astray.saturating_sub(index);
                here.polygon = self.polygons[0];
                here.point = nearest.with_y(mesh.height_at(here.polygon, nearest));
            }
        }
        while let Some(&Crossing::Portal(portal)) = self.crossings.front() {
            let Some(nearest) = touch(mesh, portal, here.point) else {
                return;
            };
            let beyond = mesh.portal(portal).beyond(here.polygon);
            if !probe.is_open(beyond) {
                self.is_lost = true;
                return;
            }
            self.polygons.pop_front();
            self.crossings.pop_front();
            self.astray = self.astray.saturating_sub(1);
            here.polygon = beyond;
            here.point = nearest.with_y(mesh.height_at(here.polygon, nearest));
        }
    }

    /// Makes the corridor end where the goal has moved to; the mirror image of
    /// [`merge_start`](Self::merge_start).
    pub(super) fn merge_end(&mut self, mesh: &NavMesh, to: Vec3, trail: &[PolygonId]) {
        let count = self.polygons.len();
        let first = count.saturating_sub(trail.len() + WINDOW);
        let passed = |index: &usize| trail.contains(&self.polygons[*index]);
        let kept = (first..count).find(passed).unwrap_or(count - 1);
        let joint = self.polygons[kept];
        let after = trail.iter().rposition(|&polygon| polygon == joint);
        self.polygons.truncate(kept + 1);
        self.crossings.truncate(kept);
        self.astray = self.astray.min(kept);
        for pair in trail[after.unwrap_or(0)..].windows(2) {
            let crossing = crossing_between(mesh, [pair[0], pair[1]], to);
            self.polygons.push_back(pair[1]);
            self.crossings.push_back(crossing);
        }
    }
}

/// Returns the portal between two polygons that a straight line passes.
pub(super) fn crossing_on(mesh: &NavMesh, [from, to]: [PolygonId; 2], line: [Vec3; 2]) -> Crossing {
    let is_passed = |portal: &&PortalId| {
        let portal = mesh.portal(**portal);
        portal.beyond(from) == to && segments_touch(line, [portal.right, portal.left])
    };
    match mesh.portals_of(from).iter().find(is_passed) {
        Some(&portal) => Crossing::Portal(portal),
        // Only rounding leads here.
        None => crossing_between(mesh, [from, to], line[1]),
    }
}

/// Returns the point of a portal that is nearest to a point in plan, if they touch.
fn touch(mesh: &NavMesh, portal: PortalId, point: Vec3) -> Option<Vec3> {
    let portal = mesh.portal(portal);
    let fraction = nearest_fraction(portal.right, portal.left, point);
    let nearest = lerp(portal.right, portal.left, fraction);
    (distance_squared_xz(nearest, point) <= TOUCH * TOUCH).then_some(nearest)
}

/// Returns the portal between two polygons that is nearest to a point in plan. A long border with several
/// neighbours can have several portals to one of them.
pub(super) fn crossing_between(
    mesh: &NavMesh,
    [from, to]: [PolygonId; 2],
    point: Vec3,
) -> Crossing {
    let portals = mesh.portals_of(from).iter().copied();
    let between = portals.filter(|&portal| mesh.portal(portal).beyond(from) == to);
    let distance = |portal| {
        let [a, b] = mesh.portal(portal).ends_from(from);
        distance_squared_xz(lerp(a, b, nearest_fraction(a, b, point)), point)
    };
    let nearest = between.min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
    Crossing::Portal(nearest.expect("portals connect the polygons of a trail"))
}
