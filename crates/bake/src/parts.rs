//! A baked level as flat arrays, for files.

use glam::{DVec3, Vec3};
use portolan_core::{AreaRules, Csr, RawHeights};

use crate::baked::POLYGONS_PER_TILE;
use crate::grid::{Grid, check_height};
use crate::surfaces::check_rules;
use crate::tile::TileMesh;
use crate::{BakeError, BakeOptions, Baked, Statistics, Tiles};

/// A [`Baked`] level as flat arrays. Lists by tile are offsets with one more entry than there are tiles:
/// tile `t` has the elements `offsets[t]..offsets[t + 1]`.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedParts {
    /// The options of the bake.
    pub options: BakeOptions,
    /// The rules of the bake.
    pub rules: AreaRules,
    /// What the bake came across.
    pub statistics: Statistics,
    /// The corner of the grid with the least x, y and z. [Units: m]
    pub origin: [f64; 3],
    /// Cells along x, y and z.
    pub cells: [u32; 3],
    /// Side of a tile in cells; 0: one piece.
    pub tile_side: u32,
    /// Per tile, its vertices.
    pub tile_vertices: Vec<u32>,
    /// The vertices of all tiles.
    pub vertices: Vec<Vec3>,
    /// Per tile, its polygons.
    pub tile_polygons: Vec<u32>,
    /// Per polygon, its corners: indices of vertices of its tile.
    pub polygons: Csr<u32>,
    /// Per polygon, its area.
    pub areas: Vec<u8>,
    /// Per polygon, the cells of its region; 0 for all but the first polygon of a region.
    pub region_cells: Vec<u32>,
    /// Per polygon, its finer surface.
    pub heights: RawHeights,
    /// Per tile, how often it was cut in two.
    pub cuts: Vec<u32>,
}

impl Baked {
    /// The level as flat arrays.
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
            cuts: Vec::new(),
        };
        for tile in &self.tiles {
            parts.vertices.extend_from_slice(&tile.vertices);
            parts.tile_vertices.push(parts.vertices.len() as u32);
            for polygon in 0..tile.polygons.len() {
                let (surface, of_all) = (&tile.heights, &mut parts.heights);
                let points = surface.vertices.get(polygon).iter().copied();
                let triangles = surface.triangles.get(polygon).iter().copied();
                parts
                    .polygons
                    .push(tile.polygons.get(polygon).iter().copied());
                of_all.vertices.push(points);
                of_all.triangles.push(triangles);
            }
            parts.areas.extend_from_slice(&tile.areas);
            parts.region_cells.extend_from_slice(&tile.cells);
            parts.tile_polygons.push(parts.polygons.len() as u32);
            parts.cuts.push(tile.cuts as u32);
        }
        parts
    }

    /// The level of flat arrays, which may come from a damaged file. Polygons are checked by
    /// [`Baked::build_navmesh`].
    ///
    /// # Errors
    /// [`BakeError::Parts`] where lists do not fit one another, and the errors of a bake for options and
    /// rules beyond their limits.
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
        let is_sound = self.origin.iter().all(|axis| axis.is_finite())
            && width.min(height).min(depth) >= 1
            && width.max(depth) <= 1 << 23
            && u64::from(width) * u64::from(depth) <= options.max_cells;
        if !is_sound {
            return Err(wrong("its grid is none"));
        }
        check_height(f64::from(height) * cell.y, options)?;
        let side_fits = match options.tiles {
            Tiles::Auto => self.tile_side == 0 || self.tile_side == u32::from(Tiles::SIDE),
            Tiles::Whole => self.tile_side == 0,
            Tiles::Side(side) => self.tile_side == u32::from(side),
        };
        if !side_fits {
            return Err(wrong("its tiles have another side than its options say"));
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
        if self.cuts.len() != tiles
            || !is_offsets(&self.tile_vertices, self.vertices.len())
            || !is_offsets(&self.tile_polygons, polygons)
        {
            return Err(wrong("its lists of tiles do not fit its grid"));
        }
        let lengths = [
            self.areas.len(),
            self.region_cells.len(),
            self.heights.vertices.len(),
            self.heights.triangles.len(),
        ];
        if lengths.iter().any(|&length| length != polygons) {
            return Err(wrong("its lists of polygons differ in length"));
        }
        let crowded = |pair: &[u32]| u64::from(pair[1] - pair[0]) >= POLYGONS_PER_TILE;
        if tiles > 1 && self.tile_polygons.windows(2).any(crowded) {
            return Err(wrong("a tile has more polygons than can be numbered"));
        }
        Ok(())
    }

    /// One tile; the lists have to fit.
    fn tile(&self, tile: usize) -> Result<TileMesh, BakeError> {
        let range = |offsets: &[u32]| offsets[tile] as usize..offsets[tile + 1] as usize;
        let polygons = range(&self.tile_polygons);
        let mut mesh = TileMesh {
            vertices: self.vertices[range(&self.tile_vertices)].to_vec(),
            areas: self.areas[polygons.clone()].to_vec(),
            cells: self.region_cells[polygons.clone()].to_vec(),
            cuts: self.cuts[tile] as usize,
            ..TileMesh::default()
        };
        let vertices = mesh.vertices.len();
        for polygon in polygons {
            let corners = self.polygons.get(polygon);
            if corners.iter().any(|&corner| corner as usize >= vertices) {
                return Err(wrong("a polygon has a corner that its tile does not have"));
            }
            if self.areas[polygon] > AreaRules::MAX_AREA {
                return Err(wrong("a polygon has an area that a bake cannot make"));
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

fn wrong(what: &'static str) -> BakeError {
    BakeError::Parts(what)
}
