//! How Portolan is measured. The command line, the report, the comparison with peers and the benches all
//! use this crate, so that their numbers mean the same.
//!
//! A measurement has four steps:
//! 1. Queries are drawn ([`random_queries`]) or read ([`read_references`]).
//! 2. Every contender answers every query, round by round ([`Rounds`]).
//! 3. One query is timed step by step ([`timed_query`], [`timed_search`]), other work by a [`Stopwatch`].
//! 4. The samples become a few numbers ([`Summary`], [`median`], [`percentile`]).
#![allow(
    clippy::disallowed_methods,
    reason = "a geometric mean of measured times need not be the same to the bit"
)]

mod queries;
mod references;
mod rounds;
mod statistics;
mod stopwatch;
mod timed;

pub use queries::{allowed_queries, distant_queries, random_queries};
pub use references::{ReferenceError, ReferenceQuery, read_references};
pub use rounds::{Order, Rounds, Samples, Turn, turns};
pub use statistics::{
    Summary, geometric_mean, mean, mean_of_medians, median, median_by, percentile, relative_spread,
    thousandths,
};
pub use stopwatch::{Stopwatch, median_ms, micros, millis};
pub use timed::{QueryTimes, Timed, mismatches, same_cost, timed_query, timed_search};
