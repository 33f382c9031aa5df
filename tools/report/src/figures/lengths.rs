//! Figures 13 and 14 of Pelechano and Fuentes 2016: path lengths.

use portolan_measure::mean;

use super::{FigureScene, line};
use crate::model::{LengthsCell, Report};
use crate::page_item::{ItemBody, PageItem, PageTable, percent};
use crate::published::{HNA, LENGTH_ERRORS};
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series, map};

/// Repeats figure 13: the paths of one query at every level.
pub(crate) fn figure_13(report: &Report, figure: &FigureScene<'_>) -> PageItem {
    let example = report
        .examples
        .iter()
        .find(|cell| cell.scene == figure.scene);
    let example = example.or(report.examples.first());
    let paths = example.map_or(&[][..], |cell| &cell.paths);
    let reference = paths.first().map_or(1.0, |path| path.length.max(1e-9));
    let excess = |length: f64| 100.0 * (length / reference - 1.0);
    // Style and line width. Equal paths cover each other, so the first ones are wider.
    let looks = [(0, 2.0), (1, 10.0), (2, 6.5), (3, 3.5), (4, 3.0)];
    let routes: Vec<map::Route<'_>> = paths
        .iter()
        .zip(looks)
        .map(|(path, (look, width))| map::Route {
            name: match (look, excess(path.length)) {
                (0, _) => format!("{}: {:.1} m", path.name, path.length),
                (_, excess) => {
                    let sign = if excess < 0.0 { "" } else { "+" };
                    let excess = percent(excess);
                    format!("{}: {:.1} m ({sign}{excess})", path.name, path.length)
                }
            },
            look,
            width,
            points: &path.waypoints,
        })
        .collect();
    let walls = example.map_or(&[][..], |cell| &cell.walls);
    let levels: Vec<f64> = paths
        .iter()
        .filter(|path| path.name.contains("published"))
        .map(|path| excess(path.length))
        .collect();
    let spread = levels.iter().copied().fold(f64::MIN, f64::max)
        - levels.iter().copied().fold(f64::MAX, f64::min);
    let finding = match (levels.first(), levels.last()) {
        (Some(first), Some(_)) if spread < 0.01 => format!(
            "In this run, every level finds a path of the same length, {} longer than A*'s. The error comes \
             from the costs between centres and already exists at level 0. Higher levels add no error, \
             because each crossing of a node is a stored shortest path",
            percent(*first)
        ),
        (Some(first), Some(last)) => format!(
            "In this run, the path at L1 is {} longer and the path at the highest level {}",
            percent(*first),
            percent(*last)
        ),
        _ => "This scene has no levels".to_owned(),
    };
    let mu = example.map_or(0, |cell| cell.mu);
    let scene = example.map_or(figure.scene, |cell| &cell.scene);
    PageItem {
        id: "hna-figure-13".to_owned(),
        title: format!("Paths of one query at each level: {scene}"),
        source: format!("{HNA}, figure 13"),
        body: ItemBody::Svg(map::svg(
            &format!("The paths of one query on {scene}, in plan"),
            walls,
            &routes,
        )),
        caption: format!(
            "Paths in plan of the query for which HNA* with the published costs has the largest error \
             relative to the papers' A*, at μ {mu}. Walls are grey. Lengths are measured along the waypoints.{}",
            figure.note()
        ),
        verdict: format!(
            "Published, for an example with a large error: about 10% longer at L1 and L2, 20% at L3. \
             {finding}."
        ),
    }
}

/// Repeats figure 14: path lengths of HNA* over those of A*, and errors over the length.
pub(crate) fn figure_14(report: &Report, figure: &FigureScene<'_>) -> PageItem {
    let cells = |level: u8, model: &str| -> Vec<&LengthsCell> {
        let all = report.lengths.iter();
        all.filter(|c| c.scene == figure.scene && c.level == level && c.model == model)
            .collect()
    };
    let mut panels = Vec::new();
    for (model, title) in MODELS {
        for level in [1, 2] {
            let mut series = Vec::new();
            let of_level = cells(level, model);
            let longest = of_level.iter().flat_map(|cell| &cell.points);
            let longest = longest.map(|point| point[0]).fold(0.0, f64::max);
            for (i, cell) in of_level.iter().enumerate() {
                series.push(dots(&format!("μ {}", cell.mu), i + 1, cell.points.clone()));
            }
            series.push(rule("equal lengths", vec![[0.0, 0.0], [longest, longest]]));
            panels.push(Panel {
                title: format!("lengths at L{level}, {title}"),
                x: Axis::new("length by the papers' A* (m)", Scale::FromZero),
                y: Axis::new("length by HNA* (m)", Scale::FromZero),
                series,
                bars: None,
            });
        }
    }
    for (model, title) in MODELS {
        for level in [1, 2] {
            let mut series = Vec::new();
            for (i, cell) in cells(level, model).iter().enumerate() {
                let errors = cell.points.iter().filter(|point| point[0] > 0.0);
                let errors = errors.map(|&[a, h]| [a, 100.0 * (h / a - 1.0)]).collect();
                series.push(dots(&format!("μ {}", cell.mu), i + 1, errors));
            }
            panels.push(Panel {
                title: format!("errors at L{level}, {title}"),
                x: Axis::new("length by the papers' A* (m)", Scale::FromZero),
                y: Axis::new("error (%)", Scale::FromZero),
                series,
                bars: None,
            });
        }
    }
    PageItem {
        id: "hna-figure-14".to_owned(),
        title: format!("Path lengths of HNA* and A*: {}", figure.scene),
        source: format!("{HNA}, figure 14"),
        body: ItemBody::Svg(
            Chart {
                id: "hna14".to_owned(),
                description: "Lengths of HNA*'s paths over those of A*, and their errors"
                    .to_owned(),
                columns: 2,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Path lengths of HNA* compared with those of the papers' A*, after string pulling; each marker \
             is one of {} queries. The papers' A* (engine closest) crosses each portal at the point closest \
             to the previous one. Below 0%, HNA*'s path is the shorter one. Markers of different μ coincide \
             if μ makes no difference; the largest one is at the bottom.{}",
            report.effort.length_queries,
            figure.note()
        ),
        verdict: verdict(report, figure),
    }
}

const MODELS: [(&str, &str); 2] = [
    ("published", "published costs"),
    ("portals", "portal costs"),
];

fn dots(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Dots((5.2 - look as f64).max(1.2)),
        ..line(name, look, points)
    }
}

fn rule(name: &str, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Rule,
        ..line(name, 0, points)
    }
}

/// Lists the errors of path lengths for every scene.
pub(crate) fn errors(report: &Report) -> PageItem {
    let mut table = PageTable::new(&[
        "scene",
        "μ",
        "level",
        "published costs: mean",
        "published costs: max",
        "published costs: least",
        "costs over portals: mean",
        "costs over portals: max",
        "costs over portals: least",
        "as long as A* on the same costs",
        "paper: mean",
        "paper: max",
    ]);
    let published = report
        .lengths
        .iter()
        .filter(|cell| cell.model == "published");
    for cell in published {
        let other = report.lengths.iter().find(|c| {
            c.model == "portals" && (&c.scene, c.mu, c.level) == (&cell.scene, cell.mu, cell.level)
        });
        let Some(other) = other else { continue };
        let known = LENGTH_ERRORS
            .iter()
            .find(|known| known.0 == cell.mu && cell.level == 2);
        let mut row = vec![
            cell.scene.clone(),
            cell.mu.to_string(),
            cell.level.to_string(),
        ];
        for cell in [cell, other] {
            row.extend([cell.mean_percent, cell.max_percent, cell.min_percent].map(percent));
        }
        let same = cell.same_as_astar + other.same_as_astar;
        row.push(format!("{same} of {}", cell.queries + other.queries));
        row.push(known.map_or(String::new(), |known| percent(known.1)));
        row.push(known.map_or(String::new(), |known| percent(known.2)));
        table.rows.push(row);
    }
    let paths: usize = report.lengths.iter().map(|cell| cell.queries).sum();
    let same: usize = report.lengths.iter().map(|cell| cell.same_as_astar).sum();
    PageItem {
        id: "hna-figure-14-numbers".to_owned(),
        title: "Errors of path lengths".to_owned(),
        source: format!("{HNA}, section 4"),
        body: ItemBody::Table(table),
        caption: format!(
            "Mean, largest and smallest error of the length of HNA*'s paths relative to those of the \
             closest-point A*, over {} queries per scene. The paper's numbers are for L2 and a map that it \
             does not name.",
            report.effort.length_queries
        ),
        verdict: format!(
            "{same} of {paths} paths are as long as those of A* on the same costs, within 0.01%. The \
             difference from the closest-point A* is caused by the cost model, not by the hierarchy."
        ),
    }
}

/// Means that differ by no more than this count as equal. Ties between paths of equal cost cause as much.
/// [Units: %]
const EQUAL_MEANS: f64 = 0.02;

fn verdict(report: &Report, figure: &FigureScene<'_>) -> String {
    let at = |model: &str| -> Vec<&LengthsCell> {
        let all = report.lengths.iter();
        all.filter(|cell| cell.scene == figure.scene && cell.level == 2 && cell.model == model)
            .collect()
    };
    let (published, portals) = (at("published"), at("portals"));
    if published.is_empty() || portals.is_empty() {
        return "This scene has no second level.".to_owned();
    }
    let average = |cells: &[&LengthsCell]| mean(cells.iter().map(|cell| cell.mean_percent));
    let max_error = |cells: &[&LengthsCell]| {
        let errors = cells.iter().map(|cell| cell.max_percent);
        errors.fold(f64::MIN, f64::max)
    };
    let means: Vec<f64> = published.iter().map(|cell| cell.mean_percent).collect();
    let spread = means.iter().copied().fold(f64::MIN, f64::max)
        - means.iter().copied().fold(f64::MAX, f64::min);
    let grows = means.windows(2).all(|pair| pair[1] > pair[0]);
    let (_, min_mean, _) = LENGTH_ERRORS[0];
    let (_, max_mean, max_published) = LENGTH_ERRORS[LENGTH_ERRORS.len() - 1];
    let within = max_error(&published) <= max_published;
    let trend = if means.len() < 2 {
        "This run has one μ, so it shows no trend".to_owned()
    } else if spread <= EQUAL_MEANS {
        format!(
            "The mean is the same for every μ within {spread:.3} percentage points, whereas the published \
             one grows: HNA* is exact on its costs at every level here, so the error comes only from the \
             cost model, which does not depend on μ"
        )
    } else if grows {
        "As published, the mean grows with μ".to_owned()
    } else {
        format!(
            "The mean changes by {spread:.2} percentage points with μ, but does not grow monotonically"
        )
    };
    format!(
        "Published, at L2: means of {min_mean}% to {max_mean}% and a largest error of {max_published}%. In \
         this run, at L2 with the published costs: mean {}, largest {} ({} the published one); with costs \
         between portal midpoints: mean {}, largest {}. {trend}.",
        percent(average(&published)),
        percent(max_error(&published)),
        if within { "within" } else { "above" },
        percent(average(&portals)),
        percent(max_error(&portals)),
    )
}
