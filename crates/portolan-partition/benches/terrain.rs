//! A* and what is built to beat it, from triangle to triangle over one ground: `cargo bench -p
//! portolan-partition --bench terrain`. Times are of all queries together; costs are compared before anything
//! is timed.

#[path = "../../portolan/tests/common/ground.rs"]
mod ground;

use std::sync::OnceLock;

use divan::{Bencher, counter::ItemsCount};
use ground::{close, hilly};
use oorandom::Rand32;
use portolan::terrain::{LowGraph, LowScratch};

const QUERIES: usize = 100;
/// Points along a side.
const SIDES: [usize; 2] = [65, 257];

/// Ground and queries over it.
struct Stage {
    graph: LowGraph,
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
        let stage = Self { graph, queries };
        let (mut scratch, mut path) = (LowScratch::new(), Vec::new());
        for &[from, to] in &stage.queries {
            let astar = stage.graph.astar(from, to, &mut scratch, &mut path);
            let truth = stage.graph.dijkstra(from, to, &mut scratch, &mut path);
            let (astar, truth) = (astar.expect("one island"), truth.expect("one island"));
            assert!(
                close(astar.into(), truth.into()),
                "A*: {astar}, not {truth}"
            );
        }
        stage
    }

    fn run(
        &'static self,
        bencher: Bencher<'_, '_>,
        find: impl Fn(&Self, [u32; 2], &mut LowScratch, &mut Vec<u32>) -> Option<f32> + Sync,
    ) {
        let mut memory = (LowScratch::new(), Vec::new());
        bencher.counter(ItemsCount::new(QUERIES)).bench_local(|| {
            let (scratch, path) = &mut memory;
            let costs = self
                .queries
                .iter()
                .map(|&ends| find(self, ends, scratch, path));
            costs.map(|cost| cost.unwrap_or(f32::INFINITY)).sum::<f32>()
        });
    }
}

#[divan::bench(args = SIDES)]
fn astar(bencher: Bencher<'_, '_>, side: usize) {
    let find = |stage: &Stage, [from, to]: [u32; 2], scratch: &mut _, path: &mut _| {
        stage.graph.astar(from, to, scratch, path)
    };
    Stage::of(side).run(bencher, find);
}

#[divan::bench(args = SIDES, sample_count = 10)]
fn dijkstra(bencher: Bencher<'_, '_>, side: usize) {
    let find = |stage: &Stage, [from, to]: [u32; 2], scratch: &mut _, path: &mut _| {
        stage.graph.dijkstra(from, to, scratch, path)
    };
    Stage::of(side).run(bencher, find);
}

fn main() {
    divan::main();
}
