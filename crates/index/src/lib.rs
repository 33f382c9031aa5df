//! Everything that queries need besides the mesh: [`build`] makes a world from a navmesh.
//!
//! The functions beside it are its stages, for people who assemble a world of parts of their own:
//!
//! - [`order()`] and its like make orders for the contraction. Top-down, the world is halved again and again
//!   by the portals of a light cut, which come after those of either half.
//! - `partition` (feature `metis`) makes the nested levels of HNA* (Pelechano and Fuentes; the thesis's
//!   algorithm 1). Bottom-up, the polygons are cut into about n / mu connected parts of about the same size
//!   with few portals between them; each part is a node of level 1, and these are cut in the same manner.
//!   Each connected component is cut by itself; one with less than two parts becomes one node, and stays it
//!   at all levels above.
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

// What one node holds gets consecutive numbers.
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
mod flow;
#[cfg(feature = "metis")]
mod graph;
#[cfg(feature = "metis")]
mod kway;
#[cfg(feature = "metis")]
mod levels;
mod minimum_degree;
mod multilevel;
mod options;
mod order;
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
pub use tiers::order_taut;
pub use vertices::order_points;
