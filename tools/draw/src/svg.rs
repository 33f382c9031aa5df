//! Pictures of navmeshes, paths and searches as SVG, in plan: x points right and z points down.

mod frame;
mod ground;
mod legend;
mod marks;
mod nodes;
mod outline;
mod probe;
mod search;
mod trace;
mod walls;

pub use marks::DrawnEndpoint;
pub use nodes::DrawnLevel;
pub use probe::{DrawnProbe, write_probe};
pub use trace::{Trace, Visited};

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::geometry::Aabb;
use portolan_core::{Csr, NavMesh, Path, PolygonId, World};

use frame::PlotFrame;
use ground::GroundStyle;
use legend::{LegendEntry, Symbol};
use outline::{Outline, Tenths};

/// The maximum number of polygons that are drawn. Of a larger mesh, those nearest to the corridor are drawn, or
/// the largest ones if there is no path.
const MAX_POLYGONS: usize = 40_000;

const CORRIDOR: &str = "#ffc933";
const PATH: &str = "#c4142c";

/// The path, the start and the goal that a picture of a navmesh shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrawnPath<'a> {
    /// The path. A path without waypoints is not drawn.
    pub path: Option<&'a Path>,
    /// Start and goal. They are drawn with or without a path.
    pub endpoints: Option<[DrawnEndpoint; 2]>,
    /// Discs on the ground: the coordinates of the centre and the radius. [Units: m]
    pub discs: &'a [[f32; 4]],
}

impl<'a> DrawnPath<'a> {
    /// Shows a path, with its first and its last waypoint as start and goal.
    pub fn path(path: &'a Path) -> Self {
        let polygons = &path.corridor.polygons;
        let end = |point: Option<&Vec3>, polygon: Option<&PolygonId>| {
            Some(DrawnEndpoint {
                point: *point?,
                polygon: polygon.copied(),
                is_open: true,
            })
        };
        let start = end(path.waypoints.first(), polygons.first());
        let goal = end(path.waypoints.last(), polygons.last());
        Self {
            path: Some(path),
            endpoints: start.zip(goal).map(<[DrawnEndpoint; 2]>::from),
            discs: &[],
        }
    }

    fn path_to_draw(&self) -> Option<&'a Path> {
        self.path.filter(|path| !path.waypoints.is_empty())
    }

    fn endpoints(&self) -> impl Iterator<Item = DrawnEndpoint> {
        self.endpoints.into_iter().flatten()
    }
}

/// Draws a navmesh with the corridor and the waypoints of a path, start and goal. Islands have different
/// colours, higher floors are lighter and drawn over lower ones, and areas are hatched. Of a navmesh with more
/// than 40 000 polygons, the picture shows the surroundings of the corridor.
pub fn write(mesh: &NavMesh, drawn: &DrawnPath<'_>, out: &mut dyn Write) -> io::Result<()> {
    let ground = GroundStyle::by_island(mesh, drawn.endpoints());
    let view = view(mesh, drawn);
    draw(mesh, view, drawn, &ground, out, |_, _, _| Ok(Vec::new()))
}

/// Draws the nodes of a level in different colours, with a path as in [`write()`]. From level 1 on it also
/// draws:
/// - inter-edges as red dots
/// - intra-edges as yellow lines
/// - the connections of start and goal to the inter-edges of their nodes as white lines
/// - the path from inter-edge to inter-edge as a blue line
///
/// # Panics
/// Panics if the world has no such level.
pub fn write_nodes(
    world: &World,
    drawn: &DrawnPath<'_>,
    nodes: &DrawnLevel,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ground = GroundStyle::by_node(world, nodes.level);
    draw(
        world.mesh(),
        view(world.mesh(), drawn),
        drawn,
        &ground,
        out,
        |drawing, visible, out| drawing.edges(world, drawn.path_to_draw(), nodes, visible, out),
    )
}

/// Draws what a search visited, with a path as in [`write()`]. The legend counts them.
/// - A* and Dijkstra: the settled vertices, from yellow (first) to purple (last).
/// - HNA*: the nodes of the level in different colours; settled inter-edges as red dots; inter-edges that start
///   and goal were connected to but that were not settled as white dots; examined intra-edges as yellow
///   lines.
/// - Contraction: the chain of the start in green, the chain of the goal in blue, the vertices on both in
///   orange, and a ring around the highest vertex of the path. A chain is the path from a vertex to the root
///   of the elimination tree.
/// - Exact tier: the parts of portals that the start looked through and the corners that it saw in green, those of
///   the goal in blue, and the corners that a lazy search settled in purple. In small
///   worlds also the tangents between all corners, in grey.
///
/// # Panics
/// Panics if the trace is of another world.
pub fn write_search(
    world: &World,
    drawn: &DrawnPath<'_>,
    trace: &Trace,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mesh = world.mesh();
    let ground = match trace.level() {
        None => GroundStyle::by_island(mesh, drawn.endpoints()),
        Some(level) => GroundStyle::by_node(world, level),
    };
    let view = view(mesh, drawn);
    draw(mesh, view, drawn, &ground, out, |drawing, visible, out| {
        drawing.search(world, trace, visible, out)
    })
}

/// Draws the ground within `view`, calls `draw_overlay`, and draws the path, start and goal, the frame and the legend.
/// `draw_overlay` draws between ground and path and returns its entries of the legend.
fn draw(
    mesh: &NavMesh,
    view: Aabb,
    drawn: &DrawnPath<'_>,
    ground: &GroundStyle<'_>,
    out: &mut dyn Write,
    draw_overlay: impl FnOnce(&Drawing, &[PolygonId], &mut dyn Write) -> io::Result<Vec<LegendEntry>>,
) -> io::Result<()> {
    let path = drawn.path_to_draw();
    let frame = PlotFrame::new(view);
    let drawing = Drawing { frame };
    let mut visible = visible_polygons(mesh, path);
    // The plot is buffered, because the size of the picture depends on the legend, which is complete last.
    let mut plot = Vec::new();
    ground.draw(&drawing, mesh, &mut visible, &mut plot)?;
    drawing.links(mesh, &mut plot)?;
    let has_closed = marks::closed_polygons(mesh, &visible).next().is_some();
    if has_closed {
        drawing.closed(mesh, &visible, &mut plot)?;
    }
    if let Some(path) = path {
        drawing.corridor(mesh, path, ground.corridor(), &mut plot)?;
    }
    drawing.discs(drawn.discs, &mut plot)?;
    let overlay_entries = draw_overlay(&drawing, &visible, &mut plot)?;
    if let Some(path) = path {
        drawing.path(path, &mut plot)?;
    }
    let mut legend = marks::entries(drawn);
    if let Some(path) = path {
        legend.push(LegendEntry::new(
            Symbol::line(PATH, 3.0),
            "path and its waypoints",
        ));
        if !path.links.is_empty() {
            legend.push(LegendEntry::new(
                Symbol::dashes(PATH, 3.0),
                "path along a link",
            ));
        }
        legend.push(LegendEntry::new(
            Symbol::Corridor(ground.corridor()),
            "corridor and its portals",
        ));
    } else if drawn.endpoints.is_some() {
        legend.push(LegendEntry::new(Symbol::Nothing, "no path"));
    }
    legend.extend(overlay_entries);
    if !drawn.discs.is_empty() {
        legend.push(LegendEntry::new(
            Symbol::swatch(marks::CLOSED, 1.0),
            "disc on the ground",
        ));
    }
    if has_closed {
        legend.push(LegendEntry::new(
            Symbol::swatch(marks::CLOSED, 1.0),
            "closed ground",
        ));
    }
    if !mesh.links().is_empty() {
        legend.push(LegendEntry::new(
            Symbol::dashes(LINK, 1.5),
            "off-mesh links",
        ));
    }
    legend.extend(ground.entries(mesh));

    let [width, height] = drawing.frame.page(legend::size(&legend));
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="sans-serif" font-size="13">"#
    )?;
    writeln!(out, r##"<rect width="100%" height="100%" fill="#fff"/>"##)?;
    ground.write_patterns(out)?;
    drawing.frame.open_plot(out)?;
    out.write_all(&plot)?;
    writeln!(out, "</svg>")?;
    drawing.frame.write_axes(out)?;
    drawing.endpoints(drawn, out)?;
    legend::write(&legend, drawing.frame.legend_corner(), out)?;
    writeln!(out, "</svg>")
}

/// Returns the part of the world that the picture shows: the full navmesh, or the surroundings of the path
/// if the navmesh is too large. Start and goal outside of that part are included if they are near.
fn view(mesh: &NavMesh, drawn: &DrawnPath<'_>) -> Aabb {
    let visible = match drawn.path_to_draw() {
        Some(path) if mesh.polygon_count() > MAX_POLYGONS => {
            let corridor = path
                .corridor
                .polygons
                .iter()
                .flat_map(|&p| mesh.corner_points(p));
            Aabb::around(corridor.chain(path.waypoints.iter().copied()))
        }
        _ => mesh.bounds(),
    };
    let extent = (visible.max - visible.min)
        .with_y(0.0)
        .max_element()
        .max(1e-3);
    let near = drawn.endpoints().map(|end| end.point).filter(|&point| {
        let gap = visible.gap(point);
        gap.x.max(gap.z) <= 0.5 * extent
    });
    let visible = near.fold(visible, |visible, point| {
        visible.union(Aabb::around([point]))
    });
    let margin = 0.02
        * (visible.max - visible.min)
            .with_y(0.0)
            .max_element()
            .max(1e-3);
    visible.grown(Vec3::new(margin, 0.0, margin))
}

/// Returns the polygons to draw: all, or those nearest to the corridor, or the largest if there is no path.
fn visible_polygons(mesh: &NavMesh, path: Option<&Path>) -> Vec<PolygonId> {
    if mesh.polygon_count() <= MAX_POLYGONS {
        return mesh.polygons().collect();
    }
    let Some(path) = path else {
        let mut largest: Vec<PolygonId> = mesh.polygons().collect();
        largest.sort_by(|&a, &b| mesh.polygon_area(b).total_cmp(&mesh.polygon_area(a)));
        largest.truncate(MAX_POLYGONS);
        return largest;
    };
    let pairs = mesh.portals().iter().flat_map(|portal| {
        let [a, b] = portal.polygons;
        [(a.0, b.0), (b.0, a.0)]
    });
    let neighbours = Csr::group(mesh.polygon_count(), &pairs.collect::<Vec<_>>());
    let mut is_visible = vec![false; mesh.polygon_count()];
    let mut visible = Vec::new();
    let mut add = |polygon: PolygonId, visible: &mut Vec<PolygonId>| {
        if visible.len() < MAX_POLYGONS
            && !std::mem::replace(&mut is_visible[polygon.index()], true)
        {
            visible.push(polygon);
        }
    };
    path.corridor
        .polygons
        .iter()
        .for_each(|&polygon| add(mesh.whole(polygon), &mut visible));
    let mut next = 0;
    while next < visible.len() {
        for &neighbour in neighbours.get(visible[next].index()) {
            add(PolygonId(neighbour), &mut visible);
        }
        next += 1;
    }
    visible
}

const LINK: &str = "#7a4fc0";

/// Draws in the coordinates of the plot, in pixels from its upper left corner.
struct Drawing {
    frame: PlotFrame,
}

impl Drawing {
    fn to_plot(&self, point: Vec3) -> (f32, f32) {
        self.frame.to_plot(point)
    }

    fn tenths(&self, point: Vec3) -> Tenths {
        outline::tenths(self.to_plot(point))
    }

    /// Writes the path data of a line, starting with an absolute position.
    fn outline(&self, points: impl Iterator<Item = Vec3>, out: &mut dyn Write) -> io::Result<()> {
        let mut outline = Outline::default();
        outline.line(points.map(|point| self.tenths(point)));
        out.write_all(outline.text().as_bytes())
    }

    fn links(&self, mesh: &NavMesh, out: &mut dyn Write) -> io::Result<()> {
        if mesh.links().is_empty() {
            return Ok(());
        }
        write!(
            out,
            r##"<path class="links" fill="none" stroke="{LINK}" stroke-width="1.5" stroke-dasharray="4 3" opacity="0.8" d=""##
        )?;
        for link in mesh.links() {
            self.outline(link.ends.into_iter(), out)?;
        }
        writeln!(out, r#""/>"#)
    }
}
