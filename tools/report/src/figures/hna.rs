//! Figures 7 to 11 of Pelechano and Fuentes 2016.

use portolan_measure::{mean, percentile};

use super::{FigureScene, fastest_cell, level_and_mu, line, mu_axis, over_mu, published};
use crate::model::{EngineCell, Report};
use crate::page_item::{ItemBody, PageItem, percent, times, us};
use crate::published::{BEST_FRACTIONS, HNA, HNA_BEST, HNA_TIMES};
use portolan_draw::chart::{Axis, Bars, Chart, Draw, Panel, Scale, Series};

/// The three maps of the paper.
const MAPS: [&str; 3] = ["serpentine", "city-islands", "tropical"];

/// Returns the maps of the paper that this run includes, or the first three scenes if it has none.
fn scenes(report: &Report) -> Vec<&str> {
    let names = report.scenes.iter().map(|cell| cell.scene.as_str());
    let of_paper: Vec<&str> = names.clone().filter(|name| MAPS.contains(name)).collect();
    if of_paper.is_empty() {
        names.take(3).collect()
    } else {
        of_paper
    }
}

/// Repeats figure 7: the number of nodes per level.
pub(crate) fn figure_7(report: &Report) -> PageItem {
    let scenes = scenes(report);
    let node_percent = |level: u8, islands: bool| {
        let mus = report.effort.merge_factors.iter();
        let points = mus.filter_map(|&mu| {
            let percents: Vec<f64> = scenes
                .iter()
                .filter_map(|scene| {
                    let cell = report.cell(scene, mu)?.level(level)?;
                    let polygons = report.scenes.iter().find(|c| c.scene == *scene)?.polygons;
                    let nodes = cell.nodes - if islands { 0 } else { cell.islands };
                    Some(100.0 * nodes as f64 / polygons as f64)
                })
                .collect();
            (percents.len() == scenes.len()).then(|| [mu.into(), mean(percents)])
        });
        points.collect::<Vec<[f64; 2]>>()
    };
    let panel = |title: &str, islands: bool| {
        let mut series: Vec<Series> = (1..=3)
            .map(|level| {
                line(
                    &format!("L{level}"),
                    level.into(),
                    node_percent(level, islands),
                )
            })
            .collect();
        for (level, mu, percent) in BEST_FRACTIONS {
            let name = format!("published optimum, L{level}");
            series.push(published(&name, level.into(), vec![[mu.into(), percent]]));
        }
        Panel {
            title: title.to_owned(),
            x: mu_axis(report),
            y: Axis::new("nodes (% of polygons)", Scale::Log),
            series,
            bars: None,
        }
    };
    let at = |level: u8, mu: u32| {
        let found = |islands| {
            let points = node_percent(level, islands);
            let point = points.iter().find(|point| point[0] == f64::from(mu));
            point.map_or("not measured".to_owned(), |point| percent(point[1]))
        };
        format!("{} ({} without islands)", found(true), found(false))
    };
    PageItem {
        id: "hna-figure-7".to_owned(),
        title: "Number of nodes per level and μ".to_owned(),
        source: format!("{HNA}, figure 7"),
        body: ItemBody::Svg(
            Chart {
                id: "hna7".to_owned(),
                description: "Nodes of levels 1 to 3 in percent of the polygons, over mu"
                    .to_owned(),
                columns: 2,
                panels: vec![panel("all nodes", true), panel("without islands", false)],
            }
            .svg(),
        ),
        caption: format!(
            "Number of nodes of each level in percent of the number of polygons, mean over {}. Stars are the \
             percentages at which the paper finds searches to be fastest. An island (a component that no \
             portal connects to the rest) stays a separate node at every level; the paper removes islands \
             first.",
            scenes.join(", ")
        ),
        verdict: format!(
            "Published: searches are fastest with about 12% of the nodes at L1 (μ about 20) and 2.5% at L2 \
             (μ about 6). In this run: {} at {}, {} at {}. Without islands, a level has 1/μ of the nodes of \
             the level below, so 12% at μ 20 is only possible if many islands are counted.",
            at(1, 20),
            level_and_mu(1, 20),
            at(2, 6),
            level_and_mu(2, 6)
        ),
    }
}

/// Repeats figures 8, 9 and 10: times over mu, in total and per step. `number` is 0 for a map of the user.
pub(crate) fn figure_times(
    report: &Report,
    id: &str,
    number: u32,
    figure: &FigureScene<'_>,
) -> PageItem {
    let scene = figure.scene;
    let mut totals = vec![line(
        "A* (level 0)",
        0,
        over_mu(report, scene, |cell| Some(cell.astar.mean_us)),
    )];
    for level in 1..=3 {
        let name = format!("HNA* L{level}");
        let points = over_mu(report, scene, |cell| {
            Some(cell.engine(level, "astar")?.time.mean_us)
        });
        totals.push(line(&name, level.into(), points));
    }
    let times_of = HNA_TIMES.iter().filter(|time| figure.is_of(time.scene));
    for level in 0..=1 {
        let of_level = times_of.clone().filter(|time| time.level == level);
        let points: Vec<[f64; 2]> = match level {
            // A* does not depend on mu; its marker is drawn at the left edge.
            0 => of_level.map(|time| [2.0, time.ms * 1e3]).collect(),
            _ => of_level
                .map(|time| [time.mu.into(), time.ms * 1e3])
                .collect(),
        };
        if !points.is_empty() {
            let engine = if level == 0 { "A*" } else { "HNA* L1" };
            let name = format!("{engine}, published (i7-4770)");
            totals.push(published(&name, level.into(), points));
        }
    }
    let mut panels = vec![Panel {
        title: "(a) all steps".to_owned(),
        x: mu_axis(report),
        y: Axis::new("mean time per search (µs)", Scale::Log),
        series: totals,
        bars: None,
    }];
    for (letter, level) in [('b', 1), ('c', 2)] {
        panels.push(steps(report, scene, letter, level));
    }
    PageItem {
        id: id.to_owned(),
        title: format!("Search time of HNA* over μ: {scene}"),
        source: match number {
            0 => format!("like {HNA}, figures 8 to 10"),
            number => format!("{HNA}, figure {number}"),
        },
        body: ItemBody::Svg(
            Chart {
                id: id.replace('-', ""),
                description: format!("Times of A* and HNA* on {scene} over mu, and their steps"),
                columns: 3,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Mean search time of A* and of HNA* with the published connect step (one A* per portal), over {} \
             queries on {scene}. (a) All steps together, on a logarithmic axis. (b), (c) The four steps at \
             levels 1 and 2. Stars are times from the paper's text.{}",
            report.effort.queries,
            figure.note()
        ),
        verdict: verdict(report, figure),
    }
}

/// Draws the steps of HNA* with the published connect step as stacked bars.
fn steps(report: &Report, scene: &str, letter: char, level: u8) -> Panel {
    let cells = report.grid_of(scene);
    let found: Vec<(u32, &EngineCell)> = cells
        .filter_map(|cell| Some((cell.mu, cell.engine(level, "astar")?)))
        .collect();
    Panel {
        title: format!("({letter}) steps at L{level}"),
        x: Axis::new("merge factor μ", Scale::Linear),
        y: Axis::new("mean time per search (µs)", Scale::FromZero),
        series: Vec::new(),
        bars: Some(Bars {
            categories: found.iter().map(|(mu, _)| mu.to_string()).collect(),
            parts: [
                "get S and G",
                "connect S and G",
                "A* over inter-edges",
                "extract sub-paths",
            ]
            .map(str::to_owned)
            .to_vec(),
            heights: found
                .iter()
                .map(|(_, e)| vec![e.get_us, e.connect_us, e.search_us, e.extract_us])
                .collect(),
        }),
    }
}

fn verdict(report: &Report, figure: &FigureScene<'_>) -> String {
    let scene = figure.scene;
    let up_to_3 = |level: u8, method: &str| level <= 3 && method == "astar";
    let (Some(plain), Some(any)) = (
        fastest_cell(report, scene, up_to_3),
        fastest_cell(report, scene, |level, method| {
            level <= 3 && method != "pccp"
        }),
    ) else {
        return "This scene is too small for a level above the polygons.".to_owned();
    };
    let astar = report.astar_us(scene);
    let here = format!(
        "In this run, A* takes {} µs. HNA* with the published connect step takes at best {} µs at {} ({}); \
         with the fastest exact connecting method it takes {} µs at {} ({}, method {}).",
        us(astar),
        us(plain.us),
        level_and_mu(plain.level, plain.mu),
        times(plain.speed_up),
        us(any.us),
        level_and_mu(any.level, any.mu),
        times(any.speed_up),
        any.method
    );
    let slow: Vec<u32> = report
        .grid_of(scene)
        .filter(|cell| {
            let third = cell.engine(3, "astar");
            third.is_some_and(|third| third.time.mean_us > astar)
        })
        .map(|cell| cell.mu)
        .collect();
    let third = match (
        slow.first(),
        report.grid_of(scene).any(|c| c.level(3).is_some()),
    ) {
        (_, false) => "this scene has no L3".to_owned(),
        (None, true) => "L3 is never slower than A*".to_owned(),
        (Some(mu), true) => format!("L3 is slower than A* from μ {mu} on"),
    };
    let Some(&(_, speed_up, level, mu)) = HNA_BEST.iter().find(|known| figure.is_of(known.0))
    else {
        return format!("{here} With the published connect step, {third}.");
    };
    let published_third = match scene {
        "city-islands" => " (published: from μ 7 or 8 on)",
        "serpentine" => " (published: L3 is faster only for small μ)",
        _ => "",
    };
    let there = fastest_cell(report, scene, |l, method| l == level && method == "astar");
    let same = match there {
        _ if level == plain.level => "The best level is the published one".to_owned(),
        Some(there) if there.us <= 1.05 * plain.us => {
            format!("The published best level, L{level}, is as fast within 5%")
        }
        Some(there) => format!(
            "The best level is not the published one; L{level} reaches at most {} at μ {}",
            times(there.speed_up),
            there.mu
        ),
        None => format!("This scene has no L{level}"),
    };
    let known = HNA_TIMES.iter().find(|t| t.scene == scene && t.level == 0);
    let why = match known {
        Some(time) if time.ms * 1e3 > 2.0 * astar => format!(
            "the paper's A* takes {} ms, {} as long as the A* of this run, so the fixed costs of connecting \
             and extracting weigh more here",
            time.ms,
            times(time.ms * 1e3 / astar)
        ),
        _ => "the maps, the queries and the machine are not the paper's".to_owned(),
    };
    format!(
        "Published: a best speed-up of {} at {}. {here} {same}, and {third}{published_third}. The speed-ups \
         differ because {why}.",
        times(speed_up),
        level_and_mu(level, mu)
    )
}

/// Repeats figure 11: the number of inter-edges per node and its upper bounds.
pub(crate) fn figure_11(report: &Report) -> PageItem {
    let scenes = scenes(report);
    let mut panels = Vec::new();
    for level in [2, 3] {
        for bounds in [false, true] {
            let mut series: Vec<Series> = Vec::new();
            for (i, scene) in scenes.iter().enumerate() {
                let mean = over_mu(report, scene, |cell| {
                    Some(cell.level(level)?.inter_edges_mean)
                });
                series.push(line(&format!("{scene}, mean"), i + 1, mean));
                if bounds {
                    let maxima = over_mu(report, scene, |c| {
                        Some(c.level(level)?.inter_edges_max as f64)
                    });
                    let mut dots = line(&format!("{scene}, maximum"), i + 1, maxima);
                    dots.draw = Draw::Dots(2.2);
                    series.push(dots);
                }
            }
            if bounds {
                let published = largest(report, &scenes, |cell| {
                    Some(cell.level(level)?.published_bound)
                });
                series.push(line("published bound, μ^x (s - 2) + 2", 0, published));
                let actual = largest(report, &scenes, |cell| {
                    Some(cell.level(level)?.bound as f64)
                });
                series.push(line("bound of the largest node, n (s - 2) + 2", 5, actual));
            }
            panels.push(Panel {
                title: format!("L{level}{}", if bounds { ", with bounds" } else { "" }),
                x: mu_axis(report),
                y: Axis::new(
                    "inter-edges per node",
                    if bounds { Scale::Log } else { Scale::FromZero },
                ),
                series,
                bars: None,
            });
        }
    }
    let (mut levels, mut above_published, mut above) = (0, 0, 0);
    let mut percents = Vec::new();
    for level in report.grid.iter().flat_map(|cell| &cell.levels) {
        levels += 1;
        percents.push(100.0 * level.inter_edges_max as f64 / level.published_bound);
        above_published += usize::from(level.inter_edges_max as f64 > level.published_bound);
        above += usize::from(level.inter_edges_max as i64 > level.bound);
    }
    let trend_of = |scene: &str| {
        let points = over_mu(report, scene, |cell| Some(cell.level(2)?.inter_edges_mean));
        let max = points.iter().copied().max_by(|a, b| a[1].total_cmp(&b[1]));
        match (points.first(), max, points.last()) {
            (Some(first), Some(max), Some(last)) => format!(
                "{scene} has {:.1} at μ {}, a maximum of {:.1} at μ {}, and {:.1} at μ {}",
                first[1], first[0], max[1], max[0], last[1], last[0]
            ),
            _ => format!("{scene} has no L2"),
        }
    };
    let trend: Vec<String> = scenes.iter().map(|scene| trend_of(scene)).collect();
    PageItem {
        id: "hna-figure-11".to_owned(),
        title: "Number of inter-edges per node".to_owned(),
        source: format!("{HNA}, figure 11"),
        body: ItemBody::Svg(
            Chart {
                id: "hna11".to_owned(),
                description: "Mean number of inter-edges per node at levels 2 and 3 over mu".to_owned(),
                columns: 2,
                panels,
            }
            .svg(),
        ),
        caption: "Mean number of inter-edges per node at level x, without islands. On the right, with a \
                  logarithmic axis: the maximum of any node, the published upper bound, which assumes nodes \
                  of exactly μ^x polygons with at most s portals each, and the same bound for the n \
                  polygons of the largest node."
            .to_owned(),
        verdict: format!(
            "Published: the number rises with μ, but on the serpentine it drops again. In this run, at L2: \
             {}. Of {levels} measured levels, {above_published} have a node above the published bound, \
             which a node of more than μ^x polygons may exceed, and {above} have a node above the bound for \
             the actual node size. In the median level, the maximum is {} of the published bound, because \
             METIS minimizes the number of cut portals.",
            trend.join("; "),
            percent(percentile(&percents, 0.5))
        ),
    }
}

/// Returns the maximum over several scenes, per merge factor.
fn largest(
    report: &Report,
    scenes: &[&str],
    value: impl Fn(&crate::model::GridCell) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let factors = report.effort.merge_factors.iter();
    let points = factors.filter_map(|&mu| {
        let cells = scenes.iter().filter_map(|scene| report.cell(scene, mu));
        let max = cells.filter_map(&value).reduce(f64::max)?;
        Some([mu.into(), max])
    });
    points.collect()
}
