//! Batches: every answer must be that of a single query, for any number of threads, any order, and goals that are shared.

use std::array;
use std::sync::LazyLock;

use glam::Vec3;
use portolan_core::{
    BatchAnswers, BatchOptions, BatchQueries, Crossing, Endpoints, Engine, Limits, LinkId,
    PolygonId, PortalId, Query, Scratch, Status, Tier, Want,
};
use portolan_oracle::{CaseRng, close};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::QUERIES;
use crate::{AnswerCounts, SoakCase};

/// The number of engines per world, in addition to labels.
const ENGINES: usize = 2;

/// The largest number of queries of a batch. Batches are divided into chunks of up to 1 024 queries.
const MAX_BATCH: usize = 1500;

/// Pools of one and of two threads, which all worlds share.
static POOLS: LazyLock<[ThreadPool; 2]> = LazyLock::new(|| {
    array::from_fn(|i| {
        let pool = ThreadPoolBuilder::new().num_threads(i + 1).build();
        pool.expect("threads can be started")
    })
});

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    for engine in engines(case, rng) {
        for want in Want::ALL {
            let options = BatchOptions {
                engine,
                costs: Some(&case.costs),
                limits: limits(rng),
                ..BatchOptions::new(want)
            };
            let count = match rng.chance(0.05) {
                true => MAX_BATCH,
                false => 1 + rng.below(4 * QUERIES),
            };
            let points = points(case, rng, count);
            let answers = batch(case, &points, &options, 0);
            let two_threads = batch(case, &points, &options, 1);
            assert_same(&options, "two threads", &answers, &two_threads, |i| i);
            check_order(case, &points, &options, &answers, rng);
            check_alone(case, &points, &options, &answers);
            for (index, &points) in points.iter().enumerate().take(4 * QUERIES) {
                let batch = BatchAnswer::new(&answers, index);
                match is_by_labels(&options) {
                    true => check_labels(case, points, &options, &batch),
                    false => check_single(case, points, &options, &batch),
                }
                counts.add(engine);
            }
        }
    }
    counts
}

/// Draws some of the selected engines. Labels are always one of them.
fn engines(case: &SoakCase, rng: &mut CaseRng) -> Vec<Engine> {
    let mut engines = case.engines(|_| true);
    let labels = engines.iter().position(|&engine| engine == Engine::Labels);
    let labels = labels.map(|index| engines.remove(index));
    while engines.len() > ENGINES {
        engines.swap_remove(rng.below(engines.len()));
    }
    engines.extend(labels);
    engines
}

fn limits(rng: &mut CaseRng) -> Limits {
    let max_cost = match rng.chance(0.2) {
        true => rng.between(0.0, 40.0),
        false => f32::INFINITY,
    };
    Limits {
        max_cost,
        ..Limits::default()
    }
}

/// Draws starts and goals on and near the mesh. In some batches, most agents share one goal.
fn points(case: &SoakCase, rng: &mut CaseRng, count: usize) -> Vec<[Vec3; 2]> {
    let shared = rng.point_near(case.world.mesh());
    let share = [0.0, 0.3, 1.0][rng.below(3)];
    let draw = |_| {
        let query = case.query(rng);
        let to = match rng.chance(share) {
            true => shared,
            false => query.to,
        };
        [query.from, to]
    };
    (0..count).map(draw).collect()
}

/// Answers a batch with one thread (pool 0) or two threads (pool 1).
fn batch(
    case: &SoakCase,
    points: &[[Vec3; 2]],
    options: &BatchOptions<'_>,
    pool: usize,
) -> BatchAnswers {
    let mut answers = BatchAnswers::default();
    let queries = BatchQueries::Points(points);
    let result = POOLS[pool].install(|| case.world.find_paths(queries, options, &mut answers));
    result.expect("the world has this engine");
    assert_eq!(answers.len(), points.len(), "{}", options.engine);
    answers
}

/// Portals and first waypoints by labels are not those of a single query of the engine `labels`.
fn is_by_labels(options: &BatchOptions<'_>) -> bool {
    options.engine == Engine::Labels && matches!(options.want, Want::Portal | Want::Next)
}

/// The answer to one query of a batch. Values that were not asked for are absent or empty.
#[derive(Clone, Copy, Debug)]
struct BatchAnswer<'a> {
    status: Status,
    cost: f32,
    distance: Option<f32>,
    polygon: Option<u32>,
    portal: Option<[Vec3; 2]>,
    next: Option<Vec3>,
    corridor: &'a [PolygonId],
    waypoints: &'a [Vec3],
}

impl<'a> BatchAnswer<'a> {
    fn new(answers: &'a BatchAnswers, index: usize) -> Self {
        let BatchAnswers {
            corridors,
            waypoints,
            ..
        } = answers;
        Self {
            status: answers.statuses[index],
            cost: answers.costs[index],
            distance: answers.distances.get(index).copied(),
            polygon: answers.polygons.get(index).map(|polygon| polygon.0),
            portal: answers.portals.get(index).copied(),
            next: answers.next.get(index).copied(),
            corridor: match corridors.is_empty() {
                true => &[],
                false => corridors.get(index),
            },
            waypoints: match waypoints.is_empty() {
                true => &[],
                false => waypoints.get(index),
            },
        }
    }

    /// Returns whether two answers have the same bits. Answers without a path contain NaN.
    fn is_same(&self, other: &Self) -> bool {
        let bits = |points: &[Vec3]| -> Vec<_> {
            let numbers = points.iter().flat_map(Vec3::to_array);
            numbers.map(f32::to_bits).collect()
        };
        let numbers =
            |answer: &Self| [answer.cost, answer.distance.unwrap_or_default()].map(f32::to_bits);
        let points = |answer: &Self| {
            let ends = answer.portal.unwrap_or_default();
            bits(&[ends[0], ends[1], answer.next.unwrap_or_default()])
        };
        self.status == other.status
            && numbers(self) == numbers(other)
            && self.polygon == other.polygon
            && points(self) == points(other)
            && self.corridor == other.corridor
            && bits(self.waypoints) == bits(other.waypoints)
    }
}

/// Asserts that query `i` has the answer of query `index(i)` of another batch.
fn assert_same(
    BatchOptions { want, engine, .. }: &BatchOptions<'_>,
    what: &str,
    answers: &BatchAnswers,
    others: &BatchAnswers,
    index: impl Fn(usize) -> usize,
) {
    for i in 0..answers.len() {
        let [answer, other] = [(answers, i), (others, index(i))];
        let answer = BatchAnswer::new(answer.0, answer.1);
        let other = BatchAnswer::new(other.0, other.1);
        assert!(
            answer.is_same(&other),
            "{engine}: {want:?} of query {i} is {answer:?}, with {what} {other:?}"
        );
    }
}

/// Asserts that the same queries in another order have the same answers.
fn check_order(
    case: &SoakCase,
    points: &[[Vec3; 2]],
    options: &BatchOptions<'_>,
    answers: &BatchAnswers,
    rng: &mut CaseRng,
) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, rng.below(last + 1));
    }
    let shuffled: Vec<_> = order.iter().map(|&index| points[index]).collect();
    let shuffled = batch(case, &shuffled, options, 1);
    let mut positions = vec![0; order.len()];
    for (position, &index) in order.iter().enumerate() {
        positions[index] = position;
    }
    assert_same(options, "another order", answers, &shuffled, |i| {
        positions[i]
    });
}

/// Asserts that a query has the same answer in a batch of its own, in which no other query has its goal.
fn check_alone(
    case: &SoakCase,
    points: &[[Vec3; 2]],
    options: &BatchOptions<'_>,
    answers: &BatchAnswers,
) {
    let BatchOptions { want, engine, .. } = options;
    let mut alone = BatchAnswers::default();
    for (i, points) in points.iter().enumerate().take(4 * QUERIES) {
        let queries = BatchQueries::Points(std::slice::from_ref(points));
        let result = case.world.find_paths(queries, options, &mut alone);
        result.expect("the world has this engine");
        let [answer, own] = [(answers, i), (&alone, 0)];
        let answer = BatchAnswer::new(answer.0, answer.1);
        let own = BatchAnswer::new(own.0, own.1);
        assert!(
            answer.is_same(&own),
            "{engine}: {want:?} of query {i} is {answer:?}, alone {own:?}"
        );
    }
}

/// Asserts that an answer is that of a single query.
fn check_single(
    case: &SoakCase,
    [from, to]: [Vec3; 2],
    options: &BatchOptions<'_>,
    batch: &BatchAnswer<'_>,
) {
    let &BatchOptions {
        want,
        engine,
        limits,
        ..
    } = options;
    let query = Query {
        costs: Some(&case.costs),
        engine,
        limits,
        ..Query::new(from, to)
    };
    let mut scratch = Scratch::new();
    if want == Want::Portal {
        let located = case
            .world
            .locate(&query)
            .expect("the world has this engine");
        let first = match located.endpoints() {
            Ok(_) => located.distance(&mut scratch).ok_or(Status::NoPath),
            Err(status) => Err(status),
        };
        let status = first
            .as_ref()
            .map_or_else(|&status| status, |_| Status::Found);
        assert_eq!(batch.status, status, "{engine}: {want:?}");
        if let (Ok(first), Ok(ends)) = (first, located.endpoints()) {
            assert_eq!(batch.cost, first.cost, "{engine}: {want:?}");
            let crossings = crossings(case, &ends, batch);
            assert!(
                crossings.contains(&first.first),
                "{engine}: the first crossing is {:?}, in the batch one of {crossings:?}",
                first.first
            );
        }
        return;
    }
    let (status, path) = case.limited(&query, engine, limits, &mut scratch);
    assert_eq!(batch.status, status, "{engine}: {want:?}");
    if !status.has_path() {
        assert_eq!(batch.cost, f32::INFINITY, "{engine}: {want:?}");
        return;
    }
    assert_eq!(batch.cost, path.cost, "{engine}: {want:?}");
    if let Some(distance) = batch.distance {
        assert_eq!(distance, path.length() as f32, "{engine}: {want:?}");
    }
    if let Some(next) = batch.next {
        assert_eq!(next, path.waypoints[1], "{engine}: {want:?}");
    }
    if matches!(want, Want::Corridor | Want::Waypoints) {
        let polygons = &path.corridor.polygons;
        assert_eq!(batch.corridor, polygons, "{engine}: {want:?}");
    }
    if want == Want::Waypoints {
        assert_eq!(batch.waypoints, path.waypoints, "{engine}: {want:?}");
    }
}

/// Asserts that an answer by labels has the cost of `contraction:fast`, that a cheapest path starts with its portal, and that
/// a cheapest path passes its first waypoint.
fn check_labels(
    case: &SoakCase,
    [from, to]: [Vec3; 2],
    options: &BatchOptions<'_>,
    batch: &BatchAnswer<'_>,
) {
    let want = options.want;
    let query = Query {
        costs: Some(&case.costs),
        engine: Engine::Contraction(Tier::Fast),
        ..Query::new(from, to)
    };
    let (status, path) = case.answer(&query, query.engine, &mut Scratch::new());
    let max_cost = f64::from(options.limits.max_cost);
    let cost = f64::from(path.cost);
    let is_above = status.has_path() && cost > max_cost;
    if status.has_path() && close(cost, max_cost) {
        return;
    }
    let expected = if is_above { Status::NoPath } else { status };
    assert_eq!(batch.status, expected, "labels: {want:?}");
    if expected != Status::Found {
        assert_eq!(batch.cost, f32::INFINITY, "labels: {want:?}");
        return;
    }
    assert!(
        close(f64::from(batch.cost), cost),
        "labels: {want:?} from {from} to {to}: the cost is {} instead of {cost}",
        batch.cost
    );
    let ends = case.endpoints(&query).expect("both ends are on the mesh");
    if want == Want::Portal {
        let mesh = case.world.mesh();
        let over = crossings(case, &ends, batch).into_iter();
        let over = over.map(|first| case.oracle.cost_via(mesh, &ends, first));
        let over = over.fold(f64::INFINITY, f64::min);
        assert!(
            close(over, cost),
            "labels: from {from} to {to} over {:?}: the cost is {over} instead of {cost}",
            batch.portal
        );
    }
    if let Some(next) = batch.next {
        // Several paths may have the lowest cost.
        assert!(
            next == path.waypoints[1] || is_on_cheapest(case, &ends, next, cost),
            "labels: {want:?} from {from} to {to}: no path of cost {cost} has a corner at {next}"
        );
    }
}

/// Returns whether a cheapest path crosses a portal that ends at a corner, or enters a link there.
fn is_on_cheapest(case: &SoakCase, ends: &Endpoints, corner: Vec3, cost: f64) -> bool {
    let mesh = case.world.mesh();
    let portals = mesh.portals().iter().zip(0..);
    let portals = portals.filter(|(portal, _)| [portal.right, portal.left].contains(&corner));
    let portals = portals.map(|(_, id)| Crossing::Portal(PortalId(id)));
    let links = mesh.links().iter().zip(0..);
    let links = links.flat_map(|(link, id)| {
        let entries = (0..2).filter(|&end: &u8| link.ends[usize::from(end)] == corner);
        entries.map(move |end| Crossing::Link(LinkId(id), end))
    });
    let mut crossings = portals.chain(links);
    corner == ends.goal.point
        || crossings.any(|crossing| close(case.oracle.cost_over(mesh, ends, crossing), cost))
}

/// Returns the crossings out of the start's polygon that have the ends of the batch's portal. `None` is the goal in that
/// polygon.
fn crossings(case: &SoakCase, ends: &Endpoints, batch: &BatchAnswer<'_>) -> Vec<Option<Crossing>> {
    let mesh = case.world.mesh();
    let here = ends.start.polygon;
    let there = batch.polygon.expect("portals have polygons");
    let [right, left] = batch.portal.expect("the ends of the portal");
    let mut crossings = Vec::new();
    if there == here.0 && ends.goal.polygon == here && [right, left] == [ends.goal.point; 2] {
        crossings.push(None);
    }
    for (id, portal) in mesh.portals().iter().enumerate() {
        let [a, b] = portal.polygons;
        let is_ahead = (a == here && b.0 == there) || (b == here && a.0 == there);
        let sides = [portal.right, portal.left];
        if is_ahead && (sides == [right, left] || sides == [left, right]) {
            crossings.push(Some(Crossing::Portal(PortalId::new(id))));
        }
    }
    for (id, link) in mesh.links().iter().enumerate() {
        for (entry, exit) in [(0, 1), (1, 0)] {
            let is_ahead = link.polygons[entry] == here && link.polygons[exit].0 == there;
            let is_open = entry == 0 || link.both_ways;
            if is_ahead && is_open && [link.ends[entry], link.ends[exit]] == [right, left] {
                crossings.push(Some(Crossing::Link(LinkId::new(id), entry as u8)));
            }
        }
    }
    crossings
}
