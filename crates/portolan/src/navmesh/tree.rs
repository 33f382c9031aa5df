//! A tree of boxes for finding what is near: flat, storable, without pointers.

use glam::Vec3;

use crate::geometry::Aabb;

/// Items in a leaf. Two beat four and eight on every map tried: testing a polygon costs as much
/// as several boxes.
const LEAF: usize = 2;

/// The deepest tree that halving 2^30 items can give, with room to spare.
pub(super) const MAX_DEPTH: usize = 48;

/// Boxes in boxes. Items are numbered so that every leaf holds a run of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoxTree {
    nodes: Vec<TreeNode>,
}

/// A node of a [`BoxTree`], stored before its children. The left child follows it directly.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct TreeNode {
    /// Smallest coordinates of everything below.
    pub min: Vec3,
    /// Leaf: its first item. Inner node: its right child.
    pub first: u32,
    /// Largest coordinates of everything below.
    pub max: Vec3,
    /// Number of items of a leaf; 0 for an inner node.
    pub count: u32,
}

impl TreeNode {
    /// The box of everything below.
    #[inline]
    pub fn aabb(&self) -> Aabb {
        Aabb {
            min: self.min,
            max: self.max,
        }
    }
}

impl BoxTree {
    /// Builds the tree and gives the order of the items: item `i` of the tree is `order[i]` of
    /// `boxes`. Halves along the longest side of the middles, ties broken by number, so the same
    /// boxes give the same tree.
    pub(super) fn build(boxes: &[Aabb]) -> (Self, Vec<u32>) {
        let middles: Vec<Vec3> = boxes.iter().map(|aabb| aabb.centre()).collect();
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len());
        // Each entry: a run of items, and the inner node whose right child it is.
        let mut open = vec![(0, boxes.len(), None::<usize>)];
        while let Some((start, end, parent)) = open.pop() {
            if start == end {
                continue;
            }
            let index = nodes.len();
            if let Some(parent) = parent {
                let parent: &mut TreeNode = &mut nodes[parent];
                parent.first = index as u32;
            }
            let run = &mut order[start..end];
            let aabb = run
                .iter()
                .fold(Aabb::EMPTY, |aabb, &i| aabb.union(boxes[i as usize]));
            let is_leaf = run.len() <= LEAF;
            nodes.push(TreeNode {
                min: aabb.min,
                first: start as u32,
                max: aabb.max,
                count: if is_leaf { run.len() as u32 } else { 0 },
            });
            if is_leaf {
                continue;
            }
            let spread = Aabb::around(run.iter().map(|&i| middles[i as usize]));
            let axis = (spread.max - spread.min).max_position();
            let half = run.len() / 2;
            run.select_nth_unstable_by(half, |&i, &j| {
                let (a, b) = (middles[i as usize][axis], middles[j as usize][axis]);
                a.total_cmp(&b).then(i.cmp(&j))
            });
            open.push((start + half, end, Some(index)));
            open.push((start, start + half, None));
        }
        (Self { nodes }, order)
    }

    /// Takes nodes from a file. `None` unless they are a tree over exactly `items` items with
    /// finite boxes that is no deeper than a query's stack.
    pub(super) fn from_nodes(nodes: Vec<TreeNode>, items: usize) -> Option<Self> {
        let mut next_item = 0;
        let mut next_node = 0;
        let mut open = vec![(0usize, 0usize)];
        if nodes.is_empty() {
            return (items == 0).then_some(Self { nodes });
        }
        // Nodes are stored in the order of this walk, so each is seen once and in turn.
        while let Some((index, depth)) = open.pop() {
            let node = nodes.get(index)?;
            if index != next_node
                || depth > MAX_DEPTH
                || !node.min.is_finite()
                || !node.max.is_finite()
            {
                return None;
            }
            next_node += 1;
            if node.count == 0 {
                open.push((node.first as usize, depth + 1));
                open.push((index + 1, depth + 1));
            } else {
                if node.first as usize != next_item {
                    return None;
                }
                next_item += node.count as usize;
            }
        }
        (next_node == nodes.len() && next_item == items).then_some(Self { nodes })
    }

    /// The nodes, as stored.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The box around everything.
    pub(super) fn bounds(&self) -> Aabb {
        self.nodes.first().map_or(Aabb::EMPTY, TreeNode::aabb)
    }

    /// Calls `visit` for every item whose leaf meets `aabb`.
    pub(super) fn for_each_near(&self, aabb: Aabb, mut visit: impl FnMut(u32)) {
        let mut stack = [0u32; MAX_DEPTH + 2];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let index = stack[height];
            let node = &self.nodes[index as usize];
            if !node.aabb().meets(aabb) {
                continue;
            }
            if node.count == 0 {
                stack[height] = node.first;
                stack[height + 1] = index + 1;
                height += 2;
            } else {
                (node.first..node.first + node.count).for_each(&mut visit);
            }
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
    }
}

#[cfg(test)]
mod tests {
    use glam::vec3;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_look_at_every_box_finds(
            corners in prop::collection::vec((0f32..50., 0f32..5., 0f32..50.), 0..80),
            at in (0f32..50., 0f32..5., 0f32..50.),
        ) {
            let boxes: Vec<Aabb> = corners
                .iter()
                .map(|&(x, y, z)| Aabb { min: vec3(x, y, z), max: vec3(x + 2., y + 1., z + 3.) })
                .collect();
            let (tree, order) = BoxTree::build(&boxes);
            let near = Aabb { min: at.into(), max: Vec3::from(at) + 4.0 };
            let mut found = Vec::new();
            tree.for_each_near(near, |i| {
                let i = order[i as usize];
                if boxes[i as usize].meets(near) {
                    found.push(i);
                }
            });
            found.sort_unstable();
            let slow: Vec<u32> = (0..boxes.len() as u32).filter(|&i| boxes[i as usize].meets(near)).collect();
            prop_assert_eq!(found, slow);
            prop_assert!(BoxTree::from_nodes(tree.nodes().to_vec(), boxes.len()).is_some());
            prop_assert!(BoxTree::from_nodes(tree.nodes().to_vec(), boxes.len() + 1).is_none());
        }
    }
}
