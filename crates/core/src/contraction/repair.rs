//! Keeps the costs of a contraction right while costs of the graph change.
//!
//! A changed arc of the graph can change the arcs of the contraction whose path contains it, and those that it makes
//! cheaper. All of them belong to higher ranks, so they are visited in ascending order and each is settled once. An
//! arc is compared with all its triangles again only if one of its two halves became more expensive. The costs and
//! paths of all arcs are bit by bit those of a customization from scratch, because ties are broken by the same rule: an
//! arc of the graph first, then the lowest vertex. Which arcs queries scan may differ, so the costs of queries are equal up to
//! rounding.
//!
//! Shortcuts of a taut tier are repaired with sums: a shortcut whose path changed costs the sum of its two halves
//! until the tier is customized again. That sum is never less than the taut cost.
//!
//! # Dropped arcs
//! Queries do not scan an arc if a path over another upper neighbour costs no more. When that path becomes more
//! expensive, the arc is needed again. So each dropped arc is listed at the arc above that it was dropped for, its
//! [`Witness`], and comes back when the cost of the witness may have grown.

mod rows;

use std::cmp::Ordering;
use std::sync::Arc;

use self::rows::max_added;
use super::customize::{
    CustomizationPlan, Customized, Halves, LowerNeighbour, NO_ARC, NO_HALVES, UP, Witness, down,
};
use super::parts::ShortcutParts;
use super::patches::{AddedParts, RowPatches};
use super::queue::AscendingQueue;
use super::shortcuts::{ArcCosts, plan_and_costs};
use super::{Contraction, Measure, Shortcuts};
use crate::csr::{Csr, Lists};

/// The costs of a contraction for one kind of agent, in a form that can be repaired. What queries read is a
/// [`Shortcuts`], which [`shortcuts`](Self::shortcuts) returns after every repair.
#[derive(Clone, Debug)]
pub(crate) enum Repair {
    /// Every arc costs the same in both directions.
    Symmetric(RepairState<1>),
    Directed(RepairState<2>),
}

/// What a repair has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairWork {
    /// The arcs of the contraction whose cost or path changed.
    pub arcs: usize,
    /// The dropped arcs that queries need again.
    pub restored: usize,
    /// The rows of arcs that were replaced.
    pub rows: usize,
}

impl std::ops::Add for RepairWork {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            arcs: self.arcs + other.arcs,
            restored: self.restored + other.restored,
            rows: self.rows + other.rows,
        }
    }
}

/// See [`Repair`].
#[derive(Clone, Debug)]
pub(crate) struct RepairState<const DIRS: usize> {
    base: Shortcuts,
    lower: Csr<LowerNeighbour>,
    paths: Vec<ArcPath<DIRS>>,
    arcs: Vec<RepairArc<DIRS>>,
    added: AddedParts,
    /// Above this number of added parts, those that no row uses any more are dropped.
    max_added: usize,
    patches: Vec<RowPatches>,
    /// The state of the current repair.
    queue: AscendingQueue,
    /// Arcs whose cost may have grown, with the direction; arcs to be listed in new rows.
    raised: Vec<(u32, u8)>,
    touched: Vec<u32>,
    /// The triangles of the arc that is being applied to the arcs above.
    triangles: Vec<Triangle>,
    /// The lower sides of the triangles that an arc is compared with.
    lower_sides: Vec<[u32; 2]>,
}

/// The cost and the halves of an arc. A repair looks at many that it does not change, so they are stored without the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ArcPath<const DIRS: usize> {
    costs: [f32; DIRS],
    halves: [Halves; DIRS],
}

/// Everything else about an arc. The arcs of a repair lie far apart in memory, so each is stored as a whole.
#[derive(Clone, Debug)]
struct RepairArc<const DIRS: usize> {
    /// The lower end, as a rank.
    tail: u32,
    /// The depth of the upper end.
    depth: u32,
    /// The cost of the arc of the graph.
    own: [f32; DIRS],
    /// The cost before the current repair, if the arc is in the queue.
    before: [f32; DIRS],
    /// The reference to the current part; [`NO_ARC`] if there is none.
    reference: [u32; DIRS],
    /// The witness on which the least cost between the ends of the arc depends, if the arc was dropped. It stays when
    /// the arc is needed again for another reason.
    witness: [Option<Witness>; DIRS],
    /// The first of the arcs that were dropped for this one, as twice its number plus its direction.
    dropped_for: [u32; DIRS],
    /// The next of the arcs that were dropped for the same arc.
    next_dropped: [u32; DIRS],
    /// Whether queries scan the arc.
    is_needed: [bool; DIRS],
    /// What the current repair has to do.
    flags: [u8; DIRS],
}

/// Two arcs of a row, and the arc between their upper ends.
#[derive(Clone, Copy, Debug)]
struct Triangle {
    low: u32,
    high: u32,
    target: u32,
}

/// An arc whose cost or path changed.
#[derive(Clone, Copy)]
struct ArcChange<const DIRS: usize> {
    arc: usize,
    before: [f32; DIRS],
    is_changed: [bool; DIRS],
}

/// The path of the arc contains an arc that changed.
const DIRTY: u8 = 1;
/// All triangles of the arc have to be compared again.
const STALE: u8 = 2;

impl Repair {
    /// Customizes a contraction for pairs of vertices, each with its cost in both directions, as
    /// [`Shortcuts::from_edges`] and, with a measure, [`Shortcuts::taut`] do. `is_directed` has to be set if the
    /// costs of a pair may ever differ.
    pub(crate) fn new(
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
        measure: Option<&impl Measure>,
        is_directed: bool,
    ) -> Self {
        let (plan, costs) = plan_and_costs(contraction, edges);
        match costs {
            ArcCosts::Symmetric(costs) if !is_directed => {
                Self::Symmetric(RepairState::new(plan, costs, measure))
            }
            ArcCosts::Symmetric(costs) => {
                let costs = costs.into_iter().map(|[cost]| [cost; 2]).collect();
                Self::Directed(RepairState::new(plan, costs, measure))
            }
            ArcCosts::Directed(costs) => Self::Directed(RepairState::new(plan, costs, measure)),
        }
    }

    /// Changes the costs of pairs of vertices in both directions, and everything that depends on them.
    ///
    /// # Panics
    /// Panics if a pair is not adjacent in the contraction.
    pub(crate) fn update(
        &mut self,
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
    ) -> RepairWork {
        match self {
            Self::Symmetric(state) => state.update(contraction, edges),
            Self::Directed(state) => state.update(contraction, edges),
        }
    }

    /// Returns what queries read. The rows that did not change are shared with earlier ones.
    pub(crate) fn shortcuts(&self) -> Shortcuts {
        match self {
            Self::Symmetric(state) => state.shortcuts(),
            Self::Directed(state) => state.shortcuts(),
        }
    }

    /// Returns the memory of everything that only repairs need. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Symmetric(state) => state.bytes(),
            Self::Directed(state) => state.bytes(),
        }
    }

    /// Returns the memory of the arrays below the rows that repairs have replaced. [Units: bytes]
    pub(crate) fn base_bytes(&self) -> usize {
        match self {
            Self::Symmetric(state) => state.base.bytes(),
            Self::Directed(state) => state.base.bytes(),
        }
    }

    /// Returns the memory of the rows and parts that repairs have replaced. [Units: bytes]
    pub(crate) fn patch_bytes(&self) -> usize {
        let of = |patches: &[RowPatches], added: &AddedParts| {
            patches.iter().map(RowPatches::bytes).sum::<usize>() + added.bytes()
        };
        match self {
            Self::Symmetric(state) => of(&state.patches, &state.added),
            Self::Directed(state) => of(&state.patches, &state.added),
        }
    }

    /// Sets the estimate with which queries begin.
    pub(crate) fn learn_cost_estimate(&mut self, contraction: &Contraction, cost_per_metre: f32) {
        let base = match self {
            Self::Symmetric(state) => &mut state.base,
            Self::Directed(state) => &mut state.base,
        };
        base.learn_cost_estimate(contraction, cost_per_metre);
    }
}

impl<const DIRS: usize> RepairState<DIRS> {
    fn new(
        plan: CustomizationPlan<'_>,
        own: Vec<[f32; DIRS]>,
        measure: Option<&impl Measure>,
    ) -> Self {
        let contraction = plan.contraction;
        let mut customized = match measure {
            Some(measure) => Customized::relaxed_taut(&plan, own.clone(), measure),
            None => Customized::relaxed(&plan, own.clone()),
        };
        let witnesses: Vec<[Option<Witness>; DIRS]> = customized.prune(&plan);
        let arcs = witnesses.iter().zip(&customized.costs);
        let has_no_witness = |(witness, costs): (&[Option<Witness>; DIRS], &[f32; DIRS])| {
            std::array::from_fn(|dir| witness[dir].is_none() && costs[dir] < f32::INFINITY)
        };
        customized.needed = arcs.map(has_no_witness).collect();
        let (parts, references) = ShortcutParts::new(contraction, &customized);
        let base = Shortcuts::from_parts(contraction, &customized, parts, &references);
        let Customized {
            costs,
            halves,
            needed,
        } = customized;
        let arcs = contraction.tails().into_iter().zip(&plan.depths);
        let mut arcs: Vec<RepairArc<DIRS>> = arcs
            .enumerate()
            .map(|(arc, (tail, &depth))| RepairArc {
                tail,
                depth,
                own: own[arc],
                before: costs[arc],
                reference: references[arc],
                witness: witnesses[arc],
                dropped_for: [NO_ARC; DIRS],
                next_dropped: [NO_ARC; DIRS],
                is_needed: needed[arc],
                flags: [0; DIRS],
            })
            .collect();
        for arc in 0..arcs.len() {
            for direction in 0..DIRS {
                if let Some(witness) = arcs[arc].witness[direction] {
                    let above = &mut arcs[witness.between as usize];
                    let first = &mut above.dropped_for[usize::from(witness.direction)];
                    let next = std::mem::replace(first, (arc as u32) << 1 | direction as u32);
                    arcs[arc].next_dropped[direction] = next;
                }
            }
        }
        let paths = costs.into_iter().zip(halves);
        Self {
            max_added: max_added(base.parts.len()),
            base,
            lower: plan.lower,
            paths: paths
                .map(|(costs, halves)| ArcPath { costs, halves })
                .collect(),
            queue: AscendingQueue::new(arcs.len()),
            arcs,
            added: AddedParts::default(),
            patches: vec![RowPatches::default(); DIRS],
            raised: Vec::new(),
            touched: Vec::new(),
            triangles: Vec::new(),
            lower_sides: Vec::new(),
        }
    }

    fn shortcuts(&self) -> Shortcuts {
        let with_patches = |direction: usize| {
            let base = [Some(&self.base.upwards), self.base.downwards.as_ref()][direction]?;
            Some(base.with_patches(Arc::new(self.patches[direction].clone())))
        };
        Shortcuts {
            upwards: with_patches(UP).expect("the upward direction"),
            downwards: if DIRS == 2 { with_patches(1) } else { None },
            parts: ShortcutParts {
                added: self.added.clone(),
                ..self.base.parts.clone()
            },
            cost_estimate: self.base.cost_estimate,
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.arcs) + size_of_val(&*self.paths) + self.lower.bytes()
    }

    fn update(
        &mut self,
        contraction: &Contraction,
        edges: impl Iterator<Item = ([u32; 2], [f32; 2])>,
    ) -> RepairWork {
        self.touched.clear();
        self.raised.clear();
        for (pair, [there, back]) in edges {
            let [a, b] = pair.map(|vertex| contraction.ranks[vertex as usize]);
            let arc = contraction.arc(a.min(b), a.max(b));
            let arc = arc.expect("an arc between adjacent vertices");
            let [up, down] = if a < b { [there, back] } else { [back, there] };
            debug_assert!(DIRS == 2 || up == down, "the costs of a pair differ");
            for (direction, cost) in [up, down].into_iter().take(DIRS).enumerate() {
                self.change_own(arc, direction, cost + 0.0);
            }
        }
        let up = contraction.up();
        let mut changed = Vec::new();
        while let Some(arc) = self.queue.pop() {
            // All arcs below a rank are settled, so its own arcs are, before any of them is applied to arcs above.
            let end = up.range(self.arcs[arc].tail as usize).end;
            changed.clear();
            changed.extend(self.settle(arc, contraction));
            while let Some(arc) = self.queue.pop_below(end) {
                changed.extend(self.settle(arc, contraction));
            }
            for &change in &changed {
                self.propagate(up, change);
            }
        }
        let arcs = self.touched.len();
        self.restore_raised(contraction);
        let restored = self.touched.len() - arcs;
        let touched = self.touched.iter().map(|&arc| self.arcs[arc as usize].tail);
        let rows = self.replace_rows(contraction, touched.collect());
        if self.added.len() > self.max_added {
            self.drop_unused_parts(contraction);
        }
        RepairWork {
            arcs,
            restored,
            rows,
        }
    }

    /// Sets the cost of an arc of the graph.
    fn change_own(&mut self, arc: usize, direction: usize, cost: f32) {
        let old = std::mem::replace(&mut self.arcs[arc].own[direction], cost);
        if old == cost {
            return;
        }
        let is_path = self.paths[arc].halves[direction] == NO_HALVES;
        if is_path && cost > self.paths[arc].costs[direction] {
            self.enqueue(arc, direction, STALE);
        } else if cost < self.paths[arc].costs[direction]
            || (cost == self.paths[arc].costs[direction] && cost < f32::INFINITY && !is_path)
        {
            // Of equal costs, an arc of the graph comes first.
            self.enqueue(arc, direction, DIRTY);
            self.paths[arc].costs[direction] = cost;
            self.paths[arc].halves[direction] = NO_HALVES;
        }
    }

    fn enqueue(&mut self, arc: usize, direction: usize, flag: u8) {
        if self.queue.push(arc) {
            self.arcs[arc].before = self.paths[arc].costs;
        }
        self.arcs[arc].flags[direction] |= flag;
    }

    /// Settles an arc of the queue. Returns what has changed about it.
    fn settle(&mut self, arc: usize, contraction: &Contraction) -> Option<ArcChange<DIRS>> {
        let flags = std::mem::replace(&mut self.arcs[arc].flags, [0; DIRS]);
        let before = self.arcs[arc].before;
        let mut is_changed = [false; DIRS];
        for direction in 0..DIRS {
            let mut is_dirty = flags[direction] & DIRTY != 0;
            if flags[direction] & STALE != 0 {
                let mut lower = std::mem::take(&mut self.lower_sides);
                self.find_lower_sides(contraction, arc, &mut lower);
                let (cost, halves) = self.cheapest_triangle(&lower, arc, direction);
                self.lower_sides = lower;
                is_dirty |= halves != self.paths[arc].halves[direction];
                self.paths[arc].costs[direction] = cost;
                self.paths[arc].halves[direction] = halves;
            }
            let cost = self.paths[arc].costs[direction];
            is_changed[direction] = is_dirty || cost != before[direction];
            if is_dirty {
                self.arcs[arc].reference[direction] = NO_ARC;
            }
            self.arcs[arc].is_needed[direction] |= is_changed[direction];
            if cost > before[direction] {
                self.raised.push((arc as u32, direction as u8));
            }
        }
        if is_changed == [false; DIRS] {
            return None;
        }
        self.touched.push(arc as u32);
        Some(ArcChange {
            arc,
            before,
            is_changed,
        })
    }

    /// Finds the two lower sides of each triangle below an arc: those to its lower end and to its upper end.
    fn find_lower_sides(&self, contraction: &Contraction, arc: usize, sides: &mut Vec<[u32; 2]>) {
        let ends = [self.arcs[arc].tail, contraction.up().values()[arc]];
        let [of_low, of_high] = ends.map(|rank| self.lower.get(rank as usize));
        sides.clear();
        // The lower vertices of a triangle are in both lists, which are sorted.
        let (mut at_low, mut at_high) = (0, 0);
        while let (Some(low), Some(high)) = (of_low.get(at_low), of_high.get(at_high)) {
            match low.rank.cmp(&high.rank) {
                Ordering::Less => at_low = gallop(of_low, at_low, |other| other.rank < high.rank),
                Ordering::Greater => {
                    at_high = gallop(of_high, at_high, |other| other.rank < low.rank)
                }
                Ordering::Equal => {
                    sides.push([low.arc, high.arc]);
                    (at_low, at_high) = (at_low + 1, at_high + 1);
                }
            }
        }
    }

    /// Compares an arc with all triangles below it, given by their lower sides. Returns its cost and its halves.
    fn cheapest_triangle(&self, lower: &[[u32; 2]], arc: usize, direction: usize) -> (f32, Halves) {
        let (mut cost, mut halves) = (self.arcs[arc].own[direction], NO_HALVES);
        for &[low, high] in lower {
            let [first, second] = match direction {
                UP => [low, high],
                _ => [high, low],
            };
            let sum = self.paths[first as usize].costs[down::<DIRS>()]
                + self.paths[second as usize].costs[UP];
            if sum < cost {
                (cost, halves) = (sum, [first, second]);
            }
        }
        (cost, halves)
    }

    /// Applies the change of an arc to the arcs above all triangles of which it is a lower side. `up` are the upper
    /// neighbours of each rank.
    fn propagate(
        &mut self,
        up: &Lists<u32>,
        ArcChange {
            arc,
            before,
            is_changed,
        }: ArcChange<DIRS>,
    ) {
        let row = up.range(self.arcs[arc].tail as usize);
        let heads = up.values();
        let head = heads[arc];
        // The third side of a triangle leads from a lower head of the row to this one, or from this one to a higher
        // head. All lists are sorted. All targets are found before the first is looked at: most are not in a cache, and
        // the processor then loads several at once.
        let first_above = up.range(head as usize).start;
        let (mut at_below, mut at_above) = (0, 0);
        let mut triangles = std::mem::take(&mut self.triangles);
        triangles.clear();
        triangles.extend(row.filter(|&other| other != arc).map(|other| {
            let (low, high, target) = if other < arc {
                let below = self.lower.get(head as usize);
                at_below = gallop(below, at_below, |lower| lower.rank < heads[other]);
                (other, arc, below[at_below].arc)
            } else {
                let above = up.get(head as usize);
                at_above = gallop(above, at_above, |&above| above < heads[other]);
                (arc, other, (first_above + at_above) as u32)
            };
            Triangle {
                low: low as u32,
                high: high as u32,
                target,
            }
        }));
        for &Triangle { low, high, target } in &triangles {
            for direction in 0..DIRS {
                let halves @ [first, second] = match direction {
                    UP => [low, high],
                    _ => [high, low],
                };
                let passed = match first as usize == arc {
                    true => down::<DIRS>(),
                    false => UP,
                };
                if !is_changed[passed] {
                    continue;
                }
                let ArcPath {
                    costs,
                    halves: all_halves,
                } = self.paths[target as usize];
                let (known, known_halves) = (costs[direction], all_halves[direction]);
                let sum = self.paths[first as usize].costs[down::<DIRS>()]
                    + self.paths[second as usize].costs[UP];
                if known_halves == halves {
                    let is_raised = self.paths[arc].costs[passed] > before[passed];
                    let flags = if is_raised { DIRTY | STALE } else { DIRTY };
                    self.enqueue(target as usize, direction, flags);
                    if !is_raised && sum < known {
                        self.paths[target as usize].costs[direction] = sum;
                    }
                    continue;
                }
                // Halves of one lower vertex are consecutive, so a lower vertex has lower halves.
                let wins_tie = || {
                    sum == known
                        && known_halves != NO_HALVES
                        && low <= known_halves[0].min(known_halves[1])
                };
                if sum < known || sum < f32::INFINITY && wins_tie() {
                    self.enqueue(target as usize, direction, DIRTY);
                    let path = &mut self.paths[target as usize];
                    (path.costs[direction], path.halves[direction]) = (sum, halves);
                }
            }
        }
        self.triangles = triangles;
    }
}

/// Returns the index of the first element of a sorted list, from index `from` on, that is not before a value. The
/// elements of which `is_before` is true come first. It is fast where the element is near.
#[inline]
fn gallop<T>(list: &[T], from: usize, is_before: impl Fn(&T) -> bool) -> usize {
    let (mut start, mut step) = (from, 1);
    while let Some(element) = list.get(start + step)
        && is_before(element)
    {
        start += step;
        step *= 2;
    }
    let end = list.len().min(start + step);
    start + list[start..end].partition_point(is_before)
}

#[cfg(test)]
#[path = "repair_test.rs"]
mod tests;
