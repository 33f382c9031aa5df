//! Times the steps of a query. All tools and benchmarks time queries through this file.

use std::time::Duration;

use portolan_core::{Endpoints, EngineError, Located, Path, Query, Scratch, Status, World};

use crate::stopwatch::Stopwatch;

/// The wall-clock times of the steps of a query. The time of a step that was not reached is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueryTimes {
    /// The time to find the polygons of start and goal.
    pub locate: Duration,
    /// The time to search the graph.
    pub search: Duration,
    /// The time to compute the corridor and the waypoints.
    pub waypoints: Duration,
}

impl QueryTimes {
    /// Returns the time of all steps.
    pub fn total(&self) -> Duration {
        self.locate + self.search + self.waypoints
    }
}

/// The result of a timed query.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The status of the query.
    pub status: Status,
    /// The cost of the path, if it leads to the goal.
    pub cost: Option<f32>,
    /// The times of the steps.
    pub times: QueryTimes,
}

/// Runs a query and times its three steps: locate, search and waypoints. Overwrites `path`. Fails like
/// [`World::find_path`].
pub fn timed_query(
    world: &World,
    query: &Query<'_>,
    scratch: &mut Scratch,
    path: &mut Path,
) -> Result<Timed, EngineError> {
    path.clear();
    let mut watch = Stopwatch::start();
    let located = world.locate(query)?;
    let locate = watch.lap();
    let mut timed = timed_steps(located, scratch, Some(path));
    timed.times.locate = locate;
    Ok(timed)
}

/// Times only the search between endpoints that [`World::locate`] has found.
pub fn timed_search(
    world: &World,
    query: &Query<'_>,
    ends: &Endpoints,
    scratch: &mut Scratch,
) -> Result<Timed, EngineError> {
    Ok(timed_steps(world.located(query, *ends)?, scratch, None))
}

/// Times the search and, if `path` is given, the waypoints.
#[inline]
fn timed_steps(located: Located<'_>, scratch: &mut Scratch, path: Option<&mut Path>) -> Timed {
    let mut times = QueryTimes::default();
    if let Err(status) = located.endpoints() {
        return Timed {
            status,
            cost: None,
            times,
        };
    }
    let mut watch = Stopwatch::start();
    let searched = located.search(scratch);
    times.search = watch.lap();
    let status = searched.status();
    let cost = searched.cost().filter(|_| status == Status::Found);
    if let Some(path) = path {
        searched.waypoints(path);
        times.waypoints = watch.lap();
    }
    Timed {
        status,
        cost,
        times,
    }
}

/// Returns whether two costs are equal within 1e-4 of the second. Two infinite costs, of queries without a path, are
/// equal.
pub fn same_cost(cost: f32, optimum: f32) -> bool {
    // Any cost would be close relative to an infinite optimum.
    let is_close = || (cost - optimum).abs() <= 1e-4 * optimum.abs().max(1e-6);
    cost == optimum || optimum.is_finite() && is_close()
}

/// Returns the number of pairs of costs that are not [equal](same_cost).
pub fn mismatches(costs: &[f32], optima: &[f32]) -> usize {
    let pairs = costs.iter().zip(optima);
    pairs
        .filter(|&(&cost, &optimum)| !same_cost(cost, optimum))
        .count()
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use portolan_core::{Engine, NavMeshOptions};
    use portolan_scenes::{WorldOptions, WorldScene};

    use super::*;
    use crate::random_queries;

    #[test]
    fn timed_and_untimed_queries_agree() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).expect("a valid world");
        let (mut scratch, mut path, mut expected) =
            (Scratch::new(), Path::default(), Path::default());
        for [from, to] in random_queries(world.mesh(), 1).take(20) {
            let query = Query::new(from, to);
            let status = world.find_path(&query, &mut scratch, &mut expected);
            let status = status.expect("the default engine");
            let timed = timed_query(&world, &query, &mut scratch, &mut path);
            let timed = timed.expect("the default engine");
            assert_eq!(
                (timed.status, &path.waypoints),
                (status, &expected.waypoints)
            );
            assert_eq!(timed.cost, Some(expected.cost));
            assert!(timed.times.search > Duration::ZERO);
            assert!(timed.times.locate + timed.times.search < timed.times.total());

            let located = world.locate(&query).expect("the default engine");
            let ends = located.endpoints().expect("points on the mesh");
            let searched = timed_search(&world, &query, &ends, &mut scratch);
            let searched = searched.expect("the default engine");
            assert_eq!((searched.status, searched.cost), (status, timed.cost));
            assert_eq!(searched.times.total(), searched.times.search);
        }
    }

    #[test]
    fn a_query_off_the_mesh_has_no_search_time_and_no_path() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).expect("a valid world");
        let [from, to] = random_queries(world.mesh(), 1).next().expect("a query");
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut time = |to: Vec3| {
            let timed = timed_query(&world, &Query::new(from, to), &mut scratch, &mut path);
            timed.expect("the default engine")
        };
        assert_eq!(time(to).status, Status::Found);
        let timed = time(Vec3::splat(1e6));
        assert_eq!((timed.status, timed.cost), (Status::GoalOffMesh, None));
        assert_eq!(timed.times.total(), timed.times.locate);
        assert!(path.waypoints.is_empty());
    }

    #[test]
    fn an_engine_that_the_world_lacks_is_an_error() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let world = World::build(raw, &NavMeshOptions::default()).expect("a valid world");
        let query = Query {
            engine: Engine::Labels,
            ..Query::new(Vec3::ZERO, Vec3::ZERO)
        };
        let timed = timed_query(&world, &query, &mut Scratch::new(), &mut Path::default());
        assert_eq!(timed.err(), Some(EngineError::NoLabels(Engine::Labels)));
    }

    #[test]
    fn costs_are_compared_relative_to_the_second() {
        assert!(same_cost(1000.05, 1000.0) && !same_cost(1000.2, 1000.0));
        assert!(same_cost(0.0, 0.0) && same_cost(f32::INFINITY, f32::INFINITY));
        assert!(!same_cost(f32::INFINITY, 1.0) && !same_cost(1.0, f32::INFINITY));
        assert_eq!(mismatches(&[1.0, 2.0, f32::INFINITY], &[1.0, 3.0, 1.0]), 2);
    }
}
