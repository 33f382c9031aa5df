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

use std::cmp::Ordering;
use std::sync::Arc;

use super::customize::{
    CustomizationPlan, Customized, Halves, LowerNeighbour, NO_ARC, NO_HALVES, UP, Witness, down,
};
use super::parts::{BACKWARDS, MAX_PARTS, ShortcutParts};
use super::patches::{AddedParts, ArcRow, EDGE, RowPatches};
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
    /// The depth of the upper end of each arc.
    depths: Vec<u32>,
    lower: Csr<LowerNeighbour>,
    /// The lower end of each arc, as a rank.
    tails: Vec<u32>,
    /// The costs of the arcs of the graph.
    own: Vec<[f32; DIRS]>,
    costs: Vec<[f32; DIRS]>,
    halves: Vec<[Halves; DIRS]>,
    /// References to the current part of each arc; [`NO_ARC`] where it has none.
    references: Vec<[u32; DIRS]>,
    /// Whether queries scan the arc.
    is_needed: Vec<[bool; DIRS]>,
    /// The witness on which the least cost between the ends of the arc depends, if the arc was dropped. It stays when
    /// the arc is needed again for another reason.
    witnesses: Vec<[Option<Witness>; DIRS]>,
    /// Per arc, the first of the arcs that were dropped for it, as twice its number plus its direction.
    dropped_for: Vec<[u32; DIRS]>,
    /// The next of the arcs that were dropped for the same arc.
    next_dropped: Vec<[u32; DIRS]>,
    added: AddedParts,
    /// Above this number of added parts, those that no row uses any more are dropped.
    max_added: usize,
    patches: Vec<RowPatches>,
    /// The state of the current repair.
    queue: AscendingQueue,
    flags: Vec<[u8; DIRS]>,
    /// The costs before the current repair, of the arcs in the queue.
    before: Vec<[f32; DIRS]>,
    /// Arcs whose cost may have grown, with the direction; arcs to be listed in new rows.
    raised: Vec<(u32, u8)>,
    touched: Vec<u32>,
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
        let count = contraction.arc_count();
        let mut dropped_for = vec![[NO_ARC; DIRS]; count];
        let mut next_dropped = vec![[NO_ARC; DIRS]; count];
        for (arc, witnesses) in witnesses.iter().enumerate() {
            for (direction, witness) in witnesses.iter().enumerate() {
                if let Some(witness) = witness {
                    let first =
                        &mut dropped_for[witness.between as usize][usize::from(witness.direction)];
                    next_dropped[arc][direction] = *first;
                    *first = (arc as u32) << 1 | direction as u32;
                }
            }
        }
        let Customized {
            costs,
            halves,
            needed: is_needed,
        } = customized;
        Self {
            max_added: max_added(base.parts.len()),
            base,
            tails: contraction.tails(),
            depths: plan.depths,
            lower: plan.lower,
            own,
            before: costs.clone(),
            costs,
            halves,
            references,
            is_needed,
            witnesses,
            dropped_for,
            next_dropped,
            added: AddedParts::default(),
            patches: vec![RowPatches::default(); DIRS],
            queue: AscendingQueue::new(count),
            flags: vec![[0; DIRS]; count],
            raised: Vec::new(),
            touched: Vec::new(),
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
        let per_arc = 8 + DIRS * (2 * 4 + 8 + 4 + size_of::<Option<Witness>>() + 8 + 2 + 4);
        self.costs.len() * per_arc + self.lower.bytes()
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
            let end = up.range(self.tails[arc] as usize).end;
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
        let touched = self.touched.iter().map(|&arc| self.tails[arc as usize]);
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
        let old = std::mem::replace(&mut self.own[arc][direction], cost);
        if old == cost {
            return;
        }
        let is_path = self.halves[arc][direction] == NO_HALVES;
        if is_path && cost > self.costs[arc][direction] {
            self.enqueue(arc, direction, STALE);
        } else if cost < self.costs[arc][direction]
            || (cost == self.costs[arc][direction] && cost < f32::INFINITY && !is_path)
        {
            // Of equal costs, an arc of the graph comes first.
            self.enqueue(arc, direction, DIRTY);
            self.costs[arc][direction] = cost;
            self.halves[arc][direction] = NO_HALVES;
        }
    }

    fn enqueue(&mut self, arc: usize, direction: usize, flag: u8) {
        if self.queue.push(arc) {
            self.before[arc] = self.costs[arc];
        }
        self.flags[arc][direction] |= flag;
    }

    /// Settles an arc of the queue. Returns what has changed about it.
    fn settle(&mut self, arc: usize, contraction: &Contraction) -> Option<ArcChange<DIRS>> {
        let flags = std::mem::replace(&mut self.flags[arc], [0; DIRS]);
        let before = self.before[arc];
        let mut is_changed = [false; DIRS];
        for direction in 0..DIRS {
            let mut is_dirty = flags[direction] & DIRTY != 0;
            if flags[direction] & STALE != 0 {
                let (cost, halves) = self.cheapest_triangle(contraction, arc, direction);
                is_dirty |= halves != self.halves[arc][direction];
                self.costs[arc][direction] = cost;
                self.halves[arc][direction] = halves;
            }
            let cost = self.costs[arc][direction];
            is_changed[direction] = is_dirty || cost != before[direction];
            if is_dirty {
                self.references[arc][direction] = NO_ARC;
            }
            self.is_needed[arc][direction] |= is_changed[direction];
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

    /// Compares an arc with all triangles below it. Returns its cost and its halves.
    fn cheapest_triangle(
        &self,
        contraction: &Contraction,
        arc: usize,
        direction: usize,
    ) -> (f32, Halves) {
        let ends = [self.tails[arc], contraction.up().values()[arc]];
        let [of_low, of_high] = ends.map(|rank| self.lower.get(rank as usize));
        let (mut cost, mut halves) = (self.own[arc][direction], NO_HALVES);
        // The lower vertices of a triangle are in both lists, which are sorted.
        let (mut at_low, mut at_high) = (0, 0);
        while let (Some(low), Some(high)) = (of_low.get(at_low), of_high.get(at_high)) {
            match low.rank.cmp(&high.rank) {
                Ordering::Less => at_low = gallop(of_low, at_low, |other| other.rank < high.rank),
                Ordering::Greater => {
                    at_high = gallop(of_high, at_high, |other| other.rank < low.rank)
                }
                Ordering::Equal => {
                    let [first, second] = match direction {
                        UP => [low.arc, high.arc],
                        _ => [high.arc, low.arc],
                    };
                    let sum = self.costs[first as usize][down::<DIRS>()]
                        + self.costs[second as usize][UP];
                    if sum < cost {
                        (cost, halves) = (sum, [first, second]);
                    }
                    (at_low, at_high) = (at_low + 1, at_high + 1);
                }
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
        let row = up.range(self.tails[arc] as usize);
        let heads = up.values();
        let head = heads[arc];
        // The third side of a triangle leads from a lower head of the row to this one, or from this one to a higher
        // head. All lists are sorted.
        let first_above = up.range(head as usize).start;
        let (mut at_below, mut at_above) = (0, 0);
        for other in row {
            let (low, high, target) = match other.cmp(&arc) {
                Ordering::Equal => continue,
                Ordering::Less => {
                    let below = self.lower.get(head as usize);
                    at_below = gallop(below, at_below, |lower| lower.rank < heads[other]);
                    (other, arc, below[at_below].arc as usize)
                }
                Ordering::Greater => {
                    let above = up.get(head as usize);
                    at_above = gallop(above, at_above, |&above| above < heads[other]);
                    (arc, other, first_above + at_above)
                }
            };
            for direction in 0..DIRS {
                let halves @ [first, second] = if direction == UP {
                    [low, high]
                } else {
                    [high, low]
                };
                let passed = if first == arc { down::<DIRS>() } else { UP };
                if !is_changed[passed] {
                    continue;
                }
                let is_raised = self.costs[arc][passed] > before[passed];
                let sum = self.costs[first][down::<DIRS>()] + self.costs[second][UP];
                let halves = halves.map(|half| half as u32);
                let known = self.costs[target][direction];
                let known_halves = self.halves[target][direction];
                if known_halves == halves {
                    self.enqueue(
                        target,
                        direction,
                        if is_raised { DIRTY | STALE } else { DIRTY },
                    );
                    if !is_raised && sum < known {
                        self.costs[target][direction] = sum;
                    }
                    continue;
                }
                // Halves of one lower vertex are consecutive, so a lower vertex has lower halves.
                let wins_tie = || {
                    sum == known
                        && known_halves != NO_HALVES
                        && low as u32 <= known_halves[0].min(known_halves[1])
                };
                if sum < known || sum < f32::INFINITY && wins_tie() {
                    self.enqueue(target, direction, DIRTY);
                    self.costs[target][direction] = sum;
                    self.halves[target][direction] = halves;
                }
            }
        }
    }

    /// Restores the arcs that were dropped for arcs whose cost may have grown.
    fn restore_raised(&mut self, contraction: &Contraction) {
        let mut index = 0;
        // An arc whose own cost grew may have been the partner of arcs of its row.
        let changed = self.raised.len();
        while let Some(&(arc, direction)) = self.raised.get(index) {
            let (arc, direction) = (arc as usize, usize::from(direction));
            if index < changed {
                for other in contraction.arcs_of(self.tails[arc] as usize) {
                    let witness = self.witnesses[other][direction];
                    if witness.is_some_and(|witness| witness.partner as usize == arc) {
                        self.restore(other, direction);
                    }
                }
            }
            let mut dropped = std::mem::replace(&mut self.dropped_for[arc][direction], NO_ARC);
            while dropped != NO_ARC {
                let (other, other_direction) = ((dropped >> 1) as usize, (dropped & 1) as usize);
                dropped = std::mem::replace(&mut self.next_dropped[other][other_direction], NO_ARC);
                if self.witnesses[other][other_direction].is_some() {
                    self.restore(other, other_direction);
                }
            }
            index += 1;
        }
    }

    fn restore(&mut self, arc: usize, direction: usize) {
        self.witnesses[arc][direction] = None;
        self.is_needed[arc][direction] = true;
        self.touched.push(arc as u32);
        self.raised.push((arc as u32, direction as u8));
    }

    /// Drops the added parts that no row uses any more. All replaced rows are made again, so this takes much longer than a
    /// repair. It comes so rarely that it does not matter in the mean.
    fn drop_unused_parts(&mut self, contraction: &Contraction) {
        self.added = AddedParts::default();
        let first_added = (self.base.parts.len() as u32) << 1;
        for reference in self.references.iter_mut().flatten() {
            if *reference >= first_added {
                *reference = NO_ARC;
            }
        }
        let ranks = self.patches.iter().flat_map(RowPatches::ranks).collect();
        self.replace_rows(contraction, ranks);
        self.max_added = max_added(self.base.parts.len().max(self.added.len()));
    }

    /// Makes the rows of some ranks again. Returns their number.
    fn replace_rows(&mut self, contraction: &Contraction, mut ranks: Vec<u32>) -> usize {
        ranks.sort_unstable();
        ranks.dedup();
        for &rank in &ranks {
            for direction in 0..DIRS {
                let arcs = contraction.arcs_of(rank as usize).rev();
                let mut row = Vec::new();
                for arc in arcs {
                    let cost = self.costs[arc][direction];
                    if cost < f32::INFINITY && self.is_needed[arc][direction] {
                        let part = self.part(contraction, arc, direction);
                        row.push((self.depths[arc], cost, part));
                    }
                }
                self.patches[direction].set(rank, ArcRow::new(row.into_iter()));
            }
        }
        ranks.len()
    }

    /// Returns the reference to the part of an arc, and adds the part if there is none.
    fn part(&mut self, contraction: &Contraction, arc: usize, direction: usize) -> u32 {
        let known = self.references[arc][direction];
        if known != NO_ARC {
            return known;
        }
        let part = match self.halves[arc][direction] {
            NO_HALVES => {
                let [low, high] = [self.tails[arc], contraction.up().values()[arc]]
                    .map(|rank| contraction.vertices[rank as usize]);
                let ends = if direction == UP {
                    [low, high]
                } else {
                    [high, low]
                };
                [self.added.push(ends) as u32, EDGE]
            }
            [first, second] => {
                // With one direction, arcs are stored upwards, and the first half is passed downwards.
                let reversed = if DIRS == 1 { BACKWARDS } else { 0 };
                let first = self.part(contraction, first as usize, down::<DIRS>()) ^ reversed;
                [first, self.part(contraction, second as usize, UP)]
            }
        };
        let number = self.base.parts.len() + self.added.push(part);
        assert!(
            number < MAX_PARTS as usize,
            "there are 2^30 shortcuts or more"
        );
        let reference = (number as u32) << 1;
        self.references[arc][direction] = reference;
        reference
    }
}

/// Returns how many parts may be added before those that are not used any more are dropped, for a number of parts that are used.
fn max_added(used: usize) -> usize {
    2 * (used + 64)
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
