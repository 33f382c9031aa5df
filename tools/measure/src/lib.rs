//! Measurement of query times. The command line, the report, the comparison with peers and the benchmarks all
//! use this crate, so their numbers are comparable.
//!
//! A measurement has four steps:
//! 1. Queries are drawn ([`random_queries`]) or read ([`read_references`]).
//! 2. Every contender answers every query, round by round ([`Rounds`]).
//! 3. The steps of a query are timed ([`timed_query`], [`timed_search`]). Other work is timed by a [`Stopwatch`].
//! 4. The samples are summarized ([`Summary`], [`median`], [`percentile`]).
#![allow(
    clippy::disallowed_methods,
    reason = "a geometric mean of measured times need not be reproducible to the bit"
)]

mod passages;
mod queries;
mod references;
mod rounds;
mod statistics;
mod stopwatch;
mod tiles;
mod timed;
mod updates;

pub use passages::narrow_passages;
pub use queries::{allowed_queries, distant_queries, random_queries};
pub use references::{ReferenceError, ReferenceQuery, read_references};
pub use rounds::{Order, RoundSamples, Rounds, Turn, turns};
pub use statistics::{
    Summary, geometric_mean, mean, mean_of_medians, median, median_by, percentile, relative_spread,
    thousandths,
};
pub use stopwatch::{Stopwatch, median_ms, micros, millis};
pub use tiles::measure_tiles;
pub use timed::{QueryTimes, Timed, mismatches, same_cost, timed_query, timed_search};
pub use updates::{
    CHANGES, QueryTimesBeside, RATE, UpdateKind, UpdateOptions, UpdateResults, UpdateTimes,
    measure_updates,
};
