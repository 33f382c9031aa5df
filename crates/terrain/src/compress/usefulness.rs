//! Compression by usefulness, as chapter 6.2 of the terrain thesis describes it.
//!
//! The *usefulness* of a mesh is the number of its children. In every step, those High Meshes are evaluated whose
//! compression can lower the tree: starting from each Top Mesh with too many layers, and going only to the children with
//! the most layers. Meshes with more than one layer too many are passed over, because their children have to be compressed
//! first. All evaluated meshes with the lowest usefulness are compressed, except those to which another one has passed its
//! children in the same step, because that changes their usefulness.

use super::super::NO_MESH;
use super::super::merge::MeshTree;

/// A tree of which meshes are taken out.
struct ShrinkingTree {
    /// Per mesh, its parent. A compressed mesh keeps the one that it had.
    parents: Vec<u32>,
    /// Per mesh, its High Meshes among its children.
    high_children: Vec<Vec<u32>>,
    /// Per mesh, the number of its children.
    child_counts: Vec<u32>,
    /// Per mesh, the number of layers from the Low Meshes to it.
    layers: Vec<u32>,
    is_compressed: Vec<bool>,
}

impl ShrinkingTree {
    fn new(tree: &MeshTree) -> Self {
        let count = tree.parents.len();
        let mut all = Self {
            parents: tree.parents.clone(),
            high_children: vec![Vec::new(); count],
            child_counts: vec![0; count],
            layers: vec![1; count],
            is_compressed: vec![false; count],
        };
        for (mesh, &parent) in (0..).zip(&tree.parents) {
            if parent == NO_MESH {
                continue;
            }
            all.child_counts[parent as usize] += 1;
            if mesh as usize >= tree.low_count {
                all.high_children[parent as usize].push(mesh);
            }
        }
        for mesh in tree.low_count..count {
            all.layers[mesh] = all.layers_above(mesh as u32);
        }
        all
    }

    /// Returns the number of layers of a High Mesh, from those of its children.
    fn layers_above(&self, mesh: u32) -> u32 {
        let below = self.high_children[mesh as usize].iter();
        let highest = below.map(|&child| self.layers[child as usize]).max();
        highest.unwrap_or(1) + 1
    }

    /// Collects the meshes to evaluate, each after its parent.
    fn candidates(&self, tops: &[u32], layers: u32, candidates: &mut Vec<u32>) {
        candidates.clear();
        let mut open: Vec<u32> = tops.to_vec();
        open.retain(|&top| self.layers[top as usize] > layers);
        while let Some(mesh) = open.pop() {
            let own = self.layers[mesh as usize];
            if self.parents[mesh as usize] != NO_MESH && own <= layers + 1 {
                candidates.push(mesh);
            }
            let children = self.high_children[mesh as usize].iter();
            open.extend(children.filter(|&&child| self.layers[child as usize] + 1 == own));
        }
    }

    /// Passes the children of a mesh to its parent.
    fn compress(&mut self, mesh: u32) {
        let parent = self.parents[mesh as usize];
        self.is_compressed[mesh as usize] = true;
        let children = std::mem::take(&mut self.high_children[mesh as usize]);
        for &child in &children {
            self.parents[child as usize] = parent;
        }
        let siblings = &mut self.high_children[parent as usize];
        siblings.retain(|&child| child != mesh);
        siblings.extend(children);
        self.child_counts[parent as usize] += self.child_counts[mesh as usize] - 1;
        // Above the first mesh that keeps its number of layers, nothing changes.
        let mut at = parent;
        while at != NO_MESH {
            let layers = self.layers_above(at);
            if std::mem::replace(&mut self.layers[at as usize], layers) == layers {
                break;
            }
            at = self.parents[at as usize];
        }
    }
}

/// Returns which meshes of a tree are compressed so that at most `layers` layers are left.
pub(super) fn compressed(tree: &MeshTree, layers: u32) -> Vec<bool> {
    let mut all = ShrinkingTree::new(tree);
    let tops = (tree.low_count as u32..).zip(&tree.parents[tree.low_count..]);
    let tops: Vec<u32> = tops
        .filter(|(_, parent)| **parent == NO_MESH)
        .map(|(mesh, _)| mesh)
        .collect();
    let mut candidates = Vec::new();
    // Per mesh, the step in which it last got children.
    let mut grown = vec![0u32; tree.parents.len()];
    for step in 1.. {
        all.candidates(&tops, layers, &mut candidates);
        let usefulness = |&mesh: &u32| all.child_counts[mesh as usize];
        let Some(lowest) = candidates.iter().map(usefulness).min() else {
            break;
        };
        candidates.retain(|&mesh| all.child_counts[mesh as usize] == lowest);
        // Children have lower ids than their parents, so meshes near the ground come first.
        candidates.sort_unstable();
        for &mesh in &candidates {
            if grown[mesh as usize] != step {
                grown[all.parents[mesh as usize] as usize] = step;
                all.compress(mesh);
            }
        }
    }
    all.is_compressed
}
