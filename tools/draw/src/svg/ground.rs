//! The ground of a picture: islands or nodes as colours, heights as shades, areas as hatchings.

use std::io::{self, Write};

use glam::Vec3;
use portolan_core::{Level, NavMesh, PolygonId, World};

use super::legend::{LegendEntry, Symbol};
use super::outline::{Outline, Tenths, joined};
use super::walls::Walls;
use super::{CORRIDOR, Drawing, DrawnEndpoint, nodes};
use crate::picture::{Colour, mix};

/// The colours of islands, by descending size of the island.
const ISLANDS: [Colour; 7] = [
    [213, 198, 166],
    [124, 166, 214],
    [146, 192, 124],
    [222, 148, 158],
    [176, 154, 218],
    [108, 190, 186],
    [226, 166, 108],
];
/// The colour of all smaller islands.
const SMALL_ISLANDS: Colour = [164, 164, 164];

/// The colour that the colour of the lowest ground is mixed with, and its fraction.
const LOWEST: (Colour, f32) = ([16, 18, 34], 0.42);
/// The colour that the colour of the highest ground is mixed with, and its fraction.
const HIGHEST: (Colour, f32) = ([255, 255, 255], 0.7);

/// The minimum difference of heights that is shown as shades. [Units: m]
const MIN_RELIEF: f32 = 1.0;

/// The minimum and the maximum height of a layer. Ground is drawn layer by layer, from low to high. [Units: m]
const LAYER_HEIGHTS: [f32; 2] = [0.25, 2.0];

/// The opacity of floors, if some are above others.
const STACKED_OPACITY: f32 = 0.78;

/// The colours and lines of the hatchings of areas. The last one is for all areas beyond the first four.
const HATCHINGS: [(&str, &str); 5] = [
    ("#1f7a3d", "M0 8L8 0M-2 2L2-2M6 10L10 6"),
    ("#1c4fa8", "M0 0L8 8M-2 6L2 10M6-2L10 2"),
    ("#9c3a12", "M0 4H8"),
    ("#6a2a8c", "M4 0V8"),
    ("#333333", "M0 4H8M4 0V8"),
];

/// The colours, shades and hatchings of a navmesh.
pub(super) struct GroundStyle<'a> {
    /// The index of the colour of each polygon.
    colour_of: Vec<usize>,
    colours: Colours<'a>,
    /// The lowest and the highest centre of a polygon. [Units: m]
    heights: [f32; 2],
    /// The areas that are hatched, the most frequent first.
    areas: Vec<u8>,
    opacity: f32,
}

/// The rule by which polygons get their colours.
enum Colours<'a> {
    /// The islands that have colours of their own, in the order of those colours.
    Islands(Vec<u32>),
    /// The colours of nodes, and the level of the nodes.
    Nodes(&'a [&'static str], Level),
}

impl GroundStyle<'_> {
    /// Colours the largest islands and those of `ends`, with shades by height.
    pub(super) fn by_island(mesh: &NavMesh, ends: impl Iterator<Item = DrawnEndpoint>) -> Self {
        let components = mesh.components();
        let mut islands: Vec<u32> = (0..components.count() as u32).collect();
        islands.sort_by_key(|&island| std::cmp::Reverse(components.size(island)));
        for polygon in ends.filter_map(|end| end.polygon) {
            let island = components.of(mesh.whole(polygon));
            let rank = islands.iter().position(|&other| other == island);
            if let Some(rank) = rank.filter(|&rank| rank >= ISLANDS.len()) {
                // The island gets the second to last colour, so that the islands of start and goal both have one.
                islands.remove(rank);
                islands.insert(ISLANDS.len() - 2, island);
            }
        }
        islands.truncate(ISLANDS.len());
        let rank = |polygon| {
            let island = components.of(polygon);
            let rank = islands.iter().position(|&other| other == island);
            rank.unwrap_or(ISLANDS.len())
        };
        Self {
            colour_of: mesh.polygons().map(rank).collect(),
            colours: Colours::Islands(islands),
            heights: heights(mesh),
            areas: hatched_areas(mesh),
            opacity: opacity(mesh),
        }
    }

    /// Colours the nodes of a level.
    pub(super) fn by_node(world: &World, level: Level) -> Self {
        let mesh = world.mesh();
        Self {
            colour_of: nodes::colours(world, level),
            colours: Colours::Nodes(&nodes::COLOURS, level),
            heights: heights(mesh),
            areas: Vec::new(),
            opacity: opacity(mesh),
        }
    }

    /// Returns the colour of the corridor on this ground.
    pub(super) fn corridor(&self) -> &'static str {
        match self.colours {
            Colours::Islands(_) => CORRIDOR,
            // Intra-edges are yellow.
            Colours::Nodes(..) => "#ffffff",
        }
    }

    /// Returns whether heights differ enough to be shown.
    fn has_relief(&self) -> bool {
        self.heights[1] - self.heights[0] > MIN_RELIEF
    }

    /// Returns the number of layers below a height.
    fn layer(&self, height: f32) -> i32 {
        ((height - self.heights[0]) / self.layer_height()) as i32
    }

    fn layer_height(&self) -> f32 {
        let [min, max] = LAYER_HEIGHTS;
        ((self.heights[1] - self.heights[0]) / 24.0).clamp(min, max)
    }

    /// Returns the fill of a colour at a height.
    fn fill(&self, colour: usize, height: f32) -> String {
        let base = match &self.colours {
            Colours::Nodes(colours, _) => return colours[colour].to_owned(),
            Colours::Islands(_) => ISLANDS.get(colour).copied().unwrap_or(SMALL_ISLANDS),
        };
        let [low, high] = self.heights;
        let shade = match self.has_relief() {
            true => ((height - low) / (high - low)).clamp(0.0, 1.0),
            false => 0.5,
        };
        // Ground of medium height has the pure colour.
        let ((other, max_fraction), distance) = match shade < 0.5 {
            true => (LOWEST, 1.0 - 2.0 * shade),
            false => (HIGHEST, 2.0 * shade - 1.0),
        };
        let [r, g, b] = mix(base, other, max_fraction * distance);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Draws polygons from low to high, those of the same layer and colour as one element, and the walls of
    /// each layer over its ground.
    pub(super) fn draw(
        &self,
        drawing: &Drawing,
        mesh: &NavMesh,
        visible: &mut [PolygonId],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let layer = |polygon: PolygonId| self.layer(mesh.centre(polygon).y);
        let colour = |polygon: PolygonId| self.colour_of[polygon.index()];
        visible.sort_by_key(|&polygon| (layer(polygon), colour(polygon), polygon));
        let walls = Walls::new(mesh);
        writeln!(
            out,
            r##"<g class="ground" stroke="#20242c" stroke-linejoin="round">"##
        )?;
        for floor in visible.chunk_by(|&a, &b| layer(a) == layer(b)) {
            let height = self.heights[0] + (layer(floor[0]) as f32 + 0.5) * self.layer_height();
            for group in floor.chunk_by(|&a, &b| colour(a) == colour(b)) {
                write!(
                    out,
                    r#"<path fill="{}" fill-opacity="{}" stroke-opacity=".3" stroke-width=".5" d=""#,
                    self.fill(colour(group[0]), height),
                    self.opacity
                )?;
                drawing.polygons(mesh, group.iter().copied(), out)?;
                writeln!(out, r#""/>"#)?;
            }
            for (i, &area) in self.areas.iter().enumerate() {
                let mut hatched = floor
                    .iter()
                    .copied()
                    .filter(|&p| mesh.area(p) == area)
                    .peekable();
                if hatched.peek().is_none() {
                    continue;
                }
                let hatching = i.min(HATCHINGS.len() - 1);
                write!(
                    out,
                    r#"<path fill="url(#area{hatching})" stroke="none" d=""#
                )?;
                drawing.polygons(mesh, hatched, out)?;
                writeln!(out, r#""/>"#)?;
            }
            let walls = floor.iter().flat_map(|&polygon| walls.of(polygon));
            let walls = walls.map(|ends| ends.map(|end| drawing.tenths(end)));
            let walls: Vec<[Tenths; 2]> = walls.filter(|[a, b]| a != b).collect();
            let mut outline = Outline::default();
            joined(&walls)
                .into_iter()
                .for_each(|line| outline.line(line));
            writeln!(
                out,
                r#"<path class="wall" fill="none" stroke-width="1.1" d="{}"/>"#,
                outline.text()
            )?;
        }
        writeln!(out, "</g>")
    }

    /// Defines the hatchings that areas are filled with.
    pub(super) fn write_patterns(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.areas.is_empty() {
            return Ok(());
        }
        writeln!(out, "<defs>")?;
        for (i, (colour, lines)) in HATCHINGS.iter().enumerate().take(self.areas.len()) {
            writeln!(
                out,
                r#"<pattern id="area{i}" width="8" height="8" patternUnits="userSpaceOnUse"><path d="{lines}" stroke="{colour}" stroke-width="1.1" fill="none"/></pattern>"#
            )?;
        }
        writeln!(out, "</defs>")
    }

    /// Returns the legend entries of colours, hatchings and shades.
    pub(super) fn entries(&self, mesh: &NavMesh) -> Vec<LegendEntry> {
        let [low, high] = self.heights;
        let middle = 0.5 * (low + high);
        let mut entries = Vec::new();
        match &self.colours {
            Colours::Nodes(_, level) => {
                let text = format!("nodes of level {level}, one colour each");
                entries.push(LegendEntry::new(Symbol::Nothing, text));
                return entries;
            }
            Colours::Islands(islands) => {
                let swatch = |rank| Symbol::swatch(self.fill(rank, middle), self.opacity);
                let components = mesh.components();
                for (rank, &island) in islands.iter().enumerate() {
                    let polygons = match components.size(island) {
                        1 => "1 polygon".to_owned(),
                        count => format!("{count} polygons"),
                    };
                    let text = match components.count() {
                        1 => format!("ground: {polygons}"),
                        _ => format!("island {}: {polygons}", rank + 1),
                    };
                    entries.push(LegendEntry::new(swatch(rank), text));
                }
                let others = components.count() - islands.len();
                if others > 0 {
                    let text = match others {
                        1 => "1 other island".to_owned(),
                        _ => format!("{others} other islands"),
                    };
                    entries.push(LegendEntry::new(swatch(ISLANDS.len()), text));
                }
            }
        }
        for (i, area) in self.areas.iter().enumerate().take(HATCHINGS.len()) {
            let is_last = i + 1 == HATCHINGS.len() && self.areas.len() > HATCHINGS.len();
            let text = match is_last {
                true => "other areas".to_owned(),
                false => format!("area {area}"),
            };
            entries.push(LegendEntry::new(Symbol::Hatching(i), text));
        }
        if self.has_relief() {
            entries.push(LegendEntry::new(Symbol::Nothing, "height y"));
            for fraction in [1.0, 0.75, 0.5, 0.25, 0.0] {
                let height = low + fraction * (high - low);
                let symbol = Symbol::swatch(self.fill(0, height), self.opacity);
                entries.push(LegendEntry::new(symbol, format!("{height:.1} m")));
            }
        }
        entries
    }
}

impl Drawing {
    fn polygons(
        &self,
        mesh: &NavMesh,
        polygons: impl Iterator<Item = PolygonId>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut outline = Outline::default();
        for polygon in polygons {
            let corners = mesh.corner_points(polygon);
            outline.polygon(corners.map(|corner| self.tenths(corner)));
        }
        out.write_all(outline.text().as_bytes())
    }
}

/// Returns the lowest and the highest centre of a polygon.
fn heights(mesh: &NavMesh) -> [f32; 2] {
    let heights = mesh.polygons().map(|polygon| mesh.centre(polygon).y);
    let [low, high] = heights.fold([f32::MAX, f32::MIN], |[low, high], height| {
        [low.min(height), high.max(height)]
    });
    [low, high.max(low)]
}

/// Returns all areas except the most frequent one, by descending frequency.
fn hatched_areas(mesh: &NavMesh) -> Vec<u8> {
    let mut counts = [0usize; 256];
    mesh.areas()
        .iter()
        .for_each(|&area| counts[usize::from(area)] += 1);
    let mut areas: Vec<u8> = (0..=255)
        .filter(|&area| counts[usize::from(area)] > 0)
        .collect();
    areas.sort_by_key(|&area| std::cmp::Reverse(counts[usize::from(area)]));
    areas.drain(..1.min(areas.len()));
    areas
}

/// Returns the opacity of the ground. It is translucent if floors are above each other.
fn opacity(mesh: &NavMesh) -> f32 {
    /// The number of polygons that are tested, which is enough to notice a storey.
    const SAMPLE: usize = 2000;
    /// Ground that is farther above or below other ground is another floor. [Units: m]
    const STOREY: f32 = 1.5;
    let step = mesh.polygon_count().div_ceil(SAMPLE).max(1);
    let is_stacked = mesh.polygons().step_by(step).any(|polygon| {
        let centre = mesh.centre(polygon);
        let is_other = |other| {
            other != polygon
                && mesh.contains_xz(other, centre)
                && (mesh.height_at(other, centre) - centre.y).abs() > STOREY
        };
        let tall = Vec3::new(0.0, f32::MAX, 0.0);
        mesh.locate(centre, tall, is_other).is_some()
    });
    if is_stacked { STACKED_OPACITY } else { 1.0 }
}
