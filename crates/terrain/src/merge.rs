//! Merging of Low Meshes into High Meshes, until one Top Mesh per island is left (chapter 5.2 of the terrain
//! thesis).
//!
//! In each iteration, every Top Mesh picks its nearest neighbours as candidates. Near means a low *unit distance*:
//! weighted divided by unweighted distance, over both directions. Two Top Meshes match if they have
//! picked each other. All Top Meshes that are connected by matches become the children of a new Top Mesh.
//!
//! # Ties
//! Without ties, every match is an isolated pair. With ties, many meshes can be connected. On flat ground all
//! distances are equal, and the rule of the thesis would merge everything into one mesh, with a running time cubic
//! in the number of its children. Therefore a new mesh has a maximum number of children. It grows from the mesh
//! with the lowest id, and adds matches by distance, then by id. The remaining meshes start another new mesh.
//!
//! # Running time
//! Only Top Meshes whose neighbourhood has changed pick candidates again: any other two that match would have been
//! merged before. So the time of an iteration depends on the number of changes, not on the number of meshes.

use super::entry_price::{ChildArc, EntryPrice, EntryPricing, MeshDistance};
use super::{LowGraph, NO_MESH, NO_TRIANGLE, TerrainError, UnitDistance};

/// Options for merging meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergeOptions {
    /// The rule for the entry of a mesh. [Default: [`EntryPrice::WorstUnit`]]
    pub entry: EntryPrice,
    /// The maximum number of children of a new mesh. Only ties can merge more than two meshes at once.
    /// [Limits: 2 to 1024] [Default: 16]
    pub max_children: usize,
    /// The relative difference up to which two unit distances count as equal. The default covers rounding errors.
    /// With 0.1 there are fewer and larger meshes; `portolan terrain report` shows what that does to paths.
    /// [Limits: 0 to 1] [Default: 1e-5]
    pub tie: f32,
    /// How the distances in both directions between Top Meshes become one unit distance.
    /// [Default: [`UnitDistance::RatioOfSums`]]
    pub unit: UnitDistance,
    /// The number of iterations after which merging stops, even if several Top Meshes are left on an island.
    /// [Default: no limit]
    pub max_iterations: usize,
}

impl Default for MergeOptions {
    fn default() -> Self {
        Self {
            entry: EntryPrice::default(),
            max_children: 16,
            tie: 1e-5,
            unit: UnitDistance::default(),
            max_iterations: usize::MAX,
        }
    }
}

/// The tree of Low, High and Top Meshes. Low Meshes come first, in the order of triangles. High Meshes follow in
/// the order in which they were created, so a parent comes after its children.
///
/// ```
/// use portolan_terrain::{
///     Compression, HeightMap, LowGraph, MergeOptions, MeshTree, Price, WebOptions,
/// };
///
/// let heights = (0..81).map(|pixel| (pixel % 7) as f32 / 6.0).collect();
/// let web = HeightMap::new(9, 9, heights)?.triangulate(&WebOptions::default(), None)?;
/// let graph = LowGraph::new(&web, &Price::default())?;
/// let tree = MeshTree::new(&graph, &MergeOptions::default());
/// assert!(tree.compressed(4, Compression::Thesis).layers() <= 4);
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeshTree {
    /// Per mesh, its parent, or [`NO_MESH`] for a Top Mesh.
    pub(super) parents: Vec<u32>,
    pub(super) low_count: usize,
    /// The number of meshes before the first iteration and after each iteration.
    mesh_counts: Vec<u32>,
}

impl MeshTree {
    /// Merges Low Meshes until one Top Mesh per island is left, or the maximum number of iterations is reached.
    pub fn new(graph: &LowGraph, options: &MergeOptions) -> Self {
        Self::with_progress(graph, options, |_| ())
    }

    /// Merges like [`new`](Self::new), and calls `progress` with the number of Top Meshes after each iteration.
    pub fn with_progress(
        graph: &LowGraph,
        options: &MergeOptions,
        mut progress: impl FnMut(usize),
    ) -> Self {
        let mut merging = Merging::new(graph, *options);
        let mut mesh_counts = vec![graph.len() as u32];
        let mut tops = graph.len();
        while mesh_counts.len() <= options.max_iterations && merging.iterate() {
            let before = *mesh_counts.last().expect("the count before merging");
            let created = merging.parents.len() as u32 - before;
            tops = tops + created as usize - merging.merged;
            mesh_counts.push(merging.parents.len() as u32);
            progress(tops);
        }
        Self {
            parents: merging.parents,
            low_count: graph.len(),
            mesh_counts,
        }
    }

    /// Creates a tree without iterations. The parents must be valid: see [`from_parts`](Self::from_parts).
    pub(super) fn from_valid_parents(parents: Vec<u32>, low_count: usize) -> Self {
        let mesh_counts = vec![low_count as u32];
        Self {
            parents,
            low_count,
            mesh_counts,
        }
    }

    /// Creates a tree from a file. Returns an error unless every parent is a High Mesh that comes after its children, and
    /// every High Mesh has children. `mesh_counts` must be empty, or ascend from the number of Low Meshes to that of all.
    pub(super) fn from_parts(
        parents: Vec<u32>,
        low_count: usize,
        mesh_counts: Vec<u32>,
    ) -> Result<Self, TerrainError> {
        if parents.len() < low_count {
            return Err(TerrainError::Tree(parents.len()));
        }
        let mut has_child = vec![false; parents.len()];
        has_child[..low_count].fill(true);
        for (mesh, &parent) in parents.iter().enumerate() {
            if parent == NO_MESH {
                continue;
            }
            let parent = parent as usize;
            if parent <= mesh || !(low_count..parents.len()).contains(&parent) {
                return Err(TerrainError::Tree(mesh));
            }
            has_child[parent] = true;
        }
        if let Some(mesh) = has_child.iter().position(|has_child| !has_child) {
            return Err(TerrainError::Tree(mesh));
        }
        let is_complete = mesh_counts.first() == Some(&(low_count as u32))
            && mesh_counts.last() == Some(&(parents.len() as u32))
            && mesh_counts.is_sorted_by(|a, b| a < b);
        match (mesh_counts.is_empty(), is_complete) {
            (true, _) => Ok(Self::from_valid_parents(parents, low_count)),
            (false, true) => Ok(Self {
                parents,
                low_count,
                mesh_counts,
            }),
            (false, false) => Err(TerrainError::Iterations(mesh_counts.len())),
        }
    }

    /// Returns this tree after a number of iterations.
    pub(super) fn after(&self, iterations: usize) -> Result<Self, TerrainError> {
        let Some(&end) = self.mesh_counts.get(iterations) else {
            return Err(TerrainError::NoIteration {
                iteration: iterations,
                iterations: self.iterations(),
            });
        };
        let parents = self.parents[..end as usize].iter();
        let parents = parents.map(|&parent| if parent < end { parent } else { NO_MESH });
        Ok(Self {
            parents: parents.collect(),
            low_count: self.low_count,
            mesh_counts: self.mesh_counts[..=iterations].to_vec(),
        })
    }

    /// Returns the number of meshes before the first iteration and after each iteration.
    pub fn mesh_counts(&self) -> &[u32] {
        &self.mesh_counts
    }

    /// Returns the parent of each mesh, or [`NO_MESH`] for a Top Mesh. Low Meshes come first, in the order of
    /// triangles.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Returns the heap memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.parents[..]) + size_of_val(&self.mesh_counts[..])
    }

    /// Returns the number of iterations. It is 0 for a tree that was compressed.
    pub fn iterations(&self) -> usize {
        self.mesh_counts.len() - 1
    }

    /// Returns the Top Mesh that contains each triangle after a number of iterations.
    ///
    /// # Panics
    /// Panics if `iterations` exceeds [`iterations`](Self::iterations).
    pub fn tops_after(&self, iterations: usize) -> Vec<u32> {
        let end = self.mesh_counts[iterations];
        let mut tops: Vec<u32> = (0..end).collect();
        // Parents come after their children, so the reverse order visits parents first.
        for mesh in (0..end as usize).rev() {
            let parent = self.parents[mesh];
            if parent < end {
                tops[mesh] = tops[parent as usize];
            }
        }
        tops.truncate(self.low_count);
        tops
    }
}

/// A neighbour of a Top Mesh, and the distance to it.
#[derive(Clone, Copy, Debug)]
struct NeighbourRecord {
    to: u32,
    distance: MeshDistance,
}

/// The state between iterations.
struct Merging {
    options: MergeOptions,
    parents: Vec<u32>,
    /// Per mesh, the entry of its parent through this mesh.
    entries: Vec<MeshDistance>,
    /// Per mesh, its neighbours, sorted by id. Empty if the mesh has a parent.
    records: Vec<Vec<NeighbourRecord>>,
    /// Per mesh, the unit distance to its nearest neighbour.
    nearest: Vec<f32>,
    /// Top Meshes that have to pick candidates again, sorted by id.
    changed: Vec<u32>,
    /// The number of Top Meshes that got a parent in the last iteration.
    merged: usize,
    pricing: EntryPricing,
}

impl Merging {
    fn new(graph: &LowGraph, options: MergeOptions) -> Self {
        let records = (0..graph.len() as u32).map(|low| {
            let (neighbours, _) = graph.crossings(low);
            let edges = (0..3).filter(|&edge| neighbours[edge] != NO_TRIANGLE);
            cheapest_by_neighbour(edges.map(|edge| NeighbourRecord {
                to: neighbours[edge],
                distance: graph.distance(low, edge),
            }))
        });
        Self {
            options,
            parents: vec![NO_MESH; graph.len()],
            entries: vec![MeshDistance::default(); graph.len()],
            records: records.collect(),
            nearest: vec![f32::INFINITY; graph.len()],
            changed: (0..graph.len() as u32).collect(),
            merged: 0,
            pricing: EntryPricing::default(),
        }
    }

    /// Runs one iteration and returns whether meshes were merged.
    fn iterate(&mut self) -> bool {
        self.find_nearest();
        let first = self.parents.len() as u32;
        let groups = self.merge_matches();
        self.merged = groups.iter().map(Vec::len).sum();
        groups.iter().for_each(|group| self.price_entries(group));
        self.update_records(&groups, first);
        !groups.is_empty()
    }

    /// Returns the unit distance to a neighbour, over both directions. The sums are computed in the same order for
    /// both meshes, so both get the same result.
    fn unit_distance(&self, from: u32, record: &NeighbourRecord) -> f32 {
        let back = &self.records[record.to as usize];
        let back = back.binary_search_by_key(&from, |record| record.to);
        let back = back.map_or(MeshDistance::INFINITE, |index| {
            self.records[record.to as usize][index].distance
        });
        match from < record.to {
            true => self.options.unit.of(record.distance, back),
            false => self.options.unit.of(back, record.distance),
        }
    }

    /// Updates the unit distance to the nearest neighbour for the Top Meshes that have changed.
    fn find_nearest(&mut self) {
        for index in 0..self.changed.len() {
            let top = self.changed[index];
            let records = self.records[top as usize].iter();
            let distances = records.map(|record| self.unit_distance(top, record));
            self.nearest[top as usize] = distances.fold(f32::INFINITY, f32::min);
        }
    }

    /// Collects the matches of a Top Mesh, the nearest first: the neighbours that it has picked and that have
    /// picked it.
    fn collect_matches(&self, top: u32, matches: &mut Vec<(f32, u32)>) {
        matches.clear();
        let limit = |top: u32| self.nearest[top as usize] * (1.0 + self.options.tie);
        for record in &self.records[top as usize] {
            let distance = self.unit_distance(top, record);
            if distance <= limit(top) && distance <= limit(record.to) {
                matches.push((distance, record.to));
            }
        }
        matches.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Creates the new Top Meshes. Returns the children of each, in the order in which they were added.
    fn merge_matches(&mut self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut matches = Vec::new();
        for index in 0..self.changed.len() {
            let seed = self.changed[index];
            if self.parents[seed as usize] != NO_MESH {
                continue;
            }
            let mut group = vec![seed];
            let mut next = 0;
            while next < group.len() && group.len() < self.options.max_children {
                self.collect_matches(group[next], &mut matches);
                next += 1;
                for &(_, other) in &matches {
                    let is_free =
                        self.parents[other as usize] == NO_MESH && !group.contains(&other);
                    if is_free && group.len() < self.options.max_children {
                        group.push(other);
                    }
                }
            }
            if group.len() > 1 {
                let parent = self.parents.len() as u32;
                self.parents.push(NO_MESH);
                for &child in &group {
                    self.parents[child as usize] = parent;
                }
                groups.push(group);
            }
        }
        groups
    }

    /// Computes the entries of the children of a new mesh.
    fn price_entries(&mut self, group: &[u32]) {
        let parent = self.parents[group[0] as usize];
        let mut arcs = Vec::new();
        for (from, &child) in (0..).zip(group) {
            for record in &self.records[child as usize] {
                if self.parents[record.to as usize] != parent {
                    continue;
                }
                let to = group.iter().position(|&other| other == record.to);
                arcs.push(ChildArc {
                    from,
                    to: to.expect("a child of the same parent") as u32,
                    distance: record.distance,
                });
            }
        }
        let entries = &mut self.entries;
        let mut children = group.iter();
        self.pricing
            .entries(group.len(), &arcs, self.options.entry, |entry| {
                let child = children.next().expect("one entry per child");
                entries[*child as usize] = entry;
            });
    }

    /// Updates the records after merging. A new mesh takes over the records of its children. A record that pointed
    /// to one of these children now points to the new mesh, and its distance grows by the entry of the child.
    /// `first` is the id of the first new mesh.
    fn update_records(&mut self, groups: &[Vec<u32>], first: u32) {
        let mut changed = Vec::new();
        for (group, parent) in groups.iter().zip(first..) {
            let all = group
                .iter()
                .flat_map(|&child| &self.records[child as usize]);
            let outside = all.filter(|record| self.parents[record.to as usize] != parent);
            let outside = cheapest_by_neighbour(outside.map(|record| self.redirect(record)));
            changed.push(parent);
            let (parents, neighbours) = (&self.parents, outside.iter());
            changed.extend(neighbours.map(|record| record.to).filter(|&to| to < first));
            debug_assert!(
                outside
                    .iter()
                    .all(|record| parents[record.to as usize] == NO_MESH)
            );
            self.records.push(outside);
            self.entries.push(MeshDistance::default());
            self.nearest.push(f32::INFINITY);
        }
        changed.sort_unstable();
        changed.dedup();
        for &top in changed.iter().take_while(|&&top| top < first) {
            let records = self.records[top as usize].iter();
            let records = cheapest_by_neighbour(records.map(|record| self.redirect(record)));
            self.records[top as usize] = records;
        }
        for &child in groups.iter().flatten() {
            self.records[child as usize] = Vec::new();
        }
        self.changed = changed;
    }

    /// Redirects a record that points to a child of a new mesh to that mesh.
    fn redirect(&self, record: &NeighbourRecord) -> NeighbourRecord {
        match self.parents[record.to as usize] {
            NO_MESH => *record,
            parent => NeighbourRecord {
                to: parent,
                distance: record.distance.plus(self.entries[record.to as usize]),
            },
        }
    }
}

/// Sorts records by neighbour and keeps the cheapest one per neighbour.
fn cheapest_by_neighbour(records: impl Iterator<Item = NeighbourRecord>) -> Vec<NeighbourRecord> {
    let mut records: Vec<NeighbourRecord> = records.collect();
    records.sort_by(|a, b| {
        let by_cost = a.distance.weighted.total_cmp(&b.distance.weighted);
        a.to.cmp(&b.to).then(by_cost)
    });
    records.dedup_by_key(|record| record.to);
    records
}
