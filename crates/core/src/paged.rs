//! Arrays that change in a few places, and whose versions share everything else.

use std::sync::Arc;

/// The number of pages of a chunk.
const CHUNK: usize = 64;

type Page<T, const PAGE: usize> = Arc<[T; PAGE]>;
type Chunk<T, const PAGE: usize> = Arc<[Option<Page<T, PAGE>>; CHUNK]>;

/// An array with one value almost everywhere, in pages of `PAGE` elements and chunks of 64 pages. A clone copies one pointer
/// per chunk, and the first change after that one chunk, which has a pointer per page, and one page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Paged<T, const PAGE: usize = 64> {
    /// A chunk or a page that was never changed has the value everywhere. Chunks at the end may be missing.
    chunks: Vec<Option<Chunk<T, PAGE>>>,
    value: T,
}

impl<T: Clone, const PAGE: usize> Paged<T, PAGE> {
    /// Creates an array that has `value` everywhere.
    pub(crate) fn new(value: T) -> Self {
        Self {
            chunks: Vec::new(),
            value,
        }
    }

    /// Returns a reference to an element.
    #[inline]
    pub(crate) fn at(&self, index: usize) -> &T {
        match self.chunks.get(index / (PAGE * CHUNK)) {
            Some(Some(chunk)) => match &chunk[index / PAGE % CHUNK] {
                Some(page) => &page[index % PAGE],
                None => &self.value,
            },
            _ => &self.value,
        }
    }

    /// Changes an element.
    pub(crate) fn set(&mut self, index: usize, element: T) {
        let chunk = index / (PAGE * CHUNK);
        if self.chunks.len() <= chunk {
            self.chunks.resize(chunk + 1, None);
        }
        let chunk = self.chunks[chunk].get_or_insert_with(|| Arc::new([const { None }; CHUNK]));
        let page = Arc::make_mut(chunk)[index / PAGE % CHUNK]
            .get_or_insert_with(|| Arc::new(std::array::from_fn(|_| self.value.clone())));
        Arc::make_mut(page)[index % PAGE] = element;
    }

    /// Iterates over all pages that exist, with the index of their first element, in ascending order.
    fn pages(&self) -> impl Iterator<Item = (usize, &Page<T, PAGE>)> {
        let chunks = (0..).step_by(PAGE * CHUNK).zip(&self.chunks);
        chunks.flat_map(|(first, chunk)| {
            let pages = chunk.iter().flat_map(|chunk| chunk.iter());
            let pages = (first..).step_by(PAGE).zip(pages);
            pages.filter_map(|(first, page)| Some((first, page.as_ref()?)))
        })
    }

    /// Calls `visit` with the index of every element that may differ from that of another version: those of the pages that
    /// the versions do not share.
    pub(crate) fn for_each_unshared(&self, other: &Self, mut visit: impl FnMut(usize)) {
        for index in 0..self.chunks.len().max(other.chunks.len()) {
            let [own, other] = [self, other].map(|paged| paged.chunks.get(index)?.as_ref());
            if own.map(Arc::as_ptr) == other.map(Arc::as_ptr) {
                continue;
            }
            for at in 0..CHUNK {
                let [own, other] = [own, other].map(|chunk| chunk?[at].as_ref().map(Arc::as_ptr));
                if own != other {
                    let first = (index * CHUNK + at) * PAGE;
                    (first..first + PAGE).for_each(&mut visit);
                }
            }
        }
    }

    /// Returns the indices of all elements that may have been changed, in ascending order.
    pub(crate) fn changed(&self) -> impl Iterator<Item = usize> {
        self.pages().flat_map(|(first, _)| first..first + PAGE)
    }

    /// Returns whether no element has ever been changed.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Returns the size on the heap, including pages that other versions share. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().flatten().count();
        let pointers = self.chunks.len() + chunks * CHUNK;
        pointers * size_of::<usize>() + self.pages().count() * PAGE * size_of::<T>()
    }
}

impl<T: Copy, const PAGE: usize> Paged<T, PAGE> {
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
        let mut first: Paged<f64> = Paged::new(1.0);
        assert!(first.is_unchanged());
        first.set(10_000, 2.0);
        let mut second = first.clone();
        second.set(10_000, 3.0);
        second.set(5, 4.0);
        assert_eq!(
            [0, 5, 9_999, 10_000, 99_999].map(|i| first.get(i)),
            [1.0, 1.0, 1.0, 2.0, 1.0]
        );
        let mut unshared = Vec::new();
        second.for_each_unshared(&first, |index| unshared.push(index));
        let pages = [0..64, 9_984..10_048].map(Iterator::collect::<Vec<_>>);
        assert_eq!(unshared, pages.concat());
        assert_eq!(second.changed().collect::<Vec<_>>(), pages.concat());
        assert_eq!(first.changed().collect::<Vec<_>>(), pages[1]);
        first.for_each_unshared(&first.clone(), |_| panic!("a clone shares all pages"));
        assert_eq!(
            [0, 5, 9_999, 10_000, 99_999].map(|i| second.get(i)),
            [1.0, 4.0, 1.0, 3.0, 1.0]
        );
    }
}
