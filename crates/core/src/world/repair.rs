//! Repairing a path after changes of the ground, without a search of the whole world where that is enough.
//!
//! The corridor is kept up to a few polygons before the first change, and from a few polygons after the last one. A search
//! between these two places replaces what lies between. It is short if the changes are close together, whatever the length of the
//! path.

use glam::Vec3;

use super::{Endpoints, Located, Query, Status, World};
use crate::geometry::distance;
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{Location, NavMesh, Portal};
use crate::path::{Corridor, Crossing, Path};
use crate::profile::Prices;
use crate::query::{Engine, EngineError, Limits, Scratch};

/// The number of polygons beside a change that are searched again. More give shorter paths and longer searches.
const MARGIN: usize = 6;

/// The part of the remaining corridor, in percent, from which on a query of the whole path takes no longer.
const MAX_REPLACED: usize = 60;

/// The detour, as a fraction of the cost of what remains, from which on another way may well be shorter.
const MAX_DETOUR: f32 = 0.05;

/// The number of polygons of a kept part in which the new part is joined to it as early as possible.
const WINDOW: usize = 64;

/// What [`Path::repair`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// The status of the path now. The path is empty unless the status [has a path](Status::has_path).
    pub status: Status,
    /// How it was found.
    pub method: RepairMethod,
}

/// How [`Path::repair`] found the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairMethod {
    /// No change lies ahead: the path is as it was, including its waypoints behind the agent.
    Kept,
    /// A part of the corridor was searched again. The path begins at the start of the query.
    Mended,
    /// The query was answered from scratch.
    Searched,
}

/// A plan for a repair: the range of the corridor that is searched again, as indices of polygons.
#[derive(Clone, Copy, Debug)]
enum Plan {
    Keep,
    Mend {
        /// The polygon of the agent.
        first: usize,
        /// The last polygon before the new part, and the first one after it.
        leave: usize,
        join: usize,
    },
    Search,
}

/// The buffers of a repair.
#[derive(Clone, Debug, Default)]
pub(crate) struct RepairBuffers {
    /// The new part.
    part: Path,
    /// The corridor that results.
    corridor: Corridor,
}

impl Path {
    /// Makes a path right for another version of the world in which it was found: after a change of the ground, or
    /// for an agent that has moved along its path. `query` is the query of the path, with the present position
    /// of the agent as its start.
    ///
    /// - If nothing has changed ahead, the path stays as it is. A change elsewhere may have made a shorter
    ///   path; this is not noticed.
    /// - If a few polygons ahead have changed, and the engine is one whose time grows with the searched area (A\*, Dijkstra, `closest`,
    ///   HNA\*, PCCP), it searches the corridor between them again, and the waypoints are computed again. The cost of
    ///   the path is then that of its corridor through the middle of each portal, which is not comparable with costs of queries. Such
    ///   a path may be longer than that of a new query: `docs/live.md` says by how much.
    /// - Otherwise the query is answered from scratch: with a contraction, which takes no longer; if the changes are spread over most of the path; if the
    ///   detour around them is more than 5% of what remains; if the cost would exceed the limit of the query; if start or goal are not on
    ///   the path; or if there is no way around.
    ///
    /// So the path never leads through closed ground, and there is one whenever a new query would find one.
    ///
    /// ```
    /// use portolan_core::{Change, LiveWorld, NavMeshOptions, Query, RepairMethod, Scratch, World};
    /// use portolan_scenes::{WorldOptions, WorldScene};
    ///
    /// let raw = WorldScene::Open.build(&WorldOptions { polygons: 2000, ..WorldOptions::default() });
    /// let live = LiveWorld::new(World::build(raw, &NavMeshOptions::default())?);
    /// let world = live.snapshot();
    /// let [from, to] = [0, world.mesh().polygon_count() - 1].map(|i| world.mesh().centre(portolan_core::PolygonId(i as u32)));
    /// let mut path = world.find(from, to).expect("open ground");
    ///
    /// let ahead = path.corridor.polygons[path.corridor.polygons.len() / 2];
    /// live.update(&[Change::Block(ahead)])?;
    /// let repaired = path.repair(&live.snapshot(), &Query::new(from, to), &mut Scratch::new())?;
    /// assert!(repaired.status.has_path());
    /// assert_ne!(repaired.method, RepairMethod::Kept);
    /// assert!(!path.corridor.polygons.contains(&ahead));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`World::find_path`] does. The path does not change then.
    pub fn repair(
        &mut self,
        world: &World,
        query: &Query<'_>,
        scratch: &mut Scratch,
    ) -> Result<Repaired, EngineError> {
        let located = world.locate(query)?;
        let plan = match located.endpoints {
            Ok(ends) if !located.is_goal_moved => located.plan_repair(ends, self),
            _ => Plan::Search,
        };
        let repaired = |status, method| Ok(Repaired { status, method });
        match plan {
            Plan::Keep => {
                self.version = world.version;
                return repaired(Status::Found, RepairMethod::Kept);
            }
            Plan::Mend { first, leave, join } => {
                if located.mend(self, [first, leave, join], scratch) {
                    return repaired(Status::Found, RepairMethod::Mended);
                }
            }
            Plan::Search => (),
        }
        let status = located.search(scratch).waypoints(self);
        repaired(status, RepairMethod::Searched)
    }
}

impl Located<'_> {
    /// Finds the changes that lie ahead on a path.
    fn plan_repair(&self, ends: Endpoints, path: &Path) -> Plan {
        let (mesh, prices) = (&self.world.mesh, self.costs.prices());
        let Corridor {
            polygons,
            crossings,
        } = &path.corridor;
        // A path that was found in a later version than this one may lead through what was open only then.
        let is_later = path.version > self.world.version;
        if is_later || polygons.last() != Some(&ends.goal.polygon) {
            return Plan::Search;
        }
        let last = polygons.len() - 1;
        let start = polygons.iter().rposition(|&at| at == ends.start.polygon);
        let Some(first) = start else {
            return Plan::Search;
        };
        let mut changed: Option<[usize; 2]> = None;
        for at in first..=last {
            let polygon = polygons[at];
            // A piece beside an obstacle that has gone, or a polygon of another mesh.
            if !mesh.has_polygon(polygon) {
                return Plan::Search;
            }
            if at < last && !connects(mesh, crossings[at], [polygon, polygons[at + 1]]) {
                return Plan::Search;
            }
            let is_link_closed = |crossing: &Crossing| match *crossing {
                Crossing::Portal(_) => false,
                Crossing::Link(link, _) => prices.link_cost(mesh, mesh.link(link)).is_none(),
            };
            let has_changed = mesh.changed_in(polygon) > path.version
                || !prices.allows(mesh, polygon)
                || mesh.cut(polygon).is_some()
                || crossings.get(at).is_some_and(is_link_closed);
            if has_changed {
                changed = Some([changed.map_or(at, |[from, _]| from), at]);
            }
        }
        let Some([from, to]) = changed else {
            return Plan::Keep;
        };
        let leave = from.saturating_sub(1 + MARGIN).max(first);
        // A closed link leads to the next polygon.
        let join = (to + 2 + MARGIN).min(last);
        let is_long = (join - leave) * 100 > (last - first) * MAX_REPLACED;
        match is_long || !has_local_searches(self.engine) {
            true => Plan::Search,
            false => Plan::Mend { first, leave, join },
        }
    }

    /// Replaces a part of a path. Returns false, and leaves the path as it is, if a query of the whole path is better.
    fn mend(&self, path: &mut Path, range: [usize; 3], scratch: &mut Scratch) -> bool {
        let mut buffers = std::mem::take(&mut scratch.repair);
        let is_mended = self.mend_with(&mut buffers, path, range, scratch);
        scratch.repair = buffers;
        is_mended
    }

    fn mend_with(
        &self,
        buffers: &mut RepairBuffers,
        path: &mut Path,
        [first, leave, join]: [usize; 3],
        scratch: &mut Scratch,
    ) -> bool {
        let (Ok(ends), mesh) = (self.endpoints, &self.world.mesh) else {
            return false;
        };
        let old = &path.corridor;
        let RepairBuffers { part, corridor } = buffers;
        // 1. Search between the kept parts.
        let part_ends = Endpoints {
            start: match leave == first {
                true => ends.start,
                false => Location {
                    polygon: old.polygons[leave],
                    point: middle(mesh, old.crossings[leave - 1], 1),
                },
            },
            goal: match join + 1 == old.polygons.len() {
                true => ends.goal,
                false => Location {
                    polygon: old.polygons[join],
                    point: middle(mesh, old.crossings[join], 0),
                },
            },
        };
        let query = Query {
            limits: Limits::default(),
            ground_tolerance: f32::INFINITY,
            corridor: true,
            ..self.query
        };
        let Ok(located) = self.world.located(&query, part_ends) else {
            return false;
        };
        if located.search(scratch).waypoints(part) != Status::Found {
            return false;
        }
        // 2. Join the parts.
        join_corridors(old, [first, leave, join], &part.corridor, corridor);
        // 3. Decide by costs. They are measured in the same way for the old part and the new one.
        let prices = self.costs.prices();
        let cost = |corridor: &Corridor, range: [usize; 2], ends: Endpoints| {
            let points = [ends.start.point, ends.goal.point];
            cost_over_midpoints(mesh, prices, corridor, range, points)
        };
        let new_part = cost(
            &part.corridor,
            [0, part.corridor.polygons.len() - 1],
            part_ends,
        );
        let old_part = cost(old, [leave, join], part_ends);
        let whole = cost(corridor, [0, corridor.polygons.len() - 1], ends);
        let is_short = new_part - old_part <= MAX_DETOUR * whole;
        if !is_short || whole > self.query.limits.max_cost {
            return false;
        }
        // 4. Pull the path taut.
        std::mem::swap(&mut path.corridor, corridor);
        path.cost = whole;
        path.version = self.world.version;
        path.pull(
            mesh,
            [ends.start.point, ends.goal.point],
            self.query.ground_tolerance,
            self.world.flips(self.engine.tier(), prices),
            &mut scratch.pull_buffers,
        );
        true
    }
}

/// Returns whether a search between near points takes much less time than one between distant points. With a contraction it
/// does not: most of the time of a query goes into the waypoints of the whole path.
fn has_local_searches(engine: Engine) -> bool {
    match engine {
        Engine::AStar | Engine::Dijkstra | Engine::Closest => true,
        Engine::Hna { .. } | Engine::Pccp { .. } => true,
        Engine::Auto(_) | Engine::Contraction(_) | Engine::Labels => false,
    }
}

/// Returns whether a crossing leads from one polygon to another. Ids that do not exist in the mesh are no crossing.
fn connects(mesh: &NavMesh, crossing: Crossing, [from, to]: [PolygonId; 2]) -> bool {
    match crossing {
        Crossing::Portal(id) => {
            let joins =
                |portal: &Portal| portal.polygons == [from, to] || portal.polygons == [to, from];
            match mesh.portals().get(id.index()) {
                Some(portal) => joins(portal),
                // A portal of a piece beside an obstacle.
                None => mesh.portals_of(from).contains(&id) && joins(mesh.portal(id)),
            }
        }
        Crossing::Link(link, end) => {
            let (link, end) = (mesh.links().get(link.index()), usize::from(end));
            link.is_some_and(|link| link.polygons[end] == from && link.polygons[1 - end] == to)
        }
    }
}

/// Returns the middle of a portal, or one end of a link: 0 is the end by which it is entered.
fn middle(mesh: &NavMesh, crossing: Crossing, end: u8) -> Vec3 {
    match crossing {
        Crossing::Portal(portal) => mesh.portal(portal).midpoint(),
        Crossing::Link(link, entered) => mesh.link(link).ends[usize::from(entered ^ end)],
    }
}

/// Joins the beginning of a corridor, a new part, and the rest of the corridor. Where the new part comes back to a
/// polygon of the kept parts, the loop is left out.
fn join_corridors(
    old: &Corridor,
    [first, leave, join]: [usize; 3],
    part: &Corridor,
    joined: &mut Corridor,
) {
    let in_part = |polygon: PolygonId, from: usize| {
        let mut part = part.polygons[from..].iter();
        part.rposition(|&at| at == polygon).map(|at| from + at)
    };
    // The part begins in `leave` and ends in `join`, so there are such polygons.
    let early = first.max(leave.saturating_sub(WINDOW))..=leave;
    let (leave, from) = early
        .filter_map(|at| Some((at, in_part(old.polygons[at], 0)?)))
        .next()
        .expect("the part begins in the corridor");
    let late = join..=(join + WINDOW).min(old.polygons.len() - 1);
    let (join, to) = late
        .rev()
        .filter_map(|at| Some((at, in_part(old.polygons[at], from)?)))
        .next()
        .expect("the part ends in the corridor");
    joined.clear();
    let polygons = [
        &old.polygons[first..=leave],
        &part.polygons[from + 1..=to.max(from)],
        &old.polygons[join + 1..],
    ];
    polygons
        .iter()
        .for_each(|part| joined.polygons.extend_from_slice(part));
    let crossings = [
        &old.crossings[first..leave],
        &part.crossings[from..to],
        &old.crossings[join..],
    ];
    crossings
        .iter()
        .for_each(|part| joined.crossings.extend_from_slice(part));
}

/// Returns the cost of a part of a corridor through the middle of each portal. Ground that is closed costs as much as its
/// area.
fn cost_over_midpoints(
    mesh: &NavMesh,
    prices: &Prices,
    corridor: &Corridor,
    [first, last]: [usize; 2],
    [start, goal]: [Vec3; 2],
) -> f32 {
    let factor = |polygon: PolygonId| match prices.factor(mesh, polygon) {
        f32::INFINITY => prices.profile().factor(mesh.area(polygon)).unwrap_or(1.0),
        factor => factor,
    };
    let link_cost = |link: LinkId| {
        let link = mesh.link(link);
        let cost = prices.link_cost(mesh, link);
        cost.unwrap_or_else(|| link.length())
    };
    let (mut cost, mut from) = (0.0, start);
    for at in first..last {
        let crossing = corridor.crossings[at];
        let to = middle(mesh, crossing, 0);
        cost += distance(from, to) * factor(corridor.polygons[at]);
        if let Crossing::Link(link, _) = crossing {
            cost += link_cost(link);
        }
        from = middle(mesh, crossing, 1);
    }
    cost + distance(from, goal) * factor(corridor.polygons[last])
}
