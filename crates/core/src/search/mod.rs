//! The building blocks of a search over any graph: a heap, labels that are cleared in constant time, and a
//! budget after which the search pauses.
//!
//! The engines of this crate use them, and so do crates that search graphs of their own, such as
//! `portolan-terrain`.

mod budget;
mod epoch_array;
mod heap;
mod labels;

pub use budget::Budget;
pub(crate) use budget::{Meter, Pace, Unlimited};
pub use epoch_array::EpochArray;
pub use heap::{Heap, entry, unpack};
pub use labels::SearchLabels;
