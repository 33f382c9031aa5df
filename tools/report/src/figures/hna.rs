//! Figures 7 to 11 of Pelechano and Fuentes.

use super::{Role, best, line, mu_axis, over_mu, place, published};
use crate::exhibit::{Body, Exhibit, percent, times, us};
use crate::model::{EngineCell, Report};
use crate::published::{BEST_SHARES, HNA, HNA_BEST, HNA_TIMES};
use crate::statistics::{mean, rank};
use portolan_draw::chart::{Axis, Bars, Chart, Draw, Panel, Scale, Series};

/// The three maps of the paper.
const MAPS: [&str; 3] = ["serpentine", "city-islands", "tropical"];

/// The maps of the paper that are in this run, or all.
fn scenes(report: &Report) -> Vec<&str> {
    let names = report.scenes.iter().map(|cell| cell.scene.as_str());
    let of_paper: Vec<&str> = names.clone().filter(|name| MAPS.contains(name)).collect();
    if of_paper.is_empty() {
        names.take(3).collect()
    } else {
        of_paper
    }
}

/// Figure 7: nodes of each level.
pub(crate) fn figure_7(report: &Report) -> Exhibit {
    let scenes = scenes(report);
    let share = |level: u8, islands: bool| {
        let mus = report.effort.merge_factors.iter();
        let points = mus.filter_map(|&mu| {
            let shares: Vec<f64> = scenes
                .iter()
                .filter_map(|scene| {
                    let cell = report.cell(scene, mu)?.level(level)?;
                    let polygons = report.scenes.iter().find(|c| c.scene == *scene)?.polygons;
                    let nodes = cell.nodes - if islands { 0 } else { cell.islands };
                    Some(100.0 * nodes as f64 / polygons as f64)
                })
                .collect();
            (shares.len() == scenes.len()).then(|| [mu.into(), mean(shares)])
        });
        points.collect::<Vec<[f64; 2]>>()
    };
    let panel = |title: &str, islands: bool| {
        let mut series: Vec<Series> = (1..=3)
            .map(|level| line(&format!("L{level}"), level.into(), share(level, islands)))
            .collect();
        for (level, mu, percent) in BEST_SHARES {
            let name = format!("best by the paper, L{level}");
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
            let points = share(level, islands);
            let point = points.iter().find(|point| point[0] == f64::from(mu));
            point.map_or("not measured".to_owned(), |point| percent(point[1]))
        };
        format!("{} ({} without islands)", found(true), found(false))
    };
    Exhibit {
        id: "hna-figure-7".to_owned(),
        title: "Share of nodes per level and μ".to_owned(),
        source: format!("{HNA}, figure 7"),
        body: Body::Svg(
            Chart {
                id: "hna7".to_owned(),
                description: "Nodes of levels 1 to 3 as a share of the polygons, over mu"
                    .to_owned(),
                columns: 2,
                panels: vec![panel("all nodes", true), panel("without islands", false)],
            }
            .svg(),
        ),
        caption: format!(
            "Nodes of each level in percent of the polygons, mean of {}. Stars: the shares that the \
             paper calls best. An island, ground that nothing leads to, stays a node of its own at \
             every level here; the paper removes islands in its first step.",
            scenes.join(", ")
        ),
        verdict: format!(
            "Published: searches are fastest at about 12% of the nodes at L1 (μ about 20) and 2.5% at \
             L2 (μ about 6). Here: {} at {}, {} at {}. Without islands a level has 1/μ of the nodes \
             below, so 12% at μ 20 can only come of counting many islands.",
            at(1, 20),
            place(1, 20),
            at(2, 6),
            place(2, 6)
        ),
    }
}

/// Figures 8, 9 and 10: times over mu, and steps.
pub(crate) fn figure_times(report: &Report, id: &str, number: u32, role: &Role<'_>) -> Exhibit {
    let scene = role.scene;
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
    let times_of = HNA_TIMES.iter().filter(|time| role.is_of(time.scene));
    for level in 0..=1 {
        let of_level = times_of.clone().filter(|time| time.level == level);
        let points: Vec<[f64; 2]> = match level {
            // A* has no mu: its mark stands at the edge.
            0 => of_level.map(|time| [2.0, time.ms * 1e3]).collect(),
            _ => of_level
                .map(|time| [time.mu.into(), time.ms * 1e3])
                .collect(),
        };
        if !points.is_empty() {
            let what = if level == 0 { "A*" } else { "HNA* L1" };
            let name = format!("{what} by the paper (i7-4770)");
            totals.push(published(&name, level.into(), points));
        }
    }
    let mut panels = vec![Panel {
        title: "(a) all steps".to_owned(),
        x: mu_axis(report),
        y: Axis::new("mean time a path (µs)", Scale::Log),
        series: totals,
        bars: None,
    }];
    for (letter, level) in [('b', 1), ('c', 2)] {
        panels.push(steps(report, scene, letter, level));
    }
    Exhibit {
        id: id.to_owned(),
        title: format!("HNA* over μ: {scene}"),
        source: match number {
            0 => format!("as {HNA}, figures 8 to 10"),
            number => format!("{HNA}, figure {number}"),
        },
        body: Body::Svg(
            Chart {
                id: id.replace('-', ""),
                description: format!("Times of A* and HNA* on {scene} over mu, and their steps"),
                columns: 3,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "(a) Mean time of a search, connecting as published (one A* a portal); logarithmic. (b), \
             (c) its steps at levels 1 and 2. Stars: times in the paper's text.{}",
            role.note()
        ),
        verdict: verdict(report, role),
    }
}

/// Stacked steps of HNA* as published.
fn steps(report: &Report, scene: &str, letter: char, level: u8) -> Panel {
    let cells = report.grid_of(scene);
    let found: Vec<(u32, &EngineCell)> = cells
        .filter_map(|cell| Some((cell.mu, cell.engine(level, "astar")?)))
        .collect();
    Panel {
        title: format!("({letter}) steps at L{level}"),
        x: Axis::new("merge factor μ (nodes a node)", Scale::Linear),
        y: Axis::new("mean time a path (µs)", Scale::FromZero),
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

fn verdict(report: &Report, role: &Role<'_>) -> String {
    let scene = role.scene;
    let up_to_3 = |level: u8, method: &str| level <= 3 && method == "astar";
    let (Some(plain), Some(any)) = (
        best(report, scene, up_to_3),
        best(report, scene, |level, method| {
            level <= 3 && method != "pccp"
        }),
    ) else {
        return "This scene is too small for a level above the polygons.".to_owned();
    };
    let astar = report.astar_us(scene);
    let here = format!(
        "Here A* takes {} µs and HNA*, connecting as published, at best {} µs at {} ({}); with any \
         exact way to connect {} µs at {} ({}, by {}).",
        us(astar),
        us(plain.us),
        place(plain.level, plain.mu),
        times(plain.speed_up),
        us(any.us),
        place(any.level, any.mu),
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
        (_, false) => "there is no L3".to_owned(),
        (None, true) => "L3 is never slower than A*".to_owned(),
        (Some(mu), true) => format!("L3 is slower than A* from μ {mu} on"),
    };
    let Some(&(_, speed_up, level, mu)) = HNA_BEST.iter().find(|known| role.is_of(known.0)) else {
        return format!("{here} As published, {third}.");
    };
    let published_third = match scene {
        "city-islands" => " (published: from μ 7 or 8 on)",
        "serpentine" => " (published: L3 is faster for small μ only)",
        _ => "",
    };
    let there = best(report, scene, |l, method| l == level && method == "astar");
    let same = match there {
        _ if level == plain.level => "The best level is the same".to_owned(),
        Some(there) if there.us <= 1.05 * plain.us => {
            format!("L{level} is as fast within 5%")
        }
        Some(there) => format!(
            "The best level is another one; L{level} gains at most {} at {}",
            times(there.speed_up),
            place(there.level, there.mu)
        ),
        None => format!("There is no L{level}"),
    };
    let known = HNA_TIMES.iter().find(|t| t.scene == scene && t.level == 0);
    let why = match known {
        Some(time) if time.ms * 1e3 > 2.0 * astar => format!(
            "the paper's A* takes {} ms, {} as long as this one, so that there is less to gain here \
             over what connecting and extracting cost",
            time.ms,
            times(time.ms * 1e3 / astar)
        ),
        _ => "maps, queries and machine are others".to_owned(),
    };
    format!(
        "Published: at best {} at {}. {here} {same}, and {third}{published_third}; the factors differ: \
         {why}.",
        times(speed_up),
        place(level, mu)
    )
}

/// Figure 11: inter-edges a node and their bounds.
pub(crate) fn figure_11(report: &Report) -> Exhibit {
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
                    let most = over_mu(report, scene, |c| {
                        Some(c.level(level)?.inter_edges_max as f64)
                    });
                    let mut dots = line(&format!("{scene}, most of a node"), i + 1, most);
                    dots.draw = Draw::Dots(2.2);
                    series.push(dots);
                }
            }
            if bounds {
                let paper = largest(report, &scenes, |cell| {
                    Some(cell.level(level)?.published_bound)
                });
                series.push(line("published bound, μ^x (s - 2) + 2", 0, paper));
                let real = largest(report, &scenes, |cell| {
                    Some(cell.level(level)?.bound as f64)
                });
                series.push(line("bound of the largest node, n (s - 2) + 2", 5, real));
            }
            panels.push(Panel {
                title: format!("L{level}{}", if bounds { ", with both bounds" } else { "" }),
                x: mu_axis(report),
                y: Axis::new(
                    "inter-edges a node",
                    if bounds { Scale::Log } else { Scale::FromZero },
                ),
                series,
                bars: None,
            });
        }
    }
    let (mut levels, mut above_published, mut above) = (0, 0, 0);
    let mut shares = Vec::new();
    for level in report.grid.iter().flat_map(|cell| &cell.levels) {
        levels += 1;
        shares.push(100.0 * level.inter_edges_max as f64 / level.published_bound);
        above_published += usize::from(level.inter_edges_max as f64 > level.published_bound);
        above += usize::from(level.inter_edges_max as i64 > level.bound);
    }
    let ends = |scene: &str| {
        let points = over_mu(report, scene, |cell| Some(cell.level(2)?.inter_edges_mean));
        let most = points.iter().copied().max_by(|a, b| a[1].total_cmp(&b[1]));
        match (points.first(), most, points.last()) {
            (Some(first), Some(most), Some(last)) => format!(
                "{scene} {:.1} at μ {}, most {:.1} at μ {}, {:.1} at μ {}",
                first[1], first[0], most[1], most[0], last[1], last[0]
            ),
            _ => format!("{scene} has no L2"),
        }
    };
    let trend: Vec<String> = scenes.iter().map(|scene| ends(scene)).collect();
    Exhibit {
        id: "hna-figure-11".to_owned(),
        title: "Inter-edges a node, with both bounds".to_owned(),
        source: format!("{HNA}, figure 11"),
        body: Body::Svg(
            Chart {
                id: "hna11".to_owned(),
                description: "Mean inter-edges a node at levels 2 and 3 over mu".to_owned(),
                columns: 2,
                panels,
            }
            .svg(),
        ),
        caption: "Mean number of inter-edges a node; islands do not count. Right, logarithmic: the \
                  most of any node, the papers' bound for nodes of exactly μ^x polygons of at most s \
                  portals, and the bound for the n polygons that the largest node has."
            .to_owned(),
        verdict: format!(
            "Published: the number rises with μ, but on the serpentine it drops again. Here at L2: {}. \
             Of {levels} levels measured, {above_published} have a node above the published bound, \
             which real nodes of more than μ^x polygons may pass, and {above} above the bound that is \
             proved for them. In the median level the most inter-edges of a node are {} of the published \
             bound: it knows nothing of METIS, which cuts few portals.",
            trend.join("; "),
            percent(rank(&shares, 0.5))
        ),
    }
}

/// The largest of several scenes' numbers, over mu.
fn largest(
    report: &Report,
    scenes: &[&str],
    value: impl Fn(&crate::model::GridCell) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let factors = report.effort.merge_factors.iter();
    let points = factors.filter_map(|&mu| {
        let cells = scenes.iter().filter_map(|scene| report.cell(scene, mu));
        let most = cells.filter_map(&value).reduce(f64::max)?;
        Some([mu.into(), most])
    });
    points.collect()
}
