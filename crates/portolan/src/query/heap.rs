//! A heap of four children a node, over costs and vertices packed into one integer.

/// The smallest of `(cost, vertex)` first; equal costs come out by vertex, so that the order of a
/// search depends on nothing else. Entries are never changed in place: a cheaper one is pushed
/// beside the old one, which is stale when it comes out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heap {
    entries: Vec<u64>,
}

/// Packs a cost and a vertex. Floats that are not negative order like their bits.
#[inline]
pub(crate) fn entry(cost: f32, vertex: u32) -> u64 {
    debug_assert!(cost >= 0.0);
    u64::from(cost.to_bits()) << 32 | u64::from(vertex)
}

/// The cost and the vertex of an entry.
#[inline]
pub(crate) fn unpack(entry: u64) -> (f32, u32) {
    (f32::from_bits((entry >> 32) as u32), entry as u32)
}

impl Heap {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    #[inline]
    pub(crate) fn push(&mut self, entry: u64) {
        let mut hole = self.entries.len();
        self.entries.push(entry);
        while hole > 0 {
            let parent = (hole - 1) / 4;
            if self.entries[parent] <= entry {
                break;
            }
            self.entries[hole] = self.entries[parent];
            hole = parent;
        }
        self.entries[hole] = entry;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u64> {
        let top = *self.entries.first()?;
        let last = self.entries.pop()?;
        let count = self.entries.len();
        if count == 0 {
            return Some(top);
        }
        let mut hole = 0;
        // While there are four children, their minimum is taken without a branch: which one it is
        // cannot be predicted, and a wrong guess costs more than three comparisons.
        while let Some(&[a, b, c, d]) = self.entries.get(4 * hole + 1..4 * hole + 5) {
            let (left, right) = (a.min(b), c.min(d));
            let least = left.min(right);
            if least >= last {
                self.entries[hole] = last;
                return Some(top);
            }
            let half = usize::from(right < left);
            let odd = usize::from(if right < left { d < c } else { b < a });
            self.entries[hole] = least;
            hole = 4 * hole + 1 + 2 * half + odd;
        }
        let first = 4 * hole + 1;
        if let Some(least) = (first..count).min_by_key(|&child| self.entries[child])
            && self.entries[least] < last
        {
            self.entries[hole] = self.entries[least];
            hole = least;
        }
        self.entries[hole] = last;
        Some(top)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn gives_back_in_order(values in prop::collection::vec((0f32..1e6, 0u32..1000), 0..200)) {
            let mut heap = Heap::default();
            let mut sorted: Vec<u64> = values.iter().map(|&(cost, vertex)| entry(cost, vertex)).collect();
            sorted.iter().for_each(|&e| heap.push(e));
            sorted.sort_unstable();
            let drained: Vec<u64> = std::iter::from_fn(|| heap.pop()).collect();
            prop_assert_eq!(drained, sorted);
        }
    }
}
