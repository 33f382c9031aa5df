//! The arrays of a world in the layout of the kernels: words, in which costs are bits.

use glam::Vec3;
use portolan_core::batch::RecordArrays;
use portolan_core::graph::{Origin, SampleSide};
use portolan_core::hierarchy::{ConnectTable, PathTable};
use portolan_core::navmesh::{Link, Location};
use portolan_core::{Costs, Level, NavMesh, NodeId, Prices, SampleId, World};

use crate::kernels::Params;

/// Stands for infinity, as in `kernels/common.wgsl`.
const FAR: f32 = 1e38;

/// Stands for nothing.
pub(crate) const NONE: u32 = u32::MAX;

/// Returns the bits of a cost.
pub(crate) fn bits(cost: f32) -> u32 {
    match cost == f32::INFINITY {
        true => FAR.to_bits(),
        false => cost.to_bits(),
    }
}

/// Words that grow array by array.
#[derive(Debug, Default)]
pub(crate) struct Words(pub(crate) Vec<u32>);

impl Words {
    /// Starts with a header of `words` words, in which the first words of arrays are stored.
    pub(crate) fn with_header(words: usize) -> Self {
        Self(vec![0; words])
    }

    /// Returns the word where the next array starts.
    fn next(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(NONE)
    }

    /// Appends an array and returns its first word.
    fn push(&mut self, array: impl IntoIterator<Item = u32>) -> u32 {
        let first = self.next();
        self.0.extend(array);
        first
    }

    /// Appends an array and stores its first word in the header.
    pub(crate) fn push_at(&mut self, header: usize, array: impl IntoIterator<Item = u32>) {
        self.0[header] = self.push(array);
    }
}

/// Returns the costs of a link in both directions.
pub(crate) fn link_costs(prices: &Prices, mesh: &NavMesh, link: &Link) -> [u32; 2] {
    let cost = prices.link_cost(mesh, link).unwrap_or(f32::INFINITY);
    let back = if link.both_ways { cost } else { f32::INFINITY };
    [bits(cost), bits(back)]
}

/// Returns the portal graph with the prices of some costs, and the parameters that describe it.
pub(crate) fn graph(world: &World, costs: &Costs) -> (Vec<u32>, Params) {
    let (mesh, graph, prices) = (world.mesh(), world.graph(), costs.prices());
    let mut words = Words::default();
    let point = |point: Vec3| point.to_array().map(f32::to_bits);
    let samples = (0..graph.sample_count()).map(SampleId::new);
    let polygon_on = |sample: SampleId, side: usize| match graph.side(sample, side) {
        SampleSide::Polygon(polygon) => polygon.0,
        SampleSide::Link(..) => NONE,
    };

    let mut offsets = vec![0];
    let mut exits = Vec::new();
    for polygon in mesh.polygons() {
        for sample in graph.samples_of(polygon) {
            let far_side = u32::from(polygon_on(sample, 0) == polygon.0);
            exits.extend(point(graph.position(sample)));
            exits.push(sample.0 << 1 | far_side);
        }
        offsets.push(exits.len() as u32 / 4);
    }
    let links = mesh.links();
    let first_link_end = (graph.sample_count() - 2 * links.len()) as u32;
    let mut params = Params {
        polygons: mesh.polygon_count() as u32,
        samples_count: graph.sample_count() as u32,
        key_range: graph.sample_count().max(1) as u32,
        first_link_end,
        heuristic: prices.heuristic_scale(),
        centres: NONE,
        three: 3,
        ..Params::default()
    };
    params.exit_offsets = words.push(offsets);
    params.exits = words.push(exits);
    params.factors = words.push(
        mesh.polygons()
            .map(|polygon| bits(prices.factor(mesh, polygon))),
    );
    params.samples = words.push(samples.flat_map(|sample| {
        let [x, y, z] = point(graph.position(sample));
        let portal = match graph.origin(sample) {
            Origin::Portal(portal) => portal.0,
            Origin::LinkEnd(..) => NONE,
        };
        [
            x,
            y,
            z,
            polygon_on(sample, 0),
            polygon_on(sample, 1),
            portal,
        ]
    }));
    params.link_costs = words.push(links.iter().flat_map(|link| link_costs(prices, mesh, link)));
    words.push(links.iter().flat_map(|link| link.ends).flat_map(point));
    if graph.options().cost_model == portolan_core::CostModel::Published {
        params.centres = words.push(mesh.polygons().flat_map(|polygon| {
            let location = Location {
                polygon,
                point: Vec3::ZERO,
            };
            point(graph.cost_location(location).point)
        }));
    }
    (words.0, params)
}

/// A level of the hierarchy, and the levels below it, from which paths are unpacked.
pub(crate) struct LevelArrays {
    pub(crate) index: Vec<u32>,
    pub(crate) table: Vec<u32>,
    /// The maximum number of vertices of a node.
    pub(crate) max_vertices: usize,
    pub(crate) inter_edges: usize,
}

/// The words of a level in the header, as in `kernels/hierarchy.wgsl`.
const LEVEL_WORDS: usize = 16;

/// The highest level that a walk can unpack, as in `kernels/hierarchy.wgsl`.
pub(crate) const MAX_LEVEL: u8 = 7;

impl LevelArrays {
    /// Copies a level. The world must have a hierarchy with this level, and the costs its metric without changes at run
    /// time. With `centres`, the level
    /// must have a connect table with rows for centres.
    pub(crate) fn new(world: &World, costs: &Costs, level: Level, centres: bool) -> Option<Self> {
        let metric = costs.metric().filter(|metric| !metric.is_changed())?;
        let hierarchy = world.hierarchy()?;
        let top = usize::from(level.0);
        let mut words = Words::with_header(LEVEL_WORDS * (top + 1));
        for below in 1..=level.0 {
            let header = LEVEL_WORDS * usize::from(below);
            let graph = hierarchy.level(Level(below));
            let nodes = || (0..graph.node_count()).map(NodeId::new);
            words.push_at(
                header,
                graph.inter_edges().iter().flat_map(|edge| {
                    let [a, b] = edge.sides.map(|side| [side.node.0, side.index, side.inner]);
                    [
                        edge.vertex.0,
                        edge.below,
                        a[0],
                        a[1],
                        a[2],
                        b[0],
                        b[1],
                        b[2],
                    ]
                }),
            );
            let offsets = prefix_sums(nodes().map(|node| graph.inner(node).len()));
            words.push_at(header + 4, offsets);
            words.push_at(
                header + 5,
                nodes().flat_map(|node| graph.inner(node).iter().copied()),
            );
            let first_tree = |node| match graph.of_node(node).is_empty() {
                true => 0,
                false => graph.tree_row(node, 0) as u32,
            };
            words.push_at(header + 6, nodes().map(first_tree));
            words.push_at(header + 7, indexes(metric.level_table(Level(below))));
        }
        let header = LEVEL_WORDS * top;
        let graph = hierarchy.level(level);
        let nodes = || (0..graph.node_count()).map(NodeId::new);
        words.push_at(
            header + 1,
            prefix_sums(nodes().map(|node| graph.of_node(node).len())),
        );
        let directed = |node| graph.of_node(node).iter();
        words.push_at(
            header + 2,
            nodes()
                .flat_map(directed)
                .map(|edge| edge.sample().0 << 1 | edge.far_side() as u32),
        );
        let first_cost = |node| match graph.of_node(node).is_empty() {
            true => 0,
            false => graph.row(node, 0) as u32,
        };
        words.push_at(header + 3, nodes().map(first_cost));
        let cells = hierarchy.partition().cell_count();
        words.push_at(
            header + 8,
            (0..cells).map(|cell| hierarchy.partition().node_of(level, cell).0),
        );
        let (intra_edges, ..) = metric.level_table(level).arrays();
        let mut table = Words::default();
        table.push(intra_edges.iter().map(|&cost| bits(cost)));
        if centres {
            push_centres(&mut words, &mut table, header, metric.table(level)?)?;
        }
        Some(Self {
            max_vertices: max_vertices(world, level),
            inter_edges: graph.inter_edges().len(),
            index: words.0,
            table: table.0,
        })
    }
}

/// Appends the rows of PCCP.
fn push_centres(
    words: &mut Words,
    table: &mut Words,
    header: usize,
    connect: &ConnectTable,
) -> Option<()> {
    let starts =
        |starts: &[u64]| -> Vec<u32> { starts.iter().map(|&start| start as u32).collect() };
    words.push_at(header + 9, starts(connect.centre_row_starts()?));
    words.push_at(header + 10, starts(connect.row_starts()));
    let vertices = connect.vertices();
    words.push_at(header + 11, vertices.offsets().iter().copied());
    words.push_at(header + 12, vertices.values().iter().copied());
    // The paths from vertices, the paths to vertices if they differ, and the same for centres.
    let paths: Vec<&PathTable> = connect.arrays().collect();
    let directions = paths.len() / 2;
    for direction in 0..2 {
        let direction_or_only = direction.min(directions - 1);
        let vertex_paths = paths[direction_or_only];
        let centre_paths = paths[directions + direction_or_only];
        let (costs, ..) = centre_paths.arrays();
        let firsts = [
            table.push(costs.iter().map(|&cost| bits(cost))),
            table.push(indexes(centre_paths)),
            table.push(indexes(vertex_paths)),
        ];
        words.push_at(header + 13 + direction, firsts);
    }
    Some(())
}

/// Returns the maximum number of vertices that a node of a level contains or touches.
fn max_vertices(world: &World, level: Level) -> usize {
    let Some(hierarchy) = world.hierarchy() else {
        return 0;
    };
    let mut counts = vec![0; hierarchy.level(level).node_count()];
    for vertex in hierarchy.level(Level(0)).inter_edges() {
        for side in vertex.sides {
            let node = hierarchy.partition().node_of(level, side.node.index());
            counts[node.index()] += 1;
        }
    }
    counts.into_iter().max().unwrap_or(0)
}

fn indexes(paths: &PathTable) -> Vec<u32> {
    let (_, narrow, wide) = paths.arrays();
    match narrow.is_empty() {
        true => wide.to_vec(),
        false => narrow.iter().copied().map(u32::from).collect(),
    }
}

fn prefix_sums(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut sums = vec![0];
    let mut sum = 0;
    sums.extend(lengths.map(|length| {
        sum += length as u32;
        sum
    }));
    sums
}

/// Labels and portals.
pub(crate) struct LabelWords {
    pub(crate) index: Vec<u32>,
    pub(crate) table: Vec<u32>,
    pub(crate) goals_first: u32,
    pub(crate) rank_count: u32,
    pub(crate) max_blocks: u32,
}

impl LabelWords {
    pub(crate) fn new(world: &World, arrays: &RecordArrays) -> Self {
        let mut words = Words::with_header(4);
        let place = |place: &[u32; 5]| {
            let [lowest, first, groups, blocks, factor] = *place;
            [lowest, first, groups, blocks, bits(f32::from_bits(factor))]
        };
        words.push_at(0, arrays.places.iter().flat_map(place));
        let pairs = arrays.depth_rows.chunks(2);
        let pair = |pair: &[u16]| {
            pair.iter()
                .rev()
                .fold(0, |word, &depth| word << 16 | u32::from(depth))
        };
        words.push_at(1, pairs.map(pair));
        let portals = world.mesh().portals().iter();
        words.push_at(
            2,
            portals.flat_map(|portal| {
                let [rx, ry, rz] = portal.right.to_array().map(f32::to_bits);
                let [lx, ly, lz] = portal.left.to_array().map(f32::to_bits);
                let [a, b] = portal.polygons.map(|polygon| polygon.0);
                [rx, ry, rz, lx, ly, lz, a, b]
            }),
        );
        let mut table = Words::default();
        let mut push =
            |lines: &[[f32; 16]]| table.push(lines.iter().flatten().map(|&cost| bits(cost)));
        let starts_first = push(&arrays.starts);
        let goals_first = match arrays.goals.is_empty() {
            true => starts_first,
            false => push(&arrays.goals),
        };
        Self {
            index: words.0,
            table: table.0,
            goals_first,
            rank_count: arrays.ranks as u32,
            max_blocks: arrays.max_blocks as u32,
        }
    }
}
