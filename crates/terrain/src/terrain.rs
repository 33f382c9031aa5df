//! The terrain, which contains all stages and answers queries.

use portolan_core::Partition;
use portolan_core::sections::{SectionError, SectionReader, SectionWriter};
use portolan_index::PartitionOptions;

use super::entry_price::MeshDistance;
use super::{
    EntryPrice, LowContraction, LowGraph, LowHna, MergeOptions, MeshTree, Meshes, NO_TRIANGLE,
    Price, TerrainError, TriangleWeb,
};

/// A triangle web with everything that engines need to find paths over it.
///
/// Queries do not modify a terrain. Threads can share it by reference, each with its own
/// [`TerrainScratch`](super::TerrainScratch). See [`find_path`](Self::find_path) for an example.
#[derive(Clone, Debug)]
pub struct Terrain {
    pub(super) web: TriangleWeb,
    pub(super) graph: LowGraph,
    tree: MeshTree,
    pub(super) meshes: Meshes,
    pub(super) contraction: Option<LowContraction>,
    pub(super) hna: Option<LowHna>,
}

/// Options for building a [`Terrain`].
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainOptions {
    /// The parameters of the traversal price.
    pub price: Price,
    /// Options for merging meshes.
    pub merge: MergeOptions,
    /// The number of layers to compress to, Low Meshes and Top Mesh included. On the examples of the terrain
    /// thesis, 5 or 10 layers give faster queries, and mostly cheaper paths, than no compression (see
    /// `docs/terrain.md`). [Limits: 2 or more] [Default: no compression]
    pub layers: Option<usize>,
    /// Whether to build the contraction for
    /// [`TerrainEngine::Contraction`](super::TerrainEngine::Contraction), which is the default engine of queries.
    /// [Default: true]
    pub contraction: bool,
    /// Options for the partition of triangles for [`TerrainEngine::Hna`](super::TerrainEngine::Hna). METIS computes
    /// the partition, so this needs the feature `metis`. [Default: no hierarchy]
    pub hierarchy: Option<PartitionOptions>,
}

impl Default for TerrainOptions {
    fn default() -> Self {
        Self {
            price: Price::default(),
            merge: MergeOptions::default(),
            layers: None,
            contraction: true,
            hierarchy: None,
        }
    }
}

/// The parts of a terrain that a file stores: its input, and the results that take long to compute. A file also stores
/// the [contraction](Terrain::write_contraction), but not the hierarchy of HNA*: [`Terrain::with_hierarchy`] adds it.
#[derive(Clone, Debug)]
pub struct TerrainParts {
    /// Triangles and difficulties.
    pub web: TriangleWeb,
    /// The parameters of the traversal price.
    pub price: Price,
    /// The rule for entries.
    pub entry: EntryPrice,
    /// Per mesh, its parent, or [`NO_MESH`](super::NO_MESH) for a Top Mesh. Low Meshes come first, in the order of
    /// triangles.
    pub parents: Vec<u32>,
    /// Per mesh, the entry of its parent through this mesh.
    pub entries: Vec<MeshDistance>,
    /// Per neighbour record, the distance to the sibling.
    pub distances: Vec<MeshDistance>,
}

impl Terrain {
    /// Builds a terrain: prices crossings, merges and compresses meshes, and adds a contraction and a hierarchy if
    /// the options require them.
    ///
    /// The result depends only on the web and the options, not on the number of threads.
    pub fn build(web: TriangleWeb, options: &TerrainOptions) -> Result<Self, TerrainError> {
        options.check()?;
        let graph = LowGraph::new(&web, &options.price)?;
        let merged = MeshTree::new(&graph, &options.merge);
        Self::from_merged(web, graph, &merged, options)
    }

    /// Builds a terrain from a graph and a tree that the caller has already computed. This is the last stage of
    /// [`build`](Self::build): it compresses the tree, prices its meshes, and adds a contraction and a hierarchy if
    /// the options require them. Prices are those of `graph`; [`TerrainOptions::price`] is ignored.
    pub fn from_merged(
        web: TriangleWeb,
        graph: LowGraph,
        merged: &MeshTree,
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
        let with_layers = || {
            let tree = match options.layers {
                Some(layers) => merged.compressed(layers),
                None => merged.clone(),
            };
            let meshes = Meshes::new(&graph, &tree, options.merge.entry);
            (tree, meshes)
        };
        let contraction = || {
            let is_wanted = options.contraction;
            is_wanted.then(|| LowContraction::by_position(&graph))
        };
        let ((tree, meshes), contraction) = rayon::join(with_layers, contraction);
        let mut terrain = Self {
            web,
            graph,
            tree,
            meshes,
            contraction,
            hna: None,
        };
        if let Some(options) = &options.hierarchy {
            let partition = partition(&terrain.graph, options)?;
            terrain = terrain.with_hierarchy(partition)?;
        }
        Ok(terrain)
    }

    /// Adds a contraction. `order` lists the triangle of each rank, the lowest rank first.
    /// [`order_by_position`](super::order_by_position) and [`order_terrain`](super::order_terrain) compute good orders.
    pub fn with_contraction(mut self, order: Vec<u32>) -> Result<Self, TerrainError> {
        self.contraction = Some(LowContraction::new(&self.graph, order)?);
        Ok(self)
    }

    /// Adds the hierarchy of HNA* for a partition of the triangles. `partition_terrain`, which needs the feature
    /// `metis`, computes a partition.
    pub fn with_hierarchy(mut self, partition: Partition) -> Result<Self, TerrainError> {
        let hna = LowHna::new(&self.graph, partition).map_err(TerrainError::Hierarchy)?;
        self.hna = Some(hna);
        Ok(self)
    }

    /// Changes the difficulties of triangles, for example because of a flood or a new road. Each item is a triangle
    /// and its new difficulty from 0 to 1. If one of them is invalid, nothing changes.
    ///
    /// Recomputes the prices of the affected crossings and of the meshes above them. The tree of meshes stays. A
    /// contraction and a hierarchy, if there are any, are customized again completely.
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
            let affected = neighbours.into_iter().chain([triangle]);
            for changed in affected.filter(|&triangle| triangle != NO_TRIANGLE) {
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

    /// Returns the triangle web.
    pub fn web(&self) -> &TriangleWeb {
        &self.web
    }

    /// Returns the graph of Low Meshes.
    pub fn graph(&self) -> &LowGraph {
        &self.graph
    }

    /// Returns all meshes with their records and joints.
    pub fn meshes(&self) -> &Meshes {
        &self.meshes
    }

    /// Returns the contraction, if there is one.
    pub fn contraction(&self) -> Option<&LowContraction> {
        self.contraction.as_ref()
    }

    /// Returns the hierarchy of HNA*, if there is one.
    pub fn hna(&self) -> Option<&LowHna> {
        self.hna.as_ref()
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        self.web.bytes()
            + self.graph.bytes()
            + self.tree.bytes()
            + self.meshes.bytes()
            + self.contraction.as_ref().map_or(0, LowContraction::bytes)
            + self.hna.as_ref().map_or(0, LowHna::bytes)
    }

    /// Returns the arrays that a file stores in addition to the web and the options: parents and entries per mesh,
    /// and distances per neighbour record. They are fields of [`TerrainParts`].
    pub fn arrays(&self) -> (&[u32], &[MeshDistance], Vec<MeshDistance>) {
        let (entries, distances) = self.meshes.prices();
        (&self.tree.parents, entries, distances)
    }

    /// Adds the sections of the contraction to a file, if there is one.
    pub fn write_contraction(&self, file: &mut SectionWriter) {
        if let Some(contraction) = &self.contraction {
            contraction.write_sections(file);
        }
    }

    /// Adds the contraction that [`write_contraction`](Self::write_contraction) has written. Sections that are not those
    /// of a contraction of this terrain are an error. With a forged contraction, queries find paths that are not
    /// the cheapest, but nothing worse.
    pub fn read_contraction(mut self, file: &mut SectionReader) -> Result<Self, SectionError> {
        self.contraction = Some(LowContraction::read_sections(file, &self.graph)?);
        Ok(self)
    }

    /// Assembles a terrain from its stored parts. It has no contraction and no hierarchy. Invalid parts are an
    /// error.
    pub fn from_parts(parts: TerrainParts) -> Result<Self, TerrainError> {
        let graph = LowGraph::new(&parts.web, &parts.price)?;
        let tree = MeshTree::from_parents(parts.parents, graph.len())?;
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
    /// Checks that every option is within its limits.
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
            // Fail before the expensive stages start.
            return Err(TerrainError::NoMetis);
        }
        match self.layers {
            Some(layers) if layers < 2 => Err(TerrainError::Layers(layers)),
            _ => Ok(()),
        }
    }
}
