//! A safe wrapper around `dtTileCache`. The unsafe code of tile caches is in this module.
#![allow(unsafe_code, reason = "calls C++")]

use std::ffi::c_void;
use std::ptr::{self, NonNull};
use std::rc::Rc;
use std::slice;

use glam::Vec3;
use recastnavigation_sys as dt;

use super::ffi::{Mesh, check};
use crate::recast::Layer;

/// The number of obstacles that there is room for. Detour looks through all of them after every tile.
const MAX_OBSTACLES: i32 = 128;

/// An obstacle of a tile cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObstacleRef(dt::dtObstacleRef);

/// The parameters of a tile cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct TileCacheSize {
    pub(super) low: Vec3,
    pub(super) cell_size: f32,
    pub(super) cell_height: f32,
    /// The cells of a side of a tile.
    pub(super) side: u16,
    pub(super) tiles: usize,
    pub(super) agent_height: f32,
    pub(super) agent_climb: f32,
    pub(super) max_edge_error: f32,
}

/// A `dtTileCache` that writes to a navmesh.
#[derive(Debug)]
pub(super) struct TileCache {
    raw: NonNull<dt::dtTileCache>,
    allocator: *mut dt::dtTileCacheAlloc,
    compressor: *mut dt::dtTileCacheCompressor,
    marker: *mut dt::dtTileCacheMeshProcess,
    mesh: Rc<Mesh>,
}

impl TileCache {
    pub(super) fn new(size: &TileCacheSize, mesh: Rc<Mesh>) -> Result<Self, String> {
        // SAFETY: the calls have no preconditions. The functions get null as their object, and do not use it.
        let cache = unsafe {
            Self {
                raw: NonNull::new(dt::dtAllocTileCache()).ok_or("no memory for a tile cache")?,
                allocator: dt::CreateDefaultTileCacheAlloc(),
                compressor: dt::CreateForwardedTileCacheCompressor(
                    ptr::null_mut(),
                    Some(max_compressed_size),
                    Some(compress),
                    Some(decompress),
                ),
                marker: dt::CreateForwardedTileCacheMeshProcess(ptr::null_mut(), Some(mark)),
                mesh,
            }
        };
        let params = dt::dtTileCacheParams {
            orig: size.low.to_array(),
            cs: size.cell_size,
            ch: size.cell_height,
            width: size.side.into(),
            height: size.side.into(),
            walkableHeight: size.agent_height,
            walkableRadius: 0.0,
            walkableClimb: size.agent_climb,
            maxSimplificationError: size.max_edge_error,
            maxTiles: size.tiles as i32,
            maxObstacles: MAX_OBSTACLES,
        };
        // SAFETY: the cache is constructed and not yet initialized. Allocator, compressor and marker are freed after it.
        let status = unsafe {
            dt::dtTileCache_init(
                cache.raw.as_ptr(),
                &params,
                cache.allocator,
                cache.compressor,
                cache.marker,
            )
        };
        check("tile cache", status)?;
        Ok(cache)
    }

    /// Adds a layer of the tile at a position of the grid.
    pub(super) fn add(&mut self, at: [i32; 2], index: usize, layer: &Layer) -> Result<(), String> {
        let byte = |value: i32| u8::try_from(value).map_err(|_| "a tile is too large".to_owned());
        let [min_x, max_x, min_y, max_y] = layer.used.map(byte);
        let mut header = dt::dtTileCacheLayerHeader {
            magic: dt::DT_TILECACHE_MAGIC,
            version: dt::DT_TILECACHE_VERSION,
            tx: at[0],
            ty: at[1],
            tlayer: index as i32,
            bmin: layer.low.to_array(),
            bmax: layer.high.to_array(),
            hmin: layer.heights_range[0] as u16,
            hmax: layer.heights_range[1] as u16,
            width: byte(layer.size[0])?,
            height: byte(layer.size[1])?,
            minx: min_x?,
            maxx: max_x?,
            miny: min_y?,
            maxy: max_y?,
        };
        let (mut bytes, mut size) = (ptr::null_mut(), 0);
        // SAFETY: the arrays have a byte per cell of the header's size. The cache takes ownership of the bytes if `addTile`
        // succeeds.
        unsafe {
            let built = dt::dtBuildTileCacheLayer(
                self.compressor,
                &mut header,
                layer.heights.as_ptr(),
                layer.areas.as_ptr(),
                layer.connections.as_ptr(),
                &mut bytes,
                &mut size,
            );
            check("tile cache layer", built)?;
            let free = dt::dtCompressedTileFlags_DT_COMPRESSEDTILE_FREE_DATA as u8;
            let added =
                dt::dtTileCache_addTile(self.raw.as_ptr(), bytes, size, free, ptr::null_mut());
            check("addTile", added).inspect_err(|_| dt::dtFree(bytes.cast()))
        }
    }

    /// Builds the navmesh of all layers of a tile.
    pub(super) fn build(&mut self, at: [i32; 2]) -> Result<(), String> {
        // SAFETY: the cache and the navmesh are initialized, and no query runs.
        let status = unsafe {
            dt::dtTileCache_buildNavMeshTilesAt(self.raw.as_ptr(), at[0], at[1], self.mesh.raw())
        };
        check("buildNavMeshTilesAt", status)
    }

    /// Requests a cylinder.
    pub(super) fn add_cylinder(
        &mut self,
        foot: Vec3,
        radius: f32,
        height: f32,
    ) -> Result<ObstacleRef, String> {
        let mut added = 0;
        // SAFETY: the cache is initialized, and a point is three floats.
        let status = unsafe {
            let foot = foot.to_array();
            let cache = self.raw.as_ptr();
            dt::dtTileCache_addObstacle(cache, foot.as_ptr(), radius, height, &mut added)
        };
        check("addObstacle", status)?;
        Ok(ObstacleRef(added))
    }

    /// Requests a box along the axes.
    pub(super) fn add_box(&mut self, low: Vec3, high: Vec3) -> Result<ObstacleRef, String> {
        let mut added = 0;
        // SAFETY: as in `add_cylinder`.
        let status = unsafe {
            let (low, high) = (low.to_array(), high.to_array());
            let cache = self.raw.as_ptr();
            dt::dtTileCache_addBoxObstacle(cache, low.as_ptr(), high.as_ptr(), &mut added)
        };
        check("addBoxObstacle", status)?;
        Ok(ObstacleRef(added))
    }

    /// Requests that an obstacle is removed.
    pub(super) fn remove(&mut self, obstacle: ObstacleRef) -> Result<(), String> {
        // SAFETY: the cache is initialized. Detour checks the reference.
        let status = unsafe { dt::dtTileCache_removeObstacle(self.raw.as_ptr(), obstacle.0) };
        check("removeObstacle", status)
    }

    /// Makes all requested changes. Returns the number of tiles that were built again.
    pub(super) fn update(&mut self) -> Result<usize, String> {
        let mut tiles = 0;
        loop {
            let mut is_up_to_date = false;
            // SAFETY: as in `build`.
            let status = unsafe {
                let mesh = self.mesh.raw().cast();
                dt::dtTileCache_update(self.raw.as_ptr(), 0.0, mesh, &mut is_up_to_date)
            };
            check("update", status)?;
            tiles += 1;
            if is_up_to_date {
                return Ok(tiles);
            }
        }
    }
}

impl Drop for TileCache {
    fn drop(&mut self) {
        // SAFETY: all of them were allocated in `new`, and the cache, which refers to the others, goes first.
        unsafe {
            dt::dtFreeTileCache(self.raw.as_ptr());
            dt::DeleteTileCacheMeshProcess(self.marker);
            dt::DeleteTileCacheCompressor(self.compressor);
            dt::DeleteTileCacheAlloc(self.allocator);
        }
    }
}

// The compressor only copies. Recast's sample compresses with FastLZ, whose decompression this saves.

unsafe extern "C" fn max_compressed_size(_: *mut c_void, size: i32) -> i32 {
    size
}

unsafe extern "C" fn compress(
    _: *mut c_void,
    from: *const u8,
    size: i32,
    to: *mut u8,
    max_size: i32,
    written: *mut i32,
) -> dt::dtStatus {
    if size > max_size {
        return dt::DT_FAILURE | dt::DT_BUFFER_TOO_SMALL;
    }
    // SAFETY: Detour passes two buffers of these sizes, which do not overlap.
    unsafe {
        ptr::copy_nonoverlapping(from, to, size as usize);
        *written = size;
    }
    dt::DT_SUCCESS
}

unsafe extern "C" fn decompress(
    object: *mut c_void,
    from: *const u8,
    size: i32,
    to: *mut u8,
    max_size: i32,
    written: *mut i32,
) -> dt::dtStatus {
    // SAFETY: as in `compress`.
    unsafe { compress(object, from, size, to, max_size, written) }
}

/// Gives all polygons of a new tile the area 0 and the flag that lets agents enter.
unsafe extern "C" fn mark(
    _: *mut c_void,
    params: *mut dt::dtNavMeshCreateParams,
    areas: *mut u8,
    flags: *mut u16,
) {
    // SAFETY: Detour passes an area and flags per polygon.
    unsafe {
        let count = (*params).polyCount as usize;
        slice::from_raw_parts_mut(areas, count).fill(0);
        slice::from_raw_parts_mut(flags, count).fill(super::OPEN);
    }
}
