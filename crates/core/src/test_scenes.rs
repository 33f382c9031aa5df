//! Scenes for unit tests. `portolan-scenes` is linked with another copy of this crate than the one under
//! test, so its raw meshes are copied field by field.

use portolan_scenes::{WorldOptions, WorldScene};

use crate::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};

/// Builds the navmesh of a scene.
pub(crate) fn mesh_of(scene: WorldScene, options: &WorldOptions) -> NavMesh {
    let scene_mesh = scene.build(options);
    let mut raw = RawNavMesh {
        vertices: scene_mesh.vertices,
        areas: scene_mesh.areas,
        flags: scene_mesh.flags,
        ids: scene_mesh.ids,
        ..RawNavMesh::default()
    };
    for corners in scene_mesh.polygons.iter() {
        raw.polygons.push(corners.iter().copied());
    }
    raw.links = (scene_mesh.links.into_iter())
        .map(|link| RawLink {
            start: link.start,
            end: link.end,
            polygons: link.polygons,
            snap: link.snap,
            cost: link.cost,
            both_ways: link.both_ways,
            area: link.area,
            flags: link.flags,
            id: link.id,
        })
        .collect();
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a valid scene")
}
