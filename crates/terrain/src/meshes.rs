//! The structure that navigation works on: Low, High and Top Meshes with their neighbour records.
//!
//! # Joints, in linear memory
//! The thesis keeps the joints of two neighbours with each of them, layer by layer, which is quadratic where one
//! triangle after the other joins a mesh. But of all the pairs of meshes that a joint lies between, one is
//! that of two *siblings*, and the joint is kept there only. Low Meshes are numbered so that those of a mesh
//! follow one another, and the joints of a record are sorted by where they begin: so the joints that leave
//! any mesh within the record's own, however deep, are a run of them.
//!
//! # Distances
//! Getting into a mesh costs, over one joint, the crossing and the entries of all that lies above the
//! Low Mesh beyond, up to that mesh: that is what the thesis's updates of reverse records add up to, and
//! what it computes anew after a compression. So a mesh keeps its entry, a record between siblings the
//! least over its joints, and no other record is needed.

use std::ops::Range;

use super::inner::{Distance, EntryPrice, Inner, Step};
use super::merge::Merged;
use super::{Extent, LowGraph, NONE, TerrainError};
use portolan_core::csr::Csr;

/// A crossing between two Low Meshes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Joint {
    /// The last Low Mesh before the border.
    pub from: u32,
    /// The first one beyond.
    pub to: u32,
}

/// What a mesh knows of a sibling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Neighbour {
    /// Its place among the children of the common parent.
    pub(super) place: u32,
    /// Where the joints between the two begin; those of the next record follow.
    pub(super) first_joint: u32,
    pub(super) distance: Distance,
}

/// All meshes over some ground. Low Meshes come first; a parent comes after its children, and the last mesh
/// is the root: the Top Mesh or, where there are several, the Global Mesh over them.
///
/// Invariants: the Low Meshes within a mesh are a run, and the children of a mesh are in the order of their
/// runs; the records of a mesh are in the order of their siblings, and their joints by where they begin and end.
#[derive(Clone, Debug, PartialEq)]
pub struct Meshes {
    /// Per Low Mesh its triangle.
    triangles: Vec<u32>,
    /// Per triangle its Low Mesh.
    lows: Vec<u32>,
    /// Per mesh; [`NONE`] at the root.
    parents: Vec<u32>,
    /// Per mesh, its place among the children of its parent.
    places: Vec<u32>,
    extents: Vec<Extent>,
    /// Per mesh what getting into its parent by it adds.
    entries: Vec<Distance>,
    /// Per High Mesh the Low Meshes within.
    runs: Vec<[u32; 2]>,
    /// Per High Mesh.
    children: Csr<u32>,
    /// Per mesh.
    neighbours: Csr<Neighbour>,
    joints: Vec<Joint>,
    entry: EntryPrice,
    has_global: bool,
    layers: usize,
}

impl Meshes {
    /// Prices a tree of meshes, from the lowest up.
    pub fn new(graph: &LowGraph, merged: &Merged, entry: EntryPrice) -> Self {
        let mut meshes = Self::of_shape(graph, merged, entry);
        let mut inner = Inner::default();
        let mut steps = Vec::new();
        for high in meshes.low_count() as u32..meshes.len() as u32 {
            meshes.price(graph, high, &mut inner, &mut steps);
        }
        meshes
    }

    /// The same with prices from a file, as [`prices`](Self::prices) gave them.
    pub(super) fn with_prices(
        graph: &LowGraph,
        merged: &Merged,
        entry: EntryPrice,
        (entries, distances): (Vec<Distance>, Vec<Distance>),
    ) -> Result<Self, TerrainError> {
        let mut meshes = Self::of_shape(graph, merged, entry);
        check_prices("entries", &entries, meshes.len())?;
        let records = meshes.neighbours.values_mut();
        check_prices("distances", &distances, records.len())?;
        for (record, distance) in records.iter_mut().zip(distances) {
            record.distance = distance;
        }
        meshes.entries = entries;
        Ok(meshes)
    }

    /// What getting into the parent of each mesh adds, and what getting from mesh to mesh costs, record by
    /// record.
    pub(super) fn prices(&self) -> (&[Distance], Vec<Distance>) {
        let records = self.neighbours.values().iter();
        (
            &self.entries,
            records.map(|record| record.distance).collect(),
        )
    }

    /// Everything that does not depend on prices.
    fn of_shape(graph: &LowGraph, merged: &Merged, entry: EntryPrice) -> Self {
        let low_count = graph.len();
        let layers = merged.layers();
        let mut parents = merged.parents.clone();
        let tops = parents.iter().filter(|&&parent| parent == NONE).count();
        let has_global = tops > 1 || parents.len() == 1;
        if has_global {
            let global = parents.len() as u32;
            parents
                .iter_mut()
                .filter(|parent| **parent == NONE)
                .for_each(|parent| *parent = global);
            parents.push(NONE);
        }
        let (triangles, children) = runs(&mut parents, low_count);
        let mut lows = vec![0; low_count];
        for (low, &triangle) in (0..).zip(&triangles) {
            lows[triangle as usize] = low;
        }
        let mut places = vec![0; parents.len()];
        let mut spans = Vec::with_capacity(children.len());
        let mut extents: Vec<Extent> = triangles
            .iter()
            .map(|&triangle| graph.extent(triangle))
            .collect();
        for list in children.iter() {
            for (place, &child) in (0..).zip(list) {
                places[child as usize] = place;
            }
            let around = list.iter().map(|&child| extents[child as usize]);
            extents.push(around.fold(Extent::EMPTY, Extent::around));
            let run = |&mesh: &u32| match (mesh as usize).checked_sub(low_count) {
                None => [mesh, mesh + 1],
                Some(high) => spans[high],
            };
            let ends = [list.first(), list.last()].map(|child| child.map_or([0, 0], run));
            spans.push([ends[0][0], ends[1][1]]);
        }
        let mut meshes = Self {
            triangles,
            lows,
            entries: vec![Distance::default(); parents.len()],
            parents,
            places,
            extents,
            runs: spans,
            children,
            neighbours: Csr::new(),
            joints: Vec::new(),
            entry,
            has_global,
            layers,
        };
        meshes.find_joints(graph);
        meshes
    }

    /// Gives every crossing to the two siblings that it lies between.
    fn find_joints(&mut self, graph: &LowGraph) {
        // Parents come after their children: the lowest mesh over two Low Meshes is the highest of those
        // that neighbours between them share. A tree can be very deep, so nobody walks up.
        let shared = Highest::new(self.shared());
        let mut pairs = Vec::with_capacity(3 * self.low_count());
        for from in 0..self.low_count() as u32 {
            let (neighbours, _) = graph.crossings(self.triangles[from as usize]);
            for triangle in neighbours.into_iter().filter(|&triangle| triangle != NONE) {
                let to = self.lows[triangle as usize];
                let high = shared.within(from.min(to)..from.max(to));
                let children = self.children(high);
                let [mesh, sibling] =
                    [from, to].map(|low| children[self.child_with(children, low)]);
                pairs.push((mesh, (self.places[sibling as usize], Joint { from, to })));
            }
        }
        let by_mesh = Csr::group(self.len(), &pairs);
        let mut joints = Vec::with_capacity(pairs.len());
        let mut own = Vec::new();
        for list in by_mesh.iter() {
            own.clear();
            own.extend_from_slice(list);
            own.sort_unstable();
            own.dedup();
            let mut records: Vec<Neighbour> = Vec::new();
            for &(place, joint) in &own {
                if records.last().is_none_or(|record| record.place != place) {
                    records.push(Neighbour {
                        place,
                        first_joint: joints.len() as u32,
                        distance: Distance::INFINITE,
                    });
                }
                joints.push(joint);
            }
            self.neighbours.push(records);
        }
        self.joints = joints;
    }

    /// Per Low Mesh the lowest mesh that it shares with the next one.
    fn shared(&self) -> Vec<u32> {
        let mut shared = vec![0; self.low_count()];
        for high in self.low_count() as u32..self.len() as u32 {
            for &child in self.children(high) {
                // The last child's end is overwritten by whoever goes on beyond it.
                shared[self.run(child).end as usize - 1] = high;
            }
        }
        shared
    }

    /// Prices the records between the children of a High Mesh, and their entries.
    fn price(&mut self, graph: &LowGraph, high: u32, inner: &mut Inner, steps: &mut Vec<Step>) {
        steps.clear();
        let list = self.children.get(high as usize - self.low_count());
        for (from, &child) in (0..).zip(list) {
            for record in self.neighbours.offsets()[child as usize]
                ..self.neighbours.offsets()[child as usize + 1]
            {
                let sibling = list[self.neighbours.values()[record as usize].place as usize];
                let joints = self.joints_of(record as usize);
                let distances = self.joints[joints]
                    .iter()
                    .map(|joint| self.over(graph, joint, sibling));
                let distance = distances.fold(Distance::INFINITE, Distance::or_cheaper);
                steps.push(Step {
                    from,
                    to: self.places[sibling as usize],
                    distance,
                });
            }
        }
        let records = list.iter().flat_map(|&child| {
            let offsets = self.neighbours.offsets();
            offsets[child as usize] as usize..offsets[child as usize + 1] as usize
        });
        let records: Vec<usize> = records.collect();
        for (record, step) in records.into_iter().zip(&*steps) {
            self.neighbours.values_mut()[record].distance = step.distance;
        }
        if high as usize + 1 == self.len() {
            // Nothing gets into the root.
            return;
        }
        let entries = &mut self.entries;
        let mut list = list.iter();
        inner.entries(list.len(), steps, self.entry, |entry| {
            let child = list.next().expect("one entry a child");
            entries[*child as usize] = entry;
        });
    }

    /// What it costs to get over a joint into a mesh that holds its far end.
    fn over(&self, graph: &LowGraph, joint: &Joint, mesh: u32) -> Distance {
        let [from, to] = [joint.from, joint.to].map(|low| self.triangles[low as usize]);
        let mut distance = graph.between(from, to);
        let mut at = joint.to;
        while at != mesh {
            distance = distance.plus(self.entries[at as usize]);
            at = self.parents[at as usize];
        }
        distance
    }

    /// Prices anew what changed crossings of some triangles have a part in: the meshes above them and
    /// above their neighbours.
    pub fn reprice(&mut self, graph: &LowGraph, triangles: &[u32]) {
        let mut above = std::collections::BTreeSet::new();
        for &triangle in triangles {
            let (neighbours, _) = graph.crossings(triangle);
            for triangle in neighbours
                .into_iter()
                .chain([triangle])
                .filter(|&triangle| triangle != NONE)
            {
                let mut at = self.parents[self.lows[triangle as usize] as usize];
                while at != NONE && above.insert(at) {
                    at = self.parents[at as usize];
                }
            }
        }
        let mut inner = Inner::default();
        let mut steps = Vec::new();
        // A parent comes after its children.
        for high in above {
            self.price(graph, high, &mut inner, &mut steps);
        }
    }

    /// How many meshes there are, the Global Mesh counted where there is one.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Never.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// How many of them are Low Meshes.
    pub fn low_count(&self) -> usize {
        self.triangles.len()
    }

    /// Layers from the Low Meshes to the Top Mesh, both counted, the Global Mesh not.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// The Top Mesh, or the Global Mesh over several.
    pub fn root(&self) -> u32 {
        self.len() as u32 - 1
    }

    /// Whether several tops remain, under a Global Mesh: islands, or iterations that were left out.
    pub fn has_global(&self) -> bool {
        self.has_global
    }

    /// The Top Meshes.
    pub fn tops(&self) -> Vec<u32> {
        match self.has_global {
            true => self.children(self.root()).to_vec(),
            false => vec![self.root()],
        }
    }

    /// Which way entries are priced.
    pub fn entry_price(&self) -> EntryPrice {
        self.entry
    }

    /// The Low Mesh of a triangle.
    pub fn low(&self, triangle: u32) -> u32 {
        self.lows[triangle as usize]
    }

    /// The triangle of a Low Mesh.
    pub fn triangle(&self, low: u32) -> u32 {
        self.triangles[low as usize]
    }

    /// The mesh above, or [`NONE`] at the root.
    pub fn parent(&self, mesh: u32) -> u32 {
        self.parents[mesh as usize]
    }

    /// The meshes that a mesh is made of; none for a Low Mesh.
    pub fn children(&self, mesh: u32) -> &[u32] {
        match (mesh as usize).checked_sub(self.low_count()) {
            Some(high) => self.children.get(high),
            None => &[],
        }
    }

    /// The Low Meshes within a mesh.
    #[inline]
    pub fn run(&self, mesh: u32) -> Range<u32> {
        match (mesh as usize).checked_sub(self.low_count()) {
            Some(high) => self.runs[high][0]..self.runs[high][1],
            None => mesh..mesh + 1,
        }
    }

    /// Whether a Low Mesh lies within a mesh.
    #[inline]
    pub fn holds(&self, mesh: u32, low: u32) -> bool {
        self.run(mesh).contains(&low)
    }

    /// The box around a mesh.
    pub fn extent(&self, mesh: u32) -> Extent {
        self.extents[mesh as usize]
    }

    /// The siblings next to a mesh, with what getting into each costs, and the joints in between.
    pub fn neighbours(&self, mesh: u32) -> impl Iterator<Item = (u32, Distance, &[Joint])> {
        let siblings = match self.parents[mesh as usize] {
            NONE => &[][..],
            parent => self.children(parent),
        };
        let first = self.neighbours.offsets()[mesh as usize] as usize;
        let records = self.neighbours.get(mesh as usize).iter().enumerate();
        records.map(move |(index, record)| {
            let joints = &self.joints[self.joints_of(first + index)];
            (siblings[record.place as usize], record.distance, joints)
        })
    }

    /// All joints, those of a record after one another.
    pub(super) fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The records of a mesh, each with its place among all.
    #[inline]
    pub(super) fn records(&self, mesh: u32) -> impl Iterator<Item = (u32, &Neighbour)> {
        let first = self.neighbours.offsets()[mesh as usize];
        (first..).zip(self.neighbours.get(mesh as usize))
    }

    /// The place of the child that holds a Low Mesh.
    #[inline]
    pub(super) fn child_with(&self, children: &[u32], low: u32) -> usize {
        children.partition_point(|&child| self.run(child).end <= low)
    }

    /// The joints of a record, by its place among all records.
    pub(super) fn joints_of(&self, record: usize) -> Range<usize> {
        let records = self.neighbours.values();
        let end = records
            .get(record + 1)
            .map_or(self.joints.len(), |next| next.first_joint as usize);
        records[record].first_joint as usize..end
    }

    /// Bytes on the heap.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.triangles[..])
            + size_of_val(&self.lows[..])
            + size_of_val(&self.parents[..])
            + size_of_val(&self.places[..])
            + size_of_val(&self.extents[..])
            + size_of_val(&self.entries[..])
            + size_of_val(&self.runs[..])
            + self.children.bytes()
            + self.neighbours.bytes()
            + self.joint_bytes()
    }

    /// Bytes of all joints.
    pub fn joint_bytes(&self) -> usize {
        size_of_val(&self.joints[..])
    }
}

/// The highest number of any run: a tree of maxima over pairs, over pairs of these, and so on.
struct Highest(Vec<u32>);

impl Highest {
    fn new(numbers: Vec<u32>) -> Self {
        let count = numbers.len();
        let mut tree = vec![0; count];
        tree.extend(numbers);
        for place in (1..count).rev() {
            tree[place] = tree[2 * place].max(tree[2 * place + 1]);
        }
        Self(tree)
    }

    fn within(&self, run: Range<u32>) -> u32 {
        let count = self.0.len() / 2;
        let [mut start, mut end] = [run.start, run.end].map(|place| place as usize + count);
        let mut highest = 0;
        while start < end {
            if start % 2 == 1 {
                highest = highest.max(self.0[start]);
                start += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                highest = highest.max(self.0[end]);
            }
            (start, end) = (start / 2, end / 2);
        }
        highest
    }
}

fn check_prices(
    what: &'static str,
    prices: &[Distance],
    expected: usize,
) -> Result<(), TerrainError> {
    let is_price = |price: &f32| (0.0..f32::INFINITY).contains(price);
    let are_prices =
        |&Distance {
             weighted,
             unweighted,
         }: &Distance| { is_price(&weighted) && is_price(&unweighted) };
    if prices.len() == expected && prices.iter().all(are_prices) {
        return Ok(());
    }
    Err(TerrainError::Prices {
        what,
        found: prices.len(),
        expected,
    })
}

/// Numbers the Low Meshes so that those of each mesh follow one another: per Low Mesh its triangle, and the
/// children of each High Mesh. Parents are changed to go by the new numbers.
fn runs(parents: &mut Vec<u32>, low_count: usize) -> (Vec<u32>, Csr<u32>) {
    let count = parents.len();
    let pairs: Vec<(u32, u32)> = (0..)
        .zip(&*parents)
        .filter(|(_, parent)| **parent != NONE)
        .map(|(mesh, &parent)| (parent - low_count as u32, mesh))
        .collect();
    let children = Csr::group(count - low_count, &pairs);
    let mut triangles = Vec::with_capacity(low_count);
    let mut stack = vec![count as u32 - 1];
    while let Some(mesh) = stack.pop() {
        match (mesh as usize).checked_sub(low_count) {
            Some(high) => stack.extend(children.get(high).iter().rev()),
            None => triangles.push(mesh),
        }
    }
    let mut lows = vec![0; low_count];
    for (low, &triangle) in (0..).zip(&triangles) {
        lows[triangle as usize] = low;
    }
    let renumber = |mesh: u32| lows.get(mesh as usize).copied().unwrap_or(mesh);
    let mut renumbered = Csr::new();
    for list in children.iter() {
        renumbered.push(list.iter().map(|&mesh| renumber(mesh)));
    }
    let by_triangle = parents[..low_count].to_vec();
    for (parent, &triangle) in parents.iter_mut().zip(&triangles) {
        *parent = by_triangle[triangle as usize];
    }
    (triangles, renumbered)
}
