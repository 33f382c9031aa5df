//! Answers by labels: the first portal of a path, and its first waypoint.
//!
//! The portal is the best exit of the start's polygon. For the waypoint, the path is followed from polygon to polygon,
//! each time over the best exit to the same goal, until the first bend is certain.

use glam::Vec3;

use super::by_engine::first_portal;
use super::records::{BestExit, GoalChain, GoalSweep, LabelRecords, NO_EXIT, RecordPlace, TIE};
use crate::geometry::distance;
use crate::graph::{Origin, PortalGraph};
use crate::ids::{PolygonId, PortalId, SampleId};
use crate::navmesh::{Location, NavMesh};
use crate::path::{Crossing, DirectedPortal, FirstBend, Funnel, PathCorner, find_bends};
use crate::world::Endpoints;

/// The first waypoint of a path after its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FirstWaypoint {
    /// The cost of the whole path; infinite if there is none.
    pub(super) cost: f32,
    pub(super) point: Vec3,
    /// The polygon that the path enters there.
    pub(super) polygon: PolygonId,
}

impl FirstWaypoint {
    /// There is no path.
    const NONE: Self = Self {
        cost: f32::INFINITY,
        point: Vec3::NAN,
        polygon: PolygonId(u32::MAX),
    };
}

/// What answers by labels read.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelSearch<'a> {
    pub(super) mesh: &'a NavMesh,
    pub(super) graph: &'a PortalGraph,
    pub(super) records: &'a LabelRecords,
}

/// The buffers of answers by labels.
#[derive(Clone, Debug, Default)]
pub(super) struct LabelScratch {
    pub(super) chain: GoalChain,
    bend: FirstBend,
    crossings: Vec<DirectedPortal>,
    funnel: Funnel,
    corners: Vec<PathCorner>,
}

/// What is known of an agent before its costs are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct PreparedAgent {
    start: RecordPlace,
    goal: RecordPlace,
    shared: u32,
}

/// Where the costs to a goal come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum ToGoal<'a> {
    /// From the goal's own chain.
    Chain,
    /// From a sweep that many agents share.
    Sweep(&'a GoalSweep),
}

impl LabelSearch<'_> {
    /// Looks up the records of an agent.
    #[inline]
    pub(super) fn prepare(&self, Endpoints { start, goal }: Endpoints) -> PreparedAgent {
        let [start, goal] = [start, goal].map(|location| self.records.place(location.polygon));
        PreparedAgent {
            start,
            goal,
            shared: self.records.shared(&start, &goal),
        }
    }

    /// Returns the locations of start and goal from which costs are measured.
    #[inline]
    fn cost_ends(&self, Endpoints { start, goal }: Endpoints) -> [Location; 2] {
        [start, goal].map(|location| self.graph.cost_location(location))
    }

    /// Reads the records of an agent ahead: see [`LabelRecords::touch`].
    #[inline]
    pub(super) fn touch(&self, agent: &PreparedAgent) -> u32 {
        self.records.touch(&agent.start, &agent.goal, agent.shared)
    }

    /// Returns the best exit of the start's polygon. There is none if the path stays there.
    #[inline]
    fn first_exit(
        &self,
        ends: [Location; 2],
        agent: &PreparedAgent,
        to_goal: ToGoal<'_>,
        chain: &mut GoalChain,
    ) -> BestExit {
        let [from, to] = ends;
        let best = match to_goal {
            ToGoal::Chain => {
                chain.clear();
                self.records
                    .descend(&agent.goal, to.point, agent.shared, chain);
                self.records
                    .best_exit(&agent.start, from.point, NO_EXIT, agent.shared, chain)
            }
            ToGoal::Sweep(sweep) => {
                self.records
                    .best_exit_of_sweep(from.polygon, from.point, NO_EXIT, sweep)
            }
        };
        match from.polygon == to.polygon {
            true => best.or_stay(distance(from.point, to.point) * agent.start.factor()),
            false => best,
        }
    }

    /// Returns the cost of an agent's path and the sample by which it leaves its polygon, if it does.
    #[inline]
    pub(super) fn first_sample(
        &self,
        endpoints: Endpoints,
        agent: &PreparedAgent,
        to_goal: ToGoal<'_>,
        scratch: &mut LabelScratch,
    ) -> BestExit {
        let ends = self.cost_ends(endpoints);
        self.first_exit(ends, agent, to_goal, &mut scratch.chain)
    }

    /// Returns the polygon beyond the first portal of a path and the portal's ends, as
    /// [`BatchAnswers::portals`](super::BatchAnswers::portals) describes them.
    #[inline]
    pub(super) fn portal_at(
        &self,
        endpoints: Endpoints,
        exit: Option<SampleId>,
    ) -> (PolygonId, [Vec3; 2]) {
        let crossing = exit.map(|exit| match self.graph.origin(exit) {
            Origin::Portal(portal) => Crossing::Portal(portal),
            Origin::LinkEnd(link, end) => Crossing::Link(link, end as u8),
        });
        first_portal(self.mesh, endpoints, crossing)
    }

    /// Returns the first waypoint of an agent's path; `None` if two paths are equally good up to rounding, so that labels
    /// do not decide.
    pub(super) fn first_waypoint(
        &self,
        endpoints: Endpoints,
        agent: &PreparedAgent,
        to_goal: ToGoal<'_>,
        scratch: &mut LabelScratch,
    ) -> Option<FirstWaypoint> {
        let Endpoints { start, goal } = endpoints;
        let ends = self.cost_ends(endpoints);
        let mut best = self.first_exit(ends, agent, to_goal, &mut scratch.chain);
        let cost = best.cost;
        if cost == f32::INFINITY {
            return Some(FirstWaypoint::NONE);
        }
        scratch.bend.restart(start.point);
        scratch.crossings.clear();
        let mut here = start.polygon;
        // A path visits a polygon once, and only rounding can bring it back.
        for _ in 0..self.mesh.polygon_count() {
            if best.is_tie {
                return None;
            }
            let Some(sample) = best.exit else {
                return Some(self.last_leg(cost, start.point, goal, scratch));
            };
            let portal = match self.graph.origin(sample) {
                Origin::Portal(portal) => portal,
                Origin::LinkEnd(link, end) => {
                    let entry = Location {
                        polygon: here,
                        point: self.mesh.link(link).ends[end],
                    };
                    return Some(self.last_leg(cost, start.point, entry, scratch));
                }
            };
            let crossing = self.cross(portal, here, &mut scratch.crossings)?;
            here = crossing.to(self.mesh);
            if let Some(corner) = scratch.bend.push(crossing.ends(self.mesh)) {
                let entered = scratch.crossings[corner.portal as usize].to(self.mesh);
                return Some(FirstWaypoint {
                    cost,
                    point: corner.point,
                    polygon: entered,
                });
            }
            let before = best.cost;
            best = self.next_exit(ends[1], agent, here, sample, to_goal, &mut scratch.chain);
            // On ground that costs nothing, the path may have gone astray to a dead end.
            if best.cost > before + before * TIE {
                return None;
            }
        }
        None
    }

    /// Crosses a portal; `None` if that would lead back over the portal before.
    fn cross(
        &self,
        portal: PortalId,
        here: PolygonId,
        crossings: &mut Vec<DirectedPortal>,
    ) -> Option<DirectedPortal> {
        let crossing = DirectedPortal::new(self.mesh, portal, here);
        if crossings.last() == Some(&crossing.back()) {
            return None;
        }
        crossings.push(crossing);
        Some(crossing)
    }

    /// Returns the best exit of a polygon that a path has entered at `sample`. There is none if the path ends there.
    #[inline]
    fn next_exit(
        &self,
        goal: Location,
        agent: &PreparedAgent,
        here: PolygonId,
        sample: SampleId,
        to_goal: ToGoal<'_>,
        chain: &mut GoalChain,
    ) -> BestExit {
        let point = self.graph.position(sample);
        let (point, _) = self.graph.branch_point(here, point);
        let best = match to_goal {
            ToGoal::Chain => {
                let place = self.records.place(here);
                let shared = self.records.shared(&place, &agent.goal);
                self.records.descend(&agent.goal, goal.point, shared, chain);
                self.records.best_exit(&place, point, sample, shared, chain)
            }
            ToGoal::Sweep(sweep) => self.records.best_exit_of_sweep(here, point, sample, sweep),
        };
        match here == goal.polygon {
            true => best.or_stay(distance(point, goal.point) * agent.goal.factor()),
            false => best,
        }
    }

    /// Returns the first waypoint of a path whose crossings are all known, up to its goal or to its first link.
    fn last_leg(
        &self,
        cost: f32,
        start: Vec3,
        end: Location,
        scratch: &mut LabelScratch,
    ) -> FirstWaypoint {
        let LabelScratch {
            crossings,
            funnel,
            corners,
            ..
        } = scratch;
        find_bends([start, end.point], self.mesh, crossings, funnel, corners);
        let (point, polygon) = match corners.first() {
            Some(corner) => {
                let crossing = crossings[corner.portal as usize];
                (corner.point, crossing.to(self.mesh))
            }
            None => (end.point, end.polygon),
        };
        FirstWaypoint {
            cost,
            point,
            polygon,
        }
    }
}

impl PreparedAgent {
    /// An agent that is off the mesh.
    pub(super) const NONE: Self = Self {
        start: RecordPlace::NONE,
        goal: RecordPlace::NONE,
        shared: 0,
    };
}
