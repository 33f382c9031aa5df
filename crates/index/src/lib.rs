//! Builds the index of a navmesh. [`build`] turns a navmesh into a world that answers queries fast.
//!
//! The other functions are the stages of [`build`], for callers who assemble a world themselves:
//!
//! - [`order()`], [`order_weighted`], [`order_taut`] and [`order_points`] compute orders for the
//!   contraction, top-down: nested dissection bisects the graph recursively by light cuts. The portals of a
//!   cut come after those of both halves.
//! - `partition` (feature `metis`) computes the nested levels of HNA* (Pelechano and Fuentes 2016),
//!   bottom-up: the polygons are cut into about n / mu connected parts of similar size with few portals
//!   between them. Each part is a node of level 1, and these nodes are cut in the same way. Each connected
//!   component is cut by itself. A component that is too small for two parts becomes one node, and remains
//!   one at all levels above.
#![cfg_attr(
    feature = "metis",
    doc = r#"
```
use portolan_core::{Level, NavMesh, NavMeshOptions};
use portolan_index::{PartitionOptions, partition};
use portolan_scenes::{WorldOptions, WorldScene};

let raw = WorldScene::Rooms.build(&WorldOptions::default());
let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
let partition = partition(&mesh, &PartitionOptions::default())?;
assert!((50..90).contains(&partition.node_count(Level(1))));

// Renumber the polygons, so that those of a node are consecutive.
let order = partition.order();
let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
assert!(partition.nodes(Level(1)).is_sorted());
# drop(mesh);
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod build;
mod cells;
mod cover;
mod density;
#[cfg(feature = "metis")]
mod dissection;
mod error;
mod exact;
mod flow;
#[cfg(feature = "metis")]
mod graph;
#[cfg(feature = "metis")]
mod kway;
#[cfg(feature = "metis")]
mod levels;
mod max_flow;
mod minimum_degree;
mod multilevel;
mod options;
mod order;
mod positions;
mod rebuild;
#[cfg(feature = "metis")]
mod split;
mod tiers;
mod vertices;

pub use build::build;
#[cfg(feature = "metis")]
pub use dissection::{dissect, dissect_weighted};
pub use error::IndexError;
#[cfg(feature = "metis")]
pub use levels::{partition, partition_pairs, partition_with_progress};
pub use options::{HierarchyOptions, IndexOptions, OrderMethod, OrderOptions};
pub use order::{order, order_weighted};
pub use portolan_core::PartitionOptions;
pub use portolan_core::Weights;
pub use positions::order_by_position;
pub use rebuild::indexer;
pub use tiers::order_taut;
pub use vertices::order_points;
