//! A 4-ary heap of costs and vertices, each pair packed into one integer.

/// A min-heap of `(cost, vertex)` pairs. Pairs of equal cost are popped in the order of their vertices, so
/// the order of a search depends on nothing else. Entries are never changed in place: a search pushes a
/// cheaper entry in addition to the old one and skips the old one when it is popped.
///
/// A pop leaves a hole at the top, which the next push fills. In a search, the pushed vertex is a neighbour
/// of the popped vertex and hardly more expensive, so it sinks by only a level or two. Filling the hole
/// from the end of the heap would let an entry sink all the way down (134 instead of 120 µs per query on
/// the map vaduz, `cargo xtask maps`).
#[derive(Clone, Debug, Default)]
pub struct Heap {
    entries: Vec<u64>,
    /// Whether the first entry has already been popped.
    has_hole: bool,
}

/// Packs a cost and a vertex. The cost must not be negative: only then do floats order like their bits.
#[inline]
pub fn entry(cost: f32, vertex: u32) -> u64 {
    debug_assert!(cost >= 0.0);
    u64::from(cost.to_bits()) << 32 | u64::from(vertex)
}

/// Returns the cost and the vertex of an entry.
#[inline]
pub fn unpack(entry: u64) -> (f32, u32) {
    (f32::from_bits((entry >> 32) as u32), entry as u32)
}

impl Heap {
    /// Removes all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.has_hole = false;
    }

    /// Returns the number of entries that fit without an allocation.
    pub(crate) fn capacity(&self) -> usize {
        self.entries.capacity()
    }

    /// Makes room for `count` entries in all.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.entries
            .reserve(count.saturating_sub(self.entries.len()));
    }

    /// Returns all entries, in no particular order.
    pub fn entries(&self) -> &[u64] {
        &self.entries[usize::from(self.has_hole)..]
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: u64) {
        if self.has_hole {
            self.has_hole = false;
            self.sink(entry);
            return;
        }
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

    /// Removes and returns the smallest entry.
    #[inline]
    pub fn pop(&mut self) -> Option<u64> {
        if self.has_hole {
            self.has_hole = false;
            let last = self.entries.pop()?;
            if !self.entries.is_empty() {
                self.sink(last);
            }
        }
        let top = *self.entries.first()?;
        self.has_hole = true;
        Some(top)
    }

    /// Adds an entry, then removes and returns the smallest one. If that is the new entry, which is likely if it
    /// is a neighbour of the last popped vertex, the heap does not change.
    #[inline]
    pub fn push_pop(&mut self, entry: u64) -> u64 {
        let is_smallest = match self.has_hole {
            true => {
                let children = &self.entries[1..self.entries.len().min(5)];
                children.iter().all(|&child| entry <= child)
            }
            false => self.entries.first().is_none_or(|&top| entry <= top),
        };
        if is_smallest {
            return entry;
        }
        self.push(entry);
        self.pop().unwrap_or(entry)
    }

    /// Puts an entry into the hole at the top and lets it sink to its position.
    #[inline]
    fn sink(&mut self, entry: u64) {
        let mut hole = 0;
        // The minimum of four children is computed without branches. Branches could not be predicted here,
        // and one misprediction costs more than three comparisons.
        while let Some(&[a, b, c, d]) = self.entries.get(4 * hole + 1..4 * hole + 5) {
            let (left, right) = (a.min(b), c.min(d));
            let min = left.min(right);
            if min >= entry {
                self.entries[hole] = entry;
                return;
            }
            let half = usize::from(right < left);
            let odd = usize::from(if right < left { d < c } else { b < a });
            self.entries[hole] = min;
            hole = 4 * hole + 1 + 2 * half + odd;
        }
        let children = 4 * hole + 1..self.entries.len();
        if let Some(min) = children.min_by_key(|&child| self.entries[child])
            && self.entries[min] < entry
        {
            self.entries[hole] = self.entries[min];
            hole = min;
        }
        self.entries[hole] = entry;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        /// Pushes and pops in random order, and compares with a list that is searched linearly.
        #[test]
        fn pops_the_smallest_first(
            values in prop::collection::vec((0f32..1e3, 0u32..1000, 0usize..4, any::<bool>()), 0..300),
        ) {
            let (mut heap, mut list) = (Heap::default(), Vec::new());
            for (cost, vertex, pops, at_once) in values {
                list.push(entry(cost, vertex));
                if at_once {
                    let smallest = (0..list.len()).min_by_key(|&i| list[i]).expect("a new entry");
                    prop_assert_eq!(heap.push_pop(entry(cost, vertex)), list.swap_remove(smallest));
                    continue;
                }
                heap.push(entry(cost, vertex));
                for _ in 1..pops {
                    let smallest = (0..list.len()).min_by_key(|&i| list[i]);
                    prop_assert_eq!(heap.pop(), smallest.map(|i| list.swap_remove(i)));
                }
            }
            list.sort_unstable();
            let mut entries = heap.entries().to_vec();
            entries.sort_unstable();
            prop_assert_eq!(&entries, &list);
            let drained: Vec<u64> = std::iter::from_fn(|| heap.pop()).collect();
            prop_assert_eq!(drained, list);
        }
    }
}
