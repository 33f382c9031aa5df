//! Adding a hierarchy with given costs to a world.

use super::World;
use crate::hierarchy::{Metric, PathTable, TableOptions};
use crate::partition::Partition;

/// A hierarchy with its costs.
#[derive(Clone, Debug)]
pub struct HierarchyParts {
    /// The partition of the polygons.
    pub partition: Partition,
    /// The connect tables that the hierarchy has.
    pub tables: TableOptions,
    /// [`Metric::arrays`] of the default profile.
    pub arrays: Vec<PathTable>,
}

impl World {
    /// Adds a hierarchy with its costs for the default profile. Returns `None` if it does not
    /// match the mesh.
    pub fn with_hierarchy_parts(mut self, parts: HierarchyParts) -> Option<Self> {
        let HierarchyParts {
            partition,
            tables,
            arrays,
        } = parts;
        let hierarchy = self.hierarchy_over(partition, &tables).ok()?;
        let is_symmetric = self.links_are_symmetric();
        let metric = Metric::from_arrays(
            &hierarchy,
            self.mesh.polygon_count(),
            &tables,
            is_symmetric,
            arrays.into_iter(),
        )?;
        self.hierarchy = Some(hierarchy);
        self.tables = tables;
        self.costs = self.costs.with_metric(metric);
        Some(self)
    }

    /// Returns the connect tables that the hierarchy has.
    pub fn table_options(&self) -> &TableOptions {
        &self.tables
    }
}
