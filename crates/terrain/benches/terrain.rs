//! A* and what is built to beat it, from triangle to triangle over hills: `cargo bench -p portolan-terrain
//! --features metis`. Times are of all queries together. What each engine takes and keeps is printed, and all
//! costs are compared, before anything is timed.

use std::sync::OnceLock;
use std::time::Instant;

use divan::{Bencher, counter::ItemsCount};
use oorandom::Rand32;
use portolan_core::Level;
use portolan_index::{OrderMethod, OrderOptions, PartitionOptions};
use portolan_oracle::ground::{close, hilly};
use portolan_terrain::order_terrain;
use portolan_terrain::partition_terrain;
use portolan_terrain::{LowContraction, LowGraph, LowHna, LowScratch};

const QUERIES: usize = 100;
/// Points along a side.
const SIDES: [usize; 2] = [65, 257];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Engine {
    AStar,
    Dijkstra,
    /// `None` chooses a level.
    Hna(Option<u8>),
    Contraction(OrderMethod),
}

const ENGINES: [Engine; 8] = [
    Engine::Dijkstra,
    Engine::AStar,
    Engine::Hna(None),
    Engine::Hna(Some(1)),
    Engine::Hna(Some(2)),
    Engine::Hna(Some(3)),
    Engine::Contraction(OrderMethod::Flow),
    Engine::Contraction(OrderMethod::Metis),
];

/// Ground, all engines on it, and queries.
struct Stage {
    graph: LowGraph,
    hna: LowHna,
    by_flow: LowContraction,
    by_metis: LowContraction,
    queries: Vec<[u32; 2]>,
}

impl Stage {
    fn of(side: usize) -> &'static Self {
        static STAGES: [OnceLock<Stage>; SIDES.len()] = [const { OnceLock::new() }; SIDES.len()];
        let place = SIDES.iter().position(|&known| known == side);
        STAGES[place.expect("one of the sides")].get_or_init(|| Self::new(side))
    }

    fn new(side: usize) -> Self {
        let (_, graph) = hilly(side);
        let mut random = Rand32::new(5);
        let mut draw = || random.rand_range(0..graph.len() as u32);
        let queries = (0..QUERIES).map(|_| [draw(), draw()]).collect();
        println!("\n{side} x {side} points, {} triangles", graph.len());
        let stage = Self {
            hna: hna(&graph),
            by_flow: contraction(&graph, OrderMethod::Flow),
            by_metis: contraction(&graph, OrderMethod::Metis),
            graph,
            queries,
        };
        let (mut scratch, mut path) = (LowScratch::new(), Vec::new());
        for &ends in &stage.queries {
            let mut find = |engine| {
                let found = stage.find(engine, ends, &mut scratch, &mut path);
                f64::from(found.expect("one island"))
            };
            let truth = find(Engine::Dijkstra);
            for engine in ENGINES {
                let cost = find(engine);
                assert!(close(cost, truth), "{engine:?}: {cost}, not {truth}");
            }
        }
        stage
    }

    fn find(
        &self,
        engine: Engine,
        ends: [u32; 2],
        scratch: &mut LowScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        let [from, to] = ends;
        match engine {
            Engine::AStar => self.graph.astar(from, to, scratch, path),
            Engine::Dijkstra => self.graph.dijkstra(from, to, scratch, path),
            Engine::Hna(level) => {
                // Small ground has fewer levels.
                let level = level.map(|level| Level(level).min(self.hna.hierarchy().top()));
                self.hna.find(&self.graph, ends, level, scratch, path)
            }
            Engine::Contraction(OrderMethod::Metis) => self.by_metis.find(from, to, scratch, path),
            Engine::Contraction(_) => self.by_flow.find(from, to, scratch, path),
        }
    }
}

fn hna(graph: &LowGraph) -> LowHna {
    let start = Instant::now();
    let partition = partition_terrain(graph, &PartitionOptions::default()).expect("a partition");
    let cut = start.elapsed();
    let hna = LowHna::new(graph, partition).expect("a hierarchy");
    println!(
        "  HNA*: nodes {cut:.1?}, all {:.1?}, {} levels, {} bytes a triangle",
        start.elapsed(),
        hna.hierarchy().top(),
        hna.bytes() / graph.len()
    );
    hna
}

fn contraction(graph: &LowGraph, method: OrderMethod) -> LowContraction {
    let start = Instant::now();
    let options = OrderOptions {
        method,
        ..OrderOptions::default()
    };
    let order = order_terrain(graph, &options).expect("an order");
    let ordered = start.elapsed();
    let low = LowContraction::new(graph, order);
    let work = low.contraction().work(|_| 1);
    println!(
        "  contraction, {method:?}: order {ordered:.1?}, all {:.1?}, {} arcs, {:.0} on a chain, depth {}, {} \
         bytes a triangle",
        start.elapsed(),
        work.arcs,
        work.chain,
        low.contraction().depth(),
        low.bytes() / graph.len()
    );
    low
}

#[divan::bench(args = ENGINES, consts = SIDES, sample_count = 10)]
fn find<const SIDE: usize>(bencher: Bencher<'_, '_>, engine: &Engine) {
    let stage = Stage::of(SIDE);
    let (mut scratch, mut path) = (LowScratch::new(), Vec::new());
    bencher.counter(ItemsCount::new(QUERIES)).bench_local(|| {
        let find = |&ends: &[u32; 2]| stage.find(*engine, ends, &mut scratch, &mut path);
        stage.queries.iter().filter_map(find).sum::<f32>()
    });
}

fn main() {
    divan::main();
}
