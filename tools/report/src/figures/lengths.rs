//! Figures 13 and 14 of Pelechano and Fuentes: how long the paths are.

use super::{Role, line};
use crate::exhibit::{Body, Exhibit, Table, percent};
use crate::model::{LengthsCell, Report};
use crate::published::{HNA, LENGTH_ERRORS};
use crate::statistics::mean;
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series, map};

/// Figure 13: one query at every level.
pub(crate) fn figure_13(report: &Report, role: &Role<'_>) -> Exhibit {
    let example = report.examples.iter().find(|cell| cell.scene == role.scene);
    let example = example.or(report.examples.first());
    let paths = example.map_or(&[][..], |cell| &cell.paths);
    let reference = paths.first().map_or(1.0, |path| path.length.max(1e-9));
    let over = |length: f64| 100.0 * (length / reference - 1.0);
    // Looks and widths: levels that agree lie on one another.
    let looks = [(0, 2.0), (1, 10.0), (2, 6.5), (3, 3.5), (4, 3.0)];
    let routes: Vec<map::Route<'_>> = paths
        .iter()
        .zip(looks)
        .map(|(path, (look, width))| map::Route {
            name: match (look, over(path.length)) {
                (0, _) => format!("{}: {:.1} m", path.name, path.length),
                (_, more) => {
                    let sign = if more < 0.0 { "" } else { "+" };
                    let more = percent(more);
                    format!("{}: {:.1} m ({sign}{more})", path.name, path.length)
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
        .map(|path| over(path.length))
        .collect();
    let apart = levels.iter().copied().fold(f64::MIN, f64::max)
        - levels.iter().copied().fold(f64::MAX, f64::min);
    let said = match (levels.first(), levels.last()) {
        (Some(first), Some(_)) if apart < 0.01 => format!(
            "Here every level finds a path of the same length, {} longer: the error comes of counting \
             from centre to centre and is there at level 0 already; searching higher adds none, \
             because each crossing of a node is a stored shortest path",
            percent(*first)
        ),
        (Some(first), Some(last)) => format!(
            "Here L1 is {} longer and the highest level {}",
            percent(*first),
            percent(*last)
        ),
        _ => "This scene has no levels".to_owned(),
    };
    let mu = example.map_or(0, |cell| cell.mu);
    let scene = example.map_or(role.scene, |cell| &cell.scene);
    Exhibit {
        id: "hna-figure-13".to_owned(),
        title: format!("Paths of one query at different levels: {scene}"),
        source: format!("{HNA}, figure 13"),
        body: Body::Svg(map::svg(
            &format!("The paths of one query on {scene}, seen from above"),
            walls,
            &routes,
        )),
        caption: format!(
            "The query of this run on which HNA* with the published costs errs most against the \
             papers' A*, μ {mu}; seen from above, walls grey. Lengths are those of the waypoints.{}",
            role.note()
        ),
        verdict: format!(
            "Published, for an example with a high error: about 10% more at L1 and L2, 20% at L3. \
             {said}."
        ),
    }
}

/// Figure 14: lengths against A*'s, and errors over length.
pub(crate) fn figure_14(report: &Report, role: &Role<'_>) -> Exhibit {
    let cells = |level: u8, model: &str| -> Vec<&LengthsCell> {
        let all = report.lengths.iter();
        all.filter(|c| c.scene == role.scene && c.level == level && c.model == model)
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
    Exhibit {
        id: "hna-figure-14".to_owned(),
        title: format!("Lengths against A*: {}", role.scene),
        source: format!("{HNA}, figure 14"),
        body: Body::Svg(
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
            "Each dot is a path. The papers' A* crosses portals at the point closest to where it comes \
             from (engine closest); below 0% HNA*'s path is the shorter one. Where μ makes no \
             difference, the markers of a query lie on one another, the largest below. Lengths are those of the waypoints, pulled \
             taut.{}",
            role.note()
        ),
        verdict: verdict(report, role),
    }
}

const MODELS: [(&str, &str); 2] = [
    ("published", "published costs"),
    ("portals", "costs over portals"),
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

/// The same in numbers, for every scene.
pub(crate) fn errors(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
    Exhibit {
        id: "hna-figure-14-numbers".to_owned(),
        title: "Errors of lengths in numbers".to_owned(),
        source: format!("{HNA}, section 4"),
        body: Body::Table(table),
        caption: "Error of the length of HNA*'s path against that of the closest-point A*, mean, \
                  largest and least. The paper's numbers are for L2 and a map that it does not name."
            .to_owned(),
        verdict: format!(
            "{same} of {paths} paths are as long as those of A* on the same costs within 0.01%: what \
             differs from the closest-point A* is the cost model's doing, not the hierarchy's."
        ),
    }
}

/// Means that lie no further apart count as the same: ties between paths of one cost make as much.
/// [Units: %]
const EVEN: f64 = 0.02;

fn verdict(report: &Report, role: &Role<'_>) -> String {
    let at = |model: &str| -> Vec<&LengthsCell> {
        let all = report.lengths.iter();
        all.filter(|cell| cell.scene == role.scene && cell.level == 2 && cell.model == model)
            .collect()
    };
    let (published, ours) = (at("published"), at("portals"));
    if published.is_empty() || ours.is_empty() {
        return "This scene has no second level.".to_owned();
    }
    let average = |cells: &[&LengthsCell]| mean(cells.iter().map(|cell| cell.mean_percent));
    let most = |cells: &[&LengthsCell]| {
        let errors = cells.iter().map(|cell| cell.max_percent);
        errors.fold(f64::MIN, f64::max)
    };
    let means: Vec<f64> = published.iter().map(|cell| cell.mean_percent).collect();
    let spread = means.iter().copied().fold(f64::MIN, f64::max)
        - means.iter().copied().fold(f64::MAX, f64::min);
    let grows = means.windows(2).all(|pair| pair[1] > pair[0]);
    let (_, least_mean, _) = LENGTH_ERRORS[0];
    let (_, most_mean, most_max) = LENGTH_ERRORS[LENGTH_ERRORS.len() - 1];
    let within = most(&published) <= most_max;
    let trend = if means.len() < 2 {
        "There is one μ in this run, so nothing is said about growth".to_owned()
    } else if spread <= EVEN {
        format!(
            "For every μ the mean is the same within {spread:.3} points, where the published one grows: \
             HNA* here is exact on its costs at every level, so only the cost model errs, and that \
             knows no μ"
        )
    } else if grows {
        "As published, the mean grows with μ".to_owned()
    } else {
        format!("The mean changes by {spread:.2} points with μ, but does not grow throughout")
    };
    format!(
        "Published, at L2: means of {least_mean}% to {most_mean}%, the largest error {most_max}%. Here \
         at L2 with the published costs: mean {}, largest {} ({} the published one); with costs over \
         portals: mean {}, largest {}. {trend}.",
        percent(average(&published)),
        percent(most(&published)),
        if within { "within" } else { "above" },
        percent(average(&ours)),
        percent(most(&ours)),
    )
}
