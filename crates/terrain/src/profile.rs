//! Other prices over the same terrain, for other agents.

use super::{
    LowContraction, LowGraph, Price, Terrain, TerrainEngine, TerrainEngineError, TerrainError,
};

/// What one kind of agent pays on a terrain, in addition to the price that the terrain was built with. It shares the
/// triangles and the order of the contraction with the terrain. High Meshes and HNA* know only the price of the terrain.
///
/// After [`Terrain::change`], profiles have to be created again.
///
/// ```
/// use portolan_terrain::{
///     Distances, HeightMap, Price, Terrain, TerrainOptions, TerrainPath, TerrainQuery,
///     TerrainScratch, WebOptions,
/// };
///
/// // A ridge from south to north with a gap at one end.
/// let heights = (0..9 * 9).map(|pixel| if pixel % 9 == 4 && pixel > 8 { 1.0 } else { 0.0 });
/// let web = HeightMap::new(9, 9, heights.collect())?.triangulate(&WebOptions::default(), None)?;
/// let terrain = Terrain::build(web, &TerrainOptions::default())?;
/// let hiker = terrain.profile(&Price::walking(Distances::Tobler), true)?;
/// let robot = Price { max_up: 0.5, max_down: 0.5, ..Price::walking(Distances::Naismith) };
/// let robot = terrain.profile(&robot, true)?;
///
/// let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
/// for profile in [&hiker, &robot] {
///     let query = TerrainQuery {
///         profile: Some(profile),
///         ..TerrainQuery::new([-0.9, -0.5], [0.9, -0.5])
///     };
///     terrain.find_path(&query, &mut scratch, &mut path)?;
///     println!("{:.1} s, {:.2} m up", path.time, path.ascent());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TerrainProfile {
    pub(super) graph: LowGraph,
    pub(super) contraction: Option<LowContraction>,
}

impl Terrain {
    /// Computes a profile. A contraction is needed for [`TerrainEngine::Contraction`]: its costs are customized, or it is
    /// built if the terrain has none.
    pub fn profile(
        &self,
        price: &Price,
        with_contraction: bool,
    ) -> Result<TerrainProfile, TerrainError> {
        let graph = LowGraph::new(&self.web, price)?;
        let contraction = with_contraction.then(|| match &self.contraction {
            Some(contraction) => {
                let mut contraction = contraction.clone();
                contraction.reprice(&graph);
                contraction
            }
            None => LowContraction::by_position(&graph),
        });
        Ok(TerrainProfile { graph, contraction })
    }

    /// Returns the graph and the contraction that queries with a profile search.
    pub(super) fn priced<'a>(
        &'a self,
        profile: Option<&'a TerrainProfile>,
    ) -> (&'a LowGraph, Option<&'a LowContraction>) {
        match profile {
            Some(profile) => (&profile.graph, profile.contraction.as_ref()),
            None => (&self.graph, self.contraction.as_ref()),
        }
    }

    /// Checks that an engine can search with a profile.
    pub(super) fn check_profile(
        &self,
        engine: TerrainEngine,
        profile: &TerrainProfile,
    ) -> Result<(), TerrainEngineError> {
        let (found, expected) = (profile.graph.len(), self.web.len());
        if found != expected {
            return Err(TerrainEngineError::OtherProfile { found, expected });
        }
        match engine {
            TerrainEngine::AStar | TerrainEngine::Dijkstra => Ok(()),
            TerrainEngine::Contraction if profile.contraction.is_some() => Ok(()),
            TerrainEngine::Contraction => Err(TerrainEngineError::NoContraction(engine)),
            TerrainEngine::Mesh | TerrainEngine::Hna { .. } => {
                Err(TerrainEngineError::NoProfiles(engine))
            }
        }
    }
}

impl TerrainProfile {
    /// Returns the graph with the prices of this profile.
    pub fn graph(&self) -> &LowGraph {
        &self.graph
    }

    /// Returns the heap memory in bytes, including what is shared with the terrain.
    pub fn bytes(&self) -> usize {
        self.graph.bytes() + self.contraction.as_ref().map_or(0, LowContraction::bytes)
    }
}
