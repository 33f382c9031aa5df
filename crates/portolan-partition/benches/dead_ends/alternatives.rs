//! Several ways for a query, all pulled taut: the shortest wins.

use oorandom::Rand64;
use portolan::{Ends, Path, Query, World};

use crate::ways::{Buffers, Ways, follow, places};

const SEED: u128 = 3;

/// Graphs whose arcs cost up to `share` more or less, at random; the first as they are.
pub(crate) fn perturbed(world: &World, count: usize, share: f64) -> Vec<Ways<'_>> {
    let mut random = Rand64::new(SEED);
    let ways = |i| {
        let factor = |_| match i {
            0 => 1.0,
            _ => (1.0 + share * (2.0 * random.rand_float() - 1.0)) as f32,
        };
        Ways::new(world, places(world.graph()), factor)
    };
    (0..count).map(ways).collect()
}

/// Tries one way after the other, and keeps the path that is shortest.
pub(crate) struct Shortest {
    pub(crate) buffers: Buffers,
    tried: Path,
    /// Lengths of what was tried for this query.
    lengths: Vec<f64>,
    /// Queries, and the different lengths of their paths.
    queries: usize,
    different: usize,
}

impl Shortest {
    pub(crate) fn new() -> Self {
        Self {
            buffers: Buffers::default(),
            tried: Path::default(),
            lengths: Vec::new(),
            queries: 0,
            different: 0,
        }
    }

    /// Sets `path` to the shortest of what `find` finds at each of `count` tries.
    pub(crate) fn of(
        &mut self,
        count: usize,
        path: &mut Path,
        mut find: impl FnMut(usize, &mut Buffers, &mut Path),
    ) {
        self.lengths.clear();
        for i in 0..count {
            find(i, &mut self.buffers, &mut self.tried);
            let length = self.tried.length_xz();
            if self.lengths.iter().all(|&known| length < known) {
                std::mem::swap(path, &mut self.tried);
            }
            self.lengths.push(length);
        }
        self.lengths.sort_by(f64::total_cmp);
        self.lengths.dedup_by(|a, b| *a - *b < 1e-5 * *b);
        self.queries += 1;
        self.different += self.lengths.len();
    }

    pub(crate) fn print(&self) {
        let different = self.different as f64 / self.queries as f64;
        println!("    {different:.2} different lengths a query");
    }
}

/// The vertices that both chains of a query pass, over which ways cost least; not two for one way.
pub(crate) fn vias(ways: &Ways<'_>, ends: &Ends, count: usize, buffers: &mut Buffers) -> Vec<u32> {
    if ends.start.polygon == ends.goal.polygon {
        return Vec::new();
    }
    // The vertices of a polygon lie on one chain: the longest of theirs.
    let [up, down] = [(ends.start, true), (ends.goal, false)].map(|(place, is_start)| {
        let chains = ways.legs(place, is_start).map(|(vertex, _)| {
            let chain: Vec<u32> = ways.contraction.chain(vertex).collect();
            chain
        });
        chains.max_by_key(Vec::len).expect("a way out")
    });
    let common = up.iter().rev().zip(down.iter().rev());
    let common = common.take_while(|(a, b)| a == b).map(|(&via, _)| via);
    let mut costs: Vec<(f32, u32)> = common
        .map(|via| (over(ways, ends, via, buffers), via))
        .collect();
    costs.sort_by(|a, b| a.0.total_cmp(&b.0));
    costs.dedup_by(|a, b| a.0 - b.0 < 1e-5 * b.0);
    costs.into_iter().take(count).map(|(_, via)| via).collect()
}

/// The way over a vertex, pulled taut.
pub(crate) fn find_over(
    ways: &Ways<'_>,
    query: &Query<'_>,
    ends: &Ends,
    via: u32,
    buffers: &mut Buffers,
    path: &mut Path,
) {
    path.clear();
    path.cost = over(ways, ends, via, buffers);
    follow(ways.graph, &buffers.vertices, ends, &mut path.corridor);
    ways.world.pull(query, ends, &mut buffers.scratch, path);
}

/// Sets the vertices in the buffers to the cheapest way over one; its cost.
fn over(ways: &Ways<'_>, ends: &Ends, via: u32, buffers: &mut Buffers) -> f32 {
    buffers.vertices.clear();
    let (starts, goals) = (ways.legs(ends.start, true), ways.legs(ends.goal, false));
    let there = ways.search(ends, starts, [(via, 0.0)].into_iter(), buffers);
    there + ways.search(ends, [(via, 0.0)].into_iter(), goals, buffers)
}
