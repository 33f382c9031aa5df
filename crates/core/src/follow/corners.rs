//! The next corners to steer to.

use glam::Vec3;

use super::{FollowLink, Follower};
use crate::navmesh::NavMesh;
use crate::path::{Crossing, DirectedPortal, Funnel, PathCorner, find_bends};
use crate::probe::Probe;

/// The numbers of crossings that are looked at, one after the other, until there are enough corners. The
/// last one limits the time on a long straight line: beyond it, the agent steers to the middle of a portal.
const LOOK_AHEAD: [usize; 4] = [8, 24, 72, 216];

/// A point to steer to, in a straight line from the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowCorner {
    /// The point. [Units: m]
    pub point: Vec3,
    /// The link that begins here. The next corner is its other end.
    pub link: Option<FollowLink>,
    /// Whether this is the goal.
    pub is_goal: bool,
}

/// The buffers of [`Follower::corners`].
#[derive(Clone, Debug, Default)]
pub(super) struct CornerBuffers {
    found: Vec<FollowCorner>,
    pub(super) crossings: Vec<DirectedPortal>,
    pub(super) funnel: Funnel,
    pub(super) bends: Vec<PathCorner>,
    /// The bends on the way to the other end of the last portal.
    others: Vec<PathCorner>,
}

impl Follower {
    /// Returns the next corners, at most `count` of them, from the one after the agent's location to the goal. The
    /// list ends at the goal, so it is empty only without a path or if `count` is 0. If a corner is the beginning
    /// of a [link](FollowCorner::link), the next one is its end.
    ///
    /// If there is no corner in sight within more than two hundred polygons, the last point is not a corner but
    /// a point on the way.
    pub fn corners(&mut self, probe: &Probe<'_>, count: usize) -> &[FollowCorner] {
        self.carry_over(probe);
        let mut buffers = std::mem::take(&mut self.corners);
        buffers.found.clear();
        if let Some([here, goal]) = self.ends {
            self.find_corners(probe.mesh(), [here.point, goal.point], count, &mut buffers);
        }
        self.corners = buffers;
        &self.corners.found
    }

    fn find_corners(
        &self,
        mesh: &NavMesh,
        [here, goal]: [Vec3; 2],
        count: usize,
        buffers: &mut CornerBuffers,
    ) {
        let (mut from, mut first) = (here, 0);
        while buffers.found.len() < count {
            let wanted = count - buffers.found.len();
            let section = self.section_corners(mesh, first, [from, goal], wanted, buffers);
            let bends = buffers.bends.iter().take(wanted);
            let corners = bends.map(|bend| FollowCorner::new(bend.point));
            buffers.found.extend(corners);
            let (to, link) = match section {
                SectionEnd::Ahead => return,
                SectionEnd::Midpoint(point) => (point, None),
                SectionEnd::Goal => (goal, None),
                SectionEnd::Link(link) => (link.start, Some(link)),
            };
            if buffers.found.len() == count {
                return;
            }
            buffers.found.push(FollowCorner {
                point: to,
                link,
                is_goal: section == SectionEnd::Goal,
            });
            let Some(link) = link else { return };
            if buffers.found.len() == count {
                return;
            }
            buffers.found.push(FollowCorner::new(link.end));
            from = link.end;
            first += buffers.crossings.len() + 1;
            if first == self.crossings.len() && link.end == goal {
                buffers.found.last_mut().expect("just pushed").is_goal = true;
                return;
            }
        }
    }

    /// Sets `buffers.bends` to the bends of the line that begins before crossing `first`, up to the next link or the
    /// goal, or to at least `wanted` of them. Sets `buffers.crossings` to the crossings that were looked at.
    fn section_corners(
        &self,
        mesh: &NavMesh,
        first: usize,
        [from, goal]: [Vec3; 2],
        wanted: usize,
        buffers: &mut CornerBuffers,
    ) -> SectionEnd {
        let CornerBuffers {
            crossings,
            funnel,
            bends,
            others,
            ..
        } = buffers;
        crossings.clear();
        for look_ahead in LOOK_AHEAD {
            let end = loop {
                let next = first + crossings.len();
                match self.crossings.get(next) {
                    None => break Some(SectionEnd::Goal),
                    Some(&Crossing::Link(link, side)) => {
                        break Some(SectionEnd::Link(FollowLink::new(mesh, link, side)));
                    }
                    Some(_) if crossings.len() == look_ahead => break None,
                    Some(&Crossing::Portal(portal)) => {
                        crossings.push(DirectedPortal::new(mesh, portal, self.polygons[next]));
                    }
                }
            };
            if let Some(end) = end {
                let to = match end {
                    SectionEnd::Link(link) => link.start,
                    _ => goal,
                };
                find_bends([from, to], mesh, crossings, funnel, bends);
                return end;
            }
            // The corners on the way to both ends of a portal are on the way to every point beyond it.
            let (&last, before) = crossings.split_last().expect("portals were looked at");
            let [right, left] = last.ends(mesh);
            find_bends([from, right], mesh, before, funnel, bends);
            find_bends([from, left], mesh, before, funnel, others);
            let common = bends
                .iter()
                .zip(&*others)
                .take_while(|(a, b)| a.point == b.point);
            let common = common.count();
            bends.truncate(common);
            if common >= wanted {
                return SectionEnd::Ahead;
            }
        }
        let (last, before) = crossings.split_last().expect("portals were looked at");
        let middle = mesh.portal(last.portal()).midpoint();
        find_bends([from, middle], mesh, before, funnel, bends);
        SectionEnd::Midpoint(middle)
    }
}

/// What a line of corners leads to.
#[derive(Clone, Copy, PartialEq)]
enum SectionEnd {
    /// There are enough corners before the end.
    Ahead,
    /// The middle of a portal on the way.
    Midpoint(Vec3),
    Link(FollowLink),
    Goal,
}

impl FollowCorner {
    fn new(point: Vec3) -> Self {
        Self {
            point,
            link: None,
            is_goal: false,
        }
    }
}
