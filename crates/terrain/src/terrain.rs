//! The whole of it: ground in, paths out.

use portolan_core::Partition;
use portolan_index::{OrderOptions, PartitionOptions};

use super::inner::Distance;
use super::{
    EntryPrice, LowContraction, LowGraph, LowHna, MergeOptions, Merged, Meshes, NONE, Price,
    TerrainError, TriangleWeb, order_terrain,
};

/// Ground with everything that was derived from it. Immutable in queries: share it by reference between
/// threads, each with a [`TerrainScratch`](super::TerrainScratch) of its own.
#[derive(Clone, Debug)]
pub struct Terrain {
    pub(super) web: TriangleWeb,
    pub(super) graph: LowGraph,
    tree: Merged,
    pub(super) meshes: Meshes,
    pub(super) contraction: Option<LowContraction>,
    pub(super) hna: Option<LowHna>,
}

/// How a terrain is built.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainOptions {
    /// What crossings cost.
    pub price: Price,
    /// How meshes are merged.
    pub merge: MergeOptions,
    /// Layers to compress to, Low Meshes and Top Mesh counted. [Limit: >= 2] [Default: all that merging
    /// makes]
    pub layers: Option<usize>,
    /// Whether to build what [`TerrainEngine::Contraction`](super::TerrainEngine::Contraction) needs.
    /// [Default: false]
    pub contraction: bool,
    /// How to partition the triangles for [`TerrainEngine::Hna`](super::TerrainEngine::Hna), which METIS
    /// does: it takes the feature `metis`. [Default: no hierarchy]
    pub hierarchy: Option<PartitionOptions>,
}

/// What a file keeps of a terrain: what it was made of, and what takes long to make. Contraction and hierarchy
/// are not part of it; [`Terrain::with_contraction`] and [`Terrain::with_hierarchy`] add them again.
#[derive(Clone, Debug)]
pub struct TerrainParts {
    /// Triangles and difficulties.
    pub web: TriangleWeb,
    /// What crossings cost.
    pub price: Price,
    /// What getting into a mesh adds.
    pub entry: EntryPrice,
    /// Per mesh its parent: triangles first, [`NONE`] for a top.
    pub parents: Vec<u32>,
    /// Per mesh what getting into its parent by it adds.
    pub entries: Vec<Distance>,
    /// What getting from mesh to mesh costs, record by record.
    pub distances: Vec<Distance>,
}

impl Terrain {
    /// Prices crossings, merges and compresses meshes, and builds what the options ask for.
    ///
    /// The same ground and options give the same terrain, on any number of threads.
    pub fn build(web: TriangleWeb, options: &TerrainOptions) -> Result<Self, TerrainError> {
        options.check()?;
        let graph = LowGraph::new(&web, &options.price)?;
        let merged = Merged::new(&graph, &options.merge);
        Self::from_merged(web, graph, &merged, options)
    }

    /// The last stage of [`build`](Self::build), for callers that take the others one by one: compresses what
    /// was merged, prices it, and builds what the options ask for. The price is the graph's.
    pub fn from_merged(
        web: TriangleWeb,
        graph: LowGraph,
        merged: &Merged,
        options: &TerrainOptions,
    ) -> Result<Self, TerrainError> {
        options.check()?;
        if web.len() != graph.len() || web.len() != merged.low_count {
            return Err(TerrainError::Stages {
                web: web.len(),
                graph: graph.len(),
                merged: merged.low_count,
            });
        }
        let tree = match options.layers {
            Some(layers) => merged.compressed(layers),
            None => merged.clone(),
        };
        let meshes = Meshes::new(&graph, &tree, options.merge.entry);
        let mut terrain = Self {
            web,
            graph,
            tree,
            meshes,
            contraction: None,
            hna: None,
        };
        if options.contraction {
            let order = order_terrain(&terrain.graph, &OrderOptions::default());
            terrain = terrain.with_contraction(order.map_err(TerrainError::Order)?)?;
        }
        if let Some(options) = &options.hierarchy {
            let partition = partition(&terrain.graph, options)?;
            terrain = terrain.with_hierarchy(partition)?;
        }
        Ok(terrain)
    }

    /// Adds a contraction, by an order of the triangles: the triangle of each rank, the lowest first.
    /// [`order_terrain`] makes a good one.
    pub fn with_contraction(mut self, order: Vec<u32>) -> Result<Self, TerrainError> {
        self.contraction = Some(LowContraction::new(&self.graph, order)?);
        Ok(self)
    }

    /// Adds the levels of HNA*, by a partition of the triangles. `partition_terrain`, of the feature `metis`,
    /// makes one.
    pub fn with_hierarchy(mut self, partition: Partition) -> Result<Self, TerrainError> {
        let hna = LowHna::new(&self.graph, partition).map_err(TerrainError::Hierarchy)?;
        self.hna = Some(hna);
        Ok(self)
    }

    /// Gives triangles other difficulties, for a flood or a road, and prices what they have a part in again:
    /// their crossings and the meshes above. Which meshes were merged stays. The costs of a contraction and of
    /// levels, where there are any, are all computed again.
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
            for changed in both.filter(|&triangle| triangle != NONE) {
                self.graph.price_out_of(&self.web, changed);
            }
        }
        self.meshes.reprice(&self.graph, &triangles);
        if let Some(contraction) = &mut self.contraction {
            contraction.reprice(&self.graph);
        }
        if let Some(hna) = &mut self.hna {
            hna.reprice(&self.graph);
        }
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

    /// The contraction, if it was built.
    pub fn contraction(&self) -> Option<&LowContraction> {
        self.contraction.as_ref()
    }

    /// The levels of HNA*, if they were built.
    pub fn hna(&self) -> Option<&LowHna> {
        self.hna.as_ref()
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.web.bytes()
            + self.graph.bytes()
            + self.tree.bytes()
            + self.meshes.bytes()
            + self.contraction.as_ref().map_or(0, LowContraction::bytes)
            + self.hna.as_ref().map_or(0, LowHna::bytes)
    }

    /// What a file keeps of it, but the web: per mesh its parent and its entry, and the distances of all
    /// records.
    pub fn arrays(&self) -> (&[u32], &[Distance], Vec<Distance>) {
        let (entries, distances) = self.meshes.prices();
        (&self.tree.parents, entries, distances)
    }

    /// Puts a terrain together again, or says what is wrong with its parts. It has no contraction and no
    /// hierarchy.
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
            contraction: None,
            hna: None,
        })
    }
}

#[cfg(feature = "metis")]
fn partition(graph: &LowGraph, options: &PartitionOptions) -> Result<Partition, TerrainError> {
    super::partition_terrain(graph, options).map_err(TerrainError::Partition)
}

#[cfg(not(feature = "metis"))]
fn partition(_: &LowGraph, _: &PartitionOptions) -> Result<Partition, TerrainError> {
    Err(TerrainError::NoMetis)
}

impl TerrainOptions {
    /// Whether every option is within its range.
    pub fn check(&self) -> Result<(), TerrainError> {
        self.price.check()?;
        if !(2..=1024).contains(&self.merge.max_children) {
            let children = self.merge.max_children;
            return Err(TerrainError::MaxChildren(children));
        }
        if !(0.0..=1.0).contains(&self.merge.tie) {
            return Err(TerrainError::Tie(self.merge.tie));
        }
        if cfg!(not(feature = "metis")) && self.hierarchy.is_some() {
            // Before anything takes its time.
            return Err(TerrainError::NoMetis);
        }
        match self.layers {
            Some(layers) if layers < 2 => Err(TerrainError::Layers(layers)),
            _ => Ok(()),
        }
    }
}
