//! Merging: from Low Meshes to one Top Mesh an island (chapter 5.2 of the thesis).
//!
//! In each iteration every top picks its nearest neighbours, by unit distance: price for plain distance,
//! there and back. Tops that have picked one another become the children of a new top, and so do those that
//! are joined by a chain of such pairs.
//!
//! # Ties
//! Strictly nearest neighbours that picked one another are pairs; chains come of ties. On flat ground
//! everything ties, and the thesis's rule would make one mesh of it, with the cube of its children to pay. So a new
//! mesh is grown from its lowest id, nearest and then lowest ids first, up to a number of children; what is
//! left over starts a mesh of its own.
//!
//! # What it takes
//! Only tops whose neighbourhood has changed pick again: two that have not would have become one
//! before. So an iteration takes as long as what it changes, however many there are.

use super::inner::{Distance, EntryPrice, Inner, Step};
use super::{LowGraph, NONE, TerrainError};

/// How meshes are merged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MergeOptions {
    /// What getting into a mesh adds.
    pub entry: EntryPrice,
    /// Children that a new mesh has at most, where more tie: 2 to 1024, 16 by default.
    pub max_children: usize,
    /// Neighbours tie whose unit distances differ by no more than this share: 0 to 1, and 1e-5 by default, which is
    /// what rounding makes of equal ones. A tenth makes fewer and larger meshes: by all layers paths over
    /// hills get cheaper, and over a cone, whose contour lines are circles, dearer (`portolan terrain report`).
    pub tie: f32,
    /// Iterations after which merging stops, with several Top Meshes left; all by default.
    pub max_iterations: usize,
}

impl Default for MergeOptions {
    fn default() -> Self {
        Self {
            entry: EntryPrice::default(),
            max_children: 16,
            tie: 1e-5,
            max_iterations: usize::MAX,
        }
    }
}

/// Who was merged into what. Low Meshes come first, by triangle; then High Meshes as they were made, so a
/// parent comes after its children.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged {
    /// Per mesh; [`NONE`] for a top.
    pub(super) parents: Vec<u32>,
    pub(super) low_count: usize,
    /// How many meshes there were after each iteration, beginning with none at all.
    steps: Vec<u32>,
}

impl Merged {
    /// Merges until nothing is left to be merged.
    pub fn new(graph: &LowGraph, options: &MergeOptions) -> Self {
        Self::watched(graph, options, |_| ())
    }

    /// The same, telling the number of tops after each iteration.
    pub fn watched(
        graph: &LowGraph,
        options: &MergeOptions,
        mut progress: impl FnMut(usize),
    ) -> Self {
        let mut merging = Merging::new(graph, *options);
        let mut steps = vec![graph.len() as u32];
        let mut tops = graph.len();
        while steps.len() <= options.max_iterations && merging.iterate() {
            let before = *steps.last().expect("a first step");
            let made = merging.parents.len() as u32 - before;
            tops = tops + made as usize - merging.merged;
            steps.push(merging.parents.len() as u32);
            progress(tops);
        }
        Self {
            parents: merging.parents,
            low_count: graph.len(),
            steps,
        }
    }

    /// A tree that was merged elsewhere. Parents come after their children.
    pub(super) fn of_tree(parents: Vec<u32>, low_count: usize) -> Self {
        let steps = vec![low_count as u32];
        Self {
            parents,
            low_count,
            steps,
        }
    }

    /// A tree from a file: of so many Low Meshes, each parent after its children and none without any.
    pub(super) fn from_parents(parents: Vec<u32>, low_count: usize) -> Result<Self, TerrainError> {
        if parents.len() < low_count {
            return Err(TerrainError::Tree(parents.len()));
        }
        let mut has_child = vec![false; parents.len()];
        has_child[..low_count].fill(true);
        for (mesh, &parent) in parents.iter().enumerate() {
            if parent == NONE {
                continue;
            }
            let parent = parent as usize;
            if parent <= mesh || !(low_count..parents.len()).contains(&parent) {
                return Err(TerrainError::Tree(mesh));
            }
            has_child[parent] = true;
        }
        match has_child.iter().position(|has_child| !has_child) {
            Some(mesh) => Err(TerrainError::Tree(mesh)),
            None => Ok(Self::of_tree(parents, low_count)),
        }
    }

    /// Per mesh its parent: Low Meshes first, by triangle; [`NONE`] for a top.
    pub fn parents(&self) -> &[u32] {
        &self.parents
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.parents[..]) + size_of_val(&self.steps[..])
    }

    /// How many iterations there were.
    pub fn iterations(&self) -> usize {
        self.steps.len() - 1
    }

    /// The mesh on top of each triangle after so many iterations.
    ///
    /// # Panics
    /// When there were not so many.
    pub fn tops_after(&self, iterations: usize) -> Vec<u32> {
        let end = self.steps[iterations];
        let mut tops: Vec<u32> = (0..end).collect();
        // Parents come later, so from the end on every parent knows its top already.
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

/// A record of a top: what lies next to it.
#[derive(Clone, Copy, Debug)]
struct Record {
    to: u32,
    distance: Distance,
}

struct Merging {
    options: MergeOptions,
    parents: Vec<u32>,
    /// Per mesh what getting into its parent by it adds.
    entries: Vec<Distance>,
    /// Per mesh its neighbours, by id. Empty once it has a parent.
    records: Vec<Vec<Record>>,
    /// Per mesh the unit distance of its nearest neighbour.
    nearest: Vec<f32>,
    /// Tops that have to pick again, by id.
    changed: Vec<u32>,
    /// How many tops got a parent in the last iteration.
    merged: usize,
    inner: Inner,
}

impl Merging {
    fn new(graph: &LowGraph, options: MergeOptions) -> Self {
        let records = (0..graph.len() as u32).map(|low| {
            let (neighbours, _) = graph.crossings(low);
            let edges = (0..3).filter(|&edge| neighbours[edge] != NONE);
            tidy(edges.map(|edge| Record {
                to: neighbours[edge],
                distance: graph.distance(low, edge),
            }))
        });
        Self {
            options,
            parents: vec![NONE; graph.len()],
            entries: vec![Distance::default(); graph.len()],
            records: records.collect(),
            nearest: vec![f32::INFINITY; graph.len()],
            changed: (0..graph.len() as u32).collect(),
            merged: 0,
            inner: Inner::default(),
        }
    }

    /// One iteration; whether anything was merged.
    fn iterate(&mut self) -> bool {
        self.pick();
        let first = self.parents.len() as u32;
        let groups = self.merge_matches();
        self.merged = groups.iter().map(Vec::len).sum();
        groups.iter().for_each(|group| self.price_entries(group));
        self.pass_records_on(&groups, first);
        !groups.is_empty()
    }

    /// The unit distance to a neighbour, there and back: the same seen from either.
    fn unit(&self, from: u32, record: &Record) -> f32 {
        let back = &self.records[record.to as usize];
        let back = back.binary_search_by_key(&from, |record| record.to);
        let back = back.map_or(Distance::INFINITE, |place| {
            self.records[record.to as usize][place].distance
        });
        let both = if from < record.to {
            record.distance.plus(back)
        } else {
            back.plus(record.distance)
        };
        both.weighted / both.unweighted
    }

    fn pick(&mut self) {
        for place in 0..self.changed.len() {
            let top = self.changed[place];
            let units = self.records[top as usize].iter();
            let units = units.map(|record| self.unit(top, record));
            self.nearest[top as usize] = units.fold(f32::INFINITY, f32::min);
        }
    }

    /// Those that have picked a top which has picked them, nearest first.
    fn picked(&self, top: u32, picked: &mut Vec<(f32, u32)>) {
        picked.clear();
        let most = |top: u32| self.nearest[top as usize] * (1.0 + self.options.tie);
        for record in &self.records[top as usize] {
            let unit = self.unit(top, record);
            if unit <= most(top) && unit <= most(record.to) {
                picked.push((unit, record.to));
            }
        }
        picked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// Tops that get a new parent, each group in the order in which it grew.
    fn merge_matches(&mut self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut picked = Vec::new();
        for place in 0..self.changed.len() {
            let seed = self.changed[place];
            if self.parents[seed as usize] != NONE {
                continue;
            }
            let mut group = vec![seed];
            let mut next = 0;
            while next < group.len() && group.len() < self.options.max_children {
                self.picked(group[next], &mut picked);
                next += 1;
                for &(_, other) in &picked {
                    let is_free = self.parents[other as usize] == NONE && !group.contains(&other);
                    if is_free && group.len() < self.options.max_children {
                        group.push(other);
                    }
                }
            }
            if group.len() > 1 {
                let parent = self.parents.len() as u32;
                self.parents.push(NONE);
                for &child in &group {
                    self.parents[child as usize] = parent;
                }
                groups.push(group);
            }
        }
        groups
    }

    fn price_entries(&mut self, group: &[u32]) {
        let parent = self.parents[group[0] as usize];
        let mut steps = Vec::new();
        for (from, &child) in (0..).zip(group) {
            for record in &self.records[child as usize] {
                if self.parents[record.to as usize] != parent {
                    continue;
                }
                let to = group.iter().position(|&other| other == record.to);
                steps.push(Step {
                    from,
                    to: to.expect("a child of the same parent") as u32,
                    distance: record.distance,
                });
            }
        }
        let entries = &mut self.entries;
        let mut children = group.iter();
        self.inner
            .entries(group.len(), &steps, self.options.entry, |entry| {
                let child = children.next().expect("one entry a child");
                entries[*child as usize] = entry;
            });
    }

    /// Forward records: a new mesh has those of its children. Reverse records: whoever pointed to a child
    /// points to its parent, for the entry on top.
    fn pass_records_on(&mut self, groups: &[Vec<u32>], first: u32) {
        let mut changed = Vec::new();
        for (group, parent) in groups.iter().zip(first..) {
            let all = group
                .iter()
                .flat_map(|&child| &self.records[child as usize]);
            let outside = all.filter(|record| self.parents[record.to as usize] != parent);
            let outside = tidy(outside.map(|record| self.onto_top(record)));
            changed.push(parent);
            let (parents, neighbours) = (&self.parents, outside.iter());
            changed.extend(neighbours.map(|record| record.to).filter(|&to| to < first));
            debug_assert!(
                outside
                    .iter()
                    .all(|record| parents[record.to as usize] == NONE)
            );
            self.records.push(outside);
            self.entries.push(Distance::default());
            self.nearest.push(f32::INFINITY);
        }
        changed.sort_unstable();
        changed.dedup();
        for &top in changed.iter().take_while(|&&top| top < first) {
            let records = self.records[top as usize].iter();
            let records = tidy(records.map(|record| self.onto_top(record)));
            self.records[top as usize] = records;
        }
        for &child in groups.iter().flatten() {
            self.records[child as usize] = Vec::new();
        }
        self.changed = changed;
    }

    /// A record that points to a child of a new mesh, pointing to that mesh.
    fn onto_top(&self, record: &Record) -> Record {
        match self.parents[record.to as usize] {
            NONE => *record,
            parent => Record {
                to: parent,
                distance: record.distance.plus(self.entries[record.to as usize]),
            },
        }
    }
}

/// By id, with the cheapest of several that point to the same mesh.
fn tidy(records: impl Iterator<Item = Record>) -> Vec<Record> {
    let mut records: Vec<Record> = records.collect();
    records.sort_by(|a, b| {
        let by_cost = a.distance.weighted.total_cmp(&b.distance.weighted);
        a.to.cmp(&b.to).then(by_cost)
    });
    records.dedup_by_key(|record| record.to);
    records
}
