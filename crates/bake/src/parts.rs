//! Converts a baked level to flat arrays and back, for files.

use glam::{DVec3, Vec3};
use portolan_core::{AreaRules, Csr, RawHeights};

use crate::baked::POLYGONS_PER_TILE;
use crate::grid::{Grid, check_height};
use crate::surfaces::check_rules;
use crate::tile::TileMesh;
use crate::{BakeError, BakeOptions, Baked, Statistics, Tiling};

/// A [`Baked`] level as flat arrays. `tile_vertices` and `tile_polygons` are offsets with one more entry
/// than there are tiles: tile `t` has the elements `offsets[t]..offsets[t + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedParts {
    /// The options of the bake.
    pub options: BakeOptions,
    /// The area rules of the bake.
    pub rules: AreaRules,
    /// The counts and observations of the bake.
    pub statistics: Statistics,
    /// The corner of the grid with the smallest coordinates. [Units: m]
    pub origin: [f64; 3],
    /// Number of cells along x, y and z.
    pub cells: [u32; 3],
    /// Side of a tile, or 0 for a single tile. [Units: cells]
    pub tile_side: u32,
    /// Per tile, the offset of its vertices in `vertices`.
    pub tile_vertices: Vec<u32>,
    /// The vertices of all tiles.
    pub vertices: Vec<Vec3>,
    /// Per tile, the offset of its polygons in the lists of polygons.
    pub tile_polygons: Vec<u32>,
    /// Per polygon, its corners, as indices into the vertices of its tile.
    pub polygons: Csr<u32>,
    /// Per polygon, its area number.
    pub areas: Vec<u8>,
    /// Per polygon, the number of cells of its region, or 0 if an earlier polygon of its tile is part of the
    /// same region.
    pub region_cells: Vec<u32>,
    /// Per polygon, the points and triangles of its detail surface, which may be empty.
    pub heights: RawHeights,
    /// Per tile, how often it was split in two.
    pub splits: Vec<u32>,
}

impl Baked {
    /// Copies the level into flat arrays.
    pub fn to_parts(&self) -> BakedParts {
        let mut parts = BakedParts {
            options: self.options.clone(),
            rules: self.rules.clone(),
            statistics: self.statistics.clone(),
            origin: self.grid.origin.to_array(),
            cells: self.grid.size,
            tile_side: self.grid.side,
            tile_vertices: vec![0],
            vertices: Vec::new(),
            tile_polygons: vec![0],
            polygons: Csr::new(),
            areas: Vec::new(),
            region_cells: Vec::new(),
            heights: RawHeights::default(),
            splits: Vec::new(),
        };
        for tile in &self.tiles {
            parts.vertices.extend_from_slice(&tile.vertices);
            parts.tile_vertices.push(parts.vertices.len() as u32);
            for polygon in 0..tile.polygons.len() {
                let (surface, all_surfaces) = (&tile.heights, &mut parts.heights);
                let points = surface.vertices.get(polygon).iter().copied();
                let triangles = surface.triangles.get(polygon).iter().copied();
                parts
                    .polygons
                    .push(tile.polygons.get(polygon).iter().copied());
                all_surfaces.vertices.push(points);
                all_surfaces.triangles.push(triangles);
            }
            parts.areas.extend_from_slice(&tile.areas);
            parts.region_cells.extend_from_slice(&tile.cells);
            parts.tile_polygons.push(parts.polygons.len() as u32);
            parts.splits.push(tile.splits as u32);
        }
        parts
    }

    /// Creates a level from flat arrays, which may come from a damaged file. The geometry of the polygons is
    /// checked later, by [`Baked::build_navmesh`].
    ///
    /// # Errors
    /// [`BakeError::Parts`] if the arrays contradict one another, and the errors of [`bake`](crate::bake)
    /// for options and rules outside their limits.
    pub fn from_parts(parts: BakedParts) -> Result<Self, BakeError> {
        parts.options.check()?;
        check_rules(&parts.rules)?;
        let grid = parts.grid()?;
        parts.check_lists(grid.tiles())?;
        let mut tiles = Vec::with_capacity(grid.tiles());
        for tile in 0..grid.tiles() {
            tiles.push(parts.tile(tile)?);
        }
        Ok(Self {
            options: parts.options,
            rules: parts.rules,
            statistics: parts.statistics,
            grid,
            tiles,
        })
    }
}

impl BakedParts {
    fn grid(&self) -> Result<Grid, BakeError> {
        let options = &self.options;
        let cell = Vec3::new(options.cell_size, options.cell_height, options.cell_size).as_dvec3();
        let [width, height, depth] = self.cells;
        let is_valid = self.origin.iter().all(|axis| axis.is_finite())
            && width.min(height).min(depth) >= 1
            && width.max(depth) <= 1 << 23
            && u64::from(width) * u64::from(depth) <= options.max_cells;
        if !is_valid {
            return Err(invalid("the grid is invalid"));
        }
        check_height(f64::from(height) * cell.y, options)?;
        let side_fits = match options.tiles {
            Tiling::Auto => {
                self.tile_side == 0 || self.tile_side == u32::from(Tiling::DEFAULT_SIDE)
            }
            Tiling::SingleTile => self.tile_side == 0,
            Tiling::Side(side) => self.tile_side == u32::from(side),
        };
        if !side_fits {
            return Err(invalid("the side of the tiles differs from the options"));
        }
        Ok(Grid {
            origin: DVec3::from_array(self.origin),
            cell,
            size: self.cells,
            side: self.tile_side,
        })
    }

    fn check_lists(&self, tiles: usize) -> Result<(), BakeError> {
        let is_offsets = |offsets: &[u32], elements: usize| {
            offsets.len() == tiles + 1
                && offsets[0] == 0
                && offsets[tiles] as usize == elements
                && offsets.is_sorted()
        };
        let polygons = self.polygons.len();
        if self.splits.len() != tiles
            || !is_offsets(&self.tile_vertices, self.vertices.len())
            || !is_offsets(&self.tile_polygons, polygons)
        {
            return Err(invalid("the number of tiles differs from the grid"));
        }
        let lengths = [
            self.areas.len(),
            self.region_cells.len(),
            self.heights.vertices.len(),
            self.heights.triangles.len(),
        ];
        if lengths.iter().any(|&length| length != polygons) {
            return Err(invalid("the lists of polygons differ in length"));
        }
        let is_crowded = |pair: &[u32]| u64::from(pair[1] - pair[0]) >= POLYGONS_PER_TILE;
        if tiles > 1 && self.tile_polygons.windows(2).any(is_crowded) {
            return Err(invalid("a tile has more polygons than can be numbered"));
        }
        Ok(())
    }

    /// Copies one tile. [`BakedParts::check_lists`] must have succeeded.
    fn tile(&self, tile: usize) -> Result<TileMesh, BakeError> {
        let range = |offsets: &[u32]| offsets[tile] as usize..offsets[tile + 1] as usize;
        let polygons = range(&self.tile_polygons);
        let mut mesh = TileMesh {
            vertices: self.vertices[range(&self.tile_vertices)].to_vec(),
            areas: self.areas[polygons.clone()].to_vec(),
            cells: self.region_cells[polygons.clone()].to_vec(),
            splits: self.splits[tile] as usize,
            ..TileMesh::default()
        };
        let vertices = mesh.vertices.len();
        for polygon in polygons {
            let corners = self.polygons.get(polygon);
            if corners.iter().any(|&corner| corner as usize >= vertices) {
                return Err(invalid(
                    "a polygon refers to a vertex that its tile does not have",
                ));
            }
            if self.areas[polygon] > AreaRules::MAX_AREA {
                return Err(invalid(
                    "a polygon has an area number that a bake does not support",
                ));
            }
            mesh.polygons.push(corners.iter().copied());
            let points = self.heights.vertices.get(polygon).iter().copied();
            mesh.heights.vertices.push(points);
            let triangles = self.heights.triangles.get(polygon).iter().copied();
            mesh.heights.triangles.push(triangles);
        }
        Ok(mesh)
    }
}

fn invalid(reason: &'static str) -> BakeError {
    BakeError::Parts(reason)
}
