//! How many answers were compared.

use std::collections::BTreeMap;
use std::fmt;

/// Per engine, how many of its answers were compared with a right one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared(BTreeMap<String, u64>);

impl Compared {
    /// Counts one answer of this engine.
    pub fn add(&mut self, engine: impl fmt::Display) {
        *self.0.entry(engine.to_string()).or_default() += 1;
    }

    /// Counts everything that `other` has counted, too.
    pub fn merge(&mut self, other: Self) {
        for (engine, count) in other.0 {
            *self.0.entry(engine).or_default() += count;
        }
    }

    /// The answers of this engine.
    pub fn count(&self, engine: &str) -> u64 {
        self.0.get(engine).copied().unwrap_or_default()
    }

    /// The answers of all engines.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

impl fmt::Display for Compared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "   {:20} {:>10}", "engine", "answers")?;
        for (engine, count) in &self.0 {
            writeln!(f, "   {engine:20} {count:>10}")?;
        }
        writeln!(f, "   {:20} {:>10}", "all", self.total())
    }
}
