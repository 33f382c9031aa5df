//! The price of the cheapest line from a position to every point of the ground.

use glam::{DVec2, DVec3};

use super::ground::Ground;
use super::window::{LineEnd, PointSearch};
use super::{NO_TRIANGLE, Terrain, TerrainPosition, TerrainProfile, TerrainScratch, TerrainStatus};

/// The points per edge of the search: both ends and the midpoint.
const POINTS: usize = 3;

/// The prices of the cheapest lines from a position to the corners of all triangles and to the midpoints of their edges.
/// In between, prices are interpolated: see [`cost_at`](Self::cost_at).
///
/// Lines turn only at corners and midpoints, so prices are slightly too high.
#[derive(Clone, Debug)]
pub struct LineWave {
    start: LineEnd,
    /// The price at each node: at each point of the web, then at the midpoint of each edge of each triangle, and at last
    /// the start. It is infinite where no line within the maximum passes nearby.
    costs: Vec<f32>,
}

/// A corner of the pieces into which triangles are divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WaveNode {
    /// The index of its price. Neighbouring triangles use the same for the midpoint of a common edge.
    pub(super) index: u32,
    pub(super) point: DVec3,
    pub(super) cost: f64,
}

impl Terrain {
    /// Computes the price of the cheapest line from a position to all corners and midpoints of edges, by Dijkstra's
    /// algorithm over these points. Without a profile, prices are those that the terrain was built with. Prices above `max_cost` can be too high or infinite. If the position is off the map,
    /// the error is [`StartOffMap`](TerrainStatus::StartOffMap).
    pub fn line_wave(
        &self,
        from: impl Into<TerrainPosition>,
        profile: Option<&TerrainProfile>,
        max_cost: f64,
        scratch: &mut TerrainScratch,
    ) -> Result<LineWave, TerrainStatus> {
        let start = self.web().location(from.into());
        let start = start.ok_or(TerrainStatus::StartOffMap)?;
        let start = LineEnd {
            triangle: start.triangle,
            point: start.point.as_dvec3(),
        };
        let ground = self.ground(profile);
        let points = ground.web.points().len();
        let mut costs = vec![f32::INFINITY; points + 3 * ground.web.len() + 1];
        *costs.last_mut().expect("the start") = 0.0;
        let mut search = PointSearch {
            ground,
            points: POINTS,
            scratch: &mut scratch.refine.window,
        };
        search.open_all();
        search.wave(start, max_cost as f32, |triangle, edge, index, cost| {
            let node = match index {
                1 => middle(ground, triangle, edge),
                end => ground.edge_ends(triangle, edge)[end / 2] as usize,
            };
            costs[node] = costs[node].min(cost);
        });
        Ok(LineWave { start, costs })
    }

    pub(super) fn ground<'a>(&'a self, profile: Option<&'a TerrainProfile>) -> Ground<'a> {
        let (graph, _) = self.priced(profile);
        Ground {
            web: &self.web,
            graph,
        }
    }
}

/// Returns the index of the price at the midpoint of an edge.
fn middle(ground: Ground<'_>, triangle: u32, edge: usize) -> usize {
    let (triangle, edge) = match ground.beyond(triangle, edge) {
        Some((next, back)) if next < triangle => (next, back),
        _ => (triangle, edge),
    };
    ground.web.points().len() + 3 * triangle as usize + edge
}

impl LineWave {
    /// Returns the price at a position, interpolated linearly between the nearest corners, midpoints and the start. It is
    /// `None` off the map, and infinite if one of these points is not reached. `terrain` must be the one that the wave was
    /// computed for.
    pub fn cost_at(&self, terrain: &Terrain, position: impl Into<TerrainPosition>) -> Option<f64> {
        let location = terrain.web().location(position.into())?;
        let point = location.point.truncate().as_dvec2();
        let mut best: Option<(f64, f64)> = None;
        self.for_pieces(terrain, location.triangle, |piece| {
            let weights = weights(piece, point);
            let lowest = weights.into_iter().fold(f64::INFINITY, f64::min);
            let costs = weights.iter().zip(piece);
            // A weight of 0 must not make an infinite price of another corner count.
            let costs = costs.map(|(&weight, node)| match weight.abs() < 1e-12 {
                true => 0.0,
                false => weight * node.cost,
            });
            let cost = costs.sum();
            // Rounding can put the point slightly outside of all pieces.
            if best.is_none_or(|(known, _)| lowest > known) {
                best = Some((lowest, cost));
            }
        });
        best.map(|(_, cost)| cost)
    }

    /// Returns whether the ground ends between two nodes of a piece.
    pub(super) fn is_rim(&self, terrain: &Terrain, a: WaveNode, b: WaveNode) -> bool {
        let points = terrain.web().points().len();
        let [corner, middle] =
            [a.index.min(b.index), a.index.max(b.index)].map(|index| index as usize);
        // Between two midpoints, and around the start, there is ground on both sides.
        if corner >= points || middle < points || middle + 1 >= self.costs.len() {
            return false;
        }
        let (triangle, edge) = ((middle - points) / 3, (middle - points) % 3);
        terrain.web().neighbours()[triangle][edge] == NO_TRIANGLE
    }

    /// Calls `visit` with each piece of a triangle. There are four, or six around the start.
    pub(super) fn for_pieces(
        &self,
        terrain: &Terrain,
        triangle: u32,
        mut visit: impl FnMut(&[WaveNode; 3]),
    ) {
        let ground = terrain.ground(None);
        let corners = ground.web.triangles()[triangle as usize];
        let node = |index: usize, point: DVec3| WaveNode {
            index: index as u32,
            point,
            cost: self.costs[index].into(),
        };
        let corner = |at: usize| node(corners[at] as usize, ground.point(corners[at]));
        let middle_of = |edge: usize| {
            let [a, b] = ground.edge_ends(triangle, edge).map(|id| ground.point(id));
            node(middle(ground, triangle, edge), a.midpoint(b))
        };
        let rim = [
            corner(0),
            middle_of(0),
            corner(1),
            middle_of(1),
            corner(2),
            middle_of(2),
        ];
        if triangle == self.start.triangle {
            let start = node(self.costs.len() - 1, self.start.point);
            for side in 0..6 {
                visit(&[rim[side], rim[(side + 1) % 6], start]);
            }
            return;
        }
        for at in [0, 2, 4] {
            visit(&[rim[at], rim[at + 1], rim[(at + 5) % 6]]);
        }
        visit(&[rim[1], rim[3], rim[5]]);
    }
}

/// Returns the barycentric coordinates of a point in a piece. They are negative infinity if the piece has no area.
fn weights(piece: &[WaveNode; 3], point: DVec2) -> [f64; 3] {
    let [a, b, c] = piece.map(|node| node.point.truncate());
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return [f64::NEG_INFINITY; 3];
    }
    let part = |from: DVec2, to: DVec2| (from - point).perp_dot(to - point) / area;
    [part(b, c), part(c, a), part(a, b)]
}
