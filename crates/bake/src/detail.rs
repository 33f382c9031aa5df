//! Adds heights between the corners of polygons. Recast calls the result the detail mesh.
//!
//! A polygon is large and the ground below it is rarely flat. If the ground differs from the polygon by
//! more than the allowed error, the polygon gets extra points on its edges and inside, and a
//! triangulation of all of them: its detail surface.
//!
//! The points on an edge are computed once per edge, from the corners and the cells along the edge
//! alone, so the surfaces on both sides of the edge meet without a crack. At the border of a tile, every
//! cell is sampled by a rule that does not depend on regions. Both tiles are within the error of the
//! same heights there, so their surfaces differ by at most twice the error.
//!
//! Cells are solid up to their tops, so surfaces are above the geometry: by up to a cell height on level
//! ground, and on slopes also by the rise within a cell.

mod height_sampler;
mod refine;
mod triangulation;

use glam::{DVec3, U16Vec3};
use portolan_core::RawHeights;
use rerecast::{CompactHeightfield, PolygonNavmesh, RegionId};

use crate::grid::Rect;
use crate::seams::is_on_tile_border;
use crate::simplify::simplify;
use crate::tile::BakeContext;
use height_sampler::{FloorFilter, HeightSampler};
use refine::Refinement;
use triangulation::{Triangulation, orientation};

/// Maximum number of intervals between the samples of an edge. A tile has at most 1024 cells per side, so
/// this allows one sample per cell along the border of a tile.
const MAX_EDGE_STEPS: usize = 1024;

/// Maximum number of points inside a polygon. The time of a height query grows with the number of points
/// and triangles of a polygon.
const MAX_INNER_POINTS: usize = 250;

/// Maximum distance of the corners of a polygon from a common plane, in cell heights, for the polygon to
/// count as planar.
const PLANE_TOLERANCE: f64 = 0.1;

/// Appends the detail surfaces of the polygons of a piece, in the order of the polygons. Polygons that
/// need none get empty lists.
pub(crate) fn append(
    context: &BakeContext<'_>,
    rect: Rect,
    polygons: &PolygonNavmesh,
    compact: &CompactHeightfield,
    heights: &mut RawHeights,
) {
    let options = context.options;
    if options.detail_sample == 0.0 {
        for _ in 0..polygons.polygon_count() {
            heights.vertices.push([]);
            heights.triangles.push([]);
        }
        return;
    }
    let spacing = f64::from(options.detail_sample).round().max(1.0);
    let mut builder = DetailBuilder {
        ground: HeightSampler::new(compact, context.lengths.height, options.max_edge_error),
        spacing,
        error: options.detail_error.into(),
        surface: Triangulation::default(),
        refinement: Refinement::default(),
        samples: Vec::new(),
        triangle_of: Vec::new(),
    };
    let edge_points = EdgePoints::new(polygons, compact, &builder);
    let origin = DVec3::new(rect.min[0].into(), 0.0, rect.min[1].into());
    let mut first = 0;
    for (index, polygon) in polygons.polygons().enumerate() {
        let corners: Vec<usize> = polygon.map(usize::from).collect();
        let ring: Vec<DVec3> = corners
            .iter()
            .map(|&corner| polygons.vertices[corner].as_dvec3())
            .collect();
        let edges = &edge_points.of_edge[first..first + corners.len()];
        first += corners.len();
        if builder.build_surface(&ring, region(polygons, index), edges, &edge_points) {
            let points = &builder.surface.points()[corners.len()..];
            let metres = points
                .iter()
                .map(|&point| context.grid.to_metres(origin + point));
            heights.vertices.push(metres);
            // The mesh stores the corners of the ring in reverse order.
            let corner_count = ring.len();
            let index = |point: u32| match corner_count.checked_sub(1 + point as usize) {
                Some(corner) => corner as u16,
                None => point as u16,
            };
            let triangles = builder.surface.triangles();
            heights
                .triangles
                .push(triangles.map(|[a, b, c]| [c, b, a].map(index)));
        } else {
            heights.vertices.push([]);
            heights.triangles.push([]);
        }
    }
}

fn region(polygons: &PolygonNavmesh, index: usize) -> RegionId {
    polygons
        .regions
        .get(index)
        .copied()
        .unwrap_or(RegionId::NONE)
}

/// The points that the edges of polygons need between their corners.
#[derive(Default)]
struct EdgePoints {
    /// The points of all edges. Those of one edge start at the corner with the smaller (x, z, y).
    points: Vec<DVec3>,
    /// Per edge of every polygon, in order: its range in `points`, and whether the polygon traverses the
    /// edge in the opposite direction.
    of_edge: Vec<(std::ops::Range<usize>, bool)>,
}

impl EdgePoints {
    fn new(
        polygons: &PolygonNavmesh,
        compact: &CompactHeightfield,
        builder: &DetailBuilder<'_>,
    ) -> Self {
        // (corners in the order of their keys, number of the edge, region, whether it is reversed)
        let mut edges: Vec<([u16; 2], u32, RegionId, bool)> = Vec::new();
        // Corners are ordered by position, which does not depend on the polygon.
        let key = |corner: u16| {
            let U16Vec3 { x, y, z } = polygons.vertices[usize::from(corner)];
            (x, z, y)
        };
        for (index, polygon) in polygons.polygons().enumerate() {
            let corners: Vec<u16> = polygon.collect();
            for (at, &from) in corners.iter().enumerate() {
                let to = corners[(at + 1) % corners.len()];
                let reversed = key(to) < key(from);
                let endpoints = if reversed { [to, from] } else { [from, to] };
                edges.push((
                    endpoints,
                    edges.len() as u32,
                    region(polygons, index),
                    reversed,
                ));
            }
        }
        let mut edge_points = Self {
            points: Vec::new(),
            of_edge: vec![(0..0, false); edges.len()],
        };
        edges.sort_unstable_by_key(|&(endpoints, number, ..)| (endpoints, number));
        let border_size = compact.border_size;
        let size = [
            compact.width.saturating_sub(2 * border_size),
            compact.height.saturating_sub(2 * border_size),
        ];
        for shared in edges.chunk_by(|a, b| a.0 == b.0) {
            let (endpoints, _, region, _) = shared[0];
            let other_region = shared[shared.len() - 1].2;
            let [from, to] = endpoints.map(|corner| polygons.vertices[usize::from(corner)]);
            let filter = if border_size > 0 && is_on_tile_border(from, to, size) {
                FloorFilter::Any
            } else {
                FloorFilter::Regions([region, other_region])
            };
            let start = edge_points.points.len();
            builder.sample_edge(
                from.as_dvec3(),
                to.as_dvec3(),
                filter,
                &mut edge_points.points,
            );
            for &(_, number, _, reversed) in shared {
                edge_points.of_edge[number as usize] = (start..edge_points.points.len(), reversed);
            }
        }
        edge_points
    }
}

/// Computes the detail surfaces of one piece. The buffers are reused for each polygon.
struct DetailBuilder<'a> {
    ground: HeightSampler<'a>,
    /// Distance between samples, in cells.
    spacing: f64,
    /// Maximum distance of samples from the surface, in cell heights.
    error: f64,
    surface: Triangulation,
    refinement: Refinement,
    samples: Vec<DVec3>,
    triangle_of: Vec<u32>,
}

impl DetailBuilder<'_> {
    /// Appends the points that an edge needs between its corners.
    fn sample_edge(&self, from: DVec3, to: DVec3, filter: FloorFilter, points: &mut Vec<DVec3>) {
        let spacing = match filter {
            FloorFilter::Regions(_) => self.spacing,
            FloorFilter::Any => 1.0,
        };
        let length = (to - from).with_y(0.0).length();
        let steps = ((length / spacing).ceil() as usize).clamp(1, MAX_EDGE_STEPS);
        let mut line = vec![from];
        // The guess for each sample starts at the previous sample. Linear interpolation between the
        // corners can be metres away from the ground: on a hill, and where the simplification of a contour
        // moved the edge.
        for step in 1..steps {
            let point = from.lerp(to, step as f64 / steps as f64);
            let last = line[step - 1].y;
            let guide = last + (to.y - last) / (steps - step + 1) as f64;
            line.push(point.with_y(self.ground.height_at(point.x, point.z, filter, guide)));
        }
        line.push(to);
        let heights: Vec<f64> = line.iter().map(|point| point.y).collect();
        points.extend(
            simplify(&heights, self.error)
                .into_iter()
                .map(|at| line[at]),
        );
    }

    /// Builds the detail surface of a polygon. Returns `false` if the polygon needs none.
    fn build_surface(
        &mut self,
        ring: &[DVec3],
        region: RegionId,
        edges: &[(std::ops::Range<usize>, bool)],
        edge_points: &EdgePoints,
    ) -> bool {
        self.sample(ring);
        let filter = FloorFilter::Regions([region; 2]);
        let has_straight_edges = edges.iter().all(|(points, _)| points.is_empty());
        if has_straight_edges
            && let Some(plane) = Plane::through(ring)
            && self.samples.iter().all(|sample| {
                let plane_height = plane.height(sample.x, sample.z);
                let height = self
                    .ground
                    .height_at(sample.x, sample.z, filter, plane_height);
                (height - plane_height).abs() <= self.error
            })
        {
            return false;
        }
        if self.surface.start(ring).is_none() {
            return false;
        }
        for (edge, (points, reversed)) in edges.iter().enumerate() {
            let points = &edge_points.points[points.clone()];
            let end = (edge + 1) % ring.len();
            let mut last = edge as u32;
            for step in 0..points.len() {
                let index = if *reversed {
                    points.len() - 1 - step
                } else {
                    step
                };
                match self
                    .surface
                    .add_to_outline([last, end as u32], points[index])
                {
                    Some(added) => last = added,
                    None => return false,
                }
            }
        }
        self.triangle_of.clear();
        let mut near = 0;
        for sample in &mut self.samples {
            // Samples are ordered by row, so the next one is usually in the same triangle.
            let all = 0..self.surface.len() as u32;
            let among = std::iter::once(near).chain(all);
            let Some((triangle, guide)) = self.surface.find(sample.x, sample.z, among) else {
                return false;
            };
            sample.y = self.ground.height_at(sample.x, sample.z, filter, guide);
            self.triangle_of.push(triangle);
            near = triangle;
        }
        self.refinement.run(
            &mut self.surface,
            &self.samples,
            &self.triangle_of,
            self.error,
            MAX_INNER_POINTS,
        );
        true
    }

    /// Fills `samples` with the points of a regular grid that are inside the polygon and at least a
    /// quarter of the spacing away from its edges. Recast keeps half of the spacing, which can leave a
    /// wedge of one and a half spacings without samples.
    fn sample(&mut self, ring: &[DVec3]) {
        self.samples.clear();
        let spacing = self.spacing;
        let low = ring.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = ring.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let steps = |low: f64, high: f64| {
            (low / spacing).ceil() as u32..=(high / spacing).floor().max(0.0) as u32
        };
        let margin = spacing / 4.0;
        for row in steps(low.z, high.z) {
            let z = f64::from(row) * spacing;
            // Each edge limits the part of the row that is far enough inside.
            let (mut west, mut east) = (low.x, high.x);
            for (index, &from) in ring.iter().enumerate() {
                let to = ring[(index + 1) % ring.len()];
                let run = (to - from).with_y(0.0);
                // orientation(from, to, (x, z)) >= margin * length, that is run.z * (x - from.x) >= bound.
                let bound = margin * run.length() + run.x * (z - from.z);
                if run.z > 0.0 {
                    west = west.max(from.x + bound / run.z);
                } else if run.z < 0.0 {
                    east = east.min(from.x + bound / run.z);
                } else if bound > 0.0 {
                    east = f64::NEG_INFINITY;
                }
            }
            if west <= east {
                let columns = steps(west, east);
                self.samples
                    .extend(columns.map(|column| DVec3::new(f64::from(column) * spacing, 0.0, z)));
            }
        }
    }
}

/// A plane, given by one of its points and its slopes along x and z.
struct Plane {
    through: DVec3,
    rise: [f64; 2],
}

impl Plane {
    /// Returns the plane through the corners of a polygon, or `None` if they are not in one plane.
    fn through(ring: &[DVec3]) -> Option<Self> {
        let &first = ring.first()?;
        let plane = if ring.iter().all(|corner| corner.y == first.y) {
            Self {
                through: first,
                rise: [0.0; 2],
            }
        } else {
            // The largest triangle determines the plane most precisely.
            let count = ring.len();
            let [a, b, c] = (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .flat_map(|(a, b)| (b + 1..count).map(move |c| [a, b, c]))
                .map(|corners| corners.map(|corner| ring[corner]))
                .max_by(|x, y| {
                    orientation(x[0], x[1], x[2]).total_cmp(&orientation(y[0], y[1], y[2]))
                })?;
            let area = orientation(a, b, c);
            if area <= 0.0 {
                return None;
            }
            let (u, v) = (b - a, c - a);
            Self {
                through: a,
                rise: [
                    (u.z * v.y - v.z * u.y) / area,
                    (u.y * v.x - v.y * u.x) / area,
                ],
            }
        };
        let fits =
            |corner: &DVec3| (plane.height(corner.x, corner.z) - corner.y).abs() <= PLANE_TOLERANCE;
        ring.iter().all(fits).then_some(plane)
    }

    fn height(&self, x: f64, z: f64) -> f64 {
        self.through.y + (x - self.through.x) * self.rise[0] + (z - self.through.z) * self.rise[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planar_polygons_are_recognised() {
        let corner = |x: f64, z: f64, off: f64| DVec3::new(x, 0.5 * x - 0.25 * z + off, z);
        let ring = |off: f64| {
            [
                corner(0.0, 0.0, 0.0),
                corner(0.0, 8.0, 0.0),
                corner(8.0, 8.0, off),
                corner(8.0, 0.0, 0.0),
            ]
        };
        let plane = Plane::through(&ring(0.05)).unwrap();
        assert!((plane.height(4.0, 2.0) - 1.5).abs() < 0.05);
        assert!(Plane::through(&ring(1.0)).is_none());
        assert!(Plane::through(&[DVec3::ZERO, DVec3::X, DVec3::new(2.0, 2.0, 0.0)]).is_none());
    }
}
