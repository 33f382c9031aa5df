//! The figure of changes of the ground.

use portolan_draw::chart::{Axis, Chart, Draw, Panel, Scale, Series};
use portolan_measure::{CHANGES, UpdateResults};

use super::line;
use crate::model::Report;
use crate::page_item::{ItemBody, PageItem, times, us};

/// An excess below this is drawn at this value, because the axis is logarithmic. [Units: %]
const MIN_EXCESS: f64 = 1e-3;

/// The kinds of generated worlds and their look; `None` stands for scenes and maps.
const KINDS: [(Option<&str>, &str, usize); 3] = [
    (None, "scenes and maps", 0),
    (Some("rooms"), "rooms", 1),
    (Some("open"), "open", 2),
];

/// Draws the cost of changes, queries next to them, and the excess in between, over the number of polygons.
pub(crate) fn over_polygons(report: &Report) -> PageItem {
    let micros = |updates: &UpdateResults| updates.update_us.median + updates.publish_us.median;
    let beside = |updates: &UpdateResults| updates.query_us_beside.map(|times| times.p99);
    let in_percent = |fraction: f64| Some((100.0 * fraction).max(MIN_EXCESS));
    let panels = vec![
        panel(
            "repair and publish one change",
            "median time (µs)",
            of_kinds(report, |updates| Some(micros(updates))),
        ),
        panel(
            "queries, 99th percentile",
            "time (µs)",
            two_states(
                report,
                [("quiet world", 3), ("next to updates", 5)],
                |updates| Some(updates.query_us_quiet.p99),
                beside,
            ),
        ),
        panel(
            "longer than the shortest path",
            "mean excess (%)",
            two_states(
                report,
                [("excess at once", 4), ("excess settled", 6)],
                |updates| in_percent(updates.excess_after),
                |updates| in_percent(updates.excess_settled),
            ),
        ),
    ];
    let largest = report
        .changes
        .iter()
        .max_by_key(|cell| cell.updates.polygons);
    let finding = largest.map_or_else(String::new, |cell| {
        let updates = &cell.updates;
        let slow_down = crate::tables::slow_down(updates);
        let slow_down = slow_down.map_or(String::new(), |ratio| {
            format!(
                " Next to {:.0} updates per second, the 99th percentile of queries is {} that of a quiet world.",
                updates.beside_per_second.unwrap_or_default(),
                times(ratio)
            )
        });
        format!(
            "On {} ({} polygons), a change takes {} µs to repair and {} µs to publish.{slow_down}",
            updates.world,
            updates.polygons,
            us(updates.update_us.median),
            us(updates.publish_us.median)
        )
    });
    PageItem {
        id: "changes-figure".to_owned(),
        title: "Changes over the size of the world".to_owned(),
        source: "this run".to_owned(),
        body: ItemBody::Svg(
            Chart {
                id: "changes1".to_owned(),
                description: "Time of a change, time of queries next to changes, and excess in between, over the number of polygons"
                    .to_owned(),
                columns: 3,
                panels,
            }
            .svg(),
        ),
        caption: format!(
            "Left: median time to repair and publish one closed or opened polygon. Middle: 99th percentile of whole queries by auto \
             in a quiet world and next to up to 1 000 updates per second. Right: mean excess of auto's paths right after \
             {CHANGES} changes and when the world is settled; an excess below {MIN_EXCESS}% is drawn at that value. All axes are \
             logarithmic, and each marker is a scene, a map or a generated world."
        ),
        verdict: finding,
    }
}

fn panel(title: &str, unit: &str, series: Vec<Series>) -> Panel {
    Panel {
        title: title.to_owned(),
        x: Axis::new("polygons", Scale::Log),
        y: Axis::new(unit, Scale::Log),
        series,
        bars: None,
    }
}

/// Returns a value over the number of polygons: dots for scenes, and a line per kind of generated world.
fn of_kinds(report: &Report, value: impl Fn(&UpdateResults) -> Option<f64>) -> Vec<Series> {
    let series = KINDS.iter().map(|&(kind, name, look)| {
        let of_kind = report.changes.iter();
        let of_kind = of_kind.filter(|cell| cell.world.as_deref() == kind);
        let points = of_kind.filter_map(|cell| point(&cell.updates, &value));
        let line = line(name, look, sorted(points.collect()));
        match kind {
            None => dots(line),
            Some(_) => line,
        }
    });
    series.filter(|series| !series.points.is_empty()).collect()
}

/// Returns two values over the number of polygons, on all scenes and worlds.
fn two_states(
    report: &Report,
    names: [(&str, usize); 2],
    first: impl Fn(&UpdateResults) -> Option<f64>,
    second: impl Fn(&UpdateResults) -> Option<f64>,
) -> Vec<Series> {
    let series = |(name, look): (&str, usize), value: &dyn Fn(&UpdateResults) -> Option<f64>| {
        let all = report.changes.iter();
        let points = all.filter_map(|cell| point(&cell.updates, value));
        dots(line(name, look, points.collect()))
    };
    vec![series(names[0], &first), series(names[1], &second)]
}

fn point(
    updates: &UpdateResults,
    value: impl Fn(&UpdateResults) -> Option<f64>,
) -> Option<[f64; 2]> {
    Some([updates.polygons as f64, value(updates)?])
}

fn sorted(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    points
}

fn dots(series: Series) -> Series {
    Series {
        draw: Draw::Dots(4.0),
        ..series
    }
}
