//! Navmesh to nested levels: the hierarchy of HNA* (Pelechano and Fuentes; the thesis's algorithm 1)
//! by METIS.
//!
//! Bottom-up: the polygons are cut into about n / mu connected parts of about the same size with few
//! portals between them; each part is a node of level 1, and these are cut likewise. Each connected
//! component is cut by itself; one with less than two parts becomes one node, and stays it at all
//! levels above.
//!
//! And [orders](order()) for the contraction: top-down, the world is halved again and again by the
//! portals of a light cut, which come after those of either half. [`add_tier`] makes a contraction of any
//! quality tier in such an order.
//!
//! ```
//! use portolan_scenes::{WorldOptions, WorldScene};
//! use portolan_core::{Level, NavMesh, NavMeshOptions};
//! use portolan_index::{PartitionOptions, partition};
//!
//! let raw = WorldScene::Rooms.build(&WorldOptions::default());
//! let mesh = NavMesh::build(raw, &NavMeshOptions::default())?;
//! let partition = partition(&mesh, &PartitionOptions::default())?;
//! assert!((50..90).contains(&partition.node_count(Level(1))));
//!
//! // What one node holds gets consecutive numbers.
//! let order = partition.order();
//! let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
//! assert!(partition.nodes(Level(1)).is_sorted());
//! # drop(mesh);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![deny(unsafe_code)]
#![deny(missing_docs)]

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

pub use density::{Budget, choose_samples};
#[cfg(feature = "metis")]
pub use dissection::{dissect, dissect_weighted};
pub use error::PartitionFailure;
#[cfg(feature = "metis")]
pub use levels::{partition, partition_pairs, partition_watched};
pub use options::{OrderMethod, OrderOptions, PartitionOptions, Weights};
pub use order::{order, order_weighted};
pub use tiers::{TierOptions, add_tier, order_taut};
pub use vertices::order_points;
