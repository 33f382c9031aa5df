//! Compressed sparse rows: lists of lists in two flat arrays.

use crate::array::Array;

/// A list of lists. List `i` is the slice `values[offsets[i]..offsets[i + 1]]`.
///
/// Invariants: `offsets` is never empty, starts with 0, never decreases and ends with `values.len()`.
///
/// ```
/// use portolan_core::Csr;
///
/// let mut neighbours = Csr::new();
/// neighbours.push([1, 2]);
/// neighbours.push([]);
/// neighbours.push([0]);
/// assert_eq!(neighbours.len(), 3);
/// assert_eq!(neighbours.get(0), [1, 2]);
/// assert_eq!(neighbours.values(), [1, 2, 0]);
/// ```
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
    /// Creates a `Csr` without lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a `Csr` from two arrays, or returns `None` if they violate the invariants.
    pub fn from_parts(offsets: Vec<u32>, values: Vec<T>) -> Option<Self> {
        let starts_at_zero = offsets.first() == Some(&0);
        let ends_at_length = offsets.last().map(|&end| end as usize) == Some(values.len());
        let ascends = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
        (starts_at_zero && ends_at_length && ascends).then_some(Self { offsets, values })
    }

    /// Appends one list.
    ///
    /// # Panics
    /// Panics if all lists together have more than `u32::MAX` values.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.values.extend(list);
        self.offsets
            .push(u32::try_from(self.values.len()).expect("more than u32::MAX values in one Csr"));
    }

    /// Appends all lists of another `Csr`.
    ///
    /// # Panics
    /// Panics if all lists together have more than `u32::MAX` values.
    pub(crate) fn append(&mut self, mut other: Self) {
        let count = self.values.len() + other.values.len();
        u32::try_from(count).expect("more than u32::MAX values in one Csr");
        let start = self.values.len() as u32;
        let offsets = other.offsets[1..].iter().map(|offset| start + offset);
        self.offsets.extend(offsets);
        self.values.append(&mut other.values);
    }

    /// Returns the number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the list `index`.
    ///
    /// # Panics
    /// Panics if the list does not exist.
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        &self.values[self.offsets[index] as usize..self.offsets[index + 1] as usize]
    }

    /// Returns all lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the start of each list, and the end of the last one.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Returns the values of all lists, one list after another.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Returns the values of all lists, one list after another, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Returns the size on the heap. [Units: bytes]
    pub fn bytes(&self) -> usize {
        self.offsets.len() * size_of::<u32>() + self.values.len() * size_of::<T>()
    }
}

impl<T: Copy> Csr<T> {
    /// Groups `(list, value)` pairs by list and keeps the order of the pairs within each list.
    ///
    /// # Panics
    /// Panics if a pair names a list that is not below `lists`.
    pub fn group(lists: usize, pairs: &[(u32, T)]) -> Self {
        let mut offsets = vec![0u32; lists + 1];
        for &(list, _) in pairs {
            offsets[list as usize + 1] += 1;
        }
        for list in 0..lists {
            offsets[list + 1] += offsets[list];
        }
        let mut next = offsets.clone();
        // These values are placeholders: each one is overwritten below.
        let mut values: Vec<T> = pairs.iter().map(|&(_, value)| value).collect();
        for &(list, value) in pairs {
            values[next[list as usize] as usize] = value;
            next[list as usize] += 1;
        }
        Self { offsets, values }
    }
}

/// A list of lists that does not change any more, as [`Csr`] otherwise. Its memory may be a mapped file.
#[derive(Clone, Debug, PartialEq)]
pub struct Lists<T: 'static> {
    offsets: Array<u32>,
    values: Array<T>,
}

impl<T: Send + Sync> Default for Lists<T> {
    fn default() -> Self {
        Csr::default().into()
    }
}

impl<T: Send + Sync> From<Csr<T>> for Lists<T> {
    fn from(Csr { offsets, values }: Csr<T>) -> Self {
        Self {
            offsets: offsets.into(),
            values: values.into(),
        }
    }
}

impl<T> Lists<T> {
    /// Creates lists from two arrays. Returns `None` if the offsets do not start with 0 or do not end with the
    /// number of values. It does not check that they ascend: see [`is_valid`](Self::is_valid).
    pub(crate) fn from_arrays(offsets: Array<u32>, values: Array<T>) -> Option<Self> {
        let starts_at_zero = offsets.first() == Some(&0);
        let ends_at_length = offsets.last().map(|&end| end as usize) == Some(values.len());
        (starts_at_zero && ends_at_length).then_some(Self { offsets, values })
    }

    /// Returns whether the offsets ascend, which is the invariant that [`from_arrays`](Self::from_arrays) does not
    /// check.
    pub(crate) fn is_valid(&self) -> bool {
        self.offsets.is_sorted()
    }

    /// Returns the number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the list `index`.
    ///
    /// # Panics
    /// Panics if the list does not exist.
    #[inline]
    pub fn get(&self, index: usize) -> &[T] {
        &self.values[self.range(index)]
    }

    /// Returns the indexes of the values of the list `index` among all values.
    ///
    /// # Panics
    /// Panics if the list does not exist.
    #[inline]
    pub(crate) fn range(&self, index: usize) -> std::ops::Range<usize> {
        self.offsets[index] as usize..self.offsets[index + 1] as usize
    }

    /// Returns all lists in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the start of each list, and the end of the last one.
    pub fn offsets(&self) -> &Array<u32> {
        &self.offsets
    }

    /// Returns the values of all lists, one list after another.
    pub fn values(&self) -> &Array<T> {
        &self.values
    }

    /// Returns the size of the arrays. [Units: bytes]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..]) + size_of_val(&self.values[..])
    }
}

impl<T: Copy> Lists<T> {
    /// Returns a copy that can grow.
    pub fn to_csr(&self) -> Csr<T> {
        Csr {
            offsets: self.offsets.to_vec(),
            values: self.values.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_returned_as_they_were_pushed() {
        let mut csr = Csr::new();
        csr.push([1, 2, 3]);
        csr.push([]);
        csr.push([4]);
        assert_eq!(csr.len(), 3);
        assert_eq!(csr.iter().collect::<Vec<_>>(), [&[1, 2, 3][..], &[], &[4]]);
    }

    #[test]
    fn invalid_arrays_are_rejected() {
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
