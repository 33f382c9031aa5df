//! The arcs that queries look at, four at a time.
//!
//! The upper ends of a rank's arcs lie on one chain, and most of a chain's last vertices are among them. So
//! their depths come in runs, and arcs are kept by four depths in a row, with gaps: on vaduz with
//! midpoints 2.7 of 4 are arcs, with samples at the 75th percentile 3.0.
//!
//! One at a time, with cost and depth as one integer, a search took longer: on vaduz with sums on midpoints 6.3 µs, a
//! median, where the least of 15 rounds was 4.4 to 5.4. The two were not measured in one run.

use glam::Vec4;

/// Depths that are looked at together.
pub(super) const LANES: usize = 4;

/// What is known of four vertices of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrunedLabels {
    /// What it costs to get there.
    pub(super) costs: Vec4,
    /// The depth it comes from; below 0 where the search began.
    before: Vec4,
}

impl PrunedLabels {
    pub(super) const UNKNOWN: Self = Self {
        costs: Vec4::INFINITY,
        before: Vec4::NEG_ONE,
    };

    /// Not by the index of a [`Vec4`], which is a jump to one of four places.
    #[inline]
    pub(super) fn cost(&self, lane: usize) -> f32 {
        let costs: &[f32; LANES] = self.costs.as_ref();
        costs[lane]
    }

    /// The depth that a lane comes from; none where the search began.
    pub(super) fn before(&self, lane: usize) -> Option<u32> {
        let before: &[f32; LANES] = self.before.as_ref();
        let before = before[lane];
        (before >= 0.0).then_some(before as u32)
    }
}

/// Where a depth is among labels: which four, and which of them.
#[inline]
pub(super) fn place(depth: u32) -> (usize, usize) {
    (depth as usize / LANES, depth as usize % LANES)
}

/// The arcs of one direction that are needed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pruned {
    /// Per rank, where its fours begin; one more at the end.
    offsets: Vec<u32>,
    /// Per four the first depth, divided by their number.
    depths: Vec<u32>,
    /// Per four what its arcs cost; infinite where there is none.
    costs: Vec<Vec4>,
    /// Per four what its arcs stand for: references to parts.
    parts: Vec<[u32; LANES]>,
    arcs: usize,
}

impl Pruned {
    pub(super) fn new() -> Self {
        Self {
            offsets: vec![0],
            depths: Vec::new(),
            costs: Vec::new(),
            parts: Vec::new(),
            arcs: 0,
        }
    }

    /// Adds the arcs of the next rank: the depth of the upper end, the cost, which is finite, and what
    /// it stands for. Depths descend or ascend.
    pub(super) fn push(&mut self, arcs: impl Iterator<Item = (u32, f32, u32)>) {
        let first = self.depths.len();
        let mut arcs: Vec<_> = arcs.collect();
        arcs.sort_unstable_by_key(|&(depth, ..)| depth);
        for (depth, cost, part) in arcs {
            let (four, lane) = place(depth);
            if self.depths[first..].last() != Some(&(four as u32)) {
                self.depths.push(four as u32);
                self.costs.push(Vec4::INFINITY);
                self.parts.push([0; LANES]);
            }
            let last = self.costs.len() - 1;
            self.costs[last][lane] = cost;
            self.parts[last][lane] = part;
            self.arcs += 1;
        }
        self.offsets.push(self.depths.len() as u32);
    }

    fn fours_of(&self, rank: u32) -> std::ops::Range<usize> {
        self.offsets[rank as usize] as usize..self.offsets[rank as usize + 1] as usize
    }

    /// Labels what can be reached over the arcs of a rank, whose own cost is finite; how many fours.
    #[inline]
    pub(super) fn relax(
        &self,
        rank: u32,
        depth: u32,
        known: f32,
        labels: &mut [PrunedLabels],
    ) -> usize {
        let (known, depth) = (Vec4::splat(known), Vec4::splat(depth as f32));
        let fours = self.fours_of(rank);
        let count = fours.len();
        let depths = &self.depths[fours.clone()];
        for (&four, &costs) in depths.iter().zip(&self.costs[fours]) {
            let there = &mut labels[four as usize];
            let costs = known + costs;
            let is_less = costs.cmplt(there.costs);
            there.costs = costs.min(there.costs);
            there.before = Vec4::select(is_less, depth, there.before);
        }
        count
    }

    /// The arcs of a rank: the depth of the upper end, ascending, and the cost.
    pub(super) fn arcs(&self, rank: u32) -> impl DoubleEndedIterator<Item = (u32, f32)> {
        let fours = self.fours_of(rank);
        let fours = self.depths[fours.clone()].iter().zip(&self.costs[fours]);
        fours.flat_map(|(&four, costs)| {
            let depths = (0..LANES as u32).map(move |lane| four * LANES as u32 + lane);
            let arcs = depths.zip(costs.to_array());
            arcs.filter(|&(_, cost)| cost < f32::INFINITY)
        })
    }

    /// What the arc from a rank to what is at a depth of its chain stands for.
    pub(super) fn part(&self, rank: u32, depth: u32) -> u32 {
        let (depth, lane) = place(depth);
        let fours = self.fours_of(rank);
        let mut depths = self.depths[fours.clone()].iter();
        let place = depths.position(|&four| four == depth as u32);
        let four = fours.start + place.expect("an arc that led there");
        self.parts[four][lane]
    }

    pub(super) fn arc_count(&self) -> usize {
        self.arcs
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..])
            + size_of_val(&self.depths[..])
            + size_of_val(&self.costs[..])
            + size_of_val(&self.parts[..])
    }
}
