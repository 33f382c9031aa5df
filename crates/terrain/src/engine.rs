//! The engines by name.

use std::fmt;
use std::str::FromStr;

use portolan_core::Level;

/// A way to search a [`Terrain`](super::Terrain). All but [`Mesh`](Self::Mesh) are exact: they find a path of
/// the least cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TerrainEngine {
    /// The thesis's: from the first common High Mesh down. Fast, and not exact.
    #[default]
    Mesh,
    /// A* from triangle to triangle. Exact.
    AStar,
    /// Dijkstra's algorithm from triangle to triangle. Exact, and the slowest.
    Dijkstra,
    /// HNA* over nodes of triangles. Exact.
    Hna {
        /// The level to search. `None` is the highest at which start and goal are neither in one node nor in
        /// neighbours.
        level: Option<Level>,
    },
    /// A customizable contraction hierarchy over the triangles. Exact, and the fastest.
    Contraction,
}

/// A name that no engine has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no engine '{0}' for terrain; there are mesh, astar, dijkstra, hna, hna:LEVEL and contraction"
)]
pub struct UnknownTerrainEngine(pub String);

/// A query that a terrain cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainEngineError {
    /// The terrain has no hierarchy.
    #[error(
        "{0} needs a hierarchy, and this terrain has none; build it with `TerrainOptions::hierarchy`, or add \
         it with `Terrain::with_hierarchy`"
    )]
    NoHierarchy(TerrainEngine),
    /// The terrain has no contraction.
    #[error(
        "{0} needs a contraction, and this terrain has none; build it with `TerrainOptions::contraction`, or \
         add it with `Terrain::with_contraction`"
    )]
    NoContraction(TerrainEngine),
    /// The level does not exist.
    #[error("hna:{level}: there is no level {level}; the highest is {top}")]
    NoLevel {
        /// The level that was asked for.
        level: Level,
        /// The highest level.
        top: Level,
    },
    /// The engine does not know of crowds.
    #[error("{0} does not walk around crowds; only mesh does")]
    NoCrowds(TerrainEngine),
    /// The crowd was made for another terrain.
    #[error("the crowd is of {found} meshes, and this terrain has {expected}; make one for it")]
    OtherCrowd {
        /// Meshes that the crowd knows.
        found: usize,
        /// Meshes of the terrain.
        expected: usize,
    },
}

impl TerrainEngine {
    /// The engines that run on any terrain, the default first.
    /// [`Terrain::engines`](super::Terrain::engines) are all that one can run.
    pub const PLAIN: [Self; 3] = [Self::Mesh, Self::AStar, Self::Dijkstra];

    /// Whether it promises a path of the least cost.
    pub fn is_exact(self) -> bool {
        self != Self::Mesh
    }
}

impl fmt::Display for TerrainEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh => f.write_str("mesh"),
            Self::AStar => f.write_str("astar"),
            Self::Dijkstra => f.write_str("dijkstra"),
            Self::Hna { level: None } => f.write_str("hna"),
            Self::Hna { level: Some(level) } => write!(f, "hna:{level}"),
            Self::Contraction => f.write_str("contraction"),
        }
    }
}

impl FromStr for TerrainEngine {
    type Err = UnknownTerrainEngine;

    /// Reads `NAME` or `hna:LEVEL`.
    fn from_str(name: &str) -> Result<Self, UnknownTerrainEngine> {
        let level = |digits: &str| {
            let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let level = is_number.then(|| digits.parse().ok())?;
            level.map(Level)
        };
        let engine = match name.split_once(':') {
            None => match name {
                "mesh" => Some(Self::Mesh),
                "astar" => Some(Self::AStar),
                "dijkstra" => Some(Self::Dijkstra),
                "hna" => Some(Self::Hna { level: None }),
                "contraction" => Some(Self::Contraction),
                _ => None,
            },
            Some(("hna", digits)) => level(digits).map(|level| Self::Hna { level: Some(level) }),
            Some(_) => None,
        };
        engine.ok_or_else(|| UnknownTerrainEngine(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        for name in [
            "mesh",
            "astar",
            "dijkstra",
            "hna",
            "hna:0",
            "hna:12",
            "contraction",
        ] {
            let engine: TerrainEngine = name.parse().unwrap();
            assert_eq!(engine.to_string(), name);
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in [
            "", ":", "fly", "Mesh", "mesh:1", "hna:", "hna:-1", "hna:256", "hna:1:2", "hna:+1",
        ] {
            let refused = UnknownTerrainEngine(name.to_owned());
            assert_eq!(name.parse::<TerrainEngine>(), Err(refused));
        }
    }
}
