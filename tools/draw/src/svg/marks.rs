//! Draws the path, its corridor, start and goal.

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::{Crossing, NavMesh, Path, PolygonId};

use super::legend::{LegendEntry, Symbol};
use super::outline::Outline;
use super::{Drawing, DrawnPath, PATH};

/// The letter, the word and the colour of start and goal.
const ENDS: [(char, &str, &str); 2] = [('S', "start", "#147a3d"), ('G', "goal", "#1c4fa8")];

/// The start or the goal of a query, as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawnEndpoint {
    /// The position: on the mesh, or the requested position if it is off the mesh.
    pub point: Vec3,
    /// The polygon that it is on; `None` if it is off the mesh.
    pub polygon: Option<PolygonId>,
    /// Whether the profile may enter that polygon.
    pub is_open: bool,
}

impl DrawnEndpoint {
    /// Finds open ground near `requested`, or closed ground if there is no open ground. `snap` is half the size
    /// of the box that is searched, in metres.
    pub fn locate(
        mesh: &NavMesh,
        requested: Vec3,
        snap: Vec3,
        is_open: impl Fn(PolygonId) -> bool,
    ) -> Self {
        let open = mesh.locate(requested, snap, is_open);
        let found = open.or_else(|| mesh.locate(requested, snap, |_| true));
        Self {
            point: found.map_or(requested, |location| location.point),
            polygon: found.map(|location| location.polygon),
            is_open: open.is_some(),
        }
    }
}

/// Returns the legend entries of start and goal.
pub(super) fn entries(drawn: &DrawnPath<'_>) -> Vec<LegendEntry> {
    let ends = drawn.endpoints().zip(ENDS);
    ends.map(|(end, (letter, word, colour))| {
        let [x, y, z] = end.point.to_array();
        let state = match end.polygon {
            None => ": off the mesh",
            Some(_) if !end.is_open => ": on closed ground",
            Some(_) => "",
        };
        let symbol = Symbol::Endpoint {
            letter,
            colour,
            is_on_mesh: end.polygon.is_some(),
        };
        LegendEntry::new(symbol, format!("{word} {x:.1}, {y:.1}, {z:.1}{state}"))
    })
    .collect()
}

/// Writes a disc with a letter, which is hollow and dashed if the point is off the mesh.
pub(super) fn write_endpoint(
    [x, y]: [f32; 2],
    letter: char,
    colour: &str,
    is_on_mesh: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (fill, rim, ink, dashes) = match is_on_mesh {
        true => (colour, "#fff", "#fff", ""),
        false => ("#fff", colour, colour, r#" stroke-dasharray="4 2.5""#),
    };
    writeln!(
        out,
        r##"<circle cx="{x:.1}" cy="{y:.1}" r="10" fill="{fill}" stroke="{rim}" stroke-width="2"{dashes}/><text x="{x:.1}" y="{:.1}" fill="{ink}" font-weight="bold" text-anchor="middle">{letter}</text>"##,
        y + 4.5
    )
}

/// The colour of ground that is closed at run time.
pub(super) const CLOSED: &str = "#8b1a2b";

/// Returns the polygons that a change at run time has closed.
pub(super) fn closed_polygons<'a>(
    mesh: &'a NavMesh,
    visible: &'a [PolygonId],
) -> impl Iterator<Item = PolygonId> + 'a {
    let visible = visible.iter().copied();
    visible.filter(|&polygon| mesh.condition(polygon).is_infinite())
}

impl Drawing {
    /// Draws the ground that is closed at run time.
    pub(super) fn closed(
        &self,
        mesh: &NavMesh,
        visible: &[PolygonId],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        // The outline is wide, so that a door is visible in a picture of a whole building.
        write!(
            out,
            r##"<path class="closed" fill="{CLOSED}" stroke="{CLOSED}" stroke-width="4" d=""##
        )?;
        for polygon in closed_polygons(mesh, visible) {
            let mut outline = Outline::default();
            outline.polygon(mesh.corner_points(polygon).map(|p| self.tenths(p)));
            write!(out, "{}", outline.text())?;
        }
        writeln!(out, r#""/>"#)
    }

    /// Draws discs that stand on the ground.
    pub(super) fn discs(&self, discs: &[[f32; 4]], out: &mut dyn Write) -> io::Result<()> {
        for &[x, y, z, radius] in discs {
            let centre = Vec3::new(x, y, z);
            let (x, y) = self.to_plot(centre);
            let (rim, _) = self.to_plot(centre + Vec3::X * radius);
            writeln!(
                out,
                r##"<circle class="disc" cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="{CLOSED}"/>"##,
                rim - x
            )?;
        }
        Ok(())
    }

    pub(super) fn corridor(
        &self,
        mesh: &NavMesh,
        path: &Path,
        colour: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r##"<path class="corridor" fill="{colour}" fill-opacity="0.55" stroke="#8a5c0a" stroke-width="0.7" d=""##
        )?;
        for &polygon in &path.corridor.polygons {
            let mut outline = Outline::default();
            outline.polygon(mesh.corner_points(polygon).map(|p| self.tenths(p)));
            write!(out, "{}", outline.text())?;
        }
        writeln!(out, r#""/>"#)?;
        write!(
            out,
            r##"<path class="portals" fill="none" stroke="#8a5c0a" stroke-width="1.2" d=""##
        )?;
        for crossing in &path.corridor.crossings {
            if let Crossing::Portal(portal) = *crossing {
                let portal = mesh.portal(portal);
                self.outline([portal.right, portal.left].into_iter(), out)?;
            }
        }
        writeln!(out, r#""/>"#)
    }

    pub(super) fn path(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
        let is_link = |i: usize| path.links.iter().any(|leg| leg.waypoint as usize == i);
        for (i, leg) in path.legs().enumerate() {
            let dashes = if is_link(i) {
                r#" stroke-dasharray="6 4""#
            } else {
                ""
            };
            write!(
                out,
                r##"<path class="leg" fill="none" stroke="{PATH}" stroke-width="3" stroke-linecap="round"{dashes} d=""##
            )?;
            self.outline(leg.into_iter(), out)?;
            writeln!(out, r#""/>"#)?;
        }
        for &waypoint in &path.waypoints {
            let (x, y) = self.to_plot(waypoint);
            writeln!(
                out,
                r##"<circle class="waypoint" cx="{x:.1}" cy="{y:.1}" r="3.2" fill="{PATH}" stroke="#fff" stroke-width="0.8"/>"##
            )?;
        }
        Ok(())
    }

    /// Draws start and goal in the coordinates of the page, so that the plot does not clip them. Those
    /// outside of the plot are drawn on its border.
    pub(super) fn endpoints(&self, drawn: &DrawnPath<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Some(ends) = drawn.endpoints else {
            return Ok(());
        };
        let positions = ends.map(|end| self.frame.to_page(end.point).0);
        let [dx, dy] = [0, 1].map(|i| positions[0][i] - positions[1][i]);
        // Two overlapping discs are moved apart, so that both letters are legible.
        let aside = if dx.hypot(dy) < 16.0 { 11.0 } else { 0.0 };
        writeln!(out, r#"<g class="ends">"#)?;
        for (i, (end, (letter, _, colour))) in ends.into_iter().zip(ENDS).enumerate() {
            let [x, y] = positions[i];
            let x = if i == 0 { x - aside } else { x + aside };
            write_endpoint([x, y], letter, colour, end.polygon.is_some(), out)?;
        }
        writeln!(out, "</g>")
    }
}
