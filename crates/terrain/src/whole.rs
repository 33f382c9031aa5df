//! The whole of it: ground in, paths out.

use super::inner::Distance;
use super::{
    EntryPrice, LowGraph, LowScratch, MergeOptions, Merged, Meshes, NavigationScratch, Price,
    TerrainError, TriangleWeb,
};

/// Ground with the meshes over it. Immutable in queries: any number of them may share one.
#[derive(Clone, Debug)]
pub struct Terrain {
    web: TriangleWeb,
    graph: LowGraph,
    tree: Merged,
    meshes: Meshes,
}

/// How a terrain is built.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TerrainOptions {
    /// What crossings cost.
    pub price: Price,
    /// How meshes are merged.
    pub merge: MergeOptions,
    /// Layers to compress to, Low Meshes and Top Mesh counted, so 2 at least; all that merging makes by
    /// default.
    pub layers: Option<usize>,
}

/// Who finds the way, among those that need nothing but a [`Terrain`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MeshEngine {
    /// The thesis's: over High Meshes. Fast, and not exact.
    #[default]
    Mesh,
    /// A* on Low Meshes. Exact.
    Astar,
    /// Dijkstra's algorithm on Low Meshes. Exact, and the slowest.
    Dijkstra,
}

/// Memory of queries, used again for one after the other.
#[derive(Clone, Debug, Default)]
pub struct TerrainScratch {
    low: LowScratch,
    navigation: NavigationScratch,
}

/// What a file keeps of a terrain: all that takes long, and what it was made of.
#[derive(Clone, Debug)]
pub struct TerrainParts {
    /// Triangles and difficulties.
    pub web: TriangleWeb,
    /// What crossings cost.
    pub price: Price,
    /// What getting into a mesh adds.
    pub entry: EntryPrice,
    /// Per mesh its parent: triangles first, [`NONE`](super::NONE) for a top.
    pub parents: Vec<u32>,
    /// Per mesh what getting into its parent by it adds.
    pub entries: Vec<Distance>,
    /// What getting from mesh to mesh costs, record by record.
    pub distances: Vec<Distance>,
}

impl Terrain {
    /// Prices crossings, merges, and compresses.
    pub fn build(web: TriangleWeb, options: &TerrainOptions) -> Result<Self, TerrainError> {
        options.check()?;
        let graph = LowGraph::new(&web, &options.price)?;
        let merged = Merged::new(&graph, &options.merge);
        Ok(Self::over(web, graph, &merged, options))
    }

    /// The last stage, for those who have taken the others one by one: compresses what was merged, and prices
    /// it.
    pub fn over(
        web: TriangleWeb,
        graph: LowGraph,
        merged: &Merged,
        options: &TerrainOptions,
    ) -> Self {
        let tree = match options.layers {
            Some(layers) => merged.compressed(layers),
            None => merged.clone(),
        };
        let meshes = Meshes::new(&graph, &tree, options.merge.entry);
        Self {
            web,
            graph,
            tree,
            meshes,
        }
    }

    /// The cheapest way that an engine finds from one triangle to another, and what it costs. `None` where
    /// there is none.
    pub fn find(
        &self,
        engine: MeshEngine,
        [from, to]: [u32; 2],
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f64> {
        let TerrainScratch { low, navigation } = scratch;
        match engine {
            MeshEngine::Mesh => self
                .meshes
                .find(&self.graph, [from, to], None, navigation, path),
            MeshEngine::Astar => self.graph.astar(from, to, low, path).map(f64::from),
            MeshEngine::Dijkstra => self.graph.dijkstra(from, to, low, path).map(f64::from),
        }
    }

    /// Gives triangles other difficulties, for a flood or a road, and prices anew what they have a part in:
    /// their crossings and the meshes above. Who was merged with whom stays.
    pub fn change(&mut self, difficulties: &[(u32, f32)]) -> Result<(), TerrainError> {
        for &(triangle, difficulty) in difficulties {
            self.web.check_difficulty(triangle, difficulty)?;
        }
        for &(triangle, difficulty) in difficulties {
            self.web.set_difficulty(triangle, difficulty)?;
        }
        let triangles: Vec<u32> = difficulties.iter().map(|&(triangle, _)| triangle).collect();
        for &triangle in &triangles {
            let (neighbours, _) = self.graph.crossings(triangle);
            let both = neighbours.into_iter().chain([triangle]);
            for changed in both.filter(|&triangle| triangle != super::NONE) {
                self.graph.price_out_of(&self.web, changed);
            }
        }
        self.meshes.reprice(&self.graph, &triangles);
        Ok(())
    }

    /// The triangles.
    pub fn web(&self) -> &TriangleWeb {
        &self.web
    }

    /// The Low Meshes and their crossings.
    pub fn graph(&self) -> &LowGraph {
        &self.graph
    }

    /// All meshes.
    pub fn meshes(&self) -> &Meshes {
        &self.meshes
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.web.bytes() + self.graph.bytes() + self.tree.bytes() + self.meshes.bytes()
    }

    /// What a file keeps of it, but the web: per mesh its parent and its entry, and the distances of all
    /// records.
    pub fn arrays(&self) -> (&[u32], &[Distance], Vec<Distance>) {
        let (entries, distances) = self.meshes.prices();
        (&self.tree.parents, entries, distances)
    }

    /// Puts a terrain together again, or says what is wrong with its parts.
    pub fn from_parts(parts: TerrainParts) -> Result<Self, TerrainError> {
        let graph = LowGraph::new(&parts.web, &parts.price)?;
        let tree = Merged::from_parents(parts.parents, graph.len())?;
        let prices = (parts.entries, parts.distances);
        let meshes = Meshes::with_prices(&graph, &tree, parts.entry, prices)?;
        Ok(Self {
            web: parts.web,
            graph,
            tree,
            meshes,
        })
    }
}

impl TerrainOptions {
    /// Whether every option is within its range.
    pub fn check(&self) -> Result<(), TerrainError> {
        self.price.check()?;
        if !(2..=1024).contains(&self.merge.most_children) {
            let children = self.merge.most_children;
            return Err(TerrainError::MostChildren(children));
        }
        if !(0.0..=1.0).contains(&self.merge.tie) {
            return Err(TerrainError::Tie(self.merge.tie));
        }
        match self.layers {
            Some(layers) if layers < 2 => Err(TerrainError::Layers(layers)),
            _ => Ok(()),
        }
    }
}
