//! What a batch reads of each polygon when it is answered by labels: one contiguous record.
//!
//! A record has the positions of the polygon's exits, and the [costs by depth](DepthArrays) of each. Exits are in
//! groups of four, because most polygons have at most four: a group is one cache line of positions, and then one
//! line per block of four depths, from the root down. Two agents rarely share more than the first blocks, so an answer
//! reads the beginning of two records. Cache misses bound its time, not arithmetic.

use glam::{Mat4, Vec3, Vec4};
use rayon::prelude::*;

use crate::contraction::{Contraction, DepthArrays, LAST_LANES, SharedDepths, Shortcuts};
use crate::graph::PortalGraph;
use crate::ids::{PolygonId, SampleId, Terminal};
use crate::navmesh::NavMesh;
use crate::profile::Prices;

/// Stands for no exit.
pub(super) const NO_EXIT: SampleId = SampleId(u32::MAX);

/// The number of exits in a group, and of depths in a block.
const LANES: usize = 4;

/// The relative difference below which two costs may be equal, because sums are rounded.
pub(super) const TIE: f32 = 2e-6;

/// A cache line: the costs of four exits at four depths, or the positions of four exits.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([Vec4; LANES]);

impl Line {
    const EMPTY: Self = Self([Vec4::INFINITY; LANES]);

    /// Packs four exits. An exit that does not exist is nowhere near; its costs are infinite anyway.
    fn of_exits(positions: [Vec3; LANES], samples: [u32; LANES]) -> Self {
        let row = |axis: usize| Vec4::from(positions.map(|position| position[axis]));
        let samples = Vec4::from(samples.map(f32::from_bits));
        Self([row(0), row(1), row(2), samples])
    }

    /// Returns the costs of the legs between a point and four exits. The sums are those of
    /// [`distance`](crate::geometry::distance).
    #[inline]
    fn legs(&self, point: Vec3, factor: f32) -> Vec4 {
        let Self([x, y, z, _]) = *self;
        let [dx, dy, dz] = [x - point.x, y - point.y, z - point.z];
        let squared = dx * dx + dy * dy + dz * dz;
        Vec4::from(squared.to_array().map(f32::sqrt)) * factor
    }

    #[inline]
    fn sample(&self, lane: usize) -> u32 {
        let samples: &[f32; LANES] = self.0[3].as_ref();
        samples[lane].to_bits()
    }
}

/// Where the record of a polygon is.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordPlace {
    /// The lowest rank of its exits. The others are above it on its chain.
    lowest: u32,
    first: u32,
    /// The number of groups of exits; 0 if the polygon is closed or has no exits.
    groups: u16,
    /// The number of blocks of the longest array.
    blocks: u16,
    /// The cost per metre.
    factor: f32,
}

impl RecordPlace {
    /// A record without exits.
    pub(super) const NONE: Self = Self {
        lowest: 0,
        first: 0,
        groups: 0,
        blocks: 0,
        factor: f32::INFINITY,
    };

    fn lines(&self) -> std::ops::Range<usize> {
        let groups = usize::from(self.groups);
        let first = self.first as usize;
        first..first + groups * (1 + usize::from(self.blocks))
    }

    /// Returns the cost of one metre on the polygon.
    pub(super) fn factor(&self) -> f32 {
        self.factor
    }
}

/// The records of all polygons, for the costs of one profile at the fast tier.
#[derive(Debug)]
pub(crate) struct LabelRecords {
    places: Vec<RecordPlace>,
    /// The records of starts.
    starts: Vec<Line>,
    /// The records of goals; empty if they equal those of starts because all costs are the same both ways.
    goals: Vec<Line>,
    shared: SharedDepths,
    /// The number of blocks of the longest record.
    max_blocks: usize,
}

/// The labels of a world as plain arrays, for batches on another device. All of them are copies.
///
/// The record of a polygon consists of lines of 16 numbers. For each group of four exits there is one line with their
/// positions and samples: four x, four y, four z, and the bits of four samples (`u32::MAX` where there is no exit). Then
/// there are, for each block of four depths from the root down, as many lines as there are groups, each with the costs of
/// four exits at four depths, exit by exit.
#[derive(Clone, Debug)]
pub struct RecordArrays {
    /// Per polygon, the lowest rank of its exits, the first line of its record, the number of groups (0 if the polygon is
    /// closed or has no exits), the number of blocks, and the bits of its cost per metre.
    pub places: Vec<[u32; 5]>,
    /// The lines of starts.
    pub starts: Vec<[f32; 16]>,
    /// The lines of goals; empty if they equal those of starts.
    pub goals: Vec<[f32; 16]>,
    /// Row `i` has the smallest depth of the 2^i ranks that start at each rank.
    pub depth_rows: Vec<u16>,
    /// The number of ranks.
    pub ranks: usize,
    /// The number of blocks of the longest record.
    pub max_blocks: usize,
}

impl RecordArrays {
    /// The relative difference below which two costs may be equal, because sums are rounded.
    pub const TIE: f32 = TIE;
}

/// The costs from the vertices of a goal's chain to the goal, by depth.
#[derive(Clone, Debug, Default)]
pub(super) struct GoalChain {
    costs: Vec<Vec4>,
    /// The number of blocks that have been computed.
    known: usize,
}

/// The best exit of a polygon on the way to a goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BestExit {
    /// The cost of the path over the best exit; infinite if there is no path.
    pub(super) cost: f32,
    pub(super) exit: Option<SampleId>,
    /// Whether another exit is as good up to rounding. Then the path may only touch this one and leave the polygon by the
    /// other: along a border, or on ground that costs nothing.
    pub(super) is_tie: bool,
}

impl BestExit {
    /// Returns this exit, or none if the straight line to a goal in the same polygon costs no more.
    #[inline]
    pub(super) fn or_stay(self, straight: f32) -> Self {
        match straight <= self.cost {
            true => Self {
                cost: straight,
                exit: None,
                is_tie: false,
            },
            false => self,
        }
    }
}

/// The memory that records need, unless the chains are too long for them. [Units: bytes]
pub(super) fn record_bytes(
    mesh: &NavMesh,
    graph: &PortalGraph,
    contraction: &Contraction,
    is_symmetric: bool,
) -> Option<usize> {
    if contraction.depth() > SharedDepths::MAX_DEPTH {
        return None;
    }
    let lines = |polygon| {
        let ranks = graph.samples_of(polygon);
        let blocks = ranks.map(|sample| contraction.blocks_above(rank(contraction, sample)));
        graph.exits(polygon).len().div_ceil(LANES) * (1 + blocks.max().unwrap_or(0))
    };
    let lines: usize = mesh.polygons().map(lines).sum();
    let directions = if is_symmetric { 1 } else { 2 };
    u32::try_from(lines.max(contraction.depth_blocks())).ok()?;
    Some(
        directions * lines * size_of::<Line>()
            + mesh.polygon_count() * size_of::<RecordPlace>()
            + SharedDepths::entries(contraction.vertex_count()) * size_of::<u16>(),
    )
}

fn rank(contraction: &Contraction, sample: SampleId) -> usize {
    contraction.rank_of(sample.0) as usize
}

impl LabelRecords {
    /// Builds the records. [`record_bytes`] must have returned a number.
    pub(super) fn new(
        mesh: &NavMesh,
        graph: &PortalGraph,
        prices: &Prices,
        contraction: &Contraction,
        shortcuts: &Shortcuts,
    ) -> Self {
        let mut end = 0;
        let place = |polygon| {
            let factor = prices.factor(mesh, polygon);
            let ranks = graph.samples_of(polygon);
            let ranks = ranks.map(|sample| rank(contraction, sample));
            let is_open = factor < f32::INFINITY;
            let groups = graph.exits(polygon).len().div_ceil(LANES);
            let blocks = ranks.clone().map(|rank| contraction.blocks_above(rank));
            let place = RecordPlace {
                lowest: ranks.min().unwrap_or(0) as u32,
                first: end,
                groups: if is_open { groups as u16 } else { 0 },
                blocks: blocks.max().unwrap_or(0) as u16,
                factor,
            };
            end += place.lines().len() as u32;
            place
        };
        let places: Vec<RecordPlace> = mesh.polygons().map(place).collect();
        let records = |terminal| {
            let arrays = DepthArrays::new(contraction, shortcuts, terminal);
            fill_records(&places, end as usize, graph, contraction, &arrays)
        };
        let (starts, goals) = match shortcuts.is_symmetric() {
            true => (records(Terminal::Start), Vec::new()),
            false => rayon::join(|| records(Terminal::Start), || records(Terminal::Goal)),
        };
        let blocks = places.iter().map(|place| usize::from(place.blocks));
        Self {
            max_blocks: blocks.max().unwrap_or(0),
            starts,
            goals,
            shared: SharedDepths::new(contraction),
            places,
        }
    }

    /// Returns the size on the heap. [Units: bytes]
    pub(crate) fn bytes(&self) -> usize {
        let lines = self.starts.len() + self.goals.len();
        lines * size_of::<Line>() + size_of_val(&self.places[..]) + self.shared.bytes()
    }

    /// Copies the records into plain arrays.
    pub(super) fn to_arrays(&self) -> RecordArrays {
        let place = |place: &RecordPlace| {
            let [groups, blocks] = [place.groups, place.blocks].map(u32::from);
            let factor = place.factor.to_bits();
            [place.lowest, place.first, groups, blocks, factor]
        };
        let line = |line: &Line| {
            let numbers = line.0.map(|row| row.to_array());
            std::array::from_fn(|at| numbers[at / LANES][at % LANES])
        };
        let (ranks, rows) = self.shared.rows();
        RecordArrays {
            places: self.places.iter().map(place).collect(),
            starts: self.starts.iter().map(line).collect(),
            goals: self.goals.iter().map(line).collect(),
            depth_rows: rows.to_vec(),
            ranks,
            max_blocks: self.max_blocks,
        }
    }

    /// Returns where the record of a polygon is.
    #[inline]
    pub(super) fn place(&self, polygon: PolygonId) -> RecordPlace {
        self.places[polygon.index()]
    }

    /// Returns the number of depths that paths between two polygons can lead over.
    #[inline]
    pub(super) fn shared(&self, start: &RecordPlace, goal: &RecordPlace) -> u32 {
        match start.groups.min(goal.groups) {
            0 => 0,
            _ => self.shared.of(start.lowest, goal.lowest),
        }
    }

    fn goal_lines(&self) -> &[Line] {
        match &self.goals[..] {
            [] => &self.starts,
            goals => goals,
        }
    }

    /// Reads one value of every cache line that an answer will need, so that the memory arrives while other agents are
    /// looked at. Returns bits without a meaning, which keep the compiler from leaving the reads out.
    #[inline]
    pub(super) fn touch(&self, start: &RecordPlace, goal: &RecordPlace, shared: u32) -> u32 {
        let blocks = blocks_of(shared);
        let line = |lines: &[Line], place: &RecordPlace| {
            let count = usize::from(place.groups) * (1 + blocks);
            let first = place.first as usize;
            let lines = &lines[first..first + count];
            lines
                .iter()
                .fold(0, |bits, line| bits ^ line.0[0].x.to_bits())
        };
        line(&self.starts, start) ^ line(self.goal_lines(), goal)
    }

    /// Computes the costs of the goal's chain for at least the first `shared` depths.
    #[inline]
    pub(super) fn descend(
        &self,
        goal: &RecordPlace,
        point: Vec3,
        shared: u32,
        chain: &mut GoalChain,
    ) {
        let blocks = blocks_of(shared);
        if chain.known >= blocks {
            return;
        }
        if chain.costs.len() < blocks {
            chain
                .costs
                .resize(self.max_blocks.max(blocks), Vec4::INFINITY);
        }
        let groups = usize::from(goal.groups);
        let (exits, table) = self.goal_lines()[goal.lines()].split_at(groups);
        let table = &table[chain.known * groups..blocks * groups];
        let chain_costs = &mut chain.costs[chain.known..blocks];
        for (group, exits) in exits.iter().enumerate() {
            let [a, b, c, d] = exits.legs(point, goal.factor).to_array();
            for (cost, rows) in chain_costs.iter_mut().zip(table.chunks_exact(groups)) {
                let Line(exits) = &rows[group];
                let best = (exits[0] + a)
                    .min(exits[1] + b)
                    .min((exits[2] + c).min(exits[3] + d));
                *cost = if group == 0 { best } else { cost.min(best) };
            }
        }
        chain.known = blocks;
    }

    /// Calls `visit` with the positions and samples of each group of exits of a polygon, and with the costs from these
    /// exits to the goal of `chain`. The chain must be known to `shared` depths.
    #[inline]
    fn for_each_group(
        &self,
        place: &RecordPlace,
        shared: u32,
        chain: &GoalChain,
        mut visit: impl FnMut(usize, &Line, Vec4),
    ) {
        let Some(last) = shared.checked_sub(1) else {
            return;
        };
        let (last, lane) = (last as usize / LANES, last as usize % LANES);
        let groups = usize::from(place.groups);
        let (exits, table) = self.starts[place.lines()].split_at(groups);
        let (table, chain) = (&table[..(last + 1) * groups], &chain.costs[..=last]);
        for (group, exits) in exits.iter().enumerate() {
            let end = chain[last] + LAST_LANES[lane];
            let [mut a, mut b, mut c, mut d] =
                table[last * groups + group].0.map(|costs| costs + end);
            for (&to_goal, rows) in chain[..last].iter().zip(table.chunks_exact(groups)) {
                let Line(exits) = &rows[group];
                a = a.min(exits[0] + to_goal);
                b = b.min(exits[1] + to_goal);
                c = c.min(exits[2] + to_goal);
                d = d.min(exits[3] + to_goal);
            }
            let rows = Mat4::from_cols(a, b, c, d).transpose();
            let min = (rows.x_axis.min(rows.y_axis)).min(rows.z_axis.min(rows.w_axis));
            visit(group, exits, min);
        }
    }

    /// Returns the best exit from a point of a polygon to the goal of `chain`, other than the sample `except`.
    #[inline]
    pub(super) fn best_exit(
        &self,
        place: &RecordPlace,
        point: Vec3,
        except: SampleId,
        shared: u32,
        chain: &GoalChain,
    ) -> BestExit {
        let mut best = BestExits::new(except);
        self.for_each_group(place, shared, chain, |_, exits, to_goal| {
            best.add(exits, exits.legs(point, place.factor), to_goal);
        });
        best.finish()
    }

    /// Computes the costs from all exits of all polygons to a goal.
    pub(super) fn sweep(&self, goal: PolygonId, point: Vec3) -> GoalSweep {
        let (goal, mut chain) = (self.place(goal), GoalChain::default());
        self.descend(
            &goal,
            point,
            u32::from(goal.blocks) * LANES as u32,
            &mut chain,
        );
        let mut firsts = Vec::with_capacity(self.places.len());
        let mut costs = Vec::new();
        for place in &self.places {
            firsts.push(costs.len() as u32);
            let shared = self.shared(place, &goal);
            costs.resize(costs.len() + usize::from(place.groups), Vec4::INFINITY);
            let first = firsts[firsts.len() - 1] as usize;
            self.for_each_group(place, shared, &chain, |group, _, to_goal| {
                costs[first + group] = to_goal;
            });
        }
        GoalSweep { firsts, costs }
    }

    /// Returns the best exit from a point of a polygon to the goal of a sweep: the same as
    /// [`best_exit`](Self::best_exit) returns for that goal.
    #[inline]
    pub(super) fn best_exit_of_sweep(
        &self,
        polygon: PolygonId,
        point: Vec3,
        except: SampleId,
        sweep: &GoalSweep,
    ) -> BestExit {
        let place = self.place(polygon);
        let exits = &self.starts[place.first as usize..][..usize::from(place.groups)];
        let costs = &sweep.costs[sweep.firsts[polygon.index()] as usize..];
        let mut best = BestExits::new(except);
        for (exits, &to_goal) in exits.iter().zip(costs) {
            best.add(exits, exits.legs(point, place.factor), to_goal);
        }
        best.finish()
    }
}

/// The costs from the exits of all polygons to one goal.
#[derive(Debug)]
pub(super) struct GoalSweep {
    /// The index of the first group of each polygon.
    firsts: Vec<u32>,
    costs: Vec<Vec4>,
}

impl GoalChain {
    /// Forgets the goal and keeps the allocated memory.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.known = 0;
    }
}

/// The best two of the exits that were looked at.
struct BestExits {
    costs: [f32; 2],
    exit: u32,
    /// An exit that does not count.
    except: u32,
}

impl BestExits {
    #[inline]
    fn new(except: SampleId) -> Self {
        Self {
            costs: [f32::INFINITY; 2],
            exit: u32::MAX,
            except: except.0,
        }
    }

    /// Looks at four more exits.
    #[inline]
    fn add(&mut self, exits: &Line, legs: Vec4, to_goal: Vec4) {
        let samples: &[f32; LANES] = exits.0[3].as_ref();
        let excluded = samples.map(|sample| match sample.to_bits() == self.except {
            true => f32::INFINITY,
            false => 0.0,
        });
        let total = legs + to_goal + Vec4::from(excluded);
        let min = total.min_element();
        let is_min = total.cmpeq(Vec4::splat(min));
        let lane = is_min.bitmask().trailing_zeros() as usize % LANES;
        let mut others = total;
        others.as_mut()[lane] = f32::INFINITY;
        let second = others.min_element();
        if min < self.costs[0] {
            self.costs = [min, second.min(self.costs[0])];
            self.exit = exits.sample(lane);
        } else {
            self.costs[1] = self.costs[1].min(min);
        }
    }

    #[inline]
    fn finish(self) -> BestExit {
        let [cost, second] = self.costs;
        let is_found = cost < f32::INFINITY;
        BestExit {
            cost,
            exit: is_found.then_some(SampleId(self.exit)),
            is_tie: is_found && second <= cost + cost * TIE,
        }
    }
}

/// Returns the number of blocks that contain the first `depths` depths.
#[inline]
fn blocks_of(depths: u32) -> usize {
    (depths as usize).div_ceil(LANES)
}

/// Copies positions and arrays into records, in parallel.
fn fill_records(
    places: &[RecordPlace],
    line_count: usize,
    graph: &PortalGraph,
    contraction: &Contraction,
    arrays: &DepthArrays,
) -> Vec<Line> {
    let mut lines = vec![Line::EMPTY; line_count];
    let mut rest = &mut lines[..];
    let mut records = Vec::with_capacity(places.len());
    for (polygon, place) in (0..).map(PolygonId).zip(places) {
        let (record, after) = rest.split_at_mut(place.lines().len());
        records.push((polygon, place, record));
        rest = after;
    }
    records
        .into_par_iter()
        .for_each(|(polygon, place, record)| {
            let groups = usize::from(place.groups);
            let exits = graph.exits(polygon);
            let mut next = exits.clone();
            for line in &mut record[..groups] {
                let group: [_; LANES] = std::array::from_fn(|_| next.next());
                let position = |lane: usize| group[lane].map_or(Vec3::ZERO, |exit| exit.position);
                let sample =
                    |lane: usize| group[lane].map_or(u32::MAX, |exit| exit.step.sample().0);
                *line = Line::of_exits(std::array::from_fn(position), std::array::from_fn(sample));
            }
            let table = &mut record[groups..];
            for (index, exit) in exits.enumerate().take(LANES * groups) {
                let rank = contraction.rank_of(exit.step.sample().0);
                let costs = arrays.of(contraction, rank);
                for (block, &cost) in costs.iter().enumerate() {
                    table[block * groups + index / LANES].0[index % LANES] = cost;
                }
            }
        });
    lines
}
