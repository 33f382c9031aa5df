//! Safe wrappers around Detour's C++ objects. All unsafe code of this peer is in this module.
#![allow(unsafe_code, reason = "calls C++")]

use std::ptr::{self, NonNull};
use std::rc::Rc;

use glam::Vec3;
use recastnavigation_sys as dt;

use super::pieces::{EdgePart, MAX_CORNERS};
use super::tile::TileInput;

/// The maximum number of tiles in one cell of Detour's grid that a query visits.
pub(super) const MAX_TILES: usize = 32;

/// The maximum number of polygons of a tile, because neighbours are stored in 15 bits.
pub(super) const MAX_POLYGONS: usize = 0x7fff;

/// A reference to a Detour polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct PolygonRef(pub(super) dt::dtPolyRef);

impl PolygonRef {
    /// Returns the index of the tile and the index of the polygon in the tile.
    pub(super) fn indices(self) -> (usize, usize) {
        let tile = self.0 >> dt::DT_POLY_BITS & ((1 << dt::DT_TILE_BITS) - 1);
        let polygon = self.0 & ((1 << dt::DT_POLY_BITS) - 1);
        (tile as usize, polygon as usize)
    }
}

/// A `dtNavMesh` whose tiles are all layers of one cell of the grid.
#[derive(Debug)]
pub(super) struct Mesh {
    raw: NonNull<dt::dtNavMesh>,
    bytes: usize,
}

impl Mesh {
    /// Creates an empty navmesh between `low` and `high` with room for `tiles` tiles.
    pub(super) fn new(low: Vec3, high: Vec3, tiles: usize) -> Result<Self, String> {
        // The cell is larger than the navmesh, so that it contains every query point on the navmesh.
        let size = high - low + 2.0;
        Self::grid(low - 1.0, [size.x, size.z], tiles)
    }

    /// Creates an empty navmesh of cells with the given size, with room for `tiles` tiles in all cells together.
    pub(super) fn grid(corner: Vec3, cell: [f32; 2], tiles: usize) -> Result<Self, String> {
        // SAFETY: the call has no preconditions. It returns null or a constructed object that we own.
        let raw = NonNull::new(unsafe { dt::dtAllocNavMesh() }).ok_or("no memory for Detour")?;
        let mesh = Self {
            raw,
            bytes: size_of::<dt::dtNavMesh>() + tiles * size_of::<dt::dtMeshTile>(),
        };
        let params = dt::dtNavMeshParams {
            orig: corner.to_array(),
            tileWidth: cell[0],
            tileHeight: cell[1],
            maxTiles: tiles as i32,
            maxPolys: MAX_POLYGONS as i32,
        };
        // SAFETY: `raw` is constructed and not yet initialized, and `params` is only read during the call.
        check("init", unsafe { dt::dtNavMesh_init(raw.as_ptr(), &params) })?;
        Ok(mesh)
    }

    /// Returns the object of Detour.
    pub(super) fn raw(&self) -> *mut dt::dtNavMesh {
        self.raw.as_ptr()
    }

    /// Sets the flags of a polygon. A filter lets an agent enter it if one of them is included.
    pub(super) fn set_flags(&self, polygon: PolygonRef, flags: u16) -> Result<(), String> {
        // SAFETY: the navmesh is initialized. Detour checks the reference.
        let status = unsafe { dt::dtNavMesh_setPolyFlags(self.raw(), polygon.0, flags) };
        check("setPolyFlags", status)
    }

    /// Returns the memory of the navmesh and its tiles in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a tile with room for at least `links` links, and returns its index.
    pub(super) fn add(
        &mut self,
        input: &TileInput,
        layer: usize,
        links: usize,
    ) -> Result<usize, String> {
        let (data, size) = build(input, layer)?;
        let (data, size) = data.with_links(size, links);
        let mut tile = 0;
        // SAFETY: `data` contains `size` bytes from Detour's builder. With this flag, the navmesh takes ownership of
        // them if the call succeeds.
        let status = unsafe {
            let free = dt::dtTileFlags_DT_TILE_FREE_DATA as i32;
            dt::dtNavMesh_addTile(self.raw.as_ptr(), data.0, size, free, 0, &mut tile)
        };
        check("addTile", status)?;
        std::mem::forget(data);
        self.bytes += size as usize;
        let (index, _) = PolygonRef(tile).indices();
        let tile = self.tile(index);
        // SAFETY: the tile has as many vertices as its input, in one array of floats. There are no other references to
        // it, because `self` is borrowed mutably.
        unsafe {
            let vertices = (*tile).verts.cast::<[f32; 3]>();
            for (i, vertex) in input.vertices.iter().enumerate() {
                *vertices.add(i) = vertex.to_array();
            }
        }
        Ok(index)
    }

    /// Links an edge of one polygon, or a part of the edge, to another polygon. Polygons are given by the index of their
    /// tile and their index in it.
    pub(super) fn link(
        &mut self,
        from: (usize, usize),
        to: (usize, usize),
        part: &EdgePart,
        is_full_edge: bool,
    ) -> Result<(), String> {
        let target = self.reference(to);
        let tile = self.tile(from.0);
        // SAFETY: the tile is initialized and borrowed mutably through `self`. Indices of the free list and of polygons
        // (checked here) are in range. Detour aligns arrays to 4 bytes, but links need 8, so they are read and written
        // unaligned.
        unsafe {
            assert!(from.1 < (*(*tile).header).polyCount as usize, "a polygon");
            let polygon = (*tile).polys.add(from.1);
            let index = (*tile).linksFreeList;
            if index == dt::DT_NULL_LINK {
                return Err("Detour has no room for a link".to_owned());
            }
            let link = (*tile).links.add(index as usize);
            (*tile).linksFreeList = link.read_unaligned().next;
            link.write_unaligned(dt::dtLink {
                ref_: target.0,
                next: (*polygon).firstLink,
                edge: part.edge,
                side: if is_full_edge { 0xff } else { part.facing },
                bmin: part.span[0],
                bmax: part.span[1],
            });
            (*polygon).firstLink = index;
        }
        Ok(())
    }

    /// Returns all links of a polygon: target, edge, and the part of the edge unless it is the full edge.
    #[cfg(test)]
    pub(super) fn links(&self, of: (usize, usize)) -> Vec<(PolygonRef, u8, Option<[u8; 2]>)> {
        let mut links = Vec::new();
        let tile = self.tile(of.0);
        // SAFETY: as in `link`, but nothing is written.
        unsafe {
            assert!(of.1 < (*(*tile).header).polyCount as usize, "a polygon");
            let mut next = (*(*tile).polys.add(of.1)).firstLink;
            while next != dt::DT_NULL_LINK {
                let link = (*tile).links.add(next as usize).read_unaligned();
                let part = (link.side != 0xff).then_some([link.bmin, link.bmax]);
                links.push((PolygonRef(link.ref_), link.edge, part));
                next = link.next;
            }
        }
        links
    }

    /// Returns the reference of a polygon, given by the index of its tile and its index in it.
    pub(super) fn reference(&self, (tile, polygon): (usize, usize)) -> PolygonRef {
        let tile = self.tile(tile);
        // SAFETY: the tile belongs to this navmesh.
        let base = unsafe { dt::dtNavMesh_getPolyRefBase(self.raw.as_ptr(), tile) };
        PolygonRef(base | polygon as dt::dtPolyRef)
    }

    fn tile(&self, index: usize) -> *mut dt::dtMeshTile {
        // SAFETY: the navmesh is initialized, and the index is checked. Detour returns a const pointer, but the memory
        // is mutable.
        unsafe {
            assert!(index < dt::dtNavMesh_getMaxTiles(self.raw.as_ptr()) as usize);
            dt::dtNavMesh_getTile(self.raw.as_ptr(), index as i32).cast_mut()
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        // SAFETY: Detour allocated it and we own it. No query refers to it any more, because queries hold an `Rc` of
        // this navmesh.
        unsafe { dt::dtFreeNavMesh(self.raw.as_ptr()) }
    }
}

/// The bytes of a tile that has not been added to a navmesh yet.
struct TileBytes(*mut u8);

impl Drop for TileBytes {
    fn drop(&mut self) {
        // SAFETY: `dtAlloc` returned them, and they are not owned by anything else.
        unsafe { dt::dtFree(self.0.cast()) }
    }
}

impl TileBytes {
    /// Enlarges the tile to have room for at least `links` links.
    fn with_links(self, size: i32, links: usize) -> (Self, i32) {
        let align = |bytes: usize| bytes.next_multiple_of(4);
        // SAFETY: a tile consists of its header, vertices, polygons, links and the rest, each aligned to 4 bytes. Detour
        // finds them by the counts in the header. So the new tile is the old one with more space for links, which are
        // uninitialized until the tile is added.
        unsafe {
            let header = self.0.cast::<dt::dtMeshHeader>();
            let room = (*header).maxLinkCount as usize;
            if room >= links {
                return (self, size);
            }
            let before = align(size_of::<dt::dtMeshHeader>())
                + align(size_of::<[f32; 3]>() * (*header).vertCount as usize)
                + align(size_of::<dt::dtPoly>() * (*header).polyCount as usize);
            let old = before + align(size_of::<dt::dtLink>() * room);
            let new = before + align(size_of::<dt::dtLink>() * links);
            let rest = size as usize - old;
            let longer = dt::dtAlloc(new + rest, dt::dtAllocHint_DT_ALLOC_PERM).cast::<u8>();
            assert!(!longer.is_null(), "no memory for a tile");
            longer.write_bytes(0, new + rest);
            longer.copy_from_nonoverlapping(self.0, before);
            longer
                .add(new)
                .copy_from_nonoverlapping(self.0.add(old), rest);
            (*longer.cast::<dt::dtMeshHeader>()).maxLinkCount = links as i32;
            (Self(longer), (new + rest) as i32)
        }
    }
}

/// Builds a tile with Detour.
fn build(input: &TileInput, layer: usize) -> Result<(TileBytes, i32), String> {
    let flags = vec![super::OPEN; input.polygons.len()];
    let areas = vec![0; input.polygons.len()];
    // SAFETY: all zeros is a valid value for numbers and for pointers that may be null.
    let mut params: dt::dtNavMeshCreateParams = unsafe { std::mem::zeroed() };
    params.verts = input.cells.as_ptr().cast();
    params.vertCount = input.cells.len() as i32;
    params.polys = input.polygons.as_ptr().cast();
    params.polyFlags = flags.as_ptr();
    params.polyAreas = areas.as_ptr();
    params.polyCount = input.polygons.len() as i32;
    params.nvp = MAX_CORNERS as i32;
    if let Some(detail) = &input.detail {
        params.detailMeshes = detail.meshes.as_ptr().cast();
        params.detailVerts = detail.vertices.as_ptr().cast();
        params.detailVertsCount = detail.vertices.len() as i32;
        params.detailTris = detail.triangles.as_ptr().cast();
        params.detailTriCount = detail.triangles.len() as i32;
    }
    params.tileLayer = layer as i32;
    params.bmin = input.low.to_array();
    params.bmax = input.high.to_array();
    params.cs = input.cell;
    params.ch = input.cell;
    params.buildBvTree = true;
    let (mut data, mut size) = (ptr::null_mut(), 0);
    // SAFETY: the arrays have the lengths of the counts and outlive the call. Corners and neighbours are in range.
    // `U16Vec3`, `Vec3` and arrays have the layout of their elements in sequence.
    let built = unsafe { dt::dtCreateNavMeshData(&mut params, &mut data, &mut size) };
    if built {
        Ok((TileBytes(data), size))
    } else {
        Err("Detour rejects a tile".to_owned())
    }
}

/// A `dtNavMeshQuery` with the buffers of a query.
#[derive(Debug)]
pub(crate) struct Query {
    raw: NonNull<dt::dtNavMeshQuery>,
    mesh: Rc<Mesh>,
    nodes: usize,
    filter: dt::dtQueryFilter,
    corridor: Vec<dt::dtPolyRef>,
    corners: Vec<[f32; 3]>,
}

impl Query {
    /// Creates a query object with a pool of `nodes` search nodes.
    pub(super) fn new(mesh: Rc<Mesh>, nodes: usize) -> Result<Self, String> {
        // SAFETY: as in `Mesh::new`.
        let raw = NonNull::new(unsafe { dt::dtAllocNavMeshQuery() });
        let query = Self {
            raw: raw.ok_or("no memory for Detour")?,
            mesh,
            nodes,
            filter: dt::dtQueryFilter {
                m_areaCost: [1.0; 64],
                m_includeFlags: u16::MAX,
                m_excludeFlags: 0,
            },
            // A corridor has at most as many polygons as there are nodes, and each portal adds at most one corner, so
            // neither is ever truncated.
            corridor: vec![0; nodes + 1],
            corners: vec![[0.0; 3]; nodes + 3],
        };
        // SAFETY: `raw` is constructed, and `query.mesh` keeps the navmesh alive.
        let status = unsafe {
            let mesh = query.mesh.raw.as_ptr();
            dt::dtNavMeshQuery_init(query.raw.as_ptr(), mesh, nodes as i32)
        };
        check("query init", status)?;
        Ok(query)
    }

    /// Returns the object of Detour.
    pub(super) fn raw(&self) -> *mut dt::dtNavMeshQuery {
        self.raw.as_ptr()
    }

    /// Returns the filter, which allows all polygons.
    pub(super) fn filter(&self) -> *const dt::dtQueryFilter {
        &self.filter
    }

    /// Returns the memory of the node pools and the open list in bytes.
    pub(super) fn bytes(&self) -> usize {
        // With 64-bit references, a `dtNode` takes 32 bytes, plus 2 bytes for its `next`. The number of buckets is a
        // quarter of the nodes, rounded up to a power of two, with 2 bytes each. The open list has a pointer per node.
        // A second pool of 64 nodes is for short searches.
        let pool = |nodes: usize, buckets: usize| nodes * (32 + 2) + buckets * 2;
        size_of::<dt::dtNavMeshQuery>()
            + pool(self.nodes, (self.nodes / 4).next_power_of_two())
            + pool(64, 32)
            + (self.nodes + 1) * size_of::<usize>()
    }

    /// Returns the polygon nearest to a position within a box, and the nearest point on it.
    pub(super) fn nearest(&self, position: Vec3, snap: Vec3) -> Option<(PolygonRef, Vec3)> {
        let (position, snap) = (position.to_array(), snap.to_array());
        let mut polygon = 0;
        let mut point = [0.0; 3];
        // SAFETY: query and navmesh are initialized, and the arrays contain three floats each.
        let status = unsafe {
            dt::dtNavMeshQuery_findNearestPoly(
                self.raw.as_ptr(),
                position.as_ptr(),
                snap.as_ptr(),
                &self.filter,
                &mut polygon,
                point.as_mut_ptr(),
            )
        };
        let is_found = status & dt::DT_SUCCESS != 0 && polygon != 0;
        is_found.then_some((PolygonRef(polygon), point.into()))
    }

    /// Returns the corridor from one polygon to another, or to the nearest polygon that the search reached. It is empty
    /// if the search failed.
    pub(crate) fn corridor(
        &mut self,
        from: (PolygonRef, Vec3),
        to: (PolygonRef, Vec3),
    ) -> &[PolygonRef] {
        let (start, end) = (from.1.to_array(), to.1.to_array());
        let mut count = 0;
        // SAFETY: as in `nearest`, and `corridor` has the length that is passed. The search writes to the pools of the
        // query, which is borrowed mutably.
        let status = unsafe {
            dt::dtNavMeshQuery_findPath(
                self.raw.as_ptr(),
                from.0.0,
                to.0.0,
                start.as_ptr(),
                end.as_ptr(),
                &self.filter,
                self.corridor.as_mut_ptr(),
                &mut count,
                self.corridor.len() as i32,
            )
        };
        if status & dt::DT_SUCCESS == 0 {
            count = 0;
        }
        let polygons = &self.corridor[..count as usize];
        // SAFETY: `PolygonRef` is a transparent wrapper of `dtPolyRef`.
        unsafe { std::slice::from_raw_parts(polygons.as_ptr().cast(), polygons.len()) }
    }

    /// Returns the corners of the straight path through the first `count` polygons of the last corridor.
    pub(super) fn corners(&mut self, from: Vec3, to: Vec3, count: usize) -> &[[f32; 3]] {
        let corridor = &self.corridor[..count];
        let (start, end) = (from.to_array(), to.to_array());
        let mut corners = 0;
        // SAFETY: as in `nearest`, and `corners` has the length that is passed. Flags and references may be null.
        let status = unsafe {
            dt::dtNavMeshQuery_findStraightPath(
                self.raw.as_ptr(),
                start.as_ptr(),
                end.as_ptr(),
                corridor.as_ptr(),
                corridor.len() as i32,
                self.corners.as_mut_ptr().cast(),
                ptr::null_mut(),
                ptr::null_mut(),
                &mut corners,
                self.corners.len() as i32,
                0,
            )
        };
        if status & dt::DT_SUCCESS == 0 {
            corners = 0;
        }
        &self.corners[..corners as usize]
    }
}

impl Drop for Query {
    fn drop(&mut self) {
        // SAFETY: Detour allocated it and we own it.
        unsafe { dt::dtFreeNavMeshQuery(self.raw.as_ptr()) }
    }
}

pub(super) fn check(what: &str, status: dt::dtStatus) -> Result<(), String> {
    if status & dt::DT_SUCCESS != 0 {
        Ok(())
    } else {
        Err(format!("Detour's {what} failed with status {status:#x}"))
    }
}
