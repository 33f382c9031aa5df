//! Halving by inertial flow (Schild and Sommer 2015, "On balanced separators in road networks"): the
//! cells that lie furthest in one direction and those furthest in the other are held apart by the
//! lightest cut there is between them, by Dinic's algorithm; the best of some directions wins.

use glam::{Vec3, vec3};

use crate::cells::Cells;

/// How much of all cells is held on either side. More makes halves more even and flows quicker, and
/// leaves less room for a light cut.
const SHARE: f64 = 0.3;

/// Where cuts are tried: level ground first, since that is where most worlds are large.
const DIRECTIONS: [Vec3; 5] = [
    vec3(1.0, 0.0, 0.0),
    vec3(0.0, 0.0, 1.0),
    vec3(0.707, 0.0, 0.707),
    vec3(0.707, 0.0, -0.707),
    vec3(0.0, 1.0, 0.0),
];

/// What becomes of a cell: whatever the cut says, or it is held on one side.
pub(crate) const FREE: u8 = 0;
pub(crate) const SOURCE: u8 = 1;
pub(crate) const SINK: u8 = 2;

const NONE: u32 = u32::MAX;

/// Two halves of some cells: which of them each is in.
#[derive(Debug)]
pub(crate) struct Halves {
    pub(crate) second: Vec<bool>,
    /// The weight of the cut over the product of the sizes: less is better.
    pub(crate) score: f64,
}

/// Halves connected cells, of which there are at least two; neither half is empty.
pub(crate) fn halve_along(net: &Net<'_>) -> Halves {
    let cells = net.cells;
    let mut directions: Vec<(f32, usize)> = DIRECTIONS
        .iter()
        .enumerate()
        .map(|(number, &direction)| (extent(cells, direction), number))
        .collect();
    // Where they reach furthest the cut is likely to be light, and bounds the others.
    directions.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    // All are tried, but for the height of flat ground.
    directions.retain(|&(extent, number)| extent > 0.0 || number == 0);
    let mut best: Option<Halves> = None;
    for (_, number) in directions {
        let bound = best.as_ref().map_or(f64::INFINITY, |best| best.score);
        let halves = net.cut(DIRECTIONS[number], bound);
        if let Some(halves) = halves.filter(|halves| halves.score < bound) {
            best = Some(halves);
        }
    }
    best.expect("the first direction has no bound")
}

/// A number of 32 bits that grows with the value.
fn key(value: f32) -> u64 {
    let bits = value.to_bits();
    let turned = if bits >> 31 == 1 {
        !bits
    } else {
        bits | 1 << 31
    };
    u64::from(turned)
}

fn extent(cells: &Cells, direction: Vec3) -> f32 {
    let places = cells.centres.iter().map(|centre| centre.dot(direction));
    let (least, most) = places.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), place| {
        (a.min(place), b.max(place))
    });
    most - least
}

/// The cells as a network: each door carries its weight, either way.
pub(crate) struct Net<'a> {
    pub(crate) cells: &'a Cells,
    /// Per cell, where its arcs begin; one more at the end.
    offsets: Vec<u32>,
    arcs: Vec<Arc>,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Arc {
    pub(crate) to: u32,
    /// Twice the door, and 1 where the arc leads against it.
    pub(crate) way: u32,
}

/// A flow and where the search for more of it is.
struct Flow {
    /// Per door, what more it can carry along it, and against it.
    left: Vec<i32>,
    /// Per cell, how far it is from the sources; those of the sources are 0.
    levels: Vec<u32>,
    /// Per cell, its first arc that has not failed.
    next: Vec<u32>,
    queue: Vec<u32>,
    path: Vec<Arc>,
}

impl<'a> Net<'a> {
    pub(crate) fn new(cells: &'a Cells) -> Self {
        let mut offsets = vec![0u32; cells.len() + 1];
        for door in &cells.doors {
            offsets[door.cells[0] as usize + 1] += 1;
            offsets[door.cells[1] as usize + 1] += 1;
        }
        for cell in 0..cells.len() {
            offsets[cell + 1] += offsets[cell];
        }
        let mut next = offsets.clone();
        let mut arcs = vec![Arc::default(); 2 * cells.doors.len()];
        for (door, number) in cells.doors.iter().zip(0..) {
            let [a, b] = door.cells;
            for (from, to, against) in [(a, b, 0), (b, a, 1)] {
                let way = 2 * number + against;
                arcs[next[from as usize] as usize] = Arc { to, way };
                next[from as usize] += 1;
            }
        }
        Self {
            cells,
            offsets,
            arcs,
        }
    }

    pub(crate) fn arcs(&self, cell: u32) -> &[Arc] {
        let run = self.offsets[cell as usize]..self.offsets[cell as usize + 1];
        &self.arcs[run.start as usize..run.end as usize]
    }

    /// The halves along a direction; `None` where they would not be better than the bound.
    fn cut(&self, direction: Vec3, bound: f64) -> Option<Halves> {
        let count = self.cells.len();
        let centres = self.cells.centres.iter().zip(0..);
        let mut order: Vec<u64> = centres
            .map(|(centre, cell)| key(centre.dot(direction)) << 32 | cell)
            .collect();
        order.sort_unstable();
        let share = (self.weight() as f64 * SHARE) as u64;
        let mut kinds = vec![FREE; count];
        let hold = |cells: &mut dyn Iterator<Item = u32>, kind: u8, kinds: &mut [u8]| {
            let mut sum = 0;
            for cell in cells.take(count / 2) {
                let weight = u64::from(self.cells.weights[cell as usize]);
                if sum > 0 && sum + weight > share {
                    break;
                }
                sum += weight;
                kinds[cell as usize] = kind;
            }
        };
        let cells = order.iter().map(|&place| place as u32);
        hold(&mut cells.clone(), SOURCE, &mut kinds);
        hold(&mut cells.rev(), SINK, &mut kinds);
        self.part(&kinds, bound)
    }

    /// What all cells weigh.
    pub(crate) fn weight(&self) -> u64 {
        self.cells
            .weights
            .iter()
            .map(|&weight| u64::from(weight))
            .sum()
    }

    /// The lightest cut between sources and sinks; `None` where it would not be better than the bound.
    pub(crate) fn part(&self, kinds: &[u8], bound: f64) -> Option<Halves> {
        let count = self.cells.len();
        let edge = |kind: u8| -> Vec<u32> {
            let inner = |cell: &u32| kinds[*cell as usize] == kind;
            let is_edge = |cell: &u32| {
                self.arcs(*cell)
                    .iter()
                    .any(|arc| kinds[arc.to as usize] != kind)
            };
            (0..count as u32).filter(inner).filter(is_edge).collect()
        };
        let sources = edge(SOURCE);
        // The largest flow of halves that can still be better.
        let weight = self.weight() as f64;
        let even = weight * weight / 4.0;
        let level = |&kind: &u8| if kind == SOURCE { 0 } else { NONE };
        let beginning: Vec<u32> = kinds.iter().map(level).collect();
        let mut flow = Flow {
            left: self
                .cells
                .doors
                .iter()
                .flat_map(|door| [door.weight; 2])
                .collect(),
            levels: beginning.clone(),
            next: vec![0; count],
            queue: Vec::with_capacity(count),
            path: Vec::new(),
        };
        let mut total = 0i64;
        while self.find_levels(&beginning, &sources, kinds, &mut flow) {
            flow.next.copy_from_slice(&self.offsets[..count]);
            for &source in &sources {
                total += self.push_from(source, kinds, &mut flow);
                if total as f64 / even >= bound {
                    return None;
                }
            }
        }
        // Two lightest cuts: around what the sources can still reach, and what can reach the sinks.
        let near: Vec<bool> = (0..count).map(|cell| flow.levels[cell] == NONE).collect();
        let far = self.reaching(&edge(SINK), kinds, &flow.left);
        let size = |second: &[bool]| {
            let each = second.iter().zip(&self.cells.weights);
            let size: u64 = each
                .map(|(&is, &weight)| if is { u64::from(weight) } else { 0 })
                .sum();
            size as f64 * (weight - size as f64)
        };
        let (a, b) = (size(&near), size(&far));
        let (second, size) = if a >= b { (near, a) } else { (far, b) };
        Some(Halves {
            second,
            score: total as f64 / size,
        })
    }

    /// How far cells are from the sources, up to the nearest sink; whether one can be reached.
    fn find_levels(
        &self,
        beginning: &[u32],
        sources: &[u32],
        kinds: &[u8],
        flow: &mut Flow,
    ) -> bool {
        let Flow {
            left,
            levels,
            queue,
            ..
        } = flow;
        levels.copy_from_slice(beginning);
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
                if levels[to] != NONE || left[arc.way as usize] == 0 {
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

    /// Sends what can be sent from one source to sinks, over arcs that lead one level on.
    fn push_from(&self, source: u32, kinds: &[u8], flow: &mut Flow) -> i64 {
        let Flow {
            left,
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
                let amount = path.iter().map(|arc| left[arc.way as usize]).min();
                let amount = amount.expect("a source is no sink");
                total += i64::from(amount);
                let mut full = 0;
                for (place, arc) in path.iter().enumerate().rev() {
                    left[arc.way as usize] -= amount;
                    left[(arc.way ^ 1) as usize] += amount;
                    if left[arc.way as usize] == 0 {
                        full = place;
                    }
                }
                // On from where the first arc is full.
                path.truncate(full);
                at = path.last().map_or(source, |arc| arc.to);
                continue;
            }
            let level = levels[at as usize];
            let end = self.offsets[at as usize + 1];
            let run = next[at as usize]..end;
            let leads_on = |place: &u32| {
                let arc = self.arcs[*place as usize];
                levels[arc.to as usize] == level + 1 && left[arc.way as usize] > 0
            };
            match run.into_iter().find(leads_on) {
                Some(place) => {
                    next[at as usize] = place;
                    let arc = self.arcs[place as usize];
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

    /// The cells from which more could flow to the sinks, these included.
    fn reaching(&self, edge: &[u32], kinds: &[u8], left: &[i32]) -> Vec<bool> {
        let mut reaches: Vec<bool> = kinds.iter().map(|&kind| kind == SINK).collect();
        let mut stack = edge.to_vec();
        while let Some(cell) = stack.pop() {
            for &arc in self.arcs(cell) {
                if !reaches[arc.to as usize] && left[(arc.way ^ 1) as usize] > 0 {
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
