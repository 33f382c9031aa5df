//! Bakes a level tile by tile and joins the tiles into a navmesh.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use portolan_core::{AreaRules, BorderMatching, NavMesh, NavMeshOptions, RawNavMesh, Triangles};
use rayon::prelude::*;

use crate::grid::{Grid, TileId, check_height};
use crate::surfaces::{CheckedTriangles, check_rules};
use crate::tile::{self, BakeContext, TileMesh};
use crate::{BakeError, BakeOptions, FaceDirections, NoGroundCause};

/// Maximum number of polygons per tile if there are several tiles. The id of a polygon is the number of
/// its tile times this constant, plus the polygon's index in the tile.
pub(crate) const POLYGONS_PER_TILE: u64 = 1 << 20;

/// A baked level: the polygons of its tiles, and everything needed to bake one of the tiles again.
///
/// ```
/// use glam::vec3;
/// use portolan_core::{AreaRules, Triangles};
/// use portolan_bake::{BakeOptions, Tiling, bake, rebake_tile};
///
/// let mut floor = Triangles::default();
/// floor.vertices = vec![vec3(0., 0., 0.), vec3(0., 0., 30.), vec3(30., 0., 30.), vec3(30., 0., 0.)];
/// floor.triangles = vec![[0, 1, 2], [0, 2, 3]];
/// let options = BakeOptions { tiles: Tiling::Side(50), ..BakeOptions::default() };
/// let rules = AreaRules::default();
/// let mut baked = bake(&floor, &rules, &options)?;
/// assert_eq!(baked.grid().tiles(), 4);
///
/// // An obstacle appears: only the tile around it is baked again.
/// let mut changed = floor.clone();
/// changed.vertices.extend([vec3(7., 0., 5.), vec3(5., 0., 7.), vec3(6., 4., 6.)]);
/// changed.triangles.push([4, 5, 6]);
/// let tile = baked.grid().tile_at(vec3(6., 0., 6.)).expect("the point is on the floor");
/// rebake_tile(&mut baked, tile, &changed, &rules)?;
/// assert!(baked.build_navmesh()?.polygon_count() > 4);
/// # Ok::<(), portolan_bake::BakeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Baked {
    pub(crate) options: BakeOptions,
    pub(crate) grid: Grid,
    pub(crate) tiles: Vec<TileMesh>,
    pub(crate) rules: AreaRules,
    pub(crate) statistics: Statistics,
}

/// Counts and observations of a bake.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Number of triangles without area, which were skipped.
    pub degenerate: usize,
    /// How often a tile was split in two because Recast could not process it in one piece.
    pub splits: usize,
    /// Names of materials in the area rules that the geometry does not have.
    pub unused_rules: Vec<String>,
    /// The directions in which the faces of the level point.
    pub facing: FaceDirections,
}

/// Bakes a level with the threads of the current rayon pool. The result does not depend on the number of
/// threads.
///
/// # Errors
/// A [`BakeError`] if an option or a rule is outside its limits, if the triangles are invalid or if the
/// level is too large. A level without walkable ground is an error of [`Baked::build_navmesh`] instead.
pub fn bake(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
) -> Result<Baked, BakeError> {
    bake_with_progress(triangles, rules, options, &|_, _| ControlFlow::Continue(()))
}

/// Bakes a level like [`bake`] and reports its progress.
///
/// `progress` receives the number of finished tiles and the number of all tiles: once before the first
/// tile, then after each tile. It is called from any thread, and not always in order. When it returns
/// `Break`, the bake finishes the tiles in progress and fails.
///
/// # Errors
/// [`BakeError::Stopped`] if `progress` returned `Break`, and the errors of [`bake`].
pub fn bake_with_progress(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    progress: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Result<Baked, BakeError> {
    let lengths = options.check()?;
    check_rules(rules)?;
    let checked = CheckedTriangles::new(triangles)?;
    let grid = Grid::new(&checked.bounds, options)?;
    let surfaces = checked.in_cells(&grid, options, rules);
    let by_tile = surfaces.by_tile(&grid, lengths.border());
    let context = BakeContext {
        grid: &grid,
        options,
        lengths,
        rules,
        top: surfaces.top() + 1.0,
        surfaces,
    };
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let report = |tiles: usize| {
        if progress(tiles, grid.tiles()).is_break() {
            stopped.store(true, Ordering::Relaxed);
        }
    };
    report(0);
    let tiles: Result<Vec<TileMesh>, BakeError> = (0..grid.tiles())
        .into_par_iter()
        .map(|tile| {
            if stopped.load(Ordering::Relaxed) {
                return Err(BakeError::Stopped);
            }
            let mesh = bake_tile(&context, TileId(tile as u32), by_tile.get(tile))?;
            report(done.fetch_add(1, Ordering::Relaxed) + 1);
            Ok(mesh)
        })
        .collect();
    let tiles = tiles?;
    if stopped.load(Ordering::Relaxed) {
        return Err(BakeError::Stopped);
    }
    let statistics = Statistics {
        degenerate: checked.degenerate,
        splits: tiles.iter().map(|tile| tile.splits).sum(),
        unused_rules: checked.unused_rules(rules),
        facing: checked.facing,
    };
    Ok(Baked {
        options: options.clone(),
        tiles,
        rules: rules.clone(),
        statistics,
        grid,
    })
}

/// Bakes one tile again after its geometry or its area rules changed. The polygons of the other tiles do
/// not change.
///
/// `triangles` is the entire level, or at least every triangle in the tile and within the agent's radius
/// plus three cells of it. A change within that distance of another tile changes that tile, too, so it
/// has to be baked again as well.
///
/// The grid of the first bake is kept. Geometry below its lowest cell or beyond its sides is ignored.
/// Links and area flags belong to no tile: those of `rules` replace all earlier ones. Of the statistics,
/// only [`Statistics::splits`] is updated.
///
/// # Errors
/// [`BakeError::NoSuchTile`] if `tile` does not exist, and the errors of [`bake`] except for a level
/// without triangles, which gives an empty tile. `baked` is unchanged after an error.
pub fn rebake_tile(
    baked: &mut Baked,
    tile: TileId,
    triangles: &Triangles,
    rules: &AreaRules,
) -> Result<(), BakeError> {
    let tiles = baked.tiles.len();
    let index = tile.0 as usize;
    if index >= tiles {
        return Err(BakeError::NoSuchTile { tile, tiles });
    }
    let lengths = baked.options.check()?;
    check_rules(rules)?;
    let checked = match CheckedTriangles::new(triangles) {
        Ok(checked) => checked,
        // A change may remove all geometry.
        Err(BakeError::NoTriangles | BakeError::OnlyDegenerate { .. }) => {
            baked.replace(index, TileMesh::default(), rules);
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let height = f64::from(checked.bounds.max.y) - baked.grid.origin.y;
    check_height(height, &baked.options)?;
    let surfaces = checked.in_cells(&baked.grid, &baked.options, rules);
    let all: Vec<u32> = (0..surfaces.corners.len() as u32).collect();
    let nearby = surfaces.within(baked.grid.rect(tile), lengths.border(), &all);
    let context = BakeContext {
        grid: &baked.grid,
        options: &baked.options,
        lengths,
        rules,
        top: surfaces.top() + 1.0,
        surfaces,
    };
    let mesh = bake_tile(&context, tile, &nearby)?;
    baked.replace(index, mesh, rules);
    Ok(())
}

fn bake_tile(
    context: &BakeContext<'_>,
    tile: TileId,
    triangles: &[u32],
) -> Result<TileMesh, BakeError> {
    let mesh = tile::bake(context, tile, triangles)?;
    let polygons = mesh.polygons.len();
    if context.grid.tiles() > 1 && polygons as u64 >= POLYGONS_PER_TILE {
        return Err(BakeError::CrowdedTile { tile, polygons });
    }
    Ok(mesh)
}

impl Baked {
    fn replace(&mut self, index: usize, mesh: TileMesh, rules: &AreaRules) {
        self.tiles[index] = mesh;
        self.rules.clone_from(rules);
        self.statistics.splits = self.tiles.iter().map(|tile| tile.splits).sum();
    }

    /// Returns the options of the bake.
    pub fn options(&self) -> &BakeOptions {
        &self.options
    }

    /// Returns the area rules of the latest [`bake`] or [`rebake_tile`].
    pub fn rules(&self) -> &AreaRules {
        &self.rules
    }

    /// Returns the grid of cells and tiles.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the counts and observations of the bake.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Returns the number of polygons of a tile.
    ///
    /// # Panics
    /// If the tile does not exist.
    pub fn polygons_of(&self, tile: TileId) -> usize {
        self.tiles[tile.0 as usize].polygons.len()
    }

    /// Returns the polygons of all tiles as input for [`NavMesh::build`].
    ///
    /// The id of a polygon is `tile * 2^20 + index in the tile`, so it does not change when another tile is
    /// baked again.
    pub fn to_raw(&self) -> RawNavMesh {
        let mut raw = RawNavMesh {
            links: self.rules.links.clone(),
            ..RawNavMesh::default()
        };
        let has_heights = |tile: &TileMesh| !tile.heights.triangles.values().is_empty();
        let with_heights = self.tiles.iter().any(has_heights);
        for (index, tile) in self.tiles.iter().enumerate() {
            let first = raw.vertices.len() as u32;
            raw.vertices.extend_from_slice(&tile.vertices);
            for polygon in tile.polygons.iter() {
                raw.polygons
                    .push(polygon.iter().map(|corner| first + corner));
            }
            raw.areas.extend_from_slice(&tile.areas);
            if !self.rules.flags.is_empty() {
                let flags = tile.areas.iter().map(|&area| self.rules.flags_of(area));
                raw.flags.extend(flags);
            }
            if with_heights {
                for (points, triangles) in tile
                    .heights
                    .vertices
                    .iter()
                    .zip(tile.heights.triangles.iter())
                {
                    raw.heights.vertices.push(points.iter().copied());
                    raw.heights.triangles.push(triangles.iter().copied());
                }
            }
            let id = index as u64 * POLYGONS_PER_TILE;
            raw.ids.extend((id..).take(tile.polygons.len()));
        }
        raw
    }

    /// Returns the options for [`NavMesh::build`] that suit [`Baked::to_raw`]. Polygons of one tile share
    /// vertices; polygons of different tiles are connected where their borders have the same position.
    pub fn navmesh_options(&self) -> NavMeshOptions {
        let has_splits = self.tiles.iter().any(|tile| tile.splits > 0);
        let step = self.options.agent_climb.max(self.options.cell_height);
        let matching = BorderMatching {
            gap: BorderMatching::default()
                .gap
                .min(self.options.cell_size / 4.0),
            step,
        };
        NavMeshOptions {
            // Rounding moves a corner and its two neighbours by up to 0.71 of the spacing each.
            convexity_tolerance: NavMeshOptions::default()
                .convexity_tolerance
                .max(1.5 * self.grid.position_spacing()),
            borders: (self.tiles.len() > 1 || has_splits).then_some(matching),
        }
    }

    /// Builds the navmesh of all tiles.
    ///
    /// A tile keeps every island that reaches its border, however small. Such islands are dropped here if
    /// they are smaller than [`BakeOptions::min_region`] across all tiles.
    ///
    /// # Errors
    /// [`BakeError::NoGround`] if the level has no walkable ground, and [`BakeError::NavMesh`] if a link of
    /// the rules is invalid or if the polygons come from a damaged file.
    pub fn build_navmesh(&self) -> Result<NavMesh, BakeError> {
        let raw = self.to_raw();
        if raw.polygons.is_empty() {
            return Err(self.no_ground());
        }
        let options = self.navmesh_options();
        let mesh = NavMesh::build(raw, &options)?;
        let small = self.small_islands(&mesh);
        if !small.contains(&true) {
            return Ok(mesh);
        }
        if !small.contains(&false) {
            return Err(self.no_ground());
        }
        let is_kept = |polygon| !small[mesh.components().of(polygon) as usize];
        Ok(mesh.keep_polygons(is_kept, &options)?)
    }

    fn no_ground(&self) -> BakeError {
        let facing = self.statistics.facing;
        let size = self.grid.extent();
        // A radius on either side and one cell to stand on.
        let min_size = 2.0 * self.options.agent_radius + self.options.cell_size;
        let cause = if facing.along_z > 1.25 * facing.along_x.max(facing.up + facing.down) {
            NoGroundCause::FacesAlongZ
        } else if facing.down > 4.0 * facing.up {
            NoGroundCause::FacesDown
        } else if size[0].min(size[2]) <= min_size {
            NoGroundCause::TooSmall
        } else {
            NoGroundCause::Unfit
        };
        BakeError::NoGround { size, cause }
    }

    /// Returns per component whether it reaches the border of a tile and is too small to be kept. Recast's
    /// own filter has already dropped the other small islands. The size is counted in cells, as Recast
    /// does: simplified polygons can misstate the area of a small island by a third.
    fn small_islands(&self, mesh: &NavMesh) -> Vec<bool> {
        let components = mesh.components();
        let mut cells = vec![0u64; components.count()];
        let mut reaches_border = vec![false; components.count()];
        for polygon in mesh.polygons() {
            let component = components.of(polygon) as usize;
            let id = mesh.user_id(polygon);
            let (tile, number) = match self.tiles.len() {
                1 => (0, id),
                _ => (id / POLYGONS_PER_TILE, id % POLYGONS_PER_TILE),
            };
            let tile = &self.tiles[tile as usize];
            cells[component] += u64::from(tile.cells[number as usize]);
            reaches_border[component] |= tile.splits > 0
                || mesh
                    .corner_points(polygon)
                    .any(|corner| self.grid.is_on_tile_border(corner));
        }
        let min_cells = u64::from(self.options.min_region).pow(2);
        let is_small = |(&cells, &reaches)| reaches && cells < min_cells;
        cells.iter().zip(&reaches_border).map(is_small).collect()
    }
}
