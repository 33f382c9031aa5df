//! Tests of the public crate: from a level file to a path, as in the README.

mod examples;
mod pipeline;
