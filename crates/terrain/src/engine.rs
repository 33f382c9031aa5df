//! The search engines of a terrain, and their names.

use std::fmt;
use std::str::FromStr;

use portolan_core::Level;

/// A search engine for a [`Terrain`](super::Terrain). All engines except [`Mesh`](Self::Mesh) are exact, which
/// means that they find a cheapest path.
///
/// ```
/// use portolan_terrain::TerrainEngine;
///
/// let engine: TerrainEngine = "contraction".parse()?;
/// assert!(engine.is_exact());
/// assert_eq!(engine.to_string(), "contraction");
/// # Ok::<(), portolan_terrain::UnknownTerrainEngine>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TerrainEngine {
    /// Navigation over High Meshes as in the terrain thesis, from the lowest common mesh of start and goal down
    /// to triangles. Not exact, but finds a path while it is walked and can avoid crowds.
    Mesh,
    /// A* over triangles. Exact.
    AStar,
    /// Dijkstra's algorithm over triangles. Exact, and the slowest engine.
    Dijkstra,
    /// HNA* over a hierarchy of nodes, which are groups of triangles (Pelechano and Fuentes 2016). Exact.
    Hna {
        /// The level to search. `None` selects the highest level at which start and goal are neither in the same
        /// node nor in adjacent nodes.
        level: Option<Level>,
    },
    /// A customizable contraction hierarchy over triangles. Exact, and the fastest engine.
    #[default]
    Contraction,
}

/// The error for a name that is not the name of a terrain engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no engine '{0}' for terrain; use contraction, astar, dijkstra, hna, hna:LEVEL or mesh"
)]
pub struct UnknownTerrainEngine(pub String);

/// The error for a query that a terrain cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TerrainEngineError {
    /// The terrain has no hierarchy.
    #[error(
        "{0} needs a hierarchy, and this terrain has none; build the terrain with `TerrainOptions::hierarchy`, or \
         add a hierarchy with `Terrain::with_hierarchy`"
    )]
    NoHierarchy(TerrainEngine),
    /// The terrain has no contraction.
    #[error(
        "{0} needs a contraction, and this terrain has none; build the terrain with \
         `TerrainOptions::contraction`, or add a contraction with `Terrain::with_contraction`"
    )]
    NoContraction(TerrainEngine),
    /// The hierarchy does not have the requested level.
    #[error("hna:{level}: there is no level {level}; the highest is {top}")]
    NoLevel {
        /// The requested level.
        level: Level,
        /// The highest level of the hierarchy.
        top: Level,
    },
    /// The engine does not support crowds.
    #[error("{0} does not support crowds; use the engine mesh")]
    NoCrowds(TerrainEngine),
    /// The engine does not support profiles.
    #[error("{0} does not support profiles; use contraction, astar or dijkstra")]
    NoProfiles(TerrainEngine),
    /// The profile was created for another terrain.
    #[error("the profile was created for {found} triangles, and this terrain has {expected}")]
    OtherProfile {
        /// The number of triangles that the profile was created for.
        found: usize,
        /// The number of triangles of the terrain.
        expected: usize,
    },
    /// The crowd was created for another terrain.
    #[error(
        "the crowd was created for {found} meshes, and this terrain has {expected}; create a crowd for its meshes"
    )]
    OtherCrowd {
        /// The number of meshes that the crowd was created for.
        found: usize,
        /// The number of meshes of the terrain.
        expected: usize,
    },
}

impl TerrainEngine {
    /// The engines that run on any terrain, whatever was built for it. [`Terrain::engines`](super::Terrain::engines)
    /// returns all engines that a particular terrain can run.
    pub const PLAIN: [Self; 3] = [Self::Mesh, Self::AStar, Self::Dijkstra];

    /// Returns whether this engine always finds a cheapest path.
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

    /// Parses `NAME` or `hna:LEVEL`.
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
    fn names_round_trip() {
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
    fn unknown_names_are_rejected() {
        for name in [
            "", ":", "fly", "Mesh", "mesh:1", "hna:", "hna:-1", "hna:256", "hna:1:2", "hna:+1",
        ] {
            let error = UnknownTerrainEngine(name.to_owned());
            assert_eq!(name.parse::<TerrainEngine>(), Err(error));
        }
    }
}
