//! A ground with everything built over it.

use portolan_index::PartitionOptions;
use portolan_terrain::{
    LowContraction, LowGraph, LowHna, MergeOptions, MeshTree, Meshes, Price, Terrain, TerrainError,
    TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch, TriangleWeb,
};

use super::grounds::{Ground, wrong};
use super::{StructureCell, TerrainVariant};
use crate::ReportError;

/// All that variants need.
pub(super) struct Subject {
    pub(super) merged: MeshTree,
    pub(super) structures: Structures,
}

/// The full structure, 10 layers and 5 layers over the same ground. The first may have a contraction and
/// levels, too.
pub(super) struct Structures([Terrain; 3]);

impl Subject {
    pub(super) fn build(ground: &Ground) -> Result<Self, ReportError> {
        let wrong = |error| wrong(&ground.name, error);
        let web = ground.web()?;
        let graph = LowGraph::new(&web, &Price::default()).map_err(wrong)?;
        let options = TerrainOptions {
            contraction: true,
            hierarchy: Some(PartitionOptions::default()),
            ..TerrainOptions::default()
        };
        let merged = MeshTree::new(&graph, &options.merge);
        let structures = Structures::new(&web, &graph, &merged, &options).map_err(wrong)?;
        Ok(Self { merged, structures })
    }

    pub(super) fn web(&self) -> &TriangleWeb {
        self.full().web()
    }

    pub(super) fn graph(&self) -> &LowGraph {
        self.full().graph()
    }

    fn full(&self) -> &Terrain {
        self.structures.of(TerrainVariant::Full)
    }

    pub(super) fn hna_levels(&self) -> usize {
        let top = |hna: &LowHna| usize::from(hna.hierarchy().top().0);
        self.full().hna().map_or(0, top)
    }

    pub(super) fn contraction_arcs(&self) -> usize {
        let arcs = |low: &LowContraction| low.contraction().arc_count();
        self.full().contraction().map_or(0, arcs)
    }

    /// What a path costs, if it is one: from here to there, from neighbour to neighbour.
    pub(super) fn price(&self, [from, to]: [u32; 2], path: &TerrainPath) -> Option<f64> {
        let ends = [path.triangles.first(), path.triangles.last()];
        let leads_there = ends == [Some(&from), Some(&to)];
        leads_there
            .then(|| self.graph().cost(&path.triangles))
            .flatten()
    }

    pub(super) fn structure_cells(&self) -> Vec<StructureCell> {
        let structures = TerrainVariant::HIGH_MESHES.into_iter();
        structures
            .map(|variant| cell(variant, self.structures.of(variant).meshes()))
            .collect()
    }

    /// The middle of a triangle in the plane.
    pub(super) fn place(&self, triangle: u32) -> [f32; 2] {
        let middle = self.web().centroid(triangle);
        [middle.x, middle.y]
    }
}

impl Structures {
    /// `options` say what the full structure has besides its meshes.
    pub(super) fn new(
        web: &TriangleWeb,
        graph: &LowGraph,
        merged: &MeshTree,
        options: &TerrainOptions,
    ) -> Result<Self, TerrainError> {
        let build = |options: &TerrainOptions| {
            Terrain::from_merged(web.clone(), graph.clone(), merged, options)
        };
        let layers = |layers| TerrainOptions {
            price: options.price,
            merge: options.merge,
            layers: Some(layers),
            ..TerrainOptions::default()
        };
        Ok(Self([
            build(options)?,
            build(&layers(10))?,
            build(&layers(5))?,
        ]))
    }

    /// Merges by some options, and builds nothing but meshes.
    pub(super) fn merged_by(
        web: &TriangleWeb,
        graph: &LowGraph,
        merge: MergeOptions,
    ) -> Result<Self, TerrainError> {
        let options = TerrainOptions {
            merge,
            ..TerrainOptions::default()
        };
        Self::new(web, graph, &MeshTree::new(graph, &merge), &options)
    }

    /// What a variant searches.
    pub(super) fn of(&self, variant: TerrainVariant) -> &Terrain {
        let [full, ten, five] = &self.0;
        match variant {
            TerrainVariant::Layers10 => ten,
            TerrainVariant::Layers5 => five,
            _ => full,
        }
    }

    /// Searches for a path between two triangles, without its points. It is empty where there is none.
    #[inline]
    pub(super) fn find(
        &self,
        variant: TerrainVariant,
        [from, to]: [u32; 2],
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) {
        let query = TerrainQuery {
            engine: variant.engine(),
            ..TerrainQuery::new(from, to)
        };
        let terrain = self.of(variant);
        let ends = terrain.locate(&query).expect("triangles of this ground");
        let answer = terrain.search(&query, &ends, scratch, path);
        answer.expect("a structure with all that its variants need");
    }
}

fn cell(engine: TerrainVariant, meshes: &Meshes) -> StructureCell {
    let highs = meshes.low_count() as u32..meshes.len() as u32;
    let counts = highs.map(|mesh| meshes.children(mesh).len());
    let counts: Vec<usize> = counts.collect();
    StructureCell {
        engine,
        layers: meshes.layers(),
        meshes: meshes.len(),
        mean_children: portolan_measure::mean(counts.iter().map(|&count| count as f64)),
        max_children: counts.into_iter().max().unwrap_or(0),
    }
}
