//! Batches by labels: agents in groups, so that memory arrives before it is needed, and sweeps for goals that many share.

use glam::Vec3;
use rayon::prelude::*;

use super::answers::BufferPool;
use super::by_engine::first_portal;
use super::by_labels::{LabelScratch, LabelSearch, PreparedAgent, ToGoal};
use super::records::{GoalSweep, LabelRecords, RecordArrays, record_bytes};
use super::{BatchAnswers, BatchOptions, BatchQueries, Want};
use crate::ids::PolygonId;
use crate::navmesh::Location;
use crate::path::Path;
use crate::query::{Engine, EngineError, Scratch, Tier};
use crate::world::{Costs, Endpoints, Located, Query, Status, World};

/// The number of agents that a thread takes at a time.
const CHUNK: usize = 1024;

/// The number of agents whose records are read ahead together.
const GROUP: usize = 16;

/// A goal gets a sweep if it has one agent per this many polygons. A sweep looks at every polygon once, an answer at one.
/// The number is a guess and has not been tuned.
const POLYGONS_PER_AGENT: usize = 2;

/// The number of goals that are looked at to decide whether any goal may be shared.
const SAMPLED_GOALS: usize = 1 << 13;

/// The buffers of batches by labels.
#[derive(Debug, Default)]
pub(super) struct LabelMemory {
    scratches: BufferPool<LabelScratch>,
    /// For paths that labels do not decide.
    queries: BufferPool<(Scratch, Path)>,
    /// Per polygon, the number of goals in it.
    goals: Vec<u32>,
    /// Where the points of the queries are.
    located: Vec<Result<Endpoints, Status>>,
}

/// Queries whose points have been located.
#[derive(Clone, Copy)]
enum LocatedQueries<'a> {
    ByCaller(&'a [Endpoints]),
    ByBatch(&'a [Result<Endpoints, Status>]),
}

impl LocatedQueries<'_> {
    fn len(&self) -> usize {
        match self {
            Self::ByCaller(queries) => queries.len(),
            Self::ByBatch(queries) => queries.len(),
        }
    }

    #[inline]
    fn get(&self, index: usize) -> Result<Endpoints, Status> {
        match self {
            Self::ByCaller(queries) => Ok(queries[index]),
            Self::ByBatch(queries) => queries[index],
        }
    }

    /// Returns the goals of all queries whose ends are on the mesh, of every `step`th query.
    fn goals(&self, step: usize) -> impl Iterator<Item = Location> {
        let indexes = (0..self.len()).step_by(step);
        indexes.filter_map(|index| Some(self.get(index).ok()?.goal))
    }
}

/// One answer: the cost, the polygon and the points that were asked for.
type Answer<P> = (f32, PolygonId, P);

/// What a batch by labels reads.
struct LabelBatch<'a> {
    world: &'a World,
    search: LabelSearch<'a>,
    queries: LocatedQueries<'a>,
    options: &'a BatchOptions<'a>,
    costs: &'a Costs,
    sweeps: SharedGoals,
    /// The queries in the order in which they are answered; empty if they are answered as they come.
    order: Vec<u32>,
}

impl World {
    /// Returns the labels of these costs, which are built when they are first needed.
    ///
    /// # Errors
    /// Fails if the world has no fast tier, if the costs do not have it, or if labels would exceed `max_bytes`.
    pub(super) fn label_records<'a>(
        &'a self,
        costs: &'a Costs,
        max_bytes: usize,
    ) -> Result<&'a LabelRecords, EngineError> {
        let engine = Engine::Labels;
        if self.mesh().has_obstacles() {
            return Err(EngineError::Obstacles(engine));
        }
        let contraction = self
            .contraction()
            .ok_or(EngineError::NoContraction(engine))?;
        let shortcuts = costs
            .shortcuts(Tier::Fast)
            .ok_or(EngineError::CostsLack(engine))?;
        let (mesh, graph) = (self.mesh(), self.graph());
        let bytes = record_bytes(mesh, graph, contraction, shortcuts.is_symmetric());
        if bytes.is_none_or(|bytes| bytes > max_bytes) {
            return Err(EngineError::LabelsTooLarge {
                bytes: bytes.unwrap_or(usize::MAX),
                limit: max_bytes,
            });
        }
        Ok(costs
            .label_records(|prices| LabelRecords::new(mesh, graph, prices, contraction, shortcuts)))
    }

    /// Builds the labels of some costs, which a batch would otherwise do when it first needs them, and returns their
    /// size. [Units: bytes] Labels are kept in the costs and answer [`Want::Portal`] and [`Want::Next`].
    ///
    /// # Errors
    /// Fails if the world has no fast tier, if the costs do not have it or were built for another world, or if the
    /// labels would exceed `max_bytes`.
    pub fn prepare_labels(&self, costs: &Costs, max_bytes: usize) -> Result<usize, EngineError> {
        self.check_costs(costs)?;
        Ok(self.label_records(costs, max_bytes)?.bytes())
    }

    /// Returns the labels of some costs as plain arrays, for batches on another device. They are built if a batch has not
    /// needed them before.
    ///
    /// # Errors
    /// Fails as [`prepare_labels`](Self::prepare_labels) does.
    pub fn label_arrays(
        &self,
        costs: &Costs,
        max_bytes: usize,
    ) -> Result<RecordArrays, EngineError> {
        self.check_costs(costs)?;
        Ok(self.label_records(costs, max_bytes)?.to_arrays())
    }

    pub(super) fn answer_by_labels(
        &self,
        queries: BatchQueries<'_>,
        options: &BatchOptions<'_>,
        answers: &mut BatchAnswers,
    ) -> Result<(), EngineError> {
        let costs = options.costs.unwrap_or(self.default_costs());
        self.check_costs(costs)?;
        let records = self.label_records(costs, options.max_label_bytes)?;
        let search = LabelSearch {
            mesh: self.mesh(),
            graph: self.graph(),
            records,
        };
        let mut located = std::mem::take(&mut answers.by_labels.located);
        let queries = match queries {
            BatchQueries::Located(queries) => LocatedQueries::ByCaller(queries),
            BatchQueries::Points(points) => {
                let locate = |&points: &[Vec3; 2]| self.locate_ends(points, options, costs);
                points.par_iter().map(locate).collect_into_vec(&mut located);
                LocatedQueries::ByBatch(&located)
            }
        };
        let goals = &mut answers.by_labels.goals;
        let batch = LabelBatch {
            world: self,
            search,
            queries,
            options,
            costs,
            sweeps: SharedGoals::new(&search, queries, goals),
            order: match options.want {
                Want::Next => by_start(queries, self.mesh().polygon_count()),
                // A portal is found so quickly that sorting would take longer than it saves.
                _ => Vec::new(),
            },
        };
        match options.want {
            Want::Portal => {
                answers.next.clear();
                batch.portals(answers);
            }
            _ => {
                answers.portals.clear();
                batch.first_waypoints(answers);
            }
        }
        answers.distances.clear();
        answers.corridors.clear();
        answers.waypoints.clear();
        answers.by_labels.located = located;
        Ok(())
    }

    /// Finds the polygons of start and goal. Engine and costs must have been checked.
    fn locate_ends(
        &self,
        points: [Vec3; 2],
        options: &BatchOptions<'_>,
        costs: &Costs,
    ) -> Result<Endpoints, Status> {
        let query = Query {
            engine: Engine::Contraction(Tier::Fast),
            costs: Some(costs),
            ..options.query(points)
        };
        let located = self.locate(&query);
        located.expect("engine and costs were checked").endpoints()
    }
}

impl LabelBatch<'_> {
    fn portals(&self, answers: &mut BatchAnswers) {
        let mut portals = std::mem::take(&mut answers.portals);
        let memory = std::mem::take(&mut answers.by_labels.queries);
        let search = &self.search;
        self.answer_all(
            answers,
            &mut portals,
            ([Vec3::NAN; 2], None),
            |endpoints, agent, to_goal, scratch| {
                Some(search.first_sample(endpoints, agent, to_goal, scratch))
            },
            |endpoints, best| match best.filter(|best| !best.is_tie) {
                Some(best) => {
                    let (polygon, ends) = search.portal_at(endpoints, best.exit);
                    (best.cost, polygon, ends)
                }
                None => memory.with(|(scratch, _)| self.portal_by_query(endpoints, scratch)),
            },
        );
        answers.by_labels.queries = memory;
        answers.portals = portals;
    }

    fn first_waypoints(&self, answers: &mut BatchAnswers) {
        let mut next = std::mem::take(&mut answers.next);
        let memory = std::mem::take(&mut answers.by_labels.queries);
        self.answer_all(
            answers,
            &mut next,
            (Vec3::NAN, None),
            |endpoints, agent, to_goal, scratch| {
                self.search
                    .first_waypoint(endpoints, agent, to_goal, scratch)
            },
            |endpoints, first| match first {
                Some(first) => (first.cost, first.polygon, first.point),
                None => memory
                    .with(|(scratch, path)| self.first_waypoint_by_query(endpoints, scratch, path)),
            },
        );
        answers.by_labels.queries = memory;
        answers.next = next;
    }

    /// Returns a single query at the fast tier, for an agent whose path labels do not decide.
    fn located(&self, endpoints: Endpoints) -> Located<'_> {
        let query = Query {
            engine: Engine::Contraction(Tier::Fast),
            costs: Some(self.costs),
            ..self
                .options
                .query([endpoints.start.point, endpoints.goal.point])
        };
        let located = self.world.located(&query, endpoints);
        located.expect("engine and costs were checked")
    }

    fn portal_by_query(&self, endpoints: Endpoints, scratch: &mut Scratch) -> Answer<[Vec3; 2]> {
        let Some(found) = self.located(endpoints).distance(scratch) else {
            return (f32::INFINITY, BatchAnswers::NO_POLYGON, [Vec3::NAN; 2]);
        };
        let (polygon, ends) = first_portal(self.search.mesh, endpoints, found.first);
        (found.cost, polygon, ends)
    }

    fn first_waypoint_by_query(
        &self,
        endpoints: Endpoints,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Answer<Vec3> {
        match self.located(endpoints).search(scratch).waypoints(path) {
            Status::Found => {
                let polygon = path.polygon_after_leg(0).unwrap_or(endpoints.goal.polygon);
                (path.cost, polygon, path.waypoints[1])
            }
            _ => (f32::INFINITY, BatchAnswers::NO_POLYGON, Vec3::NAN),
        }
    }

    /// Answers all queries: `search` looks at the costs of an agent, and `finish` at the mesh. The memory that each of
    /// them reads is somewhere else, so each goes over a group of agents by itself, and the processor waits for several
    /// agents at once. `points` gets the points of each answer, and `none` has these points and a result of `search` for
    /// queries without a path.
    fn answer_all<P: Copy + Send + Sync, S: Copy + Sync>(
        &self,
        answers: &mut BatchAnswers,
        points: &mut Vec<P>,
        (none, not_searched): (P, S),
        search: impl Fn(Endpoints, &PreparedAgent, ToGoal<'_>, &mut LabelScratch) -> S + Sync,
        finish: impl Fn(Endpoints, S) -> Answer<P> + Sync,
    ) {
        let count = self.queries.len();
        // Every entry is written below, so old ones need not be removed.
        answers.statuses.resize(count, Status::NoPath);
        answers.costs.resize(count, f32::INFINITY);
        answers.polygons.resize(count, BatchAnswers::NO_POLYGON);
        points.resize(count, none);
        let chunks = answers.statuses.par_chunks_mut(CHUNK);
        let chunks = chunks.zip(answers.costs.par_chunks_mut(CHUNK));
        let chunks = chunks.zip(answers.polygons.par_chunks_mut(CHUNK));
        let chunks = chunks.zip(points.par_chunks_mut(CHUNK)).enumerate();
        let scratches = &answers.by_labels.scratches;
        chunks.for_each(|(chunk, (((statuses, costs), polygons), points))| {
            scratches.with(|scratch| {
                for first in (0..statuses.len()).step_by(GROUP) {
                    let end = statuses.len().min(first + GROUP);
                    let query = |i: usize| self.query_at(chunk * CHUNK + i);
                    let agents = self.prepare_group((first..end).map(query));
                    let mut searched = [not_searched; GROUP];
                    for (i, (agent, searched)) in (first..end).zip(agents.iter().zip(&mut searched))
                    {
                        if let Ok(endpoints) = query(i) {
                            let to_goal = self.sweeps.of(endpoints.goal);
                            *searched = search(endpoints, agent, to_goal, scratch);
                        }
                    }
                    for (i, searched) in (first..end).zip(searched) {
                        let mut answer = (f32::INFINITY, BatchAnswers::NO_POLYGON, none);
                        statuses[i] = match query(i) {
                            Ok(endpoints) => {
                                let found = finish(endpoints, searched);
                                let (cost, ..) = found;
                                if cost < f32::INFINITY && cost <= self.options.limits.max_cost {
                                    answer = found;
                                    Status::Found
                                } else {
                                    Status::NoPath
                                }
                            }
                            Err(status) => status,
                        };
                        (costs[i], polygons[i], points[i]) = answer;
                    }
                }
            });
        });
        if !self.order.is_empty() {
            let mut positions = vec![0; count];
            for (&query, position) in self.order.iter().zip(0..) {
                positions[query as usize] = position;
            }
            in_order(&positions, &mut answers.statuses);
            in_order(&positions, &mut answers.costs);
            in_order(&positions, &mut answers.polygons);
            in_order(&positions, points);
        }
    }

    /// Returns the query that is answered at a position of the order.
    #[inline]
    fn query_at(&self, position: usize) -> Result<Endpoints, Status> {
        let query = self.order.get(position);
        self.queries
            .get(query.map_or(position, |&query| query as usize))
    }

    /// Looks up the records of up to [`GROUP`] agents and reads them ahead.
    #[inline]
    fn prepare_group(
        &self,
        queries: impl ExactSizeIterator<Item = Result<Endpoints, Status>>,
    ) -> [PreparedAgent; GROUP] {
        let count = queries.len();
        let mut agents = [PreparedAgent::NONE; GROUP];
        for (agent, query) in agents.iter_mut().zip(queries) {
            if let Ok(endpoints) = query {
                *agent = self.search.prepare(endpoints);
            }
        }
        let bits = agents[..count]
            .iter()
            .fold(0, |bits, agent| bits ^ self.search.touch(agent));
        std::hint::black_box(bits);
        agents
    }
}

/// Moves values from the positions at which they were computed to the order of the queries.
fn in_order<T: Copy + Send + Sync>(positions: &[u32], values: &mut Vec<T>) {
    let value = |&position: &u32| values[position as usize];
    *values = positions.par_iter().map(value).collect();
}

/// Returns the queries sorted by the polygon of their start. Paths from one polygon begin with the same polygons, whose
/// records are then in the cache.
fn by_start(queries: LocatedQueries<'_>, polygons: usize) -> Vec<u32> {
    // The last bucket has the queries that are off the mesh.
    let bucket = |query: usize| {
        let start = queries.get(query).map(|ends| ends.start.polygon.index());
        start.unwrap_or(polygons)
    };
    let mut ends = vec![0; polygons + 1];
    (0..queries.len()).for_each(|query| ends[bucket(query)] += 1);
    let mut sum = 0;
    for end in &mut ends {
        sum += std::mem::replace(end, sum);
    }
    let mut order = vec![0; queries.len()];
    for query in 0..queries.len() {
        let end = &mut ends[bucket(query)];
        order[*end as usize] = query as u32;
        *end += 1;
    }
    order
}

/// The goals that many agents share, each with its sweep.
struct SharedGoals {
    goals: Vec<(Location, GoalSweep)>,
    /// Per polygon, the index of the shared goal in it; empty if there is no shared goal.
    of_polygon: Vec<u32>,
}

const NO_SWEEP: u32 = u32::MAX;

/// Sets `counts` to the number of goals in each polygon, of every `step`th query.
fn count_goals(queries: LocatedQueries<'_>, step: usize, polygons: usize, counts: &mut Vec<u32>) {
    counts.clear();
    counts.resize(polygons, 0);
    queries
        .goals(step)
        .for_each(|goal| counts[goal.polygon.index()] += 1);
}

impl SharedGoals {
    /// Finds shared goals, and computes their sweeps in parallel. `counts` is a buffer.
    fn new(search: &LabelSearch<'_>, queries: LocatedQueries<'_>, counts: &mut Vec<u32>) -> Self {
        let none = Self {
            goals: Vec::new(),
            of_polygon: Vec::new(),
        };
        let polygons = search.mesh.polygon_count();
        if queries.len() * POLYGONS_PER_AGENT < polygons {
            return none;
        }
        // Counting all goals is work on one thread, so some of them are counted first.
        let step = (queries.len() / SAMPLED_GOALS).max(1);
        count_goals(queries, step, polygons, counts);
        let may_be_shared =
            |&count: &u32| 2 * step * count as usize * POLYGONS_PER_AGENT >= polygons && count > 1;
        if !counts.iter().any(may_be_shared) {
            return none;
        }
        count_goals(queries, 1, polygons, counts);
        let is_shared = |&count: &u32| count as usize * POLYGONS_PER_AGENT >= polygons && count > 1;
        if !counts.iter().any(is_shared) {
            return none;
        }
        // The first goal in a polygon stands for it. Agents with another goal there have their own chains.
        let mut of_polygon = vec![NO_SWEEP; polygons];
        let mut goals = Vec::new();
        for goal in queries.goals(1) {
            let polygon = goal.polygon.index();
            if is_shared(&counts[polygon]) && of_polygon[polygon] == NO_SWEEP {
                of_polygon[polygon] = goals.len() as u32;
                goals.push(goal);
            }
        }
        let sweep = |goal: Location| {
            let Location { polygon, point } = search.graph.cost_location(goal);
            (goal, search.records.sweep(polygon, point))
        };
        Self {
            goals: goals.into_par_iter().map(sweep).collect(),
            of_polygon,
        }
    }

    /// Returns where the costs to a goal come from.
    #[inline]
    fn of(&self, goal: Location) -> ToGoal<'_> {
        let shared = self.of_polygon.get(goal.polygon.index());
        let shared = shared.and_then(|&index| self.goals.get(index as usize));
        match shared {
            Some((location, sweep)) if *location == goal => ToGoal::Sweep(sweep),
            _ => ToGoal::Chain,
        }
    }
}
