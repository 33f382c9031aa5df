//! Are the answers right?

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use portolan_core::graph::Origin;
use portolan_core::{Crossing, Endpoints, Engine, NavMesh, Path, PolygonId, Query, Scratch, World};

use crate::peer::{Answer, Status};
use crate::walk::{self, from_above};

/// How far below the optimum a length may be: what lengths and ends are rounded by.
const BELOW: f64 = 1e-3;
/// The least that this is in metres. Polyanya counts a corner as passed within 2 mm.
const BELOW_METRES: f64 = 5e-3;
/// How far two sums of the same arcs may differ: they are in `f32`, one after the other.
const ROUNDING: f64 = 1e-4;

/// What answers are held against.
pub(crate) struct Judge<'a> {
    world: &'a World,
    /// Pairs of polygons with a portal or link between them, lower id first.
    joined: HashSet<[PolygonId; 2]>,
    by_user_id: HashMap<u64, PolygonId>,
    scratch: Scratch,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(world: &'a World) -> Self {
        let mesh: &NavMesh = world.mesh();
        let portals = mesh.portals().iter().map(|portal| portal.polygons);
        let links = mesh.links().iter().map(|link| link.polygons);
        Self {
            world,
            joined: portals.chain(links).map(ordered).collect(),
            by_user_id: mesh.polygons().map(|p| (mesh.user_id(p), p)).collect(),
            scratch: Scratch::new(),
        }
    }

    /// Start and goal on the mesh, where both are.
    pub(crate) fn ends(&self, [from, to]: [Vec3; 2]) -> Option<Endpoints> {
        let query = Query::new(from, to);
        self.world.locate(&query).ok()?.endpoints().ok()
    }

    /// Dijkstra's cost; `None` where there is no path.
    pub(crate) fn dijkstra(&mut self, [from, to]: [Vec3; 2]) -> Option<f64> {
        let query = Query {
            engine: Engine::Dijkstra,
            ..Query::new(from, to)
        };
        let mut path = Path::default();
        let status = self
            .world
            .find_path(&query, &mut self.scratch, &mut path)
            .expect("an engine of this world");
        (status == portolan_core::Status::Found).then_some(f64::from(path.cost))
    }

    /// Whether each polygon of a corridor is joined to the next.
    pub(crate) fn is_joined(&self, corridor: &[u64]) -> bool {
        corridor.windows(2).all(|pair| {
            let polygons = [pair[0], pair[1]].map(|id| self.by_user_id.get(&id).copied());
            let [Some(a), Some(b)] = polygons else {
                return false;
            };
            a == b || self.joined.contains(&ordered([a, b]))
        })
    }

    /// What is wrong with an engine's answer, if anything: a crossing that does not join its polygons, a
    /// line that cannot be walked, a path that is as long as something else than its waypoints, or, of
    /// engines on the world's own graph, a cost that is not the sum of the corridor's arcs. Taut shortcuts
    /// are not sums.
    pub(crate) fn fault_of(
        &mut self,
        engine: Engine,
        [from, to]: [Vec3; 2],
        answer: &Answer,
    ) -> Option<String> {
        let query = Query {
            engine,
            // Corners only, as in the measured answer.
            ground_tolerance: f32::INFINITY,
            ..Query::new(from, to)
        };
        let mut path = Path::default();
        let status = self
            .world
            .find_path(&query, &mut self.scratch, &mut path)
            .expect("an engine of this world");
        if status != portolan_core::Status::Found {
            return None;
        }
        let ends = self
            .world
            .locate(&query)
            .expect("an engine of this world")
            .endpoints()
            .ok()?;
        if !same(path.length_xz(), answer.length_xz()) {
            let [said, walked] = [path.length_xz(), answer.length_xz()];
            return Some(format!("length {said} is not its waypoints' {walked}"));
        }
        if moved(answer, &ends) > 0.0 {
            return Some("does not begin and end where it should".to_owned());
        }
        if let Some(fault) = walk::fault_of(self.world.mesh(), &path) {
            return Some(fault);
        }
        let is_taut = self.world.resolve_engine(engine).tier().is_taut();
        match self.sum(&path, &ends) {
            Err(at) => Some(format!(
                "crossing {at} of the corridor joins other polygons"
            )),
            Ok(sum) if !is_taut && !same(f64::from(path.cost), sum) => {
                Some(format!("cost {} is not its sum {sum}", path.cost))
            }
            Ok(_) => None,
        }
    }

    /// The least cost of a corridor from sample to sample of the graph, or the place of a wrong
    /// crossing.
    fn sum(&self, path: &Path, ends: &Endpoints) -> Result<f64, usize> {
        let (mesh, graph) = (self.world.mesh(), self.world.graph());
        let costs = self.world.default_costs();
        let factor = |polygon| f64::from(costs.prices().factor(mesh, polygon));
        let corridor = &path.corridor;
        let (first, last) = (corridor.polygons.first(), corridor.polygons.last());
        if (first, last) != (Some(&ends.start.polygon), Some(&ends.goal.polygon)) {
            return Err(0);
        }
        // Where one can be after each crossing, and what that costs.
        let mut reached = vec![(ends.start.point, 0.0)];
        let least = |reached: &[(Vec3, f64)], to: Vec3, polygon| {
            let costs = reached
                .iter()
                .map(|&(here, cost)| cost + distance(here, to) * factor(polygon));
            costs.fold(f64::INFINITY, f64::min)
        };
        for (i, crossing) in corridor.crossings.iter().enumerate() {
            let [from, to] = [corridor.polygons[i], corridor.polygons[i + 1]];
            let (joins, next) = match *crossing {
                Crossing::Portal(portal) => {
                    let samples = graph
                        .samples_of(from)
                        .filter(|&sample| graph.origin(sample) == Origin::Portal(portal))
                        .map(|sample| graph.position(sample))
                        .map(|at| (at, least(&reached, at, from)));
                    let joins = ordered(mesh.portal(portal).polygons) == ordered([from, to]);
                    (joins, samples.collect())
                }
                Crossing::Link(link, end) => {
                    let (one, other) = (usize::from(end), usize::from(1 - end));
                    let [enter, leave] =
                        [one, other].map(|end| graph.position(graph.link_end(link, end)));
                    let link = mesh.link(link);
                    let joins = [link.polygons[one], link.polygons[other]] == [from, to];
                    let toll = costs
                        .prices()
                        .link_cost(mesh, link)
                        .map_or(f64::INFINITY, f64::from);
                    (joins, vec![(leave, least(&reached, enter, from) + toll)])
                }
            };
            if !joins {
                return Err(i);
            }
            reached = next;
        }
        Ok(least(&reached, ends.goal.point, ends.goal.polygon))
    }
}

/// Whether two costs are the same but for rounding.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) + 1e-4
}

/// Whether a length is below the optimum by more than rounding allows.
pub(crate) fn is_below(length: f64, optimum: f64) -> bool {
    length < optimum * (1.0 - BELOW) && length < optimum - BELOW_METRES
}

/// How far from ours an answer's ends are, seen from above. A peer that takes a point for one on
/// another polygon may be shorter by that.
pub(crate) fn moved(answer: &Answer, ends: &Endpoints) -> f64 {
    let flat = |a: Vec3, b: Vec3| from_above(a).distance(from_above(b));
    let (first, last) = (answer.waypoints.first(), answer.waypoints.last());
    first.map_or(0.0, |&first| flat(first, ends.start.point))
        + last.map_or(0.0, |&last| flat(last, ends.goal.point))
}

/// Whether a peer found a way to where ours says there is none: one of them is wrong.
pub(crate) fn contradicts(ours: &Answer, peer: &Answer) -> bool {
    peer.status == Status::Found && ours.status == Status::NoPath
}

fn ordered([a, b]: [PolygonId; 2]) -> [PolygonId; 2] {
    [a.min(b), a.max(b)]
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    a.as_dvec3().distance(b.as_dvec3())
}
