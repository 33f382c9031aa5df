//! Immutable arrays that are in memory or in a mapped file.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use bytemuck::{AnyBitPattern, NoUninit};
use yoke::Yoke;
use yoke::erased::ErasedArcCart;

/// An immutable array together with the owner of its memory: a vector, or a file that is mapped into memory.
/// It is read like a slice and costs as much as one, whatever its owner is. A clone shares the memory.
///
/// ```
/// use portolan_core::Array;
///
/// let ids = Array::from(vec![3u32, 1, 2]);
/// assert_eq!(ids[1..], [1, 2]);
/// assert_eq!(ids.clone().as_ptr(), ids.as_ptr());
/// ```
pub struct Array<T: 'static>(Yoke<&'static [T], ErasedArcCart>);

impl<T: Send + Sync> Array<T> {
    /// Creates an array that is part of `owner`, which stays alive as long as the array.
    pub fn from_owner<O: Send + Sync + 'static>(
        owner: O,
        elements: impl for<'a> FnOnce(&'a O) -> &'a [T],
    ) -> Self {
        Self(
            Yoke::<&'static [T], Arc<O>>::attach_to_cart(Arc::new(owner), elements)
                .erase_arc_cart(),
        )
    }
}

impl<T> Array<T> {
    /// Returns whether two arrays are the same memory. Arrays of the same world are, in all its versions.
    pub(crate) fn is_shared_with(&self, other: &Self) -> bool {
        std::ptr::eq(&self[..], &other[..])
    }

    /// Returns a part of the array, which shares its memory; `None` if the range is not in the array.
    pub fn slice(&self, range: Range<usize>) -> Option<Self> {
        let slice = self
            .0
            .try_map_project_cloned(|all, _| all.get(range).ok_or(()));
        slice.ok().map(Self)
    }
}

impl<T: NoUninit> Array<T> {
    /// Returns the bytes of the array, which share its memory.
    pub fn bytes(&self) -> Array<u8> {
        Array(
            self.0
                .map_project_cloned(|all, _| bytemuck::cast_slice(all)),
        )
    }
}

impl Array<u8> {
    /// Returns the bytes as elements of another type, which share the memory. Returns `None` if the bytes are not
    /// a whole number of elements, or not aligned for them.
    pub fn cast<T: AnyBitPattern + NoUninit>(&self) -> Option<Array<T>> {
        let cast = self
            .0
            .try_map_project_cloned(|all, _| bytemuck::try_cast_slice(all));
        cast.ok().map(Array)
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        self.0.get()
    }
}

impl<T: Send + Sync> From<Vec<T>> for Array<T> {
    fn from(mut elements: Vec<T>) -> Self {
        // An array never grows, and a vector that did may have twice as much memory as elements.
        elements.shrink_to_fit();
        Self::from_owner(elements, |elements| elements)
    }
}

impl<T: Send + Sync> FromIterator<T> for Array<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        Vec::from_iter(elements).into()
    }
}

impl<T: Send + Sync> Default for Array<T> {
    fn default() -> Self {
        Vec::new().into()
    }
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: fmt::Debug> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Array<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Eq> Eq for Array<T> {}

impl<'a, T> IntoIterator for &'a Array<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_share_the_memory_and_keep_it_alive() {
        let all = Array::from(vec![1u32, 2, 3, 4]);
        let start = all.as_ptr();
        let words = all
            .bytes()
            .slice(4..12)
            .and_then(|bytes| bytes.cast::<u32>());
        drop(all);
        let words = words.expect("eight aligned bytes");
        assert_eq!(words[..], [2, 3]);
        assert_eq!(words.as_ptr(), start.wrapping_add(1));
    }

    #[test]
    fn what_is_not_in_the_array_is_none() {
        let bytes = Array::from(vec![1u32, 2]).bytes();
        assert!(bytes.slice(4..9).is_none());
        assert!(bytes.slice(1..8).expect("in range").cast::<u16>().is_none());
        assert!(bytes.slice(2..8).expect("in range").cast::<u32>().is_none());
        assert!(bytes.slice(0..0).expect("in range").cast::<u64>().is_some());
    }
}
