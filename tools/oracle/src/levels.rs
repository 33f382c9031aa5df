//! Worlds with a hierarchy, for tests.

use portolan_core::{GraphOptions, NavMesh, Partition, Profile, TableOptions, World};

/// The options of a world with a hierarchy.
#[derive(Clone, Debug, Default)]
pub struct LevelsOptions {
    /// The options of the portal graph.
    pub graph: GraphOptions,
    /// The options of the connect tables.
    pub tables: TableOptions,
    /// The default profile of the world.
    pub profile: Profile,
}

/// Builds a world with a hierarchy over a partition. Polygons are renumbered by node.
///
/// # Panics
/// Panics if the partition does not belong to the mesh or the options are invalid.
pub fn with_levels(mesh: NavMesh, partition: Partition, options: &LevelsOptions) -> World {
    let order = partition.order();
    let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
    let world = World::new(mesh, &options.graph, &options.profile).expect("a graph");
    world
        .with_hierarchy(partition, &options.tables)
        .expect("a hierarchy within the limits")
}
