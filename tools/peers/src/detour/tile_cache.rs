//! `DetourTileCache`, Detour's way to change the ground: the voxels of a tile stay in memory, and the polygons of every tile
//! that an obstacle touches are built again.

use std::rc::Rc;

use glam::Vec3;
use portolan_bake::BakeOptions;
use portolan_measure::Stopwatch;

use super::ffi::{Mesh, Query};
use super::tile_cache_ffi::{ObstacleRef, TileCache, TileCacheSize};
use super::{is_near, straightened};
use crate::peer::{Peer, PeerAnswer};
use crate::recast::LayeredGround;
use crate::welded::WeldedMesh;

/// The side of a cell. [Units: m] Walls are solid in every cell that they touch, so a cell has to be much narrower than a
/// door.
const CELL: f32 = 0.15;
/// The number of cells along a side of a tile, as in Recast's sample `Sample_TempObstacles`.
const SIDE: u16 = 48;
/// The number of layers per tile that there is room for.
const LAYERS: usize = 4;
/// The number of search nodes.
const NODES: usize = 65_535;
/// How far obstacles reach below and above the ground, which may slope. [Units: m]
pub(crate) const REACH: f32 = 2.0;

/// A tile cache with its navmesh.
#[derive(Debug)]
pub(crate) struct TileCachePeer {
    cache: TileCache,
    query: Query,
    snap: Vec3,
    build_ms: f64,
    /// The tiles that the last change built again.
    pub(crate) rebuilt: usize,
}

impl TileCachePeer {
    /// Builds the tiles of a ground.
    pub(crate) fn new(mesh: &WeldedMesh, snap: Vec3) -> Result<Self, String> {
        let options = BakeOptions {
            cell_size: CELL,
            ..BakeOptions::default()
        };
        let mut watch = Stopwatch::start();
        let ground = LayeredGround::new(mesh, options, SIDE)?;
        let metres = f32::from(SIDE) * CELL;
        let tiles = (ground.grid.x * ground.grid.y) as usize * LAYERS;
        let mesh = Rc::new(Mesh::grid(ground.low, [metres; 2], tiles)?);
        let size = TileCacheSize {
            low: ground.low,
            cell_size: CELL,
            cell_height: ground.options.cell_height,
            side: SIDE,
            tiles,
            agent_height: ground.options.agent_height,
            agent_climb: ground.options.agent_climb,
            max_edge_error: ground.options.max_edge_error,
        };
        let mut cache = TileCache::new(&size, Rc::clone(&mesh))?;
        for z in 0..ground.grid.y {
            for x in 0..ground.grid.x {
                for (index, layer) in ground.layers(x, z)?.iter().enumerate() {
                    cache.add([x, z], index, layer)?;
                }
                cache.build([x, z])?;
            }
        }
        Ok(Self {
            cache,
            query: Query::new(mesh, NODES)?,
            snap,
            build_ms: watch.lap_ms(),
            rebuilt: 0,
        })
    }

    /// Puts a disc on the ground, and returns when the navmesh has it.
    pub(crate) fn place_disc(&mut self, centre: Vec3, radius: f32) -> Result<ObstacleRef, String> {
        let foot = centre - Vec3::Y * REACH;
        let placed = self.cache.add_cylinder(foot, radius, 2.0 * REACH)?;
        self.rebuilt = self.cache.update()?;
        Ok(placed)
    }

    /// Puts a box on the ground around some points, and returns when the navmesh has it.
    pub(crate) fn place_box(&mut self, low: Vec3, high: Vec3) -> Result<ObstacleRef, String> {
        let reach = Vec3::Y * REACH;
        let placed = self.cache.add_box(low - reach, high + reach)?;
        self.rebuilt = self.cache.update()?;
        Ok(placed)
    }

    /// Removes an obstacle, and returns when the navmesh is without it.
    pub(crate) fn remove(&mut self, obstacle: ObstacleRef) -> Result<(), String> {
        self.cache.remove(obstacle)?;
        self.rebuilt = self.cache.update()?;
        Ok(())
    }
}

impl Peer for TileCachePeer {
    fn name(&self) -> &str {
        "DetourTileCache"
    }

    fn build_ms(&self) -> f64 {
        self.build_ms
    }

    fn bytes(&self) -> Option<usize> {
        None
    }

    fn query(&mut self, from: Vec3, to: Vec3, answer: &mut PeerAnswer) {
        answer.clear();
        let ends = [from, to].map(|point| {
            self.query
                .nearest(point, self.snap)
                .filter(|&(_, nearest)| is_near(point, nearest, self.snap))
        });
        straightened(&mut self.query, ends, answer, |_| None);
    }
}
