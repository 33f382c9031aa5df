//! Compression: fewer layers, with more children each (chapter 6 of the thesis).
//!
//! A mesh that is compressed hands its children to its parent, and a search in that parent has more to look
//! at. The thesis calls a mesh the more useful the more children it has, and compresses the least useful
//! of the chains that are too long, step by step. What that aims at is a balance: here the meshes that stay are
//! chosen so that the one with the most children has as few as so many layers allow.
//!
//! For a given most, that is decided from the bottom up. A mesh stays *open* as long as it and its own open
//! children have no more than that many children together; then those are compressed into it. Where there would
//! be more they are *closed*, which takes a layer. Children with fewer layers than the highest are closed at
//! no cost. The least most that gives few enough layers is found by halving.

use super::NONE;
use super::merge::Merged;

/// A mesh with everything open compressed into it.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    /// Layers below.
    layers: u32,
    children: u32,
}

impl Merged {
    /// Layers from the Low Meshes to the Top Mesh, both counted.
    pub fn layers(&self) -> usize {
        let mut layers = vec![1; self.parents.len()];
        // Children come before their parents.
        for (mesh, &parent) in self.parents.iter().enumerate() {
            if parent != NONE {
                layers[parent as usize] = layers[parent as usize].max(layers[mesh] + 1);
            }
        }
        layers.into_iter().max().unwrap_or(0)
    }

    /// The same tree with so many layers at most. Two are the least: a Top Mesh over Low Meshes.
    ///
    /// Iterations are of the tree before: the result has none.
    pub fn compressed(&self, layers: usize) -> Self {
        let layers = layers.max(2);
        if self.layers() <= layers {
            return self.clone();
        }
        let [mut too_few, mut enough] = [1, self.low_count as u32];
        while enough - too_few > 1 {
            let most = too_few.midpoint(enough);
            let opens = self.open(most);
            let highest = opens.iter().map(|open| open.layers + 1).max();
            if highest.unwrap_or(0) as usize <= layers {
                enough = most;
            } else {
                too_few = most;
            }
        }
        self.closed(&self.open(enough))
    }

    /// Every High Mesh with what is compressed into it, where none has more children than that (but those
    /// that were merged with more).
    fn open(&self, most: u32) -> Vec<Open> {
        let first = self.low_count;
        let highs = self.parents.len() - first;
        let mut opens = vec![
            Open {
                layers: 1,
                children: 0
            };
            highs
        ];
        // What each has if all of its children are closed.
        let mut closed = vec![0u32; highs];
        let mut done = 0;
        let finish = |open: &mut Open, closed: u32| {
            if open.children > most && closed < open.children {
                *open = Open {
                    layers: open.layers + 1,
                    children: closed,
                };
            }
        };
        for (mesh, &parent) in self.parents.iter().enumerate() {
            let own = mesh.checked_sub(first).map(|high| {
                // All of its children came before.
                done = high + 1;
                finish(&mut opens[high], closed[high]);
                opens[high]
            });
            if parent == NONE {
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
                    // Whatever came before has fewer layers, and is closed.
                    *parent = Open {
                        layers: own.layers,
                        children: closed[high] - 1 + own.children,
                    };
                }
            }
        }
        debug_assert_eq!(done, highs);
        opens
    }

    /// The tree of the meshes that are closed: tops, and those with fewer layers below than their parent.
    fn closed(&self, opens: &[Open]) -> Self {
        let first = self.low_count;
        let stays = |mesh: usize| match (mesh.checked_sub(first), self.parents[mesh]) {
            (None, _) | (_, NONE) => true,
            (Some(high), parent) => opens[high].layers < opens[parent as usize - first].layers,
        };
        // Per mesh the nearest that stays, itself included; by its new number once that is known.
        let mut numbers = vec![NONE; self.parents.len()];
        let kept: Vec<usize> = (0..self.parents.len())
            .filter(|&mesh| stays(mesh))
            .collect();
        for (number, &mesh) in (0..).zip(&kept) {
            numbers[mesh] = number;
        }
        // From the tops down, whatever does not stay is its parent.
        for mesh in (0..self.parents.len()).rev() {
            if numbers[mesh] == NONE {
                numbers[mesh] = numbers[self.parents[mesh] as usize];
            }
        }
        let parents = kept.into_iter().map(|mesh| match self.parents[mesh] {
            NONE => NONE,
            parent => numbers[parent as usize],
        });
        Self::of_tree(parents.collect(), self.low_count)
    }
}
