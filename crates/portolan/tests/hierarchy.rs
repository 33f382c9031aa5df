//! The hierarchy on graphs of any kind, and what does not depend on how it was made.

mod common;

use common::{Dice, close, plans, random_partition};
use portolan::hierarchy::{Cliques, Metric};
use portolan::{
    CostModel, Engine, GraphOptions, Hierarchy, IndexOptions, Level, NavMesh, NodeId, Partition,
    Path, Profile, Query, Scratch, Status, World,
};
use proptest::prelude::*;

/// A directed graph: costs from one vertex to another, infinite where there is no arc.
struct Digraph {
    vertices: usize,
    /// Pairs with an arc in at least one direction, the lower first, and the costs of both.
    edges: Vec<([usize; 2], [f32; 2])>,
}

impl Digraph {
    fn random(dice: &mut Dice) -> Self {
        let vertices = 2 + dice.below(40);
        let mut edges = Vec::new();
        for a in 0..vertices {
            for b in a + 1..vertices {
                // Neighbours in number, mostly: partitions then have something to find.
                let chance = if b - a < 4 { 0.5 } else { 0.02 };
                if dice.chance(chance) {
                    let mut cost = || match dice.below(6) {
                        0 => f32::INFINITY,
                        1 => 0.0,
                        _ => dice.between(0.1, 9.0),
                    };
                    edges.push(([a, b], [cost(), cost()]));
                }
            }
        }
        Self { vertices, edges }
    }

    /// Its vertices as cells, its edges as what lies between them. Whoever crosses a cell to an edge
    /// pays for that edge.
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

    /// Cheapest ways between all vertices of which `inside` says that they may be used, by Floyd and
    /// Warshall's algorithm.
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
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// From edge to edge of every node of every level it costs what it costs inside the node, and the
    /// way given is one of that cost.
    #[test]
    fn intra_edges_are_cheapest_ways_on_any_directed_graph(mu in 2usize..8, seed: u64) {
        let mut dice = Dice::new(seed);
        let graph = Digraph::random(&mut dice);
        let mut levels: Vec<Vec<NodeId>> = Vec::new();
        let mut nodes = graph.vertices;
        for _ in 0..3 {
            let above = (nodes / mu).max(1);
            let names: Vec<u32> = (0..nodes).map(|node| (node * above / nodes) as u32).collect();
            let below = |cell: usize| levels.last().map_or(cell, |level| level[cell].index());
            levels.push((0..graph.vertices).map(|cell| NodeId(names[below(cell)])).collect());
            nodes = above;
        }
        let partition = Partition::new(graph.vertices, levels).expect("nested");
        let sides: Vec<[u32; 2]> = graph.edges.iter().map(|(ends, _)| ends.map(|e| e as u32)).collect();
        let hierarchy = Hierarchy::new(&sides, partition).expect("a small one");
        let metric = Metric::new(&hierarchy, &graph.cliques(&hierarchy), |_| ());
        for level in hierarchy.partition().levels() {
            for node in (0..hierarchy.partition().node_count(level)).map(NodeId::new) {
                let inside = |cell| hierarchy.partition().node_of(level, cell) == node;
                let costs = graph.all_costs(inside);
                let edges: Vec<_> = hierarchy.level(level).inter_edges_of(node).collect();
                for (i, from) in edges.iter().enumerate() {
                    for (j, to) in edges.iter().enumerate().filter(|&(j, _)| i != j) {
                        let edge = metric.intra_edge(&hierarchy, level, node, [i, j]);
                        // In by one edge, out by the other.
                        let of = |edge: usize| graph.edges[edge];
                        let ([a, b], _) = of(from.vertex.index());
                        let entry = if inside(a) { a } else { b };
                        let ([c, d], [forth, back]) = of(to.vertex.index());
                        let (exit, last) = if inside(c) { (c, forth) } else { (d, back) };
                        let right = costs[entry][exit] + last;
                        if right == f32::INFINITY {
                            prop_assert_eq!(edge.cost, right);
                            continue;
                        }
                        prop_assert!(close(edge.cost.into(), right.into()), "{} {}", edge.cost, right);
                        let (mut at, mut sum) = (entry, 0.0);
                        for &step in &edge.way[1..] {
                            let ([a, b], [forth, back]) = of(step.index());
                            prop_assert!(at == a || at == b, "a way that leaps");
                            sum += if at == a { forth } else { back };
                            at = if at == a { b } else { a };
                        }
                        prop_assert!(close(sum.into(), right.into()), "the way costs {}", sum);
                    }
                }
            }
        }
    }

    /// A level from the one below, and the same nodes straight from the graph.
    #[test]
    fn a_level_from_the_one_below_is_the_level_from_the_ground(
        plan in plans(), mu in 2usize..6, seed: u64,
    ) {
        let mesh = plan.mesh();
        let nested = random_partition(&mesh, mu, seed);
        let world = |partition| {
            World::with_hierarchy(mesh.clone(), partition, &IndexOptions::default()).expect("small")
        };
        let all = world(nested.clone());
        let level = nested.top();
        // Both in the order of the nested one, or else the same inter-edge has two numbers.
        let ordered = nested.in_order(&nested.order());
        let single = Partition::new(mesh.polygon_count(), vec![ordered.nodes(level).to_vec()]);
        let mesh = all.mesh().clone();
        let single = World::with_hierarchy(mesh, single.expect("one level"), &IndexOptions::default());
        let single = single.expect("small");
        for node in (0..ordered.node_count(level)).map(NodeId::new) {
            let count = all.hierarchy().unwrap().level(level).inter_edges_of(node).len();
            let costs = |world: &World, level| -> Vec<f32> {
                let hierarchy = world.hierarchy().unwrap();
                let metric = world.default_costs().metric().unwrap();
                let pairs = (0..count).flat_map(|i| (0..count).map(move |j| [i, j]));
                pairs.map(|pair| metric.intra_edge(hierarchy, level, node, pair).cost).collect()
            };
            let (nested, straight) = (costs(&all, level), costs(&single, Level(1)));
            prop_assert_eq!(nested.len(), straight.len());
            for (a, b) in nested.into_iter().zip(straight) {
                prop_assert!(a == b || close(a.into(), b.into()), "{} and {}", a, b);
            }
        }
    }

    #[test]
    fn the_same_bytes_on_any_number_of_threads(plan in plans(), mu in 2usize..8, seed: u64) {
        let mesh = plan.mesh();
        let partition = random_partition(&mesh, mu, seed);
        let build = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let (mesh, partition) = (mesh.clone(), partition.clone());
            pool.install(|| World::with_hierarchy(mesh, partition, &IndexOptions::default()).expect("small"))
        };
        let [one, two, four] = [1, 2, 4].map(build);
        for other in [two, four] {
            prop_assert_eq!(other.hierarchy(), one.hierarchy());
            prop_assert_eq!(other.default_costs().metric(), one.default_costs().metric());
        }
    }

    /// By the published cost model every engine finds the cheapest way from centre to centre.
    #[test]
    fn centre_to_centre_all_engines_agree_with_the_definition(
        plan in plans(), mu in 2usize..8, seed: u64,
    ) {
        let mesh = plan.mesh();
        let options = IndexOptions {
            graph: GraphOptions { cost_model: CostModel::Published, ..GraphOptions::default() },
            ..IndexOptions::default()
        };
        let partition = random_partition(&mesh, mu, seed);
        let world = World::with_hierarchy(mesh, partition, &options).expect("small");
        let mesh = world.mesh();
        let mut dice = Dice::new(seed);
        for _ in 0..4 {
            let query = Query::new(dice.place_inside(mesh), dice.place_inside(mesh));
            let Ok(ends) = world.locate(&query) else { continue };
            let right = centre_costs(mesh, ends.start.polygon.index())[ends.goal.polygon.index()];
            for engine in world.engines() {
                let query = Query { engine, ..query };
                let mut path = Path::default();
                let status = world.find_path(&query, &mut Scratch::new(), &mut path);
                if right == f64::INFINITY {
                    prop_assert_eq!(status, Status::NoPath);
                } else {
                    prop_assert_eq!(status, Status::Found, "{}", engine);
                    prop_assert!(close(path.cost.into(), right), "{}: {} not {}", engine, path.cost, right);
                }
            }
        }
    }
}

/// From one polygon to all others over portals, from centre to centre, and over links by way of their
/// ends; Bellman and Ford's algorithm.
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
fn an_engine_that_a_world_cannot_run_says_why() {
    let world = World::from_mesh(grid());
    let says = |world: &World, name: &str| {
        let engine: Engine = name.parse().expect("an engine");
        world.check_engine(engine).unwrap_err().to_string()
    };
    assert!(says(&world, "hna:2").contains("needs a hierarchy"));
    let partition = random_partition(world.mesh(), 4, 1);
    let top = partition.top();
    let bare = IndexOptions {
        tables: portolan::TableOptions {
            top: Level(0),
            centres: false,
        },
        ..IndexOptions::default()
    };
    let world = World::with_hierarchy(grid(), partition, &bare).expect("small");
    let answer = says(&world, "hna:9");
    assert!(
        answer.contains("no level 9") && answer.contains(&format!("highest is {top}")),
        "{answer}"
    );
    assert!(says(&world, "hna:1:table").contains("tables"));
    assert!(says(&world, "pccp:1").contains("tables"));
    assert!(world.check_engine("hna:1:astar".parse().unwrap()).is_ok());
    let other = random_partition(&grid(), 4, 1).up_to(Level(1));
    let cells = portolan::worlds::WorldOptions {
        polygons: 30,
        ..Default::default()
    };
    let raw = portolan::worlds::open(&cells);
    let small = NavMesh::build(raw, &Default::default()).expect("sound");
    assert!(World::with_hierarchy(small, other, &bare).is_err());
    let none = Profile::default();
    assert!(world.costs(&none).metric().is_some());
}

fn grid() -> NavMesh {
    let options = portolan::worlds::WorldOptions {
        polygons: 300,
        ..Default::default()
    };
    NavMesh::build(portolan::worlds::open(&options), &Default::default()).expect("a sound mesh")
}
