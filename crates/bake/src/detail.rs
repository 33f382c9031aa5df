//! Heights between the corners of polygons: what Recast calls the detail mesh.
//!
//! Polygons are large, hills are not flat. A polygon whose corners and borders leave the ground by
//! more than an error gets points on its borders and inside it, and triangles over all of them.
//!
//! Borders come first and belong to no polygon: each is sampled and thinned once, from its corners
//! and its cells alone, so that the surfaces on both sides of it meet without a crack. At the border
//! of a tile both tiles sample every cell, by a rule that does not know their regions, so their
//! surfaces are within twice the error of each other there.
//!
//! A cell counts as solid up to its top, so surfaces lie above the ground: by up to the height of a
//! cell on level ground, and by what the ground rises within a cell more on slopes.

mod ground;
mod refine;
mod triangulation;

use glam::{DVec3, U16Vec3};
use portolan_core::RawHeights;
use rerecast::{CompactHeightfield, PolygonNavmesh, RegionId};

use crate::grid::Rect;
use crate::seams::is_rim;
use crate::thin::thin;
use crate::tile::Job;
use ground::{Floor, Ground};
use refine::Refinement;
use triangulation::{Triangulation, turn};

/// Points that one border can be given. A tile has at most 1024 cells a side, so the borders of
/// tiles are sampled cell by cell.
const MOST_ON_BORDER: usize = 1024;

/// Points that one polygon can be given inside. The height of a place costs a short look at each of a
/// polygon's points and triangles.
const MOST_INSIDE: usize = 250;

/// How far, in cell heights, the corners of a polygon may be off a plane to be taken for one.
const LEVEL: f64 = 0.1;

/// Adds the finer surfaces of a piece's polygons, in their order.
pub(crate) fn append(
    job: &Job<'_>,
    rect: Rect,
    polygons: &PolygonNavmesh,
    open: &CompactHeightfield,
    heights: &mut RawHeights,
) {
    let options = job.options;
    if options.detail_sample == 0.0 {
        for _ in 0..polygons.polygon_count() {
            heights.vertices.push([]);
            heights.triangles.push([]);
        }
        return;
    }
    let spacing = f64::from(options.detail_sample).round().max(1.0);
    let mut detail = Detail {
        ground: Ground::new(open, job.cells.height, options.max_edge_error),
        spacing,
        error: options.detail_error.into(),
        surface: Triangulation::default(),
        refinement: Refinement::default(),
        samples: Vec::new(),
        home: Vec::new(),
    };
    let borders = Borders::new(polygons, open, &detail);
    let corner = DVec3::new(rect.min[0].into(), 0.0, rect.min[1].into());
    let mut first = 0;
    for (index, polygon) in polygons.polygons().enumerate() {
        let corners: Vec<usize> = polygon.map(usize::from).collect();
        let ring: Vec<DVec3> = corners
            .iter()
            .map(|&corner| polygons.vertices[corner].as_dvec3())
            .collect();
        let sides = &borders.of_side[first..first + corners.len()];
        first += corners.len();
        if detail.polygon(&ring, region(polygons, index), sides, &borders) {
            let points = &detail.surface.points()[corners.len()..];
            let metres = points
                .iter()
                .map(|&point| job.grid.to_metres(corner + point));
            heights.vertices.push(metres);
            // The mesh goes around the other way, and counts corners from the ring's end.
            let sides = ring.len();
            let name = |point: u32| match sides.checked_sub(1 + point as usize) {
                Some(corner) => corner as u16,
                None => point as u16,
            };
            let triangles = detail.surface.triangles();
            heights
                .triangles
                .push(triangles.map(|[a, b, c]| [c, b, a].map(name)));
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

/// The inner points of all borders.
#[derive(Default)]
struct Borders {
    /// Points of all borders, each from the lower of its two corners to the higher.
    points: Vec<DVec3>,
    /// Per side of every polygon, in order: its part of `points`, and whether the side runs the
    /// other way.
    of_side: Vec<(std::ops::Range<usize>, bool)>,
}

impl Borders {
    fn new(polygons: &PolygonNavmesh, open: &CompactHeightfield, detail: &Detail<'_>) -> Self {
        // (corners in order, number of the side, region, whether it runs the other way)
        let mut sides: Vec<([u16; 2], u32, RegionId, bool)> = Vec::new();
        // By place, so that it is the same from everywhere.
        let key = |corner: u16| {
            let U16Vec3 { x, y, z } = polygons.vertices[usize::from(corner)];
            (x, z, y)
        };
        for (index, polygon) in polygons.polygons().enumerate() {
            let corners: Vec<u16> = polygon.collect();
            for (at, &from) in corners.iter().enumerate() {
                let to = corners[(at + 1) % corners.len()];
                let back = key(to) < key(from);
                let ends = if back { [to, from] } else { [from, to] };
                sides.push((ends, sides.len() as u32, region(polygons, index), back));
            }
        }
        let mut borders = Self {
            points: Vec::new(),
            of_side: vec![(0..0, false); sides.len()],
        };
        sides.sort_unstable_by_key(|&(ends, number, ..)| (ends, number));
        let border_size = open.border_size;
        let size = [
            open.width.saturating_sub(2 * border_size),
            open.height.saturating_sub(2 * border_size),
        ];
        for border in sides.chunk_by(|a, b| a.0 == b.0) {
            let (ends, _, one, _) = border[0];
            let other = border[border.len() - 1].2;
            let [from, to] = ends.map(|corner| polygons.vertices[usize::from(corner)]);
            let floor = if border_size > 0 && is_rim(from, to, size) {
                Floor::Nearest
            } else {
                Floor::Of([one, other])
            };
            let start = borders.points.len();
            detail.border(from.as_dvec3(), to.as_dvec3(), floor, &mut borders.points);
            for &(_, number, _, back) in border {
                borders.of_side[number as usize] = (start..borders.points.len(), back);
            }
        }
        borders
    }
}

/// The work on one piece.
struct Detail<'a> {
    ground: Ground<'a>,
    /// Distance of samples, in cells.
    spacing: f64,
    /// How far samples may be off, in cell heights.
    error: f64,
    surface: Triangulation,
    refinement: Refinement,
    samples: Vec<DVec3>,
    home: Vec<u32>,
}

impl Detail<'_> {
    /// Adds the points that a border needs between its ends.
    fn border(&self, from: DVec3, to: DVec3, floor: Floor, points: &mut Vec<DVec3>) {
        let spacing = match floor {
            Floor::Of(_) => self.spacing,
            Floor::Nearest => 1.0,
        };
        let length = (to - from).with_y(0.0).length();
        let steps = ((length / spacing).ceil() as usize).clamp(1, MOST_ON_BORDER);
        let mut line = vec![from];
        // From sample to sample, as one would walk: a straight guess can be metres off the ground
        // of a hill, and far from the ground of both regions where their border was straightened.
        for step in 1..steps {
            let point = from.lerp(to, step as f64 / steps as f64);
            let last = line[step - 1].y;
            let guide = last + (to.y - last) / (steps - step + 1) as f64;
            line.push(point.with_y(self.ground.height(point.x, point.z, floor, guide)));
        }
        line.push(to);
        let heights: Vec<f64> = line.iter().map(|point| point.y).collect();
        points.extend(thin(&heights, self.error).into_iter().map(|at| line[at]));
    }

    /// Makes the surface of a polygon; `false` where its corners say it all.
    fn polygon(
        &mut self,
        ring: &[DVec3],
        region: RegionId,
        sides: &[(std::ops::Range<usize>, bool)],
        borders: &Borders,
    ) -> bool {
        self.sample(ring);
        let floor = Floor::Of([region; 2]);
        let straight = sides.iter().all(|(points, _)| points.is_empty());
        if straight
            && let Some(plane) = Plane::through(ring)
            && self.samples.iter().all(|sample| {
                let level = plane.height(sample.x, sample.z);
                let height = self.ground.height(sample.x, sample.z, floor, level);
                (height - level).abs() <= self.error
            })
        {
            return false;
        }
        if self.surface.start(ring).is_none() {
            return false;
        }
        for (side, (points, back)) in sides.iter().enumerate() {
            let points = &borders.points[points.clone()];
            let end = (side + 1) % ring.len();
            let mut last = side as u32;
            for at in 0..points.len() {
                let at = if *back { points.len() - 1 - at } else { at };
                match self.surface.add_to_border([last, end as u32], points[at]) {
                    Some(added) => last = added,
                    None => return false,
                }
            }
        }
        self.home.clear();
        let mut near = 0;
        for sample in &mut self.samples {
            // Samples come row by row: mostly the next lies where the last did.
            let all = 0..self.surface.len() as u32;
            let among = std::iter::once(near).chain(all);
            let Some((triangle, guide)) = self.surface.find(sample.x, sample.z, among) else {
                return false;
            };
            sample.y = self.ground.height(sample.x, sample.z, floor, guide);
            self.home.push(triangle);
            near = triangle;
        }
        self.refinement.run(
            &mut self.surface,
            &self.samples,
            &self.home,
            self.error,
            MOST_INSIDE,
        );
        true
    }

    /// Places every spacing along x and z that are at least a quarter of it from the borders. With
    /// the usual half, wedges are left without samples over a width of one and a half spacings.
    fn sample(&mut self, ring: &[DVec3]) {
        self.samples.clear();
        let spacing = self.spacing;
        let low = ring.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = ring.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
        let steps = |low: f64, high: f64| {
            (low / spacing).ceil() as u32..=(high / spacing).floor().max(0.0) as u32
        };
        let apart = spacing / 4.0;
        for row in steps(low.z, high.z) {
            let z = f64::from(row) * spacing;
            // Each border leaves a part of the row that is far enough on its inner side.
            let (mut west, mut east) = (low.x, high.x);
            for (at, &from) in ring.iter().enumerate() {
                let to = ring[(at + 1) % ring.len()];
                let run = (to - from).with_y(0.0);
                // turn(from, to, (x, z)) >= apart * length, solved for x.
                let rest = apart * run.length() + run.x * (z - from.z);
                if run.z > 0.0 {
                    west = west.max(from.x + rest / run.z);
                } else if run.z < 0.0 {
                    east = east.min(from.x + rest / run.z);
                } else if rest > 0.0 {
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

/// A plane by its height at a place and its rise along x and z.
struct Plane {
    through: DVec3,
    rise: [f64; 2],
}

impl Plane {
    /// The plane of a polygon's corners; `None` where they have none.
    fn through(ring: &[DVec3]) -> Option<Self> {
        let &first = ring.first()?;
        let plane = if ring.iter().all(|corner| corner.y == first.y) {
            Self {
                through: first,
                rise: [0.0; 2],
            }
        } else {
            // The largest triangle says best how it lies.
            let count = ring.len();
            let [a, b, c] = (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .flat_map(|(a, b)| (b + 1..count).map(move |c| [a, b, c]))
                .map(|corners| corners.map(|corner| ring[corner]))
                .max_by(|x, y| turn(x[0], x[1], x[2]).total_cmp(&turn(y[0], y[1], y[2])))?;
            let area = turn(a, b, c);
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
        let fits = |corner: &DVec3| (plane.height(corner.x, corner.z) - corner.y).abs() <= LEVEL;
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
    fn corners_in_a_plane_are_recognised() {
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
