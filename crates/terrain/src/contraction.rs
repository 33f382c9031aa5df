//! A contraction hierarchy over Low Meshes. Its queries are exact and need no heap.

use super::orders::{order_by_position, pairs};
use super::{LowGraph, NO_TRIANGLE, TerrainError, TerrainScratch};
use glam::Vec3;
use portolan_core::contraction::{
    Bounds, Contraction, Shortcuts, StraightLineBound, read_sections, write_sections,
};
use portolan_core::sections::{SectionError, SectionReader, SectionWriter};

/// A customizable contraction hierarchy (Dibbelt, Strasser, Wagner 2016) over the triangles of a terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct LowContraction {
    contraction: Contraction,
    shortcuts: Shortcuts,
    /// A lower bound of the price per metre between the [positions](position) of two triangles. It is 0 if there is
    /// no better one.
    cost_per_metre: f32,
}

impl LowContraction {
    /// Contracts the triangles in the given order, which lists the triangle of each rank, the lowest rank first.
    pub(super) fn new(graph: &LowGraph, order: Vec<u32>) -> Result<Self, TerrainError> {
        check_order(&order, graph.len())?;
        let pairs = arcs(graph).map(|(from, to, _)| [from, to]);
        let contraction = Contraction::new(order, pairs);
        let shortcuts = Shortcuts::new(&contraction, arcs(graph));
        Ok(Self::with_bound(contraction, shortcuts, graph).with_estimate())
    }

    /// Adds the positions of triangles and the lowest price per metre. By the triangle inequality, no path costs less
    /// per metre of its straight line than its cheapest crossing per metre between two positions.
    fn with_bound(contraction: Contraction, shortcuts: Shortcuts, graph: &LowGraph) -> Self {
        let per_metre = arcs(graph).map(|(from, to, cost)| {
            let metres = position(graph, from).distance(position(graph, to));
            // Two triangles at the same position make no path longer.
            if metres > 0.0 {
                cost / metres
            } else {
                f32::INFINITY
            }
        });
        let lowest = per_metre.fold(f32::INFINITY, f32::min);
        Self {
            contraction: contraction.with_positions(|triangle| position(graph, triangle)),
            shortcuts,
            // The factor covers the rounding of distances and of sums.
            cost_per_metre: if lowest.is_finite() {
                lowest * (1.0 - 1e-4)
            } else {
                0.0
            },
        }
    }

    /// Learns how much more than that paths usually cost, which makes searches faster.
    fn with_estimate(mut self) -> Self {
        self.shortcuts
            .learn_cost_estimate(&self.contraction, self.cost_per_metre);
        self
    }

    /// Contracts the triangles in an order that follows from their positions.
    pub(super) fn by_position(graph: &LowGraph) -> Self {
        Self::new(graph, order_by_position(graph)).expect("each triangle has one rank")
    }

    /// Adds the sections of the contraction and of its costs to a file.
    pub(super) fn write_sections(&self, file: &mut SectionWriter) {
        write_sections(&self.contraction, &self.shortcuts, file);
    }

    /// Reads the sections of a contraction of this graph. Searches are safe with it, even if it is forged.
    pub(super) fn read_sections(
        file: &mut SectionReader,
        graph: &LowGraph,
    ) -> Result<Self, SectionError> {
        let pairs: Vec<[u32; 2]> = pairs(graph).collect();
        let (contraction, shortcuts) = read_sections(file, graph.len(), pairs.into())?;
        Ok(Self::with_bound(contraction, shortcuts, graph))
    }

    /// Customizes the hierarchy again after prices have changed, for example because of a flood or a new road.
    /// The order and everything else that does not depend on costs stay.
    pub(super) fn reprice(&mut self, graph: &LowGraph) {
        if self.contraction.has_arcs() {
            let shortcuts = Shortcuts::new(&self.contraction, arcs(graph));
            let contraction = self.contraction.clone();
            *self = Self::with_bound(contraction, shortcuts, graph).with_estimate();
        } else {
            // The contraction is from a forged file.
            *self = Self::by_position(graph);
        }
    }

    /// Finds the cheapest path from one triangle to another. Writes its triangles to `path`, start and goal
    /// included, and returns its cost. If no path costs at most `max_cost`, returns `None` and leaves `path` empty.
    /// `graph` must be the graph that was contracted.
    pub(super) fn find(
        &self,
        graph: &LowGraph,
        from: u32,
        to: u32,
        max_cost: f32,
        scratch: &mut TerrainScratch,
        path: &mut Vec<u32>,
    ) -> Option<f32> {
        path.clear();
        let [starts, goals] = [from, to].map(|triangle| std::iter::once((triangle, 0.0)));
        let chains = &mut scratch.chains;
        let visit = |triangle| path.push(triangle);
        let [start, goal] = [from, to].map(|triangle| position(graph, triangle));
        let line = StraightLineBound::new(start, goal, self.cost_per_metre);
        let bounds = Bounds {
            max_cost,
            straight_line: Some(line),
        };
        let found = self
            .shortcuts
            .search(&self.contraction, starts, goals, bounds, chains, visit);
        // Whether the paths of arcs are paths of the graph is not checked when a file is opened. With a forged
        // file, the graph is searched instead.
        let ends = (path.first(), path.last());
        if found.is_some() && (ends != (Some(&from), Some(&to)) || graph.cost(path).is_none()) {
            return graph.astar(from, to, max_cost, scratch, path);
        }
        found
    }

    /// Returns the contracted graph, with its order, arcs and depth.
    pub fn contraction(&self) -> &Contraction {
        &self.contraction
    }

    /// Returns the heap memory in bytes.
    pub fn bytes(&self) -> usize {
        self.contraction.bytes() + self.shortcuts.bytes()
    }
}

/// Returns the centre of a triangle's bounding box. Heights are scaled, so that a metre up or down counts as many metres as
/// it costs at least. That makes straight lines on hills a better bound.
fn position(graph: &LowGraph, triangle: u32) -> Vec3 {
    let extent = graph.extent(triangle);
    let centre = extent.min.midpoint(extent.max);
    centre.with_z(centre.z * graph.price().height_factor())
}

/// Returns an error unless the order contains each triangle exactly once.
fn check_order(order: &[u32], triangles: usize) -> Result<(), TerrainError> {
    let mut is_ranked = vec![false; triangles];
    let has_no_duplicates = order.iter().all(|&triangle| {
        let slot = is_ranked.get_mut(triangle as usize);
        slot.is_some_and(|is_ranked| !std::mem::replace(is_ranked, true))
    });
    if has_no_duplicates && order.len() == triangles {
        return Ok(());
    }
    Err(TerrainError::NotAnOrder {
        found: order.len(),
        expected: triangles,
    })
}

/// Iterates over all crossings as (from, to, cost).
fn arcs(graph: &LowGraph) -> impl Iterator<Item = (u32, u32, f32)> {
    (0..graph.len() as u32).flat_map(|from| {
        let (neighbours, costs) = graph.crossings(from);
        let crossings = neighbours.into_iter().zip(costs);
        crossings
            .filter(|&(to, _)| to != NO_TRIANGLE)
            .map(move |(to, cost)| (from, to, cost))
    })
}
