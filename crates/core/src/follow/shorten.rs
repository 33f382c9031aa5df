//! Shortens a corridor: by what the agent sees, and where it can enter a later polygon at once.

use glam::Vec3;

use super::Follower;
use super::corners::CornerBuffers;
use super::merge::{crossing_between, crossing_on};
use crate::geometry::{distance_xz, lerp};
use crate::ids::PolygonId;
use crate::navmesh::NavMesh;
use crate::path::{Crossing, DirectedPortal, TautLine, find_bends};
use crate::probe::Probe;

/// The number of polygons ahead that are looked at.
const AHEAD: usize = 24;

/// The number of corners ahead that are looked at.
const MAX_CORNERS: usize = 4;

/// How far from a corner the agent looks at its portal, as a fraction of half the portal.
const BESIDE_CORNER: f64 = 0.05;

/// The ratio of new to old length below which a corridor is replaced. Smaller gains may be rounding errors.
const SHORTER: f64 = 1.0 - 1e-6;

impl Follower {
    /// Replaces the beginning of the corridor if the agent sees a later corner, and drops polygons between the
    /// agent's polygon and a neighbour of it. Also notes if the ground ahead is closed to the agent.
    ///
    /// Only ground of one cost factor is shortened, because elsewhere the cheapest path may be longer.
    pub(super) fn shorten(&mut self, probe: &Probe<'_>) {
        let ahead = self.polygons.len().min(AHEAD);
        let mut next = self.polygons.range(1.min(ahead)..ahead);
        if next.any(|&polygon| !probe.is_open(polygon)) {
            self.is_lost = true;
            return;
        }
        self.enter_neighbour(probe, ahead);
        self.look_ahead(probe);
    }

    /// Enters a neighbour of the agent's polygon directly if the corridor comes to it later, provided the way to
    /// the next corner behind it gets shorter.
    fn enter_neighbour(&mut self, probe: &Probe<'_>, ahead: usize) {
        let (Some([here, goal]), mesh) = (self.ends, probe.mesh()) else {
            return;
        };
        let is_neighbour = |polygon: PolygonId| {
            let portals = mesh.portals_of(here.polygon).iter();
            let mut beyond = portals.map(|&portal| mesh.portal(portal).beyond(here.polygon));
            beyond.any(|beyond| beyond == polygon)
        };
        let is_candidate = |&index: &usize| is_neighbour(self.polygons[index]);
        let Some(index) = (2..ahead).rev().find(is_candidate) else {
            return;
        };
        let polygons = self.polygons.range(..=index).copied();
        if !self.are_portals(index) || !is_uniform(probe, polygons) {
            return;
        }
        // The line to a corner of the current line is a part of it, so the lines behind it are the same.
        let corners = self.corners(probe, MAX_CORNERS);
        if corners.iter().any(|corner| corner.link.is_some()) {
            return;
        }
        let has_goal = corners.last().is_some_and(|corner| corner.is_goal);
        let mut buffers = std::mem::take(&mut self.corners);
        let next = buffers
            .bends
            .iter()
            .position(|bend| bend.portal as usize >= index);
        let target = match next {
            Some(next) => Some((
                next,
                buffers.bends[next].point,
                buffers.bends[next].portal as usize,
            )),
            None if has_goal => Some((buffers.bends.len(), goal.point, self.crossings.len())),
            None => None,
        };
        if let Some((bends, target, end)) = target {
            let line = [here.point, target];
            let old = TautLine::length(line, &buffers.bends[..bends]);
            let direct = crossing_between(mesh, [here.polygon, self.polygons[index]], target);
            let after = self
                .crossings
                .iter()
                .zip(&self.polygons)
                .take(end)
                .skip(index);
            let portals = [(direct, here.polygon)]
                .into_iter()
                .chain(after.map(|(&crossing, &from)| (crossing, from)));
            if buffers.length(mesh, line, portals) < old * SHORTER {
                self.polygons.drain(1..index);
                self.crossings.drain(1..index);
                self.crossings[0] = direct;
                self.astray = self.astray.min(1);
            }
        }
        self.corners = buffers;
    }

    /// Looks past the next corner, at the one behind it or at the goal, and goes there in a straight line if
    /// nothing is in between.
    fn look_ahead(&mut self, probe: &Probe<'_>) {
        let Some([here, _]) = self.ends else { return };
        let corners = self.corners(probe, 2);
        let [next, second] = *corners else { return };
        if next.link.is_some() || next.is_goal {
            return;
        }
        // Looking exactly at a corner would end in any of the polygons around it. Beside it there are only two.
        let CornerBuffers {
            bends, crossings, ..
        } = &self.corners;
        let (target, joints) = match bends.iter().find(|bend| bend.point == second.point) {
            Some(bend) => {
                let crossing = bend.portal as usize;
                let portal = probe.mesh().portal(crossings[crossing].portal());
                let target = lerp(second.point, portal.midpoint(), BESIDE_CORNER);
                (target, [crossing, crossing + 1])
            }
            _ if second.is_goal => (second.point, [self.polygons.len() - 1; 2]),
            _ => return,
        };
        let old = distance_xz(here.point, next.point) + distance_xz(next.point, second.point);
        let new = distance_xz(here.point, target) + distance_xz(target, second.point);
        if new >= old * SHORTER {
            return;
        }
        let mut seen = std::mem::take(&mut self.crossed);
        let ray = probe.ray(here, target, &mut seen);
        if ray.hit.is_none() && is_uniform(probe, seen.iter().copied()) {
            self.replace_start(probe.mesh(), [here.point, target], &seen, joints);
        }
        self.crossed = seen;
    }

    /// Replaces the beginning of the corridor by the polygons of a line of sight, if the last of them is one of two
    /// polygons of the corridor, given by their indices, and only portals lead there.
    fn replace_start(
        &mut self,
        mesh: &NavMesh,
        line: [Vec3; 2],
        seen: &[PolygonId],
        joints: [usize; 2],
    ) {
        let Some(last) = seen.last() else { return };
        let is_joint = |&index: &usize| index > 0 && self.polygons.get(index) == Some(last);
        let Some(index) = joints.into_iter().find(is_joint) else {
            return;
        };
        let old = self.polygons.range(..=index).copied();
        if !self.are_portals(index) || old.eq(seen.iter().copied()) {
            return;
        }
        self.polygons.drain(..index);
        self.crossings.drain(..index);
        for pair in seen.windows(2).rev() {
            self.polygons.push_front(pair[0]);
            self.crossings
                .push_front(crossing_on(mesh, [pair[0], pair[1]], line));
        }
        self.astray = 0;
    }

    /// Returns whether the first `count` crossings are portals.
    fn are_portals(&self, count: usize) -> bool {
        let mut crossings = self.crossings.range(..count);
        crossings.all(|crossing| matches!(crossing, Crossing::Portal(_)))
    }
}

impl CornerBuffers {
    /// Returns the length in plan of the taut line between two points through portals, each with the polygon that it
    /// leaves.
    fn length(
        &mut self,
        mesh: &NavMesh,
        line: [Vec3; 2],
        portals: impl Iterator<Item = (Crossing, PolygonId)>,
    ) -> f64 {
        self.crossings.clear();
        self.crossings
            .extend(portals.filter_map(|(crossing, from)| match crossing {
                Crossing::Portal(portal) => Some(DirectedPortal::new(mesh, portal, from)),
                Crossing::Link(..) => None,
            }));
        find_bends(
            line,
            mesh,
            &self.crossings,
            &mut self.funnel,
            &mut self.bends,
        );
        TautLine::length(line, &self.bends)
    }
}

/// Returns whether a metre costs the same on all polygons.
fn is_uniform(probe: &Probe<'_>, mut polygons: impl Iterator<Item = PolygonId>) -> bool {
    let factor = |polygon| probe.costs().prices().factor(probe.mesh(), polygon);
    let Some(first) = polygons.next().map(factor) else {
        return true;
    };
    polygons.all(|polygon| factor(polygon) == first)
}
