//! The numbers of answers that were compared.

use std::collections::BTreeMap;
use std::fmt;

/// The number of answers that were compared, by engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts(BTreeMap<String, u64>);

impl AnswerCounts {
    /// Counts one answer of this engine.
    pub fn add(&mut self, engine: impl fmt::Display) {
        *self.0.entry(engine.to_string()).or_default() += 1;
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: Self) {
        for (engine, count) in other.0 {
            *self.0.entry(engine).or_default() += count;
        }
    }

    /// Returns the number of answers of this engine.
    pub fn count(&self, engine: &str) -> u64 {
        self.0.get(engine).copied().unwrap_or_default()
    }

    /// Returns the number of answers of all engines.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }
}

impl fmt::Display for AnswerCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "   {:20} {:>10}", "engine", "answers")?;
        for (engine, count) in &self.0 {
            writeln!(f, "   {engine:20} {count:>10}")?;
        }
        writeln!(f, "   {:20} {:>10}", "all", self.total())
    }
}
