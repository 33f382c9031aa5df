//! The order in which exporters write polygons.

use portolan_core::{NavMesh, PolygonId};

/// Returns the polygons sorted by user id, so that polygons imported from a file are exported in the order of
/// that file.
pub(crate) fn by_user_id(mesh: &NavMesh) -> Vec<PolygonId> {
    let mut polygons: Vec<PolygonId> = mesh.polygons().collect();
    polygons.sort_by_key(|&polygon| (mesh.user_id(polygon), polygon));
    polygons
}
