//! Walks along the legs of a path, from polygon to polygon.
//!
//! A leg crosses most sides properly. Where it passes exactly over a vertex, the walk turns around the vertex on
//! one side or on the other. Ends of legs that rounding has moved may put the leg on the wrong side of a vertex:
//! there, a breadth-first search among the polygons that the leg touches goes on.

use glam::DVec2;

use super::NONE;
use super::orientation::orientation;
use super::plan::{PlanMesh, Side};
use super::scratch::SightOfEnd;
use super::sight::manhattan;

/// Fractions of a leg that differ by less may be the same point.
const ROUNDING: f64 = 1e-9;

/// The number of polygons around a vertex that a walk looks at before it searches.
const MAX_TURNS: usize = 64;

/// The distance of a line of sight from a vertex at which it certainly passes the vertex, in units of the rounding error.
const MARGIN: f64 = 16.0;

/// The buffers of walks.
#[derive(Clone, Debug, Default)]
pub(super) struct WalkBuffers {
    steps: Vec<Step>,
    /// The sides that the last walk has crossed.
    pub(super) crossed: Vec<u32>,
}

/// A polygon that a breadth-first search has reached.
#[derive(Clone, Copy, Debug)]
struct Step {
    polygon: u32,
    /// The step before; [`NONE`] at the first.
    before: u32,
    /// The side that was crossed.
    side: u32,
    /// How far along the leg that is, as a fraction of it.
    fraction: f64,
}

/// A straight line between two points of the path.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    pub(super) from: DVec2,
    pub(super) to: DVec2,
    /// By how much its ends may have been moved by rounding.
    pub(super) rounding: f64,
    /// How the path turns where the leg begins: left if positive, right if negative.
    pub(super) turn: f64,
}

/// How a leg leaves a polygon.
enum Exit {
    /// It crosses this side properly.
    Side(usize),
    /// It passes over this vertex of the polygon.
    Vertex(DVec2),
    /// It ends in the polygon, or runs into a wall because of rounding.
    Unclear,
}

/// Whether the straight line between the ends of a query is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineOfSight {
    /// It is free.
    Free,
    /// It leads into a wall, also if both ends are moved by the rounding error.
    Blocked,
    /// It touches something.
    Unclear,
}

/// Where a leg ends.
pub(super) trait LegEnd {
    /// Returns whether the leg ends on a polygon.
    fn is_on(&self, polygon: u32) -> bool;

    /// Returns whether the leg ends on a polygon and may end inside it, not only at one of its vertices.
    fn is_inside(&self, polygon: u32) -> bool;
}

impl PlanMesh {
    /// Walks along a leg from a polygon to one that it ends on, and returns that polygon. Sets `buffers.crossed`
    /// to the sides that it crosses. `begins` are the polygons that the first point touches if they are known.
    pub(super) fn walk(
        &self,
        from: u32,
        begins: &[u32],
        leg: Leg,
        end: &impl LegEnd,
        buffers: &mut WalkBuffers,
    ) -> Option<u32> {
        let crossed = &mut buffers.crossed;
        crossed.clear();
        let here = match self.walk_straight(from, leg, end, crossed) {
            Ok(there) => return Some(there),
            Err(here) => here,
        };
        if let Some(&side) = crossed.last() {
            let contact = leg.contact(&self.sides[side as usize]);
            let fraction = contact.map_or(0.0, |[low, _]| low);
            let found = self.search_touched(Step::first(here, fraction), &[], leg, end, buffers);
            if found.is_some() {
                return found;
            }
            // Rounding has moved the leg to the wrong side of a vertex: search from its beginning.
            buffers.crossed.clear();
        }
        self.search_touched(Step::first(from, 0.0), begins, leg, end, buffers)
    }

    /// Walks along a leg without a search. Adds the sides that it crosses to `crossed`. Returns the polygon that
    /// the leg ends on, or the one in which it is not clear how it goes on.
    fn walk_straight(
        &self,
        from: u32,
        leg: Leg,
        end: &impl LegEnd,
        crossed: &mut Vec<u32>,
    ) -> Result<u32, u32> {
        // A leg that turns at its beginning leaves the polygon in which the leg before it has ended.
        if leg.turn == 0.0 && end.is_on(from) {
            return Ok(from);
        }
        let mut sides = self.sides_of(from);
        let mut exit = match sides.find(|&side| leg.turn == 0.0 && leg.crosses(&self.sides[side])) {
            Some(side) => Exit::Side(side),
            None => Exit::Vertex(leg.from),
        };
        let mut here = from;
        // The obstacle that the leg turns around is on this side of it.
        let mut turn = leg.turn;
        // Where polygons overlap by rounding, a walk could go around in circles.
        while crossed.len() <= self.sides.len() {
            match exit {
                Exit::Side(index) => {
                    let side = &self.sides[index];
                    crossed.push(index as u32);
                    here = side.beyond;
                    if end.is_inside(here) {
                        return Ok(here);
                    }
                    exit = self.exit_of(side, leg);
                }
                Exit::Vertex(vertex) if vertex == leg.to && end.is_on(here) => return Ok(here),
                Exit::Vertex(vertex) => {
                    let mut found = None;
                    if turn >= 0.0 {
                        found = self.turn_around::<true>(vertex, here, leg, end, crossed);
                    }
                    if turn <= 0.0 && found.is_none() {
                        found = self.turn_around::<false>(vertex, here, leg, end, crossed);
                    }
                    (here, exit) = found.ok_or(here)?;
                    turn = 0.0;
                }
                Exit::Unclear if end.is_on(here) => return Ok(here),
                Exit::Unclear => break,
            }
        }
        Err(here)
    }

    /// Turns around a vertex on the right-hand or on the left-hand side of a leg that passes over it, from a
    /// polygon behind the vertex to the one in which the leg goes on. Adds the sides that are crossed to
    /// `crossed`. Returns that polygon, and how the leg leaves it.
    fn turn_around<const RIGHT: bool>(
        &self,
        vertex: DVec2,
        from: u32,
        leg: Leg,
        end: &impl LegEnd,
        crossed: &mut Vec<u32>,
    ) -> Option<(u32, Exit)> {
        // All sides that are crossed end at the vertex; this is their other end.
        let [near, far] = match RIGHT {
            true => [|side: &Side| side.left, |side: &Side| side.right],
            false => [|side: &Side| side.right, |side: &Side| side.left],
        };
        let crossed_before = crossed.len();
        let mut here = from;
        let mut sides = self.sides_of(from);
        let mut index = sides.find(|&side| near(&self.sides[side]) == vertex)? as u32;
        for _ in 0..MAX_TURNS {
            let side = &self.sides[index as usize];
            let position = orientation(leg.from, leg.to, far(side));
            if position == 0.0 && (far(side) - vertex).dot(leg.to - leg.from) > 0.0 {
                // The leg runs along this side.
                return Some((here, Exit::Vertex(far(side))));
            }
            crossed.push(index);
            here = side.beyond;
            let twin = side.twin;
            index = match RIGHT {
                true if twin == side.first_beyond => side.end_beyond - 1,
                true => twin - 1,
                false if twin + 1 == side.end_beyond => side.first_beyond,
                false => twin + 1,
            };
            let next = &self.sides[index as usize];
            let is_wall = index == twin || near(next) != vertex;
            let is_beyond = |position: f64| {
                if RIGHT {
                    position > 0.0
                } else {
                    position < 0.0
                }
            };
            // Behind the vertex, sides may begin on the other side of the leg.
            let is_beside = position != 0.0 && !is_beyond(position);
            if is_beside && (is_wall || is_beyond(orientation(leg.from, leg.to, far(next)))) {
                let exit = match self.exit_of(side, leg) {
                    _ if end.is_inside(here) => Exit::Unclear,
                    Exit::Vertex(next) if next == vertex => break,
                    Exit::Unclear => break,
                    exit => exit,
                };
                return Some((here, exit));
            }
            if is_wall {
                break;
            }
        }
        crossed.truncate(crossed_before);
        None
    }

    /// Searches the polygons that a leg touches, breadth-first, for one that it ends on. Adds the sides
    /// that lead there to `buffers.crossed`. `begins` are the polygons around the first point of the leg, if the
    /// search begins there.
    fn search_touched(
        &self,
        first: Step,
        begins: &[u32],
        leg: Leg,
        end: &impl LegEnd,
        buffers: &mut WalkBuffers,
    ) -> Option<u32> {
        let WalkBuffers { steps, crossed } = buffers;
        steps.clear();
        steps.push(first);
        if begins.len() > 1 {
            let is_touched = |polygon| begins.contains(&polygon);
            self.around(first.polygon, leg.from, is_touched, steps);
        }
        let slack = leg.slack();
        let mut next = 0;
        while let Some(&step) = steps.get(next) {
            if end.is_on(step.polygon) {
                let first = crossed.len();
                let mut at = next as u32;
                while steps[at as usize].before != NONE {
                    crossed.push(steps[at as usize].side);
                    at = steps[at as usize].before;
                }
                crossed[first..].reverse();
                return Some(step.polygon);
            }
            for side in self.sides_of(step.polygon) {
                let Side { beyond, .. } = self.sides[side];
                let Some([low, high]) = leg.contact(&self.sides[side]) else {
                    continue;
                };
                let is_ahead = high >= step.fraction - slack;
                if is_ahead && steps.iter().all(|step| step.polygon != beyond) {
                    steps.push(Step {
                        polygon: beyond,
                        before: next as u32,
                        side: side as u32,
                        fraction: low.max(step.fraction),
                    });
                }
            }
            next += 1;
        }
        None
    }

    /// Returns whether a straight line leads from one end of a query to the other, as far as that is clear without
    /// looking at what the line touches.
    pub(super) fn line_of_sight(&self, [start, goal]: &[SightOfEnd; 2]) -> LineOfSight {
        let leg = Leg {
            from: start.point,
            to: goal.point,
            rounding: 0.0,
            turn: 0.0,
        };
        // Both ends may have been moved. Then the line passes a vertex on the other side.
        let margin = MARGIN * self.rounding * manhattan(leg.to - leg.from);
        let passes = |side: &Side| {
            let mut ends = [side.right, side.left].into_iter();
            ends.all(|end| orientation(leg.from, leg.to, end).abs() > margin)
        };
        let mut polygon = start.touched[0];
        let mut sides = self.sides_of(polygon);
        let mut exit = sides.find(|&side| leg.crosses(&self.sides[side]));
        let mut is_clear = true;
        for _ in 0..self.polygon_count() {
            is_clear &= !self.is_dented[polygon as usize];
            let Some(side) = exit else {
                let sides = &self.sides[self.sides_of(polygon)];
                return match is_clear && sides.iter().all(passes) {
                    true => LineOfSight::Blocked,
                    false => LineOfSight::Unclear,
                };
            };
            let side = &self.sides[side];
            polygon = side.beyond;
            if goal.touched.contains(&polygon) {
                // A goal on a wall that is on one line with the side may lie before it.
                return match orientation(side.right, side.left, leg.to) <= 0.0 {
                    true => LineOfSight::Free,
                    false => LineOfSight::Unclear,
                };
            }
            is_clear &= passes(side);
            exit = match self.exit_of(side, leg) {
                Exit::Side(side) => Some(side),
                Exit::Vertex(_) | Exit::Unclear => None,
            };
        }
        LineOfSight::Unclear
    }

    /// Returns the side by which a leg leaves a polygon that it has entered by crossing `entry` properly. The
    /// outline of the polygon, from the left end of the entry on, is first on the right of the leg and then on
    /// its left.
    #[inline(always)]
    fn exit_of(&self, entry: &Side, leg: Leg) -> Exit {
        let (first, end, twin) = (entry.first_beyond, entry.end_beyond, entry.twin);
        let mut index = twin;
        for _ in first + 1..end {
            index = if index + 1 == end { first } else { index + 1 };
            let side = &self.sides[index as usize];
            let left = orientation(leg.from, leg.to, side.left);
            if left < 0.0 {
                continue;
            }
            if left == 0.0 {
                return Exit::Vertex(side.left);
            }
            let right = orientation(leg.from, leg.to, side.right);
            return if right < 0.0 {
                Exit::Side(index as usize)
            } else if right == 0.0 {
                Exit::Vertex(side.right)
            } else {
                Exit::Unclear
            };
        }
        Exit::Unclear
    }

    /// Adds the polygons that touch a point to `steps`, whose only step is the polygon `from`.
    fn around(
        &self,
        from: u32,
        point: DVec2,
        is_touched: impl Fn(u32) -> bool,
        steps: &mut Vec<Step>,
    ) {
        debug_assert_eq!(steps.last().map(|step| step.polygon), Some(from));
        let mut next = 0;
        while let Some(&step) = steps.get(next) {
            for side in self.sides_of(step.polygon) {
                let beyond = self.sides[side].beyond;
                let is_new = steps.iter().all(|step| step.polygon != beyond);
                if is_new && is_touched(beyond) && self.touches(&self.sides[side], point) {
                    steps.push(Step {
                        polygon: beyond,
                        before: next as u32,
                        side: side as u32,
                        fraction: 0.0,
                    });
                }
            }
            next += 1;
        }
    }

    /// Sets `buffers.crossed` to the sides around a point that lead from one polygon that touches it to
    /// another. Returns false if there is no such way.
    pub(super) fn go_around(
        &self,
        from: u32,
        to: u32,
        point: DVec2,
        is_touched: impl Fn(u32) -> bool,
        buffers: &mut WalkBuffers,
    ) -> bool {
        let WalkBuffers { steps, crossed } = buffers;
        crossed.clear();
        if from == to {
            return true;
        }
        // The sides by which the search reached `to` from `from`: search from `to`, where the point is known
        // to touch the sides, and cross them the other way round.
        steps.clear();
        steps.push(Step::first(to, 0.0));
        self.around(to, point, is_touched, steps);
        let Some(mut at) = steps.iter().position(|step| step.polygon == from) else {
            return false;
        };
        while steps[at].before != NONE {
            crossed.push(self.sides[steps[at].side as usize].twin);
            at = steps[at].before as usize;
        }
        true
    }
}

impl Step {
    fn first(polygon: u32, fraction: f64) -> Self {
        Self {
            polygon,
            before: NONE,
            side: NONE,
            fraction,
        }
    }
}

impl Leg {
    /// Returns whether the leg crosses a side properly, out of its polygon.
    #[inline(always)]
    fn crosses(&self, side: &Side) -> bool {
        orientation(self.from, self.to, side.right) < 0.0
            && orientation(self.from, self.to, side.left) > 0.0
            && orientation(side.right, side.left, self.from) > 0.0
    }

    /// Returns the range of the leg in which it touches a side, as fractions of the leg; `None` if they have no
    /// point in common. They touch if they would with ends of the leg that are moved by up to `rounding`.
    fn contact(&self, side: &Side) -> Option<[f64; 2]> {
        let nearly = |area: f64, reach: f64| {
            let is_zero = area.abs() <= self.rounding * reach;
            if is_zero { 0.0 } else { area }
        };
        let [right, left] = [side.right, side.left].map(|end| {
            let reach = manhattan(end - self.from) + manhattan(end - self.to);
            nearly(orientation(self.from, self.to, end), reach)
        });
        let span = side.left - side.right;
        let [from, to] = [self.from, self.to]
            .map(|end| nearly(orientation(side.right, side.left, end), manhattan(span)));
        if right * left > 0.0 || from * to > 0.0 {
            return None;
        }
        let along = self.to - self.from;
        let fraction = |point: DVec2| (point - self.from).dot(along) / along.length_squared();
        if right == 0.0 && left == 0.0 {
            // They are on one line. The direction of a leg as short as its rounding error means nothing.
            let [a, b] = [self.from, self.to].map(|end| (end - side.right).dot(span));
            let margin = self.rounding * manhattan(span);
            let is_beside = a.max(b) < -margin || a.min(b) > span.length_squared() + margin;
            let range = match along.length() <= 4.0 * self.rounding {
                true => [0.0, 1.0],
                false => {
                    let [a, b] = [side.right, side.left].map(fraction);
                    [a.min(b), a.max(b)]
                }
            };
            return (!is_beside).then_some(range);
        }
        let at = if right == 0.0 {
            fraction(side.right)
        } else if left == 0.0 {
            fraction(side.left)
        } else if from == to {
            0.0
        } else {
            from / (from - to)
        };
        Some([at, at])
    }

    /// Returns the difference below which two fractions of the leg may be the same point.
    fn slack(&self) -> f64 {
        ROUNDING + 4.0 * self.rounding / self.from.distance(self.to).max(f64::MIN_POSITIVE)
    }
}
