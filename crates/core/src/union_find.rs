//! Disjoint sets of consecutive numbers.

/// Trees of numbers; a set is known by its root, which is its lowest number.
#[derive(Clone, Debug, Default)]
pub struct UnionFind {
    parents: Vec<u32>,
}

impl UnionFind {
    /// `count` sets of one number each.
    pub fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
        }
    }

    /// The set of a number.
    pub fn root(&mut self, mut element: u32) -> u32 {
        while self.parents[element as usize] != element {
            let grandparent = self.parents[self.parents[element as usize] as usize];
            self.parents[element as usize] = grandparent;
            element = grandparent;
        }
        element
    }

    /// Makes one set of two, or says that they were one already.
    pub fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        // The smaller number stays the root, whatever the order of the calls.
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }

    /// Adds a set of one number, and gives that number.
    pub fn push(&mut self) -> u32 {
        let element = self.parents.len() as u32;
        self.parents.push(element);
        element
    }
}
