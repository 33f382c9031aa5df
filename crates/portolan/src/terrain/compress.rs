//! Compression: fewer layers, with more children each (chapter 6 of the thesis).
//!
//! A mesh that is compressed hands its children to its parent. The useful ones are those with many children, so
//! the least useful go first. In one step every chain that is too long loses one mesh; which one is
//! chosen so that the parent which ends up with the most children has as few as can be: that is what a
//! search in it has to look at.

use super::NONE;
use super::merge::Merged;

impl Merged {
    /// Layers from the Low Meshes to the Top Mesh, both counted.
    pub fn layers(&self) -> usize {
        let heights = heights(&self.parents);
        heights.into_iter().max().unwrap_or(0) as usize
    }

    /// The same tree with so many layers at most. Two are the least: a Top Mesh over Low Meshes.
    ///
    /// Iterations are of the tree before: the result has none.
    pub fn compressed(&self, layers: usize) -> Self {
        let layers = layers.max(2) as u32;
        let mut parents = self.parents.clone();
        let mut is_gone = vec![false; parents.len()];
        while let Some(cut) = cut(&parents, &is_gone, self.low_count, layers) {
            for &mesh in &cut {
                is_gone[mesh as usize] = true;
            }
            for mesh in 0..parents.len() {
                let parent = parents[mesh];
                if parent != NONE && is_gone[parent as usize] && !is_gone[mesh] {
                    parents[mesh] = parents[parent as usize];
                }
            }
        }
        Self::without(parents, &is_gone, self.low_count)
    }

    /// Numbers what is left anew.
    fn without(parents: Vec<u32>, is_gone: &[bool], low_count: usize) -> Self {
        let mut next = 0;
        let numbers: Vec<u32> = is_gone
            .iter()
            .map(|&is_gone| {
                next += u32::from(!is_gone);
                if is_gone { NONE } else { next - 1 }
            })
            .collect();
        let kept = parents
            .iter()
            .zip(is_gone)
            .filter(|(_, is_gone)| !**is_gone);
        let parents: Vec<u32> = kept
            .map(|(&parent, _)| match parent {
                NONE => NONE,
                parent => numbers[parent as usize],
            })
            .collect();
        Self::of_tree(parents, low_count)
    }
}

/// Layers under each mesh, itself counted.
fn heights(parents: &[u32]) -> Vec<u32> {
    let mut heights = vec![1; parents.len()];
    // Children come before their parents.
    for (mesh, &parent) in parents.iter().enumerate() {
        if parent != NONE {
            let height = heights[mesh] + 1;
            let known = &mut heights[parent as usize];
            *known = height.max(*known);
        }
    }
    heights
}

/// One mesh of every chain that is too long; `None` where none is.
fn cut(parents: &[u32], is_gone: &[bool], low_count: usize, layers: u32) -> Option<Vec<u32>> {
    let count = parents.len();
    let stays = |mesh: &usize| !is_gone[*mesh];
    let mut heights = vec![1u32; count];
    let mut children = vec![0u32; count];
    for mesh in (0..count).filter(stays) {
        if let Some(parent) = parent_of(parents, mesh) {
            heights[parent] = heights[parent].max(heights[mesh] + 1);
            children[parent] += 1;
        }
    }
    // Layers of the longest chain through each mesh.
    let mut chains = vec![0u32; count];
    let mut depths = vec![1u32; count];
    for mesh in (0..count).rev().filter(stays) {
        if let Some(parent) = parent_of(parents, mesh) {
            depths[mesh] = depths[parent] + 1;
        }
        chains[mesh] = depths[mesh] + heights[mesh] - 1;
    }
    // Per mesh: the most children that a parent ends up with if its chains are cut in it or below.
    let mut below = vec![0u32; count];
    let mut worst = vec![0u32; count];
    for mesh in (0..count).filter(stays) {
        if chains[mesh] <= layers {
            continue;
        }
        worst[mesh] = match parent_of(parents, mesh) {
            _ if mesh < low_count => u32::MAX,
            None => below[mesh],
            Some(parent) => below[mesh].min(children[mesh] + children[parent]),
        };
        if let Some(parent) = parent_of(parents, mesh) {
            below[parent] = below[parent].max(worst[mesh]);
        }
    }
    // From the top down, as low as it is no worse.
    let mut cut = Vec::new();
    let mut is_cut_above = vec![false; count];
    for mesh in (low_count..count).rev().filter(stays) {
        let Some(parent) = parent_of(parents, mesh) else {
            continue;
        };
        if is_cut_above[parent] {
            is_cut_above[mesh] = true;
        } else if chains[mesh] > layers && worst[mesh] < below[mesh] {
            is_cut_above[mesh] = true;
            cut.push(mesh as u32);
        }
    }
    (!cut.is_empty()).then_some(cut)
}

fn parent_of(parents: &[u32], mesh: usize) -> Option<usize> {
    Some(parents[mesh] as usize).filter(|_| parents[mesh] != NONE)
}
