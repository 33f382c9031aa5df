//! Detour's C++ behind two types that free what they own. All of the peer's unsafe code is here.
#![allow(unsafe_code, reason = "C++ is called")]

use std::ptr::{self, NonNull};
use std::rc::Rc;

use glam::Vec3;
use recastnavigation_sys as dt;

use super::pieces::{MAX_CORNERS, Side};
use super::tile::TileInput;

/// Tiles at one place of Detour's grid that a query looks at.
pub(super) const MAX_TILES: usize = 32;

/// Polygons of a tile: their neighbours have 15 bits.
pub(super) const MAX_POLYGONS: usize = 0x7fff;

/// A polygon of Detour's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(super) struct Ref(dt::dtPolyRef);

impl Ref {
    /// The index of its tile and its index there.
    pub(super) fn place(self) -> (usize, usize) {
        let tile = self.0 >> dt::DT_POLY_BITS & ((1 << dt::DT_TILE_BITS) - 1);
        let polygon = self.0 & ((1 << dt::DT_POLY_BITS) - 1);
        (tile as usize, polygon as usize)
    }
}

/// A `dtNavMesh`, all tiles of which are layers of one place in the grid.
#[derive(Debug)]
pub(super) struct Mesh {
    raw: NonNull<dt::dtNavMesh>,
    bytes: usize,
}

impl Mesh {
    /// An empty one with room for `tiles` of them between `low` and `high`.
    pub(super) fn new(low: Vec3, high: Vec3, tiles: usize) -> Result<Self, String> {
        // SAFETY: the call has no conditions; it gives null or a constructed object, which is ours.
        let raw = NonNull::new(unsafe { dt::dtAllocNavMesh() }).ok_or("no memory for Detour")?;
        let mesh = Self {
            raw,
            bytes: size_of::<dt::dtNavMesh>() + tiles * size_of::<dt::dtMeshTile>(),
        };
        // The one place is larger than the navmesh, so that it is found from anywhere on it.
        let size = high - low + 2.0;
        let params = dt::dtNavMeshParams {
            orig: (low - 1.0).to_array(),
            tileWidth: size.x,
            tileHeight: size.z,
            maxTiles: tiles as i32,
            maxPolys: MAX_POLYGONS as i32,
        };
        // SAFETY: `raw` is constructed and not yet initialised; `params` is only read in the call.
        check("init", unsafe { dt::dtNavMesh_init(raw.as_ptr(), &params) })?;
        Ok(mesh)
    }

    /// Bytes of the navmesh and its tiles.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds a tile with room for `links` links at least, and gives its index.
    pub(super) fn add(
        &mut self,
        input: &TileInput,
        layer: usize,
        links: usize,
    ) -> Result<usize, String> {
        let (data, size) = build(input, layer)?;
        let (data, size) = data.with_links(size, links);
        let mut tile = 0;
        // SAFETY: `data` holds `size` bytes that Detour's own builder laid out. With this flag the
        // navmesh frees them, if it takes them.
        let status = unsafe {
            let free = dt::dtTileFlags_DT_TILE_FREE_DATA as i32;
            dt::dtNavMesh_addTile(self.raw.as_ptr(), data.0, size, free, 0, &mut tile)
        };
        check("addTile", status)?;
        std::mem::forget(data);
        self.bytes += size as usize;
        let (index, _) = Ref(tile).place();
        let tile = self.tile(index);
        // SAFETY: the tile has as many vertices as its input, in one array of floats that nobody
        // else refers to, as we hold the navmesh alone.
        unsafe {
            let vertices = (*tile).verts.cast::<[f32; 3]>();
            for (i, vertex) in input.vertices.iter().enumerate() {
                *vertices.add(i) = vertex.to_array();
            }
        }
        Ok(index)
    }

    /// Links one polygon's edge, or the part of it, to another polygon. Both are given by their
    /// tiles and indices there. `is_whole`: the edge as a whole.
    pub(super) fn link(
        &mut self,
        from: (usize, usize),
        to: (usize, usize),
        side: &Side,
        is_whole: bool,
    ) -> Result<(), String> {
        let target = self.reference(to);
        let tile = self.tile(from.0);
        // SAFETY: the tile is initialised, and ours alone. Indices of the free list and of polygons
        // (checked here) are within their arrays. Detour aligns arrays to 4 bytes, links want 8:
        // hence the unaligned reads and writes.
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
                edge: side.edge,
                side: if is_whole { 0xff } else { side.facing },
                bmin: side.span[0],
                bmax: side.span[1],
            });
            (*polygon).firstLink = index;
        }
        Ok(())
    }

    /// All links of a polygon: target, edge, whether it is a part of the edge, and which.
    #[cfg(test)]
    pub(super) fn links(&self, of: (usize, usize)) -> Vec<(Ref, u8, Option<[u8; 2]>)> {
        let mut links = Vec::new();
        let tile = self.tile(of.0);
        // SAFETY: as in `link`; nothing is written.
        unsafe {
            assert!(of.1 < (*(*tile).header).polyCount as usize, "a polygon");
            let mut next = (*(*tile).polys.add(of.1)).firstLink;
            while next != dt::DT_NULL_LINK {
                let link = (*tile).links.add(next as usize).read_unaligned();
                let part = (link.side != 0xff).then_some([link.bmin, link.bmax]);
                links.push((Ref(link.ref_), link.edge, part));
                next = link.next;
            }
        }
        links
    }

    fn reference(&self, (tile, polygon): (usize, usize)) -> Ref {
        let tile = self.tile(tile);
        // SAFETY: the tile is one of this navmesh.
        let base = unsafe { dt::dtNavMesh_getPolyRefBase(self.raw.as_ptr(), tile) };
        Ref(base | polygon as dt::dtPolyRef)
    }

    fn tile(&self, index: usize) -> *mut dt::dtMeshTile {
        // SAFETY: the navmesh is initialised; the index is checked. Detour gives it as const, its
        // memory is not.
        unsafe {
            assert!(index < dt::dtNavMesh_getMaxTiles(self.raw.as_ptr()) as usize);
            dt::dtNavMesh_getTile(self.raw.as_ptr(), index as i32).cast_mut()
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        // SAFETY: allocated by Detour, owned by us, and any query that refers to it is gone: it
        // holds an `Rc` of this.
        unsafe { dt::dtFreeNavMesh(self.raw.as_ptr()) }
    }
}

/// A tile's bytes before a navmesh has taken them.
struct TileBytes(*mut u8);

impl Drop for TileBytes {
    fn drop(&mut self) {
        // SAFETY: from `dtAlloc`, and nobody else has them.
        unsafe { dt::dtFree(self.0.cast()) }
    }
}

impl TileBytes {
    /// The same tile with room for `links` links at least.
    fn with_links(self, size: i32, links: usize) -> (Self, i32) {
        let align = |bytes: usize| bytes.next_multiple_of(4);
        // SAFETY: the tile begins with its header, then come vertices, polygons, links and the
        // rest, each aligned to 4 bytes; Detour finds them by the header's counts. So the new tile
        // is the old one with a longer hole for the links, which are empty until it is added.
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

/// Has Detour build a tile.
fn build(input: &TileInput, layer: usize) -> Result<(TileBytes, i32), String> {
    let flags = vec![1; input.polygons.len()];
    let areas = vec![0; input.polygons.len()];
    // SAFETY: all zeros is a valid value: numbers and pointers that may be null.
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
    // SAFETY: the lists are as long as the counts say, and outlive the call; corners and neighbours
    // are in range. `U16Vec3`, `Vec3` and arrays are their elements in a row.
    let built = unsafe { dt::dtCreateNavMeshData(&mut params, &mut data, &mut size) };
    if built {
        Ok((TileBytes(data), size))
    } else {
        Err("Detour refuses a tile".to_owned())
    }
}

/// A `dtNavMeshQuery` with the memory that a query needs.
#[derive(Debug)]
pub(super) struct Query {
    raw: NonNull<dt::dtNavMeshQuery>,
    mesh: Rc<Mesh>,
    nodes: usize,
    filter: dt::dtQueryFilter,
    corridor: Vec<dt::dtPolyRef>,
    corners: Vec<[f32; 3]>,
}

impl Query {
    /// With a pool of `nodes` search nodes.
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
            // A corridor has no more polygons than there are nodes, and each portal gives one
            // corner at most: neither is ever cut short.
            corridor: vec![0; nodes + 1],
            corners: vec![[0.0; 3]; nodes + 3],
        };
        // SAFETY: `raw` is constructed; `query.mesh` keeps the navmesh for as long as it.
        let status = unsafe {
            let mesh = query.mesh.raw.as_ptr();
            dt::dtNavMeshQuery_init(query.raw.as_ptr(), mesh, nodes as i32)
        };
        check("query init", status)?;
        Ok(query)
    }

    /// Bytes of the node pool and the open list.
    pub(super) fn bytes(&self) -> usize {
        // A `dtNode` is 32 bytes with references of 64 bits; each has a `next` of 2 bytes; a
        // quarter of them rounded up to a power of two are the buckets, of 2 bytes; the open list
        // has a pointer each. A second pool of 64 nodes is for short searches.
        let pool = |nodes: usize, buckets: usize| nodes * (32 + 2) + buckets * 2;
        size_of::<dt::dtNavMeshQuery>()
            + pool(self.nodes, (self.nodes / 4).next_power_of_two())
            + pool(64, 32)
            + (self.nodes + 1) * size_of::<usize>()
    }

    /// The polygon nearest to a place within a box, and the point on it.
    pub(super) fn nearest(&self, place: Vec3, snap: Vec3) -> Option<(Ref, Vec3)> {
        let (place, snap) = (place.to_array(), snap.to_array());
        let mut polygon = 0;
        let mut point = [0.0; 3];
        // SAFETY: query and navmesh are initialised; the arrays hold three floats each.
        let status = unsafe {
            dt::dtNavMeshQuery_findNearestPoly(
                self.raw.as_ptr(),
                place.as_ptr(),
                snap.as_ptr(),
                &self.filter,
                &mut polygon,
                point.as_mut_ptr(),
            )
        };
        let is_found = status & dt::DT_SUCCESS != 0 && polygon != 0;
        is_found.then_some((Ref(polygon), point.into()))
    }

    /// The corridor from one polygon to another, or as near as the search came; empty where it
    /// failed.
    pub(super) fn corridor(&mut self, from: (Ref, Vec3), to: (Ref, Vec3)) -> &[Ref] {
        let (start, end) = (from.1.to_array(), to.1.to_array());
        let mut count = 0;
        // SAFETY: as in `nearest`; `corridor` has as many places as it says. The search writes to
        // the pools of the query, which we hold alone.
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
        // SAFETY: a `Ref` is a `dtPolyRef` and nothing else.
        unsafe { std::slice::from_raw_parts(polygons.as_ptr().cast(), polygons.len()) }
    }

    /// The corners of the straight path through the first `count` polygons of the last corridor.
    pub(super) fn corners(&mut self, from: Vec3, to: Vec3, count: usize) -> &[[f32; 3]] {
        let corridor = &self.corridor[..count];
        let (start, end) = (from.to_array(), to.to_array());
        let mut corners = 0;
        // SAFETY: as in `nearest`; `corners` has as many places as it says; flags and references
        // may be null.
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
        // SAFETY: allocated by Detour and owned by us.
        unsafe { dt::dtFreeNavMeshQuery(self.raw.as_ptr()) }
    }
}

fn check(what: &str, status: dt::dtStatus) -> Result<(), String> {
    if status & dt::DT_SUCCESS != 0 {
        Ok(())
    } else {
        Err(format!("Detour's {what} fails with status {status:#x}"))
    }
}
