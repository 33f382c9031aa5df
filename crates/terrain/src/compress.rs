//! Compression of the mesh tree to fewer layers with more children per mesh (chapter 6 of the terrain thesis).
//!
//! Compressing a mesh means removing it and passing its children to its parent. [`Compression`] lists two methods. The
//! first one is in the module `usefulness`; this is the second one, which is optimal: for the given number of layers, the
//! maximum number of children of any mesh is as small as possible.
//!
//! A binary search finds that maximum. For a given maximum, a pass from the bottom up computes the minimum number
//! of layers. A High Mesh is *open* if it can still be compressed into its parent, and *closed* if it stays.
//! Among the children of a mesh, those with the most layers below them are compressed into it if the total number
//! of children does not exceed the maximum. Otherwise they are closed, which adds a layer. Children with fewer
//! layers below them are always closed, because that adds no layer.

mod usefulness;

use super::NO_MESH;
use super::merge::MeshTree;

/// How a tree is compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// The maximum number of children of a mesh is as small as possible.
    #[default]
    Balanced,
    /// Step by step, as in chapter 6 of the terrain thesis: of the meshes whose compression lowers the tree, those with
    /// the fewest children are compressed.
    Thesis,
}

impl Compression {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::Balanced, Self::Thesis];

    /// Returns the name of the method on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Balanced => "balanced",
            Self::Thesis => "thesis",
        }
    }
}

/// A High Mesh after all of its open children have been compressed into it.
#[derive(Clone, Copy, Debug, Default)]
struct OpenMesh {
    /// Number of layers below this mesh.
    layers: u32,
    /// Number of children, those that were passed on by compressed meshes included.
    children: u32,
}

impl MeshTree {
    /// Returns the number of layers from the Low Meshes to the highest Top Mesh, both included.
    pub fn layers(&self) -> usize {
        let mut layers = vec![1; self.parents.len()];
        // Children come before their parents.
        for (mesh, &parent) in self.parents.iter().enumerate() {
            if parent != NO_MESH {
                layers[parent as usize] = layers[parent as usize].max(layers[mesh] + 1);
            }
        }
        layers.into_iter().max().unwrap_or(0)
    }

    /// Returns this tree compressed to at most `layers` layers. Values below 2 count as 2, which is a Top Mesh
    /// directly above Low Meshes.
    ///
    /// Fewer layers mean fewer but larger searches per path. A tree that already has few enough layers is cloned.
    /// Otherwise the result does not contain the iterations of this tree.
    pub fn compressed(&self, layers: usize, compression: Compression) -> Self {
        let layers = layers.max(2);
        if self.layers() <= layers {
            return self.clone();
        }
        match compression {
            Compression::Balanced => self.balanced(layers),
            Compression::Thesis => {
                let is_compressed = usefulness::compressed(self, layers as u32);
                self.keep(|mesh| !is_compressed[mesh])
            }
        }
    }

    fn balanced(&self, layers: usize) -> Self {
        let [mut too_few, mut enough] = [1, self.low_count as u32];
        while enough - too_few > 1 {
            let max_children = too_few.midpoint(enough);
            let opens = self.compress_within(max_children);
            let highest = opens.iter().map(|open| open.layers + 1).max();
            if highest.unwrap_or(0) as usize <= layers {
                enough = max_children;
            } else {
                too_few = max_children;
            }
        }
        let opens = self.compress_within(enough);
        let first = self.low_count;
        // Low Meshes and Top Meshes stay, and so do High Meshes with fewer layers below them than their parent has.
        self.keep(|mesh| match (mesh.checked_sub(first), self.parents[mesh]) {
            (None, _) | (_, NO_MESH) => true,
            (Some(high), parent) => opens[high].layers < opens[parent as usize - first].layers,
        })
    }

    /// Compresses as many meshes as possible such that no High Mesh gets more than `max_children` children.
    /// Returns the outcome per High Mesh. A mesh that has more children without any compression keeps them.
    fn compress_within(&self, max_children: u32) -> Vec<OpenMesh> {
        let first = self.low_count;
        let highs = self.parents.len() - first;
        let mut opens = vec![
            OpenMesh {
                layers: 1,
                children: 0
            };
            highs
        ];
        // The number of children of each High Mesh if all of its children are closed.
        let mut closed = vec![0u32; highs];
        let mut done = 0;
        let finish = |open: &mut OpenMesh, closed: u32| {
            if open.children > max_children && closed < open.children {
                *open = OpenMesh {
                    layers: open.layers + 1,
                    children: closed,
                };
            }
        };
        for (mesh, &parent) in self.parents.iter().enumerate() {
            let own = mesh.checked_sub(first).map(|high| {
                // All of its children have already been visited.
                done = high + 1;
                finish(&mut opens[high], closed[high]);
                opens[high]
            });
            if parent == NO_MESH {
                continue;
            }
            let high = parent as usize - first;
            closed[high] += 1;
            let Some(own) = own else {
                opens[high].children += 1;
                continue;
            };
            let parent = &mut opens[high];
            match own.layers.cmp(&parent.layers) {
                std::cmp::Ordering::Less => parent.children += 1,
                std::cmp::Ordering::Equal => parent.children += own.children,
                std::cmp::Ordering::Greater => {
                    // All children visited so far have fewer layers below them and are closed.
                    *parent = OpenMesh {
                        layers: own.layers,
                        children: closed[high] - 1 + own.children,
                    };
                }
            }
        }
        debug_assert_eq!(done, highs);
        opens
    }

    /// Returns the tree without the compressed meshes. All Low and Top Meshes must stay.
    fn keep(&self, stays: impl Fn(usize) -> bool) -> Self {
        // Per mesh, the new id of its nearest ancestor that stays, itself included.
        let mut new_ids = vec![NO_MESH; self.parents.len()];
        let kept: Vec<usize> = (0..self.parents.len())
            .filter(|&mesh| stays(mesh))
            .collect();
        for (new_id, &mesh) in (0..).zip(&kept) {
            new_ids[mesh] = new_id;
        }
        // Parents come after their children, so the reverse order visits parents first.
        for mesh in (0..self.parents.len()).rev() {
            if new_ids[mesh] == NO_MESH {
                new_ids[mesh] = new_ids[self.parents[mesh] as usize];
            }
        }
        let parents = kept.into_iter().map(|mesh| match self.parents[mesh] {
            NO_MESH => NO_MESH,
            parent => new_ids[parent as usize],
        });
        Self::from_valid_parents(parents.collect(), self.low_count)
    }
}
