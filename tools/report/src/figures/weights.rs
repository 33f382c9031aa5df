//! Figure 15 of Pelechano and Fuentes: balanced partitions against random ones.

use super::{Role, line, place};
use crate::exhibit::{Body, Exhibit, Table, us};
use crate::model::{Report, WeightsCell};
use crate::published::HNA;
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

fn cells<'a>(report: &'a Report, scene: &str) -> Vec<&'a WeightsCell> {
    let all = report.weights.iter();
    all.filter(|cell| cell.scene == scene).collect()
}

/// Time over length, for each kind of weights.
pub(crate) fn figure_15(report: &Report, role: &Role<'_>) -> Exhibit {
    let cells = cells(report, role.scene);
    let most = cells
        .iter()
        .map(|cell| cell.time.max_us)
        .fold(1.0, f64::max);
    let panels = cells.iter().enumerate().map(|(i, cell)| {
        let name = format!("{}: a path", cell.weights);
        let points = cell.points.clone();
        let longest = points.iter().map(|point| point[0]).fold(0.0, f64::max);
        let flat = |y: f64| vec![[0.0, y], [longest, y]];
        let rule = |name: &str, look, y| Series {
            draw: Draw::Rule,
            ..line(name, look, flat(y))
        };
        let mut y = Axis::new("time a path (µs)", Scale::FromZero);
        // One scale for all three.
        y.at = even_ticks(most);
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
    Exhibit {
        id: "hna-figure-15".to_owned(),
        title: format!("Balanced against random weights: {}", role.scene),
        source: format!("{HNA}, figure 15"),
        body: Body::Svg(
            Chart {
                id: "hna15".to_owned(),
                description: "Times of HNA* over the length of paths by weights".to_owned(),
                columns: 3,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "HNA* as published at {}; each marker is a path. Left, polygons and portals weigh the \
             same; middle, polygons weigh 1 to 100 by chance, so that nodes hold different numbers of \
             them; right, portals do, so that more of them are cut.{}",
            place(level, mu),
            role.note()
        ),
        verdict: verdict(&cells),
    }
}

fn even_ticks(most: f64) -> Vec<f64> {
    let step = portolan_draw::chart::round_step(most / 4.0);
    let count = (most / step).ceil() as u32;
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
                "{}: mean {:.2} and slowest path {:.2} times that of balanced weights",
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
        (true, true) => "Balanced is best on average and at worst, as published",
        (true, false) => "Balanced is best on average, as published, but not at worst",
        (false, true) => "Balanced is best at worst, as published, but not on average",
        (false, false) => "Balanced is best neither on average nor at worst, unlike published",
    };
    format!(
        "Published: balanced is slightly better on average, and the worst cases of random weights \
         almost triple the time. Here {}. {agrees}; rounds differ by up to {:.0}%.",
        compared.join("; "),
        100.0 * noise
    )
}

/// The same in numbers, for every scene.
pub(crate) fn numbers(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
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
    Exhibit {
        id: "hna-figure-15-numbers".to_owned(),
        title: "Weights in numbers".to_owned(),
        source: format!("{HNA}, section 4"),
        body: Body::Table(table),
        caption: "HNA* as published, one A* a portal to connect.".to_owned(),
        verdict: format!(
            "Published: on small maps the differences are not significant. Here balanced weights have \
             the least mean on {} of {} scenes.",
            wins.count(),
            scenes.len()
        ),
    }
}
