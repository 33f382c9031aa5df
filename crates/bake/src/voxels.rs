//! From triangles to regions of walkable cells.

use glam::{Vec2, Vec3};
use portolan_core::{Ground, Volume};
use rerecast::{
    Aabb3d, AreaType, CompactHeightfield, ConvexVolume, Heightfield, HeightfieldBuilder, RegionId,
};

use crate::BakeError;
use crate::grid::Rect;
use crate::surfaces::{HOLE, area_type};
use crate::tile::{Job, Trouble};

/// Floors above one another that a column of cells can hold: Recast links neighbours by six bits.
const MOST_FLOORS: usize = 60;

/// Cells that can be eroded at once.
const MOST_EROSION: u16 = 127;

/// Sides of cells around a region, its holes included. Recast ends a contour after 40 000 steps and
/// tries again from each of the sides that are left. A contour takes two steps a side and a few
/// more: one to take it, and one to the next cell at a straight place, none at a corner that juts
/// out, two at one that does not.
const MOST_SIDES: usize = 19_900;

/// The walkable cells of `rect` and of `border` cells around it, in regions.
pub(crate) fn regions(
    job: &Job<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<CompactHeightfield, Trouble> {
    let cells = &job.cells;
    let solid = voxelise(job, rect, border, triangles)?;
    check_floors(job, rect, border, &solid)?;
    let mut open = solid
        .into_compact(cells.height, cells.climb)
        .map_err(Trouble::cut)?;
    mark(job, &mut open);
    open.build_distance_field();
    open.build_regions(
        border,
        square(job.options.min_region),
        square(job.options.merge_region),
    )
    .map_err(Trouble::cut)?;
    check_regions(&open)?;
    Ok(open)
}

fn square(side: u16) -> u16 {
    side.saturating_mul(side)
}

/// Solid cells, those that an agent can stand on marked as walkable.
fn voxelise(
    job: &Job<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<Heightfield, Trouble> {
    let cells = &job.cells;
    let edge = f32::from(border);
    let corner =
        |at: [u32; 2], y: f32, edge: f32| Vec3::new(at[0] as f32 + edge, y, at[1] as f32 + edge);
    let mut solid = HeightfieldBuilder {
        aabb: Aabb3d {
            min: corner(rect.min, 0.0, -edge),
            max: corner(rect.max, job.top, edge),
        },
        cell_size: 1.0,
        cell_height: 1.0,
    }
    .build()
    .map_err(Trouble::cut)?;
    for &triangle in triangles {
        let triangle = triangle as usize;
        let corners = job.surfaces.corners[triangle];
        solid
            .rasterize_triangle(corners, job.surfaces.kinds[triangle], cells.climb)
            .map_err(Trouble::cut)?;
    }
    solid.filter_low_hanging_walkable_obstacles(cells.climb);
    solid.filter_ledge_spans(cells.height, cells.climb);
    solid.filter_walkable_low_height_spans(cells.height);
    Ok(solid)
}

fn check_floors(
    job: &Job<'_>,
    rect: Rect,
    border: u16,
    solid: &Heightfield,
) -> Result<(), Trouble> {
    for (column, &lowest) in solid.spans.iter().enumerate() {
        let mut floors = 0;
        let mut above = lowest;
        while let Some(key) = above {
            let span = solid.span(key);
            floors += usize::from(span.area.is_walkable());
            above = span.next;
        }
        if floors > MOST_FLOORS {
            let width = usize::from(solid.width);
            let cell =
                |index: usize, min: u32| index as f64 + f64::from(min) - f64::from(border) + 0.5;
            let place = glam::DVec3::new(
                cell(column % width, rect.min[0]),
                0.0,
                cell(column / width, rect.min[1]),
            );
            let Vec3 { x, z, .. } = job.grid.to_metres(place);
            return Err(Trouble::Final(BakeError::TooManyFloors { x, z }));
        }
    }
    Ok(())
}

/// Holes before erosion, so that agents keep away from them; areas after it, so that they lie where
/// they were drawn.
fn mark(job: &Job<'_>, open: &mut CompactHeightfield) {
    for kind in &mut open.areas {
        if *kind == HOLE {
            *kind = AreaType::NOT_WALKABLE;
        }
    }
    let is_hole = |volume: &&Volume| volume.ground == Ground::Hole;
    for volume in job.rules.volumes.iter().filter(is_hole) {
        open.mark_convex_poly_area(&in_cells(job, volume, AreaType::NOT_WALKABLE));
    }
    // rerecast counts half cells with eight bits, and starts again at 0 where they overflow.
    let mut radius = job.cells.radius;
    while radius > 0 {
        let step = radius.min(MOST_EROSION);
        open.erode_walkable_area(step);
        radius -= step;
    }
    for volume in job.rules.volumes.iter().filter(|volume| !is_hole(volume)) {
        open.mark_convex_poly_area(&in_cells(job, volume, area_type(volume.ground)));
    }
}

fn in_cells(job: &Job<'_>, volume: &Volume, area: AreaType) -> ConvexVolume {
    let height = |y: f32| job.grid.to_cells(Vec3::new(0.0, y, 0.0)).y;
    let corner = |corner: &Vec2| {
        let cells = job.grid.to_cells(Vec3::new(corner.x, 0.0, corner.y));
        // Products of these numbers are finite.
        Vec2::new(cells.x, cells.z).clamp(Vec2::splat(-1e15), Vec2::splat(1e15))
    };
    ConvexVolume {
        vertices: volume.outline.iter().map(corner).collect(),
        min_y: height(volume.bottom),
        max_y: height(volume.top),
        area,
    }
}

/// Refuses regions that contours cannot be drawn around.
fn check_regions(open: &CompactHeightfield) -> Result<(), Trouble> {
    let (width, border) = (usize::from(open.width), usize::from(open.border_size));
    let inside = |column: usize| {
        let within = |at: usize, size: u16| at >= border && at + border < usize::from(size);
        within(column % width, open.width) && within(column / width, open.height)
    };
    let mut sides = vec![0; usize::from(open.max_region.bits()) + 1];
    for (column, cell) in open.cells.iter().enumerate() {
        let spans = &open.spans[cell.index_range()];
        for (floor, span) in spans.iter().enumerate() {
            if span.region == RegionId::NONE {
                continue;
            }
            if span.region.contains(RegionId::BORDER_REGION) {
                if inside(column) {
                    return Err(Trouble::Cut("more than 32 000 regions".into()));
                }
                continue;
            }
            if spans[..floor]
                .iter()
                .any(|below| below.region == span.region)
            {
                return Err(Trouble::Cut("a region lies above itself".into()));
            }
            let (x, z) = (column % width, column / width);
            let outer = (0..4u8)
                .filter(|&side| {
                    let beyond = span.con(side).map(|con| {
                        let (_, _, index) = open.con_indices(x as i32, z as i32, side, con);
                        open.spans[index].region
                    });
                    beyond != Some(span.region)
                })
                .count();
            sides[usize::from(span.region.bits())] += outer;
        }
    }
    if sides.iter().any(|&sides| sides > MOST_SIDES) {
        return Err(Trouble::Cut("a contour longer than 40 000 steps".into()));
    }
    // A contour has at least four sides, and Recast counts contours with 16 bits.
    if sides.iter().sum::<usize>() / 4 > 32_000 {
        return Err(Trouble::Cut("more than 32 000 contours".into()));
    }
    Ok(())
}

impl Trouble {
    fn cut(error: impl std::fmt::Display) -> Self {
        Self::Cut(error.to_string())
    }
}
