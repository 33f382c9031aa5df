//! Step 2 of HNA*: connects the start to every inter-edge of its node, and every inter-edge of the goal's
//! node to the goal.

use super::local::NodeSearch;
use super::workers::StoredPath;
use super::{ConnectMethod, LevelContext, NodePair};
use crate::geometry::distance;
use crate::hierarchy::Connects;
use crate::ids::{Level, NodeId, SampleId};
use crate::navmesh::Location;
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
    /// With one A* per inter-edge: per inter-edge, where its path is stored.
    pub(super) paths: Vec<StoredPath>,
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
        let local = |node, connects| NodeSearch {
            search: self,
            context,
            node,
            connects,
            terminal: self.connected_location(connects, connect),
        };
        let from_start = local(nodes.start, Connects::Start);
        let to_goal = local(nodes.goal, Connects::Goal);
        let workers = &mut scratch.workers;
        let ends = [
            (&from_start, &mut scratch.from_start),
            (&to_goal, &mut scratch.to_goal),
        ];
        match connect {
            ConnectMethod::AStar => return workers.connect(ends),
            ConnectMethod::Parallel => return workers.connect_in_parallel(ends),
            ConnectMethod::Dijkstra | ConnectMethod::Table | ConnectMethod::Centres => (),
        }
        for (local, connection) in ends {
            connection.costs.clear();
            match context.connect_in(local.node, connect) {
                ConnectMethod::Table => connection.by_table(local),
                ConnectMethod::Centres => connection.by_centres(local),
                _ => connection.by_dijkstra(local),
            }
        }
    }

    /// Returns the location that a search in the node of the start or the goal begins at: with PCCP, the centre of its polygon.
    fn connected_location(&self, connects: Connects, connect: ConnectMethod) -> Location {
        let location = match connects {
            Connects::Start => self.start,
            Connects::Goal => self.goal,
        };
        if connect != ConnectMethod::Centres {
            return location;
        }
        let centre = self.mesh.centre(location.polygon);
        let cost_model = self.graph.options().cost_model;
        Location {
            point: cost_model.cost_position(centre),
            ..location
        }
    }
}

impl LevelContext<'_> {
    /// Returns how the start or the goal is connected to the inter-edges of its node. If costs inside the node have changed at
    /// run time, its table is out of date. One Dijkstra search finds the same costs.
    pub(super) fn connect_in(&self, node: NodeId, connect: ConnectMethod) -> ConnectMethod {
        let needs_table = matches!(connect, ConnectMethod::Table | ConnectMethod::Centres);
        match needs_table && self.metric.has_changed(self.level, node) {
            true => ConnectMethod::Dijkstra,
            false => connect,
        }
    }
}

impl NodeConnection {
    /// Prepares for the costs and paths of `count` inter-edges.
    pub(super) fn expect_paths(&mut self, count: usize) {
        self.costs.clear();
        self.costs.resize(count, f32::INFINITY);
        self.paths.clear();
        self.paths.resize(count, StoredPath::default());
    }

    /// Stores the cost and the path of the inter-edge with this index in the node.
    pub(super) fn store_path(&mut self, index: usize, cost: f32, path: StoredPath) {
        self.costs[index] = cost;
        self.paths[index] = path;
    }

    fn by_dijkstra(&mut self, local: &NodeSearch<'_>) {
        local.dijkstra(&mut self.labels, &mut self.heap);
        let costs = local.inter_edges().map(|vertex| self.labels.cost(vertex));
        self.costs.extend(costs);
    }

    fn by_table(&mut self, local: &NodeSearch<'_>) {
        let (search, node) = (local.search, local.node);
        let table = local.table();
        let count = local.inter_edge_count();
        self.costs.resize(count, f32::INFINITY);
        self.access_vertices.clear();
        self.access_vertices.resize(count, SampleId(0));
        let location = local.terminal;
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
        let (costs, access_vertices) = centres.row(local.connects, local.terminal.polygon);
        self.costs.extend_from_slice(costs);
        self.access_vertices.clear();
        let access_vertices = access_vertices.map(|index| table.vertex(local.node, index));
        self.access_vertices.extend(
            access_vertices.map(|access_vertex| access_vertex.expect("a vertex of the node")),
        );
    }
}

impl<'a> NodeSearch<'a> {
    /// Returns the vertices of the node's inter-edges.
    fn inter_edges(&self) -> impl Iterator<Item = SampleId> + use<'a> {
        let graph = self.context.hierarchy.level(self.context.level);
        let edges = graph.of_node(self.node).iter();
        edges.map(|edge| graph.inter_edge(edge.sample().0).vertex)
    }

    /// Returns the number of the node's inter-edges.
    pub(super) fn inter_edge_count(&self) -> usize {
        let graph = self.context.hierarchy.level(self.context.level);
        graph.of_node(self.node).len()
    }

    /// Returns the vertex of the inter-edge with this index in the node.
    pub(super) fn inter_edge(&self, index: usize) -> SampleId {
        let graph = self.context.hierarchy.level(self.context.level);
        let edge = graph.of_node(self.node)[index];
        graph.inter_edge(edge.sample().0).vertex
    }

    /// Estimates the number of vertices in the node, most of which a search to an inter-edge can settle. The node's
    /// inter-edges of the level below are known, and each stands for the same number of vertices.
    pub(super) fn work_per_search(&self) -> usize {
        let (hierarchy, level) = (self.context.hierarchy, self.context.level);
        let inner = hierarchy.level(level).inner(self.node).len();
        let below = hierarchy.level(Level(level.0 - 1)).inter_edges().len();
        inner * self.search.graph.sample_count() / below.max(1)
    }

    fn table(&self) -> &'a crate::hierarchy::ConnectTable {
        let table = self.context.metric.table(self.context.level);
        table.expect("the caller checked that this level has a table")
    }
}
