//! A line through a strip of triangles, and its improvement: crossings slide along their edges, and pieces of the line
//! are replaced by straight ones.

use glam::DVec3;

use super::NO_TRIANGLE;
use super::ground::Ground;

/// A line from start to goal. It has one leg per triangle, and crosses an edge between two legs.
#[derive(Clone, Debug, Default)]
pub(super) struct Strip {
    pub(super) start: DVec3,
    pub(super) goal: DVec3,
    pub(super) triangles: Vec<u32>,
    /// One crossing between each two consecutive triangles.
    pub(super) crossings: Vec<Crossing>,
    /// The final multiplier of each leg.
    multipliers: Vec<f64>,
    /// The price of each leg.
    costs: Vec<f64>,
    /// Whether each crossing has to be looked at again.
    is_open: Vec<bool>,
}

/// The point where a line crosses an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// The points at the ends of the edge.
    pub(super) ends: [u32; 2],
    /// The position on the edge: 0 at its first end and 1 at its second.
    pub(super) at: f64,
    pub(super) point: DVec3,
}

/// A point of a line.
#[derive(Clone, Copy, Debug)]
struct LinePoint {
    point: DVec3,
    /// The point of the web that it coincides with.
    corner: Option<u32>,
}

/// Crossings slide by these fractions of their edge, from coarse to fine.
const SLIDES: [f64; 6] = [0.3, 0.08, 0.02, 0.005, 0.001, 0.0002];

/// The maximum number of times that all crossings slide.
const SWEEPS: usize = 60;

/// A piece is only replaced by one that costs at most this fraction of it, so that rounding does not go in circles.
const GAIN: f64 = 1.0 - 1e-9;

/// The maximum number of triangles around a point that are looked at.
const MAX_FAN: usize = 64;

impl Crossing {
    pub(super) fn new(ground: Ground<'_>, ends: [u32; 2], at: f64) -> Self {
        let [a, b] = ends.map(|id| ground.point(id));
        let point = if at == 1.0 { b } else { a + (b - a) * at };
        Self { ends, at, point }
    }

    /// Returns the crossing at the end of the edge that is this point of the web.
    fn at_corner(ground: Ground<'_>, ends: [u32; 2], corner: u32) -> Self {
        Self::new(ground, ends, if ends[0] == corner { 0.0 } else { 1.0 })
    }

    fn corner(&self) -> Option<u32> {
        match self.at {
            0.0 => Some(self.ends[0]),
            1.0 => Some(self.ends[1]),
            _ => None,
        }
    }
}

impl Strip {
    /// Starts a line from scratch.
    pub(super) fn reset(&mut self, start: DVec3, goal: DVec3) {
        self.start = start;
        self.goal = goal;
        self.triangles.clear();
        self.crossings.clear();
    }

    /// Sets the line over the midpoints of the edges between triangles. Returns `None` if two of them are not neighbours.
    pub(super) fn set_midpoints(&mut self, ground: Ground<'_>, triangles: &[u32]) -> Option<()> {
        self.triangles.extend_from_slice(triangles);
        for pair in triangles.windows(2) {
            let edge = ground.graph.edge(pair[0], pair[1])?;
            let ends = ground.edge_ends(pair[0], edge);
            self.crossings.push(Crossing::new(ground, ends, 0.5));
        }
        Some(())
    }

    /// Computes the prices of all legs.
    pub(super) fn set_costs(&mut self, ground: Ground<'_>) {
        self.multipliers.clear();
        let mut before = NO_TRIANGLE;
        for &triangle in &self.triangles {
            self.multipliers.push(ground.multiplier(before, triangle));
            before = triangle;
        }
        self.costs.clear();
        for leg in 0..self.triangles.len() {
            let [from, to] = [leg, leg + 1].map(|index| self.point(index).point);
            self.costs.push(ground.leg(self.multipliers[leg], from, to));
        }
    }

    /// Returns the price of the line.
    pub(super) fn cost(&self) -> f64 {
        self.costs.iter().sum()
    }

    /// Returns the point before leg `index`, which is the goal after the last leg.
    fn point(&self, index: usize) -> LinePoint {
        let without_corner = |point| LinePoint {
            point,
            corner: None,
        };
        match index.checked_sub(1) {
            None => without_corner(self.start),
            Some(crossing) => match self.crossings.get(crossing) {
                None => without_corner(self.goal),
                Some(crossing) => LinePoint {
                    point: crossing.point,
                    corner: crossing.corner(),
                },
            },
        }
    }

    /// Makes the line cheaper: straight lines replace pieces of it, and crossings slide along their edges. `spare` is a
    /// buffer.
    pub(super) fn improve(&mut self, ground: Ground<'_>, spare: &mut Self) {
        self.straighten(ground, spare);
        self.relax(ground, SWEEPS);
        self.straighten(ground, spare);
        self.relax(ground, SWEEPS);
    }

    /// Slides crossings along their edges until that hardly makes the line cheaper, at most `sweeps` times over the whole
    /// line.
    fn relax(&mut self, ground: Ground<'_>, sweeps: usize) {
        let count = self.crossings.len();
        self.is_open.clear();
        self.is_open.resize(count, true);
        for sweep in 0..sweeps {
            let mut gain = 0.0;
            for step in 0..count {
                let index = if sweep % 2 == 0 {
                    step
                } else {
                    count - 1 - step
                };
                if !std::mem::replace(&mut self.is_open[index], false) {
                    continue;
                }
                let saved = self.slide(ground, index);
                let pair = self.costs[index] + self.costs[index + 1];
                if saved > 1e-7 * pair {
                    gain += saved;
                    let around = index.saturating_sub(1)..(index + 2).min(count);
                    self.is_open[around].fill(true);
                }
            }
            // Infinite minus infinite is not a number.
            if gain.is_nan() || gain <= 1e-7 * self.cost() {
                return;
            }
        }
    }

    /// Moves one crossing to a cheaper position on its edge, and returns by how much the line becomes cheaper.
    fn slide(&mut self, ground: Ground<'_>, index: usize) -> f64 {
        let [from, to] = [index, index + 2].map(|index| self.point(index).point);
        let legs = |crossing: &Crossing| {
            [
                ground.leg(self.multipliers[index], from, crossing.point),
                ground.leg(self.multipliers[index + 1], crossing.point, to),
            ]
        };
        let mut best = self.crossings[index];
        let before = [self.costs[index], self.costs[index + 1]];
        let mut best_legs = before;
        for slide in SLIDES {
            // Each size is tried in both directions, and again in the direction that pays.
            for direction in [-1.0, 1.0] {
                for _ in 0..4 {
                    let at = (best.at + direction * slide).clamp(0.0, 1.0);
                    if at == best.at {
                        break;
                    }
                    let moved = Crossing::new(ground, best.ends, at);
                    let moved_legs = legs(&moved);
                    if moved_legs[0] + moved_legs[1] >= best_legs[0] + best_legs[1] {
                        break;
                    }
                    (best, best_legs) = (moved, moved_legs);
                }
            }
        }
        self.crossings[index] = best;
        [self.costs[index], self.costs[index + 1]] = best_legs;
        (before[0] + before[1]) - (best_legs[0] + best_legs[1])
    }

    /// Replaces pieces of the line by straight lines where these are cheaper: first long pieces, then shorter ones.
    fn straighten(&mut self, ground: Ground<'_>, spare: &mut Self) {
        let mut span = self.triangles.len().next_power_of_two();
        while span >= 2 {
            for offset in [0, span / 2] {
                if self.straighten_pieces(ground, span, offset, spare) {
                    self.set_costs(ground);
                }
            }
            span /= 2;
        }
        self.remove_spikes(ground, spare);
    }

    /// Tries to replace every piece of `span` legs; the first one has `offset` legs. Returns whether the line has changed.
    /// Costs have to be computed again then.
    fn straighten_pieces(
        &mut self,
        ground: Ground<'_>,
        span: usize,
        offset: usize,
        spare: &mut Self,
    ) -> bool {
        let legs = self.triangles.len();
        spare.reset(self.start, self.goal);
        let mut has_changed = false;
        let (mut first, mut end) = (0, if offset == 0 { span } else { offset });
        while first < legs {
            end = end.min(legs);
            let (triangles, crossings) = (spare.triangles.len(), spare.crossings.len());
            let is_better =
                end - first >= 2 && self.walk_piece(ground, first, end, spare).is_some();
            has_changed |= is_better;
            if !is_better {
                spare.triangles.truncate(triangles);
                spare.crossings.truncate(crossings);
                spare
                    .triangles
                    .extend_from_slice(&self.triangles[first..end]);
                spare
                    .crossings
                    .extend_from_slice(&self.crossings[first..end - 1]);
            }
            spare.crossings.extend(self.crossings.get(end - 1));
            (first, end) = (end, end + span);
        }
        if has_changed {
            std::mem::swap(&mut self.triangles, &mut spare.triangles);
            std::mem::swap(&mut self.crossings, &mut spare.crossings);
        }
        has_changed
    }

    /// Walks straight from the point before leg `first` to the point before leg `end`, and adds the triangles and crossings
    /// to `out`. Returns `None` if that is not cheaper than the legs, or not possible.
    fn walk_piece(
        &self,
        ground: Ground<'_>,
        first: usize,
        end: usize,
        out: &mut Self,
    ) -> Option<()> {
        let [from, to] = [first, end].map(|index| self.point(index));
        let direction = (to.point - from.point).truncate();
        let max_cost = self.costs[first..end].iter().sum::<f64>() * GAIN;
        let last = self.triangles[end - 1];
        let max_steps = 4 * (end - first) + 64;
        let mut before = first
            .checked_sub(1)
            .map_or(NO_TRIANGLE, |leg| self.triangles[leg]);
        let mut triangle = self.triangles[first];
        let mut at = from.point;
        let mut cost = 0.0;
        // The edge by which the line has entered the triangle.
        let mut entry = None;
        out.triangles.push(triangle);
        // Which side of the line a point of the web is on. A point on the line is always on the same side.
        let side = |point: DVec3| direction.perp_dot((point - from.point).truncate());
        if let Some(corner) = from.corner {
            let leaves = |triangle: u32| {
                let opposite = opposite_edge(ground, triangle, corner);
                let ends = ground
                    .edge_ends(triangle, opposite)
                    .map(|id| ground.point(id));
                let [a, b] = ends.map(side);
                let [a_along, b_along] =
                    ends.map(|end| direction.dot((end - from.point).truncate()));
                (a > 0.0) != (b > 0.0) && (a * b_along - b * a_along) / (a - b) > 0.0
            };
            (before, triangle) = out.turn(ground, corner, (before, triangle), leaves)?;
        }
        for step in 0..max_steps {
            let has_corner = |corner| ground.web.triangles()[triangle as usize].contains(&corner);
            if triangle == last || to.corner.is_some_and(has_corner) {
                cost += ground.leg(ground.multiplier(before, triangle), at, to.point);
                if triangle != last {
                    out.turn(ground, to.corner?, (before, triangle), |other| {
                        other == last
                    })?;
                }
                return (cost < max_cost).then_some(());
            }
            let corners = ground.corners(triangle);
            let sides = corners.map(side);
            let is_crossed = |&edge: &usize| (sides[edge] > 0.0) != (sides[(edge + 1) % 3] > 0.0);
            let crossing = |edge: usize| {
                let [a, b] = [sides[edge], sides[(edge + 1) % 3]];
                Crossing::new(
                    ground,
                    ground.edge_ends(triangle, edge),
                    (a / (a - b)).clamp(0.0, 1.0),
                )
            };
            let along = |edge: usize| direction.dot((crossing(edge).point - from.point).truncate());
            let exit = match (step, from.corner, entry) {
                (0, Some(corner), _) => opposite_edge(ground, triangle, corner),
                (_, _, Some(entry)) => (0..3).find(|edge| is_crossed(edge) && *edge != entry)?,
                _ => (0..3)
                    .filter(is_crossed)
                    .max_by(|&a, &b| along(a).total_cmp(&along(b)))?,
            };
            let crossing = crossing(exit);
            cost += ground.leg(ground.multiplier(before, triangle), at, crossing.point);
            if cost >= max_cost {
                return None;
            }
            let (next, edge) = ground.beyond(triangle, exit)?;
            (before, triangle, entry, at) = (triangle, next, Some(edge), crossing.point);
            out.crossings.push(crossing);
            out.triangles.push(triangle);
        }
        None
    }

    /// Turns around a point of the web from one triangle to the first one for which `is_end` holds. The line does not get
    /// longer. Returns the last two triangles.
    fn turn(
        &mut self,
        ground: Ground<'_>,
        corner: u32,
        (before, triangle): (u32, u32),
        is_end: impl Fn(u32) -> bool,
    ) -> Option<(u32, u32)> {
        if is_end(triangle) {
            return Some((before, triangle));
        }
        let known = (self.triangles.len(), self.crossings.len());
        for side in [1, 2] {
            let mut at = triangle;
            let mut exit = (opposite_edge(ground, at, corner) + side) % 3;
            for _ in 0..MAX_FAN {
                let Some((next, entry)) = ground.beyond(at, exit) else {
                    break;
                };
                let ends = ground.edge_ends(at, exit);
                self.crossings
                    .push(Crossing::at_corner(ground, ends, corner));
                self.triangles.push(next);
                let before = std::mem::replace(&mut at, next);
                if is_end(at) {
                    return Some((before, at));
                }
                let opposite = opposite_edge(ground, at, corner);
                // The third edge, neither the one opposite to the corner nor the one that was crossed.
                exit = 3 - opposite - entry;
            }
            self.triangles.truncate(known.0);
            self.crossings.truncate(known.1);
        }
        None
    }

    /// Removes triangles that the line enters and leaves by the same edge, where that is not more expensive.
    fn remove_spikes(&mut self, ground: Ground<'_>, spare: &mut Self) {
        loop {
            spare.reset(self.start, self.goal);
            let mut leg = 0;
            let legs = self.triangles.len();
            while leg < legs {
                spare.triangles.push(self.triangles[leg]);
                let is_spike = leg + 2 < legs && self.triangles[leg] == self.triangles[leg + 2];
                let direct = || {
                    let [from, to] = [leg, leg + 3].map(|index| self.point(index).point);
                    ground.leg(self.multipliers[leg], from, to)
                };
                let skips = is_spike && direct() <= self.costs[leg..leg + 3].iter().sum();
                leg += if skips { 3 } else { 1 };
                spare.crossings.extend(self.crossings.get(leg - 1));
            }
            if spare.triangles.len() == legs {
                return;
            }
            std::mem::swap(&mut self.triangles, &mut spare.triangles);
            std::mem::swap(&mut self.crossings, &mut spare.crossings);
            self.set_costs(ground);
        }
    }
}

/// Returns the edge of a triangle that does not touch one of its corners.
fn opposite_edge(ground: Ground<'_>, triangle: u32, corner: u32) -> usize {
    let corners = ground.web.triangles()[triangle as usize];
    let index = corners.iter().position(|&id| id == corner);
    (index.expect("a corner of the triangle") + 1) % 3
}
