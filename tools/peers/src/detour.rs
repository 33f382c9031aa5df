//! Detour C++, on the very same polygons.
//!
//! Detour builds tiles from whole cells, finds neighbours by tile borders, and counts polygons of a
//! tile with 15 bits. Here instead the corners are overwritten with the exact ones, and the
//! navmesh's own portals become Detour's links. A navmesh too large for one tile is cut into chunks
//! of neighbours, which are layers of one place in Detour's grid of tiles: so every query looks at
//! all of them, and 32 are the limit.
//!
//! All ground costs the same here, and off-mesh links are left out.

mod ffi;
mod pieces;
mod tile;

#[cfg(test)]
#[path = "detour_test.rs"]
mod tests;

use std::rc::Rc;

use glam::Vec3;
use portolan_core::NavMesh;
use portolan_measure::Stopwatch;

use crate::peer::{Answer, Peer, Status};
use ffi::{MAX_POLYGONS, MAX_TILES, Mesh, Query, Ref};
use pieces::Pieces;
use tile::TileInput;

/// Detour with so many nodes that it answers whatever we do: the one that others are held against.
pub(crate) const WITH_ALL_NODES: &str = "Detour, 65 535 nodes";

/// Detour with its default of 2 048 nodes and with the most it can have, in this order. `snap` is
/// half the size of the box in which a point looks for its polygon.
pub(crate) fn peers(mesh: &NavMesh, snap: Vec3) -> Result<Vec<Box<dyn Peer>>, String> {
    let mut watch = Stopwatch::start();
    let tiles = Rc::new(Tiles::of(mesh, MAX_POLYGONS)?);
    let tiles_ms = watch.lap_ms();
    let mut peers: Vec<Box<dyn Peer>> = Vec::new();
    for (name, nodes) in [("Detour, 2 048 nodes", 2048), (WITH_ALL_NODES, 65_535)] {
        let mut watch = Stopwatch::start();
        let mut detour = Detour::new(name, Rc::clone(&tiles), nodes, snap)?;
        detour.build_ms = tiles_ms + watch.lap_ms();
        peers.push(Box::new(detour));
    }
    Ok(peers)
}

/// Detour's navmesh and what its polygons are called.
#[derive(Debug)]
struct Tiles {
    mesh: Rc<Mesh>,
    /// By tile and polygon.
    user_ids: Vec<Vec<u64>>,
}

impl Tiles {
    /// With at most `limit` polygons a tile.
    fn of(mesh: &NavMesh, limit: usize) -> Result<Self, String> {
        if mesh.polygon_count() == 0 {
            return Err("no polygons".to_owned());
        }
        let pieces = Pieces::of(mesh);
        let chunks = pieces.chunks(mesh, limit, MAX_TILES).ok_or_else(|| {
            let count = pieces.pieces.len();
            format!("{count} polygons need more than {MAX_TILES} tiles of {limit}")
        })?;

        // 1. Which tile every piece is in, and where. Tiles are counted as they are added.
        let mut places = vec![(0, 0); pieces.pieces.len()];
        for (tile, chunk) in chunks.iter().enumerate() {
            for (i, &piece) in chunk.iter().enumerate() {
                places[piece as usize] = (tile, i);
            }
        }

        // 2. Whole edges within a tile are Detour's to link, the others ours.
        let mut inputs: Vec<TileInput> = chunks
            .iter()
            .map(|chunk| TileInput::new(mesh, &pieces, chunk))
            .collect();
        let mut links = vec![0; chunks.len()];
        let mut ours = Vec::new();
        for joint in &pieces.joints {
            let ends = joint.sides.map(|side| places[side.piece as usize]);
            let is_ours = !joint.is_whole || ends[0].0 != ends[1].0;
            for (i, side) in joint.sides.iter().enumerate() {
                let (from, to) = (ends[i], ends[1 - i]);
                links[from.0] += 1;
                if is_ours {
                    ours.push((from, to, side, joint.is_whole));
                } else {
                    inputs[from.0].join(from.1, side.edge, to.1 as u16);
                }
            }
        }

        // 3. The tiles, then the links between them.
        let bounds = mesh.bounds();
        let mut detour = Mesh::new(bounds.min, bounds.max, chunks.len())?;
        for (tile, input) in inputs.iter().enumerate() {
            let index = detour.add(input, tile, links[tile])?;
            assert_eq!(index, tile, "tiles are counted as they are added");
        }
        for (from, to, side, is_whole) in ours {
            detour.link(from, to, side, is_whole)?;
        }

        let user_id = |&piece: &u32| mesh.user_id(pieces.pieces[piece as usize].polygon);
        Ok(Self {
            mesh: Rc::new(detour),
            user_ids: chunks
                .iter()
                .map(|chunk| chunk.iter().map(user_id).collect())
                .collect(),
        })
    }

    fn bytes(&self) -> usize {
        self.mesh.bytes()
    }

    fn user_id(&self, polygon: Ref) -> u64 {
        let (tile, polygon) = polygon.place();
        self.user_ids[tile][polygon]
    }
}

/// Detour with a number of nodes.
#[derive(Debug)]
struct Detour {
    name: &'static str,
    build_ms: f64,
    snap: Vec3,
    query: Query,
    tiles: Rc<Tiles>,
}

impl Detour {
    fn new(name: &'static str, tiles: Rc<Tiles>, nodes: usize, snap: Vec3) -> Result<Self, String> {
        Ok(Self {
            name,
            build_ms: 0.0,
            snap,
            query: Query::new(Rc::clone(&tiles.mesh), nodes)?,
            tiles,
        })
    }

    /// Detour also offers what lies beyond the box but at the rim of some tile: that does not count.
    fn locate(&self, place: Vec3) -> Option<(Ref, Vec3)> {
        let near = |point: Vec3| (point - place).abs().cmple(self.snap).all();
        self.query
            .nearest(place, self.snap)
            .filter(|&(_, point)| near(point))
    }
}

impl Peer for Detour {
    fn name(&self) -> &str {
        self.name
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        Some(self.tiles.bytes() + self.query.bytes())
    }

    fn ask(&mut self, from: Vec3, to: Vec3, answer: &mut Answer) {
        answer.clear();
        let mut watch = Stopwatch::start();
        let ends = (self.locate(from), self.locate(to));
        answer.parts.locate = watch.lap_ns();
        let (Some(start), Some(goal)) = ends else {
            answer.status = Status::OffMesh;
            return;
        };

        let corridor = self.query.corridor(start, goal);
        answer.parts.corridor = watch.lap_ns();
        answer.status = match corridor.last() {
            None => return,
            Some(&last) if last == goal.0 => Status::Found,
            Some(_) => Status::Partial,
        };
        let user_ids = corridor.iter().map(|&polygon| self.tiles.user_id(polygon));
        answer.polygons.extend(user_ids);
        // Pieces of one polygon.
        answer.polygons.dedup();
        let count = corridor.len();

        let corners = self.query.corners(start.1, goal.1, count);
        answer
            .waypoints
            .extend(corners.iter().map(|&corner| Vec3::from(corner)));
        answer.parts.waypoints = watch.lap_ns();
    }
}
