//! Tests of the hierarchy on random graphs and worlds: its costs and paths are right, and do not depend on how it was
//! built.

use glam::vec3;
use portolan_core::hierarchy::{Cliques, Metric, PathTable};
use portolan_core::{
    Connect, CostModel, Engine, GraphOptions, Hierarchy, HierarchyError, HierarchyParts, Level,
    Limits, NavMesh, NodeId, Partition, Path, Profile, Query, RawNavMesh, Scratch, Status, World,
    WorldError,
};
use portolan_oracle::{
    CaseRng, LevelsOptions, MeshPlan, agents, assert_corridor, close, plans, random_partition,
    with_levels,
};
use portolan_scenes::{WorldOptions, WorldScene};
use proptest::prelude::*;

/// A directed graph.
struct Digraph {
    vertices: usize,
    /// The pairs with an arc in at least one direction, lower vertex first, and the costs of both
    /// directions. A cost is infinite where there is no arc.
    edges: Vec<([usize; 2], [f32; 2])>,
}

impl Digraph {
    fn random(rng: &mut CaseRng) -> Self {
        let vertices = 2 + rng.below(40);
        let mut edges = Vec::new();
        for a in 0..vertices {
            for b in a + 1..vertices {
                // Mostly joins vertices with similar numbers, so that partitions can find clusters.
                let chance = if b - a < 4 { 0.5 } else { 0.02 };
                if rng.chance(chance) {
                    let mut cost = || match rng.below(6) {
                        0 => f32::INFINITY,
                        1 => 0.0,
                        _ => rng.between(0.1, 9.0),
                    };
                    edges.push(([a, b], [cost(), cost()]));
                }
            }
        }
        Self { vertices, edges }
    }

    /// Returns the costs of a hierarchy whose cells are the vertices of this graph and whose vertices are
    /// its edges. Crossing a cell to an edge costs as much as that edge.
    fn cliques(&self, hierarchy: &Hierarchy) -> Cliques {
        let ground = hierarchy.level(Level(0));
        let mut costs = Vec::new();
        for cell in 0..self.vertices {
            let edges: Vec<usize> = ground
                .inter_edges_of(NodeId::new(cell))
                .map(|edge| edge.vertex.index())
                .collect();
            for &from in &edges {
                costs.extend(edges.iter().map(|&to| {
                    let ([a, _], [forth, back]) = self.edges[to];
                    match (from == to, a == cell) {
                        (true, _) => 0.0,
                        (false, true) => forth,
                        (false, false) => back,
                    }
                }));
            }
        }
        Cliques(costs)
    }

    /// Returns the costs of the cheapest paths between all vertices for which `inside` is true, by the
    /// Floyd-Warshall algorithm.
    fn all_costs(&self, inside: impl Fn(usize) -> bool) -> Vec<Vec<f32>> {
        let mut costs = vec![vec![f32::INFINITY; self.vertices]; self.vertices];
        for (vertex, row) in costs.iter_mut().enumerate() {
            row[vertex] = 0.0;
        }
        for &([a, b], [forth, back]) in &self.edges {
            if inside(a) && inside(b) {
                costs[a][b] = forth;
                costs[b][a] = back;
            }
        }
        for via in 0..self.vertices {
            for from in 0..self.vertices {
                for to in 0..self.vertices {
                    let detour = costs[from][via] + costs[via][to];
                    costs[from][to] = costs[from][to].min(detour);
                }
            }
        }
        costs
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    /// The cost of an intra-edge equals the cost inside its node, at every level, and its path has that
    /// cost.
    #[test]
    fn intra_edges_are_cheapest_paths_on_any_directed_graph(mu in 2usize..8, seed: u64) {
        let mut rng = CaseRng::new(seed);
        let graph = Digraph::random(&mut rng);
        let mut levels: Vec<Vec<NodeId>> = Vec::new();
        let mut nodes = graph.vertices;
        for _ in 0..3 {
            let above = (nodes / mu).max(1);
            let parents: Vec<u32> = (0..nodes).map(|node| (node * above / nodes) as u32).collect();
            let below = |cell: usize| levels.last().map_or(cell, |level| level[cell].index());
            levels.push((0..graph.vertices).map(|cell| NodeId(parents[below(cell)])).collect());
            nodes = above;
        }
        let partition = Partition::new(graph.vertices, levels).expect("nested");
        let sides: Vec<[u32; 2]> = graph.edges.iter().map(|(pair, _)| pair.map(|e| e as u32)).collect();
        let hierarchy = Hierarchy::new(&sides, partition).expect("a small one");
        let metric = Metric::new(&hierarchy, &graph.cliques(&hierarchy));
        for level in hierarchy.partition().levels() {
            for node in (0..hierarchy.partition().node_count(level)).map(NodeId::new) {
                let inside = |cell| hierarchy.partition().node_of(level, cell) == node;
                let costs = graph.all_costs(inside);
                let edges: Vec<_> = hierarchy.level(level).inter_edges_of(node).collect();
                for (i, from) in edges.iter().enumerate() {
                    for (j, to) in edges.iter().enumerate().filter(|&(j, _)| i != j) {
                        let edge = metric.intra_edge(&hierarchy, level, node, [i, j]);
                        // The path enters by one edge and leaves by the other.
                        let edge_at = |i: usize| graph.edges[i];
                        let ([a, b], _) = edge_at(from.vertex.index());
                        let entry = if inside(a) { a } else { b };
                        let ([c, d], [forth, back]) = edge_at(to.vertex.index());
                        let (exit, last) = if inside(c) { (c, forth) } else { (d, back) };
                        let expected = costs[entry][exit] + last;
                        if expected == f32::INFINITY {
                            prop_assert_eq!(edge.cost, expected);
                            continue;
                        }
                        prop_assert!(close(edge.cost.into(), expected.into()), "{} {}", edge.cost, expected);
                        let (mut at, mut sum) = (entry, 0.0);
                        for &step in &edge.path[1..] {
                            let ([a, b], [forth, back]) = edge_at(step.index());
                            prop_assert!(at == a || at == b, "the path is not connected");
                            sum += if at == a { forth } else { back };
                            at = if at == a { b } else { a };
                        }
                        prop_assert!(close(sum.into(), expected.into()), "the path costs {}", sum);
                    }
                }
            }
        }
    }

    /// Compares a nested level with the same nodes built directly from the graph.
    #[test]
    fn a_level_built_from_the_level_below_equals_one_built_from_the_graph(
        plan in plans(), mu in 2usize..6, seed: u64,
    ) {
        let mesh = plan.mesh();
        let nested = random_partition(&mesh, mu, seed);
        let world = |partition| {
            with_levels(mesh.clone(), partition, &LevelsOptions::default())
        };
        let all = world(nested.clone());
        let level = nested.top();
        // Both use the order of the nested partition. Otherwise, the same inter-edge would have two
        // numbers.
        let ordered = nested.in_order(&nested.order());
        let single = Partition::new(mesh.polygon_count(), vec![ordered.nodes(level).to_vec()]);
        let mesh = all.mesh().clone();
        let single = with_levels(mesh, single.expect("one level"), &LevelsOptions::default());
        for node in (0..ordered.node_count(level)).map(NodeId::new) {
            let count = all.hierarchy().unwrap().level(level).inter_edges_of(node).len();
            let costs = |world: &World, level| -> Vec<f32> {
                let hierarchy = world.hierarchy().unwrap();
                let metric = world.default_costs().metric().unwrap();
                let pairs = (0..count).flat_map(|i| (0..count).map(move |j| [i, j]));
                pairs.map(|pair| metric.intra_edge(hierarchy, level, node, pair).cost).collect()
            };
            let (nested, direct) = (costs(&all, level), costs(&single, Level(1)));
            prop_assert_eq!(nested.len(), direct.len());
            for (a, b) in nested.into_iter().zip(direct) {
                prop_assert!(a == b || close(a.into(), b.into()), "{} and {}", a, b);
            }
        }
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads(plan in plans(), mu in 2usize..8, seed: u64) {
        let mesh = plan.mesh();
        let partition = random_partition(&mesh, mu, seed);
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let (mesh, partition) = (mesh.clone(), partition.clone());
            pool.install(|| with_levels(mesh, partition, &LevelsOptions::default()))
        };
        let [one, two, four] = [1, 2, 4].map(build);
        for other in [two, four] {
            prop_assert_eq!(other.hierarchy(), one.hierarchy());
            prop_assert_eq!(other.default_costs().metric(), one.default_costs().metric());
        }
    }

    /// With the published cost model, every engine finds the cheapest path from centre to centre.
    #[test]
    fn all_engines_use_the_published_cost_model(
        plan in plans(), mu in 2usize..8, seed: u64,
    ) {
        let mesh = plan.mesh();
        let options = LevelsOptions {
            graph: GraphOptions { cost_model: CostModel::Published, ..GraphOptions::default() },
            ..LevelsOptions::default()
        };
        let partition = random_partition(&mesh, mu, seed);
        let world = with_levels(mesh, partition, &options);
        let mesh = world.mesh();
        let mut rng = CaseRng::new(seed);
        for _ in 0..4 {
            let query = Query::new(rng.point_inside(mesh), rng.point_inside(mesh));
            let Ok(ends) = world.locate(&query).expect("an engine of this world").endpoints() else { continue };
            let expected = centre_costs(mesh, ends.start.polygon.index())[ends.goal.polygon.index()];
            for engine in world.engines() {
                let query = Query { engine, ..query };
                let mut path = Path::default();
                let status = world.find_path(&query, &mut Scratch::new(), &mut path).expect("an engine of this world");
                if expected == f64::INFINITY {
                    prop_assert_eq!(status, Status::NoPath);
                } else {
                    prop_assert_eq!(status, Status::Found, "{}", engine);
                    prop_assert!(close(path.cost.into(), expected), "{}: {} instead of {}", engine, path.cost, expected);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(60))]

    /// The contents of a file restore the same world.
    #[test]
    fn a_world_is_restored_from_its_parts(
        plan in plans(), agent in agents(), mu in 2usize..8, tables in 0u8..4, centres: bool, seed: u64,
    ) {
        let mesh = plan.mesh();
        let options = LevelsOptions {
            tables: portolan_core::TableOptions { top: Level(tables), centres },
            profile: agent.profile(),
            ..LevelsOptions::default()
        };
        let partition = random_partition(&mesh, mu, seed);
        let world = with_levels(mesh, partition, &options);
        let again = rebuilt(&world, |table| table.clone()).expect("its own parts");
        prop_assert_eq!(again.hierarchy(), world.hierarchy());
        prop_assert_eq!(again.default_costs().metric(), world.default_costs().metric());
        prop_assert_eq!(again.engines(), world.engines());
    }

    /// Whatever numbers a file contains, the polygons of a path are connected and it ends at the goal.
    #[test]
    fn invalid_costs_and_paths_never_break_a_corridor(
        plan in plans(), mu in 2usize..8, centres: bool, seed: u64,
    ) {
        let mesh = plan.mesh();
        let partition = random_partition(&mesh, mu, seed);
        let options = LevelsOptions {
            tables: portolan_core::TableOptions { centres, ..Default::default() },
            ..LevelsOptions::default()
        };
        let world = with_levels(mesh, partition, &options);
        let mut rng = CaseRng::new(seed);
        let zeros = rng.chance(0.5);
        let changed_world = rebuilt(&world, |table| {
            let (costs, narrow, wide) = table.arrays();
            let (mut costs, mut narrow) = (costs.to_vec(), narrow.to_vec());
            for cost in &mut costs {
                if rng.chance(0.3) {
                    *cost = if zeros { 0.0 } else { rng.between(0.0, 30.0) };
                }
            }
            for i in 0..narrow.len() {
                if rng.chance(0.2) {
                    narrow[i] = narrow[rng.below(narrow.len())];
                }
            }
            PathTable::from_arrays(costs.into(), narrow.into(), wide.to_vec().into())
        });
        // The index of a vertex in another node is rejected. All other changes keep the required shape.
        prop_assert!(changed_world.is_some() || centres);
        let Some(world) = changed_world else { return Ok(()) };
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        for _ in 0..6 {
            let query = Query::new(rng.point_inside(world.mesh()), rng.point_inside(world.mesh()));
            let Ok(ends) = world.locate(&query).expect("an engine of this world").endpoints() else { continue };
            for engine in world.engines() {
                let query = Query { engine, ..query };
                if world.find_path(&query, &mut scratch, &mut path).expect("an engine of this world") == Status::Found {
                    assert_corridor(world.mesh(), &Profile::default(), &path);
                    prop_assert_eq!(path.corridor.polygons.last(), Some(&ends.goal.polygon));
                }
            }
        }
    }
}

/// Rebuilds a world from the contents of its file, with each array passed through `change`.
fn rebuilt(world: &World, mut change: impl FnMut(&PathTable) -> PathTable) -> Option<World> {
    let metric = world
        .default_costs()
        .metric()
        .expect("costs of the hierarchy");
    let arrays = metric.arrays().map(&mut change).collect();
    let parts = HierarchyParts {
        partition: world.partition().expect("a partition"),
        tables: world.table_options().clone(),
        arrays,
    };
    let (graph, profile) = (world.graph().options(), world.default_costs().profile());
    let bare = World::new(world.mesh().clone(), &graph, profile);
    bare.expect("the options of a world")
        .with_hierarchy_parts(parts)
}

/// Creates a row of squares of 1 m, four per node.
fn row() -> World {
    let mut raw = RawNavMesh::default();
    for i in 0..=20u32 {
        let x = i as f32;
        raw.vertices.extend([vec3(x, 0.0, 0.0), vec3(x, 0.0, 1.0)]);
        if i > 0 {
            let left = 2 * (i - 1);
            raw.polygons.push([left, left + 2, left + 3, left + 1]);
        }
    }
    let mesh = NavMesh::build(raw, &Default::default()).expect("a valid row");
    let nodes = mesh.polygons().map(|p| NodeId(mesh.centre(p).x as u32 / 4));
    let partition = Partition::new(20, vec![nodes.collect()]).expect("five nodes");
    with_levels(mesh, partition, &LevelsOptions::default())
}

#[test]
fn a_cost_limit_applies_to_the_path_and_not_to_the_centres() {
    let world = row();
    let status = |from: f32, to: f32, max_cost, partial| {
        let status_of = |engine: &str| {
            let query = Query {
                engine: engine.parse().expect("an engine"),
                limits: Limits { max_cost, partial },
                ..Query::new(vec3(from, 0.0, 0.5), vec3(to, 0.0, 0.5))
            };
            world
                .find_path(&query, &mut Scratch::new(), &mut Path::default())
                .expect("an engine of this world")
        };
        assert_eq!(status_of("pccp:1"), status_of("astar"));
        status_of("pccp:1")
    };
    // 14.2 m, 15 m from centre to centre.
    assert_eq!(status(0.9, 15.1, 14.5, false), Status::Found);
    // 15.8 m, 15 m from centre to centre.
    assert_eq!(status(0.1, 15.9, 15.5, false), Status::NoPath);
    assert_eq!(status(0.1, 15.9, 15.5, true), Status::Partial);
}

#[test]
fn a_partial_path_of_the_published_cost_model_stays_on_the_mesh() {
    // An L of two rectangles, and an island.
    let mut raw = RawNavMesh::default();
    let corners = [
        [(0., 0.), (1., 0.), (1., 9.), (0., 9.)],
        [(1., 0.), (9., 0.), (9., 1.), (1., 1.)],
        [(5., 5.), (6., 5.), (6., 6.), (5., 6.)],
    ];
    for corners in corners {
        let first = raw.vertices.len() as u32;
        raw.vertices.extend(corners.map(|(x, z)| vec3(x, 0.0, z)));
        raw.polygons.push(first..first + 4);
    }
    let mesh = NavMesh::build(raw, &Default::default()).expect("a valid mesh");
    let published = GraphOptions {
        cost_model: CostModel::Published,
        ..GraphOptions::default()
    };
    let world = World::new(mesh, &published, &Profile::default()).expect("a graph");
    let query = Query {
        limits: Limits {
            partial: true,
            ..Limits::default()
        },
        ..Query::new(vec3(0.5, 0.0, 8.0), vec3(5.5, 0.0, 5.5))
    };
    let mut path = Path::default();
    let status = world
        .find_path(&query, &mut Scratch::new(), &mut path)
        .expect("an engine of this world");
    assert_eq!(status, Status::Partial);
    let end = *path.waypoints.last().expect("a waypoint");
    let polygon = *path.corridor.polygons.last().expect("a polygon");
    assert!(
        world.mesh().nearest_on(polygon, end).distance(end) < 1e-4,
        "{end}"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(40))]

    /// Connecting start and goal in parallel gives every bit of the sequential answer, on any number of threads and
    /// with a scratch that other queries have used. Worlds and nodes are large enough that most queries use all
    /// threads.
    #[test]
    fn parallel_connections_of_start_and_goal_are_those_of_astar(
        is_open: bool, polygons in 200usize..1500, agent in agents(), mu in 4usize..20, seed: u64,
    ) {
        let scene = if is_open { WorldScene::Open } else { WorldScene::Rooms };
        let options = WorldOptions { polygons, seed, areas: true, links: true, ..WorldOptions::default() };
        let mesh = MeshPlan::Scene(scene, options).mesh();
        let partition = random_partition(&mesh, mu, seed);
        let options = LevelsOptions { profile: agent.profile(), ..LevelsOptions::default() };
        let world = with_levels(mesh, partition, &options);
        let mut pools = [1, 2, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            (pool.expect("a pool"), Scratch::new())
        });
        let (mut rng, mut scratch) = (CaseRng::new(seed), Scratch::new());
        let (mut expected, mut path) = (Path::default(), Path::default());
        for _ in 0..12 {
            let level = Some(Level(1 + rng.below(3) as u8));
            let limits = Limits { partial: rng.chance(0.3), ..Limits::default() };
            let ends = [(); 2].map(|()| rng.point_inside(world.mesh()));
            let query = |connect| Query {
                engine: Engine::Hna { level, connect: Some(connect) },
                limits,
                ..Query::new(ends[0], ends[1])
            };
            let status = world.find_path(&query(Connect::AStar), &mut scratch, &mut expected);
            for (pool, scratch) in &mut pools {
                let parallel = query(Connect::Parallel);
                let parallel = pool.install(|| world.find_path(&parallel, scratch, &mut path));
                prop_assert_eq!(&parallel, &status);
                prop_assert_eq!(path.cost.to_bits(), expected.cost.to_bits());
                prop_assert_eq!(&path, &expected);
            }
        }
    }
}

/// Returns the costs from one polygon to all others: from centre to centre over portals, and over links by
/// their ends. Uses the Bellman-Ford algorithm.
fn centre_costs(mesh: &NavMesh, start: usize) -> Vec<f64> {
    let centre = |polygon| mesh.centre(polygon).as_dvec3();
    let mut arcs = Vec::new();
    for portal in mesh.portals() {
        let [a, b] = portal.polygons;
        let length = centre(a).distance(centre(b));
        arcs.extend([
            (a.index(), b.index(), length),
            (b.index(), a.index(), length),
        ]);
    }
    for link in mesh.links() {
        let [a, b] = link.polygons;
        let walk = centre(a).distance(link.ends[0].as_dvec3())
            + centre(b).distance(link.ends[1].as_dvec3());
        let cost = walk + f64::from(link.cost);
        arcs.push((a.index(), b.index(), cost));
        if link.both_ways {
            arcs.push((b.index(), a.index(), cost));
        }
    }
    let mut costs = vec![f64::INFINITY; mesh.polygon_count()];
    costs[start] = 0.0;
    let mut changed = true;
    while changed {
        changed = false;
        for &(from, to, cost) in &arcs {
            if costs[from] + cost < costs[to] {
                costs[to] = costs[from] + cost;
                changed = true;
            }
        }
    }
    costs
}

#[test]
fn an_unavailable_engine_says_why() {
    let world = World::from_mesh(grid());
    let error_of = |world: &World, name: &str| {
        let engine: Engine = name.parse().expect("an engine");
        world.check_engine(engine).unwrap_err().to_string()
    };
    assert!(error_of(&world, "hna:2").contains("needs a hierarchy"));
    let partition = random_partition(world.mesh(), 4, 1);
    let top = partition.top();
    let bare = LevelsOptions {
        tables: portolan_core::TableOptions {
            top: Level(0),
            centres: false,
        },
        ..LevelsOptions::default()
    };
    let world = with_levels(grid(), partition, &bare);
    let message = error_of(&world, "hna:9");
    assert!(
        message.contains("no level 9") && message.contains(&format!("highest is {top}")),
        "{message}"
    );
    assert!(error_of(&world, "hna:1:table").contains("tables"));
    assert!(error_of(&world, "pccp:1").contains("tables"));
    assert!(world.check_engine("hna:1:astar".parse().unwrap()).is_ok());
    let foreign = random_partition(&grid(), 4, 1).up_to(Level(1));
    let options = portolan_scenes::WorldOptions {
        polygons: 30,
        ..Default::default()
    };
    let raw = portolan_scenes::WorldScene::Open.build(&options);
    let small = NavMesh::build(raw, &Default::default()).expect("a valid mesh");
    let cells = small.polygon_count();
    assert_eq!(
        World::from_mesh(small)
            .with_hierarchy(foreign, &bare.tables)
            .err(),
        Some(WorldError::Hierarchy(HierarchyError::Cells {
            found: grid().polygon_count(),
            expected: cells,
        }))
    );
    assert!(world.costs(&Profile::default()).metric().is_some());
}

fn grid() -> NavMesh {
    let options = portolan_scenes::WorldOptions {
        polygons: 300,
        ..Default::default()
    };
    NavMesh::build(
        portolan_scenes::WorldScene::Open.build(&options),
        &Default::default(),
    )
    .expect("a valid mesh")
}
