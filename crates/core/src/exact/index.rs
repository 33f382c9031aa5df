//! What an exact query needs: the mesh in plan, the taut graph and, where they are small, its labels.

use std::ops::ControlFlow;

use glam::{DVec2, Vec2, Vec3, Vec3Swizzles};

use super::NONE;
use super::corners::{Wedge, find_corners};
use super::graph::{Node, TautGraph};
use super::labels::NodeLabels;
use super::plan::{PlanMesh, in_plan};
use super::scratch::{ExactScratch, SearchWork};
use super::views::Views;
use super::walk::LineOfSight;
use crate::csr::Csr;
use crate::ids::{LinkId, PolygonId};
use crate::navmesh::{Location, NavMesh};
use crate::profile::Prices;
use crate::query::{Event, Observer};

/// The exact tier of one profile.
#[derive(Clone, Debug)]
pub(crate) struct ExactIndex {
    pub(super) plan: PlanMesh,
    pub(super) graph: TautGraph,
    pub(super) labels: Option<NodeLabels>,
    /// What polygons see, if there are labels.
    pub(super) views: Option<Views>,
    /// The ends of links are the last nodes of the graph: two per link.
    links: Vec<LinkArcs>,
    /// A lower bound on the cost of a path per metre of straight-line distance, in units of the cost of a
    /// metre of ground: 1, or less if a link is cheaper than walking.
    pub(super) link_scale: f64,
    /// The cost of a metre of ground.
    cost_per_metre: f64,
}

/// An open link.
#[derive(Clone, Copy, Debug)]
struct LinkArcs {
    link: LinkId,
    /// The cost of each direction, in metres of ground; infinite if it is closed.
    costs: [f64; 2],
}

/// How exact queries search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExactMethod {
    /// Hub labels of the corners: for levels in which a point sees few corners.
    Labels,
    /// A* over the corners, with what start and goal see found on the way.
    Lazy,
}

impl ExactMethod {
    /// Returns the name in output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Labels => "labels",
            Self::Lazy => "lazy",
        }
    }
}

/// The limits on building an exact tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactLimits {
    /// The maximum number of cones of sight that are followed to find the edges of the taut graph, per
    /// polygon. It limits the build time.
    pub cones_per_polygon: usize,
    /// The maximum number of label entries per polygon. Beyond it, queries search lazily instead.
    pub entries_per_polygon: usize,
}

impl ExactLimits {
    /// No limits.
    pub const NONE: Self = Self {
        cones_per_polygon: usize::MAX,
        entries_per_polygon: usize::MAX,
    };
}

impl Default for ExactLimits {
    /// Returns limits that keep an index small and its build fast.
    fn default() -> Self {
        Self {
            cones_per_polygon: 2000,
            entries_per_polygon: 24,
        }
    }
}

impl ExactLimits {
    /// Returns the maximum number of edges per node for which labels are built. In open worlds corners see many
    /// others; then labels are long, and each end of a query has to read many of them. Graphs with more than 4
    /// edges per node had more label entries than the default limit allows on all maps, so there it would only
    /// take time to find that out.
    fn max_labelled_degree(self) -> usize {
        if self.entries_per_polygon > Self::default().entries_per_polygon {
            6
        } else {
            4
        }
    }
}

/// The reason why a world has no exact tier for a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExactError {
    /// Areas have different costs per metre.
    #[error(
        "its profile gives areas different costs, and exact paths are defined for one cost per metre only"
    )]
    AreaCosts,
    /// A metre of ground costs nothing.
    #[error("its profile makes the ground free, so that all paths cost the same")]
    FreeGround,
    /// Building the tier would take too long.
    #[error("its corners see too much of it")]
    TooLarge,
    /// The progress callback stopped the work.
    #[error("stopped")]
    Stopped,
}

/// The size of an exact tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactSize {
    /// The convex corners of obstacles, and the ends of links.
    pub nodes: usize,
    /// The tangents between them.
    pub edges: usize,
    /// The entries of the hub labels; 0 without labels.
    pub label_entries: usize,
    /// The heap memory. [Units: bytes]
    pub bytes: usize,
}

impl ExactIndex {
    /// Builds the exact tier for a profile.
    pub(crate) fn new(
        mesh: &NavMesh,
        prices: &Prices,
        limits: ExactLimits,
        progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<Self, ExactError> {
        Frame::new(mesh, prices)?.build(limits, progress)
    }

    /// Returns the edges of the taut graph.
    pub(crate) fn tangents(&self) -> impl Iterator<Item = [Vec3; 2]> {
        let TautGraph {
            nodes, adjacent, ..
        } = &self.graph;
        let point = |node: u32| nodes[node as usize].point;
        (0..).zip(adjacent.iter()).flat_map(move |(node, others)| {
            let later = others.iter().filter(move |&&other| other > node);
            later.map(move |&other| [point(node), point(other)])
        })
    }

    /// Returns the method of queries.
    pub(crate) fn method(&self) -> ExactMethod {
        match self.labels {
            Some(_) => ExactMethod::Labels,
            None => ExactMethod::Lazy,
        }
    }

    /// Adds labels, and the views that are used with them.
    pub(super) fn with_labels(self, labels: Option<NodeLabels>, outlines: &Csr<Vec2>) -> Self {
        let views = labels.as_ref();
        let views = views.and_then(|_| Views::new(&self.plan, &self.graph, outlines));
        Self {
            labels,
            views,
            ..self
        }
    }

    /// Drops the labels, so that queries search lazily.
    pub(crate) fn without_labels(self) -> Self {
        Self {
            labels: None,
            views: None,
            ..self
        }
    }

    /// Returns the size.
    pub(crate) fn size(&self) -> ExactSize {
        let labels = self.labels.as_ref();
        ExactSize {
            nodes: self.graph.nodes.len(),
            edges: self.graph.edge_count(),
            label_entries: labels.map_or(0, |labels| labels.entries().values().len()),
            bytes: self.plan.bytes()
                + self.graph.bytes()
                + labels.map_or(0, NodeLabels::bytes)
                + self.views.as_ref().map_or(0, Views::bytes)
                + size_of_val(&self.links[..]),
        }
    }

    /// Finds the cheapest path between two locations, of at most `max_cost`. Returns its cost. Its nodes are in
    /// the scratch, for [`follow`](Self::follow).
    pub(crate) fn search<O: Observer>(
        &self,
        [start, goal]: [Location; 2],
        max_cost: f64,
        scratch: &mut ExactScratch,
        observer: &mut O,
    ) -> Option<f64> {
        observer.observe(Event::Exact);
        let max_length = max_cost / self.cost_per_metre;
        scratch.work = SearchWork::default();
        scratch.path.clear();
        scratch.seen.clear();
        // An observer wants to know how the ends look around.
        let views = self.views.as_ref().filter(|_| !O::WATCHES);
        let polygons = [start, goal].map(|end| end.polygon.0);
        let mut has_nodes = [false; 2];
        for (end, location) in [start, goal].into_iter().enumerate() {
            let other = self.plan.tour[polygons[1 - end] as usize];
            let sight = &mut scratch.ends[end];
            sight.point = in_plan(location.point);
            has_nodes[end] = views.is_some_and(|views| self.view(views, location, other, sight));
            if !has_nodes[end] {
                let touched = &mut sight.touched;
                self.plan.touching(polygons[end], sight.point, touched);
            }
        }
        let [from, to] = &scratch.ends;
        let share_polygon = || {
            let mut touched = from.touched.iter();
            touched.any(|polygon| to.touched.contains(polygon))
        };
        let line = match share_polygon() {
            true => LineOfSight::Free,
            false => self.plan.line_of_sight(&scratch.ends),
        };
        if line != LineOfSight::Blocked {
            has_nodes = [false; 2];
        }
        let is_straight = line == LineOfSight::Free;
        // Nothing is shorter than a straight line, unless a link is cheaper than walking.
        let length = if is_straight && self.link_scale >= 1.0 {
            Some(from.point.distance(to.point)).filter(|&length| length <= max_length)
        } else {
            match &self.labels {
                Some(labels) => self.search_hubs(labels, max_length, has_nodes, scratch, observer),
                None => self.search_lazily(max_length, is_straight, scratch, observer),
            }
        };
        length.map(|length| length * self.cost_per_metre)
    }

    /// Returns whether paths can use links.
    pub(super) fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    /// Returns whether a link starts at a node.
    #[inline(always)]
    pub(super) fn has_link(&self, node: usize) -> bool {
        self.link_from(node).is_some()
    }

    /// Returns the node that a link leads to from a node, and the cost of the link in metres of ground.
    #[inline]
    pub(super) fn link_from(&self, node: usize) -> Option<(usize, f64)> {
        let first = self.graph.nodes.len() - 2 * self.links.len();
        let at = node.checked_sub(first)?;
        let cost = self.links[at / 2].costs[at % 2];
        (cost < f64::INFINITY).then_some((first + (at ^ 1), cost))
    }

    /// Returns the link whose end is at a node, and which end it is.
    pub(super) fn link_end(&self, node: usize) -> Option<(LinkId, usize)> {
        let first = self.graph.nodes.len() - 2 * self.links.len();
        let at = node.checked_sub(first)?;
        Some((self.links[at / 2].link, at % 2))
    }
}

/// The parts of an index that need no search: everything except the edges of the graph and the labels.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(super) plan: PlanMesh,
    pub(super) nodes: Vec<Node>,
    polygon_count: usize,
    links: Vec<LinkArcs>,
    link_scale: f64,
    cost_per_metre: f64,
    /// The corners of each polygon in plan.
    outlines: Csr<Vec2>,
}

impl Frame {
    pub(crate) fn new(mesh: &NavMesh, prices: &Prices) -> Result<Self, ExactError> {
        let cost_per_metre = match prices.uniform_open(mesh) {
            None => return Err(ExactError::AreaCosts),
            Some(0.0) => return Err(ExactError::FreeGround),
            Some(cost) => f64::from(cost),
        };
        let (mut plan, vertices) = PlanMesh::new(mesh, |polygon| prices.allows(mesh, polygon));
        let corners = find_corners(mesh, &mut plan, &vertices);
        let mut polygons = vec![NONE; corners.len()];
        for polygon in mesh.polygons() {
            for side in &plan.sides[plan.sides_of(polygon.0)] {
                for corner in side.corners.into_iter().filter(|&corner| corner != NONE) {
                    polygons[corner as usize] = polygon.0;
                }
            }
        }
        let at_corners = corners.iter().zip(&polygons);
        let mut nodes: Vec<Node> = at_corners
            .map(|(corner, &polygon)| Node::at_corner(corner, polygon))
            .collect();
        let first_stop = nodes.len();
        let mut links = Vec::new();
        let mut link_scale = 1.0f64;
        for (id, link) in (0..).map(LinkId).zip(mesh.links()) {
            let Some(cost) = prices.link_cost(mesh, link) else {
                continue;
            };
            let cost = f64::from(cost) / cost_per_metre;
            let back = if link.both_ways { cost } else { f64::INFINITY };
            links.push(LinkArcs {
                link: id,
                costs: [cost, back],
            });
            let [start, end] = link.ends.map(in_plan);
            let distance = start.distance(end);
            if cost < distance {
                // Lengths are sums, which rounding may leave slightly below their bounds.
                link_scale = link_scale.min(cost / distance * (1.0 - 1e-9));
            }
            for (point, polygon) in link.ends.into_iter().zip(link.polygons) {
                nodes.push(Node {
                    point,
                    wedge: Wedge::STOP,
                    polygon: polygon.0,
                });
            }
        }
        if links.is_empty() {
            plan.close_gates();
        } else {
            let mut stops: Vec<(u32, (u32, DVec2))> = Vec::new();
            let mut touched = Vec::new();
            for (node, stop) in nodes.iter().enumerate().skip(first_stop) {
                let point = in_plan(stop.point);
                plan.touching(stop.polygon, point, &mut touched);
                stops.extend(
                    touched
                        .iter()
                        .map(|&polygon| (polygon, (node as u32, point))),
                );
            }
            plan.stops = Csr::group(mesh.polygon_count(), &stops);
        }
        let mut outlines = Csr::new();
        for polygon in mesh.polygons() {
            outlines.push(mesh.corner_points(polygon).map(|point| point.xz()));
        }
        Ok(Self {
            plan,
            nodes,
            polygon_count: mesh.polygon_count(),
            links,
            link_scale,
            cost_per_metre,
            outlines,
        })
    }

    /// Returns the mean number of tangents at some nodes, which are spread evenly.
    pub(crate) fn mean_tangents(&self, samples: usize) -> f64 {
        TautGraph::mean_degree(&self.plan, &self.nodes, samples)
    }

    /// Returns the number of nodes in the connected component that has most of them.
    pub(crate) fn max_in_component(&self, mesh: &NavMesh) -> usize {
        let components = mesh.components();
        let mut counts = vec![0; components.count()];
        for node in &self.nodes {
            counts[components.of(PolygonId(node.polygon)) as usize] += 1;
        }
        counts.into_iter().max().unwrap_or(0)
    }

    /// Adds the edges of the graph and, if they are within the limits, the labels.
    pub(crate) fn build(
        mut self,
        limits: ExactLimits,
        progress: &(dyn Fn(f32) -> ControlFlow<()> + Sync),
    ) -> Result<ExactIndex, ExactError> {
        let polygons = self.polygon_count;
        let max_cones = limits.cones_per_polygon.saturating_mul(polygons);
        let nodes = std::mem::take(&mut self.nodes);
        let graph = TautGraph::new(&self.plan, nodes, max_cones, progress)?;
        let (mut index, outlines) = self.with_graph(graph);
        let max_edges = limits.max_labelled_degree() * index.graph.nodes.len();
        let is_sparse = index.graph.edge_count() <= max_edges;
        if index.links.is_empty() && is_sparse {
            let max_entries = limits.entries_per_polygon.saturating_mul(polygons);
            let labels = NodeLabels::new(&index.graph, max_entries);
            index = index.with_labels(labels, &outlines);
        }
        Ok(index)
    }

    /// Returns the index without labels, and the corners of each polygon in plan, which labels need.
    pub(super) fn with_graph(self, graph: TautGraph) -> (ExactIndex, Csr<Vec2>) {
        let index = ExactIndex {
            plan: self.plan,
            graph,
            labels: None,
            views: None,
            links: self.links,
            link_scale: self.link_scale,
            cost_per_metre: self.cost_per_metre,
        };
        (index, self.outlines)
    }
}
