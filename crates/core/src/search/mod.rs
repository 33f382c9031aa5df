//! The building blocks of a search over any graph: a heap, and labels that are cleared in constant time.
//!
//! The engines of this crate use them, and so do crates that search graphs of their own, such as
//! `portolan-terrain`.

mod epoch_array;
mod heap;
mod labels;

pub use epoch_array::EpochArray;
pub use heap::{Heap, entry, unpack};
pub use labels::SearchLabels;
