//! Step 2 of HNA*: connects the start to every inter-edge of its node, and every inter-edge of the goal's
//! node to the goal.

use rayon::prelude::*;

use super::local::NodeSearch;
use super::{ConnectMethod, LevelContext, NodePair};
use crate::geometry::distance;
use crate::graph::DirectedSample;
use crate::hierarchy::Connects;
use crate::ids::SampleId;
use crate::query::{Scratch, Search};
use crate::search::{Heap, SearchLabels};

/// The connections between the start or the goal and the inter-edges of its node.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct NodeConnection {
    /// Per inter-edge of the node, the cost of the connection.
    pub(in crate::query) costs: Vec<f32>,
    /// With one Dijkstra search: its tree.
    pub(super) labels: SearchLabels,
    heap: Heap,
    /// With a table: per inter-edge, the vertex by which the path leaves the start's polygon or enters the
    /// goal's.
    pub(super) access_vertices: Vec<SampleId>,
    /// With one A* per inter-edge: the vertices of all paths, each from the start or goal to the
    /// inter-edge, and the end offset of each path.
    pub(super) paths: Vec<DirectedSample>,
    pub(super) path_ends: Vec<u32>,
    /// The state of the threads that run these A* searches.
    workers: Vec<Worker>,
}

/// The buffers and results of one thread.
#[derive(Clone, Debug, Default)]
struct Worker {
    labels: SearchLabels,
    heap: Heap,
    costs: Vec<f32>,
    path: Vec<DirectedSample>,
    paths: Vec<DirectedSample>,
    path_ends: Vec<u32>,
}

impl Search<'_> {
    /// Fills the connections of start and goal in the scratch.
    pub(super) fn connect(
        &self,
        context: LevelContext<'_>,
        nodes: NodePair,
        connect: ConnectMethod,
        scratch: &mut Scratch,
    ) {
        for (node, connects) in [(nodes.start, Connects::Start), (nodes.goal, Connects::Goal)] {
            let connection = match connects {
                Connects::Start => &mut scratch.from_start,
                Connects::Goal => &mut scratch.to_goal,
            };
            let local = NodeSearch {
                search: self,
                context,
                node,
                connects,
            };
            connection.fill(&local, connect);
        }
    }
}

impl NodeConnection {
    fn fill(&mut self, local: &NodeSearch<'_>, connect: ConnectMethod) {
        self.costs.clear();
        match connect {
            ConnectMethod::Dijkstra => self.by_dijkstra(local),
            ConnectMethod::AStar => self.by_astar(local, 1),
            ConnectMethod::Parallel => self.by_astar(local, rayon::current_num_threads()),
            ConnectMethod::Table => self.by_table(local),
            ConnectMethod::Centres => self.by_centres(local),
        }
    }

    fn by_dijkstra(&mut self, local: &NodeSearch<'_>) {
        local.dijkstra(&mut self.labels, &mut self.heap);
        let costs = local.inter_edges().map(|vertex| self.labels.cost(vertex));
        self.costs.extend(costs);
    }

    /// Runs one A* per inter-edge, split evenly over `threads` threads.
    fn by_astar(&mut self, local: &NodeSearch<'_>, threads: usize) {
        self.paths.clear();
        self.path_ends.clear();
        let count = local.inter_edges().len();
        let chunk = count.div_ceil(threads).max(1);
        let used = count.div_ceil(chunk);
        if self.workers.len() < used {
            self.workers.resize(used, Worker::default());
        }
        let workers = &mut self.workers[..used];
        let work = |(number, worker): (usize, &mut Worker)| {
            let own = local.inter_edges().skip(number * chunk).take(chunk);
            worker.run(local, own);
        };
        match workers {
            [only] => work((0, only)),
            workers => workers.par_iter_mut().enumerate().for_each(work),
        }
        for worker in &self.workers[..used] {
            let before = self.paths.len() as u32;
            self.costs.extend_from_slice(&worker.costs);
            self.paths.extend_from_slice(&worker.paths);
            self.path_ends
                .extend(worker.path_ends.iter().map(|end| before + end));
        }
    }

    fn by_table(&mut self, local: &NodeSearch<'_>) {
        let (search, node) = (local.search, local.node);
        let table = local.table();
        let count = local.inter_edges().len();
        self.costs.resize(count, f32::INFINITY);
        self.access_vertices.clear();
        self.access_vertices.resize(count, SampleId(0));
        let location = local.terminal();
        let factor = search.prices.factor(search.mesh, location.polygon);
        if factor == f32::INFINITY {
            return;
        }
        for exit in search.graph.exits(location.polygon) {
            let vertex = exit.step.sample();
            let leg = distance(location.point, exit.position) * factor;
            let row = table.costs(local.connects, node, table.index_of(node, vertex), count);
            let own = self.costs.iter_mut().zip(&mut self.access_vertices);
            for ((best, access_vertex), &cost) in own.zip(row) {
                let cost = leg + cost;
                if cost < *best {
                    *best = cost;
                    *access_vertex = vertex;
                }
            }
        }
    }

    fn by_centres(&mut self, local: &NodeSearch<'_>) {
        let table = local.table();
        let centres = table.centres().expect("the table has rows of centres");
        let (costs, access_vertices) = centres.row(local.connects, local.terminal().polygon);
        self.costs.extend_from_slice(costs);
        self.access_vertices.clear();
        let access_vertices = access_vertices.map(|index| table.vertex(local.node, index));
        self.access_vertices.extend(
            access_vertices.map(|access_vertex| access_vertex.expect("a vertex of the node")),
        );
    }
}

impl Worker {
    fn run(&mut self, local: &NodeSearch<'_>, inter_edges: impl Iterator<Item = SampleId>) {
        self.costs.clear();
        self.paths.clear();
        self.path_ends.clear();
        for vertex in inter_edges {
            local.astar(vertex, &mut self.labels, &mut self.heap);
            let cost = self.labels.cost(vertex);
            self.costs.push(cost);
            if cost < f32::INFINITY {
                self.labels.trail(Some(vertex), &mut self.path);
                self.paths.extend_from_slice(&self.path);
            }
            self.path_ends.push(self.paths.len() as u32);
        }
    }
}

impl<'a> NodeSearch<'a> {
    /// Returns the vertices of the node's inter-edges.
    fn inter_edges(&self) -> impl ExactSizeIterator<Item = SampleId> + use<'a> {
        let graph = self.context.hierarchy.level(self.context.level);
        let edges = graph.of_node(self.node).iter();
        edges.map(|edge| graph.inter_edge(edge.sample().0).vertex)
    }

    fn table(&self) -> &'a crate::hierarchy::ConnectTable {
        let table = self.context.metric.table(self.context.level);
        table.expect("the caller checked that this level has a table")
    }
}
