//! Many queries at once: paths, first waypoints or first portals for any number of agents.
//!
//! [`World::find_paths`] answers a whole batch on all threads of the current rayon pool. [`Want`] says how much of each
//! path is needed, and the less, the faster (`portolan bench --agents` measures it):
//!
//! | an agent asks | [`Want`] | time per agent |
//! |---|---|---|
//! | By which portal do I leave my polygon, and how far is it? | [`Portal`](Want::Portal) | about 0.1 µs |
//! | Which point do I walk to? | [`Next`](Want::Next) | about 1 µs |
//! | How long is my path? Which polygons, which waypoints? | [`Distance`](Want::Distance), [`Corridor`](Want::Corridor), [`Waypoints`](Want::Waypoints) | that of a query |
//!
//! # Labels
//! Portals and first waypoints come from labels by default ([`Engine::Labels`]): arrays of costs by depth of the
//! elimination tree, which are computed from the fast tier when they are first needed and kept in the [`Costs`]
//! (`contraction/depth_arrays.rs`). They take about 1 KB per polygon, and
//! [`BatchOptions::max_label_bytes`] limits them. Their costs are those of `contraction:fast` up to rounding.
//!
//! Agents that have the same goal share its costs: where many of them do, one sweep computes the costs from everywhere to
//! that goal. The answers are the same.
//!
//! # Order
//! Other answers come from single queries, as [`World::find_path`] gives them. Start and goal are close to those of the
//! query before, because queries are sorted first, so caches are warm. Answers are in the order of the queries, and do
//! not depend on that order or on the number of threads.
//!
//! ```
//! use portolan_core::{BatchAnswers, BatchOptions, BatchQueries, NavMeshOptions, Status, Want, World};
//! use portolan_scenes::{RandomPoints, WorldOptions, WorldScene};
//!
//! let raw = WorldScene::Rooms.build(&WorldOptions::default());
//! let world = World::build(raw, &NavMeshOptions::default())?;
//! let points: Vec<_> = RandomPoints::new(world.mesh(), 7).take(200).collect();
//! let queries: Vec<_> = points.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
//!
//! let mut answers = BatchAnswers::default();
//! let options = BatchOptions::new(Want::Waypoints);
//! world.find_paths(BatchQueries::Points(&queries), &options, &mut answers).unwrap();
//! assert_eq!(answers.len(), 100);
//! assert!(answers.statuses.iter().all(|&status| status == Status::Found));
//! assert_eq!(answers.waypoints.get(3).first(), Some(&queries[3][0]));
//! # Ok::<(), portolan_core::NavMeshError>(())
//! ```

mod agents;
mod answers;
mod by_engine;
mod by_labels;
mod label_batch;
mod records;

use glam::Vec3;

pub use agents::{AgentId, Agents, AgentsUpdate, FrameBudget};
pub use answers::{BatchAnswers, FlatLists};
pub use by_engine::FoundPath;
pub(crate) use records::LabelRecords;
pub use records::RecordArrays;

use crate::DEFAULT_SNAP;
use crate::query::{Engine, EngineError, Limits, Tier};
use crate::world::{Costs, Endpoints, Query, World};

/// How much of each path a batch returns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Want {
    /// The length of the path, and its cost.
    Distance,
    /// The first portal of the path, and its cost.
    Portal,
    /// The first waypoint of the path, the polygon that it leads into, and the cost.
    Next,
    /// The polygons of the path, its length and its cost.
    Corridor,
    /// The waypoints of the path, its polygons, its length and its cost.
    #[default]
    Waypoints,
}

impl Want {
    /// All of them, from the least to the most.
    pub const ALL: [Self; 5] = [
        Self::Distance,
        Self::Portal,
        Self::Next,
        Self::Corridor,
        Self::Waypoints,
    ];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Portal => "portal",
            Self::Next => "next",
            Self::Corridor => "corridor",
            Self::Waypoints => "waypoints",
        }
    }

    /// Returns the engine that answers by default: labels for portals and first waypoints, and otherwise `auto`.
    pub fn default_engine(self) -> Engine {
        match self {
            Self::Portal | Self::Next => Engine::Labels,
            Self::Distance | Self::Corridor | Self::Waypoints => Engine::default(),
        }
    }
}

/// Options of [`World::find_paths`].
#[derive(Clone, Copy, Debug)]
pub struct BatchOptions<'a> {
    /// How much of each path is returned.
    pub want: Want,
    /// The engine that searches. [Default: [`Want::default_engine`]]
    pub engine: Engine,
    /// The costs of all agents; `None` uses the world's default profile. [Default: `None`]
    pub costs: Option<&'a Costs>,
    /// Half the size of the box around each point in which its polygon is searched. [Units: m] [Default:
    /// [`DEFAULT_SNAP`]]
    pub snap: Vec3,
    /// The cost limit, and whether partial paths are wanted. [Default: no limit, no partial paths] With partial paths,
    /// labels are not used, because they have none.
    pub limits: Limits,
    /// The maximum size of labels. [Units: bytes] [Default: 1 GiB]
    pub max_label_bytes: usize,
}

impl BatchOptions<'_> {
    /// Returns the default options.
    pub fn new(want: Want) -> Self {
        Self {
            want,
            engine: want.default_engine(),
            costs: None,
            snap: DEFAULT_SNAP,
            limits: Limits::default(),
            max_label_bytes: 1 << 30,
        }
    }
}

/// The starts and goals of a batch.
#[derive(Clone, Copy, Debug)]
pub enum BatchQueries<'a> {
    /// Points, which are located first: start and goal of each query. [Units: m]
    Points(&'a [[Vec3; 2]]),
    /// Locations that the caller knows already, as agents do that are followed from frame to frame. Polygons must
    /// belong to the world, and points must lie on them.
    Located(&'a [Endpoints]),
}

impl BatchQueries<'_> {
    /// Returns the number of queries.
    pub fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Located(endpoints) => endpoints.len(),
        }
    }

    /// Returns whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl World {
    /// Answers many queries, in parallel. `answers` is overwritten, and empty after an error. Answers do not depend on the number of threads or on
    /// the order of the queries. Once `answers` and the labels have grown, nothing is allocated per query.
    ///
    /// # Errors
    /// Fails if this world cannot answer the queries: it lacks the engine, the costs were built for another world or for
    /// other engines, or labels would exceed their limit. A query without a path is not an error: it has a
    /// [`Status`](crate::Status).
    ///
    /// # Panics
    /// Panics if a located query has a polygon that the mesh does not have.
    pub fn find_paths(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<(), EngineError> {
        let result = self.answer_batch(queries, options, answers);
        if result.is_err() {
            answers.clear();
        }
        result
    }

    fn answer_batch(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<(), EngineError> {
        let is_short = matches!(options.want, Want::Portal | Want::Next);
        if !is_short || options.engine != Engine::Labels {
            return self.answer_all_by_engine(queries, options, answers);
        }
        if self.contraction().is_none() {
            return Err(EngineError::NoContraction(options.engine));
        }
        if !options.limits.partial && !self.mesh().has_obstacles() {
            return self.answer_by_labels(queries, options, answers);
        }
        let options = BatchOptions {
            engine: Engine::Contraction(Tier::Fast),
            ..*options
        };
        self.answer_all_by_engine(queries, &options, answers)
    }

    fn answer_all_by_engine(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<(), EngineError> {
        self.answer_by_engine(queries, options, |_| FoundPath::Unknown, answers)
            .map(|_| ())
    }
}

impl<'a> BatchOptions<'a> {
    /// Returns the query between two points.
    fn query(&self, [from, to]: [Vec3; 2]) -> Query<'a> {
        Query {
            snap: self.snap,
            costs: self.costs,
            engine: self.engine,
            limits: self.limits,
            // Without the polygons, exact paths are faster.
            corridor: !matches!(self.want, Want::Distance),
            ..Query::new(from, to)
        }
    }
}
