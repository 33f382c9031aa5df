//! Time over excess: what a shorter path costs.

use super::{Axis, Chart, Draw, Panel, Scale, Series};

/// Less excess than this is drawn as this. [Units: %]
pub const LEAST_EXCESS: f64 = 0.001;

/// An engine that is drawn: its name in the measurement, its name in the chart and its look.
#[derive(Clone, Copy, Debug)]
pub struct ShownEngine {
    /// The name in the measurement.
    pub engine: &'static str,
    /// The name beside its point.
    pub name: &'static str,
    /// The number of its colour and marker. A line joins the engines of look [`TIER`].
    pub look: usize,
}

/// The look of the quality tiers of Portolan.
pub const TIER: usize = 2;

const fn shown(engine: &'static str, name: &'static str, look: usize) -> ShownEngine {
    ShownEngine { engine, name, look }
}

/// The engines of a comparison with other projects. Detour with fewer nodes leaves queries without an
/// answer, so its means are of other queries and are not drawn.
pub const PEERS: [ShownEngine; 8] = [
    shown("ours:fast", "ours:fast", TIER),
    shown("ours:default", "ours:default", TIER),
    shown("ours:best", "ours:best", TIER),
    shown("astar", "our astar", 0),
    shown("Detour, 65 535 nodes", "Detour", 1),
    shown("polyanya", "polyanya", 3),
    shown("landmass", "landmass", 4),
    shown("fast_paths", "fast_paths", 5),
];

/// What was measured of an engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Mean length over the shortest, less 1. [Units: %]
    pub excess: f64,
    /// Mean time per query. [Units: µs]
    pub mean_us: f64,
}

/// The panel of one navmesh. `measured` is asked for each of `engines` by its name in the measurement;
/// `reference` says what the excess is over. Returns `None` if nothing was measured.
pub fn panel(
    title: String,
    reference: &str,
    engines: &[ShownEngine],
    measured: impl Fn(&str) -> Option<Measured>,
) -> Option<Panel> {
    let points: Vec<(&ShownEngine, [f64; 2])> = engines
        .iter()
        .filter_map(|shown| {
            let Measured { excess, mean_us } = measured(shown.engine)?;
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
    x.floor = Some(LEAST_EXCESS);
    // The same in all panels, except for points beyond these.
    x.at = vec![LEAST_EXCESS, 0.01, 0.1, 1.0, 10.0];
    Some(Panel {
        title,
        x,
        y: Axis::new("mean time per query (µs)", Scale::Log),
        series,
        bars: None,
    })
}

/// All panels as one SVG. `id` begins the ids in it.
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
