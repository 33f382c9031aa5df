//! Charts of mean query time over mean excess of the path length, per engine.
//!
//! The excess is the length of a path relative to the shortest one, minus 1.

use super::{Axis, Chart, Draw, Panel, Scale, Series};

/// The minimum excess that is drawn. Smaller values are drawn at this one. [Units: %]
pub const MIN_EXCESS: f64 = 0.001;

/// An engine that a chart shows.
#[derive(Clone, Copy, Debug)]
pub struct ShownEngine {
    /// The name of the engine in the measurement.
    pub engine: &'static str,
    /// The label of the engine in the chart.
    pub name: &'static str,
    /// The number of the colour and marker. A line joins the engines of look [`TIER`].
    pub look: usize,
}

/// The look of the quality tiers of Portolan.
pub const TIER: usize = 2;

const fn shown(engine: &'static str, name: &'static str, look: usize) -> ShownEngine {
    ShownEngine { engine, name, look }
}

/// The engines of a comparison with other projects. Detour with fewer nodes is not drawn: it does not answer
/// all queries, so its means are not comparable.
pub const PEERS: [ShownEngine; 8] = [
    shown("auto:fast", "auto:fast", TIER),
    shown("contraction", "contraction", TIER),
    shown("auto:best", "auto:best", TIER),
    shown("astar", "astar", 0),
    shown("Detour, 65 535 nodes", "Detour", 1),
    shown("polyanya", "polyanya", 3),
    shown("landmass", "landmass", 4),
    shown("fast_paths", "fast_paths", 5),
];

/// The measurement of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnginePoint {
    /// The mean excess of the path length over the shortest path. [Units: %]
    pub excess: f64,
    /// The mean time per query. [Units: µs]
    pub mean_us: f64,
}

/// Returns the panel of one navmesh. `measured` returns the measurement of an engine by its name, and
/// `reference` names the paths that the excess is relative to. Returns `None` if no engine was measured.
pub fn panel(
    title: String,
    reference: &str,
    engines: &[ShownEngine],
    measured: impl Fn(&str) -> Option<EnginePoint>,
) -> Option<Panel> {
    let points: Vec<(&ShownEngine, [f64; 2])> = engines
        .iter()
        .filter_map(|shown| {
            let EnginePoint { excess, mean_us } = measured(shown.engine)?;
            Some((shown, [excess, mean_us]))
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let (tiers, others): (Vec<_>, Vec<_>) =
        points.iter().partition(|(shown, _)| shown.look == TIER);
    let series_of = |look: usize, draw: Draw, points: &[&(&ShownEngine, [f64; 2])]| Series {
        name: String::new(),
        look,
        draw,
        points: points.iter().map(|(_, point)| *point).collect(),
        labels: points
            .iter()
            .map(|(shown, _)| shown.name.to_owned())
            .collect(),
    };
    let mut series = vec![series_of(TIER, Draw::Line, &tiers)];
    series.extend(
        others
            .iter()
            .map(|&point| series_of(point.0.look, Draw::Dots(5.0), &[point])),
    );
    let mut x = Axis::new(&format!("mean excess over the {reference} (%)"), Scale::Log);
    x.floor = Some(MIN_EXCESS);
    // All panels have these ticks, so their ranges are the same unless a point is outside of them.
    x.fixed_ticks = vec![MIN_EXCESS, 0.01, 0.1, 1.0, 10.0];
    Some(Panel {
        title,
        x,
        y: Axis::new("mean time per query (µs)", Scale::Log),
        series,
        bars: None,
    })
}

/// Returns all panels as one SVG document. `id` is the prefix of the ids in it.
pub fn svg(id: &str, panels: Vec<Panel>) -> String {
    Chart {
        id: id.to_owned(),
        description: "Mean time per query over mean excess of the path's length, by engine"
            .to_owned(),
        columns: if panels.len() > 4 { 3 } else { 2 },
        panels,
    }
    .svg()
}
