//! Figure 15 of Pelechano and Fuentes 2016: balanced and random partitions.

use super::{FigureScene, level_and_mu, line};
use crate::model::{Report, WeightsCell};
use crate::page_item::{ItemBody, PageItem, PageTable, us};
use crate::published::HNA;
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// Returns the cells of a scene, with the balanced partition first.
fn cells<'a>(report: &'a Report, scene: &str) -> Vec<&'a WeightsCell> {
    let all = report.weights.iter();
    all.filter(|cell| cell.scene == scene).collect()
}

/// Repeats figure 15: time over path length, for each kind of weights.
pub(crate) fn figure_15(report: &Report, figure: &FigureScene<'_>) -> PageItem {
    let cells = cells(report, figure.scene);
    let max_us = cells
        .iter()
        .map(|cell| cell.time.max_us)
        .fold(1.0, f64::max);
    let panels = cells.iter().enumerate().map(|(i, cell)| {
        let name = format!("{}: one path", cell.weights);
        let points = cell.points.clone();
        let longest = points.iter().map(|point| point[0]).fold(0.0, f64::max);
        let flat = |y: f64| vec![[0.0, y], [longest, y]];
        let rule = |name: &str, look, y| Series {
            draw: Draw::Rule,
            ..line(name, look, flat(y))
        };
        let mut y = Axis::new("time per search (µs)", Scale::FromZero);
        // All panels have the same scale.
        y.fixed_ticks = even_ticks(max_us);
        Panel {
            title: format!("weights: {}", cell.weights),
            x: Axis::new("length of the path (m)", Scale::FromZero),
            y,
            series: vec![
                Series {
                    draw: Draw::Dots(2.2),
                    ..line(&name, i + 1, points)
                },
                rule("mean", 0, cell.time.mean_us),
                rule("slowest", 5, cell.time.max_us),
            ],
            bars: None,
        }
    });
    let (mu, level) = cells.first().map_or((0, 0), |cell| (cell.mu, cell.level));
    PageItem {
        id: "hna-figure-15".to_owned(),
        title: format!("Balanced and random partitions: {}", figure.scene),
        source: format!("{HNA}, figure 15"),
        body: ItemBody::Svg(
            Chart {
                id: "hna15".to_owned(),
                description: "Times of HNA* over the path length, per kind of weights".to_owned(),
                columns: 3,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Search time of HNA* with the published connect step at {}, over the path length; each marker \
             is one of {} queries. Left: all polygons and portals have the same weight. Middle: polygons \
             have random weights from 1 to 100, so nodes have different numbers of polygons. Right: portals \
             have random weights, so more portals are cut.{}",
            level_and_mu(level, mu),
            report.effort.queries,
            figure.note()
        ),
        verdict: verdict(&cells),
    }
}

/// Returns evenly spaced ticks from 0 to at least `max`.
fn even_ticks(max: f64) -> Vec<f64> {
    let step = portolan_draw::chart::round_step(max / 4.0);
    let count = (max / step).ceil() as u32;
    (0..=count).map(|i| f64::from(i) * step).collect()
}

fn verdict(cells: &[&WeightsCell]) -> String {
    let Some((balanced, random)) = cells.split_first() else {
        return "This scene has no second level.".to_owned();
    };
    let compared: Vec<String> = random
        .iter()
        .map(|cell| {
            format!(
                "with {}, the mean is {:.2} times and the maximum {:.2} times that of balanced weights",
                cell.weights,
                cell.time.mean_us / balanced.time.mean_us,
                cell.time.max_us / balanced.time.max_us
            )
        })
        .collect();
    let noise = cells
        .iter()
        .map(|cell| cell.time.noise())
        .fold(0.0, f64::max);
    let best_mean = random
        .iter()
        .all(|c| c.time.mean_us >= balanced.time.mean_us);
    let best_max = random.iter().all(|c| c.time.max_us >= balanced.time.max_us);
    let agrees = match (best_mean, best_max) {
        (true, true) => {
            "Balanced weights have the lowest mean and the lowest maximum, as published"
        }
        (true, false) => {
            "Balanced weights have the lowest mean, as published, but not the lowest maximum"
        }
        (false, true) => {
            "Balanced weights have the lowest maximum, as published, but not the lowest mean"
        }
        (false, false) => {
            "Unlike published, balanced weights have neither the lowest mean nor the lowest maximum"
        }
    };
    format!(
        "Published: balanced weights are slightly better on average, and the worst cases of random weights \
         take almost three times as long. In this run, {}. {agrees}. The rounds differ by up to {:.0}%.",
        compared.join("; "),
        100.0 * noise
    )
}

/// Lists the times per kind of weights for every scene.
pub(crate) fn numbers(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "weights",
        "level",
        "nodes",
        "largest node / mean",
        "inter-edges a node, mean",
        "inter-edges a node, most",
        "mean (µs)",
        "99% (µs)",
        "slowest (µs)",
    ]);
    for cell in &report.weights {
        table.rows.push(vec![
            cell.scene.clone(),
            cell.weights.clone(),
            cell.level.to_string(),
            cell.nodes.to_string(),
            format!("{:.2}", cell.balance),
            format!("{:.2}", cell.inter_edges_mean),
            cell.inter_edges_max.to_string(),
            us(cell.time.mean_us),
            us(cell.time.p99_us),
            us(cell.time.max_us),
        ]);
    }
    let scenes: Vec<&str> = report
        .scenes
        .iter()
        .map(|cell| cell.scene.as_str())
        .collect();
    let wins = scenes.iter().filter(|scene| {
        let cells = cells(report, scene);
        let Some((balanced, random)) = cells.split_first() else {
            return false;
        };
        random
            .iter()
            .all(|c| c.time.mean_us >= balanced.time.mean_us)
    });
    PageItem {
        id: "hna-figure-15-numbers".to_owned(),
        title: "Partition weights".to_owned(),
        source: format!("{HNA}, section 4"),
        body: ItemBody::Table(table),
        caption: format!(
            "Structure of the level, and search time of HNA* with the published connect step (one A* per \
             portal), on {} queries per scene, for balanced and random partition weights.",
            report.effort.queries
        ),
        verdict: format!(
            "Published: the differences are not significant on small maps. In this run, balanced weights \
             have the lowest mean on {} of {} scenes.",
            wins.count(),
            scenes.len()
        ),
    }
}
