//! A ground with all structures built over it.

use portolan_index::PartitionOptions;
use portolan_terrain::{
    LowContraction, LowGraph, LowHna, MergeOptions, MeshTree, Meshes, Price, Terrain, TerrainError,
    TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch, TriangleWeb,
};

use super::grounds::{GroundSpec, terrain_error};
use super::{StructureCell, TerrainVariant};
use crate::ReportError;

/// A ground with the structures that all variants need.
pub(super) struct BuiltGround {
    pub(super) merged: MeshTree,
    pub(super) structures: Structures,
}

/// The full structure, and those compressed to 10 and 5 layers, over the same ground. The full structure may
/// also have a contraction hierarchy and HNA* levels.
pub(super) struct Structures([Terrain; 3]);

impl BuiltGround {
    pub(super) fn build(ground: &GroundSpec) -> Result<Self, ReportError> {
        let terrain_error = |error| terrain_error(&ground.name, error);
        let web = ground.web()?;
        let graph = LowGraph::new(&web, &Price::default()).map_err(terrain_error)?;
        let options = TerrainOptions {
            contraction: true,
            hierarchy: Some(PartitionOptions::default()),
            ..TerrainOptions::default()
        };
        let merged = MeshTree::new(&graph, &options.merge);
        let structures = Structures::new(&web, &graph, &merged, &options).map_err(terrain_error)?;
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

    /// Returns the cost of a path; `None` if it is not a sequence of neighbouring triangles from `from` to
    /// `to`.
    pub(super) fn price(&self, [from, to]: [u32; 2], path: &TerrainPath) -> Option<f64> {
        let endpoints = [path.triangles.first(), path.triangles.last()];
        let is_complete = endpoints == [Some(&from), Some(&to)];
        is_complete
            .then(|| self.graph().cost(&path.triangles))
            .flatten()
    }

    pub(super) fn structure_cells(&self) -> Vec<StructureCell> {
        let structures = TerrainVariant::HIGH_MESHES.into_iter();
        structures
            .map(|variant| cell(variant, self.structures.of(variant).meshes()))
            .collect()
    }

    /// Returns the centroid of a triangle in the (x, y) plane.
    pub(super) fn position(&self, triangle: u32) -> [f32; 2] {
        let centroid = self.web().centroid(triangle);
        [centroid.x, centroid.y]
    }
}

impl Structures {
    /// Builds the three structures. `options` apply to the full structure; the compressed ones have meshes
    /// only.
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
            contraction: false,
            ..TerrainOptions::default()
        };
        Ok(Self([
            build(options)?,
            build(&layers(10))?,
            build(&layers(5))?,
        ]))
    }

    /// Merges with the given options and builds the meshes of the three structures.
    pub(super) fn merged_by(
        web: &TriangleWeb,
        graph: &LowGraph,
        merge: MergeOptions,
    ) -> Result<Self, TerrainError> {
        let options = TerrainOptions {
            merge,
            contraction: false,
            ..TerrainOptions::default()
        };
        Self::new(web, graph, &MeshTree::new(graph, &merge), &options)
    }

    /// Returns the structure that a variant searches.
    pub(super) fn of(&self, variant: TerrainVariant) -> &Terrain {
        let [full, ten, five] = &self.0;
        match variant {
            TerrainVariant::Layers10 => ten,
            TerrainVariant::Layers5 => five,
            _ => full,
        }
    }

    /// Searches for a path between two triangles, without waypoints. `path` is empty if there is none.
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
        let endpoints = terrain.locate(&query).expect("triangles of this ground");
        let answer = terrain.search(&query, &endpoints, scratch, path);
        answer.expect("a structure with the data that its variants need");
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
