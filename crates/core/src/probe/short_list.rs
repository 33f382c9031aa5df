//! A list that is nearly always short.

/// The number of elements that need no memory on the heap.
const INLINE: usize = 32;

/// A list that allocates memory only if it becomes longer than [`INLINE`] elements.
pub(super) struct ShortList<T> {
    inline: [T; INLINE],
    count: usize,
    /// All elements, once there are more than fit.
    all: Vec<T>,
}

impl<T: Copy> ShortList<T> {
    /// Creates an empty list. The value of `filler` does not matter.
    #[inline]
    pub(super) fn new(filler: T) -> Self {
        Self {
            inline: [filler; INLINE],
            count: 0,
            all: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn push(&mut self, element: T) {
        if self.count < INLINE {
            self.inline[self.count] = element;
        } else {
            self.spill(element);
        }
        self.count += 1;
    }

    #[cold]
    fn spill(&mut self, element: T) {
        if self.count == INLINE {
            self.all.clear();
            self.all.extend_from_slice(&self.inline);
        }
        self.all.push(element);
    }

    /// Removes and returns the last element.
    pub(super) fn pop(&mut self) -> Option<T> {
        let last = *self.as_slice().last()?;
        if self.count > INLINE {
            self.all.pop();
            if self.count == INLINE + 1 {
                self.inline.copy_from_slice(&self.all);
            }
        }
        self.count -= 1;
        Some(last)
    }

    /// Removes the elements for which `keep` returns false. The order of the others stays the same.
    pub(super) fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        let list = self.as_mut_slice();
        let mut kept = 0;
        for i in 0..list.len() {
            if keep(&list[i]) {
                list[kept] = list[i];
                kept += 1;
            }
        }
        while self.count > kept {
            self.pop();
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        match self.count {
            0..=INLINE => &self.inline[..self.count],
            _ => &self.all,
        }
    }

    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [T] {
        match self.count {
            0..=INLINE => &mut self.inline[..self.count],
            _ => &mut self.all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_a_vector_holds() {
        let (mut short, mut vector) = (ShortList::new(0), Vec::new());
        for i in 0..200usize {
            // The list grows beyond its inline part, shrinks into it and grows again.
            if (i / 40) % 2 == 1 && i % 3 != 0 {
                assert_eq!(short.pop(), vector.pop());
            } else {
                short.push(i);
                vector.push(i);
            }
            assert_eq!(short.as_slice(), vector);
            assert_eq!(short.as_mut_slice(), vector);
            if i % 50 == 49 {
                short.retain(|i| i % 7 != 0);
                vector.retain(|i| i % 7 != 0);
                assert_eq!(short.as_slice(), vector);
            }
        }
        short.clear();
        assert_eq!(short.pop(), None);
        (0..70).for_each(|i| short.push(i));
        assert_eq!(short.as_slice(), (0..70).collect::<Vec<_>>());
    }
}
