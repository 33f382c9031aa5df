//! Hands tiles that were baked again to a world that changes at run time.

use std::collections::HashMap;

use portolan_core::{Csr, NavMesh, PolygonId, RawLink, RawNavMesh, Replacement};

use crate::baked::POLYGONS_PER_TILE;
use crate::{BakeError, Baked, TileId};

impl Baked {
    /// Returns what to replace in a world that was built from an earlier state of this bake, after some of its tiles were
    /// [baked again](crate::rebake_tile): pass it to [`LiveWorld::replace`](portolan_core::LiveWorld::replace).
    /// `mesh` is that of the world's present snapshot, with the user ids of the bake.
    ///
    /// The polygons of the tiles are replaced, and also small islands of other tiles that come or go with them, so the result is the
    /// mesh of [`build_navmesh`](Self::build_navmesh). Links that end on new polygons are part of the replacement.
    ///
    /// # Errors
    /// [`BakeError::NoSuchTile`] if a tile does not exist, and the errors of [`build_navmesh`](Self::build_navmesh).
    pub fn replacement(&self, mesh: &NavMesh, tiles: &[TileId]) -> Result<Replacement, BakeError> {
        let count = self.grid().tiles();
        if let Some(&tile) = tiles.iter().find(|tile| tile.0 as usize >= count) {
            return Err(BakeError::NoSuchTile { tile, tiles: count });
        }
        let is_again = |user_id: u64| {
            let tile = match count {
                1 => 0,
                _ => user_id / POLYGONS_PER_TILE,
            };
            tiles.iter().any(|again| u64::from(again.0) == tile)
        };
        let baked = self.build_navmesh()?;
        let present = mesh.polygons().filter(|&polygon| !mesh.is_gone(polygon));
        let mut known: HashMap<u64, PolygonId> = HashMap::new();
        known.extend(present.map(|polygon| (mesh.user_id(polygon), polygon)));
        let mut kept: Vec<u64> = Vec::new();
        let is_new: Vec<bool> = baked
            .polygons()
            .map(|polygon| {
                let id = baked.user_id(polygon);
                let is_new = is_again(id) || !known.contains_key(&id);
                if !is_new {
                    kept.push(id);
                }
                is_new
            })
            .collect();
        for id in kept {
            known.remove(&id);
        }
        let mut remove: Vec<PolygonId> = known.into_values().collect();
        remove.sort_unstable();
        Ok(Replacement {
            remove,
            add: part_of(&baked, &is_new),
            options: self.navmesh_options(),
        })
    }
}

/// Returns some polygons of a mesh as a raw mesh, with all links that end on one of them.
fn part_of(mesh: &NavMesh, is_in: &[bool]) -> RawNavMesh {
    let all = mesh.to_raw(|polygon| is_in[polygon.index()]);
    let mut part = RawNavMesh {
        vertices: Vec::new(),
        polygons: Csr::new(),
        ..all
    };
    let mut index_of: HashMap<u32, u32> = HashMap::new();
    for corners in all.polygons.iter() {
        part.polygons.push(corners.iter().map(|&vertex| {
            *index_of.entry(vertex).or_insert_with(|| {
                part.vertices.push(all.vertices[vertex as usize]);
                part.vertices.len() as u32 - 1
            })
        }));
    }
    let mut rows = vec![None; is_in.len()];
    let chosen = mesh.polygons().filter(|polygon| is_in[polygon.index()]);
    for (row, polygon) in (0u32..).zip(chosen) {
        rows[polygon.index()] = Some(row);
    }
    let links = mesh.links().iter().map(|link| RawLink {
        start: link.ends[0],
        end: link.ends[1],
        polygons: link.polygons.map(|polygon| rows[polygon.index()]),
        cost: Some(link.cost),
        both_ways: link.both_ways,
        area: link.area,
        flags: link.flags,
        id: link.user_id,
        ..RawLink::default()
    });
    part.links = links
        .filter(|link| link.polygons.iter().any(Option::is_some))
        .collect();
    part
}
