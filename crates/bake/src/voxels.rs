//! Voxelises triangles and groups the walkable cells into regions.

use glam::{Vec2, Vec3};
use portolan_core::{Ground, Volume};
use rerecast::{
    Aabb3d, AreaType, CompactHeightfield, ConvexVolume, Heightfield, HeightfieldBuilder, RegionId,
};

use crate::BakeError;
use crate::grid::Rect;
use crate::surfaces::{HOLE, area_type};
use crate::tile::{BakeContext, PieceError};

/// Maximum number of walkable floors in a column of cells. Recast refers to neighbours with six bits.
const MAX_FLOORS: usize = 60;

/// Maximum number of cells that `rerecast` can erode in one step: it counts half cells with eight bits and
/// wraps around on overflow.
const MAX_EROSION_STEP: u16 = 127;

/// Maximum number of cell sides around a region, including its holes. Recast stops a contour after 40 000
/// steps and starts another one at each remaining side. A contour takes about two steps per side: one to
/// record the side and, to reach the next side, one along a straight line, none at a convex corner and
/// two at a concave corner.
const MAX_CONTOUR_SIDES: usize = 19_900;

/// Voxelises `rect` and `border` cells around it and groups the walkable cells into regions.
pub(crate) fn build_regions(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<CompactHeightfield, PieceError> {
    let lengths = &context.lengths;
    let solid = voxelise(context, rect, border, triangles)?;
    check_floors(context, rect, border, &solid)?;
    let mut compact = solid
        .into_compact(lengths.height, lengths.climb)
        .map_err(PieceError::split)?;
    mark_areas(context, &mut compact);
    compact.build_distance_field();
    compact
        .build_regions(
            border,
            square(context.options.min_region),
            square(context.options.merge_region),
        )
        .map_err(PieceError::split)?;
    check_regions(&compact)?;
    Ok(compact)
}

fn square(side: u16) -> u16 {
    side.saturating_mul(side)
}

/// Voxelises triangles and marks the spans that an agent can stand on as walkable.
fn voxelise(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<Heightfield, PieceError> {
    let lengths = &context.lengths;
    let margin = f32::from(border);
    let corner = |at: [u32; 2], y: f32, offset: f32| {
        Vec3::new(at[0] as f32 + offset, y, at[1] as f32 + offset)
    };
    let mut solid = HeightfieldBuilder {
        aabb: Aabb3d {
            min: corner(rect.min, 0.0, -margin),
            max: corner(rect.max, context.top, margin),
        },
        cell_size: 1.0,
        cell_height: 1.0,
    }
    .build()
    .map_err(PieceError::split)?;
    for &triangle in triangles {
        let triangle = triangle as usize;
        let corners = context.surfaces.corners[triangle];
        solid
            .rasterize_triangle(
                corners,
                context.surfaces.area_types[triangle],
                lengths.climb,
            )
            .map_err(PieceError::split)?;
    }
    solid.filter_low_hanging_walkable_obstacles(lengths.climb);
    solid.filter_ledge_spans(lengths.height, lengths.climb);
    solid.filter_walkable_low_height_spans(lengths.height);
    Ok(solid)
}

/// Refuses columns with more floors than Recast can distinguish.
fn check_floors(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    solid: &Heightfield,
) -> Result<(), PieceError> {
    for (column, &lowest) in solid.spans.iter().enumerate() {
        let mut floors = 0;
        let mut above = lowest;
        while let Some(key) = above {
            let span = solid.span(key);
            floors += usize::from(span.area.is_walkable());
            above = span.next;
        }
        if floors > MAX_FLOORS {
            let width = usize::from(solid.width);
            let cell =
                |index: usize, min: u32| index as f64 + f64::from(min) - f64::from(border) + 0.5;
            let position = glam::DVec3::new(
                cell(column % width, rect.min[0]),
                0.0,
                cell(column / width, rect.min[1]),
            );
            let Vec3 { x, z, .. } = context.grid.to_metres(position);
            return Err(PieceError::Fatal(BakeError::TooManyFloors { x, z }));
        }
    }
    Ok(())
}

/// Marks holes and areas and erodes the walkable cells by the agent's radius. Holes are marked before the
/// erosion, so agents keep their distance from them. Areas are marked after it, so they keep their
/// outlines.
fn mark_areas(context: &BakeContext<'_>, compact: &mut CompactHeightfield) {
    for area_type in &mut compact.areas {
        if *area_type == HOLE {
            *area_type = AreaType::NOT_WALKABLE;
        }
    }
    let is_hole = |volume: &&Volume| volume.ground == Ground::Hole;
    for volume in context.rules.volumes.iter().filter(is_hole) {
        compact.mark_convex_poly_area(&volume_in_cells(context, volume, AreaType::NOT_WALKABLE));
    }
    let mut radius = context.lengths.radius;
    while radius > 0 {
        let step = radius.min(MAX_EROSION_STEP);
        compact.erode_walkable_area(step);
        radius -= step;
    }
    for volume in context
        .rules
        .volumes
        .iter()
        .filter(|volume| !is_hole(volume))
    {
        compact.mark_convex_poly_area(&volume_in_cells(context, volume, area_type(volume.ground)));
    }
}

fn volume_in_cells(context: &BakeContext<'_>, volume: &Volume, area: AreaType) -> ConvexVolume {
    let height = |y: f32| context.grid.to_cells(Vec3::new(0.0, y, 0.0)).y;
    let corner = |corner: &Vec2| {
        let cells = context.grid.to_cells(Vec3::new(corner.x, 0.0, corner.y));
        // Products of clamped numbers are finite.
        Vec2::new(cells.x, cells.z).clamp(Vec2::splat(-1e15), Vec2::splat(1e15))
    };
    ConvexVolume {
        vertices: volume.outline.iter().map(corner).collect(),
        min_y: height(volume.bottom),
        max_y: height(volume.top),
        area,
    }
}

/// Refuses regions whose contours Recast cannot trace.
fn check_regions(compact: &CompactHeightfield) -> Result<(), PieceError> {
    let (width, border) = (usize::from(compact.width), usize::from(compact.border_size));
    let inside = |column: usize| {
        let within = |at: usize, size: u16| at >= border && at + border < usize::from(size);
        within(column % width, compact.width) && within(column / width, compact.height)
    };
    let mut sides = vec![0; usize::from(compact.max_region.bits()) + 1];
    for (column, cell) in compact.cells.iter().enumerate() {
        let spans = &compact.spans[cell.index_range()];
        for (floor, span) in spans.iter().enumerate() {
            if span.region == RegionId::NONE {
                continue;
            }
            if span.region.contains(RegionId::BORDER_REGION) {
                if inside(column) {
                    return Err(PieceError::Split("more than 32 000 regions".into()));
                }
                continue;
            }
            if spans[..floor]
                .iter()
                .any(|below| below.region == span.region)
            {
                return Err(PieceError::Split("a region that is above itself".into()));
            }
            let (x, z) = (column % width, column / width);
            let outer_sides = (0..4u8)
                .filter(|&side| {
                    let neighbour = span.con(side).map(|con| {
                        let (_, _, index) = compact.con_indices(x as i32, z as i32, side, con);
                        compact.spans[index].region
                    });
                    neighbour != Some(span.region)
                })
                .count();
            sides[usize::from(span.region.bits())] += outer_sides;
        }
    }
    if sides.iter().any(|&sides| sides > MAX_CONTOUR_SIDES) {
        return Err(PieceError::Split(
            "a contour longer than 40 000 steps".into(),
        ));
    }
    // Recast counts contours with 16 bits, and a contour has at least four sides.
    if sides.iter().sum::<usize>() / 4 > 32_000 {
        return Err(PieceError::Split("more than 32 000 contours".into()));
    }
    Ok(())
}

impl PieceError {
    fn split(error: impl std::fmt::Display) -> Self {
        Self::Split(error.to_string())
    }
}
