//! Engines beyond the papers, over the size of the world.

use super::line;
use crate::exhibit::{Body, Exhibit, times as ratio, us};
use crate::model::{BeyondCell, Report};
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// The kinds of worlds in a report, in their order.
fn kinds(report: &Report) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in report
        .beyond
        .iter()
        .filter_map(|cell| cell.world.as_deref())
    {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// A number of each cell over its polygons.
fn over_polygons<'a>(
    cells: impl Iterator<Item = &'a BeyondCell>,
    value: impl Fn(&BeyondCell) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let points = cells.filter_map(|cell| Some([cell.polygons as f64, value(cell)?]));
    let mut points: Vec<[f64; 2]> = points.collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

fn of_kind<'a>(report: &'a Report, kind: &'a str) -> impl Iterator<Item = &'a BeyondCell> {
    let all = report.beyond.iter();
    all.filter(move |cell| cell.world.as_deref() == Some(kind))
}

/// The mean time of each engine, for either kind of world.
pub(crate) fn times(report: &Report) -> Exhibit {
    let engine = |name: &'static str| {
        move |cell: &BeyondCell| cell.fastest(name).map(|engine| engine.time.mean_us)
    };
    let distance = |cell: &BeyondCell| {
        let mut engines = cell.engines.iter();
        let distance = engines.find(|engine| engine.want == "distance");
        distance.map(|engine| engine.time.mean_us)
    };
    let kinds = kinds(report);
    let panels = kinds.iter().map(|kind| {
        let line_of = |name: &str, look: usize, engine_name: &'static str| {
            line(
                name,
                look,
                over_polygons(of_kind(report, kind), engine(engine_name)),
            )
        };
        let series: Vec<Series> = vec![
            line_of("astar", 0, "astar"),
            line_of("hna, best level", 1, "hna"),
            line_of("pccp, best level", 4, "pccp"),
            line_of("contraction", 2, "contraction"),
            line_of("auto", 5, "auto"),
            line_of("labels", 3, "labels"),
            line(
                "labels, distance only",
                6,
                over_polygons(of_kind(report, kind), distance),
            ),
        ];
        Panel {
            title: (*kind).to_owned(),
            x: Axis::new("polygons", Scale::Log),
            y: Axis::new("mean time a search (µs)", Scale::Log),
            series,
            bars: None,
        }
    });
    let said: Vec<String> = kinds
        .iter()
        .filter_map(|kind| {
            let cells: Vec<&BeyondCell> = of_kind(report, kind).collect();
            let small = cells.iter().min_by_key(|cell| cell.polygons)?;
            let large = cells.iter().max_by_key(|cell| cell.polygons)?;
            let gain = |cell: &BeyondCell| {
                let us = |name| cell.fastest(name).map(|engine| engine.time.mean_us);
                Some(us("astar")? / us("contraction")?)
            };
            Some(format!(
                "On {kind} the contraction is {} as fast as astar at {} polygons and {} at {}",
                ratio(gain(small)?),
                small.polygons,
                ratio(gain(large)?),
                large.polygons
            ))
        })
        .collect();
    Exhibit {
        id: "beyond-times".to_owned(),
        title: "Time over the size of the world".to_owned(),
        source: "this run".to_owned(),
        body: Body::Svg(
            Chart {
                id: "beyond1".to_owned(),
                description: "Mean time a search over the polygons of worlds, by engine".to_owned(),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: "Means of the search alone, random queries, which grow longer with the world; a marker \
                  is a world, both axes logarithmic. What hub labels write down, they do not search, but \
                  for a path they still unpack it: its length is the floor."
            .to_owned(),
        verdict: format!("{}.", said.join(". ")),
    }
}

/// Markers without a line: different scenes are no steps of one another.
fn dots(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Dots(4.0),
        ..line(name, look, points)
    }
}

/// What another profile takes.
pub(crate) fn profiles(report: &Report) -> Exhibit {
    let all = || report.beyond.iter();
    let contraction = over_polygons(all(), |cell| Some(cell.other_profile.contraction_ms));
    let levels = over_polygons(all(), |cell| Some(cell.other_profile.levels_ms));
    let order = over_polygons(all(), |cell| {
        Some(cell.build.order_ms + cell.build.contraction_ms)
    });
    let wrong: usize = all().map(|cell| cell.other_profile.mismatches).sum();
    let asked: usize = all().map(|cell| cell.other_profile.queries).sum();
    let largest = all().max_by_key(|cell| cell.polygons);
    let said = largest.map_or_else(String::new, |cell| {
        format!(
            " On {}, {} polygons, it takes {} ms, and levels and tables {} ms.",
            cell.scene,
            cell.polygons,
            us(cell.other_profile.contraction_ms),
            us(cell.other_profile.levels_ms)
        )
    });
    Exhibit {
        id: "beyond-profiles".to_owned(),
        title: "Another kind of agent".to_owned(),
        source: "this run".to_owned(),
        body: Body::Svg(
            Chart {
                id: "beyond2".to_owned(),
                description: "Time to make a profile ready over polygons".to_owned(),
                columns: 1,
                panels: vec![Panel {
                    title: "another profile".to_owned(),
                    x: Axis::new("polygons", Scale::Log),
                    y: Axis::new("time (ms)", Scale::Log),
                    series: vec![
                        dots("contraction: customization", 2, contraction),
                        dots("hna and pccp: intra-edges and tables", 1, levels),
                        dots("once for all profiles: order and contraction", 3, order),
                    ],
                    bars: None,
                }],
            }
            .svg(),
        ),
        caption:
            "A profile with other factors and a forbidden area, made ready for a world that is \
                  there. A marker is a scene, a map or a world."
                .to_owned(),
        verdict: format!(
            "{wrong} of {asked} answers of the contraction for that profile cost anything else than \
             Dijkstra's.{said}"
        ),
    }
}
