//! The engines by name.

use std::fmt;
use std::str::FromStr;

/// A way to search. All give the same costs where they say `exact`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Whatever is best for the mesh; A* so far.
    #[default]
    Auto,
    /// A* with a Euclidean heuristic. Exact.
    AStar,
    /// Dijkstra's algorithm, plainly written. Exact; slow; the measure of the others.
    Dijkstra,
}

/// A name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no engine '{0}'; this version has auto, astar and dijkstra, each also with ':fast'"
)]
pub struct UnknownEngine(pub String);

impl Engine {
    /// All engines, the default first.
    pub const ALL: [Self; 3] = [Self::Auto, Self::AStar, Self::Dijkstra];
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::AStar => "astar",
            Self::Dijkstra => "dijkstra",
        })
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// Reads `NAME` or `NAME:fast`. The tier `fast` is the midpoint graph, the only one so far.
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let plain = name.strip_suffix(":fast").unwrap_or(name);
        let engine = Self::ALL
            .into_iter()
            .find(|engine| engine.to_string() == plain);
        engine.ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for engine in Engine::ALL {
            assert_eq!(engine.to_string().parse(), Ok(engine));
            assert_eq!(format!("{engine}:fast").parse(), Ok(engine));
        }
        assert!("".parse::<Engine>().is_err());
        assert!("astar:best".parse::<Engine>().is_err());
    }
}
