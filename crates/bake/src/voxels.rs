//! Voxelises triangles and groups the walkable cells into regions.

use glam::{Vec2, Vec3};
use portolan_core::{Ground, Volume};
use rerecast::{AreaType, CompactHeightfield, ConvexVolume};

use crate::BakeError;
use crate::grid::Rect;
use crate::open::{CrowdedColumn, OpenField};
use crate::rasterize::CellGrid;
use crate::solid::SolidField;
use crate::surfaces::{HOLE, area_type};
use crate::tile::{BakeContext, PieceError};
use crate::watershed::{BORDER, NO_REGION, TooManyRegions};

/// Maximum number of cells that are eroded in one step. Larger radii are eroded in several steps, since
/// Recast counts half cells with eight bits; one large step would give slightly other outlines.
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
    let surfaces = &context.surfaces;
    let solid = SolidField::new(
        cell_grid(context, rect, border),
        lengths.climb,
        triangles,
        &surfaces.corners,
        &surfaces.area_types,
    );
    let mut open = OpenField::new(&solid, lengths)
        .map_err(|column| too_many_floors(context, rect, border, column))?;
    drop(solid);
    mark_areas(context, &mut open);
    open.build_distance_field();
    open.build_regions(
        border,
        square(context.options.min_region),
        square(context.options.merge_region),
    )
    .map_err(|TooManyRegions| PieceError::Split("more than 65 000 regions".into()))?;
    check_regions(&open)?;
    Ok(open.compact)
}

fn square(side: u16) -> u16 {
    side.saturating_mul(side)
}

fn cell_grid(context: &BakeContext<'_>, rect: Rect, border: u16) -> CellGrid {
    let margin = f32::from(border);
    let corner = |at: [u32; 2], y: f32, offset: f32| {
        Vec3::new(at[0] as f32 + offset, y, at[1] as f32 + offset)
    };
    CellGrid {
        min: corner(rect.min, 0.0, -margin),
        max: corner(rect.max, context.top, margin),
        width: rect.width() as u16 + 2 * border,
        depth: rect.depth() as u16 + 2 * border,
    }
}

/// Returns the error for a column with more floors than Recast can distinguish.
fn too_many_floors(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    column: CrowdedColumn,
) -> PieceError {
    let cell = |index: usize, min: u32| index as f64 + f64::from(min) - f64::from(border) + 0.5;
    let position = glam::DVec3::new(
        cell(column.x, rect.min[0]),
        0.0,
        cell(column.z, rect.min[1]),
    );
    let Vec3 { x, z, .. } = context.grid.to_metres(position);
    PieceError::Fatal(BakeError::TooManyFloors { x, z })
}

/// Marks holes and areas and erodes the walkable cells by the agent's radius. Holes are marked before the
/// erosion, so agents keep their distance from them. Areas are marked after it, so they keep their
/// outlines.
fn mark_areas(context: &BakeContext<'_>, open: &mut OpenField) {
    let compact = &mut open.compact;
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
        open.erode(step);
        radius -= step;
    }
    let compact = &mut open.compact;
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
fn check_regions(open: &OpenField) -> Result<(), PieceError> {
    let compact = &open.compact;
    let (width, border) = (usize::from(compact.width), usize::from(compact.border_size));
    let inside = |column: usize| {
        let within = |at: usize, size: u16| at >= border && at + border < usize::from(size);
        within(column % width, compact.width) && within(column / width, compact.height)
    };
    let region_of = |floor: u32| {
        let span = compact.spans.get(floor as usize);
        span.map_or(NO_REGION, |span| span.region.bits())
    };
    let mut sides = vec![0; usize::from(compact.max_region.bits()) + 1];
    for (column, cell) in compact.cells.iter().enumerate() {
        let floors = cell.index_range();
        for floor in floors.clone() {
            let region = region_of(floor as u32);
            if region == NO_REGION {
                continue;
            }
            if region & BORDER != 0 {
                if inside(column) {
                    return Err(PieceError::Split("more than 32 000 regions".into()));
                }
                continue;
            }
            let mut below = floors.start..floor;
            if below.any(|below| region_of(below as u32) == region) {
                return Err(PieceError::Split("a region that is above itself".into()));
            }
            let neighbours = open.neighbours[floor].iter();
            sides[usize::from(region)] += neighbours
                .filter(|&&beside| region_of(beside) != region)
                .count();
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

#[cfg(test)]
#[path = "voxels_test.rs"]
mod tests;
