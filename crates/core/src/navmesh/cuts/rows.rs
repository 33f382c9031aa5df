//! Numbers for elements that come and go in groups.

/// The numbers of a group begin at a multiple of this.
const ROW: usize = 16;

/// Hands out runs of consecutive numbers and remembers who has them. The numbers of an owner never change. A clone copies
/// one owner per row of 16 numbers.
#[derive(Clone, Debug)]
pub(crate) struct Rows<T> {
    /// Per row, its owner and the row where the owner's numbers begin.
    rows: Vec<Option<(T, u32)>>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { rows: Vec::new() }
    }
}

impl<T: Clone> Rows<T> {
    /// Returns the first of `count` consecutive free numbers.
    pub(super) fn find(&self, count: usize) -> u32 {
        let needed = count.div_ceil(ROW).max(1);
        let mut free = 0;
        for (i, row) in self.rows.iter().enumerate() {
            free = if row.is_none() { free + 1 } else { 0 };
            if free == needed {
                return ((i + 1 - needed) * ROW) as u32;
            }
        }
        ((self.rows.len() - free) * ROW) as u32
    }

    /// Gives `count` numbers from `first`, which [`find`](Self::find) has returned for them, to an owner.
    pub(super) fn give(&mut self, first: u32, count: usize, owner: &T) {
        let first = first as usize / ROW;
        let end = first + count.div_ceil(ROW).max(1);
        if self.rows.len() < end {
            self.rows.resize_with(end, || None);
        }
        self.rows[first..end].fill(Some((owner.clone(), first as u32)));
    }

    /// Frees the numbers of an owner, which begin at `first`.
    pub(super) fn free(&mut self, first: u32) {
        let first = first as usize / ROW;
        for row in &mut self.rows[first..] {
            match row {
                Some((_, start)) if *start as usize == first => *row = None,
                _ => break,
            }
        }
    }

    /// Returns who has a number, and its place among the numbers of that owner.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> Option<(&T, usize)> {
        let (owner, first) = self.rows.get(number / ROW)?.as_ref()?;
        Some((owner, number - *first as usize * ROW))
    }

    /// Returns a number above all that are in use.
    pub(crate) fn end(&self) -> usize {
        self.rows.len() * ROW
    }

    /// Iterates over all owners.
    pub(super) fn owners(&self) -> impl Iterator<Item = &T> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(i, row)| match row {
            Some((owner, first)) if *first as usize == i => Some(owner),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_while_others_come_and_go() {
        let mut rows = Rows::default();
        let place = |rows: &mut Rows<char>, count, owner| {
            let first = rows.find(count);
            rows.give(first, count, &owner);
            first
        };
        let [a, b, c] =
            [(3, 'a'), (40, 'b'), (16, 'c')].map(|(n, owner)| place(&mut rows, n, owner));
        assert_eq!([a, b, c], [0, 16, 64]);
        rows.free(b);
        assert_eq!(rows.get(17), None);
        assert_eq!(rows.get(65), Some((&'c', 1)));
        assert_eq!(place(&mut rows, 33, 'd'), 16);
        assert_eq!(place(&mut rows, 1, 'e'), 80);
        assert_eq!(rows.get(50), Some((&'d', 34)));
        assert_eq!(rows.get(2), Some((&'a', 2)));
        assert_eq!(rows.owners().collect::<String>(), "adce");
        assert_eq!(rows.get(9999), None);
    }
}
