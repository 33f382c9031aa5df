//! Draws the answer of a probe: polygons, walls, points and a line over the navmesh.

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::geometry::Aabb;
use portolan_core::{NavMesh, PolygonId};

use super::ground::GroundStyle;
use super::legend::{LegendEntry, Symbol};
use super::outline::Outline;
use super::{CORRIDOR, Drawing, DrawnEndpoint, DrawnPath, PATH, draw};

/// The ground that is shown around an answer, at least. [Units: m]
const MIN_MARGIN: f32 = 5.0;

const START: &str = "#147a3d";
const WALL: &str = "#1c4fa8";

/// What a picture of a probe shows. Empty parts are left out.
#[derive(Clone, Debug, Default)]
pub struct DrawnProbe {
    /// Where the question was asked.
    pub start: Option<DrawnEndpoint>,
    /// Polygons to highlight, and what they are.
    pub polygons: (Vec<PolygonId>, String),
    /// Walls, and what they are.
    pub walls: (Vec<[Vec3; 2]>, String),
    /// A line, and what it is.
    pub line: (Vec<Vec3>, String),
    /// Points, and what they are.
    pub points: (Vec<Vec3>, String),
    /// The radius of a circle around the start, in metres.
    pub radius: Option<f32>,
}

/// Draws the answer of a probe over a navmesh, whose ground is drawn as in [`write`](super::write()).
pub fn write_probe(mesh: &NavMesh, probe: &DrawnProbe, out: &mut dyn Write) -> io::Result<()> {
    let ground = GroundStyle::by_island(mesh, probe.start.into_iter());
    let nothing = DrawnPath::default();
    draw(
        mesh,
        probe.view(mesh),
        &nothing,
        &ground,
        out,
        |drawing, _, out| drawing.probe(mesh, probe, out),
    )
}

impl DrawnProbe {
    /// Returns the part of the world to show: the surroundings of the answer if it is about a place, otherwise the
    /// full navmesh.
    fn view(&self, mesh: &NavMesh) -> Aabb {
        let Some(start) = self.start.map(|start| start.point) else {
            return mesh.bounds();
        };
        let rim = self.radius.unwrap_or(0.0);
        let answer = self.line.0.iter().chain(&self.points.0).copied();
        let answer = Aabb::around(answer.chain([start - rim, start + rim]));
        let extent = (answer.max - answer.min).with_y(0.0).max_element();
        answer.grown(Vec3::splat((0.25 * extent).max(MIN_MARGIN)))
    }
}

impl Drawing {
    fn probe(
        &self,
        mesh: &NavMesh,
        probe: &DrawnProbe,
        out: &mut dyn Write,
    ) -> io::Result<Vec<LegendEntry>> {
        let mut legend = Vec::new();
        if !probe.polygons.0.is_empty() {
            write!(
                out,
                r##"<path class="polygons" fill="{CORRIDOR}" fill-opacity="0.55" stroke="#8a5c0a" stroke-width="0.7" d=""##
            )?;
            for &polygon in &probe.polygons.0 {
                let mut outline = Outline::default();
                outline.polygon(mesh.corner_points(polygon).map(|p| self.tenths(p)));
                write!(out, "{}", outline.text())?;
            }
            writeln!(out, r#""/>"#)?;
            legend.push(LegendEntry::new(
                Symbol::Corridor(CORRIDOR),
                probe.polygons.1.clone(),
            ));
        }
        let start = probe.start.map(|start| start.point);
        if let Some((radius, centre)) = probe.radius.zip(start) {
            let (x, y) = self.to_plot(centre);
            let (rim, _) = self.to_plot(centre + Vec3::X * radius);
            writeln!(
                out,
                r##"<circle class="radius" cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="none" stroke="#fff" stroke-width="1.5" stroke-dasharray="5 4"/>"##,
                rim - x
            )?;
        }
        if !probe.walls.0.is_empty() {
            write!(
                out,
                r##"<path class="walls" fill="none" stroke="{WALL}" stroke-width="4" stroke-linecap="round" d=""##
            )?;
            for wall in &probe.walls.0 {
                self.outline(wall.iter().copied(), out)?;
            }
            writeln!(out, r#""/>"#)?;
            legend.push(LegendEntry::new(
                Symbol::line(WALL, 4.0),
                probe.walls.1.clone(),
            ));
        }
        if probe.line.0.len() > 1 {
            write!(
                out,
                r##"<path class="line" fill="none" stroke="{PATH}" stroke-width="3" stroke-linecap="round" d=""##
            )?;
            self.outline(probe.line.0.iter().copied(), out)?;
            writeln!(out, r#""/>"#)?;
            legend.push(LegendEntry::new(
                Symbol::line(PATH, 3.0),
                probe.line.1.clone(),
            ));
        }
        for &point in &probe.points.0 {
            self.dot(point, PATH, out)?;
        }
        if !probe.points.0.is_empty() {
            legend.push(LegendEntry::new(Symbol::Dot(PATH), probe.points.1.clone()));
        }
        if let Some(start) = start {
            self.dot(start, START, out)?;
            let [x, y, z] = start.to_array();
            legend.insert(
                0,
                LegendEntry::new(
                    Symbol::Dot(START),
                    format!("asked at {x:.1}, {y:.1}, {z:.1}"),
                ),
            );
        }
        Ok(legend)
    }

    fn dot(&self, point: Vec3, colour: &str, out: &mut dyn Write) -> io::Result<()> {
        let (x, y) = self.to_plot(point);
        writeln!(
            out,
            r##"<circle class="point" cx="{x:.1}" cy="{y:.1}" r="4" fill="{colour}" stroke="#fff" stroke-width="0.8"/>"##
        )
    }
}
