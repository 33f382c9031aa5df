//! Disjoint sets of consecutive numbers.

/// Trees of numbers; a set is known by its root.
pub(crate) struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// `count` sets of one number each.
    pub(crate) fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
        }
    }

    pub(crate) fn root(&mut self, mut element: u32) -> u32 {
        while self.parents[element as usize] != element {
            let grandparent = self.parents[self.parents[element as usize] as usize];
            self.parents[element as usize] = grandparent;
            element = grandparent;
        }
        element
    }

    /// Makes one set of two, or says that they were one already.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller number stays the root, whatever the order of the calls.
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }
}
