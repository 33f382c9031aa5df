//! A query with a used scratch allocates no memory.

use allocation_counter::measure;
use portolan_core::{
    Anytime, AnytimeProgress, BatchAnswers, BatchOptions, BatchQueries, Budget, Costs,
    DEFAULT_SNAP, Ends, Engine, ExactLimits, ExactMethod, ExactOptions, Field, FieldScratch,
    Limits, Location, ManyScratch, NavMeshOptions, Path, PendingSearch, ProbeScratch, Profile,
    Query, RandomPoints, Scratch, SearchProgress, Status, Terminal, Tier, Want, World, no_progress,
};
use portolan_oracle::{
    CaseRng, LevelsOptions, MeshPlan, random_partition, with_levels, with_tiers,
};
use portolan_scenes::{WorldOptions, WorldScene};

const QUERIES: usize = 200;

/// Builds worlds with everything that engines can use.
fn worlds() -> Vec<World> {
    let plan = |scene| {
        let options = WorldOptions {
            polygons: 700,
            seed: 11,
            areas: true,
            links: true,
            floors: 2,
            relief: 3.0,
        };
        MeshPlan::Scene(scene, options)
    };
    let hills = World::build(
        portolan_oracle::hills::hills(100, 10, 11),
        &NavMeshOptions::default(),
    );
    let indexed = |scene| {
        let mesh = plan(scene).mesh();
        let partition = random_partition(&mesh, 8, 3);
        let world = with_levels(mesh, partition, &LevelsOptions::default());
        // Polygons, and so their samples, are numbered by node. This makes the order of the samples a usable
        // contraction order.
        let order = (0..world.graph().sample_count() as u32).collect();
        let labelled = world
            .with_contraction(order)
            .expect("a valid order")
            .with_labels(usize::MAX);
        with_tiers(labelled.expect("labels within the limit"))
    };
    WorldScene::ALL
        .into_iter()
        .map(indexed)
        .chain(hills)
        .collect()
}

fn queries<'a>(world: &World, costs: &'a Costs, engine: Engine) -> Vec<Query<'a>> {
    let mut rng = CaseRng::new(4);
    let query = |rng: &mut CaseRng| Query {
        engine,
        costs: rng.chance(0.5).then_some(costs),
        limits: Limits {
            partial: rng.chance(0.3),
            ..Limits::default()
        },
        ..Query::new(rng.point_near(world.mesh()), rng.point_near(world.mesh()))
    };
    (0..QUERIES).map(|_| query(&mut rng)).collect()
}

/// Runs all queries and returns how many have a path.
fn run(world: &World, queries: &[Query<'_>], scratch: &mut Scratch, path: &mut Path) -> usize {
    let statuses = queries.iter().map(|query| {
        world
            .find_path(query, scratch, path)
            .expect("the world has this engine")
    });
    statuses.filter(|status| status.has_path()).count()
}

#[test]
fn repeated_queries_allocate_nothing() {
    for world in worlds() {
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        let mut profile = Profile::default();
        profile.set_factor(1, 0.5).expect("a valid factor");
        profile.forbid(2);
        let costs = world.costs(&profile);
        // A parallel engine called from outside the pool adds a job to the pool's queue, which allocates.
        let is_parallel = |engine: &Engine| engine.to_string().ends_with("parallel");
        for engine in world.engines().into_iter().filter(|e| !is_parallel(e)) {
            let queries = queries(&world, &costs, engine);
            let found = run(&world, &queries, &mut scratch, &mut path);
            assert!(found > QUERIES / 3, "{engine}: only {found} paths");
            let mut again = 0;
            let warm = measure(|| again = run(&world, &queries, &mut scratch, &mut path));
            assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{engine}");
            assert_eq!(again, found);
        }
    }
}

/// Which thread connects which inter-edge differs from run to run, so several runs are counted. The allocations of the
/// pool's other threads are not counted.
#[test]
fn repeated_parallel_queries_within_a_pool_allocate_nothing() {
    let worlds = worlds();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("a pool").install(|| {
            for world in &worlds {
                let costs = world.costs(&Profile::default());
                let (mut scratch, mut path) = (Scratch::new(), Path::default());
                let engines = world.engines().into_iter();
                for engine in engines.filter(|engine| engine.to_string().ends_with("parallel")) {
                    let queries = queries(world, &costs, engine);
                    let found = run(world, &queries, &mut scratch, &mut path);
                    let mut again = [0; 3];
                    let warm = measure(|| {
                        again = [(); 3].map(|()| run(world, &queries, &mut scratch, &mut path));
                    });
                    let context = format!("{engine}, {threads} threads");
                    assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{context}");
                    assert_eq!(again, [found; 3]);
                }
            }
        });
    }
}

/// Runs all queries in slices, and returns how many have a path. `search` also looks at the best path so far.
fn run_in_slices(
    world: &World,
    queries: &[Query<'_>],
    search: &mut PendingSearch,
    path: &mut Path,
) -> usize {
    let statuses = queries.iter().map(|query| {
        search.begin(world, query).expect("an engine");
        while search.run(world, Budget::expansions(30)) == Ok(SearchProgress::Running) {
            search.best_so_far(world, path).expect("this world");
        }
        search.path(world, path).expect("this world")
    });
    statuses.filter(|status| status.has_path()).count()
}

/// Improves all queries to the end, and returns how many have a path.
fn improve_all(
    world: &World,
    queries: &[Query<'_>],
    search: &mut Anytime,
    path: &mut Path,
) -> usize {
    let statuses = queries.iter().map(|query| {
        search.begin(world, query).expect("an engine");
        while !search.is_done() {
            let budget = Budget::expansions(30);
            if let AnytimeProgress::Better(_) = search.improve(world, budget).expect("this world") {
                search.path(world, path).expect("this world");
            }
        }
        search.path(world, path).expect("this world")
    });
    statuses.filter(|status| status.has_path()).count()
}

#[test]
fn repeated_searches_in_slices_allocate_nothing() {
    let world = &worlds()[0];
    let mut profile = Profile::default();
    profile.set_factor(1, 0.5).expect("a valid factor");
    let costs = world.costs(&profile);
    let (mut search, mut anytime) = (PendingSearch::new(), Anytime::new());
    let mut path = Path::default();
    let engines = [
        "astar",
        "dijkstra",
        "hna:1:dijkstra",
        "hna:2:table",
        "pccp",
        "auto",
    ];
    for engine in engines.map(|name| name.parse::<Engine>().expect("an engine")) {
        let queries = queries(world, &costs, engine);
        let found = run_in_slices(world, &queries, &mut search, &mut path);
        let improved = improve_all(world, &queries, &mut anytime, &mut path);
        assert!(
            found > QUERIES / 3 && improved == found,
            "{engine}: {found} paths"
        );
        let mut again = [0; 2];
        let warm = measure(|| {
            again = [
                run_in_slices(world, &queries, &mut search, &mut path),
                improve_all(world, &queries, &mut anytime, &mut path),
            ];
        });
        assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{engine}");
        assert_eq!(again, [found; 2]);
    }
}

#[test]
fn repeated_distances_allocate_nothing() {
    for world in worlds() {
        let costs = world.costs(&Profile::default());
        let mut scratch = Scratch::new();
        for engine in [
            Engine::Labels,
            Engine::Contraction(Tier::Default),
            Engine::AStar,
        ] {
            if world.check_engine(engine).is_err() {
                continue;
            }
            let queries = queries(&world, &costs, engine);
            let located = queries.iter().map(|query| {
                Some((
                    query,
                    world
                        .locate(query)
                        .expect("the world has this engine")
                        .endpoints()
                        .ok()?,
                ))
            });
            let located: Vec<_> = located.flatten().collect();
            let mut run = || {
                let distances = located.iter().map(|(query, ends)| {
                    let distance = world
                        .located(query, *ends)
                        .expect("the world has this engine")
                        .distance(&mut scratch);
                    distance.is_some()
                });
                distances.filter(|&found| found).count()
            };
            let found = run();
            assert!(found > QUERIES / 3, "{engine}: only {found} paths");
            let mut again = 0;
            let warm = measure(|| again = run());
            assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{engine}");
            assert_eq!(again, found);
        }
    }
}

#[test]
fn repeated_questions_with_many_ends_allocate_nothing() {
    for world in worlds() {
        let mut rng = CaseRng::new(5);
        let points: Vec<_> = (0..40).map(|_| rng.point_on(world.mesh())).collect();
        let many = world.many();
        let located = points
            .iter()
            .filter_map(|&point| many.locate(point, DEFAULT_SNAP));
        let located: Vec<_> = located.collect();
        let nearest = many.nearest_ends(many.ends(Terminal::Goal, &points, DEFAULT_SNAP));
        let (mut scratch, mut corners) = (ManyScratch::default(), FieldScratch::default());
        let (mut ends, mut field) = (Ends::default(), Field::default());
        let (mut costs, mut reached) = (Vec::new(), Vec::new());
        let mut run = || {
            let mut found = 0;
            for end in [Terminal::Start, Terminal::Goal] {
                many.prepare_ends(end, &points, DEFAULT_SNAP, &mut scratch, &mut ends);
                for &location in &located {
                    many.costs(location, &ends, &mut scratch, &mut costs);
                    many.within(end, location, 20.0, &mut scratch, &mut reached);
                    found += costs.iter().filter(|cost| cost.is_finite()).count() + reached.len();
                }
            }
            for goals in located.chunks(3) {
                field.compute(many, goals);
                for &location in &located {
                    let corner = field.next_corner(many, location, &mut corners);
                    found += usize::from(corner.is_some());
                    found += usize::from(field.next(many, location).is_some());
                    found += usize::from(nearest.find(many, location, &mut scratch).is_some());
                }
            }
            found
        };
        let found = run();
        assert!(found > 1000, "only {found} answers");
        let mut again = 0;
        let warm = measure(|| again = run());
        assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
        assert_eq!(again, found);
    }
}

#[test]
fn repeated_exact_queries_allocate_nothing() {
    let exact = Engine::Auto(Tier::Exact);
    let plan = |links| {
        let options = WorldOptions {
            polygons: 700,
            seed: 11,
            links,
            floors: 2,
            relief: 3.0,
            ..WorldOptions::default()
        };
        MeshPlan::Scene(WorldScene::Rooms, options)
    };
    for links in [false, true] {
        let world = World::from_mesh(plan(links).mesh());
        let options = ExactOptions {
            limits: ExactLimits::NONE,
            auto: false,
        };
        let world = world.with_exact(options, &no_progress);
        let world = world.expect("one cost per metre");
        let method = world.exact_method();
        assert_eq!(method == Some(ExactMethod::Lazy), links);
        for world in [world.clone(), world.with_lazy_exact()] {
            let costs = world.costs(&Profile::default());
            for (corridor, ground_tolerance) in [(true, 0.2), (false, f32::INFINITY)] {
                let queries: Vec<_> = queries(&world, &costs, exact)
                    .into_iter()
                    .map(|query| Query {
                        corridor,
                        ground_tolerance,
                        ..query
                    })
                    .collect();
                let (mut scratch, mut path) = (Scratch::new(), Path::default());
                let found = run(&world, &queries, &mut scratch, &mut path);
                assert!(found > QUERIES / 3, "only {found} paths");
                let mut again = 0;
                let warm = measure(|| again = run(&world, &queries, &mut scratch, &mut path));
                let context = format!("links: {links}, corridor: {corridor}");
                assert_eq!((warm.count_total, warm.bytes_total), (0, 0), "{context}");
                assert_eq!(again, found);
            }
        }
    }
}

#[test]
fn repeated_waypoints_on_the_ground_allocate_nothing() {
    let world = &worlds()[0];
    let costs = world.costs(&Profile::default());
    let mut paths: Vec<Path> = Vec::new();
    let mut scratch = Scratch::new();
    for query in queries(world, &costs, Engine::AStar) {
        let mut path = Path::default();
        let status = world.find_path(&query, &mut scratch, &mut path);
        if status.is_ok_and(Status::has_path) {
            paths.push(path);
        }
    }
    assert!(paths.len() > QUERIES / 3, "only {} paths", paths.len());
    let follow = |paths: &mut [Path]| {
        let points = paths
            .iter_mut()
            .map(|path| path.on_ground(world, 0.01).len());
        points.sum::<usize>()
    };
    let points = follow(&mut paths);
    let corners: usize = paths.iter().map(|path| path.waypoints.len()).sum();
    assert!(points > corners, "the ground of this world has relief");
    let mut again = 0;
    let warm = measure(|| again = follow(&mut paths));
    assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
    assert_eq!(again, points);
}

#[test]
fn first_queries_allocate() {
    let world = &worlds()[0];
    let costs = world.costs(&Profile::default());
    let queries = queries(world, &costs, Engine::AStar);
    let cold = measure(|| {
        run(world, &queries, &mut Scratch::new(), &mut Path::default());
    });
    assert!(cold.count_total > 0 && cold.bytes_total > 1000, "{cold:?}");
}

#[test]
fn first_locations_allocate_nothing() {
    let world = &worlds()[1];
    let costs = world.costs(&Profile::default());
    let queries = queries(world, &costs, Engine::AStar);
    let mut on_mesh = 0;
    let counted = measure(|| {
        on_mesh = queries
            .iter()
            .filter(|q| {
                world
                    .locate(q)
                    .expect("the world has this engine")
                    .endpoints()
                    .is_ok()
            })
            .count()
    });
    assert_eq!(counted.count_total, 0);
    assert!(on_mesh > QUERIES / 2);
    let off_mesh = Query::new(glam::Vec3::NAN, glam::Vec3::ZERO);
    assert_eq!(
        world
            .locate(&off_mesh)
            .expect("the world has this engine")
            .endpoints(),
        Err(Status::StartOffMesh)
    );
}

#[test]
fn repeated_probes_allocate_nothing() {
    for world in worlds() {
        let mut profile = Profile::default();
        profile.forbid(2);
        let costs = world.costs_for(&profile, &[Engine::AStar]);
        let probe = world.probe_with(&costs).expect("costs of this world");
        let mut rng = CaseRng::new(4);
        let ends: Vec<[Location; 2]> = (0..QUERIES)
            .map(|_| [(); 2].map(|()| rng.location(world.mesh())))
            .collect();
        let mut random = RandomPoints::new(probe, 1);
        let mut scratch = ProbeScratch::new();
        let (mut polygons, mut walls) = (Vec::new(), Vec::new());
        let mut run = || {
            let mut sum = 0.0;
            for &[from, to] in &ends {
                let level = from.point.lerp(to.point, 0.5).with_z(from.point.z);
                for target in [to.point, level] {
                    sum += probe.ray(from, target, &mut polygons).fraction;
                    let near = from.point + (target - from.point).clamp_length_max(3.0);
                    sum += probe.slide(from, near, &mut scratch).point.x;
                }
                sum += f32::from(u8::from(probe.sees(from, to)));
                let nearest = probe.nearest_reachable(from, to.point, 9.0);
                sum += nearest.map_or(0.0, |location| location.point.x);
                sum += f32::from(u8::from(probe.is_reachable(from, to)));
                sum += probe.reachable(from).area as f32;
                probe.polygons_within(from, 5.0, &mut scratch, &mut polygons);
                probe.walls_within(from, 5.0, &mut scratch, &mut walls);
                let wall = probe.nearest_wall(from, f32::INFINITY, &mut scratch);
                sum += wall.map_or(0.0, |wall| wall.distance);
                let points = [
                    random.anywhere(),
                    random.reachable(from),
                    random.within(from, 5.0, &mut scratch),
                ];
                sum += points
                    .iter()
                    .flatten()
                    .map(|point| point.point.x)
                    .sum::<f32>();
                sum += probe.polygon_of(3).map_or(0.0, |polygon| polygon.0 as f32);
                sum += (polygons.len() + walls.len()) as f32;
            }
            sum
        };
        run();
        let mut sum = 0.0;
        // The random points are others each time, so one more run may find a larger circle of polygons.
        run();
        let warm = measure(|| sum = run());
        assert_eq!((warm.count_total, warm.bytes_total), (0, 0));
        assert!(sum.is_finite());
    }
}

/// A batch may allocate a few lists of its own, but nothing per query.
#[test]
fn repeated_batches_allocate_nothing_per_query() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
    // The allocations of other threads are not counted.
    let pool = pool.use_current_thread().build().expect("a pool");
    for world in worlds()
        .into_iter()
        .filter(|world| world.contraction().is_some())
    {
        let mut rng = CaseRng::new(4);
        let mut point = || rng.point_near(world.mesh());
        let queries: Vec<_> = (0..3000).map(|_| [point(), point()]).collect();
        for want in Want::ALL {
            let options = BatchOptions::new(want);
            let mut answers = BatchAnswers::default();
            let mut run = || {
                pool.install(|| {
                    let result =
                        world.find_paths(BatchQueries::Points(&queries), &options, &mut answers);
                    result.expect("the world has this engine");
                });
            };
            run();
            let warm = measure(run);
            assert!(
                warm.count_total < 200,
                "{want:?}: {} allocations",
                warm.count_total
            );
            assert_eq!(answers.len(), queries.len());
        }
    }
}
