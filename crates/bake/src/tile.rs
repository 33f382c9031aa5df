//! One tile: from its triangles to its polygons.

use std::collections::{HashMap, HashSet};

use glam::{DVec3, U16Vec3};
use portolan_core::{AreaRules, Csr, RawHeights};
use rerecast::{
    BuildContoursFlags, CompactHeightfield, Contour, ContourSet, PolygonNavmesh, RegionId,
    RegionVertexId,
};

use crate::grid::{Grid, Rect};
use crate::options::Cells;
use crate::surfaces::{self, Surfaces};
use crate::{BakeError, BakeOptions, TileId, detail, holes, merge, outline, seams, voxels};

/// Most corners of a piece. Recast counts corners and sides with 16 bits, and a triangulation has
/// fewer than twice as many sides as corners.
const MAX_CORNERS: usize = 30_000;

/// What all tiles of a bake have in common.
pub(crate) struct Job<'a> {
    pub(crate) grid: &'a Grid,
    pub(crate) options: &'a BakeOptions,
    pub(crate) cells: Cells,
    pub(crate) rules: &'a AreaRules,
    pub(crate) surfaces: Surfaces,
    /// Highest point, in cells.
    pub(crate) top: f32,
}

/// The polygons of a tile, in metres.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TileMesh {
    pub(crate) vertices: Vec<glam::Vec3>,
    pub(crate) polygons: Csr<u32>,
    pub(crate) areas: Vec<u8>,
    /// Per polygon, how many cells its region has; 0 for all but the first polygon of a region, so
    /// that sums count a region once.
    pub(crate) cells: Vec<u32>,
    /// A list a polygon, empty where its corners say it all.
    pub(crate) heights: RawHeights,
    /// How often it was cut in two because it could not be done in one.
    pub(crate) cuts: usize,
}

/// Why a rectangle has not become polygons.
pub(crate) enum Trouble {
    /// Its halves may: they have simpler regions and fewer of everything.
    Cut(String),
    /// Nothing will do.
    Final(BakeError),
}

/// Bakes one tile. Where its contours cannot be triangulated or a limit of Recast's is met, it is
/// cut in two and each half baked like a tile of its own, down to single cells if need be: no
/// ground is lost.
pub(crate) fn bake(job: &Job<'_>, tile: TileId, triangles: &[u32]) -> Result<TileMesh, BakeError> {
    let mut mesh = TileMesh::default();
    let border = if job.grid.side == 0 {
        0
    } else {
        job.cells.border()
    };
    add(job, job.grid.rect(tile), border, triangles, &mut mesh)?;
    Ok(mesh)
}

fn add(
    job: &Job<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
    mesh: &mut TileMesh,
) -> Result<(), BakeError> {
    if triangles.is_empty() {
        return Ok(());
    }
    // Recast counts cells with 16 bits.
    let widest = u32::from(u16::MAX) - 2 * u32::from(job.cells.border());
    let piece = if rect.width().max(rect.depth()) > widest {
        Err(Trouble::Cut("more than 65 000 cells a side".into()))
    } else {
        polygons(job, rect, border, triangles)
    };
    match piece {
        Ok((polygons, open)) => {
            append(job, rect, &polygons, &open, mesh);
            Ok(())
        }
        Err(Trouble::Final(error)) => Err(error),
        Err(Trouble::Cut(what)) => {
            let Some(halves) = rect.halves() else {
                let glam::Vec3 { x, z, .. } = job.grid.middle(rect);
                return Err(BakeError::Tile { x, z, what });
            };
            mesh.cuts += 1;
            for half in halves {
                let border = job.cells.border();
                let nearby = job.surfaces.within(half, border, triangles);
                add(job, half, border, &nearby, mesh)?;
            }
            Ok(())
        }
    }
}

/// Recast's stages, one after the other.
fn polygons(
    job: &Job<'_>,
    rect: Rect,
    border: u16,
    triangles: &[u32],
) -> Result<(PolygonNavmesh, CompactHeightfield), Trouble> {
    let options = job.options;
    let open = voxels::regions(job, rect, border, triangles)?;
    let mut contours = open.build_contours(
        options.max_edge_error,
        job.cells.max_edge,
        BuildContoursFlags::DEFAULT,
    );
    if border > 0 {
        rescue_slivers(&open, &mut contours);
    }
    prepare(&mut contours, job.cells.climb)?;
    let area = twice_area(&contours);
    let mut polygons = contours
        .into_polygon_mesh(3)
        .map_err(|error| Trouble::Cut(error.to_string()))?;
    merge::merge(&mut polygons, options.max_vertices);
    check(&polygons, area)?;
    Ok((polygons, open))
}

/// Draws regions exactly that simplification left no contour of. The border of a tile can run along
/// a narrow passage and leave a strip a cell wide on either side: both would be lost, and with them
/// the passage. Where it cuts off a single cell, Recast draws nothing at all.
fn rescue_slivers(open: &CompactHeightfield, contours: &mut ContourSet) {
    let mut drawn = vec![false; usize::from(open.max_region.bits()) + 1];
    for contour in &contours.contours {
        if holes::twice_area(&contour.vertices) > 0 {
            drawn[usize::from(contour.region.bits())] = true;
        }
    }
    let is_lost = |region: RegionId, drawn: &[bool]| {
        let index = usize::from(region.bits());
        region != RegionId::NONE && drawn.get(index) == Some(&false)
    };
    let mut spans = open.spans.iter();
    if !spans.any(|span| is_lost(span.region, &drawn)) {
        return;
    }
    let exact = open.build_contours(0.0, 0, BuildContoursFlags::empty());
    let exact = exact.contours.into_iter();
    let lost: Vec<Contour> = exact
        .filter(|contour| is_lost(contour.region, &drawn))
        .collect();
    for contour in &lost {
        drawn[usize::from(contour.region.bits())] = true;
    }
    contours.contours.extend(lost);
    for (column, cell) in open.cells.iter().enumerate() {
        for span in cell.index_range() {
            if is_lost(open.spans[span].region, &drawn) {
                contours.contours.push(around_cell(open, column, span));
            }
        }
    }
}

/// The outline of a single cell.
fn around_cell(open: &CompactHeightfield, column: usize, span: usize) -> Contour {
    let (width, border) = (usize::from(open.width), usize::from(open.border_size));
    let [x, z] = [column % width, column / width].map(|at| (at - border) as u16);
    let y = open.spans[span].y;
    let ring = [[x, z + 1], [x + 1, z + 1], [x + 1, z], [x, z]];
    Contour {
        vertices: ring.map(|[x, z]| (U16Vec3::new(x, y, z), 0)).into(),
        region: open.spans[span].region,
        area: open.areas[span],
        ..Contour::default()
    }
}

/// Makes contours fit for triangulation.
fn prepare(contours: &mut ContourSet, climb: u16) -> Result<(), Trouble> {
    let (width, depth) = (contours.width, contours.height);
    outline::share_corners(&mut contours.contours);
    for contour in &mut contours.contours {
        if contours.border_size > 0 {
            // Two tiles are each off by the tolerance at most, so together by half the climb.
            let tolerance = (f64::from(climb) / 4.0).max(0.5);
            seams::follow_heights(contour, width, depth, tolerance);
        }
        for (_, flags) in &mut contour.vertices {
            // Such corners would be taken out again, so that borders of tiles match corner by
            // corner; ours match by place, and taking out is broken in rerecast 0.5.
            *flags &= !RegionVertexId::BORDER_VERTEX.bits();
        }
    }
    contours.contours = holes::join(std::mem::take(&mut contours.contours))?;
    let corners: usize = contours.contours.iter().map(|c| c.vertices.len()).sum();
    if corners > MAX_CORNERS {
        return Err(Trouble::Cut(format!("{corners} corners")));
    }
    Ok(())
}

fn twice_area(contours: &ContourSet) -> i64 {
    let rings = contours.contours.iter();
    rings
        .map(|contour| holes::twice_area(&contour.vertices))
        .sum()
}

/// Contours that cross themselves can be triangulated and still not be covered: polygons must be
/// convex, all the right way round, have the very area of the contours together, and no two may run
/// along a side in the same direction.
fn check(polygons: &PolygonNavmesh, expected: i64) -> Result<(), Trouble> {
    let mut area = 0;
    let mut taken = HashSet::new();
    for polygon in polygons.polygons() {
        let ring: Vec<u16> = polygon.collect();
        let corner = |index: usize| {
            let vertex = ring[index % ring.len()];
            (polygons.vertices[usize::from(vertex)], 0)
        };
        let corners: Vec<(U16Vec3, u32)> = (0..ring.len()).map(corner).collect();
        let turns = |at: usize| holes::twice_area(&[corner(at), corner(at + 1), corner(at + 2)]);
        let part = holes::twice_area(&corners);
        if part <= 0 || (0..ring.len()).any(|at| turns(at) < 0) {
            return Err(Trouble::Cut("a polygon that is not convex".into()));
        }
        if !merge::sides(&ring).all(|side| taken.insert(side)) {
            return Err(Trouble::Cut("polygons that overlap".into()));
        }
        area += part;
    }
    if area != expected {
        return Err(Trouble::Cut(
            "polygons that do not cover their contour".into(),
        ));
    }
    Ok(())
}

/// Adds a piece's polygons to the tile.
fn append(
    job: &Job<'_>,
    rect: Rect,
    polygons: &PolygonNavmesh,
    open: &CompactHeightfield,
    mesh: &mut TileMesh,
) {
    let first = mesh.vertices.len() as u32;
    let corner = DVec3::new(rect.min[0].into(), 0.0, rect.min[1].into());
    mesh.vertices.extend(
        polygons
            .vertices
            .iter()
            .map(|vertex| job.grid.to_metres(corner + vertex.as_dvec3())),
    );
    let mut cells: HashMap<RegionId, u32> = HashMap::new();
    for span in &open.spans {
        *cells.entry(span.region).or_default() += 1;
    }
    let regions = polygons.regions.iter();
    mesh.cells
        .extend(regions.map(|region| cells.remove(region).unwrap_or(0)));
    for (polygon, kind) in polygons.polygons().zip(&polygons.areas) {
        // Recast goes around clockwise, we go the other way.
        let mut ring: Vec<u32> = polygon.map(|corner| first + u32::from(corner)).collect();
        ring.reverse();
        mesh.polygons.push(ring);
        mesh.areas.push(surfaces::area(*kind));
    }
    detail::append(job, rect, polygons, open, &mut mesh.heights);
}
