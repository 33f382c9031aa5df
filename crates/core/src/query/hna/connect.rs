//! DirectedSample 2: from the start to every inter-edge of its node, and from those of the goal's to the goal.

use rayon::prelude::*;

use super::local::Local;
use super::{Connecting, NodePair, Storey};
use crate::geometry::distance;
use crate::graph::DirectedSample;
use crate::hierarchy::Connects;
use crate::ids::SampleId;
use crate::query::{Scratch, Search};
use crate::search::{Heap, SearchLabels};

/// What connects start or goal with the inter-edges of its node.
#[derive(Clone, Debug, Default)]
pub(in crate::query) struct Connection {
    /// Per inter-edge of the node.
    pub(super) costs: Vec<f32>,
    /// By one Dijkstra: its tree.
    pub(super) labels: SearchLabels,
    heap: Heap,
    /// By the table: per inter-edge, the vertex by which the polygon is left or entered.
    pub(super) doors: Vec<SampleId>,
    /// By one A* an inter-edge: the vertices of all their paths, from the place to the inter-edge,
    /// and where each path ends.
    pub(super) paths: Vec<DirectedSample>,
    pub(super) path_ends: Vec<u32>,
    /// Of the threads that share these A*.
    workers: Vec<Worker>,
}

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
    pub(super) fn connect(
        &self,
        storey: Storey<'_>,
        nodes: NodePair,
        connect: Connecting,
        scratch: &mut Scratch,
    ) {
        for (node, connects) in [(nodes.start, Connects::Start), (nodes.goal, Connects::Goal)] {
            let connection = match connects {
                Connects::Start => &mut scratch.from_start,
                Connects::Goal => &mut scratch.to_goal,
            };
            let local = Local {
                search: self,
                storey,
                node,
                connects,
            };
            connection.fill(&local, connect);
        }
    }
}

impl Connection {
    fn fill(&mut self, local: &Local<'_>, connect: Connecting) {
        self.costs.clear();
        match connect {
            Connecting::Dijkstra => self.by_dijkstra(local),
            Connecting::AStar => self.by_astar(local, 1),
            Connecting::Parallel => self.by_astar(local, rayon::current_num_threads()),
            Connecting::Table => self.by_table(local),
            Connecting::Centres => self.by_centres(local),
        }
    }

    fn by_dijkstra(&mut self, local: &Local<'_>) {
        local.dijkstra(&mut self.labels, &mut self.heap);
        let costs = local.inter_edges().map(|vertex| self.labels.cost(vertex));
        self.costs.extend(costs);
    }

    /// One A* an inter-edge, one after the other on each of so many threads.
    fn by_astar(&mut self, local: &Local<'_>, threads: usize) {
        self.paths.clear();
        self.path_ends.clear();
        let count = local.inter_edges().len();
        let share = count.div_ceil(threads).max(1);
        let used = count.div_ceil(share);
        if self.workers.len() < used {
            self.workers.resize(used, Worker::default());
        }
        let workers = &mut self.workers[..used];
        let work = |(number, worker): (usize, &mut Worker)| {
            let mine = local.inter_edges().skip(number * share).take(share);
            worker.run(local, mine);
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

    fn by_table(&mut self, local: &Local<'_>) {
        let (search, node) = (local.search, local.node);
        let table = local.table();
        let count = local.inter_edges().len();
        self.costs.resize(count, f32::INFINITY);
        self.doors.clear();
        self.doors.resize(count, SampleId(0));
        let place = local.place();
        let factor = search.prices.factor(search.mesh, place.polygon);
        if factor == f32::INFINITY {
            return;
        }
        for exit in search.graph.exits(place.polygon) {
            let vertex = exit.step.sample();
            let leg = distance(place.point, exit.position) * factor;
            let row = table.costs(local.connects, node, table.index_of(node, vertex), count);
            let mine = self.costs.iter_mut().zip(&mut self.doors);
            for ((best, door), &cost) in mine.zip(row) {
                let cost = leg + cost;
                if cost < *best {
                    *best = cost;
                    *door = vertex;
                }
            }
        }
    }

    fn by_centres(&mut self, local: &Local<'_>) {
        let table = local.table();
        let centres = table.centres().expect("rows of centres");
        let (costs, doors) = centres.row(local.connects, local.place().polygon);
        self.costs.extend_from_slice(costs);
        self.doors.clear();
        let doors = doors.map(|place| table.vertex(local.node, place));
        self.doors
            .extend(doors.map(|door| door.expect("a vertex of the node")));
    }
}

impl Worker {
    fn run(&mut self, local: &Local<'_>, inter_edges: impl Iterator<Item = SampleId>) {
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

impl<'a> Local<'a> {
    /// The vertices of the node's inter-edges.
    fn inter_edges(&self) -> impl ExactSizeIterator<Item = SampleId> + use<'a> {
        let graph = self.storey.hierarchy.level(self.storey.level);
        let edges = graph.of_node(self.node).iter();
        edges.map(|edge| graph.inter_edge(edge.sample().0).vertex)
    }

    fn table(&self) -> &'a crate::hierarchy::ConnectTable {
        let table = self.storey.metric.table(self.storey.level);
        table.expect("a table for this level")
    }
}
