//! From start and goal to the cheapest trail of samples between them.

mod astar;
mod auto;
mod closest;
mod contraction;
mod dijkstra;
mod engine;
mod hna;
mod labels;
mod observer;
mod partial;
mod scratch;
mod tier;

pub use engine::{Connect, Engine, EngineError, UnknownEngine};
use hna::Connecting;
pub use hna::StepTimes;
pub use labels::Distance;
pub use observer::{Event, Observer};
pub use scratch::Scratch;
pub use tier::{Tier, UnknownTier};

use glam::Vec3;

use crate::contraction::{Contraction, HubLabels, Shortcuts};
use crate::geometry::distance;
use crate::graph::PortalGraph;
use crate::hierarchy::{Hierarchy, Metric};
use crate::navmesh::{Location, NavMesh};
use crate::profile::Prices;

/// What every search reads and none changes.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The mesh.
    pub mesh: &'a NavMesh,
    /// The graph of the tier.
    pub graph: &'a PortalGraph,
    /// A hierarchy over it, where there is one.
    pub hierarchy: Option<&'a Hierarchy>,
    /// Its contraction, where it has one.
    pub contraction: Option<&'a Contraction>,
    /// What the agent pays.
    pub prices: &'a Prices,
    /// The costs of the hierarchy, customized from these prices.
    pub metric: Option<&'a Metric>,
    /// The costs of the contraction's arcs, customized from these prices.
    pub shortcuts: Option<&'a Shortcuts>,
    /// Hub labels made from these shortcuts.
    pub labels: Option<&'a HubLabels>,
    /// Where it stands.
    pub start: Location,
    /// Where it wants to be.
    pub goal: Location,
    /// When to give up.
    pub limits: Limits,
}

/// When a search gives up, and what it says then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Paths that cost more are not found. [Default: infinite]
    pub max_cost: f32,
    /// Where the goal is out of reach, go as near as one can get. [Default: false]
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

/// How a search ended. The trail that belongs to it is in the [`Scratch`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The goal: by an exact engine at the least cost on the graph, by a taut tier at no more than the least
    /// on its own.
    Found {
        /// That cost.
        cost: f32,
    },
    /// Not the goal, but the reachable place that lies nearest to it as the crow flies, judged
    /// by samples.
    Partial {
        /// What it costs to get there.
        cost: f32,
        /// Where that is.
        end: Location,
    },
    /// The goal cannot be reached, or not at that cost.
    NoPath,
}

impl<'a> Search<'a> {
    /// Searches with the given engine.
    ///
    /// # Panics
    /// When it needs a hierarchy, a level, a table or a contraction that is not there.
    pub fn run(
        &self,
        engine: Engine,
        scratch: &mut Scratch,
        observer: &mut impl Observer,
    ) -> Outcome {
        match engine {
            Engine::Auto(Tier::Fast) => self.auto(scratch, observer),
            Engine::Auto(_) | Engine::Contraction(_) => self.contraction(scratch, observer),
            Engine::Labels => self.hub_labels(scratch, observer),
            Engine::AStar => self.astar(scratch, observer),
            Engine::Dijkstra => self.dijkstra(scratch, observer),
            Engine::Closest => self.closest(scratch, observer),
            Engine::Hna { level, connect } => {
                self.hna(level, connect.map(Connecting::from), scratch, observer)
            }
            Engine::Pccp { level } => self.hna(level, Some(Connecting::Centres), scratch, observer),
        }
    }

    /// What the contraction engines search.
    fn contracted(&self) -> (&'a Contraction, &'a Shortcuts) {
        let contraction = self.contraction.expect("a world with a contraction");
        (contraction, self.shortcuts.expect("costs for it"))
    }

    /// The cost of the straight line from start to goal; infinite unless they share a polygon.
    fn straight(&self) -> f32 {
        if self.start.polygon == self.goal.polygon {
            self.last_leg(0.0, self.start.point)
        } else {
            f32::INFINITY
        }
    }

    /// The cost of the whole path when its last leg leads from `point`, reached at `cost`, through
    /// the goal's polygon to the goal; infinite where that is too much.
    #[inline]
    fn last_leg(&self, cost: f32, point: Vec3) -> f32 {
        let factor = self.prices.factor(self.mesh, self.goal.polygon);
        if factor == f32::INFINITY {
            return f32::INFINITY;
        }
        let whole = cost + distance(point, self.goal.point) * factor;
        if whole <= self.limits.max_cost {
            whole
        } else {
            f32::INFINITY
        }
    }
}
