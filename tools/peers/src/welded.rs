//! A navmesh whose polygons share a vertex at both ends of every portal, and its outline.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use portolan_core::NavMesh;

use crate::polyanya;

/// The vertices and polygons of a navmesh.
#[derive(Clone, Debug)]
pub(crate) struct WeldedMesh {
    pub(crate) vertices: Vec<Vec3>,
    /// Counter-clockwise in (x, z), in the order of [`polyanya::order`].
    pub(crate) polygons: Vec<Vec<u32>>,
}

impl WeldedMesh {
    pub(crate) fn new(mesh: &NavMesh) -> Result<Self, String> {
        let (vertices, polygons) = polyanya::welded(mesh)?;
        Ok(Self { vertices, polygons })
    }

    /// Returns the edges that belong to one polygon only, with the polygon to their left.
    pub(crate) fn outline_edges(&self) -> Vec<[u32; 2]> {
        let edges = || self.polygons.iter().flat_map(|polygon| edges_of(polygon));
        let all: HashSet<[u32; 2]> = edges().collect();
        edges().filter(|&[a, b]| !all.contains(&[b, a])).collect()
    }

    /// Returns the outline as closed loops, each with the ground to its left: outer loops run counter-clockwise in (x, z), and
    /// holes clockwise. Where loops touch at a vertex, it is left open which of them goes on in which.
    pub(crate) fn outlines(&self) -> Vec<Vec<u32>> {
        let mut next: HashMap<u32, Vec<u32>> = HashMap::new();
        let edges = self.outline_edges();
        for &[a, b] in &edges {
            next.entry(a).or_default().push(b);
        }
        let mut loops = Vec::new();
        for [start, _] in edges {
            let mut outline = Vec::new();
            let mut vertex = start;
            // Every vertex has as many edges that end in it as edges that start there, so this ends where it started.
            while let Some(following) = next.get_mut(&vertex).and_then(Vec::pop) {
                outline.push(vertex);
                vertex = following;
            }
            if !outline.is_empty() {
                loops.push(outline);
            }
        }
        loops
    }
}

fn edges_of(polygon: &[u32]) -> impl Iterator<Item = [u32; 2]> {
    let following = polygon.iter().cycle().skip(1);
    polygon.iter().zip(following).map(|(&a, &b)| [a, b])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::rooms;

    #[test]
    fn three_rooms_have_one_outline_and_an_island_another() {
        let mesh = WeldedMesh::new(&rooms()).unwrap();
        let outlines = mesh.outlines();
        let mut sizes: Vec<usize> = outlines.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [4, 20]);
        let edges: HashSet<[u32; 2]> = mesh.outline_edges().into_iter().collect();
        for outline in &outlines {
            assert!(edges_of(outline).all(|edge| edges.contains(&edge)));
        }
    }
}
