//! A ground with everything built over it.

use portolan_index::{OrderOptions, PartitionOptions};
use portolan_terrain::order_terrain;
use portolan_terrain::partition_terrain;
use portolan_terrain::{
    EntryPrice, LowContraction, LowGraph, LowHna, LowScratch, MergeOptions, Merged, Meshes,
    NavigationScratch, Price, TriangleWeb,
};

use super::grounds::{Ground, wrong};
use super::{StructureCell, TerrainEngine};
use crate::ReportError;

/// All that engines need.
pub(super) struct Subject {
    pub(super) web: TriangleWeb,
    pub(super) graph: LowGraph,
    pub(super) merged: Merged,
    /// As [`TerrainEngine::HIGH_MESHES`].
    structures: [Meshes; 3],
    pub(super) hna: LowHna,
    pub(super) contraction: LowContraction,
}

/// Memory of all engines.
#[derive(Default)]
pub(super) struct Scratch {
    low: LowScratch,
    navigation: NavigationScratch,
}

impl Subject {
    pub(super) fn build(ground: &Ground) -> Result<Self, ReportError> {
        let web = ground.web()?;
        let graph = LowGraph::new(&web, &Price::default());
        let graph = graph.map_err(|error| wrong(&ground.name, error))?;
        let entry = EntryPrice::default();
        let merged = Merged::new(&graph, &MergeOptions::default());
        let structures = structures(&graph, &merged, entry);
        let hna = levels(&graph, &ground.name)?;
        let order = order_terrain(&graph, &OrderOptions::default());
        let order = order.map_err(|error| ReportError::Order {
            scene: ground.name.clone(),
            error,
        })?;
        let contraction = LowContraction::new(&graph, order);
        Ok(Self {
            web,
            graph,
            merged,
            structures,
            hna,
            contraction,
        })
    }

    /// The way that an engine finds; empty where it finds none.
    #[inline]
    pub(super) fn find(
        &self,
        engine: TerrainEngine,
        [from, to]: [u32; 2],
        scratch: &mut Scratch,
        path: &mut Vec<u32>,
    ) {
        let Scratch { low, navigation } = scratch;
        let mut mesh = |structure: &Meshes| {
            structure.find(&self.graph, [from, to], None, navigation, path);
        };
        match engine {
            TerrainEngine::Full => mesh(&self.structures[0]),
            TerrainEngine::Layers10 => mesh(&self.structures[1]),
            TerrainEngine::Layers5 => mesh(&self.structures[2]),
            TerrainEngine::Astar => {
                self.graph.astar(from, to, low, path);
            }
            TerrainEngine::Hna => {
                self.hna.find(&self.graph, [from, to], None, low, path);
            }
            TerrainEngine::Contraction => {
                self.contraction.find(from, to, low, path);
            }
        }
    }

    /// What a path of an engine costs, if it is one: from here to there, from neighbour to neighbour.
    pub(super) fn price(&self, [from, to]: [u32; 2], path: &[u32]) -> Option<f64> {
        let ends = [path.first(), path.last()];
        let leads_there = ends == [Some(&from), Some(&to)];
        leads_there.then(|| self.graph.cost(path)).flatten()
    }

    pub(super) fn structure_cells(&self) -> Vec<StructureCell> {
        let structures = TerrainEngine::HIGH_MESHES.into_iter().zip(&self.structures);
        structures
            .map(|(engine, meshes)| cell(engine, meshes))
            .collect()
    }

    /// The middle of a triangle in the plane.
    pub(super) fn place(&self, triangle: u32) -> [f32; 2] {
        let middle = self.web.centroid(triangle);
        [middle.x, middle.y]
    }
}

fn levels(graph: &LowGraph, ground: &str) -> Result<LowHna, ReportError> {
    let options = PartitionOptions::default();
    let (scene, mu) = (ground.to_owned(), options.merge_factor);
    let partition = match partition_terrain(graph, &options) {
        Ok(partition) => partition,
        Err(error) => return Err(ReportError::Index { scene, mu, error }),
    };
    LowHna::new(graph, partition).map_err(|error| ReportError::Hierarchy { scene, mu, error })
}

/// The full structure, 10 layers, 5 layers.
pub(super) fn structures(graph: &LowGraph, merged: &Merged, entry: EntryPrice) -> [Meshes; 3] {
    [None, Some(10), Some(5)].map(|layers| match layers {
        None => Meshes::new(graph, merged, entry),
        Some(layers) => Meshes::new(graph, &merged.compressed(layers), entry),
    })
}

fn cell(engine: TerrainEngine, meshes: &Meshes) -> StructureCell {
    let highs = meshes.low_count() as u32..meshes.len() as u32;
    let counts = highs.map(|mesh| meshes.children(mesh).len());
    let counts: Vec<usize> = counts.collect();
    StructureCell {
        engine,
        layers: meshes.layers(),
        meshes: meshes.len(),
        mean_children: crate::statistics::mean(counts.iter().map(|&count| count as f64)),
        most_children: counts.into_iter().max().unwrap_or(0),
    }
}
