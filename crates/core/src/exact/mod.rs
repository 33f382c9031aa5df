//! Exact any-angle paths: the shortest path in plan, from two ends that look around and a graph of the corners
//! in between.
//!
//! The stages, in the order in which an index is built and queried:
//! - `plan`: the mesh in plan, portal by portal; `corners`: where paths can bend; `gates`: where they cannot
//!   lead;
//! - `sight`: what a point sees;
//! - `graph` and `dead_ends`: the taut graph of the corners; `labels`: its hub labels; `views`: the corners that each
//!   polygon sees;
//! - `search` and `hub_search`: the two methods of a query; `corridor` and `walk`: the polygons along the path that they
//!   find.
//!
//! Walls, holes and floors are those of the portals: a path leads from polygon to polygon through portals only,
//! and inside a polygon it is straight. The exact path is the shortest of all such paths, measured in (x, z).
//! `docs/exact.md` explains and measures the method.

mod corners;
mod corridor;
mod dead_ends;
mod gates;
mod graph;
mod hub_search;
mod index;
mod labels;
mod orientation;
mod parts;
mod plan;
mod scratch;
mod search;
mod sight;
mod views;
mod walk;

pub use index::{ExactError, ExactLimits, ExactMethod, ExactSize};
pub(crate) use index::{ExactIndex, Frame};
pub use labels::HubEntry;
use orientation::orientation;
pub use parts::ExactParts;
pub(crate) use scratch::ExactScratch;
pub use scratch::SearchWork;

/// The number that stands for no element.
const NONE: u32 = u32::MAX;
