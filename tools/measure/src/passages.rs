//! Polygons where a door can be.

use portolan_core::{NavMesh, PolygonId};

/// Returns the polygons of the largest component that join exactly two others: the narrowest half of them, from the narrowest.
/// The width of a polygon is that of its narrower portal.
pub fn narrow_passages(mesh: &NavMesh) -> Vec<PolygonId> {
    let components = mesh.components();
    let largest = components.largest();
    let width = |polygon: PolygonId| {
        let portals = mesh.portals_of(polygon);
        let widths = portals.iter().map(|&portal| {
            let portal = mesh.portal(portal);
            portal.right.distance(portal.left)
        });
        (portals.len() == 2).then(|| widths.fold(f32::INFINITY, f32::min))
    };
    let mut passages: Vec<(f32, PolygonId)> = mesh
        .polygons()
        .filter(|&polygon| components.of(polygon) == largest)
        .filter_map(|polygon| Some((width(polygon)?, polygon)))
        .collect();
    passages.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    passages.truncate(passages.len().div_ceil(2));
    passages.into_iter().map(|(_, polygon)| polygon).collect()
}
