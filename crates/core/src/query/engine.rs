//! The engines by name.

use std::fmt;
use std::str::FromStr;

use super::Tier;
use crate::ids::Level;

/// A way to search. All give the same costs where they say `exact`: the least on the world's own graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// Whatever is best for the world. At a taut tier, that tier's contraction. At the fast tier the
    /// contraction where there is one, after a little A* where start and goal are near; else HNA* where
    /// there is a hierarchy, else A*: exact. At the default tier it runs on any world: where there is no
    /// such tier it does what it does at the fast one, whether or not there is the best one.
    Auto(Tier),
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
    /// A customizable contraction hierarchy. Exact at the fast tier.
    Contraction(Tier),
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

impl Default for Engine {
    fn default() -> Self {
        Self::Auto(Tier::default())
    }
}

/// A name that is no engine's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownEngine {
    /// Nobody's.
    #[error(
        "there is no engine '{0}'; this version has auto, contraction, labels, astar, dijkstra, closest, hna, hna:LEVEL, \
         hna:LEVEL:astar|parallel|dijkstra|table, pccp and pccp:LEVEL, each also with ':fast', and auto and \
         contraction with ':default' and ':best'"
    )]
    Name(String),
    /// An engine's with a tier that it does not have.
    #[error(
        "there is no engine '{0}': only auto and contraction have tiers, and others work on the graph of the \
         tier fast"
    )]
    Tier(String),
}

/// Why a query cannot be asked of a world.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The query's costs were made for another world, or before this one got another tier.
    #[error(
        "the costs of this query were made for another world; make them with `World::costs` of this one"
    )]
    ForeignCosts,
    /// The query's costs were made for other engines.
    #[error("the costs of this query were not made for {0}; name it in `World::costs_for`")]
    CostsLack(Engine),
    /// The world has no hierarchy.
    #[error("{0} needs a hierarchy, and this world has none; `portolan index` makes one")]
    NoHierarchy(Engine),
    /// The world has no contraction.
    #[error(
        "{0} needs a contraction, and this world has none; `portolan index --engines contraction` makes one"
    )]
    NoContraction(Engine),
    /// The world does not have the tier.
    #[error(
        "{engine} needs the tier '{}', and this {}; `portolan index --tiers {}` makes it",
        engine.tier(),
        match tiers[..] {
            [] => "world has none".to_owned(),
            _ => format!("index has {}", listed(tiers)),
        },
        listed(&with(tiers, engine.tier())),
    )]
    NoTier {
        /// The engine that was asked for.
        engine: Engine,
        /// The tiers that there are.
        tiers: Vec<Tier>,
    },
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
    pub const PLAIN: [Self; 3] = [Self::Auto(Tier::Default), Self::AStar, Self::Dijkstra];

    /// The level that it names.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Hna { level, .. } | Self::Pccp { level } => level,
            _ => None,
        }
    }

    /// The tier whose graph it searches.
    pub fn tier(self) -> Tier {
        match self {
            Self::Auto(tier) | Self::Contraction(tier) => tier,
            _ => Tier::Fast,
        }
    }

    /// Whether it promises the least cost on the world's own graph, whatever else the world has. What
    /// [`World::resolve_engine`](crate::World::resolve_engine) makes of `auto` may promise it where `auto`
    /// does not.
    pub fn is_exact(self) -> bool {
        !self.tier().is_taut() && !matches!(self, Self::Closest | Self::Pccp { .. })
    }

    /// The same engine at another tier; `None` where it does not have it.
    fn at(self, tier: Tier) -> Option<Self> {
        match self {
            Self::Auto(_) => Some(Self::Auto(tier)),
            Self::Contraction(_) => Some(Self::Contraction(tier)),
            _ => (tier == Tier::Fast).then_some(self),
        }
    }
}

/// Tiers as `--tiers` takes them.
fn listed(tiers: &[Tier]) -> String {
    let names: Vec<&str> = tiers.iter().map(|tier| tier.name()).collect();
    names.join(",")
}

/// Tiers and one more, in order.
fn with(tiers: &[Tier], tier: Tier) -> Vec<Tier> {
    let is_there = |one: &Tier| *one == tier || tiers.contains(one);
    Tier::ALL.into_iter().filter(is_there).collect()
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

    /// Reads `NAME[:LEVEL][:CONNECT][:TIER]`. `auto` and `contraction` are at the default tier unless they
    /// say otherwise; all others are at the fast one, and may say so.
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

/// An engine by its name without a tier.
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
    fn names_come_back() {
        let names = [
            "auto",
            "auto:fast",
            "auto:best",
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
    fn only_two_have_tiers() {
        for name in ["auto", "contraction"] {
            let engine: Engine = name.parse().unwrap();
            assert_eq!(engine.tier(), Tier::Default);
            for tier in Tier::ALL {
                let tiered: Engine = format!("{name}:{tier}").parse().unwrap();
                assert_eq!(Some(tiered), engine.at(tier));
                assert_eq!((tiered.tier(), tiered.is_exact()), (tier, !tier.is_taut()));
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
    fn other_names_are_refused() {
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
            let refused = UnknownEngine::Name(name.to_owned());
            assert_eq!(name.parse::<Engine>(), Err(refused));
        }
    }

    #[test]
    fn who_lacks_a_tier_is_told_how_to_get_it() {
        let error = |engine, tiers: &[Tier]| {
            let tiers = tiers.to_vec();
            EngineError::NoTier { engine, tiers }.to_string()
        };
        assert_eq!(
            error(
                Engine::Contraction(Tier::Best),
                &[Tier::Fast, Tier::Default]
            ),
            "contraction:best needs the tier 'best', and this index has fast,default; `portolan index --tiers \
             fast,default,best` makes it"
        );
        assert_eq!(
            error(
                Engine::Contraction(Tier::Default),
                &[Tier::Fast, Tier::Best]
            ),
            "contraction needs the tier 'default', and this index has fast,best; `portolan index --tiers \
             fast,default,best` makes it"
        );
        assert_eq!(
            error(Engine::Auto(Tier::Best), &[]),
            "auto:best needs the tier 'best', and this world has none; `portolan index --tiers best` makes it"
        );
    }
}
