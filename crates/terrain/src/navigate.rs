//! Paths over High Meshes of a terrain that does not change meanwhile.

use super::navigator::{ChildLabels, ChildSearch, NavigationStep, Navigator, SearchedMeshes};
use super::{Crowd, LowGraph, Meshes, TerrainScratch};

/// The buffers of a navigation.
#[derive(Clone, Debug, Default)]
pub(super) struct NavigationScratch {
    navigator: Navigator,
    pub(super) labels: ChildLabels,
}

/// A path that is found while it is being walked. It is an iterator over the triangles of the path, and expands
/// only the meshes that are necessary for the next triangle. [`Terrain::navigate`](super::Terrain::navigate)
/// creates it. It borrows the terrain; a [`Navigator`] does not.
#[derive(Debug)]
pub struct Navigation<'a> {
    searched: SearchedMeshes<'a>,
    scratch: &'a mut TerrainScratch,
}

impl Meshes {
    /// Starts a path from one triangle to another. Returns `None` if the two are on different islands. With a
    /// crowd, the price of entering a mesh rises with the number of agents in it.
    pub(super) fn navigate<'a>(
        &'a self,
        graph: &'a LowGraph,
        pair: [u32; 2],
        crowd: Option<&'a Crowd>,
        scratch: &'a mut TerrainScratch,
    ) -> Option<Navigation<'a>> {
        let searched = SearchedMeshes {
            graph,
            meshes: self,
            crowd,
        };
        let mut navigation = Navigation { searched, scratch };
        let (navigator, buffers) = navigation.parts();
        navigator.start(searched, pair, buffers)?;
        Some(navigation)
    }

    /// Finds a complete path from one triangle to another. Writes its triangles and returns its cost.
    pub(super) fn find(
        &self,
        graph: &LowGraph,
        ends: [u32; 2],
        crowd: Option<&Crowd>,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f64> {
        path.clear();
        let mut navigation = self.navigate(graph, ends, crowd, scratch)?;
        path.extend(&mut navigation);
        // A tree from a file can contain disconnected meshes, in which a path ends early.
        (path.last() == Some(&ends[1])).then(|| navigation.cost())
    }
}

impl Iterator for Navigation<'_> {
    type Item = u32;

    /// Expands meshes until the next triangle is known, and returns it.
    fn next(&mut self) -> Option<u32> {
        let searched = self.searched;
        loop {
            let (navigator, buffers) = self.parts();
            match navigator.advance(searched, buffers) {
                NavigationStep::Expanded(_) => {}
                NavigationStep::Triangle(triangle) => return Some(triangle),
                NavigationStep::End => return None,
            }
        }
    }
}

impl Navigation<'_> {
    /// Returns the cost of the path up to the last triangle that was returned.
    pub fn cost(&self) -> f64 {
        self.scratch.navigation.navigator.cost()
    }

    /// Returns the number of High Meshes that have been expanded.
    pub fn expansions(&self) -> usize {
        self.scratch.navigation.navigator.expansions()
    }

    fn parts(&mut self) -> (&mut Navigator, ChildSearch<'_>) {
        let TerrainScratch {
            heap, navigation, ..
        } = &mut *self.scratch;
        let NavigationScratch { navigator, labels } = navigation;
        (navigator, ChildSearch { heap, labels })
    }
}
