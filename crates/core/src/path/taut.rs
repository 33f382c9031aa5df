//! What a way over samples costs once it is pulled taut: the line that the funnel makes of it, over ground
//! that may cost more or less.

use super::directed::Directed;
use super::funnel::{Corner, Funnel};
use super::line::Way;
use crate::contraction::Measure;
use crate::graph::{Origin, PortalGraph, SampleSide};
use crate::ids::{PolygonId, PortalId, SampleId};
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// Measures ways for one kind of agent.
pub(crate) struct TautCosts<'a> {
    mesh: &'a NavMesh,
    graph: &'a PortalGraph,
    prices: &'a Prices,
}

/// Buffers for measuring.
#[derive(Default)]
pub(crate) struct TautScratch {
    crossings: Vec<Directed>,
    funnel: Funnel,
    corners: Vec<Corner>,
    pulled: Pulled,
}

/// The last line: the two sums of an arc can be of one corridor. On vaduz that is so for 6% of what is
/// asked with midpoints, where it saves 1% of the time, and for a third with samples at the 50th percentile, where
/// it saves 12% (one thread).
#[derive(Default)]
struct Pulled {
    ends: Option<[SampleId; 2]>,
    crossings: Vec<Directed>,
    cost: f32,
}

impl<'a> TautCosts<'a> {
    pub(crate) fn new(mesh: &'a NavMesh, graph: &'a PortalGraph, prices: &'a Prices) -> Self {
        Self {
            mesh,
            graph,
            prices,
        }
    }

    /// What the arc between two samples leads through.
    fn side(&self, pair: [SampleId; 2]) -> SampleSide {
        match self.graph.only_step(pair) {
            Some(step) => self.graph.came_through(step),
            None => {
                let side = self.graph.cheapest_side(self.mesh, self.prices, pair);
                side.expect("an arc of the graph")
            }
        }
    }

    /// Adds a crossing, or takes away the last one where this leads back, as
    /// [`Corridor::follow_taut`](super::Corridor::follow_taut) will.
    fn cross(&self, crossings: &mut Vec<Directed>, portal: PortalId, [from, to]: [PolygonId; 2]) {
        let factor = |polygon| self.prices.factor(self.mesh, polygon);
        let crossing = Directed::new(self.mesh, portal, from);
        match crossings[..] {
            [.., last] if last.back() == crossing && factor(from) >= factor(to) => {
                crossings.pop();
            }
            _ => crossings.push(crossing),
        }
    }

    fn portal(&self, sample: SampleId) -> Option<PortalId> {
        match self.graph.origin(sample) {
            Origin::Portal(portal) => Some(portal),
            Origin::LinkEnd(..) => None,
        }
    }

    /// What the taut line between two samples costs over the crossings in the scratch; `last` is the
    /// polygon after them.
    fn pull(&self, ends: [SampleId; 2], last: Option<PolygonId>, scratch: &mut TautScratch) -> f32 {
        let Some(last) = last else { return 0.0 };
        let TautScratch {
            crossings, pulled, ..
        } = scratch;
        if pulled.ends != Some(ends) || pulled.crossings != *crossings {
            let cost = self.pull_anew(ends, last, scratch);
            let TautScratch {
                crossings, pulled, ..
            } = scratch;
            pulled.ends = Some(ends);
            pulled.crossings.clone_from(crossings);
            pulled.cost = cost;
        }
        scratch.pulled.cost
    }

    fn pull_anew(
        &self,
        [from, to]: [SampleId; 2],
        last: PolygonId,
        scratch: &mut TautScratch,
    ) -> f32 {
        let TautScratch {
            crossings,
            funnel,
            corners,
            ..
        } = scratch;
        // Portals on which the line begins or ends do not bend it.
        let is_of = |sample, crossing: Option<&Directed>| {
            crossing.is_some_and(|crossing| Some(crossing.portal()) == self.portal(sample))
        };
        let end = crossings.len() - usize::from(is_of(to, crossings.last()));
        let begin = usize::from(is_of(from, crossings[..end].first()));
        let last = crossings
            .get(end)
            .map_or(last, |crossing| crossing.from(self.mesh));
        let [from, to] = [from, to].map(|sample| self.graph.position(sample));
        let way = Way {
            from,
            to,
            crossings: &crossings[begin..end],
            cost_model: self.graph.options().cost_model,
            last,
        };
        corners.clear();
        let ends = way
            .crossings
            .iter()
            .map(|crossing| crossing.ends(self.mesh));
        funnel.pull(from, to, ends, corners);
        way.cost(self.mesh, self.prices, corners)
    }
}

impl Measure for TautCosts<'_> {
    type Scratch = TautScratch;

    fn cost(&self, way: &[u32], scratch: &mut TautScratch) -> f32 {
        let (mut cost, mut from) = (0.0, SampleId(way[0]));
        let mut polygon = None;
        scratch.crossings.clear();
        for pair in way.windows(2) {
            let pair = [SampleId(pair[0]), SampleId(pair[1])];
            match self.side(pair) {
                SampleSide::Polygon(next) => {
                    if let Some(before) = polygon.filter(|&before| before != next) {
                        let portal = self.portal(pair[0]).expect("two polygons beside it");
                        self.cross(&mut scratch.crossings, portal, [before, next]);
                    }
                    polygon = Some(next);
                }
                SampleSide::Link(link, _) => {
                    let toll = self.prices.of_link(self.mesh, self.mesh.link(link));
                    cost += self.pull([from, pair[0]], polygon, scratch);
                    cost += toll.unwrap_or(f32::INFINITY);
                    scratch.crossings.clear();
                    (from, polygon) = (pair[1], None);
                }
            }
        }
        cost + self.pull([from, SampleId(way[way.len() - 1])], polygon, scratch)
    }
}
