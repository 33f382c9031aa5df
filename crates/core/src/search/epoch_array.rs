//! An array whose values are forgotten all at once.

/// Values by index, as a search keeps them. Each carries the epoch in which it was written and holds only
/// while that epoch lasts, so forgetting all of them is counting up one number.
///
/// The epoch takes 4 bytes a value: with values of 12 bytes, four share a cache line.
#[derive(Clone, Debug, Default)]
pub struct EpochArray<T> {
    slots: Vec<Slot<T>>,
    epoch: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot<T> {
    /// The value holds only if this is the epoch of the array.
    epoch: u32,
    value: T,
}

impl<T: Copy + Default> EpochArray<T> {
    /// Bytes of one value with its epoch.
    pub const SLOT_BYTES: usize = size_of::<Slot<T>>();

    /// Forgets all values, and makes room for `count` of them.
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

    /// The value at an index, if it was written since the last reset.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        let slot = &self.slots[index];
        (slot.epoch == self.epoch).then_some(slot.value)
    }

    /// The value at an index where one was written since the last reset.
    #[inline]
    pub fn known(&self, index: usize) -> T {
        let slot = &self.slots[index];
        debug_assert_eq!(slot.epoch, self.epoch);
        slot.value
    }

    /// Writes a value.
    #[inline]
    pub fn set(&mut self, index: usize, value: T) {
        self.slots[index] = Slot {
            epoch: self.epoch,
            value,
        };
    }

    /// Writes what `change` makes of the value at an index, and returns it. Where `change` returns `None`,
    /// nothing is written.
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
    fn values_are_forgotten_even_when_the_epoch_overflows() {
        let mut array = EpochArray::default();
        array.reset(1);
        assert_eq!(array.get(0), None);
        array.set(0, 7);
        assert_eq!((array.get(0), array.known(0)), (Some(7), 7));
        array.epoch = u32::MAX;
        // Written long ago, in an epoch that comes again.
        array.slots[0].epoch = 1;
        array.reset(1);
        assert_eq!(array.get(0), None);
    }

    #[test]
    fn an_update_sees_what_holds_and_may_decline() {
        let mut array = EpochArray::default();
        array.reset(2);
        let raise = |old: Option<&i32>| Some(old.unwrap_or(&0) + 1);
        assert_eq!(array.update(1, raise), Some(1));
        assert_eq!(array.update(1, raise), Some(2));
        assert_eq!(array.update(1, |_| None), None);
        assert_eq!((array.get(0), array.get(1)), (None, Some(2)));
    }
}
