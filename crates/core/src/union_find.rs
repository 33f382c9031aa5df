//! Disjoint sets of consecutive numbers.

/// Disjoint sets (union-find). A set is identified by its root, which is its smallest number.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// Creates `count` sets of one number each.
    pub fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
        }
    }

    /// Returns the root of the set that contains a number.
    pub fn root(&mut self, mut element: u32) -> u32 {
        while self.parents[element as usize] != element {
            let grandparent = self.parents[self.parents[element as usize] as usize];
            self.parents[element as usize] = grandparent;
            element = grandparent;
        }
        element
    }

    /// Joins the sets of two numbers. Returns `false` if they were already in the same set.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller root stays the root, so the result does not depend on the order of the calls.
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Adds a set of one new number, and returns that number.
    pub fn push(&mut self) -> u32 {
        let element = self.parents.len() as u32;
        self.parents.push(element);
        element
    }
}
