//! The levels of an index, its contraction and its labels, counted, and what they take in memory.

use portolan_core::{BuildTimes, Engine, Level, LevelStatistics, MinMeanMax, Stage, Tier, World};
use serde::Serialize;

use super::tiers::taut_bytes;
use crate::table::Table;
use crate::terminal::say;

/// One level from 1 on.
#[derive(Serialize)]
pub(super) struct LevelFigures {
    level: u8,
    nodes: usize,
    inter_edges: usize,
    polygons_per_node: SpreadFigures,
    inter_edges_per_node: SpreadFigures,
    /// n (s - 2) + 2 for the largest node: no node has more inter-edges.
    inter_edge_bound: i64,
    /// The papers' mu^level (s - 2) + 2, for nodes of exactly that size; not known of an index that does
    /// not remember its mu.
    published_bound: Option<f64>,
    edge_cut: usize,
    links_between: usize,
    /// The largest node over the mean.
    balance: f64,
    nodes_without_edges: usize,
    intra_edges: usize,
    /// Of nodes, inter-edges and intra-edges, in memory.
    bytes: usize,
    table_bytes: usize,
    centre_bytes: usize,
}

#[derive(Serialize)]
struct SpreadFigures {
    min: usize,
    mean: f64,
    max: usize,
}

impl From<MinMeanMax> for SpreadFigures {
    fn from(MinMeanMax { min, mean, max }: MinMeanMax) -> Self {
        Self { min, mean, max }
    }
}

impl SpreadFigures {
    fn shown(&self) -> String {
        format!("{}/{:.1}/{}", self.min, self.mean, self.max)
    }
}

/// Counts the levels from 1 on; none where the world has no hierarchy.
pub(super) fn level_figures(world: &World) -> Vec<LevelFigures> {
    let Some(partition) = world.partition() else {
        return Vec::new();
    };
    let levels = partition.statistics(world.mesh()).into_iter();
    levels.map(|level| figures(world, &level)).collect()
}

fn figures(world: &World, statistics: &LevelStatistics) -> LevelFigures {
    let level = statistics.level;
    let parts = MemoryParts::of(world, level..=level);
    let graph = world.hierarchy().map(|hierarchy| hierarchy.level(level));
    LevelFigures {
        level: level.0,
        nodes: statistics.nodes,
        inter_edges: graph.map_or(0, |graph| graph.inter_edges().len()),
        polygons_per_node: statistics.polygons.into(),
        inter_edges_per_node: statistics.inter_edges.into(),
        inter_edge_bound: statistics.bound,
        published_bound: merge_factor(world).map(|mu| statistics.published_bound(mu)),
        edge_cut: statistics.edge_cut,
        links_between: statistics.links_between,
        balance: statistics.balance(),
        nodes_without_edges: statistics.without_edges,
        intra_edges: graph.map_or(0, |graph| graph.intra_edge_count()),
        bytes: parts.hierarchy + parts.intra_edges,
        table_bytes: parts.tables,
        centre_bytes: parts.centres,
    }
}

/// The mu that the partition was asked for, where the world remembers it.
fn merge_factor(world: &World) -> Option<u32> {
    let partition = world.report().partition.as_ref();
    partition.map(|options| options.merge_factor)
}

/// A table of the levels, and a word where a hierarchy has none.
pub(super) fn print_levels(world: &World) {
    if world.hierarchy().is_none() {
        return;
    }
    let levels = level_figures(world);
    if levels.is_empty() {
        let size = merge_factor(world).map_or_else(String::new, |mu| format!(" of {mu}"));
        say!("no levels: no island has polygons for two nodes{size}; a smaller --mu makes some");
        return;
    }
    let mut table = Table::new(&[
        "level",
        "nodes",
        "polygons a node",
        "inter-edges a node",
        "at most",
        "published",
        "edge-cut",
        "balance",
        "bytes",
        "of tables",
    ]);
    for level in levels {
        table.row(vec![
            level.level.to_string(),
            level.nodes.to_string(),
            level.polygons_per_node.shown(),
            level.inter_edges_per_node.shown(),
            level.inter_edge_bound.to_string(),
            level
                .published_bound
                .map_or_else(|| "-".to_owned(), |bound| bound.to_string()),
            level.edge_cut.to_string(),
            format!("{:.2}", level.balance),
            level.bytes.to_string(),
            (level.table_bytes + level.centre_bytes).to_string(),
        ]);
    }
    table.print();
}

/// The contraction of a world, counted.
#[derive(Serialize)]
pub(super) struct ContractionFigures {
    vertices: usize,
    /// Shortcuts included; each leads both ways.
    arcs: usize,
    /// The longest chain: the most vertices that one side of a query looks at.
    depth: usize,
    /// Of arcs and shortcuts, in memory.
    bytes: usize,
    bytes_per_polygon: f64,
}

/// Counts the contraction of the fast tier, where there is one.
pub(super) fn contraction_figures(world: &World) -> Option<ContractionFigures> {
    let contraction = world.contraction()?;
    let bytes = world.engine_bytes(Engine::Contraction(Tier::Fast));
    Some(ContractionFigures {
        vertices: contraction.vertex_count(),
        arcs: contraction.arc_count(),
        depth: contraction.depth(),
        bytes,
        bytes_per_polygon: bytes as f64 / world.mesh().polygon_count() as f64,
    })
}

/// The hub labels of a world, counted.
#[derive(Serialize)]
pub(super) struct LabelFigures {
    /// Of all labels.
    entries: usize,
    /// On average; a vertex has one label, or two where costs differ by direction.
    entries_per_label: f64,
    /// In memory.
    bytes: usize,
    bytes_per_polygon: f64,
}

/// Counts the hub labels, where there are any.
pub(super) fn label_figures(world: &World) -> Option<LabelFigures> {
    let labels = world.default_costs().labels()?;
    let (entries, bytes) = (labels.entry_count(), labels.bytes());
    let count = labels.arrays().count() * world.graph().sample_count();
    Some(LabelFigures {
        entries,
        entries_per_label: entries as f64 / count.max(1) as f64,
        bytes,
        bytes_per_polygon: bytes as f64 / world.mesh().polygon_count() as f64,
    })
}

/// The hub labels in a line, where there are any.
pub(super) fn print_labels(world: &World) {
    if let Some(figures) = label_figures(world) {
        say!(
            "labels: {} entries, {:.1} a label, {:.0} bytes a polygon",
            figures.entries,
            figures.entries_per_label,
            figures.bytes_per_polygon
        );
    }
}

/// How long the stages took that there were.
pub(super) fn shown_times(world: &World, times: &BuildTimes) -> String {
    let was_there = |stage: &Stage| match stage {
        Stage::Partition | Stage::Hierarchy | Stage::Tables => world.hierarchy().is_some(),
        Stage::Order | Stage::Contraction => world.contraction().is_some(),
        Stage::Labels => world.default_costs().labels().is_some(),
        Stage::Samples => Tier::TAUT
            .into_iter()
            .any(|tier| world.tier(tier).is_some()),
        Stage::DefaultTier => world.tier(Tier::Default).is_some(),
        Stage::BestTier => world.tier(Tier::Best).is_some(),
        Stage::Graph => true,
    };
    let shown = Stage::ALL.into_iter().filter(was_there);
    let shown: Vec<String> = shown
        .map(|stage| format!("{} {:.0} ms", stage.name(), times.of(stage)))
        .collect();
    shown.join(", ")
}

/// What the parts of a world take in memory, those that it has.
pub(super) fn print_bytes(world: &World) {
    let (polygons, parts) = (world.mesh().polygon_count(), MemoryParts::of_all(world));
    let rows = [
        ("navmesh", world.mesh().bytes()),
        ("graph", world.graph().bytes()),
        (
            "contraction",
            world.engine_bytes(Engine::Contraction(Tier::Fast)),
        ),
        ("taut tiers", taut_bytes(world)),
        ("holes", world.hole_bytes()),
        ("labels", label_bytes(world)),
        ("inter-edges", parts.hierarchy),
        ("intra-edges", parts.intra_edges),
        ("tables", parts.tables),
        ("centres", parts.centres),
    ];
    let per_polygon = |bytes: usize| bytes as f64 / polygons as f64;
    let shown = rows.into_iter().filter(|&(_, bytes)| bytes > 0);
    let shown: Vec<String> = shown
        .map(|(what, bytes)| format!("{what} {bytes} ({:.0})", per_polygon(bytes)))
        .collect();
    say!("bytes in memory (a polygon): {}", shown.join(", "));
}

/// Bytes on the heap of the hub labels; 0 without.
pub(super) fn label_bytes(world: &World) -> usize {
    let labels = world.default_costs().labels();
    labels.map_or(0, |labels| labels.bytes())
}

/// Bytes on the heap of the levels.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct MemoryParts {
    /// Who lies where, and the inter-edges.
    pub(super) hierarchy: usize,
    pub(super) intra_edges: usize,
    /// The exact connect tables.
    pub(super) tables: usize,
    /// The rows of polygons' centres.
    pub(super) centres: usize,
}

impl MemoryParts {
    /// Of all levels, and of level 0 as the lowest stands on it.
    pub(super) fn of_all(world: &World) -> Self {
        let top = world
            .hierarchy()
            .map_or(Level(0), |hierarchy| hierarchy.top());
        Self::of(world, Level(0)..=top)
    }

    /// Of some levels.
    pub(super) fn of(world: &World, levels: std::ops::RangeInclusive<Level>) -> Self {
        let metric = world.default_costs().metric();
        let (Some(hierarchy), Some(metric)) = (world.hierarchy(), metric) else {
            return Self::default();
        };
        let mut parts = Self::default();
        for level in (levels.start().0..=levels.end().0).map(Level) {
            parts.hierarchy += hierarchy.level(level).bytes();
            if level == Level(0) {
                continue;
            }
            parts.hierarchy += size_of_val(hierarchy.partition().nodes(level));
            parts.intra_edges += metric.bytes_at(level);
            if let Some(table) = metric.table(level) {
                parts.tables += table.bytes();
                parts.centres += table.centre_bytes();
            }
        }
        parts
    }

    pub(super) fn total(self) -> usize {
        self.hierarchy + self.intra_edges + self.tables + self.centres
    }
}
