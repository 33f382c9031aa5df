//! Detour C++ on exactly the same polygons.
//!
//! Detour rounds corners to cells, finds neighbours across tiles by their borders, and numbers the polygons of a tile
//! with 15 bits. Here the rounded corners are overwritten with the exact ones, and the portals of the navmesh become
//! Detour's links. A navmesh that is too large for one tile is split into chunks of neighbouring polygons. All chunks
//! are layers of the same cell in Detour's grid of tiles, so that every query visits all of them. Detour allows 32
//! layers.
//!
//! All polygons cost the same here, and off-mesh links are left out.

mod calls;
mod ffi;
mod pieces;
mod tile;
mod tile_cache;
mod tile_cache_ffi;

#[cfg(test)]
#[path = "detour_test.rs"]
mod tests;

use std::rc::Rc;

use glam::Vec3;
use portolan_core::NavMesh;
use portolan_measure::Stopwatch;

use crate::peer::{Peer, PeerAnswer, PeerStatus};
pub(crate) use calls::{CallBuffers, Place};
pub(crate) use ffi::PolygonRef;
use ffi::{MAX_POLYGONS, MAX_TILES, Mesh, Query};
use pieces::PolygonPieces;
use tile::TileInput;
pub(crate) use tile_cache::{REACH, TileCachePeer};
pub(crate) use tile_cache_ffi::ObstacleRef;

/// The flags of polygons that agents may enter.
const OPEN: u16 = 1;

/// The name of Detour with enough search nodes for all queries. Other peers are compared with it.
pub(crate) const WITH_ALL_NODES: &str = "Detour, 65 535 nodes";

/// Builds Detour with its default of 2 048 search nodes and with the maximum, in this order. `snap` is half the size
/// of the box in which the polygon of a point is searched.
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

/// Detour's navmesh and the user ids of its polygons.
#[derive(Debug)]
struct Tiles {
    mesh: Rc<Mesh>,
    /// Per tile and polygon of the tile.
    user_ids: Vec<Vec<u64>>,
}

impl Tiles {
    /// Builds tiles with at most `limit` polygons each.
    fn of(mesh: &NavMesh, limit: usize) -> Result<Self, String> {
        if mesh.polygon_count() == 0 {
            return Err("no polygons".to_owned());
        }
        let pieces = PolygonPieces::of(mesh);
        let chunks = pieces.chunks(mesh, limit, MAX_TILES).ok_or_else(|| {
            let count = pieces.pieces.len();
            format!("{count} polygons need more than {MAX_TILES} tiles of {limit}")
        })?;

        // 1. Assign each piece to a tile and an index in it. Detour numbers tiles in the order in which they are added.
        let mut indices = vec![(0, 0); pieces.pieces.len()];
        for (tile, chunk) in chunks.iter().enumerate() {
            for (i, &piece) in chunk.iter().enumerate() {
                indices[piece as usize] = (tile, i);
            }
        }

        // 2. Detour links polygons of a tile that share a full edge. All other links are added in step 3.
        let mut inputs: Vec<TileInput> = chunks
            .iter()
            .map(|chunk| TileInput::new(mesh, &pieces, chunk))
            .collect();
        let mut links = vec![0; chunks.len()];
        let mut added_links = Vec::new();
        for shared in &pieces.shared_edges {
            let ends = shared.parts.map(|part| indices[part.piece as usize]);
            let is_added = !shared.is_full_edge || ends[0].0 != ends[1].0;
            for (i, part) in shared.parts.iter().enumerate() {
                let (from, to) = (ends[i], ends[1 - i]);
                links[from.0] += 1;
                if is_added {
                    added_links.push((from, to, part, shared.is_full_edge));
                } else {
                    inputs[from.0].set_neighbour(from.1, part.edge, to.1 as u16);
                }
            }
        }

        // 3. Add the tiles, then the remaining links.
        let bounds = mesh.bounds();
        let mut detour = Mesh::new(bounds.min, bounds.max, chunks.len())?;
        for (tile, input) in inputs.iter().enumerate() {
            let index = detour.add(input, tile, links[tile])?;
            assert_eq!(index, tile, "tiles are numbered as they are added");
        }
        for (from, to, part, is_full_edge) in added_links {
            detour.link(from, to, part, is_full_edge)?;
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

    fn user_id(&self, polygon: PolygonRef) -> u64 {
        let (tile, polygon) = polygon.indices();
        self.user_ids[tile][polygon]
    }
}

/// Detour with a certain number of search nodes.
#[derive(Debug)]
pub(crate) struct Detour {
    name: &'static str,
    build_ms: f64,
    snap: Vec3,
    query: Query,
    tiles: Rc<Tiles>,
}

impl Detour {
    /// Builds Detour with enough search nodes for all queries, and with tiles of its own.
    pub(crate) fn with_all_nodes(mesh: &NavMesh, snap: Vec3) -> Result<Self, String> {
        let tiles = Rc::new(Tiles::of(mesh, MAX_POLYGONS)?);
        Self::new(WITH_ALL_NODES, tiles, 65_535, snap)
    }

    fn new(name: &'static str, tiles: Rc<Tiles>, nodes: usize, snap: Vec3) -> Result<Self, String> {
        Ok(Self {
            name,
            build_ms: 0.0,
            snap,
            query: Query::new(Rc::clone(&tiles.mesh), nodes)?,
            tiles,
        })
    }

    /// Returns the pieces of a polygon.
    pub(crate) fn pieces_of(&self, user_id: u64) -> Vec<PolygonRef> {
        let tiles = self.tiles.user_ids.iter().enumerate();
        tiles
            .flat_map(|(tile, ids)| {
                let pieces = ids
                    .iter()
                    .enumerate()
                    .filter(move |&(_, &id)| id == user_id);
                pieces.map(move |(piece, _)| self.tiles.mesh.reference((tile, piece)))
            })
            .collect()
    }

    /// Closes or opens some pieces by their flags.
    pub(crate) fn set_closed(
        &mut self,
        pieces: &[PolygonRef],
        is_closed: bool,
    ) -> Result<(), String> {
        let flags = if is_closed { 0 } else { OPEN };
        pieces
            .iter()
            .try_for_each(|&piece| self.tiles.mesh.set_flags(piece, flags))
    }

    /// Locates a point. A point outside the box is ignored.
    fn locate(&self, position: Vec3) -> Option<(PolygonRef, Vec3)> {
        self.query
            .nearest(position, self.snap)
            .filter(|&(_, point)| is_near(position, point, self.snap))
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

    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        let mut watch = Stopwatch::start();
        let ends = [self.locate(from), self.locate(to)];
        answer.times.locate = watch.lap_ns();
        let tiles = Rc::clone(&self.tiles);
        straightened(&mut self.query, ends, answer, |polygon| {
            Some(tiles.user_id(polygon))
        });
    }
}

/// Searches from one location to another, and computes the corners.
fn straightened(
    query: &mut Query,
    ends: [Option<(PolygonRef, Vec3)>; 2],
    answer: &mut PeerAnswer,
    user_id: impl Fn(PolygonRef) -> Option<u64>,
) {
    let [Some(start), Some(goal)] = ends else {
        answer.status = PeerStatus::OffMesh;
        return;
    };
    let mut watch = Stopwatch::start();
    let corridor = query.corridor(start, goal);
    answer.times.corridor = watch.lap_ns();
    answer.status = match corridor.last() {
        None => return,
        Some(&last) if last == goal.0 => PeerStatus::Found,
        Some(_) => PeerStatus::Partial,
    };
    let user_ids = corridor.iter().filter_map(|&polygon| user_id(polygon));
    answer.polygons.extend(user_ids);
    // Consecutive pieces can belong to the same polygon.
    answer.polygons.dedup();
    let count = corridor.len();

    let corners = query.corners(start.1, goal.1, count);
    answer
        .waypoints
        .extend(corners.iter().map(|&corner| Vec3::from(corner)));
    answer.times.waypoints = watch.lap_ns();
}

/// Returns whether a point lies in the box around a position. Detour may return a point at the rim of a tile that does not.
fn is_near(position: Vec3, point: Vec3, snap: Vec3) -> bool {
    (point - position).abs().cmple(snap).all()
}

/// Detour for calls beside path-finding.
#[derive(Debug)]
pub(crate) struct DetourCalls(Detour);

impl DetourCalls {
    pub(crate) fn new(mesh: &NavMesh, snap: Vec3) -> Result<Self, String> {
        Detour::with_all_nodes(mesh, snap).map(Self)
    }

    /// Returns the polygon nearest to a position and the nearest point on it.
    pub(crate) fn locate(&self, position: Vec3) -> Option<Place> {
        self.0.locate(position)
    }

    pub(crate) fn query(&mut self) -> &mut Query {
        &mut self.0.query
    }
}
