//! The terrain, which contains all stages and answers queries.

use portolan_core::Partition;
use portolan_index::{OrderOptions, PartitionOptions};

use super::edit::EditLog;
use super::entry_price::MeshDistance;
use super::{
    Compression, EntryPrice, LowContraction, LowGraph, LowHna, MergeOptions, MeshTree, Meshes,
    Price, TerrainError, TriangleWeb, order_terrain,
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
    pub(super) edits: EditLog,
}

/// Options for building a [`Terrain`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TerrainOptions {
    /// The parameters of the traversal price.
    pub price: Price,
    /// Options for merging meshes.
    pub merge: MergeOptions,
    /// The number of layers to compress to, Low Meshes and Top Mesh included. On the examples of the terrain
    /// thesis, 5 or 10 layers give faster queries, and mostly cheaper paths, than no compression (see
    /// `docs/terrain.md`). [Limits: 2 or more] [Default: no compression]
    pub layers: Option<usize>,
    /// How the tree is compressed to that number of layers. [Default: [`Compression::Balanced`]]
    pub compression: Compression,
    /// Whether to build the contraction for
    /// [`TerrainEngine::Contraction`](super::TerrainEngine::Contraction). [Default: false]
    pub contraction: bool,
    /// Options for the partition of triangles for [`TerrainEngine::Hna`](super::TerrainEngine::Hna). METIS computes
    /// the partition, so this needs the feature `metis`. [Default: no hierarchy]
    pub hierarchy: Option<PartitionOptions>,
}

/// The parts of a terrain that a file stores: its input, and the results that take long to compute. A contraction and
/// a hierarchy are not stored; [`Terrain::with_contraction`] and [`Terrain::with_hierarchy`] add them.
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
    /// The number of meshes before the first iteration of merging and after each iteration, or an empty list if the tree
    /// has no iterations, because it was compressed.
    pub mesh_counts: Vec<u32>,
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
        let tree = match options.layers {
            Some(layers) => merged.compressed(layers, options.compression),
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
            edits: EditLog::default(),
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

    /// Adds a contraction. `order` lists the triangle of each rank, the lowest rank first. [`order_terrain`]
    /// computes a good order.
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

    /// Returns the tree of meshes, with the iterations of merging unless it was compressed.
    pub fn tree(&self) -> &MeshTree {
        &self.tree
    }

    /// Returns this terrain with the meshes that merging had made after a number of iterations. If there are several
    /// Top Meshes then, a Global Mesh is above them. The result has no contraction and no hierarchy. Returns an error if the
    /// tree does not have that many iterations: a compressed tree has none.
    pub fn after_iteration(&self, iterations: usize) -> Result<Self, TerrainError> {
        let tree = self.tree.after(iterations)?;
        let meshes = Meshes::new(&self.graph, &tree, self.meshes.entry_price());
        Ok(Self {
            web: self.web.clone(),
            graph: self.graph.clone(),
            tree,
            meshes,
            contraction: None,
            hna: None,
            edits: EditLog::default(),
        })
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

    /// Assembles a terrain from its stored parts. It has no contraction and no hierarchy. Invalid parts are an
    /// error.
    pub fn from_parts(parts: TerrainParts) -> Result<Self, TerrainError> {
        let graph = LowGraph::new(&parts.web, &parts.price)?;
        let tree = MeshTree::from_parts(parts.parents, graph.len(), parts.mesh_counts)?;
        let prices = (parts.entries, parts.distances);
        let meshes = Meshes::with_prices(&graph, &tree, parts.entry, prices)?;
        Ok(Self {
            web: parts.web,
            graph,
            tree,
            meshes,
            contraction: None,
            hna: None,
            edits: EditLog::default(),
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
