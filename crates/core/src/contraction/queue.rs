//! A queue of numbers in ascending order.

/// A set of numbers from which the smallest is taken. A number that is added must be greater than those that were
/// taken since the queue was last empty.
#[derive(Clone, Debug)]
pub(super) struct AscendingQueue {
    /// One bit per number.
    words: Vec<u64>,
    /// One bit per word that is not 0.
    summary: Vec<u64>,
    /// All words of the summary before this one are 0.
    first: usize,
}

impl AscendingQueue {
    /// Creates an empty queue for numbers below `count`.
    pub(super) fn new(count: usize) -> Self {
        let words = count.div_ceil(64);
        let summary = words.div_ceil(64);
        Self {
            words: vec![0; words],
            summary: vec![0; summary],
            first: summary,
        }
    }

    /// Adds a number. Returns false if the queue has it already.
    pub(super) fn push(&mut self, number: usize) -> bool {
        let word = number / 64;
        let bit = 1 << (number % 64);
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.summary[word / 64] |= 1 << (word % 64);
        self.first = self.first.min(word / 64);
        is_new
    }

    /// Removes the smallest number.
    pub(super) fn pop(&mut self) -> Option<usize> {
        self.pop_below(usize::MAX)
    }

    /// Removes the smallest number if it is less than `end`.
    pub(super) fn pop_below(&mut self, end: usize) -> Option<usize> {
        while *self.summary.get(self.first)? == 0 {
            self.first += 1;
        }
        let word = 64 * self.first + self.summary[self.first].trailing_zeros() as usize;
        let number = 64 * word + self.words[word].trailing_zeros() as usize;
        if number >= end {
            return None;
        }
        self.words[word] &= self.words[word] - 1;
        if self.words[word] == 0 {
            self.summary[self.first] &= self.summary[self.first] - 1;
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_in_ascending_order() {
        let mut queue = AscendingQueue::new(10_000);
        for number in [9_999, 64, 63, 0, 4_096, 64] {
            queue.push(number);
        }
        assert!(!queue.push(4_096));
        let mut taken = Vec::new();
        while let Some(number) = queue.pop() {
            taken.push(number);
            if number == 64 {
                assert!(queue.push(65));
            }
        }
        assert_eq!(taken, [0, 63, 64, 65, 4_096, 9_999]);
        assert_eq!(queue.pop(), None);
        assert!(queue.push(3));
        assert_eq!(queue.pop(), Some(3));
    }
}
