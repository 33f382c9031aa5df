//! Many queries at once: paths, first waypoints or first portals for any number of agents.
//!
//! [`World::find_paths`](crate::World::find_paths) answers them on all cores and returns flat arrays. [`Agents`] share a
//! budget of queries per frame.
//!
//! ```
//! use portolan::batch::{BatchAnswers, BatchOptions, BatchQueries, Want};
//!
//! # fn example(world: &portolan::World) -> Result<(), portolan::Error> {
//! let queries = [[[0.0, 0.0, -5.0], [12.0, 0.0, 3.0]]].map(|pair| pair.map(Into::into));
//! let mut answers = BatchAnswers::default();
//! world.find_paths(BatchQueries::Points(&queries), &BatchOptions::new(Want::Next), &mut answers)?;
//! println!("walk to {}", answers.next[0]);
//! # Ok(())
//! # }
//! ```

pub use portolan_core::{
    AgentId, Agents, AgentsUpdate, BatchAnswers, BatchOptions, BatchQueries, Endpoints, FlatLists,
    FrameBudget, Want,
};
