//! An agent on its way: a corridor that is kept up to date while the agent and its goal move.

mod carried;
mod corners;
mod merge;
mod repair;
mod shorten;

use std::collections::VecDeque;

use glam::Vec3;

pub use corners::FollowCorner;

use crate::geometry::distance_xz;
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{Location, NavMesh};
use crate::path::{Crossing, Path};
use crate::probe::{Probe, ProbeScratch};
use corners::CornerBuffers;

/// The number of polygons that an agent can be beside the corridor of its path before a new path is better.
const MAX_ASTRAY: usize = 8;

/// The number of calls of [`Follower::advance`] between two attempts to shorten the corridor.
const SHORTEN_EVERY: u8 = 8;

/// The maximum number of polygons between an agent that has arrived and its goal.
const NEARBY: usize = 8;

/// How far in height a goal may be from the ground that it has moved to. [Units: m]
const GOAL_HEIGHT: f32 = crate::DEFAULT_SNAP.y;

/// Leads an agent along a path: it holds the agent's location and the corridor that remains. After every
/// move, [`advance`](Self::advance) puts the agent back on the mesh, and [`corners`](Self::corners) returns
/// the next points to steer to. This is the counterpart of Detour's `dtPathCorridor`.
///
/// A push in any direction is no problem: the corridor grows back to where it was left. Where a later part
/// of the corridor comes into sight, it is shortened. The follower belongs to no thread and no world; every
/// call takes the [`Probe`] of the agent. Once its buffers have grown, no call allocates memory.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{Follow, Follower, NavMeshOptions, ProbeScratch, World};
///
/// # let raw = portolan_scenes::WorldScene::Rooms.build(&Default::default());
/// let world = World::build(raw, &NavMeshOptions::default())?;
/// let mesh = world.mesh();
/// let [from, to] = [0, mesh.polygon_count() - 1].map(|i| mesh.centre(portolan_core::PolygonId(i as u32)));
/// let path = world.find(from, to).expect("rooms are connected");
///
/// let (probe, mut scratch) = (world.probe(), ProbeScratch::new());
/// let mut follower = Follower::new();
/// follower.set_path(&path);
/// let mut position = follower.location().expect("a path").point;
/// let mut frames = 0;
/// while follower.advance(&probe, position, &mut scratch) != Follow::Arrived {
///     let here = follower.location().expect("a path").point;
///     let target = follower.corners(&probe, 1)[0].point;
///     position = here + (target - here).clamp_length_max(0.1);
///     frames += 1;
/// }
/// assert!(frames as f64 * 0.1 >= path.length_xz() - 0.2);
/// # Ok::<(), portolan_core::NavMeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Follower {
    /// The distance in plan at which a goal or the start of a link counts as reached. [Units: m]
    /// [Default: 0.1] It should be at least as long as half the agent's step per frame.
    pub arrival: f32,
    /// The location of the agent and of the goal; `None` without a path.
    ends: Option<[Location; 2]>,
    /// The polygons from that of the agent to that of the goal.
    polygons: VecDeque<PolygonId>,
    /// The crossings between them, one fewer.
    crossings: VecDeque<Crossing>,
    /// The number of leading polygons that are not part of the path: the agent was pushed there.
    astray: usize,
    /// Whether the follower cannot lead the agent to its goal.
    is_lost: bool,
    /// The version of the world for which the path was found.
    version: u64,
    /// The topology of the mesh that the crossings belong to.
    topology: u64,
    /// The number of calls of `advance` until the corridor is looked at again.
    until_shortened: u8,
    crossed: Vec<PolygonId>,
    corners: CornerBuffers,
}

/// What an agent should do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Follow {
    /// Walk to the next [corner](Follower::corners).
    Walk,
    /// Walk to the next corner. The agent has left the corridor of its path, and the corners lead back to it.
    /// A detour of a few polygons is no reason for a new path: see [`Follower::needs_path`].
    Astray,
    /// Use a link from here. Then call [`Follower::leave_link`].
    Link(FollowLink),
    /// The agent is at the end of its path.
    Arrived,
    /// There is no path: see [`Follower::set_path`].
    NoPath,
}

/// A link that an agent uses: a leg that is not on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FollowLink {
    /// The link.
    pub link: LinkId,
    /// Where the agent enters it. [Units: m]
    pub start: Vec3,
    /// Where the agent leaves it. [Units: m]
    pub end: Vec3,
}

impl Default for Follower {
    fn default() -> Self {
        Self {
            arrival: 0.1,
            ends: None,
            polygons: VecDeque::new(),
            crossings: VecDeque::new(),
            astray: 0,
            is_lost: false,
            version: 0,
            topology: 0,
            until_shortened: SHORTEN_EVERY,
            crossed: Vec::new(),
            corners: CornerBuffers::default(),
        }
    }
}

impl Follower {
    /// Creates a follower without a path.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the path to follow, and the agent to its start. The path needs its
    /// [corridor](crate::Query::corridor); without one, the follower has no path.
    pub fn set_path(&mut self, path: &Path) {
        self.polygons.clear();
        self.crossings.clear();
        (self.astray, self.is_lost, self.version) = (0, false, path.version);
        self.until_shortened = SHORTEN_EVERY;
        self.topology = path.topology;
        let polygons = &path.corridor.polygons;
        let ends = [
            (polygons.first(), path.waypoints.first()),
            (polygons.last(), path.waypoints.last()),
        ];
        let [start, goal] = ends.map(|end| match end {
            (Some(&polygon), Some(&point)) => Some(Location { polygon, point }),
            _ => None,
        });
        self.ends = start.zip(goal).map(|(start, goal)| [start, goal]);
        if self.ends.is_some() {
            self.polygons.extend(polygons);
            self.crossings.extend(&path.corridor.crossings);
        }
    }

    /// Returns the location of the agent; `None` without a path.
    pub fn location(&self) -> Option<Location> {
        self.ends.map(|[here, _]| here)
    }

    /// Returns the location of the goal; `None` without a path.
    pub fn goal(&self) -> Option<Location> {
        self.ends.map(|[_, goal]| goal)
    }

    /// Returns the polygons from that of the agent to that of the goal.
    pub fn polygons(&self) -> impl ExactSizeIterator<Item = PolygonId> + '_ {
        self.polygons.iter().copied()
    }

    /// Returns the crossings between the [polygons](Self::polygons).
    pub fn crossings(&self) -> impl ExactSizeIterator<Item = Crossing> + '_ {
        self.crossings.iter().copied()
    }

    /// Returns whether to ask for a new path: there is none, the agent is more than a few polygons beside it,
    /// the ground ahead has been closed, or the goal has moved out of reach. Until then, the agent can go on
    /// with the old path.
    pub fn needs_path(&self) -> bool {
        self.ends.is_none() || self.is_lost || self.astray > MAX_ASTRAY
    }

    /// Moves the agent along the ground to a new position and brings the corridor up to date. The agent slides
    /// along walls and never leaves the mesh, whatever the position is. Call it after every move.
    ///
    /// A long jump, such as a teleport, needs a new path instead: a slide gets only as far as the ground goes.
    pub fn advance(
        &mut self,
        probe: &Probe<'_>,
        position: impl Into<Vec3>,
        scratch: &mut ProbeScratch,
    ) -> Follow {
        self.carry_over(probe);
        self.leave_polygons_that_are_gone(probe);
        let Some([here, goal]) = self.ends else {
            return Follow::NoPath;
        };
        let moved = probe.slide(here, position.into(), scratch);
        self.ends = Some([moved, goal]);
        if !self.walk(probe, here.point) && moved.polygon != here.polygon {
            self.merge_start(probe.mesh(), moved.point, scratch.trail());
        }
        self.step_over(probe);
        self.until_shortened -= 1;
        if self.until_shortened == 0 {
            self.until_shortened = SHORTEN_EVERY;
            self.shorten(probe);
        }
        self.state(probe)
    }

    /// Moves the goal, for an agent that follows something. Returns whether the corridor could be changed to lead
    /// there, which it can if the goal has moved along the ground without a jump. Otherwise the goal stays, and
    /// the agent [needs a new path](Self::needs_path).
    pub fn retarget(
        &mut self,
        probe: &Probe<'_>,
        goal: impl Into<Vec3>,
        scratch: &mut ProbeScratch,
    ) -> bool {
        self.carry_over(probe);
        self.leave_polygons_that_are_gone(probe);
        let Some([here, old]) = self.ends else {
            return false;
        };
        let goal: Vec3 = goal.into();
        let moved = probe.slide(old, goal, scratch);
        let is_there = distance_xz(moved.point, goal) <= f64::from(self.arrival)
            && (moved.point.y - goal.y).abs() <= GOAL_HEIGHT;
        if !is_there {
            self.is_lost = true;
            return false;
        }
        self.ends = Some([here, moved]);
        if moved.polygon != old.polygon {
            self.merge_end(probe.mesh(), moved.point, scratch.trail());
        }
        true
    }

    /// Gives up the corridor if obstacles have come into it or have gone from it since the path was found: its polygons have
    /// been cut, or its pieces exist no more. Agents and goals that an obstacle covers move to the nearest ground.
    fn leave_polygons_that_are_gone(&mut self, probe: &Probe<'_>) {
        let mesh = probe.mesh();
        let is_gone =
            |polygon: PolygonId| !mesh.has_polygon(polygon) || mesh.cut(polygon).is_some();
        let ends = self.ends.iter().flatten().map(|end| end.polygon);
        if !self.polygons.iter().copied().chain(ends).any(is_gone) {
            return;
        }
        let on_ground = |end: Location| match is_gone(end.polygon) {
            true => probe.nearest(end.point, crate::DEFAULT_SNAP),
            false => Some(end),
        };
        let [here, goal] = match self.ends {
            Some(ends) => ends.map(on_ground),
            None => [None, None],
        };
        self.polygons.clear();
        self.crossings.clear();
        self.polygons.extend(here.map(|here| here.polygon));
        self.ends = here.map(|here| [here, goal.unwrap_or(here)]);
        self.is_lost = true;
    }

    /// Puts the agent at the end of the link that it has just used. Does nothing unless the next crossing is a
    /// link of this mesh.
    pub fn leave_link(&mut self, mesh: &NavMesh) {
        let Some(link) = self.next_link(mesh) else {
            return;
        };
        self.polygons.pop_front();
        self.crossings.pop_front();
        self.astray = 0;
        if let (Some(ends), Some(&polygon)) = (&mut self.ends, self.polygons.front()) {
            ends[0] = Location {
                polygon,
                point: link.end,
            };
        }
    }

    /// Returns the link that leaves the polygon of the agent, if the corridor goes on with one.
    fn next_link(&self, mesh: &NavMesh) -> Option<FollowLink> {
        match *self.crossings.front()? {
            Crossing::Portal(_) => None,
            // A mesh of another topology may have fewer links.
            Crossing::Link(link, side) => {
                let exists = link.index() < mesh.links().len();
                exists.then(|| FollowLink::new(mesh, link, side))
            }
        }
    }

    fn state(&mut self, probe: &Probe<'_>) -> Follow {
        let Some([here, goal]) = self.ends else {
            return Follow::NoPath;
        };
        let arrival = f64::from(self.arrival);
        let is_near = |point: Vec3| distance_xz(here.point, point) <= arrival;
        let next_link = self.next_link(probe.mesh());
        if let Some(link) = next_link.filter(|link| is_near(link.start)) {
            if probe.is_link_open(link.link) {
                return Follow::Link(link);
            }
            // The ground has changed since the path was found.
            self.is_lost = true;
        }
        // Another floor may be close in plan, and the goal may be on the border of the agent's polygon.
        let is_close = self.polygons.len() <= NEARBY && is_near(goal.point);
        if is_close && (self.polygons.len() == 1 || self.corners(probe, 1)[0].is_goal) {
            return Follow::Arrived;
        }
        match self.astray {
            0 => Follow::Walk,
            _ => Follow::Astray,
        }
    }
}

impl FollowLink {
    fn new(mesh: &NavMesh, link: LinkId, side: u8) -> Self {
        let side = usize::from(side);
        let ends = mesh.link(link).ends;
        Self {
            link,
            start: ends[side],
            end: ends[1 - side],
        }
    }
}
