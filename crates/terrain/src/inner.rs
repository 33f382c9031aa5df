//! Distances between the children of a mesh, and what they make of getting into it.

use portolan_core::heap::{Heap, entry, unpack};

/// What getting into a High Mesh adds to getting to that child of it which lies at the border: the price
/// of going on from there to the rest. Each of the thesis's four answers to "which rest" (chapter 5.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntryPrice {
    /// The mean over all other children.
    Average,
    /// The child that is farthest by plain distance.
    WorstUnweighted,
    /// The child that is dearest to get to.
    WorstWeighted,
    /// The child with the highest price for its plain distance: the thesis's choice.
    #[default]
    WorstUnit,
}

impl EntryPrice {
    /// All of them, in the thesis's order.
    pub const ALL: [Self; 4] = [
        Self::Average,
        Self::WorstUnweighted,
        Self::WorstWeighted,
        Self::WorstUnit,
    ];

    /// What it is called on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::WorstUnweighted => "worst-unweighted",
            Self::WorstWeighted => "worst-weighted",
            Self::WorstUnit => "worst-unit",
        }
    }
}

/// A price, and the plain distance that it is paid for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distance {
    /// With everything that makes ground dear.
    pub weighted: f32,
    /// Plain.
    pub unweighted: f32,
}

impl Distance {
    /// Out of reach.
    pub(super) const INFINITE: Self = Self {
        weighted: f32::INFINITY,
        unweighted: f32::INFINITY,
    };

    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            weighted: self.weighted + other.weighted,
            unweighted: self.unweighted + other.unweighted,
        }
    }

    /// The cheaper one; the first of two that cost the same.
    #[inline]
    pub(super) fn or_cheaper(self, other: Self) -> Self {
        if other.weighted < self.weighted {
            other
        } else {
            self
        }
    }
}

/// A way from one child straight to another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) distance: Distance,
}

/// With more children than this, one Dijkstra from each child is faster than Floyd and Warshall's loops:
/// children have few neighbours.
const MOST_DENSE: usize = 48;

/// Buffers, used again for one mesh after the other.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// A row a child.
    dense: Vec<Distance>,
    row: Vec<Distance>,
    heap: Heap,
    /// Where the steps of each child begin among all.
    first: Vec<u32>,
}

impl Inner {
    /// The entry of each of `count` children, in order. `steps` are sorted by where they begin.
    pub(super) fn entries(
        &mut self,
        count: usize,
        steps: &[Step],
        kind: EntryPrice,
        mut tell: impl FnMut(Distance),
    ) {
        if count <= MOST_DENSE {
            self.floyd_warshall(count, steps);
            for (child, row) in self.dense.chunks_exact(count).enumerate() {
                tell(rest(child, row, kind));
            }
            return;
        }
        self.first.clear();
        self.first.extend(
            (0..=count as u32).map(|child| steps.partition_point(|step| step.from < child) as u32),
        );
        for child in 0..count {
            self.dijkstra(count, steps, child);
            tell(rest(child, &self.row, kind));
        }
    }

    fn floyd_warshall(&mut self, count: usize, steps: &[Step]) {
        self.dense.clear();
        self.dense.resize(count * count, Distance::INFINITE);
        for child in 0..count {
            self.dense[child * count + child] = Distance::default();
        }
        for step in steps {
            let place = &mut self.dense[step.from as usize * count + step.to as usize];
            *place = place.or_cheaper(step.distance);
        }
        for over in 0..count {
            for from in 0..count {
                let before = self.dense[from * count + over];
                if from == over || before.weighted == f32::INFINITY {
                    continue;
                }
                for to in 0..count {
                    let whole = before.plus(self.dense[over * count + to]);
                    let place = &mut self.dense[from * count + to];
                    *place = place.or_cheaper(whole);
                }
            }
        }
    }

    fn dijkstra(&mut self, count: usize, steps: &[Step], from: usize) {
        self.row.clear();
        self.row.resize(count, Distance::INFINITE);
        self.row[from] = Distance::default();
        self.heap.clear();
        self.heap.push(entry(0.0, from as u32));
        while let Some(top) = self.heap.pop() {
            let (cost, child) = unpack(top);
            let known = self.row[child as usize];
            if cost > known.weighted {
                continue;
            }
            let own = self.first[child as usize] as usize..self.first[child as usize + 1] as usize;
            for step in &steps[own] {
                let whole = known.plus(step.distance);
                let place = &mut self.row[step.to as usize];
                if whole.weighted < place.weighted {
                    *place = whole;
                    self.heap.push(entry(whole.weighted, step.to));
                }
            }
        }
    }
}

/// The price of going on from a child to the rest; nothing where there is no rest that it can reach.
fn rest(child: usize, row: &[Distance], kind: EntryPrice) -> Distance {
    let others = row.iter().enumerate();
    let others = others
        .filter(|&(other, distance)| other != child && distance.weighted < f32::INFINITY)
        .map(|(_, &distance)| distance);
    let worst = |measure: fn(Distance) -> f32| {
        let worst = others.clone().reduce(|worst, other| {
            if measure(other) > measure(worst) {
                other
            } else {
                worst
            }
        });
        worst.unwrap_or_default()
    };
    match kind {
        EntryPrice::Average => {
            let count = others.clone().count().max(1) as f32;
            let sum = others.fold(Distance::default(), Distance::plus);
            Distance {
                weighted: sum.weighted / count,
                unweighted: sum.unweighted / count,
            }
        }
        EntryPrice::WorstUnweighted => worst(|distance| distance.unweighted),
        EntryPrice::WorstWeighted => worst(|distance| distance.weighted),
        EntryPrice::WorstUnit => worst(|distance| distance.weighted / distance.unweighted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(portolan_oracle::cases(256))]

        /// Both ways of computing distances agree.
        #[test]
        fn dense_and_sparse_agree(
            count in 2usize..20,
            pairs in prop::collection::vec((0u32..20, 0u32..20, 1u16..1000, 1u16..1000), 0..60),
        ) {
            let mut steps: Vec<Step> = pairs
                .into_iter()
                .filter(|&(from, to, ..)| from != to && from.max(to) < count as u32)
                .map(|(from, to, weighted, unweighted)| Step {
                    from,
                    to,
                    distance: Distance { weighted: weighted.into(), unweighted: unweighted.into() },
                })
                .collect();
            steps.sort_by_key(|step| step.from);
            let mut inner = Inner::default();
            inner.floyd_warshall(count, &steps);
            inner.first = (0..=count as u32)
                .map(|child| steps.partition_point(|step| step.from < child) as u32)
                .collect();
            for child in 0..count {
                inner.dijkstra(count, &steps, child);
                let dense = &inner.dense[child * count..][..count];
                let prices = |row: &[Distance]| row.iter().map(|d| d.weighted).collect::<Vec<_>>();
                prop_assert_eq!(prices(dense), prices(&inner.row));
            }
        }
    }

    /// A child in the middle of three in a row: one way is long and easy, the other short and hard.
    #[test]
    fn each_kind_has_its_own_worst() {
        let row = [
            Distance {
                weighted: 6.0,
                unweighted: 6.0,
            },
            Distance::default(),
            Distance {
                weighted: 4.0,
                unweighted: 1.0,
            },
        ];
        let entry = |kind| rest(1, &row, kind);
        assert_eq!(
            entry(EntryPrice::Average),
            Distance {
                weighted: 5.0,
                unweighted: 3.5
            }
        );
        assert_eq!(entry(EntryPrice::WorstUnweighted), row[0]);
        assert_eq!(entry(EntryPrice::WorstWeighted), row[0]);
        assert_eq!(entry(EntryPrice::WorstUnit), row[2]);
    }
}
