//! The figures, paper by paper.

pub(crate) mod beyond;
pub(crate) mod hna;
pub(crate) mod lengths;
pub(crate) mod ma_hna;
pub(crate) mod pccp_lengths;
pub(crate) mod pccp_memory;
pub(crate) mod trade_off;
pub(crate) mod weights;

use crate::model::{GridCell, Report};
use portolan_draw::chart::{Axis, Draw, Scale, Series};

/// What a figure is drawn for.
pub(crate) struct Role<'a> {
    pub(crate) scene: &'a str,
    /// Where the paper's map is not in this run: which one that is.
    instead_of: Option<&'static str>,
}

impl<'a> Role<'a> {
    /// The scene of a paper's figure, or the largest of this run.
    pub(crate) fn new(report: &'a Report, paper: &'static str) -> Option<Self> {
        let named = report.scenes.iter().find(|cell| cell.scene == paper);
        let largest = || report.scenes.iter().max_by_key(|cell| cell.polygons);
        let cell = named.or_else(largest)?;
        Some(Self {
            scene: &cell.scene,
            instead_of: named.is_none().then_some(paper),
        })
    }

    /// A map of the user's.
    pub(crate) fn of_map(scene: &'a str) -> Self {
        Self {
            scene,
            instead_of: None,
        }
    }

    /// A sentence where the figure is not of the paper's map.
    pub(crate) fn note(&self) -> String {
        self.instead_of.map_or_else(String::new, |paper| {
            format!(
                " The paper shows {paper}, which is not in this run; this is {}.",
                self.scene
            )
        })
    }

    /// Whether this is the paper's map, so that its numbers can be set beside.
    pub(crate) fn is_of(&self, paper: &str) -> bool {
        self.instead_of.is_none() && self.scene == paper
    }
}

/// The axis of merge factors.
fn mu_axis(report: &Report) -> Axis {
    let mut axis = Axis::new("merge factor μ (nodes a node)", Scale::Linear);
    let factors = &report.effort.merge_factors;
    axis.at = if factors.len() <= 8 {
        factors.iter().copied().map(f64::from).collect()
    } else {
        let even = factors.iter().filter(|&mu| mu.is_multiple_of(2));
        even.copied().map(f64::from).collect()
    };
    axis
}

/// A number of each cell of a scene, over the merge factor.
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

fn line(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        name: name.to_owned(),
        look,
        draw: Draw::Line,
        points,
        labels: Vec::new(),
    }
}

fn published(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Published,
        ..line(name, look, points)
    }
}

/// The fastest cell of an engine on a scene.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Best<'a> {
    pub(crate) mu: u32,
    pub(crate) level: u8,
    pub(crate) method: &'a str,
    pub(crate) us: f64,
    /// Over Portolan's A* on that scene.
    pub(crate) speed_up: f64,
}

/// The fastest of a scene, by speed-up, among the cells that are wanted.
pub(crate) fn best<'a>(
    report: &'a Report,
    scene: &str,
    wanted: impl Fn(u8, &str) -> bool,
) -> Option<Best<'a>> {
    let cells = report.grid.iter().filter(|cell| cell.scene == scene);
    let astar = report.astar_us(scene);
    let engines = cells.flat_map(|cell| {
        cell.levels.iter().flat_map(move |level| {
            level.engines.iter().map(move |engine| Best {
                mu: cell.mu,
                level: level.level,
                method: &engine.method,
                us: engine.time.mean_us,
                speed_up: astar / engine.time.mean_us,
            })
        })
    });
    engines
        .filter(|best| wanted(best.level, best.method))
        .max_by(|a, b| a.speed_up.total_cmp(&b.speed_up))
}

/// `L2, μ 10`.
pub(crate) fn place(level: u8, mu: u32) -> String {
    format!("L{level}, μ {mu}")
}
