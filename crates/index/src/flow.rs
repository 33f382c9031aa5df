//! Bisection by inertial flow (Schild and Sommer 2015, "On balanced separators in road networks"). The
//! cells that are farthest in one direction are sources, and those farthest in the opposite direction are
//! sinks. Dinic's algorithm computes the lightest cut between them. The best cut of several directions is
//! kept.

use glam::{Vec3, vec3};

use crate::cells::CellGraph;

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

const NONE: u32 = u32::MAX;

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
    pub(crate) to: u32,
    /// Twice the number of the edge, plus 1 if the arc leads against the edge.
    pub(crate) residual_index: u32,
}

/// A flow, and the state of the search for augmenting paths.
struct FlowState {
    /// The residual capacity of each edge, along it and against it.
    residual: Vec<i32>,
    /// The distance of each cell from the sources, which are at 0.
    levels: Vec<u32>,
    /// The first arc of each cell that has not failed.
    next: Vec<u32>,
    queue: Vec<u32>,
    path: Vec<FlowArc>,
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
        for (edge, number) in cells.edges.iter().zip(0..) {
            let [a, b] = edge.cells;
            for (from, to, against) in [(a, b, 0), (b, a, 1)] {
                let residual_index = 2 * number + against;
                arcs[next[from as usize] as usize] = FlowArc { to, residual_index };
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
        let count = self.cells.len();
        let boundary = |kind: u8| -> Vec<u32> {
            let has_kind = |cell: &u32| kinds[*cell as usize] == kind;
            let is_boundary = |cell: &u32| {
                self.arcs(*cell)
                    .iter()
                    .any(|arc| kinds[arc.to as usize] != kind)
            };
            (0..count as u32)
                .filter(has_kind)
                .filter(is_boundary)
                .collect()
        };
        let sources = boundary(SOURCE);
        // With even halves, the score is lowest for a given flow, so this limits the flow.
        let weight = self.weight() as f64;
        let max_product = weight * weight / 4.0;
        let level = |&kind: &u8| if kind == SOURCE { 0 } else { NONE };
        let initial_levels: Vec<u32> = kinds.iter().map(level).collect();
        let mut flow = FlowState {
            residual: self
                .cells
                .edges
                .iter()
                .flat_map(|edge| [edge.weight; 2])
                .collect(),
            levels: initial_levels.clone(),
            next: vec![0; count],
            queue: Vec::with_capacity(count),
            path: Vec::new(),
        };
        let mut total = 0i64;
        while self.find_levels(&initial_levels, &sources, kinds, &mut flow) {
            flow.next.copy_from_slice(&self.offsets[..count]);
            for &source in &sources {
                total += self.push_from(source, kinds, &mut flow);
                if total as f64 / max_product >= bound {
                    return None;
                }
            }
        }
        // Two minimum cuts are known: around the cells that the sources still reach, and around the cells
        // that still reach the sinks. The more even one is chosen.
        let near: Vec<bool> = (0..count).map(|cell| flow.levels[cell] == NONE).collect();
        let far = self.cells_reaching_sinks(&boundary(SINK), kinds, &flow.residual);
        let product_of_sizes = |second: &[bool]| {
            let weighted = second.iter().zip(&self.cells.weights);
            let size: u64 = weighted
                .map(|(&is, &weight)| if is { u64::from(weight) } else { 0 })
                .sum();
            size as f64 * (weight - size as f64)
        };
        let (a, b) = (product_of_sizes(&near), product_of_sizes(&far));
        let (second, product) = if a >= b { (near, a) } else { (far, b) };
        Some(Bisection {
            second,
            score: total as f64 / product,
        })
    }

    /// Computes the distances of cells from the sources, up to the nearest sink. Returns whether a sink can
    /// be reached.
    fn find_levels(
        &self,
        initial_levels: &[u32],
        sources: &[u32],
        kinds: &[u8],
        flow: &mut FlowState,
    ) -> bool {
        let FlowState {
            residual,
            levels,
            queue,
            ..
        } = flow;
        levels.copy_from_slice(initial_levels);
        queue.clear();
        queue.extend_from_slice(sources);
        let (mut first, mut last_level) = (0, NONE);
        while first < queue.len() {
            let cell = queue[first];
            first += 1;
            let level = levels[cell as usize];
            if level >= last_level {
                break;
            }
            for &arc in self.arcs(cell) {
                let to = arc.to as usize;
                if levels[to] != NONE || residual[arc.residual_index as usize] == 0 {
                    continue;
                }
                levels[to] = level + 1;
                if kinds[to] == SINK {
                    last_level = level + 1;
                } else {
                    queue.push(arc.to);
                }
            }
        }
        last_level != NONE
    }

    /// Pushes as much flow as possible from one source to sinks, over arcs that lead to the next level.
    /// Returns the amount.
    fn push_from(&self, source: u32, kinds: &[u8], flow: &mut FlowState) -> i64 {
        let FlowState {
            residual,
            levels,
            next,
            path,
            ..
        } = flow;
        let mut total = 0;
        let mut at = source;
        path.clear();
        loop {
            if kinds[at as usize] == SINK {
                let amount = path
                    .iter()
                    .map(|arc| residual[arc.residual_index as usize])
                    .min();
                let amount = amount.expect("a source is not a sink");
                total += i64::from(amount);
                let mut first_saturated = 0;
                for (index, arc) in path.iter().enumerate().rev() {
                    residual[arc.residual_index as usize] -= amount;
                    residual[(arc.residual_index ^ 1) as usize] += amount;
                    if residual[arc.residual_index as usize] == 0 {
                        first_saturated = index;
                    }
                }
                // Continue from the start of the first saturated arc.
                path.truncate(first_saturated);
                at = path.last().map_or(source, |arc| arc.to);
                continue;
            }
            let level = levels[at as usize];
            let end = self.offsets[at as usize + 1];
            let run = next[at as usize]..end;
            let leads_on = |index: &u32| {
                let arc = self.arcs[*index as usize];
                levels[arc.to as usize] == level + 1 && residual[arc.residual_index as usize] > 0
            };
            match run.into_iter().find(leads_on) {
                Some(index) => {
                    next[at as usize] = index;
                    let arc = self.arcs[index as usize];
                    path.push(arc);
                    at = arc.to;
                }
                None => {
                    next[at as usize] = end;
                    if path.pop().is_none() {
                        return total;
                    }
                    at = path.last().map_or(source, |arc| arc.to);
                    next[at as usize] += 1;
                }
            }
        }
    }

    /// Returns whether each cell could send more flow to the sinks. The sinks themselves are included.
    fn cells_reaching_sinks(&self, boundary: &[u32], kinds: &[u8], residual: &[i32]) -> Vec<bool> {
        let mut reaches: Vec<bool> = kinds.iter().map(|&kind| kind == SINK).collect();
        let mut stack = boundary.to_vec();
        while let Some(cell) = stack.pop() {
            for &arc in self.arcs(cell) {
                if !reaches[arc.to as usize] && residual[(arc.residual_index ^ 1) as usize] > 0 {
                    reaches[arc.to as usize] = true;
                    stack.push(arc.to);
                }
            }
        }
        reaches
    }
}

#[cfg(test)]
#[path = "flow_test.rs"]
mod tests;
