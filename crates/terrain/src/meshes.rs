//! Low, High and Top Meshes with their neighbour records and joints. Navigation searches this structure.
//!
//! # Joints in linear memory
//! The terrain thesis stores the joints between two neighbouring meshes in the records of both, on every layer.
//! That takes quadratic memory if triangles join a mesh one by one. Here every joint is stored once: of all pairs of
//! meshes that a joint connects, exactly one is a pair of *siblings*, and the joint belongs to their record.
//!
//! Low Meshes are numbered such that those of any mesh form a contiguous range, and the joints of a record are
//! sorted by the Low Mesh they start from. So for any descendant of a mesh, the joints of a record that leave this
//! descendant are contiguous, too.
//!
//! # Distances
//! The distance into a mesh over a joint is the price of the crossing plus the entries on the path up the tree from
//! the Low Mesh beyond the joint to that mesh. In the thesis, updates of reverse records add up to this sum. Here one
//! entry per mesh and one distance per record between siblings are stored. The distance of a record is the minimum
//! over its joints.

mod reprice;

use std::ops::Range;

use super::entry_price::{ChildArc, EntryPrice, EntryPricing, MeshDistance};
use super::merge::MeshTree;
use super::{Extent, LowGraph, NO_TRIANGLE, TerrainError};
use portolan_core::csr::Csr;

/// The id that means "no mesh", for example as the parent of a Top Mesh.
pub const NO_MESH: u32 = u32::MAX;

/// A crossing from one Low Mesh to a neighbouring one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Joint {
    /// The last Low Mesh before the border.
    pub from: u32,
    /// The first Low Mesh beyond the border.
    pub to: u32,
}

/// A neighbour record between siblings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SiblingRecord {
    /// The index of the sibling among the children of the common parent.
    pub(super) sibling: u32,
    /// The index of the first joint. The joints of a record end where those of the next record start.
    pub(super) first_joint: u32,
    /// The distance into the sibling.
    pub(super) distance: MeshDistance,
}

/// All meshes of a terrain. Low Meshes come first, and a parent comes after its children. The last mesh is the
/// root: the Top Mesh or, if there are several, the Global Mesh above them.
///
/// Low Meshes are not numbered like triangles: [`low`](Self::low) and [`triangle`](Self::triangle) convert.
///
/// Invariants: the Low Meshes of a mesh are a contiguous range, and the children of a mesh are sorted by their
/// ranges. The records of a mesh are sorted by sibling, and the joints of a record by `from`, then by `to`.
#[derive(Clone, Debug, PartialEq)]
pub struct Meshes {
    /// Per Low Mesh, its triangle.
    triangles: Vec<u32>,
    /// Per triangle, its Low Mesh.
    lows: Vec<u32>,
    /// Per mesh, its parent, or [`NO_MESH`] for the root.
    parents: Vec<u32>,
    /// Per mesh, its index among the children of its parent.
    child_indices: Vec<u32>,
    /// Per mesh, its bounding box.
    extents: Vec<Extent>,
    /// Per mesh, the entry of its parent through this mesh.
    entries: Vec<MeshDistance>,
    /// Per High Mesh, the range of its Low Meshes.
    low_ranges: Vec<[u32; 2]>,
    /// Per High Mesh, its children.
    children: Csr<u32>,
    /// Per mesh, its neighbour records.
    neighbours: Csr<SiblingRecord>,
    /// The joints of all records, in the order of records.
    joints: Vec<Joint>,
    entry: EntryPrice,
    has_global: bool,
    layers: usize,
}

impl Meshes {
    /// Finds the joints and records of a tree, and computes their prices from the bottom up.
    pub fn new(graph: &LowGraph, tree: &MeshTree, entry: EntryPrice) -> Self {
        let mut meshes = Self::without_prices(graph, tree, entry);
        let mut pricing = EntryPricing::default();
        let mut arcs = Vec::new();
        for high in meshes.low_count() as u32..meshes.len() as u32 {
            meshes.price(graph, high, &mut pricing, &mut arcs);
        }
        meshes
    }

    /// Builds the meshes of a tree with prices from a file: the two lists that [`prices`](Self::prices) returns.
    pub(super) fn with_prices(
        graph: &LowGraph,
        tree: &MeshTree,
        entry: EntryPrice,
        (entries, distances): (Vec<MeshDistance>, Vec<MeshDistance>),
    ) -> Result<Self, TerrainError> {
        let mut meshes = Self::without_prices(graph, tree, entry);
        check_prices("entries", &entries, meshes.len())?;
        let records = meshes.neighbours.values_mut();
        check_prices("distances", &distances, records.len())?;
        for (record, distance) in records.iter_mut().zip(distances) {
            record.distance = distance;
        }
        meshes.entries = entries;
        Ok(meshes)
    }

    /// Returns the entry of each mesh and the distance of each record.
    pub(super) fn prices(&self) -> (&[MeshDistance], Vec<MeshDistance>) {
        let records = self.neighbours.values().iter();
        (
            &self.entries,
            records.map(|record| record.distance).collect(),
        )
    }

    /// Builds everything that does not depend on prices.
    fn without_prices(graph: &LowGraph, tree: &MeshTree, entry: EntryPrice) -> Self {
        let low_count = graph.len();
        let layers = tree.layers();
        let mut parents = tree.parents.clone();
        let tops = parents.iter().filter(|&&parent| parent == NO_MESH).count();
        let has_global = tops > 1 || parents.len() == 1;
        if has_global {
            let global = parents.len() as u32;
            parents
                .iter_mut()
                .filter(|parent| **parent == NO_MESH)
                .for_each(|parent| *parent = global);
            parents.push(NO_MESH);
        }
        let (triangles, children) = renumber_lows(&mut parents, low_count);
        let mut lows = vec![0; low_count];
        for (low, &triangle) in (0..).zip(&triangles) {
            lows[triangle as usize] = low;
        }
        let mut child_indices = vec![0; parents.len()];
        let mut low_ranges = Vec::with_capacity(children.len());
        let mut extents: Vec<Extent> = triangles
            .iter()
            .map(|&triangle| graph.extent(triangle))
            .collect();
        for list in children.iter() {
            for (index, &child) in (0..).zip(list) {
                child_indices[child as usize] = index;
            }
            let of_children = list.iter().map(|&child| extents[child as usize]);
            extents.push(of_children.fold(Extent::EMPTY, Extent::union));
            let range = |&mesh: &u32| match (mesh as usize).checked_sub(low_count) {
                None => [mesh, mesh + 1],
                Some(high) => low_ranges[high],
            };
            let [first, last] =
                [list.first(), list.last()].map(|child| child.map_or([0, 0], range));
            low_ranges.push([first[0], last[1]]);
        }
        let mut meshes = Self {
            triangles,
            lows,
            entries: vec![MeshDistance::default(); parents.len()],
            parents,
            child_indices,
            extents,
            low_ranges,
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

    /// Finds the two siblings that each crossing connects, and creates records and joints.
    fn find_joints(&mut self, graph: &LowGraph) {
        // A parent has a higher id than its children. So the lowest common ancestor of two Low Meshes is the
        // maximum over the lowest common ancestors of consecutive Low Meshes between them. A tree can be very
        // deep, so walking up from both would be slow.
        let ancestors = RangeMaximum::new(self.consecutive_ancestors());
        let mut pairs = Vec::with_capacity(3 * self.low_count());
        for from in 0..self.low_count() as u32 {
            let (neighbours, _) = graph.crossings(self.triangles[from as usize]);
            for triangle in neighbours
                .into_iter()
                .filter(|&triangle| triangle != NO_TRIANGLE)
            {
                let to = self.lows[triangle as usize];
                let high = ancestors.within(from.min(to)..from.max(to));
                let children = self.children(high);
                let [mesh, sibling] =
                    [from, to].map(|low| children[self.child_with(children, low)]);
                pairs.push((
                    mesh,
                    (self.child_indices[sibling as usize], Joint { from, to }),
                ));
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
            let mut records: Vec<SiblingRecord> = Vec::new();
            for &(sibling, joint) in &own {
                if records
                    .last()
                    .is_none_or(|record| record.sibling != sibling)
                {
                    records.push(SiblingRecord {
                        sibling,
                        first_joint: joints.len() as u32,
                        distance: MeshDistance::INFINITE,
                    });
                }
                joints.push(joint);
            }
            self.neighbours.push(records);
        }
        self.joints = joints;
    }

    /// Returns, per Low Mesh, its lowest common ancestor with the next Low Mesh.
    fn consecutive_ancestors(&self) -> Vec<u32> {
        let mut ancestors = vec![0; self.low_count()];
        for high in self.low_count() as u32..self.len() as u32 {
            for &child in self.children(high) {
                // The value at the end of the last child is wrong, but the lowest ancestor that continues beyond
                // it has a higher id and overwrites the value later.
                ancestors[self.low_range(child).end as usize - 1] = high;
            }
        }
        ancestors
    }

    /// Computes the distances of the records between the children of a High Mesh, and the entries of the children.
    /// Returns whether a distance has changed.
    fn price(
        &mut self,
        graph: &LowGraph,
        high: u32,
        pricing: &mut EntryPricing,
        arcs: &mut Vec<ChildArc>,
    ) -> bool {
        arcs.clear();
        let list = self.children.get(high as usize - self.low_count());
        for (from, &child) in (0..).zip(list) {
            for record in self.neighbours.offsets()[child as usize]
                ..self.neighbours.offsets()[child as usize + 1]
            {
                let sibling = list[self.neighbours.values()[record as usize].sibling as usize];
                let joints = self.joints_of(record as usize);
                let distances = self.joints[joints]
                    .iter()
                    .map(|joint| self.distance_over(graph, joint, sibling));
                let distance = distances.fold(MeshDistance::INFINITE, MeshDistance::or_cheaper);
                arcs.push(ChildArc {
                    from,
                    to: self.child_indices[sibling as usize],
                    distance,
                });
            }
        }
        let records = list.iter().flat_map(|&child| {
            let offsets = self.neighbours.offsets();
            offsets[child as usize] as usize..offsets[child as usize + 1] as usize
        });
        let records: Vec<usize> = records.collect();
        let mut has_changed = false;
        for (record, arc) in records.into_iter().zip(&*arcs) {
            let distance = &mut self.neighbours.values_mut()[record].distance;
            has_changed |= *distance != arc.distance;
            *distance = arc.distance;
        }
        if high as usize + 1 == self.len() {
            // The root is never entered.
            return has_changed;
        }
        let entries = &mut self.entries;
        let mut list = list.iter();
        pricing.entries(list.len(), arcs, self.entry, |entry| {
            let child = list.next().expect("one entry per child");
            entries[*child as usize] = entry;
        });
        has_changed
    }

    /// Returns the distance over a joint into a mesh that contains its far end.
    fn distance_over(&self, graph: &LowGraph, joint: &Joint, mesh: u32) -> MeshDistance {
        let [from, to] = [joint.from, joint.to].map(|low| self.triangles[low as usize]);
        let mut distance = graph.between(from, to);
        let mut at = joint.to;
        while at != mesh {
            distance = distance.plus(self.entries[at as usize]);
            at = self.parents[at as usize];
        }
        distance
    }

    /// Returns the number of meshes, the Global Mesh included if there is one.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Returns whether there are no meshes. A terrain always has at least one, so this is always false.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Returns the number of Low Meshes, which is the number of triangles.
    pub fn low_count(&self) -> usize {
        self.triangles.len()
    }

    /// Returns the number of layers from the Low Meshes to the highest Top Mesh, both included. The Global Mesh does
    /// not count.
    pub fn layers(&self) -> usize {
        self.layers
    }

    /// Returns the root, which is the Top Mesh, or the Global Mesh if there are several Top Meshes.
    pub fn root(&self) -> u32 {
        self.len() as u32 - 1
    }

    /// Returns whether there is a Global Mesh. A terrain has one if it consists of several islands, if merging was
    /// stopped early, or if it has only one triangle.
    pub fn has_global(&self) -> bool {
        self.has_global
    }

    /// Returns the Top Meshes.
    pub fn tops(&self) -> Vec<u32> {
        match self.has_global {
            true => self.children(self.root()).to_vec(),
            false => vec![self.root()],
        }
    }

    /// Returns the mesh that contains a Low Mesh in a layer. Layers are counted downwards from the Top Meshes, which are
    /// layer 0. If the branch ends above that layer, this is the Low Mesh itself.
    pub fn in_layer(&self, low: u32, layer: usize) -> u32 {
        let top = |mesh: u32| match self.parent(mesh) {
            NO_MESH => true,
            parent => self.has_global && parent == self.root(),
        };
        // The mesh that is `layer` steps behind the one that climbs to the top.
        let (mut mesh, mut ahead) = (low, low);
        let mut distance = 0;
        while !top(ahead) {
            ahead = self.parent(ahead);
            match distance == layer {
                true => mesh = self.parent(mesh),
                false => distance += 1,
            }
        }
        mesh
    }

    /// Returns the rule for entries.
    pub fn entry_price(&self) -> EntryPrice {
        self.entry
    }

    /// Returns the Low Mesh of a triangle.
    pub fn low(&self, triangle: u32) -> u32 {
        self.lows[triangle as usize]
    }

    /// Returns the triangle of a Low Mesh.
    pub fn triangle(&self, low: u32) -> u32 {
        self.triangles[low as usize]
    }

    /// Returns the parent of a mesh, or [`NO_MESH`] for the root.
    pub fn parent(&self, mesh: u32) -> u32 {
        self.parents[mesh as usize]
    }

    /// Returns the children of a mesh. A Low Mesh has none.
    pub fn children(&self, mesh: u32) -> &[u32] {
        match (mesh as usize).checked_sub(self.low_count()) {
            Some(high) => self.children.get(high),
            None => &[],
        }
    }

    /// Returns the range of Low Meshes that a mesh contains.
    #[inline]
    pub fn low_range(&self, mesh: u32) -> Range<u32> {
        match (mesh as usize).checked_sub(self.low_count()) {
            Some(high) => self.low_ranges[high][0]..self.low_ranges[high][1],
            None => mesh..mesh + 1,
        }
    }

    /// Returns whether a mesh contains a Low Mesh.
    #[inline]
    pub fn contains(&self, mesh: u32, low: u32) -> bool {
        self.low_range(mesh).contains(&low)
    }

    /// Returns the bounding box of a mesh.
    pub fn extent(&self, mesh: u32) -> Extent {
        self.extents[mesh as usize]
    }

    /// Iterates over the siblings that a mesh borders on, with the distance into each and the joints to it.
    pub fn neighbours(&self, mesh: u32) -> impl Iterator<Item = (u32, MeshDistance, &[Joint])> {
        let siblings = match self.parents[mesh as usize] {
            NO_MESH => &[][..],
            parent => self.children(parent),
        };
        let first = self.neighbours.offsets()[mesh as usize] as usize;
        let records = self.neighbours.get(mesh as usize).iter().enumerate();
        records.map(move |(index, record)| {
            let joints = &self.joints[self.joints_of(first + index)];
            (siblings[record.sibling as usize], record.distance, joints)
        })
    }

    /// Returns the joints of all records, in the order of records.
    pub(super) fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Iterates over the records of a mesh, each with its index among all records.
    #[inline]
    pub(super) fn records(&self, mesh: u32) -> impl Iterator<Item = (u32, &SiblingRecord)> {
        let first = self.neighbours.offsets()[mesh as usize];
        (first..).zip(self.neighbours.get(mesh as usize))
    }

    /// Returns the index of the child that contains a Low Mesh.
    #[inline]
    pub(super) fn child_with(&self, children: &[u32], low: u32) -> usize {
        children.partition_point(|&child| self.low_range(child).end <= low)
    }

    /// Returns the range of joints of a record, given its index among all records.
    pub(super) fn joints_of(&self, record: usize) -> Range<usize> {
        let records = self.neighbours.values();
        let end = records
            .get(record + 1)
            .map_or(self.joints.len(), |next| next.first_joint as usize);
        records[record].first_joint as usize..end
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.triangles[..])
            + size_of_val(&self.lows[..])
            + size_of_val(&self.parents[..])
            + size_of_val(&self.child_indices[..])
            + size_of_val(&self.extents[..])
            + size_of_val(&self.entries[..])
            + size_of_val(&self.low_ranges[..])
            + self.children.bytes()
            + self.neighbours.bytes()
            + self.joint_bytes()
    }

    /// Returns the memory of all joints in bytes.
    pub fn joint_bytes(&self) -> usize {
        size_of_val(&self.joints[..])
    }
}

/// A segment tree that returns the maximum of any range of numbers.
struct RangeMaximum(Vec<u32>);

impl RangeMaximum {
    fn new(numbers: Vec<u32>) -> Self {
        let count = numbers.len();
        let mut tree = vec![0; count];
        tree.extend(numbers);
        for node in (1..count).rev() {
            tree[node] = tree[2 * node].max(tree[2 * node + 1]);
        }
        Self(tree)
    }

    fn within(&self, range: Range<u32>) -> u32 {
        let count = self.0.len() / 2;
        let [mut start, mut end] = [range.start, range.end].map(|index| index as usize + count);
        let mut maximum = 0;
        while start < end {
            if start % 2 == 1 {
                maximum = maximum.max(self.0[start]);
                start += 1;
            }
            if end % 2 == 1 {
                end -= 1;
                maximum = maximum.max(self.0[end]);
            }
            (start, end) = (start / 2, end / 2);
        }
        maximum
    }
}

fn check_prices(
    what: &'static str,
    prices: &[MeshDistance],
    expected: usize,
) -> Result<(), TerrainError> {
    let is_price = |price: &f32| (0.0..f32::INFINITY).contains(price);
    let are_prices =
        |&MeshDistance {
             weighted,
             unweighted,
         }: &MeshDistance| { is_price(&weighted) && is_price(&unweighted) };
    if prices.len() == expected && prices.iter().all(are_prices) {
        return Ok(());
    }
    Err(TerrainError::Prices {
        what,
        found: prices.len(),
        expected,
    })
}

/// Renumbers the Low Meshes such that those of each mesh form a contiguous range. Returns the triangle of each Low
/// Mesh and the children of each High Mesh, and updates `parents` to the new numbers.
fn renumber_lows(parents: &mut Vec<u32>, low_count: usize) -> (Vec<u32>, Csr<u32>) {
    let count = parents.len();
    let pairs: Vec<(u32, u32)> = (0..)
        .zip(&*parents)
        .filter(|(_, parent)| **parent != NO_MESH)
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
