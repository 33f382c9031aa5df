//! Bakes one tile, from its triangles to its polygons.

use std::collections::HashSet;

use glam::{DVec3, U16Vec3};
use portolan_core::{AreaRules, Csr, RawHeights};
use rerecast::{
    BuildContoursFlags, CompactHeightfield, Contour, ContourSet, PolygonNavmesh, RegionId,
    RegionVertexId,
};

use crate::grid::{Grid, Rect};
use crate::options::CellLengths;
use crate::surfaces::{self, Surfaces};
use crate::{BakeError, BakeOptions, TileId, detail, holes, merge, outline, seams, voxels};

/// Maximum number of corners of a piece. Recast counts corners and edges with 16 bits, and a triangulation
/// has fewer than twice as many edges as corners.
const MAX_CORNERS: usize = 30_000;

/// The inputs that all tiles of a bake share.
pub(crate) struct BakeContext<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) options: &'a BakeOptions,
    pub(crate) lengths: CellLengths,
    pub(crate) rules: &'a AreaRules,
    pub(crate) surfaces: Surfaces,
    /// Upper end of the grid, above the highest point, in cells.
    pub(crate) top: f32,
}

/// The polygons of a tile, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TileMesh {
    pub(crate) vertices: Vec<glam::Vec3>,
    pub(crate) polygons: Csr<u32>,
    pub(crate) areas: Vec<u8>,
    /// Per polygon, the number of cells of its region. It is 0 for all but the first polygon of a region,
    /// so that sums count each region once.
    pub(crate) cells: Vec<u32>,
    /// Per polygon, its detail surface, which is empty if the heights of the corners suffice.
    pub(crate) heights: RawHeights,
    /// How often the tile was split in two because it could not be baked in one piece.
    pub(crate) splits: usize,
}

/// Why a piece of a tile could not be turned into polygons.
pub(crate) enum PieceError {
    /// The halves of the piece may succeed, because they are smaller and have simpler regions. The text is
    /// the reason.
    Split(String),
    /// The halves of the piece would fail, too.
    Fatal(BakeError),
}

/// Bakes one tile. If it exceeds a limit of Recast or its contours cannot be triangulated, it is split in
/// two and each half is baked like a tile. This repeats down to single cells if necessary, so no ground
/// is lost.
pub(crate) fn bake(
    context: &BakeContext<'_>,
    tile: TileId,
    triangles: &[u32],
) -> Result<TileMesh, BakeError> {
    let mut mesh = TileMesh::default();
    let border = if context.grid.side == 0 {
        0
    } else {
        context.lengths.border()
    };
    add_piece(
        context,
        context.grid.rect(tile),
        border,
        triangles,
        &mut mesh,
    )?;
    Ok(mesh)
}

fn add_piece(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
    mesh: &mut TileMesh,
) -> Result<(), BakeError> {
    if triangles.is_empty() {
        return Ok(());
    }
    // Recast counts the cells along a side with 16 bits.
    let max_side = u32::from(u16::MAX) - 2 * u32::from(context.lengths.border());
    let piece = if rect.width().max(rect.depth()) > max_side {
        Err(PieceError::Split("more than 65 000 cells per side".into()))
    } else {
        build_polygons(context, rect, border, triangles)
    };
    match piece {
        Ok((polygons, compact)) => {
            append_piece(context, rect, &polygons, &compact, mesh);
            Ok(())
        }
        Err(PieceError::Fatal(error)) => Err(error),
        Err(PieceError::Split(reason)) => {
            let Some(halves) = rect.halves() else {
                let glam::Vec3 { x, z, .. } = context.grid.centre(rect);
                return Err(BakeError::Tile { x, z, reason });
            };
            mesh.splits += 1;
            for half in halves {
                let border = context.lengths.border();
                let nearby = context.surfaces.within(half, border, triangles);
                add_piece(context, half, border, &nearby, mesh)?;
            }
            Ok(())
        }
    }
}

/// Runs the stages of Recast on one piece.
fn build_polygons(
    context: &BakeContext<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<(PolygonNavmesh, CompactHeightfield), PieceError> {
    let options = context.options;
    let compact = voxels::build_regions(context, rect, border, triangles)?;
    let mut contours = compact.build_contours(
        options.max_edge_error,
        context.lengths.max_edge,
        BuildContoursFlags::DEFAULT,
    );
    if border > 0 {
        recover_slivers(&compact, &mut contours);
    }
    prepare_contours(&mut contours, context.lengths.climb)?;
    let area = twice_area(&contours);
    let mut polygons = contours
        .into_polygon_mesh(3)
        .map_err(|error| PieceError::Split(error.to_string()))?;
    merge::merge(&mut polygons, options.max_vertices);
    check_polygons(&polygons, area)?;
    Ok((polygons, compact))
}

/// Adds exact contours for regions that have no contour after the simplification. If the border of a tile
/// follows a narrow passage, each of the two tiles gets a strip that is one cell wide. Both strips, and
/// with them the passage, would be lost. For a region of a single cell, Recast traces no contour at all.
fn recover_slivers(compact: &CompactHeightfield, contours: &mut ContourSet) {
    let mut has_contour = vec![false; usize::from(compact.max_region.bits()) + 1];
    for contour in &contours.contours {
        if holes::twice_area(&contour.vertices) > 0 {
            has_contour[usize::from(contour.region.bits())] = true;
        }
    }
    let is_lost = |region: RegionId, has_contour: &[bool]| {
        let index = usize::from(region.bits());
        region != RegionId::NONE && has_contour.get(index) == Some(&false)
    };
    let mut spans = compact.spans.iter();
    if !spans.any(|span| is_lost(span.region, &has_contour)) {
        return;
    }
    let exact = compact.build_contours(0.0, 0, BuildContoursFlags::empty());
    let exact = exact.contours.into_iter();
    let lost: Vec<Contour> = exact
        .filter(|contour| is_lost(contour.region, &has_contour))
        .collect();
    for contour in &lost {
        has_contour[usize::from(contour.region.bits())] = true;
    }
    contours.contours.extend(lost);
    for (column, cell) in compact.cells.iter().enumerate() {
        for span in cell.index_range() {
            if is_lost(compact.spans[span].region, &has_contour) {
                contours.contours.push(cell_outline(compact, column, span));
            }
        }
    }
}

/// Returns the contour of a single cell.
fn cell_outline(compact: &CompactHeightfield, column: usize, span: usize) -> Contour {
    let (width, border) = (usize::from(compact.width), usize::from(compact.border_size));
    let [x, z] = [column % width, column / width].map(|at| (at - border) as u16);
    let y = compact.spans[span].y;
    let ring = [[x, z + 1], [x + 1, z + 1], [x + 1, z], [x, z]];
    Contour {
        vertices: ring.map(|[x, z]| (U16Vec3::new(x, y, z), 0)).into(),
        region: compact.spans[span].region,
        area: compact.areas[span],
        ..Contour::default()
    }
}

/// Prepares contours for the triangulation: aligns them with their neighbours and joins their holes.
fn prepare_contours(contours: &mut ContourSet, climb: u16) -> Result<(), PieceError> {
    let (width, depth) = (contours.width, contours.height);
    outline::share_corners(&mut contours.contours);
    for contour in &mut contours.contours {
        if contours.border_size > 0 {
            // With a quarter of the climb on each side, two tiles differ by at most half the climb.
            let tolerance = (f64::from(climb) / 4.0).max(0.5);
            seams::follow_heights(contour, width, depth, tolerance);
        }
        for (_, flags) in &mut contour.vertices {
            // Recast removes such corners so that the borders of tiles match corner by corner. Here,
            // borders are matched by position, and removing corners is broken in rerecast 0.5.
            *flags &= !RegionVertexId::BORDER_VERTEX.bits();
        }
    }
    contours.contours = holes::join(std::mem::take(&mut contours.contours))?;
    let corners: usize = contours.contours.iter().map(|c| c.vertices.len()).sum();
    if corners > MAX_CORNERS {
        return Err(PieceError::Split(format!("{corners} corners")));
    }
    Ok(())
}

fn twice_area(contours: &ContourSet) -> i64 {
    let rings = contours.contours.iter();
    rings
        .map(|contour| holes::twice_area(&contour.vertices))
        .sum()
}

/// Checks that polygons cover their contours exactly, which a triangulation of contours that cross
/// themselves may not do. Polygons must be convex, have a positive orientation and have exactly the area
/// `expected` of the contours together, and no two may have the same directed edge.
fn check_polygons(polygons: &PolygonNavmesh, expected: i64) -> Result<(), PieceError> {
    let mut area = 0;
    let mut seen_edges = HashSet::new();
    for polygon in polygons.polygons() {
        let ring: Vec<u16> = polygon.collect();
        let corner = |index: usize| {
            let vertex = ring[index % ring.len()];
            (polygons.vertices[usize::from(vertex)], 0)
        };
        let corners: Vec<(U16Vec3, u32)> = (0..ring.len()).map(corner).collect();
        let turn_area =
            |at: usize| holes::twice_area(&[corner(at), corner(at + 1), corner(at + 2)]);
        let polygon_area = holes::twice_area(&corners);
        if polygon_area <= 0 || (0..ring.len()).any(|at| turn_area(at) < 0) {
            return Err(PieceError::Split("a polygon that is not convex".into()));
        }
        if !merge::edges(&ring).all(|edge| seen_edges.insert(edge)) {
            return Err(PieceError::Split("polygons that overlap".into()));
        }
        area += polygon_area;
    }
    if area != expected {
        return Err(PieceError::Split(
            "polygons that do not cover their contour".into(),
        ));
    }
    Ok(())
}

/// Appends the polygons of a piece to the tile.
fn append_piece(
    context: &BakeContext<'_>,
    rect: Rect,
    polygons: &PolygonNavmesh,
    compact: &CompactHeightfield,
    mesh: &mut TileMesh,
) {
    let first = mesh.vertices.len() as u32;
    let origin = DVec3::new(rect.min[0].into(), 0.0, rect.min[1].into());
    mesh.vertices.extend(
        polygons
            .vertices
            .iter()
            .map(|vertex| context.grid.to_metres(origin + vertex.as_dvec3())),
    );
    let mut cells = vec![0; usize::from(compact.max_region.bits()) + 1];
    for span in &compact.spans {
        if let Some(cells) = cells.get_mut(usize::from(span.region.bits())) {
            *cells += 1;
        }
    }
    mesh.cells.extend(polygons.regions.iter().map(|region| {
        let cells = cells.get_mut(usize::from(region.bits()));
        cells.map_or(0, std::mem::take)
    }));
    for (polygon, area_type) in polygons.polygons().zip(&polygons.areas) {
        // Recast's polygons are clockwise, those of a navmesh are counterclockwise.
        let mut ring: Vec<u32> = polygon.map(|corner| first + u32::from(corner)).collect();
        ring.reverse();
        mesh.polygons.push(ring);
        mesh.areas.push(surfaces::area(*area_type));
    }
    detail::append(context, rect, polygons, compact, &mut mesh.heights);
}
