//! The order in which exporters write polygons.

use portolan_core::{NavMesh, PolygonId};

/// The polygons in the order of the names that their owner gave them, so that what came from a
/// file of numbered faces goes back in the order of that file.
pub(crate) fn by_user_id(mesh: &NavMesh) -> Vec<PolygonId> {
    let mut polygons: Vec<PolygonId> = mesh.polygons().collect();
    polygons.sort_by_key(|&polygon| (mesh.user_id(polygon), polygon));
    polygons
}
