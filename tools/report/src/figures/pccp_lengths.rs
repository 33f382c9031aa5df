//! Figure 7 of Rahmani and Pelechano 2020: the path lengths of PCCP.

use portolan_measure::mean;

use super::{FigureScene, level_and_mu, line};
use crate::model::{PccpCell, PccpPath, Report};
use crate::page_item::{ItemBody, PageItem, PageTable, percent};
use crate::published::{MA_HNA, PCCP_LENGTHS};
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// Returns the mean excess of PCCP's paths above 100 m, and below. [Units: %]
fn mean_excess(cell: &PccpCell, value: fn(&PccpPath) -> f64) -> [Option<f64>; 2] {
    [true, false].map(|is_long| {
        let paths = cell
            .paths
            .iter()
            .filter(|path| (path.hna > 100.0) == is_long);
        let values: Vec<f64> = paths.map(value).collect();
        (!values.is_empty()).then(|| mean(values))
    })
}

/// Returns the excess of the length after string pulling. [Units: %]
fn length_excess(path: &PccpPath) -> f64 {
    100.0 * (path.pccp / path.hna - 1.0)
}

/// Returns the excess of the cost as PCCP counts it. [Units: %]
fn cost_excess(path: &PccpPath) -> f64 {
    100.0 * (path.over_centres / path.hna_cost.max(1e-9) - 1.0)
}

/// Repeats figure 7: the path lengths of PCCP compared with those of HNA*.
pub(crate) fn figure_7(report: &Report, figure: &FigureScene<'_>) -> PageItem {
    let cell = report.pccp.iter().find(|cell| cell.scene == figure.scene);
    let mut paths: Vec<PccpPath> = cell.map_or(Vec::new(), |cell| cell.paths.clone());
    paths.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let series = |value: fn(&PccpPath) -> f64| -> Vec<[f64; 2]> {
        let numbered = paths.iter().enumerate();
        numbered
            .map(|(i, path)| [i as f64 + 1.0, value(path)])
            .collect()
    };
    let dots = |name: &str, look, points| Series {
        draw: Draw::Dots(2.2),
        ..line(name, look, points)
    };
    let rule = |name: &str, look, points| Series {
        draw: Draw::Rule,
        ..line(name, look, points)
    };
    let x = || Axis::new("queries, by distance from S to G", Scale::FromZero);
    let panels = vec![
        Panel {
            title: "graph costs".to_owned(),
            x: x(),
            y: Axis::new("cost (m)", Scale::FromZero),
            series: vec![
                rule("HNA*", 2, series(|path| path.hna_cost)),
                dots("PCCP, via centres", 5, series(|path| path.over_centres)),
            ],
            bars: None,
        },
        Panel {
            title: "path lengths".to_owned(),
            x: x(),
            y: Axis::new("length (m)", Scale::FromZero),
            series: vec![
                rule("HNA*", 2, series(|path| path.hna)),
                dots("PCCP, waypoints", 1, series(|path| path.pccp)),
            ],
            bars: None,
        },
        Panel {
            title: "difference from HNA*".to_owned(),
            x: x(),
            y: Axis::new("difference (%)", Scale::FromZero),
            series: vec![
                dots("PCCP, via centres", 5, series(cost_excess)),
                dots("PCCP, waypoints", 1, series(length_excess)),
            ],
            bars: None,
        },
    ];
    let verdict = cell.map_or_else(
        || "This scene was not measured.".to_owned(),
        |cell| {
            let describe = |values: [Option<f64>; 2]| {
                let [long, short] = values.map(|v| v.map_or("no path".to_owned(), percent));
                format!("{long} above 100 m, {short} below")
            };
            let over = mean_excess(cell, cost_excess);
            let [paper_long, paper_short] = PCCP_LENGTHS;
            let detour = mean(cell.paths.iter().map(|path| path.over_centres - path.hna_cost));
            let amount = match over[0] {
                Some(long) if long < 0.75 * paper_long => "that is less than published",
                Some(long) if long > 1.25 * paper_long => "that is more than published",
                Some(_) => "that is about as published",
                None => "there is no path",
            };
            let agrees = match over {
                [Some(long), Some(short)] if short > long => {
                    "As published, short paths have a larger excess, because the detour to a centre does not \
                     depend on the length of the path"
                }
                [Some(_), Some(_)] => "Unlike published, short paths do not have a larger excess",
                _ => "This run has only short or only long paths",
            };
            format!(
                "Published: a mean excess of {paper_long}% above 100 m and {paper_short}% below. In this \
                 run, the cost via the centres has an excess of {}; above 100 m, {amount}. The centres add \
                 {detour:.1} m to a path on average, so the percentage depends on the lengths of paths and \
                 the sizes of polygons. {agrees}. After string pulling from the actual start and goal, the \
                 excess is {}: as the paper says, the agent does not walk via the centres. The remaining \
                 excess comes from crossing other portals.",
                describe(over),
                describe(mean_excess(cell, length_excess))
            )
        },
    );
    let at = cell.map_or(String::new(), |cell| level_and_mu(cell.level, cell.mu));
    PageItem {
        id: "ma-hna-figure-7".to_owned(),
        title: format!("Path lengths of PCCP and HNA*: {}", figure.scene),
        source: format!("{MA_HNA}, figure 7"),
        body: ItemBody::Svg(
            Chart {
                id: "ma7".to_owned(),
                description: "Path lengths of PCCP and of HNA*".to_owned(),
                columns: 3,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Costs and path lengths of {} random queries at {at}, sorted by the straight-line distance from \
             start S to goal G; the paper names neither level nor μ. Left: the cost that each search \
             minimizes, PCCP via the centres of the first and last polygon. Middle: the lengths of the \
             paths after string pulling. Right: both differences.{}",
            paths.len(),
            figure.note()
        ),
        verdict,
    }
}

/// Lists the path lengths of PCCP for every scene.
pub(crate) fn numbers(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "level",
        "μ",
        "paths",
        "over centres, above 100 m",
        "over centres, below",
        "waypoints, above 100 m",
        "waypoints, below",
        "waypoints, largest",
    ]);
    for cell in &report.pccp {
        let mut row = vec![
            cell.scene.clone(),
            cell.level.to_string(),
            cell.mu.to_string(),
            cell.paths.len().to_string(),
        ];
        for values in [
            mean_excess(cell, cost_excess),
            mean_excess(cell, length_excess),
        ] {
            row.extend(values.map(|value| value.map_or(String::new(), percent)));
        }
        let largest = cell.paths.iter().map(length_excess).reduce(f64::max);
        row.push(largest.map_or(String::new(), percent));
        table.rows.push(row);
    }
    let means: Vec<f64> = report
        .pccp
        .iter()
        .filter_map(|cell| mean_excess(cell, length_excess)[0])
        .collect();
    PageItem {
        id: "ma-hna-figure-7-numbers".to_owned(),
        title: "Path lengths of PCCP".to_owned(),
        source: format!("{MA_HNA}, section 7.1.1"),
        body: ItemBody::Table(table),
        caption: "Mean excess of PCCP's paths over HNA*'s, as the cost via the centres and as the length \
                  after string pulling, for paths above 100 m and below. An empty cell means that there is \
                  no such path."
            .to_owned(),
        verdict: format!(
            "Published for medieval: 3% above 100 m and 5% below. In this run, after string pulling, paths \
             above 100 m are {} longer on average over {} scenes.",
            percent(mean(means.iter().copied())),
            means.len()
        ),
    }
}
