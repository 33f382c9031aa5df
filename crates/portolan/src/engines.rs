//! The engines and their options.
//!
//! Most programs need nothing from this module: a [`Query`](crate::Query) uses [`Engine::Auto`] by default,
//! the best engine that the world's index supports. Use this module to compare engines, to choose another
//! quality tier, or to reproduce published results.
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
//! - Choosing an engine: [`Engine`] and [`Tier`]. [`World::engines`](crate::World::engines) lists the
//!   engines that a world can run.
//! - Building an index: [`HierarchyOptions`], [`OrderOptions`] and [`GraphOptions`] in
//!   [`IndexOptions`](crate::IndexOptions).
//! - Limiting a search: [`Limits`].
//! - Observing a search: [`Observer`].

pub use portolan_core::{
    BuildReport, BuildTimes, Connect, CostModel, Distance, Engine, EngineError, Event,
    GraphOptions, Limits, Observer, Samples, StepTimes, TableOptions, Terminal, Tier,
    UnknownEngine, UnknownTier,
};
pub use portolan_index::{
    HierarchyOptions, IndexError, OrderMethod, OrderOptions, PartitionOptions, Weights,
};
