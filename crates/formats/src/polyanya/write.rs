//! Writes a navmesh as a Polyanya mesh, in which every border has at most one neighbour.
//!
//! A border of a navmesh can have portals to several polygons, and adjacent polygons need not share a corner.
//! Polyanya requires one neighbour per border and shared corners, so the writer
//! 1. locates every portal on a border of each of its two polygons;
//! 2. splits borders at the ends of their portals. The outline points of a polygon are its corners and these
//!    ends, in order around it;
//! 3. merges the outline points of both polygons at each end of a portal into one vertex. No other points are
//!    merged, so floors above each other stay separate although the mesh is flat.

use std::io::{self, BufWriter, Write};

use glam::{DVec2, Vec3, dvec2};
use portolan_core::union_find::UnionFind;
use portolan_core::{Csr, NavMesh, PolygonId, Portal};

use crate::import::border_tolerance;
use crate::order::by_user_id;

/// The number of elements that were not written, because a Polyanya mesh cannot represent them. Areas, flags
/// and heights are always left out and not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of portals that overlap another portal, at another height, on the same border.
    pub portals: usize,
    /// The number of off-mesh links.
    pub links: usize,
}

/// Writes a navmesh as a Polyanya mesh: the polygons in the order of their user ids, and (x, z) as (x, y).
/// Returns the number of elements that were left out.
pub fn write(mesh: &NavMesh, out: &mut impl Write) -> io::Result<LeftOut> {
    let tolerance = f64::from(border_tolerance(mesh.vertices()));
    let sides = portal_sides(mesh);
    let kept = without_overlaps(&sides, tolerance);
    let mut outlines = Outlines::split(mesh, &sides, &kept, tolerance);
    outlines.join(&kept);
    outlines.flatten(mesh)?.write(out)?;
    Ok(LeftOut {
        portals: sides.len() - kept.len(),
        links: mesh.links().len(),
    })
}

/// The position of a portal on a border of one of its polygons.
#[derive(Clone, Copy)]
struct PortalSide {
    /// The index of the border among those of all polygons, in the order of their corners.
    border: u32,
    /// The distance from the start of the border to the start of the portal. [Units: m]
    from: f64,
    /// The distance from the start of the border to the end of the portal. [Units: m]
    to: f64,
    /// The length of the border. [Units: m]
    length: f64,
}

impl PortalSide {
    fn overlap(&self, other: &Self) -> f64 {
        self.to.min(other.to) - self.from.max(other.from)
    }
}

fn flat(point: Vec3) -> DVec2 {
    dvec2(f64::from(point.x), f64::from(point.z))
}

/// Returns the positions of each portal on its two polygons.
fn portal_sides(mesh: &NavMesh) -> Vec<[PortalSide; 2]> {
    let mut first_border = vec![0u32];
    for polygon in mesh.polygons() {
        let before = first_border.last().copied().unwrap_or(0);
        first_border.push(before + mesh.corners(polygon).len() as u32);
    }
    let side = |portal: &Portal, polygon: PolygonId| {
        let ends = portal.ends_from(polygon).map(flat);
        let (index, [start, end]) = mesh
            .borders(polygon)
            .map(|border| border.map(flat))
            .enumerate()
            .min_by(|(_, a), (_, b)| {
                distance_from_border(*a, ends).total_cmp(&distance_from_border(*b, ends))
            })
            .unwrap_or((0, ends));
        let length = start.distance(end);
        let along = (end - start).normalize_or_zero();
        let [from, to] = ends.map(|point| along.dot(point - start).clamp(0.0, length));
        PortalSide {
            border: first_border[polygon.index()] + index as u32,
            from,
            to,
            length,
        }
    };
    mesh.portals()
        .iter()
        .map(|portal| portal.polygons.map(|polygon| side(portal, polygon)))
        .collect()
}

/// Returns the distance from a border to the farther of two points, or infinity if the direction between the
/// points is opposite to that of the border.
fn distance_from_border([start, end]: [DVec2; 2], points: [DVec2; 2]) -> f64 {
    let direction = end - start;
    if direction.dot(points[1] - points[0]) < 0.0 {
        return f64::INFINITY;
    }
    let distance = |point: DVec2| {
        let fraction =
            direction.dot(point - start) / direction.length_squared().max(f64::MIN_POSITIVE);
        point.distance(start + direction * fraction.clamp(0.0, 1.0))
    };
    distance(points[0]).max(distance(points[1]))
}

/// Returns the portals, ascending, of which no two overlap on a border. Of two that do, the longer one is
/// kept.
fn without_overlaps(sides: &[[PortalSide; 2]], tolerance: f64) -> Vec<usize> {
    let length = |portal: usize| sides[portal][0].to - sides[portal][0].from;
    let mut longest_first: Vec<usize> = (0..sides.len()).collect();
    longest_first.sort_by(|&a, &b| length(b).total_cmp(&length(a)).then(a.cmp(&b)));

    let borders = sides.iter().flatten().map(|side| side.border as usize + 1);
    let mut taken: Vec<Vec<PortalSide>> = vec![Vec::new(); borders.max().unwrap_or(0)];
    let mut kept = Vec::with_capacity(sides.len());
    for portal in longest_first {
        let is_free = sides[portal].iter().all(|side| {
            let allowed = tolerance.min((side.to - side.from) / 2.0);
            taken[side.border as usize]
                .iter()
                .all(|other| side.overlap(other) <= allowed)
        });
        if is_free {
            for side in &sides[portal] {
                taken[side.border as usize].push(*side);
            }
            kept.push(portal);
        }
    }
    kept.sort_unstable();
    kept
}

/// A step around a polygon: the outline point at its end, and the portal that it follows, if any.
type OutlineStep = (u32, Option<u32>);

/// A portal on a border, and which of its two sides (0 or 1) is on that border.
type PortalOnBorder = (u32, u8);

/// The outlines of polygons as closed sequences of outline points.
#[derive(Default)]
struct Outlines {
    /// The position of each outline point.
    points: Vec<DVec2>,
    /// Per polygon, the steps around it. The first one ends at its first corner.
    steps: Csr<OutlineStep>,
    /// Per portal and side, the points at which it starts and ends.
    portal_points: Vec<[[u32; 2]; 2]>,
    /// Joins the points that are the same vertex.
    same_as: UnionFind,
}

impl Outlines {
    fn split(mesh: &NavMesh, sides: &[[PortalSide; 2]], kept: &[usize], tolerance: f64) -> Self {
        let on_borders = portals_by_border(mesh, sides, kept);
        let mut outlines = Self {
            portal_points: vec![[[0; 2]; 2]; sides.len()],
            ..Self::default()
        };
        let mut border = 0;
        let mut steps = Vec::new();
        for polygon in mesh.polygons() {
            steps.clear();
            let corners: Vec<u32> = mesh
                .corner_points(polygon)
                .map(|corner| outlines.add_point(flat(corner)))
                .collect();
            for (i, &corner) in corners.iter().enumerate() {
                let next = corners[(i + 1) % corners.len()];
                let portals = on_borders.get(border);
                outlines.split_border([corner, next], portals, sides, tolerance, &mut steps);
                border += 1;
            }
            steps.rotate_right(1);
            outlines.steps.push(steps.iter().copied());
        }
        outlines
    }

    /// Appends the steps from one corner to the next, with a point at each end of a portal. Ends within
    /// `tolerance` of each other or of a corner are one point.
    fn split_border(
        &mut self,
        [corner, next]: [u32; 2],
        portals: &[PortalOnBorder],
        sides: &[[PortalSide; 2]],
        tolerance: f64,
        steps: &mut Vec<OutlineStep>,
    ) {
        let [start, end] = [corner, next].map(|point| self.points[point as usize]);
        let (mut at, mut reached) = (corner, 0.0);
        for (i, &(portal, which)) in portals.iter().enumerate() {
            let side = sides[portal as usize][usize::from(which)];
            let on_line = |metres: f64| start.lerp(end, metres / side.length);
            if side.from - reached > tolerance {
                at = self.add_point(on_line(side.from));
                steps.push((at, None));
            }
            let portal_start = at;
            let is_last = i + 1 == portals.len();
            at = if is_last && side.length - side.to <= tolerance {
                next
            } else {
                self.add_point(on_line(side.to))
            };
            steps.push((at, Some(portal)));
            self.portal_points[portal as usize][usize::from(which)] = [portal_start, at];
            reached = side.to;
        }
        if at != next {
            steps.push((next, None));
        }
    }

    fn add_point(&mut self, position: DVec2) -> u32 {
        self.points.push(position);
        self.same_as.push()
    }

    /// Joins the points at each end of each portal. The two polygons follow the portal in opposite directions.
    fn join(&mut self, kept: &[usize]) {
        for &portal in kept {
            let [[start, end], [other_start, other_end]] = self.portal_points[portal];
            for (a, b) in [(start, other_end), (end, other_start)] {
                self.same_as.join(a, b);
            }
        }
    }

    /// Numbers polygons and vertices in the order in which they are written.
    fn flatten(mut self, mesh: &NavMesh) -> io::Result<FlatMesh> {
        let order = by_user_id(mesh);
        let mut rank = vec![0; order.len()];
        for (i, polygon) in order.iter().enumerate() {
            rank[polygon.index()] = i as u32;
        }
        // Per root of joined points, the vertex.
        let mut vertex_of = vec![None; self.points.len()];
        // Per vertex, the sum of the positions of its points, and their number.
        let mut sums: Vec<(DVec2, f64)> = Vec::new();
        let mut polygons = Csr::new();
        for &polygon in &order {
            let mut corners: Vec<WrittenCorner> = Vec::new();
            for i in 0..self.steps.get(polygon.index()).len() {
                let (point, portal) = self.steps.get(polygon.index())[i];
                let root = self.same_as.root(point);
                let vertex = *vertex_of[root as usize].get_or_insert_with(|| {
                    sums.push((DVec2::ZERO, 0.0));
                    sums.len() as u32 - 1
                });
                let (sum, count) = &mut sums[vertex as usize];
                *sum += self.points[point as usize];
                *count += 1.0;
                let neighbour = portal.map(|portal| {
                    let [a, b] = mesh.portals()[portal as usize].polygons;
                    rank[if a == polygon { b } else { a }.index()]
                });
                corners.push(WrittenCorner { vertex, neighbour });
            }
            // Points that are now the same vertex have no border between them.
            corners.dedup_by_key(|corner| corner.vertex);
            if let [first, .., last] = corners[..]
                && first.vertex == last.vertex
            {
                corners.swap_remove(0);
            }
            if corners.len() < 3 {
                let id = mesh.user_id(polygon);
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("polygon {id} is too small for a Polyanya mesh; remove it first"),
                ));
            }
            polygons.push(corners);
        }
        Ok(FlatMesh {
            vertices: sums.iter().map(|(sum, count)| *sum / *count).collect(),
            polygons,
        })
    }
}

/// Returns, per border, the portals on it, from its start to its end.
fn portals_by_border(
    mesh: &NavMesh,
    sides: &[[PortalSide; 2]],
    kept: &[usize],
) -> Csr<PortalOnBorder> {
    let mut pairs: Vec<(PortalSide, PortalOnBorder)> = kept
        .iter()
        .flat_map(|&portal| {
            let [one, two] = sides[portal];
            [(one, (portal as u32, 0)), (two, (portal as u32, 1))]
        })
        .collect();
    pairs.sort_by(|(a, _), (b, _)| (a.from + a.to).total_cmp(&(b.from + b.to)));
    let pairs: Vec<(u32, PortalOnBorder)> = pairs
        .into_iter()
        .map(|(side, portal)| (side.border, portal))
        .collect();
    let borders = mesh.polygons().map(|polygon| mesh.corners(polygon).len());
    Csr::group(borders.sum(), &pairs)
}

/// A corner as it is written, with the neighbour across the border that ends there.
#[derive(Clone, Copy, Default)]
struct WrittenCorner {
    vertex: u32,
    neighbour: Option<u32>,
}

/// The contents of the file.
struct FlatMesh {
    vertices: Vec<DVec2>,
    polygons: Csr<WrittenCorner>,
}

impl FlatMesh {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        writeln!(
            out,
            "mesh\n2\n{} {}",
            self.vertices.len(),
            self.polygons.len()
        )?;
        let around = self.polygons_around();
        for (vertex, polygons) in self.vertices.iter().zip(around.iter()) {
            write!(
                out,
                "{} {} {}",
                vertex.x as f32,
                vertex.y as f32,
                polygons.len()
            )?;
            for &polygon in polygons {
                write_neighbour(&mut out, polygon)?;
            }
            writeln!(out)?;
        }
        for corners in self.polygons.iter() {
            write!(out, "{}", corners.len())?;
            for corner in corners {
                write!(out, " {}", corner.vertex)?;
            }
            for corner in corners {
                write_neighbour(&mut out, corner.neighbour)?;
            }
            writeln!(out)?;
        }
        out.flush()
    }

    /// Returns, per vertex, the polygons around it, counter-clockwise, with `None` for each gap.
    fn polygons_around(&self) -> Csr<Option<u32>> {
        let mut corners_at = Vec::new();
        for (polygon, corners) in self.polygons.iter().enumerate() {
            for (i, corner) in corners.iter().enumerate() {
                // A polygon is to the left of its borders. So the next polygon counter-clockwise around
                // a corner is across the border that ends there, and the next one clockwise across the
                // border that starts there.
                let next = corners[(i + 1) % corners.len()];
                corners_at.push((
                    corner.vertex,
                    PolygonAtVertex {
                        polygon: polygon as u32,
                        before: next.neighbour,
                        after: corner.neighbour,
                    },
                ));
            }
        }
        let corners_at = Csr::group(self.vertices.len(), &corners_at);
        let mut around = Csr::new();
        for corners in corners_at.iter() {
            around.push(in_rotation_order(corners));
        }
        around
    }
}

/// A polygon at a vertex, with its neighbours before and after it, counter-clockwise around the vertex.
#[derive(Clone, Copy, Default)]
struct PolygonAtVertex {
    polygon: u32,
    before: Option<u32>,
    after: Option<u32>,
}

/// Sorts polygons counter-clockwise around their vertex. It starts at a polygon without a neighbour before
/// it, if there is one, follows the neighbours until they end, and starts again with the remaining polygons.
fn in_rotation_order(corners: &[PolygonAtVertex]) -> Vec<Option<u32>> {
    let mut remaining = corners.to_vec();
    let mut sorted = Vec::new();
    while !remaining.is_empty() {
        let start = remaining.iter().position(|corner| corner.before.is_none());
        let mut corner = remaining.swap_remove(start.unwrap_or(0));
        sorted.push(Some(corner.polygon));
        while let Some(next) = remaining
            .iter()
            .position(|c| Some(c.polygon) == corner.after)
        {
            corner = remaining.swap_remove(next);
            sorted.push(Some(corner.polygon));
        }
        if corner.after.is_none() {
            sorted.push(None);
        }
    }
    sorted
}

fn write_neighbour(out: &mut impl Write, polygon: Option<u32>) -> io::Result<()> {
    match polygon {
        Some(polygon) => write!(out, " {polygon}"),
        None => write!(out, " -1"),
    }
}
