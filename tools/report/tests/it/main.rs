//! The integration tests of the report, in one binary so that they link once.

mod page;
mod terrain;
