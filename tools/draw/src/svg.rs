//! A picture of a mesh and a path, seen from above.

mod nodes;
mod search;
mod trace;

pub use nodes::Nodes;
pub use trace::{Seen, Trace};

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::geometry::Aabb;
use portolan_core::{Crossing, Csr, NavMesh, Path, PolygonId, World};

/// Fills by area, told apart in grey as well; areas beyond the last use it, too.
const GROUND: [&str; 4] = ["#e9e4d8", "#cfd8bd", "#bccfdd", "#dcc4b4"];

/// More polygons than this are not drawn: then only those next to the path's corridor are, or the
/// largest.
const MOST_POLYGONS: usize = 40_000;

/// The longer side of the picture, in pixels.
const SIZE: f32 = 1200.0;

/// Draws the mesh, and on it the path's corridor and waypoints if there is one. x goes to the
/// right, z down. Where the mesh has more than 40 000 polygons, the picture shows the surroundings
/// of the corridor.
pub fn write(mesh: &NavMesh, path: Option<&Path>, out: &mut dyn Write) -> io::Result<()> {
    let of_area = |polygon| usize::from(mesh.area(polygon)).min(GROUND.len() - 1);
    let fill = Fill {
        colors: &GROUND,
        of: &of_area,
        corridor: "#f2b134",
    };
    draw(mesh, path, &fill, out, |_, _, _| Ok(()))
}

/// Draws the nodes of a level in colours, and over them what [`write()`] draws of a path. From level 1
/// on also its inter-edges, red dots; intra-edges, yellow lines; the inter-edges that start and goal
/// are connected to, white lines; and the path as that level knows it, a blue line.
///
/// # Panics
/// When there is no such level.
pub fn write_nodes(
    world: &World,
    path: Option<&Path>,
    shown: &Nodes,
    out: &mut dyn Write,
) -> io::Result<()> {
    let color_of = nodes::colors(world, shown.level);
    let fill = Fill {
        colors: &nodes::COLORS,
        of: &|polygon| color_of[polygon.index()],
        // Yellow is for intra-edges.
        corridor: "#ffffff",
    };
    draw(world.mesh(), path, &fill, out, |drawing, seen, out| {
        drawing.edges(world, path, shown, seen, out)
    })
}

/// Draws what a search looked at, and under it what [`write()`] draws of a path. Of A* and Dijkstra the
/// vertices that they settled, the first in yellow and the last in purple. Of HNA* the nodes of its
/// level in colours; the inter-edges that were settled, red dots; those that start and goal were
/// connected to and that were not, white dots; and the intra-edges that were looked at, yellow lines. Of
/// the contraction the chain of the start in green, that of the goal in blue, what they have in common
/// in orange, and where the way turns from the one to the other, a ring. A line of text counts them.
///
/// # Panics
/// When the trace is of another world.
pub fn write_search(
    world: &World,
    path: Option<&Path>,
    trace: &Trace,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mesh = world.mesh();
    let level = trace.level();
    let color_of = level.map(|level| nodes::colors(world, level));
    let of_area = |polygon| usize::from(mesh.area(polygon)).min(GROUND.len() - 1);
    let of_node = |polygon: PolygonId| color_of.as_ref().map_or(0, |of| of[polygon.index()]);
    let fill = match level {
        None => Fill {
            colors: &GROUND,
            of: &of_area,
            corridor: "#ffffff",
        },
        Some(_) => Fill {
            colors: &nodes::COLORS,
            of: &of_node,
            corridor: "#ffffff",
        },
    };
    draw(mesh, path, &fill, out, |drawing, seen, out| {
        drawing.search(world, trace, seen, out)
    })
}

/// Colours of the ground, which of them a polygon has, and that of the path's corridor on it.
struct Fill<'a> {
    colors: &'a [&'static str],
    of: &'a dyn Fn(PolygonId) -> usize,
    corridor: &'static str,
}

/// Ground in colours, what `between` draws over it, and the path.
fn draw(
    mesh: &NavMesh,
    path: Option<&Path>,
    fill: &Fill<'_>,
    out: &mut dyn Write,
    between: impl FnOnce(&Drawing, &[PolygonId], &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let path = path.filter(|path| !path.waypoints.is_empty());
    let view = view(mesh, path);
    let scale = SIZE / (view.max - view.min).with_y(0.0).max_element();
    let drawing = Drawing { view, scale };
    let size = (view.max - view.min) * scale;
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0} {:.0}" width="{:.0}" height="{:.0}">"#,
        size.x, size.z, size.x, size.z
    )?;
    writeln!(
        out,
        r##"<rect width="100%" height="100%" fill="#4a4f57"/>"##
    )?;
    let mut seen = seen(mesh, path);
    drawing.ground(mesh, &mut seen, fill, out)?;
    drawing.links(mesh, out)?;
    if let Some(path) = path {
        drawing.corridor(mesh, path, fill.corridor, out)?;
    }
    between(&drawing, &seen, out)?;
    if let Some(path) = path {
        drawing.walk(path, out)?;
    }
    drawing.ruler(size, out)?;
    writeln!(out, "</svg>")
}

/// What the picture shows: everything, or what is around the path where everything is too much.
fn view(mesh: &NavMesh, path: Option<&Path>) -> Aabb {
    let all = mesh.bounds();
    let seen = match path {
        Some(path) if mesh.polygon_count() > MOST_POLYGONS => {
            let corridor = path
                .corridor
                .polygons
                .iter()
                .flat_map(|&p| mesh.corner_points(p));
            Aabb::around(corridor.chain(path.waypoints.iter().copied()))
        }
        _ => all,
    };
    let margin = 0.02 * (seen.max - seen.min).with_y(0.0).max_element().max(1e-3);
    seen.grown(Vec3::new(margin, 0.0, margin))
}

/// The polygons to draw: all, or those next to the corridor, or where there is none the largest.
fn seen(mesh: &NavMesh, path: Option<&Path>) -> Vec<PolygonId> {
    if mesh.polygon_count() <= MOST_POLYGONS {
        return mesh.polygons().collect();
    }
    let Some(path) = path else {
        let mut largest: Vec<PolygonId> = mesh.polygons().collect();
        largest.sort_by(|&a, &b| mesh.polygon_area(b).total_cmp(&mesh.polygon_area(a)));
        largest.truncate(MOST_POLYGONS);
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
        if seen.len() < MOST_POLYGONS && !std::mem::replace(&mut is_seen[polygon.index()], true) {
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

struct Drawing {
    view: Aabb,
    scale: f32,
}

impl Drawing {
    fn place(&self, p: Vec3) -> (f32, f32) {
        let q = (p - self.view.min) * self.scale;
        (q.x, q.z)
    }

    fn outline(&self, points: impl Iterator<Item = Vec3>, out: &mut dyn Write) -> io::Result<()> {
        for (i, point) in points.enumerate() {
            let (x, y) = self.place(point);
            write!(out, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' })?;
        }
        Ok(())
    }

    /// The lower polygons first, those of one height and colour in one element.
    fn ground(
        &self,
        mesh: &NavMesh,
        seen: &mut [PolygonId],
        fill: &Fill<'_>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // Storeys are told apart by 2 m of height.
        let layer = |polygon: PolygonId| (mesh.centre(polygon).y / 2.0).floor() as i32;
        let element = |polygon: PolygonId| (layer(polygon), (fill.of)(polygon));
        seen.sort_by_key(|&polygon| element(polygon));
        for group in seen.chunk_by(|&a, &b| element(a) == element(b)) {
            write!(
                out,
                r##"<path fill="{}" stroke="#a09a8c" stroke-width="0.5" d=""##,
                fill.colors[(fill.of)(group[0])]
            )?;
            for &polygon in group {
                self.outline(mesh.corner_points(polygon), out)?;
                write!(out, "Z")?;
            }
            writeln!(out, r#""/>"#)?;
        }
        Ok(())
    }

    fn links(&self, mesh: &NavMesh, out: &mut dyn Write) -> io::Result<()> {
        if mesh.links().is_empty() {
            return Ok(());
        }
        write!(
            out,
            r##"<path fill="none" stroke="#6b4f9e" stroke-width="1" stroke-dasharray="4 3" opacity="0.6" d=""##
        )?;
        for link in mesh.links() {
            self.outline(link.ends.into_iter(), out)?;
        }
        writeln!(out, r#""/>"#)
    }

    fn corridor(
        &self,
        mesh: &NavMesh,
        path: &Path,
        color: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r##"<path fill="{color}" fill-opacity="0.55" stroke="#a8741a" stroke-width="0.7" d=""##
        )?;
        for &polygon in &path.corridor.polygons {
            self.outline(mesh.corner_points(polygon), out)?;
            write!(out, "Z")?;
        }
        writeln!(out, r#""/>"#)?;
        write!(
            out,
            r##"<path fill="none" stroke="#a8741a" stroke-width="1.2" d=""##
        )?;
        for crossing in &path.corridor.crossings {
            if let Crossing::Portal(portal) = *crossing {
                let portal = mesh.portal(portal);
                self.outline([portal.right, portal.left].into_iter(), out)?;
            }
        }
        writeln!(out, r#""/>"#)
    }

    fn walk(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        let is_link = |i: usize| path.links.iter().any(|leg| leg.waypoint as usize == i);
        for (i, leg) in path.legs().enumerate() {
            let dashes = if is_link(i) {
                r#" stroke-dasharray="6 4""#
            } else {
                ""
            };
            write!(
                out,
                r##"<path fill="none" stroke="#b3202c" stroke-width="3" stroke-linecap="round"{dashes} d=""##
            )?;
            self.outline(leg.into_iter(), out)?;
            writeln!(out, r#""/>"#)?;
        }
        for &waypoint in &path.waypoints {
            let (x, y) = self.place(waypoint);
            writeln!(
                out,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="#b3202c"/>"##
            )?;
        }
        let ends = [
            (path.waypoints.first(), "S", "#1b6b3a"),
            (path.waypoints.last(), "G", "#1c4f8f"),
        ];
        for (point, letter, color) in ends {
            let Some(&point) = point else { continue };
            let (x, y) = self.place(point);
            writeln!(
                out,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="10" fill="{color}" stroke="#fff" stroke-width="1.5"/><text x="{x:.1}" y="{:.1}" fill="#fff" font-family="sans-serif" font-size="13" font-weight="bold" text-anchor="middle">{letter}</text>"##,
                y + 4.5
            )?;
        }
        Ok(())
    }

    /// A ruler of a round length, about a tenth of the picture.
    fn ruler(&self, size: Vec3, out: &mut dyn Write) -> io::Result<()> {
        let tenth = size.x / self.scale / 10.0;
        let power = 10f32.powf(tenth.max(1e-3).log10().floor());
        let length = [5.0, 2.0, 1.0]
            .map(|n| n * power)
            .into_iter()
            .find(|&l| l <= tenth);
        let length = length.unwrap_or(power);
        let (x, y) = (12.0, size.z - 12.0);
        writeln!(
            out,
            r##"<rect x="4" y="{}" width="{:.1}" height="32" rx="4" fill="#22252a" opacity="0.8"/><path stroke="#fff" stroke-width="2" fill="none" d="M{x} {}v5h{:.1}v-5"/><text x="{x}" y="{}" fill="#fff" font-family="sans-serif" font-size="13">{length} m</text>"##,
            y - 24.0,
            (length * self.scale).max(40.0) + 16.0,
            y - 5.0,
            length * self.scale,
            y - 9.0
        )
    }
}
