//! Two chains, one from the start and one from the goal.

use super::shortcuts::{ARC, Pruned};
use super::{Contraction, Shortcuts};

/// Memory of a search, for one contraction after the other.
#[derive(Clone, Debug, Default)]
pub struct ContractionScratch {
    /// Per rank; all [`UNKNOWN`] between searches.
    from_start: Vec<u64>,
    to_goal: Vec<u64>,
    /// Ranks between the start and where the chains meet, and parts yet to be taken apart.
    stack: Vec<u32>,
}

/// A cost and the rank it comes from, as one integer: the least cost is the least integer.
fn label(cost: f32, from: u32) -> u64 {
    u64::from(cost.to_bits()) << 32 | u64::from(from)
}

fn cost(label: u64) -> f32 {
    f32::from_bits((label >> 32) as u32)
}

/// No rank: the search began here.
const BEGIN: u32 = u32::MAX;
/// What no cost is as large as.
const UNKNOWN: u64 = (f32::INFINITY.to_bits() as u64) << 32 | BEGIN as u64;

impl Shortcuts {
    /// The cheapest way from one of some vertices to one of others, each with the cost before or after
    /// it; either are pairwise adjacent. Its vertices are told in order. `None` where there is none
    /// of less than `most` or just that.
    pub fn search(
        &self,
        contraction: &Contraction,
        starts: impl Iterator<Item = (u32, f32)>,
        goals: impl Iterator<Item = (u32, f32)>,
        most: f32,
        scratch: &mut ContractionScratch,
        tell: impl FnMut(u32),
    ) -> Option<f32> {
        let ContractionScratch {
            from_start,
            to_goal,
            stack,
        } = scratch;
        for labels in [&mut *from_start, &mut *to_goal] {
            if labels.len() < contraction.vertex_count() {
                labels.resize(contraction.vertex_count(), UNKNOWN);
            }
        }
        let first = begin(contraction, starts, from_start)?;
        let Some(last) = begin(contraction, goals, to_goal) else {
            forget(contraction, first, from_start);
            return None;
        };
        let found = self.meet(contraction, [first, last], most, from_start, to_goal);
        let found = found.map(|(cost, meeting)| {
            self.tell_way(contraction, meeting, from_start, to_goal, stack, tell);
            cost
        });
        forget(contraction, first, from_start);
        forget(contraction, last, to_goal);
        found
    }

    /// Walks both chains to the root; the least cost and where its way is highest.
    fn meet(
        &self,
        contraction: &Contraction,
        [mut up, mut down]: [u32; 2],
        most: f32,
        from_start: &mut [u64],
        to_goal: &mut [u64],
    ) -> Option<(f32, u32)> {
        // Apart, until one chain is on the other.
        while up != down {
            let (graph, labels, at) = if up < down {
                (&self.upwards, &mut *from_start, &mut up)
            } else {
                (&self.downwards, &mut *to_goal, &mut down)
            };
            graph.relax(*at, most, labels);
            let parent = contraction.parents[*at as usize];
            if parent == *at {
                return None;
            }
            *at = parent;
        }
        let (mut best, mut meeting) = (most, None);
        let mut at = up;
        loop {
            let [there, back] = [from_start[at as usize], to_goal[at as usize]].map(cost);
            let whole = there + back;
            if whole < best || whole == best && meeting.is_none() && whole < f32::INFINITY {
                best = whole;
                meeting = Some(at);
            }
            self.upwards.relax(at, best, from_start);
            self.downwards.relax(at, best, to_goal);
            let parent = contraction.parents[at as usize];
            if parent == at {
                return meeting.map(|meeting| (best, meeting));
            }
            at = parent;
        }
    }

    fn tell_way(
        &self,
        contraction: &Contraction,
        meeting: u32,
        from_start: &[u64],
        to_goal: &[u64],
        stack: &mut Vec<u32>,
        mut tell: impl FnMut(u32),
    ) {
        stack.clear();
        let mut at = meeting;
        while from_start[at as usize] as u32 != BEGIN {
            let from = from_start[at as usize] as u32;
            stack.push(self.upwards.part(from, at));
            at = from;
        }
        tell(contraction.vertices[at as usize]);
        self.take_apart(stack, &mut tell);
        let mut at = meeting;
        while to_goal[at as usize] as u32 != BEGIN {
            let to = to_goal[at as usize] as u32;
            stack.push(self.downwards.part(to, at));
            self.take_apart(stack, &mut tell);
            at = to;
        }
    }

    /// Tells what the arcs of parts lead to, the last part first.
    fn take_apart(&self, stack: &mut Vec<u32>, tell: &mut impl FnMut(u32)) {
        while let Some(part) = stack.pop() {
            match self.parts[part as usize].children {
                [ARC, vertex] => tell(vertex),
                [first, second] => stack.extend([second, first]),
            }
        }
    }
}

impl Pruned {
    /// What can be reached over the arcs of a rank, if it costs no more than `most`.
    #[inline]
    fn relax(&self, rank: u32, most: f32, labels: &mut [u64]) {
        let known = cost(labels[rank as usize]);
        if known > most || known == f32::INFINITY {
            return;
        }
        let arcs = self.offsets[rank as usize] as usize..self.offsets[rank as usize + 1] as usize;
        for arc in &self.arcs[arcs] {
            let there = &mut labels[arc.head as usize];
            *there = (*there).min(label(known + arc.cost, rank));
        }
    }

    /// What the arc between two ranks stands for.
    pub(super) fn part(&self, low: u32, high: u32) -> u32 {
        let arcs = self.offsets[low as usize] as usize..self.offsets[low as usize + 1] as usize;
        let arc = self.arcs[arcs].iter().find(|arc| arc.head == high);
        arc.expect("an arc that led there").part
    }
}

/// Labels the vertices that a search begins with; the lowest rank among them.
fn begin(
    contraction: &Contraction,
    vertices: impl Iterator<Item = (u32, f32)>,
    labels: &mut [u64],
) -> Option<u32> {
    let mut lowest = None;
    for (vertex, cost) in vertices {
        let rank = contraction.ranks[vertex as usize];
        labels[rank as usize] = labels[rank as usize].min(label(cost, BEGIN));
        lowest = Some(lowest.map_or(rank, |lowest: u32| lowest.min(rank)));
    }
    lowest
}

/// Makes all labels of a chain unknown.
fn forget(contraction: &Contraction, mut rank: u32, labels: &mut [u64]) {
    loop {
        labels[rank as usize] = UNKNOWN;
        let parent = contraction.parents[rank as usize];
        if parent == rank {
            return;
        }
        rank = parent;
    }
}
