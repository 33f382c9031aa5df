//! The path, its corridor, start and goal.

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::{Crossing, NavMesh, Path, PolygonId};

use super::legend::{Entry, Sign};
use super::outline::Outline;
use super::{Drawing, PATH, Shown};

/// The letter, the word and the colour of start and goal.
const ENDS: [(char, &str, &str); 2] = [('S', "start", "#147a3d"), ('G', "goal", "#1c4fa8")];

/// Start or goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct End {
    /// Where it is drawn: on the mesh, or where it was asked for if it is off the mesh.
    pub point: Vec3,
    /// The polygon that it stands on; `None` if it is off the mesh.
    pub polygon: Option<PolygonId>,
    /// Whether the profile may stand there.
    pub is_open: bool,
}

impl End {
    /// Looks for open ground near `asked`, and for closed ground if there is none. `snap` is half the
    /// size of the box that is searched.
    pub fn locate(
        mesh: &NavMesh,
        asked: Vec3,
        snap: Vec3,
        is_open: impl Fn(PolygonId) -> bool,
    ) -> Self {
        let open = mesh.locate(asked, snap, is_open);
        let found = open.or_else(|| mesh.locate(asked, snap, |_| true));
        Self {
            point: found.map_or(asked, |location| location.point),
            polygon: found.map(|location| location.polygon),
            is_open: open.is_some(),
        }
    }
}

/// What the legend says of start and goal.
pub(super) fn entries(shown: &Shown<'_>) -> Vec<Entry> {
    let ends = shown.ends.into_iter().flatten().zip(ENDS);
    ends.map(|(end, (letter, word, color))| {
        let [x, y, z] = end.point.to_array();
        let state = match end.polygon {
            None => ": off the mesh",
            Some(_) if !end.is_open => ": on closed ground",
            Some(_) => "",
        };
        let sign = Sign::End {
            letter,
            color,
            is_on_mesh: end.polygon.is_some(),
        };
        Entry::new(sign, format!("{word} {x:.1}, {y:.1}, {z:.1}{state}"))
    })
    .collect()
}

/// A disc with a letter; hollow and dashed if it is off the mesh.
pub(super) fn write_end(
    [x, y]: [f32; 2],
    letter: char,
    color: &str,
    is_on_mesh: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (fill, rim, ink, dashes) = match is_on_mesh {
        true => (color, "#fff", "#fff", ""),
        false => ("#fff", color, color, r#" stroke-dasharray="4 2.5""#),
    };
    writeln!(
        out,
        r##"<circle cx="{x:.1}" cy="{y:.1}" r="10" fill="{fill}" stroke="{rim}" stroke-width="2"{dashes}/><text x="{x:.1}" y="{:.1}" fill="{ink}" font-weight="bold" text-anchor="middle">{letter}</text>"##,
        y + 4.5
    )
}

impl Drawing {
    pub(super) fn corridor(
        &self,
        mesh: &NavMesh,
        path: &Path,
        color: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write!(
            out,
            r##"<path class="corridor" fill="{color}" fill-opacity="0.55" stroke="#8a5c0a" stroke-width="0.7" d=""##
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

    pub(super) fn walk(&self, path: &Path, out: &mut dyn Write) -> io::Result<()> {
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
            let (x, y) = self.place(waypoint);
            writeln!(
                out,
                r##"<circle class="waypoint" cx="{x:.1}" cy="{y:.1}" r="3.2" fill="{PATH}" stroke="#fff" stroke-width="0.8"/>"##
            )?;
        }
        Ok(())
    }

    /// Start and goal, on the page and not cut off by the plot. Those far outside of it stand on its
    /// border.
    pub(super) fn ends(&self, shown: &Shown<'_>, out: &mut dyn Write) -> io::Result<()> {
        let Some(ends) = shown.ends else {
            return Ok(());
        };
        let places = ends.map(|end| self.frame.place_on_page(end.point).0);
        let [dx, dy] = [0, 1].map(|i| places[0][i] - places[1][i]);
        // Two discs on one another are moved apart, so that both letters can be read.
        let aside = if dx.hypot(dy) < 16.0 { 11.0 } else { 0.0 };
        writeln!(out, r#"<g class="ends">"#)?;
        for (i, (end, (letter, _, color))) in ends.into_iter().zip(ENDS).enumerate() {
            let [x, y] = places[i];
            let x = if i == 0 { x - aside } else { x + aside };
            write_end([x, y], letter, color, end.polygon.is_some(), out)?;
        }
        writeln!(out, "</g>")
    }
}
