//! A whole level, tile by tile.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use portolan_core::{AreaRules, BorderMatching, NavMesh, NavMeshOptions, RawNavMesh, Triangles};
use rayon::prelude::*;

use crate::grid::{Grid, TileId, check_height};
use crate::surfaces::{Checked, check_rules};
use crate::tile::{self, Job, TileMesh};
use crate::{BakeError, BakeOptions, Facing, NoGroundCause};

/// Polygons that a tile can have where there are several: a polygon's id is that of its tile times
/// this plus its number in the tile.
pub(crate) const POLYGONS_PER_TILE: u64 = 1 << 20;

/// A baked level: its tiles, and what it takes to bake one of them again.
#[derive(Clone, Debug, PartialEq)]
pub struct Baked {
    pub(crate) options: BakeOptions,
    pub(crate) grid: Grid,
    pub(crate) tiles: Vec<TileMesh>,
    pub(crate) rules: AreaRules,
    pub(crate) statistics: Statistics,
}

/// What a bake came across.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Statistics {
    /// Triangles without area, which were skipped.
    pub degenerate: usize,
    /// How often a tile was cut in two because its ground could not be done in one piece.
    pub cuts: usize,
    /// Materials that the area rules name and the geometry does not have.
    pub unused_rules: Vec<String>,
    /// Where the faces of the level point.
    pub facing: Facing,
}

/// Bakes a level. The result is the same for any number of threads.
pub fn bake(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
) -> Result<Baked, BakeError> {
    bake_with_progress(triangles, rules, options, &|_, _| ControlFlow::Continue(()))
}

/// As [`bake`], and tells `watch` how many tiles are done out of how many, from any thread, once
/// before the first and then after each, not always in order. Where it breaks, the bake ends with
/// [`BakeError::Stopped`] as soon as the tiles under way are done.
pub fn bake_with_progress(
    triangles: &Triangles,
    rules: &AreaRules,
    options: &BakeOptions,
    watch: &(dyn Fn(usize, usize) -> ControlFlow<()> + Sync),
) -> Result<Baked, BakeError> {
    let cells = options.check()?;
    check_rules(rules)?;
    let checked = Checked::new(triangles)?;
    let grid = Grid::new(&checked.bounds, options)?;
    let surfaces = checked.in_cells(&grid, options, rules);
    let by_tile = surfaces.by_tile(&grid, cells.border());
    let job = Job {
        grid: &grid,
        options,
        cells,
        rules,
        top: surfaces.top() + 1.0,
        surfaces,
    };
    let (done, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let report = |tiles: usize| {
        if watch(tiles, grid.tiles()).is_break() {
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
            let mesh = bake_tile(&job, TileId(tile as u32), by_tile.get(tile))?;
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
        cuts: tiles.iter().map(|tile| tile.cuts).sum(),
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

/// Bakes one tile again after the geometry in it, or the rules for it, changed; the others stay as
/// they are, polygon by polygon. Links and the flags of areas belong to no tile: those of `rules`
/// replace all there were. Statistics but for the cuts stay those of the first bake.
///
/// `triangles` is the whole level or at least what lies in the tile and within the agent's radius
/// and three cells of it. What changed within that distance of a tile changes that tile too. Cells
/// stay where they were, so geometry outside of the first bake's bounds, or below them, is not seen.
pub fn rebake_tile(
    baked: &mut Baked,
    tile: TileId,
    triangles: &Triangles,
    rules: &AreaRules,
) -> Result<(), BakeError> {
    let tiles = baked.tiles.len();
    let slot = tile.0 as usize;
    if slot >= tiles {
        return Err(BakeError::NoSuchTile { tile, tiles });
    }
    let cells = baked.options.check()?;
    check_rules(rules)?;
    let checked = match Checked::new(triangles) {
        Ok(checked) => checked,
        // All of it may have been taken away.
        Err(BakeError::NoTriangles | BakeError::OnlyDegenerate { .. }) => {
            baked.replace(slot, TileMesh::default(), rules);
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    let height = f64::from(checked.bounds.max.y) - baked.grid.origin.y;
    check_height(height, &baked.options)?;
    let surfaces = checked.in_cells(&baked.grid, &baked.options, rules);
    let all: Vec<u32> = (0..surfaces.corners.len() as u32).collect();
    let nearby = surfaces.within(baked.grid.rect(tile), cells.border(), &all);
    let job = Job {
        grid: &baked.grid,
        options: &baked.options,
        cells,
        rules,
        top: surfaces.top() + 1.0,
        surfaces,
    };
    let mesh = bake_tile(&job, tile, &nearby)?;
    baked.replace(slot, mesh, rules);
    Ok(())
}

fn bake_tile(job: &Job<'_>, tile: TileId, triangles: &[u32]) -> Result<TileMesh, BakeError> {
    let mesh = tile::bake(job, tile, triangles)?;
    let polygons = mesh.polygons.len();
    if job.grid.tiles() > 1 && polygons as u64 >= POLYGONS_PER_TILE {
        return Err(BakeError::CrowdedTile { tile, polygons });
    }
    Ok(mesh)
}

impl Baked {
    fn replace(&mut self, slot: usize, mesh: TileMesh, rules: &AreaRules) {
        self.tiles[slot] = mesh;
        self.rules.clone_from(rules);
        self.statistics.cuts = self.tiles.iter().map(|tile| tile.cuts).sum();
    }

    /// The options that it was baked with.
    pub fn options(&self) -> &BakeOptions {
        &self.options
    }

    /// The rules of the latest bake, of all tiles or of one.
    pub fn rules(&self) -> &AreaRules {
        &self.rules
    }

    /// Where its cells and tiles are.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// What the bake came across.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Number of polygons of a tile.
    ///
    /// # Panics
    /// Where there is no such tile.
    pub fn polygons_of(&self, tile: TileId) -> usize {
        self.tiles[tile.0 as usize].polygons.len()
    }

    /// All polygons. A polygon is called by its tile and its number in the tile, so that it keeps
    /// its name when another tile is baked again: id = tile * 2^20 + number.
    pub fn to_raw(&self) -> RawNavMesh {
        let mut raw = RawNavMesh {
            links: self.rules.links.clone(),
            ..RawNavMesh::default()
        };
        let is_finer = |tile: &TileMesh| !tile.heights.triangles.values().is_empty();
        let finer = self.tiles.iter().any(is_finer);
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
            if finer {
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

    /// How [`Baked::to_raw`] wants to be checked. Within a tile polygons share their corners; the
    /// borders of tiles are matched by place.
    pub fn navmesh_options(&self) -> NavMeshOptions {
        let cuts = self.tiles.iter().any(|tile| tile.cuts > 0);
        let step = self.options.agent_climb.max(self.options.cell_height);
        let matching = BorderMatching {
            gap: BorderMatching::default()
                .gap
                .min(self.options.cell_size / 4.0),
            step,
        };
        NavMeshOptions {
            // Rounding moves a corner and both its neighbours by up to 0.71 each.
            convexity_tolerance: NavMeshOptions::default()
                .convexity_tolerance
                .max(1.5 * self.grid.rounding()),
            borders: (self.tiles.len() > 1 || cuts).then_some(matching),
        }
    }

    /// The polygons, checked and joined. Islands that a tile had to keep because they reach its
    /// border, and that turn out smaller than [`BakeOptions::min_region`] allows, are dropped.
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
        let stays = |polygon| !small[mesh.components().of(polygon) as usize];
        Ok(mesh.keep_polygons(stays, &options)?)
    }

    fn no_ground(&self) -> BakeError {
        let facing = self.statistics.facing;
        let size = self.grid.extent();
        // A radius on either side, and a cell to stand on.
        let least = 2.0 * self.options.agent_radius + self.options.cell_size;
        let cause = if facing.along_z > 1.25 * facing.along_x.max(facing.up + facing.down) {
            NoGroundCause::FacesAlongZ
        } else if facing.down > 4.0 * facing.up {
            NoGroundCause::FacesDown
        } else if size[0].min(size[2]) <= least {
            NoGroundCause::TooSmall
        } else {
            NoGroundCause::Unfit
        };
        BakeError::NoGround { size, cause }
    }

    /// Per component, whether it is too small and reaches the border of a tile; the others went
    /// through Recast's own filter. Cells are counted, as Recast does: polygons are simplified, and
    /// those of a small island can be off by a third.
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
            reaches_border[component] |= tile.cuts > 0
                || mesh
                    .corner_points(polygon)
                    .any(|corner| self.grid.is_seam(corner));
        }
        let least = u64::from(self.options.min_region).pow(2);
        let is_small = |(&cells, &reaches)| reaches && cells < least;
        cells.iter().zip(&reaches_border).map(is_small).collect()
    }
}
