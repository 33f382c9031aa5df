//! Sizes of the parts of an index: the levels of its hierarchy, its contraction and its labels.

use portolan_core::{BuildTimes, Engine, Level, LevelStatistics, MinMeanMax, Stage, Tier, World};
use serde::Serialize;

use super::exact::exact_bytes;
use super::tiers::taut_bytes;
use crate::table::TextTable;
use crate::terminal::say;

/// A level of the hierarchy, from 1 on.
#[derive(Serialize)]
pub(super) struct LevelFigures {
    level: u8,
    nodes: usize,
    inter_edges: usize,
    polygons_per_node: SpreadFigures,
    inter_edges_per_node: SpreadFigures,
    /// The upper bound of the inter-edges of a node: n (s - 2) + 2 for the largest node, where n is its
    /// number of polygons and s the largest number of portals of a polygon. Links inside of a node add to it.
    inter_edge_bound: i64,
    /// The bound of the HNA* papers, mu^level (s - 2) + 2, which assumes nodes of exactly that size. `None`
    /// if the index does not store its mu.
    published_bound: Option<f64>,
    edge_cut: usize,
    links_between: usize,
    /// The size of the largest node divided by the mean size.
    balance: f64,
    nodes_without_edges: usize,
    intra_edges: usize,
    /// The size of nodes, inter-edges and intra-edges in memory.
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

/// Returns the figures of all levels from 1 on, or nothing if the world has no hierarchy.
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

/// Returns the merge factor of the hierarchy, if the index stores it.
fn merge_factor(world: &World) -> Option<u32> {
    let partition = world.report().partition.as_ref();
    partition.map(|options| options.merge_factor)
}

/// Prints a table of the levels, or a hint if the hierarchy has none.
pub(super) fn print_levels(world: &World) {
    if world.hierarchy().is_none() {
        return;
    }
    let levels = level_figures(world);
    if levels.is_empty() {
        let size = merge_factor(world).map_or_else(String::new, |mu| format!(" of {mu} polygons"));
        say!("no levels: every island is too small for two nodes{size}; use a smaller --mu");
        return;
    }
    say!("levels of the hierarchy; numbers per node are min/mean/max:");
    let mut table = TextTable::new(&[
        "level",
        "nodes",
        "polygons per node",
        "inter-edges per node",
        "upper bound",
        "published bound",
        "edge cut",
        "balance",
        "bytes",
        "table bytes",
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

/// The sizes of a contraction.
#[derive(Serialize)]
pub(super) struct ContractionFigures {
    vertices: usize,
    /// The number of arcs, including shortcuts. Both directions of an arc count as one.
    arcs: usize,
    /// The depth of the elimination tree: an upper bound of the vertices that one side of a query visits.
    depth: usize,
    /// The size of arcs and shortcuts in memory.
    bytes: usize,
    bytes_per_polygon: f64,
}

/// Returns the figures of the contraction of the tier fast, if there is one.
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

/// The sizes of the hub labels.
#[derive(Serialize)]
pub(super) struct LabelFigures {
    /// The number of entries of all labels.
    entries: usize,
    /// The mean number of entries. A vertex has one label, or two if costs depend on the direction.
    entries_per_label: f64,
    /// The size in memory.
    bytes: usize,
    bytes_per_polygon: f64,
}

/// Returns the figures of the hub labels, if there are any.
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

/// Prints a line about the hub labels, if there are any.
pub(super) fn print_labels(world: &World) {
    if let Some(figures) = label_figures(world) {
        say!(
            "labels: {} entries, {:.1} per label, {:.0} bytes per polygon",
            figures.entries,
            figures.entries_per_label,
            figures.bytes_per_polygon
        );
    }
}

/// Formats the build times of the parts that the world has. An exact tier that was built to compare its cost, and
/// then left out, took time as well.
pub(super) fn shown_times(world: &World, times: &BuildTimes) -> String {
    let was_built = |stage: &Stage| match stage {
        Stage::Partition | Stage::Hierarchy | Stage::Tables => world.hierarchy().is_some(),
        Stage::Order | Stage::Contraction => world.contraction().is_some(),
        Stage::Labels => world.default_costs().labels().is_some(),
        Stage::Samples => Tier::TAUT
            .into_iter()
            .any(|tier| world.tier(tier).is_some()),
        Stage::DefaultTier => world.tier(Tier::Default).is_some(),
        Stage::BestTier => world.tier(Tier::Best).is_some(),
        Stage::ExactTier => world.has_tier(Tier::Exact) || times.of(Stage::ExactTier) > 0.0,
        Stage::Graph => true,
    };
    let shown = Stage::ALL.into_iter().filter(was_built);
    let shown: Vec<String> = shown
        .map(|stage| {
            let remark = match stage {
                Stage::ExactTier if !world.has_tier(Tier::Exact) => " (not kept)",
                _ => "",
            };
            format!("{} {:.0} ms{remark}", stage.name(), times.of(stage))
        })
        .collect();
    shown.join(", ")
}

/// Prints the sizes in memory of the parts that the world has.
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
        ("exact tier", exact_bytes(world)),
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
    say!("bytes in memory (per polygon): {}", shown.join(", "));
}

/// Returns the size of the hub labels on the heap, or 0 if there are none. [Units: bytes]
pub(super) fn label_bytes(world: &World) -> usize {
    let labels = world.default_costs().labels();
    labels.map_or(0, |labels| labels.bytes())
}

/// The sizes of the parts of the hierarchy on the heap. [Units: bytes]
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct MemoryParts {
    /// The node of each polygon, and the inter-edges.
    pub(super) hierarchy: usize,
    pub(super) intra_edges: usize,
    /// The exact tables of connecting paths.
    pub(super) tables: usize,
    /// The connecting paths from the centres of polygons.
    pub(super) centres: usize,
}

impl MemoryParts {
    /// Returns the sizes of all levels, including level 0.
    pub(super) fn of_all(world: &World) -> Self {
        let top = world
            .hierarchy()
            .map_or(Level(0), |hierarchy| hierarchy.top());
        Self::of(world, Level(0)..=top)
    }

    /// Returns the sizes of some levels.
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
