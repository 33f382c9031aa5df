//! Draws a level of a hierarchy: the borders of its nodes, its inter-edges and its intra-edges.

use std::io::{self, Write};

use portolan_core::graph::SampleSide;
use portolan_core::{Crossing, Csr, Level, NodeId, Path, PolygonId, SampleId, World};

use super::Drawing;
use super::legend::{LegendEntry, Symbol};

/// The colours of nodes. Neighbouring nodes get different ones. All are dark enough for yellow lines to be
/// visible on them.
pub(super) const COLOURS: [&str; 10] = [
    "#7d9fc0", "#8fae7d", "#b58fae", "#c29a74", "#74ada6", "#a79cc9", "#b3a869", "#c08a8a",
    "#86a3a3", "#9a9a86",
];

/// The level that a picture shows, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnLevel {
    /// The level. The nodes of level 0 are the polygons.
    pub level: Level,
    /// Whether intra-edges are drawn in all nodes or only in those that the path crosses.
    pub all_intra_edges: bool,
}

/// Returns the index of the colour of each polygon, which is that of its node.
pub(super) fn colours(world: &World, level: Level) -> Vec<usize> {
    let node_of = |polygon: PolygonId| node_of(world, level, polygon);
    let pairs: Vec<(u32, u32)> = world
        .mesh()
        .portals()
        .iter()
        .map(|portal| portal.polygons.map(node_of))
        .filter(|[a, b]| a != b)
        .flat_map(|[a, b]| [(a.0, b.0), (b.0, a.0)])
        .collect();
    let nodes = world.mesh().polygons().map(node_of);
    let count = nodes.map(|node| node.index() + 1).max();
    let neighbours = Csr::group(count.unwrap_or(0), &pairs);
    let mut colour_of = vec![COLOURS.len(); neighbours.len()];
    for node in 0..neighbours.len() {
        // Each node starts at another colour, so that all colours are used.
        let rotated = (0..COLOURS.len()).map(|i| (i + node * 7) % COLOURS.len());
        let is_free = |colour: &usize| {
            let mut others = neighbours.get(node).iter();
            others.all(|&other| colour_of[other as usize] != *colour)
        };
        let free = rotated.clone().find(is_free);
        colour_of[node] = free.unwrap_or(node * 7 % COLOURS.len());
    }
    let nodes = world.mesh().polygons().map(node_of);
    nodes.map(|node| colour_of[node.index()]).collect()
}

fn node_of(world: &World, level: Level, polygon: PolygonId) -> NodeId {
    match world.hierarchy() {
        Some(hierarchy) => hierarchy.partition().node_of(level, polygon.index()),
        None => NodeId(polygon.0),
    }
}

const NODE_BORDER: &str = "#1c1f24";
pub(super) const INTER_EDGE: &str = "#e0202c";
pub(super) const INTRA_EDGE: &str = "#ffd91a";
pub(super) const CONNECTED: &str = "#ffffff";
const LEVEL_PATH: &str = "#1c3f94";

impl Drawing {
    /// Draws the borders, intra-edges and inter-edges of the visible nodes. Returns their entries of the
    /// legend.
    pub(super) fn edges(
        &self,
        world: &World,
        path: Option<&Path>,
        drawn: &DrawnLevel,
        visible: &[PolygonId],
        out: &mut dyn Write,
    ) -> io::Result<Vec<LegendEntry>> {
        let mut is_visible = vec![false; world.mesh().polygon_count()];
        visible
            .iter()
            .for_each(|polygon| is_visible[polygon.index()] = true);
        self.node_borders(world, drawn.level, &is_visible, out)?;
        self.intra_edges(world, path, drawn, &is_visible, out)?;
        self.inter_edges(world, drawn.level, &is_visible, out)?;
        let mut entries = vec![LegendEntry::new(
            Symbol::line(NODE_BORDER, 1.4),
            "borders between nodes",
        )];
        if drawn.level == Level(0) {
            return Ok(entries);
        }
        let which = match drawn.all_intra_edges {
            true => "intra-edges",
            false => "intra-edges of the path's nodes",
        };
        entries.extend([
            LegendEntry::new(Symbol::Dot(INTER_EDGE), "inter-edges"),
            LegendEntry::new(Symbol::line(INTRA_EDGE, 1.5), which),
        ]);
        if let Some(path) = path {
            self.level_path(world, path, drawn.level, out)?;
            entries.extend([
                LegendEntry::new(
                    Symbol::line(CONNECTED, 1.5),
                    "connections of start and goal",
                ),
                LegendEntry::new(
                    Symbol::line(LEVEL_PATH, 2.5),
                    format!("the path at level {}", drawn.level),
                ),
            ]);
        }
        Ok(entries)
    }

    /// Draws the path from inter-edge to inter-edge of a level, and the connections of start and goal.
    fn level_path(
        &self,
        world: &World,
        path: &Path,
        level: Level,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let (Some(hierarchy), [start, .., goal]) = (world.hierarchy(), &path.waypoints[..]) else {
            return Ok(());
        };
        let nodes = path.corridor.polygons.iter();
        let nodes: Vec<NodeId> = nodes.map(|&p| node_of(world, level, p)).collect();
        let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else {
            return Ok(());
        };
        if first == last {
            return Ok(());
        }
        write!(
            out,
            r##"<path fill="none" stroke="{CONNECTED}" stroke-width="0.8" d=""##
        )?;
        let edges = hierarchy.level(level).inter_edges();
        for (node, point) in [(first, start), (last, goal)] {
            for edge in edges
                .iter()
                .filter(|e| e.sides.iter().any(|side| side.node == node))
            {
                let ends = [*point, world.graph().position(edge.vertex)];
                self.outline(ends.into_iter(), out)?;
            }
        }
        writeln!(out, r#""/>"#)?;
        let mut points = vec![*start];
        for (pair, crossing) in nodes.windows(2).zip(&path.corridor.crossings) {
            if pair[0] == pair[1] {
                continue;
            }
            match *crossing {
                Crossing::Portal(portal) => {
                    let portal = world.mesh().portal(portal);
                    points.push(portal.right.midpoint(portal.left));
                }
                Crossing::Link(link, from) => {
                    let ends = world.mesh().link(link).ends;
                    let from = usize::from(from);
                    points.extend([ends[from], ends[1 - from]]);
                }
            }
        }
        points.push(*goal);
        write!(
            out,
            r##"<path fill="none" stroke="{LEVEL_PATH}" stroke-width="2.5" stroke-linejoin="round" d=""##
        )?;
        self.outline(points.into_iter(), out)?;
        writeln!(out, r#""/>"#)
    }

    pub(super) fn node_borders(
        &self,
        world: &World,
        level: Level,
        is_visible: &[bool],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r##"<path fill="none" stroke="{NODE_BORDER}" stroke-width="1.4" d=""##
        )?;
        for portal in world.mesh().portals() {
            let [a, b] = portal.polygons;
            if is_visible[a.index()] && node_of(world, level, a) != node_of(world, level, b) {
                self.outline([portal.right, portal.left].into_iter(), out)?;
            }
        }
        writeln!(out, r#""/>"#)
    }

    /// Draws intra-edges as straight lines between inter-edges, not as the paths that they represent.
    fn intra_edges(
        &self,
        world: &World,
        path: Option<&Path>,
        drawn: &DrawnLevel,
        is_visible: &[bool],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let metric = world.default_costs().metric();
        let (Some(hierarchy), Some(metric), true) =
            (world.hierarchy(), metric, drawn.level > Level(0))
        else {
            return Ok(());
        };
        let node_of = |polygon: PolygonId| node_of(world, drawn.level, polygon);
        let mut nodes: Vec<NodeId> = if drawn.all_intra_edges {
            let polygons = world.mesh().polygons();
            polygons
                .filter(|p| is_visible[p.index()])
                .map(node_of)
                .collect()
        } else {
            let corridor = path.iter().flat_map(|path| &path.corridor.polygons);
            corridor.map(|&polygon| node_of(polygon)).collect()
        };
        nodes.sort_unstable();
        nodes.dedup();
        let edges = nodes.into_iter().flat_map(|node| {
            let edges = metric.intra_edges(hierarchy, drawn.level, node);
            edges.map(|(ends, _)| ends.map(|edge| edge.vertex))
        });
        // Both directions of an edge are one line.
        let mut lines: Vec<[SampleId; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        lines.sort_unstable();
        lines.dedup();
        // Many lines are drawn thinner, so that they do not hide the ground.
        let width = if lines.len() > 1200 { 0.3 } else { 0.8 };
        write!(
            out,
            r##"<path fill="none" stroke="{INTRA_EDGE}" stroke-width="{width}" stroke-opacity="0.8" d=""##
        )?;
        for line in lines {
            let ends = line.map(|vertex| world.graph().position(vertex));
            self.outline(ends.into_iter(), out)?;
        }
        writeln!(out, r#""/>"#)
    }

    fn inter_edges(
        &self,
        world: &World,
        level: Level,
        is_visible: &[bool],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // At level 0 every portal is an inter-edge, and their dots would hide the polygons.
        let Some(hierarchy) = world.hierarchy().filter(|_| level > Level(0)) else {
            return Ok(());
        };
        let graph = world.graph();
        // A dot is a line of length 0 with round ends, because circles would need ten times as much text.
        write!(
            out,
            r##"<path fill="none" stroke="{INTER_EDGE}" stroke-width="4" stroke-linecap="round" d=""##
        )?;
        let edges = hierarchy.level(level).inter_edges();
        for sample in edges.iter().map(|edge| edge.vertex) {
            let is_drawn = match graph.side(sample, 0) {
                SampleSide::Polygon(polygon) => is_visible[polygon.index()],
                SampleSide::Link(..) => true,
            };
            if is_drawn {
                let (x, y) = self.to_plot(graph.position(sample));
                write!(out, "M{x:.1} {y:.1}h0")?;
            }
        }
        writeln!(out, r#""/>"#)
    }
}

#[cfg(test)]
mod tests {
    use portolan_core::{NavMesh, NavMeshOptions, Partition};
    use portolan_oracle::{LevelsOptions, with_levels};
    use portolan_scenes::{WorldOptions, WorldScene};

    use super::*;

    #[test]
    fn neighbouring_nodes_have_different_colours() {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        let mesh = NavMesh::build(raw, &NavMeshOptions::default()).unwrap();
        let cells = mesh.polygon_count();
        let nodes = (0..cells).map(|cell| NodeId::new(cell / 30)).collect();
        let partition = Partition::new(cells, vec![nodes]).unwrap();
        let world = with_levels(mesh, partition, &LevelsOptions::default());
        for level in [Level(0), Level(1)] {
            let colours = colours(&world, level);
            for portal in world.mesh().portals() {
                let [a, b] = portal.polygons;
                let is_same_node = node_of(&world, level, a) == node_of(&world, level, b);
                assert_eq!(colours[a.index()] == colours[b.index()], is_same_node);
            }
        }
    }
}
