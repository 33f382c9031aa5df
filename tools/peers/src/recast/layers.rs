//! Height field layers, from which `DetourTileCache` builds its tiles.
//!
//! The stages are those of Recast's sample `Sample_TempObstacles` up to the layers. The ground is a navmesh, which keeps its
//! distance from walls already, so ledges are not filtered and nothing is eroded: the layers have the ground of the navmesh,
//! rounded to cells.

use glam::{IVec2, Vec3};
use portolan_bake::BakeOptions;
use portolan_core::Triangles;
use recastnavigation_sys as rc;

use super::{Context, Owned, cells_between, check, config, sort_into_tiles};
use crate::welded::WeldedMesh;

/// The height of the walls that are put on borders without a portal. It is more than an agent climbs, and less than a
/// floor is high. [Units: m]
const WALL: f32 = 1.2;

/// The ground to build a tile cache from.
pub(crate) struct LayeredGround {
    ground: Triangles,
    pub(crate) options: BakeOptions,
    /// The tiles along x and z, and the cells of a side.
    pub(crate) grid: IVec2,
    pub(crate) side: u16,
    pub(crate) low: Vec3,
    high: Vec3,
    buckets: Vec<Vec<[i32; 3]>>,
    context: Context,
}

/// The cells of a layer without its border, in the order in which `DetourTileCache` stores them.
pub(crate) struct Layer {
    pub(crate) low: Vec3,
    pub(crate) high: Vec3,
    pub(crate) size: [i32; 2],
    /// The first and last cell with ground along x, then along z.
    pub(crate) used: [i32; 4],
    /// The lowest and highest cell of the ground.
    pub(crate) heights_range: [i32; 2],
    pub(crate) heights: Vec<u8>,
    pub(crate) areas: Vec<u8>,
    pub(crate) connections: Vec<u8>,
}

impl LayeredGround {
    /// Prepares the ground of a navmesh, with walls on its borders, in tiles of `side` cells.
    pub(crate) fn new(mesh: &WeldedMesh, options: BakeOptions, side: u16) -> Result<Self, String> {
        let ground = ground(mesh);
        let points = || ground.vertices.iter().copied();
        let (Some(low), Some(high)) = (points().reduce(Vec3::min), points().reduce(Vec3::max))
        else {
            return Err("no polygons".to_owned());
        };
        let options = BakeOptions {
            agent_radius: 0.0,
            ..options
        };
        let cells = cells_between(low, high, options.cell_size);
        let metres = f32::from(side) * options.cell_size;
        let border = BORDER as f32 * options.cell_size;
        let grid = (cells + i32::from(side) - 1) / i32::from(side);
        let grid = grid.max(IVec2::ONE);
        if (high.y - low.y) / options.cell_height > rc::RC_SPAN_MAX_HEIGHT as f32 {
            return Err("the level is higher than the number of cells that Recast supports".into());
        }
        Ok(Self {
            buckets: sort_into_tiles(&ground, low, metres, border, grid),
            ground,
            options,
            grid,
            side,
            low,
            high,
            context: Context::new()?,
        })
    }

    /// Returns the layers of a tile, from the lowest.
    pub(crate) fn layers(&self, x: i32, z: i32) -> Result<Vec<Layer>, String> {
        let triangles = &self.buckets[(z * self.grid.x + x) as usize];
        if triangles.is_empty() {
            return Ok(Vec::new());
        }
        let cell = self.options.cell_size;
        let metres = f32::from(self.side) * cell;
        let rim = BORDER as f32 * cell;
        let corner = |x: i32, z: i32| IVec2::new(x, z).as_vec2() * metres;
        let [from, to] = [corner(x, z) - rim, corner(x + 1, z + 1) + rim];
        let config = config(
            &self.options,
            IVec2::splat(i32::from(self.side) + 2 * BORDER),
            Vec3::new(self.low.x + from.x, self.low.y, self.low.z + from.y),
            Vec3::new(self.low.x + to.x, self.high.y, self.low.z + to.y),
            BORDER,
        );
        layers(&self.context, &self.ground.vertices, triangles, &config)
    }
}

/// The cells around a tile that are rasterized too, as in the sample for an agent without a radius.
const BORDER: i32 = 3;

/// Returns the polygons of a navmesh as triangles, then walls on the borders without a portal. Recast keeps the area of the
/// last of two triangles in a cell, so walls come last.
fn ground(welded: &WeldedMesh) -> Triangles {
    let mut ground = Triangles {
        vertices: welded.vertices.clone(),
        ..Triangles::default()
    };
    for corners in &welded.polygons {
        // Recast's triangles face up if they are clockwise in (x, z).
        let fan = (2..corners.len()).map(|i| [corners[0], corners[i], corners[i - 1]]);
        ground.triangles.extend(fan);
    }
    for [a, b] in welded.outline_edges() {
        let first = ground.vertices.len() as u32;
        let [a, b] = [a, b].map(|v| welded.vertices[v as usize]);
        let top = Vec3::Y * WALL;
        ground.vertices.extend([a, b, b + top, a + top]);
        ground
            .triangles
            .extend([[0, 1, 2], [0, 2, 3]].map(|corners| corners.map(|i| first + i)));
    }
    ground
}

/// Runs Recast's stages for one tile.
fn layers(
    context: &Context,
    vertices: &[Vec3],
    triangles: &[[i32; 3]],
    config: &rc::rcConfig,
) -> Result<Vec<Layer>, String> {
    let context = context.0.as_ptr();
    let (vertex_count, triangle_count) = (vertices.len() as i32, triangles.len() as i32);
    let (points, corners) = (
        vertices.as_ptr().cast::<f32>(),
        triangles.as_ptr().cast::<i32>(),
    );
    let mut areas = vec![rc::RC_NULL_AREA; triangles.len()];

    // SAFETY, for all stages: as in `tile`. The set of layers lives until its arrays are copied.
    unsafe {
        let solid = Owned::new(rc::rcAllocHeightfield(), rc::rcFreeHeightField)?;
        check(
            "heightfield",
            rc::rcCreateHeightfield(
                context,
                solid.get(),
                config.width,
                config.height,
                config.bmin.as_ptr(),
                config.bmax.as_ptr(),
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
        let set = Owned::new(
            rc::rcAllocHeightfieldLayerSet(),
            rc::rcFreeHeightfieldLayerSet,
        )?;
        check(
            "layers",
            rc::rcBuildHeightfieldLayers(
                context,
                open.get(),
                config.borderSize,
                config.walkableHeight,
                set.get(),
            ),
        )?;
        let count = (*set.get()).nlayers as usize;
        Ok((0..count)
            .map(|i| Layer::copied(&*(*set.get()).layers.add(i)))
            .collect())
    }
}

impl Layer {
    /// # Safety
    /// The layer is complete, as Recast builds it.
    unsafe fn copied(layer: &rc::rcHeightfieldLayer) -> Self {
        let cells = layer.width as usize * layer.height as usize;
        // SAFETY: each array has one byte per cell.
        let array = |bytes: *mut u8| unsafe { std::slice::from_raw_parts(bytes, cells) }.to_vec();
        Self {
            low: layer.bmin.into(),
            high: layer.bmax.into(),
            size: [layer.width, layer.height],
            used: [layer.minx, layer.maxx, layer.miny, layer.maxy],
            heights_range: [layer.hmin, layer.hmax],
            heights: array(layer.heights),
            areas: array(layer.areas),
            connections: array(layer.cons),
        }
    }
}
