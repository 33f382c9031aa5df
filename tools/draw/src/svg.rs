//! A picture of a mesh and a path, seen from above: x goes to the right, z goes down.

mod frame;
mod ground;
mod legend;
mod marks;
mod nodes;
mod outline;
mod search;
mod trace;
mod walls;

pub use marks::End;
pub use nodes::Nodes;
pub use trace::{Seen, Trace};

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::geometry::Aabb;
use portolan_core::{Csr, NavMesh, Path, PolygonId, World};

use frame::Frame;
use ground::Ground;
use legend::{Entry, Sign};
use outline::{Outline, Tenths};

/// The largest number of polygons that are drawn. Of a larger mesh, those next to the path's corridor
/// are, or the largest ones if there is no path.
const MAX_POLYGONS: usize = 40_000;

const CORRIDOR: &str = "#ffc933";
const PATH: &str = "#c4142c";

/// The path and the points that a picture of a mesh shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shown<'a> {
    /// The path. One without waypoints counts as none.
    pub path: Option<&'a Path>,
    /// Start and goal, drawn with or without a path.
    pub ends: Option<[End; 2]>,
}

impl<'a> Shown<'a> {
    /// A path, with its first and its last waypoint as start and goal.
    pub fn path(path: &'a Path) -> Self {
        let polygons = &path.corridor.polygons;
        let end = |point: Option<&Vec3>, polygon: Option<&PolygonId>| {
            Some(End {
                point: *point?,
                polygon: polygon.copied(),
                is_open: true,
            })
        };
        let start = end(path.waypoints.first(), polygons.first());
        let goal = end(path.waypoints.last(), polygons.last());
        Self {
            path: Some(path),
            ends: start.zip(goal).map(<[End; 2]>::from),
        }
    }

    fn walked(&self) -> Option<&'a Path> {
        self.path.filter(|path| !path.waypoints.is_empty())
    }

    fn endpoints(&self) -> impl Iterator<Item = End> {
        self.ends.into_iter().flatten()
    }
}

/// Draws the mesh, and on it the corridor and waypoints of the path, start and goal. Islands have
/// different colours, higher floors are lighter and lie over lower ones, and areas are hatched. Of a mesh
/// with more than 40 000 polygons, the picture shows the surroundings of the corridor.
pub fn write(mesh: &NavMesh, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
    let ground = Ground::by_island(mesh, shown.endpoints());
    draw(mesh, shown, &ground, out, |_, _, _| Ok(Vec::new()))
}

/// Draws the nodes of a level in colours, and over them what [`write()`] draws of a path. From level 1
/// on also its inter-edges, red dots; intra-edges, yellow lines; the inter-edges that start and goal
/// are connected to, white lines; and the path as that level knows it, a blue line.
///
/// # Panics
/// Panics if the world has no such level.
pub fn write_nodes(
    world: &World,
    shown: &Shown<'_>,
    nodes: &Nodes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let ground = Ground::by_node(world, nodes.level);
    draw(world.mesh(), shown, &ground, out, |drawing, seen, out| {
        drawing.edges(world, shown.walked(), nodes, seen, out)
    })
}

/// Draws what a search looked at, and under it what [`write()`] draws of a path. Of A* and Dijkstra the
/// vertices that they settled, the first in yellow and the last in purple. Of HNA* the nodes of its
/// level in colours; the inter-edges that were settled, red dots; those that start and goal were
/// connected to and that were not, white dots; and the intra-edges that were looked at, yellow lines. Of
/// the contraction the chain of the start in green, that of the goal in blue, what they have in common
/// in orange, and where the path turns from the one to the other, a ring. The legend counts them.
///
/// # Panics
/// Panics if the trace is of another world.
pub fn write_search(
    world: &World,
    shown: &Shown<'_>,
    trace: &Trace,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mesh = world.mesh();
    let ground = match trace.level() {
        None => Ground::by_island(mesh, shown.endpoints()),
        Some(level) => Ground::by_node(world, level),
    };
    draw(mesh, shown, &ground, out, |drawing, seen, out| {
        drawing.search(world, trace, seen, out)
    })
}

/// Draws the ground, what `between` draws over it, the path and its ends, the frame and the legend.
/// `between` returns its entries of the legend.
fn draw(
    mesh: &NavMesh,
    shown: &Shown<'_>,
    ground: &Ground<'_>,
    out: &mut dyn Write,
    between: impl FnOnce(&Drawing, &[PolygonId], &mut dyn Write) -> io::Result<Vec<Entry>>,
) -> io::Result<()> {
    let path = shown.walked();
    let frame = Frame::new(view(mesh, shown));
    let drawing = Drawing { frame };
    let mut seen = seen(mesh, path);
    // The legend decides how large the picture is, and it is known last.
    let mut plot = Vec::new();
    ground.draw(&drawing, mesh, &mut seen, &mut plot)?;
    drawing.links(mesh, &mut plot)?;
    if let Some(path) = path {
        drawing.corridor(mesh, path, ground.corridor(), &mut plot)?;
    }
    let extra = between(&drawing, &seen, &mut plot)?;
    if let Some(path) = path {
        drawing.walk(path, &mut plot)?;
    }
    let mut legend = marks::entries(shown);
    if let Some(path) = path {
        legend.push(Entry::new(Sign::line(PATH, 3.0), "path and its waypoints"));
        if !path.links.is_empty() {
            legend.push(Entry::new(Sign::dashes(PATH, 3.0), "path along a link"));
        }
        legend.push(Entry::new(
            Sign::Corridor(ground.corridor()),
            "corridor and its portals",
        ));
    } else if shown.ends.is_some() {
        legend.push(Entry::new(Sign::Nothing, "no path"));
    }
    legend.extend(extra);
    if !mesh.links().is_empty() {
        legend.push(Entry::new(Sign::dashes(LINK, 1.5), "off-mesh links"));
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
    drawing.ends(shown, out)?;
    legend::write(&legend, drawing.frame.legend_corner(), out)?;
    writeln!(out, "</svg>")
}

/// Returns what the picture shows: everything, or the surroundings of the path if everything is too
/// much. Ends outside of it are included if they are near.
fn view(mesh: &NavMesh, shown: &Shown<'_>) -> Aabb {
    let seen = match shown.walked() {
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
    let extent = (seen.max - seen.min).with_y(0.0).max_element().max(1e-3);
    let near = shown.endpoints().map(|end| end.point).filter(|&point| {
        let gap = seen.gap(point);
        gap.x.max(gap.z) <= 0.5 * extent
    });
    let seen = near.fold(seen, |seen, point| seen.union(Aabb::around([point])));
    let margin = 0.02 * (seen.max - seen.min).with_y(0.0).max_element().max(1e-3);
    seen.grown(Vec3::new(margin, 0.0, margin))
}

/// The polygons to draw: all, or those next to the corridor, or where there is none the largest.
fn seen(mesh: &NavMesh, path: Option<&Path>) -> Vec<PolygonId> {
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
    let mut is_seen = vec![false; mesh.polygon_count()];
    let mut seen = Vec::new();
    let mut look = |polygon: PolygonId, seen: &mut Vec<PolygonId>| {
        if seen.len() < MAX_POLYGONS && !std::mem::replace(&mut is_seen[polygon.index()], true) {
            seen.push(polygon);
        }
    };
    path.corridor
        .polygons
        .iter()
        .for_each(|&polygon| look(polygon, &mut seen));
    let mut next = 0;
    while next < seen.len() {
        for &neighbour in neighbours.get(seen[next].index()) {
            look(PolygonId(neighbour), &mut seen);
        }
        next += 1;
    }
    seen
}

const LINK: &str = "#7a4fc0";

/// Draws in the coordinates of the plot: pixels from its upper left corner.
struct Drawing {
    frame: Frame,
}

impl Drawing {
    fn place(&self, p: Vec3) -> (f32, f32) {
        self.frame.place(p)
    }

    fn tenths(&self, p: Vec3) -> Tenths {
        outline::tenths(self.place(p))
    }

    /// Writes the data of a line that does not depend on what is before it.
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
