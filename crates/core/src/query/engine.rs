//! The engines and their names.

use std::fmt;
use std::str::FromStr;

use super::Tier;
use crate::exact::ExactError;
use crate::ids::{Level, PolygonId};

/// A search algorithm. Engines that are documented as exact return the same cost: the minimum on the
/// world's own graph, up to rounding.
///
/// ```
/// use portolan_core::{Engine, Query, Tier};
///
/// let engine: Engine = "contraction:fast".parse()?;
/// assert_eq!(engine, Engine::Contraction(Tier::Fast));
/// let query = Query { engine, ..Query::new([0.0, 0.0, 0.0], [5.0, 0.0, 5.0]) };
/// assert!(query.engine.is_exact());
/// # Ok::<(), portolan_core::UnknownEngine>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The best engine that the world's index supports. At a taut tier that is the tier's contraction. At
    /// the fast tier it is the contraction, preceded by a short A* if start and goal are near; without a
    /// contraction it is HNA*, and without a hierarchy A*. All of these are exact at the fast tier. At the
    /// default tier it runs on any world: if the index lacks that tier, it behaves as at the fast tier,
    /// even if the index has the best tier. At the best tier and at the exact tier it requires that tier. If the
    /// index [prefers exact paths](crate::World::auto_is_exact), `auto` at the default tier uses the exact
    /// tier.
    Auto(Tier),
    /// A* with a Euclidean heuristic. Exact.
    AStar,
    /// Dijkstra's algorithm, written plainly. Exact and slow: the reference for the other engines.
    Dijkstra,
    /// A* whose paths cross each portal at the point closest to the previous point, the reference with
    /// which Pelechano and Fuentes 2016 (HNA*) compare lengths. Not exact, and its costs are not those of
    /// the graph.
    Closest,
    /// HNA*, the hierarchical search of Pelechano and Fuentes 2016. Exact.
    Hna {
        /// The level to search. As published, the whole mesh is searched if start and goal share a node.
        /// `None` chooses the highest level at which they are neither in the same node nor in neighbouring
        /// nodes, among the levels with a connect table, or among the lowest two levels if there are no
        /// tables.
        level: Option<Level>,
        /// How start and goal are connected. `None` uses the connect table if there is one, otherwise one
        /// Dijkstra search.
        connect: Option<Connect>,
    },
    /// A customizable contraction hierarchy (Dibbelt, Strasser and Wagner 2016). Exact at the fast tier.
    Contraction(Tier),
    /// Hub labels (Abraham, Delling, Goldberg and Werneck 2011), which are built for the world's default
    /// profile. Queries with another profile are answered by the contraction. Exact.
    Labels,
    /// HNA* with connecting paths that are precomputed from the centres of polygons (PCCP), as published by
    /// Rahmani and Pelechano 2020. Start and goal are connected as if they were at these centres. Not
    /// exact.
    Pccp {
        /// The level to search, chosen as for [`Engine::Hna`] if it is `None`.
        level: Option<Level>,
    },
}

/// How HNA* connects start and goal to the inter-edges of their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Connect {
    /// One A* search per inter-edge, as published.
    AStar,
    /// One A* search per inter-edge. The searches of start and goal are distributed together over the threads of the
    /// current rayon pool. Call it inside the pool ([`rayon::ThreadPool::install`]): from outside, each query waits for
    /// a thread of the pool, and adding it to the pool's queue can allocate.
    Parallel,
    /// One Dijkstra search that stops at the last inter-edge.
    Dijkstra,
    /// Precomputed paths from every vertex of the graph.
    Table,
}

impl Connect {
    /// All methods.
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

impl Default for Engine {
    fn default() -> Self {
        Self::Auto(Tier::default())
    }
}

/// A name that is not the name of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownEngine {
    /// No engine has this name.
    #[error(
        "there is no engine '{0}'; the engines are auto, contraction, labels, astar, dijkstra, closest, hna, hna:LEVEL, \
         hna:LEVEL:astar|parallel|dijkstra|table, pccp and pccp:LEVEL, each also with ':fast', auto and \
         contraction with ':default' and ':best', and auto with ':exact'"
    )]
    Name(String),
    /// The engine exists, but not with this tier.
    #[error(
        "there is no engine '{0}': only auto and contraction have tiers, and only auto has the tier exact; all others \
         search the graph of the tier fast"
    )]
    Tier(String),
}

/// The reason why a world cannot answer a query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The start or the goal of the query is on a polygon that was taken out of the mesh: see
    /// [`LiveWorld::replace`](crate::LiveWorld::replace).
    #[error("polygon {} is gone: it was replaced at run time", .0.0)]
    Gone(PolygonId),
    /// The query's costs were built for another world, or before a tier was added to this world.
    #[error(
        "the costs of this query were built for another world: call `World::costs` on this one"
    )]
    ForeignCosts,
    /// The query's costs were built by [`World::costs_for`](crate::World::costs_for) for other engines.
    #[error(
        "the costs of this query were not built for {0}: pass this engine to `World::costs_for`"
    )]
    CostsLack(Engine),
    /// The world has no hierarchy.
    #[error(
        "{0} needs a hierarchy, and this index has none: run `portolan index --engines hna,pccp`"
    )]
    NoHierarchy(Engine),
    /// The world has no contraction.
    #[error(
        "{0} needs a contraction, and this index has none: run `portolan index --engines contraction`"
    )]
    NoContraction(Engine),
    /// The world does not have the tier.
    #[error(
        "{engine} needs the tier '{}', and this index has {}: run `portolan index --tiers {}`",
        engine.tier(),
        match tiers[..] {
            [] => "none".to_owned(),
            _ => comma_separated(tiers),
        },
        comma_separated(&with_tier(tiers, engine.tier())),
    )]
    NoTier {
        /// The engine that was requested.
        engine: Engine,
        /// The tiers that the world has.
        tiers: Vec<Tier>,
    },
    /// Exact paths are not defined for the costs of this query.
    #[error("{engine} cannot answer for this agent: {reason}; use `auto`")]
    NotExact {
        /// The engine that was requested.
        engine: Engine,
        /// Why there is no exact path.
        reason: ExactError,
    },
    /// The world has no hub labels.
    #[error("{0} needs hub labels, and this index has none: run `portolan index --engines labels`")]
    NoLabels(Engine),
    /// The labels of a batch would exceed their limit.
    #[error(
        "labels would need {bytes} bytes, and the limit is {limit}: raise the limit, or use `contraction:fast`, which has \
         the same costs"
    )]
    LabelsTooLarge {
        /// The size of the labels; `usize::MAX` if the world is too large for them. [Units: bytes]
        bytes: usize,
        /// The limit. [Units: bytes]
        limit: usize,
    },
    /// There are obstacles, and the engine does not know them.
    #[error("{0} does not know obstacles: remove them, or use `auto`, `contraction` or `astar`")]
    Obstacles(Engine),
    /// The hierarchy has no such level.
    #[error("{engine}: there is no level {}; the highest is {top}", engine.level().unwrap_or(*top))]
    NoLevel {
        /// The engine that was requested.
        engine: Engine,
        /// The highest level.
        top: Level,
    },
    /// The world has no connect table for that level.
    #[error(
        "{engine} needs connect tables, and this index has {}: run `portolan index --engines hna,pccp` \
         (`--table-levels` sets the number of levels with tables)",
        match top.0 { 0 => "none".to_owned(), top => format!("them up to level {top}") }
    )]
    NoTable {
        /// The engine that was requested.
        engine: Engine,
        /// The highest level with a table; 0 means that there is none.
        top: Level,
    },
}

impl Engine {
    /// The engines that run on any world, the default first. [`World::engines`] lists all engines that a
    /// given world can run.
    ///
    /// [`World::engines`]: crate::World::engines
    pub const PLAIN: [Self; 3] = [Self::Auto(Tier::Default), Self::AStar, Self::Dijkstra];

    /// Returns the level that the engine names, if any.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Hna { level, .. } | Self::Pccp { level } => level,
            _ => None,
        }
    }

    /// Returns the tier whose graph the engine searches.
    pub fn tier(self) -> Tier {
        match self {
            Self::Auto(tier) | Self::Contraction(tier) => tier,
            _ => Tier::Fast,
        }
    }

    /// Returns whether the engine guarantees the minimum cost on the world's own graph on every world. The
    /// engine to which [`World::resolve_engine`](crate::World::resolve_engine) resolves `auto` may be exact
    /// even if `auto` is not.
    pub fn is_exact(self) -> bool {
        self.tier() == Tier::Fast && !matches!(self, Self::Closest | Self::Pccp { .. })
    }

    /// Returns this engine at another tier; `None` if it does not have that tier.
    fn at(self, tier: Tier) -> Option<Self> {
        match self {
            Self::Auto(_) => Some(Self::Auto(tier)),
            Self::Contraction(_) if tier != Tier::Exact => Some(Self::Contraction(tier)),
            _ => (tier == Tier::Fast).then_some(self),
        }
    }
}

/// Formats tiers as `--tiers` expects them.
fn comma_separated(tiers: &[Tier]) -> String {
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name()).collect();
    names.join(",")
}

/// Returns `tiers` with one more tier, in order.
fn with_tier(tiers: &[Tier], tier: Tier) -> Vec<Tier> {
    let is_included = |one: &Tier| *one == tier || tiers.contains(one);
    Tier::ALL.into_iter().filter(is_included).collect()
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, connect) = match *self {
            Self::Auto(_) => ("auto", None),
            Self::AStar => ("astar", None),
            Self::Dijkstra => ("dijkstra", None),
            Self::Closest => ("closest", None),
            Self::Contraction(_) => ("contraction", None),
            Self::Labels => ("labels", None),
            Self::Hna { connect, .. } => ("hna", connect),
            Self::Pccp { .. } => ("pccp", None),
        };
        f.write_str(name)?;
        if let Some(level) = self.level() {
            write!(f, ":{level}")?;
        }
        if let Some(connect) = connect {
            write!(f, ":{}", connect.name())?;
        }
        match *self {
            Self::Auto(tier) | Self::Contraction(tier) if tier != Tier::default() => {
                write!(f, ":{tier}")
            }
            _ => Ok(()),
        }
    }
}

impl FromStr for Engine {
    type Err = UnknownEngine;

    /// Parses `NAME[:LEVEL][:CONNECT][:TIER]`. Without a tier, `auto` and `contraction` use the default
    /// tier. All other engines use the fast tier, which may be given explicitly.
    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        let unknown = || UnknownEngine::Name(name.to_owned());
        let tiered = name.rsplit_once(':');
        let tiered = tiered.and_then(|(rest, tier)| Some((rest, tier.parse::<Tier>().ok()?)));
        let Some((rest, tier)) = tiered else {
            return parse(name).ok_or_else(unknown);
        };
        let engine = parse(rest).ok_or_else(unknown)?;
        let at_tier = engine.at(tier);
        at_tier.ok_or_else(|| UnknownEngine::Tier(name.to_owned()))
    }
}

/// Parses the name of an engine without a tier.
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
        ("auto", None, None) => Engine::Auto(Tier::default()),
        ("astar", None, None) => Engine::AStar,
        ("dijkstra", None, None) => Engine::Dijkstra,
        ("closest", None, None) => Engine::Closest,
        ("contraction", None, None) => Engine::Contraction(Tier::default()),
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
    fn names_round_trip() {
        let names = [
            "auto",
            "auto:fast",
            "auto:best",
            "auto:exact",
            "astar",
            "dijkstra",
            "closest",
            "contraction",
            "contraction:fast",
            "contraction:best",
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
        }
    }

    #[test]
    fn only_auto_and_contraction_have_tiers() {
        for name in ["auto", "contraction"] {
            let engine: Engine = name.parse().unwrap();
            assert_eq!(engine.tier(), Tier::Default);
            for tier in Tier::CONTRACTED {
                let tiered: Engine = format!("{name}:{tier}").parse().unwrap();
                assert_eq!(Some(tiered), engine.at(tier));
                assert_eq!(
                    (tiered.tier(), tiered.is_exact()),
                    (tier, tier == Tier::Fast)
                );
            }
        }
        for name in ["astar", "labels", "hna:2:table", "pccp:1"] {
            let engine: Engine = name.parse().unwrap();
            assert_eq!(engine.tier(), Tier::Fast);
            assert_eq!(format!("{name}:fast").parse(), Ok(engine));
            for tier in Tier::TAUT {
                let name = format!("{name}:{tier}");
                assert_eq!(name.parse::<Engine>(), Err(UnknownEngine::Tier(name)));
            }
        }
        assert!(Engine::Labels.is_exact());
        assert_eq!(Engine::default().to_string(), "auto");
    }

    #[test]
    fn other_names_are_rejected() {
        for name in [
            "",
            ":",
            "astar:1",
            "labels:1",
            "hna:",
            "hna:256",
            "hna:1:2",
            "hna:1:centres",
            "hna:1:table:table",
            "pccp:1:table",
            "hna:-1",
            "auto:worst",
            "auto:fast:fast",
            "auto:1:best",
            "best",
            ":best",
            "hna:best:2",
        ] {
            let expected = UnknownEngine::Name(name.to_owned());
            assert_eq!(name.parse::<Engine>(), Err(expected));
        }
    }

    #[test]
    fn a_missing_tier_error_says_which_command_builds_it() {
        let error = |engine, tiers: &[Tier]| {
            let tiers = tiers.to_vec();
            EngineError::NoTier { engine, tiers }.to_string()
        };
        assert_eq!(
            error(
                Engine::Contraction(Tier::Best),
                &[Tier::Fast, Tier::Default]
            ),
            "contraction:best needs the tier 'best', and this index has fast,default: run `portolan index --tiers \
             fast,default,best`"
        );
        assert_eq!(
            error(
                Engine::Contraction(Tier::Default),
                &[Tier::Fast, Tier::Best]
            ),
            "contraction needs the tier 'default', and this index has fast,best: run `portolan index --tiers \
             fast,default,best`"
        );
        assert_eq!(
            error(Engine::Auto(Tier::Best), &[]),
            "auto:best needs the tier 'best', and this index has none: run `portolan index --tiers best`"
        );
    }
}
