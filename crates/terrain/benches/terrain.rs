//! Compares all engines on hills: `cargo bench -p portolan-terrain --features metis`.
//!
//! Each time is the total of 100 queries. Before the first measurement, the benchmark prints the build times and the
//! memory of HNA* and of the contraction, and checks that all exact engines find the same costs.

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
/// Points per side of the square terrains.
const SIDES: [usize; 2] = [65, 257];

/// An engine, and the method for the order of the contraction, which other engines ignore.
#[derive(Clone, Copy, Debug)]
struct EngineSetup(TerrainEngine, OrderMethod);

const SETUPS: [EngineSetup; 9] = {
    let flow = OrderMethod::Flow;
    [
        EngineSetup(TerrainEngine::Dijkstra, flow),
        EngineSetup(TerrainEngine::AStar, flow),
        EngineSetup(TerrainEngine::Mesh, flow),
        hna_at(None),
        hna_at(Some(Level(1))),
        hna_at(Some(Level(2))),
        hna_at(Some(Level(3))),
        EngineSetup(TerrainEngine::Contraction, flow),
        EngineSetup(TerrainEngine::Contraction, OrderMethod::Metis),
    ]
};

const fn hna_at(level: Option<Level>) -> EngineSetup {
    EngineSetup(TerrainEngine::Hna { level }, OrderMethod::Flow)
}

/// A terrain with all engines, and queries.
struct BenchGround {
    by_flow: Terrain,
    by_metis: Terrain,
    queries: Vec<TerrainEndpoints>,
}

impl BenchGround {
    fn of(side: usize) -> &'static Self {
        static GROUNDS: [OnceLock<BenchGround>; SIDES.len()] =
            [const { OnceLock::new() }; SIDES.len()];
        let index = SIDES.iter().position(|&known| known == side);
        GROUNDS[index.expect("a side from SIDES")].get_or_init(|| Self::new(side))
    }

    fn new(side: usize) -> Self {
        let terrain = Terrain::build(hilly(side).0, &TerrainOptions::default()).expect("hills");
        let mut rng = Rand32::new(5);
        let mut draw = || rng.rand_range(0..terrain.web().len() as u32);
        let queries = (0..QUERIES).map(|_| {
            let query = TerrainQuery::new(draw(), draw());
            terrain.locate(&query).expect("triangles of this terrain")
        });
        let queries = queries.collect();
        println!(
            "\nhills of {side} x {side} points, {} triangles",
            terrain.web().len()
        );
        let terrain = with_hierarchy(terrain);
        let ground = Self {
            by_metis: with_contraction(terrain.clone(), OrderMethod::Metis),
            by_flow: with_contraction(terrain, OrderMethod::Flow),
            queries,
        };
        let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
        for ends in &ground.queries {
            let mut find = |setup| ground.find(setup, ends, &mut scratch, &mut path);
            let truth = find(SETUPS[0]);
            for setup in SETUPS {
                let cost = find(setup);
                let EngineSetup(engine, _) = setup;
                let is_right = close(cost, truth) || !engine.is_exact() && cost > truth;
                assert!(is_right, "{setup:?}: {cost}, not {truth}");
            }
        }
        ground
    }

    /// Finds a path and returns its cost.
    fn find(
        &self,
        EngineSetup(engine, method): EngineSetup,
        ends: &TerrainEndpoints,
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) -> f64 {
        let terrain = match method {
            OrderMethod::Metis => &self.by_metis,
            _ => &self.by_flow,
        };
        // Small terrains have fewer levels.
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
        assert_eq!(status, Ok(TerrainStatus::Found), "the hills are connected");
        path.cost
    }
}

fn top(terrain: &Terrain) -> Level {
    let hna = terrain.hna().expect("every terrain here has a hierarchy");
    hna.hierarchy().top()
}

fn with_hierarchy(terrain: Terrain) -> Terrain {
    let start = Instant::now();
    let partition = partition_terrain(terrain.graph(), &PartitionOptions::default());
    let partitioned = start.elapsed();
    let terrain = terrain.with_hierarchy(partition.expect("a partition"));
    let terrain = terrain.expect("a hierarchy");
    println!(
        "  HNA*: partition {partitioned:.1?}, total {:.1?}, {} levels, {} bytes per triangle",
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
        "  contraction, {method:?}: order {ordered:.1?}, total {built:.1?}, {} arcs, {:.0} arcs per chain, depth {}, \
         {} bytes per triangle",
        work.arcs,
        work.chain_arcs,
        low.contraction().depth(),
        low.bytes() / terrain.web().len()
    );
    terrain
}

#[divan::bench(args = SETUPS, consts = SIDES, sample_count = 10)]
fn find<const SIDE: usize>(bencher: Bencher<'_, '_>, setup: &EngineSetup) {
    let ground = BenchGround::of(SIDE);
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    bencher.counter(ItemsCount::new(QUERIES)).bench_local(|| {
        let find = |ends| ground.find(*setup, ends, &mut scratch, &mut path);
        ground.queries.iter().map(find).sum::<f64>()
    });
}

fn main() {
    divan::main();
}
