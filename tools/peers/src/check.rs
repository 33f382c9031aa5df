//! Checks whether answers are correct.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use portolan_core::graph::Origin;
use portolan_core::{
    Crossing, Endpoints, Engine, NavMesh, Path, PolygonId, Query, Scratch, Tier, World,
};

use crate::peer::{PeerAnswer, PeerStatus};
use crate::walk::{self, in_plan};

/// The fraction by which a length may be below the optimum, because lengths and endpoints are rounded.
const MAX_FRACTION_BELOW: f64 = 1e-3;
/// The distance by which a length may be below the optimum, because Polyanya passes corners at a distance of up to 2 mm.
/// [Units: m]
const MAX_METRES_BELOW: f64 = 5e-3;
/// The relative difference that two sums of the same arcs may have, because they are computed in `f32`.
const ROUNDING: f64 = 1e-4;
/// The relative difference between the cost and the length of an exact path, because a cost is rounded to `f32`.
const EXACT_ROUNDING: f64 = 1e-6;

/// Checks answers against a world.
pub(crate) struct AnswerChecker<'a> {
    world: &'a World,
    /// Pairs of polygons with a portal or link between them, the lower id first.
    joined: HashSet<[PolygonId; 2]>,
    /// The polygon of each user id.
    by_user_id: HashMap<u64, PolygonId>,
    scratch: Scratch,
}

impl<'a> AnswerChecker<'a> {
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

    /// Returns start and goal on the navmesh, if both are on it.
    pub(crate) fn ends(&self, [from, to]: [Vec3; 2]) -> Option<Endpoints> {
        let query = Query::new(from, to);
        self.world.locate(&query).ok()?.endpoints().ok()
    }

    /// Returns the cost that Dijkstra's algorithm finds, or `None` if there is no path.
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

    /// Returns whether each polygon of a corridor is connected to the next one.
    pub(crate) fn is_joined(&self, corridor: &[u64]) -> bool {
        corridor.windows(2).all(|pair| {
            let polygons = [pair[0], pair[1]].map(|id| self.by_user_id.get(&id).copied());
            let [Some(a), Some(b)] = polygons else {
                return false;
            };
            a == b || self.joined.contains(&ordered([a, b]))
        })
    }

    /// Returns what is wrong with an engine's answer, if anything. The crossings of the corridor must connect its
    /// polygons, the waypoints must stay in the corridor, and the length must be that of the waypoints. The cost must be the
    /// sum of the arcs along the corridor, with two exceptions: at the exact tier it must be the price of the legs in the
    /// (x, z) plane, and at taut tiers, whose shortcuts are not sums, it is not checked.
    pub(crate) fn fault_of(
        &mut self,
        engine: Engine,
        [from, to]: [Vec3; 2],
        answer: &PeerAnswer,
    ) -> Option<String> {
        let query = Query {
            engine,
            // The waypoints of the measured answer are corners only, too.
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
            let [length, waypoints] = [path.length_xz(), answer.length_xz()];
            return Some(format!(
                "length {length} differs from the length {waypoints} of its waypoints"
            ));
        }
        if endpoint_offset(answer, &ends) > 0.0 {
            return Some("does not start or end at the located point".to_owned());
        }
        if let Some(fault) = walk::fault_of(self.world.mesh(), &path) {
            return Some(fault);
        }
        let sum = match self.corridor_cost(&path, &ends) {
            Err(index) => {
                return Some(format!(
                    "crossing {index} of the corridor connects other polygons"
                ));
            }
            Ok(sum) => sum,
        };
        let cost = f64::from(path.cost);
        match self.world.resolve_engine(engine).tier() {
            Tier::Exact => {
                let price = self.price_in_plan(&path);
                let is_same = is_same_exactly(cost, price);
                (!is_same)
                    .then(|| format!("cost {cost} differs from the price {price} of its legs"))
            }
            Tier::Fast if !same(cost, sum) => Some(format!(
                "cost {cost} differs from the sum {sum} of its arcs"
            )),
            _ => None,
        }
    }

    /// Returns what the legs of a path cost if ground is priced by its length in the (x, z) plane.
    fn price_in_plan(&self, path: &Path) -> f64 {
        let mesh = self.world.mesh();
        let prices = self.world.default_costs().prices();
        // The exact tier requires one cost per metre on all ground.
        let polygon = path.corridor.polygons.first();
        let factor = polygon.map_or(1.0, |&polygon| f64::from(prices.factor(mesh, polygon)));
        let cost_of_leg = |(index, leg): (usize, [Vec3; 2])| {
            let mut links = path.links.iter();
            match links.find(|link| link.waypoint as usize == index) {
                Some(leg) => prices
                    .link_cost(mesh, mesh.link(leg.link))
                    .map_or(f64::INFINITY, f64::from),
                None => walk::length_in_plan(&leg) * factor,
            }
        };
        path.legs().enumerate().map(cost_of_leg).sum()
    }

    /// Returns the minimum cost of a path through a corridor over the samples of the graph. The error is the index of
    /// a crossing that does not connect its polygons.
    fn corridor_cost(&self, path: &Path, ends: &Endpoints) -> Result<f64, usize> {
        let (mesh, graph) = (self.world.mesh(), self.world.graph());
        let costs = self.world.default_costs();
        let factor = |polygon| f64::from(costs.prices().factor(mesh, polygon));
        let corridor = &path.corridor;
        let (first, last) = (corridor.polygons.first(), corridor.polygons.last());
        if (first, last) != (Some(&ends.start.polygon), Some(&ends.goal.polygon)) {
            return Err(0);
        }
        // The points that can be reached by the current crossing, with their costs.
        let mut reached = vec![(ends.start.point, 0.0)];
        let min_cost = |reached: &[(Vec3, f64)], to: Vec3, polygon| {
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
                        .map(|point| (point, min_cost(&reached, point, from)));
                    let joins = ordered(mesh.portal(portal).polygons) == ordered([from, to]);
                    (joins, samples.collect())
                }
                Crossing::Link(link, end) => {
                    let (one, other) = (usize::from(end), usize::from(1 - end));
                    let [enter, leave] =
                        [one, other].map(|end| graph.position(graph.link_end(link, end)));
                    let link = mesh.link(link);
                    let joins = [link.polygons[one], link.polygons[other]] == [from, to];
                    let link_cost = costs
                        .prices()
                        .link_cost(mesh, link)
                        .map_or(f64::INFINITY, f64::from);
                    (
                        joins,
                        vec![(leave, min_cost(&reached, enter, from) + link_cost)],
                    )
                }
            };
            if !joins {
                return Err(i);
            }
            reached = next;
        }
        Ok(min_cost(&reached, ends.goal.point, ends.goal.polygon))
    }
}

/// Returns whether two costs are equal except for rounding.
pub(crate) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= ROUNDING * a.abs().max(b.abs()) + 1e-4
}

/// Returns whether the cost of an exact path is the price of its legs, except for rounding to `f32`.
pub(crate) fn is_same_exactly(cost: f64, price: f64) -> bool {
    (cost - price).abs() <= EXACT_ROUNDING * price
}

/// Returns whether a length is below the optimum by more than both tolerances.
pub(crate) fn is_below(length: f64, optimum: f64) -> bool {
    length < optimum * (1.0 - MAX_FRACTION_BELOW) && length < optimum - MAX_METRES_BELOW
}

/// Returns the sum of the distances in (x, z) between the endpoints of an answer and those that Portolan locates. A
/// peer that locates a point elsewhere may find a path that is shorter by this distance.
pub(crate) fn endpoint_offset(answer: &PeerAnswer, ends: &Endpoints) -> f64 {
    let flat = |a: Vec3, b: Vec3| in_plan(a).distance(in_plan(b));
    let (first, last) = (answer.waypoints.first(), answer.waypoints.last());
    first.map_or(0.0, |&first| flat(first, ends.start.point))
        + last.map_or(0.0, |&last| flat(last, ends.goal.point))
}

/// Returns whether a peer found a path although Portolan says that there is none. Then one of them is wrong.
pub(crate) fn contradicts(portolan: &PeerAnswer, peer: &PeerAnswer) -> bool {
    peer.status == PeerStatus::Found && portolan.status == PeerStatus::NoPath
}

fn ordered([a, b]: [PolygonId; 2]) -> [PolygonId; 2] {
    [a.min(b), a.max(b)]
}

fn distance(a: Vec3, b: Vec3) -> f64 {
    a.as_dvec3().distance(b.as_dvec3())
}
