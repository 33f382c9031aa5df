//! The searches: from start and goal to the cheapest trail of samples between them.

mod anytime;
mod around;
mod astar;
mod auto;
mod closest;
mod contraction;
mod dijkstra;
mod engine;
mod exact;
mod hna;
mod labels;
mod observer;
mod partial;
mod resume;
mod scratch;
mod tier;

pub(crate) use anytime::{AnytimeSearch, Found};
pub(crate) use around::AroundOutcome;
pub use engine::{Connect, Engine, EngineError, UnknownEngine};
use hna::ConnectMethod;
pub use hna::StepTimes;
pub use labels::Distance;
pub use observer::{Event, Observer};
pub(crate) use resume::SearchPhase;
pub use scratch::Scratch;
pub use tier::{Tier, UnknownTier};

use glam::Vec3;

use crate::contraction::{Contraction, HubLabels, Shortcuts};
use crate::exact::ExactIndex;
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::hierarchy::{Hierarchy, Metric};
use crate::ids::SampleId;
use crate::navmesh::{Location, NavMesh};
use crate::profile::Prices;

/// The input of a search. A search reads all of it and changes none of it.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The portal graph of the tier that is searched.
    pub graph: &'a PortalGraph,
    /// The hierarchy over the graph, if there is one.
    pub hierarchy: Option<&'a Hierarchy>,
    /// The contraction of the graph, if there is one.
    pub contraction: Option<&'a Contraction>,
    /// The prices of the agent.
    pub prices: &'a Prices,
    /// The costs of the hierarchy, customized with these prices.
    pub metric: Option<&'a Metric>,
    /// The costs of the contraction's arcs, customized with these prices.
    pub shortcuts: Option<&'a Shortcuts>,
    /// The hub labels of these shortcuts.
    pub labels: Option<&'a HubLabels>,
    /// The exact tier of these prices.
    pub(crate) exact: Option<&'a ExactIndex>,
    /// The location of the agent.
    pub start: Location,
    /// The location of the goal.
    pub goal: Location,
    /// The limits of the search.
    pub limits: Limits,
}

/// The limits of a search, and whether it may return a partial path.
///
/// ```
/// use portolan_core::{Limits, Query};
///
/// let limits = Limits { max_cost: 100.0, partial: true };
/// let query = Query { limits, ..Query::new([0.0, 0.0, 0.0], [50.0, 0.0, 0.0]) };
/// assert_eq!(query.limits.max_cost, 100.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The maximum cost of a path. [Default: infinite] A low limit makes searches stop earlier.
    pub max_cost: f32,
    /// Whether to return a path to the nearest reachable point if the goal cannot be reached. [Default:
    /// false] Such a search explores everything within `max_cost` with A*, which can be slow.
    pub partial: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_cost: f32::INFINITY,
            partial: false,
        }
    }
}

/// The result of a search. The trail that belongs to it is in the [`Scratch`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// A path to the goal. An exact engine returns the cheapest path on the graph. A taut tier returns a
    /// cost that is at most the cheapest sum on its own graph.
    Found {
        /// The cost of the path.
        cost: f32,
    },
    /// A path to the reachable point with the smallest straight-line distance to the goal, judged by sample
    /// points.
    Partial {
        /// The cost of the path.
        cost: f32,
        /// The point where the path ends.
        end: Location,
    },
    /// The goal cannot be reached, or not within the cost limit.
    NoPath,
}

/// The cheapest path to the goal so far: its cost and its last vertex.
#[derive(Clone, Copy, Debug)]
struct BestPath {
    cost: f32,
    last: Option<SampleId>,
}

impl<'a> Search<'a> {
    /// Searches with the given engine.
    ///
    /// # Panics
    /// Panics if the engine needs a hierarchy, level, table or contraction that the search does not have.
    pub fn run(
        &self,
        engine: Engine,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        match engine {
            Engine::Auto(Tier::Fast) => self.auto(scratch, observer),
            Engine::Auto(Tier::Exact) => self.exact(scratch, observer),
            Engine::Auto(_) | Engine::Contraction(_) => self.contraction(scratch, observer),
            Engine::Labels => self.hub_labels(scratch, observer),
            Engine::AStar => self.astar(scratch, observer),
            Engine::Dijkstra => self.dijkstra(scratch, observer),
            Engine::Closest => self.closest(scratch, observer),
            Engine::Hna { level, connect } => {
                self.hna(level, connect.map(ConnectMethod::from), scratch, observer)
            }
            Engine::Pccp { level } => {
                self.hna(level, Some(ConnectMethod::Centres), scratch, observer)
            }
        }
    }

    /// Returns the contraction and the costs of its arcs.
    fn contraction_parts(&self) -> (&'a Contraction, &'a Shortcuts) {
        let contraction = self
            .contraction
            .expect("the caller checked that there is a contraction");
        (
            contraction,
            self.shortcuts
                .expect("the caller checked that it is customized"),
        )
    }

    /// Returns the cost of the straight line from start to goal; infinite if they are in different
    /// polygons.
    fn straight_cost(&self) -> f32 {
        if self.start.polygon == self.goal.polygon {
            self.last_leg(0.0, self.start.point)
        } else {
            f32::INFINITY
        }
    }

    /// Returns the total cost of a path whose last leg leads from `point`, reached at `cost`, through the
    /// goal's polygon to the goal; infinite if it exceeds the limit.
    #[inline]
    fn last_leg(&self, cost: f32, point: Vec3) -> f32 {
        let factor = self.prices.factor(self.mesh, self.goal.polygon);
        if factor == f32::INFINITY {
            return f32::INFINITY;
        }
        let total = cost + distance(point, self.goal.point) * factor;
        if total <= self.limits.max_cost {
            total
        } else {
            f32::INFINITY
        }
    }
}
