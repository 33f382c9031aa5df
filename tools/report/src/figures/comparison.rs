//! The figures that compare all engines over the size of the navmesh.

use super::line;
use crate::model::{EngineComparison, Report};
use crate::page_item::{ItemBody, PageItem, times as ratio, us};
use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};

/// Returns the kinds of generated worlds in a report, in order.
fn kinds(report: &Report) -> Vec<&str> {
    let mut kinds: Vec<&str> = Vec::new();
    for kind in report
        .comparisons
        .iter()
        .filter_map(|cell| cell.world.as_deref())
    {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

/// Returns the points of a curve over the number of polygons.
fn over_polygons<'a>(
    cells: impl Iterator<Item = &'a EngineComparison>,
    value: impl Fn(&EngineComparison) -> Option<f64>,
) -> Vec<[f64; 2]> {
    let points = cells.filter_map(|cell| Some([cell.polygons as f64, value(cell)?]));
    let mut points: Vec<[f64; 2]> = points.collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

/// Returns the comparisons on one kind of world.
fn of_kind<'a>(report: &'a Report, kind: &'a str) -> impl Iterator<Item = &'a EngineComparison> {
    let all = report.comparisons.iter();
    all.filter(move |cell| cell.world.as_deref() == Some(kind))
}

/// Draws the mean time of each engine over the number of polygons, per kind of world.
pub(crate) fn times(report: &Report) -> PageItem {
    let engine = |name: &'static str| {
        move |cell: &EngineComparison| cell.fastest(name).map(|engine| engine.time.mean_us)
    };
    let distance = |cell: &EngineComparison| {
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
            y: Axis::new("mean time per search (µs)", Scale::Log),
            series,
            bars: None,
        }
    });
    let findings: Vec<String> = kinds
        .iter()
        .filter_map(|kind| {
            let cells: Vec<&EngineComparison> = of_kind(report, kind).collect();
            let small = cells.iter().min_by_key(|cell| cell.polygons)?;
            let large = cells.iter().max_by_key(|cell| cell.polygons)?;
            let gain = |cell: &EngineComparison| {
                let us = |name| cell.fastest(name).map(|engine| engine.time.mean_us);
                Some(us("astar")? / us("contraction")?)
            };
            Some(format!(
                "On {kind}, the contraction is {} as fast as astar at {} polygons and {} as fast at {} polygons",
                ratio(gain(small)?),
                small.polygons,
                ratio(gain(large)?),
                large.polygons
            ))
        })
        .collect();
    PageItem {
        id: "beyond-times".to_owned(),
        title: "Search time over the size of the world".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Svg(
            Chart {
                id: "beyond1".to_owned(),
                description: "Mean time per search over the number of polygons, per engine"
                    .to_owned(),
                columns: 2,
                panels: panels.collect(),
            }
            .svg(),
        ),
        caption: format!(
            "Mean time of the search alone over {} random queries per generated world; both axes are \
             logarithmic, and each marker is a world. Paths grow longer with the world. Hub labels look up \
             the distance instead of searching, but a path must still be unpacked, which takes time \
             proportional to its length.",
            report.effort.queries
        ),
        verdict: format!("{}.", findings.join(". ")),
    }
}

/// Returns a series of markers without a line, because the scenes do not form a sequence.
fn dots(name: &str, look: usize, points: Vec<[f64; 2]>) -> Series {
    Series {
        draw: Draw::Dots(4.0),
        ..line(name, look, points)
    }
}

/// Draws the time to customize an index for another profile.
pub(crate) fn profiles(report: &Report) -> PageItem {
    let all = || report.comparisons.iter();
    let contraction = over_polygons(all(), |cell| Some(cell.other_profile.contraction_ms));
    let levels = over_polygons(all(), |cell| Some(cell.other_profile.levels_ms));
    let order = over_polygons(all(), |cell| {
        Some(cell.build.order_ms + cell.build.contraction_ms)
    });
    let mismatches: usize = all().map(|cell| cell.other_profile.mismatches).sum();
    let queries: usize = all().map(|cell| cell.other_profile.queries).sum();
    let largest = all().max_by_key(|cell| cell.polygons);
    let example = largest.map_or_else(String::new, |cell| {
        format!(
            " On {} ({} polygons), customizing the contraction takes {} ms, and computing intra-edges and \
             tables takes {} ms.",
            cell.scene,
            cell.polygons,
            us(cell.other_profile.contraction_ms),
            us(cell.other_profile.levels_ms)
        )
    });
    PageItem {
        id: "beyond-profiles".to_owned(),
        title: "Customization for another profile".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Svg(
            Chart {
                id: "beyond2".to_owned(),
                description: "Time to customize an index for a profile, over the number of polygons".to_owned(),
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
            "Time to customize an existing index for a profile with other area factors and a forbidden \
                  area. Each marker is a scene, a map or a generated world; both axes are logarithmic."
                .to_owned(),
        verdict: format!(
            "With that profile, {mismatches} of {queries} answers of the contraction differ in cost from \
             Dijkstra's.{example}"
        ),
    }
}
