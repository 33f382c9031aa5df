//! Isochrones: the ground that can be reached within a limit, as polygons.
//!
//! Triangles are divided into pieces, in which the prices of a [`LineWave`] are interpolated linearly. So the reachable part
//! of a piece is a convex polygon. Its sides along other pieces are no borders, because the reachable part goes on there. The
//! other sides, where the limit is or the ground ends, are joined to rings.

use glam::{DVec2, DVec3, Vec2, Vec3};

use super::line_wave::WaveNode;
use super::{LineWave, Terrain, TerrainPosition, TerrainProfile, TerrainScratch, TerrainStatus};

/// The ground that can be reached within a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Isochrone {
    /// The maximum price.
    pub limit: f64,
    /// Polygons that do not overlap, in the order of the first triangle that each touches.
    pub polygons: Vec<IsochronePolygon>,
}

/// A polygon with holes. Rings are not closed by a repetition of their first point. Points are on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct IsochronePolygon {
    /// The outer ring, counterclockwise in plan.
    pub outer: Vec<Vec3>,
    /// The rings around holes, clockwise in plan.
    pub holes: Vec<Vec<Vec3>>,
}

impl Terrain {
    /// Computes the ground that can be reached from a position within each of the limits, which are in the unit of the
    /// price: seconds for a price of walking time. Without a profile, it is the price that the terrain was built with. If the position is off the map, the error is
    /// [`StartOffMap`](TerrainStatus::StartOffMap).
    ///
    /// ```
    /// use portolan_terrain::{
    ///     Distances, HeightMap, Price, Terrain, TerrainOptions, TerrainScratch, WebOptions,
    /// };
    ///
    /// // A plain of 200 m x 200 m.
    /// let options = WebOptions { extent: Some([[0.0, 0.0].into(), [200.0, 200.0].into()]), ..WebOptions::default() };
    /// let web = HeightMap::new(21, 21, vec![0.0; 21 * 21])?.triangulate(&options, None)?;
    /// let price = Price::walking(Distances::Naismith);
    /// let terrain = Terrain::build(web, &TerrainOptions { price, ..TerrainOptions::default() })?;
    /// // 36 s at 5 km/h are 50 m.
    /// let found = terrain.isochrones([100.0, 100.0], None, &[36.0], &mut TerrainScratch::new()).unwrap();
    /// assert!(found[0].contains([140.0, 100.0]) && !found[0].contains([160.0, 100.0]));
    /// # Ok::<(), portolan_terrain::TerrainError>(())
    /// ```
    pub fn isochrones(
        &self,
        from: impl Into<TerrainPosition>,
        profile: Option<&TerrainProfile>,
        limits: &[f64],
        scratch: &mut TerrainScratch,
    ) -> Result<Vec<Isochrone>, TerrainStatus> {
        let max = limits.iter().copied().fold(0.0, f64::max);
        let wave = self.line_wave(from, profile, max, scratch)?;
        let isochrone = |&limit: &f64| wave.isochrone(self, limit);
        Ok(limits.iter().map(isochrone).collect())
    }
}

/// A point of a ring: a node, or where the limit lies between two nodes.
type RingKey = [u32; 2];

/// A border of the reachable part of a piece, with that part on its left.
#[derive(Clone, Copy)]
struct RingEdge {
    from: RingKey,
    to: RingKey,
    start: Vec3,
}

impl LineWave {
    /// Returns the ground where the price is at most `limit`. `terrain` must be the one that the wave was computed for, and
    /// `limit` at most the maximum price of the wave.
    pub fn isochrone(&self, terrain: &Terrain, limit: f64) -> Isochrone {
        let mut borders = Vec::new();
        for triangle in 0..terrain.web().len() as u32 {
            self.for_pieces(terrain, triangle, |piece| {
                let is_rim = |a: WaveNode, b: WaveNode| self.is_rim(terrain, a, b);
                add_borders(piece, limit, is_rim, &mut borders);
            });
        }
        Isochrone {
            limit,
            polygons: polygons(rings(borders)),
        }
    }
}

/// A corner of the reachable part of a piece.
#[derive(Clone, Copy)]
struct PartCorner {
    key: RingKey,
    point: Vec3,
    /// Whether the side that starts here is a border: the limit, or the rim of the ground.
    is_border: bool,
}

/// Adds the borders of the reachable part of a piece. `is_rim` tells whether the ground ends between two nodes.
fn add_borders(
    piece: &[WaveNode; 3],
    limit: f64,
    is_rim: impl Fn(WaveNode, WaveNode) -> bool,
    borders: &mut Vec<RingEdge>,
) {
    let [a, b, c] = piece.map(|node| node.point.truncate());
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return;
    }
    let mut nodes = *piece;
    if area < 0.0 {
        nodes.swap(1, 2);
    }
    let mut corners: [Option<PartCorner>; 4] = [None; 4];
    let mut count = 0;
    let mut push = |key: RingKey, point: DVec3, is_border: bool| {
        corners[count] = Some(PartCorner {
            key,
            point: point.as_vec3(),
            is_border,
        });
        count += 1;
    };
    for index in 0..3 {
        let [from, to] = [nodes[index], nodes[(index + 1) % 3]];
        let is_inside = [from, to].map(|node| node.cost <= limit);
        if is_inside[0] {
            push([from.index; 2], from.point, is_rim(from, to));
        }
        if is_inside[0] != is_inside[1] {
            // Both pieces at a side have to compute the same point, so the order of its ends is fixed.
            let [low, high] = match is_inside[0] {
                true => [from, to],
                false => [to, from],
            };
            let at = (limit - low.cost) / (high.cost - low.cost);
            let key = [from.index.min(to.index), from.index.max(to.index)];
            let point = low.point + (high.point - low.point) * at;
            // After the side has left the reachable part, the limit is the border.
            push(key, point, is_inside[0] || is_rim(from, to));
        }
    }
    let corners = &corners[..count];
    for (index, from) in corners.iter().enumerate() {
        let to = corners[(index + 1) % corners.len()];
        if let (&Some(from), Some(to)) = (from, to)
            && from.is_border
        {
            borders.push(RingEdge {
                from: from.key,
                to: to.key,
                start: from.point,
            });
        }
    }
}

/// Joins borders to rings.
fn rings(mut borders: Vec<RingEdge>) -> Vec<Vec<Vec3>> {
    borders.sort_by_key(|edge| (edge.from, edge.to));
    let mut is_used = vec![false; borders.len()];
    let mut rings = Vec::new();
    for first in 0..borders.len() {
        if is_used[first] {
            continue;
        }
        let mut ring: Vec<Vec3> = Vec::new();
        let mut at = first;
        loop {
            is_used[at] = true;
            let edge = borders[at];
            if ring.last() != Some(&edge.start) {
                ring.push(edge.start);
            }
            let start = borders.partition_point(|other| other.from < edge.to);
            let candidates = start..borders.len();
            let candidates = candidates.take_while(|&next| borders[next].from == edge.to);
            let candidates = candidates.filter(|&next| !is_used[next]);
            // Where several rings touch in a point, the sharpest turn to the left keeps them apart.
            let next = candidates.max_by(|&a, &b| {
                let turn = |next: usize| left_turn(&borders, edge, borders[next]);
                turn(a).total_cmp(&turn(b)).then(b.cmp(&a))
            });
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() > 2 {
            rings.push(ring);
        }
    }
    rings
}

/// Returns a number that grows with the angle by which `next` turns to the left after `edge`.
fn left_turn(borders: &[RingEdge], edge: RingEdge, next: RingEdge) -> f64 {
    let end = |key: RingKey| {
        let at = borders.partition_point(|other| other.from < key);
        borders.get(at).map_or(next.start, |other| other.start)
    };
    let [from, middle, to] =
        [edge.start, next.start, end(next.to)].map(|point| point.truncate().as_dvec2());
    let (before, after) = (middle - from, to - middle);
    let length = before.length() * after.length();
    if length == 0.0 {
        return 0.0;
    }
    let (sine, cosine) = (before.perp_dot(after) / length, before.dot(after) / length);
    if sine >= 0.0 {
        1.0 - cosine
    } else {
        cosine - 1.0
    }
}

/// Sorts rings into polygons: every hole belongs to the smallest outer ring around it.
fn polygons(rings: Vec<Vec<Vec3>>) -> Vec<IsochronePolygon> {
    let (outer, holes): (Vec<_>, Vec<_>) = rings.into_iter().partition(|ring| area(ring) > 0.0);
    let mut polygons: Vec<IsochronePolygon> = Vec::new();
    polygons.extend(outer.into_iter().map(|outer| IsochronePolygon {
        outer,
        holes: Vec::new(),
    }));
    let boxes: Vec<[Vec2; 2]> = polygons
        .iter()
        .map(|polygon| extent(&polygon.outer))
        .collect();
    let areas: Vec<f64> = polygons
        .iter()
        .map(|polygon| area(&polygon.outer))
        .collect();
    for hole in holes {
        let hole_box = extent(&hole);
        let is_around = |&index: &usize| {
            let [min, max] = boxes[index];
            let in_box = min.cmple(hole_box[0]).all() && max.cmpge(hole_box[1]).all();
            in_box && is_within(&polygons[index].outer, &hole)
        };
        let around = (0..polygons.len()).filter(is_around);
        let around = around.min_by(|&a, &b| areas[a].total_cmp(&areas[b]));
        if let Some(index) = around {
            polygons[index].holes.push(hole);
        }
    }
    polygons
}

/// Returns whether most corners of a hole are within a ring. A hole may touch the ring.
fn is_within(ring: &[Vec3], hole: &[Vec3]) -> bool {
    let corners = hole.iter().zip(hole.iter().cycle().skip(1));
    let middles = corners.map(|(a, b)| a.midpoint(*b).truncate().as_dvec2());
    let inside = middles.filter(|&middle| winds_around(ring, middle)).count();
    2 * inside > hole.len()
}

/// Returns twice the area of a ring in plan, positive if it is counterclockwise.
fn area(ring: &[Vec3]) -> f64 {
    let Some(&first) = ring.first() else {
        return 0.0;
    };
    let from_first = |point: Vec3| (point.as_dvec3() - first.as_dvec3()).truncate();
    let pairs = ring.windows(2);
    pairs
        .map(|pair| from_first(pair[0]).perp_dot(from_first(pair[1])))
        .sum()
}

fn extent(ring: &[Vec3]) -> [Vec2; 2] {
    let empty = [Vec2::INFINITY, Vec2::NEG_INFINITY];
    ring.iter().fold(empty, |[min, max], point| {
        let point = point.truncate();
        [min.min(point), max.max(point)]
    })
}

/// Returns whether a ray from a point crosses a ring an odd number of times.
fn winds_around(ring: &[Vec3], point: DVec2) -> bool {
    let ends = ring.iter().zip(ring.iter().cycle().skip(1));
    let crossings = ends.filter(|(a, b)| {
        let [a, b] = [a, b].map(|end| end.truncate().as_dvec2() - point);
        (a.y > 0.0) != (b.y > 0.0) && (a.perp_dot(b) > 0.0) == (b.y > a.y)
    });
    crossings.count() % 2 == 1
}

impl Isochrone {
    /// Returns whether a point in plan is on the ground that can be reached.
    pub fn contains(&self, point: impl Into<Vec2>) -> bool {
        let point = point.into().as_dvec2();
        let is_in = |polygon: &IsochronePolygon| {
            winds_around(&polygon.outer, point)
                && !polygon.holes.iter().any(|hole| winds_around(hole, point))
        };
        self.polygons.iter().any(is_in)
    }

    /// Returns the area in plan.
    pub fn area(&self) -> f64 {
        let all = self.polygons.iter();
        let rings = all.flat_map(|polygon| std::iter::once(&polygon.outer).chain(&polygon.holes));
        rings.map(|ring| area(ring)).sum::<f64>() / 2.0
    }
}
