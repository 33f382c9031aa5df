//! Figures 9, 13 and 14 of Rahmani and Pelechano 2020: the times of HNA* and PCCP over mu.

use super::{FigureScene, fastest_cell, level_and_mu, line, mu_axis, over_mu, published};
use crate::device_model::DeviceConnect;
use crate::jobs::DEVICE_QUERIES;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, times, us};
use crate::published::{CUDA_TIMES, MA_HNA, MA_HNA_TIMES};
use portolan_draw::chart::{Axis, Chart, Panel, Scale, Series};

/// Repeats figures 9, 13 and 14: the times of HNA* and PCCP over mu, per level. `number` is 0 for a map of
/// the user.
pub(crate) fn figure_times(
    report: &Report,
    id: &str,
    number: u32,
    figure: &FigureScene<'_>,
) -> PageItem {
    let scene = figure.scene;
    let known = MA_HNA_TIMES.iter().filter(|time| figure.is_of(time.scene));
    let mut panels = Vec::new();
    for (letter, level) in [('a', 1), ('b', 2), ('c', 3)] {
        let total = |method: &'static str| {
            over_mu(report, scene, |cell| {
                Some(cell.engine(level, method)?.time.mean_us)
            })
        };
        let connect = |method: &'static str| {
            over_mu(report, scene, |cell| {
                Some(cell.engine(level, method)?.connect_us)
            })
        };
        let astar = over_mu(report, scene, |cell| {
            cell.level(level).map(|_| cell.astar.mean_us)
        });
        let mut series = vec![line("A* (level 0)", 0, astar)];
        for (name, look, method) in ENGINES {
            series.push(line(name, look, total(method)));
        }
        for (name, look, method) in [
            ("HNA*, published", 1, "astar"),
            ("PCCP, published", 2, "pccp"),
        ] {
            let of = known
                .clone()
                .filter(|t| t.level == level && t.method == method);
            let points: Vec<[f64; 2]> = of.map(|t| [t.mu.into(), t.ms * 1e3]).collect();
            if !points.is_empty() {
                series.push(published(name, look, points));
            }
        }
        let plain = known.clone().filter(|time| time.level == 0);
        let plain: Vec<[f64; 2]> = plain.map(|time| [2.0, time.ms * 1e3]).collect();
        if !plain.is_empty() {
            series.push(published("A*, published", 0, plain));
        }
        let mut connects: Vec<Series> = ENGINES
            .iter()
            .map(|&(name, look, method)| line(name, look, connect(method)))
            .collect();
        if let Some(device) = &report.device {
            let points = |value: fn(&DeviceConnect) -> f64| {
                let cells = device.connects_at(scene, level);
                cells.map(|cell| [cell.mu.into(), value(cell)]).collect()
            };
            let name = format!("HNA*, connecting on {}", device.label());
            series.push(line(&name, DEVICE_LOOK, points(|cell| cell.time.mean_us)));
            connects.push(line(&name, DEVICE_LOOK, points(|cell| cell.connect_us)));
            let cuda = CUDA_TIMES.iter().filter(|time| figure.is_of(time.scene));
            let cuda = cuda.filter(|time| time.level == level);
            let cuda: Vec<[f64; 2]> = cuda.map(|t| [t.mu.into(), t.ms * 1e3]).collect();
            if !cuda.is_empty() {
                series.push(published("HNA* on CUDA, published", DEVICE_LOOK, cuda));
            }
        }
        let axis = |label| Axis::new(label, Scale::Log);
        panels.push(Panel {
            title: format!("({letter}1) L{level}, all steps"),
            x: mu_axis(report),
            y: axis("mean time per search (µs)"),
            series,
            bars: None,
        });
        panels.push(Panel {
            title: format!("({letter}2) L{level}, connect step"),
            x: mu_axis(report),
            y: axis("mean time per search (µs)"),
            series: connects,
            bars: None,
        });
    }
    PageItem {
        id: id.to_owned(),
        title: format!("Search time of HNA* and PCCP over μ, per level: {scene}"),
        source: match number {
            0 => format!("like {MA_HNA}, figures 9, 13 and 14"),
            number => format!("{MA_HNA}, figure {number}"),
        },
        body: ItemBody::Svg(
            Chart {
                id: id.replace('-', ""),
                description: format!("Times of A*, HNA* and PCCP on {scene} over mu, by level"),
                columns: 2,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Mean search time over {} queries on {scene}; left the entire search, right its connect step, on \
             logarithmic axes. HNA* connects as published (one A* per portal), in parallel, with one \
             Dijkstra, or with exact tables; PCCP connects with tables for polygon centres. Stars are times \
             from the paper's text. {}{}",
            report.effort.queries,
            on_device(report),
            figure.note()
        ),
        verdict: verdict(report, figure),
    }
}

/// The look of HNA* that connects on a device, here and as published.
const DEVICE_LOOK: usize = 6;

/// Says how the paper's CUDA curves are repeated.
fn on_device(report: &Report) -> String {
    let Some(device) = &report.device else {
        return "The paper's CUDA curves are not repeated.".to_owned();
    };
    let mut factors: Vec<u32> = device.connects.iter().map(|cell| cell.mu).collect();
    factors.sort_unstable();
    factors.dedup();
    let factors: Vec<String> = factors.iter().map(u32::to_string).collect();
    format!(
        "The paper's CUDA curves are repeated at μ {} on the device {}, one query at a time, with up to {DEVICE_QUERIES} queries \
         per point; its connect step is submitted and waited for separately.{}",
        factors.join(", "),
        device.label(),
        device.warning()
    )
}

const ENGINES: [(&str, usize, &str); 5] = [
    ("HNA*, as published", 1, "astar"),
    ("PCCP", 2, "pccp"),
    ("HNA*, connecting in parallel", 3, "parallel"),
    ("HNA*, one Dijkstra", 4, "dijkstra"),
    ("HNA*, exact tables", 5, "table"),
];

fn verdict(report: &Report, figure: &FigureScene<'_>) -> String {
    let scene = figure.scene;
    let up_to_3 = |name: &'static str| move |level: u8, method: &str| level <= 3 && method == name;
    let (Some(hna), Some(pccp)) = (
        fastest_cell(report, scene, up_to_3("astar")),
        fastest_cell(report, scene, up_to_3("pccp")),
    ) else {
        return "This scene is too small for a level above the polygons.".to_owned();
    };
    let gains: Vec<String> = (1..=3)
        .filter_map(|level| {
            let cells = report.grid_of(scene).filter_map(|cell| {
                let (hna, pccp) = (cell.engine(level, "astar")?, cell.engine(level, "pccp")?);
                Some((cell.mu, hna.time.mean_us / pccp.time.mean_us))
            });
            let (mu, ratio) = cells.max_by(|a, b| a.1.total_cmp(&b.1))?;
            Some(format!("{} at L{level} (μ {mu})", times(ratio)))
        })
        .collect();
    let here = format!(
        "In this run, A* takes {} µs. The best speed-up is {} at {} for HNA* with the published connect \
         step, and {} at {} for PCCP ({} µs). The largest speed-up of PCCP over HNA* is {}",
        us(report.astar_us(scene)),
        times(hna.speed_up),
        level_and_mu(hna.level, hna.mu),
        times(pccp.speed_up),
        level_and_mu(pccp.level, pccp.mu),
        us(pccp.us),
        gains.join(", ")
    );
    let of_level = |level: u8| {
        let cells = report.grid_of(scene).filter_map(|cell| {
            let (hna, pccp) = (cell.engine(level, "astar")?, cell.engine(level, "pccp")?);
            Some(hna.time.mean_us / pccp.time.mean_us)
        });
        cells.reduce(f64::max)
    };
    let shape = match (of_level(1), of_level(2).or(of_level(3))) {
        (Some(first), Some(second)) if second > first => {
            "as published, it is small at L1, where connecting is cheap, and larger above"
        }
        (Some(_), Some(_)) => "unlike published, it is not larger at L2 than at L1",
        _ => "the scene has only one level",
    };
    let known = MA_HNA_TIMES.iter().filter(|time| figure.is_of(time.scene));
    let plain = known.clone().find(|time| time.level == 0);
    let fastest = known
        .filter(|time| time.method == "pccp")
        .min_by(|a, b| a.ms.total_cmp(&b.ms));
    match (plain, fastest) {
        (Some(plain), Some(fastest)) => format!(
            "Published: A* takes {} ms, and the best speed-up of PCCP is {} at {}. {here}; {shape}.",
            plain.ms,
            times(plain.ms / fastest.ms),
            level_and_mu(fastest.level, fastest.mu)
        ),
        _ => format!("{here}; {shape}."),
    }
}
