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
use portolan_terrain::{
    Terrain, TerrainEndpoints, TerrainEngine, TerrainOptions, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus, order_terrain, partition_terrain,
};

const QUERIES: usize = 100;
/// Points along a side.
const SIDES: [usize; 2] = [65, 257];

/// An engine, and the order of the contraction where that matters.
#[derive(Clone, Copy, Debug)]
struct Contender(TerrainEngine, OrderMethod);

const CONTENDERS: [Contender; 9] = {
    let flow = OrderMethod::Flow;
    [
        Contender(TerrainEngine::Dijkstra, flow),
        Contender(TerrainEngine::AStar, flow),
        Contender(TerrainEngine::Mesh, flow),
        hna_at(None),
        hna_at(Some(Level(1))),
        hna_at(Some(Level(2))),
        hna_at(Some(Level(3))),
        Contender(TerrainEngine::Contraction, flow),
        Contender(TerrainEngine::Contraction, OrderMethod::Metis),
    ]
};

const fn hna_at(level: Option<Level>) -> Contender {
    Contender(TerrainEngine::Hna { level }, OrderMethod::Flow)
}

/// Ground with all engines on it, and queries.
struct Stage {
    by_flow: Terrain,
    by_metis: Terrain,
    queries: Vec<TerrainEndpoints>,
}

impl Stage {
    fn of(side: usize) -> &'static Self {
        static STAGES: [OnceLock<Stage>; SIDES.len()] = [const { OnceLock::new() }; SIDES.len()];
        let index = SIDES.iter().position(|&known| known == side);
        STAGES[index.expect("one of the sides")].get_or_init(|| Self::new(side))
    }

    fn new(side: usize) -> Self {
        let terrain = Terrain::build(hilly(side).0, &TerrainOptions::default()).expect("hills");
        let mut random = Rand32::new(5);
        let mut draw = || random.rand_range(0..terrain.web().len() as u32);
        let queries = (0..QUERIES).map(|_| {
            let query = TerrainQuery::new(draw(), draw());
            terrain.locate(&query).expect("triangles of this terrain")
        });
        let queries = queries.collect();
        println!(
            "\n{side} x {side} points, {} triangles",
            terrain.web().len()
        );
        let terrain = with_hierarchy(terrain);
        let stage = Self {
            by_metis: with_contraction(terrain.clone(), OrderMethod::Metis),
            by_flow: with_contraction(terrain, OrderMethod::Flow),
            queries,
        };
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for ends in &stage.queries {
            let mut find = |contender| stage.find(contender, ends, &mut scratch, &mut path);
            let truth = find(CONTENDERS[0]);
            for contender in CONTENDERS {
                let cost = find(contender);
                let Contender(engine, _) = contender;
                let is_right = close(cost, truth) || !engine.is_exact() && cost > truth;
                assert!(is_right, "{contender:?}: {cost}, not {truth}");
            }
        }
        stage
    }

    /// The cost of the path that is found.
    fn find(
        &self,
        Contender(engine, method): Contender,
        ends: &TerrainEndpoints,
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) -> f64 {
        let terrain = match method {
            OrderMethod::Metis => &self.by_metis,
            _ => &self.by_flow,
        };
        // Small ground has fewer levels.
        let engine = match engine {
            TerrainEngine::Hna { level } => TerrainEngine::Hna {
                level: level.map(|level| level.min(top(terrain))),
            },
            engine => engine,
        };
        let query = TerrainQuery {
            engine,
            ..TerrainQuery::new(ends.start.triangle, ends.goal.triangle)
        };
        let status = terrain.search(&query, ends, scratch, path);
        assert_eq!(status, Ok(TerrainStatus::Found), "hills are one island");
        path.cost
    }
}

fn top(terrain: &Terrain) -> Level {
    let hna = terrain.hna().expect("levels that were built");
    hna.hierarchy().top()
}

fn with_hierarchy(terrain: Terrain) -> Terrain {
    let start = Instant::now();
    let partition = partition_terrain(terrain.graph(), &PartitionOptions::default());
    let cut = start.elapsed();
    let terrain = terrain.with_hierarchy(partition.expect("a partition"));
    let terrain = terrain.expect("a hierarchy");
    println!(
        "  HNA*: nodes {cut:.1?}, all {:.1?}, {} levels, {} bytes a triangle",
        start.elapsed(),
        top(&terrain),
        terrain.hna().map_or(0, |hna| hna.bytes()) / terrain.web().len()
    );
    terrain
}

fn with_contraction(terrain: Terrain, method: OrderMethod) -> Terrain {
    let start = Instant::now();
    let options = OrderOptions {
        method,
        ..OrderOptions::default()
    };
    let order = order_terrain(terrain.graph(), &options).expect("an order");
    let ordered = start.elapsed();
    let terrain = terrain.with_contraction(order).expect("a contraction");
    let built = start.elapsed();
    let low = terrain.contraction().expect("the one just built");
    let work = low.contraction().estimate_work(|_| 1);
    println!(
        "  contraction, {method:?}: order {ordered:.1?}, all {built:.1?}, {} arcs, {:.0} on a chain, depth {}, {} \
         bytes a triangle",
        work.arcs,
        work.chain_arcs,
        low.contraction().depth(),
        low.bytes() / terrain.web().len()
    );
    terrain
}

#[divan::bench(args = CONTENDERS, consts = SIDES, sample_count = 10)]
fn find<const SIDE: usize>(bencher: Bencher<'_, '_>, contender: &Contender) {
    let stage = Stage::of(SIDE);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    bencher.counter(ItemsCount::new(QUERIES)).bench_local(|| {
        let find = |ends| stage.find(*contender, ends, &mut scratch, &mut path);
        stage.queries.iter().map(find).sum::<f64>()
    });
}

fn main() {
    divan::main();
}
