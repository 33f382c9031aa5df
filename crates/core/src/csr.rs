//! Lists of lists in two flat arrays.

/// Element `i` of a `Csr` is the slice `values[offsets[i]..offsets[i + 1]]`.
///
/// Invariants: `offsets` is never empty, starts at 0, never decreases and ends at
/// `values.len()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr<T> {
    offsets: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Csr<T> {
    fn default() -> Self {
        Self {
            offsets: vec![0],
            values: Vec::new(),
        }
    }
}

impl<T> Csr<T> {
    /// No lists at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts two arrays together, or gives `None` where they break the invariants.
    pub fn from_parts(offsets: Vec<u32>, values: Vec<T>) -> Option<Self> {
        let starts_at_zero = offsets.first() == Some(&0);
        let ends_at_length = offsets.last().map(|&end| end as usize) == Some(values.len());
        let ascends = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        (starts_at_zero && ends_at_length && ascends).then_some(Self { offsets, values })
    }

    /// Adds one list at the end.
    ///
    /// # Panics
    /// When all lists together pass `u32::MAX` values.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.values.extend(list);
        self.offsets
            .push(u32::try_from(self.values.len()).expect("more than u32::MAX values in one Csr"));
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list `index`. Panics when there is none, like a slice.
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        &self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// All lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Where each list begins, and one more: the end of the last.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// The values of all lists, one after the other.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The same, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        self.offsets.len() * size_of::<u32>() + self.values.len() * size_of::<T>()
    }
}

impl<T: Copy> Csr<T> {
    /// Groups `(list, value)` pairs by list, keeping the order of the pairs within each list.
    /// Every `list` has to be below `lists`.
    pub fn group(lists: usize, pairs: &[(u32, T)]) -> Self {
        let mut offsets = vec![0u32; lists + 1];
        for &(list, _) in pairs {
            offsets[list as usize + 1] += 1;
        }
        for list in 0..lists {
            offsets[list + 1] += offsets[list];
        }
        let mut next = offsets.clone();
        // Any value will do: each is overwritten below.
        let mut values: Vec<T> = pairs.iter().map(|&(_, value)| value).collect();
        for &(list, value) in pairs {
            values[next[list as usize] as usize] = value;
            next[list as usize] += 1;
        }
        Self { offsets, values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back_as_they_went_in() {
        let mut csr = Csr::new();
        csr.push([1, 2, 3]);
        csr.push([]);
        csr.push([4]);
        assert_eq!(csr.len(), 3);
        assert_eq!(csr.iter().collect::<Vec<_>>(), [&[1, 2, 3][..], &[], &[4]]);
    }

    #[test]
    fn broken_arrays_are_refused() {
        assert!(Csr::from_parts(vec![], vec![1]).is_none());
        assert!(Csr::from_parts(vec![1, 1], vec![1]).is_none());
        assert!(Csr::from_parts(vec![0, 2, 1], vec![1]).is_none());
        assert!(Csr::from_parts(vec![0, 2], vec![1]).is_none());
        assert!(Csr::from_parts(vec![0, 1], vec![1]).is_some());
    }

    #[test]
    fn grouping_keeps_the_order_within_a_list() {
        let csr = Csr::group(3, &[(2, 'a'), (0, 'b'), (2, 'c')]);
        assert_eq!(
            csr.iter().collect::<Vec<_>>(),
            [&['b'][..], &[], &['a', 'c']]
        );
    }
}
