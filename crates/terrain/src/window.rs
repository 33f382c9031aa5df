//! A search over points on the edges of triangles, within a window or over all ground.
//!
//! A state is a point on an edge together with the triangle that the path enters there. From it, legs lead to
//! the points on the two other edges of the triangle. Both ends of an edge are among its points, so a path can turn
//! around them.

use glam::DVec3;
use portolan_core::search::{EpochArray, Heap, entry, unpack};

use super::ground::Ground;
use super::strip::{Crossing, Strip};
use super::{Extent, NO_TRIANGLE};

/// The triangles of a window and the states in it, which are numbered by triangle, edge and point.
#[derive(Clone, Debug, Default)]
pub(super) struct WindowScratch {
    /// The number of each triangle in the window.
    numbers: EpochArray<u32>,
    triangles: Vec<u32>,
    /// The number of steps from the line to each triangle.
    distances: Vec<u32>,
    /// The final multiplier of each triangle by the edge where it is entered; negative if it is not computed yet.
    multipliers: Vec<[f32; 3]>,
    labels: Vec<StateLabel>,
    heap: Heap,
}

#[derive(Clone, Copy, Debug)]
struct StateLabel {
    cost: f32,
    /// The state before this one, or [`NO_STATE`] at the start.
    predecessor: u32,
}

const NO_STATE: u32 = u32::MAX;

const UNKNOWN: StateLabel = StateLabel {
    cost: f32::INFINITY,
    predecessor: NO_STATE,
};

/// The start or the goal of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineEnd {
    pub(super) triangle: u32,
    pub(super) point: DVec3,
}

/// A search over `points` evenly spaced points per edge, including both ends.
pub(super) struct PointSearch<'a, 'b> {
    pub(super) ground: Ground<'a>,
    pub(super) points: usize,
    pub(super) scratch: &'b mut WindowScratch,
}

impl PointSearch<'_, '_> {
    /// Chooses the triangles that are at most `steps` crossings away from those of a line.
    pub(super) fn open_window(&mut self, line: &[u32], steps: u32) {
        let scratch = &mut *self.scratch;
        scratch.numbers.reset(self.ground.web.len());
        scratch.triangles.clear();
        scratch.distances.clear();
        let add = |triangle: u32, distance: u32, scratch: &mut WindowScratch| {
            if scratch.numbers.get(triangle as usize).is_none() {
                let number = scratch.triangles.len() as u32;
                scratch.numbers.set(triangle as usize, number);
                scratch.triangles.push(triangle);
                scratch.distances.push(distance);
            }
        };
        for &triangle in line {
            add(triangle, 0, scratch);
        }
        let mut next = 0;
        while next < scratch.triangles.len() && scratch.distances[next] < steps {
            let distance = scratch.distances[next] + 1;
            for beyond in self.ground.web.neighbours()[scratch.triangles[next] as usize] {
                if beyond != NO_TRIANGLE {
                    add(beyond, distance, scratch);
                }
            }
            next += 1;
        }
        self.clear();
    }

    /// Chooses all triangles.
    pub(super) fn open_all(&mut self) {
        let scratch = &mut *self.scratch;
        scratch.numbers.reset(self.ground.web.len());
        scratch.triangles.clear();
        scratch.distances.clear();
        for triangle in 0..self.ground.web.len() as u32 {
            scratch.numbers.set(triangle as usize, triangle);
            scratch.triangles.push(triangle);
        }
        self.clear();
    }

    /// Computes the prices to all points up to `max_cost` by Dijkstra's algorithm, and calls `arrive` with the triangle, the
    /// edge and the index of a point, and a price at which a line can be there. The lowest of these is the price of
    /// the point.
    pub(super) fn wave(
        &mut self,
        start: LineEnd,
        max_cost: f32,
        mut arrive: impl FnMut(u32, usize, usize, f32),
    ) {
        let bound = |_| 0.0;
        let arrive = &mut arrive;
        self.relax_from(
            start.triangle,
            start.point,
            None,
            (0.0, NO_STATE),
            &bound,
            arrive,
        );
        while let Some(top) = self.scratch.heap.pop() {
            let (cost, state) = unpack(top);
            if cost > max_cost {
                break;
            }
            if cost > self.scratch.labels[state as usize].cost {
                continue;
            }
            let (triangle, edge, point) = self.position(state);
            self.relax_from(triangle, point, Some(edge), (cost, state), &bound, arrive);
        }
    }

    /// Forgets all labels and multipliers.
    fn clear(&mut self) {
        let scratch = &mut *self.scratch;
        let count = scratch.triangles.len();
        scratch.multipliers.clear();
        scratch.multipliers.resize(count, [-1.0; 3]);
        scratch.labels.clear();
        scratch.labels.resize(count * 3 * self.points, UNKNOWN);
        scratch.heap.clear();
    }

    /// Returns whether a triangle is in the window.
    pub(super) fn contains(&self, triangle: u32) -> bool {
        self.scratch.numbers.get(triangle as usize).is_some()
    }

    /// Returns the distance from the line of a triangle of the window.
    pub(super) fn distance(&self, triangle: u32) -> u32 {
        let number = self.scratch.numbers.known(triangle as usize);
        self.scratch.distances[number as usize]
    }

    /// Finds the cheapest line over the points of the window and writes it to `strip`. Returns `None`, without a change, if
    /// there is none below `max_cost`.
    pub(super) fn find(
        &mut self,
        start: LineEnd,
        goal: LineEnd,
        max_cost: f64,
        strip: &mut Strip,
    ) -> Option<()> {
        let price = self.ground.graph.price;
        let target = goal.point.as_vec3();
        let goal_box = Extent::of([target]);
        let bound = |point: DVec3| {
            let here = Extent::of([point.as_vec3()]);
            // The factor covers the rounding of points.
            price.lower_bound(here, goal_box) * (1.0 - 1e-5)
        };
        let mut best = (max_cost as f32, NO_STATE);
        let arrive = &mut |_, _, _, _| ();
        self.relax_from(
            start.triangle,
            start.point,
            None,
            (0.0, NO_STATE),
            &bound,
            arrive,
        );
        while let Some(top) = self.scratch.heap.pop() {
            let (key, state) = unpack(top);
            if key >= best.0 {
                break;
            }
            let (triangle, edge, point) = self.position(state);
            let cost = self.scratch.labels[state as usize].cost;
            // Both sides of an edge may round its points differently.
            if key > (cost + bound(point)) * (1.0 + 1e-5) {
                continue;
            }
            if triangle == goal.triangle {
                let multiplier = self.multiplier(triangle, edge);
                let total = cost + self.ground.leg(multiplier.into(), point, goal.point) as f32;
                if total < best.0 {
                    best = (total, state);
                }
            }
            self.relax_from(triangle, point, Some(edge), (cost, state), &bound, arrive);
        }
        let (_, last) = best;
        if last == NO_STATE {
            return None;
        }
        strip.reset(start.point, goal.point);
        let mut state = last;
        while state != NO_STATE {
            let (triangle, edge, _) = self.position(state);
            let index = state as usize % self.points;
            let at = index as f64 / (self.points - 1) as f64;
            let ends = self.ground.edge_ends(triangle, edge);
            strip.crossings.push(Crossing::new(self.ground, ends, at));
            strip.triangles.push(triangle);
            state = self.scratch.labels[state as usize].predecessor;
        }
        strip.triangles.push(start.triangle);
        strip.triangles.reverse();
        strip.crossings.reverse();
        Some(())
    }

    /// Returns the triangle, the edge and the point of a state.
    fn position(&self, state: u32) -> (u32, usize, DVec3) {
        let state = state as usize;
        let triangle = self.scratch.triangles[state / (3 * self.points)];
        let edge = state / self.points % 3;
        (
            triangle,
            edge,
            self.point(triangle, edge, state % self.points),
        )
    }

    /// Returns a point of an edge by its index.
    fn point(&self, triangle: u32, edge: usize, index: usize) -> DVec3 {
        let ends = self.ground.edge_ends(triangle, edge);
        let at = index as f64 / (self.points - 1) as f64;
        Crossing::new(self.ground, ends, at).point
    }

    /// Returns the final multiplier of a triangle of the window that is entered by an edge.
    fn multiplier(&mut self, triangle: u32, edge: usize) -> f32 {
        let number = self.scratch.numbers.known(triangle as usize) as usize;
        let known = self.scratch.multipliers[number][edge];
        if known >= 0.0 {
            return known;
        }
        let before = self.ground.web.neighbours()[triangle as usize][edge];
        let computed = self.ground.multiplier(before, triangle) as f32;
        self.scratch.multipliers[number][edge] = computed;
        computed
    }

    /// Relaxes the legs from a point of a triangle to the points on its edges, except on the edge by which the line has
    /// entered the triangle. Calls `arrive` with the triangle, the edge and the index of each of these points, and the
    /// price there.
    #[inline]
    fn relax_from(
        &mut self,
        triangle: u32,
        point: DVec3,
        entry_edge: Option<usize>,
        (cost, state): (f32, u32),
        bound: &impl Fn(DVec3) -> f32,
        arrive: &mut impl FnMut(u32, usize, usize, f32),
    ) {
        let multiplier = match entry_edge {
            Some(edge) => self.multiplier(triangle, edge).into(),
            None => self.ground.multiplier(NO_TRIANGLE, triangle),
        };
        for edge in (0..3).filter(|&edge| Some(edge) != entry_edge) {
            let ends = self.ground.edge_ends(triangle, edge);
            let beyond = self.ground.beyond(triangle, edge);
            let beyond = beyond.and_then(|(next, back)| {
                let number = self.scratch.numbers.get(next as usize)?;
                let is_reversed = self.ground.edge_ends(next, back) != ends;
                Some(((number as usize * 3 + back) * self.points, is_reversed))
            });
            for index in 0..self.points {
                let to = self.point(triangle, edge, index);
                let total = cost + self.ground.leg(multiplier, point, to) as f32;
                arrive(triangle, edge, index, total);
                let Some((first, is_reversed)) = beyond else {
                    continue;
                };
                let beyond = match is_reversed {
                    true => first + self.points - 1 - index,
                    false => first + index,
                };
                let label = &mut self.scratch.labels[beyond];
                if total < label.cost {
                    *label = StateLabel {
                        cost: total,
                        predecessor: state,
                    };
                    let key = total + bound(to);
                    self.scratch.heap.push(entry(key, beyond as u32));
                }
            }
        }
    }
}
