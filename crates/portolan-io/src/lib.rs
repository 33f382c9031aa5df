//! Files that Portolan reads and writes.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
