//! A navmesh as a flat mesh in which every border has one neighbour or none.
//!
//! A border of a navmesh can have portals to several polygons, and two polygons that meet need
//! not have a corner in common. Polyanya wants both, so:
//! 1. every portal is placed on a border of each of its polygons;
//! 2. borders are cut at the ends of their portals; corners and cuts are the stops of the walk
//!    around a polygon;
//! 3. the stops at either end of a portal become one vertex. Nothing else does, so floors that
//!    lie above each other stay apart although the mesh is flat.

use std::io::{self, BufWriter, Write};

use glam::{DVec2, Vec3, dvec2};
use portolan_core::union_find::UnionFind;
use portolan_core::{Csr, NavMesh, PolygonId, Portal};

use crate::import::border_noise;
use crate::order::by_user_id;

/// What a Polyanya mesh has no place for, besides areas, flags and heights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Portals on a part of a border that another portal, at another height, has already.
    pub portals: usize,
    /// Off-mesh links.
    pub links: usize,
}

/// Writes the polygons in the order of their user ids, (x, z) as (x, y).
pub fn write(mesh: &NavMesh, out: &mut impl Write) -> io::Result<LeftOut> {
    let noise = f64::from(border_noise(mesh.vertices()));
    let sides = portal_sides(mesh);
    let kept = without_overlaps(&sides, noise);
    let mut outlines = Outlines::cut(mesh, &sides, &kept, noise);
    outlines.join(&kept);
    outlines.flatten(mesh)?.write(out)?;
    Ok(LeftOut {
        portals: sides.len() - kept.len(),
        links: mesh.links().len(),
    })
}

/// Where a portal lies on one of its polygons.
#[derive(Clone, Copy)]
struct Side {
    /// The border, counted through all polygons like their corners.
    border: u32,
    /// Metres from the start of the border to where the portal begins and ends.
    from: f64,
    to: f64,
    /// The whole border.
    length: f64,
}

impl Side {
    fn overlap(&self, other: &Self) -> f64 {
        self.to.min(other.to) - self.from.max(other.from)
    }
}

fn flat(point: Vec3) -> DVec2 {
    dvec2(f64::from(point.x), f64::from(point.z))
}

/// Per portal, its places on its two polygons.
fn portal_sides(mesh: &NavMesh) -> Vec<[Side; 2]> {
    let mut first_border = vec![0u32];
    for polygon in mesh.polygons() {
        let before = first_border.last().copied().unwrap_or(0);
        first_border.push(before + mesh.corners(polygon).len() as u32);
    }
    let side = |portal: &Portal, polygon: PolygonId| {
        let ends = portal.ends_from(polygon).map(flat);
        let (place, [start, end]) = mesh
            .borders(polygon)
            .map(|border| border.map(flat))
            .enumerate()
            .min_by(|(_, a), (_, b)| off_border(*a, ends).total_cmp(&off_border(*b, ends)))
            .unwrap_or((0, ends));
        let length = start.distance(end);
        let along = (end - start).normalize_or_zero();
        let [from, to] = ends.map(|point| along.dot(point - start).clamp(0.0, length));
        Side {
            border: first_border[polygon.index()] + place as u32,
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

/// How far the farther of two points lies from a border; endlessly far where they run against it.
fn off_border([start, end]: [DVec2; 2], points: [DVec2; 2]) -> f64 {
    let run = end - start;
    if run.dot(points[1] - points[0]) < 0.0 {
        return f64::INFINITY;
    }
    let distance = |point: DVec2| {
        let share = run.dot(point - start) / run.length_squared().max(f64::MIN_POSITIVE);
        point.distance(start + run * share.clamp(0.0, 1.0))
    };
    distance(points[0]).max(distance(points[1]))
}

/// The portals, ascending, that share no part of a border with another one that is kept. Longer
/// ones go first.
fn without_overlaps(sides: &[[Side; 2]], noise: f64) -> Vec<usize> {
    let length = |portal: usize| sides[portal][0].to - sides[portal][0].from;
    let mut longest_first: Vec<usize> = (0..sides.len()).collect();
    longest_first.sort_by(|&a, &b| length(b).total_cmp(&length(a)).then(a.cmp(&b)));

    let borders = sides.iter().flatten().map(|side| side.border as usize + 1);
    let mut taken: Vec<Vec<Side>> = vec![Vec::new(); borders.max().unwrap_or(0)];
    let mut kept = Vec::with_capacity(sides.len());
    for portal in longest_first {
        let is_free = sides[portal].iter().all(|side| {
            let allowed = noise.min((side.to - side.from) / 2.0);
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

/// A step of the walk around a polygon: the stop that it leads to, and the portal that it leads
/// along, if any.
type Step = (u32, Option<u32>);

/// A portal that lies on a border, and which of its two sides.
type OnBorder = (u32, u8);

/// The polygons as closed walks along stops: their corners and the cuts between them.
#[derive(Default)]
struct Outlines {
    /// Where each stop is.
    stops: Vec<DVec2>,
    /// Per polygon, the steps around it, the first to its first corner.
    walks: Csr<Step>,
    /// Per portal and side, the stops at which it begins and ends.
    portal_stops: Vec<[[u32; 2]; 2]>,
    /// Which stops are the same vertex.
    same_as: UnionFind,
}

impl Outlines {
    fn cut(mesh: &NavMesh, sides: &[[Side; 2]], kept: &[usize], noise: f64) -> Self {
        let on_borders = portals_by_border(mesh, sides, kept);
        let mut outlines = Self {
            portal_stops: vec![[[0; 2]; 2]; sides.len()],
            ..Self::default()
        };
        let mut border = 0;
        let mut walk = Vec::new();
        for polygon in mesh.polygons() {
            walk.clear();
            let corners: Vec<u32> = mesh
                .corner_points(polygon)
                .map(|point| outlines.add_stop(flat(point)))
                .collect();
            for (i, &corner) in corners.iter().enumerate() {
                let next = corners[(i + 1) % corners.len()];
                let portals = on_borders.get(border);
                outlines.cut_border([corner, next], portals, sides, noise, &mut walk);
                border += 1;
            }
            walk.rotate_right(1);
            outlines.walks.push(walk.iter().copied());
        }
        outlines
    }

    /// Walks from one corner to the next, with stops where portals begin and end. Ends that lie
    /// within `noise` of each other or of a corner are one stop.
    fn cut_border(
        &mut self,
        [corner, next]: [u32; 2],
        portals: &[OnBorder],
        sides: &[[Side; 2]],
        noise: f64,
        walk: &mut Vec<Step>,
    ) {
        let [start, end] = [corner, next].map(|stop| self.stops[stop as usize]);
        let (mut at, mut reached) = (corner, 0.0);
        for (i, &(portal, which)) in portals.iter().enumerate() {
            let side = sides[portal as usize][usize::from(which)];
            let on_line = |metres: f64| start.lerp(end, metres / side.length);
            if side.from - reached > noise {
                at = self.add_stop(on_line(side.from));
                walk.push((at, None));
            }
            let begin = at;
            let is_last = i + 1 == portals.len();
            at = if is_last && side.length - side.to <= noise {
                next
            } else {
                self.add_stop(on_line(side.to))
            };
            walk.push((at, Some(portal)));
            self.portal_stops[portal as usize][usize::from(which)] = [begin, at];
            reached = side.to;
        }
        if at != next {
            walk.push((next, None));
        }
    }

    fn add_stop(&mut self, place: DVec2) -> u32 {
        self.stops.push(place);
        self.same_as.push()
    }

    /// Makes the ends of each portal the same on both sides. The two polygons walk along it in
    /// opposite directions.
    fn join(&mut self, kept: &[usize]) {
        for &portal in kept {
            let [[begin, end], [other_begin, other_end]] = self.portal_stops[portal];
            for (a, b) in [(begin, other_end), (end, other_begin)] {
                self.same_as.join(a, b);
            }
        }
    }

    /// Numbers polygons and vertices as they will be written.
    fn flatten(mut self, mesh: &NavMesh) -> io::Result<FlatMesh> {
        let order = by_user_id(mesh);
        let mut rank = vec![0; order.len()];
        for (i, polygon) in order.iter().enumerate() {
            rank[polygon.index()] = i as u32;
        }
        let mut number = vec![None; self.stops.len()];
        let mut sums: Vec<(DVec2, f64)> = Vec::new();
        let mut polygons = Csr::new();
        for &polygon in &order {
            let mut corners: Vec<Corner> = Vec::new();
            for i in 0..self.walks.get(polygon.index()).len() {
                let (stop, portal) = self.walks.get(polygon.index())[i];
                let vertex = *number[self.same_as.root(stop) as usize].get_or_insert_with(|| {
                    sums.push((DVec2::ZERO, 0.0));
                    sums.len() as u32 - 1
                });
                let (sum, count) = &mut sums[vertex as usize];
                *sum += self.stops[stop as usize];
                *count += 1.0;
                let neighbour = portal.map(|portal| {
                    let [a, b] = mesh.portals()[portal as usize].polygons;
                    rank[if a == polygon { b } else { a }.index()]
                });
                corners.push(Corner { vertex, neighbour });
            }
            // Stops that became one vertex have no border between them.
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
                    format!("polygon {id} is too small for a Polyanya mesh; remove it"),
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

/// Per border, the portals that lie on it, from its start to its end.
fn portals_by_border(mesh: &NavMesh, sides: &[[Side; 2]], kept: &[usize]) -> Csr<OnBorder> {
    let mut pairs: Vec<(Side, OnBorder)> = kept
        .iter()
        .flat_map(|&portal| {
            let [one, two] = sides[portal];
            [(one, (portal as u32, 0)), (two, (portal as u32, 1))]
        })
        .collect();
    pairs.sort_by(|(a, _), (b, _)| (a.from + a.to).total_cmp(&(b.from + b.to)));
    let pairs: Vec<(u32, OnBorder)> = pairs
        .into_iter()
        .map(|(side, portal)| (side.border, portal))
        .collect();
    let borders = mesh.polygons().map(|polygon| mesh.corners(polygon).len());
    Csr::group(borders.sum(), &pairs)
}

/// A corner as it is written, with the polygon behind the border that ends there.
#[derive(Clone, Copy, Default)]
struct Corner {
    vertex: u32,
    neighbour: Option<u32>,
}

/// What is in the file.
struct FlatMesh {
    vertices: Vec<DVec2>,
    polygons: Csr<Corner>,
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

    /// Per vertex, the polygons around it, counter-clockwise, with `None` for what is no polygon.
    fn polygons_around(&self) -> Csr<Option<u32>> {
        let mut corners_at = Vec::new();
        for (polygon, corners) in self.polygons.iter().enumerate() {
            for (i, corner) in corners.iter().enumerate() {
                // A polygon lies to the left of its borders, so counter-clockwise around a corner
                // its neighbour is behind the border that comes in, and clockwise behind the next.
                let next = corners[(i + 1) % corners.len()];
                corners_at.push((
                    corner.vertex,
                    Around {
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
            around.push(in_turn(corners));
        }
        around
    }
}

/// A polygon at a vertex, and its neighbours there.
#[derive(Clone, Copy, Default)]
struct Around {
    polygon: u32,
    before: Option<u32>,
    after: Option<u32>,
}

/// Follows polygons around their vertex from one without a polygon before it, if there is one,
/// until the way ends, and begins again with the rest.
fn in_turn(corners: &[Around]) -> Vec<Option<u32>> {
    let mut rest = corners.to_vec();
    let mut turn = Vec::new();
    while !rest.is_empty() {
        let start = rest.iter().position(|corner| corner.before.is_none());
        let mut corner = rest.swap_remove(start.unwrap_or(0));
        turn.push(Some(corner.polygon));
        while let Some(next) = rest.iter().position(|c| Some(c.polygon) == corner.after) {
            corner = rest.swap_remove(next);
            turn.push(Some(corner.polygon));
        }
        if corner.after.is_none() {
            turn.push(None);
        }
    }
    turn
}

fn write_neighbour(out: &mut impl Write, polygon: Option<u32>) -> io::Result<()> {
    match polygon {
        Some(polygon) => write!(out, " {polygon}"),
        None => write!(out, " -1"),
    }
}
