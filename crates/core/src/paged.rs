//! Arrays that change in a few places, and whose versions share everything else.

use std::sync::Arc;

/// The number of elements of a page.
const PAGE: usize = 256;

/// An array with one value almost everywhere. A clone copies one pointer per page, and a change copies one page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paged<T> {
    /// A page that was never changed has the value everywhere. Pages at the end may be missing.
    pages: Vec<Option<Arc<[T; PAGE]>>>,
    value: T,
}

impl<T: Clone> Paged<T> {
    /// Creates an array that has `value` everywhere.
    pub(crate) fn new(value: T) -> Self {
        Self {
            pages: Vec::new(),
            value,
        }
    }

    /// Returns a reference to an element.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> &T {
        match self.pages.get(index / PAGE) {
            Some(Some(page)) => &page[index % PAGE],
            _ => &self.value,
        }
    }

    /// Changes an element.
    pub(crate) fn set(&mut self, index: usize, element: T) {
        let page = index / PAGE;
        if self.pages.len() <= page {
            self.pages.resize(page + 1, None);
        }
        let page = self.pages[page]
            .get_or_insert_with(|| Arc::new(std::array::from_fn(|_| self.value.clone())));
        Arc::make_mut(page)[index % PAGE] = element;
    }

    /// Calls `visit` with the index of every element that may differ from that of another version: those of the pages that
    /// the versions do not share.
    pub(crate) fn for_each_unshared(&self, other: &Self, mut visit: impl FnMut(usize)) {
        for index in 0..self.pages.len().max(other.pages.len()) {
            let page = |paged: &'_ Self| paged.pages.get(index)?.as_ref().map(Arc::as_ptr);
            if page(self) != page(other) {
                (index * PAGE..(index + 1) * PAGE).for_each(&mut visit);
            }
        }
    }

    /// Returns the indices of all elements that may have been changed, in ascending order.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter(|(_, page)| page.is_some());
        pages.flat_map(|(page, _)| page * PAGE..(page + 1) * PAGE)
    }

    /// Returns whether no element has ever been changed.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.pages.is_empty()
    }

    /// Returns the size on the heap, including pages that other versions share. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        let pages = self.pages.iter().flatten().count();
        self.pages.len() * size_of::<usize>() + pages * PAGE * size_of::<T>()
    }
}

impl<T: Copy> Paged<T> {
    /// Returns an element.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> T {
        *self.at(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_do_not_see_each_others_changes() {
        let mut first = Paged::new(1.0);
        assert!(first.is_unchanged());
        first.set(1000, 2.0);
        let mut second = first.clone();
        second.set(1000, 3.0);
        second.set(5, 4.0);
        assert_eq!(
            [0, 5, 999, 1000, 9999].map(|i| first.get(i)),
            [1.0, 1.0, 1.0, 2.0, 1.0]
        );
        let mut unshared = Vec::new();
        second.for_each_unshared(&first, |index| unshared.push(index));
        assert_eq!(
            unshared,
            [(0..PAGE).collect(), (768..1024).collect::<Vec<_>>()].concat()
        );
        first.for_each_unshared(&first.clone(), |_| panic!("a clone shares all pages"));
        assert_eq!(
            [0, 5, 999, 1000, 9999].map(|i| second.get(i)),
            [1.0, 4.0, 1.0, 3.0, 1.0]
        );
    }
}
