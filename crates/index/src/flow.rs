//! Bisection by inertial flow (Schild and Sommer 2015, "On balanced separators in road networks"). The
//! cells that are farthest in one direction are sources, and those farthest in the opposite direction are
//! sinks. A [maximum flow](crate::max_flow) gives the lightest cut between them. The best cut of several
//! directions is kept.

use glam::{Vec3, vec3};

use crate::cells::CellGraph;
use crate::max_flow::{FlowTree, MaxFlow};

/// The fraction of the total weight that is fixed on each side. A larger fraction gives more even halves
/// and faster flows, and leaves less room for a light cut.
const TERMINAL_FRACTION: f64 = 0.3;

/// The directions that are tried. Horizontal ones come first, because most worlds are large horizontally.
const DIRECTIONS: [Vec3; 5] = [
    vec3(1.0, 0.0, 0.0),
    vec3(0.0, 0.0, 1.0),
    vec3(0.707, 0.0, 0.707),
    vec3(0.707, 0.0, -0.707),
    vec3(0.0, 1.0, 0.0),
];

/// The cut decides which side the cell is on.
pub(crate) const FREE: u8 = 0;
/// The cell is fixed on the first side.
pub(crate) const SOURCE: u8 = 1;
/// The cell is fixed on the second side.
pub(crate) const SINK: u8 = 2;

/// Two halves of a graph.
#[derive(Debug)]
pub(crate) struct Bisection {
    /// Whether each cell is in the second half.
    pub(crate) second: Vec<bool>,
    /// The weight of the cut divided by the product of the sizes of the halves. Lower is better.
    pub(crate) score: f64,
}

/// Bisects a connected graph of at least two cells. Neither half is empty.
pub(crate) fn bisect_along_axes(network: &FlowNetwork<'_>) -> Bisection {
    let cells = network.cells;
    let mut directions: Vec<(f32, usize)> = DIRECTIONS
        .iter()
        .enumerate()
        .map(|(number, &direction)| (extent(cells, direction), number))
        .collect();
    // Along the largest extent, the cut is likely to be light. Its score bounds the other directions.
    directions.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    // Flat ground has no extent in height, so that direction is not tried.
    directions.retain(|&(extent, number)| extent > 0.0 || number == 0);
    let mut best: Option<Bisection> = None;
    for (_, number) in directions {
        let bound = best.as_ref().map_or(f64::INFINITY, |best| best.score);
        let bisection = network.cut_along(DIRECTIONS[number], bound);
        if let Some(bisection) = bisection.filter(|bisection| bisection.score < bound) {
            best = Some(bisection);
        }
    }
    best.expect("the first direction has no bound")
}

/// Maps a float to an integer of 32 bits that orders like the float.
fn key(value: f32) -> u64 {
    let bits = value.to_bits();
    let ordered_bits = if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    };
    u64::from(ordered_bits)
}

/// Returns the extent of the cells along a direction.
fn extent(cells: &CellGraph, direction: Vec3) -> f32 {
    let coordinates = cells.centres.iter().map(|centre| centre.dot(direction));
    let (min, max) = coordinates.fold(
        (f32::INFINITY, f32::NEG_INFINITY),
        |(min, max), coordinate| (min.min(coordinate), max.max(coordinate)),
    );
    max - min
}

/// The cells as a flow network. The capacity of each edge is its weight, in both directions.
pub(crate) struct FlowNetwork<'a> {
    pub(crate) cells: &'a CellGraph,
    /// The index of each cell's first arc, and the number of arcs at the end.
    offsets: Vec<u32>,
    arcs: Vec<FlowArc>,
}

/// One direction of an edge.
#[derive(Clone, Copy, Default)]
pub(crate) struct FlowArc {
    /// Twice the cell that the arc leads to, plus 1 if the arc leads against the edge.
    head: u32,
    /// The weight of the edge.
    pub(crate) weight: i32,
}

impl FlowArc {
    /// Returns the cell that the arc leads to.
    #[inline]
    pub(crate) fn to(self) -> u32 {
        self.head >> 1
    }

    /// Returns whether the arc leads from the first cell of the edge to the second.
    fn is_along(self) -> bool {
        self.head & 1 == 0
    }
}

impl<'a> FlowNetwork<'a> {
    pub(crate) fn new(cells: &'a CellGraph) -> Self {
        let mut offsets = vec![0u32; cells.len() + 1];
        for edge in &cells.edges {
            offsets[edge.cells[0] as usize + 1] += 1;
            offsets[edge.cells[1] as usize + 1] += 1;
        }
        for cell in 0..cells.len() {
            offsets[cell + 1] += offsets[cell];
        }
        let mut next = offsets.clone();
        let mut arcs = vec![FlowArc::default(); 2 * cells.edges.len()];
        for edge in &cells.edges {
            let [a, b] = edge.cells;
            for (from, to, against) in [(a, b, 0), (b, a, 1)] {
                arcs[next[from as usize] as usize] = FlowArc {
                    head: to << 1 | against,
                    weight: edge.weight,
                };
                next[from as usize] += 1;
            }
        }
        Self {
            cells,
            offsets,
            arcs,
        }
    }

    /// Returns the arcs of a cell.
    pub(crate) fn arcs(&self, cell: u32) -> &[FlowArc] {
        let run = self.offsets[cell as usize]..self.offsets[cell as usize + 1];
        &self.arcs[run.start as usize..run.end as usize]
    }

    /// Bisects along a direction. Returns `None` if the score would not be below `bound`.
    fn cut_along(&self, direction: Vec3, bound: f64) -> Option<Bisection> {
        let count = self.cells.len();
        let centres = self.cells.centres.iter().zip(0..);
        let mut order: Vec<u64> = centres
            .map(|(centre, cell)| key(centre.dot(direction)) << 32 | cell)
            .collect();
        order.sort_unstable();
        let limit = (self.weight() as f64 * TERMINAL_FRACTION) as u64;
        let mut kinds = vec![FREE; count];
        let fix = |cells: &mut dyn Iterator<Item = u32>, kind: u8, kinds: &mut [u8]| {
            let mut sum = 0;
            for cell in cells.take(count / 2) {
                let weight = u64::from(self.cells.weights[cell as usize]);
                if sum > 0 && sum + weight > limit {
                    break;
                }
                sum += weight;
                kinds[cell as usize] = kind;
            }
        };
        // The low 32 bits of an entry are the cell.
        let cells = order.iter().map(|&entry| entry as u32);
        fix(&mut cells.clone(), SOURCE, &mut kinds);
        fix(&mut cells.rev(), SINK, &mut kinds);
        self.min_cut(&kinds, bound)
    }

    /// Returns the weight of all cells.
    pub(crate) fn weight(&self) -> u64 {
        self.cells
            .weights
            .iter()
            .map(|&weight| u64::from(weight))
            .sum()
    }

    /// Returns the lightest cut between sources and sinks, or `None` if its score would not be below
    /// `bound`.
    pub(crate) fn min_cut(&self, kinds: &[u8], bound: f64) -> Option<Bisection> {
        let weight = self.weight() as f64;
        // With even halves, the score is lowest for a given flow, so this limits the flow.
        let max_product = weight * weight / 4.0;
        let between = self.weight_between_terminals(kinds);
        let is_too_much = |flow: i64| (between + flow) as f64 / max_product >= bound;
        if is_too_much(0) {
            return None;
        }
        let (free, mut flow, direct) = self.network_of_free_cells(kinds);
        let total = between + direct + flow.run(|flow| is_too_much(direct + flow))?;
        if total as f64 / max_product >= bound {
            return None;
        }
        // Two minimum cuts are known: around the cells that the sources still reach, and around the cells
        // that still reach the sinks. The more even one is chosen.
        let weights = &self.cells.weights;
        let of_sinks = kinds.iter().zip(weights).filter(|(kind, _)| **kind == SINK);
        let mut sizes = [of_sinks.map(|(_, &weight)| u64::from(weight)).sum::<u64>(); 2];
        for (&cell, tree) in free.iter().zip(flow.trees()) {
            let weight = u64::from(weights[cell as usize]);
            let in_second = [tree != FlowTree::Source, tree == FlowTree::Sink];
            for (size, is_second) in sizes.iter_mut().zip(in_second) {
                *size += if is_second { weight } else { 0 };
            }
        }
        let [near, far] = sizes.map(|size| size as f64 * (weight - size as f64));
        let mut second: Vec<bool> = kinds.iter().map(|&kind| kind == SINK).collect();
        for (&cell, tree) in free.iter().zip(flow.trees()) {
            second[cell as usize] = match near >= far {
                true => tree != FlowTree::Source,
                false => tree == FlowTree::Sink,
            };
        }
        Some(Bisection {
            second,
            score: total as f64 / near.max(far),
        })
    }

    /// Returns the weight of all edges that lead from a source to a sink.
    fn weight_between_terminals(&self, kinds: &[u8]) -> i64 {
        let edges = self.cells.edges.iter();
        let weights = edges.map(|edge| {
            let [a, b] = edge.cells.map(|cell| kinds[cell as usize]);
            i64::from(if a ^ b == SOURCE ^ SINK {
                edge.weight
            } else {
                0
            })
        });
        weights.sum()
    }

    /// Returns the free cells, their network, in which all sources are one node and all sinks another, and the
    /// flow that goes from a source over one cell to a sink.
    fn network_of_free_cells(&self, kinds: &[u8]) -> (Vec<u32>, MaxFlow, i64) {
        let is_free = |cell: &u32| kinds[*cell as usize] == FREE;
        let free: Vec<u32> = (0..kinds.len() as u32).filter(is_free).collect();
        let mut indexes = vec![0u32; kinds.len()];
        for (&cell, index) in free.iter().zip(0..) {
            indexes[cell as usize] = index;
        }
        let mut degrees = Vec::with_capacity(free.len());
        let mut terminals = Vec::with_capacity(free.len());
        let mut direct = 0;
        for &cell in &free {
            let (mut degree, mut sums) = (0, [0; 2]);
            for arc in self.arcs(cell) {
                match kinds[arc.to() as usize] {
                    FREE => degree += u32::from(arc.to() != cell),
                    SOURCE => sums[0] += arc.weight,
                    _ => sums[1] += arc.weight,
                }
            }
            degrees.push(degree);
            terminals.push(sums[0] - sums[1]);
            direct += i64::from(sums[0].min(sums[1]));
        }
        let flow = MaxFlow::new(&degrees, &terminals, |add| {
            for (&cell, index) in free.iter().zip(0..) {
                for arc in self.arcs(cell) {
                    // Each edge is added once, from its first cell.
                    let is_first = arc.is_along() && arc.to() != cell;
                    if is_first && kinds[arc.to() as usize] == FREE {
                        add([index, indexes[arc.to() as usize]], arc.weight);
                    }
                }
            }
        });
        (free, flow, direct)
    }
}

#[cfg(test)]
#[path = "flow_test.rs"]
mod tests;
