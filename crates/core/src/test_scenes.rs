//! Scenes for unit tests. `portolan-scenes` makes raw meshes of the library that it is linked with, which
//! in a unit test is another copy of this crate, so they are copied field by field.

use portolan_scenes::{WorldOptions, WorldScene};

use crate::{NavMesh, NavMeshOptions, RawLink, RawNavMesh};

pub(crate) fn mesh_of(scene: WorldScene, options: &WorldOptions) -> NavMesh {
    let made = scene.build(options);
    let mut raw = RawNavMesh {
        vertices: made.vertices,
        areas: made.areas,
        flags: made.flags,
        ids: made.ids,
        ..RawNavMesh::default()
    };
    for corners in made.polygons.iter() {
        raw.polygons.push(corners.iter().copied());
    }
    raw.links = (made.links.into_iter())
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
    NavMesh::build(raw, &NavMeshOptions::default()).expect("a sound scene")
}
