//! Hierarchies for worlds of the tests.

use portolan_core::{GraphOptions, NavMesh, Partition, Profile, TableOptions, World};

/// How a world with a hierarchy is made.
#[derive(Clone, Debug, Default)]
pub struct LevelsOptions {
    pub graph: GraphOptions,
    pub tables: TableOptions,
    pub profile: Profile,
}

/// A world with a hierarchy over a partition, its polygons numbered by node.
///
/// # Panics
/// When the parts do not belong together.
pub fn with_levels(mesh: NavMesh, partition: Partition, options: &LevelsOptions) -> World {
    let order = partition.order();
    let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
    let world = World::new(mesh, &options.graph, &options.profile).expect("a graph");
    world
        .with_hierarchy(partition, &options.tables)
        .expect("a small hierarchy")
}
