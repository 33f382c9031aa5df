//! Exact terrain engines must agree with a slow search over all triangles.

use portolan_oracle::ground::{plans, slow_costs};
use portolan_oracle::{CaseRng, draw, random_cells, random_order};
use portolan_terrain::{
    LowGraph, NO_TRIANGLE, Terrain, TerrainEngine, TerrainOptions, TerrainPath, TerrainQuery,
    TerrainScratch, TerrainStatus,
};

use crate::{AnswerCounts, SoakCase};

/// The number of goals per start.
const GOALS: usize = 12;

pub(super) fn check(case: &SoakCase, rng: &mut CaseRng) -> AnswerCounts {
    let mut counts = AnswerCounts::default();
    let terrain = terrain(rng);
    let graph = terrain.graph();
    let mut engines = terrain.engines();
    engines.retain(|engine| engine.is_exact());
    let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    let from = rng.below(graph.len()) as u32;
    let truth = slow_costs(graph, from);
    for _ in 0..GOALS {
        let to = rng.below(graph.len()) as u32;
        for &engine in &engines {
            // All levels of `hna` are counted as one engine.
            let name = match engine {
                TerrainEngine::Hna { .. } => "terrain:hna".to_owned(),
                engine => format!("terrain:{engine}"),
            };
            if !case.is_selected(&name) {
                continue;
            }
            let query = TerrainQuery {
                engine,
                ..TerrainQuery::new(from, to)
            };
            let status = terrain.find_path(&query, &mut scratch, &mut path);
            let status = status.unwrap_or_else(|error| panic!("{engine}: {error}"));
            let found = (status == TerrainStatus::Found).then_some(path.cost as f32);
            let (ends, truth) = ([from, to], truth[to as usize]);
            let verdict =
                portolan_oracle::ground::check(graph, ends, truth, found, &path.triangles);
            verdict.unwrap_or_else(|problem| panic!("{engine}: {problem}"));
            counts.add(&name);
        }
    }
    counts
}

/// Draws ground with a random contraction order and a random hierarchy.
fn terrain(rng: &mut CaseRng) -> Terrain {
    let plan = draw(plans(), rng);
    let options = TerrainOptions {
        price: plan.price,
        ..TerrainOptions::default()
    };
    let terrain = Terrain::build(plan.web(), &options).expect("valid ground");
    let count = terrain.graph().len();
    let order = random_order(rng, count);
    let mu = 2 + rng.below(8);
    let partition = random_cells(count, &neighbours(terrain.graph()), mu, rng.seed());
    let terrain = terrain.with_contraction(order).expect("a valid order");
    terrain
        .with_hierarchy(partition)
        .expect("a hierarchy within the limits")
}

/// Returns the pairs of triangles with a common border.
fn neighbours(graph: &LowGraph) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for triangle in 0..graph.len() {
        let (neighbours, _) = graph.crossings(triangle as u32);
        let neighbours = neighbours.into_iter().filter(|&other| other != NO_TRIANGLE);
        pairs.extend(neighbours.map(|other| [triangle, other as usize]));
    }
    pairs
}
