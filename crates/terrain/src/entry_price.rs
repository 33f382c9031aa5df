//! Entry prices of High Meshes, computed from the distances between their children.

use portolan_core::search::{Heap, entry, unpack};

/// The rule for the entry of a High Mesh. The entry is added to the price of entering the child at the border, and
/// estimates the price of going on from that child to the other children. The terrain thesis compares these four
/// rules (chapter 5.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntryPrice {
    /// The mean distance to all other children.
    Average,
    /// The distance to the child with the highest unweighted distance.
    WorstUnweighted,
    /// The distance to the child with the highest weighted distance.
    WorstWeighted,
    /// The distance to the child with the highest unit distance, which is weighted divided by unweighted distance.
    /// The thesis chooses this rule.
    #[default]
    WorstUnit,
}

impl EntryPrice {
    /// All rules, in the order of the thesis. Files store the index in this list, so its order must not change.
    pub const ALL: [Self; 4] = [
        Self::Average,
        Self::WorstUnweighted,
        Self::WorstWeighted,
        Self::WorstUnit,
    ];

    /// Returns the name of the rule on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Average => "average",
            Self::WorstUnweighted => "worst-unweighted",
            Self::WorstWeighted => "worst-weighted",
            Self::WorstUnit => "worst-unit",
        }
    }
}

/// The distance from one mesh to another: its price and its plain length.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeshDistance {
    /// The price, with all multipliers for slope and difficulty.
    pub weighted: f32,
    /// The plain length, in which all axes count alike and multipliers are ignored.
    pub unweighted: f32,
}

impl MeshDistance {
    /// The distance to a mesh that cannot be reached.
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

    /// Returns the cheaper distance, or `self` if both cost the same.
    #[inline]
    pub(super) fn or_cheaper(self, other: Self) -> Self {
        if other.weighted < self.weighted {
            other
        } else {
            self
        }
    }
}

/// An arc from one child of a mesh to an adjacent one. Children are numbered from 0 within their parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildArc {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) distance: MeshDistance,
}

/// Up to this number of children, the Floyd-Warshall algorithm is used. For more children, one run of Dijkstra's
/// algorithm per child is faster, because children have few neighbours.
const MAX_DENSE_CHILDREN: usize = 48;

/// Computes the entries of the children of a mesh. The buffers are reused for every mesh.
#[derive(Debug, Default)]
pub(super) struct EntryPricing {
    /// Distances between all children, one row per child.
    matrix: Vec<MeshDistance>,
    /// Distances from one child to all others.
    row: Vec<MeshDistance>,
    heap: Heap,
    /// Per child, the index of its first arc.
    first_arcs: Vec<u32>,
}

impl EntryPricing {
    /// Calls `visit` with the entry of each of `count` children, in order. `arcs` must be sorted by `from`.
    pub(super) fn entries(
        &mut self,
        count: usize,
        arcs: &[ChildArc],
        rule: EntryPrice,
        mut visit: impl FnMut(MeshDistance),
    ) {
        if count <= MAX_DENSE_CHILDREN {
            self.floyd_warshall(count, arcs);
            for (child, row) in self.matrix.chunks_exact(count).enumerate() {
                visit(entry_of(child, row, rule));
            }
            return;
        }
        self.first_arcs.clear();
        self.first_arcs.extend(
            (0..=count as u32).map(|child| arcs.partition_point(|arc| arc.from < child) as u32),
        );
        for child in 0..count {
            self.dijkstra(count, arcs, child);
            visit(entry_of(child, &self.row, rule));
        }
    }

    /// Computes the distances between all children into `matrix`.
    fn floyd_warshall(&mut self, count: usize, arcs: &[ChildArc]) {
        self.matrix.clear();
        self.matrix.resize(count * count, MeshDistance::INFINITE);
        for child in 0..count {
            self.matrix[child * count + child] = MeshDistance::default();
        }
        for arc in arcs {
            let known = &mut self.matrix[arc.from as usize * count + arc.to as usize];
            *known = known.or_cheaper(arc.distance);
        }
        for via in 0..count {
            for from in 0..count {
                let first_leg = self.matrix[from * count + via];
                if from == via || first_leg.weighted == f32::INFINITY {
                    continue;
                }
                for to in 0..count {
                    let total = first_leg.plus(self.matrix[via * count + to]);
                    let known = &mut self.matrix[from * count + to];
                    *known = known.or_cheaper(total);
                }
            }
        }
    }

    /// Computes the distances from one child to all others into `row`. Needs `first_arcs`.
    fn dijkstra(&mut self, count: usize, arcs: &[ChildArc], from: usize) {
        self.row.clear();
        self.row.resize(count, MeshDistance::INFINITE);
        self.row[from] = MeshDistance::default();
        self.heap.clear();
        self.heap.push(entry(0.0, from as u32));
        while let Some(top) = self.heap.pop() {
            let (cost, child) = unpack(top);
            let known = self.row[child as usize];
            if cost > known.weighted {
                continue;
            }
            let [first, end] = [child, child + 1].map(|at| self.first_arcs[at as usize] as usize);
            for arc in &arcs[first..end] {
                let total = known.plus(arc.distance);
                let reached = &mut self.row[arc.to as usize];
                if total.weighted < reached.weighted {
                    *reached = total;
                    self.heap.push(entry(total.weighted, arc.to));
                }
            }
        }
    }
}

/// Returns the entry of a child from its distances to all children. It is 0 if no other child can be reached.
fn entry_of(child: usize, row: &[MeshDistance], rule: EntryPrice) -> MeshDistance {
    let others = row.iter().enumerate();
    let others = others
        .filter(|&(other, distance)| other != child && distance.weighted < f32::INFINITY)
        .map(|(_, &distance)| distance);
    let worst = |measure: fn(MeshDistance) -> f32| {
        let worst = others.clone().reduce(|worst, other| {
            if measure(other) > measure(worst) {
                other
            } else {
                worst
            }
        });
        worst.unwrap_or_default()
    };
    match rule {
        EntryPrice::Average => {
            let count = others.clone().count().max(1) as f32;
            let sum = others.fold(MeshDistance::default(), MeshDistance::plus);
            MeshDistance {
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

        #[test]
        fn floyd_warshall_and_dijkstra_agree(
            count in 2usize..20,
            pairs in prop::collection::vec((0u32..20, 0u32..20, 1u16..1000, 1u16..1000), 0..60),
        ) {
            let mut arcs: Vec<ChildArc> = pairs
                .into_iter()
                .filter(|&(from, to, ..)| from != to && from.max(to) < count as u32)
                .map(|(from, to, weighted, unweighted)| ChildArc {
                    from,
                    to,
                    distance: MeshDistance { weighted: weighted.into(), unweighted: unweighted.into() },
                })
                .collect();
            arcs.sort_by_key(|arc| arc.from);
            let mut pricing = EntryPricing::default();
            pricing.floyd_warshall(count, &arcs);
            pricing.first_arcs = (0..=count as u32)
                .map(|child| arcs.partition_point(|arc| arc.from < child) as u32)
                .collect();
            for child in 0..count {
                pricing.dijkstra(count, &arcs, child);
                let row = &pricing.matrix[child * count..][..count];
                let prices = |row: &[MeshDistance]| row.iter().map(|d| d.weighted).collect::<Vec<_>>();
                prop_assert_eq!(prices(row), prices(&pricing.row));
            }
        }
    }

    /// The child has two siblings. The path to one is long and easy, the path to the other short and hard.
    #[test]
    fn entry_rules_choose_different_siblings() {
        let row = [
            MeshDistance {
                weighted: 6.0,
                unweighted: 6.0,
            },
            MeshDistance::default(),
            MeshDistance {
                weighted: 4.0,
                unweighted: 1.0,
            },
        ];
        let entry = |rule| entry_of(1, &row, rule);
        assert_eq!(
            entry(EntryPrice::Average),
            MeshDistance {
                weighted: 5.0,
                unweighted: 3.5
            }
        );
        assert_eq!(entry(EntryPrice::WorstUnweighted), row[0]);
        assert_eq!(entry(EntryPrice::WorstWeighted), row[0]);
        assert_eq!(entry(EntryPrice::WorstUnit), row[2]);
    }
}
