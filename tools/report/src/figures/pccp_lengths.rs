//! Figure 7 of Rahmani and Pelechano: how long PCCP's paths are.

use super::{Role, line, place};
use crate::exhibit::{Body, Exhibit, Table, percent};
use crate::model::{PccpCell, PccpPath, Report};
use crate::published::{MA_HNA, PCCP_LENGTHS};
use crate::statistics::mean;
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// Mean excess of PCCP's paths in percent: above 100 m, and below.
fn excess(cell: &PccpCell, value: fn(&PccpPath) -> f64) -> [Option<f64>; 2] {
    [true, false].map(|long| {
        let paths = cell.paths.iter().filter(|path| (path.hna > 100.0) == long);
        let values: Vec<f64> = paths.map(value).collect();
        (!values.is_empty()).then(|| mean(values))
    })
}

fn taut(path: &PccpPath) -> f64 {
    100.0 * (path.pccp / path.hna - 1.0)
}

fn counted(path: &PccpPath) -> f64 {
    100.0 * (path.over_centres / path.hna_cost.max(1e-9) - 1.0)
}

/// Figure 7: PCCP's lengths.
pub(crate) fn figure_7(report: &Report, role: &Role<'_>) -> Exhibit {
    let cell = report.pccp.iter().find(|cell| cell.scene == role.scene);
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
    let x = || Axis::new("paths, by distance from S to G", Scale::FromZero);
    let panels = vec![
        Panel {
            title: "graph costs".to_owned(),
            x: x(),
            y: Axis::new("cost (m)", Scale::FromZero),
            series: vec![
                rule("HNA*", 2, series(|path| path.hna_cost)),
                dots(
                    "PCCP, over the centres",
                    5,
                    series(|path| path.over_centres),
                ),
            ],
            bars: None,
        },
        Panel {
            title: "waypoints".to_owned(),
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
                dots("PCCP, over the centres", 5, series(counted)),
                dots("PCCP, waypoints", 1, series(taut)),
            ],
            bars: None,
        },
    ];
    let verdict = cell.map_or_else(
        || "This scene was not measured.".to_owned(),
        |cell| {
            let said = |values: [Option<f64>; 2]| {
                let [long, short] = values.map(|v| v.map_or("no such path".to_owned(), percent));
                format!("{long} above 100 m, {short} below")
            };
            let over = excess(cell, counted);
            let [paper_long, paper_short] = PCCP_LENGTHS;
            let added = mean(cell.paths.iter().map(|path| path.over_centres - path.hna_cost));
            let amount = match over[0] {
                Some(long) if long < 0.75 * paper_long => "less than published",
                Some(long) if long > 1.25 * paper_long => "more than published",
                Some(_) => "about as published",
                None => "without long paths",
            };
            let agrees = match over {
                [Some(long), Some(short)] if short > long => {
                    "As published, short paths suffer more, for the way to a centre is as long on any \
                     path"
                }
                [Some(_), Some(_)] => "Unlike published, short paths do not suffer more",
                _ => "There are paths of one kind only",
            };
            format!(
                "Published: {paper_long}% on average above 100 m, {paper_short}% below. Here, counted as \
                 PCCP counts, over the centres: {}, {amount}; the centres add {added:.1} m to a path on \
                 average, so the share depends on how long paths and how large polygons are. {agrees}. \
                 Pulled taut from where the agent really \
                 stands: {}; as the paper says, nobody is made to walk over the centres, and what \
                 remains is another choice of portals.",
                said(over),
                said(excess(cell, taut))
            )
        },
    );
    let at = cell.map_or(String::new(), |cell| place(cell.level, cell.mu));
    Exhibit {
        id: "ma-hna-figure-7".to_owned(),
        title: format!("Lengths of PCCP against HNA*: {}", role.scene),
        source: format!("{MA_HNA}, figure 7"),
        body: Body::Svg(
            Chart {
                id: "ma7".to_owned(),
                description: "Length of PCCP's paths against HNA*'s".to_owned(),
                columns: 3,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "{} random queries at {at}, in the order of the distance from S to G; the paper names \
             neither level nor μ. Left, what the searches count, PCCP over the centres of the first and \
             the last polygon; middle, what agents walk, pulled taut; right, both differences.{}",
            paths.len(),
            role.note()
        ),
        verdict,
    }
}

/// Figure 7 in numbers, for every scene.
pub(crate) fn numbers(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
        for values in [excess(cell, counted), excess(cell, taut)] {
            row.extend(values.map(|value| value.map_or(String::new(), percent)));
        }
        let largest = cell.paths.iter().map(taut).reduce(f64::max);
        row.push(largest.map_or(String::new(), percent));
        table.rows.push(row);
    }
    let means: Vec<f64> = report
        .pccp
        .iter()
        .filter_map(|cell| excess(cell, taut)[0])
        .collect();
    Exhibit {
        id: "ma-hna-figure-7-numbers".to_owned(),
        title: "Lengths of PCCP in numbers".to_owned(),
        source: format!("{MA_HNA}, section 7.1.1"),
        body: Body::Table(table),
        caption: "By how much PCCP's paths are longer than HNA*'s, on average.".to_owned(),
        verdict: format!(
            "Published for medieval: 3% above 100 m and 5% below. Pulled taut, paths above 100 m are \
             here {} longer on average over {} scenes.",
            percent(mean(means.iter().copied())),
            means.len()
        ),
    }
}
