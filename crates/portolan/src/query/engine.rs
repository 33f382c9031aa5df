//! The engines by name.

use std::fmt;
use std::str::FromStr;

use crate::ids::Level;

/// A way to search. All give the same costs where they say `exact`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Whatever is best for the world: where it has a contraction, that, after a little A* where start
    /// and goal are near; else HNA* where it has a hierarchy, else A*. Exact.
    #[default]
    Auto,
    /// A* with a Euclidean heuristic. Exact.
    AStar,
    /// Dijkstra's algorithm, plainly written. Exact; slow; the measure of the others.
    Dijkstra,
    /// A* whose paths cross each portal at the point closest to where they come from: the reference
    /// that HNA*'s authors compare lengths with. Not exact, and on no graph's costs.
    Closest,
    /// HNA*. Exact.
    Hna {
        /// The level to search, as published: over the whole mesh where start and goal share a node.
        /// `None` is the highest at which they are neither in one node nor in neighbours, of those with
        /// a table, or of the lowest two where there are no tables.
        level: Option<Level>,
        /// `None` is the table where there is one, else one Dijkstra.
        connect: Option<Connect>,
    },
    /// A customizable contraction hierarchy. Exact.
    Contraction,
    /// Hub labels, which are for the world's default profile; the contraction answers for others, at
    /// the same costs. Exact.
    Labels,
    /// HNA* with connecting paths calculated beforehand from the centres of polygons, as published:
    /// start and goal are connected as if they stood there. Not exact.
    Pccp {
        /// As for HNA*.
        level: Option<Level>,
    },
}

/// How HNA* connects start and goal to the inter-edges of their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Connect {
    /// One A* an inter-edge, as published.
    AStar,
    /// The same on all threads of the pool.
    Parallel,
    /// One Dijkstra that stops at the last inter-edge.
    Dijkstra,
    /// By paths calculated beforehand, from every vertex of the graph.
    Table,
}

impl Connect {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::AStar, Self::Parallel, Self::Dijkstra, Self::Table];

    fn name(self) -> &'static str {
        match self {
            Self::AStar => "astar",
            Self::Parallel => "parallel",
            Self::Dijkstra => "dijkstra",
            Self::Table => "table",
        }
    }
}

/// A name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no engine '{0}'; this version has auto, contraction, labels, astar, dijkstra, closest, hna, hna:LEVEL, \
     hna:LEVEL:astar|parallel|dijkstra|table, pccp and pccp:LEVEL, each also with ':fast'"
)]
pub struct UnknownEngine(pub String);

/// An engine that a world cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The world has no hierarchy.
    #[error("{0} needs a hierarchy, and this world has none; `portolan index` makes one")]
    NoHierarchy(Engine),
    /// The world has no contraction.
    #[error(
        "{0} needs a contraction, and this world has none; `portolan index --engines contraction` makes one"
    )]
    NoContraction(Engine),
    /// The world has no hub labels.
    #[error(
        "{0} needs hub labels, and this world has none; `portolan index --engines labels` makes them"
    )]
    NoLabels(Engine),
    /// The level does not exist.
    #[error("{engine}: there is no level {}; the highest is {top}", engine.level().unwrap_or(*top))]
    NoLevel {
        /// The engine that was asked for.
        engine: Engine,
        /// The highest level.
        top: Level,
    },
    /// The world has no table for that level.
    #[error(
        "{engine} needs connect tables, and this world has {}; `portolan index --engines hna,pccp` makes \
         them, `--table-levels` says how many",
        match top.0 { 0 => "none".to_owned(), top => format!("them up to level {top}") }
    )]
    NoTable {
        /// The engine that was asked for.
        engine: Engine,
        /// The highest level with a table; 0 is none.
        top: Level,
    },
}

impl Engine {
    /// The engines that run on any world, the default first. [`World::engines`] are all that one can
    /// run.
    ///
    /// [`World::engines`]: crate::World::engines
    pub const PLAIN: [Self; 3] = [Self::Auto, Self::AStar, Self::Dijkstra];

    /// The level that it names.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Hna { level, .. } | Self::Pccp { level } => level,
            _ => None,
        }
    }

    /// Whether it promises the least cost on the graph.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Closest | Self::Pccp { .. })
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, connect) = match *self {
            Self::Auto => ("auto", None),
            Self::AStar => ("astar", None),
            Self::Dijkstra => ("dijkstra", None),
            Self::Closest => ("closest", None),
            Self::Contraction => ("contraction", None),
            Self::Labels => ("labels", None),
            Self::Hna { connect, .. } => ("hna", connect),
            Self::Pccp { .. } => ("pccp", None),
        };
        f.write_str(name)?;
        if let Some(level) = self.level() {
            write!(f, ":{level}")?;
        }
        connect.map_or(Ok(()), |connect| write!(f, ":{}", connect.name()))
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// Reads `NAME[:LEVEL][:CONNECT][:fast]`. The tier `fast` is the midpoint graph, the only one so
    /// far.
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        parse(name.strip_suffix(":fast").unwrap_or(name))
            .ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

fn parse(name: &str) -> Option<Engine> {
    let mut words = name.split(':').peekable();
    let first = words.next()?;
    let digits = |word: &&str| word.bytes().all(|b| b.is_ascii_digit()) && !word.is_empty();
    let level = words.next_if(digits).map(|word| word.parse().map(Level));
    let level = level.transpose().ok()?;
    let connect = match words.next() {
        None => None,
        Some(word) => Some(Connect::ALL.into_iter().find(|c| c.name() == word)?),
    };
    let engine = match (first, level, connect) {
        ("auto", None, None) => Engine::Auto,
        ("astar", None, None) => Engine::AStar,
        ("dijkstra", None, None) => Engine::Dijkstra,
        ("closest", None, None) => Engine::Closest,
        ("contraction", None, None) => Engine::Contraction,
        ("labels", None, None) => Engine::Labels,
        ("hna", level, connect) => Engine::Hna { level, connect },
        ("pccp", level, None) => Engine::Pccp { level },
        _ => return None,
    };
    words.next().is_none().then_some(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let names = [
            "auto",
            "astar",
            "dijkstra",
            "closest",
            "contraction",
            "labels",
            "hna",
            "hna:2",
            "hna:table",
            "hna:3:astar",
            "hna:1:parallel",
            "hna:12:dijkstra",
            "pccp",
            "pccp:2",
        ];
        for name in names {
            let engine: Engine = name.parse().unwrap();
            assert_eq!(engine.to_string(), name);
            assert_eq!(format!("{name}:fast").parse(), Ok(engine));
        }
    }

    #[test]
    fn other_names_are_refused() {
        for name in [
            "",
            ":",
            "astar:best",
            "astar:1",
            "labels:1",
            "hna:",
            "hna:256",
            "hna:1:2",
            "hna:1:centres",
            "hna:1:table:table",
            "pccp:1:table",
            "hna:-1",
        ] {
            assert!(name.parse::<Engine>().is_err(), "{name}");
        }
    }
}
