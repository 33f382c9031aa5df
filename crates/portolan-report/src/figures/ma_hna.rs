//! Figures 6, 7, 9, 13 and 14 of Rahmani and Pelechano: PCCP.

use super::{Role, best, line, mu_axis, over_mu, place, published};
use crate::chart::{Axis, Chart, Draw, Panel, Scale, Series};
use crate::exhibit::{Body, Exhibit, Table, bytes, percent, times, us};
use crate::jobs::{MEMORY_FACTORS, PCCP_AT};
use crate::model::{MemoryCell, PccpCell, PccpPath, Report};
use crate::published::{MA_HNA, MA_HNA_TIMES, PCCP_LENGTHS, PCCP_MEMORY};
use crate::statistics::mean;

/// The memory of a scene with the most levels there are, up to three.
fn memory<'a>(report: &'a Report, scene: &str, mu: u32) -> Option<&'a MemoryCell> {
    let cells = report.memory.iter();
    cells
        .filter(|cell| cell.scene == scene && cell.mu == mu)
        .max_by_key(|cell| cell.levels)
}

/// Figure 6: what PCCP takes.
pub(crate) fn figure_6(report: &Report) -> Exhibit {
    let points = |mu: u32, value: fn(&MemoryCell) -> usize| {
        let mut points: Vec<[f64; 2]> = report
            .scenes
            .iter()
            .filter_map(|scene| {
                let cell = memory(report, &scene.scene, mu)?;
                Some([scene.polygons as f64, value(cell) as f64 / 1e6])
            })
            .collect();
        points.sort_by(|a, b| a[0].total_cmp(&b[0]));
        points
    };
    let paper = PCCP_MEMORY.map(|(_, polygons, megabytes)| [polygons.into(), megabytes]);
    let panel = |title: String, series| Panel {
        title,
        x: Axis::new("polygons", Scale::Log),
        y: Axis::new("memory (MB)", Scale::Log),
        series,
        bars: None,
    };
    let mut pccp: Vec<Series> = MEMORY_FACTORS
        .iter()
        .enumerate()
        .map(|(i, &mu)| {
            line(
                &format!("PCCP, μ {mu}"),
                i + 1,
                points(mu, |cell| cell.pccp),
            )
        })
        .collect();
    pccp.push(published("PCCP by the paper", 0, paper.to_vec()));
    let (mu, _) = PCCP_AT;
    let parts = vec![
        line("PCCP, μ 10", 2, points(mu, |cell| cell.pccp)),
        line("exact tables, μ 10", 4, points(mu, |cell| cell.tables)),
        line("intra-edges, μ 10", 5, points(mu, |cell| cell.intra_edges)),
        line(
            "nodes and inter-edges, μ 10",
            6,
            points(mu, |cell| cell.hierarchy),
        ),
    ];
    let compared: Vec<String> = PCCP_MEMORY
        .iter()
        .filter_map(|&(scene, polygons, megabytes)| {
            let cell = memory(report, scene, mu)?;
            let ratio = megabytes * 1e6 / cell.pccp.max(1) as f64;
            Some(format!(
                "{scene} takes {} here with {}, {megabytes} MB published with {polygons} polygons, {}",
                bytes(cell.pccp),
                if cell.levels == 1 {
                    "1 level".to_owned()
                } else {
                    format!("{} levels", cell.levels)
                },
                times(ratio)
            ))
        })
        .collect();
    let compared = if compared.is_empty() {
        "Neither map that the paper names is in this run".to_owned()
    } else {
        compared.join("; ")
    };
    let all = points(mu, |cell| cell.pccp);
    let growth = match (all.first(), all.last()) {
        (Some(small), Some(large)) if large[1] > small[1] => format!(
            "As published, memory grows with the scene, here by {} a polygon at the smallest and {} at \
             the largest.",
            bytes((small[1] * 1e6 / small[0]) as usize),
            bytes((large[1] * 1e6 / large[0]) as usize)
        ),
        _ => "Memory does not grow with the scene here.".to_owned(),
    };
    Exhibit {
        id: "ma-hna-figure-6".to_owned(),
        title: "Memory of PCCP".to_owned(),
        source: format!("{MA_HNA}, figure 6"),
        body: Body::Svg(
            Chart {
                id: "ma6".to_owned(),
                description: "Memory of PCCP over the polygons of the scenes".to_owned(),
                columns: 2,
                panels: vec![
                    panel("PCCP, up to three levels".to_owned(), pccp),
                    panel("all parts, up to three levels".to_owned(), parts),
                ],
            }
            .svg(),
        ),
        caption: "Bytes of the tables for the centres of polygons, and of the rest of a hierarchy. A \
                  marker is a scene; both axes logarithmic. The paper does not say at which level and \
                  μ; its two numbers are stars."
            .to_owned(),
        verdict: format!(
            "{compared}. {growth} These tables are flat arrays of \
             costs and of the next step on each way; the paper stores whole paths in a hash table, and \
             says that storing the next cell would save memory."
        ),
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1e3)
}

/// Memory in numbers.
pub(crate) fn memory_table(report: &Report) -> Exhibit {
    let mut table = Table::new(&[
        "scene",
        "μ",
        "levels",
        "nodes and inter-edges (kB)",
        "intra-edges (kB)",
        "exact tables (kB)",
        "PCCP (kB)",
        "PCCP a polygon (bytes)",
    ]);
    for cell in &report.memory {
        let scene = report.scenes.iter().find(|scene| scene.scene == cell.scene);
        let polygons = scene.map_or(1, |scene| scene.polygons.max(1));
        table.rows.push(vec![
            cell.scene.clone(),
            cell.mu.to_string(),
            cell.levels.to_string(),
            kilobytes(cell.hierarchy),
            kilobytes(cell.intra_edges),
            kilobytes(cell.tables),
            kilobytes(cell.pccp),
            format!("{:.0}", cell.pccp as f64 / polygons as f64),
        ]);
    }
    let largest = report.memory.iter().max_by_key(|cell| cell.pccp);
    Exhibit {
        id: "ma-hna-figure-6-numbers".to_owned(),
        title: "Memory in numbers".to_owned(),
        source: format!("{MA_HNA}, section 7.1.1"),
        body: Body::Table(table),
        caption: "What hierarchies of one, two and three levels take.".to_owned(),
        verdict: largest.map_or_else(String::new, |cell| {
            format!(
                "The most that PCCP takes in this run is {}, on {} with μ {} and {} levels; the paper \
                 calls tens of megabytes insignificant.",
                bytes(cell.pccp),
                cell.scene,
                cell.mu,
                cell.levels
            )
        }),
    }
}

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
pub(crate) fn lengths_table(report: &Report) -> Exhibit {
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

/// Figures 9, 13 and 14: HNA* and PCCP, level by level.
pub(crate) fn figure_times(report: &Report, id: &str, number: u32, role: &Role<'_>) -> Exhibit {
    let scene = role.scene;
    let known = MA_HNA_TIMES.iter().filter(|time| role.is_of(time.scene));
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
            ("HNA* by the paper", 1, "astar"),
            ("PCCP by the paper", 2, "pccp"),
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
            series.push(published("A* by the paper", 0, plain));
        }
        let axis = |label| Axis::new(label, Scale::Log);
        panels.push(Panel {
            title: format!("({letter}1) L{level}, all steps"),
            x: mu_axis(report),
            y: axis("mean time a path (µs)"),
            series,
            bars: None,
        });
        panels.push(Panel {
            title: format!("({letter}2) L{level}, connecting S and G"),
            x: mu_axis(report),
            y: axis("mean time a path (µs)"),
            series: ENGINES
                .iter()
                .map(|&(name, look, method)| line(name, look, connect(method)))
                .collect(),
            bars: None,
        });
    }
    Exhibit {
        id: id.to_owned(),
        title: format!("HNA* and PCCP over μ and level: {scene}"),
        source: match number {
            0 => format!("as {MA_HNA}, figures 9, 13 and 14"),
            number => format!("{MA_HNA}, figure {number}"),
        },
        body: Body::Svg(
            Chart {
                id: id.replace('-', ""),
                description: format!("Times of A*, HNA* and PCCP on {scene} over mu, by level"),
                columns: 2,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Left the whole search, right its connect step; logarithmic. HNA* connects as published \
             (one A* a portal), with one Dijkstra, or by exact tables; PCCP by tables for the centres \
             of polygons. The CUDA curves of the paper join with the device.{}",
            role.note()
        ),
        verdict: verdict(report, role),
    }
}

const ENGINES: [(&str, usize, &str); 5] = [
    ("HNA*, as published", 1, "astar"),
    ("PCCP", 2, "pccp"),
    ("HNA*, connecting in parallel", 3, "parallel"),
    ("HNA*, one Dijkstra", 4, "dijkstra"),
    ("HNA*, exact tables", 5, "table"),
];

fn verdict(report: &Report, role: &Role<'_>) -> String {
    let scene = role.scene;
    let up_to_3 = |name: &'static str| move |level: u8, method: &str| level <= 3 && method == name;
    let (Some(hna), Some(pccp)) = (
        best(report, scene, up_to_3("astar")),
        best(report, scene, up_to_3("pccp")),
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
        "Here, over A* at {} µs: HNA* as published at best {} at {}, PCCP {} at {} ({} µs). PCCP gains \
         over HNA* at most {}",
        us(report.astar_us(scene)),
        times(hna.speed_up),
        place(hna.level, hna.mu),
        times(pccp.speed_up),
        place(pccp.level, pccp.mu),
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
            "as published, little at L1, where connecting is cheap, and more above"
        }
        (Some(_), Some(_)) => "unlike published, not more at L2 than at L1",
        _ => "and there is one level only",
    };
    let known = MA_HNA_TIMES.iter().filter(|time| role.is_of(time.scene));
    let plain = known.clone().find(|time| time.level == 0);
    let fastest = known
        .filter(|time| time.method == "pccp")
        .min_by(|a, b| a.ms.total_cmp(&b.ms));
    match (plain, fastest) {
        (Some(plain), Some(fastest)) => format!(
            "Published: A* {} ms, PCCP {} at {}. {here}; {shape}.",
            plain.ms,
            times(plain.ms / fastest.ms),
            place(fastest.level, fastest.mu)
        ),
        _ => format!("{here}; {shape}."),
    }
}
