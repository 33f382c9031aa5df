//! Charts as SVG: panels with axes, lines, dots and stacked bars, and one legend for all panels.
//!
//! Series that differ in colour also differ in marker and dash, and bars also differ in hatching, so that
//! charts are readable in grey and with any colour vision. The colours are those of Okabe and Ito.

mod axis;
pub mod height_profile;
mod labels;
mod looks;
pub mod map;
pub mod trade_off;

pub use axis::{Axis, Scale, round_step};

use std::fmt::Write;

use crate::xml::escape;
use labels::Labels;
use looks::Look;

/// A chart with panels in rows and columns.
#[derive(Debug)]
pub struct Chart {
    /// The prefix of the ids in the SVG. It must be unique among the charts of a page.
    pub id: String,
    /// The description of the chart for readers who cannot see it.
    pub description: String,
    /// The number of panels per row.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
}

/// A panel of a chart, which has one pair of axes.
#[derive(Debug)]
pub struct Panel {
    /// The title above the panel.
    pub title: String,
    /// The horizontal axis. Bars do not use it.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines and dots. Later ones are drawn over earlier ones.
    pub series: Vec<Series>,
    /// The stacked bars, which are drawn under the series.
    pub bars: Option<Bars>,
}

/// A named series of points.
#[derive(Debug)]
pub struct Series {
    /// The name in the legend. A series with an empty name has no entry there.
    pub name: String,
    /// The number of the colour, dash and marker. The same number looks the same in every panel.
    pub look: usize,
    /// How the points are drawn.
    pub draw: Draw,
    /// The x and y of each point.
    pub points: Vec<[f64; 2]>,
    /// The labels beside the points, in order. Points beyond the end of this list have none.
    pub labels: Vec<String>,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// As a line with markers.
    Line,
    /// As a line without markers.
    Rule,
    /// As markers with this radius, in pixels.
    Dots(f64),
    /// As large hollow stars, for published figures of others.
    Published,
}

/// Stacked bars, one stack per category.
#[derive(Debug)]
pub struct Bars {
    /// The name under each stack.
    pub categories: Vec<String>,
    /// The name of each part, for the legend.
    pub parts: Vec<String>,
    /// The height of each part, category by category.
    pub heights: Vec<Vec<f64>>,
}

/// The width of a panel with its labels. [Units: px]
const WIDTH: f64 = 400.0;
/// The height of a panel with its labels. [Units: px]
const HEIGHT: f64 = 290.0;
/// The margins around the axes: left, right, top, bottom. [Units: px]
const MARGINS: [f64; 4] = [62.0, 14.0, 34.0, 48.0];
const LEGEND_ROW: f64 = 22.0;
/// The approximate width of a letter. [Units: px]
const LETTER: f64 = 6.6;

impl Chart {
    /// Returns the chart as an SVG document.
    pub fn svg(&self) -> String {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let rows = self.panels.len().div_ceil(columns);
        let width = columns as f64 * WIDTH;
        let legend = self.legend(width);
        let legend_rows = legend.iter().map(|entry| entry.row + 1).max().unwrap_or(0);
        let panels_height = rows as f64 * HEIGHT;
        let height = panels_height + legend_rows as f64 * LEGEND_ROW + 8.0;
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" \
             fill=\"#fff\"/>\n",
            escape(&self.description)
        );
        if self.panels.iter().any(|panel| panel.bars.is_some()) {
            looks::write_hatchings(&mut out, &self.id);
        }
        for (i, panel) in self.panels.iter().enumerate() {
            let (x, y) = ((i % columns) as f64 * WIDTH, (i / columns) as f64 * HEIGHT);
            let _ = writeln!(out, "<g transform=\"translate({x} {y})\">");
            self.panel(panel, &mut out);
            out.push_str("</g>\n");
        }
        for entry in legend {
            let y = panels_height + entry.row as f64 * LEGEND_ROW + 14.0;
            let _ = writeln!(out, "<g transform=\"translate({:.1} {y:.1})\">", entry.x);
            entry.write_symbol(&mut out, &self.id);
            let name = escape(entry.name);
            let _ = writeln!(
                out,
                "<text x=\"36\" y=\"4\" fill=\"#222\">{name}</text></g>"
            );
        }
        out.push_str("</svg>\n");
        out
    }

    fn panel(&self, panel: &Panel, out: &mut String) {
        let [left, right, top, bottom] = MARGINS;
        let (x0, x1, y0, y1) = (left, WIDTH - right, HEIGHT - bottom, top);
        let (xs, ys) = panel.ranges();
        let at_x = |value: f64| x0 + (x1 - x0) * panel.x.fraction(value, xs);
        let at_y = |value: f64| y0 + (y1 - y0) * panel.y.fraction(value, ys);
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"20\" text-anchor=\"middle\" font-size=\"14\" \
             font-weight=\"bold\" fill=\"#222\">{}</text>",
            f64::midpoint(x0, x1),
            escape(&panel.title)
        );
        for (value, label) in panel.y.ticks(ys) {
            let y = at_y(value);
            let _ = writeln!(
                out,
                "<path d=\"M{x0} {y:.1}H{x1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{label}</text>",
                x0 - 6.0,
                y + 4.0
            );
        }
        match &panel.bars {
            Some(bars) => {
                let step = (x1 - x0) / bars.categories.len().max(1) as f64;
                for (i, (category, heights)) in
                    bars.categories.iter().zip(&bars.heights).enumerate()
                {
                    let middle = x0 + (i as f64 + 0.5) * step;
                    tick_label(out, middle, y0, category);
                    let (mut from, x, width) = (0.0, middle - 0.36 * step, 0.72 * step);
                    for (part, height) in heights.iter().enumerate() {
                        let (low, high) = (at_y(from), at_y(from + height));
                        from += height;
                        let _ = writeln!(
                            out,
                            "<rect x=\"{x:.1}\" y=\"{high:.1}\" width=\"{width:.1}\" \
                             height=\"{:.1}\" fill=\"url(#{}-hatch{part})\" stroke=\"#222\" \
                             stroke-width=\"0.7\"/>",
                            (low - high).max(0.0),
                            self.id
                        );
                    }
                }
            }
            None => {
                for (value, label) in panel.x.ticks(xs) {
                    let x = at_x(value);
                    let _ = writeln!(out, "<path d=\"M{x:.1} {y0}v5\" stroke=\"#444\"/>");
                    tick_label(out, x, y0, &label);
                }
            }
        }
        let _ = writeln!(
            out,
            "<path d=\"M{x0} {y1}V{y0}H{x1}\" fill=\"none\" stroke=\"#444\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"13\" \
             fill=\"#222\">{}</text>\
             <text transform=\"translate(15 {:.1}) rotate(-90)\" text-anchor=\"middle\" \
             font-size=\"13\" fill=\"#222\">{}</text>",
            f64::midpoint(x0, x1),
            y0 + 38.0,
            escape(&panel.x.label),
            f64::midpoint(y0, y1),
            escape(&panel.y.label)
        );
        let mut labels = Labels::new([x0 + 2.0, y1, x1, y0 - 2.0]);
        let mut point_labels: Vec<([f64; 2], &str)> = Vec::new();
        for series in &panel.series {
            let look = Look::new(series.look);
            let inside =
                |point: &&[f64; 2]| panel.x.can_show(point[0]) && panel.y.can_show(point[1]);
            let points: Vec<[f64; 2]> = series
                .points
                .iter()
                .filter(inside)
                .map(|&[x, y]| [at_x(x), at_y(y)])
                .collect();
            if matches!(series.draw, Draw::Line | Draw::Rule) {
                look.line(out, &points);
                labels.avoid_line(&points);
            }
            points.iter().for_each(|&at| labels.avoid(at, 5.0));
            let labelled = series.points.iter().zip(&series.labels);
            let labelled = labelled.filter(|(point, _)| inside(point));
            point_labels
                .extend(labelled.map(|(&[x, y], label)| ([at_x(x), at_y(y)], label.as_str())));
            match series.draw {
                Draw::Rule => {}
                Draw::Line => points.iter().for_each(|&at| look.marker(out, at, 4.0)),
                Draw::Dots(size) => points.iter().for_each(|&at| look.marker(out, at, size)),
                Draw::Published => points.iter().for_each(|&at| look.star(out, at)),
            }
        }
        // Labels are written last, when everything that they must avoid is known.
        for (at, label) in point_labels {
            labels.write(out, at, label);
        }
    }

    /// Returns the entries of the legend with their positions.
    fn legend(&self, width: f64) -> Vec<ChartLegendEntry<'_>> {
        let mut entries: Vec<ChartLegendEntry<'_>> = Vec::new();
        for panel in &self.panels {
            let series = panel
                .series
                .iter()
                .map(|series| (series.name.as_str(), ChartSymbol::Series(series)));
            let parts = panel.bars.iter().flat_map(|bars| &bars.parts).enumerate();
            let parts = parts.map(|(i, name)| (name.as_str(), ChartSymbol::Part(i)));
            for (name, symbol) in series.chain(parts) {
                if !name.is_empty() && entries.iter().all(|entry| entry.name != name) {
                    let (row, x) = (0, 0.0);
                    entries.push(ChartLegendEntry {
                        name,
                        symbol,
                        row,
                        x,
                    });
                }
            }
        }
        let (mut row, mut x) = (0, 12.0);
        for entry in &mut entries {
            let needed_width = 36.0 + LETTER * entry.name.chars().count() as f64 + 16.0;
            if x > 12.0 && x + needed_width > width {
                row += 1;
                x = 12.0;
            }
            (entry.row, entry.x) = (row, x);
            x += needed_width;
        }
        entries
    }
}

fn tick_label(out: &mut String, x: f64, y0: f64, label: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#444\">{}</text>",
        y0 + 18.0,
        escape(label)
    );
}

/// An entry of the legend.
struct ChartLegendEntry<'a> {
    name: &'a str,
    symbol: ChartSymbol<'a>,
    row: usize,
    x: f64,
}

enum ChartSymbol<'a> {
    Series(&'a Series),
    Part(usize),
}

impl ChartLegendEntry<'_> {
    fn write_symbol(&self, out: &mut String, id: &str) {
        match self.symbol {
            ChartSymbol::Part(part) => {
                let _ = writeln!(
                    out,
                    "<rect x=\"6\" y=\"-7\" width=\"22\" height=\"14\" \
                     fill=\"url(#{id}-hatch{part})\" stroke=\"#222\" stroke-width=\"0.7\"/>"
                );
            }
            ChartSymbol::Series(series) => {
                let look = Look::new(series.look);
                if matches!(series.draw, Draw::Line | Draw::Rule) {
                    look.line(out, &[[0.0, 0.0], [32.0, 0.0]]);
                }
                match series.draw {
                    Draw::Rule => {}
                    Draw::Line => look.marker(out, [16.0, 0.0], 4.0),
                    Draw::Dots(size) => look.marker(out, [16.0, 0.0], size.max(3.0)),
                    Draw::Published => look.star(out, [16.0, 0.0]),
                }
            }
        }
    }
}

impl Panel {
    /// Returns the ranges that the two axes show.
    fn ranges(&self) -> ([f64; 2], [f64; 2]) {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let inside = points().filter(|p| self.x.can_show(p[0]) && self.y.can_show(p[1]));
        let (xs, ys): (Vec<f64>, Vec<f64>) = inside.map(|point| (point[0], point[1])).unzip();
        let mut heights = ys;
        if let Some(bars) = &self.bars {
            heights.extend(bars.heights.iter().map(|parts| parts.iter().sum::<f64>()));
        }
        (self.x.range(&xs), self.y.range(&heights))
    }
}
