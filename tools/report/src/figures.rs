//! The figures of the page, one module per group.

pub(crate) mod batches;
pub(crate) mod changes;
pub(crate) mod comparison;
pub(crate) mod device;
pub(crate) mod hna;
pub(crate) mod lengths;
pub(crate) mod ma_hna;
pub(crate) mod pccp_lengths;
pub(crate) mod pccp_memory;
pub(crate) mod trade_off;
pub(crate) mod weights;

use crate::model::{GridCell, Report};
use portolan_draw::chart::{Axis, Draw, Scale, Series};

/// The scene that a figure shows.
pub(crate) struct FigureScene<'a> {
    pub(crate) scene: &'a str,
    /// The name of the paper's map, if this run does not include it and another scene replaces it.
    instead_of: Option<&'static str>,
}

impl<'a> FigureScene<'a> {
    /// Selects the scene of a paper's figure, or the largest scene if the run does not include it.
    pub(crate) fn new(report: &'a Report, paper: &'static str) -> Option<Self> {
        let named = report.scenes.iter().find(|cell| cell.scene == paper);
        let largest = || report.scenes.iter().max_by_key(|cell| cell.polygons);
        let cell = named.or_else(largest)?;
        Some(Self {
            scene: &cell.scene,
            instead_of: named.is_none().then_some(paper),
        })
    }

    /// Selects a map of the user.
    pub(crate) fn of_map(scene: &'a str) -> Self {
        Self {
            scene,
            instead_of: None,
        }
    }

    /// Returns a sentence that names the paper's map if another scene replaces it, and otherwise an empty text.
    pub(crate) fn note(&self) -> String {
        self.instead_of.map_or_else(String::new, |paper| {
            format!(
                " The paper shows {paper}, which this run does not include; the figure shows {}.",
                self.scene
            )
        })
    }

    /// Returns whether the scene is the paper's map, so that the published numbers apply.
    pub(crate) fn is_of(&self, paper: &str) -> bool {
        self.instead_of.is_none() && self.scene == paper
    }
}

/// Returns the x axis of merge factors.
fn mu_axis(report: &Report) -> Axis {
    let mut axis = Axis::new("merge factor μ", Scale::Linear);
    let factors = &report.effort.merge_factors;
    axis.fixed_ticks = if factors.len() <= 8 {
        factors.iter().copied().map(f64::from).collect()
    } else {
        let even = factors.iter().filter(|&mu| mu.is_multiple_of(2));
        even.copied().map(f64::from).collect()
    };
    axis
}

/// Returns the points of a curve over the merge factor.
fn over_mu(
    report: &Report,
    scene: &str,
    value: impl Fn(&GridCell) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let cells = report.grid_of(scene);
    cells
        .filter_map(|cell| Some([cell.mu.into(), value(cell)?]))
        .collect()
}

/// Returns a series that is drawn as a line.
fn line(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        name: name.to_owned(),
        look,
        draw: Draw::Line,
        points,
        labels: Vec::new(),
    }
}

/// Returns a series of published values, drawn as stars.
fn published(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Published,
        ..line(name, look, points)
    }
}

/// A connecting method at one level and merge factor, with its time on a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastestCell<'a> {
    pub(crate) mu: u32,
    pub(crate) level: u8,
    pub(crate) method: &'a str,
    pub(crate) us: f64,
    /// The speed-up over Portolan's A* on that scene.
    pub(crate) speed_up: f64,
}

/// Finds the fastest cell of a scene among those for which `is_candidate(level, method)` is true.
pub(crate) fn fastest_cell<'a>(
    report: &'a Report,
    scene: &str,
    is_candidate: impl Fn(u8, &str) -> bool,
) -> Option<FastestCell<'a>> {
    let cells = report.grid.iter().filter(|cell| cell.scene == scene);
    let astar = report.astar_us(scene);
    let engines = cells.flat_map(|cell| {
        cell.levels.iter().flat_map(move |level| {
            level.engines.iter().map(move |engine| FastestCell {
                mu: cell.mu,
                level: level.level,
                method: &engine.method,
                us: engine.time.mean_us,
                speed_up: astar / engine.time.mean_us,
            })
        })
    });
    engines
        .filter(|cell| is_candidate(cell.level, cell.method))
        .max_by(|a, b| a.speed_up.total_cmp(&b.speed_up))
}

/// Formats a level and a merge factor: `L2, μ 10`.
pub(crate) fn level_and_mu(level: u8, mu: u32) -> String {
    format!("L{level}, μ {mu}")
}
