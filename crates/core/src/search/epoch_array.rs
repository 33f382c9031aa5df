//! An array that can be cleared in constant time.

/// Values by index, for a search. Each value stores the epoch in which it was written and is only valid in
/// that epoch, so incrementing the epoch of the array clears all values.
///
/// The epoch takes 4 bytes per value. With values of 12 bytes, four fit into a cache line of 64 bytes.
#[derive(Clone, Debug, Default)]
pub struct EpochArray<T> {
    slots: Vec<Slot<T>>,
    epoch: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<T> {
    /// The value is only valid if this equals the epoch of the array.
    epoch: u32,
    value: T,
}

impl<T: Copy + Default> EpochArray<T> {
    /// The size of one value with its epoch. [Units: bytes]
    pub const SLOT_BYTES: usize = size_of::<Slot<T>>();

    /// Clears all values and makes room for `count` of them.
    pub fn reset(&mut self, count: usize) {
        if self.slots.len() < count {
            self.slots.resize(count, Slot::default());
        }
        if self.epoch == u32::MAX {
            self.slots.fill(Slot::default());
            self.epoch = 0;
        }
        self.epoch += 1;
    }

    /// Returns the value at an index, or `None` if it was not written since the last reset.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        let slot = &self.slots[index];
        (slot.epoch == self.epoch).then_some(slot.value)
    }

    /// Returns the value at an index. It must have been written since the last reset, which is only checked
    /// in debug builds.
    #[inline]
    pub fn known(&self, index: usize) -> T {
        let slot = &self.slots[index];
        debug_assert_eq!(slot.epoch, self.epoch);
        slot.value
    }

    /// Writes the value at an index.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        self.slots[index] = Slot {
            epoch: self.epoch,
            value,
        };
    }

    /// Replaces the value at an index with the result of `change`, and returns the new value. If `change`
    /// returns `None`, nothing is written.
    #[inline]
    pub fn update(
        &mut self,
        index: usize,
        change: impl FnOnce(Option<&T>) -> Option<T>,
    ) -> Option<T> {
        let slot = &mut self.slots[index];
        let value = change((slot.epoch == self.epoch).then_some(&slot.value))?;
        *slot = Slot {
            epoch: self.epoch,
            value,
        };
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_cleared_even_when_the_epoch_overflows() {
        let mut array = EpochArray::default();
        array.reset(1);
        assert_eq!(array.get(0), None);
        array.set(0, 7);
        assert_eq!((array.get(0), array.known(0)), (Some(7), 7));
        array.epoch = u32::MAX;
        // The slot was written long ago, in an epoch number that is used again after the overflow.
        array.slots[0].epoch = 1;
        array.reset(1);
        assert_eq!(array.get(0), None);
    }

    #[test]
    fn an_update_gets_the_valid_value_and_may_write_nothing() {
        let mut array = EpochArray::default();
        array.reset(2);
        let raise = |old: Option<&i32>| Some(old.unwrap_or(&0) + 1);
        assert_eq!(array.update(1, raise), Some(1));
        assert_eq!(array.update(1, raise), Some(2));
        assert_eq!(array.update(1, |_| None), None);
        assert_eq!((array.get(0), array.get(1)), (None, Some(2)));
    }
}
