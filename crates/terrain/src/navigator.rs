//! The state of a navigation: from the lowest common mesh of start and goal down to triangles, one expansion at a time
//! (chapter 4 of the terrain thesis).
//!
//! The part of a path that has not been walked yet is a stack of steps. A step is a mesh and the joints by which the
//! path leaves it. If the next step is a Low Mesh, it is the next triangle of the path. If it is a High Mesh, it is
//! expanded: a search among its children, from those where the path enters to one where it can leave, replaces the
//! mesh by a sequence of its children. So the path is known only as far as the caller has requested it.
//!
//! The thesis marks the first and the last children of a search in advance. Here the Low Meshes of a mesh are a
//! contiguous range, so binary search finds the child where the path enters and the joints by which it leaves.
//!
//! # Edits
//! A navigator does not borrow the terrain, so the terrain can be edited between two steps. Meshes that have not been
//! expanded yet are always searched with current prices. For the steps that are already known, the navigator compares
//! versions: if a search that led to one of them could find another path now, it starts again from the current triangle.

use super::edit::EditLog;
use super::entry_price::MeshDistance;
use super::meshes::Joint;
use super::{
    Crowd, Extent, LowGraph, Meshes, NO_MESH, Terrain, TerrainEndpoints, TerrainEngineError,
    TerrainScratch,
};
use portolan_core::search::{EpochArray, Heap, entry, unpack};

/// The labels of a search among the children of a mesh.
pub(super) type ChildLabels = EpochArray<ChildLabel>;

/// A path that is found while it is being walked, over a terrain that may change meanwhile. It owns its state: every
/// call borrows the terrain only for its duration. [`Terrain::navigator`] creates it.
///
/// Use a navigator only with the terrain that created it. If another one has a different number of meshes, calls panic.
///
/// ```
/// use portolan_terrain::{
///     HeightMap, Terrain, TerrainEdit, TerrainOptions, TerrainQuery, TerrainScratch, WebOptions,
/// };
///
/// let web = HeightMap::new(9, 9, vec![0.0; 81])?.triangulate(&WebOptions::default(), None)?;
/// let mut terrain = Terrain::build(web, &TerrainOptions::default())?;
/// let mut scratch = TerrainScratch::new();
/// let ends = terrain.locate(&TerrainQuery::new([-0.9, 0.1], [0.9, 0.1])).unwrap();
/// let mut navigator = terrain.navigator(&ends, None, &mut scratch)?.unwrap();
/// let mut walked = Vec::new();
/// while let Some(triangle) = navigator.next(&terrain, None, &mut scratch) {
///     walked.push(triangle);
///     if walked.len() == 3 {
///         // A dam rises somewhere ahead.
///         let dam: Vec<(u32, f32)> = (0..9).map(|row| (row * 9 + 6, 1.0)).collect();
///         terrain.edit(&TerrainEdit { heights: &dam, ..TerrainEdit::default() })?;
///     }
/// }
/// assert_eq!(walked.last(), Some(&ends.goal.triangle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Navigator {
    /// The number of meshes of the terrain.
    mesh_count: usize,
    /// The Low Mesh of the goal.
    goal: u32,
    /// The part of the path that has not been walked yet, the next step last.
    steps: Vec<PathStep>,
    /// The Low Meshes that the path may continue with: those beyond the joints of the last triangle.
    entrances: Vec<u32>,
    /// The last triangle that was returned, or [`NO_MESH`].
    last: u32,
    cost: f64,
    expansions: usize,
    restarts: usize,
    /// The version of the terrain for which the steps are known to be right.
    version: u64,
    /// The bounding box of the goal, which all lower bounds depend on.
    goal_extent: Option<Extent>,
}

/// What [`Navigator::step`] has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NavigationStep {
    /// A High Mesh was replaced by a path through its children.
    Expanded(u32),
    /// The path continues with this triangle.
    Triangle(u32),
    /// The path has ended.
    End,
}

/// A mesh on the path that has not been walked yet.
#[derive(Clone, Copy, Debug)]
struct PathStep {
    mesh: u32,
    exit: MeshExit,
}

/// How a path leaves a mesh.
#[derive(Clone, Copy, Debug)]
enum MeshExit {
    /// The path ends in this mesh, which contains the goal.
    Goal,
    /// The path leaves by one of these joints, all of which start within the mesh.
    Joints { first: u32, end: u32 },
}

/// The label of a child in a search among the children of a mesh.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ChildLabel {
    cost: f32,
    /// Lower bound of the cost to the goal, computed once per search.
    lower_bound: f32,
    /// The index of the child before this one, or [`NO_MESH`] at a start.
    predecessor: u32,
    /// The record from the predecessor to this child, or [`NO_MESH`] at a start.
    record: u32,
}

/// The meshes that a navigator searches, and their prices at the moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchedMeshes<'a> {
    pub(super) graph: &'a LowGraph,
    pub(super) meshes: &'a Meshes,
    pub(super) crowd: Option<&'a Crowd>,
}

/// The buffers of a search among the children of a mesh.
pub(super) struct ChildSearch<'a> {
    pub(super) heap: &'a mut Heap,
    pub(super) labels: &'a mut ChildLabels,
}

impl Terrain {
    /// Starts a [`Navigator`], which finds a path with [`TerrainEngine::Mesh`](super::TerrainEngine::Mesh) while it is
    /// being walked, and notices edits of the terrain. Returns `None` if there is no path. A crowd that was created
    /// for another terrain is an error.
    pub fn navigator(
        &self,
        ends: &TerrainEndpoints,
        crowd: Option<&Crowd>,
        scratch: &mut TerrainScratch,
    ) -> Result<Option<Navigator>, TerrainEngineError> {
        self.check_crowd(crowd)?;
        let Ok(pair) = self.endpoint_triangles(ends) else {
            return Ok(None);
        };
        let mut navigator = Navigator::default();
        let found = navigator.start(self.searched(crowd), pair, scratch.child_search());
        navigator.mark_current(self);
        Ok(found.map(|()| navigator))
    }

    fn searched<'a>(&'a self, crowd: Option<&'a Crowd>) -> SearchedMeshes<'a> {
        SearchedMeshes {
            graph: &self.graph,
            meshes: &self.meshes,
            crowd,
        }
    }
}

impl TerrainScratch {
    fn child_search(&mut self) -> ChildSearch<'_> {
        ChildSearch {
            heap: &mut self.heap,
            labels: &mut self.navigation.labels,
        }
    }
}

impl Navigator {
    /// Expands meshes until the next triangle is known, and returns it. Returns `None` at the end of the path.
    ///
    /// If an edit of the terrain affects the known part of the path, the path is first found again from the current
    /// triangle. A crowd that changes is noticed by later expansions only.
    ///
    /// # Panics
    /// Panics if the navigator was created for a terrain with another number of meshes.
    pub fn next(
        &mut self,
        terrain: &Terrain,
        crowd: Option<&Crowd>,
        scratch: &mut TerrainScratch,
    ) -> Option<u32> {
        loop {
            match self.step(terrain, crowd, scratch) {
                NavigationStep::Expanded(_) => {}
                NavigationStep::Triangle(triangle) => return Some(triangle),
                NavigationStep::End => return None,
            }
        }
    }

    /// Expands one mesh, or returns the next triangle if it is already known. [`next`](Self::next) explains the
    /// reaction to edits.
    ///
    /// # Panics
    /// Panics if the navigator was created for a terrain with another number of meshes.
    pub fn step(
        &mut self,
        terrain: &Terrain,
        crowd: Option<&Crowd>,
        scratch: &mut TerrainScratch,
    ) -> NavigationStep {
        let searched = terrain.searched(crowd);
        assert_eq!(
            self.mesh_count,
            terrain.meshes().len(),
            "the navigator belongs to another terrain"
        );
        if self.version != terrain.edits.version() {
            if !self.is_current(terrain) {
                self.restart(searched, scratch.child_search());
            }
            self.mark_current(terrain);
        }
        self.advance(searched, scratch.child_search())
    }

    /// Returns whether the known part of the path is still what a search finds. This is always true if the terrain was
    /// not edited since the last step.
    pub fn is_current(&self, terrain: &Terrain) -> bool {
        if self.version == terrain.edits.version() {
            return true;
        }
        let meshes = terrain.meshes();
        let log: &EditLog = &terrain.edits;
        let has_changed = |step: &PathStep| {
            let parent = meshes.parent(step.mesh);
            // Before the first expansion, the only step is the common mesh of start and goal, which no search has found.
            // Starting again from there changes nothing.
            parent != NO_MESH && log.has_changed(parent as usize - meshes.low_count(), self.version)
        };
        self.goal_extent == Some(meshes.extent(self.goal)) && !self.steps.iter().any(has_changed)
    }

    /// Iterates over the meshes of the path that has not been walked yet, the next one first. Low Meshes among them are
    /// known triangles.
    pub fn remaining(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().rev().map(|step| step.mesh)
    }

    /// Returns the last triangle that was returned, or `None` before the first one.
    pub fn position(&self) -> Option<u32> {
        Some(self.last).filter(|&last| last != NO_MESH)
    }

    /// Returns whether the goal has been reached.
    pub fn has_arrived(&self, terrain: &Terrain) -> bool {
        self.last == terrain.meshes().triangle(self.goal)
    }

    /// Returns the cost of the walked path. Each crossing counts with its price at the time.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the number of High Meshes that have been expanded.
    pub fn expansions(&self) -> usize {
        self.expansions
    }

    /// Returns how often an edit of the terrain made the navigator find the rest of its path again.
    pub fn restarts(&self) -> usize {
        self.restarts
    }

    fn mark_current(&mut self, terrain: &Terrain) {
        self.version = terrain.edits.version();
        self.goal_extent = Some(terrain.meshes().extent(self.goal));
    }

    /// Starts a path from one triangle to another. Returns `None` if the two are on different islands.
    pub(super) fn start(
        &mut self,
        searched: SearchedMeshes<'_>,
        [from, to]: [u32; 2],
        buffers: ChildSearch<'_>,
    ) -> Option<()> {
        self.mesh_count = searched.meshes.len();
        self.goal = searched.meshes.low(to);
        self.last = NO_MESH;
        self.cost = 0.0;
        self.expansions = 0;
        self.restarts = 0;
        self.plan_from(searched, from, buffers)
    }

    /// Finds the path from the current triangle again.
    fn restart(&mut self, searched: SearchedMeshes<'_>, buffers: ChildSearch<'_>) {
        let from = match self.position() {
            Some(triangle) => triangle,
            None => match self.entrances.first() {
                Some(&low) => searched.meshes.triangle(low),
                None => return,
            },
        };
        self.restarts += 1;
        // Prices change, but not the connections, so there is still a path.
        if self.plan_from(searched, from, buffers).is_none() {
            self.steps.clear();
        }
    }

    fn plan_from(
        &mut self,
        searched: SearchedMeshes<'_>,
        from: u32,
        buffers: ChildSearch<'_>,
    ) -> Option<()> {
        let meshes = searched.meshes;
        let start = meshes.low(from);
        let mut common = start;
        while !meshes.contains(common, self.goal) {
            common = meshes.parent(common);
        }
        self.steps.clear();
        self.entrances.clear();
        self.entrances.push(start);
        let step = PathStep {
            mesh: common,
            exit: MeshExit::Goal,
        };
        // Only the Global Mesh can be disconnected, so only its expansion shows whether there is a path.
        if common == meshes.root() && meshes.has_global() {
            return self.expand(searched, step, buffers);
        }
        self.steps.push(step);
        Some(())
    }

    /// Expands the next step, or walks it if it is a Low Mesh.
    pub(super) fn advance(
        &mut self,
        searched: SearchedMeshes<'_>,
        buffers: ChildSearch<'_>,
    ) -> NavigationStep {
        let meshes = searched.meshes;
        loop {
            let Some(step) = self.steps.pop() else {
                return NavigationStep::End;
            };
            if (step.mesh as usize) >= meshes.low_count() {
                return match self.expand(searched, step, buffers) {
                    Some(()) => NavigationStep::Expanded(step.mesh),
                    None => {
                        self.steps.clear();
                        NavigationStep::End
                    }
                };
            }
            self.entrances.clear();
            if let MeshExit::Joints { first, end } = step.exit {
                let joints = &meshes.joints()[first as usize..end as usize];
                self.entrances.extend(joints.iter().map(|joint| joint.to));
            }
            let triangle = meshes.triangle(step.mesh);
            // After a restart, the path begins with the current triangle.
            if triangle == self.last {
                continue;
            }
            if self.last != NO_MESH {
                self.cost += f64::from(searched.graph.between(self.last, triangle).weighted);
            }
            self.last = triangle;
            return NavigationStep::Triangle(triangle);
        }
    }

    /// Replaces a High Mesh by a path through its children. Returns `None` if there is no such path.
    fn expand(
        &mut self,
        searched: SearchedMeshes<'_>,
        step: PathStep,
        buffers: ChildSearch<'_>,
    ) -> Option<()> {
        self.expansions += 1;
        let meshes = searched.meshes;
        let children = meshes.children(step.mesh);
        if let Some(mesh) = self.only_child(meshes, step) {
            let exit = exit_of(meshes, mesh, step.exit);
            self.steps.push(PathStep { mesh, exit });
            return Some(());
        }
        let labels = buffers.labels;
        let mut index = self.search(searched, step, buffers.heap, labels)?;
        let mut exit = exit_of(meshes, children[index as usize], step.exit);
        loop {
            let mesh = children[index as usize];
            self.steps.push(PathStep { mesh, exit });
            let label = labels.known(index as usize);
            if label.predecessor == NO_MESH {
                return Some(());
            }
            let joints = meshes.joints_of(label.record as usize);
            exit = MeshExit::Joints {
                first: joints.start as u32,
                end: joints.end as u32,
            };
            index = label.predecessor;
        }
    }

    /// Returns whether a path through the parent can end in this child, given the exit of the parent.
    fn is_last(&self, meshes: &Meshes, child: u32, exit: MeshExit) -> bool {
        match exit_of(meshes, child, exit) {
            MeshExit::Goal => meshes.contains(child, self.goal),
            MeshExit::Joints { first, end } => first < end,
        }
    }

    /// Returns the only child by which the path can enter, if the path can also leave by it. Then no search is
    /// necessary. This is the usual case for meshes with two children.
    fn only_child(&self, meshes: &Meshes, step: PathStep) -> Option<u32> {
        let within = self.entrances.iter();
        let mut within = within.filter(|&&low| meshes.contains(step.mesh, low));
        let children = meshes.children(step.mesh);
        let child = children[meshes.child_with(children, *within.next()?)];
        let is_only = within.all(|&low| meshes.contains(child, low));
        (is_only && self.is_last(meshes, child, step.exit)).then_some(child)
    }

    /// Searches the children of a mesh with A*. Returns the index of the last child of the path.
    fn search(
        &self,
        searched: SearchedMeshes<'_>,
        step: PathStep,
        heap: &mut Heap,
        labels: &mut ChildLabels,
    ) -> Option<u32> {
        let SearchedMeshes {
            graph,
            meshes,
            crowd,
        } = searched;
        let children = meshes.children(step.mesh);
        labels.reset(children.len());
        heap.clear();
        let target = meshes.extent(self.goal);
        let price = graph.price();
        let lower_bound = |child: u32| price.lower_bound(meshes.extent(child), target);
        for &low in &self.entrances {
            // Some joints of the last triangle may lead into other meshes.
            if !meshes.contains(step.mesh, low) {
                continue;
            }
            let index = meshes.child_with(children, low);
            let lower_bound = lower_bound(children[index]);
            let first = ChildLabel {
                cost: 0.0,
                lower_bound,
                predecessor: NO_MESH,
                record: NO_MESH,
            };
            labels.set(index, first);
            heap.push(entry(lower_bound, index as u32));
        }
        while let Some(top) = heap.pop() {
            let (key, index) = unpack(top);
            let label = labels.known(index as usize);
            if key != label.cost + label.lower_bound {
                continue;
            }
            let child = children[index as usize];
            if self.is_last(meshes, child, step.exit) {
                return Some(index);
            }
            for (record, neighbour) in meshes.records(child) {
                let sibling = children[neighbour.sibling as usize];
                let MeshDistance { weighted, .. } = neighbour.distance;
                let crowd_factor = crowd.map_or(1.0, |crowd| crowd.factor(meshes, sibling));
                let cost = label.cost + weighted * crowd_factor;
                let relaxed = labels.update(neighbour.sibling as usize, |known| {
                    let lower_bound = match known {
                        None => lower_bound(sibling),
                        Some(known) if cost < known.cost => known.lower_bound,
                        Some(_) => return None,
                    };
                    Some(ChildLabel {
                        cost,
                        lower_bound,
                        predecessor: index,
                        record,
                    })
                });
                if let Some(ChildLabel { lower_bound, .. }) = relaxed {
                    heap.push(entry(cost + lower_bound, neighbour.sibling));
                }
            }
        }
        None
    }
}

/// Returns the exit of a child, given the exit of its parent: the joints of the parent that start within the child.
fn exit_of(meshes: &Meshes, child: u32, exit: MeshExit) -> MeshExit {
    match exit {
        MeshExit::Goal => exit,
        MeshExit::Joints { first, end } => {
            let lows = meshes.low_range(child);
            let joints = &meshes.joints()[first as usize..end as usize];
            let below = |end: u32| joints.partition_point(|joint: &Joint| joint.from < end);
            MeshExit::Joints {
                first: first + below(lows.start) as u32,
                end: first + below(lows.end) as u32,
            }
        }
    }
}
