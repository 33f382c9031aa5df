//! Recast C++ on exactly the same triangles.
//!
//! The stages and their order are those of Recast's samples `Sample_SoloMesh` and `Sample_TileMesh`, down to the finer
//! surface. Tiles are baked, but not connected. All triangles have the same area type.
#![allow(unsafe_code, reason = "calls C++")]

mod layers;

pub(crate) use layers::{Layer, LayeredGround};

#[cfg(test)]
#[path = "recast_test.rs"]
mod tests;

use std::ops::Range;
use std::ptr::NonNull;

use glam::{IVec2, Vec2, Vec3};
use portolan_bake::{BakeOptions, Tiling};
use portolan_core::Triangles;
use portolan_measure::Stopwatch;
use recastnavigation_sys as rc;

/// The result of a bake.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecastResult {
    /// Wall time on one thread, from triangles to polygons with their finer surface. [Units: ms]
    pub(crate) ms: f64,
    pub(crate) polygons: usize,
}

/// Bakes a level with the given options, in tiles if `options.tiles` requires them.
pub(crate) fn bake(triangles: &Triangles, options: &BakeOptions) -> Result<RecastResult, String> {
    let mut watch = Stopwatch::start();
    let vertex_count = triangles.vertices.len() as u32;
    if triangles
        .triangles
        .as_flattened()
        .iter()
        .any(|&v| v >= vertex_count)
    {
        return Err("a triangle has a corner that does not exist".to_owned());
    }
    if !triangles.vertices.iter().all(|v| v.is_finite()) {
        return Err("a vertex is not finite".to_owned());
    }
    let corners = || triangles.vertices.iter().copied();
    let (Some(low), Some(high)) = (corners().reduce(Vec3::min), corners().reduce(Vec3::max)) else {
        return Err("no triangles".to_owned());
    };
    let cell = options.cell_size;
    let size = cells_between(low, high, cell);
    let cells = size.x as u64 * size.y as u64;
    if cells > options.max_cells {
        return Err(format!(
            "{cells} cells are more than the limit of {}",
            options.max_cells
        ));
    }
    if (high.y - low.y) / options.cell_height > rc::RC_SPAN_MAX_HEIGHT as f32 {
        return Err("the level is higher than the number of cells that Recast supports".to_owned());
    }
    let context = Context::new()?;
    let side = match options.tiles {
        Tiling::SingleTile => None,
        Tiling::Side(side) => Some(side),
        Tiling::Auto => (cells > Tiling::SINGLE_TILE_MAX_CELLS).then_some(Tiling::DEFAULT_SIDE),
    };
    let polygons = match side {
        None => {
            let all: Vec<[i32; 3]> = triangles
                .triangles
                .iter()
                .map(|t| t.map(|v| v as i32))
                .collect();
            let config = config(options, size, low, high, 0);
            tile(&context, &triangles.vertices, &all, &config)?
        }
        Some(side) => {
            let side = i32::from(side);
            let border = radius(options) + 3;
            let grid = size
                .as_vec2()
                .map(|cells| (cells / side as f32).ceil())
                .as_ivec2();
            let buckets = sort_into_tiles(
                triangles,
                low,
                side as f32 * cell,
                border as f32 * cell,
                grid,
            );
            let mut polygons = 0;
            for z in 0..grid.y {
                for x in 0..grid.x {
                    let bucket = &buckets[(z * grid.x + x) as usize];
                    let rim = border as f32 * cell;
                    let corner = |x: i32, z: i32| IVec2::new(x, z).as_vec2() * (side as f32 * cell);
                    let [from, to] = [corner(x, z) - rim, corner(x + 1, z + 1) + rim];
                    let config = config(
                        options,
                        IVec2::splat(side + 2 * border),
                        Vec3::new(low.x + from.x, low.y, low.z + from.y),
                        Vec3::new(low.x + to.x, high.y, low.z + to.y),
                        border,
                    );
                    polygons += tile(&context, &triangles.vertices, bucket, &config)?;
                }
            }
            polygons
        }
    };
    Ok(RecastResult {
        ms: watch.lap_ms(),
        polygons,
    })
}

/// Returns the size of the grid as `rcCalcGridSize` computes it.
fn cells_between(low: Vec3, high: Vec3, cell: f32) -> IVec2 {
    let size = Vec2::new(high.x - low.x, high.z - low.z);
    (size / cell + 0.5).as_ivec2()
}

fn radius(options: &BakeOptions) -> i32 {
    cells_up(options.agent_radius, options.cell_size)
}

/// Rounds a length up to cells, like Portolan's bake. The tolerance keeps an integer number of cells despite the rounding
/// of the division.
fn cells_up(length: f32, cell: f32) -> i32 {
    (length / cell - 1e-4).ceil().max(0.0) as i32
}

/// Rounds a length down to cells, with the same tolerance.
fn cells_down(length: f32, cell: f32) -> i32 {
    (length / cell + 1e-4).floor() as i32
}

fn config(options: &BakeOptions, size: IVec2, low: Vec3, high: Vec3, border: i32) -> rc::rcConfig {
    let (cs, ch) = (options.cell_size, options.cell_height);
    let square = |side: u16| i32::from(side) * i32::from(side);
    rc::rcConfig {
        width: size.x,
        height: size.y,
        tileSize: size.x - 2 * border,
        borderSize: border,
        cs,
        ch,
        bmin: low.to_array(),
        bmax: high.to_array(),
        walkableSlopeAngle: options.agent_slope,
        walkableHeight: cells_up(options.agent_height, ch).max(1),
        walkableClimb: cells_down(options.agent_climb, ch),
        walkableRadius: radius(options),
        maxEdgeLen: cells_down(options.max_edge, cs),
        maxSimplificationError: options.max_edge_error,
        minRegionArea: square(options.min_region),
        mergeRegionArea: square(options.merge_region),
        maxVertsPerPoly: i32::from(options.max_vertices),
        detailSampleDist: if options.detail_sample < 0.9 {
            0.0
        } else {
            options.detail_sample * cs
        },
        detailSampleMaxError: options.detail_error * ch,
    }
}

/// Returns the triangles that intersect each tile or its border, row by row.
fn sort_into_tiles(
    triangles: &Triangles,
    low: Vec3,
    side: f32,
    border: f32,
    grid: IVec2,
) -> Vec<Vec<[i32; 3]>> {
    let mut tiles = vec![Vec::new(); (grid.x * grid.y) as usize];
    let range = |from: f32, to: f32, count: i32| -> Range<i32> {
        let first = ((from - border) / side).floor().max(0.0) as i32;
        let last = ((to + border) / side).floor().max(-1.0) as i32;
        first..(last + 1).min(count)
    };
    for triangle in &triangles.triangles {
        let points = triangle.map(|v| triangles.vertices[v as usize] - low);
        let min = points[0].min(points[1]).min(points[2]);
        let max = points[0].max(points[1]).max(points[2]);
        for z in range(min.z, max.z, grid.y) {
            for x in range(min.x, max.x, grid.x) {
                tiles[(z * grid.x + x) as usize].push(triangle.map(|v| v as i32));
            }
        }
    }
    tiles
}

/// Runs Recast's stages for one tile or an entire level. Returns the number of polygons.
fn tile(
    context: &Context,
    vertices: &[Vec3],
    triangles: &[[i32; 3]],
    config: &rc::rcConfig,
) -> Result<usize, String> {
    if triangles.is_empty() {
        return Ok(0);
    }
    let context = context.0.as_ptr();
    let (vertex_count, triangle_count) = (vertices.len() as i32, triangles.len() as i32);
    let (points, corners) = (
        vertices.as_ptr().cast::<f32>(),
        triangles.as_ptr().cast::<i32>(),
    );
    let mut areas = vec![rc::RC_NULL_AREA; triangles.len()];

    // SAFETY, for all stages: Recast allocates the objects, and they live until the end of this block or their `drop`.
    // Each stage reads complete results of earlier stages, as in Recast's samples. Vertices and triangles are arrays of
    // three elements each, with the lengths that are passed, and `bake` has checked the indices.
    unsafe {
        let solid = Owned::new(rc::rcAllocHeightfield(), rc::rcFreeHeightField)?;
        let (low, high) = (config.bmin.as_ptr(), config.bmax.as_ptr());
        check(
            "heightfield",
            rc::rcCreateHeightfield(
                context,
                solid.get(),
                config.width,
                config.height,
                low,
                high,
                config.cs,
                config.ch,
            ),
        )?;
        rc::rcMarkWalkableTriangles(
            context,
            config.walkableSlopeAngle,
            points,
            vertex_count,
            corners,
            triangle_count,
            areas.as_mut_ptr(),
        );
        check(
            "rasterization",
            rc::rcRasterizeTriangles(
                context,
                points,
                vertex_count,
                corners,
                areas.as_ptr(),
                triangle_count,
                solid.get(),
                config.walkableClimb,
            ),
        )?;

        rc::rcFilterLowHangingWalkableObstacles(context, config.walkableClimb, solid.get());
        rc::rcFilterLedgeSpans(
            context,
            config.walkableHeight,
            config.walkableClimb,
            solid.get(),
        );
        rc::rcFilterWalkableLowHeightSpans(context, config.walkableHeight, solid.get());

        let open = Owned::new(
            rc::rcAllocCompactHeightfield(),
            rc::rcFreeCompactHeightfield,
        )?;
        check(
            "compact heightfield",
            rc::rcBuildCompactHeightfield(
                context,
                config.walkableHeight,
                config.walkableClimb,
                solid.get(),
                open.get(),
            ),
        )?;
        drop(solid);
        check(
            "erosion",
            rc::rcErodeWalkableArea(context, config.walkableRadius, open.get()),
        )?;

        check(
            "distance field",
            rc::rcBuildDistanceField(context, open.get()),
        )?;
        check(
            "regions",
            rc::rcBuildRegions(
                context,
                open.get(),
                config.borderSize,
                config.minRegionArea,
                config.mergeRegionArea,
            ),
        )?;

        let contours = Owned::new(rc::rcAllocContourSet(), rc::rcFreeContourSet)?;
        let flags = rc::rcBuildContoursFlags_RC_CONTOUR_TESS_WALL_EDGES as i32;
        check(
            "contours",
            rc::rcBuildContours(
                context,
                open.get(),
                config.maxSimplificationError,
                config.maxEdgeLen,
                contours.get(),
                flags,
            ),
        )?;
        if (*contours.get()).nconts == 0 {
            return Ok(0);
        }

        let polygons = Owned::new(rc::rcAllocPolyMesh(), rc::rcFreePolyMesh)?;
        check(
            "polygons",
            rc::rcBuildPolyMesh(
                context,
                contours.get(),
                config.maxVertsPerPoly,
                polygons.get(),
            ),
        )?;
        let detail = Owned::new(rc::rcAllocPolyMeshDetail(), rc::rcFreePolyMeshDetail)?;
        check(
            "finer surface",
            rc::rcBuildPolyMeshDetail(
                context,
                polygons.get(),
                open.get(),
                config.detailSampleDist,
                config.detailSampleMaxError,
                detail.get(),
            ),
        )?;
        Ok((*polygons.get()).npolys as usize)
    }
}

fn check(what: &str, is_done: bool) -> Result<(), String> {
    is_done
        .then_some(())
        .ok_or_else(|| format!("Recast's stage `{what}` failed"))
}

/// An object that Recast has allocated. It is freed when it is dropped.
struct Owned<T> {
    object: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    /// # Safety
    /// `object` is null or has no other owner, and `free` is the function that frees it.
    unsafe fn new(object: *mut T, free: unsafe extern "C" fn(*mut T)) -> Result<Self, String> {
        let object = NonNull::new(object).ok_or("no memory for Recast")?;
        Ok(Self { object, free })
    }

    fn get(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the caller of `new` has guaranteed it, and the object is not used any more.
        unsafe { (self.free)(self.object.as_ptr()) }
    }
}

/// Recast's context, without log and timers.
struct Context(NonNull<rc::rcContext>);

impl Context {
    fn new() -> Result<Self, String> {
        // SAFETY: the call has no preconditions.
        let context = NonNull::new(unsafe { rc::CreateContext(false) });
        Ok(Self(context.ok_or("no memory for Recast")?))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: `CreateContext` returned it, and it is not used any more.
        unsafe { rc::DeleteContext(self.0.as_ptr()) }
    }
}
