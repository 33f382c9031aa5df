//! Exact paths are as short as those of slow reference searches, by both methods and in both directions.

use portolan_core::{
    Endpoints, Engine, ExactLimits, ExactMethod, ExactOptions, GraphOptions, Location, NavMesh,
    Path, Profile, Query, Scratch, Status, Tier, World, no_progress,
};
use portolan_oracle::{Agent, CaseRng, IntervalSearch, plans_and_tiles};
use proptest::prelude::*;

/// The engine of the exact tier.
pub(crate) const EXACT: Engine = Engine::Auto(Tier::Exact);

/// The options of an exact tier without limits, which always has labels if there are no links.
pub(crate) const UNLIMITED: ExactOptions = ExactOptions {
    limits: ExactLimits::NONE,
    auto: false,
};

/// One world with both methods of the exact tier.
pub(crate) struct ExactWorlds {
    /// The world with hub labels, or without them if the mesh has links that are open to the agent.
    pub(crate) labels: World,
    /// The world that searches lazily.
    pub(crate) lazy: World,
}

impl ExactWorlds {
    pub(crate) fn new(mesh: NavMesh, profile: &Profile) -> Self {
        let world = World::new(mesh, &GraphOptions::default(), profile).expect("a graph");
        let labels = world
            .with_exact(UNLIMITED, &no_progress)
            .expect("one cost per metre");
        let lazy = labels.clone().with_lazy_exact();
        assert_eq!(lazy.exact_method(), Some(ExactMethod::Lazy));
        Self { labels, lazy }
    }

    pub(crate) fn mesh(&self) -> &NavMesh {
        self.labels.mesh()
    }

    /// Returns both worlds, each with the name of its method.
    pub(crate) fn both(&self) -> [(&'static str, &World); 2] {
        let name = |world: &World| world.exact_method().expect("an exact tier").name();
        [&self.labels, &self.lazy].map(|world| (name(world), world))
    }
}

/// Returns a query that only wants the corners of an exact path.
pub(crate) fn corners_only() -> Query<'static> {
    Query {
        engine: EXACT,
        corridor: false,
        ground_tolerance: f32::INFINITY,
        ..Query::new([0.0; 3], [0.0; 3])
    }
}

/// Answers a query between two locations.
pub(crate) fn answer(
    world: &World,
    query: &Query<'_>,
    [start, goal]: [Location; 2],
    scratch: &mut Scratch,
) -> (Status, Path) {
    let located = world.located(query, Endpoints { start, goal });
    let mut path = Path::default();
    let status = located
        .expect("the world has this engine")
        .search(scratch)
        .waypoints(&mut path);
    (status, path)
}

/// Returns the largest difference between two lengths of the same path: the rounding of their sums, and that of the
/// coordinates of `f32` points, which may be computed differently.
pub(crate) fn rounding(mesh: &NavMesh, length: f64) -> f64 {
    let bounds = mesh.bounds();
    let extent = bounds.min.abs().max(bounds.max.abs());
    let ulp = f64::from(extent.x.max(extent.z)) * f64::from(f32::EPSILON);
    1e-9 * length + 4.0 * ulp
}

/// Asserts that the status and the length of an answer are those of the shortest path, and that its cost is its length
/// times `cost_per_metre`.
pub(crate) fn assert_shortest(
    (status, path): &(Status, Path),
    shortest: f64,
    cost_per_metre: f64,
    tolerance: f64,
    context: &str,
) {
    if shortest == f64::INFINITY {
        assert_eq!(
            (*status, path),
            (Status::NoPath, &Path::default()),
            "{context}"
        );
        return;
    }
    assert_eq!(
        *status,
        Status::Found,
        "{context}: there is a path of {shortest} m"
    );
    let length = path.length_xz();
    assert!(
        (length - shortest).abs() <= tolerance,
        "{context}: {length} m instead of {shortest} m: {path:?}"
    );
    let (cost, expected) = (f64::from(path.cost), shortest * cost_per_metre);
    assert!(
        (cost - expected).abs() <= (tolerance + 1e-7 * shortest) * cost_per_metre,
        "{context}: the cost is {cost} instead of {expected}: {path:?}"
    );
}

/// Compares exact paths between random locations with the interval search, and returns the number of paths that bend.
fn check_lengths(mesh: NavMesh, seed: u64, pairs: usize) -> usize {
    let worlds = ExactWorlds::new(mesh, &Agent::without_links().profile());
    let mesh = worlds.mesh();
    let mut oracle = IntervalSearch::new(mesh, |_| true);
    let mut rng = CaseRng::new(seed);
    let mut scratch = Scratch::new();
    let mut bends = 0;
    for _ in 0..pairs {
        let ends = [rng.location(mesh), rng.location(mesh)];
        for ends @ [start, goal] in [ends, [ends[1], ends[0]]] {
            let shortest = oracle.length(start, goal);
            for (method, world) in worlds.both() {
                let answer = answer(world, &corners_only(), ends, &mut scratch);
                let context = format!("{method}: {start:?} to {goal:?}");
                assert_shortest(&answer, shortest, 1.0, rounding(mesh, shortest), &context);
                bends += usize::from(answer.1.waypoints.len() > 2);
            }
        }
    }
    bends
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]

    #[test]
    fn lengths_equal_those_of_the_interval_search(plan in plans_and_tiles(), seed: u64) {
        check_lengths(plan.mesh(), seed, 30);
    }
}
