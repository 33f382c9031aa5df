//! Navigation: from the first common mesh down, one expansion after the other (chapter 4 of the thesis).
//!
//! A path is a stack of steps that have yet to be walked. A step is a mesh and how it is left. A Low Mesh
//! on top of the stack is known for good; a High Mesh is expanded, which is a search among its children,
//! from those that the path can come in by to one that it can leave by, and gives way to what was found.
//! So the path is known from its beginning on, and no farther than it was asked for.
//!
//! The thesis marks starter children and ends in every mesh of a chain. Here the Low Meshes of a mesh are a
//! run, so that "the child where the path comes in" and "a child that borders on the next mesh" are
//! looked up, and nothing is marked.

use super::inner::Distance;
use super::meshes::Joint;
use super::{Crowd, LowGraph, Meshes, NONE, TerrainScratch};
use portolan_core::search::{EpochArray, entry, unpack};

/// Memory of navigations, used again for one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct NavigationScratch {
    /// What is still to be walked, the next step last.
    steps: Vec<Step>,
    /// Low Meshes that the path may go on with: those beyond the joints of the last one.
    comes_in: Vec<u32>,
    labels: EpochArray<ChildLabel>,
    expansions: usize,
}

#[derive(Clone, Copy, Debug)]
struct Step {
    mesh: u32,
    exit: Exit,
}

/// How a mesh is left.
#[derive(Clone, Copy, Debug)]
enum Exit {
    /// Not at all: the goal is within.
    Goal,
    /// By one of these joints; all begin within the mesh.
    Joints { first: u32, end: u32 },
}

/// What a search among the children of a mesh knows of one of them.
#[derive(Clone, Copy, Debug, Default)]
struct ChildLabel {
    cost: f32,
    /// What is left to the goal at least: the heuristic, computed once a search.
    rest: f32,
    /// The child before and the record that leads from it here; [`NONE`] where the search began.
    before: u32,
    record: u32,
}

/// A path that is found while it is walked. Iterates over its triangles.
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
    /// Begins a path from one triangle to another; `None` where there is none, because they are on
    /// different islands. With a crowd, a mesh is more expensive the more agents it holds.
    pub(super) fn navigate<'a>(
        &'a self,
        graph: &'a LowGraph,
        [from, to]: [u32; 2],
        crowd: Option<&'a Crowd>,
        scratch: &'a mut TerrainScratch,
    ) -> Option<Navigation<'a>> {
        let (start, goal) = (self.low(from), self.low(to));
        let mut common = start;
        while !self.holds(common, goal) {
            common = self.parent(common);
        }
        let own = &mut scratch.navigation;
        own.steps.clear();
        own.comes_in.clear();
        own.comes_in.push(start);
        own.expansions = 0;
        let step = Step {
            mesh: common,
            exit: Exit::Goal,
        };
        own.steps.push(step);
        let mut navigation = Navigation {
            graph,
            meshes: self,
            crowd,
            goal,
            scratch,
            cost: 0.0,
            last: NONE,
        };
        // Only the Global Mesh can hold two that are not joined; all others are of one piece.
        if common == self.root() && self.has_global() {
            let step = navigation.scratch.navigation.steps.pop()?;
            navigation.expand(step)?;
        }
        Some(navigation)
    }

    /// Writes the triangles of the whole path from one triangle to another, and returns its cost.
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
        // Meshes that were put together by hand need not be of one piece.
        (navigation.last == ends[1]).then_some(navigation.cost)
    }
}

impl Iterator for Navigation<'_> {
    type Item = u32;

    /// The next triangle: expands until it is known, and no more.
    fn next(&mut self) -> Option<u32> {
        loop {
            let step = self.scratch.navigation.steps.pop()?;
            if (step.mesh as usize) >= self.meshes.low_count() {
                self.expand(step)?;
                continue;
            }
            self.scratch.navigation.comes_in.clear();
            if let Exit::Joints { first, end } = step.exit {
                let joints = &self.meshes.joints()[first as usize..end as usize];
                let beyond = joints.iter().map(|joint| joint.to);
                self.scratch.navigation.comes_in.extend(beyond);
            }
            let triangle = self.meshes.triangle(step.mesh);
            if self.last != NONE {
                self.cost += f64::from(self.graph.between(self.last, triangle).weighted);
            }
            self.last = triangle;
            return Some(triangle);
        }
    }
}

impl Navigation<'_> {
    /// What the path up to the last triangle costs.
    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// How many High Meshes were expanded.
    pub fn expansions(&self) -> usize {
        self.scratch.navigation.expansions
    }

    /// Replaces a High Mesh by the children that lead through it. `None` where none do.
    fn expand(&mut self, step: Step) -> Option<()> {
        self.scratch.navigation.expansions += 1;
        let children = self.meshes.children(step.mesh);
        if let Some(mesh) = self.only_child(step) {
            let exit = self.exit_of(mesh, step.exit);
            self.scratch.navigation.steps.push(Step { mesh, exit });
            return Some(());
        }
        let mut at = self.search(step)?;
        let mut exit = self.exit_of(children[at as usize], step.exit);
        loop {
            let mesh = children[at as usize];
            self.scratch.navigation.steps.push(Step { mesh, exit });
            let label = self.scratch.navigation.labels.known(at as usize);
            if label.before == NONE {
                return Some(());
            }
            let joints = self.meshes.joints_of(label.record as usize);
            exit = Exit::Joints {
                first: joints.start as u32,
                end: joints.end as u32,
            };
            at = label.before;
        }
    }

    /// How a child is left where its parent is left so.
    fn exit_of(&self, child: u32, exit: Exit) -> Exit {
        match exit {
            Exit::Goal => exit,
            Exit::Joints { first, end } => {
                let run = self.meshes.run(child);
                let joints = &self.meshes.joints()[first as usize..end as usize];
                let below = |end: u32| joints.partition_point(|joint: &Joint| joint.from < end);
                Exit::Joints {
                    first: first + below(run.start) as u32,
                    end: first + below(run.end) as u32,
                }
            }
        }
    }

    fn is_last(&self, child: u32, exit: Exit) -> bool {
        match self.exit_of(child, exit) {
            Exit::Goal => self.meshes.holds(child, self.goal),
            Exit::Joints { first, end } => first < end,
        }
    }

    /// The child that the path comes in by, if it can be left by it, too: then there is nothing to search.
    /// Where meshes are pairs that is the rule.
    fn only_child(&self, step: Step) -> Option<u32> {
        let meshes = self.meshes;
        let within = self.scratch.navigation.comes_in.iter();
        let mut within = within.filter(|&&low| meshes.holds(step.mesh, low));
        let children = meshes.children(step.mesh);
        let child = children[meshes.child_with(children, *within.next()?)];
        let is_only = within.all(|&low| meshes.holds(child, low));
        (is_only && self.is_last(child, step.exit)).then_some(child)
    }

    /// A* among the children of a mesh: the place of the last of them.
    fn search(&mut self, step: Step) -> Option<u32> {
        let meshes = self.meshes;
        let children = meshes.children(step.mesh);
        let scratch = &mut *self.scratch;
        scratch.navigation.labels.reset(children.len());
        scratch.heap.clear();
        let target = meshes.extent(self.goal);
        let rest = |child: u32| self.graph.price().least(meshes.extent(child), target);
        for &low in &scratch.navigation.comes_in {
            // Joints lead to a few Low Meshes beyond a step, not all of them into this one.
            if !meshes.holds(step.mesh, low) {
                continue;
            }
            let place = meshes.child_with(children, low);
            let rest = rest(children[place]);
            let first = ChildLabel {
                cost: 0.0,
                rest,
                before: NONE,
                record: NONE,
            };
            scratch.navigation.labels.set(place, first);
            scratch.heap.push(entry(rest, place as u32));
        }
        while let Some(top) = self.scratch.heap.pop() {
            let (key, place) = unpack(top);
            let label = self.scratch.navigation.labels.known(place as usize);
            if key != label.cost + label.rest {
                continue;
            }
            let child = children[place as usize];
            if self.is_last(child, step.exit) {
                return Some(place);
            }
            for (record, neighbour) in meshes.records(child) {
                let sibling = children[neighbour.place as usize];
                let Distance { weighted, .. } = neighbour.distance;
                let crowded = self
                    .crowd
                    .map_or(1.0, |crowd| crowd.factor(meshes, sibling));
                let cost = label.cost + weighted * crowded;
                let scratch = &mut *self.scratch;
                let reached = scratch
                    .navigation
                    .labels
                    .update(neighbour.place as usize, |known| {
                        let rest = match known {
                            None => rest(sibling),
                            Some(known) if cost < known.cost => known.rest,
                            Some(_) => return None,
                        };
                        Some(ChildLabel {
                            cost,
                            rest,
                            before: place,
                            record,
                        })
                    });
                if let Some(ChildLabel { rest, .. }) = reached {
                    scratch.heap.push(entry(cost + rest, neighbour.place));
                }
            }
        }
        None
    }
}
