//! The engines of the terrain against a search that looks at every triangle.

use portolan_core::Level;
use portolan_oracle::ground::{plans, slow_wave};
use portolan_oracle::{Dice, draw, random_cells, random_order};
use portolan_terrain::{LowContraction, LowGraph, LowHna, LowScratch, NONE};

use crate::{Case, Compared};

/// How many goals are asked for from each start.
const GOALS: usize = 12;

pub(super) fn check(case: &Case, dice: &mut Dice) -> Compared {
    let mut compared = Compared::default();
    let graph = draw(plans(), dice).graph();
    let contraction = LowContraction::new(&graph, random_order(dice, graph.len()));
    let mu = 2 + dice.below(8);
    let partition = random_cells(graph.len(), &neighbours(&graph), mu, dice.seed());
    let hna = LowHna::new(&graph, partition).expect("a small hierarchy");
    let levels: Vec<Level> = (0..=hna.hierarchy().top().0).map(Level).collect();
    let (mut scratch, mut path) = (LowScratch::new(), Vec::new());
    let from = dice.below(graph.len()) as u32;
    let truth = slow_wave(&graph, from);
    for _ in 0..GOALS {
        let to = dice.below(graph.len()) as u32;
        let mut compare =
            |engine: &str, find: &mut dyn FnMut(&mut LowScratch, &mut Vec<u32>) -> Option<f32>| {
                if case.wants(engine) {
                    let found = find(&mut scratch, &mut path);
                    let verdict = portolan_oracle::ground::check(
                        &graph,
                        [from, to],
                        truth[to as usize],
                        found,
                        &path,
                    );
                    verdict.unwrap_or_else(|problem| panic!("{engine}: {problem}"));
                    compared.add(engine);
                }
            };
        compare("terrain:astar", &mut |scratch, path| {
            graph.astar(from, to, scratch, path)
        });
        compare("terrain:dijkstra", &mut |scratch, path| {
            graph.dijkstra(from, to, scratch, path)
        });
        compare("terrain:contraction", &mut |scratch, path| {
            contraction.find(from, to, scratch, path)
        });
        for level in levels.iter().copied().map(Some).chain([None]) {
            compare("terrain:hna", &mut |scratch, path| {
                hna.find(&graph, [from, to], level, scratch, path)
            });
        }
    }
    compared
}

/// Pairs of triangles with a border between them.
fn neighbours(graph: &LowGraph) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for triangle in 0..graph.len() {
        let (beside, _) = graph.crossings(triangle as u32);
        let beside = beside.into_iter().filter(|&other| other != NONE);
        pairs.extend(beside.map(|other| [triangle, other as usize]));
    }
    pairs
}
