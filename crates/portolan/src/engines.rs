//! Engines and their settings.
//!
//! For people who compare engines, need another quality tier, or reproduce the papers. Everybody else
//! gets the right engine without a word: a [`Query`](crate::Query) asks
//! [`Engine::Auto`], which is the best that the world's index has.
//!
//! ```
//! use portolan::engines::{Engine, Tier};
//!
//! let engine: Engine = "hna:2:table".parse()?;
//! assert_eq!(engine.to_string(), "hna:2:table");
//! assert_eq!(Engine::default(), Engine::Auto(Tier::Default));
//! # Ok::<(), portolan::engines::UnknownEngine>(())
//! ```
//!
//! - What to search with: [`Engine`], at a [`Tier`]; [`World::engines`](crate::World::engines) lists what
//!   a world can run.
//! - What to build: [`HierarchyOptions`], [`OrderOptions`], [`GraphOptions`] in
//!   [`IndexOptions`](crate::IndexOptions).
//! - When to give up: [`Limits`].
//! - What a search looks at: an [`Observer`].

pub use portolan_core::{
    BuildReport, BuildTimes, Connect, CostModel, Distance, Engine, EngineError, Event,
    GraphOptions, Limits, Observer, Samples, StepTimes, TableOptions, Terminal, Tier,
    UnknownEngine, UnknownTier,
};
pub use portolan_index::{
    HierarchyOptions, IndexError, OrderMethod, OrderOptions, PartitionOptions, Weights,
};
