//! Navigation from the lowest common mesh of start and goal down to triangles, one expansion at a time (chapter 4
//! of the terrain thesis).
//!
//! The part of a path that has not been walked yet is a stack of steps. A step is a mesh and the joints by which the
//! path leaves it. If the next step is a Low Mesh, it is the next triangle of the path. If it is a High Mesh, it is
//! expanded: a search among its children, from those where the path enters to one where it can leave, replaces the
//! mesh by a sequence of its children. So the path is known only as far as the caller has requested it.
//!
//! The thesis marks the first and the last children of a search in advance. Here the Low Meshes of a mesh are a
//! contiguous range, so binary search finds the child where the path enters and the joints by which it leaves.

use super::entry_price::MeshDistance;
use super::meshes::Joint;
use super::{Crowd, LowGraph, Meshes, NO_MESH, TerrainScratch};
use portolan_core::search::{EpochArray, entry, unpack};

/// The buffers of a navigation.
#[derive(Clone, Debug, Default)]
pub(super) struct NavigationScratch {
    /// The part of the path that has not been walked yet, the next step last.
    steps: Vec<PathStep>,
    /// The Low Meshes that the path may continue with: those beyond the joints of the last triangle.
    entrances: Vec<u32>,
    labels: EpochArray<ChildLabel>,
    expansions: usize,
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
struct ChildLabel {
    cost: f32,
    /// Lower bound of the cost to the goal, computed once per search.
    lower_bound: f32,
    /// The index of the child before this one, or [`NO_MESH`] at a start.
    predecessor: u32,
    /// The record from the predecessor to this child, or [`NO_MESH`] at a start.
    record: u32,
}

/// A path that is found while it is being walked. It is an iterator over the triangles of the path, and expands
/// only the meshes that are necessary for the next triangle. [`Terrain::navigate`](super::Terrain::navigate)
/// creates it.
#[derive(Debug)]
pub struct Navigation<'a> {
    graph: &'a LowGraph,
    meshes: &'a Meshes,
    crowd: Option<&'a Crowd>,
    goal: u32,
    scratch: &'a mut TerrainScratch,
    cost: f64,
    last: u32,
}

impl Meshes {
    /// Starts a path from one triangle to another. Returns `None` if the two are on different islands. With a
    /// crowd, the price of entering a mesh rises with the number of agents in it.
    pub(super) fn navigate<'a>(
        &'a self,
        graph: &'a LowGraph,
        [from, to]: [u32; 2],
        crowd: Option<&'a Crowd>,
        scratch: &'a mut TerrainScratch,
    ) -> Option<Navigation<'a>> {
        let (start, goal) = (self.low(from), self.low(to));
        let mut common = start;
        while !self.contains(common, goal) {
            common = self.parent(common);
        }
        let buffers = &mut scratch.navigation;
        buffers.steps.clear();
        buffers.entrances.clear();
        buffers.entrances.push(start);
        buffers.expansions = 0;
        let step = PathStep {
            mesh: common,
            exit: MeshExit::Goal,
        };
        buffers.steps.push(step);
        let mut navigation = Navigation {
            graph,
            meshes: self,
            crowd,
            goal,
            scratch,
            cost: 0.0,
            last: NO_MESH,
        };
        // Only the Global Mesh can be disconnected, so only its expansion shows whether there is a path.
        if common == self.root() && self.has_global() {
            let step = navigation.scratch.navigation.steps.pop()?;
            navigation.expand(step)?;
        }
        Some(navigation)
    }

    /// Finds a complete path from one triangle to another. Writes its triangles and returns its cost.
    pub(super) fn find(
        &self,
        graph: &LowGraph,
        ends: [u32; 2],
        crowd: Option<&Crowd>,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f64> {
        path.clear();
        let mut navigation = self.navigate(graph, ends, crowd, scratch)?;
        path.extend(&mut navigation);
        // A tree from a file can contain disconnected meshes, in which a path ends early.
        (navigation.last == ends[1]).then_some(navigation.cost)
    }
}

impl Iterator for Navigation<'_> {
    type Item = u32;

    /// Expands meshes until the next triangle is known, and returns it.
    fn next(&mut self) -> Option<u32> {
        loop {
            let step = self.scratch.navigation.steps.pop()?;
            if (step.mesh as usize) >= self.meshes.low_count() {
                self.expand(step)?;
                continue;
            }
            self.scratch.navigation.entrances.clear();
            if let MeshExit::Joints { first, end } = step.exit {
                let joints = &self.meshes.joints()[first as usize..end as usize];
                let beyond = joints.iter().map(|joint| joint.to);
                self.scratch.navigation.entrances.extend(beyond);
            }
            let triangle = self.meshes.triangle(step.mesh);
            if self.last != NO_MESH {
                self.cost += f64::from(self.graph.between(self.last, triangle).weighted);
            }
            self.last = triangle;
            return Some(triangle);
        }
    }
}

impl Navigation<'_> {
    /// Returns the cost of the path up to the last triangle that was returned.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Returns the number of High Meshes that have been expanded.
    pub fn expansions(&self) -> usize {
        self.scratch.navigation.expansions
    }

    /// Replaces a High Mesh by a path through its children. Returns `None` if there is no such path.
    fn expand(&mut self, step: PathStep) -> Option<()> {
        self.scratch.navigation.expansions += 1;
        let children = self.meshes.children(step.mesh);
        if let Some(mesh) = self.only_child(step) {
            let exit = self.exit_of(mesh, step.exit);
            self.scratch.navigation.steps.push(PathStep { mesh, exit });
            return Some(());
        }
        let mut index = self.search(step)?;
        let mut exit = self.exit_of(children[index as usize], step.exit);
        loop {
            let mesh = children[index as usize];
            self.scratch.navigation.steps.push(PathStep { mesh, exit });
            let label = self.scratch.navigation.labels.known(index as usize);
            if label.predecessor == NO_MESH {
                return Some(());
            }
            let joints = self.meshes.joints_of(label.record as usize);
            exit = MeshExit::Joints {
                first: joints.start as u32,
                end: joints.end as u32,
            };
            index = label.predecessor;
        }
    }

    /// Returns the exit of a child, given the exit of its parent: the joints of the parent that start within the
    /// child.
    fn exit_of(&self, child: u32, exit: MeshExit) -> MeshExit {
        match exit {
            MeshExit::Goal => exit,
            MeshExit::Joints { first, end } => {
                let lows = self.meshes.low_range(child);
                let joints = &self.meshes.joints()[first as usize..end as usize];
                let below = |end: u32| joints.partition_point(|joint: &Joint| joint.from < end);
                MeshExit::Joints {
                    first: first + below(lows.start) as u32,
                    end: first + below(lows.end) as u32,
                }
            }
        }
    }

    /// Returns whether a path through the parent can end in this child, given the exit of the parent.
    fn is_last(&self, child: u32, exit: MeshExit) -> bool {
        match self.exit_of(child, exit) {
            MeshExit::Goal => self.meshes.contains(child, self.goal),
            MeshExit::Joints { first, end } => first < end,
        }
    }

    /// Returns the only child by which the path can enter, if the path can also leave by it. Then no search is
    /// necessary. This is the usual case for meshes with two children.
    fn only_child(&self, step: PathStep) -> Option<u32> {
        let meshes = self.meshes;
        let within = self.scratch.navigation.entrances.iter();
        let mut within = within.filter(|&&low| meshes.contains(step.mesh, low));
        let children = meshes.children(step.mesh);
        let child = children[meshes.child_with(children, *within.next()?)];
        let is_only = within.all(|&low| meshes.contains(child, low));
        (is_only && self.is_last(child, step.exit)).then_some(child)
    }

    /// Searches the children of a mesh with A*. Returns the index of the last child of the path.
    fn search(&mut self, step: PathStep) -> Option<u32> {
        let meshes = self.meshes;
        let children = meshes.children(step.mesh);
        let scratch = &mut *self.scratch;
        scratch.navigation.labels.reset(children.len());
        scratch.heap.clear();
        let target = meshes.extent(self.goal);
        let price = self.graph.price();
        let lower_bound = |child: u32| price.lower_bound(meshes.extent(child), target);
        for &low in &scratch.navigation.entrances {
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
            scratch.navigation.labels.set(index, first);
            scratch.heap.push(entry(lower_bound, index as u32));
        }
        while let Some(top) = self.scratch.heap.pop() {
            let (key, index) = unpack(top);
            let label = self.scratch.navigation.labels.known(index as usize);
            if key != label.cost + label.lower_bound {
                continue;
            }
            let child = children[index as usize];
            if self.is_last(child, step.exit) {
                return Some(index);
            }
            for (record, neighbour) in meshes.records(child) {
                let sibling = children[neighbour.sibling as usize];
                let MeshDistance { weighted, .. } = neighbour.distance;
                let crowd_factor = self
                    .crowd
                    .map_or(1.0, |crowd| crowd.factor(meshes, sibling));
                let cost = label.cost + weighted * crowd_factor;
                let scratch = &mut *self.scratch;
                let relaxed =
                    scratch
                        .navigation
                        .labels
                        .update(neighbour.sibling as usize, |known| {
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
                    let key = cost + lower_bound;
                    scratch.heap.push(entry(key, neighbour.sibling));
                }
            }
        }
        None
    }
}
