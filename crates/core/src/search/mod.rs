//! What every search over a graph needs, whatever the graph is: a heap, and labels that are forgotten
//! without being touched.
//!
//! The engines of this crate use it, and so do crates that search graphs of their own, as
//! `portolan-terrain` does.

mod epoch_array;
mod heap;
mod labels;

pub use epoch_array::EpochArray;
pub use heap::{Heap, entry, unpack};
pub use labels::SearchLabels;
